//! Calls, pairs, catalogs and lines as users write them, good and bad.

use samecall_call::json::{Dialect, parse};
use samecall_call::{
    Call, Catalog, LineReader, Pair, Part, Resolver, SchemaRef, Truth, parse_record,
};
use std::io::Cursor;

const PAIR: &str = r#"{"id":"p1","set":"s","truth":"retry","why":"key_order","drift":["x"],
    "a":{"tool":"pay","arguments":"{\"n\":1}","run_id":"r","step":3},
    "b":{"tool":"pay","arguments":"{\"n\":1.0}","run_id":null,"step":"3","occurrence":1,
         "call_site":"loop[0]","tenant":"t","attempt_of":{"run_id":"q","step":-0}}}"#;

fn pair(text: &str) -> Result<Pair, String> {
    parse_record(text, Pair::from_value)
}

#[test]
fn a_pair_is_read_whole_and_written_back() {
    let pair = pair(PAIR).unwrap();
    assert_eq!(pair.truth, Truth::Retry);
    assert_eq!(pair.cluster, "r", "the first call's run, where no cluster is stated");
    assert_eq!(pair.a.arguments, r#"{"n":1}"#);
    assert_eq!((&pair.a.scope.step, &pair.b.scope.step), (&Part::from("3"), &Part::from("3")));
    assert_eq!(pair.b.scope.run_id, Part::Null);
    assert_eq!(pair.a.scope.tenant, None);
    assert_eq!(pair.b.scope.effective_run(), Some("q"));
    assert_eq!(pair.b.scope.effective_step(), Some("0"));
    assert_eq!(pair.b.scope.effective_occurrence(), 0, "the first attempt's, not this call's");
    let again = self::pair(&pair.to_json()).unwrap();
    assert_eq!(again, pair);
}

#[test]
fn text_ids_that_look_like_numbers_stay_text() {
    let call = Call::new("t", "{}").at("42", "9007199254740993");
    let text = call.to_json();
    let again = parse_record(&text, Call::from_value).unwrap();
    assert_eq!(again, call);
    assert!(text.contains(r#""run_id":"42""#), "{text}");
}

#[test]
fn bad_pairs_name_the_field_and_show_no_value() {
    for (from, to, message) in [
        (r#""truth":"retry""#, r#""truth":"secret""#, "`truth` must be \"retry\" or \"distinct\""),
        (r#""truth":"retry","#, "", "`truth` is missing"),
        (r#""id":"p1","#, "", "`id` is missing"),
        (r#""drift":["x"]"#, r#""drift":"x""#, "`drift` must be a list of texts"),
        (r#""drift":["x"]"#, r#""drift":[1]"#, "`drift` must be a list of texts"),
        (r#""step":3}"#, r#""step":3.0}"#, "`a.step` must be an integer or text"),
        (r#""step":3}"#, r#""step":[]}"#, "`a.step` must be an integer or text, but is array"),
        (r#""run_id":"r""#, r#""run_id":7"#, "`a.run_id` must be text, but is number"),
        (r#""occurrence":1"#, r#""occurrence":-1"#, "`b.occurrence` must be an integer from 0 up"),
        (r#""tenant":"t""#, r#""tenant":{}"#, "`b.tenant` must be text, but is object"),
        (r#"{"run_id":"q","step":-0}"#, r#"{"run_id":1}"#, "`b.attempt_of.run_id` must be text"),
        (r#"{"run_id":"q","step":-0}"#, r#""q""#, "must be an object, but is text"),
        (
            r#""tool":"pay","arguments":"{\"n\":1}","#,
            r#""tool":"pay","#,
            "`a.arguments` is missing",
        ),
        (
            r#""arguments":"{\"n\":1}""#,
            r#""arguments":{"secret":1}"#,
            "`a.arguments` must be text, but is object",
        ),
        (r#""arguments":"{\"n\":1}""#, r#""arguments":"\ud800""#, "lone surrogate"),
        (r#""set":"s","#, r#""set":"s","parameters":3,"#, "`parameters` must be a JSON Schema"),
        (r#""set":"s","#, r#""set":"s" "#, "no JSON: unexpected character at byte"),
    ] {
        let text = PAIR.replacen(from, to, 1);
        assert_ne!(text, PAIR, "{from} is not in the pair");
        let error = pair(&text).unwrap_err();
        assert!(error.contains(message), "{error} should hold {message}");
        assert!(!error.contains("secret"), "{error}");
    }
}

#[test]
fn lines_are_numbered_and_blank_ones_passed_over() {
    let mut lines = LineReader::new("f", Cursor::new(b"\n{}\r\n  \n\xff\n[]".to_vec()));
    assert_eq!(lines.next_line().unwrap(), Some((2, "{}")));
    assert_eq!(lines.next_line().unwrap_err().to_string(), "f:4: is no UTF-8");
    assert_eq!(lines.next_line().unwrap(), Some((5, "[]")));
    assert_eq!(lines.next_line().unwrap(), None);
    assert!(LineReader::open("/nowhere/at/all".as_ref()).is_err());
}

#[test]
fn catalogs_of_every_shape_are_read() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#;
    for text in [
        format!(r#"{{"k":{{"name":"pay","description":"d","parameters":{schema}}}}}"#),
        format!(r#"[{{"name":"pay","parameters":{schema}}}]"#),
        format!(r#"[{{"type":"function","function":{{"name":"pay","parameters":{schema}}}}}]"#),
        format!(r#"[{{"name":"pay","input_schema":{schema}}}]"#),
        format!(r#"{{"tools":[{{"name":"pay","inputSchema":{schema}}}]}}"#),
        format!(r#"{{"pay":{{"parameters":{schema}}}}}"#),
    ] {
        let mut catalog = Catalog::default();
        catalog.read_str("f", &text).unwrap();
        let tool = catalog.by_name("pay").unwrap_or_else(|| panic!("{text}"));
        assert_eq!(parse(&tool.parameters, Dialect::Strict).unwrap().to_string(), schema);
        assert_eq!(tool.shape.walk()[0].field.kind.name(), "number");
    }
}

#[test]
fn bad_catalogs_name_tool_and_field() {
    for (text, message) in [
        ("[{}]", "f: tool 0: `name` is missing"),
        (r#"{"k":3}"#, "f: tool `k`: must be an object, but is number"),
        (r#"[{"name":"t","parameters":[]}]"#, "f: tool 0: `parameters` must be an object"),
        ("3", "f: a catalog must be a list of tools"),
        ("{\n\n]", "f: line 3: no JSON"),
        (
            r#"[{"name":"t","parameters":{"properties":{"a":{"x-identity":"txt"}}}}]"#,
            "f: tool 0: field `a`: `x-identity`: `txt` is no kind",
        ),
    ] {
        let error = Catalog::default().read_str("f", text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error} should start with {message}");
    }
}

#[test]
fn names_that_several_tools_share_find_none() {
    let mut catalog = Catalog::default();
    catalog
        .read_str(
            "f",
            r#"{"a":{"name":"t","parameters":{}},"b":{"name":"t","parameters":{"type":"object"}},
                           "c":{"name":"u","x":1},"d":{"name":"u","parameters":{}}}"#,
        )
        .unwrap();
    let resolver = Resolver::new(catalog);
    let found = |name: &str, schema| resolver.resolve(name, &schema).unwrap().is_some();
    assert!(!found("t", SchemaRef::ByName));
    assert!(found("t", SchemaRef::Key("a".into())));
    assert!(found("u", SchemaRef::ByName), "the two have one schema");
    assert!(found("x", SchemaRef::Inline(r#"{"type":"object"}"#.into())));
    assert!(!found("x", SchemaRef::Key("nowhere".into())));
    let wrong = SchemaRef::Inline(r#"{"x-null":"?"}"#.into());
    assert!(resolver.resolve("x", &wrong).unwrap_err().starts_with("`parameters`: "));
}

#[test]
fn a_tool_may_state_its_business_key_and_aliases_beside_its_parameters() {
    let read = |text: &str| {
        let mut catalog = Catalog::default();
        catalog.read_str("tools.json", text).map(|()| catalog)
    };
    let stated = r#""x-idempotency":{"scope":"run","fields":["id"]},"x-aliases":["bill"]"#;
    let bare = r#""name":"pay","parameters":{"type":"object","properties":{"id":{}}}"#;
    for text in [
        format!("[{{{bare},{stated}}}]"),
        format!(r#"[{{"type":"function",{stated},"function":{{{bare}}}}}]"#),
        format!(r#"[{{"type":"function","function":{{{bare},{stated}}}}}]"#),
    ] {
        let catalog = read(&text).expect("the catalog is right");
        let tool = catalog.by_name("bill").expect("an alias finds the tool");
        let key = tool.shape.idempotency.as_ref().expect("the key is read");
        assert_eq!(key.fields, ["id"], "{text}");
    }
    let misspelt = format!(r#"[{{{bare},"x-idempotency":{{"scope":"week","fields":["id"]}}}}]"#);
    let error = read(&misspelt).expect_err("a misspelt scope is an error").to_string();
    assert!(error.contains("tool 0") && error.contains("scope"), "{error}");
}
