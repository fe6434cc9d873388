//! The 64-bit SimHash of the package arcaeon (Charikar 2002): one vote of each feature on each bit.

use std::collections::BTreeSet;

use blake2::digest::consts::U8;
use blake2::{Blake2b, Digest};

/// SimHash of a normal form over word k-grams, or over the set of character 4-grams when there are fewer than max(k, 2) words.
/// A feature's hash is BLAKE2b of 8 bytes, read big-endian; a bit is set when more features set it than not.
pub fn simhash(form: &str, k: usize) -> u64 {
    let words: Vec<&str> = if form.is_empty() { Vec::new() } else { form.split(' ').collect() };
    let mut votes = [0i64; 64];
    if words.len() < k.max(2) {
        for gram in char_grams(form) {
            vote(gram, &mut votes);
        }
    } else {
        let mut feature = String::new();
        for window in words.windows(k) {
            feature.clear();
            for (i, word) in window.iter().enumerate() {
                feature.push_str(if i == 0 { "" } else { " " });
                feature.push_str(word);
            }
            vote(&feature, &mut votes);
        }
    }
    votes
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .fold(0, |hash, (bit, _)| hash | 1 << bit)
}

fn char_grams(form: &str) -> BTreeSet<&str> {
    let starts: Vec<usize> = form.char_indices().map(|(at, _)| at).chain([form.len()]).collect();
    if starts.len() <= 5 {
        return if form.is_empty() { BTreeSet::new() } else { BTreeSet::from([form]) };
    }
    starts.windows(5).map(|at| &form[at[0]..at[4]]).collect()
}

fn vote(feature: &str, votes: &mut [i64; 64]) {
    let digest = Blake2b::<U8>::digest(feature.as_bytes());
    let hash = digest.iter().fold(0u64, |hash, &byte| hash << 8 | u64::from(byte));
    for (bit, count) in votes.iter_mut().enumerate() {
        *count += if hash >> bit & 1 == 1 { 1 } else { -1 };
    }
}
