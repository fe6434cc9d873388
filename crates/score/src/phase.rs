//! How much of a corpus's score is an accident of its serializers.
//!
//! In the article's corpus the second side of each retry is written by one of three serializers in turn.
//! Byte equality catches a retry only where the turn falls on the serializer of the first side, so what
//! `raw` scores depends on where the rotation starts. Here every second side is written anew by each.

use samecall_call::json::{self, Dialect, Text, Value};
use samecall_call::{Call, Pair};

/// The rotation, as drift classes, in the order in which the article's corpus goes through it.
pub(crate) const ROTATION: [&str; 3] =
    ["serializer_indent2", "serializer_compact", "serializer_default"];

/// The place in the rotation of the serializer that wrote the pair's second side; none where the pair
/// names no such serializer, or several.
pub(crate) fn place(pair: &Pair) -> Option<usize> {
    let mut places =
        pair.drift.iter().filter_map(|class| ROTATION.iter().position(|name| name == class));
    places.next().filter(|_| places.next().is_none())
}

/// The second call as the serializer at `place` of the rotation writes it. None where its arguments are
/// no JSON.
pub(crate) fn respelled(pair: &Pair, place: usize) -> Option<Call> {
    let value = json::parse(&pair.b.arguments, Dialect::Python).ok()?;
    let mut arguments = String::with_capacity(2 * pair.b.arguments.len());
    match ROTATION[place % ROTATION.len()] {
        "serializer_compact" => {
            write(&value, &Style { item: ",", name: ":", indent: None }, 0, &mut arguments)
        }
        "serializer_default" => {
            write(&value, &Style { item: ", ", name: ": ", indent: None }, 0, &mut arguments)
        }
        _ => write(&value, &Style { item: ",", name: ": ", indent: Some(2) }, 0, &mut arguments),
    }
    Some(Call { arguments, ..pair.b.clone() })
}

/// The parameters of CPython's `json.dumps`.
struct Style {
    item: &'static str,
    name: &'static str,
    indent: Option<usize>,
}

/// Writes as CPython's `json.dumps` does with these parameters: members in the order held, everything
/// beyond ASCII escaped. Numbers keep their text, which is what Python writes for what Python wrote.
fn write(value: &Value<'_>, style: &Style, depth: usize, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(text) => out.push_str(text),
        Value::NonFinite(literal) => out.push_str(literal.as_str()),
        Value::String(text) => write_text(text, out),
        Value::Array(items) if items.is_empty() => out.push_str("[]"),
        Value::Object(members) if members.is_empty() => out.push_str("{}"),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                between(index, style, depth + 1, out);
                write(item, style, depth + 1, out);
            }
            line(style, depth, out);
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, member) in members.iter().enumerate() {
                between(index, style, depth + 1, out);
                write_text(&member.name, out);
                out.push_str(style.name);
                write(&member.value, style, depth + 1, out);
            }
            line(style, depth, out);
            out.push('}');
        }
    }
}

fn between(index: usize, style: &Style, depth: usize, out: &mut String) {
    if index > 0 {
        out.push_str(style.item);
    }
    line(style, depth, out);
}

fn line(style: &Style, depth: usize, out: &mut String) {
    if let Some(indent) = style.indent {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent * depth));
    }
}

fn write_text(text: &Text<'_>, out: &mut String) {
    out.push('"');
    for point in text.code_points() {
        match point {
            0x22 => out.push_str("\\\""),
            0x5c => out.push_str("\\\\"),
            0x0a => out.push_str("\\n"),
            0x0d => out.push_str("\\r"),
            0x09 => out.push_str("\\t"),
            0x0c => out.push_str("\\f"),
            0x08 => out.push_str("\\b"),
            0x20..=0x7e => out.extend(char::from_u32(point)),
            _ => match char::from_u32(point) {
                Some(c) => {
                    let mut units = [0; 2];
                    for unit in c.encode_utf16(&mut units) {
                        out.push_str(&format!("\\u{unit:04x}"));
                    }
                }
                // A lone surrogate is its own unit.
                None => out.push_str(&format!("\\u{point:04x}")),
            },
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_as_python_does() {
        // Written by json.dumps of CPython 3.11 with these parameters.
        let text = r#"{"é\u2028\ud83d\ude00\ud800":[1,2.50,-0.0,[],{}],"a\"\\\n\u0001\u007f":null,"b":{"c":true}}"#;
        let value = json::parse(text, Dialect::Python).unwrap();
        let mut compact = String::new();
        write(&value, &Style { item: ",", name: ":", indent: None }, 0, &mut compact);
        assert_eq!(
            compact,
            r#"{"\u00e9\u2028\ud83d\ude00\ud800":[1,2.50,-0.0,[],{}],"a\"\\\n\u0001\u007f":null,"b":{"c":true}}"#
        );
        let value = json::parse(r#"{"a":[1,{"b":[]}],"c":{}}"#, Dialect::Python).unwrap();
        let mut indented = String::new();
        write(&value, &Style { item: ",", name: ": ", indent: Some(2) }, 0, &mut indented);
        assert_eq!(
            indented,
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}"
        );
    }
}
