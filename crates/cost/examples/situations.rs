//! Writes the pairs of every situation that observed pairs give, as JSON lines:
//! `cargo run -p samecall-cost --example situations -- PAIRS.jsonl... > situations.jsonl`.

use samecall_call::{LineReader, Pair, parse_record};
use samecall_cost::situation::Situations;
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

fn write(files: &[String]) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    for file in files {
        let mut lines = LineReader::open(Path::new(file))?;
        let mut situations = Situations::new();
        while let Some((number, line)) = lines.next_line()? {
            let pair = parse_record(line, Pair::from_value)
                .map_err(|reason| format!("{file}:{number}: {reason}"))?;
            for made in situations.of(&pair) {
                writeln!(out, "{}", made.to_json())?;
            }
        }
    }
    Ok(out.flush()?)
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    match write(&files) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
