//! Schemas at random, wild ones among them, and values at random: a key is a function of what is said, whatever the
//! schema says, and no schema makes time grow faster than its size.

use std::collections::HashSet;

use proptest::prelude::*;
use samecall_keyer::typed::{RuleSet, canonical};

use super::*;

const NAMES: [&str; 6] = ["a", "b", "a_b", "aB", "arguments", "é"];

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES[..])
}

fn scalar() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "null",
        "true",
        "0",
        "-1.50",
        "1e400",
        "0.30000000000000004",
        "1930485600",
        r#""""#,
        r#""a""#,
        r#""A ""#,
        r#""TRUE""#,
        r#""1.0""#,
        r#""\ud800""#,
        r#""2016-12-31T23:59:60Z""#,
        r#""HTTP://E.org/../%7e""#,
        r#""{\"a\":1}""#,
        r#""[1,null]""#,
    ])
    .prop_map(str::to_owned)
}

fn joined(parts: &[String]) -> String {
    parts.join(",")
}

fn value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", joined(&items))),
            members(inner).prop_map(|members| object(&members)),
        ]
    })
}

fn members(
    inner: impl Strategy<Value = String> + 'static,
) -> impl Strategy<Value = Vec<(&'static str, String)>> {
    prop::collection::vec((name(), inner), 0..4)
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", joined(&members))
}

/// One keyword with a value that suits it, or does not.
fn keyword(inner: BoxedStrategy<String>) -> impl Strategy<Value = String> {
    let word = |name: &'static str, values: &'static [&'static str]| {
        prop::sample::select(values).prop_map(move |value| format!("\"{name}\":{value}")).boxed()
    };
    let schemas = prop::collection::vec(inner.clone(), 0..4).boxed();
    let list = move |name: &'static str| {
        schemas.clone().prop_map(move |all| format!("\"{name}\":[{}]", joined(&all))).boxed()
    };
    prop::strategy::Union::new_weighted(vec![
        (
            4,
            word(
                "type",
                &[
                    "\"object\"",
                    "\"array\"",
                    "\"string\"",
                    "\"integer\"",
                    "\"dict\"",
                    "\"any\"",
                    "[\"string\",\"null\"]",
                    "[\"number\",\"boolean\"]",
                    "7",
                ],
            ),
        ),
        (
            3,
            word(
                "x-identity",
                &[
                    "\"token\"",
                    "\"text\"",
                    "\"set\"",
                    "\"list\"",
                    "\"json\"",
                    "\"volatile\"",
                    "\"payload\"",
                    "\"instant\"",
                    "\"number\"",
                ],
            ),
        ),
        (2, word("format", &["\"date-time\"", "\"time\"", "\"uri\"", "\"phone\"", "\"email\""])),
        (1, word("pattern", &["\"^[A-Z]+$\"", "\"(\"", "\"^a|A$\""])),
        (1, word("enum", &["[\"a\",null]", "[1,2.5]", "[]", "{}", "[\"A\",\"a\",{\"a\":1}]"])),
        (1, word("const", &["\"a\"", "null", "[1]"])),
        (1, word("default", &["null", "1", "\"a\"", "{}", "[1,null]", "{\"a\":\"1\"}"])),
        (1, word("multipleOf", &["0.01", "0", "-1", "1e-300", "\"x\""])),
        (1, word("x-null", &["\"absent\"", "\"value\""])),
        (1, word("x-empty", &["\"absent\"", "\"value\""])),
        (1, word("x-aliases", &["{\"a\":\"A\",\"A\":\"a\"}", "{\"1.0\":\"2.5\"}"])),
        (1, word("required", &["[\"a\"]", "[\"a\",\"b\",\"é\"]", "true"])),
        (1, word("$ref", &["\"#\"", "\"#/properties/a\"", "\"#/items\"", "\"x.json\"", "1"])),
        (2, list("allOf")),
        (2, list("anyOf")),
        (1, list("prefixItems")),
        (2, inner.clone().prop_map(|schema| format!("\"items\":{schema}")).boxed()),
        (1, inner.clone().prop_map(|schema| format!("\"additionalProperties\":{schema}")).boxed()),
        (6, members(inner).prop_map(|all| format!("\"properties\":{}", object(&all))).boxed()),
    ])
}

fn schema() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["{}", "true", "null", r#"{"type":"string"}"#])
        .prop_map(str::to_owned);
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop::collection::vec(keyword(inner.boxed()), 1..5)
            .prop_map(|words| format!("{{{}}}", joined(&words)))
    })
}

fn has_unique_names(value: &Value<'_>) -> bool {
    match value {
        Value::Object(members) => {
            let names: HashSet<&[u8]> = members.iter().map(|m| m.name.as_bytes()).collect();
            names.len() == members.len() && members.iter().all(|m| has_unique_names(&m.value))
        }
        Value::Array(items) => items.iter().all(has_unique_names),
        _ => true,
    }
}

/// The same JSON with its members the other way round and white space between them.
fn turned(value: &Value<'_>) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .rev()
                .map(|m| format!("{} :\t{}", Value::String(m.name.clone()), turned(&m.value)))
                .collect();
            format!("{{ {}\n}}", members.join(" , "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(turned).collect();
            format!("[ {} ]", items.join(" , "))
        }
        other => other.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn no_schema_breaks_a_key(schema in schema(), said in members(value().boxed())) {
        // A misspelt annotation is an error of its own.
        let Ok(tool) = Tool::new("t", "", &schema, None) else { return Ok(()) };
        let written = object(&said);
        let first = typed(&written, Some(&tool));
        let read = parse(&written, Dialect::Strict).expect("what was written is JSON");
        // Of two equal names one is found first.
        if has_unique_names(&read) {
            let again = typed(&turned(&read), Some(&tool));
            prop_assert_eq!(code(&first), code(&again));
            prop_assert_eq!(first.key(), again.key(), "{} and {}", written, turned(&read));
        }
        let call = Call::new("t", &written[..]);
        let explained = canonical(&call, Some(&tool), RuleSet::ALL);
        prop_assert_eq!(explained.is_ok(), first.key().is_some());
        prop_assert_eq!(scoped(&call.clone().at("r", "1"), &call.at("r", "1"), Some(&tool)) == Verdict::Same, explained.is_ok());
    }
}

/// With growth by the square these would take minutes; the benchmark `typed` shows the slopes.
#[test]
fn large_hostile_schemas_are_read_within_the_limits() {
    type Shape = fn(usize) -> String;
    let shapes: [(&str, Shape); 4] = [
        ("properties", |n| {
            let all: Vec<String> =
                (0..n).map(|i| format!("\"p{i}\":{{\"type\":\"integer\"}}")).collect();
            let required: Vec<String> = (0..n).map(|i| format!("\"p{i}\"")).collect();
            format!(
                r#"{{"type":"object","properties":{{{}}},"required":[{}]}}"#,
                joined(&all),
                joined(&required)
            )
        }),
        ("nested unions", |n| {
            let pair = r##"{"anyOf":[{"$ref":"#/$defs/a"},{"type":"array","items":{"$ref":"#/$defs/b"}}]}"##;
            let all: Vec<String> = (0..n / 8).map(|i| format!("\"p{i}\":{pair}")).collect();
            format!(r#"{{"$defs":{{"a":{pair},"b":{pair}}},"properties":{{{}}}}}"#, joined(&all))
        }),
        ("parts", |n| {
            let all: Vec<String> = (0..n / 8)
                .map(|i| {
                    format!(r##"{{"properties":{{"x":{{"$ref":"#"}},"p{i}":{{"$ref":"#"}}}}}}"##)
                })
                .collect();
            format!(r#"{{"allOf":[{}]}}"#, joined(&all))
        }),
        ("depth", |n| {
            format!("{}{{}}{}", r#"{"items":"#.repeat(n.min(400)), "}".repeat(n.min(400)))
        }),
    ];
    for (name, shape) in shapes {
        let read = tool(&shape(16_000));
        let key = |text: &str| Typed::default().key(&Call::new("t", text), Some(&read)).key();
        let (one, other) = (key(r#"{"p1":1}"#), key(r#"{"p1":2}"#));
        assert!(one.is_some() && other.is_some() && one != other, "{name}");
    }
}
