//! `samecall dedup semantic`, `expand`, `calibrate` and the commands of a state, as a person meets them.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn samecall(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_samecall"))
        .arg("dedup")
        .args(args)
        .output()
        .expect("samecall runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn ok(args: &[&str]) -> String {
    let done = samecall(args);
    assert!(done.status.success(), "{args:?}: {}", text(&done.stderr));
    text(&done.stdout).to_owned()
}

fn fails(args: &[&str], wanted: &str) {
    let done = samecall(args);
    let error = text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{args:?}: {error}");
    assert!(error.contains(wanted), "{error} lacks {wanted}");
}

fn lines(path: &str) -> Vec<Value> {
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn in_folder(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

/// Two ways to say one thing, and another number: vectors nearly equal.
const CHUNKS: &str = concat!(
    "{\"id\": \"a\", \"text\": \"Invoice 7 of Northwind is due in May.\", \"created_at\": 1, \"embedding\": [1, 0.01, 0]}\n",
    "{\"id\": 2,  \"text\": \"Northwind's invoice 7 falls due in May.\", \"created_at\": 2, \"embedding\": [1, 0, 0]}\n",
    "\n",
    "{\"id\": \"c\", \"text\": \"Invoice 8 of Northwind is due in May.\", \"created_at\": 3, \"embedding\": [1, 0, 0.01]}\n",
);

#[test]
fn a_run_writes_kept_lines_mapping_refusals_report_and_plot() {
    let folder = tempfile::tempdir().unwrap();
    let [chunks, kept, map, refusals, report, plot] =
        ["chunks", "kept", "map", "refusals", "report", "plot"]
            .map(|n| in_folder(folder.path(), n));
    fs::write(&chunks, CHUNKS).unwrap();
    let shown = ok(&[
        "semantic",
        &chunks,
        "-o",
        &kept,
        "--map",
        &map,
        "--refusals",
        &refusals,
        "--report",
        &report,
        "--plot",
        &plot,
        "--compare",
    ]);
    let given: Vec<&str> = CHUNKS.lines().collect();
    assert_eq!(fs::read_to_string(&kept).unwrap(), format!("{}\n{}\n", given[1], given[3]));
    let mapped = lines(&map);
    assert_eq!(mapped.len(), 1);
    assert_eq!((&mapped[0]["removed"], &mapped[0]["kept"]), (&"a".into(), &2.into()));
    assert_eq!((&mapped[0]["guard"], &mapped[0]["rule"]), (&"passed".into(), &"semantic".into()));
    assert!(mapped[0]["score"].as_f64().unwrap() > 0.999);
    let refused = lines(&refusals);
    assert_eq!(refused.len(), 2);
    assert!(refused.iter().all(|line| line["cause"] == "number"));
    let report: Value = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
    assert_eq!(
        (&report["chunks"], &report["canonical"], &report["removed"]),
        (&3.into(), &2.into(), &1.into())
    );
    assert_eq!(report["refused"]["number"], 2);
    assert_eq!(report["nearest_refusals"].as_array().unwrap().len(), 2);
    assert!(report["tokens"]["before"].as_u64() > report["tokens"]["after"].as_u64());
    assert_eq!(report["model"]["dimension"], 3);
    assert_eq!(report["first_match_class"]["report"]["canonical"], 1);
    assert!(shown.contains("may not pay") && shown.contains("nearest refusals"), "{shown}");
    for name in ["cluster-sizes.svg", "cluster-sizes.png"] {
        assert!(fs::metadata(Path::new(&plot).join(name)).unwrap().len() > 1000);
    }
    let stands_for = ok(&["expand", "2", "--map", &map]);
    assert!(stands_for.contains("\"removed\":\"a\""), "{stands_for}");
    assert_eq!(ok(&["expand", "c", "--map", &map]), "");
    fails(&["expand", "a", "--map", &map], "2 stands for it");
    // Text is never shown.
    assert!(!shown.contains("Northwind"));
}

#[test]
fn embeddings_may_stand_beside_the_lines() {
    let folder = tempfile::tempdir().unwrap();
    let [chunks, rows, kept] = ["chunks", "rows.npy", "kept"].map(|n| in_folder(folder.path(), n));
    fs::write(
        &chunks,
        "{\"id\": 1, \"text\": \"The plan holds.\"}\n{\"id\": 2, \"text\": \"The plan holds!\"}\n",
    )
    .unwrap();
    let mut header = String::from("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }");
    header.push_str(&" ".repeat(117 - header.len()));
    header.push('\n');
    let mut npy = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    npy.extend(header.as_bytes());
    for value in [1.0f32, 0.0, 1.0, 0.001] {
        npy.extend(value.to_le_bytes());
    }
    fs::write(&rows, &npy).unwrap();
    ok(&["semantic", &chunks, "--embeddings", &rows, "-o", &kept]);
    assert_eq!(lines(&kept).len(), 1);
    fs::write(&rows, &npy[..npy.len() - 4]).unwrap();
    fails(&["semantic", &chunks, "--embeddings", &rows], "row 1: the file is cut");
    fails(&["semantic", &chunks], ":1: field `embedding` is missing");
}

#[test]
fn bad_options_and_input_end_with_status_2_and_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [chunks, kept] = ["chunks", "kept"].map(|n| in_folder(folder.path(), n));
    fs::write(&chunks, CHUNKS).unwrap();
    fails(&["semantic", &chunks, "--canonical", "newest"], "--canonical");
    fails(&["semantic", &chunks, "--metadata", "team"], "--metadata");
    fails(&["semantic", &chunks, "--threshold", "2", "-o", &kept], "threshold");
    fs::write(&chunks, CHUNKS.replace("[1, 0, 0]", "[0, 0, 0]")).unwrap();
    fails(
        &["semantic", &chunks, "-o", &kept],
        ":2: field `embedding`: the embedding is a zero vector",
    );
    assert!(!Path::new(&kept).exists());
    fs::write(&chunks, "").unwrap();
    let shown = ok(&["semantic", &chunks, "-o", &kept]);
    assert!(shown.contains("chunks") && fs::read(&kept).unwrap().is_empty());
}

#[test]
fn a_state_takes_chunks_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    let [chunks, more, state, map, report] =
        ["chunks", "more", "state", "map", "report"].map(|n| in_folder(folder.path(), n));
    fs::write(&chunks, CHUNKS).unwrap();
    fs::write(
        &more,
        "{\"id\": \"d\", \"text\": \"In May Invoice 8 of Northwind is due.\", \"created_at\": 4, \"embedding\": [1, 0, 0.01]}\n",
    )
    .unwrap();
    assert!(
        ok(&["add", &state, &chunks, "--model", "m"]).contains("added 3, removed 0, pairs found 3")
    );
    fails(&["add", &state, &chunks, "--model", "m"], "dedup update");
    fails(&["add", &state, &more, "--model", "other"], "cannot be compared");
    ok(&["add", &state, &more, "--map", &map, "--report", &report]);
    let mapped = lines(&map);
    assert_eq!(mapped.len(), 2);
    assert_eq!((&mapped[1]["removed"], &mapped[1]["kept"]), (&"c".into(), &"d".into()));
    let figures: Value = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
    assert_eq!(figures["drift"]["status"], "steady");
    assert!(ok(&["expand", "d", "--state", &state]).contains("\"removed\":\"c\""));
    ok(&["remove", &state, "d", "--map", &map]);
    assert_eq!(lines(&map).len(), 1);
    fails(&["remove", &state, "d"], "no such id");
    ok(&["update", &state, &chunks]);
    assert!(ok(&["rebuild", &state]).contains("rebuilt"));
    assert!(ok(&["rebuild", &state, "--dry-run"]).contains("drift"));
    fails(&["rebuild", &chunks], "there is none");
}

#[test]
fn questions_show_what_retrieval_gains() {
    let folder = tempfile::tempdir().unwrap();
    let [chunks, asked, kept] = ["chunks", "asked", "kept"].map(|n| in_folder(folder.path(), n));
    fs::write(&chunks, CHUNKS).unwrap();
    fs::write(
        &asked,
        "{\"question\": \"What is due?\", \"embedding\": [1, 0.01, 0.0], \"facts\": {\"a\": \"seven\", \"2\": \"seven\", \"c\": \"eight\"}}\n",
    )
    .unwrap();
    let shown = ok(&["semantic", &chunks, "-o", &kept, "--questions", &asked, "--first", "2"]);
    assert!(
        shown.contains(
            "of 2 relevant facts, the first 2 answers state 1 before and 2 after; 0 lost"
        ),
        "{shown}"
    );
}

#[test]
fn calibration_writes_figures_and_plots() {
    let folder = tempfile::tempdir().unwrap();
    let [pairs, rows, json, out] =
        ["pairs.tsv", "rows.npy", "c.json", "out"].map(|n| in_folder(folder.path(), n));
    fs::write(
        &pairs,
        "1\tThe plan of Bob holds.\tThe plan of Bob holds!\t1\n2\tBob paid Alice.\tAlice paid Bob.\t0\n3\tBob paid 5.\tBob left.\t0\n",
    )
    .unwrap();
    let mut header = String::from("{'descr': '<f4', 'fortran_order': False, 'shape': (6, 2), }");
    header.push_str(&" ".repeat(117 - header.len()));
    header.push('\n');
    let mut npy = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    npy.extend(header.as_bytes());
    for value in [1.0f32, 0.0, 1.0, 0.01, 1.0, 0.0, 1.0, 0.02, 1.0, 0.0, 0.0, 1.0] {
        npy.extend(value.to_le_bytes());
    }
    fs::write(&rows, &npy).unwrap();
    ok(&[
        "calibrate",
        "--pairs",
        &pairs,
        "--embeddings",
        &rows,
        "--threshold",
        "0.95",
        "--json",
        &json,
        "--out",
        &out,
    ]);
    let found: Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let level = |name: &str| &found["levels"][name];
    assert_eq!((&level("off")["positives"], &level("off")["negatives"]), (&1.into(), &2.into()));
    assert_eq!((&level("off")["caught"], &level("off")["merged"]), (&1.into(), &1.into()));
    assert_eq!((&level("facts")["caught"], &level("facts")["merged"]), (&1.into(), &0.into()));
    assert!(level("strict")["curve"].as_array().unwrap().len() > 50);
    for name in ["calibration.md", "calibration.json", "precision-recall.png", "false-merges.svg"] {
        assert!(Path::new(&out).join(name).exists(), "{name}");
    }
    fails(&["calibrate", "--pairs", &pairs, "--embeddings", &rows, "--share", "2"], "share");
}
