//! Framing is injective: different places in a run are different keys, equal places equal ones, and a place that is not
//! known has no key at all.

use crate::broken::{Broken, Law};
use crate::evidence;
use crate::input::Input;
use crate::subject::{Reach, Subject};
use samecall_call::{Attempt, Call, Part, Scope, Truth, Verdict};
use samecall_keyer::verdict;

/// What the law saw of two scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// One place, one key.
    Same,
    /// Two places, two keys.
    Apart,
    /// A place that is not known was refused.
    Refused,
    /// The strategy does not speak of places.
    Outside,
}

/// The scopes and words that an input draws: two calls of equal arguments.
pub fn calls(input: &mut Input<'_>) -> [Call; 2] {
    let a = Call { tool: "t".into(), arguments: "{}".into(), scope: scope(input) };
    let mut b = a.clone();
    // A fresh scope, or a small change to the first.
    match input.below(6) {
        0 => b.scope = scope(input),
        1 => b.scope.run_id = part(input),
        2 => b.scope.step = part(input),
        3 => {
            // What one part loses, the other gains.
            if let (Part::Given(run), Part::Given(step)) = (&a.scope.run_id, &a.scope.step) {
                let at = run.char_indices().map(|(at, _)| at).nth(input.below(4)).unwrap_or(0);
                let (head, tail) = run.split_at(at);
                let joined = format!("{tail}{step}");
                let separator = tail.chars().next().map_or(String::new(), String::from);
                b.scope.run_id = Part::Given(head.to_owned());
                b.scope.step = Part::Given(match input.below(2) {
                    0 => joined,
                    _ => format!("{}{separator}{step}", tail.trim_start_matches(&separator)),
                });
            }
        }
        4 => b.scope.occurrence = Some(input.below(3) as u64),
        _ => b.scope.call_site = text(input),
    }
    [a, b]
}

fn text(input: &mut Input<'_>) -> Option<String> {
    const PIECES: [&str; 16] =
        ["r", "1", "2", "|", ":", "/", "\0", "-", "None", "null", "0", ".", " ", "\n", "é", ""];
    match input.below(5) {
        0 => None,
        n => Some((0..n).map(|_| input.of(&PIECES)).collect()),
    }
}

fn part(input: &mut Input<'_>) -> Part {
    match input.below(8) {
        7 => Part::Null,
        6 => Part::Absent,
        _ => Part::Given(text(input).unwrap_or_else(|| "1".to_owned())),
    }
}

fn scope(input: &mut Input<'_>) -> Scope {
    let attempt = input.below(8) == 7;
    Scope {
        run_id: part(input),
        step: part(input),
        tenant: text(input).filter(|_| input.below(2) == 1),
        occurrence: [None, Some(0), Some(1)][input.below(3)],
        call_site: text(input).filter(|_| input.below(4) == 3),
        attempt_of: attempt.then(|| Attempt {
            run_id: part(input),
            step: part(input),
            occurrence: input.below(2) as u64,
        }),
    }
}

/// Checks two calls that say the same, each at its place.
///
/// # Errors
/// The class are the parts that differ; `missing` for a key without a run or a step; and `separator` where run and step
/// differ only in where one ends.
pub fn check(subject: &Subject, a: &Call, b: &Call) -> Law<Seen> {
    if subject.reach() != Reach::Scope {
        return Ok(Seen::Outside);
    }
    let broken = |class: Vec<&str>, why: &str, truth| {
        Err(Broken::new("scope", class, why, evidence::pair(truth, a, b, None)))
    };
    let keyed = [a, b].map(|call| subject.keyer().key(call, None));
    for (call, outcome) in [a, b].into_iter().zip(&keyed) {
        let missing =
            [("run_id", call.scope.effective_run()), ("step", call.scope.effective_step())];
        let missing: Vec<&str> =
            missing.into_iter().filter(|(_, part)| part.is_none()).map(|(name, _)| name).collect();
        if !missing.is_empty() && outcome.key().is_some() {
            let class = ["missing"].into_iter().chain(missing).collect();
            return broken(class, "a call has a key without a run or a step", Truth::Distinct);
        }
        if missing.is_empty() && outcome.key().is_none() {
            return broken(vec!["refused"], "a call with a place has no key", Truth::Retry);
        }
    }
    if keyed.iter().any(|outcome| outcome.key().is_none()) {
        return Ok(Seen::Refused);
    }
    let parts = |call: &Call| {
        let scope = &call.scope;
        [
            ("tenant", scope.tenant.clone()),
            ("run_id", scope.effective_run().map(str::to_owned)),
            ("step", scope.effective_step().map(str::to_owned)),
            ("occurrence", Some(scope.effective_occurrence().to_string())),
            ("call_site", scope.call_site.clone()),
        ]
    };
    let (one, other) = (parts(a), parts(b));
    let mut differ: Vec<&str> =
        one.iter().zip(&other).filter(|(x, y)| x != y).map(|(x, _)| x.0).collect();
    match (differ.is_empty(), verdict(&keyed[0], &keyed[1])) {
        (true, Verdict::Same) => Ok(Seen::Same),
        (true, _) => broken(vec!["equal"], "one place has two keys", Truth::Retry),
        (false, Verdict::Same) => {
            if differ == ["run_id", "step"] {
                differ.push("separator");
            }
            broken(differ, "two places share a key", Truth::Distinct)
        }
        (false, _) => Ok(Seen::Apart),
    }
}
