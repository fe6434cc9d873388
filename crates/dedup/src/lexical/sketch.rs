//! The hashes by which an item is found again: one of its normal form, and those under which near repeats meet.
//!
//! At [`Level::Strict`] two texts can only be merged when they agree once noise words are left out, so one hash of the
//! rest finds every candidate. At the other levels near repeats meet by MinHash over word bigrams (one permutation,
//! Li, Owen, Zhang 2012; empty bins filled by rotation, Shrivastava, Li 2014), 16 bands of 4 rows: a pair of Jaccard
//! similarity J is missed with probability (1 - J^4)^16, at 0.9 below one in ten million for long texts. At
//! [`Level::Facts`] the sequence of tokens that may never differ is a part of every key, so that texts which the guard
//! would refuse for them never meet.

use super::features::Features;
use crate::guard::{
    FoldedHash, Level, Lexicon, blank_hash, fold, is_always_a_fact, judged, mix, normal_form,
    token_hash,
};

const BINS: usize = 64;
const ROWS: usize = 4;

/// Hashes of one item.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    pub(crate) exact: u64,
    pub(crate) near: Near,
}

/// Hashes under which near repeats meet.
#[derive(Clone, Debug)]
pub(crate) enum Near {
    None,
    Content(u64),
    Bands(Box<[u64]>),
}

impl Near {
    pub(crate) fn keys(&self) -> &[u64] {
        match self {
            Self::None => &[],
            Self::Content(key) => std::slice::from_ref(key),
            Self::Bands(keys) => keys,
        }
    }
}

/// Sketch of a text; without near hashes when only equal forms are merged. One pass, constant memory.
pub(crate) fn sketch(text: &str, level: Level, lexicon: &Lexicon, near: bool) -> Sketch {
    let folded = fold(text);
    let (mut exact, mut content) = (FoldedHash::new(), FoldedHash::new());
    let mut facts = FoldedHash::new();
    let mut bins = [u64::MAX; BINS];
    let banded = near && level != Level::Strict;
    let mut last = None;
    let mut tokens = 0usize;
    for (token, noise) in judged(&folded, lexicon) {
        let hash = token_hash(&token);
        exact.push(hash);
        if !noise {
            content.push(hash);
        }
        if banded {
            if level == Level::Facts && is_always_a_fact(&token, hash, lexicon) {
                facts.push(hash);
            }
            if let Some(last) = last.replace(hash) {
                put(&mut bins, mix(u64::rotate_left(last, 17) ^ hash));
            }
        }
        tokens += 1;
    }
    if tokens == 0 {
        return Sketch { exact: blank_hash(text), near: Near::None };
    }
    let near = match (near, banded) {
        (false, _) => Near::None,
        (true, false) => Near::Content(content.finish()),
        (true, true) => {
            if tokens == 1 {
                Features::of(normal_form(text))
                    .grams()
                    .iter()
                    .for_each(|&gram| put(&mut bins, gram));
            }
            Near::Bands(bands(&bins, facts.finish()))
        }
    };
    Sketch { exact: exact.finish(), near }
}

fn put(bins: &mut [u64; BINS], hash: u64) {
    let bin = &mut bins[(hash >> 58) as usize];
    *bin = hash.min(*bin);
}

/// The keys of the bands: equal where four bins and the facts are.
fn bands(bins: &[u64; BINS], facts: u64) -> Box<[u64]> {
    let filled = |at: usize| -> u64 {
        // An empty bin takes the value of the next one that is not, marked with the distance.
        (0..BINS)
            .find_map(|step| {
                let value = bins[(at + step) % BINS];
                (value != u64::MAX).then(|| mix(value.wrapping_add(step as u64)))
            })
            .unwrap_or_default()
    };
    let band = |band: usize| {
        (0..ROWS)
            .fold(mix(facts ^ (band as u64 + 1)), |key, row| mix(key ^ filled(band * ROWS + row)))
    };
    (0..BINS / ROWS).map(band).collect()
}
