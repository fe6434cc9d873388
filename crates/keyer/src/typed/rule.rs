//! The rules of the schema-directed keyer as values: each normalisation has a name and can be switched off, so that a
//! harness can see what it gains and what it risks.

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal),+ $(,)?) => {
        /// One normalisation of the schema-directed keyer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum TypedRule {
            $($(#[doc = $doc])+ $variant),+
        }

        impl TypedRule {
            /// All rules there are, in the order in which explanations list them.
            pub const ALL: &[TypedRule] = &[$(TypedRule::$variant),+];

            /// The rule's stable name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(TypedRule::$variant => $name),+
                }
            }
        }
    };
}

rules! {
    /// Empty text, `null` and `{}` are one call without arguments.
    NoArguments = "no-arguments",
    /// Arguments that are a JSON text holding an object are that object.
    TextWrapped = "text-wrapped",
    /// One undeclared `arguments` object is the arguments.
    UnwrapEnvelope = "unwrap-envelope",
    /// A declared alias of the tool's name is the tool.
    ToolAlias = "tool-alias",
    /// Names are compared in NFC.
    NameNfc = "name-nfc",
    /// An undeclared name is read as the one absent property that equals it without `_`, `-` and ASCII case.
    FuzzyName = "fuzzy-name",
    /// A name that is repeated with equal values is one member.
    DuplicateName = "duplicate-name",
    /// A null that means absent is left out.
    NullAbsent = "null-absent",
    /// An empty list, object or text that means absent is left out.
    EmptyAbsent = "empty-absent",
    /// The schema's default is inserted for what is absent.
    DefaultInserted = "default-inserted",
    /// A default that stands only in the description is inserted for what is absent (`typed-prose` alone).
    ProseDefault = "prose-default",
    /// Undeclared members are left out where the tool says so.
    UndeclaredIgnored = "undeclared-ignored",
    /// Volatile fields are left out.
    VolatileLeftOut = "volatile-left-out",
    /// Payload fields are in the second hash alone.
    PayloadApart = "payload-apart",
    /// A number is its exact decimal value, however it is written.
    NumberForm = "number-form",
    /// Numeric text is a number where a number is declared.
    NumberText = "number-text",
    /// Binary noise around a point of the `multipleOf` grid is rounded away.
    NumberGrid = "number-grid",
    /// `true` and `false` as text in any case are booleans where a boolean is declared.
    BooleanText = "boolean-text",
    /// Another case of an enum's member is the member, where it names one only.
    EnumCase = "enum-case",
    /// A declared synonym is what it stands for.
    Alias = "alias",
    /// A token loses the white space around it.
    TokenTrim = "token-trim",
    /// A token is compared under simple case folding.
    TokenFold = "token-fold",
    /// Text that meets a pattern of one letter case in one case only is that text.
    PatternCase = "pattern-case",
    /// Prose is compared in NFC.
    TextNfc = "text-nfc",
    /// Prose loses the white space around it.
    TextTrim = "text-trim",
    /// A run of white space in prose is one space.
    TextSpace = "text-space",
    /// Quotation marks in prose have one shape.
    TextQuote = "text-quote",
    /// Dashes in prose have one shape.
    TextDash = "text-dash",
    /// Prose is compared under simple case folding.
    TextFold = "text-fold",
    /// A point in time is written with capital `T` and `Z`, seconds, a colon in its offset and no trailing zeros.
    InstantForm = "instant-form",
    /// A point in time is the same at any offset.
    InstantOffset = "instant-offset",
    /// A number is epoch seconds where an annotation says `instant`.
    InstantEpoch = "instant-epoch",
    /// A zoned time of day is taken modulo a day.
    TimeOffset = "time-offset",
    /// A UUID is written in lower case.
    UuidCase = "uuid-case",
    /// A URI's scheme and host are written in lower case.
    UriCase = "uri-case",
    /// A URI's unreserved characters are written out, and escapes in capitals.
    UriPercent = "uri-percent",
    /// A URI's path loses its dot segments.
    UriDots = "uri-dots",
    /// A URI loses its scheme's default port, and an empty path is `/`.
    UriScheme = "uri-scheme",
    /// A phone number loses its punctuation.
    PhonePunctuation = "phone-punctuation",
    /// An e-mail address is compared without regard to case.
    EmailCase = "email-case",
    /// A set's items are in any order.
    SetOrder = "set-order",
    /// A set's repeats collapse.
    SetRepeat = "set-repeat",
    /// Text that holds JSON is that JSON, where the field says so.
    JsonText = "json-text",
    /// Text that holds an object is the object, where an object is declared.
    ObjectText = "object-text",
    /// Text that holds an array is the array, where its items may stand in the declared one.
    ListText = "list-text",
    /// One item is the list of it, where a list is declared.
    ListWrap = "list-wrap",
}

impl TypedRule {
    /// The rule of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }

    const fn bit(self) -> u64 {
        1 << self as u8
    }
}

/// Above all rules: numbers are compared as a handler holds them.
const HELD: u64 = 1 << 63;

/// A set of rules: those in force, or those that fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleSet(u64);

impl RuleSet {
    /// No rules: the same JSON, member order and white space aside.
    pub const NONE: RuleSet = RuleSet(0);
    /// Every rule.
    pub const ALL: RuleSet = RuleSet((1 << TypedRule::ALL.len()) - 1);

    /// Whether the rule is in the set.
    #[inline]
    pub const fn has(self, rule: TypedRule) -> bool {
        self.0 & rule.bit() != 0
    }

    /// The set with the rule.
    pub const fn with(self, rule: TypedRule) -> Self {
        RuleSet(self.0 | rule.bit())
    }

    /// The set without the rule.
    pub const fn without(self, rule: TypedRule) -> Self {
        RuleSet(self.0 & !rule.bit())
    }

    /// The same rules for numbers as a handler holds them: an integer past 2^53, which some handlers hold as a double
    /// and others exactly, keeps its spelling, and so does a number whose type a union leaves open.
    pub(super) const fn held(self) -> Self {
        RuleSet(self.0 | HELD)
    }

    pub(super) const fn is_held(self) -> bool {
        self.0 & HELD != 0
    }

    /// The rules of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = TypedRule> {
        TypedRule::ALL.iter().copied().filter(move |rule| self.has(*rule))
    }

    #[inline]
    pub(super) fn insert(&mut self, rule: TypedRule) {
        self.0 |= rule.bit();
    }
}

impl Default for RuleSet {
    fn default() -> Self {
        RuleSet::ALL
    }
}

impl FromIterator<TypedRule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = TypedRule>>(rules: I) -> Self {
        rules.into_iter().fold(RuleSet::NONE, RuleSet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_sets_hold_what_is_put_in() {
        assert!(TypedRule::ALL.len() < 64);
        for &rule in TypedRule::ALL {
            assert_eq!(TypedRule::by_name(rule.name()), Some(rule));
            assert!(RuleSet::ALL.has(rule) && !RuleSet::ALL.without(rule).has(rule));
            assert_eq!(RuleSet::ALL.with(rule), RuleSet::ALL, "as a set");
            let mut twice = RuleSet::NONE;
            twice.insert(rule);
            twice.insert(rule);
            assert_eq!(twice, RuleSet::NONE.with(rule));
            assert_eq!(RuleSet::NONE.with(rule).iter().collect::<Vec<_>>(), [rule]);
        }
        assert_eq!(TypedRule::ALL.iter().copied().collect::<RuleSet>(), RuleSet::ALL);
        let held = RuleSet::ALL.held();
        assert!(held.is_held() && held.held().is_held() && !RuleSet::ALL.is_held());
        assert!(held.iter().eq(RuleSet::ALL.iter()), "which is no rule");
    }
}
