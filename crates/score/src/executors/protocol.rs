//! The executor protocol: a call as a line out, and the answer as a line in. docs/EXECUTORS.md is its description.

use super::equality;
use samecall_call::json::{self, Dialect, ErrorKind, Value};
use samecall_call::{Call, Tool};

/// A call with its tool's schema, as one line of JSON without the line end. `registered_as` is the tool's own name,
/// where the call uses an alias: no executor knows aliases.
pub fn line(call: &Call, tool: &Tool) -> String {
    let mut out = String::with_capacity(call.arguments.len() + tool.parameters.len() + 160);
    call.write_json(&mut out);
    // The call's closing brace makes room.
    out.pop();
    if tool.name != call.tool {
        out.push_str(",\"registered_as\":");
        out.push_str(&Value::String(json::Text::Str(tool.name.as_str().into())).to_string());
    }
    out.push_str(",\"parameters\":");
    out.push_str(&tool.parameters);
    out.push('}');
    out
}

/// What an executor answered for one call.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer<'a> {
    /// The handler was called with this.
    Received(Value<'a>),
    /// The handler was not called.
    Refused,
}

/// Reads one answer.
///
/// # Errors
/// Why it is none of the protocol's, in words; never any of its content.
pub fn answer(line: &str) -> Result<Answer<'_>, String> {
    let mut value = match json::parse(line, Dialect::Strict) {
        Ok(value) => value,
        // A handler that received more levels than can be read back cannot be compared.
        Err(error) if matches!(error.kind, ErrorKind::TooDeep { .. }) => {
            return Ok(Answer::Refused);
        }
        Err(error) => return Err(format!("no JSON: {error}")),
    };
    if let (Some(Value::String(_)), None) = (value.get("refused"), value.get("received")) {
        return Ok(Answer::Refused);
    }
    if let Value::Object(members) = &mut value
        && let [only] = members.as_mut_slice()
        && only.name == *"received"
    {
        let received = std::mem::replace(&mut only.value, Value::Null);
        equality::check(&received).map_err(|why| format!("`received` holds {why}"))?;
        return Ok(Answer::Received(received));
    }
    Err("must be {\"received\": ...} or {\"refused\": \"...\"}".to_owned())
}

/// A dump as a person reads it: numbers and text plain, other types as `type(text)`.
pub fn readable(value: &Value<'_>) -> String {
    let mut out = String::new();
    write_readable(&mut out, value);
    out
}

fn write_readable(out: &mut String, value: &Value<'_>) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                write_readable(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => match members.as_slice() {
            [only] if only.name == *"object" => {
                out.push('{');
                for (at, member) in only.value.as_object().unwrap_or_default().iter().enumerate() {
                    if at > 0 {
                        out.push_str(", ");
                    }
                    out.push_str(&Value::String(member.name.clone()).to_string());
                    out.push_str(": ");
                    write_readable(out, &member.value);
                }
                out.push('}');
            }
            [only] => {
                let tag = only.name.as_str().unwrap_or_default();
                match only.value.as_str() {
                    Some(text) if matches!(tag, "int" | "float") => out.push_str(text),
                    Some(text) => out.push_str(&format!("{tag}({text})")),
                    None => {
                        out.push_str(tag);
                        write_readable(out, &only.value);
                    }
                }
            }
            _ => out.push_str("{}"),
        },
        other => out.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_carries_the_call_its_schema_and_the_name_behind_an_alias() {
        let tool = Tool::new("pay", "", r#"{"type":"object"}"#, None).unwrap();
        let own = line(&Call::new("pay", r#"{"a": "x\ny"}"#), &tool);
        assert_eq!(
            own,
            r#"{"tool":"pay","arguments":"{\"a\": \"x\\ny\"}","parameters":{"type":"object"}}"#
        );
        let alias = line(&Call::new("mcp__pay", "{}"), &tool);
        assert!(alias.contains(r#""registered_as":"pay""#), "{alias}");
    }

    #[test]
    fn answers_are_read_or_said_to_be_none() {
        assert_eq!(answer(r#"{"refused": "no"}"#).unwrap(), Answer::Refused);
        let received = answer(r#"{"received": {"object": {"n": {"int": "4"}}}}"#).unwrap();
        let Answer::Received(value) = received else { panic!("refused") };
        assert_eq!(readable(&value), r#"{"n": 4}"#);
        for line in ["", "4", "{}", r#"{"received": 4}"#, r#"{"received": {"object": {"n": 4}}}"#] {
            assert!(answer(line).is_err(), "{line}");
        }
        // The reason shows no value.
        assert!(!answer(r#"{"received": {"secret": 4}}"#).unwrap_err().contains("secret"));
    }
}
