//! What a hit costs beside its key in the same run, and how hits go up with threads.
//!
//! Each measured closure answers what it found, and the checks before the timing see that it is the tool's result. The
//! scaling figure is a ratio: hits per second of 64 threads over those of one, beside the same ratio for the key alone,
//! which shares nothing. A cache with one lock would fall below it.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use samecall_cache::{Cache, Execution, Keep, Outcome, Policies, ToolPolicy};
use samecall_call::{Call, Catalog};
use samecall_keyer::Keyer;
use samecall_keyer::typed::Typed;

const TOOLS: &str = r#"[{"name": "search", "annotations": {"readOnlyHint": true},
    "parameters": {"type": "object", "required": ["query"], "properties": {
        "query": {"type": "string"}, "limit": {"type": "integer", "default": 10},
        "space": {"type": "string"}, "filter": {"type": "object"}}}}]"#;

const THREADS: u64 = 64;
const EACH: u64 = 5_000;

fn call(number: u64) -> Call {
    let arguments = format!(
        r#"{{"query": "rotation of keys in the service mesh {number}", "limit": 20, "space": "ENG", "filter": {{"year": 2025, "kind": "page"}}}}"#
    );
    Call::new("search", arguments).at("run-1", "3")
}

fn catalog() -> Catalog {
    let mut catalog = Catalog::default();
    catalog.read_str("bench", TOOLS).expect("the catalog is right");
    catalog
}

/// An execution that keeps the results of so many calls.
fn filled(calls: u64) -> Execution {
    let search = ToolPolicy { cache: Some(Keep::Always), ..ToolPolicy::default() };
    let policies = Policies::default().with("search", search);
    let cache =
        Cache::builder().catalog(catalog()).policies(policies).build().expect("it can be built");
    let execution = cache.execution(Some("tenant"), "run-1");
    for number in 0..calls {
        let bytes = format!("result {number}").into_bytes();
        let answer = execution.run_blocking(&call(number), || Outcome::ok(bytes));
        assert!(!answer.is_prevented());
    }
    for number in 0..calls {
        let answer = execution.run_blocking(&call(number), || Outcome::error(Vec::new()));
        assert!(
            answer.is_prevented()
                && *answer.outcome.bytes == *format!("result {number}").as_bytes()
        );
    }
    execution
}

fn one_hit(criterion: &mut Criterion) {
    let execution = filled(1000);
    let catalog = catalog();
    let tool = catalog.by_name("search").expect("it is there");
    let typed = Typed::default();
    let call = call(500);
    let mut group = criterion.benchmark_group("one call");
    group.throughput(Throughput::Elements(1));
    group.bench_function("key", |bencher| bencher.iter(|| typed.key(black_box(&call), Some(tool))));
    group.bench_function("hit", |bencher| {
        bencher.iter(|| execution.run_blocking(black_box(&call), || Outcome::error(Vec::new())));
    });
    group.finish();
}

/// The time that so many threads take for so many rounds each, from their common start.
fn spread(threads: u64, each: u64, work: &(dyn Fn(u64, u64) + Sync)) -> Duration {
    let barrier = Barrier::new(threads as usize + 1);
    let mut start = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let barrier = &barrier;
            scope.spawn(move || {
                barrier.wait();
                (0..each).for_each(|round| work(thread, round));
            });
        }
        barrier.wait();
        start = Instant::now();
    });
    start.elapsed()
}

/// Hits per second of 64 threads over those of one.
fn ratio(work: &(dyn Fn(u64, u64) + Sync)) -> f64 {
    let total = THREADS * EACH;
    let mut ratios: Vec<f64> = (0..5)
        .map(|_| {
            let one = spread(1, total, work);
            let many = spread(THREADS, EACH, work);
            one.as_secs_f64() / many.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[2]
}

fn threads(criterion: &mut Criterion) {
    let execution = filled(1000);
    let catalog = catalog();
    let tool = catalog.by_name("search").expect("it is there");
    let typed = Typed::default();
    let calls: Vec<Call> = (0..1000).map(call).collect();
    let at = |thread: u64, round: u64| &calls[((thread * 37 + round) % 1000) as usize];
    let hit = |call: &Call| {
        let answer = execution.run_blocking(call, || Outcome::error(Vec::new()));
        assert!(answer.is_prevented());
    };
    let spread_out = |thread, round| hit(at(thread, round));
    let hot = |_, _| hit(&calls[7]);
    let key = |thread, round| {
        black_box(typed.key(black_box(at(thread, round)), Some(tool)));
    };
    let lock = std::sync::Mutex::new(());
    let one_lock = |thread, round| {
        let _held = lock.lock();
        hit(at(thread, round));
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("64 threads over 1, medians of 5, on {cores} cores:");
    println!("  key alone, nothing shared     {:.2}", ratio(&key));
    println!("  hits on 1,000 calls           {:.2}", ratio(&spread_out));
    println!("  hits on one call              {:.2}", ratio(&hot));
    println!("  the same under one lock       {:.2}", ratio(&one_lock));
    let mut group = criterion.benchmark_group("threads");
    group.sample_size(10).throughput(Throughput::Elements(THREADS * EACH));
    for count in [1, THREADS] {
        group.bench_function(format!("320,000 hits on {count}"), |bencher| {
            bencher.iter_custom(|rounds| {
                (0..rounds).map(|_| spread(count, THREADS * EACH / count, &spread_out)).sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, one_hit, threads);
criterion_main!(benches);
