//! `samecall rules` and `samecall mine` from outside: what they find in small inputs, the files they write, and what bad
//! input gets.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn samecall(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_samecall")).args(args).output().unwrap()
}

fn ran(args: &[&str]) -> String {
    let output = samecall(args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Asserts status 2, nothing on standard output and a message that holds every part.
fn refused(args: &[&str], parts: &[&str]) {
    let output = samecall(args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty());
    for part in parts {
        assert!(message.contains(part), "{message:?} should hold {part:?}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

fn json(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

/// A retry whose only drift is the case of a token, and a distinct pair of padded numbers.
const PAIRS: &str = concat!(
    r#"{"id":"p1","set":"mine","truth":"retry","why":"case","drift":["case"],"a":{"tool":"pay","arguments":"{\"c\":\"USD\"}","run_id":"r","step":1},"b":{"tool":"pay","arguments":"{\"c\":\"usd\"}","run_id":"r","step":1}}"#,
    "\n",
    r#"{"id":"p2","set":"mine","truth":"distinct","why":"value_changed","drift":[],"a":{"tool":"pay","arguments":"{\"c\":\"007\"}","run_id":"r","step":1},"b":{"tool":"pay","arguments":"{\"c\":\"7\"}","run_id":"r","step":1}}"#,
    "\n"
);

#[test]
fn rules_name_what_each_rule_catches_and_merges() {
    let folder = tempfile::tempdir().unwrap();
    let (pairs, out) = (folder.path().join("pairs.jsonl"), folder.path().join("out"));
    fs::write(&pairs, PAIRS).unwrap();
    let (pairs, out) = (pairs.to_str().unwrap(), out.to_str().unwrap());
    let args =
        ["rules", "--strategy", "normalised", "--pairs", pairs, "--values", "300", "--out", out];
    let printed = ran(&args);
    assert!(printed.contains("undoes"), "the matrix for C is not empty: {printed}");
    let written = fs::read(folder.path().join("out/rules-normalised.json")).unwrap();
    let result: Value = serde_json::from_slice(&written).unwrap();
    let text = result.to_string();
    assert!(text.contains("case-fold"), "{text}");
    assert!(folder.path().join("out/rules-normalised.md").is_file());

    let markdown = fs::read_to_string(folder.path().join("out/rules-normalised.md")).unwrap();
    let row = |rule: &str| {
        let start = format!("| {rule} |");
        let line = markdown.lines().find(|line| line.starts_with(&start));
        line.unwrap_or_else(|| panic!("no row {rule}: {markdown}")).to_owned()
    };
    // Without folding case the retry is lost; without reading numbers in text the wrong merge is avoided.
    assert!(row("case-fold").contains("| 1 ("), "{}", row("case-fold"));
    assert!(row("integer-text").contains("| 1 ("), "{}", row("integer-text"));

    assert_eq!(ran(&args), printed, "the same seed gives the same text");
    assert_eq!(fs::read(folder.path().join("out/rules-normalised.json")).unwrap(), written);
}

#[test]
fn wrong_rules_are_named() {
    refused(&["rules", "--strategy", "rw"], &["`rw`", "normalised"]);
    refused(&["rules", "--rule", "strp"], &["strp", "strip"]);
    refused(&["rules", "--strategy", "normalised", "--pairs", "/nowhere.jsonl"], &["/nowhere"]);
}

fn call(step: u32, arguments: &str, effect: &str, failed: bool) -> String {
    let call = serde_json::json!({
        "tool": "send", "arguments": arguments, "run_id": "r", "step": step, "model": "m", "task": "t",
        "effect": effect, "result_error": failed,
    });
    format!("{call}\n")
}

#[test]
fn mine_counts_writes_that_succeeded_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("runs.jsonl"), folder.path().join("repeats.json"));
    let (one, reordered) = (r#"{"to":"a","n":1}"#, r#"{"n":1,"to":"a"}"#);
    let other = r#"{"to":"b","n":1}"#;
    let lines = [
        call(0, one, "write", true),  // Failed: what follows is no repeat of it.
        call(1, one, "write", false), // The first that succeeded.
        call(2, other, "write", false), // Says something else.
        call(3, reordered, "write", false), // The repeat.
        call(4, one, "read", false),  // A read is no write.
    ];
    fs::write(&file, lines.concat()).unwrap();
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    ran(&["mine", file, "--strategy", "raw,typed,typed-scoped", "--json", out]);
    let result = json(Path::new(out));
    let text = result.to_string();
    assert_eq!(result["models"]["m"]["repeats"], 1, "{text}");
    let verdicts = |strategy: &str| result["models"]["m"]["strategies"][strategy].clone();
    assert_eq!(verdicts("raw")["different"], 1, "{text}");
    assert_eq!(verdicts("typed")["same"], 1, "{text}");
    assert_eq!(verdicts("typed-scoped")["suspect"], 1, "{text}");

    fs::write(file, format!("{}{}", lines[0], "{\"tool\":\"send\"}\n")).unwrap();
    refused(&["mine", file], &["runs.jsonl:2", "effect"]);
    fs::write(file, lines[1].replace("\"step\":1,", "")).unwrap();
    refused(&["mine", file], &["runs.jsonl:1", "step"]);
    refused(&["mine", "/nowhere.jsonl"], &["/nowhere.jsonl"]);
}
