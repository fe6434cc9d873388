//! Unwanted repeats in real runs: writes that succeeded twice and say the same, and what each strategy would have done
//! about the second one.
//!
//! Whether two calls say the same is decided by no strategy under test: the same tool, and arguments that are the same
//! JSON (members in any order, white space aside), or the same text where they are no JSON.

use crate::error::{Error, Result};
use samecall_call::json::{self, Dialect, Value};
use samecall_call::mined::{Mined, MinedModel};
use samecall_call::{Call, Catalog, LineReader, Resolver, SchemaRef, Verdict, meaning};
use samecall_keyer::{Keyer, Outcome, verdict};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// One call of a recorded run.
struct Recorded {
    call: Call,
    schema: SchemaRef,
    model: String,
    task: String,
    is_write: bool,
    failed: bool,
}

impl Recorded {
    /// Reads one line; the error says what is wrong with which field.
    fn read(line: &str) -> Result<Self, String> {
        let value = &json::parse(line, Dialect::Strict).map_err(|e| e.to_string())?;
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let Some(effect) = text("effect") else {
            return Err(
                "`effect` must be text: \"read\", \"write\", or what else it was".to_owned()
            );
        };
        let Some(failed) = value.get("result_error").and_then(Value::as_bool) else {
            return Err("`result_error` must be true or false".to_owned());
        };
        let call = Call::from_value(value).map_err(|e| e.to_string())?;
        if call.scope.run_id.is_missing() || call.scope.step.is_missing() {
            return Err(
                "`run_id` and `step` must be given: repeats are sought within a run".to_owned()
            );
        }
        Ok(Recorded {
            call,
            schema: SchemaRef::from_value(value).map_err(|e| e.to_string())?,
            model: text("model").unwrap_or_else(|| "unnamed".to_owned()),
            task: text("task").unwrap_or_default(),
            is_write: effect == "write",
            failed,
        })
    }
}

/// Earlier writes of one run that succeeded and say the same: their steps, and their keys by strategy.
type Earlier = Vec<(String, Vec<Outcome>)>;

/// Reads recorded runs and finds every write that succeeded although one that says the same had succeeded before it in
/// the run, at another step.
///
/// A repeat counts as caught (`same`) or surfaced (`suspect`, `conflict`) when any of the earlier ones makes the
/// strategy say so, in that order.
///
/// # Errors
/// When the file cannot be read, or a line is no recorded call: with file, line and field.
pub fn mine(path: &Path, catalog: Catalog, keyers: &[Box<dyn Keyer>]) -> Result<Mined> {
    let mut lines = LineReader::open(path)?;
    let name = lines.name().to_owned();
    let resolver = Resolver::new(catalog);
    let mut mined = Mined { input: name.clone(), ..Mined::default() };
    let mut runs: BTreeSet<String> = BTreeSet::new();
    let mut tasks: BTreeSet<(String, String)> = BTreeSet::new();
    let mut done: HashMap<(String, String), Earlier> = HashMap::new();
    while let Some((number, line)) = lines.next_line()? {
        let wrong = |reason: String| Error::from(samecall_call::Error::line(&name, number, reason));
        let recorded = Recorded::read(line).map_err(wrong)?;
        let scope = &recorded.call.scope;
        let run = scope.run_id.value().unwrap_or_default().to_owned();
        let step = scope.step.value().unwrap_or_default().to_owned();
        runs.insert(run.clone());
        let model = mined.models.entry(recorded.model.clone()).or_default();
        model.calls += 1;
        if !recorded.is_write {
            continue;
        }
        model.writes += 1;
        if recorded.failed {
            continue;
        }
        model.succeeded += 1;
        let tool = resolver
            .resolve(&recorded.call.tool, &recorded.schema)
            .map_err(|reason| wrong(format!("`parameters`: {reason}")))?;
        let outcomes: Vec<Outcome> =
            keyers.iter().map(|keyer| keyer.key(&recorded.call, tool.as_deref())).collect();
        let earlier = done.entry((run, meaning(&recorded.call))).or_default();
        let elsewhere: Vec<&Vec<Outcome>> =
            earlier.iter().filter(|(at, _)| *at != step).map(|(_, outcomes)| outcomes).collect();
        if !elsewhere.is_empty() {
            tasks.insert((recorded.model.clone(), recorded.task.clone()));
            count(model, keyers, &outcomes, &elsewhere);
        } else if !earlier.is_empty() {
            mined.same_step += 1;
        }
        earlier.push((step, outcomes));
    }
    for (model, _) in tasks {
        if let Some(model) = mined.models.get_mut(&model) {
            model.tasks += 1;
        }
    }
    mined.runs = runs.len() as u64;
    for model in mined.models.values() {
        mined.total.add(model);
    }
    Ok(mined)
}

fn count(
    model: &mut MinedModel,
    keyers: &[Box<dyn Keyer>],
    outcomes: &[Outcome],
    earlier: &[&Vec<Outcome>],
) {
    model.repeats += 1;
    for (at, keyer) in keyers.iter().enumerate() {
        let verdicts: Vec<Verdict> =
            earlier.iter().map(|first| verdict(&first[at], &outcomes[at])).collect();
        let order = [Verdict::Same, Verdict::Suspect, Verdict::Conflict, Verdict::Refused];
        let best = order.into_iter().find(|verdict| verdicts.contains(verdict));
        let tally = model.strategies.entry(keyer.name().to_owned()).or_default();
        tally.add(best.unwrap_or(Verdict::Different));
    }
}
