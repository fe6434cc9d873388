//! The exact graph beside a plain blocked product in the same run: CPU seconds of both, their ratio, and peak memory.
//!
//! `cargo run --release -p samecall-dedup --example graph -- [VECTORS] [DIMENSION] [THRESHOLD] [spread|isotropic]`

use samecall_dedup::semantic::Vectors;
use samecall_dedup::semantic::graph::{Search, search};

/// A fixed sequence of numbers between -1 and 1.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }
}

/// One chunk in ten is near another one. `spread` vectors vary most in few directions, as real embeddings do; `isotropic`
/// ones in all alike, which is the hardest case for prefixes.
fn vectors(n: usize, d: usize, isotropic: bool) -> Vectors {
    let mut noise = Noise(7);
    let mut out = Vectors::new(d);
    out.reserve(n);
    let mut last: Vec<f32> = Vec::new();
    for at in 0..n {
        let row: Vec<f32> = if at % 10 == 9 {
            last.iter().map(|x| x + 0.05 * noise.next()).collect()
        } else {
            (0..d)
                .map(|i| {
                    let scale = if isotropic { 1.0 } else { 1.0 / (1.0 + i as f32 / 20.0) };
                    scale * noise.next()
                })
                .collect()
        };
        if out.push(&row).is_ok() {
            last = row;
        }
    }
    out
}

/// CPU seconds of this process, all threads; the system counts in hundredths.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|x| x.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: usize| {
        given.get(at).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (n, d) = (number(0, 20_000), number(1, 384));
    let threshold = given.get(2).and_then(|text| text.parse().ok()).unwrap_or(0.95f32);
    let isotropic = given.get(3).is_some_and(|kind| kind == "isotropic");
    let vectors = vectors(n, d, isotropic);
    let size = (n * d * 4) as f64 / 1e6;
    println!("{n} vectors of {d} ({size:.0} MB), threshold {threshold}, isotropic: {isotropic}");
    let mut cpu = Vec::new();
    for how in [Search::Pruned, Search::Plain] {
        let before = cpu_seconds();
        match search(&vectors, threshold, 0, how, &|_, _| {}) {
            Ok(found) => {
                cpu.push(cpu_seconds() - before);
                println!(
                    "{how:?}: {:.2} CPU-s, {} edges, prefix {}, {} verified, peak {:.0} MB",
                    cpu[cpu.len() - 1],
                    found.edges.len(),
                    found.prefix,
                    found.verified,
                    peak_megabytes()
                );
            }
            Err(error) => println!("{how:?}: {error}"),
        }
    }
    if let [pruned, plain] = cpu[..] {
        println!("ratio to the plain product: {:.3}", pruned / plain);
    }
}
