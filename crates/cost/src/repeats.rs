//! How often real runs repeat a call: counted in traces, by JSON equality of the arguments and by no
//! keyer.
//!
//! A trace is JSON lines of calls in order, each with `run_id`, and where known `model`, `effect` (`read`
//! or `write`) and `result_error`.

use crate::error::{Error, Result};
use samecall_call::json::{self, Dialect, Value};
use samecall_call::{Call, LineReader};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// What was counted in the runs of one model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Repeats {
    /// Runs.
    pub runs: u64,
    /// All calls.
    pub calls: u64,
    /// Calls that equal an earlier call of their run.
    pub repeats: u64,
    /// Runs with such a call.
    pub runs_with_repeats: u64,
    /// Of the repeats, those of a call that had failed.
    pub after_failure: u64,
    /// Calls with effects.
    pub writes: u64,
    /// Writes that equal an earlier write of their run, both having succeeded: the effect happened twice.
    pub double_writes: u64,
    /// Runs with such a write.
    pub runs_with_double_writes: u64,
}

/// Repeats by trace and model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Traffic {
    /// What made this file.
    pub command: String,
    /// Where the traces are from.
    pub about: String,
    /// Trace, then model.
    pub traces: BTreeMap<String, BTreeMap<String, Repeats>>,
}

impl Traffic {
    /// Reads counts that were written before.
    ///
    /// # Errors
    /// When the file cannot be read or holds something else.
    pub fn read(path: &Path) -> Result<Self> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::Io { file: file.clone(), source })?;
        serde_json::from_str(&text).map_err(|e| Error::Syntax {
            file,
            line: e.line(),
            reason: format!("no counts of repeats: {e}"),
        })
    }
}

/// What was seen of a call earlier in its run.
#[derive(Default)]
struct Earlier {
    succeeded: bool,
    wrote: bool,
}

/// Counts the repeats in a trace, by model.
///
/// # Errors
/// When the trace cannot be read or a line is no call; names file and line.
pub fn count_repeats(path: &Path) -> Result<BTreeMap<String, Repeats>> {
    let missing = |e: samecall_call::Error| Error::Missing(e.to_string());
    let mut lines = LineReader::open(path).map_err(missing)?;
    let name = lines.name().to_owned();
    let mut seen: HashMap<(String, String), Earlier> = HashMap::new();
    let mut sets: BTreeMap<String, [BTreeSet<String>; 3]> = BTreeMap::new();
    let mut found: BTreeMap<String, Repeats> = BTreeMap::new();
    while let Some((line, text)) = lines.next_line().map_err(missing)? {
        let bad =
            |reason: String| Error::Syntax { file: name.clone(), line: line as usize, reason };
        let value = json::parse(text, Dialect::Strict).map_err(|e| bad(format!("no JSON: {e}")))?;
        let call = Call::from_value(&value).map_err(|e| bad(e.to_string()))?;
        let run = call.scope.run_id.value().ok_or_else(|| bad("`run_id` is missing".to_owned()))?;
        let model = member_text(&value, "model").unwrap_or_else(|| "unstated".to_owned());
        let is_write = member_text(&value, "effect").as_deref() == Some("write");
        let failed = matches!(member(&value, "result_error"), Some(Value::Bool(true)));

        let counts = found.entry(model.clone()).or_default();
        let [runs, repeated, doubled] = sets.entry(model).or_default();
        runs.insert(run.to_owned());
        counts.calls += 1;
        counts.writes += u64::from(is_write);
        let key = (run.to_owned(), format!("{}\n{}", call.tool, sorted(&call.arguments)));
        if let Some(earlier) = seen.get(&key) {
            counts.repeats += 1;
            repeated.insert(run.to_owned());
            counts.after_failure += u64::from(!earlier.succeeded);
            if is_write && earlier.wrote && !failed {
                counts.double_writes += 1;
                doubled.insert(run.to_owned());
            }
        }
        let earlier = seen.entry(key).or_default();
        earlier.succeeded |= !failed;
        earlier.wrote |= is_write && !failed;
    }
    for (model, counts) in &mut found {
        if let Some([runs, repeated, doubled]) = sets.get(model) {
            counts.runs = runs.len() as u64;
            counts.runs_with_repeats = repeated.len() as u64;
            counts.runs_with_double_writes = doubled.len() as u64;
        }
    }
    Ok(found)
}

fn member<'v, 'a>(value: &'v Value<'a>, name: &str) -> Option<&'v Value<'a>> {
    match value {
        Value::Object(members) => members
            .iter()
            .find(|member| member.name.as_bytes() == name.as_bytes())
            .map(|member| &member.value),
        _ => None,
    }
}

fn member_text(value: &Value<'_>, name: &str) -> Option<String> {
    match member(value, name)? {
        Value::String(text) => String::from_utf8(text.as_bytes().to_vec()).ok(),
        _ => None,
    }
}

/// The arguments with sorted members and without white space; text that is no JSON as it stands.
fn sorted(arguments: &str) -> String {
    fn write(value: &Value<'_>, out: &mut String) {
        match value {
            Value::Array(items) => {
                out.push('[');
                for item in items {
                    write(item, out);
                    out.push(',');
                }
                out.push(']');
            }
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
                out.push('{');
                for member in members {
                    // Writing to a String cannot fail.
                    let _ = json::write_text(out, &member.name);
                    out.push(':');
                    write(&member.value, out);
                    out.push(',');
                }
                out.push('}');
            }
            other => out.push_str(&other.to_string()),
        }
    }
    match json::parse(arguments, Dialect::Python) {
        Ok(value) => {
            let mut out = String::with_capacity(arguments.len());
            write(&value, &mut out);
            out
        }
        Err(_) => arguments.to_owned(),
    }
}
