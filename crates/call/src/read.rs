//! Reading records out of JSON values, with errors that name the field and never show its content.

use crate::json::{Member, Value};
use std::fmt;

/// A field that is missing or holds something else than it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field, as a dotted path from the record's root; empty for the record itself.
    pub field: String,
    /// What is wrong with it and what is expected.
    pub problem: String,
}

impl FieldError {
    pub(crate) fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        FieldError { field: field.into(), problem: problem.into() }
    }

    pub(crate) fn wrong_type(field: &str, expected: &str, found: &Value<'_>) -> Self {
        Self::new(field, format!("must be {expected}, but is {}", found.type_name()))
    }

    pub(crate) fn lone_surrogate(field: &str) -> Self {
        Self::new(field, "holds a lone surrogate (half of a pair), which is no text")
    }

    /// The same error, one level further in.
    pub(crate) fn within(mut self, outer: &str) -> Self {
        self.field =
            if self.field.is_empty() { outer.into() } else { format!("{outer}.{}", self.field) };
        self
    }

    /// The same error where more than text would have been right.
    pub(crate) fn or_expected(mut self, expected: &str) -> Self {
        self.problem = self.problem.replace("must be text", &format!("must be {expected}"));
        self
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            f.write_str(&self.problem)
        } else {
            write!(f, "`{}` {}", self.field, self.problem)
        }
    }
}

impl std::error::Error for FieldError {}

/// The members of a record, looked up by name.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'v, 't> {
    members: &'v [Member<'t>],
}

impl<'v, 't> Fields<'v, 't> {
    /// The fields of `value`, which must be an object; `what` names the record in the message.
    pub(crate) fn of(value: &'v Value<'t>, what: &str) -> Result<Self, FieldError> {
        match value.as_object() {
            Some(members) => Ok(Fields { members }),
            None => Err(FieldError::new(
                "",
                format!("{what} must be an object, but is {}", value.type_name()),
            )),
        }
    }

    /// The value as written, null included; the last one where a name is repeated.
    pub(crate) fn raw(&self, name: &str) -> Option<&'v Value<'t>> {
        self.members.iter().rev().find(|m| m.name == *name).map(|m| &m.value)
    }

    /// The value, unless absent or null.
    pub(crate) fn optional(&self, name: &str) -> Option<&'v Value<'t>> {
        self.raw(name).filter(|v| !matches!(v, Value::Null))
    }

    pub(crate) fn optional_text(&self, name: &'static str) -> Result<Option<String>, FieldError> {
        match self.optional(name) {
            None => Ok(None),
            Some(Value::String(text)) => match text.as_str() {
                Some(text) => Ok(Some(text.to_owned())),
                None => Err(FieldError::lone_surrogate(name)),
            },
            Some(other) => Err(FieldError::wrong_type(name, "text", other)),
        }
    }

    pub(crate) fn text(&self, name: &'static str) -> Result<String, FieldError> {
        self.optional_text(name)?
            .ok_or_else(|| FieldError::new(name, "is missing; it must be text"))
    }

    pub(crate) fn optional_count(&self, name: &'static str) -> Result<Option<u64>, FieldError> {
        match self.optional(name) {
            None => Ok(None),
            Some(Value::Number(text)) => match text.parse() {
                Ok(count) => Ok(Some(count)),
                Err(_) => Err(FieldError::new(name, "must be an integer from 0 up")),
            },
            Some(other) => Err(FieldError::wrong_type(name, "an integer from 0 up", other)),
        }
    }

    /// A list of texts; absent and null are the empty list.
    pub(crate) fn texts(&self, name: &'static str) -> Result<Vec<String>, FieldError> {
        let Some(value) = self.optional(name) else { return Ok(Vec::new()) };
        let items = value
            .as_array()
            .ok_or_else(|| FieldError::wrong_type(name, "a list of texts", value))?;
        items
            .iter()
            .map(|item| {
                item.as_str()
                    .map(str::to_owned)
                    .ok_or_else(|| FieldError::wrong_type(name, "a list of texts", item))
            })
            .collect()
    }
}
