//! The laws on random and near-valid input, with counts that show they were not vacuous.

use proptest::prelude::*;
use samecall_oracle::{Law, jcs, reader};
use std::sync::atomic::{AtomicU32, Ordering};

/// Text made of the pieces that a JSON reader decides on.
fn json_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            " ",
            "\n",
            "\"",
            "\\",
            "\\u",
            "d83d",
            "\\ude00",
            "\\u0000",
            "null",
            "true",
            "fals",
            "NaN",
            "-",
            "0",
            "1",
            ".",
            "e",
            "E+",
            "1e400",
            "\u{FEFF}",
            "\"a\"",
            "\"a\":",
            "é",
            "\u{7f}",
            "\u{1}",
            "9007199254740993",
            "0.1",
            "-0",
            "1e21",
            "1E-7",
        ])
        .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Valid JSON, as text.
fn json() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(|n| format!("{n:e}")),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?",
    ];
    let text = ".{0,6}".prop_map(|s| serde_json::to_string(&s).unwrap());
    let leaf = prop_oneof![Just("null".to_owned()), Just("true".to_owned()), number, text.clone()];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let member = (text.clone(), inner.clone()).prop_map(|(n, v)| format!("{n}: {v}"));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|v| format!("[{}]", v.join(" ,"))),
            prop::collection::vec(member, 0..4).prop_map(|v| format!("{{{}}}", v.join(","))),
        ]
    })
}

#[test]
fn the_reader_agrees_with_serde_json() {
    let both = AtomicU32::new(0);
    let neither = AtomicU32::new(0);
    let alone = AtomicU32::new(0);
    let count = |seen: Law<reader::Seen>| match seen.unwrap_or_else(|broken| panic!("{broken}")) {
        reader::Seen::Both => both.fetch_add(1, Ordering::Relaxed),
        reader::Seen::Neither => neither.fetch_add(1, Ordering::Relaxed),
        reader::Seen::OursAlone => alone.fetch_add(1, Ordering::Relaxed),
    };
    proptest!(ProptestConfig::with_cases(4_000), |(text in prop_oneof![json_like(), json()])| {
        count(reader::check(text.as_bytes()));
        // Any prefix of a text is a text.
        for end in (0..text.len()).step_by(3) {
            count(reader::check(&text.as_bytes()[..end]));
        }
    });
    for excused in [r#"["\ud800"]"#, "[1e400]", &("[".repeat(200) + &"]".repeat(200))] {
        count(reader::check(excused.as_bytes()));
    }
    let seen = [&both, &neither, &alone].map(|n| n.load(Ordering::Relaxed));
    assert!(seen[0] > 1_000 && seen[1] > 1_000 && seen[2] >= 3, "{seen:?}");
}

#[test]
fn jcs_agrees_with_serde_json_canonicalizer() {
    let both = AtomicU32::new(0);
    proptest!(ProptestConfig::with_cases(4_000), |(text in json())| {
        if jcs::check(&text).unwrap_or_else(|broken| panic!("{broken}")) == jcs::Seen::Both {
            both.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(both.load(Ordering::Relaxed) > 500, "{both:?}");
}
