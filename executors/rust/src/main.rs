//! An executor: the crate `jsonschema` checks the arguments against the tool's schema, and the handler receives the
//! `serde_json::Value` that was read. The protocol is in docs/EXECUTORS.md.

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::io::{self, BufRead, BufWriter, Write};

/// Schemas kept compiled; further ones are compiled anew at each call.
const KEPT: usize = 4096;

fn main() -> io::Result<()> {
    let mut kept: HashMap<String, Option<Validator>> = HashMap::new();
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let call: Value = serde_json::from_str(&line?)?;
        writeln!(out, "{}", answer(&call, &mut kept))?;
    }
    out.flush()
}

fn answer(call: &Value, kept: &mut HashMap<String, Option<Validator>>) -> Value {
    let refused = |reason: &str| json!({ "refused": reason });
    if call.get("registered_as").is_some_and(|name| *name != call["tool"]) {
        return refused("unknown tool");
    }
    let parameters = call.get("parameters").cloned().unwrap_or_else(|| json!({}));
    let key = parameters.to_string();
    let compile = || jsonschema::validator_for(&parameters).ok();
    let fresh;
    let validator = if kept.len() < KEPT || kept.contains_key(&key) {
        kept.entry(key).or_insert_with(compile).as_ref()
    } else {
        fresh = compile();
        fresh.as_ref()
    };
    let Some(validator) = validator else { return refused("schema") };
    let Ok(value) = serde_json::from_str(call["arguments"].as_str().unwrap_or_default()) else {
        return refused("no JSON");
    };
    if !validator.is_valid(&value) {
        return refused("invalid");
    }
    json!({ "received": dump(&value) })
}

/// What the handler receives, with its types.
fn dump(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => json!({ "float": number.to_string() }),
        Value::Number(number) => json!({ "int": number.to_string() }),
        Value::Array(items) => items.iter().map(dump).collect(),
        Value::Object(members) => {
            let members: Map<_, _> =
                members.iter().map(|(name, v)| (name.clone(), dump(v))).collect();
            json!({ "object": members })
        }
        other => other.clone(),
    }
}
