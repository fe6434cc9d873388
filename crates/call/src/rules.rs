//! What an examination of a rule list found, as plain data: the shape of `rules --json`, written by the scorer and
//! read by the reports. Nothing here computes anything.

use crate::result::{Count, Input};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One strategy's rules, each examined alone, left out, and against every other.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RulesResult {
    /// The strategy whose rules these are.
    pub strategy: String,
    /// The rules' names, in the order in which they are applied.
    pub rules: Vec<String>,
    /// Set, then what leaving out each rule does there.
    pub ablation: BTreeMap<String, Ablation>,
    /// Every rule on every other rule's output.
    pub matrix: Matrix,
    /// The same on every short string of each field kind; empty for rules that know no kinds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exhaustive: Vec<Exhaustive>,
    /// The seed of generated pairs and values.
    pub seed: u64,
    /// Where the pairs came from, in the order given.
    pub inputs: Vec<Input>,
}

/// The whole list on one set, and the list without each rule.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Ablation {
    /// The whole list.
    pub whole: Point,
    /// The list without one rule, in the order of the rules.
    pub dropped: Vec<Dropped>,
    /// One rule and no other, in the same order.
    pub alone: Vec<Point>,
}

/// What leaving out one rule does, pair by pair.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Dropped {
    /// The list without the rule.
    pub point: Point,
    /// Retries that only the whole list catches.
    pub lost: Shift,
    /// Retries that only the shorter list catches.
    pub gained: Shift,
    /// Distinct pairs that only the whole list merges.
    pub avoided: Shift,
    /// Distinct pairs that only the shorter list merges.
    pub added: Shift,
}

/// Pairs on which two lists part in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Shift {
    /// How many pairs.
    pub pairs: u64,
    /// In how many clusters.
    pub clusters: u64,
    /// Their share of the pairs of that truth: Wilson, two-sided 95 %, every pair a draw; a fraction of 1.
    pub share: [f64; 2],
}

/// Where one list of rules stands on one set: recall against false merges.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Point {
    /// The strategy, or the rule that the list lacks or consists of.
    pub label: String,
    /// Retries answered `same`.
    pub caught: u64,
    /// Retries.
    pub retry: u64,
    /// Distinct pairs answered `same`.
    pub merged: u64,
    /// Distinct pairs.
    pub distinct: u64,
    /// Wilson's interval of the recall, every pair a draw; fractions of 1.
    pub recall: [f64; 2],
    /// The same with clusters as the draws.
    pub recall_clusters: [f64; 2],
    /// Exact one-sided 95 % upper bound on the share of false merges, every pair a draw.
    pub false_merge_upper: f64,
    /// The same with clusters as the draws.
    pub false_merge_upper_clusters: f64,
    /// Wilson's interval of the share of false merges, every pair a draw.
    pub false_merge: [f64; 2],
}

/// The plot of recall against false merges: every strategy, and the subsets of every rule list.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Frontier {
    /// Set, then its points.
    pub sets: BTreeMap<String, FrontierSet>,
    /// The seed of generated pairs.
    pub seed: u64,
    /// Where the pairs came from.
    pub inputs: Vec<Input>,
}

/// One set of the frontier.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FrontierSet {
    /// Groups of pairs that are no independent draws.
    pub clusters: Count,
    /// The built-in strategies but canaries.
    pub strategies: Vec<Point>,
    /// Strategy, then lists with a part of its rules; of lists that score alike the shortest and how many they are.
    pub subsets: BTreeMap<String, Vec<Subset>>,
}

/// Some lists of rules that score alike.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Subset {
    /// The score; its label names the rules of the shortest such list.
    pub point: Point,
    /// How many lists score so.
    pub lists: u64,
}

/// Every rule on every other rule's output, on generated and hostile values.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Matrix {
    /// Values tried.
    pub values: u64,
    /// Whether the rules are a list, whose order counts, or a set that is applied at once.
    pub ordered: bool,
    /// How often each rule applied to a value as it was made, in the order of the rules.
    pub applied: Vec<u64>,
    /// Pairs of rules that both apply to some value.
    #[serde(default)]
    pub overlapping: u64,
    /// Ordered pairs of rules that do not simply commute, in the order of the rules.
    pub cells: Vec<Cell>,
    /// For each rule the shortest two texts or calls found that it alone makes equal; none where it made none equal.
    pub equates: Vec<Option<[String; 2]>>,
    /// The whole applied twice.
    pub idempotence: Law,
    /// The rules in other orders: of a list once through; of a set one at a time until nothing changes.
    pub order: Law,
}

/// Every string of up to `longest` symbols over the alphabet that one field kind's rules look at.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Exhaustive {
    /// The field kind, with what its schema adds.
    pub kind: String,
    /// The symbols: characters, or fragments where only a longer text triggers a rule.
    pub alphabet: Vec<String>,
    /// The longest strings, in symbols.
    pub longest: u64,
    /// Strings tried: all of them.
    pub states: u64,
    /// Calls tried: each string as text and, where it is JSON, also bare.
    pub values: u64,
    /// Pairs of rules that both apply to some call.
    pub overlapping: u64,
    /// Ordered pairs of rules that do not join: applied once as the strategy does, they have not reached what both orders
    /// reach when repeated.
    pub open: Vec<Cell>,
    /// The whole applied twice.
    pub idempotence: Law,
    /// The rules one at a time, in another order.
    pub order: Law,
}

/// One law on many values.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Law {
    /// Values that the law speaks of.
    pub values: u64,
    /// Values on which it does not hold.
    pub broken: u64,
    /// The shortest such value found.
    pub example: Option<LawExample>,
}

/// A value on which a law breaks. Values are generated, so they may be shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LawExample {
    /// The value.
    pub value: String,
    /// What the whole makes of it.
    pub once: String,
    /// What the whole makes of that, or what another order makes of the value.
    pub other: String,
    /// The other order, for the law of order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
}

/// What the first rule's work does to the second rule.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Cell {
    /// The rule that runs first.
    pub first: String,
    /// The rule that runs on its output.
    pub second: String,
    /// Why the two are right as they are, where an order other than the strategy's would end elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// What was found, the gravest first; never empty.
    pub interactions: Vec<Interaction>,
}

/// One way in which a rule bears on another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    /// Which way.
    pub kind: InteractionKind,
    /// Values on which it was seen.
    pub values: u64,
    /// Of these, values that the whole does not settle: applied once in its own order, the two rules have not reached
    /// what both orders reach when they are repeated until nothing changes.
    pub open: u64,
    /// The shortest value found; one that is open where there is one.
    pub example: InteractionExample,
}

/// How one rule's work bears on another rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InteractionKind {
    /// The first changes back what the second did.
    Undoes,
    /// The second applied to the value and no longer applies after the first; the order decides the result.
    Disables,
    /// The second did not apply to the value and applies after the first; the order decides the result.
    Retriggers,
    /// Each still applies after the other, and the order decides the result.
    Parts,
}

impl InteractionKind {
    /// All kinds, the gravest first.
    pub const ALL: [InteractionKind; 4] = [
        InteractionKind::Undoes,
        InteractionKind::Disables,
        InteractionKind::Retriggers,
        InteractionKind::Parts,
    ];

    /// The word for people.
    pub fn as_str(self) -> &'static str {
        match self {
            InteractionKind::Undoes => "undoes",
            InteractionKind::Disables => "disables",
            InteractionKind::Retriggers => "re-triggers",
            InteractionKind::Parts => "parts from",
        }
    }
}

/// A value, and what two rules make of it in either order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InteractionExample {
    /// The value.
    pub value: String,
    /// After the first rule, then the second.
    pub first_then_second: String,
    /// After the second rule, then the first.
    pub second_then_first: String,
}
