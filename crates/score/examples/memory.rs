//! Replays N made-up pairs, each a cluster of its own, and prints the time and the peak memory, to show
//! that the replay streams: `cargo run --release -p samecall-score --example memory -- 5000000`.

use samecall_call::Catalog;
use samecall_score::{FileSource, Options, PairSource, replay, strategies};
use std::io::{self, Read};
use std::time::Instant;

/// JSON lines of pairs, written as they are read.
struct Lines {
    next: u64,
    end: u64,
    line: Vec<u8>,
    at: usize,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() {
            if self.next == self.end {
                return Ok(0);
            }
            let n = self.next;
            self.next += 1;
            self.at = 0;
            let (truth, other) =
                if n.is_multiple_of(3) { ("distinct", n + 1) } else { ("retry", n) };
            let call = |amount: String| {
                format!(
                    r#"{{"tool":"charge_card","arguments":"{{\"customer_id\": \"cus_{n}\", \"amount\": {amount}, \"currency\": \"USD\"}}","run_id":"run-{n}","step":3}}"#
                )
            };
            let (a, b) = (call(n.to_string()), call(format!("{other}.0")));
            self.line = format!(
                "{{\"id\":\"p{n}\",\"set\":\"memory\",\"truth\":\"{truth}\",\"why\":\"w\",\"drift\":[\"d\"],\"a\":{a},\"b\":{b}}}\n"
            )
            .into_bytes();
        }
        let n = buffer.len().min(self.line.len() - self.at);
        buffer[..n].copy_from_slice(&self.line[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// The peak of the resident memory in MB, where the system tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u64 = std::env::args().nth(1).map_or(Ok(50_000), |n| n.parse())?;
    let lines = Lines { next: 0, end: n, line: Vec::new(), at: 0 };
    let source: Box<dyn PairSource> = Box::new(FileSource::new("made up", lines));
    let catalog = Catalog::default();
    let names: Vec<&str> = samecall_keyer::names().collect();
    let start = Instant::now();
    let results = replay(vec![source], Options::new(strategies(&names)?, &catalog))?;
    let details = &results.details["memory"];
    println!(
        "{n} pairs, {} strategies: {:.1} s, peak {} MB; clusters {} ({}), calls {} ({})",
        results.sets["memory"].len(),
        start.elapsed().as_secs_f64(),
        peak().map_or("?".into(), |mb| mb.to_string()),
        details.clusters.n,
        if details.clusters.exact { "exact" } else { "estimate" },
        details.distinct_calls.n,
        if details.distinct_calls.exact { "exact" } else { "estimate" },
    );
    Ok(())
}
