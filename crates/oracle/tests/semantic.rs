//! The laws of deduplication by meaning on drawn chunks, with counts that show they were not vacuous, and planted faults
//! that they must find.
#![cfg(feature = "dedup")]

use proptest::prelude::*;
use samecall_dedup::guard::Level;
use samecall_dedup::semantic::cluster::Method;
use samecall_dedup::semantic::laws::{check_mapping, check_nothing_is_left, check_removals};
use samecall_dedup::semantic::{Chunks, Fingerprint, Options, Outcome, dedupe};
use samecall_oracle::semantic;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Three characters that draw vector and fields, and few words: repeats, swapped roles, changed facts.
fn line() -> impl Strategy<Value = String> {
    let words = vec![
        "Bob", "Alice", "owes", "5", "-5", "$", "not", "in", "from", "to", "Rome", "v1.2", "v1.3",
        "the", "paid", "quickly", "and", "or", "MB", "Mb", "😀", "我", "October", "5", "may",
    ];
    let text = prop::collection::vec(prop::sample::select(words), 0..7).prop_map(|w| w.join(" "));
    let swaps = prop::sample::select(vec![
        "Bob paid Alice in Rome",
        "Alice paid Bob in Rome",
        "In Rome Bob paid Alice",
        "Bob quickly paid Alice in Rome",
        "Bob paid quickly Alice in Rome",
        "Bob paid Alice 5 in Rome",
    ]);
    (
        "[a-g][a-f][!-~]",
        prop_oneof![text, swaps.prop_map(str::to_owned), "[^\n]{0,9}".prop_map(|s| s)],
    )
        .prop_map(|(draw, text)| draw + &text)
}

#[test]
fn deduplication_by_meaning_keeps_its_laws() {
    let [removed, refused, inputs] = [(); 3].map(|()| AtomicUsize::new(0));
    proptest!(ProptestConfig::with_cases(400), |(drawn: u8, method: u8, lines in prop::collection::vec(line(), 0..14))| {
        let mut bytes = vec![drawn, method];
        bytes.extend(lines.join("\n").into_bytes());
        match semantic::check(&bytes) {
            Ok(Some(seen)) => {
                inputs.fetch_add(1, Ordering::Relaxed);
                removed.fetch_add(seen.removed, Ordering::Relaxed);
                refused.fetch_add(seen.refused, Ordering::Relaxed);
            }
            Ok(None) => {}
            Err(broken) => panic!("{broken}"),
        }
    });
    let seen = [&inputs, &removed, &refused].map(|n| n.load(Ordering::Relaxed));
    assert!(seen[0] == 400 && seen[1] > 100 && seen[2] > 300, "{seen:?}");
}

#[test]
fn bytes_that_hold_no_chunks_are_passed_over() {
    assert!(semantic::check(b"").unwrap().is_none());
    assert!(semantic::check(b"\x00").unwrap().is_none());
    assert!(semantic::check(b"\x00\x00\xFF").unwrap().is_none());
}

fn outcome(input: &Chunks, options: &Options) -> Outcome {
    let fingerprint = Fingerprint::of(&input.vectors, None, None);
    dedupe(input, options, &fingerprint, &|_, _| {}).unwrap()
}

/// Three chunks in a chain: the first and the last are not linked.
fn chain() -> (Chunks, Options) {
    let input = semantic::chunks(&["ba0 x", "ca0 x", "da0 x"]);
    (input, Options { threshold: 0.975, level: Level::Off, ..Options::default() })
}

#[test]
fn planted_faults_are_found() {
    let (input, star) = chain();
    let linked = |a: usize, b: usize| input.vectors.cosine(a, b) >= star.threshold;
    assert!(linked(0, 1) && linked(1, 2) && !linked(0, 2), "the chain is one");
    let good = outcome(&input, &star);
    check_mapping(&good, 3).unwrap();
    check_nothing_is_left(&good, &input, &star).unwrap();
    check_removals(&good, &input, &star).unwrap();

    // A chunk that is in neither list.
    let mut lost = good.clone();
    lost.removed.clear();
    assert!(check_mapping(&lost, 3).is_err());

    // A mapping that points at a removed chunk.
    let mut dangling = good.clone();
    dangling.removed[0].kept = dangling.removed[0].removed;
    assert!(check_mapping(&dangling, 3).is_err());

    // A method that keeps all: pairs that may merge are left.
    let mut lazy = good.clone();
    lazy.removed.clear();
    lazy.kept = vec![0, 1, 2];
    assert!(check_nothing_is_left(&lazy, &input, &star).is_err());

    // Chaining under the name of star groups.
    let components = Options { method: Method::Components, criteria: Vec::new(), ..star.clone() };
    let chained = outcome(&input, &components);
    assert_eq!(chained.kept.len(), 1);
    assert!(check_removals(&chained, &input, &star).is_err());

    // A guard that is not asked: the same words in other roles.
    let roles = semantic::chunks(&["aa0Bob paid Alice in Rome", "aa0Alice paid Bob in Rome"]);
    let unguarded = outcome(&roles, &Options { level: Level::Off, ..Options::default() });
    assert_eq!(unguarded.removed.len(), 1);
    assert!(check_removals(&unguarded, &roles, &Options::default()).is_err());
    let guarded = outcome(&roles, &Options::default());
    assert!(guarded.removed.is_empty());
}
