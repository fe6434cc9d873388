//! All pairs past all executors, some executors at a time, in bounded memory.
//!
//! Pairs are made anew for each executor, once for the calls that go out and once for the judge that reads the answers,
//! so that nothing waits in memory for a program that answers late.

use super::listing::Asked;
use super::pairs::{Known, Pairs};
use super::protocol::{Answer, answer, line};
use super::rulings::Rulings;
use super::shown::{Sheet, taken, taken_apart};
use super::standing::rule;
use super::tally::{Tally, merge};
use super::{Executor, field};
use crate::error::{Error, Result};
use crate::interval::{clopper_pearson_upper, wilson};
use crate::source::PairSource;
use samecall_call::executors::{Cell, Ended, ExecutorRun, ExecutorsResult, Row};
use samecall_call::result::Input;
use samecall_call::{Catalog, Resolver, Verdict};
use samecall_keyer::{Keyer, verdict};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A keyer whose verdicts are held beside what executors received.
pub struct Attached {
    /// The keyer.
    pub keyer: Arc<dyn Keyer>,
    /// The executors whose profile it is, and beside which alone it is held; none for a keyer held beside all.
    pub profile_of: Option<Vec<String>>,
}

/// What to ask of whom.
pub struct Options<'a> {
    /// The executors, each with what is known of it.
    pub executors: Vec<(Box<dyn Executor>, ExecutorRun)>,
    /// Keyers beside them.
    pub keyers: Vec<Attached>,
    /// The tools by name and key.
    pub catalog: &'a Catalog,
    /// What was ruled of productions.
    pub rulings: Rulings,
    /// What else is asked.
    pub asked: Asked,
    /// Whether these are all executors that the rulings and the questions speak of, so that what none of them does is a
    /// fault.
    pub complete: bool,
    /// How many executors run at a time; at least 1.
    pub jobs: usize,
    /// Show argument values in examples.
    pub show_values: bool,
    /// The seed of generated pairs.
    pub seed: Option<u64>,
    /// Productions on a generated pair. Only where it is at most 1 is a production known to be the cause.
    pub depth: Option<usize>,
    /// Called with the executor's name whenever one is done.
    pub on_done: Option<&'a (dyn Fn(&str) + Sync)>,
}

/// What came of one executor.
struct Outcome {
    ended: Ended,
    calls: u64,
    tally: Tally,
    sheet: Vec<String>,
}

/// Asks every executor. `sources` makes the same pairs anew at each call.
///
/// # Errors
/// When a source cannot be read or holds no pair, or a record is bad.
pub fn executors(
    sources: &(dyn Fn() -> Result<Vec<Box<dyn PairSource>>> + Sync),
    options: Options<'_>,
) -> Result<ExecutorsResult> {
    let resolver = Arc::new(Resolver::new(options.catalog.clone()));
    let mut result = survey(sources, &resolver)?;
    let mut sheet = Sheet::new(&options.asked)?;
    let queue: Mutex<VecDeque<usize>> = Mutex::new((0..options.executors.len()).collect());
    let outcomes: Mutex<Vec<Option<Result<Outcome>>>> =
        Mutex::new(options.executors.iter().map(|_| None).collect());
    let pairs: u64 = result.inputs.iter().map(|input| input.pairs).sum();
    thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, options.executors.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some(at) = next else { return };
                    let executor = &*options.executors[at].0;
                    let outcome = ask(executor, &options, sources, &resolver, &sheet, pairs);
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(outcome);
                    if let Some(report) = options.on_done {
                        report(executor.name());
                    }
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    for ((_, known), outcome) in options.executors.iter().zip(outcomes) {
        let Some(outcome) = outcome else { continue };
        let outcome = outcome?;
        sheet.note(&known.name, &outcome.sheet);
        add(&mut result, known, outcome, &options);
    }
    result.probes = sheet.probes;
    result.surprises = sheet.surprises;
    result.seed = options.seed;
    result.depth = options.depth;
    rule(&mut result, &options.rulings, options.complete);
    Ok(result)
}

/// Reads every pair once, so that a bad record shows before any program is started.
fn survey(
    sources: &(dyn Fn() -> Result<Vec<Box<dyn PairSource>>> + Sync),
    resolver: &Arc<Resolver>,
) -> Result<ExecutorsResult> {
    let sources = sources()?;
    if sources.is_empty() {
        return Err(Error::NoSource);
    }
    let mut inputs: Vec<Input> = sources
        .iter()
        .map(|source| Input { name: source.name().to_owned(), ..Input::default() })
        .collect();
    let mut pairs = Pairs::new(sources, Arc::clone(resolver));
    for known in pairs.by_ref() {
        inputs[known?.source].pairs += 1;
    }
    for (input, source) in inputs.iter_mut().zip(pairs.done()) {
        input.sha256 = source.digest();
        if input.pairs == 0 {
            return Err(Error::Empty { name: input.name.clone() });
        }
    }
    Ok(ExecutorsResult {
        inputs,
        without_schema: pairs.without_schema,
        ..ExecutorsResult::default()
    })
}

fn ask(
    executor: &dyn Executor,
    options: &Options<'_>,
    sources: &(dyn Fn() -> Result<Vec<Box<dyn PairSource>>> + Sync),
    resolver: &Arc<Resolver>,
    sheet: &Sheet,
    pairs: u64,
) -> Result<Outcome> {
    let keyers: Vec<&Attached> = attached(options, executor.name()).collect();
    let mut tally = Tally::new(keyers.len());
    let (ended, sheet) = sheet.ask(executor);
    if ended != Ended::Finished {
        return Ok(Outcome { ended, calls: 0, tally, sheet });
    }
    // Bad records were found by the survey; a source that changes meanwhile shows in the count.
    let asked = Pairs::new(sources()?, Arc::clone(resolver))
        .filter_map(Result::ok)
        .flat_map(|Known { pair, tools: [a, b], .. }| [line(&pair.a, &a), line(&pair.b, &b)]);
    let mut judged = Pairs::new(sources()?, Arc::clone(resolver)).filter_map(Result::ok);
    let mut first: Option<Answer<'static>> = None;
    let mut calls = 0;
    let mut ended = executor.run(Box::new(asked), &mut |line| {
        let answer = answer(line)?;
        let Some(a) = first.take() else {
            first = Some(match answer {
                Answer::Received(value) => Answer::Received(value.into_owned()),
                Answer::Refused => Answer::Refused,
            });
            calls += 1;
            return Ok(());
        };
        let Some(Known { pair, tools, .. }) = judged.next() else {
            return Err("answers no call".to_owned());
        };
        calls += 1;
        let taken = match tools[0].name == tools[1].name {
            true => taken(&a, &answer),
            false => taken_apart(&a, &answer),
        };
        let verdicts: Vec<Verdict> = keyers
            .iter()
            .map(|attached| {
                let key = |call, tool| attached.keyer.key(call, Some(tool));
                verdict(&key(&pair.a, &*tools[0]), &key(&pair.b, &*tools[1]))
            })
            .collect();
        tally.add(&pair, field::parting(&pair, &tools[0]), taken, &verdicts);
        Ok(())
    });
    if ended == Ended::Finished && calls != 2 * pairs {
        ended = Ended::Broken { reason: format!("it answered {calls} of {} calls", 2 * pairs) };
    }
    Ok(Outcome { ended, calls, tally, sheet })
}

/// The keyers that are held beside an executor.
fn attached<'o>(options: &'o Options<'_>, executor: &str) -> impl Iterator<Item = &'o Attached> {
    options.keyers.iter().filter(move |attached| {
        attached.profile_of.as_ref().is_none_or(|names| names.iter().any(|name| name == executor))
    })
}

/// Adds what came of an executor to the result.
fn add(result: &mut ExecutorsResult, known: &ExecutorRun, outcome: Outcome, options: &Options<'_>) {
    let Outcome { ended, calls, tally, .. } = outcome;
    let name = &known.name;
    result.executors.push(ExecutorRun { ended, calls, ..known.clone() });
    for (set, labels) in tally.cells {
        let rows = result.sets.entry(set).or_default();
        for (label, kinds) in labels {
            let row: &mut Row = rows.entry(label).or_default();
            let mut sum = Cell::default();
            for (kind, mut cell) in kinds {
                merge(&mut sum, &cell);
                // The row has the example.
                cell.against = None;
                close(&mut cell, options.show_values);
                row.kinds.entry(kind.to_owned()).or_default().insert(name.clone(), cell);
            }
            close(&mut sum, options.show_values);
            row.executors.insert(name.clone(), sum);
        }
    }
    for (attached, mut check) in attached(options, name).zip(tally.keyers) {
        check.profile = attached.profile_of.is_some();
        check.same_unequal_upper = clopper_pearson_upper(check.same_unequal, check.pairs);
        if let Some(example) = check.against.as_mut().filter(|_| !options.show_values) {
            (example.a, example.b) = (String::new(), String::new());
        }
        let keyer = attached.keyer.name();
        result.keyers.entry(name.clone()).or_default().insert(keyer.to_owned(), check);
    }
}

/// Intervals, and no values where none are to be shown.
fn close(cell: &mut Cell, show_values: bool) {
    cell.equal_share = wilson(cell.equal(), cell.told());
    cell.unequal_upper = clopper_pearson_upper(cell.unequal, cell.pairs);
    if let Some(against) = cell.against.as_mut().filter(|_| !show_values) {
        (against.a, against.b) = (String::new(), String::new());
    }
}
