//! `arcaeon` compatibility: each item meets the representatives in order; the first within the SimHash distance and at or
//! above the overlap takes it. Representatives never change, even where `keep = longest` hands the group's place to a
//! longer item. Quadratic in the number of groups, as the original is.

use std::cell::OnceCell;

use rayon::prelude::*;

use super::features::{Features, overlap};
use super::options::{Keep, Options};
use super::python::{folded_space, normal_form};
use super::result::{Deduped, Removal, Report, Rule};
use super::simhash::simhash;

/// A representative with its features, computed when first needed.
struct Representative {
    item: usize,
    winner: usize,
    hash: u64,
    features: OnceCell<Features>,
}

/// Overlap of two texts as the package defines it.
pub fn arcaeon_overlap(a: &str, b: &str) -> f64 {
    verified(a, &Features::of(normal_form(a)), b, &Features::of(normal_form(b)))
}

fn verified(a: &str, a_features: &Features, b: &str, b_features: &Features) -> f64 {
    if a_features.form.is_empty() && b_features.form.is_empty() {
        return if folded_space(a) == folded_space(b) { 1.0 } else { 0.0 };
    }
    overlap(a_features, b_features)
}

pub(crate) fn run(items: &[&str], options: &Options) -> Deduped {
    let hashes: Vec<u64> =
        items.par_iter().map(|text| simhash(&normal_form(text), options.k)).collect();
    let sizes = super::sizes(items, options);
    let threshold = options.threshold();
    let mut report = Report::new(options);
    let mut representatives: Vec<Representative> = Vec::new();
    // For each item the representative that took it, the score and the rule.
    let mut taken: Vec<Option<(usize, f64, Rule)>> = vec![None; items.len()];
    for (item, &text) in items.iter().enumerate() {
        let features = OnceCell::new();
        let hash = hashes[item];
        let of = |at: usize| Features::of(normal_form(items[at]));
        let found = representatives.iter().enumerate().find_map(|(at, other)| {
            if (other.hash ^ hash).count_ones() > options.max_hamming {
                return None;
            }
            report.verified += 1;
            let (own, its) =
                (features.get_or_init(|| of(item)), other.features.get_or_init(|| of(other.item)));
            let score = verified(text, own, items[other.item], its);
            let equal = own.form == its.form && score == 1.0;
            (score >= threshold).then_some((
                at,
                score,
                if equal { Rule::NormalForm } else { Rule::Overlap },
            ))
        });
        match found {
            Some((at, score, rule)) => {
                taken[item] = Some((at, score, rule));
                let winner = &mut representatives[at].winner;
                if options.keep == Keep::Longest && sizes[item].chars > sizes[*winner].chars {
                    *winner = item;
                }
            }
            None => {
                taken[item] = Some((representatives.len(), 1.0, Rule::Identical));
                representatives.push(Representative { item, winner: item, hash, features });
            }
        }
    }
    let (mut kept, mut removed) = (Vec::new(), Vec::new());
    for (item, taken) in taken.into_iter().enumerate() {
        let Some((at, score, rule)) = taken else { continue };
        let keeper = representatives[at].winner;
        if keeper == item {
            kept.push(item);
            report.note(sizes[item], None);
        } else {
            // The first of a group was verified by the item that took its place.
            removed.push(Removal { removed: item, kept: keeper, score, rule });
            report.note(sizes[item], Some(rule));
        }
    }
    Deduped { kept, removed, report }
}
