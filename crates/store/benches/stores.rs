//! How fast the stores are: claims in memory on two threads, claims on disk from one caller and from 64 at once, and
//! claims beside a sweep.
//!
//! The embedded store writes to a folder under `target`, since a temporary folder may lie in memory.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use futures_executor::block_on;
use samecall_store::{
    Acquisition, Claim, Digest, Embedded, Fences, ManualClock, MemoryStore, Recorded, Store,
    StoreKey, Timestamp,
};

const START: Timestamp = Timestamp::from_millis(1_795_996_800_000);
const TTL: Duration = Duration::from_secs(3600);

fn claim(number: u64) -> Claim {
    Claim {
        key: StoreKey::new(
            "tenant",
            &format!("{:032x}", u128::from(number) * 0x9e37_79b9_7f4a_7c15),
        ),
        fingerprint: Digest([1; 16]),
        payload: None,
        spelling: br#"{"tool":"charge","arguments":"{\"amount\": 4200}"}"#.as_slice().into(),
        owner: "bench".into(),
        lease: Duration::from_secs(300),
    }
}

fn acquire(store: &impl Store, claim: &Claim) {
    let answer = block_on(store.claim(claim));
    assert!(matches!(answer, Ok(Acquisition::Acquired { .. })), "{answer:?}");
}

/// So many new keys on so many threads; the time from the common start to the slowest's end. The claims are made before.
fn spread(store: &(impl Store + 'static), threads: u64, each: u64, next: &AtomicU64) -> Duration {
    let from = next.fetch_add(threads * each, Ordering::Relaxed);
    let claims: Vec<Vec<Claim>> = (0..threads)
        .map(|thread| (0..each).map(|number| claim(from + thread * each + number)).collect())
        .collect();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for claims in &claims {
            scope.spawn(move || claims.iter().for_each(|claim| acquire(store, claim)));
        }
    });
    start.elapsed()
}

fn memory(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("memory");
    const EACH: u64 = 100_000;
    group.throughput(Throughput::Elements(2 * EACH)).sample_size(10);
    group.bench_function("200,000 claims on 2 threads", |bencher| {
        bencher.iter_custom(|rounds| {
            (0..rounds).map(|_| spread(&MemoryStore::default(), 2, EACH, &AtomicU64::new(0))).sum()
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("memory beside a sweep");
    group.throughput(Throughput::Elements(EACH)).sample_size(10);
    group.warm_up_time(Duration::from_millis(1));
    for sweeping in [false, true] {
        let name =
            if sweeping { "100,000 claims, sweeping" } else { "100,000 claims, not sweeping" };
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| (0..rounds).map(|_| beside_a_sweep(EACH, sweeping)).sum());
        });
    }
    group.finish();
}

/// Claims while another thread removes 500,000 expired records, or sleeps.
fn beside_a_sweep(claims: u64, sweeping: bool) -> Duration {
    let clock = Arc::new(ManualClock::at(START));
    let store = MemoryStore::new(clock.clone(), Fences::named(1));
    for number in 1 << 40..(1 << 40) + 500_000 {
        let claim = claim(number);
        let Ok(Acquisition::Acquired { fence }) = block_on(store.claim(&claim)) else { continue };
        let result = Recorded::success(b"ok".as_slice());
        assert!(block_on(store.complete(&claim.key, fence, &result, TTL)).is_ok());
    }
    clock.advance(TTL);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        if sweeping {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert!(block_on(store.sweep(10_000)).is_ok());
                }
            });
        }
        let took = spread(&store, 1, claims, &AtomicU64::new(0));
        done.store(true, Ordering::Relaxed);
        took
    })
}

fn embedded(criterion: &mut Criterion) {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    let target = if target.is_dir() { target } else { std::env::temp_dir() };
    let Ok(folder) = tempfile::tempdir_in(target) else { return };
    let Ok(store) = Embedded::open(folder.path().join("store")) else { return };
    let next = AtomicU64::new(0);
    let mut group = criterion.benchmark_group("embedded");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    group.throughput(Throughput::Elements(32));
    group.bench_function("32 durable claims of 1 caller", |bencher| {
        bencher.iter_custom(|rounds| (0..rounds).map(|_| spread(&store, 1, 32, &next)).sum());
    });
    group.throughput(Throughput::Elements(64 * 32));
    group.bench_function("2,048 durable claims of 64 callers", |bencher| {
        bencher.iter_custom(|rounds| (0..rounds).map(|_| spread(&store, 64, 32, &next)).sum());
    });
    group.finish();
}

criterion_group!(benches, memory, embedded);
criterion_main!(benches);
