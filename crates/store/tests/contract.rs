//! The contract suite and the model on the stores of this crate, and threads that race for a key.

mod support;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use futures_executor::block_on;
use samecall_store::testing::{self, Harness, model};
use samecall_store::{Acquisition, Claim, Digest, Store, StoreKey, SystemClock};
use support::{InMemory, OnDisk};

fn holds<H: Harness>(harness: &H) {
    let failures = block_on(testing::run(harness));
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn memory_keeps_the_contract() {
    holds(&InMemory);
}

#[test]
fn embedded_keeps_the_contract() {
    holds(&OnDisk::default());
}

/// Every kind of answer that a history can get, each of which must have come up.
const COVERED: [&str; 26] = [
    "claim: acquired",
    "claim: conflict",
    "claim: in flight",
    "claim: replay",
    "claim: unknown",
    "complete: Done",
    "complete: Lost(Absent)",
    "complete: Lost(Completed)",
    "complete: Lost(OtherFence)",
    "give up: Done",
    "give up: Lost(Absent)",
    "give up: Lost(Completed)",
    "give up: Lost(OtherFence)",
    "heartbeat: Done",
    "heartbeat: Lost(Absent)",
    "heartbeat: Lost(Completed)",
    "heartbeat: Lost(Lapsed)",
    "heartbeat: Lost(OtherFence)",
    "release: Done",
    "release: Lost(Absent)",
    "release: Lost(Completed)",
    "release: Lost(OtherFence)",
    "resolve: false other",
    "resolve: true acquired",
    "resolve: true other",
    "seeds",
];

fn follows_the_model<H: Harness>(harness: &H, seeds: u64, steps: usize) {
    let mut covered = BTreeMap::from([("seeds".to_owned(), seeds as usize)]);
    for seed in 0..seeds {
        let coverage =
            block_on(model::run(harness, seed, steps)).unwrap_or_else(|f| panic!("{}", f.0));
        for (answer, count) in coverage {
            *covered.entry(answer).or_default() += count;
        }
    }
    let found: Vec<&str> = covered.keys().map(String::as_str).collect();
    assert_eq!(found, COVERED, "answers that came up: {covered:#?}");
}

#[test]
fn memory_follows_the_model() {
    follows_the_model(&InMemory, 400, 500);
}

#[test]
fn embedded_follows_the_model() {
    follows_the_model(&OnDisk::default(), 6, 500);
}

/// 32 threads claim each of many keys at the same moment.
fn one_of_32_threads_acquires(store: &impl Store, rounds: usize) {
    const CALLERS: usize = 32;
    let barrier = Barrier::new(CALLERS);
    let acquired: Vec<AtomicUsize> = (0..rounds).map(|_| AtomicUsize::new(0)).collect();
    std::thread::scope(|scope| {
        for _ in 0..CALLERS {
            scope.spawn(|| {
                for (round, acquired) in acquired.iter().enumerate() {
                    let claim = Claim {
                        key: StoreKey::new("race", &round.to_string()),
                        fingerprint: Digest([1; 16]),
                        payload: None,
                        spelling: b"{}".as_slice().into(),
                        owner: "racer".into(),
                        lease: Duration::from_secs(600),
                    };
                    barrier.wait();
                    match block_on(store.claim(&claim)) {
                        Ok(Acquisition::Acquired { .. }) => {
                            acquired.fetch_add(1, Ordering::Relaxed);
                        }
                        Ok(Acquisition::InFlight { .. }) => {}
                        other => panic!("a racer got {other:?}"),
                    }
                }
            });
        }
    });
    for (round, count) in acquired.iter().enumerate() {
        assert_eq!(count.load(Ordering::Relaxed), 1, "acquired in round {round}");
    }
}

#[test]
fn in_memory_exactly_one_thread_acquires_in_each_of_10_000_rounds() {
    let store = block_on(InMemory.fresh_on(Arc::new(SystemClock)));
    one_of_32_threads_acquires(&store, 10_000);
}

#[test]
fn embedded_exactly_one_thread_acquires_in_each_of_200_rounds() {
    let disk = OnDisk::default();
    let store = disk.open_on(Arc::new(SystemClock));
    one_of_32_threads_acquires(&store, 200);
}
