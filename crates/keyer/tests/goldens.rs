//! Forms fixed by construction: each line says what must be hashed, written by hand from the rules.

use samecall_call::{Call, Part};
use samecall_keyer::{Key, Outcome, by_name};

/// The key must be that of the form; the form is what the explanation shows.
fn hashes(strategy: &str, arguments: &str, form: &str) {
    let keyer = by_name(strategy).unwrap();
    let call = Call::new("t", arguments);
    let explained = keyer.explain(&call, None).unwrap().unwrap();
    assert_eq!(explained.form, form, "{strategy} of {arguments}");
    assert_eq!(keyer.key(&call, None).key(), Some(Key::of(form.as_bytes())), "{strategy}");
}

fn refuses(strategy: &str, arguments: &str, code: &str) {
    let keyer = by_name(strategy).unwrap();
    let answer = keyer.key(&Call::new("t", arguments), None);
    assert_eq!(answer.refusal().map(|refusal| refusal.code()), Some(code), "{strategy}");
}

#[test]
fn raw_is_the_text_itself() {
    hashes("raw", " {\"a\" : 1}\n", "t| {\"a\" : 1}\n");
    hashes("raw", "no JSON", "t|no JSON");
}

#[test]
fn canonical_is_json_as_python_writes_it() {
    for (arguments, form) in [
        (
            r#" {"b": [1, 2.50, -0, -0.0], "a": {"y": null, "x": true}} "#,
            r#"t|{"a":{"x":true,"y":null},"b":[1,2.5,0,-0.0]}"#,
        ),
        (r#"{"a":1,"b":2,"a":3}"#, r#"t|{"a":3,"b":2}"#),
        (
            r#"[1e16, 1e15, 1E-7, 0.0001, 1e400, -1e400]"#,
            "t|[1e+16,1000000000000000.0,1e-07,0.0001,Infinity,-Infinity]",
        ),
        ("[NaN, Infinity, -Infinity]", "t|[NaN,Infinity,-Infinity]"),
        ("123456789012345678901234567890", "t|123456789012345678901234567890"),
        (r#""é\/\u007f\ud83d\ude00\ud83d""#, r#"t|"\u00e9/\u007f\ud83d\ude00\ud83d""#),
        // By code point U+E000 comes before U+1F600; by UTF-16 unit it would come after.
        ("{\"😀\":1,\"\u{e000}\":2}", r#"t|{"\ue000":2,"\ud83d\ude00":1}"#),
        ("null", "t|null"),
    ] {
        hashes("canonical", arguments, form);
    }
}

#[test]
fn canonical_refuses_as_python_raises() {
    for arguments in
        ["", "{", "{'a':1}", "{\"a\":01}", "[1,]", "\u{feff}{}", "{} x", "\"\t\"", "-", "[-NaN]"]
    {
        refuses("canonical", arguments, "JSONDecodeError");
    }
    let nines = "9".repeat(4_301);
    refuses("canonical", &format!("[-{nines}]"), "ValueError");
    refuses("canonical", &format!("[{nines}"), "ValueError");
    refuses("canonical", &format!("{{\"a\":{nines},\"a\":1}}"), "ValueError");
    refuses("canonical", &format!("[01,{nines}]"), "JSONDecodeError");
    refuses("canonical", &format!("[\"{nines}\""), "JSONDecodeError");
    refuses("canonical", &format!("[1.{nines},"), "JSONDecodeError");
    refuses("canonical", &"[".repeat(100_000), "RecursionError");
    hashes("canonical", &format!("[{}.0]", &nines), "t|[Infinity]");
    hashes("canonical", &format!("[-{}]", &nines[1..]), &format!("t|[-{}]", &nines[1..]));
}

#[test]
fn normalised_changes_values_and_never_names() {
    for (arguments, form) in [
        (
            r#"{"A ": " Straße  1 ", "n": null, "l": [null, "X"]}"#,
            r#"t|{"A ":"strasse 1","l":[null,"x"]}"#,
        ),
        (
            r#"{"a": 4200.0, "b": "4200.00", "c": "007", "d": "-1.50"}"#,
            r#"t|{"a":4200,"b":4200,"c":7,"d":-1.5}"#,
        ),
        (r#"{"at": "2026-08-11t09:00:00.250z"}"#, r#"t|{"at":"2026-08-11T09:00:00Z"}"#),
        (
            r#"{"a": 1e23, "b": -0.0, "c": true}"#,
            r#"t|{"a":99999999999999991611392,"b":0,"c":true}"#,
        ),
        (r#"{"a": 1, "b": 2, "a": null}"#, r#"t|{"b":2}"#),
        (r#"{"o": {"n": null}}"#, r#"t|{"o":{}}"#),
        (r#"{"a": "\u0665\u0666", "b": "e\u0301\ud800"}"#, r#"t|{"a":56,"b":"\u00e9\ud800"}"#),
        (r#"{"a": "", "b": " "}"#, r#"t|{"a":"","b":""}"#),
        (r#"{"a": NaN, "b": 1e400}"#, r#"t|{"a":NaN,"b":Infinity}"#),
    ] {
        hashes("normalised", arguments, form);
    }
    hashes(
        "normalised-capital-t",
        r#"{"at":"2026-08-11t09:00:00.250z"}"#,
        r#"t|{"at":"2026-08-11t09:00:00.250z"}"#,
    );
}

#[test]
fn normalised_refuses_the_first_that_python_meets() {
    for arguments in ["[]", "null", "1", "\"{}\""] {
        refuses("normalised", arguments, "AttributeError");
    }
    let (overflow, digits) = ("9".repeat(400), format!("\"{}\"", "9".repeat(4_301)));
    refuses("normalised", &format!("{{\"a\":{overflow}}}"), "OverflowError");
    refuses("normalised", &format!("{{\"b\":{overflow},\"a\":{digits}}}"), "OverflowError");
    refuses("normalised", &format!("{{\"b\":{digits},\"a\":{overflow}}}"), "ValueError");
    // In lists too, and in what they hold.
    let inner = |b: &str, a: &str| format!("{{\"x\":[1,{{\"b\":{b},\"a\":{a}}}]}}");
    refuses("normalised", &inner(&overflow, &digits), "OverflowError");
    refuses("normalised", &inner(&digits, &overflow), "ValueError");
    // The place is a name's first, the value its last.
    refuses("normalised", &format!("{{\"b\":1,\"a\":{overflow},\"b\":{digits}}}"), "ValueError");
}

#[test]
fn scoped_prints_parts_as_python_does() {
    let keyer = by_name("scoped").unwrap();
    let mut call = Call::new("t", r#"{"a":1}"#);
    let inner = Key::of(br#"t|{"a":1}"#);
    for (run, step, printed) in [
        (Part::Absent, Part::Absent, "-|-"),
        (Part::Null, Part::Null, "None|None"),
        ("run-07".into(), "3".into(), "run-07|3"),
        ("r|1".into(), "2".into(), "r|1|2"),
    ] {
        (call.scope.run_id, call.scope.step) = (run, step);
        let expected = Key::of(format!("{printed}|{inner}").as_bytes());
        assert_eq!(keyer.key(&call, None).key(), Some(expected), "{printed}");
    }
}

#[test]
fn jcs_is_rfc_8785() {
    hashes(
        "jcs",
        r#"{"b": 1.0, "a": ["\u00e9\/", 1E30, -0, 4.50]}"#,
        r#"t|{"a":["é/",1e+30,0,4.5],"b":1}"#,
    );
    hashes("jcs", "{\"\u{e000}\":1,\"😀\":2}", "t|{\"😀\":2,\"\u{e000}\":1}");
    refuses("jcs", "{\"a\":12345678901234567}", "integer_out_of_range");
}

#[test]
fn agentforge_lets_nested_names_vanish() {
    for (arguments, form) in [
        (r#"{"to": {"city": "Bonn", "b": 2}, "b": 1.0}"#, r#"t:{"b":1,"to":{"b":2}}"#),
        (r#"{"a": {"x": 1}, "a": [{"x": 1, "a": 2}]}"#, r#"t:{"a":[{"a":2}]}"#),
        (r#"[{"0": 1, "1": 2, "2": 3}, 1e400]"#, r#"t:[{"0":1,"1":2},null]"#),
        (r#""aé""#, r#"t:"aé""#),
        ("-0.0", "t:0"),
        (r#"{"10": 1, "9": {"9": 1, "10": 2}}"#, r#"t:{"10":1,"9":{"10":2,"9":1}}"#),
        (
            r#"{"__proto__": 1, "a": {}}"#,
            r#"t:{"__proto__":1,"a":{"__proto__":{"__proto__":null}}}"#,
        ),
    ] {
        hashes("agentforge", arguments, form);
    }
    refuses("agentforge", "null", "TypeError");
    refuses("agentforge", "{\"a\":NaN}", "SyntaxError");
}

#[test]
fn canaries_answer_one_key_ever_new_keys_and_none() {
    let call = Call::new("t", "{}");
    let constant = by_name("constant").unwrap();
    assert_eq!(constant.key(&call, None), constant.key(&Call::new("u", "no JSON"), None));
    let random = by_name("random").unwrap();
    let draws: Vec<Outcome> = (0..100).map(|_| random.key(&call, None)).collect();
    assert!((1..100).all(|n| !draws[..n].contains(&draws[n])));
    let again = by_name("random").unwrap();
    assert!(draws.iter().all(|draw| *draw == again.key(&call, None)), "a fresh keyer repeats them");
    assert!(by_name("refuse").unwrap().key(&call, None).refusal().is_some());
}

#[test]
fn explanations_name_the_rules_that_fired() {
    let call = Call::new("t", r#"{"b": {"at": "2026-08-11t09:00:00z"}, "a": [" 7 "], "n": null}"#);
    let explained = by_name("scoped").unwrap().explain(&call, None).unwrap().unwrap();
    let fired: Vec<String> = explained
        .fired
        .iter()
        .map(|fired| format!("{} {}", fired.path.join("."), fired.rule))
        .collect();
    assert_eq!(fired, ["b.at timestamp", "a.0 strip", "a.0 integer-text", "n drop-null-member"]);
}
