//! What a tool's JSON Schema says of equality: each field's kind, what null, empty and absent mean,
//! defaults, aliases. Read once per tool; keyers and the drift generator both go by it.
//!
//! A kind comes, in this order, from an overlay file, from `x-identity` in the schema, from
//! `enum`/`const`, `format` or `contentMediaType`, from `pattern`, and from `type`. What the schema
//! leaves open is [`Kind::Any`]: compared as JSON and nothing more. A schema that is wild (`dict`,
//! `float`, no type) is understood where its meaning is plain and is `Any` otherwise, never an error;
//! an annotation of ours that is misspelt is an error, since a user relies on it.

mod annotation;
mod compile;
mod names;
mod overlay;
mod pattern;
mod prose;
mod schema;
mod suggest;
mod union;
mod walk;

pub use annotation::{EmptyMeaning, Idempotency, IdempotencyScope, KindName, NullMeaning};
pub use compile::{ShapeError, compile};
pub use names::{NameMatch, fold_name, match_names};
pub use overlay::{Overlay, ToolOverlay};
pub use pattern::CasedPattern;
pub use suggest::{Proposal, Suggestion};
pub use walk::FieldInfo;

use crate::json::Value;

/// An index into a [`Shape`]'s fields. Fields refer to each other by index, so that a recursive
/// schema is a finite shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId(pub(crate) u32);

/// A tool's parameters, read into field kinds.
#[derive(Debug, Clone)]
pub struct Shape {
    pub(crate) fields: Vec<Field>,
    pub(crate) root: FieldId,
    /// Other names of the tool that mean the same tool.
    pub tool_aliases: Vec<String>,
    /// Whether undeclared members are left out of identity (`undeclared = "ignore"`); by default
    /// they count.
    pub ignore_undeclared: bool,
    /// The business key, where one is declared.
    pub idempotency: Option<Idempotency>,
    /// Whether the tool has a schema at all (an object with at least one keyword).
    pub has_schema: bool,
    /// Whether any field is payload.
    pub has_payload: bool,
}

impl Shape {
    /// The arguments as a whole.
    pub fn root(&self) -> &Field {
        self.field(self.root)
    }

    /// The index of the arguments as a whole.
    pub fn root_id(&self) -> FieldId {
        self.root
    }

    /// The field of an index.
    pub fn field(&self, id: FieldId) -> &Field {
        // An id is only ever made for a field of its own shape; the root stands in otherwise.
        self.fields.get(id.0 as usize).unwrap_or(&self.fields[0])
    }

    /// The object that the root is, where it is one.
    pub fn root_object(&self) -> Option<&ObjectShape> {
        match &self.root().kind {
            Kind::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether a call without arguments can be complete: no property is required whose absence
    /// means a cut stream (required, without default, and null does not mean absent).
    pub fn allows_no_arguments(&self) -> bool {
        self.root_object().is_none_or(|object| {
            object.required_undeclared.is_empty()
                && object.properties.iter().all(|p| {
                    let field = self.field(p.field);
                    !p.required || field.default.is_some() || field.null == NullMeaning::Absent
                })
        })
    }

    /// Whether a value's JSON type is one that the field takes as it is, without coercion.
    pub fn accepts_type(&self, id: FieldId, value: &Value<'_>) -> bool {
        let field = self.field(id);
        if matches!(value, Value::Null) {
            // A schema that says nothing of types takes null too.
            let open = matches!(field.kind, Kind::Any) && field.json_types.is_empty();
            return field.nullable || open;
        }
        match &field.kind {
            Kind::Enum(members) => members.iter().any(|m| JsonType::of(m) == JsonType::of(value)),
            _ => field.json_types.is_empty() || field.json_types.contains(&JsonType::of(value)),
        }
    }
}

/// The JSON type of a value; integers and fractions are both numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JsonType {
    /// `null`
    Null,
    /// `true`, `false`
    Boolean,
    /// Any number.
    Number,
    /// Text.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonType {
    /// The type of a value.
    pub fn of(value: &Value<'_>) -> Self {
        match value {
            Value::Null => JsonType::Null,
            Value::Bool(_) => JsonType::Boolean,
            Value::Number(_) | Value::NonFinite(_) => JsonType::Number,
            Value::String(_) => JsonType::String,
            Value::Array(_) => JsonType::Array,
            Value::Object(_) => JsonType::Object,
        }
    }
}

/// One field: its kind and what its absence means.
#[derive(Debug, Clone)]
pub struct Field {
    /// When two values of it are equal.
    pub kind: Kind,
    /// Why it has that kind, for `tools check`: `type: integer`, `format: email`, `x-identity`, ...
    pub reason: String,
    /// The JSON types that the schema declares, null left out; empty when it declares none.
    pub json_types: Vec<JsonType>,
    /// Whether the schema allows null.
    pub nullable: bool,
    /// What null means where this field stands.
    pub null: NullMeaning,
    /// What `[]`, `{}` and `""` mean here.
    pub empty: EmptyMeaning,
    /// What an annotation says of null; below an object it also holds for undeclared members.
    pub stated_null: Option<NullMeaning>,
    /// What an annotation says of empty values; below an object it also holds for undeclared members.
    pub stated_empty: Option<EmptyMeaning>,
    /// The schema's `default`. A default of null on a type without null is none.
    pub default: Option<Value<'static>>,
    /// The default that the description names in prose, where the schema states none. A suggestion: a description may
    /// be wrong, so that nothing with side effects may rest on it.
    pub prose_default: Option<Value<'static>>,
    /// Synonyms and the member that each stands for in the end; no member is a synonym itself.
    pub aliases: Vec<(String, String)>,
    /// The schema's description, for reading defaults from prose.
    pub description: String,
}

/// When two values of a field are equal. The table in ARCHITECTURE.md says it in words.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Nothing is known: the same JSON, numbers as exact decimals, text exactly.
    Any,
    /// The same code points.
    Exact,
    /// The same exact decimal, as number or numeric text.
    Number {
        /// The schema's `multipleOf`, as decimal text, where it is above 0.
        grid: Option<String>,
    },
    /// True or false, also as text in any case.
    Boolean,
    /// The same member.
    Enum(Vec<Value<'static>>),
    /// Equal after trimming and simple case folding.
    Token,
    /// Exact, but text that meets the pattern in exactly one letter case is that text.
    Cased(CasedPattern),
    /// Prose: equal after NFC, trimming, white-space runs, quote and dash shapes, simple folding.
    Text,
    /// Exact; named so that nothing ever normalises it.
    Code,
    /// The same point in time.
    Instant {
        /// Whether a number is epoch seconds (only where an annotation says `instant`).
        epoch: bool,
    },
    /// RFC 9562: without regard to case.
    Uuid,
    /// RFC 3986, sections 6.2.2 and 6.2.3.
    Uri,
    /// A zoned time of day, modulo a day.
    Time,
    /// A phone number without its punctuation.
    Phone,
    /// As written.
    Date,
    /// As written.
    Duration,
    /// Without regard to case.
    Email,
    /// Item by item.
    List(ItemsShape),
    /// In any order, repeats collapsed.
    Set(ItemsShape),
    /// Text that holds JSON, compared as that JSON.
    Json,
    /// Always equal: left out of the key.
    Volatile,
    /// Left out of the fingerprint; in the second hash.
    Payload,
    /// Member by member.
    Object(ObjectShape),
    /// By the branch that the value's JSON type (and tag) selects; exact where none is.
    Union(UnionShape),
}

impl Kind {
    /// The kind's name in files and tables.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Any => "any",
            Kind::Exact => "exact",
            Kind::Number { .. } => "number",
            Kind::Boolean => "boolean",
            Kind::Enum(_) => "enum",
            Kind::Token | Kind::Cased(_) => "token",
            Kind::Text => "text",
            Kind::Code => "code",
            Kind::Instant { .. } => "instant",
            Kind::Uuid => "uuid",
            Kind::Uri => "uri",
            Kind::Time => "time",
            Kind::Phone => "phone",
            Kind::Date => "date",
            Kind::Duration => "duration",
            Kind::Email => "email",
            Kind::List(_) => "list",
            Kind::Set(_) => "set",
            Kind::Json => "json",
            Kind::Volatile => "volatile",
            Kind::Payload => "payload",
            Kind::Object(_) => "object",
            Kind::Union(_) => "union",
        }
    }
}

/// The items of an array.
#[derive(Debug, Clone, Default)]
pub struct ItemsShape {
    /// The fields of the first items (`prefixItems`, or `items` as a list).
    pub prefix: Vec<FieldId>,
    /// The field of every further item; none when the schema says nothing of them.
    pub rest: Option<FieldId>,
}

impl ItemsShape {
    /// The field of the item at an index.
    pub fn at(&self, index: usize) -> Option<FieldId> {
        self.prefix.get(index).copied().or(self.rest)
    }
}

/// One declared property.
#[derive(Debug, Clone)]
pub struct Property {
    /// Its name in NFC.
    pub name: String,
    /// Its field.
    pub field: FieldId,
    /// Whether the schema requires it.
    pub required: bool,
    /// The name without `_`, `-` and ASCII case, as [`fold_name`] writes it.
    pub folded: String,
}

/// The members of an object.
#[derive(Debug, Clone, Default)]
pub struct ObjectShape {
    /// The declared properties, sorted by name.
    pub properties: Vec<Property>,
    /// Names (in NFC) that the schema requires without declaring them, sorted.
    pub required_undeclared: Vec<String>,
    /// The field of undeclared members' values where `additionalProperties` is a schema; scalars are
    /// exact whatever it says, unless an annotation states their kind.
    pub additional: Option<FieldId>,
    /// `x-null` on the object itself: what null means for undeclared members, at every depth.
    pub undeclared_null: Option<NullMeaning>,
    /// `x-empty` on the object itself: what empty means for undeclared members, at every depth.
    pub undeclared_empty: Option<EmptyMeaning>,
}

impl ObjectShape {
    /// Whether no member that the schema knows of, by declaring, requiring or describing it, can be the one name
    /// `arguments`, so that an object under that name is a wrapper.
    pub fn may_be_enveloped(&self) -> bool {
        let is_it = |name: &String| fold_name(name) == "arguments";
        self.additional.is_none()
            && self.properties.iter().all(|property| property.folded != "arguments")
            && !self.required_undeclared.iter().any(is_it)
    }

    /// The declared property of a name (in NFC).
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties
            .binary_search_by(|p| p.name.as_str().cmp(name))
            .ok()
            .map(|at| &self.properties[at])
    }
}

/// Branches that can be told apart by the value's JSON type, objects also by a tag.
#[derive(Debug, Clone, Default)]
pub struct UnionShape {
    /// The branch of each JSON type that exactly one branch takes. Where several take it and do not
    /// agree, the type is absent here and its values are exact.
    pub branches: Vec<(JsonType, FieldId)>,
    /// A property whose value selects among object branches, with the branch of each value.
    pub tag: Option<Tag>,
}

impl UnionShape {
    /// The branch of a JSON type.
    pub fn branch(&self, of: JsonType) -> Option<FieldId> {
        if of == JsonType::Object
            && let Some(tag) = &self.tag
        {
            return tag.branches.first().map(|(_, id)| *id);
        }
        self.branches.iter().find(|(t, _)| *t == of).map(|(_, id)| *id)
    }

    /// The branch of a value, where one is certain.
    pub fn select(&self, value: &Value<'_>) -> Option<FieldId> {
        let of = JsonType::of(value);
        if of == JsonType::Object
            && let Some(tag) = &self.tag
        {
            let written = value.get(&tag.name)?.as_str()?;
            return tag.branch(written);
        }
        self.branches.iter().find(|(t, _)| *t == of).map(|(_, id)| *id)
    }
}

/// A required property with another constant text in every object branch.
#[derive(Debug, Clone)]
pub struct Tag {
    /// The property's name.
    pub name: String,
    /// Each text and the branch it selects.
    pub branches: Vec<(String, FieldId)>,
}

impl Tag {
    /// The branch of a text: as written, or in another case (ASCII) where that names one only.
    fn branch(&self, written: &str) -> Option<FieldId> {
        let exact = self.branches.iter().find(|(text, _)| text == written);
        let mut near = self.branches.iter().filter(|(text, _)| text.eq_ignore_ascii_case(written));
        let only = match (near.next(), near.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        };
        exact.or(only).map(|(_, id)| *id)
    }
}

#[cfg(test)]
mod tests;
