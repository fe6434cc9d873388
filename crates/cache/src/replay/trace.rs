//! A recorded trace, line by line: calls and their results, each on a line of its own or both on one.

use std::time::Duration;

use samecall_call::json::{self, Dialect, Text, Value};
use samecall_call::{Annotations, Call, SchemaRef};

use crate::outcome::Outcome;
use crate::policy::Effect;

/// The longest duration or time that a line may state, in milliseconds: some 300 years.
const MAX_MILLIS: f64 = 1e13;

/// One line.
#[derive(Debug)]
pub(crate) enum Line {
    Call(TraceCall),
    Result(TraceResult),
    Both(TraceCall, Recorded),
}

/// A call as the trace has it.
#[derive(Debug)]
pub(crate) struct TraceCall {
    /// What its result refers to; empty for a line that has both.
    pub(crate) id: String,
    pub(crate) call: Call,
    pub(crate) schema: SchemaRef,
    pub(crate) model: String,
    /// What the trace says of its effect.
    pub(crate) effect: Effect,
    /// What the call is meant to do, where the trace states it.
    pub(crate) intent: Option<String>,
    /// When it was made, since any point in time.
    pub(crate) at: Option<Duration>,
    /// How long the model took to write it.
    pub(crate) model_time: Duration,
}

/// A result that refers to its call.
#[derive(Debug)]
pub(crate) struct TraceResult {
    pub(crate) id: String,
    pub(crate) owner: Owner,
    pub(crate) recorded: Recorded,
}

/// Whose call or result it is: ids need not differ between executions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) run: Option<String>,
    pub(crate) tenant: Option<String>,
}

impl Owner {
    pub(crate) fn of(call: &Call) -> Self {
        Owner {
            run: call.scope.run_id.value().map(str::to_owned),
            tenant: call.scope.tenant.clone(),
        }
    }

    /// Whether a result of this owner may be that of a call of the other: what a result leaves out is not held against it.
    pub(crate) fn may_be(&self, call: &Owner) -> bool {
        (self.run.is_none() || self.run == call.run)
            && (self.tenant.is_none() || self.tenant == call.tenant)
    }
}

/// What a tool really gave back.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    /// The result; where the trace only names it, the name in place of its bytes.
    pub(crate) outcome: Outcome,
    /// Whether the bytes are the result's own.
    pub(crate) is_text: bool,
    /// How long the tool took.
    pub(crate) took: Option<Duration>,
}

impl Line {
    /// Reads one line; the error says what is wrong, with the field.
    pub(crate) fn read(line: &str) -> Result<Line, String> {
        if line.contains('\0') {
            return Err("holds a NUL byte, as UTF-16 does; write the whole trace as UTF-8".into());
        }
        if line.starts_with('\u{feff}') {
            return Err(
                "begins with a byte-order mark; write the trace as UTF-8 without one".into()
            );
        }
        let value = json::parse(line, Dialect::Strict).map_err(|error| match error.is_cut() {
            true => format!("the line is cut: no JSON: {error}"),
            false => format!("no JSON: {error}"),
        })?;
        if value.as_object().is_none() {
            return Err(format!("must be an object, but is {}", value.type_name()));
        }
        match text(&value, "type")?.as_deref() {
            Some("call") => {
                let call = TraceCall::read(&value)?;
                if call.id.is_empty() {
                    return Err("`id` is missing; a result refers to its call by it".into());
                }
                Ok(Line::Call(call))
            }
            Some("result") => Ok(Line::Result(TraceResult {
                id: id(&value)?
                    .filter(|id| !id.is_empty())
                    .ok_or("`id` is missing; it must name the call that this is the result of")?,
                owner: Owner { run: text(&value, "run_id")?, tenant: text(&value, "tenant")? },
                recorded: Recorded::read(&value)?,
            })),
            Some(_) => Err("`type` is neither \"call\" nor \"result\"".into()),
            None => {
                let call = TraceCall::read(&value)?;
                Ok(Line::Both(call, Recorded::read(&value)?))
            }
        }
    }
}

impl TraceCall {
    fn read(value: &Value<'_>) -> Result<Self, String> {
        let recorded = match text(value, "effect")?.as_deref() {
            None => Effect::Unsaid,
            // Nobody says whether others change what it reads.
            Some("read") => Effect::Reads { open_world: true },
            Some(_) => Effect::Writes,
        };
        let annotations = Effect::of(&Annotations::from_value(value)?);
        Ok(TraceCall {
            id: id(value)?.unwrap_or_default(),
            call: read_call(value)?,
            schema: SchemaRef::from_value(value).map_err(|e| e.to_string())?,
            model: text(value, "model")?.unwrap_or_else(|| "unnamed".to_owned()),
            effect: annotations.and(recorded),
            intent: match value.get("intent") {
                None | Some(Value::Null) => None,
                Some(intent) => Some(intent.to_string()),
            },
            at: millis(value, "at_ms")?,
            model_time: millis(value, "model_ms")?.unwrap_or_default(),
        })
    }
}

/// A call whose arguments are the model's text, or the JSON value that a framework had read from it.
fn read_call(value: &Value<'_>) -> Result<Call, String> {
    let read = |value: &Value<'_>| Call::from_value(value).map_err(|e| e.to_string());
    let Value::Object(members) = value else { return read(value) };
    let is_text = |value: Option<&Value<'_>>| matches!(value, None | Some(Value::String(_)));
    if is_text(value.get("arguments")) {
        return read(value);
    }
    let mut members = members.clone();
    for member in members.iter_mut().filter(|member| member.name == *"arguments") {
        member.value = Value::String(Text::from(member.value.to_string().as_str()).into_owned());
    }
    read(&Value::Object(members))
}

impl Recorded {
    fn read(value: &Value<'_>) -> Result<Self, String> {
        let took = millis(value, "ms")?;
        // Either name may say it: a null beside a true says nothing.
        let error = ["error", "result_error"].into_iter().find_map(|name| match value.get(name) {
            None | Some(Value::Null | Value::Bool(false)) => None,
            Some(Value::String(text)) if text.as_bytes().is_empty() => None,
            error => error,
        });
        let result = value.get("result").filter(|result| !matches!(result, Value::Null));
        let (bytes, is_text) = match (result, value.get("result_sha"), error) {
            (Some(result), ..) => (bytes(result), true),
            (None, Some(name @ Value::String(_)), _) => (bytes(name), false),
            (None, Some(other), _) if !matches!(other, Value::Null) => {
                return Err(format!("`result_sha` must be text, but is {}", other.type_name()));
            }
            (None, _, Some(error)) => (bytes(error), true),
            (None, _, None) if value.get("result").is_some() => (b"null".to_vec(), true),
            (None, _, None) => {
                return Err("`result` is missing; it must be what the tool gave back, or \
                            `result_sha` its name, or `error` what went wrong"
                    .into());
            }
        };
        let outcome = Outcome { bytes: bytes.into(), is_error: error.is_some() };
        Ok(Recorded { outcome, is_text, took })
    }
}

/// The text of a text, and any other value as compact JSON.
fn bytes(value: &Value<'_>) -> Vec<u8> {
    match value {
        Value::String(text) => text.as_bytes().to_vec(),
        other => other.to_string().into_bytes(),
    }
}

fn text(value: &Value<'_>, name: &str) -> Result<Option<String>, String> {
    match value.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => match text.as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => {
                Err(format!("`{name}` holds a lone surrogate (half of a pair), which is no text"))
            }
        },
        Some(other) => Err(format!("`{name}` must be text, but is {}", other.type_name())),
    }
}

/// An id: text, or a number as it is written.
fn id(value: &Value<'_>) -> Result<Option<String>, String> {
    match value.get("id") {
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        _ => text(value, "id"),
    }
}

/// Milliseconds, to the microsecond.
fn millis(value: &Value<'_>, name: &str) -> Result<Option<Duration>, String> {
    let number = match value.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => number.parse::<f64>().unwrap_or(f64::NAN),
        Some(other) => {
            return Err(format!(
                "`{name}` must be a number of milliseconds, but is {}",
                other.type_name()
            ));
        }
    };
    if !(0.0..=MAX_MILLIS).contains(&number) {
        return Err(format!("`{name}` must be milliseconds from 0 to {MAX_MILLIS:e}"));
    }
    Ok(Some(Duration::from_micros((number * 1000.0).round() as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_shapes_are_read() {
        let line = r#"{"type":"call","id":1,"tool":"t","arguments":{"b":1.0,"a":"x"},"run_id":"r","step":3,"effect":"read","model_ms":1.5}"#;
        let Ok(Line::Call(call)) = Line::read(line) else { panic!("a call") };
        assert_eq!((call.id.as_str(), call.call.arguments.as_str()), ("1", r#"{"b":1.0,"a":"x"}"#));
        assert_eq!(call.model_time, Duration::from_micros(1500));
        assert_eq!(call.effect, Effect::Reads { open_world: true });
        let Ok(Line::Result(result)) =
            Line::read(r#"{"type":"result","id":"1","result":[],"error":null,"ms":20}"#)
        else {
            panic!("a result")
        };
        assert!(result.recorded.outcome.is_empty() && result.recorded.is_text);
        let line = r#"{"tool":"t","arguments":"rm","result_sha":"ab","result_error":true,"effect":"unknown_tool"}"#;
        let Ok(Line::Both(call, recorded)) = Line::read(line) else { panic!("both") };
        assert!(recorded.outcome.is_error && !recorded.is_text);
        assert_eq!(call.effect, Effect::Writes);
        let line = r#"{"tool":"t","arguments":"","result":1,"error":null,"result_error":true}"#;
        let Ok(Line::Both(_, recorded)) = Line::read(line) else { panic!("both") };
        assert!(recorded.outcome.is_error, "one of the two names says so");
        let Ok(Line::Result(result)) =
            Line::read(r#"{"type":"result","id":"1","result":null,"error":"timeout"}"#)
        else {
            panic!("an error")
        };
        assert_eq!(result.recorded.outcome, Outcome::error(b"timeout".as_slice()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, part) in [
            ("{\"type\":\"call\",\"id\":\"1\",\"tool\":\"t\",", "cut"),
            ("[]", "must be an object"),
            (r#"{"type":"calls"}"#, "`type`"),
            (r#"{"type":"call","tool":"t","arguments":"{}"}"#, "`id` is missing"),
            (r#"{"type":"call","id":"1","arguments":"{}"}"#, "`tool` is missing"),
            (r#"{"type":"call","id":"1","tool":"t"}"#, "`arguments` is missing"),
            (r#"{"type":"result","result":1}"#, "`id` is missing"),
            (r#"{"type":"result","id":"1"}"#, "`result` is missing"),
            (r#"{"type":"result","id":"1","result":1,"ms":-1}"#, "`ms`"),
            (r#"{"type":"result","id":"1","result":1,"ms":"3"}"#, "`ms` must be a number"),
            (
                r#"{"type":"call","id":"1","tool":"t","arguments":"{}","model":3}"#,
                "`model` must be text",
            ),
            ("{\u{0}", "UTF-16"),
            ("\u{feff}{}", "byte-order mark"),
            (r#"{"tool":"\ud800","arguments":""}"#, "surrogate"),
        ] {
            let error = Line::read(line).unwrap_err();
            assert!(error.contains(part), "{error:?} should hold {part:?}");
        }
    }
}
