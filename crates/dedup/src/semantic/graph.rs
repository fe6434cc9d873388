//! All pairs of vectors whose cosine reaches a threshold: exact, in blocks, on all cores.
//!
//! A product finds candidates, with a slack above its rounding error; each candidate is then verified by
//! [`Vectors::cosine`], so the answer is that of the naive double loop to the last bit. Where it pays, a product of short
//! prefixes goes first (the module `prefix`), which is a bound and never loses a pair.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::prefix::Prefixes;
use super::product::rows_by_rows;
use super::vectors::Vectors;
use crate::error::{Error, Result};

/// Rows of a block.
const BLOCK: usize = 512;
/// Pairs above the threshold beyond which the search gives up: memory must not grow with the square of the repeats.
pub const MAX_EDGES: usize = 16_000_000;
/// Share of a block's pairs that pass the prefixes from which on the whole block is multiplied, as one part in this many.
const DENSE: usize = 20;
/// Values that are compared with the threshold at once.
const LANES: usize = 16;

/// Two vectors and their cosine; `a < b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The lower row.
    pub a: u32,
    /// The higher row.
    pub b: u32,
    /// Their cosine.
    pub similarity: f32,
}

/// How candidates are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// By prefixes where they pay.
    #[default]
    Pruned,
    /// By the plain product: to compare with.
    Plain,
}

/// What a search found and what it took.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// By `a`, then `b`.
    pub edges: Vec<Edge>,
    /// Values of a prefix; 0 when none were used.
    pub prefix: usize,
    /// Pairs that were verified one by one.
    pub verified: usize,
}

/// Called with the number of blocks done and of all blocks.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

/// Pairs `a < b` with `b >= from` whose cosine is at least `threshold`. With `from` 0 these are all pairs.
///
/// # Errors
/// [`Error::TooManyPairs`] beyond [`MAX_EDGES`]; [`Error::Option`] for a threshold that is no cosine above 0.
pub fn search(
    vectors: &Vectors,
    threshold: f32,
    from: usize,
    how: Search,
    progress: Progress<'_>,
) -> Result<Found> {
    check_threshold(threshold)?;
    let n = vectors.len();
    if u32::try_from(n).is_err() {
        return Err(Error::Option {
            name: "vectors",
            reason: "more than four thousand million rows".into(),
        });
    }
    let prefixes = match how {
        Search::Pruned if from == 0 => Prefixes::choose(vectors, threshold),
        _ => None,
    };
    let blocks = n.div_ceil(BLOCK);
    let first = from / BLOCK;
    let tasks: Vec<(usize, usize)> =
        (0..blocks).flat_map(|i| (i.max(first)..blocks).map(move |j| (i, j))).collect();
    let (done, count, verified) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let full = AtomicBool::new(false);
    let job = Job { vectors, threshold, prefixes: prefixes.as_ref(), from };
    let found: Vec<Vec<Edge>> = tasks
        .par_iter()
        .map_init(
            || vec![0.0f32; BLOCK * BLOCK],
            |room, &task| {
                if full.load(Ordering::Relaxed) {
                    return Vec::new();
                }
                let (edges, looked) = job.block(task, room);
                verified.fetch_add(looked, Ordering::Relaxed);
                if count.fetch_add(edges.len(), Ordering::Relaxed) + edges.len() > MAX_EDGES {
                    full.store(true, Ordering::Relaxed);
                }
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, tasks.len());
                edges
            },
        )
        .collect();
    if full.into_inner() {
        return Err(Error::TooManyPairs { most: MAX_EDGES });
    }
    let mut edges = Vec::with_capacity(count.into_inner());
    for part in found {
        edges.extend(part);
    }
    edges.par_sort_unstable_by_key(|edge: &Edge| (edge.a, edge.b));
    Ok(Found {
        edges,
        prefix: prefixes.map_or(0, |p| p.width - 1),
        verified: verified.into_inner(),
    })
}

/// A threshold must be a cosine above 0 and at most 1.
pub(crate) fn check_threshold(threshold: f32) -> Result<()> {
    if threshold > 0.0 && threshold <= 1.0 {
        return Ok(());
    }
    Err(Error::Option {
        name: "threshold",
        reason: "give a cosine above 0 and at most 1, such as 0.95".into(),
    })
}

struct Job<'v> {
    vectors: &'v Vectors,
    threshold: f32,
    prefixes: Option<&'v Prefixes>,
    from: usize,
}

impl Job<'_> {
    /// The pairs of two blocks, and how many were verified.
    fn block(&self, (i, j): (usize, usize), room: &mut [f32]) -> (Vec<Edge>, usize) {
        let n = self.vectors.len();
        let rows = (i * BLOCK, ((i + 1) * BLOCK).min(n));
        let columns = (j * BLOCK, ((j + 1) * BLOCK).min(n));
        let size = (rows.1 - rows.0, columns.1 - columns.0);
        // Above the rounding of f32 sums over this many terms, and of the verified cosine itself.
        let slack = |terms: usize| 1e-5 + 1.2e-7 * terms as f32;
        if let Some(prefixes) = self.prefixes {
            let (a, b) = (prefixes.rows(rows.0, rows.1), prefixes.rows(columns.0, columns.1));
            rows_by_rows((a, size.0), (b, size.1), prefixes.width, room);
            let floor = self.threshold - slack(prefixes.width);
            let most = size.0 * size.1 / DENSE;
            if let Some(hits) = above(&room[..size.0 * size.1], floor, most) {
                return self.verify(&hits, rows.0, columns.0, size.1);
            }
        }
        let d = self.vectors.dimension();
        let part = |(from, to): (usize, usize)| &self.vectors.data()[from * d..to * d];
        rows_by_rows((part(rows), size.0), (part(columns), size.1), d, room);
        let floor = self.threshold - slack(d);
        let hits = above(&room[..size.0 * size.1], floor, usize::MAX).unwrap_or_default();
        self.verify(&hits, rows.0, columns.0, size.1)
    }

    fn verify(
        &self,
        hits: &[u32],
        row: usize,
        column: usize,
        columns: usize,
    ) -> (Vec<Edge>, usize) {
        let (mut edges, mut looked) = (Vec::new(), 0);
        for &hit in hits {
            let (a, b) = (row + hit as usize / columns, column + hit as usize % columns);
            if a >= b || b < self.from {
                continue;
            }
            looked += 1;
            let similarity = self.vectors.cosine(a, b);
            if similarity >= self.threshold {
                edges.push(Edge { a: a as u32, b: b as u32, similarity });
            }
        }
        (edges, looked)
    }
}

/// Positions of the values that reach the floor; `None` when there are more than `most`.
fn above(values: &[f32], floor: f32, most: usize) -> Option<Vec<u32>> {
    let mut hits = Vec::new();
    for (at, lanes) in values.chunks(LANES).enumerate() {
        // Nearly all chunks hold no hit, and this test is a few vector instructions.
        if lanes.iter().fold(false, |any, x| any | (*x >= floor)) {
            let from = at * LANES;
            hits.extend((0..lanes.len()).filter(|&i| lanes[i] >= floor).map(|i| (from + i) as u32));
            if hits.len() > most {
                return None;
            }
        }
    }
    Some(hits)
}

/// The naive double loop, for comparison.
pub fn naive(vectors: &Vectors, threshold: f32) -> Vec<Edge> {
    let mut edges = Vec::new();
    for a in 0..vectors.len() {
        for b in a + 1..vectors.len() {
            let similarity = vectors.cosine(a, b);
            if similarity >= threshold {
                edges.push(Edge { a: a as u32, b: b as u32, similarity });
            }
        }
    }
    edges
}
