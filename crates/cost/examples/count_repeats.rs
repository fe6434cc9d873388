//! Counts the repeats in traces: `cargo run -p samecall-cost --example count_repeats -- FOLDER` writes
//! the counts of `tau_bench.calls.jsonl` and `workbench.calls.jsonl` there as JSON to standard output.

use samecall_cost::repeats::{Traffic, count_repeats};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: count_repeats FOLDER");
        return ExitCode::from(2);
    };
    let mut traffic = Traffic {
        command: "cargo run -p samecall-cost --example count_repeats -- ../shared/traces".to_owned(),
        about: "tau-bench (MIT): gpt-4o, airline; WorkBench (MIT): calendar, email, analytics; counted \
                on the part of both that is read here, so a part of the figures published for the whole"
            .to_owned(),
        ..Traffic::default()
    };
    for trace in ["tau_bench", "workbench"] {
        match count_repeats(&Path::new(&folder).join(format!("{trace}.calls.jsonl"))) {
            Ok(models) => traffic.traces.insert(trace.to_owned(), models),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(2);
            }
        };
    }
    match serde_json::to_string_pretty(&traffic) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
