//! What must hold of every run by meaning, as plain functions that return what broke the law and what they saw.
//!
//! Each takes any chunks with vectors and recomputes its answer the naive way. `Err` names the law and positions, never a text.

use std::collections::BTreeSet;

use super::chunks::Chunks;
use super::cluster::Method;
use super::graph::{self, Search};
use super::judge::Judge;
use super::model::Fingerprint;
use super::options::Options;
use super::run::{Outcome, dedupe};
use crate::guard::meaning::{Meaning, refusal};

/// How much a law had to look at, so that a test can tell that it was not vacuous.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Chunks given.
    pub chunks: usize,
    /// Chunks removed.
    pub removed: usize,
    /// Pairs that the guard kept apart.
    pub refused: usize,
}

/// The outcome of a law.
pub type Law = Result<Seen, String>;

fn run(input: &Chunks, options: &Options) -> Result<Outcome, String> {
    let fingerprint = Fingerprint::of(&input.vectors, None, None);
    dedupe(input, options, &fingerprint, &|_, _| {}).map_err(|error| error.to_string())
}

fn seen(outcome: &Outcome) -> Seen {
    Seen {
        chunks: outcome.kept.len() + outcome.removed.len(),
        removed: outcome.removed.len(),
        refused: outcome.refused.len(),
    }
}

/// The chunks at these positions, in this order.
pub fn select(input: &Chunks, positions: &[usize]) -> Chunks {
    Chunks {
        chunks: positions.iter().map(|&at| input.chunks[at].clone()).collect(),
        vectors: input.vectors.select(positions),
        spans: positions.iter().map(|&at| input.spans[at]).collect(),
        model: input.model.clone(),
    }
}

/// Kept and removed positions divide the input, and every canonical is kept.
pub fn mapping_is_total(input: &Chunks, options: &Options) -> Law {
    let found = run(input, options)?;
    check_mapping(&found, input.chunks.len())?;
    Ok(seen(&found))
}

/// The check of [`mapping_is_total`] on any answer, so that a planted fault can be shown to it.
pub fn check_mapping(found: &Outcome, chunks: usize) -> Result<(), String> {
    let kept: BTreeSet<usize> = found.kept.iter().copied().collect();
    let removed: BTreeSet<usize> = found.removed.iter().map(|removal| removal.removed).collect();
    if !kept.is_disjoint(&removed)
        || kept.len() + removed.len() != chunks
        || kept.len() != found.kept.len()
        || removed.len() != found.removed.len()
        || kept.union(&removed).any(|at| *at >= chunks)
    {
        return Err("kept and removed chunks do not divide the input".into());
    }
    match found.removed.iter().find(|removal| !kept.contains(&removal.kept)) {
        Some(removal) => Err(format!(
            "chunk {} is mapped to chunk {}, which is not kept",
            removal.removed, removal.kept
        )),
        None => Ok(()),
    }
}

/// A second run over what is kept removes nothing.
pub fn idempotent(input: &Chunks, options: &Options) -> Law {
    let first = run(input, options)?;
    let again = run(&select(input, &first.kept), options)?;
    match again.removed.first() {
        Some(removal) => {
            Err(format!("kept chunk {} is removed by a second run", first.kept[removal.removed]))
        }
        None => Ok(seen(&first)),
    }
}

/// The same ids are kept, and the same map to them, whatever the order of the input.
pub fn permutation_invariant(input: &Chunks, options: &Options) -> Law {
    let names = |input: &Chunks, outcome: &Outcome| -> BTreeSet<(String, String)> {
        let id = |at: usize| input.chunks[at].id.clone();
        let kept = outcome.kept.iter().map(|&at| (id(at), id(at)));
        kept.chain(outcome.removed.iter().map(|r| (id(r.removed), id(r.kept)))).collect()
    };
    let found = run(input, options)?;
    let expected = names(input, &found);
    let n = input.chunks.len();
    for turn in [0, n / 2, n / 3] {
        let mut order: Vec<usize> = (0..n).rev().collect();
        order.rotate_left(turn);
        let other = select(input, &order);
        if names(&other, &run(&other, options)?) != expected {
            return Err(format!("another answer when the input is reversed and turned by {turn}"));
        }
    }
    Ok(seen(&found))
}

/// No pair above the threshold and past the guard is left among the kept.
pub fn nothing_is_left(input: &Chunks, options: &Options) -> Law {
    let found = run(input, options)?;
    check_nothing_is_left(&found, input, options)?;
    Ok(seen(&found))
}

/// The check of [`nothing_is_left`] on any answer.
pub fn check_nothing_is_left(
    found: &Outcome,
    input: &Chunks,
    options: &Options,
) -> Result<(), String> {
    let kept = select(input, &found.kept);
    for edge in graph::naive(&kept.vectors, options.threshold) {
        let (a, b) = (edge.a as usize, edge.b as usize);
        if may_merge(&kept, a, b, options) {
            return Err(format!(
                "chunks {} and {} are both kept and may merge",
                found.kept[a], found.kept[b]
            ));
        }
    }
    Ok(())
}

/// Each removed chunk is above the threshold to its canonical and past the guard; the figures of the mapping are those of the two.
pub fn removals_are_justified(input: &Chunks, options: &Options) -> Law {
    let found = run(input, options)?;
    check_removals(&found, input, options)?;
    Ok(seen(&found))
}

/// The check of [`removals_are_justified`] on any answer.
pub fn check_removals(found: &Outcome, input: &Chunks, options: &Options) -> Result<(), String> {
    for removal in &found.removed {
        let (a, b) = (removal.removed, removal.kept);
        let similarity = input.vectors.cosine(a, b);
        let below = options.method != Method::Average && similarity < options.threshold;
        if below || removal.similarity != similarity || !may_merge(input, a, b, options) {
            return Err(format!("chunk {a} does not say what chunk {b} says"));
        }
    }
    Ok(())
}

/// Policies and guard on a pair, read anew. Versions that are collapsed are left to the judge itself.
fn may_merge(input: &Chunks, a: usize, b: usize, options: &Options) -> bool {
    let (x, y) = (&input.chunks[a], &input.chunks[b]);
    if options.collapse_versions {
        let chunks = input.chunks.iter().collect();
        return Judge::new(chunks, &vec![false; input.chunks.len()], options).judge(a, b).passes();
    }
    if options.level == crate::guard::Level::Off {
        return true;
    }
    let read = |text: &str| Meaning::read(text, &options.lexicon);
    super::policy::conflict(x, y, &options.policies, false).is_none()
        && refusal(&read(&x.text), &read(&y.text), options.level, &options.lexicon).is_none()
}

/// The blocked and pruned search finds the pairs of the naive double loop, to the last bit.
pub fn graph_is_exact(input: &Chunks, threshold: f32) -> Law {
    let naive = graph::naive(&input.vectors, threshold);
    for how in [Search::Pruned, Search::Plain] {
        let found = graph::search(&input.vectors, threshold, 0, how, &|_, _| {})
            .map_err(|error| error.to_string())?;
        if found.edges != naive {
            return Err(format!(
                "{} pairs by the {how:?} search, {} by the naive loop",
                found.edges.len(),
                naive.len()
            ));
        }
    }
    Ok(Seen { chunks: input.chunks.len(), removed: naive.len(), refused: 0 })
}

/// The guard answers the same whichever text comes first, and lets a text stand for itself.
pub fn guard_is_symmetric(a: &str, b: &str, options: &Options) -> Law {
    let (x, y) = (Meaning::read(a, &options.lexicon), Meaning::read(b, &options.lexicon));
    let forth = refusal(&x, &y, options.level, &options.lexicon);
    let back = refusal(&y, &x, options.level, &options.lexicon);
    if forth != back {
        return Err("the guard's answer depends on which text comes first".into());
    }
    if refusal(&x, &x, options.level, &options.lexicon).is_some() {
        return Err("the guard keeps a text apart from itself".into());
    }
    Ok(Seen {
        chunks: 2,
        removed: usize::from(forth.is_none()),
        refused: usize::from(forth.is_some()),
    })
}
