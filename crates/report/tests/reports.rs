//! Reports of the workspace's own corpora and of a made-up generated run.

use samecall_call::result::{Example, Results};
use samecall_call::{Call, Catalog, Pair, Productions, SchemaRef, Truth};
use samecall_keyer::{by_name, names};
use samecall_report::{
    BEGIN, END, Error, Provenance, Style, files, findings, join, load, load_folder, markdown,
    readme_block, splice, terminal, to_json, write, write_all,
};
use samecall_score::{FileSource, IterSource, Options, PairSource, replay};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn results(sources: Vec<Box<dyn PairSource>>, show_values: bool) -> Results {
    let catalog = Catalog::default();
    let mut options = Options::new(names().filter_map(by_name).collect(), &catalog);
    options.show_values = show_values;
    options.seed = Some(7);
    replay(sources, options).unwrap()
}

fn corpus(name: &str) -> Box<dyn PairSource> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name);
    Box::new(FileSource::open(&path).unwrap())
}

fn corpora() -> Results {
    results(vec![corpus("article.jsonl"), corpus("adversarial.jsonl")], false)
}

fn generated(show_values: bool) -> Results {
    let pair = |id: u64| Pair {
        id: format!("g{id}"),
        set: "generated-wild/../x".into(),
        truth: if id.is_multiple_of(2) { Truth::Retry } else { Truth::Distinct },
        why: "made".into(),
        drift: vec!["made_drift".into()],
        cluster: format!("{}", id / 10),
        contradicts: id.is_multiple_of(50).then(|| "other".to_owned()),
        productions: Some(Productions { a: vec![], b: vec![format!("production_{}", id % 3)] }),
        schema: SchemaRef::ByName,
        a: Call::new("pay", format!(r#"{{"who": "secret-{id}"}}"#)).at("r", "1"),
        b: Call::new("pay", format!(r#"{{"who":"Secret-{}"}}"#, id + id % 4 / 3)).at("r", "1"),
    };
    results(vec![Box::new(IterSource::new("made up", (0..300).map(pair)))], show_values)
}

fn provenance() -> Provenance {
    Provenance { command: "just replay".into() }
}

fn text(files: &[(String, Vec<u8>)], name: &str) -> String {
    let file = files.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no {name}"));
    String::from_utf8(file.1.clone()).unwrap()
}

#[test]
fn the_terminal_text_fits_and_says_what_was_found() {
    for results in [corpora(), generated(false)] {
        let text = terminal(&results, Style::default()).unwrap();
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
        let narrow = terminal(&results, Style { width: 80, ..Style::default() }).unwrap();
        assert!(narrow.lines().all(|line| line.chars().count() <= 80));
    }
    let text = terminal(&corpora(), Style::default()).unwrap();
    for part in [
        "article: 96 retries, 24 distinct pairs, 12 clusters",
        "12/96",
        "35/67",
        "deliberate repeat",
        "reconstruction that agrees with its totals",
        "12 of 96 as recorded",
        "Worst findings\n1. ",
        "constant 96/96 and 24/24; random 0/96 and 0/24; refuse 0/96 and 0/24, 120 refused",
    ] {
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&part), "{part} is not in\n{text}");
    }
}

#[test]
fn every_markdown_table_is_rectangular() {
    for results in [corpora(), generated(false)] {
        let text = markdown(&results, &provenance(), Style::default(), &[]).unwrap();
        let mut width = 0;
        let mut tables = 0;
        for line in text.lines() {
            if !line.starts_with('|') {
                width = 0;
                continue;
            }
            let cells = line.matches(" | ").count();
            if width == 0 {
                width = cells;
                tables += 1;
            }
            assert_eq!(cells, width, "{line}");
        }
        assert!(tables >= 4);
    }
}

#[test]
fn a_result_that_disagrees_with_the_article_says_so() {
    let mut results = corpora();
    results.sets.get_mut("article").and_then(|s| s.get_mut("raw")).unwrap().caught = 13;
    let text = readme_block(&results, &provenance()).unwrap();
    assert!(text.contains("does NOT agree"));
}

#[test]
fn the_findings_name_strategy_kind_and_count() {
    let worst = findings(&corpora(), 3);
    assert_eq!(worst.len(), 3);
    assert!(worst[0].contains("`normalised`") && worst[0].contains("all 12 deliberate repeats"));
    assert!(!worst[0].contains("`scoped`"));
    assert!(worst[1].contains("10 of 11") && worst[1].contains("numeric string id"));
    assert!(worst[2].contains("`raw` misses 84 of 96 retries"));
    assert!(worst.iter().all(|finding| !finding.contains("constant")));
    assert!(findings(&Results::default(), 3).is_empty());
}

#[test]
fn a_generated_run_names_its_worst_productions() {
    let results = generated(false);
    let text = terminal(&results, Style::default()).unwrap();
    assert!(text.contains("by grammar production"));
    assert!(text.contains("6 pairs no key can decide are counted apart"), "{text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("raw production 0 (48 of 48, at most 100 %)"), "{flat}");
}

#[test]
fn values_show_only_when_asked_for_in_both_places() {
    let shown = Style { show_values: true, ..Style::default() };
    let page = |values, style| {
        String::from_utf8(
            files(&generated(values), &provenance(), style)
                .unwrap()
                .into_iter()
                .find(|(name, _)| name == "replay.md")
                .unwrap()
                .1,
        )
        .unwrap()
    };
    assert!(page(true, shown).contains("secret-"));
    for (values, style) in [(true, Style::default()), (false, shown), (false, Style::default())] {
        let page = page(values, style);
        assert!(!page.to_lowercase().contains("secret-"));
        assert!(page.contains(r#"{"who": <text "#));
    }
    let example = Example { a: "secret".into(), ..Example::default() };
    assert_eq!(example.redact().a, "<no JSON, 6 bytes>");
}

#[test]
fn plots_are_whole_and_the_same_each_time() {
    let results = corpora();
    let made = files(&results, &provenance(), Style::default()).unwrap();
    assert!(made == files(&results, &provenance(), Style::default()).unwrap());
    let names: Vec<&str> = made.iter().map(|(name, _)| name.as_str()).collect();
    for set in ["article", "adversarial"] {
        for figure in ["recall", "merges", "matrix"] {
            let svg = text(&made, &format!("{figure}-{set}.svg"));
            assert!(svg.contains(set) && svg.contains("normalised") && svg.ends_with("</svg>\n"));
            assert!(svg.contains("sans-serif") && !svg.contains("NaN"));
            let png =
                &made[names.iter().position(|n| *n == format!("{figure}-{set}.png")).unwrap()].1;
            let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut pixels).unwrap();
            assert!(info.width >= 1200 && info.height >= 300);
            // Something is drawn, nothing touches the rim.
            let row = 3 * info.width as usize;
            let ink = |line: &[u8]| line.iter().filter(|byte| **byte < 200).count();
            assert!(ink(&pixels) > 10_000);
            let rows: Vec<&[u8]> = pixels.chunks(row).collect();
            let rim = rows[..8].iter().chain(&rows[rows.len() - 8..]).map(|line| ink(line));
            assert_eq!(rim.sum::<usize>(), 0, "{figure}-{set}");
            let sides = rows.iter().map(|line| ink(&line[..24]) + ink(&line[row - 24..]));
            assert_eq!(sides.sum::<usize>(), 0, "{figure}-{set}");
        }
    }
    let page = text(&made, "replay.md");
    assert!(page.contains("(recall-article.svg)") && page.contains("(matrix-adversarial.svg)"));
}

#[test]
fn a_sets_name_cannot_leave_the_folder() {
    let made = files(&generated(false), &provenance(), Style::default()).unwrap();
    assert!(made.iter().all(|(name, _)| !name.contains('/')));
    assert!(made.iter().any(|(name, _)| name == "recall-generated-wild_.._x.png"));
}

#[test]
fn a_result_survives_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let results = corpora();
    let path = folder.path().join("replay.json");
    write(&path, &to_json(&results)).unwrap();
    let again = load(&path).unwrap();
    assert!(again == results && to_json(&again) == to_json(&results));
    fs::write(folder.path().join("other.json"), "{\"kind\": 1}").unwrap();
    let found = load_folder(folder.path()).unwrap();
    assert_eq!(found.len(), 1);
    let both = join([found[0].1.clone(), generated(false)]);
    assert_eq!((both.sets.len(), both.inputs.len()), (3, 3));
    fs::write(&path, "{\"sets\": 3}").unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert!(error.contains("replay.json") && error.contains("line 1"), "{error}");
    assert!(matches!(load(&folder.path().join("none.json")), Err(Error::Io { .. })));
}

#[test]
fn the_shape_of_the_result_file_is_the_published_one() {
    let json: serde_json::Value = serde_json::from_slice(&to_json(&corpora())).unwrap();
    let raw = &json["sets"]["article"]["raw"];
    assert_eq!((&raw["retry"], &raw["caught"]), (&96.into(), &12.into()));
    assert_eq!((&raw["distinct"], &raw["merged"]), (&24.into(), &12.into()));
    for verdict in ["conflict", "suspect", "refused"] {
        assert_eq!(raw[verdict], serde_json::json!({"retry": 0, "distinct": 0}));
    }
    assert_eq!(raw["intervals"]["recall"].as_array().unwrap().len(), 2);
    assert!(raw["intervals"]["false_merge_upper"].is_f64());
    assert_eq!(raw["clusters"], 12);
    let six = serde_json::json!(
        {"n": 12, "same": 12, "different": 0, "conflict": 0, "suspect": 0, "refused": 0}
    );
    assert_eq!(raw["by_why"]["deliberate_repeat"], six);
    assert_eq!(raw["by_drift"]["key_reorder"]["different"], 12);
    assert_eq!(json["seed"], 7);
    assert_eq!(json["inputs"].as_array().unwrap().len(), 2);
}

#[test]
fn a_failed_report_leaves_the_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reports");
    let set = |content: &str, last: &str| {
        vec![("a.md".to_owned(), content.as_bytes().to_vec()), (last.to_owned(), vec![1])]
    };
    write_all(&path, &set("first", "b.md")).unwrap();
    assert!(write_all(&path, &set("second", "missing/b.md")).is_err());
    let left: BTreeMap<String, Vec<u8>> = fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|e| (e.file_name().into_string().unwrap(), fs::read(e.path()).unwrap()))
        .collect();
    let expected = [("a.md".to_owned(), b"first".to_vec()), ("b.md".to_owned(), vec![1])];
    assert_eq!(left, BTreeMap::from(expected));
}

#[test]
fn the_block_is_replaced_and_nothing_else() {
    let document = format!("# Title\n{BEGIN}\nold\n{END}\n\nTail, with {BEGIN} inside a line.\n");
    let once = splice("README.md", &document, "new\n").unwrap();
    assert_eq!(
        once,
        format!("# Title\n{BEGIN}\n\nnew\n\n{END}\n\nTail, with {BEGIN} inside a line.\n")
    );
    assert_eq!(splice("README.md", &once, "new\n").unwrap(), once);
    for bad in [
        String::new(),
        format!("{BEGIN}\n"),
        format!("{END}\n{BEGIN}\n"),
        format!("{BEGIN}\n{BEGIN}\n{END}\n"),
    ] {
        let error = splice("README.md", &bad, "x").unwrap_err().to_string();
        assert!(error.starts_with("README.md: needs one line"), "{error}");
    }
    let block = readme_block(&corpora(), &provenance()).unwrap();
    for part in ["just replay", "Seed: 7", "SHA-256 `", "| scoped | 96/96 | 100 |"] {
        assert!(block.contains(part), "{part} is not in\n{block}");
    }
}

/// A rename would put a file where a pipe, a terminal or `/dev/null` stands.
#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_is_written_to_and_stays() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let from = pipe.clone();
    let reader = std::thread::spawn(move || std::fs::read_to_string(from).unwrap());
    samecall_report::write(&pipe, b"through").unwrap();
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap(), "through");
    assert!(samecall_report::write(folder.path(), b"a folder").is_err());
}

#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_replaced_and_not_the_link() {
    let folder = tempfile::tempdir().unwrap();
    let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
    std::fs::write(&file, "before").unwrap();
    std::os::unix::fs::symlink("file", &link).unwrap();
    samecall_report::write(&link, b"after").unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "after");
}
