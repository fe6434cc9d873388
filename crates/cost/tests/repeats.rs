//! The counts of repeats that are shipped are those of the traces, and the rates quote them.

use samecall_cost::repeats::{Traffic, count_repeats};
use std::path::PathBuf;

const SHIPPED: &str = include_str!("../../../corpus/cost/repeats.json");
const RATES: &str = include_str!("../../../corpus/harm/rates.toml");

fn shipped() -> Traffic {
    serde_json::from_str(SHIPPED).unwrap()
}

#[test]
fn shipped_counts_are_those_of_the_traces() {
    let shared = std::env::var_os("SAMECALL_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    for (trace, models) in shipped().traces {
        let path = shared.join(format!("traces/{trace}.calls.jsonl"));
        if !path.exists() {
            println!("skipped: {} not found", path.display());
            continue;
        }
        assert_eq!(count_repeats(&path).unwrap(), models, "{trace}");
    }
}

#[test]
fn rates_quote_the_counts() {
    let traffic = shipped();
    let counts = [&traffic.traces["tau_bench"]["gpt-4o"], &traffic.traces["workbench"]["gpt-4"]];
    let k: u64 = counts.iter().map(|c| c.double_writes).sum();
    let n: u64 = counts.iter().map(|c| c.writes).sum();
    let runs: u64 = counts.iter().map(|c| c.runs).sum();
    assert!(RATES.contains(&format!("k = {k}\nn = {n}\nclusters = {runs}\n")));
}

#[test]
fn repeats_are_counted_by_what_the_arguments_say() {
    let folder = std::env::temp_dir().join(format!("samecall-repeats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("t.jsonl");
    let call = |run: &str, arguments: &str, failed: bool| {
        let arguments = serde_json::to_string(arguments).unwrap();
        format!(
            "{{\"tool\": \"pay\", \"arguments\": {arguments}, \"run_id\": \"{run}\", \"step\": 0, \
             \"model\": \"m\", \"effect\": \"write\", \"result_error\": {failed}}}\n"
        )
    };
    let lines = [
        call("r", "{\"a\": 1, \"b\": 2}", true),
        // After a failure: a repeat, and the effect happens once.
        call("r", "{\"b\":2,\"a\":1}", false),
        // Again: now it happened twice.
        call("r", "{\"a\":1,\"b\":2}", false),
        // Another number text and another run are no repeats.
        call("r", "{\"a\":1.0,\"b\":2}", false),
        call("s", "{\"a\":1,\"b\":2}", false),
    ];
    std::fs::write(&path, lines.concat()).unwrap();
    let found = count_repeats(&path).unwrap();
    let counts = &found["m"];
    assert_eq!((counts.runs, counts.calls, counts.writes), (2, 5, 5));
    assert_eq!((counts.repeats, counts.runs_with_repeats, counts.after_failure), (2, 1, 1));
    assert_eq!((counts.double_writes, counts.runs_with_double_writes), (1, 1));

    std::fs::write(&path, "{\"tool\": \"pay\", \"arguments\": \"{}\"}\n").unwrap();
    let error = count_repeats(&path).unwrap_err().to_string();
    assert!(error.contains("t.jsonl:1: `run_id` is missing"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
