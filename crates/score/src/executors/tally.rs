//! What one executor made of the pairs, counted by production and kind of field.

use super::equality::Likeness;
use samecall_call::executors::{Against, Cell, KeyerCheck, KeyerCounts};
use samecall_call::{Pair, Truth, Verdict};
use samecall_drift::{Grammar, productions};
use std::collections::{BTreeMap, BTreeSet};

/// How an executor took one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// Both calls reached the handler.
    Both(Likeness),
    /// One of them did.
    One,
    /// Neither did.
    None,
}

impl Taken {
    pub(super) fn is_equal(self) -> bool {
        matches!(self, Taken::Both(Likeness::Identical | Likeness::OtherType))
    }

    pub(super) fn is_unequal(self) -> bool {
        self == Taken::Both(Likeness::Unequal)
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Taken::Both(Likeness::Identical) => "equal",
            Taken::Both(Likeness::OtherType) => "equal, other type",
            Taken::Both(Likeness::Unequal) => "unequal",
            Taken::One => "one refused",
            Taken::None => "both refused",
        }
    }
}

/// Set, production and kind of field.
type Cells = BTreeMap<String, BTreeMap<String, BTreeMap<&'static str, Cell>>>;

/// The counters of one executor.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) cells: Cells,
    /// By the place of the keyer.
    pub(super) keyers: Vec<KeyerCheck>,
}

impl Tally {
    pub(super) fn new(keyers: usize) -> Self {
        Tally { cells: Cells::new(), keyers: vec![KeyerCheck::default(); keyers] }
    }

    /// Counts a pair: how it was taken, the kind of field where its spellings part, and each keyer's verdict.
    pub(super) fn add(
        &mut self,
        pair: &Pair,
        kind: &'static str,
        taken: Taken,
        verdicts: &[Verdict],
    ) {
        let labels = labels(pair);
        let against = match pair.truth {
            Truth::Retry => taken.is_unequal(),
            Truth::Distinct => taken.is_equal(),
        };
        let set = entry(&mut self.cells, &pair.set);
        for label in &labels {
            let cell = entry(set, label).entry(kind).or_default();
            cell.pairs += 1;
            *match taken {
                Taken::Both(Likeness::Identical) => &mut cell.identical,
                Taken::Both(Likeness::OtherType) => &mut cell.other_type,
                Taken::Both(Likeness::Unequal) => &mut cell.unequal,
                Taken::One => &mut cell.one_refused,
                Taken::None => &mut cell.both_refused,
            } += 1;
            if against {
                keep(&mut cell.against, pair);
            }
        }
        for (check, verdict) in self.keyers.iter_mut().zip(verdicts) {
            let same = *verdict == Verdict::Same;
            let counts = KeyerCounts {
                pairs: 1,
                equal: u64::from(taken.is_equal()),
                missed: u64::from(taken.is_equal() && !same),
                same_unequal: u64::from(taken.is_unequal() && same),
            };
            check.pairs += 1;
            check.equal += counts.equal;
            check.missed += counts.missed;
            check.same_unequal += counts.same_unequal;
            if counts.same_unequal > 0 {
                keep(&mut check.against, pair);
            }
            let set = entry(&mut check.productions, &pair.set);
            for label in &labels {
                let sum = entry(set, label);
                sum.pairs += counts.pairs;
                sum.equal += counts.equal;
                sum.missed += counts.missed;
                sum.same_unequal += counts.same_unequal;
            }
        }
    }
}

/// What a pair counts under: the productions of its truth's grammar, or its drift classes or reason where no grammar
/// made it.
fn labels(pair: &Pair) -> BTreeSet<&str> {
    let Some(made) = &pair.productions else {
        let why = || BTreeSet::from([pair.why.as_str()]);
        return match pair.truth {
            Truth::Retry if !pair.drift.is_empty() => {
                pair.drift.iter().map(String::as_str).collect()
            }
            _ => why(),
        };
    };
    let grammar = match pair.truth {
        Truth::Retry => Grammar::Render,
        Truth::Distinct => Grammar::Change,
    };
    let of_grammar =
        |name: &&str| productions().iter().any(|p| p.name == *name && p.grammar == grammar);
    made.a.iter().chain(&made.b).map(String::as_str).filter(of_grammar).collect()
}

fn entry<'m, V: Default>(map: &'m mut BTreeMap<String, V>, name: &str) -> &'m mut V {
    if !map.contains_key(name) {
        map.insert(name.to_owned(), V::default());
    }
    map.entry(name.to_owned()).or_default()
}

/// Keeps the shortest pair, and of equally short ones the first by name.
fn keep(kept: &mut Option<Against>, pair: &Pair) {
    let size = |a: &str, b: &str| a.len() + b.len();
    let new = (size(&pair.a.arguments, &pair.b.arguments), &pair.id);
    if kept.as_ref().is_none_or(|old| new < (size(&old.a, &old.b), &old.id)) {
        *kept = Some(Against {
            id: pair.id.clone(),
            tool: pair.a.tool.clone(),
            a: pair.a.arguments.clone(),
            b: pair.b.arguments.clone(),
        });
    }
}

/// Adds one cell's counts to another's.
pub(super) fn merge(sum: &mut Cell, cell: &Cell) {
    sum.pairs += cell.pairs;
    sum.identical += cell.identical;
    sum.other_type += cell.other_type;
    sum.unequal += cell.unequal;
    sum.one_refused += cell.one_refused;
    sum.both_refused += cell.both_refused;
    let size = |a: &Against| (a.a.len() + a.b.len(), a.id.clone());
    if let Some(new) = &cell.against
        && sum.against.as_ref().is_none_or(|old| size(new) < size(old))
    {
        sum.against = Some(new.clone());
    }
}
