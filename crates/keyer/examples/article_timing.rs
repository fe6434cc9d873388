//! The article's timing column, measured its way: for each strategy the median of seven runs of 20,000
//! key derivations over the first calls of a corpus, in microseconds a derivation.
//!
//! `cargo run --release -p samecall-keyer --example article_timing -- corpus/article.jsonl`

use samecall_call::{Call, LineReader, Pair, parse_record};
use samecall_keyer::{Keyer, registry};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const RUNS: usize = 7;
const DERIVATIONS: usize = 20_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "corpus/article.jsonl".to_owned());
    let mut lines = LineReader::open(Path::new(&file))?;
    let mut calls: Vec<Call> = Vec::new();
    while let Some((number, line)) = lines.next_line()? {
        let pair =
            parse_record(line, Pair::from_value).map_err(|e| format!("{file}:{number}: {e}"))?;
        calls.push(pair.a);
    }
    if calls.is_empty() {
        return Err(format!("{file}: holds no pair").into());
    }
    println!("| strategy | µs a derivation |\n| --- | ---: |");
    for entry in registry() {
        let keyer = entry.build();
        println!("| {} | {:.2} |", entry.name, median(keyer.as_ref(), &calls));
    }
    Ok(())
}

/// The median over the runs, in microseconds a derivation.
fn median(keyer: &dyn Keyer, calls: &[Call]) -> f64 {
    let mut runs: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            for call in calls.iter().cycle().take(DERIVATIONS) {
                black_box(keyer.key(black_box(call), None));
            }
            start.elapsed().as_secs_f64() * 1e6 / DERIVATIONS as f64
        })
        .collect();
    runs.sort_by(f64::total_cmp);
    runs[RUNS / 2]
}
