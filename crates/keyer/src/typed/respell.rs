//! A call in its canonical spelling: the canonical form written as JSON again, so that rules can be run on the output
//! of other rules.

use samecall_call::json::{Dialect, Text, parse, write_text};
use samecall_call::{Call, Tool};

use super::encode::{Reader, tag};
use super::rule::{RuleSet, TypedRule};
use super::{decimal, root, tool_name};
use crate::Refusal;

/// The call as a set of rules would have it written: the same call to the keyer that has these rules. Payload stays
/// in its place, since it only goes to another hash. With no rules it is the same JSON, members in order and tight.
///
/// # Errors
/// Why the call has no safe key under these rules.
pub fn respelled(call: &Call, tool: Option<&Tool>, rules: RuleSet) -> Result<Call, Refusal> {
    let in_place = rules.without(TypedRule::PayloadApart);
    let written = root::write_spelled(call, tool, in_place).map_err(|stop| *stop)?;
    let mut arguments = String::with_capacity(call.arguments.len());
    // The bytes are a whole node by construction.
    let _ = node(&mut Reader::new(&written.out), &mut arguments);
    let tool = tool_name(call, tool, rules).to_owned();
    Ok(Call { tool, arguments, scope: call.scope.clone() })
}

/// Writes one node as JSON; None where the bytes are none.
fn node(reader: &mut Reader<'_>, out: &mut String) -> Option<()> {
    match reader.byte()? {
        // An item that is left out of the key keeps its place in the list.
        tag::NULL | tag::VOLATILE | tag::PAYLOAD => out.push_str("null"),
        tag::TRUE => out.push_str("true"),
        tag::FALSE => out.push_str("false"),
        tag::NUMBER => number(reader.text()?, out),
        tag::JSON => {
            let mut inner = String::new();
            node(reader, &mut inner)?;
            text(inner.as_bytes(), out);
        }
        tag::OBJECT => {
            out.push('{');
            let mut separator = "";
            while reader.byte()? == tag::MEMBER {
                out.push_str(separator);
                separator = ",";
                text(reader.text()?, out);
                out.push(':');
                node(reader, out)?;
            }
            out.push('}');
        }
        tag::LIST | tag::SET => {
            out.push('[');
            let mut separator = "";
            while reader.byte()? == tag::MEMBER {
                out.push_str(separator);
                separator = ",";
                node(reader, out)?;
            }
            out.push(']');
        }
        _ => text(reader.text()?, out),
    }
    Some(())
}

/// A number; one that only text can spell (`+5`, `007`) in its canonical digits.
fn number(written: &[u8], out: &mut String) {
    let written = String::from_utf8_lossy(written);
    if parse(&written, Dialect::Strict).is_ok() {
        out.push_str(&written);
    } else if let Some(canonical) = decimal::canonical(&written) {
        out.push_str(&canonical);
    } else {
        text(written.as_bytes(), out);
    }
}

fn text(bytes: &[u8], out: &mut String) {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Text::from(text),
        Err(_) => Text::Wtf8(bytes.into()),
    };
    // Writing to a String cannot fail.
    let _ = write_text(out, &text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Keyer;
    use crate::typed::Typed;

    #[test]
    fn a_respelled_call_has_the_same_key_and_no_rules_change_nothing_but_layout() {
        let schema = r#"{"type":"object","properties":{"n":{"type":"integer"},"cur":{"x-identity":"token"},
            "tags":{"type":"array","x-identity":"set"},"memo":{"type":"string","default":"-"},
            "raw":{"x-identity":"json"},"at":{"format":"date-time","type":"string"},"note":{"x-identity":"payload"}}}"#;
        let tool = Tool::new("t", "", schema, None).unwrap();
        let call = Call::new(
            "t",
            r#"{"tags":["b","a","a"],"n":"+042","cur":" EUR ","memo":null,"raw":"{ \"b\": 1.0 }","at":"2026-08-11t09:00Z","note":"N"}"#,
        );
        let all = respelled(&call, Some(&tool), RuleSet::ALL).unwrap();
        assert_eq!(
            all.arguments,
            r#"{"at":"2026-08-11T09:00:00Z","cur":"eur","memo":"-","n":42,"note":"N","raw":"{\"b\":1}","tags":["a","b"]}"#
        );
        // What a union's branch leaves out still says which branch it is.
        let union = r#"{"type":"object","properties":{"x":{"type":"array","items":{"anyOf":[
            {"type":"string","x-identity":"volatile"},{"type":"integer"}]}}}}"#;
        let union = Tool::new("t", "", union, None).unwrap();
        let listed = Call::new("t", r#"{"x":["b",1.0]}"#);
        let again = respelled(&listed, Some(&union), RuleSet::ALL).unwrap();
        assert_eq!(again.arguments, r#"{"x":["b",1]}"#);
        let keyer = Typed::default();
        assert_eq!(keyer.key(&listed, Some(&union)), keyer.key(&again, Some(&union)));
        assert_eq!(keyer.key(&call, Some(&tool)), keyer.key(&all, Some(&tool)));
        let none =
            respelled(&Call::new("t", r#"{ "b" : 1.0, "a":"\u00e9" }"#), None, RuleSet::NONE);
        assert_eq!(none.unwrap().arguments, r#"{"a":"é","b":1.0}"#);
    }

    #[test]
    fn what_is_left_out_is_spelled_where_its_absence_would_say_something_else() {
        let of = |default: &str| {
            let schema = format!(
                r#"{{"type":"object","properties":{{"x":{{"default":{default},"anyOf":[
                {{"type":"string","x-identity":"volatile"}},{{"type":"integer"}}]}}}}}}"#
            );
            Tool::new("t", "", &schema, None).unwrap()
        };
        for (default, spelled) in [("0", r#"{"x":"b"}"#), (r#""d""#, "{}")] {
            let tool = of(default);
            let call = Call::new("t", r#"{ "x" : "b" }"#);
            let again = respelled(&call, Some(&tool), RuleSet::ALL).unwrap();
            assert_eq!(again.arguments, spelled);
            let keyer = Typed::default();
            assert_eq!(keyer.key(&call, Some(&tool)), keyer.key(&again, Some(&tool)));
        }
    }
}
