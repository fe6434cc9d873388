//! `samecall executors` with small stand-in programs: the protocol, marked rows for programs that crash, hang or talk
//! nonsense, rulings and exit status. No real executor is needed.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Answers every call with the text after `received` of its first argument.
const ALIKE: &str = r#"while read -r line; do echo '{"received":{"object":{}}}'; done"#;
/// Hands on the arguments as text: other bytes are other values.
const BYTES: &str = r#"sed -E 's/.*"arguments":("([^"\\]|\\.)*").*/{"received":\1}/'"#;
const REFUSING: &str = r#"while read -r line; do echo '{"refused":"never"}'; done"#;

fn samecall(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_samecall")).args(args).current_dir(root).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs the command on generated pairs and reads its result.
fn asked(folder: &Path, args: &[&str]) -> (Output, Value) {
    let json = folder.join("result.json");
    let mut all =
        vec!["executors", "--asked", "executors/asked.toml", "--json", json.to_str().unwrap()];
    all.extend(args);
    let output = samecall(&all);
    let text = fs::read_to_string(&json).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)));
    (output, serde_json::from_str(&text).unwrap())
}

fn executor(result: &Value, name: &str) -> Value {
    let all = result["executors"].as_array().unwrap();
    all.iter().find(|e| e["name"] == name).unwrap_or_else(|| panic!("no {name}")).clone()
}

#[test]
fn an_executor_that_tells_bytes_apart_contradicts_the_grammar_and_one_that_refuses_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--generate", "2000", "--executor", &format!("bytes={BYTES}")];
    let (output, result) = asked(folder.path(), &args);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("`key_reorder` is accepted and received unequal by bytes"));
    let row = &result["sets"]["generated-uniform"]["key_reorder"];
    assert_eq!(row["standing"], "contradicted");
    let cell = &row["executors"]["bytes"];
    assert!(cell["unequal"].as_u64().unwrap() > 0 && cell["pairs"] == cell["unequal"], "{cell}");
    // Examples hold no values unless asked for.
    assert_eq!(cell["against"]["a"], "");
    // Equal bytes are equal values, so what differs in scope alone is received as equal.
    assert_eq!(result["sets"]["generated-uniform"]["other_run"]["standing"], "scope");
    assert_eq!(
        result["sets"]["generated-uniform"]["other_tool"]["executors"]["bytes"]["identical"],
        0
    );

    let args = ["--generate", "2000", "--executor", &format!("never={REFUSING}")];
    let (output, result) = asked(folder.path(), &args);
    let row = &result["sets"]["generated-uniform"]["key_reorder"];
    assert_eq!(row["standing"], "refused_only", "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn an_executor_that_folds_everything_contradicts_every_change() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--generate", "2000", "--show-values", "--executor", &format!("alike={ALIKE}")];
    let (output, result) = asked(folder.path(), &args);
    assert_eq!(output.status.code(), Some(1));
    let rows = result["sets"]["generated-uniform"].as_object().unwrap();
    assert_eq!(rows["key_reorder"]["standing"], "holds");
    assert_eq!(rows["boolean_flipped"]["standing"], "contradicted");
    assert_eq!(rows["boolean_flipped"]["executors"]["alike"]["equal_share"][1], 1.0);
    assert_ne!(rows["boolean_flipped"]["executors"]["alike"]["against"]["a"], "");
    assert!(stderr(&output).contains("`boolean_flipped` is received as equal by alike"));
    // typed holds these apart, so it misses what this executor receives as equal.
    let typed = &result["keyers"]["alike"]["typed"];
    assert!(typed["missed"].as_u64().unwrap() > 0 && typed["same_unequal"] == 0, "{typed}");
}

#[test]
fn programs_that_fail_are_marked_rows_beside_others() {
    let folder = tempfile::tempdir().unwrap();
    let crash = r#"read -r l; echo '{"refused":"x"}'; exit 3"#;
    let hang = "read -r line; sleep 600 & sleep 600";
    let nonsense = r#"while read -r line; do echo '{"received": 4}'; done"#;
    let chatty = r#"while read -r line; do echo '{"refused":"x"}'; echo '{"refused":"x"}'; done"#;
    let args = [
        "--generate",
        "500",
        "--timeout",
        "2",
        "--executor",
        &format!("crash={crash}"),
        "--executor",
        &format!("hang={hang}"),
        "--executor",
        &format!("nonsense={nonsense}"),
        "--executor",
        &format!("chatty={chatty}"),
        "--executor",
        "missing=no-such-program-at-all",
        "--executor",
        &format!("good={ALIKE}"),
        "--out",
        folder.path().to_str().unwrap(),
    ];
    let start = Instant::now();
    let (output, result) = asked(folder.path(), &args);
    assert!(start.elapsed() < Duration::from_secs(120));
    assert_eq!(output.status.code(), Some(1));
    for (name, state, says) in [
        ("crash", "crashed", "crash crashed: it ended with exit status: 3"),
        ("hang", "hung", "hang hung"),
        ("nonsense", "broken", "nonsense broke the protocol"),
        ("chatty", "broken", "chatty broke the protocol"),
        ("missing", "crashed", "missing crashed"),
        ("good", "finished", ""),
    ] {
        assert_eq!(executor(&result, name)["ended"]["state"], state, "{name}");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
    let text = fs::read_to_string(folder.path().join("executors.md")).unwrap();
    assert!(text.contains("HUNG for 2 s") && text.contains("CRASHED"), "{text}");
    let svg = fs::read_to_string(folder.path().join("executors-generated-uniform.svg")).unwrap();
    assert!(svg.contains("good") && !svg.contains("NaN"));
}

#[test]
fn a_program_that_dies_within_the_pairs_keeps_what_it_answered() {
    let folder = tempfile::tempdir().unwrap();
    // The questions beside the pairs come first, in a run of their own.
    let state = folder.path().join("ran");
    let dying = format!(
        r#"if [ -e {0} ]; then n=0; while [ $n -lt 101 ] && read -r l; do echo '{{"refused":"x"}}'; n=$((n+1)); done; exit 7; fi; touch {0}; {REFUSING}"#,
        state.display()
    );
    let (output, result) =
        asked(folder.path(), &["--generate", "500", "--executor", &format!("dying={dying}")]);
    assert_eq!(output.status.code(), Some(1));
    let run = executor(&result, "dying");
    assert_eq!(run["ended"]["state"], "crashed");
    assert_eq!(run["calls"], 101);
    let typed = &result["keyers"]["dying"]["typed"];
    assert_eq!(typed["pairs"], 50);
}

#[test]
fn a_program_that_answers_only_at_the_end_of_its_input_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let late = format!(r#"t=$(mktemp); cat > "$t"; {REFUSING} < "$t"; rm "$t""#);
    let (output, result) =
        asked(folder.path(), &["--generate", "3000", "--executor", &format!("late={late}")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(executor(&result, "late")["calls"], 6000);
}

#[test]
fn the_same_bytes_whatever_the_number_of_jobs() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for (folder, jobs) in folders.iter().zip(["1", "3"]) {
        let args = [
            "executors",
            "--generate",
            "1000",
            "--executor",
            &format!("b={BYTES}"),
            "--executor",
            &format!("a={ALIKE}"),
            "--executor",
            &format!("never={REFUSING}"),
            "--jobs",
            jobs,
            "--out",
            folder.path().to_str().unwrap(),
        ];
        assert_eq!(samecall(&args).status.code(), Some(1));
    }
    let mut names: Vec<PathBuf> =
        fs::read_dir(folders[0].path()).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    assert!(names.len() >= 4, "{names:?}");
    for path in names {
        let other = folders[1].path().join(path.file_name().unwrap());
        assert!(fs::read(&path).unwrap() == fs::read(other).unwrap(), "{path:?}");
    }
}

#[test]
fn bad_usage_is_told_before_any_program_starts() {
    for (args, says) in [
        (vec!["executors"], "no pairs to ask about"),
        (vec!["executors", "--pairs", "-"], "in a file"),
        (vec!["executors", "--generate", "1", "--executor", "x"], "NAME=COMMAND"),
        (
            vec!["executors", "--generate", "1", "--executor", "x=a", "--executor", "x=b"],
            "given twice",
        ),
        (vec!["executors", "--generate", "1", "--only", "nobody"], "--only nobody"),
        (vec!["executors", "--generate", "1", "--list", "no/such.toml"], "no/such.toml"),
        (vec!["executors", "--generate", "1", "--asked", "no/such.toml"], "no/such.toml"),
        (vec!["executors", "--pairs", "no/such.jsonl", "--executor", "x=true"], "no/such.jsonl"),
    ] {
        let output = samecall(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn corpora_are_asked_by_class_and_nothing_is_ruled_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--pairs", "corpus/article.jsonl", "--executor", &format!("bytes={BYTES}")];
    let (output, result) = asked(folder.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let rows = result["sets"]["article"].as_object().unwrap();
    assert!(rows.len() > 3);
    assert!(rows.values().all(|row| row["standing"] == "unruled" && row["grammar"] == "class"));
}

/// The versions that the list names are those that the lock files install.
#[test]
fn the_list_names_the_pinned_versions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../executors");
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let python = read("requirements.txt");
    let node: Value = serde_json::from_str(&read("node/package-lock.json")).unwrap();
    let rust = read("rust/Cargo.lock");
    let listed = read("executors.toml");
    let (mut packages, mut language) = (0, "");
    for line in listed.lines() {
        if let Some(of) = line.strip_prefix("language = ") {
            language = of.trim_matches('"');
        }
        let Some(list) = line.strip_prefix("packages = ") else { continue };
        for package in list.trim_matches(['[', ']']).split(", ") {
            let (name, version) = package.trim_matches('"').split_once("==").unwrap();
            let pinned = match language {
                "Python" => python.contains(&format!("{name}=={version} \\\n")),
                "JavaScript" => {
                    node["packages"][format!("node_modules/{name}")]["version"] == version
                }
                "Rust" => rust.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n")),
                other => panic!("{other}"),
            };
            assert!(pinned, "{language}: {name} {version}");
            packages += 1;
        }
    }
    assert!(packages >= 16, "{packages}");
}
