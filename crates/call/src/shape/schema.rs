//! JSON Schema keywords as they are found: references, `allOf`, and the wild names of types.

use super::annotation::KindName;
use super::pattern::CasedPattern;
use super::{JsonType, Kind};
use crate::json::Value;

/// No schema needs more parts than this; a reference that goes round in a circle would.
const MAX_PARTS: usize = 64;

/// The schema objects that apply to one place together: the schema itself, what it refers to, and
/// the members of its `allOf`. A keyword's value is the first part's that has it.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts<'s, 't> {
    pub(super) schemas: Vec<&'s Value<'t>>,
    /// Schemas whose own `anyOf`/`oneOf` is being read branch by branch, so that it is not read
    /// again within a branch.
    spent: Vec<&'s Value<'t>>,
}

impl<'s, 't> Parts<'s, 't> {
    /// The value of a keyword.
    pub(super) fn keyword(&self, name: &str) -> Option<&'s Value<'t>> {
        let branching = matches!(name, "anyOf" | "oneOf");
        self.schemas
            .iter()
            .filter(|part| !branching || !self.spent.iter().any(|s| std::ptr::eq(*s, **part)))
            .find_map(|part| part.get(name))
    }

    /// These parts as the base of a branch of their own union.
    pub(super) fn with_branch(&self, branch: Parts<'s, 't>) -> Parts<'s, 't> {
        let mut parts = branch;
        parts.spent.extend(&self.spent);
        parts.spent.extend(&self.schemas);
        for schema in &self.schemas {
            if !parts.schemas.iter().any(|p| std::ptr::eq(*p, *schema)) {
                parts.schemas.push(schema);
            }
        }
        parts
    }
}

/// Collects the parts of the schemas that describe one place.
pub(super) fn flatten<'s, 't>(doc: &'s Value<'t>, schemas: &[&'s Value<'t>]) -> Parts<'s, 't> {
    let mut parts = Parts::default();
    let mut waiting: Vec<&'s Value<'t>> = schemas.iter().rev().copied().collect();
    while let Some(schema) = waiting.pop() {
        if parts.schemas.len() >= MAX_PARTS {
            break;
        }
        if schema.as_object().is_none() || parts.schemas.iter().any(|p| std::ptr::eq(*p, schema)) {
            continue;
        }
        parts.schemas.push(schema);
        // The last one pushed is read first: `$ref` before `allOf`, and those in order.
        if let Some(all) = schema.get("allOf").and_then(Value::as_array) {
            waiting.extend(all.iter().rev());
        }
        if let Some(target) =
            schema.get("$ref").and_then(Value::as_str).and_then(|r| resolve(doc, r))
        {
            waiting.push(target);
        }
    }
    parts
}

/// The schema that a local reference (`#/$defs/Name`) points at; others are unknown here.
fn resolve<'s, 't>(doc: &'s Value<'t>, reference: &str) -> Option<&'s Value<'t>> {
    let pointer = reference.strip_prefix('#')?;
    let mut at = doc;
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        at = match at {
            Value::Array(items) => items.get(segment.parse::<usize>().ok()?)?,
            _ => at.get(&segment)?,
        };
    }
    Some(at)
}

/// The JSON types that the schema declares without null, and whether null is among them. Where
/// `type` is absent, other keywords may say it; where it is a name that no standard knows but every
/// reader does (`dict`, `float`), it is understood.
pub(super) fn declared_types(parts: &Parts<'_, '_>) -> (Vec<JsonType>, bool) {
    let mut types = Vec::new();
    let mut null = false;
    let mut see = |word: &str| match type_of_word(word) {
        Some(JsonType::Null) => null = true,
        Some(of) if !types.contains(&of) => types.push(of),
        _ => {}
    };
    match parts.keyword("type") {
        Some(Value::String(word)) => see(word.as_str().unwrap_or_default()),
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).for_each(see),
        _ => {
            let has = |name: &str| parts.keyword(name).is_some();
            if has("properties") || has("additionalProperties") {
                see("object");
            } else if has("items") || has("prefixItems") {
                see("array");
            } else if has("format") || has("contentMediaType") || has("pattern") {
                see("string");
            } else if has("multipleOf") || has("minimum") || has("maximum") {
                see("number");
            }
        }
    }
    (types, null)
}

/// The JSON type that a type's name means, in the standard or in the catalogs of the field (Python,
/// Java and JavaScript names). None for `any` and for what nobody can know.
fn type_of_word(word: &str) -> Option<JsonType> {
    // `List[str]`, `dict[str, int]`, `ArrayList<String>`: the outer name decides.
    let outer = word.split(['[', '<', '(']).next().unwrap_or_default().trim();
    Some(match outer.to_ascii_lowercase().as_str() {
        "string" | "str" => JsonType::String,
        "number" | "float" | "double" | "decimal" | "integer" | "int" | "long" => JsonType::Number,
        "boolean" | "bool" => JsonType::Boolean,
        "array" | "list" | "tuple" | "arraylist" => JsonType::Array,
        "object" | "dict" | "hashmap" | "map" => JsonType::Object,
        "null" | "none" | "nonetype" => JsonType::Null,
        _ => return None,
    })
}

/// Whether a schema is only null: `{"type": "null"}`, `{"const": null}`, `{"enum": [null]}`.
pub(super) fn is_null_schema(schema: &Value<'_>) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null")
        || matches!(schema.get("const"), Some(Value::Null))
        || schema
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(|m| m.iter().all(|v| matches!(v, Value::Null)))
}

/// Whether `enum` lists null, which gives null a meaning of its own.
pub(super) fn null_in_enum(parts: &Parts<'_, '_>) -> bool {
    parts
        .keyword("enum")
        .and_then(Value::as_array)
        .is_some_and(|members| members.iter().any(|m| matches!(m, Value::Null)))
        || matches!(parts.keyword("const"), Some(Value::Null))
}

/// Whether a schema says something of the value's kind, rather than a constraint alone.
pub(super) fn states_kind(schema: &Value<'_>) -> bool {
    ["type", "properties", "items", "enum", "const", "$ref", "allOf", "format", "x-identity"]
        .iter()
        .any(|name| schema.get(name).is_some())
}

/// `multipleOf` as decimal text, where it is above 0.
pub(super) fn grid(parts: &Parts<'_, '_>) -> Option<String> {
    match parts.keyword("multipleOf")? {
        Value::Number(text) if text.bytes().any(|b| (b'1'..=b'9').contains(&b)) => {
            (!text.starts_with('-')).then(|| text.to_string())
        }
        _ => None,
    }
}

/// The members of `enum` or `const`, null left out; none when neither is there or all are null.
pub(super) fn enum_members(parts: &Parts<'_, '_>) -> Option<Vec<Value<'static>>> {
    let members: Vec<Value<'static>> = match (parts.keyword("enum"), parts.keyword("const")) {
        (_, Some(constant)) => vec![constant.clone().into_owned()],
        (Some(Value::Array(items)), None) => {
            items.iter().map(|item| item.clone().into_owned()).collect()
        }
        _ => return None,
    };
    let members: Vec<_> = members.into_iter().filter(|m| !matches!(m, Value::Null)).collect();
    (!members.is_empty()).then_some(members)
}

/// Whether a kind stated on an array speaks of its items (`text`) or of the array (`set`).
pub(super) fn applies_to_items(name: KindName) -> bool {
    !matches!(
        name,
        KindName::List | KindName::Set | KindName::Json | KindName::Volatile | KindName::Payload
    )
}

/// The kind that a text's other keywords give, and the keyword.
pub(super) fn string_kind(parts: &Parts<'_, '_>) -> (Kind, String) {
    let text = |name: &str| parts.keyword(name).and_then(Value::as_str);
    if text("contentMediaType") == Some("application/json") {
        return (Kind::Json, "contentMediaType: application/json".to_owned());
    }
    if let Some(format) = text("format") {
        let kind = match format {
            "date-time" => Some(Kind::Instant { epoch: false }),
            "uuid" => Some(Kind::Uuid),
            "uri" => Some(Kind::Uri),
            "time" => Some(Kind::Time),
            "phone" => Some(Kind::Phone),
            "date" => Some(Kind::Date),
            "duration" => Some(Kind::Duration),
            "email" => Some(Kind::Email),
            _ => None,
        };
        if let Some(kind) = kind {
            return (kind, format!("format: {format}"));
        }
    }
    if let Some(pattern) = text("pattern").and_then(CasedPattern::new) {
        return (Kind::Cased(pattern), "pattern of one letter case".to_owned());
    }
    (Kind::Exact, "type: string".to_owned())
}
