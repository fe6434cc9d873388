//! Counters of one set, bounded in memory whatever the number of pairs.
//!
//! Every counter is a sum, a minimum or a [`Kept`] sample, so neither the order of pairs nor the cut into
//! batches can change a result.

use crate::error::{Error, Result};
use crate::kept::{Kept, hash};
use samecall_call::result::{ByTruth, Example, Tally};
use samecall_call::{Pair, Truth, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// Clusters kept over all sets together; shared evenly, so that memory does not grow with sets.
const CLUSTERS_KEPT: usize = 1 << 16;
/// Different calls kept over all sets together.
const CALLS_KEPT: usize = 1 << 17;
/// Different labels of one kind (reasons, drift classes, productions) in one set.
pub(crate) const LABELS: usize = 4096;
/// Sets in one replay.
pub(crate) const SETS: usize = 256;
/// Different refusal codes kept for one strategy in one set, the first by name.
const CODES: usize = 256;

/// How a pair counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bucket {
    /// As a retry or a distinct pair.
    Scored,
    /// No key can decide it.
    Contradiction,
    /// Real executors differ on it.
    ExecutorDependent,
}

/// One pair with everything that was found out of it.
pub(crate) struct Judged<'a> {
    pub(crate) pair: &'a Pair,
    pub(crate) bucket: Bucket,
    /// One verdict a strategy.
    pub(crate) verdicts: &'a [Verdict],
    /// The code of the first refusing side, one a strategy.
    pub(crate) refusals: &'a [Option<String>],
    pub(crate) has_schema: bool,
    /// A hash of the first call's tool and canonical arguments; of a retry.
    pub(crate) call: Option<u64>,
    /// What `raw` catches with the second side's serializer moved on by 0, 1, 2 places.
    pub(crate) phase: Option<[bool; 3]>,
    /// The productions that the pair counts under.
    pub(crate) productions: BTreeSet<&'a String>,
}

/// A verdict tally for each truth.
type Both = ByTruth<Tally>;

/// One strategy's failures with one production.
#[derive(Debug, Clone, Default)]
pub(crate) struct Failures {
    pub(crate) failed: u64,
    pub(crate) example: Option<Example>,
}

/// One production: how often it was exercised, and each strategy's failures.
#[derive(Debug, Clone, Default)]
pub(crate) struct Production {
    pub(crate) n: ByTruth<u64>,
    pub(crate) strategies: Vec<ByTruth<Failures>>,
}

/// Pairs answered `same` by one of two strategies alone.
pub(crate) type OneSided = ByTruth<[u64; 2]>;

/// Counters of one set.
#[derive(Debug, Clone)]
pub(crate) struct SetTally {
    pub(crate) pairs: u64,
    pub(crate) without_schema: u64,
    pub(crate) scored: Vec<Both>,
    pub(crate) contradiction: Vec<Both>,
    pub(crate) executor_dependent: Vec<Both>,
    pub(crate) refusals: Vec<BTreeMap<String, u64>>,
    pub(crate) why: BTreeMap<String, Vec<Both>>,
    pub(crate) drift: BTreeMap<String, Vec<Both>>,
    pub(crate) productions: BTreeMap<String, Production>,
    /// For strategies i < j, at [`pair_index`].
    pub(crate) one_sided: Vec<OneSided>,
    /// For each cluster retries and distinct pairs, then caught and merged of each strategy.
    pub(crate) clusters: Kept<Box<[u32]>>,
    pub(crate) calls: Kept<()>,
    /// Retries that name one serializer of the rotation, and what `raw` catches from each start.
    pub(crate) phase_pairs: u64,
    pub(crate) phase: [u64; 3],
}

/// Where the pair of strategies `i` < `j` of `n` stands in a list of all such pairs.
pub(crate) fn pair_index(i: usize, j: usize, n: usize) -> usize {
    i * n - i * (i + 1) / 2 + j - i - 1
}

/// Where a cluster's record holds what strategy `s` answered `same`: retries, then distinct pairs.
pub(crate) fn cluster_slot(strategy: usize, truth: Truth) -> usize {
    2 + 2 * strategy + usize::from(truth == Truth::Distinct)
}

impl SetTally {
    fn new(strategies: usize) -> Self {
        SetTally {
            pairs: 0,
            without_schema: 0,
            scored: vec![Both::default(); strategies],
            contradiction: vec![Both::default(); strategies],
            executor_dependent: vec![Both::default(); strategies],
            refusals: vec![BTreeMap::new(); strategies],
            why: BTreeMap::new(),
            drift: BTreeMap::new(),
            productions: BTreeMap::new(),
            one_sided: vec![OneSided::default(); strategies * strategies.saturating_sub(1) / 2],
            clusters: Kept::new(CLUSTERS_KEPT),
            calls: Kept::new(CALLS_KEPT),
            phase_pairs: 0,
            phase: [0; 3],
        }
    }

    fn add(&mut self, judged: &Judged<'_>) {
        let Judged { pair, verdicts, .. } = *judged;
        let truth = pair.truth;
        self.pairs += 1;
        self.without_schema += u64::from(!judged.has_schema);
        add_all(
            match judged.bucket {
                Bucket::Scored => &mut self.scored,
                Bucket::Contradiction => &mut self.contradiction,
                Bucket::ExecutorDependent => &mut self.executor_dependent,
            },
            truth,
            verdicts,
        );
        if judged.bucket != Bucket::Scored {
            return;
        }
        for (codes, code) in self.refusals.iter_mut().zip(judged.refusals) {
            if let Some(code) = code {
                count_code(codes, code, 1);
            }
        }
        label(&mut self.why, &pair.why, verdicts.len(), |t| add_all(t, truth, verdicts));
        let classes: BTreeSet<&String> = pair.drift.iter().collect();
        for class in classes {
            label(&mut self.drift, class, verdicts.len(), |t| add_all(t, truth, verdicts));
        }
        self.add_productions(pair, &judged.productions, verdicts);
        for (i, first) in verdicts.iter().enumerate() {
            for (j, second) in verdicts.iter().enumerate().skip(i + 1) {
                let sides = [*first == Verdict::Same, *second == Verdict::Same];
                if sides[0] != sides[1] {
                    let counts = &mut self.one_sided[pair_index(i, j, verdicts.len())];
                    counts.get_mut(truth)[usize::from(sides[1])] += 1;
                }
            }
        }
        let length = 2 + 2 * verdicts.len();
        let cluster = hash(pair.cluster.as_bytes());
        if let Some(record) = self.clusters.entry(cluster, || vec![0; length].into()) {
            record[usize::from(truth == Truth::Distinct)] += 1;
            for (strategy, verdict) in verdicts.iter().enumerate() {
                record[cluster_slot(strategy, truth)] += u32::from(*verdict == Verdict::Same);
            }
        }
        if truth == Truth::Retry {
            if let Some(call) = judged.call {
                self.calls.entry(call, || ());
            }
            if let Some(caught) = judged.phase {
                self.phase_pairs += 1;
                for (count, caught) in self.phase.iter_mut().zip(caught) {
                    *count += u64::from(caught);
                }
            }
        }
    }

    fn add_productions(&mut self, pair: &Pair, names: &BTreeSet<&String>, verdicts: &[Verdict]) {
        for &name in names {
            if !self.productions.contains_key(name) {
                let strategies = vec![ByTruth::default(); verdicts.len()];
                let new = Production { n: ByTruth::default(), strategies };
                self.productions.insert(name.clone(), new);
            }
            let Some(production) = self.productions.get_mut(name) else { continue };
            *production.n.get_mut(pair.truth) += 1;
            for (failures, verdict) in production.strategies.iter_mut().zip(verdicts) {
                let same = *verdict == Verdict::Same;
                if same == (pair.truth == Truth::Retry) {
                    continue;
                }
                let failures = failures.get_mut(pair.truth);
                failures.failed += 1;
                let bytes = (pair.a.arguments.len() + pair.b.arguments.len()) as u64;
                if failures
                    .example
                    .as_ref()
                    .is_none_or(|old| (bytes, &pair.id) <= (old.bytes, &old.id))
                {
                    keep_shorter(&mut failures.example, &example(pair, bytes));
                }
            }
        }
    }

    fn merge(&mut self, other: SetTally) {
        self.pairs += other.pairs;
        self.without_schema += other.without_schema;
        merge_all(&mut self.scored, &other.scored);
        merge_all(&mut self.contradiction, &other.contradiction);
        merge_all(&mut self.executor_dependent, &other.executor_dependent);
        for (codes, others) in self.refusals.iter_mut().zip(&other.refusals) {
            for (code, n) in others {
                count_code(codes, code, *n);
            }
        }
        let strategies = self.scored.len();
        for (name, tallies) in &other.why {
            label(&mut self.why, name, strategies, |t| merge_all(t, tallies));
        }
        for (name, tallies) in &other.drift {
            label(&mut self.drift, name, strategies, |t| merge_all(t, tallies));
        }
        for (name, theirs) in other.productions {
            let ours = self.productions.entry(name).or_insert_with(|| Production {
                n: ByTruth::default(),
                strategies: vec![ByTruth::default(); strategies],
            });
            ours.n.retry += theirs.n.retry;
            ours.n.distinct += theirs.n.distinct;
            for (ours, theirs) in ours.strategies.iter_mut().zip(&theirs.strategies) {
                for truth in [Truth::Retry, Truth::Distinct] {
                    let (ours, theirs) = (ours.get_mut(truth), theirs.get(truth));
                    ours.failed += theirs.failed;
                    if let Some(example) = &theirs.example {
                        keep_shorter(&mut ours.example, example);
                    }
                }
            }
        }
        for (ours, theirs) in self.one_sided.iter_mut().zip(&other.one_sided) {
            for truth in [Truth::Retry, Truth::Distinct] {
                ours.get_mut(truth)[0] += theirs.get(truth)[0];
                ours.get_mut(truth)[1] += theirs.get(truth)[1];
            }
        }
        self.clusters.merge(other.clusters, |ours, theirs| {
            for (ours, theirs) in ours.iter_mut().zip(theirs) {
                *ours += theirs;
            }
        });
        self.calls.merge(other.calls, |(), ()| ());
        self.phase_pairs += other.phase_pairs;
        for (ours, theirs) in self.phase.iter_mut().zip(other.phase) {
            *ours += theirs;
        }
    }
}

/// Counters of all sets.
#[derive(Debug, Clone)]
pub(crate) struct Tallies {
    pub(crate) sets: BTreeMap<String, SetTally>,
    strategies: usize,
}

impl Tallies {
    pub(crate) fn new(strategies: usize) -> Self {
        Tallies { sets: BTreeMap::new(), strategies }
    }

    pub(crate) fn add(&mut self, judged: &Judged<'_>) {
        if !self.sets.contains_key(&judged.pair.set) {
            self.sets.insert(judged.pair.set.clone(), SetTally::new(self.strategies));
        }
        if let Some(set) = self.sets.get_mut(&judged.pair.set) {
            set.add(judged);
        }
    }

    /// Adds all of another and keeps within the limits.
    ///
    /// # Errors
    /// When there are more sets or labels than memory is bounded for.
    pub(crate) fn merge(&mut self, other: Tallies) -> Result<()> {
        for (name, theirs) in other.sets {
            match self.sets.get_mut(&name) {
                Some(ours) => ours.merge(theirs),
                None => {
                    self.sets.insert(name, theirs);
                }
            }
        }
        let sets = self.sets.len();
        if sets > SETS {
            let advice =
                "name a corpus in `set`, and what tells its pairs apart in `why` or `cluster`";
            return Err(Error::TooMany { what: "sets".into(), limit: SETS, advice });
        }
        for (name, set) in &mut self.sets {
            set.clusters.shrink(CLUSTERS_KEPT / sets);
            set.calls.shrink(CALLS_KEPT / sets);
            let kinds = [
                ("reasons", set.why.len()),
                ("drift classes", set.drift.len()),
                ("productions", set.productions.len()),
            ];
            for (kind, len) in kinds {
                if len > LABELS {
                    let advice = "these are classes of pairs, not names of single ones";
                    let what = format!("different {kind} in set `{name}`");
                    return Err(Error::TooMany { what, limit: LABELS, advice });
                }
            }
        }
        Ok(())
    }
}

fn add_all(tallies: &mut [Both], truth: Truth, verdicts: &[Verdict]) {
    for (tally, verdict) in tallies.iter_mut().zip(verdicts) {
        tally.get_mut(truth).add(*verdict);
    }
}

fn merge_all(ours: &mut [Both], theirs: &[Both]) {
    for (ours, theirs) in ours.iter_mut().zip(theirs) {
        ours.retry.merge(&theirs.retry);
        ours.distinct.merge(&theirs.distinct);
    }
}

/// The tallies of a label; a new one is made at its first pair only, to copy its name but once.
fn label(
    map: &mut BTreeMap<String, Vec<Both>>,
    name: &String,
    strategies: usize,
    change: impl FnOnce(&mut [Both]),
) {
    match map.get_mut(name) {
        Some(tallies) => change(tallies),
        None => {
            change(map.entry(name.clone()).or_insert_with(|| vec![Both::default(); strategies]))
        }
    }
}

/// Counts a code; beyond the limit the last by name is dropped, so that what stays is complete.
fn count_code(codes: &mut BTreeMap<String, u64>, code: &str, n: u64) {
    match codes.get_mut(code) {
        Some(count) => *count += n,
        None => {
            codes.insert(code.to_owned(), n);
            if codes.len() > CODES {
                codes.pop_last();
            }
        }
    }
}

fn example(pair: &Pair, bytes: u64) -> Example {
    Example {
        id: pair.id.clone(),
        tool: pair.a.tool.clone(),
        bytes,
        redacted: false,
        a: pair.a.arguments.clone(),
        b: pair.b.arguments.clone(),
    }
}

/// Keeps the shorter example; of equally short ones the first by id, then by text.
fn keep_shorter(kept: &mut Option<Example>, other: &Example) {
    fn rank(e: &Example) -> (u64, &str, &str, &str, &str) {
        (e.bytes, &e.id, &e.tool, &e.a, &e.b)
    }
    if kept.as_ref().is_none_or(|kept| rank(other) < rank(kept)) {
        *kept = Some(other.clone());
    }
}
