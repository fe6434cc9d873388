//! The laws of the lexical deduper on drawn chunks, with counts that show they were not vacuous.
#![cfg(feature = "dedup")]

use proptest::prelude::*;
use samecall_oracle::dedup;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Chunks of few words, so that repeats and near repeats are common; some long enough to overlap.
fn chunk() -> impl Strategy<Value = String> {
    let words = vec![
        "the", "a", "Pay", "pay", "BOB", "Bob", "19", "-19", "$19", "kg", "not", ".", "-", "[9]",
        "C++", "é", "😀", "को", "我",
    ];
    let short = prop::collection::vec(prop::sample::select(words), 0..6).prop_map(|w| w.join(" "));
    let long = (prop::sample::select(vec!["the", "a", "no"]), 15u32..18).prop_map(|(word, day)| {
        let body = "system that the group runs answers each request in order of age and writes what it did";
        format!("Every {body}, so {word} report of October {day} lists {body} too.")
    });
    prop_oneof![3 => short, 2 => long, 1 => "[^\n]{0,12}"]
}

#[test]
fn the_lexical_deduper_keeps_its_laws() {
    let [removed, near, inputs] = [(); 3].map(|()| AtomicUsize::new(0));
    proptest!(ProptestConfig::with_cases(400), |(drawn: u8, chunks in prop::collection::vec(chunk(), 0..12))| {
        let mut bytes = vec![drawn];
        bytes.extend(chunks.join("\n").into_bytes());
        if let Some(seen) = dedup::check(&bytes).unwrap_or_else(|broken| panic!("{broken}")) {
            inputs.fetch_add(1, Ordering::Relaxed);
            removed.fetch_add(seen.removed, Ordering::Relaxed);
            near.fetch_add(seen.near, Ordering::Relaxed);
        }
    });
    let seen = [&inputs, &removed, &near].map(|n| n.load(Ordering::Relaxed));
    assert!(seen[0] == 400 && seen[1] > 100 && seen[2] > 10, "{seen:?}");
}

#[test]
fn bytes_that_hold_no_chunks_are_passed_over() {
    assert_eq!(dedup::check(b""), Ok(None));
    assert_eq!(dedup::check(b"\0\xFF"), Ok(None));
    let seen = dedup::check(b"\0Pay\npay\nPay 2").unwrap().unwrap();
    assert_eq!((seen.items, seen.removed), (3, 1));
}
