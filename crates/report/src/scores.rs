//! The tables of one set: scores with intervals, the matrix of drift classes, false merges by reason,
//! the productions of a generated run.

use crate::table::Table;
use crate::words::{
    bound, contenders, is_canary, ordered, percent, plain, range, short, thousands,
};
use samecall_call::Truth;
use samecall_call::result::{ByTruth, Count, Results, SetDetails, StrategyResult, Tally};
use std::collections::{BTreeMap, BTreeSet};

/// One set of a result.
#[derive(Clone, Copy)]
pub(crate) struct Set<'a> {
    pub(crate) name: &'a str,
    pub(crate) strategies: &'a BTreeMap<String, StrategyResult>,
    pub(crate) details: Option<&'a SetDetails>,
}

/// The sets of a result, by name.
pub(crate) fn sets(results: &Results) -> Vec<Set<'_>> {
    let all = results.sets.iter();
    all.map(|(name, strategies)| Set { name, strategies, details: results.details.get(name) })
        .collect()
}

impl Set<'_> {
    /// How many pairs of either truth are scored.
    pub(crate) fn scored(&self) -> ByTruth<u64> {
        let first = self.strategies.values().next();
        first.map_or(ByTruth::default(), |r| ByTruth { retry: r.retry, distinct: r.distinct })
    }

    /// The set in one line: name, pairs, clusters, calls.
    pub(crate) fn summary(&self) -> String {
        format!("{}: {}", self.name, self.counts())
    }

    /// The same without the name.
    pub(crate) fn counts(&self) -> String {
        let ByTruth { retry, distinct } = self.scored();
        let mut text =
            format!("{} retries, {} distinct pairs", thousands(retry), thousands(distinct));
        if let Some(details) = self.details {
            text.push_str(&format!(", {} clusters", count(details.clusters)));
            if retry > 0 {
                text.push_str(&format!(
                    "; the retries are {} different calls in {} clusters",
                    count(details.distinct_calls),
                    count(details.clusters_by_truth.retry)
                ));
            }
            for (number, what) in [
                (details.contradiction, "pairs no key can decide"),
                (details.executor_dependent, "pairs on which executors differ"),
            ] {
                if number.retry + number.distinct > 0 {
                    let n = thousands(number.retry + number.distinct);
                    text.push_str(&format!("; {n} {what} are counted apart"));
                }
            }
        }
        text
    }
}

fn count(count: Count) -> String {
    let n = thousands(count.n);
    if count.exact { n } else { format!("about {n}") }
}

/// The scores of all strategies on a set.
pub(crate) fn scores(set: Set<'_>) -> Table {
    let either = |both: ByTruth<u64>| match both {
        ByTruth { retry: 0, distinct: 0 } => "-".to_owned(),
        ByTruth { retry, distinct } => format!("{retry}+{distinct}"),
    };
    // Of large numbers the second stands in the title alone.
    let of = |part: u64, whole: u64| match whole {
        0..10_000 => format!("{part}/{whole}"),
        _ => part.to_string(),
    };
    let row = |(name, r): (&str, &StrategyResult)| {
        vec![
            name.to_owned(),
            of(r.caught, r.retry),
            percent(r.caught, r.retry),
            range(r.intervals.recall),
            range(r.intervals.recall_clusters),
            of(r.merged, r.distinct),
            bound(r.intervals.false_merge_upper),
            bound(r.intervals.false_merge_upper_clusters),
            either(r.conflict),
            either(r.suspect),
            either(r.refused),
        ]
    };
    Table {
        title: set.summary(),
        columns: [
            "strategy",
            "caught",
            "%",
            "95 %",
            "by\nclus.",
            "merged",
            "below\n%",
            "by\nclus.",
            "conf.",
            "susp.",
            "ref.",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: contenders(set.strategies).into_iter().map(row).collect(),
        note: canaries(set),
    }
}

/// What the canaries show, in a sentence.
fn canaries(set: Set<'_>) -> String {
    let shown =
        ordered(set.strategies).into_iter().filter(|(name, _)| is_canary(name)).map(|(name, r)| {
            let refused = match r.refused.retry + r.refused.distinct {
                0 => String::new(),
                n => format!(", {n} refused"),
            };
            format!("{name} {}/{} and {}/{}{refused}", r.caught, r.retry, r.merged, r.distinct)
        });
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { String::new() } else { format!("Canaries: {}.", shown.join("; ")) }
}

/// How to read the columns of [`scores`].
pub(crate) const LEGEND: &str = "caught: retries answered `same`, with the two-sided 95 % interval \
(Wilson). merged: distinct pairs answered `same`, with the exact one-sided 95 % upper bound \
(Clopper-Pearson). by clus.: the same with clusters, not pairs, as the draws. conf., susp., ref. (conflict, suspect, refused): \
retries + distinct pairs with that verdict.";

/// Which share of the retries of each drift class each strategy catches.
pub(crate) fn matrix(set: Set<'_>, limit: Option<usize>) -> Option<Table> {
    let strategies = contenders(set.strategies);
    let (mut rows, classes) = cells(&strategies, Truth::Retry, |r| &r.by_truth.retry.by_drift)?;
    let mut note = String::new();
    if let Some(limit) = limit.filter(|limit| *limit < rows.len()) {
        // The classes that are missed most are those worth the room.
        rows.sort_by_key(|row| row.tallies.iter().map(|t| t.map_or(0, |t| t.same)).sum::<u64>());
        rows.truncate(limit);
        note = format!("The {limit} of {classes} classes that are caught least.");
    }
    Some(table(
        format!("{}: percent of retries caught, by drift class", set.name),
        "drift class",
        &strategies,
        rows,
        note,
        |_, _, t| percent(t.same, t.n),
    ))
}

/// How many distinct pairs of each reason each strategy merges; on demand with the upper bound on the
/// share, in percent.
pub(crate) fn merges(set: Set<'_>, bounds: bool) -> Option<Table> {
    let strategies = contenders(set.strategies);
    let (rows, _) = cells(&strategies, Truth::Distinct, |r| &r.by_truth.distinct.by_why)?;
    Some(table(
        format!("{}: distinct pairs merged, by reason", set.name),
        "reason",
        &strategies,
        rows,
        if bounds {
            "In brackets the exact one-sided 95 % upper bound on the share, in percent.".to_owned()
        } else {
            String::new()
        },
        |label, strategy, t| match set.strategies.get(strategy) {
            Some(r) if bounds => {
                let upper = r.by_truth.distinct.bounds_by_why.get(label);
                format!("{} ({})", t.same, upper.map_or("-".into(), |[_, upper]| bound(*upper)))
            }
            _ => t.same.to_string(),
        },
    ))
}

/// One label with every strategy's tally.
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) n: u64,
    pub(crate) tallies: Vec<Option<Tally>>,
}

/// Tallies by label for all strategies; none where there is no pair of the truth.
pub(crate) fn cells(
    strategies: &[(&str, &StrategyResult)],
    truth: Truth,
    pick: impl Fn(&StrategyResult) -> &BTreeMap<String, Tally>,
) -> Option<(Vec<Row>, usize)> {
    let has_pairs = strategies.iter().any(|(_, r)| match truth {
        Truth::Retry => r.retry > 0,
        Truth::Distinct => r.distinct > 0,
    });
    let labels: BTreeSet<&String> = strategies.iter().flat_map(|(_, r)| pick(r).keys()).collect();
    if !has_pairs || labels.is_empty() {
        return None;
    }
    let row = |label: &String| {
        let tallies: Vec<_> = strategies.iter().map(|(_, r)| pick(r).get(label).copied()).collect();
        let n = tallies.iter().flatten().map(|t| t.n).max().unwrap_or_default();
        Row { label: label.clone(), n, tallies }
    };
    let rows: Vec<Row> = labels.into_iter().map(row).collect();
    let len = rows.len();
    Some((rows, len))
}

fn table(
    title: String,
    heading: &str,
    strategies: &[(&str, &StrategyResult)],
    rows: Vec<Row>,
    note: String,
    show: impl Fn(&str, &str, &Tally) -> String,
) -> Table {
    let legend: Vec<String> =
        strategies.iter().map(|(name, _)| format!("{} {name}", short(name))).collect();
    let head = [heading.to_owned(), "pairs".to_owned()];
    let row = |row: Row| {
        let first = [plain(&row.label), thousands(row.n)];
        let named = strategies.iter().zip(&row.tallies);
        let cells = named.map(|((strategy, _), tally)| {
            tally.as_ref().map_or("-".to_owned(), |tally| show(&row.label, strategy, tally))
        });
        first.into_iter().chain(cells).collect()
    };
    Table {
        title,
        columns: head.into_iter().chain(strategies.iter().map(|(name, _)| short(name))).collect(),
        rows: rows.into_iter().map(row).collect(),
        note: format!("{note} {}.", legend.join(", ")).trim_start().to_owned(),
    }
}

/// The productions of a generated run: how often each was exercised and how often each strategy fails.
pub(crate) fn productions(set: Set<'_>, truth: Truth) -> Option<Table> {
    let strategies = contenders(set.strategies);
    let names: BTreeSet<&String> = strategies
        .iter()
        .flat_map(|(_, r)| &r.by_production)
        .filter(|(_, both)| both.get(truth).is_some())
        .map(|(name, _)| name)
        .collect();
    if names.is_empty() {
        return None;
    }
    let found = |r: &StrategyResult, name: &String| {
        r.by_production.get(name).and_then(|both| both.get(truth).clone())
    };
    let row = |name: &String| {
        let n = strategies.iter().find_map(|(_, r)| found(r, name)).map_or(0, |p| p.n);
        let failed = |r| found(r, name).map_or("-".to_owned(), |p| p.failed.to_string());
        let cells = strategies.iter().map(|(_, r)| failed(r));
        [plain(name), thousands(n)].into_iter().chain(cells).collect()
    };
    let worst = strategies.iter().filter_map(|(name, r)| {
        let production = r.worst_production.get(truth).as_ref()?;
        let found = found(r, production)?;
        let (failed, n) = (thousands(found.failed), thousands(found.n));
        let bound = bound(found.upper);
        Some(format!("{name} {} ({failed} of {n}, at most {bound} %)", plain(production)))
    });
    let worst: Vec<String> = worst.collect();
    let what = match truth {
        Truth::Retry => "retries missed",
        Truth::Distinct => "distinct pairs merged",
    };
    let head = ["production".to_owned(), "pairs".to_owned()];
    Some(Table {
        title: format!("{}: {what}, by grammar production", set.name),
        columns: head.into_iter().chain(strategies.iter().map(|(name, _)| short(name))).collect(),
        rows: names.into_iter().map(row).collect(),
        note: format!(
            "The worst production of each strategy, with the exact 95 % upper bound of that production \
             alone: {}.",
            worst.join("; ")
        ),
    })
}
