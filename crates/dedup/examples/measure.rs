//! What deduplication costs where a benchmark of many samples would take too long: the naive scan once, CPU time beside
//! wall time, growth from 10,000 to 50,000 chunks.
//!
//! `cargo run --release -p samecall-dedup --example measure [scan|growth|fresh|hostile]...`

use std::time::Instant;

use samecall_dedup::guard::Level;
use samecall_dedup::lexical::{Options, Search, arcaeon_form, dedupe_with, simhash};
use samecall_dedup::planted::{Chunk, chunks};

#[path = "../benches/inputs/mod.rs"]
mod inputs;

use inputs::{permutations, symbols, texts};

/// Wall and CPU seconds of one call (CPU time of all threads, in ticks of 10 ms; NaN where /proc is absent).
fn timed<T>(work: impl FnOnce() -> T) -> (f64, f64, T) {
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let out = work();
    (wall.elapsed().as_secs_f64(), cpu_seconds() - cpu, out)
}

fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split(' ').collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    match (ticks(12), ticks(13)) {
        (Some(user), Some(system)) => (user + system) / 100.0,
        _ => f64::NAN,
    }
}

/// Least wall and CPU seconds of several runs, and how many items stay.
fn best(items: &[&str], options: &Options, runs: usize) -> (f64, f64, usize) {
    let mut least = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..runs {
        let (wall, cpu, found) = timed(|| dedupe_with(items, options));
        least = (least.0.min(wall), least.1.min(cpu), found.map_or(0, |found| found.kept.len()));
    }
    least
}

fn line(name: &str, items: &[&str], options: &Options, runs: usize) -> (f64, f64) {
    let bytes: usize = items.iter().map(|text| text.len()).sum();
    let (wall, cpu, kept) = best(items, options, runs);
    println!(
        "{name:<28} {:>7} items {:>6.1} MB  wall {wall:>8.4} s  cpu {cpu:>7.2} s  {:>6.1} MB/s  kept {kept}",
        items.len(),
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / wall
    );
    (wall, cpu)
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let all = wanted.is_empty();
    let wants = |name: &str| all || wanted.iter().any(|arg| arg == name);
    for (name, level) in [("strict", Level::Strict), ("facts", Level::Facts)] {
        if wants("growth") || wanted.iter().any(|arg| arg == name) {
            let options = Options { level, ..Options::default() };
            let (small, large) = (chunks(2, 10_000), chunks(2, 50_000));
            let a = line(name, &texts(&small), &options, 7);
            let b = line(name, &texts(&large), &options, 5);
            println!("{name}: 50,000 take {:.1} times the wall time of 10,000", b.0 / a.0);
        }
    }
    if wants("fresh") {
        let planted: Vec<Chunk> =
            chunks(3, 30_000).into_iter().filter(|chunk| chunk.kind == "orig").collect();
        let items = texts(&planted);
        line("fresh", &items, &Options::default(), 7);
        let bytes: usize = items.iter().map(|text| text.len()).sum();
        let (wall, _, sum) =
            timed(|| items.iter().fold(0, |all, text| all ^ simhash(&arcaeon_form(text), 1)));
        println!("simhash of the same, one core: {:.1} MB/s ({sum:x})", bytes as f64 / 1e6 / wall);
    }
    if wants("hostile") {
        for size in [800, 3_200, 12_800] {
            slope("permutations", &permutations(size));
        }
        for size in [2_000, 8_000, 32_000, 128_000] {
            slope("symbols", &symbols(size));
        }
        for size in [25_000, 100_000] {
            slope("identical", &vec!["The same chunk of text, again and again.".to_owned(); size]);
        }
        for mb in [12, 50] {
            slope("one chunk", &["Some words of a long chunk, 17 of them. ".repeat(mb * 25_000)]);
        }
    }
    if wants("scan") {
        let planted = chunks(1, 10_000);
        let items = texts(&planted);
        let index = line("index", &items, &Options::default(), 5);
        let options = Options { search: Search::Scan, ..Options::default() };
        let scan = line("naive scan", &items, &options, 1);
        println!(
            "the naive scan takes {:.0} times the wall time, {:.0} times the CPU time",
            scan.0 / index.0,
            scan.1 / index.1
        );
    }
}

fn slope(name: &str, made: &[String]) {
    let items: Vec<&str> = made.iter().map(String::as_str).collect();
    for (level, tag) in [(Level::Strict, "strict"), (Level::Facts, "facts")] {
        line(&format!("{name}, {tag}"), &items, &Options { level, ..Options::default() }, 3);
    }
}
