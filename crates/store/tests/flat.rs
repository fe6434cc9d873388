//! The memory store does not grow with what has expired: claims sweep as they go, with nobody calling `sweep`.
//!
//! `cargo test` runs 300,000 records; `SAMECALL_RECORDS=5000000 cargo test --release -p samecall-store --test flat` as many
//! as it says. Alone in its file, since it reads the memory of the whole process.

mod support;

use std::sync::Arc;
use std::time::Duration;

use futures_executor::block_on;
use samecall_store::{Acquisition, Fences, ManualClock, MemoryStore, Recorded, Store, StoreKey};
use support::{START, claim};

/// Records that are alive at any time: one a millisecond, each for 10 seconds.
const ALIVE: usize = 10_000;

/// The memory that the process holds, in KiB, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[test]
fn memory_is_flat_over_records_that_expire() {
    let records: usize = match std::env::var("SAMECALL_RECORDS") {
        Ok(text) => text.parse().expect("SAMECALL_RECORDS is a number"),
        Err(_) => 300_000,
    };
    let clock = Arc::new(ManualClock::at(START));
    let store = MemoryStore::new(clock.clone(), Fences::named(7));
    let mut base = claim("");
    let (mut most, mut early) = (0, None);
    for number in 0..records {
        base.key = StoreKey::new("tenant", &number.to_string());
        let Ok(Acquisition::Acquired { fence }) = block_on(store.claim(&base)) else {
            panic!("{number} is not free")
        };
        let result = Recorded::success(b"receipt 17".as_slice());
        let life = Duration::from_millis(ALIVE as u64);
        block_on(store.complete(&base.key, fence, &result, life)).expect("a completion");
        clock.advance(Duration::from_millis(1));
        if number % 10_000 == 0 {
            most = most.max(store.len());
        }
        if number == 100_000 {
            early = resident();
        }
    }
    let late = resident();
    println!(
        "{records} records: at most {most} held; {early:?} KiB after 100,000, {late:?} KiB at the end"
    );
    // What is swept waits for a claim that falls into its shard, so a little more is held than is alive.
    assert!(most < 2 * ALIVE, "{most} held of {ALIVE} alive");
    if let (Some(early), Some(late)) = (early, late) {
        assert!(late < early + early / 2 + 4096, "from {early} to {late} KiB");
    }
}
