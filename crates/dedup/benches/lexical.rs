//! What deduplication costs: the index against the naive scan, growth with size, hostile inputs, and the pace on fresh text.
//!
//! `cargo bench -p samecall-dedup`. Each hostile input has two sizes or more: near linear means that twice the size takes
//! about twice the time.

use std::hint::black_box;
use std::time::Duration;

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use samecall_dedup::guard::Level;
use samecall_dedup::lexical::{Options, Search, arcaeon_form, dedupe_with, simhash};
use samecall_dedup::planted::{Chunk, chunks};

mod inputs;

use inputs::{cases, permutations, symbols, texts};

fn bytes(items: &[&str]) -> u64 {
    items.iter().map(|text| text.len() as u64).sum()
}

/// The check value: how many items stay.
fn kept(items: &[&str], options: &Options) -> usize {
    dedupe_with(items, options).map_or(0, |found| found.kept.len())
}

fn against_scan(c: &mut Criterion) {
    let planted = chunks(1, 10_000);
    let items = texts(&planted);
    let mut group = c.benchmark_group("10k");
    group
        .sample_size(10)
        // One run of the scan a sample: it takes many seconds.
        .sampling_mode(SamplingMode::Flat)
        .measurement_time(Duration::from_secs(5))
        .warm_up_time(Duration::from_millis(1));
    for (name, search) in [("index", Search::Index), ("naive_scan", Search::Scan)] {
        let options = Options { search, ..Options::default() };
        group.bench_function(name, |b| b.iter(|| kept(black_box(&items), &options)));
    }
    group.finish();
}

fn growth(c: &mut Criterion) {
    let mut group = c.benchmark_group("growth");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for size in [10_000, 50_000] {
        let planted = chunks(2, size);
        let items = texts(&planted);
        group.throughput(Throughput::Bytes(bytes(&items)));
        for (name, level) in [("strict", Level::Strict), ("facts", Level::Facts)] {
            let options = Options { level, ..Options::default() };
            group.bench_with_input(BenchmarkId::new(name, size), &items, |b, items| {
                b.iter(|| kept(black_box(items), &options))
            });
        }
    }
    group.finish();
}

fn fresh_text(c: &mut Criterion) {
    let planted: Vec<Chunk> =
        chunks(3, 30_000).into_iter().filter(|chunk| chunk.kind == "orig").collect();
    let items = texts(&planted);
    let mut group = c.benchmark_group("fresh");
    group.sample_size(10).throughput(Throughput::Bytes(bytes(&items)));
    group.bench_function("safe", |b| b.iter(|| kept(black_box(&items), &Options::default())));
    group.bench_function("simhash_one_core", |b| {
        b.iter(|| {
            black_box(&items).iter().fold(0, |all, text| all ^ simhash(&arcaeon_form(text), 1))
        });
    });
    group.finish();
}

fn hostile(c: &mut Criterion) {
    type Make = fn(usize) -> Vec<String>;
    let kinds: [(&str, Make, [usize; 3]); 5] = [
        ("permutations", permutations, [400, 800, 3_200]),
        ("symbols", symbols, [2_000, 8_000, 32_000]),
        (
            "identical",
            |count| vec!["The same chunk of text, again and again, in every answer.".into(); count],
            [25_000, 50_000, 100_000],
        ),
        ("cases", cases, [1_000, 2_000, 4_000]),
        (
            "one_chunk_mb",
            |mb| vec!["Some words of a long chunk, 17 of them. ".repeat(mb * 25_000)],
            [12, 25, 50],
        ),
    ];
    let mut group = c.benchmark_group("hostile");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_millis(500));
    for (name, make, sizes) in kinds {
        for size in sizes {
            let made = make(size);
            let items: Vec<&str> = made.iter().map(String::as_str).collect();
            for (level, tag) in [(Level::Strict, "strict"), (Level::Facts, "facts")] {
                let options = Options { level, ..Options::default() };
                group.bench_with_input(
                    BenchmarkId::new(format!("{name}_{tag}"), size),
                    &items,
                    |b, items| b.iter(|| kept(black_box(items), &options)),
                );
            }
        }
    }
    group.finish();
}

criterion_group!(benches, against_scan, growth, fresh_text, hostile);
criterion_main!(benches);
