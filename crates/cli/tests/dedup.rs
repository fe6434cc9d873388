//! `samecall dedup` as a person meets it: what is written where, and what bad input leads to.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const CHUNKS: &str = concat!(
    "{\"id\": \"a\", \"text\": \"Charge Bob $19.\"}\n",
    "{\"text\": \"[2] charge  bob $19!\",   \"id\": \"b\"}\n",
    "\n",
    "{\"id\": null, \"text\": \"Refund Bob $19.\"}\n",
    "{\"text\": \"Refund Bob $19.\", \"id\": 7}",
);

fn samecall(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_samecall"))
        .arg("dedup")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("samecall runs");
    // A run that refuses its options ends without reading.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("samecall ends")
}

fn lexical(args: &[&str], input: &[u8]) -> Output {
    samecall(&[&["lexical"], args].concat(), input)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn in_folder(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").count()
}

#[test]
fn kept_items_map_and_report_go_where_they_are_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let [chunks, kept, map, report] = ["chunks.jsonl", "kept.jsonl", "map.jsonl", "report.json"]
        .map(|n| in_folder(folder.path(), n));
    std::fs::write(&chunks, CHUNKS).unwrap();
    let done = lexical(&[&chunks, "-o", &kept, "--map", &map, "--report", &report], b"");
    assert!(done.status.success(), "{}", text(&done.stderr));
    let lines: Vec<&str> = CHUNKS.lines().collect();
    assert_eq!(std::fs::read_to_string(kept).unwrap(), format!("{}\n{}\n", lines[0], lines[3]));
    let map = std::fs::read_to_string(map).unwrap();
    let map: Vec<Value> = map.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(map.len(), 2);
    assert_eq!((&map[0]["removed"], &map[0]["kept"]), (&"b".into(), &"a".into()));
    assert_eq!((&map[0]["rule"], &map[0]["score"]), (&"normal-form".into(), &1.into()));
    // An item without an id is named by its position, blank lines not counted.
    assert_eq!((&map[1]["removed"], &map[1]["kept"]), (&7.into(), &2.into()));
    assert_eq!(map[1]["rule"], "identical");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(report).unwrap()).unwrap();
    let report = &report["report"];
    assert_eq!(report["mode"], "safe");
    assert_eq!((&report["input"]["items"], &report["kept"]["items"]), (&4.into(), &2.into()));
    assert_eq!(report["token_counter"], "o200k_base");
    assert!(report["removed"]["tokens"].as_u64().unwrap() > 5);
    assert!(text(&done.stdout).contains("normal-form"), "the table goes to standard output");
}

#[test]
fn standard_input_gives_the_kept_items_on_standard_output() {
    for args in [&[][..], &["-"], &["-o", "-"]] {
        let done = lexical(args, CHUNKS.as_bytes());
        assert!(done.status.success(), "{}", text(&done.stderr));
        assert_eq!(text(&done.stdout).lines().count(), 2, "{args:?}");
        assert!(text(&done.stdout).starts_with("{\"id\": \"a\""));
        assert!(text(&done.stderr).contains("removed"));
    }
    let done =
        lexical(&[], "Charge Bob $19.\n\nRefund Bob $19.\n\n[1] Charge Bob $19.\n".as_bytes());
    assert_eq!(text(&done.stdout), "Charge Bob $19.\n\nRefund Bob $19.\n\n");
    let done = lexical(&["--separator", "\\n---\\n"], b"a b\n---\nA b.\n---\nc");
    assert_eq!(text(&done.stdout), "a b\n---\nc");
}

#[test]
fn arcaeon_mode_prints_that_packages_line() {
    let done = lexical(&["--mode", "arcaeon", "--compare"], CHUNKS.as_bytes());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let line = text(&done.stderr).lines().next().unwrap().to_owned();
    assert!(
        line.starts_with("deduped: kept 3, removed 1 repeat(s); ~15 chars / ~3 tokens saved"),
        "{line}"
    );
    let modes = text(&done.stderr).lines().find(|line| line.starts_with("mode ")).unwrap();
    assert!(modes.contains("arcaeon") && modes.contains("safe"), "{modes}");
}

#[test]
fn a_stream_keeps_the_first_of_each_group() {
    let folder = tempfile::tempdir().unwrap();
    let map = in_folder(folder.path(), "map.jsonl");
    let done = lexical(&["--stream-mb", "1", "--map", &map], CHUNKS.as_bytes());
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert_eq!(text(&done.stdout).lines().count(), 2);
    let map = std::fs::read_to_string(map).unwrap();
    assert_eq!(map.lines().count(), 2);
    assert!(map.starts_with("{\"removed\": 1, \"kept\": 0,"), "{map}");
    let refused = lexical(&["--stream-mb", "1", "--compare"], CHUNKS.as_bytes());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--compare"), "{}", text(&refused.stderr));
}

#[test]
fn little_input_is_no_error() {
    for (input, kept) in
        [("", ""), ("\n\n", ""), ("one", "one"), ("{\"text\": \"\"}\n", "{\"text\": \"\"}\n")]
    {
        let done = lexical(&[], input.as_bytes());
        assert!(done.status.success(), "{input:?}: {}", text(&done.stderr));
        assert_eq!(text(&done.stdout), kept, "{input:?}");
    }
}

#[test]
fn bad_input_is_named_by_line_and_leaves_no_file() {
    let good = "{\"text\": \"a secret\"}\n";
    let cases: [(&str, Vec<u8>, &[&str]); 7] = [
        (
            "invalid UTF-8 in JSON lines",
            [good.as_bytes(), b"{\"text\": \"\xFF\"}\n"].concat(),
            &["2", "UTF-8"],
        ),
        ("invalid UTF-8 in text", b"one\n\ntwo\n\xC3\n".to_vec(), &["4", "UTF-8"]),
        ("null", format!("{good}{{\"text\": null}}\n").into_bytes(), &["2", "text", "null"]),
        (
            "missing field",
            format!("{good}\n{{\"body\": \"a secret\"}}\n").into_bytes(),
            &["3", "text"],
        ),
        ("no string", format!("{good}{{\"text\": 5}}\n").into_bytes(), &["2", "text"]),
        ("no object", format!("{good}[1]\n").into_bytes(), &["2"]),
        ("cut line", format!("{good}{{\"text\": \"a sec").into_bytes(), &["2"]),
    ];
    for (name, input, said) in cases {
        for stream in [false, true] {
            if stream && name == "invalid UTF-8 in text" {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let [kept, map, report] =
                ["kept", "map", "report"].map(|name| in_folder(folder.path(), name));
            let mut args = vec!["-o", &kept, "--map", &map, "--report", &report];
            if stream {
                args.extend(["--stream-mb", "1"]);
            }
            let done = lexical(&args, &input);
            let error = text(&done.stderr);
            assert_eq!(done.status.code(), Some(2), "{name}: {error}");
            for part in said.iter().chain(&["standard input"]) {
                assert!(error.contains(part), "{name}: {part} in {error}");
            }
            assert!(!error.contains("secret"), "{name}: {error}");
            assert_eq!(entries(folder.path()), 0, "{name}: a file was left");
            assert!(done.stdout.is_empty(), "{name}");
        }
    }
    let skipped = lexical(&["--skip-bad"], format!("{good}[1]\n{good}").as_bytes());
    assert!(skipped.status.success());
    assert_eq!(text(&skipped.stdout), good);
    assert!(text(&skipped.stderr).contains("1 unreadable"), "{}", text(&skipped.stderr));
}

#[test]
fn wrong_options_and_files_are_named() {
    for (args, said) in [
        (&["--min-overlap", "1.5"][..], "min_overlap"),
        (&["--max-candidates", "0"], "max_candidates"),
        (&["--mode", "arcaeon", "--order-stable"], "order_stable"),
        (&["--tokens", "nothing"], "o200k_base"),
        (&["/nonexistent/chunks.jsonl"], "/nonexistent/chunks.jsonl"),
    ] {
        let done = lexical(args, b"a");
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(text(&done.stderr).contains(said), "{args:?}: {}", text(&done.stderr));
    }
}

#[test]
fn a_users_lexicon_counts() {
    let folder = tempfile::tempdir().unwrap();
    let words = in_folder(folder.path(), "words.txt");
    std::fs::write(&words, "[noise]\nplease\n").unwrap();
    let long = "send the report of the week to the group that asked for it when all figures are known to us";
    let input = format!("Then please {long}\n\nThen {long}\n");
    assert_eq!(text(&lexical(&[], input.as_bytes()).stdout), input);
    let done = lexical(&["--lexicon", &words, "--min-overlap", "0.8"], input.as_bytes());
    assert_eq!(text(&done.stdout).matches("Then").count(), 1, "{}", text(&done.stderr));
    std::fs::write(&words, "[nouns]\nplease\n").unwrap();
    let done = lexical(&["--lexicon", &words], input.as_bytes());
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("words.txt"), "{}", text(&done.stderr));
}

#[test]
fn the_comparison_is_the_same_bytes_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| in_folder(folder.path(), name));
    for out in [&one, &two] {
        let done = samecall(&["compare", "--seed", "3", "--chunks", "300", "--out", out], b"");
        assert!(done.status.success(), "{}", text(&done.stderr));
        assert!(text(&done.stdout).contains("| kind | planted |"));
    }
    for name in ["report.md", "result.json"] {
        let read = |folder: &str| std::fs::read(Path::new(folder).join(name)).unwrap();
        assert_eq!(read(&one), read(&two), "{name}");
    }
    let json = std::fs::read(Path::new(&one).join("result.json")).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((&json["seed"], &json["modes"][0]["report"]["mode"]), (&3.into(), &"safe".into()));
}
