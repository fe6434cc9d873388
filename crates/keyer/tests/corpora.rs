//! The strategies on the two hand-made corpora: the counts that the article's table and the hostile set demand.

use std::fs;

use samecall_call::{Pair, Truth, json};
use samecall_keyer::{Keyer, Outcome, by_name};

use crate::common;

fn pairs(file: &str) -> Vec<Pair> {
    let text = fs::read_to_string(common::root().join("corpus").join(file)).unwrap();
    text.lines()
        .map(|line| Pair::from_value(&json::parse(line, json::Dialect::Strict).unwrap()).unwrap())
        .collect()
}

fn is_same(keyer: &dyn Keyer, pair: &Pair) -> bool {
    match (keyer.key(&pair.a, None), keyer.key(&pair.b, None)) {
        (Outcome::Key(a), Outcome::Key(b)) => a.key == b.key,
        _ => false,
    }
}

/// How many pairs of one truth, and one reason where one is given, share a key; and how many there are.
fn same(strategy: &str, pairs: &[Pair], truth: Truth, why: Option<&str>) -> (usize, usize) {
    let keyer = by_name(strategy).unwrap();
    let chosen: Vec<&Pair> = pairs
        .iter()
        .filter(|pair| pair.truth == truth && why.is_none_or(|why| pair.why == why))
        .collect();
    (chosen.iter().filter(|pair| is_same(&*keyer, pair)).count(), chosen.len())
}

#[test]
fn the_article_table_is_reproduced() {
    let pairs = pairs("article.jsonl");
    for (strategy, recall, repeats) in [
        ("raw", 12, 12),
        ("canonical", 51, 12),
        ("normalised", 96, 12),
        ("normalised-capital-t", 94, 12),
        ("scoped", 96, 0),
        ("agentforge", 57, 12),
        ("jcs", 57, 12),
        ("constant", 96, 12),
        ("random", 0, 0),
        ("refuse", 0, 0),
    ] {
        let count = |truth, why| same(strategy, &pairs, truth, why);
        assert_eq!(count(Truth::Retry, None), (recall, 96), "{strategy}");
        let value_changed = if strategy == "constant" { 12 } else { 0 };
        assert_eq!(
            count(Truth::Distinct, Some("value_changed")),
            (value_changed, 12),
            "{strategy}"
        );
        assert_eq!(count(Truth::Distinct, Some("deliberate_repeat")), (repeats, 12), "{strategy}");
    }
}

#[test]
fn both_misses_of_capital_t_are_book_slot_under_case_folding() {
    let capital_t = by_name("normalised-capital-t").unwrap();
    let missed: Vec<_> = pairs("article.jsonl")
        .into_iter()
        .filter(|pair| pair.truth == Truth::Retry && !is_same(&*capital_t, pair))
        .map(|pair| (pair.a.tool, pair.why))
        .collect();
    let expected = ("book_slot".to_owned(), "case_fold".to_owned());
    assert_eq!(missed, [expected.clone(), expected]);
}

#[test]
fn the_hostile_set_breaks_the_baselines_as_known() {
    let pairs = pairs("adversarial.jsonl");
    for (strategy, caught, merged) in [("normalised", 19, 35), ("canonical", 9, 5)] {
        assert_eq!(same(strategy, &pairs, Truth::Retry, None), (caught, 37), "{strategy}");
        assert_eq!(same(strategy, &pairs, Truth::Distinct, None), (merged, 67), "{strategy}");
    }
}

#[test]
fn real_pairs_are_scored_as_measured() {
    for (file, counts) in [
        ("tau_bench", [("raw", 427), ("canonical", 480), ("normalised", 480)]),
        ("workbench", [("raw", 979), ("canonical", 1_334), ("normalised", 1_440)]),
        ("bfcl_possible_answer", [("raw", 0), ("canonical", 0), ("normalised", 70)]),
    ] {
        let Some(path) = common::shared(&format!("traces/{file}.pairs.jsonl")) else { return };
        let text = fs::read_to_string(path).unwrap();
        let pairs: Vec<Pair> = text
            .lines()
            .map(|line| {
                Pair::from_value(&json::parse(line, json::Dialect::Strict).unwrap()).unwrap()
            })
            .collect();
        for (strategy, caught) in counts {
            assert_eq!(same(strategy, &pairs, Truth::Retry, None).0, caught, "{file} {strategy}");
            assert_eq!(same(strategy, &pairs, Truth::Distinct, None).0, 0, "{file} {strategy}");
        }
    }
}
