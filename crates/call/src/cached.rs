//! What a cache did to a recorded trace, as plain data: the shape of `cache --json`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A trace through the cache, once for each strategy.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Cached {
    /// The trace's name as given.
    pub input: String,
    /// The policy file's name; empty where there was none.
    pub policy: String,
    /// Lines that could not be read and were left out.
    pub skipped: u64,
    /// Calls of which the trace has no result.
    pub unanswered: u64,
    /// Calls by tool of which neither policy nor catalog nor trace says whether it changes anything, and that were taken for
    /// reads.
    pub assumed_reads: BTreeMap<String, u64>,
    /// By strategy.
    pub strategies: BTreeMap<String, CachedStrategy>,
}

/// One strategy's answers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CachedStrategy {
    /// All calls together.
    #[serde(flatten)]
    pub total: CachedCounts,
    /// By model; calls of no named model are `unnamed`.
    pub by_model: BTreeMap<String, CachedCounts>,
    /// By tool; beyond a thousand, the rest is `(others)`.
    pub by_tool: BTreeMap<String, CachedCounts>,
    /// Entries that went before their time, for a bound.
    pub evicted: u64,
    /// Whether every repeat was counted; else `duplicates` is a lower bound, since only so many keys are remembered.
    pub duplicates_exact: bool,
}

/// Counts of calls, all of one trace and strategy.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct CachedCounts {
    /// Calls.
    pub calls: u64,
    /// Those whose key an earlier call of the same execution had, whatever became of it.
    pub duplicates: u64,
    /// Calls whose tool was run.
    pub executed: u64,
    /// Calls that were answered without.
    pub prevented: u64,
    /// Prevented / (executed + prevented), rounded to six places.
    pub savings: f64,
    /// Of the prevented, those answered with another call's result: the two calls do not say the same.
    pub wrong_hits: u64,
    /// Of the prevented, those answered with the same call's result where the recorded result of the call itself differs.
    pub stale_hits: u64,
    /// Of the prevented, those of which the trace has no result to compare.
    pub unjudged: u64,
    /// Of the prevented, those that waited for an equal call under way.
    pub shared: u64,
    /// Of the executed, those that have no safe key.
    pub refused: u64,
    /// Of the executed, those whose tool may not be answered from the cache.
    pub uncached: u64,
    /// Calls with a recorded duration.
    pub timed: u64,
    /// Recorded time of the executed tools, in milliseconds.
    pub executed_ms: f64,
    /// Recorded time of the tools whose runs were prevented, in milliseconds.
    pub saved_ms: f64,
    /// Recorded time of the model, in milliseconds; no cache saves it.
    pub model_ms: f64,
    /// Tokens of the prevented calls' results, less those of a reference to the first answer in their place.
    pub tokens_saved: u64,
    /// Prevented calls of which the trace has no text to count.
    pub tokens_unknown: u64,
}
