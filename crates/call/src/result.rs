//! What a replay found, as plain data: the shape of `replay --json`, written by the scorer and read by
//! the reports. Nothing here computes a score.
//!
//! Every map is sorted by name, so the same result is the same bytes.

use crate::json::{self, Dialect, Value};
use crate::pair::Truth;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of one replay.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Results {
    /// Set, then strategy, then what was counted.
    pub sets: BTreeMap<String, BTreeMap<String, StrategyResult>>,
    /// What holds of a set whatever the strategy.
    #[serde(default)]
    pub details: BTreeMap<String, SetDetails>,
    /// The seed of the generated pairs and of the random canary; null where nothing was drawn.
    pub seed: Option<u64>,
    /// Where the pairs came from, in the order given.
    pub inputs: Vec<Input>,
}

/// One source of pairs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Input {
    /// The file's name as given, or what the generator calls itself.
    pub name: String,
    /// How many pairs it held.
    pub pairs: u64,
    /// How many lines were left out because they could not be read; only where that was allowed.
    pub skipped: u64,
    /// SHA-256 of the bytes read, in lower hex; absent for a generator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// One value for retries and one for distinct pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ByTruth<T> {
    /// For pairs whose calls are one call.
    pub retry: T,
    /// For pairs of two calls.
    pub distinct: T,
}

impl<T> ByTruth<T> {
    /// The value for one truth.
    pub fn get(&self, truth: Truth) -> &T {
        match truth {
            Truth::Retry => &self.retry,
            Truth::Distinct => &self.distinct,
        }
    }

    /// The value for one truth, to be changed.
    pub fn get_mut(&mut self, truth: Truth) -> &mut T {
        match truth {
            Truth::Retry => &mut self.retry,
            Truth::Distinct => &mut self.distinct,
        }
    }
}

/// How many pairs got which verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// All pairs; the sum of the other five.
    pub n: u64,
    /// Answered `same`.
    pub same: u64,
    /// Answered `different`.
    pub different: u64,
    /// Answered `conflict`.
    pub conflict: u64,
    /// Answered `suspect`.
    pub suspect: u64,
    /// Either side refused.
    pub refused: u64,
}

impl Tally {
    /// Counts one pair.
    pub fn add(&mut self, verdict: Verdict) {
        self.n += 1;
        *match verdict {
            Verdict::Same => &mut self.same,
            Verdict::Different => &mut self.different,
            Verdict::Conflict => &mut self.conflict,
            Verdict::Suspect => &mut self.suspect,
            Verdict::Refused => &mut self.refused,
        } += 1;
    }

    /// Adds all of another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.n += other.n;
        self.same += other.same;
        self.different += other.different;
        self.conflict += other.conflict;
        self.suspect += other.suspect;
        self.refused += other.refused;
    }
}

/// Tallies by what kind of pair it was.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Breakdown {
    /// By the pair's reason.
    pub by_why: BTreeMap<String, Tally>,
    /// By drift class; a pair with several classes counts under each.
    pub by_drift: BTreeMap<String, Tally>,
    /// Bounds on the share answered `same`, by reason: of retries Wilson's two-sided 95 % interval, of
    /// distinct pairs 0 and the exact one-sided 95 % upper bound.
    #[serde(default)]
    pub bounds_by_why: BTreeMap<String, [f64; 2]>,
    /// The same by drift class.
    #[serde(default)]
    pub bounds_by_drift: BTreeMap<String, [f64; 2]>,
}

/// What one strategy did on one set. Pairs that no key can decide (`contradiction`) and pairs on
/// which real executors differ (`executor_dependent`) are in their own tallies and nowhere else.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StrategyResult {
    /// Retries.
    pub retry: u64,
    /// Retries answered `same`; over `retry` this is the recall.
    pub caught: u64,
    /// Distinct pairs.
    pub distinct: u64,
    /// Distinct pairs answered `same`: false merges.
    pub merged: u64,
    /// Pairs answered `conflict`.
    pub conflict: ByTruth<u64>,
    /// Pairs answered `suspect`.
    pub suspect: ByTruth<u64>,
    /// Pairs refused.
    pub refused: ByTruth<u64>,
    /// How sure the two shares are.
    pub intervals: Intervals,
    /// How many groups of pairs that are no independent draws the set has.
    pub clusters: u64,
    /// All pairs by reason.
    pub by_why: BTreeMap<String, Tally>,
    /// All pairs by drift class.
    pub by_drift: BTreeMap<String, Tally>,
    /// The same two, retries and distinct pairs apart.
    pub by_truth: ByTruth<Breakdown>,
    /// Generated pairs by grammar production.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_production: BTreeMap<String, ByTruth<Option<ProductionResult>>>,
    /// The production with the highest bound on misses (`retry`) and on false merges (`distinct`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub worst_production: ByTruth<Option<String>>,
    /// Pairs whose bytes stand in the corpus with the other truth too.
    pub contradiction: ByTruth<Tally>,
    /// Pairs made by a production that real executors do not agree on.
    pub executor_dependent: ByTruth<Tally>,
    /// Why pairs were refused: reason to number of pairs (the first refusing side's reason).
    pub refusals: BTreeMap<String, u64>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Intervals of the two shares, as fractions of 1, rounded to six places.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Intervals {
    /// Recall: Wilson, two-sided 95 %, every pair an independent draw.
    pub recall: [f64; 2],
    /// False merges: exact one-sided 95 % upper bound (Clopper-Pearson), every pair a draw.
    pub false_merge_upper: f64,
    /// Recall with the clusters as the draws.
    pub recall_clusters: [f64; 2],
    /// False merges with the clusters as the draws.
    pub false_merge_upper_clusters: f64,
    /// Share answered `conflict`: Wilson, two-sided 95 %, every pair a draw.
    #[serde(default)]
    pub conflict: ByTruth<[f64; 2]>,
    /// Share answered `suspect`.
    #[serde(default)]
    pub suspect: ByTruth<[f64; 2]>,
    /// Share refused.
    #[serde(default)]
    pub refused: ByTruth<[f64; 2]>,
}

/// What one strategy did with the pairs that one grammar production took part in.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ProductionResult {
    /// Pairs that exercised the production.
    pub n: u64,
    /// Of these, retries not answered `same`, or distinct pairs answered `same`.
    pub failed: u64,
    /// Exact one-sided 95 % upper bound on the share that fails, as a fraction of 1.
    pub upper: f64,
    /// The shortest pair that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
}

/// A pair shown as an example.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Example {
    /// The pair's id.
    pub id: String,
    /// The first call's tool.
    pub tool: String,
    /// Bytes of both argument texts together.
    pub bytes: u64,
    /// Whether `a` and `b` show kinds and lengths in place of values.
    pub redacted: bool,
    /// The first call's arguments.
    pub a: String,
    /// The second call's arguments.
    pub b: String,
}

impl Example {
    /// The same example without any argument value.
    pub fn redact(self) -> Self {
        if self.redacted {
            return self;
        }
        Example { redacted: true, a: redact(&self.a), b: redact(&self.b), ..self }
    }
}

/// Argument text with every value replaced by its kind and its length in bytes as written; member
/// names and the order of members stay. Text that is no JSON is replaced as a whole.
pub fn redact(arguments: &str) -> String {
    fn write(value: &Value<'_>, out: &mut String) {
        match value {
            Value::Null => out.push_str("null"),
            Value::Bool(_) => out.push_str("<boolean>"),
            Value::Number(text) => out.push_str(&format!("<number {}>", text.len())),
            Value::NonFinite(literal) => out.push_str(literal.as_str()),
            Value::String(text) => out.push_str(&format!("<text {}>", text.as_bytes().len())),
            Value::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    write(item, out);
                }
                out.push(']');
            }
            Value::Object(members) => {
                out.push('{');
                for (index, member) in members.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    // Writing to a String cannot fail.
                    let _ = json::write_text(out, &member.name);
                    out.push_str(": ");
                    write(&member.value, out);
                }
                out.push('}');
            }
        }
    }
    match json::parse(arguments, Dialect::Python) {
        Ok(value) => {
            let mut out = String::with_capacity(arguments.len());
            write(&value, &mut out);
            out
        }
        Err(_) => format!("<no JSON, {} bytes>", arguments.len()),
    }
}

/// What holds of a set whatever the strategy.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SetDetails {
    /// All pairs of the set.
    pub pairs: u64,
    /// Those that are scored as retries or distinct pairs.
    pub scored: ByTruth<u64>,
    /// Those that no key can decide, counted apart.
    pub contradiction: ByTruth<u64>,
    /// Those that real executors differ on, counted apart.
    pub executor_dependent: ByTruth<u64>,
    /// Pairs whose tool has no schema in the catalogs.
    pub without_schema: u64,
    /// Clusters of the scored pairs.
    pub clusters: Count,
    /// Clusters that hold at least one scored retry, and at least one scored distinct pair.
    pub clusters_by_truth: ByTruth<Count>,
    /// Different first calls (tool and canonical arguments) among the scored retries.
    pub distinct_calls: Count,
    /// Every two strategies compared on the same pairs.
    pub paired: Vec<Paired>,
    /// For a corpus whose second side rotates through serializers: what `raw` catches from each
    /// start of the rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serializer_phase: Option<SerializerPhase>,
}

/// A number of different things, exact up to a cap and an estimate above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Count {
    /// The number.
    pub n: u64,
    /// Whether it was counted; else it is estimated from the `cap` things kept, with a relative
    /// standard error of about 1 / sqrt(cap).
    pub exact: bool,
    /// How many were kept at most.
    pub cap: u64,
}

/// Two strategies on the same pairs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Paired {
    /// The first strategy.
    pub a: String,
    /// The second strategy.
    pub b: String,
    /// On retries; to be answered `same` is good.
    pub retry: Discordant,
    /// On distinct pairs; to be answered `same` is bad.
    pub distinct: Discordant,
}

/// The pairs on which two strategies part.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Discordant {
    /// Pairs answered `same` by the first alone.
    pub a_only: u64,
    /// Pairs answered `same` by the second alone.
    pub b_only: u64,
    /// Exact two-sided McNemar p-value: every pair a draw. Rounded to six significant digits.
    pub p: f64,
    /// Clusters in which the first answers `same` more often than the second.
    pub a_clusters: u64,
    /// Clusters in which the second does.
    pub b_clusters: u64,
    /// Exact two-sided sign test over these clusters.
    pub p_clusters: f64,
}

/// What byte equality catches, by where the rotation of serializers starts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SerializerPhase {
    /// The rotation, as the corpus names its serializers.
    pub rotation: Vec<String>,
    /// Retries that took part.
    pub retry: u64,
    /// Retries that `raw` catches with each pair's serializer moved on by 0, 1 and 2 places in the
    /// rotation; the first is the corpus as recorded.
    pub caught: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redaction_keeps_names_and_no_value() {
        let text = r#"{"to": "ana@example.com", "n": 4200.0, "l": [true, null, {"k": "é"}]}"#;
        assert_eq!(
            redact(text),
            r#"{"to": <text 15>, "n": <number 6>, "l": [<boolean>, null, {"k": <text 2>}]}"#
        );
        assert_eq!(redact("rm -rf secret"), "<no JSON, 13 bytes>");
    }

    #[test]
    fn a_tally_has_one_place_for_every_verdict() {
        let mut tally = Tally::default();
        for verdict in Verdict::ALL {
            tally.add(verdict);
        }
        let once = Tally { n: 5, same: 1, different: 1, conflict: 1, suspect: 1, refused: 1 };
        assert_eq!(tally, once);
        tally.merge(&once);
        assert_eq!((tally.n, tally.refused), (10, 2));
    }
}
