//! How often each strategy gave each verdict in each situation, read from the results of replays.

use crate::error::{Error, Result};
use crate::situation::Situation;
use samecall_call::Verdict;
use samecall_call::result::{Results, Tally};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Tallies of one strategy in one situation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Seen {
    /// By the class of the pair.
    pub by_class: BTreeMap<String, Tally>,
    /// How many groups of pairs are independent draws.
    pub clusters: u64,
}

impl Seen {
    /// All classes together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for tally in self.by_class.values() {
            total.merge(tally);
        }
        total
    }
}

/// The count of one verdict.
pub fn count(tally: &Tally, verdict: Verdict) -> u64 {
    match verdict {
        Verdict::Same => tally.same,
        Verdict::Conflict => tally.conflict,
        Verdict::Suspect => tally.suspect,
        Verdict::Refused => tally.refused,
        Verdict::Different => tally.different,
    }
}

/// The counts that are needed here and nothing else, as a file: small enough to be shipped.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Where the counts are from.
    pub sources: Vec<String>,
    /// The set of a situation, then strategy.
    pub situations: BTreeMap<String, BTreeMap<String, Seen>>,
}

/// What tells the two forms of a file of verdicts apart.
#[derive(Deserialize)]
struct Form {
    situations: Option<serde::de::IgnoredAny>,
    sets: Option<serde::de::IgnoredAny>,
}

/// The most pairs in one tally: far more than any replay has, and their sums stay exact.
const MOST: u64 = 1_000_000_000_000;

/// Checks that a tally is one: its verdicts add up to its pairs.
fn check_tally(tally: &Tally) -> Result<(), String> {
    let sum: u128 = Verdict::ALL.map(|verdict| u128::from(count(tally, verdict))).iter().sum();
    if sum != u128::from(tally.n) {
        return Err(format!("the verdicts do not add up to {}, the number of pairs", tally.n));
    }
    if tally.n > MOST {
        return Err(format!("there are more than {MOST} pairs"));
    }
    Ok(())
}

/// Checks that tallies are of pairs in at least one cluster, and in no more clusters than pairs.
fn check_seen<'a>(
    tallies: impl Iterator<Item = (&'a String, &'a Tally)>,
    clusters: u64,
) -> Result<(), String> {
    let mut pairs = 0u64;
    for (class, tally) in tallies {
        check_tally(tally).map_err(|why| format!("class `{class}`: {why}"))?;
        pairs = pairs.saturating_add(tally.n);
    }
    if pairs > 0 && (clusters == 0 || clusters > pairs) {
        return Err(format!("{clusters} clusters of {pairs} pairs"));
    }
    Ok(())
}

/// Tallies by strategy and situation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdicts {
    /// Strategy, then situation.
    pub by_strategy: BTreeMap<String, BTreeMap<Situation, Seen>>,
    /// The files read, with the inputs that they name.
    pub sources: Vec<String>,
}

impl Verdicts {
    /// Adds the results in a file that `replay --json` wrote.
    ///
    /// # Errors
    /// When the file cannot be read or is no such result.
    pub fn read(&mut self, path: &Path) -> Result<()> {
        let file = path.display().to_string();
        let text = crate::doc::read_text(path, &file)?;
        self.parse(&file, &text)
    }

    /// Adds results from text; `file` stands for it in messages.
    ///
    /// # Errors
    /// As [`Verdicts::read`].
    pub fn parse(&mut self, file: &str, text: &str) -> Result<()> {
        let wrong = |e: serde_json::Error| Error::Syntax {
            file: file.to_owned(),
            line: e.line().max(1),
            reason: format!("no result of `samecall replay --json` and no counts of one: {e}"),
        };
        let cannot_be = |set: &str, strategy: &str, why: String| {
            Error::Missing(format!("{file}: {set}, `{strategy}`: {why}"))
        };
        match serde_json::from_str(text).map_err(wrong)? {
            Form { situations: Some(_), .. } => {
                let counts: Counts = serde_json::from_str(text).map_err(wrong)?;
                for (set, strategies) in &counts.situations {
                    for (strategy, seen) in strategies {
                        check_seen(seen.by_class.iter(), seen.clusters)
                            .map_err(|why| cannot_be(set, strategy, why))?;
                    }
                }
                self.sources.extend(counts.sources.iter().cloned());
                self.add_counts(&counts);
            }
            Form { sets: Some(_), .. } => {
                let results: Results = serde_json::from_str(text).map_err(wrong)?;
                for situation in Situation::ALL {
                    let strategies = results.sets.get(situation.set()).into_iter().flatten();
                    for (strategy, result) in strategies {
                        let by_why = &result.by_truth.get(situation.truth()).by_why;
                        check_seen(by_why.iter(), result.clusters)
                            .map_err(|why| cannot_be(situation.set(), strategy, why))?;
                    }
                }
                let names = results.inputs.iter().map(|input| input.name.as_str());
                let inputs: Vec<&str> = names.collect();
                self.sources.push(format!("{file} ({})", inputs.join(", ")));
                self.add(&results);
            }
            Form { .. } => {
                let reason = "no result of `samecall replay --json`, which has `sets`, and no counts of one, \
                              which have `situations`";
                return Err(Error::Syntax {
                    file: file.to_owned(),
                    line: 1,
                    reason: reason.into(),
                });
            }
        }
        Ok(())
    }

    fn add_counts(&mut self, counts: &Counts) {
        for situation in Situation::ALL {
            let Some(strategies) = counts.situations.get(situation.set()) else { continue };
            for (strategy, found) in strategies {
                let situations = self.by_strategy.entry(strategy.clone()).or_default();
                let seen = situations.entry(situation).or_default();
                for (class, tally) in &found.by_class {
                    seen.by_class.entry(class.clone()).or_default().merge(tally);
                }
                seen.clusters += found.clusters;
            }
        }
    }

    /// The counts as a file: what [`Verdicts::read`] reads back.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { sources: self.sources.clone(), ..Counts::default() };
        for (strategy, situations) in &self.by_strategy {
            for (situation, seen) in situations {
                let set = counts.situations.entry(situation.set().to_owned()).or_default();
                set.insert(strategy.clone(), seen.clone());
            }
        }
        counts
    }

    /// Adds results. Sets that are no situation's are passed over.
    pub fn add(&mut self, results: &Results) {
        for situation in Situation::ALL {
            let Some(strategies) = results.sets.get(situation.set()) else { continue };
            for (strategy, result) in strategies {
                let seen = self
                    .by_strategy
                    .entry(strategy.clone())
                    .or_default()
                    .entry(situation)
                    .or_default();
                let by_why = &result.by_truth.get(situation.truth()).by_why;
                for (class, tally) in by_why {
                    seen.by_class.entry(class.clone()).or_default().merge(tally);
                }
                seen.clusters += result.clusters;
            }
        }
    }

    /// Checks that every strategy was asked in every situation, all on the same pairs.
    ///
    /// # Errors
    /// Names what is missing and the commands that make it.
    pub fn check(&self) -> Result<()> {
        let missing = |what: String| {
            Err(Error::Missing(format!(
                "{what}; `samecall cost --situations PAIRS` writes the pairs of every situation, and \
                 `samecall replay --pairs ... --json FILE` their verdicts"
            )))
        };
        if self.by_strategy.is_empty() {
            return missing("no verdicts of any situation were given".to_owned());
        }
        let mut sizes: BTreeMap<Situation, BTreeSet<u64>> = BTreeMap::new();
        for (strategy, situations) in &self.by_strategy {
            for situation in Situation::ALL {
                match situations.get(&situation).map(|seen| seen.total().n) {
                    Some(n) if n > 0 => sizes.entry(situation).or_default().insert(n),
                    _ => return missing(format!("`{strategy}` was not asked in {situation}")),
                };
            }
        }
        match sizes.iter().find(|(_, sizes)| sizes.len() > 1) {
            Some((situation, _)) => {
                missing(format!("strategies were asked on different pairs in {situation}"))
            }
            None => Ok(()),
        }
    }
}
