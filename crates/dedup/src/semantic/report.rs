//! What a run did, in figures.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::chunks::Chunks;
use super::model::Fingerprint;
use super::options::Options;
use super::run::Removal;
use crate::guard::Level;

/// Chunks below which a retrieval index hardly feels its repeats.
pub const MAY_NOT_PAY_BELOW: usize = 1000;
/// Refusals that the report lists.
const NEAREST: usize = 10;
/// Containment from which on the shorter of two chunks is an excerpt of the longer.
const EXCERPT: f64 = 0.9;

/// A pair above the threshold that the guard keeps apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// Id of one.
    pub a: Value,
    /// Id of the other.
    pub b: Value,
    /// Their cosine.
    pub similarity: f32,
    /// Why.
    pub cause: String,
}

/// Tokens of all chunks and of those that stay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokensSaved {
    /// Name of the encoding.
    pub encoding: String,
    /// Tokens of all chunks.
    pub before: usize,
    /// Tokens of the chunks that stay.
    pub after: usize,
}

/// Counts of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Chunks of the input.
    pub chunks: usize,
    /// Chunks that stay.
    pub canonical: usize,
    /// Chunks that another one stands for.
    pub removed: usize,
    /// Removed / chunks.
    pub ratio: f64,
    /// Groups of more than one chunk.
    pub clusters: usize,
    /// Number of groups by the number of their chunks, those of one included.
    pub cluster_sizes: BTreeMap<usize, usize>,
    /// Lowest cosine of any removed chunk with its canonical.
    pub lowest_similarity: Option<f32>,
    /// Removed chunks below the threshold to their canonical, or that the guard would keep apart from it: chaining.
    pub chained: usize,
    /// Pairs above the threshold that may merge.
    pub pairs: usize,
    /// Pairs above the threshold that the guard keeps apart, by cause.
    pub refused: BTreeMap<String, usize>,
    /// The most similar of them.
    pub nearest_refusals: Vec<Refusal>,
    /// Mean containment of removed chunks in their canonical.
    pub mean_containment: Option<f64>,
    /// Removed chunks of which the canonical has nearly all words and many more: excerpts or summaries.
    pub excerpts: usize,
    /// Characters of removed chunks.
    pub characters_saved: usize,
    /// Tokens, when a counter was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokensSaved>,
    /// Lowest cosine that merges.
    pub threshold: f32,
    /// Level of the guard.
    pub guard: String,
    /// The model that the embeddings come from.
    pub model: Fingerprint,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// Name of a level as the command line has it.
pub fn level_name(level: Level) -> &'static str {
    match level {
        Level::Off => "off",
        Level::Facts => "facts",
        Level::Strict => "strict",
    }
}

impl Report {
    pub(crate) fn of(
        input: &Chunks,
        kept: &[usize],
        removed: &[Removal],
        refused: &[Refusal],
        pairs: usize,
        options: &Options,
        fingerprint: &Fingerprint,
    ) -> Self {
        let chunks = input.chunks.len();
        let mut members: BTreeMap<usize, usize> = kept.iter().map(|&at| (at, 1)).collect();
        for removal in removed {
            *members.entry(removal.kept).or_default() += 1;
        }
        let mut cluster_sizes: BTreeMap<usize, usize> = BTreeMap::new();
        for size in members.values() {
            *cluster_sizes.entry(*size).or_default() += 1;
        }
        let mut by_cause: BTreeMap<String, usize> = BTreeMap::new();
        for refusal in refused {
            *by_cause.entry(refusal.cause.clone()).or_default() += 1;
        }
        let count = |at: usize| input.chunks[at].text.chars().count();
        let excerpt = |removal: &&Removal| {
            removal.containment >= EXCERPT && 2 * count(removal.removed) <= count(removal.kept)
        };
        let tokens = options.tokens.as_ref().map(|counter| {
            let count = |at: usize| counter.count(&input.chunks[at].text);
            let after: usize = kept.iter().map(|&at| count(at)).sum();
            let gone: usize = removed.iter().map(|removal| count(removal.removed)).sum();
            TokensSaved { encoding: counter.name().to_owned(), before: after + gone, after }
        });
        let chained = |removal: &&Removal| {
            removal.similarity < options.threshold || !removal.verdict.passes()
        };
        Self {
            chunks,
            canonical: kept.len(),
            removed: removed.len(),
            ratio: if chunks == 0 { 0.0 } else { removed.len() as f64 / chunks as f64 },
            clusters: members.values().filter(|size| **size > 1).count(),
            cluster_sizes,
            lowest_similarity: removed.iter().map(|r| r.similarity).min_by(f32::total_cmp),
            chained: removed.iter().filter(chained).count(),
            pairs,
            refused: by_cause,
            nearest_refusals: refused.iter().take(NEAREST).cloned().collect(),
            mean_containment: (!removed.is_empty())
                .then(|| removed.iter().map(|r| r.containment).sum::<f64>() / removed.len() as f64),
            excerpts: removed.iter().filter(excerpt).count(),
            characters_saved: removed.iter().map(|r| count(r.removed)).sum(),
            tokens,
            threshold: options.threshold,
            guard: level_name(options.level).to_owned(),
            model: fingerprint.clone(),
            notes: notes(chunks, options),
        }
    }

    /// A table for people.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let mut row = |name: &str, value: String| out.push_str(&format!("{name:<26}{value:>12}\n"));
        row("chunks", self.chunks.to_string());
        row("canonical", self.canonical.to_string());
        row("removed", self.removed.to_string());
        row("ratio removed", format!("{:.4}", self.ratio));
        row("clusters", self.clusters.to_string());
        if let Some(size) = self.cluster_sizes.keys().next_back().filter(|size| **size > 1) {
            row("largest cluster", size.to_string());
        }
        if let Some(lowest) = self.lowest_similarity {
            row("lowest to its canonical", format!("{lowest:.4}"));
        }
        if self.chained > 0 {
            row("chained", self.chained.to_string());
        }
        row("pairs that may merge", self.pairs.to_string());
        row("refused by the guard", self.refused.values().sum::<usize>().to_string());
        for (cause, count) in &self.refused {
            row(&format!("  {cause}"), count.to_string());
        }
        if let Some(containment) = self.mean_containment {
            row("mean containment", format!("{containment:.3}"));
            row("excerpts", self.excerpts.to_string());
        }
        row("characters saved", self.characters_saved.to_string());
        if let Some(tokens) = &self.tokens {
            row(
                &format!("tokens saved ({})", tokens.encoding),
                (tokens.before - tokens.after).to_string(),
            );
        }
        if !self.nearest_refusals.is_empty() {
            out.push_str("\nnearest refusals\n");
            for refusal in &self.nearest_refusals {
                out.push_str(&format!(
                    "  {:.4}  {:<20} {} | {}\n",
                    refusal.similarity, refusal.cause, refusal.a, refusal.b
                ));
            }
        }
        for note in &self.notes {
            out.push_str(&format!("note: {note}\n"));
        }
        out
    }
}

fn notes(chunks: usize, options: &Options) -> Vec<String> {
    let mut notes = Vec::new();
    if chunks < MAY_NOT_PAY_BELOW {
        notes.push(format!(
            "{chunks} chunks: below {MAY_NOT_PAY_BELOW} this step may not pay; a retriever can read a few repeats"
        ));
    }
    if options.level == Level::Off {
        notes.push("the guard is off: facts that differ may have been merged".into());
    }
    notes
}
