//! Tools of any schema: reading one never fails badly and says the same twice, and what the generator draws of its calls is
//! keyed as it should be.

use crate::broken::{Broken, Evidence, Law};
use crate::input::{Input, LEFT_OUT, tape};
use crate::subject::Subject;
use crate::{fixed_point, pair, total};
use samecall_call::json::{Text, write_text};
use samecall_call::shape::Kind;
use samecall_call::{Call, Catalog, Pair, Tool};
use samecall_drift::sweep::{self, Swept};
use samecall_drift::{Generator, Profile, truth};
use std::sync::OnceLock;

/// Fields of a tool past which no calls are drawn, for speed.
const MAX_FIELDS: usize = 60;
/// Productions on one pair.
const DEPTH: usize = 2;

/// Declared names under which values are tried.
const MAX_NAMES: usize = 4;
/// Values of every JSON type, as numbers and JSON are written in text too, and empty ones.
const VALUES: [&str; 21] = [
    "null",
    "true",
    "1",
    "1.0",
    "7.50",
    r#""""#,
    r#"" ""#,
    r#""1""#,
    r#""01""#,
    r#""True""#,
    r#""EUR ""#,
    r#""2026-08-11t09:00z""#,
    r#""{}""#,
    r#""[]""#,
    r#""[\"1\"]""#,
    "{}",
    r#"{"n":"1"}"#,
    r#"{"n":null,"m":""}"#,
    "[]",
    r#"["b","a","b"]"#,
    r#"[1,null,{"n":1.0}]"#,
];

/// What the law saw of one schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// The text is no schema, and the error says where.
    Refused,
    /// A schema of which no calls are drawn.
    Read,
    /// A schema, and a pair of calls that the strategy answered rightly.
    Drawn,
}

/// Checks the schema that bytes hold: of a first byte below 128, text up to a zero byte; of any other, a schema that the
/// bytes draw. What is behind it draws a pair of calls.
///
/// # Errors
/// Where reading twice gives two shapes, a call of the tool has no clear answer, or a law about calls is broken by the drawn
/// pair.
pub fn check(bytes: &[u8], subject: &Subject) -> Law<Seen> {
    let mut input = Input::new(bytes);
    let (schema, rest) = if input.byte() < 128 {
        let rest = input.rest();
        let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        (
            String::from_utf8_lossy(&rest[..end]).into_owned(),
            rest.get(end + 1..).unwrap_or_default(),
        )
    } else {
        let schema = schema(&mut input, 3);
        (schema, input.rest())
    };
    check_schema(&schema, rest, subject)
}

/// Checks one schema and the pair that further bytes draw.
///
/// # Errors
/// As [`check`].
pub fn check_schema(schema: &str, rest: &[u8], subject: &Subject) -> Law<Seen> {
    let broken = |class: &str, why: &str| {
        Err(Broken::new("catalog", [class], why, Evidence::Bytes(schema.as_bytes().to_vec())))
    };
    let (tool, again) = (Tool::new("t", "", schema, None), Tool::new("t", "", schema, None));
    let tool = match (tool, again) {
        (Ok(tool), Ok(again)) if shown(&tool) == shown(&again) => tool,
        (Err(reason), Err(again)) if reason == again => {
            return if reason.is_empty() {
                broken("reason", "a schema is refused without a reason")
            } else {
                Ok(Seen::Refused)
            };
        }
        _ => return broken("twice", "one schema is read in two ways"),
    };
    match Tool::new("t", "", &tool.parameters, None) {
        Ok(written) if shown(&written) == shown(&tool) => {}
        _ => return broken("written", "the schema that is kept reads otherwise"),
    }
    for arguments in ["", "{}", "null", r#"{"a":"1"}"#, "[]"] {
        total_at_rest(subject, &Call::new("t", arguments).at("r", "1"), &tool)?;
    }
    let values = VALUES.iter().cycle().skip(rest.first().map_or(0, |byte| usize::from(*byte)));
    for (property, value) in properties(&tool).zip(values) {
        total_at_rest(subject, &with(property, value), &tool)?;
    }
    if tool.shape.walk().len() > MAX_FIELDS {
        return Ok(Seen::Read);
    }
    let mut catalog = Catalog::default();
    catalog.insert("t".to_owned(), tool);
    let Ok(generator) = Generator::new(&catalog, profile(), 0, DEPTH) else {
        return Ok(Seen::Read);
    };
    let drawn = draw(&generator, rest);
    let Some(tool) = catalog.by_name("t") else { return Ok(Seen::Read) };
    if !truth::has_meaning(&drawn, &catalog) {
        return Ok(Seen::Read);
    }
    if let Err(disagreement) = truth::check(&drawn, &catalog) {
        return Err(contradicted(drawn, disagreement, &catalog, rest));
    }
    let inline = samecall_drift::with_inline_schema(drawn.clone(), &catalog);
    let of_tool = |call: &Call| tool.is_named(&call.tool).then_some(&**tool);
    for call in [&drawn.a, &drawn.b] {
        if let Some(tool) = of_tool(call) {
            total_at_rest(subject, call, tool)?;
        }
    }
    pair::check(subject, &inline, [of_tool(&drawn.a), of_tool(&drawn.b)])?;
    Ok(Seen::Drawn)
}

/// Checks the labels of a tool's pairs, given its schema: of the one that these bytes draw, where there are any, and of a
/// sweep.
///
/// # Errors
/// Where the second judge contradicts a label, or there is none to judge.
pub fn check_labels(schema: &str, drawn_by: Option<&[u8]>) -> Law<usize> {
    let nothing = |why: String| {
        Broken::new("label", ["nothing"], why, Evidence::Bytes(schema.as_bytes().to_vec()))
    };
    let tool = Tool::new("t", "", schema, None).map_err(nothing)?;
    let mut catalog = Catalog::default();
    catalog.insert("t".to_owned(), tool);
    if let Some(rest) = drawn_by {
        let generator = Generator::new(&catalog, profile(), 0, DEPTH);
        let generator = generator.map_err(|error| nothing(error.to_string()))?;
        let drawn = draw(&generator, rest);
        if let (true, Err(disagreement)) =
            (truth::has_meaning(&drawn, &catalog), truth::check(&drawn, &catalog))
        {
            return Err(contradicted(drawn, disagreement, &catalog, rest));
        }
    }
    match sweep::labels(&catalog).map_err(|error| nothing(error.to_string()))? {
        Swept::Held(0) => Err(nothing("no drawn pair has a meaning".to_owned())),
        Swept::Held(count) => Ok(count),
        Swept::Contradicted(found) => {
            let (pair, disagreement) = *found;
            Err(contradicted(pair, disagreement, &catalog, &[]))
        }
    }
}

/// Checks calls of a tool, given its schema, that say one thing alone: each value under each of the first declared names.
/// Returns the number of calls.
///
/// # Errors
/// Where one has no clear answer, or its canonical form is no fixed point.
pub fn check_values(schema: &str, subject: &Subject) -> Law<usize> {
    let Ok(tool) = Tool::new("t", "", schema, None) else { return Ok(0) };
    let mut checked = 0;
    for property in properties(&tool) {
        for value in VALUES {
            total_at_rest(subject, &with(property, value), &tool)?;
            checked += 1;
        }
    }
    Ok(checked)
}

/// The first declared names of a tool.
fn properties(tool: &Tool) -> impl Iterator<Item = &str> {
    let declared = match &tool.shape.root().kind {
        Kind::Object(object) => &object.properties[..],
        _ => &[],
    };
    declared.iter().take(MAX_NAMES).map(|property| property.name.as_str())
}

fn with(property: &str, value: &str) -> Call {
    let mut name = String::new();
    // Writing to a String cannot fail.
    let _ = write_text(&mut name, &Text::from(property));
    Call::new("t", format!("{{{name}:{value}}}")).at("r", "1")
}

fn total_at_rest(subject: &Subject, call: &Call, tool: &Tool) -> Law<()> {
    total::check(subject, call, Some(tool))?;
    fixed_point::check(subject, call, Some(tool)).map(|_| ())
}

fn draw(generator: &Generator, bytes: &[u8]) -> Pair {
    let tape = tape(bytes);
    generator.pair_of_tape_without(&tape[..LEFT_OUT], tape[LEFT_OUT] >> 16)
}

fn contradicted(
    pair: Pair,
    found: truth::Disagreement,
    catalog: &Catalog,
    by: &[u8],
) -> Box<Broken> {
    let class = found.drift.into_iter().chain(["label".to_owned()]);
    let why = format!("the second judge finds {}", found.found);
    let inline = samecall_drift::with_inline_schema(pair, catalog);
    Broken::new("label", class, why, Evidence::Drawn(Box::new(inline), by.to_vec()))
}

/// Every field with its kind and what its absence means.
fn shown(tool: &Tool) -> String {
    format!("{:?}", tool.shape)
}

fn profile() -> &'static Profile {
    static SHARED: OnceLock<Profile> = OnceLock::new();
    SHARED.get_or_init(|| Profile::builtin("hostile").expect("the built-in profile is read"))
}

/// The text of a schema that an input draws: the shapes that are in use, and those that no author should write.
pub fn schema(input: &mut Input<'_>, depth: usize) -> String {
    const LEAVES: [&str; 44] = [
        r#"{"type":"string"}"#,
        r#"{"type":"integer"}"#,
        r#"{"type":"number","multipleOf":0.01}"#,
        r#"{"type":"boolean"}"#,
        "{}",
        "true",
        r#"{"type":"string","format":"date-time"}"#,
        r#"{"type":"string","format":"date"}"#,
        r#"{"type":"string","format":"time"}"#,
        r#"{"type":"string","format":"duration"}"#,
        r#"{"type":"string","format":"uuid"}"#,
        r#"{"type":"string","format":"uri"}"#,
        r#"{"type":"string","format":"phone"}"#,
        r#"{"type":"string","format":"email"}"#,
        r#"{"type":"string","pattern":"^[A-Z]{3}$"}"#,
        r#"{"type":"string","pattern":"^[a-f0-9]+$"}"#,
        r#"{"type":"string","pattern":"("}"#,
        r#"{"enum":["a","B","c d"]}"#,
        r#"{"enum":["a","A"]}"#,
        r#"{"enum":[1,"1",true,null]}"#,
        r#"{"const":"only"}"#,
        r#"{"type":["string","null"]}"#,
        r#"{"type":["integer","string"]}"#,
        r#"{"type":["boolean","number","null"]}"#,
        r#"{"type":"dict"}"#,
        r#"{"type":"float"}"#,
        r#"{"type":"tuple"}"#,
        r#"{"type":"any"}"#,
        r#"{"type":7}"#,
        r#"{"x-identity":"token"}"#,
        r#"{"x-identity":"text"}"#,
        r#"{"x-identity":"code"}"#,
        r#"{"x-identity":"instant"}"#,
        r#"{"x-identity":"volatile"}"#,
        r#"{"x-identity":"payload"}"#,
        r#"{"x-identity":"json"}"#,
        r#"{"x-identity":"phone"}"#,
        r#"{"type":"string","x-null":"value"}"#,
        r#"{"type":["string","null"],"x-null":"absent"}"#,
        r#"{"type":"string","x-empty":"absent"}"#,
        r#"{"type":"string","enum":["EUR","USD"],"x-aliases":{"euro":"EUR"}}"#,
        r##"{"$ref":"#"}"##,
        r##"{"$ref":"#/properties/a"}"##,
        r#"{"minLength":3,"maxLength":1}"#,
    ];
    const DEFAULTS: [&str; 10] =
        ["null", "0", "3", "\"\"", "\"a\"", "true", "[]", "{}", "\"EUR\"", "1.50"];
    if depth == 0 {
        return input.of(&LEAVES).to_owned();
    }
    let inner = |input: &mut Input<'_>| schema(input, depth - 1);
    // The arguments themselves are an object nearly always.
    let choice = if depth == 3 { input.below(10) } else { 4 + input.below(12) };
    match choice {
        0..=6 => {
            const NAMES: [&str; 12] = [
                "a",
                "b",
                "amount",
                "customer_id",
                "customerId",
                "note",
                "at",
                "é",
                "x-y",
                "X_Y",
                "arguments",
                "",
            ];
            let count = 1 + input.below(4);
            let first = input.below(NAMES.len());
            let mut members = Vec::new();
            let mut required = Vec::new();
            for at in 0..count {
                let name = NAMES[(first + at) % NAMES.len()];
                let mut property = inner(input);
                if input.below(4) == 3 && property.starts_with("{\"") {
                    let default = input.of(&DEFAULTS);
                    property.insert_str(1, &format!("\"default\":{default},"));
                }
                if input.below(3) == 0 {
                    required.push(format!("\"{name}\""));
                }
                members.push(format!("\"{name}\":{property}"));
            }
            let mut text = format!(
                "{{\"type\":\"object\",\"properties\":{{{}}},\"required\":[{}]",
                members.join(","),
                required.join(",")
            );
            const MORE: [&str; 10] = [
                "",
                "",
                "",
                ",\"additionalProperties\":false",
                ",\"additionalProperties\":{\"type\":\"integer\"}",
                ",\"x-null\":\"absent\"",
                ",\"x-empty\":\"absent\"",
                ",\"x-idempotency\":{\"scope\":\"run\",\"fields\":[\"a\"]}",
                ",\"x-idempotency\":{\"scope\":\"step\",\"fields\":[\"amount\",\"a\"]}",
                ",\"patternProperties\":{\"^x\":{}}",
            ];
            text.push_str(input.of(&MORE));
            text.push('}');
            text
        }
        7 => format!("{{\"anyOf\":[{},{}]}}", inner(input), inner(input)),
        8 => format!("{{\"oneOf\":[{},{{\"type\":\"null\"}}]}}", inner(input)),
        9 => format!("{{\"allOf\":[{},{}]}}", inner(input), inner(input)),
        10 | 11 => format!("{{\"type\":\"array\",\"items\":{}}}", inner(input)),
        12 => format!("{{\"type\":\"array\",\"x-identity\":\"set\",\"items\":{}}}", inner(input)),
        13 => format!("{{\"type\":\"array\",\"prefixItems\":[{},{}]}}", inner(input), inner(input)),
        _ => input.of(&LEAVES).to_owned(),
    }
}
