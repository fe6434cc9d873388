//! Input that means harm: nothing panics, nothing exhausts the stack, and large calls have keys.

use super::*;

fn every_keyer_answers(text: &str, tool: Option<&Tool>) {
    let call = Call::new("t", text).at("r", "1");
    for name in ["typed", "typed-prose", "typed-scoped"] {
        let keyer = samecall_keyer::by_name(name).unwrap();
        let first = keyer.key(&call, tool);
        assert_eq!(first, keyer.key(&call, tool), "{name} is a function");
        let explained = keyer.explain(&call, tool).unwrap();
        assert_eq!(explained.is_ok(), first.key().is_some(), "{name} explains what it keys");
    }
}

/// A schema that refers to itself in objects, lists, sets and JSON text.
fn recursive() -> Tool {
    tool(
        r##"{"type":"object","properties":{"o":{"$ref":"#"},"l":{"type":"array","items":{"$ref":"#"}},
            "s":{"x-identity":"set","items":{"$ref":"#"}},"n":{"type":"number","multipleOf":0.01},
            "t":{"type":"string","x-identity":"text"},"j":{"x-identity":"json"},"p":{"x-identity":"payload"}}}"##,
    )
}

#[test]
fn deep_nesting_exhausts_nothing() {
    let tool = recursive();
    for depth in [10, 100, 510, 511, 512, 513, 100_000] {
        for (open, close) in
            [("[", "]"), ("{\"o\":", "}"), ("{\"l\":[", "]}"), ("{\"s\":[", "]}"), ("{\"u\":", "}")]
        {
            let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            every_keyer_answers(&text, Some(&tool));
            every_keyer_answers(&text, None);
            every_keyer_answers(&open.repeat(depth), Some(&tool));
        }
    }
    // Text in text in text: each layer doubles its backslashes.
    let mut text = r#"{"n":1}"#.to_owned();
    for _ in 0..12 {
        text = format!(r#"{{"o":{}}}"#, literal(&text));
        every_keyer_answers(&text, Some(&tool));
    }
}

#[test]
fn bytes_at_random_are_answered() {
    let tool = recursive();
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "d800",
        "\"o\"",
        "\"l\"",
        "\"s\"",
        "\"n\"",
        "\"t\"",
        "\"j\"",
        "\"p\"",
        "1",
        "-",
        ".",
        "e9",
        "null",
        "true",
        " ",
        "é",
        "\u{301}",
        "NaN",
        "0.30000000000000004",
        "9999999999999999999999",
    ];
    // A small generator with a fixed seed: the same texts in every run.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for _ in 0..30_000 {
        let length = next(14);
        let text: String = (0..length).map(|_| pieces[next(pieces.len())]).collect();
        every_keyer_answers(&text, Some(&tool));
    }
}

/// With growth by the square these would take minutes; the benchmark `typed` shows the slopes.
#[test]
fn large_hostile_calls_have_keys() {
    let tool = recursive();
    let join =
        |of: &dyn Fn(usize) -> String, n: usize| (0..n).map(of).collect::<Vec<_>>().join(",");
    let shapes: [(&str, &dyn Fn(usize) -> String); 7] = [
        ("digits", &|n| format!(r#"{{"n":{}}}"#, "7".repeat(n * 10))),
        ("fraction", &|n| format!(r#"{{"n":"0.3{}1"}}"#, "0".repeat(n * 10))),
        ("exponent", &|n| format!(r#"{{"n":1e{}}}"#, "9".repeat(n * 10))),
        ("keys", &|n| format!("{{{}}}", join(&|i| format!(r#""k{i}":1"#), n))),
        ("duplicates", &|n| format!("{{{}}}", join(&|_| r#""n":1.0"#.to_owned(), n))),
        ("set", &|n| format!(r#"{{"s":[{}]}}"#, join(&|i| format!(r#"{{"n":{}}}"#, n - i), n))),
        ("prose", &|n| format!(r#"{{"t":"{}"}}"#, "J\u{30C}  ".repeat(n))),
    ];
    for (name, shape) in shapes {
        let key = |n: usize| {
            let outcome = Typed::default().key(&Call::new("t", shape(n)), Some(&tool));
            outcome.key().unwrap_or_else(|| panic!("{name}: {:?}", outcome.refusal()))
        };
        assert_eq!(key(64_000), key(64_000), "{name}");
        // All that is written counts, but for equal members under one name, and noise beside a point of the grid.
        let alike = matches!(name, "duplicates" | "fraction");
        assert_eq!(key(64_000) == key(63_999), alike, "{name}");
    }
}
