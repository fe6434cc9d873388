//! `samecall cache`: the published run, variants that a faulty key merges, reads that change, real traces, and bad input.

use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn corpus(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/cache").join(name);
    path.to_str().unwrap().to_owned()
}

/// Third-party traces beside the workspace, where there are any.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SAMECALL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = folder.join("traces").join(name);
    if !path.is_file() {
        eprintln!("skipped: {} not found", path.display());
        return None;
    }
    Some(path)
}

fn samecall(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_samecall")).arg("cache").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The result of a run that must succeed: its JSON, and what it printed.
fn replayed(args: &[&str]) -> (Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("r.json");
    let mut all = args.to_vec();
    all.extend(["--json", json.to_str().unwrap()]);
    let output = samecall(&all);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.lines().all(|line| line.chars().count() <= 100), "{printed}");
    (serde_json::from_slice(&fs::read(json).unwrap()).unwrap(), printed)
}

fn count(result: &Value, strategy: &str, name: &str) -> u64 {
    result[strategy][name].as_u64().unwrap_or_else(|| panic!("{strategy}.{name}"))
}

#[test]
fn the_published_run_has_its_published_figures() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    // With and without the catalog: nothing else says what the tool does, so it is taken for a read, and that is said.
    for more in [vec![], vec!["--tools", &*corpus("tools.json")]] {
        let trace = corpus("published.jsonl");
        let mut args = vec![&*trace, "--log", log.to_str().unwrap()];
        args.extend(&more);
        let (result, printed) = replayed(&args);
        for (name, expected) in [
            ("calls", 13),
            ("duplicates", 10),
            ("executed", 3),
            ("prevented", 10),
            ("wrong_hits", 0),
            ("stale_hits", 0),
        ] {
            assert_eq!(count(&result, "typed", name), expected, "{name}");
        }
        assert_eq!(result["typed"]["savings"], 0.769_231);
        assert_eq!(
            (&result["typed"]["saved_ms"], &result["typed"]["executed_ms"]),
            (&64_000.0.into(), &19_200.0.into())
        );
        assert_eq!(count(&result, "agentforge", "prevented"), 10);
        assert_eq!(count(&result, "random", "prevented"), 0);
        assert_eq!(count(&result, "refuse", "executed"), 13);
        assert!(printed.contains("savings = prevented / (executed + prevented)"));
        let time = printed
            .lines()
            .find(|line| line.starts_with("typed ") && line.contains("202.0"))
            .unwrap();
        assert!(time.contains("138.0") && time.contains("64.0"), "{time}");
        assert_eq!(printed.contains("Taken for reads"), more.is_empty());
        let golden = fs::read_to_string(corpus("published.log")).unwrap();
        assert_eq!(fs::read_to_string(&log).unwrap(), golden);
        for field in [
            "toolName",
            "arguments",
            "iteration",
            "cacheHit",
            "toolsExecuted",
            "duplicatesSkipped",
            "totalObservations",
            "deduplicationSavings",
        ] {
            assert!(golden.contains(&format!("\"{field}\":")), "{field}");
        }
        assert!(golden.contains("77%") && !golden.contains("quantum"), "values are redacted");
    }
    let (result, _) = replayed(&[&corpus("published.jsonl"), "--unsaid", "write"]);
    assert_eq!(count(&result, "typed", "executed"), 13, "as the library does");
}

#[test]
fn variants_that_differ_inside_are_executed_by_typed_and_answered_wrongly_by_agentforge() {
    let (result, printed) =
        replayed(&[&corpus("variants.jsonl"), "--tools", &corpus("tools.json")]);
    assert_eq!((count(&result, "typed", "executed"), count(&result, "typed", "prevented")), (7, 2));
    assert_eq!(count(&result, "typed", "wrong_hits"), 0);
    assert_eq!(count(&result, "agentforge", "wrong_hits"), 2);
    assert_eq!(count(&result, "agentforge", "prevented"), 4);
    assert!(printed.contains("agentforge answered 2 calls with the result of another call"));
    assert!(count(&result, "constant", "wrong_hits") >= 6, "the canary merges all");
    // The two calls with unlike `_timestamp` both ran, whatever the strategy; the third is the second again.
    for strategy in ["typed", "agentforge", "canonical", "raw"] {
        let own = &result[strategy];
        assert!(own["stale_hits"] == 0, "{strategy}");
    }
}

#[test]
fn a_policy_takes_stale_hits_away_and_writes_are_never_answered() {
    let (trace, tools, policy) =
        (corpus("orders.jsonl"), corpus("tools.json"), corpus("policy.toml"));
    let (bare, printed) = replayed(&[&trace, "--tools", &tools]);
    let (ruled, _) = replayed(&[&trace, "--tools", &tools, "--policy", &policy]);
    assert!(count(&bare, "typed", "stale_hits") >= 3 && printed.contains("out of date"));
    assert_eq!(count(&ruled, "typed", "stale_hits"), 0);
    for result in [&bare, &ruled] {
        let cancels = &result["typed"]["by_tool"]["order_cancel"];
        assert_eq!((&cancels["duplicates"], &cancels["prevented"]), (&2.into(), &0.into()));
        assert_eq!(count(result, "typed", "wrong_hits"), 0);
        assert_eq!(count(result, "typed", "shared"), 1, "one waited for an equal call");
        let by_model = result["typed"]["by_model"].as_object().unwrap();
        let sum: u64 = by_model.values().map(|model| model["calls"].as_u64().unwrap()).sum();
        assert_eq!((by_model.len(), sum), (2, count(result, "typed", "calls")));
    }
    // Errors ran again, and one tenant was never answered with another's order of the same run and id.
    assert_eq!(ruled["typed"]["by_tool"]["order_get"]["calls"], 8);
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept.toml");
    fs::write(&kept, "[tools.order_cancel]\ncache = \"1m\"\n").unwrap();
    let (kept, _) = replayed(&[&trace, "--tools", &tools, "--policy", kept.to_str().unwrap()]);
    assert_eq!(kept["typed"]["by_tool"]["order_cancel"]["prevented"], 2, "the policy says so");
}

/// The tool and the arguments in a form in which equal JSON is equal text; independent of the project's own reader.
fn plain(call: &Value) -> String {
    let arguments = call["arguments"].as_str().unwrap();
    let parsed = serde_json::from_str::<Value>(arguments);
    let arguments = parsed.map_or_else(|_| arguments.to_owned(), |value| value.to_string());
    format!("{} {arguments}", call["tool"].as_str().unwrap())
}

#[test]
fn repeats_of_a_real_trace_agree_with_a_plain_count() {
    let Some(trace) = shared("workbench.calls.jsonl") else { return };
    let (mut seen, mut repeats, mut calls) = (HashSet::new(), BTreeMap::new(), 0);
    let (mut latest, mut changed, mut repeated_writes) = (BTreeMap::new(), 0, 0);
    for line in fs::read_to_string(&trace).unwrap().lines() {
        let call: Value = serde_json::from_str(line).unwrap();
        let place = (call["run_id"].as_str().unwrap().to_owned(), plain(&call));
        let model = repeats.entry(call["model"].as_str().unwrap().to_owned()).or_insert((0, 0));
        calls += 1;
        model.0 += 1;
        let is_repeat = !seen.insert(place.clone());
        model.1 += u64::from(is_repeat);
        repeated_writes += u64::from(is_repeat && call["effect"] == "write");
        if call["effect"] == "read" {
            // A cache of successes without invalidation answers with the first success for ever.
            let result =
                (call["result_sha"].as_str().unwrap().to_owned(), call["result_error"] == true);
            match latest.get(&place) {
                Some(first) => changed += u64::from(*first != result),
                None if !result.1 => {
                    latest.insert(place, result);
                }
                None => {}
            }
        }
    }
    let path = trace.to_str().unwrap();
    let (result, _) = replayed(&[path, "--strategy", "typed,canonical"]);
    assert_eq!((calls, count(&result, "typed", "calls")), (7232, 7232));
    for strategy in ["typed", "canonical"] {
        for (model, (calls, repeats)) in &repeats {
            let own = &result[strategy]["by_model"][model];
            assert_eq!(own["calls"], *calls, "{model}");
            // What has no safe key is no repeat of anything.
            let counted = own["duplicates"].as_u64().unwrap();
            let refused = own["refused"].as_u64().unwrap();
            assert!(
                counted <= *repeats && *repeats <= counted + refused,
                "{strategy} {model}: {counted} of {repeats}"
            );
        }
    }
    assert_eq!(count(&result, "typed", "wrong_hits"), 0);
    assert_eq!(count(&result, "typed", "stale_hits"), changed, "reads whose result changed");
    let writes: u64 = written(&result, "prevented");
    assert_eq!(writes, 0, "a write is never answered from the cache");
    assert!(repeated_writes > 500 && written(&result, "duplicates") >= repeated_writes - 10);
    let tools = trace.with_file_name("tools").join("workbench.json");
    let (tools, policy) = (tools.to_str().unwrap(), corpus("workbench.toml"));
    let (ruled, _) =
        replayed(&[path, "--strategy", "typed", "--tools", tools, "--policy", &policy]);
    assert!(
        count(&ruled, "typed", "stale_hits") < changed / 2,
        "the policy takes most of them away"
    );
    assert_eq!(written(&ruled, "prevented"), 0);
    assert_eq!(ruled["typed"]["calls"], 7232);
}

/// Counts of the tools that WorkBench calls writes.
fn written(result: &Value, name: &str) -> u64 {
    let is_write = |tool: &str| {
        ["create", "delete", "update", "send", "forward", "reply", "add"]
            .iter()
            .any(|verb| tool.contains(&format!(".{verb}_")))
    };
    let by_tool = result["typed"]["by_tool"].as_object().unwrap();
    by_tool
        .iter()
        .filter(|(tool, _)| is_write(tool))
        .map(|(_, counts)| counts[name].as_u64().unwrap())
        .sum()
}

/// Asserts status 2 and one line that holds every part.
fn refused(output: &Output, parts: &[&str]) {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for part in parts {
        assert!(message.contains(part), "{message:?} should hold {part:?}");
    }
    assert!(!message.contains("panicked") && output.stdout.is_empty(), "{message}");
}

const CALL: &str =
    r#"{"type":"call","id":"1","tool":"search","arguments":"{\"q\": \"secret\"}","run_id":"r"}"#;
const RESULT: &str = r#"{"type":"result","id":"1","result":"secret","ms":5}"#;

#[test]
fn bad_traces_are_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    let run = |bytes: &[u8], more: &[&str]| {
        fs::write(&file, bytes).unwrap();
        let mut args = vec![file.to_str().unwrap()];
        args.extend(more);
        samecall(&args)
    };
    let two = format!("{CALL}\n{RESULT}\n");
    let no_call = format!("{two}{RESULT}\n");
    refused(&run(no_call.as_bytes(), &[]), &["t.jsonl:3", "`id` names no call"]);
    refused(&run(format!("{RESULT}\n{CALL}\n").as_bytes(), &[]), &["t.jsonl:1", "`id`"]);
    refused(&run(format!("{two}{}\n", &CALL[..60]).as_bytes(), &[]), &["t.jsonl:3", "cut"]);
    refused(
        &run(&[two.as_bytes(), b"{\"tool\": \"caf\xe9\"}\n"].concat(), &[]),
        &["t.jsonl:3", "UTF-8"],
    );
    let utf16: Vec<u8> = CALL.encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(&run(&[two.as_bytes(), &utf16].concat(), &[]), &["t.jsonl:3", "UTF-"]);
    refused(&run(format!("\u{feff}{two}").as_bytes(), &[]), &["t.jsonl:1", "byte-order mark"]);
    refused(&run(format!("{CALL}\n{CALL}\n").as_bytes(), &[]), &["t.jsonl:2", "line 1", "`id`"]);
    refused(&run(b"", &[]), &["t.jsonl", "no call"]);
    refused(&run(two.replace("\"call\"", "\"cal\"").as_bytes(), &[]), &["t.jsonl:1", "`type`"]);
    refused(&run(two.replace("5}", "-5}").as_bytes(), &[]), &["t.jsonl:2", "`ms`"]);
    refused(&samecall(&["/nowhere.jsonl"]), &["/nowhere.jsonl"]);
    for bad in [&no_call, &format!("{two}{}\n", &CALL[..60])] {
        let message = text(&run(bad.as_bytes(), &[]).stderr);
        assert!(!message.contains("secret"), "no values in messages: {message}");
    }
    let lenient = run(no_call.as_bytes(), &["--skip-bad"]);
    assert!(
        lenient.status.success() && text(&lenient.stdout).contains("1 lines could not be read")
    );
}

#[test]
fn bad_policies_are_refused_with_file_line_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let (trace, policy) = (folder.path().join("t.jsonl"), folder.path().join("p.toml"));
    fs::write(&trace, format!("{CALL}\n{RESULT}\n")).unwrap();
    let run = |text: &str| {
        fs::write(&policy, text).unwrap();
        samecall(&[trace.to_str().unwrap(), "--policy", policy.to_str().unwrap()])
    };
    refused(
        &run("\n[tools.serach]\ncache = \"1m\"\n"),
        &["p.toml:2", "`tools.serach`", "no catalog"],
    );
    refused(
        &run("[tools.search]\ncache = \"10 minutes\"\n"),
        &["p.toml:2", "`tools.search.cache`", "duration"],
    );
    refused(&run("[tools.search]\ncache = \"-1m\"\n"), &["p.toml:2", "duration"]);
    refused(&run("[tools.search]\ninvalidates = [\"x\"]\n"), &["p.toml:2", "invalidates"]);
    refused(&run("[tools.search\n"), &["p.toml:1"]);
    refused(&samecall(&[trace.to_str().unwrap(), "--policy", "/nowhere.toml"]), &["/nowhere.toml"]);
    assert!(
        run("[tools.search]\ncache = \"1m\"\n").status.success(),
        "a tool of the trace is known"
    );
}

#[test]
fn interleaved_runs_and_calls_without_a_result_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("t.jsonl");
    let of = |run: &str| CALL.replace("\"r\"", &format!("\"{run}\""));
    let result = |run: &str| RESULT.replace("\"id\"", &format!("\"run_id\":\"{run}\",\"id\""));
    let lines = [of("a"), of("b"), result("b"), result("a"), of("a").replace("\"1\"", "\"2\"")];
    fs::write(&trace, lines.join("\n")).unwrap();
    let (found, printed) = replayed(&[trace.to_str().unwrap()]);
    assert_eq!(count(&found, "typed", "executed"), 2);
    assert_eq!((count(&found, "typed", "prevented"), count(&found, "typed", "unjudged")), (1, 1));
    assert!(printed.contains("1 calls have no result"));
    // Without the run, the result could be either's.
    let lines = [of("a"), of("b"), RESULT.to_owned()];
    fs::write(&trace, lines.join("\n")).unwrap();
    refused(&samecall(&[trace.to_str().unwrap()]), &["t.jsonl:3", "run_id"]);
}
