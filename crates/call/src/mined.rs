//! What was found in recorded runs, as plain data: the shape of `mine --json`.

use crate::result::Tally;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Unwanted repeats of writes in one file of recorded runs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Mined {
    /// The file's name as given.
    pub input: String,
    /// Different runs.
    pub runs: u64,
    /// Succeeded writes that repeat one of their own step and none of another: parallel calls, counted and left out.
    pub same_step: u64,
    /// By model.
    pub models: BTreeMap<String, MinedModel>,
    /// All models together.
    pub total: MinedModel,
}

/// One model's calls and repeats.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MinedModel {
    /// Calls.
    pub calls: u64,
    /// Those that change something.
    pub writes: u64,
    /// Of these, those that succeeded.
    pub succeeded: u64,
    /// Of these, those that say what an earlier one of the same run said that had succeeded too, at another step.
    pub repeats: u64,
    /// Different tasks with a repeat: repeats of one task are no independent draws.
    pub tasks: u64,
    /// Strategy, then its verdicts on the repeats.
    pub strategies: BTreeMap<String, Tally>,
}

impl MinedModel {
    /// Adds all of another model's counts.
    pub fn add(&mut self, other: &MinedModel) {
        self.calls += other.calls;
        self.writes += other.writes;
        self.succeeded += other.succeeded;
        self.repeats += other.repeats;
        self.tasks += other.tasks;
        for (name, tally) in &other.strategies {
            self.strategies.entry(name.clone()).or_default().merge(tally);
        }
    }
}
