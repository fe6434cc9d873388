//! What a tool gave back, and what the cache answers: the same bytes, where they come from, and a hint where asking again
//! is no use.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use samecall_call::json::{self, Dialect, Value};

use crate::shard::Traced;

/// A result's bytes; shared, not copied.
pub type Bytes = Arc<[u8]>;

/// Longer results are not looked at for emptiness: nothing takes few bytes to say.
const MAX_EMPTY: usize = 1024;

/// What a tool gave back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The result's bytes, or the error's.
    pub bytes: Bytes,
    /// Whether they are an error.
    pub is_error: bool,
}

impl Outcome {
    /// A result.
    pub fn ok(bytes: impl Into<Bytes>) -> Self {
        Outcome { bytes: bytes.into(), is_error: false }
    }

    /// An error.
    pub fn error(bytes: impl Into<Bytes>) -> Self {
        Outcome { bytes: bytes.into(), is_error: true }
    }

    /// Whether a tool that succeeded found nothing: no bytes, white space, or JSON that is `null`, `""`, `[]`, `{}`, or an
    /// object of nothing but these and zeros around at least one empty list or object (`{"results": [], "total": 0}`).
    /// Prose such as `No results` is content; a tool's policy may give empty results and all others one life.
    pub fn is_empty(&self) -> bool {
        if self.is_error || self.bytes.len() > MAX_EMPTY {
            return false;
        }
        let Ok(text) = std::str::from_utf8(&self.bytes) else { return false };
        text.trim().is_empty()
            || json::parse(text, Dialect::Strict).is_ok_and(|value| is_hollow(&value))
    }
}

/// Whether a value says nothing.
fn is_hollow(value: &Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.as_bytes().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => {
            let is_zero = |value: &Value<'_>| matches!(value, Value::Number(n) if n == "0");
            let is_container =
                |value: &Value<'_>| matches!(value, Value::Array(_) | Value::Object(_));
            members.is_empty()
                || (members.iter().any(|m| is_container(&m.value))
                    && members.iter().all(|m| is_hollow(&m.value) || is_zero(&m.value)))
        }
        Value::Bool(_) | Value::Number(_) | Value::NonFinite(_) => false,
    }
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The tool was run for this call.
    Executed,
    /// An equal call was answered before.
    Cached {
        /// How long ago its tool had finished.
        age: Duration,
    },
    /// An equal call was under way, and this one waited for it.
    Shared,
}

/// What a call is answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What the tool gave back, to the byte.
    pub outcome: Outcome,
    /// Where it comes from.
    pub source: Source,
    /// The iteration in which the tool was run, where that was said and it was not this call's.
    pub first_at: Option<u64>,
    /// What to tell the model beside the result, where asking again is no use.
    pub hint: Option<Hint>,
    /// The call that the tool was run for, where a replay judges its answers.
    pub(crate) traced: Option<Arc<Traced>>,
}

impl Answer {
    /// Whether the tool was spared.
    pub fn is_prevented(&self) -> bool {
        !matches!(self.source, Source::Executed)
    }

    /// A short text that may stand in place of a repeated result in the model's context, where the first one stands
    /// there still. None for a call that was executed: its result stands nowhere yet.
    pub fn reference(&self) -> Option<String> {
        if !self.is_prevented() {
            return None;
        }
        Some(match self.first_at {
            Some(at) => format!("[same call as in iteration {at}; its result stands there]"),
            None => "[same call as before; its result stands there]".to_owned(),
        })
    }
}

/// A sentence for a model that asks again what found nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The tool.
    pub tool: Box<str>,
    /// How often the same call has come back empty, this time included.
    pub times: u32,
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "This very call of {} has come back empty {} times. The same call again will find nothing either: \
             change the arguments, use another tool, or go on without it.",
            self.tool, self.times
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_told_from_something() {
        for empty in [
            "",
            " \n",
            "null",
            "\"\"",
            "[]",
            " { } ",
            r#"{"results": [], "total": 0, "next": null}"#,
            r#"{"data": {"items": []}}"#,
        ] {
            assert!(Outcome::ok(empty.as_bytes()).is_empty(), "{empty:?}");
            assert!(!Outcome::error(empty.as_bytes()).is_empty(), "{empty:?}");
        }
        for full in [
            "0",
            "false",
            "No results",
            "[[]]",
            "[null]",
            r#"{"error": null}"#,
            r#"{"ok": true, "results": []}"#,
            r#"{"total": 1, "results": []}"#,
            r#"{"count": 0}"#,
        ] {
            assert!(!Outcome::ok(full.as_bytes()).is_empty(), "{full:?}");
        }
        assert!(!Outcome::ok(b"\xFF".as_slice()).is_empty());
        assert!(!Outcome::ok(vec![b' '; MAX_EMPTY + 1]).is_empty());
    }

    #[test]
    fn a_reference_names_the_first_iteration_and_nothing_else() {
        let mut answer = Answer {
            outcome: Outcome::ok(b"secret".as_slice()),
            source: Source::Executed,
            first_at: Some(2),
            hint: None,
            traced: None,
        };
        assert_eq!(answer.reference(), None);
        answer.source = Source::Shared;
        assert_eq!(
            answer.reference().as_deref(),
            Some("[same call as in iteration 2; its result stands there]")
        );
    }
}
