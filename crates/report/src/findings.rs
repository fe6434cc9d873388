//! The worst of a result in plain words.

use crate::scores::{Set, cells, sets};
use crate::words::{contenders, list, plain, thousands};
use samecall_call::Truth;
use samecall_call::result::{Results, StrategyResult};
use std::cmp::Reverse;

/// The `n` worst findings, worst first: false merges, of which each swallows a call that was meant, and
/// among them one miss, of which each lets a call run twice.
pub fn findings(results: &Results, n: usize) -> Vec<String> {
    let mut merges = Vec::new();
    let mut misses = Vec::new();
    for set in sets(results) {
        merges.extend(merges_of(set));
        misses.extend(misses_of(set));
    }
    merges.sort_by_key(|finding| Reverse(finding.weight));
    misses.sort_by_key(|finding| Reverse(finding.weight));
    let room = n.saturating_sub(usize::from(!misses.is_empty()));
    let mut chosen: Vec<Finding> = merges.into_iter().take(room).collect();
    let left = n - chosen.len().min(n);
    chosen.extend(misses.into_iter().take(left));
    chosen.into_iter().map(|finding| finding.text).collect()
}

struct Finding {
    /// Pairs that are wrong at the worst strategy.
    weight: u64,
    text: String,
}

/// One finding for each reason of distinct pairs that some strategy merges.
fn merges_of(set: Set<'_>) -> Vec<Finding> {
    let strategies = contenders(set.strategies);
    let rows = cells(&strategies, Truth::Distinct, |r| &r.by_truth.distinct.by_why);
    let mut found = Vec::new();
    for row in rows.map(|(rows, _)| rows).unwrap_or_default() {
        let named = strategies.iter().zip(&row.tallies);
        let merged: Vec<(&str, u64)> = named
            .filter_map(|((name, _), tally)| Some((*name, tally.as_ref()?.same)))
            .filter(|(_, same)| *same > 0)
            .collect();
        let Some(most) = merged.iter().map(|(_, same)| *same).max() else { continue };
        let worst: Vec<String> = merged
            .iter()
            .filter(|(_, same)| *same == most)
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let (verb, n) = (if worst.len() == 1 { "gives" } else { "give" }, thousands(row.n));
        let mut text = format!(
            "On `{}`, {} {verb} one key to both calls of {} of {n} {}: the second call, which was meant, \
             is swallowed.",
            set.name,
            list(&worst),
            if most == row.n { "all".to_owned() } else { thousands(most) },
            kind(&row.label),
        );
        if most == row.n {
            text = text.replace(&format!("all of {n}"), &format!("all {n}"));
        }
        if merged.len() == strategies.len() {
            text.push_str(" No strategy tells all of them apart.");
        }
        found.push(Finding { weight: most, text });
    }
    found
}

/// The strategies of a set that miss most, and the drift class they miss most.
fn misses_of(set: Set<'_>) -> Option<Finding> {
    let strategies = contenders(set.strategies);
    let missed = |r: &StrategyResult| r.retry - r.caught;
    let most = strategies.iter().map(|(_, r)| missed(r)).max().filter(|most| *most > 0)?;
    let worst: Vec<_> = strategies.iter().filter(|(_, r)| missed(r) == most).collect();
    let names: Vec<String> = worst.iter().map(|(name, _)| format!("`{name}`")).collect();
    let (_, result) = worst.first()?;
    let mut text = format!(
        "On `{}`, {} {} {} of {} retries, each of which would run a second time",
        set.name,
        list(&names),
        if names.len() == 1 { "misses" } else { "miss" },
        thousands(most),
        thousands(result.retry)
    );
    let by_class = &result.by_truth.retry.by_drift;
    let class = by_class.iter().max_by_key(|(label, t)| (t.n - t.same, Reverse(*label)));
    if let Some((class, tally)) = class.filter(|(_, t)| t.same < t.n) {
        text.push_str(&format!(
            "; most often under {}: {} of {}",
            plain(class),
            thousands(tally.n - tally.same),
            thousands(tally.n)
        ));
    }
    Some(Finding { weight: most, text: text + "." })
}

/// What a reason of distinct pairs stands for, in words.
fn kind(why: &str) -> String {
    match why {
        "value_changed" => "pairs whose value was changed".into(),
        "deliberate_repeat" => "deliberate repeats (the same call, meant twice)".into(),
        "parallel_twin" => "parallel twins (the same call twice in one step, both meant)".into(),
        "other_tenant" => "pairs of two tenants".into(),
        _ => format!("distinct pairs of the kind \"{}\"", plain(why)),
    }
}
