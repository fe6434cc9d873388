//! Input that means harm: nothing panics, nothing exhausts the stack, and time grows with size alone.

use std::time::{Duration, Instant};

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

/// How long a text takes, at best of five.
fn time(text: &str, tool: Option<&Tool>) -> Duration {
    let call = Call::new("t", text);
    let once = || {
        let started = Instant::now();
        let outcome = Typed::default().key(&call, tool);
        let took = started.elapsed();
        assert!(outcome.key().is_some(), "{:?}", outcome.refusal());
        took
    };
    (0..5).map(|_| once()).min().unwrap_or_default()
}

#[test]
fn time_grows_with_size_alone() {
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
        let (small, large) = (time(&shape(4_000), Some(&tool)), time(&shape(64_000), Some(&tool)));
        // Sixteen times the size; quadratic growth would take 256 times as long. Short times are mostly noise.
        let bound = 128 * small.max(Duration::from_millis(2));
        assert!(large < bound, "{name}: {small:?} for 4,000 and {large:?} for 64,000");
    }
}
