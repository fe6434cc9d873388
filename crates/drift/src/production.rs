//! The productions of both grammars: one flat list of names, each with its grammar, its ground, and
//! the field kinds it may be used on.

/// Which grammar a production belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grammar {
    /// Changes the spelling and never the intent.
    Render,
    /// Changes the intent as little as can be.
    Change,
}

/// Who says that a rendering keeps the intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ground {
    /// The same JSON value: any parser agrees.
    Json,
    /// The validators that harnesses use hand the tool equal values, or refuse one of them.
    Validator,
    /// Only the schema's author can say so: an annotation, or a format that implies it.
    Declared,
}

impl Ground {
    /// The word in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Ground::Json => "json",
            Ground::Validator => "validator",
            Ground::Declared => "declared",
        }
    }
}

/// What is known of a production.
#[derive(Debug, Clone, Copy)]
pub struct ProductionInfo {
    /// The name used in profiles, pairs and tables.
    pub name: &'static str,
    /// Its grammar.
    pub grammar: Grammar,
    /// Its ground; none for a change.
    pub ground: Option<Ground>,
    /// The kinds of field it is used on, as [`KINDS`] bits; `whole` and `scope` for what is no field.
    pub(crate) sites: u32,
    /// One line on what it does.
    pub doc: &'static str,
}

impl ProductionInfo {
    /// The names of the field kinds it is used on; `whole` stands for the argument text, `scope` for
    /// the call around it.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        let sites = self.sites;
        KINDS.iter().enumerate().filter(move |(bit, _)| sites >> bit & 1 == 1).map(|(_, n)| *n)
    }
}

/// The names of the site bits, lowest first.
pub(crate) const KINDS: [&str; 25] = [
    "any", "exact", "number", "boolean", "enum", "token", "cased", "text", "code", "instant",
    "uuid", "uri", "time", "phone", "date", "duration", "email", "list", "set", "json", "volatile",
    "payload", "object", "whole", "scope",
];

/// The site bits, in the order of [`KINDS`].
pub(crate) mod site {
    macro_rules! bits {
        ($($name:ident = $bit:expr;)*) => { $(pub(crate) const $name: u32 = 1 << $bit;)* };
    }
    bits! {
        ANY = 0; EXACT = 1; NUMBER = 2; BOOLEAN = 3; ENUM = 4; TOKEN = 5; CASED = 6; TEXT = 7;
        CODE = 8; INSTANT = 9; UUID = 10; URI = 11; TIME = 12; PHONE = 13; DATE = 14; DURATION = 15;
        EMAIL = 16; LIST = 17; SET = 18; JSON = 19; VOLATILE = 20; PAYLOAD = 21; OBJECT = 22;
        WHOLE = 23; SCOPE = 24;
    }
}

macro_rules! productions {
    ($($variant:ident $name:literal $grammar:ident $ground:expr, $sites:expr, $doc:literal;)*) => {
        /// A production, by its place in the list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the list says what each does")]
        pub(crate) enum Production { $($variant,)* }

        impl Production {
            pub(crate) const ALL: &'static [Production] = &[$(Production::$variant,)*];
        }

        static INFOS: &[ProductionInfo] = &[$(ProductionInfo {
            name: $name, grammar: Grammar::$grammar, ground: $ground, sites: $sites, doc: $doc,
        },)*];
    };
}

const J: Option<Ground> = Some(Ground::Json);
const V: Option<Ground> = Some(Ground::Validator);
const D: Option<Ground> = Some(Ground::Declared);
const N: Option<Ground> = None;

use site::{
    ANY, BOOLEAN, CASED, CODE, DATE, DURATION, EMAIL, ENUM, EXACT, INSTANT, JSON, LIST, NUMBER,
    OBJECT, PAYLOAD, PHONE, SCOPE, SET, TEXT, TIME, TOKEN, URI, UUID, VOLATILE, WHOLE,
};

const LEAF: u32 = ANY
    | EXACT
    | NUMBER
    | BOOLEAN
    | ENUM
    | TOKEN
    | CASED
    | TEXT
    | CODE
    | INSTANT
    | UUID
    | URI
    | TIME
    | PHONE
    | DATE
    | DURATION
    | EMAIL
    | JSON;

productions! {
    KeyReorder "key_reorder" Render J, OBJECT, "members of an object in another order";
    SerializerCompact "serializer_compact" Render J, WHOLE, "no white space between tokens";
    SerializerDefault "serializer_default" Render J, WHOLE, "a space after each comma and colon";
    SerializerIndent2 "serializer_indent2" Render J, WHOLE, "one member a line, two spaces deep";
    SerializerIndent4 "serializer_indent4" Render J, WHOLE, "one member a line, four spaces deep";
    SerializerTabs "serializer_tabs" Render J, WHOLE, "one member a line, tabs";
    SerializerSpaced "serializer_spaced" Render J, WHOLE, "spaces inside brackets and around colons";
    SerializerTrailing "serializer_trailing_space" Render J, WHOLE, "indented, with a space after each comma at the line end";
    OuterSpace "outer_whitespace" Render J, WHOLE, "white space around the whole text";
    EscapeNonAscii "escape_non_ascii" Render J, WHOLE, "\\uXXXX for every letter past ASCII";
    EscapeUpperHex "escape_upper_hex" Render J, WHOLE, "\\uXXXX with capital digits";
    EscapeSlash "escape_slash" Render J, WHOLE, "\\/ for each slash";
    EscapeLetters "escape_letters" Render J, WHOLE, "\\uXXXX for some ASCII letters";
    EscapeNames "escape_names" Render J, WHOLE, "\\uXXXX within member names";
    EscapeControl "escape_control_long" Render J, WHOLE, "\\u000a where \\n would do";
    DuplicateEqual "duplicate_name_equal" Render J, OBJECT, "a member written twice with one value";
    NumberTrailingZeros "number_trailing_zeros" Render J, NUMBER | ANY, "19.9 as 19.90";
    IntToFloat "int_to_float" Render V, NUMBER | ANY, "4200 as 4200.0";
    NumberExponent "number_exponent" Render V, NUMBER | ANY, "4200 as 42e2";
    NumberExponentUpper "number_exponent_upper" Render V, NUMBER | ANY, "4200 as 4.2E+3";
    NumberNegativeZero "number_negative_zero" Render V, NUMBER, "0 as -0.0";
    NumAsString "num_as_string" Render V, NUMBER, "a number as text";
    NumFromString "num_from_string" Render V, NUMBER, "numeric text as a number";
    NumTextPlus "num_text_plus" Render V, NUMBER, "a number as text with a plus sign";
    NumericText "numeric_text" Render D, NUMBER, "numeric text in another form, where an annotation alone makes the text a number";
    GridNoise "grid_noise" Render D, NUMBER, "the binary noise of a decimal on a multipleOf grid";
    BoolAsString "bool_as_string" Render V, BOOLEAN, "true as \"true\"";
    BoolAsTitle "bool_as_string_title" Render V, BOOLEAN, "true as \"True\"";
    BoolFromString "bool_from_string" Render V, BOOLEAN, "\"true\" as true";
    EnumCase "enum_case" Render V, ENUM, "a member in another case, where that names one member only";
    TokenCase "token_case" Render D, TOKEN, "a token in another case";
    TokenTrim "token_trim" Render D, TOKEN, "a token with white space around it";
    PatternCase "pattern_case" Render D, CASED, "text of a one-case pattern in the other case";
    CaseFold "case_fold" Render D, TOKEN | TEXT | ENUM | EMAIL | INSTANT, "lower case wherever case is no matter";
    DoubleSpace "double_space" Render D, TEXT, "two spaces for one";
    ProseNbsp "prose_nbsp" Render D, TEXT, "a no-break space for a space";
    ProseThinSpace "prose_thin_space" Render D, TEXT, "a thin or narrow space for a space";
    ProseQuotes "prose_quotes" Render D, TEXT, "curly quotes for straight ones";
    ProseDashes "prose_dashes" Render D, TEXT, "an en or em dash for a hyphen";
    ProseNfd "prose_nfd" Render D, TEXT, "decomposed letters";
    ProseUpper "prose_upper" Render D, TEXT, "capitals where a capital folds back";
    ProseTrailingNewline "prose_trailing_newline" Render D, TEXT, "a line end after the text";
    ProseLeadingSpace "prose_leading_space" Render D, TEXT, "a space before the text";
    ProseCrlf "prose_crlf" Render D, TEXT, "a line end or tab for a space";
    ProseReworded "prose_reworded" Render D, TEXT | PAYLOAD, "the same said in other words; no key can see it";
    Subsecond "subsecond" Render D, INSTANT, "a fraction of zeros";
    InstantFractionPad "instant_fraction_pad" Render D, INSTANT, ".5 as .500";
    InstantOffset "instant_offset" Render D, INSTANT, "the same instant in another offset";
    InstantZeroOffset "instant_zero_offset" Render D, INSTANT, "Z as +00:00 or -00:00";
    InstantNoColon "instant_offset_no_colon" Render D, INSTANT, "+02:00 as +0200";
    InstantLower "instant_lower" Render D, INSTANT, "a small t and z";
    InstantSpace "instant_space" Render D, INSTANT, "a space for the T";
    InstantNoSeconds "instant_no_seconds" Render D, INSTANT, "seconds left out where they are zero";
    InstantEpoch "instant_epoch" Render D, INSTANT, "epoch seconds, where declared";
    TimeOffset "time_offset" Render D, TIME, "the same time of day in another offset";
    UuidCase "uuid_case" Render D, UUID, "hex digits in the other case";
    UriHostCase "uri_host_case" Render D, URI, "scheme and host in capitals";
    UriDefaultPort "uri_default_port" Render D, URI, "the scheme's port written out";
    UriEmptyPort "uri_empty_port" Render D, URI, "a colon without a port";
    UriPercent "uri_percent_unreserved" Render D, URI, "an unreserved character percent-encoded";
    UriPercentCase "uri_percent_case" Render D, URI, "%2F as %2f";
    UriDots "uri_dot_segments" Render D, URI, "a detour through . and ..";
    UriEmptyPath "uri_empty_path" Render D, URI, "no path for /";
    PhonePunctuation "phone_punctuation" Render D, PHONE, "spaces, brackets, dots and dashes in a phone number";
    EmailCase "email_case" Render D, EMAIL, "an address in another case";
    SetReorder "set_reorder" Render D, SET, "items of a set in another order";
    SetRepeat "set_repeat" Render D, SET, "an item of a set twice";
    SingletonUnwrapped "singleton_unwrapped" Render V, LIST | SET, "one item for a list of one";
    ListAsText "list_as_json_text" Render V, LIST | SET, "a list as JSON text";
    ObjectAsText "object_as_json_text" Render V, OBJECT, "an object as JSON text";
    JsonRespelled "json_text_respelled" Render D, JSON, "JSON text in another serialisation";
    AddNull "add_null" Render V, OBJECT, "null for an absent member, where null means absent";
    DropNulls "drop_nulls" Render V, OBJECT, "a null that means absent left out";
    DefaultWritten "default_written" Render D, OBJECT, "a default written out";
    DefaultDropped "default_dropped" Render D, OBJECT, "a value that is the default left out";
    EmptyWritten "empty_written" Render D, OBJECT, "[], {} or \"\" for an absent member, where declared";
    EmptyDropped "empty_dropped" Render D, OBJECT, "an empty value left out, where declared";
    UndeclaredNull "undeclared_null_added" Render D, OBJECT, "a null under an undeclared name, where declared absent";
    NameCamel "name_camel" Render D, OBJECT, "a name in camelCase";
    NameKebab "name_kebab" Render D, OBJECT, "a name with dashes";
    NameCase "name_case" Render D, OBJECT, "a name in another case";
    NameNfd "name_nfd" Render D, OBJECT, "a name with decomposed letters";
    ValueAlias "value_alias" Render D, ENUM | TOKEN | EXACT | ANY, "a declared synonym of a member";
    FreshNonce "fresh_nonce" Render D, VOLATILE, "another nonce or now";
    VolatileDropped "volatile_dropped" Render D, OBJECT, "a volatile member left out";
    ArgumentsText "arguments_as_json_text" Render V, WHOLE, "the arguments as a JSON text";
    ArgumentsEnvelope "arguments_envelope" Render V, WHOLE, "the arguments inside an `arguments` member";
    NoArguments "no_arguments_spelling" Render V, WHOLE, "empty text or null for no arguments";
    ToolAlias "tool_alias" Render D, SCOPE, "a declared alias of the tool";
    Lineage "retry_with_lineage" Render D, SCOPE, "another step or run, naming the first attempt";
    OccurrenceStated "occurrence_stated" Render D, SCOPE, "occurrence 0 stated on one side";
    BusinessKey "business_key_elsewhere" Render D, SCOPE, "another step or run within the business key's scope";

    ValueChanged "value_changed" Change N, LEAF, "another plausible value";
    DigitChanged "digit_changed" Change N, NUMBER | PHONE | UUID | DURATION, "one digit";
    SignFlipped "sign_flipped" Change N, NUMBER, "the sign";
    UnitShifted "unit_shifted" Change N, NUMBER, "a hundred times as much";
    DigitsPastF64 "digits_past_f64" Change N, NUMBER | EXACT, "a digit that a double cannot hold";
    HugeExponent "huge_exponent" Change N, NUMBER, "two numbers that are both infinite as doubles";
    ZeroPadding "zero_padding" Change N, EXACT, "a leading zero of an identifier";
    VersionTail "version_tail" Change N, EXACT, "1.10 and 1.1";
    ExponentText "exponent_text" Change N, EXACT, "1e3 and 1000 as identifiers";
    UnderscoreDigits "underscore_digits" Change N, EXACT, "123_456 and 123456";
    DigitScript "digit_script" Change N, EXACT, "digits of another script";
    ExactCase "exact_case" Change N, EXACT | CODE, "one letter's case, where case counts";
    ExactSpace "exact_space" Change N, EXACT | CODE, "white space, where every byte counts";
    CodeIndent "code_indent" Change N, CODE, "indentation";
    CodeTab "code_tab" Change N, CODE, "a tab for spaces";
    CodeCrlf "code_crlf" Change N, CODE, "another line end";
    ExactNfd "exact_nfd" Change N, EXACT | CODE, "decomposed letters, where bytes count";
    ExactQuotes "exact_quotes" Change N, EXACT | CODE, "a curly quote or a dash, where bytes count";
    JsonContent "json_content_respelled" Change N, CODE, "JSON that is content, in another serialisation";
    SharpS "sharp_s" Change N, EXACT | TEXT | TOKEN, "ß and ss";
    Homoglyph "homoglyph" Change N, EXACT | TEXT | TOKEN, "a letter of another script that looks alike";
    ZeroWidth "zero_width" Change N, EXACT | TEXT | TOKEN, "a zero-width space within a word";
    ProseOpposite "prose_opposite" Change N, TEXT, "a word that turns the meaning";
    ProseNumber "prose_number" Change N, TEXT, "a number within prose";
    TypeChanged "type_changed" Change N, EXACT | ANY, "\"42\" and 42, \"true\" and true, where neither is coerced";
    UnionType "union_type" Change N, EXACT | NUMBER, "the other branch of a union";
    BooleanFlipped "boolean_flipped" Change N, BOOLEAN, "true and false";
    EnumMember "enum_member" Change N, ENUM, "another member";
    EnumNearCase "enum_near_case" Change N, ENUM, "a member that differs by case alone";
    SubsecondChanged "subsecond_changed" Change N, INSTANT, "a fraction of a second";
    WallTime "wall_time_other_offset" Change N, INSTANT, "the same wall time in another offset";
    Zoneless "zoneless" Change N, INSTANT, "with and without a zone";
    LeapSecond "leap_second" Change N, INSTANT, "a leap second and the second after it";
    DayMonth "day_month_swapped" Change N, DATE, "day and month exchanged";
    PhonePlus "phone_plus" Change N, PHONE, "with and without the plus";
    UriPathCase "uri_path_case" Change N, URI, "a letter's case in a path";
    UriSlash "uri_trailing_slash" Change N, URI, "a slash at the end of a path";
    UriQueryOrder "uri_query_order" Change N, URI, "the order of a query";
    UriFragment "uri_fragment" Change N, URI, "a fragment";
    JsonValue "json_text_value" Change N, JSON, "a value inside JSON text";
    ItemOrder "item_order" Change N, LIST, "two items exchanged";
    ItemDropped "item_dropped" Change N, LIST | SET, "one item fewer";
    ItemAdded "item_added" Change N, LIST | SET, "one item more";
    NullItem "null_item" Change N, LIST, "a null item";
    FieldsSwapped "fields_swapped" Change N, OBJECT, "two members' values exchanged";
    MemberAdded "member_added" Change N, OBJECT, "a declared member more";
    MemberDropped "member_dropped" Change N, OBJECT, "a declared member fewer";
    NestedChanged "nested_changed" Change N, LEAF, "a value below the top level";
    ExtraArgument "extra_argument" Change N, OBJECT, "an undeclared member";
    ExtraNull "extra_null" Change N, OBJECT, "an undeclared null, where nothing declares it absent";
    NullClears "null_clears" Change N, OBJECT, "null against absent, where null clears";
    FalsyAbsent "falsy_against_absent" Change N, OBJECT, "\"\", [], 0 or false against absent";
    DuplicateDiffers "duplicate_name_differs" Change N, OBJECT, "a name twice with two values";
    PayloadChanged "payload_changed" Change N, PAYLOAD, "content that is no identity: not the same, a conflict";
    OtherTool "other_tool" Change N, SCOPE, "another tool with the same arguments";
    DeliberateRepeat "deliberate_repeat" Change N, SCOPE, "the same call, meant again at a later step";
    ParallelTwin "parallel_twin" Change N, SCOPE, "two equal calls of one step, both meant";
    CallSite "other_call_site" Change N, SCOPE, "two places of one step";
    OtherRun "other_run" Change N, SCOPE, "another run";
    OtherTenant "other_tenant" Change N, SCOPE, "another tenant";
    SeparatorInIds "separator_in_ids" Change N, SCOPE, "a separator that moves between run and step";
    StepText "step_text" Change N, SCOPE, "step 3 and step \"3.0\"";
    Contradiction "contradiction" Change N, SCOPE, "a pair whose bytes a pair of the other truth has too";
}

impl Production {
    pub(crate) fn info(self) -> &'static ProductionInfo {
        &INFOS[self as usize]
    }

    pub(crate) fn name(self) -> &'static str {
        self.info().name
    }

    pub(crate) fn by_name(name: &str) -> Option<Production> {
        INFOS.iter().position(|info| info.name == name).map(|at| Self::ALL[at])
    }
}

/// Every production of both grammars, in one flat list.
pub fn productions() -> &'static [ProductionInfo] {
    INFOS
}
