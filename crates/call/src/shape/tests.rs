//! What the compiler makes of schemas, standard and wild.

use super::*;
use crate::json::{Dialect, parse};
use crate::shape::overlay::Overlay;

fn shape(schema: &str) -> Shape {
    compile(&parse(schema, Dialect::Python).unwrap(), None).unwrap()
}

/// The kind of every field, as `path: kind` in walking order.
fn kinds(shape: &Shape) -> Vec<String> {
    shape.walk().iter().map(|f| format!("{}: {}", f.path, f.field.kind.name())).collect()
}

/// The kind of the one property `x`.
fn kind_of(schema: &str) -> &'static str {
    let shape = shape(&format!(r#"{{"type":"object","properties":{{"x":{schema}}}}}"#));
    shape.walk()[0].field.kind.name()
}

fn property<'s>(shape: &'s Shape, name: &str) -> &'s Field {
    shape.field(shape.root_object().unwrap().property(name).unwrap().field)
}

#[test]
fn kinds_come_from_types_formats_and_keywords() {
    for (schema, kind) in [
        (r#"{"type":"string"}"#, "exact"),
        (r#"{"type":"integer"}"#, "number"),
        (r#"{"type":"number","multipleOf":0.01}"#, "number"),
        (r#"{"type":"boolean"}"#, "boolean"),
        (r#"{"enum":["a","b"]}"#, "enum"),
        (r#"{"const":"a"}"#, "enum"),
        (r#"{"type":"string","format":"date-time"}"#, "instant"),
        (r#"{"type":"string","format":"decimal"}"#, "exact"),
        (r#"{"format":"email"}"#, "email"),
        (r#"{"type":"string","pattern":"^[A-Z]{3}$"}"#, "token"),
        (r#"{"type":"string","pattern":"[A-Z]{3}"}"#, "exact"),
        (r#"{"type":"string","pattern":"^[A-Za-z]{3}$"}"#, "exact"),
        (r#"{"type":"string","pattern":"^\\d+$"}"#, "exact"),
        (r#"{"type":"string","pattern":"^(?=x)y$"}"#, "exact"),
        (r#"{"type":"string","contentMediaType":"application/json"}"#, "json"),
        (r#"{"type":"array"}"#, "list"),
        (r#"{"type":"array","uniqueItems":true}"#, "list"),
        (r#"{"type":"array","x-identity":"set"}"#, "set"),
        (r#"{"x-identity":"volatile"}"#, "volatile"),
        (r#"{"type":"string","format":"uuid","x-identity":"code"}"#, "code"),
        (r#"{}"#, "any"),
        (r#"true"#, "any"),
        (r#"{"type":"any"}"#, "any"),
        (r#"{"type":""}"#, "any"),
        (r#"{"type":"float"}"#, "number"),
        (r#"{"type":"dict"}"#, "object"),
        (r#"{"type":"tuple"}"#, "list"),
        (r#"{"type":"String"}"#, "exact"),
        (r#"{"type":"List[str]"}"#, "list"),
        (r#"{"properties":{"y":{}}}"#, "object"),
        (r#"{"items":{"type":"string"}}"#, "list"),
        (r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, "number"),
        (r#"{"anyOf":[{"anyOf":[{"type":"integer"},{"type":"null"}]},{"type":"null"}]}"#, "number"),
        (
            r#"{"anyOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"type":"null"}]}"#,
            "union",
        ),
        (r##"{"anyOf":[{"$ref":"#/properties/x"},{"type":"null"}]}"##, "any"),
        (r#"{"type":["string","null"],"format":"date"}"#, "date"),
        (r#"{"allOf":[{"type":"string"},{"format":"uri"}]}"#, "uri"),
        (r#"{"anyOf":[{"const":"a"},{"const":"b"}]}"#, "enum"),
        (r#"{"type":["string","integer"]}"#, "union"),
        (r#"{"anyOf":[{"type":"string"},{}]}"#, "any"),
        (r#"{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}"#, "object"),
    ] {
        assert_eq!(kind_of(schema), kind, "{schema}");
    }
}

#[test]
fn references_and_recursion_are_finite() {
    let shape = shape(
        r##"{"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},
            "$defs":{"node":{"type":"object","properties":{
                "n":{"type":"integer"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}}},
              "loop":{"$ref":"#/$defs/loop"}}}"##,
    );
    let listed = kinds(&shape);
    assert_eq!(listed[0], "tree: object");
    assert!(listed.contains(&"tree.children[].n: number".to_owned()), "{listed:?}");
    assert!(listed.len() < 20, "{listed:?}");
    assert_eq!(kind_of(r##"{"$ref":"#/properties/x"}"##), "any");
    assert_eq!(kind_of(r##"{"$ref":"other.json#/y"}"##), "any");
}

#[test]
fn unions_that_refer_to_each_other_end() {
    let defs: Vec<String> = (0..8)
        .map(|i| {
            let others: Vec<String> =
                (0..8).map(|j| format!(r##"{{"$ref":"#/$defs/d{j}"}}"##)).collect();
            format!(r#""d{i}":{{"oneOf":[{{"const":{i}}},{}]}}"#, others.join(","))
        })
        .collect();
    let schema = format!(
        r##"{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{}}}}}"##,
        defs.join(",")
    );
    assert!(shape(&schema).fields.len() < 40_000);
}

#[test]
fn deep_schemas_exhaust_nothing() {
    for (open, close) in [
        (r#"{"oneOf":[{"type":"string"},"#, "]}"),
        (r#"{"properties":{"a":"#, "}}"),
        (r#"{"items":"#, "}"),
    ] {
        let levels = 300;
        shape(&(open.repeat(levels) + "{}" + &close.repeat(levels)));
    }
}

#[test]
fn unions_are_told_apart_or_exact() {
    let shape = shape(
        r#"{"type":"object","properties":{
            "by_type":{"oneOf":[{"type":"string","x-identity":"text"},{"type":"integer"}]},
            "blurred":{"oneOf":[{"type":"string","format":"date-time"},{"type":"string"}]},
            "tagged":{"oneOf":[
              {"type":"object","required":["t"],"properties":{"t":{"const":"a"},"v":{"type":"integer"}}},
              {"type":"object","required":["t"],"properties":{"t":{"const":"b"},"v":{"type":"string"}}}]}}}"#,
    );
    let select = |name: &str, value: &str| {
        let Kind::Union(union) = &property(&shape, name).kind else { panic!("{name}") };
        union.select(&parse(value, Dialect::Strict).unwrap()).map(|id| shape.field(id).kind.name())
    };
    assert_eq!(select("by_type", "\"42\""), Some("text"));
    assert_eq!(select("by_type", "42"), Some("number"));
    assert_eq!(select("by_type", "true"), None);
    assert_eq!(select("blurred", "\"x\""), None);
    assert_eq!(select("tagged", r#"{"t":"b","v":"1"}"#), Some("object"));
    assert_eq!(select("tagged", r#"{"t":"c"}"#), None);
    assert_eq!(select("tagged", r#"{"v":1}"#), None);
}

#[test]
fn branches_take_in_the_base() {
    let shape = shape(
        r#"{"type":"object","properties":{"x":{
            "type":"object","properties":{"common":{"type":"integer"}},
            "oneOf":[
              {"required":["t"],"properties":{"t":{"const":"a"}}},
              {"required":["t"],"properties":{"t":{"const":"b"}}}]}}}"#,
    );
    let listed = kinds(&shape);
    assert!(listed.contains(&"x|0.common: number".to_owned()), "{listed:?}");
    assert!(listed.contains(&"x|1.t: enum".to_owned()), "{listed:?}");
}

#[test]
fn null_and_default_mean_what_the_schema_says() {
    let shape = shape(
        r#"{"type":"object","required":["must"],"properties":{
            "opt":{"type":"string"},
            "opt_null":{"type":["string","null"]},
            "enum_null":{"enum":["a",null]},
            "clears":{"type":["string","null"],"x-null":"value"},
            "must":{"type":["string","null"]},
            "none":{"type":"string","default":null},
            "null_default":{"type":["string","null"],"default":null},
            "ten":{"type":"integer","default":10}}}"#,
    );
    let null = |name: &str| property(&shape, name).null;
    assert_eq!(null("opt"), NullMeaning::Absent);
    assert_eq!(null("opt_null"), NullMeaning::Absent);
    assert_eq!(null("enum_null"), NullMeaning::Value);
    assert_eq!(null("clears"), NullMeaning::Value);
    assert_eq!(null("must"), NullMeaning::Value);
    assert_eq!(property(&shape, "none").default, None);
    assert_eq!(property(&shape, "null_default").default, Some(Value::Null));
    assert_eq!(property(&shape, "ten").default.as_ref().unwrap().to_string(), "10");
    assert!(!shape.allows_no_arguments());

    let strict = self::shape(
        r#"{"type":"object","required":["a","b"],"properties":{
            "a":{"type":"string"},"b":{"type":["string","null"]}}}"#,
    );
    assert_eq!(property(&strict, "b").null, NullMeaning::Absent);
    assert_eq!(property(&strict, "a").null, NullMeaning::Value);
}

#[test]
fn names_are_matched_without_ambiguity() {
    let shape = shape(
        r#"{"type":"object","properties":{"customer_id":{},"a_b":{},"ab":{},"caf\u00e9":{}}}"#,
    );
    let object = shape.root_object().unwrap();
    let at = |name: &str| object.properties.iter().position(|p| p.name == name).unwrap();
    let one = |name: &str| match_names(object, &[name])[0];
    assert_eq!(one("customer_id"), NameMatch::Declared(at("customer_id")));
    assert_eq!(one("customerId"), NameMatch::Declared(at("customer_id")));
    assert_eq!(one("Customer-ID"), NameMatch::Declared(at("customer_id")));
    assert_eq!(one("customer id"), NameMatch::Undeclared);
    assert_eq!(one("aB"), NameMatch::Undeclared, "two properties fold to it");
    assert_eq!(
        match_names(object, &["customerId", "customer_id"])[0],
        NameMatch::Undeclared,
        "the declared one is present"
    );
    assert_eq!(
        match_names(object, &["customerId", "CustomerID"]),
        [NameMatch::Undeclared, NameMatch::Undeclared],
        "two names claim it"
    );
}

#[test]
fn cased_patterns_settle_case_only_when_one_case_meets() {
    let upper = CasedPattern::new("^[A-Z]{3}$").unwrap();
    assert_eq!(upper.canonical("usd"), Some("USD".to_owned()));
    assert_eq!(upper.canonical("USD"), Some("USD".to_owned()));
    assert_eq!(upper.canonical("us"), None);
    let lower = CasedPattern::new("^eu-[a-z]+-\\d$").unwrap();
    assert_eq!(lower.canonical("EU-West-1"), Some("eu-west-1".to_owned()));
    assert!(CasedPattern::new("^.+$").is_none());
    assert!(CasedPattern::new("^[^a-z]$").is_none());
    assert!(CasedPattern::new("^A|B$").is_none(), "each branch has one anchor only");
    assert!(CasedPattern::new("^(?:A|B)$").is_some());
}

#[test]
fn patterns_change_case_letter_by_letter() {
    let two = CasedPattern::new("^[A-Z]{2}$").unwrap();
    assert_eq!(two.canonical("ß"), None, "its capital would be SS");
    assert_eq!(two.canonical("ıb"), None, "dotless i is another letter");
    assert_eq!(two.canonical("ſb"), None, "so is long s to a pattern");
    assert_eq!(two.canonical("Ab"), Some("AB".to_owned()));
}

#[test]
fn many_names_are_matched() {
    let properties: Vec<String> = (0..5_000).map(|i| format!(r#""field_{i}":{{}}"#)).collect();
    let shape = shape(&format!(r#"{{"type":"object","properties":{{{}}}}}"#, properties.join(",")));
    let object = shape.root_object().unwrap();
    let written: Vec<String> = (0..20_000).map(|i| format!("Field{i}")).collect();
    let names: Vec<&str> = written.iter().map(String::as_str).collect();
    // Pairwise comparison would take minutes here.
    let found = match_names(object, &names);
    assert_eq!(found.iter().filter(|m| **m != NameMatch::Undeclared).count(), 5_000);
}

#[test]
fn fields_without_a_type_accept_any() {
    let shape = shape(
        r#"{"type":"object","properties":{"a":{"type":"array","items":{"x-identity":"text"}},
            "b":{"type":"array","items":{"type":"integer"}}}}"#,
    );
    let accepts = |name: &str, value: &str| {
        let Kind::List(items) = &property(&shape, name).kind else { panic!("{name}") };
        shape.accepts_type(items.at(0).unwrap(), &parse(value, Dialect::Strict).unwrap())
    };
    assert!(accepts("a", "\"x\""));
    assert!(accepts("b", "1"));
    assert!(!accepts("b", "\"1\""));
}

#[test]
fn overlays_annotate_without_touching_the_schema() {
    let mut overlay = Overlay::default();
    overlay
        .read_text(
            r#"
["send"]
"body" = "text"
"to[].name" = "token"
"tags" = { identity = "set", empty = "absent" }
"prio" = { aliases = { urgent = "P1" } }
"" = { aliases = ["mcp__mail__send"], undeclared = "ignore", idempotency = { scope = "run", fields = ["id"] } }

[other]
address.zip = "exact"
"#,
        )
        .unwrap();
    let schema = r#"{"type":"object","properties":{"body":{"type":"string"},"tags":{"type":"array"},
        "prio":{"type":"string"},
        "to":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}"#;
    let value = parse(schema, Dialect::Strict).unwrap();
    let shape = compile(&value, overlay.tool("send")).unwrap();
    assert_eq!(
        kinds(&shape),
        ["body: text", "prio: exact", "tags: set", "to: list", "to[]: object", "to[].name: token"]
    );
    assert_eq!(property(&shape, "tags").empty, EmptyMeaning::Absent);
    assert_eq!(property(&shape, "prio").aliases, [("urgent".to_owned(), "P1".to_owned())]);
    assert_eq!(shape.tool_aliases, ["mcp__mail__send"]);
    assert!(shape.ignore_undeclared);
    assert_eq!(shape.idempotency.unwrap().scope, IdempotencyScope::Run);
    assert_eq!(overlay.tool("other").unwrap().paths(), ["address.zip"]);
}

#[test]
fn a_scalar_kind_on_an_array_is_its_items() {
    let shape = shape(
        r#"{"type":"object","properties":{
            "a":{"type":"array","items":{"type":"string"},"x-identity":"text"},
            "b":{"type":"array","x-identity":"token"}}}"#,
    );
    assert_eq!(kinds(&shape), ["a: list", "a[]: text", "b: list", "b[]: token"]);
}

#[test]
fn misspelt_annotations_are_errors_with_their_field() {
    let bad =
        r#"{"type":"object","properties":{"a":{"type":"array","items":{"x-identity":"txt"}}}}"#;
    let error = compile(&parse(bad, Dialect::Strict).unwrap(), None).unwrap_err();
    assert_eq!(error.field, "a.[]");
    assert!(error.reason.contains("`txt` is no kind"), "{}", error.reason);
    for bad in [
        r#"{"x-null":"maybe"}"#,
        r#"{"x-empty":3}"#,
        r#"{"x-aliases":{"a":1}}"#,
        r#"{"x-idempotency":{"scope":"week","fields":["a"]}}"#,
        r#"{"x-idempotency":{"scope":"run","fields":[]}}"#,
        r#"{"x-identity":"enum"}"#,
    ] {
        assert!(compile(&parse(bad, Dialect::Strict).unwrap(), None).is_err(), "{bad}");
    }
    for bad in [
        "[t]\nx = \"txt\"",
        "[t]\nx = 3",
        "t = 3",
        "[t]\n\"\" = { alias = [] }",
        "[t\n",
        "[t]\nx = { identity = 3 }",
    ] {
        assert!(Overlay::default().read_text(bad).is_err(), "{bad}");
    }
}

#[test]
fn undeclared_members_are_exact_unless_annotated() {
    let additional = |schema: &str| shape(schema).root_object().unwrap().additional.is_some();
    assert!(!additional(r#"{"type":"object","additionalProperties":{"type":"integer"}}"#));
    assert!(!additional(r#"{"type":"object","additionalProperties":false}"#));
    assert!(additional(
        r#"{"type":"object","additionalProperties":{"type":"string","x-identity":"text"}}"#
    ));
    assert!(additional(
        r#"{"type":"object","additionalProperties":{"type":"object","properties":{"a":{}}}}"#
    ));
}

/// Types that refer to each other have more ways through them than a list can hold, and types that are used twice on every
/// level too.
#[test]
fn a_list_of_fields_does_not_grow_with_the_ways_to_them() {
    let all = |prefix: &str, of: std::ops::Range<usize>| -> String {
        let one = |at| format!(r##""{prefix}{at}":{{"$ref":"#/$defs/D{at}"}}"##);
        of.map(one).collect::<Vec<_>>().join(",")
    };
    let object = |members: &str| format!(r#"{{"type":"object","properties":{{{members}}}}}"#);
    let schema = |defs: Vec<String>| {
        let defs: Vec<String> =
            defs.iter().enumerate().map(|(at, def)| format!(r#""D{at}":{def}"#)).collect();
        let root = object(r##""x":{"$ref":"#/$defs/D0"}"##);
        let shape = format!(r#"{{"$defs":{{{}}},{}"#, defs.join(","), &root[1..]);
        self::shape(&shape)
    };
    let mutual = schema((0..20).map(|_| object(&all("p", 0..20))).collect());
    let paths = mutual.walk();
    assert!(paths.len() < 30_000, "{} paths", paths.len());
    let ids: std::collections::BTreeSet<_> = paths.iter().map(|info| info.id).collect();
    assert_eq!(ids.len(), 1 + 20 * 20, "each field is met");

    let twice = |at: usize| object(&format!("{},{}", all("a", at..at + 1), all("b", at..at + 1)));
    let doubled =
        schema((1..41).map(twice).chain([object(r#""end":{"type":"string"}"#)]).collect());
    let paths = doubled.walk();
    assert!(paths.len() < 25_000, "{} paths", paths.len());
    assert!(paths.iter().any(|info| info.path.ends_with(".end")), "all fields are met");

    let tree = r##"{"$defs":{"N":{"type":"object","properties":{"l":{"$ref":"#/$defs/N"},"r":{"$ref":"#/$defs/N"}}}},
        "type":"object","properties":{"x":{"$ref":"#/$defs/N"},"y":{"$ref":"#/$defs/N"}}}"##;
    let tree = shape(tree);
    let paths: Vec<String> = tree.walk().into_iter().map(|info| info.path).collect();
    assert_eq!(
        paths,
        ["x", "x.l", "x.l.l", "x.l.r", "x.l.r.l", "x.l.r.r", "x.r", "y", "y.l", "y.r"]
    );

    // What is used twice and is no part of itself is listed at both places.
    let address = r##"{"$defs":{"A":{"type":"object","properties":{"street":{"type":"string"}}}},
        "type":"object","properties":{"from":{"$ref":"#/$defs/A"},"to":{"$ref":"#/$defs/A"}}}"##;
    assert_eq!(
        kinds(&shape(address)),
        ["from: object", "from.street: exact", "to: object", "to.street: exact"]
    );
}
