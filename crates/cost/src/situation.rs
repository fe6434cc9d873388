//! The situations in which a keyer is asked, and pairs for each of them made from pairs that were
//! observed: the text stays as a model wrote it, and only the scope is changed.

use samecall_call::{Pair, Part, SchemaRef, Scope, Truth};
use std::fmt;

/// What is the case when a call comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Situation {
    /// The same step asks again, and the first attempt's effect happened.
    RetryLanded,
    /// The same step asks again, and the first attempt failed before its effect.
    RetryNotLanded,
    /// A later step repeats a call that was not meant twice.
    RetryOtherStep,
    /// The run was started again under another id.
    ResumedRun,
    /// A later step makes the same call, meant.
    DeliberateRepeat,
    /// One step makes the same call twice, meant.
    Twin,
    /// Another call that looks much like an earlier one.
    NearNeighbour,
    /// Another tenant makes the same call.
    OtherTenant,
    /// A call unlike all earlier ones: the rest of the traffic.
    Unrelated,
}

impl Situation {
    /// All situations, in the order of reports.
    pub const ALL: [Situation; 9] = [
        Situation::RetryLanded,
        Situation::RetryNotLanded,
        Situation::RetryOtherStep,
        Situation::ResumedRun,
        Situation::DeliberateRepeat,
        Situation::Twin,
        Situation::NearNeighbour,
        Situation::OtherTenant,
        Situation::Unrelated,
    ];

    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Situation::RetryLanded => "retry_landed",
            Situation::RetryNotLanded => "retry_not_landed",
            Situation::RetryOtherStep => "retry_other_step",
            Situation::ResumedRun => "resumed_run",
            Situation::DeliberateRepeat => "deliberate_repeat",
            Situation::Twin => "twin",
            Situation::NearNeighbour => "near_neighbour",
            Situation::OtherTenant => "other_tenant",
            Situation::Unrelated => "unrelated",
        }
    }

    /// The set of a replay that measures it. Some share one: no key can tell them apart, so that their
    /// verdicts are the same and only what they cost differs.
    pub fn set(self) -> &'static str {
        match self {
            Situation::RetryLanded | Situation::RetryNotLanded => "situation-retry",
            Situation::RetryOtherStep | Situation::DeliberateRepeat => "situation-other-step",
            Situation::ResumedRun => "situation-resumed-run",
            Situation::Twin => "situation-twin",
            Situation::NearNeighbour => "situation-near-neighbour",
            Situation::OtherTenant => "situation-other-tenant",
            Situation::Unrelated => "situation-unrelated",
        }
    }

    /// The truth with which its pairs are replayed.
    pub fn truth(self) -> Truth {
        match self {
            Situation::RetryLanded
            | Situation::RetryNotLanded
            | Situation::RetryOtherStep
            | Situation::DeliberateRepeat
            | Situation::ResumedRun => Truth::Retry,
            _ => Truth::Distinct,
        }
    }
}

impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How many calls before it each call is paired with as unrelated.
const LOOK_BACK: usize = 32;

/// Makes the pairs of all situations from observed pairs, in their order.
#[derive(Debug, Default)]
pub struct Situations {
    earlier: Vec<Pair>,
}

impl Situations {
    /// No pair seen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The situation pairs that one observed pair gives.
    ///
    /// A retry gives one pair for each situation that repeats a call; a distinct pair is a near neighbour at
    /// the place where it stands, which is the strictest place for a key with a slot. Every pair's first
    /// call is unrelated to those shortly before it that call another tool. Pairs that no key can
    /// decide, and distinct pairs that differ by their place, are left out: the place is what this makes.
    pub fn of(&mut self, observed: &Pair) -> Vec<Pair> {
        let mut pairs = Vec::new();
        if observed.contradicts.is_none() {
            match observed.truth {
                Truth::Retry => repeats(observed, &mut pairs),
                Truth::Distinct if is_same_place(observed) => {
                    let mut pair = made(observed, Situation::NearNeighbour);
                    place(&mut pair);
                    pairs.push(pair);
                }
                Truth::Distinct => {}
            }
        }
        for other in &self.earlier {
            if other.a.tool != observed.a.tool {
                let mut pair = made(observed, Situation::Unrelated);
                pair.id = format!("{}/{}", pair.id, other.id);
                // Two tools, so the schema of one is not that of the other.
                pair.schema = SchemaRef::ByName;
                pair.a = other.a.clone();
                pair.b = observed.a.clone();
                place(&mut pair);
                pair.b.scope.step = Part::from("2");
                pairs.push(pair);
            }
        }
        self.earlier.push(observed.clone());
        if self.earlier.len() > LOOK_BACK {
            self.earlier.remove(0);
        }
        pairs
    }
}

/// A pair of a situation with the text of an observed one.
fn made(observed: &Pair, situation: Situation) -> Pair {
    let set = situation.set();
    Pair {
        id: format!("{set}/{}", observed.id),
        set: set.to_owned(),
        truth: situation.truth(),
        contradicts: None,
        ..observed.clone()
    }
}

/// Puts both calls at one place: one tenant, run and step, first occurrence, nothing known beside.
fn place(pair: &mut Pair) {
    let run = pair.a.scope.run_id.value().unwrap_or("run").to_owned();
    for call in [&mut pair.a, &mut pair.b] {
        call.scope = Scope {
            tenant: Some("tenant-1".to_owned()),
            run_id: Part::Given(run.clone()),
            step: Part::from("1"),
            occurrence: Some(0),
            ..Scope::default()
        };
    }
}

fn repeats(observed: &Pair, pairs: &mut Vec<Pair>) {
    for situation in [
        Situation::RetryLanded,
        Situation::RetryOtherStep,
        Situation::ResumedRun,
        Situation::Twin,
        Situation::OtherTenant,
    ] {
        let mut pair = made(observed, situation);
        place(&mut pair);
        let scope = &mut pair.b.scope;
        match situation {
            Situation::RetryOtherStep => scope.step = Part::from("2"),
            Situation::ResumedRun => scope.run_id = Part::from("resumed"),
            Situation::Twin => scope.occurrence = Some(1),
            Situation::OtherTenant => {
                scope.tenant = Some("tenant-2".to_owned());
                scope.run_id = Part::from("run of tenant-2");
            }
            _ => {}
        }
        pairs.push(pair);
    }
}

/// Whether the calls differ by what they say and not by where they stand.
fn is_same_place(pair: &Pair) -> bool {
    pair.a.scope == pair.b.scope
}

#[cfg(test)]
mod tests {
    use super::*;
    use samecall_call::Call;

    fn pair(id: &str, truth: Truth, tool: &str) -> Pair {
        Pair {
            id: id.to_owned(),
            set: "observed".to_owned(),
            truth,
            why: "same_result".to_owned(),
            drift: Vec::new(),
            cluster: "task".to_owned(),
            contradicts: None,
            productions: None,
            schema: SchemaRef::ByName,
            a: Call::new(tool, "{\"n\":1}").at("r", "4"),
            b: Call::new(tool, "{\"n\": 1}").at("r", "4"),
        }
    }

    #[test]
    fn a_retry_gives_each_repeat_once_and_keeps_the_text() {
        let mut situations = Situations::new();
        let made = situations.of(&pair("p", Truth::Retry, "x"));
        let sets: Vec<&str> = made.iter().map(|p| p.set.as_str()).collect();
        assert_eq!(
            sets,
            [
                "situation-retry",
                "situation-other-step",
                "situation-resumed-run",
                "situation-twin",
                "situation-other-tenant"
            ]
        );
        for p in &made {
            assert_eq!(
                (p.a.arguments.as_str(), p.b.arguments.as_str()),
                ("{\"n\":1}", "{\"n\": 1}")
            );
            assert_eq!(p.a.scope == p.b.scope, p.set == "situation-retry");
        }
    }

    #[test]
    fn distinct_pairs_are_neighbours_and_other_tools_unrelated() {
        let mut situations = Situations::new();
        assert_eq!(situations.of(&pair("p", Truth::Distinct, "x")).len(), 1);
        let made = situations.of(&pair("q", Truth::Distinct, "y"));
        let sets: Vec<&str> = made.iter().map(|p| p.set.as_str()).collect();
        assert_eq!(sets, ["situation-near-neighbour", "situation-unrelated"]);
        assert_eq!((made[1].a.tool.as_str(), made[1].b.tool.as_str()), ("x", "y"));
        assert!(made.iter().all(|p| p.truth == Truth::Distinct));
    }

    #[test]
    fn pairs_that_differ_by_place_or_that_nothing_decides_are_left_out() {
        let mut situations = Situations::new();
        let mut elsewhere = pair("p", Truth::Distinct, "x");
        elsewhere.b.scope.step = Part::from("5");
        assert!(situations.of(&elsewhere).is_empty());
        let mut undecided = pair("q", Truth::Retry, "x");
        undecided.contradicts = Some("p".to_owned());
        assert!(situations.of(&undecided).is_empty());
    }
}
