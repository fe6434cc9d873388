//! The deduplicator class of the guide that this crate answers, reproduced to be compared with: it walks the chunks in
//! order, each one that no earlier leader has taken leads a new cluster and takes every later free chunk whose cosine with it
//! reaches the threshold, and keeps the most recent or the most complete of each cluster. No guard.
//!
//! Its answer depends on the order of the input, which [`order_matters`] shows.

use serde::{Deserialize, Serialize};

use super::chunks::Chunk;
use super::graph::Edge;

/// Which chunk of a cluster its class keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// The highest time; the first of equals.
    #[default]
    MostRecent,
    /// The longest text; the first of equals.
    MostComplete,
}

/// The five figures of its report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassReport {
    /// Chunks given.
    pub original: usize,
    /// Chunks kept.
    pub canonical: usize,
    /// Chunks removed.
    pub removed: usize,
    /// Removed / given.
    pub reduction: f64,
    /// Clusters of more than one chunk.
    pub clusters: usize,
}

/// Its answer: for each chunk the position of the one that is kept for it.
pub fn first_match(chunks: &[&Chunk], edges: &[Edge], keep: Keep) -> Vec<usize> {
    let n = chunks.len();
    let mut later: Vec<Vec<u32>> = vec![Vec::new(); n];
    for edge in edges {
        later[edge.a as usize].push(edge.b);
    }
    let mut leader = vec![usize::MAX; n];
    let mut kept: Vec<usize> = (0..n).collect();
    for (at, later) in later.iter().enumerate() {
        if leader[at] != usize::MAX {
            continue;
        }
        leader[at] = at;
        for &other in later {
            let other = other as usize;
            if leader[other] == usize::MAX {
                leader[other] = at;
                if is_better(chunks[other], chunks[kept[at]], keep)
                    || (ties(chunks[other], chunks[kept[at]], keep) && other < kept[at])
                {
                    kept[at] = other;
                }
            }
        }
    }
    leader.iter().map(|&leader| kept[leader]).collect()
}

fn is_better(one: &Chunk, other: &Chunk, keep: Keep) -> bool {
    match keep {
        Keep::MostRecent => time(one) > time(other),
        Keep::MostComplete => length(one) > length(other),
    }
}

fn ties(one: &Chunk, other: &Chunk, keep: Keep) -> bool {
    !is_better(one, other, keep) && !is_better(other, one, keep)
}

fn time(chunk: &Chunk) -> f64 {
    chunk.created_at.unwrap_or(0.0)
}

fn length(chunk: &Chunk) -> usize {
    chunk.text.chars().count()
}

/// The five figures of an answer.
pub fn report(keepers: &[usize]) -> ClassReport {
    let original = keepers.len();
    let canonical = (0..original).filter(|&at| keepers[at] == at).count();
    let mut sizes = vec![0usize; original];
    for &keeper in keepers {
        sizes[keeper] += 1;
    }
    let removed = original - canonical;
    ClassReport {
        original,
        canonical,
        removed,
        reduction: if original == 0 { 0.0 } else { removed as f64 / original as f64 },
        clusters: sizes.iter().filter(|size| **size > 1).count(),
    }
}

/// What the class keeps of these chunks read forwards and backwards, as positions in the input.
pub fn order_matters(chunks: &[&Chunk], edges: &[Edge], keep: Keep) -> (Vec<usize>, Vec<usize>) {
    let n = chunks.len();
    let kept = |keepers: &[usize]| -> Vec<usize> {
        (0..keepers.len()).filter(|&at| keepers[at] == at).collect()
    };
    let forwards = kept(&first_match(chunks, edges, keep));
    let reversed: Vec<&Chunk> = chunks.iter().rev().copied().collect();
    let last = n.saturating_sub(1) as u32;
    let mut turned: Vec<Edge> = edges
        .iter()
        .map(|e| Edge { a: last - e.b, b: last - e.a, similarity: e.similarity })
        .collect();
    turned.sort_unstable_by_key(|edge| (edge.a, edge.b));
    let mut backwards: Vec<usize> = kept(&first_match(&reversed, &turned, keep))
        .into_iter()
        .map(|at| last as usize - at)
        .collect();
    backwards.sort_unstable();
    (forwards, backwards)
}
