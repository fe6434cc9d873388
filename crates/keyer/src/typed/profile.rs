//! Executor profiles: E that calls two spellings the same only where a given stack hands its handler equal values.
//!
//! E by itself reads a schema as DESIGN's table does. A stack may coerce less (a strict validator) or otherwise (what
//! `x-identity` says, no executor knows). Under a profile E reads the schema's own keywords alone, applies only the rules
//! that the profile's executor applies too, and keeps the spelling of what a double does not hold. `samecall executors` holds each
//! profile beside its executors.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use samecall_call::json::{self, Dialect, Member, Value};
use samecall_call::{Call, Tool};

use super::rule::{RuleSet, TypedRule};
use super::{Typed, TypedScoped};
use crate::{Explanation, Keyer, Outcome, Refusal};

/// Tools kept as a profile reads them; further ones are read anew at each call.
const KEPT: usize = 4_096;

/// A stack between the model's argument text and the tool's handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExecutorProfile {
    /// Pydantic v2 models in lax mode, by themselves or behind FastMCP, the `mcp` Python SDK or LangChain.
    PydanticLax,
    /// ajv with `coerceTypes: true`.
    AjvCoerce,
    /// ajv with `coerceTypes: true` and `useDefaults`.
    AjvCoerceDefaults,
    /// A validator that hands on what it read: Pydantic in strict mode, zod, ajv, jsonschema.
    Strict,
}

impl ExecutorProfile {
    /// All profiles.
    pub const ALL: [ExecutorProfile; 4] = [
        ExecutorProfile::PydanticLax,
        ExecutorProfile::AjvCoerce,
        ExecutorProfile::AjvCoerceDefaults,
        ExecutorProfile::Strict,
    ];

    /// The name after the `@`.
    pub const fn name(self) -> &'static str {
        match self {
            ExecutorProfile::PydanticLax => "pydantic-lax",
            ExecutorProfile::AjvCoerce => "ajv-coerce",
            ExecutorProfile::AjvCoerceDefaults => "ajv-coerce-defaults",
            ExecutorProfile::Strict => "strict",
        }
    }

    /// The profile of a name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// The executors of `executors/executors.toml` that it is the profile of: it never answers `same` for what one of
    /// them receives as unequal.
    pub const fn executors(self) -> &'static [&'static str] {
        match self {
            ExecutorProfile::PydanticLax => &["pydantic-lax", "fastmcp", "mcp-python", "langchain"],
            ExecutorProfile::AjvCoerce => &["ajv-coerce"],
            ExecutorProfile::AjvCoerceDefaults => &["ajv-coerce-defaults"],
            ExecutorProfile::Strict => &[
                "pydantic-strict",
                "jsonschema-python",
                "zod",
                "ajv",
                "mcp-typescript",
                "jsonschema-rust",
            ],
        }
    }

    /// The rules that the executor applies too.
    fn rules(self) -> RuleSet {
        use TypedRule as R;
        let json = [R::NumberForm, R::DuplicateName];
        let more: &[R] = match self {
            ExecutorProfile::Strict => &[],
            ExecutorProfile::AjvCoerce => &[R::NumberText, R::BooleanText],
            ExecutorProfile::AjvCoerceDefaults => {
                &[R::NumberText, R::BooleanText, R::DefaultInserted]
            }
            ExecutorProfile::PydanticLax => &[
                R::NumberText,
                R::BooleanText,
                R::DefaultInserted,
                R::NullAbsent,
                R::InstantForm,
                R::InstantOffset,
                R::UuidCase,
            ],
        };
        json.iter().chain(more).copied().collect::<RuleSet>().held()
    }

    /// Whether an executor of the profile hands on its own type for a format, so that a default, which none of them validates, is not
    /// what the same text becomes.
    fn converts(self) -> bool {
        self == ExecutorProfile::PydanticLax
    }

    /// The tool as the profile's executor reads it.
    fn read(self, tool: &Tool) -> Option<Tool> {
        let schema = json::parse(&tool.parameters, Dialect::Python).ok()?;
        let read = self.schema(schema, false).to_string();
        Tool::new(tool.name.clone(), "", &read, None).ok()
    }

    /// A schema without annotations of ours. `names` says that the members' names are properties', not keywords.
    fn schema<'v>(self, value: Value<'v>, names: bool) -> Value<'v> {
        match value {
            Value::Object(members) => {
                let kept = members.into_iter().filter_map(|Member { name, value }| {
                    let word = name.as_str().unwrap_or_default();
                    if names {
                        return Some(Member { value: self.schema(value, false), name });
                    }
                    let value = match word {
                        _ if word.starts_with("x-") => return None,
                        // Data, no schema.
                        "default" | "const" | "enum" | "examples" => value,
                        "properties" | "$defs" | "definitions" | "patternProperties" => {
                            self.schema(value, true)
                        }
                        _ => self.schema(value, false),
                    };
                    Some(Member { name, value })
                });
                let mut kept: Vec<Member<'v>> = kept.collect();
                if !names {
                    self.defaults(&mut kept);
                }
                Value::Object(kept)
            }
            Value::Array(items) => {
                Value::Array(items.into_iter().map(|item| self.schema(item, false)).collect())
            }
            other => other,
        }
    }

    /// Leaves out a default that the executor would not hand on as it hands on the same value written, and lets null
    /// be a value where the executor does.
    fn defaults(self, members: &mut Vec<Member<'_>>) {
        let schema = Value::Object(std::mem::take(members));
        let nullable = schema
            .get("type")
            .and_then(Value::as_array)
            .is_some_and(|types| types.iter().any(|one| one.as_str() == Some("null")))
            || ["anyOf", "oneOf"].iter().any(|word| schema.get(word).is_some());
        let kind = match schema.get("type") {
            Some(Value::Array(types)) => {
                types.iter().filter_map(Value::as_str).find(|one| *one != "null")
            }
            other => other.and_then(Value::as_str),
        };
        let plain = match schema.get("default") {
            None => true,
            Some(Value::Bool(_)) => kind == Some("boolean"),
            Some(Value::Number(_)) => matches!(kind, Some("integer" | "number")),
            Some(Value::String(_)) => {
                kind == Some("string") && !(self.converts() && schema.get("format").is_some())
            }
            Some(Value::Array(items)) => kind == Some("array") && items.is_empty(),
            Some(_) => false,
        };
        let has_default = schema.get("default").is_some();
        let Value::Object(mut kept) = schema else { return };
        if !plain {
            kept.retain(|member| member.name != *"default");
        }
        if has_default && (nullable || !plain) {
            kept.push(Member {
                name: "x-null".into_text(),
                value: Value::String("value".into_text()),
            });
        }
        *members = kept;
    }
}

/// Text that is written here.
trait IntoText {
    fn into_text(self) -> json::Text<'static>;
}

impl IntoText for &'static str {
    fn into_text(self) -> json::Text<'static> {
        json::Text::Str(self.into())
    }
}

/// Tools as a profile reads them, by name and schema; none for a schema that says nothing.
type Tools = HashMap<(String, String), Option<Arc<Tool>>>;

/// [`Typed`] or [`TypedScoped`] under a profile: `typed@pydantic-lax`, `typed-scoped@strict`.
pub struct TypedAs {
    name: String,
    profile: ExecutorProfile,
    inner: Box<dyn Keyer>,
    tools: Mutex<Tools>,
}

impl TypedAs {
    /// The keyer of a name like `typed@pydantic-lax`; none where either part is no name of ours.
    pub fn by_name(name: &str) -> Option<Self> {
        let (strategy, profile) = name.split_once('@')?;
        let profile = ExecutorProfile::by_name(profile)?;
        let inner: Box<dyn Keyer> = match strategy {
            "typed" => Box::new(Typed::with_rules(profile.rules())),
            "typed-scoped" => Box::new(TypedScoped::with_rules(profile.rules())),
            _ => return None,
        };
        Some(TypedAs { name: name.to_owned(), profile, inner, tools: Mutex::default() })
    }

    /// The tool as the executor reads it; a schema that it cannot be made of says nothing.
    fn tool(&self, tool: Option<&Tool>) -> Option<Arc<Tool>> {
        let tool = tool?;
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tool.name.clone(), tool.parameters.clone());
        if let Some(read) = tools.get(&key) {
            return read.clone();
        }
        let read = self.profile.read(tool).map(Arc::new);
        if tools.len() < KEPT {
            tools.insert(key, read.clone());
        }
        read
    }
}

impl Keyer for TypedAs {
    fn name(&self) -> &str {
        &self.name
    }

    fn key(&self, call: &Call, tool: Option<&Tool>) -> Outcome {
        self.inner.key(call, self.tool(tool).as_deref())
    }

    fn has_slot(&self) -> bool {
        self.inner.has_slot()
    }

    fn explain(&self, call: &Call, tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        self.inner.explain(call, self.tool(tool).as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{"type":"object","x-null":"absent","properties":{
        "n":{"type":"integer","default":3},"f":{"type":["number","null"],"default":60},
        "on":{"type":"boolean"},"to":{"type":"string","x-identity":"token"},"at":{"type":"string","format":"date-time"},
        "id":{"type":"integer","x-identity":"exact"},"u":{"anyOf":[{"type":"integer"},{"type":"string"}]},
        "note":{"type":"string","x-identity":"volatile"},"x-odd":{"type":"integer"}}}"#;

    fn same(keyer: &str, schema: &str, a: &str, b: &str) -> bool {
        let keyer = TypedAs::by_name(keyer).unwrap();
        let tool = Tool::new("t", "", schema, None).unwrap();
        let key = |text| keyer.key(&Call::new("t", text), Some(&tool)).key();
        key(a).is_some() && key(a) == key(b)
    }

    #[test]
    fn a_profile_coerces_what_its_stack_coerces() {
        // Pydantic, ajv with coercion, ajv with coercion and defaults, strict.
        for (a, b, expected) in [
            (r#"{"n":4200}"#, r#"{ "n": 4200.0 }"#, [true; 4]),
            (r#"{"n":4200}"#, r#"{"n":"4200"}"#, [true, true, true, false]),
            (r#"{"on":false}"#, r#"{"on":"false"}"#, [true, true, true, false]),
            (r#"{"n":3}"#, "{}", [true, false, true, false]),
            (r#"{"on":null}"#, "{}", [true, false, false, false]),
            // A handler receives None for the one and 60 for the other.
            (r#"{"f":null}"#, "{}", [false; 4]),
            (
                r#"{"at":"2026-01-01T10:00:00Z"}"#,
                r#"{"at":"2026-01-01 12:00+02:00"}"#,
                [true, false, false, false],
            ),
            // What only an annotation says, no executor knows.
            (r#"{"to":"USD"}"#, r#"{"to":"usd"}"#, [false; 4]),
            // Which of a union's types the handler gets, the spelling says.
            (r#"{"u":7}"#, r#"{"u":7.0}"#, [false; 4]),
            (r#"{"id":7}"#, r#"{"id":"7"}"#, [true, true, true, false]),
            (r#"{"note":"a"}"#, r#"{"note":"b"}"#, [false; 4]),
            // Past 2^53 the double of the one is not the integer of the other.
            (r#"{"n":9007199254740993}"#, r#"{"n":9007199254740993.0}"#, [false; 4]),
            (r#"{"n":9007199254740993}"#, r#"{"n":"9007199254740993"}"#, [false; 4]),
            // A fraction is the same double for all, a number beyond the doubles nobody's.
            (r#"{"f":0.5}"#, r#"{"f":5.0e-1}"#, [true; 4]),
            (r#"{"f":1e5000000000}"#, r#"{"f":10e4999999999}"#, [false; 4]),
            (r#"{"x-odd":1}"#, r#"{"x-odd":"1"}"#, [true, true, true, false]),
        ] {
            for (profile, expected) in ExecutorProfile::ALL.iter().zip(expected) {
                let name = format!("typed@{}", profile.name());
                assert_eq!(same(&name, SCHEMA, a, b), expected, "{name}: {a} {b}");
            }
        }
    }

    #[test]
    fn a_default_counts_where_the_stack_hands_it_on_as_it_hands_on_the_value() {
        // Pydantic, ajv with coercion, ajv with coercion and defaults, strict.
        for (field, written, expected) in [
            (r#""type":"string","default":"a""#, r#""a""#, [true, false, true, false]),
            // Pydantic makes a point in time of what is written, and hands on a default as the text that it is.
            (
                r#""type":"string","format":"date-time","default":"2026-01-01T10:00:00Z""#,
                r#""2026-01-01T10:00:00Z""#,
                [false, false, true, false],
            ),
            (r#""type":"boolean","default":true"#, "true", [true, false, true, false]),
            (r#""type":"integer","default":"3""#, "3", [false; 4]),
            (r#""type":"array","default":[]"#, "[]", [true, false, true, false]),
            (r#""type":"array","default":[1]"#, "[1]", [false; 4]),
            (r#""type":"object","default":{}"#, "{}", [false; 4]),
            // Null is a value where the type has it, and absent where it has not.
            (r#""type":["null","number"],"default":2"#, "null", [false; 4]),
            (r#""type":["number"],"default":2"#, "null", [true, false, false, false]),
            (r#""type":["null","number"]"#, "null", [true, false, false, false]),
            (r#""type":["null","number"],"default":2"#, "2", [true, false, true, false]),
            (
                r#""enum":["a","b"],"type":"string","default":"a""#,
                r#""a""#,
                [true, false, true, false],
            ),
        ] {
            let schema = format!(r#"{{"type":"object","properties":{{"x":{{{field}}}}}}}"#);
            let call = format!(r#"{{"x":{written}}}"#);
            for (profile, expected) in ExecutorProfile::ALL.iter().zip(expected) {
                let name = format!("typed@{}", profile.name());
                assert_eq!(same(&name, &schema, &call, "{}"), expected, "{name}: {field}");
            }
        }
    }

    #[test]
    fn names_are_read_or_unknown() {
        assert_eq!(TypedAs::by_name("typed-scoped@strict").unwrap().name(), "typed-scoped@strict");
        assert!(TypedAs::by_name("typed-scoped@strict").unwrap().has_slot());
        for name in ["typed", "typed@", "typed@other", "raw@strict", "@strict"] {
            assert!(TypedAs::by_name(name).is_none(), "{name}");
        }
    }
}
