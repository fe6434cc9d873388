//! The command line's contract: names, formats, exit status, and what bad input gets.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PAIR: &str = r#"{"id":"p1","set":"mine","truth":"retry","why":"float","drift":["int_to_float"],"a":{"tool":"pay","arguments":"{\"n\":1}","run_id":"r","step":3},"b":{"tool":"pay","arguments":"{\"n\":1.0}","run_id":"r","step":3}}"#;

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name)
}

fn samecall(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_samecall")).args(args).output().unwrap()
}

fn fed(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_samecall"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Asserts status 2 and one line that holds every part.
fn refused(output: &Output, parts: &[&str]) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for part in parts {
        assert!(message.contains(part), "{message:?} should hold {part:?}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn replay_scores_the_article_and_writes_json() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("r.json");
    let output = samecall(&[
        "replay",
        "--pairs",
        corpus("article.jsonl").to_str().unwrap(),
        "--strategy",
        "raw,normalised",
        "--json",
        json.to_str().unwrap(),
        "--out",
        folder.path().join("out").to_str().unwrap(),
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).lines().all(|line| line.chars().count() <= 100));
    let result: serde_json::Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
    let article = &result["sets"]["article"];
    assert_eq!((&article["raw"]["caught"], &article["raw"]["merged"]), (&12.into(), &12.into()));
    assert_eq!(article["normalised"]["caught"], 96);
    // The canaries come along unasked.
    assert_eq!(article["constant"]["merged"], 24);
    assert_eq!(article["refuse"]["refused"]["retry"], 96);
    assert_eq!(article["random"]["caught"], 0);
    for file in ["replay.json", "replay.md", "recall-article.svg", "recall-article.png"] {
        assert!(folder.path().join("out").join(file).is_file(), "{file}");
    }
}

#[test]
fn bad_input_is_named_and_leaves_earlier_reports_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("replay.md"), "earlier").unwrap();
    let file = folder.path().join("pairs.jsonl");
    let replay = |text: &[u8], more: &[&str]| {
        fs::write(&file, text).unwrap();
        let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
        let mut args = vec!["replay", "--pairs", file, "--out", out];
        args.extend(more);
        samecall(&args)
    };
    refused(&replay(b"", &[]), &["pairs.jsonl", "no pair"]);
    refused(&replay(format!("{PAIR}\n{{\"id\"\n").as_bytes(), &[]), &["pairs.jsonl:2", "no JSON"]);
    refused(&replay(b"\xff\xfe\n", &[]), &["pairs.jsonl:1", "UTF-8"]);
    let no_truth = PAIR.replace(r#""truth":"retry","#, "");
    refused(&replay(no_truth.as_bytes(), &[]), &["pairs.jsonl:1", "`truth` is missing"]);
    refused(&replay(PAIR.as_bytes(), &["--strategy", "rw"]), &["`rw` is no strategy", "raw"]);
    refused(&samecall(&["replay", "--pairs", "/nowhere.jsonl"]), &["/nowhere.jsonl"]);
    refused(&samecall(&["replay"]), &["--pairs", "--generate"]);
    refused(&replay(PAIR.as_bytes(), &["--tools", "/nowhere.json"]), &["/nowhere.json"]);
    refused(&replay(PAIR.as_bytes(), &["--generate", "10", "--profile", "no"]), &["no"]);
    assert_eq!(fs::read_to_string(out.join("replay.md")).unwrap(), "earlier");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing half-written is left");

    let lenient = replay(format!("{PAIR}\nnonsense\n").as_bytes(), &["--skip-bad"]);
    assert!(lenient.status.success(), "{}", stderr(&lenient));
    let text = fs::read_to_string(out.join("replay.json")).unwrap();
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(result["inputs"][0]["skipped"], 1);
}

#[test]
fn key_answers_every_line_in_order_and_echoes_ids() {
    let calls = "{\"id\":\"x\",\"tool\":\"pay\",\"arguments\":\"{\\\"n\\\":1}\",\"run_id\":\"r\",\"step\":1}\n\
                 {\"tool\":\"pay\",\"arguments\":\"{\\\"n\\\":\",\"extra\":[]}\n";
    let output = fed(&["key", "--strategy", "canonical,typed-scoped", "-"], calls);
    assert!(output.status.success(), "{}", stderr(&output));
    let lines: Vec<serde_json::Value> =
        stdout(&output).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!((&lines[0]["index"], &lines[0]["id"]), (&0.into(), &"x".into()));
    assert_eq!(lines[0]["key"].as_str().unwrap().len(), 32);
    assert_eq!(lines[1]["strategy"], "typed-scoped");
    assert!(lines[1]["slot"].is_string() && lines[1]["fingerprint"].is_string());
    assert_eq!(lines[2]["index"], 1);
    assert!(lines[2]["refused"].as_str().unwrap().starts_with("JSONDecodeError"));
    assert!(lines[3].get("key").is_none() && lines[3].get("id").is_none());
    refused(&fed(&["key", "-"], "{\"tool\":3}\n"), &["standard input:1", "`tool` must be text"]);
}

#[test]
fn generation_is_a_function_of_the_seed() {
    let run = |seed: &str| {
        let args = ["generate", "--pairs", "2500", "--profile", "uniform", "--seed", seed];
        let output = samecall(&args);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let once = run("5");
    assert_eq!(once.lines().count(), 2500);
    assert_eq!(once, run("5"));
    assert_ne!(once, run("6"));
    // What was generated can be replayed from its file, with its schemas inline.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.jsonl");
    fs::write(&file, once).unwrap();
    let json = folder.path().join("r.json");
    let (file, json_name) = (file.to_str().unwrap(), json.to_str().unwrap());
    let replay = |more: &[&str]| -> serde_json::Value {
        let mut args = vec!["replay", "--strategy", "raw,typed", "--json", json_name];
        args.extend(more);
        let output = samecall(&args);
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_slice(&fs::read(&json).unwrap()).unwrap()
    };
    let from_file = replay(&["--pairs", file]);
    let streamed = replay(&["--generate", "2500", "--seed", "5"]);
    let sets = [&from_file, &streamed].map(|r| &r["sets"]["generated-uniform"]);
    assert_eq!(sets[0]["raw"], sets[1]["raw"]);
    // A pair has one inline schema, so a call of another tool may be refused for another reason there.
    for count in ["retry", "caught", "distinct", "merged"] {
        assert_eq!(sets[0]["typed"][count], sets[1]["typed"][count], "{count}");
    }
}

#[cfg(unix)]
#[test]
fn an_external_keyer_is_scored_like_the_others() {
    // Each answer is the line without its scope, which makes it the exact text's key.
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("r.json");
    let replay = |command: &str| {
        samecall(&[
            "replay",
            "--pairs",
            corpus("article.jsonl").to_str().unwrap(),
            "--strategy",
            "raw",
            "--external",
            &format!("mine={command}"),
            "--json",
            json.to_str().unwrap(),
        ])
    };
    let script = r#"sed 's/,"run_id.*//; s/["\\]/_/g; s/^/{"key":"/; s/$/"}/'"#;
    let output = replay(script);
    assert!(output.status.success(), "{}", stderr(&output));
    let result: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let article = &result["sets"]["article"];
    assert_eq!(article["external:mine"]["caught"], article["raw"]["caught"]);
    assert_eq!(article["external:mine"]["merged"], article["raw"]["merged"]);

    refused(&replay("head -n 1"), &["external:mine"]);
    refused(&replay("cat"), &["external:mine", "line 1 of its answer"]);
    refused(&replay("exit 3"), &["external:mine"]);
}

#[test]
fn explain_shows_where_forms_part_or_wrongly_meet() {
    let output = fed(&["explain", "--strategy", "canonical", "-"], PAIR);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("a miss"), "{text}");
    assert!(text.contains("The forms part at character"), "{text}");

    let merged = PAIR
        .replace("retry", "distinct")
        .replace(r#"{\"n\":1}"#, r#"{\"n\":\"042\"}"#)
        .replace(r#"{\"n\":1.0}"#, r#"{\"n\":\"42\"}"#);
    let text = stdout(&fed(&["explain", "--strategy", "normalised", "-"], &merged));
    assert!(text.contains("a false merge"), "{text}");
    assert!(text.contains("They were made to meet by"), "{text}");
    refused(&fed(&["explain", "-"], PAIR), &["name one strategy"]);
    refused(
        &fed(&["explain", "--strategy", "raw", "--id", "q", "-"], PAIR),
        &["no pair with the id"],
    );
}

#[test]
fn tools_check_proposes_an_overlay_that_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let tools = folder.path().join("tools.json");
    fs::write(
        &tools,
        r#"[{"type":"function","function":{"name":"send","parameters":{"type":"object","properties":{
            "body":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},
            "nick":{"type":["string","null"]}}}}}]"#,
    )
    .unwrap();
    let overlay = folder.path().join("overlay.toml");
    let (tools, overlay_name) = (tools.to_str().unwrap(), overlay.to_str().unwrap());
    let output = samecall(&["tools", "check", tools, "--write", overlay_name]);
    assert!(output.status.success(), "{}", stderr(&output));
    let written = fs::read_to_string(&overlay).unwrap();
    assert!(
        written.contains("\"body\" = \"text\"") && written.contains("\"tags\" = \"set\""),
        "{written}"
    );
    let output = samecall(&["tools", "check", tools, "--annotate", overlay_name]);
    assert!(stdout(&output).contains("overlay"), "{}", stdout(&output));

    // One command from a catalog to a scoreboard.
    let output =
        samecall(&["replay", "--tools", tools, "--annotate", overlay_name, "--generate", "2000"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("typed-scoped"));

    fs::write(&overlay, "[send]\n\"bdoy\" = \"text\"\n").unwrap();
    let output =
        samecall(&["replay", "--tools", tools, "--annotate", overlay_name, "--generate", "10"]);
    refused(&output, &["bdoy", "send"]);
}

#[test]
fn reports_are_made_from_results_alone() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("from");
    let (article, from) = (corpus("article.jsonl"), from.to_str().unwrap());
    assert!(
        samecall(&["replay", "--pairs", article.to_str().unwrap(), "--out", from]).status.success()
    );
    let document = folder.path().join("D.md");
    fs::write(&document, "a\n<!-- BEGIN: results -->\nold\n<!-- END: results -->\nb\n").unwrap();
    let name = document.to_str().unwrap();
    assert!(samecall(&["report", "--from", from, "--splice", name]).status.success());
    let text = fs::read_to_string(&document).unwrap();
    assert!(
        text.starts_with("a\n") && text.ends_with("b\n") && text.contains("normalised"),
        "{text}"
    );
    refused(
        &samecall(&["report", "--from", folder.path().to_str().unwrap()]),
        &["holds no result"],
    );
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_samecall"))
        .args(["generate", "--pairs", "20000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}
