//! The laws, on drawn texts that repeat and nearly repeat each other.

use proptest::prelude::*;
use samecall_dedup::guard::Level;
use samecall_dedup::laws::{self, Law, Seen};
use samecall_dedup::lexical::{Keep, Mode, Options};
use samecall_dedup::planted::chunks;

/// Short texts of few words, so that equal and near texts are common; some of any characters at all.
fn text() -> impl Strategy<Value = String> {
    let words = [
        "the",
        "a",
        "Pay",
        "pay",
        "Bob",
        "US",
        "us",
        "5",
        "-5",
        "kg",
        "mW",
        "MW",
        "not",
        ".",
        "-",
        "[9]",
        "ß",
        "é",
        "e\u{301}",
        "😀",
        "में",
        "我",
    ];
    let drawn = prop::collection::vec(prop::sample::select(words.to_vec()), 0..6)
        .prop_map(|words| words.join(" "));
    let long =
        (prop::sample::select(vec!["the", "a", "one"]), 0usize..3).prop_map(|(word, tail)| {
            let body = ["alpha", "beta", "gamma", "delta"]
                .map(|stem| format!("{stem} {stem}ic {stem}ly x{stem} {stem}ment"))
                .join(" ");
            format!("In short {word} system {body} ends {}", ["here", "there", "here!"][tail])
        });
    prop_oneof![4 => drawn, 3 => long, 1 => any::<String>()]
}

fn options() -> impl Strategy<Value = Options> {
    let level = prop::sample::select(vec![Level::Strict, Level::Facts, Level::Off]);
    let keep = prop::sample::select(vec![Keep::First, Keep::Longest]);
    (level, keep, any::<bool>(), prop::sample::select(vec![None, Some(0.5), Some(1.0)])).prop_map(
        |(level, keep, order_stable, min_overlap)| Options {
            level,
            keep,
            order_stable,
            min_overlap,
            ..Options::default()
        },
    )
}

fn holds(law: Law) -> Result<Seen, TestCaseError> {
    law.map_err(TestCaseError::fail)
}

proptest! {
    #[test]
    fn laws_hold_on_drawn_texts(items in prop::collection::vec(text(), 0..24), options in options()) {
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        holds(laws::output_is_a_subsequence(&items, &options))?;
        holds(laws::idempotent(&items, &options))?;
        holds(laws::removals_are_justified(&items, &options))?;
        holds(laws::at_one_only_equal_forms_go(&items, &options))?;
        holds(laws::order_stable_is_invariant(&items, &options))?;
        holds(laws::index_agrees_with_scan(&items, &options))?;
        holds(laws::output_is_a_subsequence(&items, &Options { mode: Mode::Arcaeon, order_stable: false, ..options }))?;
    }
}

#[test]
fn laws_hold_on_planted_chunks_and_see_removals() {
    let planted = chunks(7, 500);
    let items: Vec<&str> = planted.iter().map(|chunk| chunk.text.as_str()).collect();
    for level in [Level::Strict, Level::Facts] {
        let options = Options { level, ..Options::default() };
        for law in [
            laws::idempotent,
            laws::removals_are_justified,
            laws::order_stable_is_invariant,
            laws::threads_do_not_matter,
            laws::index_agrees_with_scan,
        ] {
            let seen = law(&items, &options).unwrap();
            assert!(seen.removed >= 140, "{seen:?}");
        }
    }
}

#[test]
fn planted_repeats_go_and_misses_stay_on_many_seeds() {
    for seed in 0..4 {
        let planted = chunks(seed, 1000);
        let items: Vec<&str> = planted.iter().map(|chunk| chunk.text.as_str()).collect();
        for level in [Level::Strict, Level::Facts] {
            let found =
                samecall_dedup::dedupe_with(&items, &Options { level, ..Options::default() })
                    .unwrap();
            let wrong: Vec<_> = found
                .removed
                .iter()
                .filter(|r| planted[r.removed].group != planted[r.kept].group)
                .collect();
            // Two near misses of one original may draw the same change.
            let distinct =
                wrong.iter().filter(|r| planted[r.removed].kind != planted[r.kept].kind).count();
            // At `facts` an ordinary word inside a long text is what the level lets differ.
            let lost = wrong
                .iter()
                .filter(|r| {
                    level == Level::Strict
                        || ![planted[r.removed].kind, planted[r.kept].kind].contains(&"hard-word")
                })
                .count();
            if level == Level::Strict {
                assert_eq!(distinct, 0, "seed {seed}");
            }
            assert!(lost <= 2, "seed {seed}, {level:?}: {lost}");
            let repeats = planted.iter().filter(|chunk| chunk.kind.starts_with("dup")).count();
            // A repeat may have met a near miss that the level lets stand for its original.
            assert!(found.removed.len() >= repeats, "seed {seed}, {level:?}");
            assert!(
                level == Level::Facts || found.removed.len() - wrong.len() == repeats,
                "seed {seed}"
            );
        }
    }
}

#[test]
fn a_planted_fact_survives_in_company() {
    let planted = chunks(3, 300);
    let company: Vec<&str> = planted.iter().map(|chunk| chunk.text.as_str()).collect();
    let facts =
        ["Charge Bob $19", "Refund Bob $19", "Charge Bob -$19", "Charge Bob €19", "Charge Rob $19"];
    let seen = laws::planted_facts_survive(&facts, &company, &Options::default()).unwrap();
    assert!(seen.removed > 50);
    let blind = Options { level: Level::Off, min_overlap: Some(0.1), ..Options::default() };
    assert!(
        laws::planted_facts_survive(&facts, &[], &blind).is_err(),
        "the law sees a deduper that is blind to facts"
    );
}
