//! Schemas that nobody wrote: every kind with every type and keyword, and fields drawn at random within containers and unions.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Strategy, prop_oneof};
use proptest::sample::{select, subsequence};
use std::fmt::Write as _;

/// The places where a field stands in turn.
const PLACES: usize = 5;

const KINDS: [&str; 22] = [
    "", "exact", "number", "boolean", "enum", "token", "text", "code", "instant", "uuid", "uri",
    "time", "phone", "date", "duration", "email", "list", "set", "json", "volatile", "payload",
    "-",
];

const TYPES: [&str; 9] = [
    "",
    r#""type":"string","#,
    r#""type":"number","#,
    r#""type":"integer","#,
    r#""type":"boolean","#,
    r#""type":"array","items":{"type":"string"},"#,
    r#""type":"object","properties":{"n":{"type":"string"}},"#,
    r#""type":["string","null"],"#,
    r#""type":["number","string"],"#,
];

const MORE: [&str; 24] = [
    "",
    r#""enum":["EUR","Usd"],"#,
    r#""enum":["a",1,true,null],"#,
    r#""enum":["EUR"],"x-aliases":{"euro":"EUR"},"#,
    r#""x-aliases":{"me":"Alice@Example.org"},"#,
    r#""default":"","#,
    r#""default":"X","#,
    r#""default":1.50,"#,
    r#""default":null,"#,
    r#""default":true,"#,
    r#""default":[],"#,
    r#""default":{},"#,
    r#""examples":["A b","c"],"#,
    r#""examples":["ftp://Example.org:21/a/../b"],"#,
    r#""x-null":"absent","#,
    r#""x-null":"value","#,
    r#""x-empty":"absent","#,
    r#""x-empty":"absent","default":"X","#,
    r#""format":"date-time","#,
    r#""format":"uri","#,
    r#""pattern":"^[A-Z]{3}$","#,
    r#""const":"Only","#,
    r#""minItems":2,"#,
    r#""additionalProperties":{"type":"integer"},"required":["n"],"#,
];

/// What is said beside what a container holds or a union takes.
const BESIDE: [&str; 16] = [
    "",
    "",
    "",
    "",
    r#""default":"X","#,
    r#""default":"","#,
    r#""default":0,"#,
    r#""default":null,"#,
    r#""default":[],"#,
    r#""default":["X"],"#,
    r#""default":{},"#,
    r#""default":{"n":"X"},"#,
    r#""x-null":"absent","#,
    r#""x-null":"absent","default":0,"#,
    r#""x-empty":"absent","#,
    r#""x-empty":"absent","default":"X","#,
];

/// A schema of one kind, with what else is said of it.
fn field(kind: &str, rest: &str) -> String {
    let kind = match kind {
        "" => String::new(),
        "-" => r#""anyOf":[{"type":"string","x-identity":"token"},{"type":"integer"}],"#.to_owned(),
        _ => format!(r#""x-identity":"{kind}","#),
    };
    let field = format!("{kind}{rest}");
    format!("{{{}}}", field.trim_end_matches(','))
}

/// The places where a field may stand.
fn placed(place: usize, field: &str) -> String {
    let rest = match place {
        0 => format!(r#""properties":{{"x":{field}}},"required":["x"]"#),
        1 => format!(r#""properties":{{"x":{field},"y":{{"type":"string"}}}}"#),
        2 => format!(
            r#""properties":{{"x":{{"type":"array","items":{field}}},"y":{{"anyOf":[{field},{{"type":"boolean"}}]}}}}"#
        ),
        3 => format!(
            r#""properties":{{"x":{{"type":"array","items":{{"anyOf":[{field},{{"type":"boolean"}}]}}}},"y":{{"type":"array","x-identity":"set","items":{field}}}}}"#
        ),
        _ => format!(
            r#""properties":{{"x":{{"type":"object","properties":{{"x":{field},"y":{field}}},"required":["y"]}},"y":{{"anyOf":[{{"type":"integer"}},{field}]}}}}"#
        ),
    };
    format!(r#"{{"type":"object",{rest}}}"#)
}

/// Every kind with every type and each other keyword that says something of its values, at every place: some 23,760 schemas, of
/// which those are refused whose annotation does not fit.
pub fn combinations() -> impl Iterator<Item = String> {
    let fields = KINDS.iter().flat_map(|kind| {
        TYPES
            .iter()
            .flat_map(move |of| MORE.iter().map(move |more| field(kind, &format!("{of}{more}"))))
    });
    fields.flat_map(|field| (0..PLACES).map(move |place| placed(place, &field)))
}

/// A field of any kind, with up to three keywords beside its type, within containers and unions.
fn fields() -> impl Strategy<Value = String> {
    let leaf = (select(&KINDS[..]), select(&TYPES[..]), subsequence(&MORE[1..], 0..=3)).prop_map(
        |(kind, of, more)| {
            let mut rest = of.to_owned();
            let mut named = Vec::new();
            for keywords in more {
                // A keyword twice would be another case: a schema that is no plain JSON.
                let name = keywords.split(':').next().unwrap_or_default();
                if !named.contains(&name) && !rest.contains(name) {
                    named.push(name);
                    rest.push_str(keywords);
                }
            }
            field(kind, &rest)
        },
    );
    let leaf = prop_oneof![
        8 => leaf,
        1 => select(&[r##"{"$ref":"#"}"##, r##"{"$ref":"#/properties/x"}"##, r##"{"$ref":"#/properties/y"}"##][..])
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        let list = (
            select(&["", r#""x-identity":"set","#, r#""minItems":2,"#][..]),
            select(&BESIDE[..]),
            inner.clone(),
        )
            .prop_map(|(more, beside, items)| {
                format!(r#"{{"type":"array",{more}{beside}"items":{items}}}"#)
            });
        let tuple = (select(&BESIDE[..]), inner.clone(), inner.clone()).prop_map(
            |(beside, first, rest)| {
                format!(r#"{{"type":"array",{beside}"prefixItems":[{first}],"items":{rest}}}"#)
            },
        );
        let union = (
            select(&["anyOf", "oneOf", "allOf"][..]),
            select(&BESIDE[..]),
            vec(inner.clone(), 1..4),
        )
            .prop_map(|(word, beside, of)| format!(r#"{{{beside}"{word}":[{}]}}"#, of.join(",")));
        let object = (
            vec((select(&["n", "m", "currency", "note"][..]), inner.clone()), 0..3),
            option::of(inner),
            select(&["", r#""required":["n"],"#][..]),
            select(&BESIDE[..]),
        )
            .prop_map(|(members, additional, more, beside)| {
                object(&members, additional.as_deref(), &format!("{more}{beside}"))
            });
        prop_oneof![2 => list, 1 => tuple, 3 => union, 3 => object]
    })
}

fn object(members: &[(&str, String)], additional: Option<&str>, more: &str) -> String {
    let mut text = format!(r#"{{"type":"object",{more}"properties":{{"#);
    let mut written: Vec<&str> = Vec::new();
    for (name, field) in members {
        if !written.contains(name) {
            let comma = if written.is_empty() { "" } else { "," };
            let _ = write!(text, r#"{comma}"{name}":{field}"#);
            written.push(name);
        }
    }
    text.push('}');
    if let Some(field) = additional {
        let _ = write!(text, r#","additionalProperties":{field}"#);
    }
    text.push('}');
    text
}

/// Texts of schemas of a tool's arguments. Some are refused, since an annotation does not fit.
pub fn schemas() -> impl Strategy<Value = String> {
    let more = select(
        &[
            "",
            r#""required":["x"],"#,
            r#""required":["y","z"],"#,
            r#""additionalProperties":false,"#,
            r#""additionalProperties":{"type":"number"},"#,
            r#""x-idempotency":{"scope":"run","fields":["x"]},"#,
            r#""x-null":"absent","#,
            r#""x-aliases":["u",""],"#,
        ][..],
    );
    (fields(), option::of(fields()), more).prop_map(|(x, y, more)| {
        let y = y.map(|y| format!(r#","y":{y}"#)).unwrap_or_default();
        format!(r#"{{"type":"object",{more}"properties":{{"x":{x}{y}}}}}"#)
    })
}
