//! What a cache did to a recorded trace, as tables.

use crate::render::Provenance;
use crate::table::{Table, wrap};
use crate::words::{is_canary, list, percent, place, thousands};
use samecall_call::cached::{Cached, CachedCounts, CachedStrategy};

/// What every text must say of its columns.
const NOTE: &str = "savings = prevented / (executed + prevented). repeats: calls whose key an earlier call of the same execution had, \
    whether or not the cache may answer them. wrong hits: answered with the result of another call, one that does not say \
    the same (by the intents that the trace states, else the same JSON, else the same meaning by the tool's schema; no strategy is asked). \
    stale hits: answered with the same call's earlier result, while the recorded result of the call itself differs.";

/// What is said where times are shown.
const TIMES: &str = "Times are the recorded ones of tools and model. Saved is what the prevented calls' tools had taken; that a model which is told \
    so stops asking is not in it. Tokens saved are those of a repeated result less those of a reference to the first one: \
    they are saved where the loop hands the model the reference (o200k_base).";

/// Tools with fewer prevented calls than the first so many are left out of the table.
const TOOLS: usize = 20;

/// The result for a person at a terminal of so many columns.
pub fn cached_terminal(found: &Cached, columns: u16) -> String {
    let mut out: String =
        tables(found).iter().map(|table| table.terminal(columns) + "\n").collect();
    for sentence in sentences(found) {
        out.push_str(&wrap(&sentence, columns.into()));
        out.push('\n');
    }
    out
}

/// The bytes of `cache --json`: an object from strategy to counts.
pub fn cached_json(found: &Cached) -> Vec<u8> {
    // Maps have text keys and numbers are finite, so writing cannot fail.
    let mut bytes = serde_json::to_vec_pretty(&found.strategies).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The files of a report folder: `cache.json` and `cache.md`.
pub fn cached_files(found: &Cached, provenance: &Provenance) -> Vec<(String, Vec<u8>)> {
    let mut text =
        format!("# A trace through the tool-call cache\n\nMade by `{}`.\n", provenance.command);
    for table in tables(found) {
        text.push_str(&format!("\n{}", table.markdown()));
    }
    for sentence in sentences(found) {
        text.push_str(&format!("\n{sentence}\n"));
    }
    vec![("cache.json".into(), cached_json(found)), ("cache.md".into(), text.into_bytes())]
}

fn tables(found: &Cached) -> Vec<Table> {
    let mut strategies: Vec<(&str, &CachedStrategy)> =
        found.strategies.iter().map(|(name, strategy)| (name.as_str(), strategy)).collect();
    strategies.sort_by_key(|(name, _)| (is_canary(name), place(name), *name));
    let mut all = vec![main_table(found, &strategies)];
    if strategies.iter().any(|(_, strategy)| strategy.total.timed > 0) {
        all.push(times(&strategies));
    }
    for name in ["typed", "agentforge"] {
        if let Some(strategy) = found.strategies.get(name) {
            all.push(counts(&format!("{name}: by model"), "model", &strategy.by_model, usize::MAX));
        }
    }
    if let Some(strategy) = found.strategies.get("typed") {
        all.push(counts("typed: by tool", "tool", &strategy.by_tool, TOOLS));
    }
    all
}

fn main_table(found: &Cached, strategies: &[(&str, &CachedStrategy)]) -> Table {
    let row = |(name, strategy): &(&str, &CachedStrategy)| {
        let total = &strategy.total;
        let at_least = if strategy.duplicates_exact { "" } else { ">=" };
        vec![
            (*name).to_owned(),
            thousands(total.calls),
            format!("{at_least}{}", thousands(total.duplicates)),
            thousands(total.executed),
            thousands(total.prevented),
            percent(total.prevented, total.executed + total.prevented),
            thousands(total.wrong_hits),
            thousands(total.stale_hits),
            thousands(total.refused),
        ]
    };
    let policy = match found.policy.is_empty() {
        true => "no policy file".to_owned(),
        false => format!("policy {}", found.policy),
    };
    Table {
        title: format!("{}, {policy}", found.input),
        columns: [
            "strategy",
            "calls",
            "repeats",
            "executed",
            "prevented",
            "savings\n%",
            "wrong\nhits",
            "stale\nhits",
            "no key",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: strategies.iter().map(row).collect(),
        note: NOTE.to_owned(),
    }
}

fn times(strategies: &[(&str, &CachedStrategy)]) -> Table {
    let row = |(name, strategy): &(&str, &CachedStrategy)| {
        let total = &strategy.total;
        let before = total.executed_ms + total.saved_ms + total.model_ms;
        let saved = match before > 0.0 {
            true => format!("{:.0}", 100.0 * total.saved_ms / before),
            false => "-".to_owned(),
        };
        let tokens = match total.tokens_unknown == total.prevented && total.prevented > 0 {
            true => "unknown".to_owned(),
            false => thousands(total.tokens_saved),
        };
        vec![
            (*name).to_owned(),
            seconds(before),
            seconds(before - total.saved_ms),
            seconds(total.saved_ms),
            saved,
            tokens,
        ]
    };
    Table {
        title: "time and tokens".to_owned(),
        columns: ["strategy", "without\ns", "with\ns", "saved\ns", "saved\n%", "tokens\nsaved"]
            .map(str::to_owned)
            .to_vec(),
        rows: strategies.iter().filter(|(name, _)| !is_canary(name)).map(row).collect(),
        note: TIMES.to_owned(),
    }
}

fn seconds(millis: f64) -> String {
    format!("{:.1}", millis / 1000.0)
}

/// Counts by name, the most prevented first where only so many are shown.
fn counts(
    title: &str,
    what: &str,
    counts: &std::collections::BTreeMap<String, CachedCounts>,
    most: usize,
) -> Table {
    let mut names: Vec<(&String, &CachedCounts)> = counts.iter().collect();
    let mut note = String::new();
    if most < usize::MAX {
        names.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.duplicates), *name));
        names.retain(|(_, counts)| counts.duplicates > 0);
        if names.len() > most {
            names.truncate(most);
            note = format!("The {most} tools with most repeats.");
        }
    }
    let row = |(name, counts): &(&String, &CachedCounts)| {
        vec![
            (*name).clone(),
            thousands(counts.calls),
            thousands(counts.duplicates),
            percent(counts.duplicates, counts.calls),
            thousands(counts.prevented),
            percent(counts.prevented, counts.executed + counts.prevented),
            thousands(counts.wrong_hits),
            thousands(counts.stale_hits),
        ]
    };
    Table {
        title: title.to_owned(),
        columns: [
            what,
            "calls",
            "repeats",
            "repeats\n%",
            "prevented",
            "savings\n%",
            "wrong\nhits",
            "stale\nhits",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: names.iter().map(row).collect(),
        note,
    }
}

/// What the counts mean, in words.
fn sentences(found: &Cached) -> Vec<String> {
    let mut out = Vec::new();
    let of = |name: &str| found.strategies.get(name).map(|strategy| strategy.total);
    if let (Some(typed), Some(agentforge)) = (of("typed"), of("agentforge"))
        && agentforge.wrong_hits > 0
    {
        out.push(format!(
            "agentforge answered {} calls with the result of another call: its key keeps nested members only where \
             their names occur at the top, so that variants of one call share a key. typed answered {} wrongly.",
            thousands(agentforge.wrong_hits),
            thousands(typed.wrong_hits)
        ));
    }
    if let Some(typed) = of("typed") {
        let kept_back = typed.duplicates.saturating_sub(typed.prevented);
        if kept_back > 0 {
            out.push(format!(
                "Of the repeats, typed executed {} again: of tools that may change something or that the policy does not \
                 let be cached, after errors, or past their time.",
                thousands(kept_back)
            ));
        }
        if typed.stale_hits > 0 {
            out.push(format!(
                "{} of the {} answers from the cache were out of date. A policy that lets writes invalidate the reads \
                 that they change (`invalidates`), or a shorter life, makes them fewer; `by tool` says where.",
                thousands(typed.stale_hits),
                thousands(typed.prevented)
            ));
        }
    }
    if !found.assumed_reads.is_empty() {
        let tools: Vec<String> = found
            .assumed_reads
            .iter()
            .take(10)
            .map(|(tool, calls)| format!("{tool} ({})", thousands(*calls)))
            .collect();
        let more = if found.assumed_reads.len() > 10 { ", and others" } else { "" };
        out.push(format!(
            "Taken for reads, since neither policy nor catalog nor trace says whether they change anything: {}{more}. The \
             library does not cache such tools; `--unsaid write` replays it so.",
            list(&tools)
        ));
    }
    if found.unanswered > 0 {
        out.push(format!(
            "{} calls have no result in the trace: hits on them could not be compared.",
            thousands(found.unanswered)
        ));
    }
    if found.skipped > 0 {
        out.push(format!(
            "{} lines could not be read and were left out.",
            thousands(found.skipped)
        ));
    }
    out
}
