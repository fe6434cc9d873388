//! The value that the reader returns: exact number text, members as written.

use super::text::Text;
use std::borrow::Cow;

/// A literal that Python's reader accepts and JSON does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NonFinite {
    /// `NaN`
    NaN,
    /// `Infinity`
    Infinity,
    /// `-Infinity`
    NegInfinity,
}

impl NonFinite {
    /// The literal as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            NonFinite::NaN => "NaN",
            NonFinite::Infinity => "Infinity",
            NonFinite::NegInfinity => "-Infinity",
        }
    }
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Member<'a> {
    /// The decoded name.
    pub name: Text<'a>,
    /// The value.
    pub value: Value<'a>,
}

/// A JSON value. Equality is structural: number text and member order count.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as the exact text that was written.
    Number(Cow<'a, str>),
    /// `NaN` and its like; only from [`Dialect::Python`](super::Dialect::Python).
    NonFinite(NonFinite),
    /// A string.
    String(Text<'a>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// An object: its members in the order written, duplicate names included.
    Object(Vec<Member<'a>>),
}

/// A name that stands more than once in one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// Where the object is: names and array indices from the root.
    pub path: Vec<String>,
    /// The name, lone surrogates shown as U+FFFD.
    pub name: String,
    /// How often it stands there; at least 2.
    pub times: usize,
    /// Whether all its values are the same as written (number text and member order included).
    pub same_value: bool,
}

impl<'a> Value<'a> {
    /// The member's value by name; the last one where the name is written more than once, as
    /// nearly every parser answers.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        match self {
            Value::Object(members) => {
                members.iter().rev().find(|m| m.name == *name).map(|m| &m.value)
            }
            _ => None,
        }
    }

    /// The text of a string value without lone surrogates.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => text.as_str(),
            _ => None,
        }
    }

    /// The items of an array.
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&[Member<'a>]> {
        match self {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// What the value is, in one word, for messages: never any of its content.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) | Value::NonFinite(_) => "number",
            Value::String(_) => "text",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    /// The same value, owning all its text.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Bool(b) => Value::Bool(b),
            Value::Number(n) => Value::Number(Cow::Owned(n.into_owned())),
            Value::NonFinite(n) => Value::NonFinite(n),
            Value::String(s) => Value::String(s.into_owned()),
            Value::Array(items) => Value::Array(items.into_iter().map(Value::into_owned).collect()),
            Value::Object(members) => Value::Object(
                members
                    .into_iter()
                    .map(|m| Member { name: m.name.into_owned(), value: m.value.into_owned() })
                    .collect(),
            ),
        }
    }

    /// Every duplicate name in the value, outermost first. The reader keeps duplicates; what they
    /// mean (last wins, refuse) is each strategy's own decision.
    pub fn duplicates(&self) -> Vec<Duplicate> {
        let mut found = Vec::new();
        collect_duplicates(self, &mut Vec::new(), &mut found);
        found
    }
}

fn collect_duplicates(value: &Value<'_>, path: &mut Vec<String>, found: &mut Vec<Duplicate>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(index.to_string());
                collect_duplicates(item, path, found);
                path.pop();
            }
        }
        Value::Object(members) => {
            let mut order: Vec<&Member<'_>> = members.iter().collect();
            order.sort_by(|a, b| a.name.cmp(&b.name));
            for run in order.chunk_by(|a, b| a.name == b.name) {
                if let [first, rest @ ..] = run
                    && !rest.is_empty()
                {
                    found.push(Duplicate {
                        path: path.clone(),
                        name: lossy(&first.name),
                        times: run.len(),
                        same_value: rest.iter().all(|m| m.value == first.value),
                    });
                }
            }
            for member in members {
                if matches!(member.value, Value::Array(_) | Value::Object(_)) {
                    path.push(lossy(&member.name));
                    collect_duplicates(&member.value, path, found);
                    path.pop();
                }
            }
        }
        _ => {}
    }
}

fn lossy(text: &Text<'_>) -> String {
    String::from_utf8_lossy(text.as_bytes()).into_owned()
}
