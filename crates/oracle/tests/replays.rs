//! The laws of scoring and of the store, with counts that show they were not vacuous.
#![cfg(all(feature = "score", feature = "store"))]

use proptest::prelude::*;
use samecall_oracle::{scoring, store};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn replays_agree_whatever_the_order() {
    let [retries, distinct, apart] = [(); 3].map(|()| AtomicUsize::new(0));
    proptest!(ProptestConfig::with_cases(40), |(bytes in prop::collection::vec(any::<u8>(), 0..150))| {
        let seen = scoring::check(&bytes).unwrap_or_else(|broken| panic!("{broken}"));
        retries.fetch_add(seen.retries, Ordering::Relaxed);
        distinct.fetch_add(seen.distinct, Ordering::Relaxed);
        apart.fetch_add(seen.apart, Ordering::Relaxed);
    });
    let seen = [&retries, &distinct, &apart].map(|n| n.load(Ordering::Relaxed));
    assert!(seen[0] > 100 && seen[1] > 100 && seen[2] > 10, "{seen:?}");
}

#[test]
fn the_store_in_memory_follows_its_model_and_contract() {
    let mut answers = store::Coverage::new();
    for seed in 0..20 {
        let seen = store::history(seed, 300).unwrap_or_else(|broken| panic!("{broken}"));
        for (answer, count) in seen {
            *answers.entry(answer).or_default() += count;
        }
    }
    assert!(answers.len() > 20, "{answers:?}");
    assert!(store::contract().unwrap_or_else(|broken| panic!("{broken}")) > 10);
}
