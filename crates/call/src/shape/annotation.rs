//! The annotations that only a user can make: `x-identity`, `x-null`, `x-empty`, `x-aliases`,
//! `x-idempotency`, in a schema or in an overlay file.

use crate::json::Value;
use std::collections::HashMap;

/// A kind as an annotation names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the kind of that name")]
pub enum KindName {
    Exact,
    Number,
    Boolean,
    Enum,
    Token,
    Text,
    Code,
    Instant,
    Uuid,
    Uri,
    Time,
    Phone,
    Date,
    Duration,
    Email,
    List,
    Set,
    Json,
    Volatile,
    Payload,
}

impl KindName {
    /// Every name, in the order of the table in ARCHITECTURE.md.
    pub const ALL: [(KindName, &'static str); 20] = [
        (KindName::Exact, "exact"),
        (KindName::Number, "number"),
        (KindName::Boolean, "boolean"),
        (KindName::Enum, "enum"),
        (KindName::Token, "token"),
        (KindName::Text, "text"),
        (KindName::Code, "code"),
        (KindName::Instant, "instant"),
        (KindName::Uuid, "uuid"),
        (KindName::Uri, "uri"),
        (KindName::Time, "time"),
        (KindName::Phone, "phone"),
        (KindName::Date, "date"),
        (KindName::Duration, "duration"),
        (KindName::Email, "email"),
        (KindName::List, "list"),
        (KindName::Set, "set"),
        (KindName::Json, "json"),
        (KindName::Volatile, "volatile"),
        (KindName::Payload, "payload"),
    ];

    /// Reads a kind's name.
    ///
    /// # Errors
    /// A sentence that lists the names.
    pub fn parse(name: &str) -> Result<Self, String> {
        Self::ALL.iter().find(|(_, n)| *n == name).map(|(kind, _)| *kind).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(_, n)| *n).collect();
            format!("`{name}` is no kind; the kinds are {}", names.join(", "))
        })
    }

    /// The name in files.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// What null means in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NullMeaning {
    /// The same as leaving the field out.
    Absent,
    /// A value of its own.
    Value,
}

/// What an empty list, object or text means in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmptyMeaning {
    /// The same as leaving the field out.
    Absent,
    /// A value of its own.
    Value,
}

/// How far a business key reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IdempotencyScope {
    /// One step of a run.
    Step,
    /// One run; no step is needed.
    Run,
    /// All runs of a tenant; neither run nor step is needed.
    Tenant,
}

/// A business key: the named fields are the fingerprint within the scope, the rest is payload.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Idempotency {
    /// How far it reaches.
    pub scope: IdempotencyScope,
    /// Dotted paths of the fields, as declared.
    pub fields: Vec<String>,
}

/// The annotations of one field, from the schema or an overlay; what is not stated is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Annotation {
    pub identity: Option<KindName>,
    pub null: Option<NullMeaning>,
    pub empty: Option<EmptyMeaning>,
    pub aliases: Vec<(String, String)>,
}

impl Annotation {
    /// The annotations in a schema object.
    pub(crate) fn of_schema(schema: &Value<'_>) -> Result<Self, String> {
        let word = |name: &str| match schema.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(text.as_str().map(str::to_owned)),
            Some(other) => Err(format!("`{name}` must be text, but is {}", other.type_name())),
        };
        let mut out = Annotation {
            identity: match word("x-identity")? {
                None => None,
                Some(name) => {
                    Some(KindName::parse(&name).map_err(|e| format!("`x-identity`: {e}"))?)
                }
            },
            null: word("x-null")?.map(|w| parse_null("x-null", &w)).transpose()?,
            empty: word("x-empty")?.map(|w| parse_empty("x-empty", &w)).transpose()?,
            aliases: Vec::new(),
        };
        if let Some(aliases) = schema.get("x-aliases")
            && let Some(members) = aliases.as_object()
        {
            for member in members {
                match (member.name.as_str(), member.value.as_str()) {
                    (Some(synonym), Some(of)) => {
                        out.aliases.push((synonym.to_owned(), of.to_owned()));
                    }
                    _ => return Err("`x-aliases` must map texts to texts".to_owned()),
                }
            }
        }
        Ok(out)
    }

    /// This annotation where it says something, else the other.
    pub(crate) fn or(mut self, other: Annotation) -> Self {
        self.identity = self.identity.or(other.identity);
        self.null = self.null.or(other.null);
        self.empty = self.empty.or(other.empty);
        for alias in other.aliases {
            if !self.aliases.iter().any(|(synonym, _)| *synonym == alias.0) {
                self.aliases.push(alias);
            }
        }
        self
    }
}

/// Synonyms with what each stands for in the end: synonyms of synonyms are followed, and of those that go round in a
/// circle the smallest is meant.
pub(crate) fn resolved(aliases: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut next: HashMap<&str, &str> = HashMap::new();
    for (synonym, of) in &aliases {
        next.entry(synonym).or_insert(of);
    }
    let mut ends: HashMap<&str, &str> = HashMap::new();
    for (synonym, _) in &aliases {
        let mut way: Vec<&str> = Vec::new();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut at = synonym.as_str();
        let end = loop {
            if let Some(end) = ends.get(at) {
                break *end;
            }
            if let Some(start) = seen.get(at) {
                break way[*start..].iter().min().copied().unwrap_or(at);
            }
            let Some(of) = next.get(at) else { break at };
            seen.insert(at, way.len());
            way.push(at);
            at = of;
        };
        ends.extend(way.into_iter().map(|step| (step, end)));
    }
    let resolved = |synonym: &str| ends.get(synonym).map_or(synonym, |end| *end).to_owned();
    aliases
        .iter()
        .map(|(synonym, _)| (synonym.clone(), resolved(synonym)))
        .filter(|(synonym, of)| synonym != of)
        .collect()
}

pub(crate) fn parse_null(field: &str, word: &str) -> Result<NullMeaning, String> {
    match word {
        "absent" => Ok(NullMeaning::Absent),
        "value" => Ok(NullMeaning::Value),
        _ => Err(format!("`{field}` must be \"absent\" or \"value\"")),
    }
}

pub(crate) fn parse_empty(field: &str, word: &str) -> Result<EmptyMeaning, String> {
    match word {
        "absent" => Ok(EmptyMeaning::Absent),
        "value" => Ok(EmptyMeaning::Value),
        _ => Err(format!("`{field}` must be \"absent\" or \"value\"")),
    }
}

pub(crate) fn parse_scope(word: &str) -> Result<IdempotencyScope, String> {
    match word {
        "step" => Ok(IdempotencyScope::Step),
        "run" => Ok(IdempotencyScope::Run),
        "tenant" => Ok(IdempotencyScope::Tenant),
        _ => Err("`scope` must be \"step\", \"run\" or \"tenant\"".to_owned()),
    }
}

impl Idempotency {
    /// Reads `{"scope": ..., "fields": [...]}`.
    pub(crate) fn of_schema(value: &Value<'_>) -> Result<Self, String> {
        let wrong = |what: &str| format!("`x-idempotency`: {what}");
        let scope = value
            .get("scope")
            .and_then(Value::as_str)
            .ok_or_else(|| wrong("`scope` must be \"step\", \"run\" or \"tenant\""))?;
        let fields = value
            .get("fields")
            .and_then(Value::as_array)
            .ok_or_else(|| wrong("`fields` must be a list of field names"))?
            .iter()
            .map(|f| f.as_str().map(str::to_owned))
            .collect::<Option<Vec<String>>>()
            .filter(|fields| !fields.is_empty())
            .ok_or_else(|| wrong("`fields` must be a list of field names, at least one"))?;
        Ok(Idempotency { scope: parse_scope(scope).map_err(|e| wrong(&e))?, fields })
    }
}
