//! The tool-call cache against a naive model of it: whatever is asked in whatever order, a call that is answered without its
//! tool gets the bytes that the tool gave the same call of the same execution, within their time and since the last write;
//! the bounds hold at every moment; and of equal calls at the same time one runs the tool.

mod flight;
mod subject;

pub use flight::single_flight;
pub use subject::{Real, Subject, Tool, Who, limits, policies};

use crate::broken::{Broken, Evidence, Law};
use samecall_cache::{ENTRY_BYTES, Outcome};
use samecall_call::Call;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use subject::TOOLS;

/// Tenants, executions of each, and different arguments of each tool, in drawn steps.
const TENANTS: u8 = 2;
const EXECUTIONS: u8 = 2;
const ARGUMENTS: u8 = 4;

/// Most steps that are read from one input.
const MAX_STEPS: usize = 400;

/// One step of a drawn history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A call; what its tool would give back is drawn too.
    Ask {
        /// Whose.
        who: Who,
        /// Of which tool.
        tool: Tool,
        /// Which arguments, and in which of two spellings.
        arguments: (u8, bool),
        /// What the tool would give back.
        gives: Gives,
    },
    /// Time passes, in milliseconds.
    Wait(u16),
    /// An execution ends.
    End(Who),
}

/// What a tool would give back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// A result of its own: its number, and a quarter of the square of this in bytes.
    Result(u8),
    /// Nothing.
    Empty,
    /// An error.
    Error,
    /// Nothing at all: its caller panics or is cancelled.
    Dies,
}

/// How often each part of the law was exercised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Calls.
    pub calls: usize,
    /// Answers from the cache.
    pub hits: usize,
    /// Of these, answers to another spelling.
    pub respelled: usize,
    /// Calls that had to run again since the result was past its time.
    pub expired: usize,
    /// Calls that had to run again after a write.
    pub invalidated: usize,
    /// Calls that had to run since another execution's result is not theirs.
    pub foreign: usize,
    /// Calls that had to run again after an error or a death.
    pub failed: usize,
    /// Calls that ran again for want of room.
    pub evicted: usize,
}

impl Seen {
    /// Adds another history's counts.
    pub fn add(&mut self, other: Seen) {
        self.calls += other.calls;
        self.hits += other.hits;
        self.respelled += other.respelled;
        self.expired += other.expired;
        self.invalidated += other.invalidated;
        self.foreign += other.foreign;
        self.failed += other.failed;
        self.evicted += other.evicted;
    }
}

/// What the model remembers of one call of one execution.
struct Known {
    outcome: Outcome,
    until: Duration,
    spelling: bool,
    is_overtaken: bool,
    /// Whether there has been more than there is room for since it was kept.
    was_crowded: bool,
}

/// Reads a history from bytes: four for each step, whatever they are.
pub fn steps(bytes: &[u8]) -> Vec<Step> {
    bytes
        .chunks_exact(4)
        .take(MAX_STEPS)
        .map(|drawn| {
            let who =
                Who { tenant: drawn[1] % TENANTS, execution: drawn[1] / TENANTS % EXECUTIONS };
            match drawn[0] % 16 {
                0 => Step::End(who),
                1 | 2 => Step::Wait(u16::from(drawn[2]) * [1, 10, 40][usize::from(drawn[3] % 3)]),
                _ => Step::Ask {
                    who,
                    tool: TOOLS[[0, 0, 0, 1, 1, 2, 2, 3][usize::from(drawn[2] % 8)]],
                    arguments: (drawn[2] / 8 % ARGUMENTS, drawn[2] & 0x80 != 0),
                    gives: match drawn[3] % 8 {
                        0 => Gives::Error,
                        1 => Gives::Dies,
                        2 => Gives::Empty,
                        _ => Gives::Result(drawn[3] / 8),
                    },
                },
            }
        })
        .collect()
}

fn spell(tool: Tool, (number, other): (u8, bool)) -> Call {
    let arguments = match other {
        false => format!(r#"{{"n": {number}, "filter": {{"a": 1, "b": {number}}}}}"#),
        true => format!(r#"{{"filter":{{"b":{number},"a":1}},"n":{number}}}"#),
    };
    Call::new(tool.name(), arguments)
}

/// Why a law is broken: its class, and a sentence.
pub type Fault = (&'static str, String);

fn ensure(holds: bool, class: &'static str, why: impl FnOnce() -> String) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err((class, why())) }
}

/// Checks the history that `bytes` hold on the real cache, and on one that is switched off.
///
/// # Errors
/// Where a law is broken.
pub fn check(bytes: &[u8]) -> Law<Seen> {
    let steps = steps(bytes);
    let found = check_steps(&mut Real::new(policies(), true), &steps)
        .and_then(|seen| disabled(&mut Real::new(policies(), false), &steps).map(|_| seen));
    found
        .map_err(|(class, why)| Broken::new("cache", [class], why, Evidence::Bytes(bytes.to_vec())))
}

/// Checks a history on a cache with [`policies`].
///
/// # Errors
/// The law that is broken, and how.
pub fn check_steps(subject: &mut dyn Subject, steps: &[Step]) -> Result<Seen, Fault> {
    let mut seen = Seen::default();
    let mut model: BTreeMap<(Who, Tool, u8), Known> = BTreeMap::new();
    let mut counted: BTreeMap<Who, (u64, u64)> = BTreeMap::new();
    let mut failed = BTreeSet::new();
    let mut now = Duration::ZERO;
    for (number, step) in steps.iter().enumerate() {
        match *step {
            Step::Wait(millis) => {
                let length = Duration::from_millis(millis.into());
                now += length;
                subject.wait(length);
            }
            Step::End(who) => {
                let summary = subject.end(who);
                let (executed, prevented) = counted.remove(&who).unwrap_or_default();
                let counts = (summary.executed, summary.prevented);
                ensure(counts == (executed, prevented), "summary", || {
                    format!(
                        "the summary counts {counts:?} where ({executed}, {prevented}) happened"
                    )
                })?;
                model.retain(|(owner, ..), _| *owner != who);
            }
            Step::Ask { who, tool, arguments, gives } => {
                let outcome = draw(number, gives);
                let (got, ran) = subject.ask(who, &spell(tool, arguments), outcome.clone());
                seen.calls += 1;
                let counts = counted.entry(who).or_default();
                *(if ran { &mut counts.0 } else { &mut counts.1 }) += 1;
                let place = (who, tool, arguments.0);
                if ran {
                    ensure(got == outcome, "bytes", || {
                        "a call that ran its tool got something else than the tool gave it"
                            .to_owned()
                    })?;
                    let had_failed = failed.remove(&place);
                    ran_again(&mut seen, &model, place, now, had_failed)?;
                    if outcome.as_ref().is_none_or(|outcome| outcome.is_error) {
                        failed.insert(place);
                    }
                    if tool == Tool::Write {
                        // A caller that died may have written all the same.
                        for ((owner, tool, _), known) in &mut model {
                            known.is_overtaken |= *owner == who && *tool == Tool::Read;
                        }
                    }
                    // What was there before is over; it may take room until something takes its place.
                    let Some(outcome) = outcome else {
                        bounds_hold(subject)?;
                        continue;
                    };
                    model.remove(&place);
                    if let Some(life) = tool.life(&outcome) {
                        let known = Known {
                            outcome,
                            until: now + life,
                            spelling: arguments.1,
                            is_overtaken: false,
                            was_crowded: false,
                        };
                        model.insert(place, known);
                        crowd(&mut model, place);
                    }
                } else {
                    answered(&mut seen, model.get(&place), got, arguments.1, now)?;
                }
            }
        }
        bounds_hold(subject)?;
    }
    Ok(seen)
}

/// Marks what may have had to make room for a new result.
fn crowd(model: &mut BTreeMap<(Who, Tool, u8), Known>, new: (Who, Tool, u8)) {
    let limits = limits();
    let bytes: usize = model.values().map(|known| ENTRY_BYTES + known.outcome.bytes.len()).sum();
    if model.len() > limits.entries || bytes > limits.bytes {
        for (place, known) in model {
            known.was_crowded |= *place != new;
        }
    }
}

fn bounds_hold(subject: &dyn Subject) -> Result<(), Fault> {
    let ((entries, bytes), limits) = (subject.size(), limits());
    ensure(entries <= limits.entries, "entries", || {
        format!("{entries} entries are more than the bound")
    })?;
    ensure(bytes <= limits.bytes, "size", || format!("{bytes} bytes are more than the bound"))
}

fn draw(number: usize, gives: Gives) -> Option<Outcome> {
    match gives {
        Gives::Dies => None,
        Gives::Empty => Some(Outcome::ok([].as_slice())),
        Gives::Error => Some(Outcome::error(format!("error {number}").into_bytes())),
        Gives::Result(more) => {
            let text = format!(
                "result {number} {}",
                "x".repeat(usize::from(more) * usize::from(more) / 4)
            );
            Some(Outcome::ok(text.into_bytes()))
        }
    }
}

fn answered(
    seen: &mut Seen,
    known: Option<&Known>,
    got: Option<Outcome>,
    spelling: bool,
    now: Duration,
) -> Result<(), Fault> {
    seen.hits += 1;
    let Some(known) = known else {
        let why = "an answer, and no run of this call in this execution that could be kept";
        return Err(("foreign", why.to_owned()));
    };
    ensure(now < known.until, "age", || "an answer past its time".to_owned())?;
    ensure(!known.is_overtaken, "invalidation", || {
        "an answer that a write has made out of date".to_owned()
    })?;
    ensure(got.as_ref() == Some(&known.outcome), "bytes", || {
        "a hit returned other bytes than the tool had".to_owned()
    })?;
    seen.respelled += usize::from(known.spelling != spelling);
    Ok(())
}

/// Says why a tool was rightly run, as far as the model knows.
fn ran_again(
    seen: &mut Seen,
    model: &BTreeMap<(Who, Tool, u8), Known>,
    place: (Who, Tool, u8),
    now: Duration,
    had_failed: bool,
) -> Result<(), Fault> {
    let (who, tool, arguments) = place;
    seen.failed += usize::from(had_failed && tool != Tool::Write);
    match model.get(&place) {
        Some(known) if known.is_overtaken => seen.invalidated += 1,
        Some(known) if now >= known.until => seen.expired += 1,
        Some(known) => {
            // Nothing but want of room excuses it.
            ensure(known.was_crowded, "lost", || {
                "a result that was kept and good was not used".to_owned()
            })?;
            seen.evicted += 1;
        }
        None => {
            let is_foreign =
                |(other, t, a): &(Who, Tool, u8)| *other != who && *t == tool && *a == arguments;
            seen.foreign += usize::from(model.keys().any(is_foreign));
        }
    }
    Ok(())
}

/// Checks that a cache that is switched off runs the tool for every call; answers how many calls there were.
///
/// # Errors
/// When it does not.
pub fn disabled(subject: &mut dyn Subject, steps: &[Step]) -> Result<usize, Fault> {
    let mut calls = 0;
    for (number, step) in steps.iter().enumerate() {
        if let Step::Ask { who, tool, arguments, gives } = *step {
            let outcome = draw(number, gives);
            let (got, ran) = subject.ask(who, &spell(tool, arguments), outcome.clone());
            ensure(ran && got == outcome, "disabled", || {
                "a cache that is switched off answered a call".to_owned()
            })?;
            ensure(subject.size() == (0, 0), "disabled", || {
                "a cache that is switched off kept something".to_owned()
            })?;
            calls += 1;
        }
    }
    Ok(calls)
}
