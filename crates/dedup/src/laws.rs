//! What must hold of every run, as plain functions that return what broke the law and what they saw.
//!
//! Each takes any items and recomputes its answer the naive way. `Err` names the law and positions, never a text.

use std::collections::BTreeSet;

use crate::guard::{Judged, compare, normal_form, same_form};
use crate::lexical::{Deduped, Keep, Mode, Options, Rule, Search, dedupe_with, safe_overlap};

/// How much a law had to look at, so that a test can tell that it was not vacuous.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Items given.
    pub items: usize,
    /// Items removed.
    pub removed: usize,
    /// Of them, by overlap.
    pub near: usize,
}

/// The outcome of a law.
pub type Law = Result<Seen, String>;

fn run(items: &[&str], options: &Options) -> Result<Deduped, String> {
    dedupe_with(items, options).map_err(|error| error.to_string())
}

fn seen(found: &Deduped) -> Seen {
    Seen {
        items: found.report.input.items,
        removed: found.removed.len(),
        near: found.removed.iter().filter(|removal| removal.rule == Rule::Overlap).count(),
    }
}

fn texts<'a>(items: &[&'a str], found: &Deduped) -> Vec<&'a str> {
    found.kept.iter().map(|&at| items[at]).collect()
}

/// Kept and removed positions rise, divide the input among them, and every keeper is kept.
pub fn output_is_a_subsequence(items: &[&str], options: &Options) -> Law {
    let found = run(items, options)?;
    let rising = found.kept.windows(2).all(|pair| pair[0] < pair[1])
        && found.removed.windows(2).all(|pair| pair[0].removed < pair[1].removed);
    let kept: BTreeSet<usize> = found.kept.iter().copied().collect();
    let removed: BTreeSet<usize> = found.removed.iter().map(|removal| removal.removed).collect();
    if !rising
        || !kept.is_disjoint(&removed)
        || kept.len() + removed.len() != items.len()
        || kept.union(&removed).any(|at| *at >= items.len())
    {
        return Err("kept and removed do not divide the input in order".into());
    }
    if let Some(removal) = found.removed.iter().find(|removal| !kept.contains(&removal.kept)) {
        return Err(format!(
            "item {} is mapped to item {}, which is not kept",
            removal.removed, removal.kept
        ));
    }
    Ok(seen(&found))
}

/// A second run over what is kept removes nothing.
pub fn idempotent(items: &[&str], options: &Options) -> Law {
    let first = run(items, options)?;
    let again = run(&texts(items, &first), options)?;
    match again.removed.first() {
        Some(removal) => {
            Err(format!("kept item {} is removed by a second run", first.kept[removal.removed]))
        }
        None => Ok(seen(&first)),
    }
}

/// Every removal of `safe` mode follows from its rule and the two texts alone.
pub fn removals_are_justified(items: &[&str], options: &Options) -> Law {
    let options = Options { mode: Mode::Safe, ..options.clone() };
    let found = run(items, &options)?;
    for removal in &found.removed {
        let (a, b) = (items[removal.removed], items[removal.kept]);
        let judged = compare(a, b, options.level, &options.lexicon);
        let holds = match removal.rule {
            Rule::Identical => a == b && removal.score == 1.0,
            Rule::NormalForm => {
                normal_form(a) == normal_form(b)
                    && judged == Judged::SameForm
                    && removal.score == 1.0
            }
            Rule::Overlap => {
                let score = safe_overlap(a, b);
                judged == Judged::MayMerge
                    && score == removal.score
                    && score >= options.threshold()
                    && score < 1.0
            }
        };
        if !holds {
            return Err(format!(
                "item {} does not repeat item {} by rule {}",
                removal.removed,
                removal.kept,
                removal.rule.name()
            ));
        }
        let longer = a.chars().count() > b.chars().count();
        if options.keep == Keep::Longest && longer {
            return Err(format!(
                "item {} is longer than item {}, which is kept",
                removal.removed, removal.kept
            ));
        }
    }
    Ok(seen(&found))
}

/// With `min_overlap = 1.0` only items of equal normal forms are removed.
pub fn at_one_only_equal_forms_go(items: &[&str], options: &Options) -> Law {
    let options = Options { mode: Mode::Safe, min_overlap: Some(1.0), ..options.clone() };
    let found = run(items, &options)?;
    match found
        .removed
        .iter()
        .find(|removal| !same_form(items[removal.removed], items[removal.kept]))
    {
        Some(removal) => {
            Err(format!("items {} and {} have unequal forms", removal.removed, removal.kept))
        }
        None => Ok(seen(&found)),
    }
}

/// In order-stable mode the set of kept texts is the same for the reversed and the rotated input.
pub fn order_stable_is_invariant(items: &[&str], options: &Options) -> Law {
    let options = Options { mode: Mode::Safe, order_stable: true, ..options.clone() };
    let found = run(items, &options)?;
    let as_set = |mut kept: Vec<&str>| {
        kept.sort_unstable();
        kept.join("\0")
    };
    let expected = as_set(texts(items, &found));
    for turn in [0, items.len() / 2, items.len() / 3] {
        let mut other: Vec<&str> = items.iter().rev().copied().collect();
        other.rotate_left(turn);
        if as_set(texts(&other, &run(&other, &options)?)) != expected {
            return Err(format!(
                "another set is kept when the input is reversed and turned by {turn}"
            ));
        }
    }
    Ok(seen(&found))
}

/// Where the index passed over nothing, it keeps what the naive scan keeps, at the level where its search is exhaustive.
pub fn index_agrees_with_scan(items: &[&str], options: &Options) -> Law {
    let options = Options {
        mode: Mode::Safe,
        level: crate::guard::Level::Strict,
        search: Search::Index,
        ..options.clone()
    };
    let found = run(items, &options)?;
    let naive = run(items, &Options { search: Search::Scan, ..options })?;
    if found.report.passed_over == 0 && found.removed != naive.removed {
        return Err("the index and the scan remove different items".into());
    }
    Ok(seen(&found))
}

/// None of the texts, of which each states another fact, goes, in whatever company.
pub fn planted_facts_survive(facts: &[&str], company: &[&str], options: &Options) -> Law {
    let mut items: Vec<&str> = facts.to_vec();
    items.extend(company);
    let found = run(&items, options)?;
    match found
        .removed
        .iter()
        .find(|removal| removal.removed < facts.len() && removal.kept < facts.len())
    {
        Some(removal) => {
            Err(format!("fact {} was taken for fact {}", removal.removed, removal.kept))
        }
        None => Ok(seen(&found)),
    }
}

/// The same input gives the same answer on one thread and on four.
pub fn threads_do_not_matter(items: &[&str], options: &Options) -> Law {
    let found = run(items, options)?;
    for threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| error.to_string())?;
        let other = pool.install(|| run(items, options))?;
        if other.kept != found.kept || other.removed != found.removed {
            return Err(format!("another answer on {threads} threads"));
        }
    }
    Ok(seen(&found))
}
