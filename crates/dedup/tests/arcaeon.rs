//! `arcaeon` mode against answers that the package itself gave: normal forms, SimHashes, overlaps and runs.

mod shared;

use samecall_dedup::lexical::{
    Keep, Mode, Options, arcaeon_form, arcaeon_overlap, dedupe_with, simhash,
};
use serde_json::Value;

#[test]
fn every_answer_of_the_package_is_reproduced() {
    let Some(text) = shared::read("text/arcaeon_oracle.jsonl") else { return };
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| rows.iter().filter(|row| row["type"] == kind).collect::<Vec<_>>();
    let (items, pairs) = (of("item"), of("pair"));
    assert_eq!((items.len(), pairs.len()), (375, 300));
    let texts: Vec<&str> = items.iter().map(|item| item["text"].as_str().unwrap()).collect();
    for (item, text) in items.iter().zip(&texts) {
        let form = arcaeon_form(text);
        assert_eq!(form, item["norm"].as_str().unwrap(), "item {}", item["i"]);
        for k in [1, 3] {
            let expected = item[format!("simhash_k{k}")].as_str().unwrap();
            assert_eq!(
                format!("{:016x}", simhash(&form, k)),
                expected,
                "item {}, k {k}",
                item["i"]
            );
        }
    }
    for pair in pairs {
        let at = |side: &str| texts[pair[side].as_u64().unwrap() as usize];
        let expected = pair["overlap"].as_f64().unwrap();
        assert!(
            (arcaeon_overlap(at("a"), at("b")) - expected).abs() < 1e-12,
            "{} and {}",
            pair["a"],
            pair["b"]
        );
    }
    let runs = rows[0]["runs"].as_object().unwrap();
    assert_eq!(runs.len(), 7);
    for (name, run) in runs {
        let mut options = Options { mode: Mode::Arcaeon, ..Options::default() };
        for (arg, value) in run["args"].as_object().unwrap() {
            match arg.as_str() {
                "min_overlap" => options.min_overlap = value.as_f64(),
                "max_hamming" => options.max_hamming = value.as_u64().unwrap() as u32,
                "k" => options.k = value.as_u64().unwrap() as usize,
                "keep" => {
                    options.keep = if value == "longest" { Keep::Longest } else { Keep::First }
                }
                other => panic!("unknown argument {other}"),
            }
        }
        let found = dedupe_with(&texts, &options).unwrap();
        let removed: Vec<usize> = found.removed.iter().map(|removal| removal.removed).collect();
        let expected: Vec<usize> = run["removed_indices"]
            .as_array()
            .unwrap()
            .iter()
            .map(|i| i.as_u64().unwrap() as usize)
            .collect();
        assert_eq!(removed, expected, "run {name}");
        assert_eq!(found.report.kept.items as u64, run["kept"].as_u64().unwrap(), "run {name}");
        assert_eq!(
            found.report.removed.chars as u64,
            run["chars_saved"].as_u64().unwrap(),
            "run {name}"
        );
        assert_eq!(
            found.report.removed.chars as u64 / 4,
            run["est_tokens_saved"].as_u64().unwrap(),
            "run {name}"
        );
        if name == "default" {
            let line =
                "deduped: kept 216, removed 159 repeat(s); ~55,969 chars / ~13,992 tokens saved";
            assert_eq!(found.report.arcaeon_line(), line);
        }
    }
}
