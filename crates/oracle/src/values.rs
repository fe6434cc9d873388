//! Calls made of pieces that some rule looks at, spliced: a structure-aware source of values for the laws about rules.

use crate::input::Input;
use samecall_call::json::Value;
use samecall_call::{Call, Tool};
use samecall_drift::PIECES;
use std::sync::OnceLock;

/// Tools with one property `x` of every kind, and texts that the kind knows.
const TOOLS: [(&str, &[&str]); 20] = [
    (r#"{}"#, &["0042", "2026-08-11T09:00:00Z", "1.10", "EUR", "ß\u{301}"]),
    (r#"{"properties":{"x":{"type":"string"}}}"#, &["0042", "42", "1.10", "1.1", "1e3", "A", "a"]),
    (
        r#"{"properties":{"x":{"type":"string","format":"date-time"}}}"#,
        &[
            "2026-08-11T09:00:00Z",
            "2026-08-11t09:00:00.500z",
            "2026-08-11 11:00:00+02:00",
            "2026-08-11T09:00-0000",
            "2016-12-31T23:59:60Z",
        ],
    ),
    (
        r#"{"properties":{"x":{"x-identity":"instant"}}}"#,
        &["1754902800", "1754902800.5", "2026-08-11T09:00Z"],
    ),
    (
        r#"{"properties":{"x":{"type":"number","multipleOf":0.01}}}"#,
        &["0.30000000000000004", "+5", "1e2", "007"],
    ),
    (r#"{"properties":{"x":{"type":"integer","default":3}}}"#, &["3", "3.0", "+3", "30e-1"]),
    (
        r#"{"properties":{"x":{"type":"boolean","default":true}}}"#,
        &["true", "TRUE", "False", "yes"],
    ),
    (
        r#"{"properties":{"x":{"enum":["a","B","ss","EUR"],"x-aliases":{"euro":"EUR","k":"a"}}}}"#,
        &["A", "b", "ß", "eur", "euro", "k"],
    ),
    (r#"{"properties":{"x":{"enum":[1,true,10]}}}"#, &["1.0", "True", "1e1"]),
    (
        r#"{"properties":{"x":{"type":"string","x-identity":"token","x-aliases":{"a":"k","eur":"EUR"}}}}"#,
        &["A", "a", " eur", "EUR ", "K", "ß"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","pattern":"^[A-Z]{1,3}$"}}}"#,
        &["eur", "EUR", "eUr", "abcd"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","x-identity":"text","x-empty":"absent","default":"a  b"}}}"#,
        &["“x” – ‘y’", "a’s", "e\u{301}", " a\u{a0}b ", "–", "ΐ\u{345}", "A  B", "a    b"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","format":"time"}}}"#,
        &["09:30:00.50+01:00", "23:59:60Z", "00:10z"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","format":"uuid"},"y":{"type":"string","format":"email"}}}"#,
        &["A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "Ann@Example.ORG", "é@e.org"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","format":"uri"}}}"#,
        &[
            "HTTP://E.org:80/a/../%7eb",
            "http://e.org",
            "http://e.org/%2e%2E/%c3%a9",
            "https://e.org:443/./x",
            "a:b",
        ],
    ),
    (
        r#"{"properties":{"x":{"type":"string","format":"phone"}}}"#,
        &["+1 (555) 010-2030", "(0) 1.2", "5550100"],
    ),
    (
        r#"{"properties":{"x":{"type":"array","x-identity":"set","items":{"type":"string","x-identity":"text"}}}}"#,
        &[r#"["b", "A", "a"]"#, "B"],
    ),
    (r#"{"properties":{"x":{"type":"array","items":{"type":"number"}}}}"#, &[r#"[1.0, "2"]"#, "1"]),
    (
        r#"{"properties":{"x":{"x-identity":"json"},"y":{"type":"object","properties":{"x":{"type":"integer","default":0}}}}}"#,
        &[r#"{"a": 1.0, "b": [null]}"#, r#"{"x":"1"}"#, "0e0", "[ 1 ]"],
    ),
    (
        r#"{"properties":{"x":{"type":["string","null"],"x-null":"value"},"x_y":{"type":"object","x-null":"absent","x-empty":"absent"}}}"#,
        &[r#"{"a":null}"#, "[]", "null"],
    ),
];

/// The tools, compiled once, each with the texts that its kinds know.
pub fn tools() -> &'static [(Tool, &'static [&'static str])] {
    static SHARED: OnceLock<Vec<(Tool, &'static [&'static str])>> = OnceLock::new();
    SHARED.get_or_init(|| {
        // A test reads every schema; one that could not be read would only be absent here.
        let read = |(schema, known): &(&'static str, &'static [&'static str])| {
            Tool::new("t", "", schema, None).ok().map(|tool| (tool, *known))
        };
        TOOLS.iter().filter_map(read).collect()
    })
}

/// The call and the tool that an input draws.
pub fn call(input: &mut Input<'_>) -> (Call, &'static Tool) {
    let (tool, known) = &tools()[input.below(tools().len())];
    let mut text = String::from("{");
    for at in 0..=input.below(3) {
        if at > 0 {
            text.push(',');
        }
        let name =
            input.of(&["x", "x", "x", "x", "x", "x", "y", "x_y", "xY", "X", "é", "e\u{301}"]);
        text.push_str(&quoted(name));
        text.push(':');
        text.push_str(&value(input, known, 2));
    }
    text.push('}');
    let arguments = match input.below(32) {
        29 => quoted(&text),
        30 => format!("{{\"arguments\":{text}}}"),
        31 => ["", "null", "{}", " "][input.below(4)].to_owned(),
        _ => text,
    };
    (Call::new("t", arguments).at("r", "1"), tool)
}

/// The call with another spelling or another value of one piece: near the first, with no truth known.
pub fn neighbour(input: &mut Input<'_>, call: &Call, known: &[&str]) -> Call {
    let mut arguments = call.arguments.clone();
    let places: Vec<usize> = arguments.char_indices().map(|(at, _)| at).collect();
    let at = places.get(usize::from(input.byte()) % places.len().max(1)).copied().unwrap_or(0);
    let end = arguments[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    let piece = piece(input, known);
    let piece = quoted(piece);
    let piece = piece.trim_matches('"');
    match input.below(3) {
        0 => arguments.insert_str(at, piece),
        1 => arguments.replace_range(at..end, piece),
        _ => arguments.replace_range(at..end, ""),
    }
    Call { tool: call.tool.clone(), arguments, scope: call.scope.clone() }
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned().into()).to_string()
}

fn piece<'p>(input: &mut Input<'_>, known: &[&'p str]) -> &'p str {
    match input.byte() {
        byte @ 0..=191 => PIECES[usize::from(byte) % PIECES.len()],
        byte => known[usize::from(byte) % known.len()],
    }
}

fn text(input: &mut Input<'_>, known: &[&str]) -> String {
    (0..input.below(7)).map(|_| piece(input, known)).collect()
}

/// The text of a JSON value.
fn value(input: &mut Input<'_>, known: &[&str], depth: usize) -> String {
    const PLAIN: [&str; 8] =
        ["null", "true", "false", "0", "-0", "42.0", "1e400", "9007199254740993"];
    match input.below(if depth > 0 { 12 } else { 9 }) {
        0..=5 => quoted(&text(input, known)),
        6 => input.of(&PLAIN).to_owned(),
        7 | 8 => {
            // A number, where the pieces spell one.
            let text = text(input, known);
            let is_number = samecall_call::json::parse(&text, samecall_call::json::Dialect::Strict)
                .is_ok_and(|value| matches!(value, Value::Number(_)));
            if is_number { text } else { quoted(&text) }
        }
        9 | 10 => {
            let items: Vec<String> =
                (0..input.below(4)).map(|_| value(input, known, depth - 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => {
            let mut members = Vec::new();
            for at in 0..input.below(3) {
                let name = ["x", "a_b", "a"][(input.below(3) + at) % 3];
                members.push(format!("{}:{}", quoted(name), value(input, known, depth - 1)));
            }
            format!("{{{}}}", members.join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_read() {
        for (schema, _) in TOOLS {
            Tool::new("t", "", schema, None).unwrap_or_else(|e| panic!("{schema}: {e}"));
        }
        assert_eq!(tools().len(), TOOLS.len());
    }

    #[test]
    fn an_empty_input_is_the_plainest_call() {
        let (call, _) = call(&mut Input::new(&[]));
        assert_eq!(call.arguments, r#"{"x":""}"#);
    }
}
