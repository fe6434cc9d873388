//! The generator's labels against the independent validator, and guards against checking nothing.

use samecall_call::{Catalog, Pair, Tool, Truth};
use samecall_drift::{Generator, Grammar, Profile, builtin_catalog, productions, truth};
use std::collections::{BTreeMap, BTreeSet};

const PAIRS: u64 = 100_000;
const BATCH: usize = 1_000;

fn generator(profile: &str, seed: u64, depth: usize) -> Generator {
    let profile = Profile::builtin(profile).expect("the profile ships with the crate");
    Generator::new(&builtin_catalog(), &profile, seed, depth).expect("the catalog has tools")
}

fn check_profile(profile: &str) {
    let catalog = builtin_catalog();
    let generator = generator(profile, 11, 3);
    let mut wrong: Vec<String> = Vec::new();
    let mut truths = [0u64; 2];
    let mut contradictions = 0u64;
    for index in 0..PAIRS / BATCH as u64 {
        for pair in generator.batch(index, BATCH) {
            truths[usize::from(pair.truth == Truth::Distinct)] += 1;
            contradictions += u64::from(pair.contradicts.is_some());
            if let Err(found) = truth::check(&pair, &catalog) {
                wrong.push(format!(
                    "{}: {}\n{}",
                    found.drift.join(", "),
                    found.found,
                    pair.to_json()
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {PAIRS} labels are contradicted; the first:\n{}",
        wrong.len(),
        wrong.iter().take(8).cloned().collect::<Vec<_>>().join("\n\n")
    );
    assert!(truths[0] > PAIRS / 10 && truths[1] > PAIRS / 10, "both truths occur: {truths:?}");
    assert!(contradictions <= PAIRS / 50, "{contradictions} contradictions are more than 2 %");
}

#[test]
fn labels_of_article_hold() {
    check_profile("article");
}

#[test]
fn labels_of_uniform_hold() {
    check_profile("uniform");
}

#[test]
fn labels_of_observed_hold() {
    check_profile("observed");
}

#[test]
fn labels_of_hostile_hold() {
    check_profile("hostile");
}

#[test]
fn every_production_and_every_kind_is_exercised() {
    let catalog = builtin_catalog();
    let generator = generator("uniform", 5, 3);
    let mut used: BTreeMap<String, u64> = BTreeMap::new();
    let mut kinds: BTreeMap<&'static str, u64> = BTreeMap::new();
    for index in 0..PAIRS / BATCH as u64 {
        for pair in generator.batch(index, BATCH) {
            for name in &pair.drift {
                *used.entry(name.clone()).or_default() += 1;
            }
            if let Some(tool) = tool_of(&catalog, &pair) {
                for kind in truth::kinds_given(&pair.a, tool) {
                    *kinds.entry(kind).or_default() += 1;
                }
            }
        }
    }
    let never: Vec<&str> =
        productions().iter().map(|p| p.name).filter(|name| !used.contains_key(*name)).collect();
    assert!(never.is_empty(), "never used in {PAIRS} pairs: {}", never.join(", "));
    let rare: Vec<&str> =
        productions().iter().map(|p| p.name).filter(|name| used[*name] < 20).collect();
    assert!(rare.is_empty(), "used fewer than 20 times in {PAIRS} pairs: {}", rare.join(", "));
    for kind in [
        "any", "exact", "number", "boolean", "enum", "token", "cased", "text", "code", "instant",
        "uuid", "uri", "time", "phone", "date", "duration", "email", "list", "set", "json",
        "volatile", "payload", "object", "union",
    ] {
        assert!(kinds.contains_key(kind), "no field of kind {kind} in {PAIRS} pairs");
    }
}

fn tool_of<'c>(catalog: &'c Catalog, pair: &Pair) -> Option<&'c Tool> {
    catalog.by_name(&pair.a.tool).map(AsRef::as_ref)
}

#[test]
fn a_wrong_label_is_caught() {
    let catalog = builtin_catalog();
    let generator = generator("uniform", 3, 2);
    let mut caught = 0;
    let pairs: Vec<Pair> =
        generator.batch(0, BATCH).into_iter().filter(|p| p.contradicts.is_none()).collect();
    for mut pair in pairs.clone() {
        pair.truth = match pair.truth {
            Truth::Retry => Truth::Distinct,
            Truth::Distinct => Truth::Retry,
        };
        caught += usize::from(truth::check(&pair, &catalog).is_err());
    }
    assert_eq!(caught, pairs.len(), "every turned label is contradicted");
}

/// A production that is no spelling: it rewrites one side and leaves the label `retry`.
fn wrong_production(pairs: &[Pair], from: &str, to: &str) -> (usize, usize) {
    let catalog = builtin_catalog();
    let (mut used, mut caught) = (0, 0);
    for pair in pairs.iter().filter(|p| p.truth == Truth::Retry && p.contradicts.is_none()) {
        let mut pair = pair.clone();
        let new = pair.b.arguments.replacen(from, to, 1);
        if new != pair.b.arguments {
            pair.b.arguments = new;
            used += 1;
            caught += usize::from(truth::check(&pair, &catalog).is_err());
        }
    }
    (used, caught)
}

#[test]
fn a_deliberately_wrong_production_is_caught() {
    let profile = Profile::builtin("article").expect("the profile ships with the crate");
    let generator =
        Generator::new(&builtin_catalog(), &profile, 9, 1).expect("the catalog has tools");
    let pairs = generator.batch(0, 2_000);
    for (from, to) in
        [("00", "01"), ("\"us-", "\"eu-"), ("Nightly", "Weekly"), ("T0", "T1"), ("@", "@x")]
    {
        let (used, caught) = wrong_production(&pairs, from, to);
        assert!(used > 0, "`{from}` occurs");
        assert_eq!(used, caught, "`{from}` written as `{to}` changes the intent");
    }
}

#[test]
fn batches_are_functions_of_their_index() {
    let generator = generator("uniform", 7, 3);
    let forwards: Vec<_> = (0..4).map(|at| generator.batch(at, 200)).collect();
    let backwards: Vec<_> = (0..4).rev().map(|at| generator.batch(at, 200)).collect();
    assert!(forwards.iter().eq(backwards.iter().rev()));
    assert_ne!(forwards[0][0].a, forwards[1][0].a);
    let threads = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..4)
            .map(|at| {
                scope.spawn({
                    let g = &generator;
                    move || g.batch(at, 200)
                })
            })
            .collect();
        handles.into_iter().map(|h| h.join().expect("no batch panics")).collect::<Vec<_>>()
    });
    assert_eq!(forwards, threads);
    let other = self::generator("uniform", 8, 3);
    assert_ne!(forwards[0], other.batch(0, 200));
}

#[test]
fn contradictions_come_in_twos_with_the_same_bytes() {
    let generator = generator("uniform", 21, 3);
    let mut seen = 0;
    for index in 0..40 {
        let pairs = generator.batch(index, BATCH);
        let by_id: BTreeMap<&str, &Pair> = pairs.iter().map(|p| (p.id.as_str(), p)).collect();
        assert_eq!(by_id.len(), pairs.len(), "ids are unique within a batch");
        for pair in &pairs {
            let Some(twin) = &pair.contradicts else { continue };
            let twin = by_id.get(twin.as_str()).expect("the twin is in the same batch");
            assert_eq!((&pair.a, &pair.b), (&twin.a, &twin.b));
            assert_ne!(pair.truth, twin.truth);
            assert_eq!(twin.contradicts.as_deref(), Some(pair.id.as_str()));
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen} contradictions in 40,000 pairs");
}

#[test]
fn depth_bounds_the_productions() {
    for depth in [0, 1, 5] {
        let generator = generator("uniform", 2, depth);
        for pair in generator.batch(0, 500) {
            let used = pair.productions.as_ref().map_or(0, |p| p.a.len() + p.b.len());
            // A distinct pair has its change at any depth.
            assert!(used <= depth.max(1), "{used} productions at depth {depth}");
        }
    }
}

#[test]
fn the_flat_list_is_well_formed() {
    let names: BTreeSet<&str> = productions().iter().map(|p| p.name).collect();
    assert_eq!(names.len(), productions().len(), "names are unique");
    assert!(names.len() >= 60, "{} productions", names.len());
    for production in productions() {
        assert_eq!(
            production.ground.is_some(),
            production.grammar == Grammar::Render,
            "{}",
            production.name
        );
        assert!(production.kinds().next().is_some(), "{} has sites", production.name);
    }
}
