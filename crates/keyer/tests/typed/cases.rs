//! What each rule joins and what it keeps apart.

use super::*;

/// Every text of a group is one value of the field; texts of two groups are two.
fn groups(schema: &str, groups: &[&[&str]]) {
    let tool = tool_of_x(schema);
    let all: Vec<(usize, &str)> = groups
        .iter()
        .enumerate()
        .flat_map(|(at, group)| group.iter().map(move |text| (at, *text)))
        .collect();
    let with = |value: &str| format!(r#"{{"x":{value}}}"#);
    for (of_a, a) in &all {
        for (of_b, b) in &all {
            assert_eq!(
                equal(&with(a), &with(b), Some(&tool)),
                of_a == of_b,
                "{schema}: {a} and {b}"
            );
        }
    }
}

#[test]
fn exact_and_code_are_code_points() {
    for schema in [r#"{"type":"string"}"#, r#"{"type":"string","x-identity":"code"}"#] {
        groups(
            schema,
            &[
                &[r#""a/b""#, r#""a\/b""#],
                &[r#""A/b""#],
                &[r#"" a/b""#],
                &[r#""é""#, r#""\u00e9""#],
                &[r#""e\u0301""#],
                &[r#""\ud800""#],
                &[r#""\ud801""#],
                &[r#""\ufffd""#],
                &["\"1\""],
                &["1", "1.0"],
                &["true"],
                &["\"true\""],
                &["[\"1\"]"],
            ],
        );
    }
}

#[test]
fn numbers_are_exact_decimals() {
    groups(
        r#"{"type":"number"}"#,
        &[
            &["1000", "1e3", "\"1e3\"", "\"+1000\"", "1000.0", "\"0001000.00\"", "10E2"],
            &["-1000", "\"-1e3\""],
            &["0", "-0", "-0.0", "0e9", "\"+0\""],
            &["1e400"],
            &["1e500"],
            &["9007199254740993", "\"9007199254740993\"", "9007199254740993.0"],
            &["9007199254740992"],
            &["0.30000000000000004"],
            &["0.3"],
            &["\" 1000\""],
            &["\"1,000\""],
            &["\"٣\""],
            &["\"ten\""],
            &["true"],
            &["[1000]"],
        ],
    );
    groups(
        r#"{"type":"number","multipleOf":0.01}"#,
        &[&["0.3", "0.30000000000000004", "\"0.30000000000000004\""], &["0.301"], &["0.31"]],
    );
}

#[test]
fn booleans_take_text_in_any_case() {
    groups(
        r#"{"type":"boolean"}"#,
        &[
            &["true", "\"True\"", "\"TRUE\""],
            &["false", "\"False\""],
            &["1"],
            &["\"1\""],
            &["\"yes\""],
            &["\" true\""],
        ],
    );
    groups("{}", &[&["true"], &["\"true\""], &["1", "1.0"], &["\"1\""]]);
}

#[test]
fn enums_take_another_case_of_one_member() {
    groups(
        r#"{"enum":["open","Closed","CLOSED","straße"],"x-aliases":{"done":"Closed"}}"#,
        &[
            &["\"open\"", "\"OPEN\"", "\"Open\""],
            &["\"Closed\"", "\"done\"", "\"Done\""],
            &["\"CLOSED\""],
            &["\"closed\""],
            &["\" open\""],
            &["\"straße\"", "\"STRAẞE\""],
            &["\"strasse\""],
            &["\"other\""],
        ],
    );
    groups(
        r#"{"enum":[1,2.5,true]}"#,
        &[
            &["1", "\"1\"", "1.0", "\"1.0\""],
            &["2.5", "\"25e-1\""],
            &["true", "\"True\""],
            &["3"],
            &["\"3\""],
        ],
    );
    groups(
        r#"{"enum":[false,7]}"#,
        &[&["false", "\"False\"", "\"FALSE\""], &["true"], &["\"true\""], &["\"no\""], &["\"0\""]],
    );
    groups(r#"{"enum":["1","2"]}"#, &[&["\"1\""], &["1"], &["\"1.0\""]]);
}

#[test]
fn tokens_and_patterns_fold_simply() {
    groups(
        r#"{"type":"string","x-identity":"token","x-aliases":{"Euro":"EUR"}}"#,
        &[
            &["\"EUR\"", "\"eur\"", "\" Eur\\n\"", "\"euro\"", "\"EURO \""],
            &["\"E UR\""],
            &["\"ß\"", "\"ẞ\""],
            &["\"ss\"", "\"SS\""],
            &["\"İ\""],
            &["\"i̇\""],
            &["\"ı\""],
            &["\"i\"", "\"I\""],
        ],
    );
    groups(
        r#"{"type":"string","pattern":"^[A-Z]{3}$"}"#,
        &[
            &["\"USD\"", "\"usd\"", "\"Usd\""],
            &["\" usd\""],
            &["\"usdx\""],
            &["\"USDX\""],
            &["\"ßA\""],
            &["\"SSA\"", "\"ssa\""],
        ],
    );
}

#[test]
fn prose_has_one_shape() {
    groups(
        r#"{"type":"string","x-identity":"text"}"#,
        &[
            &[
                "\"Don't  stop\"",
                "\" don’t\\tstop \"",
                "\"DON‘T\\u00a0STOP\"",
                "\"don't\\r\\nstop\"",
            ],
            &["\"dont stop\""],
            &["\"José 1-2\"", "\"jose\\u0301 1–2\"", "\"JOSÉ 1−2\""],
            &["\"jose 1-2\""],
            &["\"Maße\""],
            &["\"Masse\""],
            &["\"a\\u200bb\""],
            &["\"ab\""],
            &["\"done\""],
            &["\"done.\""],
            &["5"],
            &["\"5\""],
            &["\"\\ud83d\\ude00\"", "\"😀\""],
        ],
    );
}

#[test]
fn points_in_time_are_points() {
    let at = [
        &[
            "\"2026-08-11T09:00:00Z\"",
            "\"2026-08-11t11:00+0200\"",
            "\"2026-08-11 09:00:00.000-00:00\"",
        ][..],
        &["\"2026-08-11T09:00:00\"", "\"2026-08-11 09:00\""],
        &["\"2026-08-11\""],
        &["\"2016-12-31T23:59:60Z\""],
        &["\"2017-01-01T00:00:00Z\""],
        &["\"2026-02-30T00:00:00Z\""],
        &["\"2026-02-30T00:00:00z\""],
        &["\"2026-08-11T24:00:00Z\""],
        &["\"2026-08-12T00:00:00Z\""],
        &["\"tomorrow\""],
    ];
    groups(r#"{"type":"string","format":"date-time"}"#, &[&at[..], &[&["1786438800"]]].concat());
    let mut with_epoch = at.to_vec();
    with_epoch[0] =
        &["\"2026-08-11T09:00:00Z\"", "1786438800", "1786438800.0", "\"2026-08-11T10:00+01\""];
    with_epoch.push(&["1786438800000"]);
    with_epoch.push(&["\"1786438800\""]);
    groups(r#"{"x-identity":"instant"}"#, &with_epoch);
}

#[test]
fn formats_have_their_standards() {
    groups(
        r#"{"type":"string","format":"uuid"}"#,
        &[
            &[
                "\"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11\"",
                "\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"",
            ],
            &["\"a0eebc999c0b4ef8bb6d6bb9bd380a11\""],
            &["\"A0EEBC999C0B4EF8BB6D6BB9BD380A11\""],
            &["\"{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}\""],
            &["\"a0eebc99\""],
            &["\"A0EEBC99\""],
            &["\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1x\""],
            &["\"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A1X\""],
        ],
    );
    groups(
        r#"{"type":"string","format":"uri"}"#,
        &[
            &["\"HTTPS://Example.com:443/a/../b%7e\"", "\"https://example.com/b~\""],
            &["\"https://example.com/B~\""],
            &["\"https://example.com\"", "\"https://example.com/\"", "\"https://example.com:/\""],
            &["\"https://example.com/?\""],
            &["\"http://example.com/\""],
            &["\"Example.com\""],
            &["\"example.com\""],
        ],
    );
    groups(
        r#"{"type":"string","format":"email"}"#,
        &[
            &["\"Ana@Example.com\"", "\"ana@example.COM\""],
            &["\"a.na@example.com\""],
            &["\" ana@example.com\""],
        ],
    );
    groups(
        r#"{"type":"string","format":"phone"}"#,
        &[
            &["\"+1 (415) 555-0132\"", "\"+14155550132\"", "\"+1.415.555.0132\""],
            &["\"14155550132\"", "\"1-415-555-0132\""],
            &["\"0014155550132\""],
            &["\"+1 415 555 0132 ext 2\""],
            &["\"+1 415 5550132 ext 2\""],
        ],
    );
    groups(
        r#"{"type":"string","format":"time"}"#,
        &[
            &["\"23:30:00Z\"", "\"00:30+01:00\"", "\"23:30:00.0z\""],
            &["\"23:30:00\""],
            &["\"00:30:00Z\""],
        ],
    );
    for format in ["date", "duration"] {
        groups(
            &format!(r#"{{"type":"string","format":"{format}"}}"#),
            &[
                &["\"2026-08-11\""],
                &["\"2026-8-11\""],
                &["\"PT60M\""],
                &["\"PT1H\""],
                &["\"pt1h\""],
            ],
        );
    }
}

#[test]
fn lists_have_order_and_sets_have_none() {
    groups(
        r#"{"type":"array","items":{"type":"string"}}"#,
        &[
            &["[\"a\",\"b\"]", "\"[\\\"a\\\", \\\"b\\\"]\""],
            &["[\"b\",\"a\"]"],
            &["[\"a\",\"b\",\"a\"]"],
            &["[\"a\"]", "\"a\""],
            &["[\"[1]\"]", "\"[1]\""],
            &["[1]"],
            &["1"],
            &["{\"a\":1}"],
            &["[]", "\"[]\""],
        ],
    );
    groups(
        r#"{"type":"array","uniqueItems":true,"items":{"type":"integer"}}"#,
        &[
            &["[1,2]", "\"[1,2]\"", "[1.0,\"2\"]"],
            &["[2,1]"],
            &["[1]", "1"],
            &["\"1\""],
            &["\"[1,true]\""],
        ],
    );
    groups(
        r#"{"type":"array","x-identity":"set","items":{"type":"object","properties":{"n":{"type":"integer"},"d":{"default":1}}}}"#,
        &[
            &[
                "[{\"n\":1},{\"n\":2}]",
                "[{\"n\":\"2\"},{\"n\":1.0},{\"n\":1}]",
                "[{\"d\":1,\"n\":2},{\"n\":1}]",
            ],
            &["[{\"n\":1}]", "{\"n\":1}"],
            &["[]"],
        ],
    );
    groups(
        r#"{"type":"array"}"#,
        &[&["[1,null,2]"], &["[1,2]"], &["[[1],[2]]"], &["[[1,2]]"], &["[5]", "5"]],
    );
    groups(
        r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}]}"#,
        &[&["[1,\"1\"]", "[\"1\",\"1\"]"], &["[1,1]"], &["[1,1.5]"]],
    );
}

#[test]
fn position_says_nothing_in_a_set() {
    groups(
        r#"{"type":"array","x-identity":"set","prefixItems":[{"type":"integer"}],"items":{"type":"string","x-identity":"token"}}"#,
        &[&[r#"["a","B"]"#, r#"["b","A"]"#], &["[1]"], &[r#"["1"]"#]],
    );
}

#[test]
fn json_text_is_the_json() {
    groups(
        r#"{"type":"string","contentMediaType":"application/json"}"#,
        &[
            &["\"{\\\"K\\\":1,\\\"b\\\":2}\"", "\"{ \\\"b\\\": 2.0, \\\"K\\\": 1 }\""],
            &["\"{\\\"k\\\":1,\\\"b\\\":2}\""],
            &["\"{\\\"K\\\":1\""],
            &["{\"K\":1,\"b\":2}"],
            &["\"1\"", "\" 1.0\""],
            &["1"],
        ],
    );
    groups(
        r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#,
        &[
            &["{\"n\":1}", "\"{\\\"n\\\": \\\"1\\\"}\""],
            &["\"{\\\"n\\\":\""],
            &["\"[1]\""],
            &["[1]"],
        ],
    );
}

#[test]
fn unions_are_told_apart_or_exact() {
    groups(r#"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#, &[&["\"42\""], &["42", "42.0"]]);
    groups(
        r#"{"oneOf":[{"type":"string","format":"date-time"},{"type":"string","x-identity":"token"}]}"#,
        &[&["\"A\""], &["\"a\""]],
    );
    groups(
        r#"{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"a"},"v":{"type":"integer"}}},
            {"type":"object","required":["k"],"properties":{"k":{"const":"b"},"v":{"type":"string"}}}]}"#,
        &[
            &[r#"{"k":"a","v":1}"#, r#"{"v":"1","k":"a"}"#],
            &[r#"{"k":"b","v":1}"#],
            &[r#"{"k":"b","v":"1"}"#],
            &[r#"{"k":"c","v":"1"}"#],
            &[r#"{"k":"c","v":1}"#],
        ],
    );
    // A value beside a list would be a list of one, were there no other branch.
    groups(
        r#"{"anyOf":[{"type":["array","integer"],"x-identity":"set"},{"type":"string"}]}"#,
        &[&["[1,2]", "[2,1]"], &["[1]"], &["1"], &["\"1\""]],
    );
    // So are seconds that are an instant, and text that is a number, unless the branch of numbers says the same.
    groups(
        r#"{"anyOf":[{"type":"integer","x-identity":"instant"},{"type":"string"}]}"#,
        &[&["0", "0.0"], &["\"1970-01-01T00:00:00Z\""], &["\"1970-01-01T00:00Z\""]],
    );
    groups(
        r#"{"anyOf":[{"type":"integer","x-identity":"instant"},{"type":"string","x-identity":"number"}]}"#,
        &[&["0"], &["\"0\""], &["\"0.0\""]],
    );
    groups(
        r#"{"anyOf":[{"type":"integer"},{"type":"string","x-identity":"number"}]}"#,
        &[&["0", "\"0\"", "\"0.0\""], &["\"1\"", "1"]],
    );
}

#[test]
fn what_is_left_out_is_left_out_in_unions_too() {
    let branch = |kind: &str| {
        let schema = format!(
            r#"{{"type":"object","properties":{{"n":{{"type":"integer"}},"x":{{"anyOf":[{{"type":"string","x-identity":"{kind}"}},{{"type":"object"}}]}}}}}}"#
        );
        tool(&schema)
    };
    let volatile = branch("volatile");
    for same in [r#"{"n":1,"x":"a"}"#, r#"{"n":1,"x":"b"}"#, r#"{"x":"a","n":1,"x":"b"}"#] {
        assert!(equal(r#"{"n":1}"#, same, Some(&volatile)), "{same}");
    }
    assert!(!equal(r#"{"n":1}"#, r#"{"n":1,"x":{"a":1}}"#, Some(&volatile)));
    let both = r#"{"n":1,"x":"a","x":{"a":1}}"#;
    assert_eq!(code(&typed(both, Some(&volatile))), "duplicate_name");
    let payload = branch("payload");
    let call = |text: &str| Call::new("t", text).at("r", "1");
    for (other, expected) in [
        (r#"{"n":1,"x":"b"}"#, Verdict::Conflict),
        (r#"{"n":1}"#, Verdict::Conflict),
        (r#"{"n":2,"x":"a"}"#, Verdict::Different),
        (r#"{"n":1,"x":{"a":1}}"#, Verdict::Different),
    ] {
        let verdict = scoped(&call(r#"{"n":1,"x":"a"}"#), &call(other), Some(&payload));
        assert_eq!(verdict, expected, "{other}");
    }
}

#[test]
fn absence_null_and_defaults() {
    let of = |schema: &str| tool_of_x(schema);
    for (schema, a, b, same) in [
        (r#"{"type":"string"}"#, "{}", r#"{"x":null}"#, true),
        (r#"{"type":["string","null"]}"#, "{}", r#"{"x":null}"#, true),
        (r#"{"type":["string","null"],"x-null":"value"}"#, "{}", r#"{"x":null}"#, false),
        (r#"{"enum":["a",null]}"#, "{}", r#"{"x":null}"#, false),
        (r#"{"type":"string"}"#, "{}", r#"{"x":""}"#, false),
        (r#"{"type":"string","x-empty":"absent"}"#, "{}", r#"{"x":""}"#, true),
        (r#"{"type":"array"}"#, "{}", r#"{"x":[]}"#, false),
        (r#"{"type":"array","x-empty":"absent"}"#, "{}", r#"{"x":[]}"#, true),
        (r#"{"type":"integer"}"#, "{}", r#"{"x":0}"#, false),
        (r#"{"type":"integer","default":10}"#, "{}", r#"{"x":"10.0"}"#, true),
        (r#"{"type":"integer","default":10}"#, "{}", r#"{"x":null}"#, true),
        (r#"{"type":"integer","default":10}"#, "{}", r#"{"x":11}"#, false),
        (r#"{"type":["integer","null"],"default":null}"#, "{}", r#"{"x":null}"#, true),
        (r#"{"type":"boolean","default":false}"#, "{}", r#"{"x":true}"#, false),
        (r#"{"type":"array","default":[],"x-empty":"absent"}"#, "{}", r#"{"x":[]}"#, true),
        (
            r#"{"type":"object","x-null":"absent","x-empty":"absent"}"#,
            "{}",
            r#"{"x":{"c":null}}"#,
            true,
        ),
        (r#"{"type":"object","x-null":"absent"}"#, r#"{"x":{}}"#, r#"{"x":{"a":null}}"#, true),
        (
            r#"{"type":"object","x-null":"absent"}"#,
            r#"{"x":{"b":{}}}"#,
            r#"{"x":{"b":{"a":null}}}"#,
            true,
        ),
        (
            r#"{"type":"object","x-null":"absent"}"#,
            r#"{"x":{"b":[{}]}}"#,
            r#"{"x":{"b":[{"a":null}]}}"#,
            true,
        ),
        (
            r#"{"type":"object","x-null":"absent"}"#,
            r#"{"x":{"b":[null]}}"#,
            r#"{"x":{"b":[]}}"#,
            false,
        ),
        (r#"{"type":"object"}"#, r#"{"x":{}}"#, r#"{"x":{"a":null}}"#, false),
        (
            r#"{"type":"object","properties":{"n":{"default":1}}}"#,
            r#"{"x":{}}"#,
            r#"{"x":{"n":1}}"#,
            true,
        ),
        (r#"{"type":"object","properties":{"n":{"default":1}}}"#, "{}", r#"{"x":{}}"#, false),
    ] {
        assert_eq!(equal(a, b, Some(&of(schema))), same, "{schema}: {a} {b}");
    }
    let strict = tool(
        r#"{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":["string","null"]}}}"#,
    );
    assert!(equal(r#"{"a":"1","b":null}"#, r#"{"a":"1"}"#, Some(&strict)));
    let open = tool(
        r#"{"type":"object","x-null":"absent","x-empty":"absent","properties":{"o":{"type":"object","properties":{"k":{}}}}}"#,
    );
    assert!(equal(r#"{"u":{"v":null}}"#, "{}", Some(&open)));
    assert!(equal(r#"{"o":{"k":1,"u":null}}"#, r#"{"o":{"k":1}}"#, Some(&open)));
    assert!(!equal(r#"{"u":1}"#, "{}", Some(&open)));
}

#[test]
fn what_objects_say_of_undeclared_members_holds_through_their_schema() {
    let with = |additional: &str| {
        tool(&format!(
            r#"{{"type":"object","x-null":"absent","x-empty":"absent","additionalProperties":{additional}}}"#
        ))
    };
    let object = with(r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#);
    assert!(equal(r#"{"u":null}"#, "{}", Some(&object)));
    assert!(equal(r#"{"u":{"v":null}}"#, "{}", Some(&object)));
    assert!(equal(r#"{"u":{"n":"1"}}"#, r#"{"u":{"n":1.0}}"#, Some(&object)));
    let stated =
        with(r#"{"type":"object","x-null":"value","x-empty":"value","properties":{"n":{}}}"#);
    assert!(!equal(r#"{"u":null}"#, "{}", Some(&stated)));
    assert!(!equal(r#"{"u":{}}"#, "{}", Some(&stated)));
    // A name that nobody declares has no default.
    let default =
        with(r#"{"type":"object","default":{"n":2},"properties":{"n":{"type":"integer"}}}"#);
    assert!(equal(r#"{"u":null}"#, "{}", Some(&default)));
    assert!(equal(r#"{"u":{}}"#, "{}", Some(&default)));
    assert!(!equal(r#"{"u":{"n":2}}"#, "{}", Some(&default)));
    // So it is where the default is of a branch that is left out.
    let union = with(
        r#"{"anyOf":[{"type":"string","x-identity":"volatile"},{"type":"integer"}],"default":"d"}"#,
    );
    assert!(equal(r#"{"u":null}"#, "{}", Some(&union)));
    assert!(equal(r#"{"u":"x"}"#, "{}", Some(&union)));
    assert!(!equal(r#"{"u":1}"#, "{}", Some(&union)));
}

#[test]
fn what_is_empty_goes_where_its_default_goes() {
    let of = |default: &str, half: &str| {
        tool(&format!(
            r#"{{"type":"object","properties":{{"x":{{"x-empty":"absent","default":{default},"anyOf":[
                {{"type":"string","x-identity":"{half}"}},{{"type":"integer"}},{{"type":"array","items":{{"type":"string"}}}},
                {{"type":"object","properties":{{"n":{{"x-empty":"absent"}}}}}}]}}}}}}"#
        ))
    };
    for half in ["payload", "volatile"] {
        for default in [r#""X""#, "0", "[]"] {
            let tool = of(default, half);
            let absent = Typed::default().key(&Call::new("t", "{}"), Some(&tool));
            for empty in [r#""""#, "[]", "{}", r#"{"n":""}"#] {
                let call = Call::new("t", format!(r#"{{"x":{empty}}}"#));
                let key = Typed::default().key(&call, Some(&tool));
                assert_eq!(key, absent, "{half} {default} {empty}");
            }
            assert!(absent.key().is_some());
            assert!(!equal(r#"{"x":7}"#, "{}", Some(&tool)));
            // Two values of what is left out are one, and no number is one of them.
            let default_is_left_out = default == r#""X""#;
            assert_eq!(equal(r#"{"x":"Y"}"#, "{}", Some(&tool)), default_is_left_out, "{half}");
        }
    }
}

#[test]
fn what_is_empty_is_asked_of_what_is_read() {
    let of = |field: &str| tool_of_x(&format!(r#"{{"x-empty":"absent",{field}}}"#));
    let blank = of(r#""type":"string","x-identity":"token""#);
    assert!(equal(r#"{"x":" \t"}"#, "{}", Some(&blank)));
    let token = of(r#""type":"string","x-identity":"token","x-aliases":{"":"k"}"#);
    assert!(equal(r#"{"x":""}"#, r#"{"x":"k"}"#, Some(&token)));
    let json = of(r#""x-identity":"json","x-null":"absent""#);
    assert!(equal(r#"{"x":"{}"}"#, "{}", Some(&json)));
    assert!(equal(r#"{"x":"{\"u\":null,\"v\":1}"}"#, r#"{"x":"{\"v\":1}"}"#, Some(&json)));
    let list = of(r#""type":"array","items":{"type":"string"},"x-null":"absent""#);
    assert!(!equal(r#"{"x":{"u":null,"v":1}}"#, r#"{"x":{"v":1}}"#, Some(&list)));
    let code = of(r#""type":"string","x-identity":"code""#);
    assert!(!equal(r#"{"x":" "}"#, "{}", Some(&code)));
}

#[test]
fn names_are_read_without_ambiguity() {
    let tool = tool(
        r#"{"type":"object","properties":{"customer_id":{"type":"integer"},"café":{"type":"integer"},"a_b":{},"ab":{}}}"#,
    );
    for (a, b, same) in [
        (r#"{"customerId":"7"}"#, r#"{"customer_id":7}"#, true),
        (r#"{"Customer-ID":7,"Customer-ID":7.0}"#, r#"{"customer_id":7}"#, true),
        (r#"{"customerId":7,"CustomerID":7}"#, r#"{"customer_id":7}"#, false),
        (r#"{"customer id":7}"#, r#"{"customer_id":7}"#, false),
        (r#"{"cafe\u0301":7}"#, r#"{"caf\u00e9":"7"}"#, true),
        (r#"{"cafe\u0301":7,"caf\u00e9":7.0}"#, r#"{"caf\u00e9":7}"#, true),
        (r#"{"aB":1}"#, r#"{"ab":1}"#, false),
        (r#"{"other":1}"#, r#"{"other":"1"}"#, false),
        (r#"{"other":1}"#, "{}", false),
        (r#"{"\ud800":1}"#, r#"{"\ud801":1}"#, false),
        (r#"{"\ud800":1}"#, r#"{"\ufffd":1}"#, false),
    ] {
        assert_eq!(equal(a, b, Some(&tool)), same, "{a} {b}");
    }
    assert_eq!(code(&typed(r#"{"customer_id":7,"customer_id":8}"#, Some(&tool))), "duplicate_name");
    assert_eq!(code(&typed(r#"{"cafe\u0301":7,"caf\u00e9":8}"#, Some(&tool))), "duplicate_name");
    assert_eq!(
        code(&typed(r#"{"customer_id":7,"customer_id":null}"#, Some(&tool))),
        "duplicate_name"
    );
    assert_eq!(code(&typed(r#"{"o":[{"a":1,"a":"1"}]}"#, Some(&tool))), "duplicate_name");
    assert!(equal(r#"{"café":1}"#, r#"{"cafe\u0301":1}"#, None));
    assert!(!equal(r#"{"Name":1}"#, r#"{"name":1}"#, None));
}

#[test]
fn wrappers_are_taken_off() {
    let declared = tool(r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#);
    for same in [
        r#""{\"n\":1}""#,
        r#"{"arguments":{"n":1}}"#,
        r#"{"arguments":{"n":"1"}}"#,
        r#""{\"arguments\":{\"n\":1}}""#,
    ] {
        assert!(equal(r#"{"n":1}"#, same, Some(&declared)), "{same}");
    }
    assert!(equal(r#"{"n":1}"#, r#""{\"n\": 1.0}""#, None), "text-wrapped, also without a schema");
    assert!(!equal(r#"{"n":1}"#, r#"{"arguments":{"n":1}}"#, None), "the envelope needs a schema");
    assert!(!equal(r#"{"n":1}"#, r#"{"arguments":{"n":1},"m":1}"#, Some(&declared)));
    let own = tool(r#"{"type":"object","properties":{"arguments":{"type":"object"},"n":{}}}"#);
    assert!(!equal(r#"{"n":1}"#, r#"{"arguments":{"n":1}}"#, Some(&own)));
    let required = tool(r#"{"type":"object","properties":{"n":{}},"required":["arguments"]}"#);
    assert!(!equal(r#"{"n":1}"#, r#"{"arguments":{"n":1}}"#, Some(&required)));
    let described = tool(
        r#"{"type":"object","properties":{"n":{}},"additionalProperties":{"type":"object","properties":{"m":{}}}}"#,
    );
    assert!(!equal(r#"{"n":1}"#, r#"{"arguments":{"n":1}}"#, Some(&described)));
    let free = tool(r#"{"type":"object"}"#);
    assert!(!equal(r#"{"n":1}"#, r#"{"arguments":{"n":1}}"#, Some(&free)));
    assert!(!equal(r#""x""#, r#"{"x":1}"#, None));
    assert!(equal("[1, 2]", "[1,2.0]", None));
    // Four wrappers are taken off, and no more.
    let wrapped = |times| {
        (0..times).fold(r#"{"n":1}"#.to_owned(), |of, _| format!(r#"{{"arguments":{of}}}"#))
    };
    for (times, same) in [(1, true), (4, true), (5, false), (6, false)] {
        assert_eq!(equal(r#"{"n":1}"#, &wrapped(times), Some(&declared)), same, "{times}");
    }
    for (times, same) in [(2, true), (3, false)] {
        let twice = literal(&literal(&wrapped(times)));
        assert_eq!(equal(r#"{"n":1}"#, &twice, Some(&declared)), same, "text in text, {times}");
    }
    // Arguments that are no object are in no wrapper.
    let text = tool(r#"{"type":"string"}"#);
    assert!(!equal(r#"{"n":1}"#, r#""{\"n\":1}""#, Some(&text)));
}

#[test]
fn calls_without_arguments_are_one_call() {
    let optional = tool(r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#);
    for tool in [None, Some(&optional)] {
        for text in ["", " \n", "null", "{}", r#""{}""#] {
            assert!(equal("{}", text, tool), "{text}");
        }
    }
    let required =
        tool(r#"{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}"#);
    for text in ["", "null", "{}", r#""{}""#, r#"{"arguments":{}}"#] {
        assert_eq!(code(&typed(text, Some(&required))), "no_arguments", "{text}");
    }
    let with_default = tool(
        r#"{"type":"object","required":["n"],"properties":{"n":{"type":"integer","default":1}}}"#,
    );
    assert!(equal("", r#"{"n":1}"#, Some(&with_default)));
}

#[test]
fn what_has_no_safe_key_is_refused() {
    for (text, expected) in [
        (r#"{"a":1"#, "cut"),
        (r#"{"a":NaN}"#, "non_finite"),
        (r#"{"a":-Infinity}"#, "non_finite"),
        ("c", "invalid_json"),
        ("{} {}", "invalid_json"),
        (r#"{"a":1,"a":2}"#, "duplicate_name"),
        (r#"{"a":{"b":1,"b":"1"}}"#, "duplicate_name"),
        (r#"{"a":1,"a":1.0}"#, "key"),
    ] {
        assert_eq!(code(&typed(text, None)), expected, "{text}");
    }
}

#[test]
fn undeclared_members_count_unless_the_tool_says_otherwise() {
    let schema = r#"{"type":"object","additionalProperties":false,"properties":{"n":{"type":"integer"},"o":{"type":"object"},
        "p":{"type":"object","properties":{"a":{}}}}}"#;
    assert!(!equal(r#"{"n":1,"u":1}"#, r#"{"n":1}"#, Some(&tool(schema))));
    let ignoring =
        overlaid(schema, "[t]\n\"\" = { undeclared = \"ignore\", aliases = [\"mcp__t\"] }\n");
    assert!(equal(r#"{"n":1,"u":1}"#, r#"{"n":1}"#, Some(&ignoring)));
    assert!(
        !equal(r#"{"n":1,"o":{"a":1}}"#, r#"{"n":1,"o":{"a":2}}"#, Some(&ignoring)),
        "a dictionary's content"
    );
    assert!(equal(r#"{"p":{"a":1,"u":1}}"#, r#"{"p":{"a":1}}"#, Some(&ignoring)));
    assert!(!equal(r#"{"p":{"a":1}}"#, r#"{"p":{"a":2}}"#, Some(&ignoring)));
    let nothing = overlaid(r#"{"type":"object"}"#, "[t]\n\"\" = { undeclared = \"ignore\" }\n");
    assert!(equal(r#"{"u":1}"#, "{}", Some(&nothing)), "a tool without arguments");
    assert_eq!(code(&typed(r#"{"u":1,"u":2}"#, Some(&ignoring))), "duplicate_name");
    let key = |name: &str| Typed::default().key(&Call::new(name, "{}"), Some(&ignoring)).key();
    assert_eq!(key("t"), key("mcp__t"));
    assert_ne!(key("t"), key("mcp_t"));
}

#[test]
fn volatile_fields_are_left_out_and_payload_is_a_conflict() {
    let tool = tool(
        r#"{"type":"object","properties":{"to":{"type":"string"},"nonce":{"x-identity":"volatile"},
            "body":{"type":"string","x-identity":"payload"},
            "parts":{"type":"array","items":{"type":"object","properties":{"id":{},"note":{"x-identity":"payload"}}}}}}"#,
    );
    let call = |text: &str| Call::new("t", text).at("r", "1");
    let base = r#"{"to":"a","body":"x","parts":[{"id":1,"note":"n"}]}"#;
    for (other, expected) in [
        (r#"{"to":"a","body":"x","parts":[{"note":"n","id":1}],"nonce":7}"#, Verdict::Same),
        (r#"{"to":"a","body":"y","parts":[{"id":1,"note":"n"}]}"#, Verdict::Conflict),
        (r#"{"to":"a","parts":[{"id":1,"note":"n"}]}"#, Verdict::Conflict),
        (r#"{"to":"a","body":"x","parts":[{"id":1,"note":"m"}]}"#, Verdict::Conflict),
        (r#"{"to":"a","body":"x","parts":[{"id":1}]}"#, Verdict::Conflict),
        (r#"{"to":"b","body":"x","parts":[{"id":1,"note":"n"}]}"#, Verdict::Different),
        (r#"{"to":"a","body":"x","parts":[{"id":2,"note":"n"}]}"#, Verdict::Different),
    ] {
        assert_eq!(scoped(&call(base), &call(other), Some(&tool)), expected, "{other}");
    }
    assert!(equal(base, r#"{"to":"a","body":"other","parts":[{"id":1}]}"#, Some(&tool)));
}

#[test]
fn what_is_left_out_has_no_default_either() {
    let tool = tool(
        r#"{"type":"object","properties":{"nonce":{"x-identity":"volatile","default":1},"n":{}}}"#,
    );
    let texts = [r#"{"n":1}"#, r#"{"n":1,"nonce":1}"#, r#"{"n":1,"nonce":7}"#];
    let [absent, default, other] = texts.map(|text| Call::new("t", text));
    let key = |call: &Call, rules| Typed::with_rules(rules).key(call, Some(&tool)).key().unwrap();
    let all = RuleSet::ALL;
    assert_eq!([&default, &other].map(|call| key(call, all)), [key(&absent, all); 2]);
    // Without the rule it is a field as any other.
    let counted = RuleSet::ALL.without(TypedRule::VolatileLeftOut);
    assert_eq!(key(&absent, counted), key(&default, counted));
    assert_ne!(key(&absent, counted), key(&other, counted));
}

#[test]
fn a_null_that_means_absent_stands_for_the_default_in_a_union_too() {
    let tool = |null: &str| {
        tool_of_x(&format!(
            r#"{{"anyOf":[{{"type":"string","x-identity":"volatile"}},{{"type":"integer"}}],"default":"a","x-null":"{null}"}}"#
        ))
    };
    let (absent, value) = (tool("absent"), tool("value"));
    let texts = ["{}", r#"{"x":null}"#, r#"{"x":"b"}"#, r#"{"x":1}"#];
    let same_as_nothing = |tool: &Tool, rules: RuleSet| {
        let key =
            |text: &str| Typed::with_rules(rules).key(&Call::new("t", text), Some(tool)).key();
        texts.map(|text| key(text).unwrap() == key("{}").unwrap())
    };
    assert_eq!(same_as_nothing(&absent, RuleSet::ALL), [true, true, true, false]);
    assert_eq!(same_as_nothing(&value, RuleSet::ALL), [true, false, true, false]);
    let without = RuleSet::ALL.without(TypedRule::NullAbsent);
    assert_eq!(same_as_nothing(&absent, without), [true, false, true, false]);
}

#[test]
fn nothing_in_place_of_a_list_is_no_list_of_one() {
    for kind in ["", r#","x-identity":"set""#] {
        let tool = tool_of_x(&format!(r#"{{"type":"array","x-empty":"absent"{kind}}}"#));
        for text in [r#"{"x":{}}"#, r#"{"x":""}"#, r#"{"x":[]}"#] {
            assert!(equal(text, "{}", Some(&tool)), "{kind} {text}");
        }
        assert!(!equal(r#"{"x":{"a":1}}"#, "{}", Some(&tool)));
        assert!(equal(r#"{"x":{"a":1}}"#, r#"{"x":[{"a":1}]}"#, Some(&tool)));
    }
}

#[test]
fn scope_makes_the_slot() {
    let call = || Call::new("t", r#"{"n":1}"#).at("r", "3");
    let with = |change: &dyn Fn(&mut Call)| {
        let mut call = call();
        change(&mut call);
        call
    };
    let attempt = |run: &str, step: &str, occurrence: u64| {
        Some(samecall_call::Attempt { run_id: run.into(), step: step.into(), occurrence })
    };
    let cases: [(Call, Verdict); 10] = [
        (call(), Verdict::Same),
        (with(&|c| c.scope.occurrence = Some(0)), Verdict::Same),
        (with(&|c| c.scope.occurrence = Some(1)), Verdict::Different),
        (with(&|c| c.scope.step = "4".into()), Verdict::Suspect),
        (with(&|c| c.scope.step = "3.0".into()), Verdict::Suspect),
        (with(&|c| c.scope.run_id = "s".into()), Verdict::Different),
        (with(&|c| c.scope.tenant = Some("x".into())), Verdict::Different),
        (with(&|c| c.scope.call_site = Some("loop[0]".into())), Verdict::Different),
        (
            with(&|c| {
                c.scope.run_id = "s".into();
                c.scope.attempt_of = attempt("r", "3", 0)
            }),
            Verdict::Same,
        ),
        (
            with(&|c| {
                c.scope.attempt_of = attempt("r", "3", 0);
                c.arguments = r#"{"n":2}"#.into()
            }),
            Verdict::Conflict,
        ),
    ];
    for (other, expected) in &cases {
        assert_eq!(scoped(&call(), other, None), *expected, "{:?}", other.scope);
        assert_eq!(scoped(other, &call(), None), *expected, "{:?}", other.scope);
    }
    let site = |n: u8| {
        with(&|c| {
            c.scope.call_site = Some("s".into());
            c.arguments = format!(r#"{{"n":{n}}}"#)
        })
    };
    assert_eq!(
        scoped(&site(1), &site(2), None),
        Verdict::Conflict,
        "a pinned place with two contents"
    );
    let unlike = with(&|c| c.arguments = r#"{"n":2}"#.into());
    assert_eq!(scoped(&call(), &unlike, None), Verdict::Different, "parallel calls of one step");
    for lacking in [
        with(&|c| c.scope.run_id = Default::default()),
        with(&|c| c.scope.step = Default::default()),
    ] {
        assert_eq!(code(&TypedScoped::default().key(&lacking, None)), "missing_scope");
    }
}

#[test]
fn business_keys_make_the_named_fields_the_fingerprint() {
    let schema = |scope: &str| {
        tool(&format!(
            r#"{{"type":"object","x-idempotency":{{"scope":"{scope}","fields":["order.id"]}},
                "properties":{{"order":{{"type":"object","properties":{{"id":{{"type":"integer"}}}}}},"amount":{{"type":"number"}}}}}}"#
        ))
    };
    let call = |run: &str, step: &str, id: &str, amount: &str| {
        Call::new("t", format!(r#"{{"order":{{"id":{id}}},"amount":{amount}}}"#)).at(run, step)
    };
    let first = call("r", "1", "7", "5");
    for (scope, other, expected) in [
        ("step", call("r", "1", "\"7\"", "5.0"), Verdict::Same),
        ("step", call("r", "1", "7", "6"), Verdict::Conflict),
        ("step", call("r", "2", "7", "5"), Verdict::Suspect),
        ("step", call("r", "1", "8", "5"), Verdict::Different),
        ("run", call("r", "2", "7", "5"), Verdict::Same),
        ("run", call("r", "2", "7", "6"), Verdict::Conflict),
        ("run", call("s", "2", "7", "5"), Verdict::Different),
        ("tenant", call("s", "2", "7", "5"), Verdict::Same),
        ("tenant", call("s", "2", "8", "5"), Verdict::Different),
    ] {
        assert_eq!(
            scoped(&first, &other, Some(&schema(scope))),
            expected,
            "{scope} {}",
            other.arguments
        );
    }
    let mut second = first.clone();
    second.scope.occurrence = Some(1);
    assert_eq!(
        scoped(&first, &second, Some(&schema("step"))),
        Verdict::Same,
        "occurrence is ignored"
    );
    let keyer = TypedScoped::default();
    for text in [r#"{"amount":5}"#, r#"{"order":{"id":null},"amount":5}"#, r#"{"order":7}"#] {
        let call = Call::new("t", text).at("r", "1");
        assert_eq!(
            code(&keyer.key(&call, Some(&schema("run")))),
            "missing_business_field",
            "{text}"
        );
    }
    let bare = Call::new("t", r#"{"order":{"id":7}}"#);
    assert_eq!(code(&keyer.key(&bare, Some(&schema("tenant")))), "key");
    assert_eq!(code(&keyer.key(&bare, Some(&schema("run")))), "missing_scope");
}

#[test]
fn resumed_steps_replay_in_any_order() {
    let first = ["mail", "db_set"].map(|tool| Call::new(tool, r#"{"x":1}"#).at("r1", "2"));
    let again = ["db_set", "mail"].map(|tool| Call::new(tool, r#"{"x": 1.0}"#).at("r1", "2"));
    for call in &first {
        let replays =
            again.iter().filter(|other| scoped(call, other, None) == Verdict::Same).count();
        assert_eq!(replays, 1);
    }
}

#[test]
fn what_stands_side_by_side_is_not_deep() {
    let beside = |one: &str| format!(r#"{{"x":[{}]}}"#, vec![one; 600].join(","));
    for schema in [
        r#"{"type":"array","items":{"type":"array","items":{"type":"array"}}}"#,
        r#"{"type":"array","items":{"type":"object","properties":{"a":{"type":"object"}}}}"#,
        r#"{"type":"array","items":{"x-identity":"set"}}"#,
        "{}",
    ] {
        for one in ["[[]]", r#"{"a":{}}"#] {
            assert_eq!(
                code(&typed(&beside(one), Some(&tool_of_x(schema)))),
                "key",
                "{schema} {one}"
            );
        }
    }
}

#[test]
fn text_within_lists_goes_as_deep_as_the_limit() {
    // The object, lists around a text, and as many in the text as the reader lets through.
    let inner = Dialect::Strict.max_depth();
    let around = |n: usize, of: &str, [open, close]: [&str; 2]| {
        format!("{}{of}{}", open.repeat(n), close.repeat(n))
    };
    let text = literal(&around(inner, "", ["[", "]"]));
    let outcome = |depth: usize| {
        let lists = depth - inner - 1;
        let list = [r#"{"type":"array","items":"#, "}"];
        let tool = tool_of_x(&around(lists, r#"{"x-identity":"json"}"#, list));
        code(&typed(&format!(r#"{{"x":{}}}"#, around(lists, &text, ["[", "]"])), Some(&tool)))
    };
    assert_eq!(
        [540, 543, 544, 545, 546].map(outcome),
        ["key", "key", "key", "too_deep", "too_deep"]
    );
}
