//! What must hold of every replay: the canaries answer as they must, the order of pairs and the size of batches change
//! nothing, and a pair turned round has the same verdict.

use crate::broken::{Broken, Evidence, Law};
use crate::input::tape;
use crate::world::World;
use samecall_call::result::Results;
use samecall_call::{Pair, Truth};
use samecall_score::{CANARIES, IterSource, Options, check_canaries, replay, strategies};

/// Most pairs of one input.
const MAX_PAIRS: usize = 64;
/// A pair whose place in the tape's seeds is this byte is counted apart, as one that no key can decide.
const APART: u8 = 7;

/// What the laws saw of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Seen {
    /// Pairs that share an intent.
    pub retries: usize,
    /// Pairs that do not.
    pub distinct: usize,
    /// Pairs counted apart.
    pub apart: usize,
}

/// The pairs that bytes draw: two bytes are the seed of a pair, a third draws its set and cluster.
pub fn pairs(bytes: &[u8]) -> Vec<Pair> {
    let world = World::shared();
    bytes
        .chunks_exact(3)
        .take(MAX_PAIRS)
        .enumerate()
        .map(|(at, drawn)| {
            let mut pair = world.pair(&tape(&drawn[..2]));
            pair.id = at.to_string();
            pair.set = format!("set{}", drawn[2] % 2);
            pair.cluster = format!("c{}", drawn[2] % 5);
            pair.contradicts = (drawn[2] % 16 == APART).then(|| "other".to_owned());
            pair
        })
        .collect()
}

/// Checks the replay of the pairs that bytes draw.
///
/// # Errors
/// Where two replays that should agree do not, a canary answers otherwise, or a pair is counted twice or not at all.
pub fn check(bytes: &[u8]) -> Law<Seen> {
    let broken = |class: &str, why: String| {
        Err(Broken::new("scoring", [class], why, Evidence::Bytes(bytes.to_vec())))
    };
    let pairs = pairs(bytes);
    if pairs.is_empty() {
        return Ok(Seen::default());
    }
    let run = |pairs: Vec<Pair>, batch| run(pairs, batch).map_err(|error| error.to_string());
    let once = match run(pairs.clone(), 1_000) {
        Ok(results) => results,
        Err(error) => return broken("replay", error),
    };
    if let Err(error) = check_canaries(&once) {
        return broken("canaries", error.to_string());
    }
    let total: u64 = once.details.values().map(|details| details.pairs).sum();
    if total != pairs.len() as u64 {
        return broken("counts", "a pair is counted twice or not at all".to_owned());
    }
    let mut reversed = pairs.clone();
    reversed.reverse();
    match run(reversed, 1 + bytes.len() % 7) {
        Ok(other) if text(&other) == text(&once) => {}
        Ok(_) => return broken("order", "the order of pairs changes a result".to_owned()),
        Err(error) => return broken("order", error),
    }
    let turned = pairs.iter().cloned().map(|mut pair| {
        std::mem::swap(&mut pair.a, &mut pair.b);
        pair
    });
    let turned = match run(turned.collect(), 5) {
        Ok(turned) => turned,
        Err(error) => return broken("symmetry", error),
    };
    for (set, strategies) in &once.sets {
        for (name, result) in strategies {
            let back = turned.sets.get(set).and_then(|strategies| strategies.get(name));
            if back.is_none_or(|back| back.by_truth != result.by_truth) {
                return broken("symmetry", format!("`{name}` judges pairs turned round otherwise"));
            }
        }
    }
    let apart = pairs.iter().filter(|pair| pair.contradicts.is_some()).count();
    let retries = pairs.iter().filter(|pair| pair.truth == Truth::Retry).count();
    Ok(Seen { retries, distinct: pairs.len() - retries, apart })
}

fn run(pairs: Vec<Pair>, batch: usize) -> samecall_score::Result<Results> {
    let names = ["canonical", "normalised", "typed", "typed-scoped"];
    let keyers = strategies(&[&names[..], &CANARIES[..]].concat())?;
    let mut options = Options::new(keyers, World::shared().catalog());
    options.threads = Some(1);
    replay(vec![Box::new(IterSource::new("pairs", pairs).in_batches_of(batch))], options)
}

fn text(results: &Results) -> String {
    // Results are plain data, which serde_json writes in one order.
    serde_json::to_string(results).unwrap_or_default()
}
