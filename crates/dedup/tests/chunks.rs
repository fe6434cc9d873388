//! The planted chunks: repeats go, changed facts stay.

mod shared;

use std::collections::{BTreeMap, BTreeSet};

use samecall_dedup::guard::Level;
use samecall_dedup::lexical::{Options, dedupe_with};
use serde_json::Value;

#[test]
fn planted_repeats_go_and_changed_facts_stay() {
    let Some(text) = shared::read("text/chunks_10k.jsonl") else { return };
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let texts: Vec<&str> = rows.iter().map(|row| row["text"].as_str().unwrap()).collect();
    for level in [Level::Strict, Level::Facts] {
        let found = dedupe_with(&texts, &Options { level, ..Options::default() }).unwrap();
        let cluster = |at: usize| rows[at]["cluster"].as_u64().unwrap();
        let mut planted: BTreeMap<u64, usize> = BTreeMap::new();
        (0..rows.len()).for_each(|at| *planted.entry(cluster(at)).or_default() += 1);
        let repeats = rows.len() - planted.len();
        let kept: BTreeSet<u64> = found.kept.iter().map(|&at| cluster(at)).collect();
        let left = found.kept.len() - kept.len();
        let hard = rows.iter().filter(|row| row["kind"].as_str().unwrap().starts_with("hard"));
        let lost = hard.filter(|row| !kept.contains(&row["cluster"].as_u64().unwrap())).count();
        let clusters_lost = planted.len() - kept.len();
        let recall = (repeats - left) as f64 / repeats as f64;
        let precision = 1.0 - clusters_lost as f64 / found.removed.len() as f64;
        println!(
            "{level:?}: recall {recall:.4}, precision {precision:.4}, clusters lost {clusters_lost}, hard negatives lost {lost}"
        );
        println!("{}", serde_json::to_string(&found.report).unwrap());
        assert!(recall >= 0.999 && precision >= 0.999 && lost <= 4, "{level:?}");
    }
}
