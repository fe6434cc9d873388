//! Labels of pairs generated from catalogs that were not written for this project.

use samecall_call::Catalog;
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

/// Schemas of which hunts drew wrong labels: order, repeats and number of items that are left out of identity; objects of
/// a union within a union, another branch of which claims objects too; text that is read as an empty object; members of an
/// enum of a type that another branch claims too; items of a type that the union of their schemas does not take; defaults
/// of another type than their field's; payload in the items of a set that a default puts there;
/// an instant of a branch that takes no text; an empty object whose members'
/// names are decomposed; items of a set that a schema tells apart by position; names that are required and not declared; items that change places with items of another field; defaults
/// and examples that are no UUID, or of a scheme that has another port; the only member, empty and required.
#[test]
fn labels_hold_on_schemas_that_hunts_found() {
    let mut wrong: Vec<String> = Vec::new();
    for schema in [
        r#"{"type":"object","properties":{"a":{"type":"array","items":{"oneOf":[{"x-identity":"volatile"},{"type":"null"}]}}},"required":["a"]}"#,
        r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":"array","x-identity":"set","items":{"x-identity":"payload"}}}},"required":["a"]}"#,
        r#"{"type":"object","properties":{"b":{"type":"array","x-identity":"set","items":{"type":"array","x-identity":"set","items":{"x-identity":"volatile"}}}},"required":["b"]}"#,
        r##"{"type":"object","properties":{"at":{"anyOf":[{"anyOf":[{"type":"string"},{"$ref":"#"}]},{"allOf":[{"type":"dict"},{"type":"string"}]}]},"e":{"type":"array","items":{"x-identity":"text"}}},"required":["e"]}"##,
        r#"{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"null"}]}},"x-empty":"absent"}},"required":["a"]}"#,
        r#"{"type":"object","properties":{"b":{"anyOf":[{"anyOf":[{"type":"string"},{"type":"string"}]},{"enum":["a","B",1,true]}]}},"required":["b"]}"#,
        r#"{"type":"object","properties":{"b":{"type":"array","items":{"anyOf":[{"type":"tuple"},{"type":"tuple"}]}}},"required":["b"]}"#,
        r#"{"type":"object","properties":{"b":{"type":"number","default":""},"c":{"type":["number","string"],"x-identity":"number","default":"x"}}}"#,
        r#"{"type":"object","properties":{"b":{"type":"boolean","default":""},"c":{"type":["boolean","string"],"x-identity":"boolean","default":"x"}}}"#,
        r#"{"type":"object","properties":{"b":{"type":"array","x-identity":"set","items":{"type":"object","properties":{"a":{"type":"string"},"memo":{"default":"m","x-identity":"payload"}},"required":["a"]}}},"required":["b"]}"#,
        r#"{"type":"object","properties":{"a":{"allOf":[{"type":"object"},{"anyOf":[{"type":"string"},{"x-identity":"instant"}]}]}},"required":["a"]}"#,
        r#"{"type":"object","properties":{"a":{"allOf":[{"type":"object"},{"anyOf":[{"enum":["a","B"]},{"x-identity":"volatile"}]}]}},"required":["a"]}"#,
        r##"{"type":"object","properties":{"é":{"default":0,"$ref":"#"},"y":{"default":0,"$ref":"#"}},"required":["é"],"x-empty":"absent"}"##,
        r#"{"type":"object","properties":{"b":{"allOf":[{"type":"array","prefixItems":[{"x-identity":"instant"},{"type":"string"}]},{"type":"array","x-identity":"set"}]}},"required":["b"]}"#,
        r#"{"type":"object","properties":{"b":{"type":"array","x-identity":"set","prefixItems":[{"type":"string","format":"date-time"}],"items":{"type":"string"}}},"required":["b"]}"#,
        r#"{"type":"object","required":["","b"]}"#,
        r#"{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"array","x-identity":"set","items":{"x-identity":"volatile"}},{"type":"array","prefixItems":[{"x-identity":"volatile"},{"x-identity":"volatile"}]}]}},"required":["a"]}"#,
        r#"{"type":"object","properties":{"a":{"default":"a","type":"string","format":"uuid"},"b":{"type":"string","format":"uri","examples":["ftp://example.org/a"]}}}"#,
        r#"{"type":"object","properties":{"note":{"allOf":[{"x-identity":"payload"},{"type":"object","properties":{"a":{"type":"string"}},"x-empty":"absent"}]}},"required":["note"]}"#,
    ] {
        let mut catalog = Catalog::default();
        let tool = samecall_call::Tool::new("t", "", schema, None).expect("a schema");
        catalog.insert("t".to_owned(), tool);
        let profile = Profile::builtin("hostile").expect("the profile ships with the crate");
        let generator = Generator::new(&catalog, &profile, 1, 3).unwrap_or_else(|e| panic!("{e}"));
        let pairs = (0..20).flat_map(|index| generator.batch(index, 100));
        let found = pairs.filter(|pair| truth::check(pair, &catalog).is_err());
        wrong.extend(found.map(|pair| format!("{schema}: {}", pair.to_json())).take(1));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
