//! `samecall cost` as a person meets it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn samecall(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_samecall")).args(args).output().expect("samecall runs")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

#[test]
fn a_run_writes_the_articles_figures_and_the_same_bytes_each_time() {
    let (one, two) = (folder(), folder());
    for out in [&one, &two] {
        let done = samecall(&["cost", "--out", out.path().to_str().unwrap()]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let text = String::from_utf8(done.stdout).unwrap();
        for figure in ["$0.001482", "$0.007422", "$222.66", "$1.25", "35:1", "534:1"] {
            assert!(text.contains(figure), "{figure} in\n{text}");
        }
    }
    let files = names(one.path());
    let ending =
        |end: &str| files.iter().filter(|f| f.extension().is_some_and(|e| e == end)).count();
    assert!(ending("svg") >= 3 && ending("svg") == ending("png"), "{files:?}");
    assert!(ending("csv") >= 3 && ending("md") == 1 && ending("json") == 1, "{files:?}");
    for (a, b) in files.iter().zip(names(two.path())) {
        assert_eq!(std::fs::read(a).unwrap(), std::fs::read(&b).unwrap(), "{}", a.display());
    }
    let json = std::fs::read_to_string(one.path().join("result.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    for (name, figure) in [
        ("duplicate_first", "0.001482"),
        ("duplicate_total", "0.007422"),
        ("waste", "222.66"),
        ("store", "1.25"),
        ("ratio_min", "35.616"),
        ("ratio_max", "534.48"),
    ] {
        assert_eq!(json["article"][name], figure, "{name}");
    }
    assert_eq!(json["full"]["canary_wins"], 0);
}

#[test]
fn a_wrong_price_book_is_refused_and_leaves_reports_alone() {
    let out = folder();
    let book = out.path().join("book.toml");
    let text = include_str!("../../../corpus/prices/current.toml");
    std::fs::write(&book, text.replacen("amount = \"3.00\"", "amount = \"-3.00\"", 1)).unwrap();
    let report = out.path().join("report");
    let args = ["cost", "--prices", book.to_str().unwrap(), "--out", report.to_str().unwrap()];
    let done = samecall(&args);
    assert_eq!(done.status.code(), Some(2));
    let error = String::from_utf8(done.stderr).unwrap();
    assert!(
        error.contains("book.toml:") && error.contains("`price[0].amount` is negative"),
        "{error}"
    );
    assert!(!report.exists());
}

#[test]
fn observed_pairs_become_pairs_of_every_situation() {
    let article = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/article.jsonl");
    let done = samecall(&["cost", "--situations", article]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).unwrap();
    for set in [
        "retry",
        "other-step",
        "resumed-run",
        "twin",
        "other-tenant",
        "near-neighbour",
        "unrelated",
    ] {
        assert!(text.contains(&format!("\"set\":\"situation-{set}\"")), "{set}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_told_once() {
    let out = folder();
    let missing = out.path().join("none.toml");
    let done = samecall(&["cost", "--prices", missing.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2), "{text}");
    assert_eq!(text.matches("os error").count(), 1, "{text}");
    assert!(text.contains("none.toml: "), "{text}");
}

#[test]
fn figures_that_are_too_large_are_an_error_and_no_panic() {
    let out = folder();
    let (book, sweep) = (out.path().join("book.toml"), out.path().join("sweep.toml"));
    let dear = |line: &str| match line.starts_with("amount = ") {
        true => "amount = 1000000000000".to_owned(),
        false => line.to_owned(),
    };
    let text = include_str!("../../../corpus/prices/current.toml");
    std::fs::write(&book, text.lines().map(dear).collect::<Vec<_>>().join("\n")).unwrap();
    let text = include_str!("../../../corpus/sweeps/default.toml");
    std::fs::write(&sweep, text.replace("calls = 1000000\n", "calls = 1000000000000\n")).unwrap();
    let files = [book.to_str().unwrap(), sweep.to_str().unwrap()];
    let done = samecall(&["cost", "--prices", files[0], "--sweep", files[1]]);
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2), "{text}");
    assert!(text.contains("too large to be calculated exactly"), "{text}");
}
