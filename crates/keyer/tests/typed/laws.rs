//! Laws: the canonical form is its own canonical form, order means nothing, and rules come in any order.

use proptest::prelude::*;
use samecall_call::shape::Field;
use samecall_keyer::typed::{OccurrenceCounter, RuleSet, canonical_text};

use samecall_keyer::Key;

use super::*;

/// Each kind with characters and pieces that its rules look at.
const KINDS: [(&str, &[&str]); 14] = [
    (r#"{"type":"string"}"#, &["a", "A", " ", "é", "e\u{301}", "1"]),
    (r#"{"type":"number","multipleOf":0.01}"#, &["0", "1", "9", "-", "+", ".", "e", "E"]),
    (r#"{"type":"boolean"}"#, &["true", "TRUE", "False", " ", "1"]),
    (
        r#"{"enum":["a","B","ß"],"x-aliases":{"c":"a","ss":"B"}}"#,
        &["a", "A", "b", "c", "ß", "ẞ", "s", " "],
    ),
    (r#"{"enum":[1,10,true]}"#, &["1", "0", ".", "e", "+", "true", "True"]),
    (
        r#"{"x-identity":"token","x-aliases":{"a":"b","B":"c","c":"a"}}"#,
        &["a", "B", "c", " ", "İ", "ß", "ẞ", "\u{a0}"],
    ),
    (r#"{"type":"string","pattern":"^[A-Z]{1,3}$"}"#, &["a", "A", "ß", "ı", "ſ", "K", " "]),
    (
        r#"{"x-identity":"text"}"#,
        &["a", "J", "\u{30C}", " ", "\u{a0}", "’", "–", "\u{345}", "İ", "ß"],
    ),
    (
        r#"{"type":"string","format":"date-time"}"#,
        &[
            "2026-08-11",
            "2016-12-31",
            "T",
            "t",
            " ",
            "23:59:60",
            "09:00",
            ".500",
            "Z",
            "z",
            "+02:00",
            "-0000",
        ],
    ),
    (
        r#"{"type":"string","format":"time"}"#,
        &["23:59:60", "09:00", ":00", ".50", "Z", "z", "+0200", "-00:30"],
    ),
    (
        r#"{"type":"string","format":"uuid"}"#,
        &["a0eebc99", "A0EEBC99", "-9C0B", "-4ef8", "-BB6d", "-6bb9bd380a11", "-6BB9BD380A1"],
    ),
    (
        r#"{"type":"string","format":"uri"}"#,
        &["HTTP:", "a:", "//", "E.org", ":80", "/", ".", "..", "%7e", "%2f", "?", "#"],
    ),
    (r#"{"type":"string","format":"phone"}"#, &["+", "1", "(", ")", " ", "-", ".", "x"]),
    (r#"{"type":"string","format":"email"}"#, &["a", "A", "@", "É", "é", "İ", "ß"]),
];

fn field(tool: &Tool) -> &Field {
    let shape = &tool.shape;
    shape.field(shape.root_object().unwrap().properties[0].field)
}

/// Exhaustively: every text of up to five pieces. The canonical text is stable, has the same key, and no two canonical
/// texts that differ share a key.
#[test]
fn canonical_texts_are_their_own_on_all_short_texts() {
    let mut states = 0;
    for (schema, pieces) in KINDS {
        let tool = tool_of_x(schema);
        let field = field(&tool);
        let mut seen = 0_u64;
        let mut changed = 0_u64;
        let mut at = [0_usize; 5];
        loop {
            let text: String = at.iter().filter(|i| **i > 0).map(|i| pieces[*i - 1]).collect();
            let once = canonical_text(field, &text, RuleSet::ALL);
            let twice = canonical_text(field, &once, RuleSet::ALL);
            assert_eq!(once, twice, "{schema}: {text:?}");
            seen += 1;
            if once != text {
                changed += 1;
                // Keys are dearer than texts, and follow from them; a part of all is enough.
                if changed % 64 == 1 {
                    let with = |text: &str| format!(r#"{{"x":{}}}"#, literal(text));
                    assert!(equal(&with(&text), &with(&once), Some(&tool)), "{schema}: {text:?}");
                }
            }
            // An odometer over all choices, the empty one included.
            let Some(turn) = at.iter().position(|i| *i < pieces.len()) else { break };
            at[..turn].fill(0);
            at[turn] += 1;
        }
        assert!(changed > 0 || schema == KINDS[0].0, "{schema}: no rule ever fired");
        println!("{schema}: {seen} texts, {changed} changed");
        states += seen;
    }
    assert!(states > 1_000_000, "{states}");
}

/// Dropping a rule never joins what the whole list keeps apart, but for rules that guard: a rule set is a refinement.
#[test]
fn fewer_rules_never_join_texts() {
    for (schema, pieces) in KINDS {
        let tool = tool_of_x(schema);
        let field = field(&tool);
        let texts: Vec<String> =
            pieces.iter().flat_map(|a| pieces.iter().map(move |b| format!("{a}{b}"))).collect();
        for &rule in samecall_keyer::typed::TypedRule::ALL {
            let rules = RuleSet::ALL.without(rule);
            for a in &texts {
                for b in &texts {
                    let joined = canonical_text(field, a, rules) == canonical_text(field, b, rules);
                    let all = canonical_text(field, a, RuleSet::ALL)
                        == canonical_text(field, b, RuleSet::ALL);
                    assert!(all || !joined, "{schema} without {}: {a:?} {b:?}", rule.name());
                }
            }
        }
    }
}

/// Folding never makes a mark of a letter, which composing would then hang on the letter before it; nor a letter of a mark,
/// which composing would have hung there.
#[test]
fn iota_stays_a_letter() {
    let tool = tool_of_x(r#"{"x-identity":"text"}"#);
    for (a, b) in [("και", "κᾳ"), ("Ωι", "ῼ"), ("νία", "ν\u{301}\u{345}α")] {
        let with = |text: &str| format!(r#"{{"x":{}}}"#, literal(text));
        assert!(!equal(&with(a), &with(b), Some(&tool)), "{a} {b}");
    }
    let fold = RuleSet::NONE.with(samecall_keyer::typed::TypedRule::TextFold);
    for letter in ('\u{80}'..='\u{1FFFF}').filter(|c| c.is_alphabetic() && !is_mark(*c)) {
        let text = letter.to_string();
        let folded = canonical_text(field(&tool), &text, fold);
        assert!(!folded.chars().any(is_mark), "{letter:?} becomes {folded:?}");
    }
    for mark in ('\u{80}'..='\u{1FFFF}').filter(|c| is_mark(*c)).map(String::from) {
        assert_eq!(canonical_text(field(&tool), &mark, fold), mark);
    }
    assert!(equal("{\"x\":\"α\u{345}\"}", "{\"x\":\"ᾳ\"}", Some(&tool)));
}

/// Whether a character stands on the one before it.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// JSON values, objects with unique names.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        (-1000_i32..1000, 0_u8..3).prop_map(|(n, e)| format!("{n}e-{e}")),
        "[a-zA-Zé ]{0,4}".prop_map(|text| literal(&text)),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            proptest::collection::btree_map("[a-dA-D_]{1,3}", inner, 0..5)
                .prop_map(|members| object(members.iter())),
        ]
    })
}

fn object<'m>(members: impl Iterator<Item = (&'m String, &'m String)>) -> String {
    let members: Vec<String> =
        members.map(|(name, value)| format!("{}:{value}", literal(name))).collect();
    format!("{{{}}}", members.join(","))
}

/// A tool whose fields meet the names above.
fn shaped() -> Tool {
    tool(
        r##"{"type":"object","properties":{"a":{"type":"integer","default":3},"b":{"x-identity":"set","items":{"type":"number"}},
            "a_b":{"type":"string","x-identity":"text"},"c":{"$ref":"#"},"d":{"type":"array","items":{"$ref":"#"}},
            "dd":{"type":"object","x-null":"absent","x-empty":"absent"},"cc":{"x-identity":"payload"},"bb":{"type":"boolean"}}}"##,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn member_order_means_nothing(
        members in proptest::collection::btree_map("[a-dA-D_]{1,3}", value(), 0..8),
        seed in any::<u64>(),
    ) {
        let shape = shaped();
        let mut shuffled: Vec<_> = members.iter().collect();
        // Any fixed disorder will do.
        shuffled.sort_by_key(|(name, _)| {
            name.bytes().fold(seed, |hash, byte| hash.rotate_left(7).wrapping_mul(31) ^ u64::from(byte))
        });
        let (first, second) = (object(members.iter()), object(shuffled.into_iter()));
        let call = |text: &str| Call::new("t", text).at("r", "1");
        for tool in [None, Some(&shape)] {
            let keyer = TypedScoped::default();
            prop_assert_eq!(keyer.key(&call(&first), tool), keyer.key(&call(&second), tool));
        }
    }

    #[test]
    fn white_space_and_escapes_mean_nothing(text in value()) {
        let shape = shaped();
        let parsed = parse(&text, Dialect::Strict).unwrap();
        let spaced = text.replace(',', " ,\n\t").replace(':', " : ").replace('é', "\\u00e9").replace("e-0", "E+0");
        prop_assert!(parse(&spaced, Dialect::Strict).is_ok());
        for tool in [None, Some(&shape)] {
            // Names and texts hold no comma or colon, so nothing but white space has changed.
            prop_assert_eq!(typed(&parsed.to_string(), tool), typed(&spaced, tool));
        }
    }

    #[test]
    fn without_a_schema_keys_are_json_equality(a in value(), b in value()) {
        // A plain model of the same question: normalised by another reader, numbers as fractions of a thousand.
        let model = |text: &str| -> serde_json::Value {
            fn exact(value: serde_json::Value) -> serde_json::Value {
                match value {
                    serde_json::Value::Number(n) => {
                        serde_json::json!({ "#": (n.as_f64().unwrap() * 1000.0).round() as i64 })
                    }
                    serde_json::Value::Array(items) => items.into_iter().map(exact).collect(),
                    serde_json::Value::Object(members) => {
                        serde_json::Value::Object(members.into_iter().map(|(k, v)| (k, exact(v))).collect())
                    }
                    other => other,
                }
            }
            exact(serde_json::from_str(text).unwrap())
        };
        // A call without arguments is one call, and text may hold arguments: both are no JSON equality.
        let plain = |text: &str| !text.starts_with('"') && text != "null";
        prop_assume!(plain(&a) && plain(&b));
        prop_assert_eq!(equal(&a, &b, None), model(&a) == model(&b));
        let twin = model(&a) == model(&a.replace("e-0", ".0"));
        prop_assert!(!twin || equal(&a, &a.replace("e-0", ".0"), None));
    }

    #[test]
    fn set_order_and_repeats_mean_nothing(mut items in proptest::collection::vec(value(), 0..6), turn in 0_usize..6) {
        let tool = tool_of_x(r#"{"x-identity":"set"}"#);
        let text = |items: &[String]| format!(r#"{{"x":[{}]}}"#, items.join(","));
        let first = text(&items);
        if !items.is_empty() {
            let turn = turn % items.len();
            items.rotate_left(turn);
            items.push(items[0].clone());
        }
        prop_assert!(equal(&first, &text(&items), Some(&tool)));
    }

    /// A re-prompt may write the calls of a step in another order: each keeps its key, and of equal calls there are as
    /// many keys as calls.
    #[test]
    fn the_order_of_parallel_calls_means_nothing(
        values in proptest::collection::vec(value(), 1..6),
        twins in 0_usize..3,
        order in any::<u64>(),
    ) {
        let shape = shaped();
        let mut step: Vec<Call> =
            values.iter().map(|value| Call::new("t", format!(r#"{{"a":{value}}}"#)).at("r", "1")).collect();
        // Some calls are made twice.
        step.extend_from_within(..twins.min(values.len()));
        let mut permuted = step.clone();
        for at in (1..permuted.len()).rev() {
            permuted.swap(at, (order.rotate_left(at as u32 * 9) % (at as u64 + 1)) as usize);
        }
        let keys = |calls: &mut Vec<Call>| -> Vec<(String, Option<Key>)> {
            let mut counter = OccurrenceCounter::new();
            calls.iter_mut().for_each(|call| counter.number(call, Some(&shape)));
            let key = |call: &Call| {
                (call.arguments.clone(), TypedScoped::default().key(call, Some(&shape)).key())
            };
            let mut keys: Vec<_> = calls.iter().map(key).collect();
            keys.sort();
            keys
        };
        let (first, second) = (keys(&mut step), keys(&mut permuted));
        // Spellings of one intent may change places with their keys, so the keys are compared, and for unlike calls the text too.
        let only = |keys: &[(String, Option<Key>)]| {
            let mut only: Vec<Key> = keys.iter().filter_map(|(_, key)| *key).collect();
            only.sort();
            only
        };
        let distinct = |keys: &[Key]| keys.windows(2).all(|two| two[0] != two[1]);
        prop_assert_eq!(only(&first), only(&second));
        prop_assert!(distinct(&only(&first)), "two calls of a step share a key");
        let alike = |text: &str| step.iter().filter(|call| equal(&call.arguments, text, Some(&shape))).count() > 1;
        for (a, b) in first.iter().zip(&second) {
            prop_assert!(a == b || alike(&a.0), "an unlike call changed its key");
        }
    }
}
