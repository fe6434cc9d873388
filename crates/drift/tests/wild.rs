//! Labels of pairs generated from catalogs that were not written for this project.

use samecall_call::Catalog;
use samecall_call::json::{self, Dialect, Value};
use samecall_drift::sweep::{self, Swept};
use samecall_drift::{Generator, Profile, truth};
use std::path::{Path, PathBuf};

/// The folder of third-party data, where it is there.
fn shared() -> PathBuf {
    std::env::var_os("SAMECALL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    )
}

#[test]
fn labels_hold_on_wild_catalogs() {
    let folder = shared().join("traces/tools");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} not found", folder.display());
        return;
    };
    let mut wrong = Vec::new();
    let mut pairs = 0;
    for entry in entries {
        let path = entry.expect("a folder that can be listed").path();
        let mut catalog = Catalog::default();
        catalog.read_file(&path).unwrap_or_else(|e| panic!("{e}"));
        let profile = Profile::builtin("uniform").expect("the profile ships with the crate");
        let generator = Generator::new(&catalog, &profile, 1, 3).unwrap_or_else(|e| panic!("{e}"));
        for index in 0..10 {
            for pair in generator.batch(index, 500) {
                pairs += 1;
                if let Err(found) = truth::check(&pair, &catalog) {
                    wrong.push(format!(
                        "{}: {}\n{}",
                        found.drift.join(", "),
                        found.found,
                        pair.to_json()
                    ));
                }
            }
        }
    }
    assert!(pairs > 0, "{} holds catalogs", folder.display());
    assert!(
        wrong.is_empty(),
        "{} of {pairs} labels:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(6)].join("\n\n")
    );
}

/// A schema that requires itself has no finite value; what is drawn of it is cut, and its labels hold all the same.
#[test]
fn schemas_that_require_themselves_are_drawn_to_an_end() {
    for schema in [
        r##"{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}"##,
        r##"{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"}},"required":["a","b","c"]}"##,
        r##"{"type":"object","properties":{"a":{"type":"array","minItems":9,"items":{"$ref":"#"}}},"required":["a"]}"##,
        r##"{"type":"object","properties":{"a":{"$ref":"#/properties/a"}},"required":["a"]}"##,
        r##"{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"type":"string"}]}},"required":["a"]}"##,
    ] {
        let mut catalog = Catalog::default();
        let tool = samecall_call::Tool::new("t", "", schema, None).expect("a schema");
        catalog.insert("t".to_owned(), tool);
        let profile = Profile::builtin("hostile").expect("the profile ships with the crate");
        let generator = Generator::new(&catalog, &profile, 1, 3).unwrap_or_else(|e| panic!("{e}"));
        for pair in generator.batch(0, 60) {
            assert!(pair.a.arguments.len() < 1 << 20, "{schema}: {} bytes", pair.a.arguments.len());
            assert!(truth::check(&pair, &catalog).is_ok(), "{schema}: {}", pair.to_json());
        }
    }
}

/// A default that has itself as a default has no end, and is judged to have no meaning.
#[test]
fn defaults_without_end_have_no_meaning() {
    let schema = r##"{"type":"object","properties":{"a":{"default":{},"$ref":"#"},"b":{"default":{},"$ref":"#"}}}"##;
    let tool = samecall_call::Tool::new("t", "", schema, None).expect("a schema");
    let meaning = truth::intent(&samecall_call::Call::new("t", "{}"), &tool, false);
    assert_eq!(meaning, Err(truth::Unclear::TooDeep));
    // Nor has an empty one whose absence is asked for behind its defaults.
    let schema = r##"{"type":"object","properties":{"a":{"type":"object","x-empty":"absent","properties":{"a":{"default":{},"$ref":"#/properties/a"}}}}}"##;
    let tool = samecall_call::Tool::new("t", "", schema, None).expect("a schema");
    let meaning = truth::intent(&samecall_call::Call::new("t", r#"{"a":{}}"#), &tool, false);
    assert_eq!(meaning, Err(truth::Unclear::TooDeep));
}

/// A value that stands for a list of one, whose items are such lists again, has no end either.
#[test]
fn lists_of_themselves_have_no_meaning() {
    let schema = r##"{"type":"object","properties":{"a":{"type":"array","x-identity":"set","items":{"allOf":[{"type":"number"},{"$ref":"#/properties/a"}]}}}}"##;
    let tool = samecall_call::Tool::new("t", "", schema, None).expect("a schema");
    let meaning = |text| truth::intent(&samecall_call::Call::new("t", text), &tool, false);
    assert_eq!(meaning(r#"{"a":1}"#), Err(truth::Unclear::TooDeep));
    assert_eq!(meaning(r#"{"a":[[],[1]]}"#), Err(truth::Unclear::TooDeep));
    assert_eq!(meaning(r#"{"a":[[[],[]],[]]}"#), meaning(r#"{"a":[[],[[]]]}"#));
    assert!(meaning(r#"{"a":[[]]}"#).is_ok());
}

/// What is left out of identity leaves an object empty, and an empty one may be absent.
#[test]
fn an_object_of_what_is_left_out_is_empty() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"object","properties":{"n":{"x-identity":"volatile"}},"x-empty":"absent"},"b":{"type":"string"}}}"#;
    let tool = samecall_call::Tool::new("t", "", schema, None).expect("a schema");
    let meaning = |text| truth::intent(&samecall_call::Call::new("t", text), &tool, false);
    assert_eq!(meaning(r#"{"a":{"n":"x"},"b":"y"}"#), meaning(r#"{"b":"y"}"#));
    assert_ne!(meaning(r#"{"a":{"m":"x"},"b":"y"}"#), meaning(r#"{"b":"y"}"#));
}

/// What an object says of null and empty holds for its undeclared members at every depth, and nothing stands in for them.
#[test]
fn undeclared_members_are_absent_as_the_objects_around_say() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"object","x-empty":"absent","x-null":"absent","additionalProperties":{"type":"object","properties":{"n":{"type":"string","default":"X"}},"default":{"n":"Y"}}},"b":{"type":"string"}}}"#;
    let tool = samecall_call::Tool::new("t", "", schema, None).expect("a schema");
    let meaning = |text: &str| truth::intent(&samecall_call::Call::new("t", text), &tool, false);
    let absent = meaning(r#"{"b":"y"}"#);
    assert!(absent.is_ok());
    for hollow in
        [r#"{}"#, r#"{"u":null}"#, r#"{"u":{}}"#, r#"{"u":{"v":{"w":null}}}"#, r#"{"u":"{}"}"#]
    {
        assert_eq!(meaning(&format!(r#"{{"a":{hollow},"b":"y"}}"#)), absent, "{hollow}");
    }
    assert_ne!(meaning(r#"{"a":{"u":{"n":"X"}},"b":"y"}"#), absent);
    assert_eq!(
        meaning(r#"{"a":{"u":{"n":"X","v":{"w":{}}}},"b":"y"}"#),
        meaning(r#"{"a":{"u":{"n":"X"}},"b":"y"}"#)
    );

    // As empty as the branch that it is says.
    let schema = r#"{"type":"object","properties":{"a":{"type":"object","x-empty":"absent","additionalProperties":{"anyOf":[{"type":"object","properties":{"n":{"type":"string"}}},{"type":"boolean"}]}}}}"#;
    let tool = samecall_call::Tool::new("t", "", schema, None).expect("a schema");
    let meaning = |text: &str| truth::intent(&samecall_call::Call::new("t", text), &tool, false);
    assert_eq!(meaning(r#"{"a":{"u":{"n":null}}}"#), meaning("{}"));
    assert_ne!(meaning(r#"{"a":{"u":{"m":null}}}"#), meaning("{}"));
}

/// Whether a value is empty is asked of what it is read as.
#[test]
fn what_is_empty_is_asked_of_what_is_read() {
    let of = |field: &str| {
        let schema = format!(
            r#"{{"type":"object","properties":{{"x":{{"x-empty":"absent",{field}}},"y":{{}}}}}}"#
        );
        samecall_call::Tool::new("t", "", &schema, None).expect("a schema")
    };
    let same = |a: &str, b: &str, tool: &samecall_call::Tool| {
        let meaning = |x: &str| {
            let text = format!(r#"{{{x}"y":1}}"#);
            truth::intent(&samecall_call::Call::new("t", text), tool, false).expect("a meaning")
        };
        meaning(a) == meaning(b)
    };
    let blank = of(r#""type":"string","x-identity":"token""#);
    assert!(same(r#""x":" \t","#, "", &blank));
    let token = of(r#""type":"string","x-identity":"token","x-aliases":{"":"k"}"#);
    assert!(same(r#""x":"","#, r#""x":"k","#, &token));
    let json = of(r#""x-identity":"json","x-null":"absent""#);
    assert!(same(r#""x":"{}","#, "", &json));
    assert!(same(r#""x":"{\"u\":null,\"v\":1}","#, r#""x":"{\"v\":1}","#, &json));
    let list = of(r#""type":"array","items":{"type":"string"},"x-null":"absent""#);
    assert!(!same(r#""x":{"u":null,"v":1},"#, r#""x":{"v":1},"#, &list));
    let code = of(r#""type":"string","x-identity":"code""#);
    assert!(!same(r#""x":" ","#, "", &code));
}

/// Schemas of which hunts drew wrong labels, each with its cause: the regressions of law `label`.
#[test]
fn labels_hold_on_schemas_that_hunts_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/regressions");
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
    {
        let path = entry.expect("a folder that can be listed").path();
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let Ok(record) = json::parse(&text, Dialect::Strict) else { continue };
        if record.get("law").and_then(Value::as_str) != Some("label") {
            continue;
        }
        // A find's own pair is asked by the test of all regressions.
        let Some(schema) = record.get("text").and_then(Value::as_str) else { continue };
        let mut catalog = Catalog::default();
        let tool = samecall_call::Tool::new("t", "", schema, None);
        catalog.insert("t".to_owned(), tool.unwrap_or_else(|e| panic!("{}: {e}", path.display())));
        match sweep::labels(&catalog).unwrap_or_else(|e| panic!("{}: {e}", path.display())) {
            Swept::Held(pairs) => {
                assert!(pairs > 1_000, "{}: {pairs} pairs are judged", path.display());
                count += 1;
            }
            Swept::Contradicted(found) => {
                let (pair, found) = *found;
                wrong.push(format!("{}: {}: {}", path.display(), found.found, pair.to_json()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 37, "{count} schemas in {}", folder.display());
}
