//! What must hold of every replay: order, batches and threads change nothing; every pair has one
//! verdict; limits hold; bad input is named.

mod common;

use common::all;
use proptest::prelude::*;
use samecall_call::result::Results;
use samecall_call::{Call, Catalog, Pair, Productions, SchemaRef, Truth};
use samecall_score::{
    Error, FileSource, IterSource, Options, PairSource, check_canaries, replay, strategies,
};
use std::io::Cursor;

fn pair() -> impl Strategy<Value = Pair> {
    let arguments = prop_oneof![
        Just(r#"{"a": 1}"#),
        Just(r#"{"a":1}"#),
        Just(r#"{"a": 1.0, "b": null}"#),
        Just(r#"{"a": "X"}"#),
        Just("{"),
        Just(r#"{"a": NaN}"#),
    ];
    let names = || proptest::sample::subsequence(vec!["p", "q", "r"], 0..=3);
    let sides = (arguments.clone(), arguments, names(), names());
    (sides, any::<bool>(), 0_u8..6, 0_u8..3, 0_u8..8, 0_u32..1000).prop_map(
        |((a, b, pa, pb), retry, cluster, class, apart, id)| Pair {
            id: format!("{id}"),
            set: format!("set{}", class % 2),
            truth: if retry { Truth::Retry } else { Truth::Distinct },
            why: format!("why{class}"),
            drift: vec![format!("drift{class}"), "common".into()],
            cluster: format!("c{cluster}"),
            contradicts: (apart == 0).then(|| "other".into()),
            productions: Some(Productions {
                a: pa.iter().map(|p| p.to_string()).collect(),
                b: pb.iter().map(|p| p.to_string()).collect(),
            }),
            schema: SchemaRef::ByName,
            a: Call::new("t", a).at("r", "1"),
            b: Call::new("t", b).at("r", if class == 1 { "2" } else { "1" }),
        },
    )
}

fn run(pairs: Vec<Pair>, batch: usize, threads: usize) -> Results {
    let catalog = Catalog::default();
    let mut options = Options::new(all(), &catalog);
    options.threads = Some(threads);
    options.executor_dependent.insert("r".into());
    let source = IterSource::new("pairs", pairs).in_batches_of(batch);
    replay(vec![Box::new(source)], options).unwrap()
}

fn bytes(results: &Results) -> String {
    serde_json::to_string_pretty(results).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn order_batches_and_threads_change_nothing(
        pairs in proptest::collection::vec(pair(), 1..80),
        batch in 1_usize..40,
        threads in 1_usize..5,
    ) {
        let once = bytes(&run(pairs.clone(), 1000, 1));
        let mut reversed = pairs;
        reversed.reverse();
        prop_assert_eq!(&once, &bytes(&run(reversed, batch, threads)));
    }

    #[test]
    fn turning_pairs_round_changes_no_verdict(
        pairs in proptest::collection::vec(pair(), 1..60),
    ) {
        let turned: Vec<Pair> = pairs
            .iter()
            .cloned()
            .map(|mut p| {
                std::mem::swap(&mut p.a, &mut p.b);
                p
            })
            .collect();
        let (one, other) = (run(pairs, 7, 2), run(turned, 7, 2));
        for (set, strategies) in &one.sets {
            for (name, result) in strategies {
                let back = &other.sets[set][name];
                prop_assert_eq!(&result.by_truth, &back.by_truth);
                prop_assert_eq!(&result.contradiction, &back.contradiction);
                prop_assert_eq!(result.intervals, back.intervals);
            }
        }
    }

    #[test]
    fn every_pair_is_counted_once_and_canaries_hold(
        pairs in proptest::collection::vec(pair(), 1..80),
    ) {
        let results = run(pairs.clone(), 16, 2);
        check_canaries(&results).unwrap();
        let total: u64 = results.details.values().map(|d| d.pairs).sum();
        prop_assert_eq!(total, pairs.len() as u64);
        for (set, strategies) in &results.sets {
            let mine = || pairs.iter().filter(|p| p.set == *set);
            let apart = mine().filter(|p| p.contradicts.is_some()).count() as u64;
            let dependent = mine()
                .filter(|p| p.contradicts.is_none())
                .filter_map(|p| p.productions.as_ref())
                .filter(|p| p.a.iter().chain(&p.b).any(|name| name == "r"))
                .count() as u64;
            for result in strategies.values() {
                let scored = result.retry + result.distinct;
                prop_assert_eq!(scored + apart + dependent, mine().count() as u64);
                let both = result.contradiction;
                prop_assert_eq!(both.retry.n + both.distinct.n, apart);
                let both = result.executor_dependent;
                prop_assert_eq!(both.retry.n + both.distinct.n, dependent);
                for tally in result.by_why.values().chain(result.by_drift.values()) {
                    let sum = tally.same + tally.different + tally.conflict + tally.suspect;
                    prop_assert_eq!(sum + tally.refused, tally.n);
                }
                let by_why: u64 = result.by_why.values().map(|t| t.n).sum();
                prop_assert_eq!(by_why, scored);
                prop_assert!(!result.by_production.contains_key("r"));
            }
        }
    }
}

fn plain(id: usize, cluster: String) -> Pair {
    Pair {
        id: id.to_string(),
        set: "s".into(),
        truth: if id.is_multiple_of(2) { Truth::Retry } else { Truth::Distinct },
        why: "w".into(),
        drift: Vec::new(),
        cluster,
        contradicts: None,
        productions: None,
        schema: SchemaRef::ByName,
        a: Call::new("t", format!("{{\"a\": {id}}}")),
        b: Call::new("t", format!("{{\"a\":{}}}", id + id % 2)),
    }
}

#[test]
fn above_the_cap_clusters_are_estimated_and_the_result_says_so() {
    let n = 100_000;
    let catalog = Catalog::default();
    let go = |threads| {
        let pairs = (0..n).map(|id| plain(id, id.to_string()));
        let source: Box<dyn PairSource> = Box::new(IterSource::new("many", pairs));
        let mut options = Options::new(strategies(&["raw", "canonical"]).unwrap(), &catalog);
        options.threads = Some(threads);
        replay(vec![source], options).unwrap()
    };
    let results = go(1);
    assert_eq!(bytes(&results), bytes(&go(3)));
    let details = &results.details["s"];
    for (count, truth) in [
        (details.clusters, n),
        (details.clusters_by_truth.retry, n / 2),
        (details.clusters_by_truth.distinct, n / 2),
    ] {
        assert!(!count.exact);
        assert!((count.n as f64 / truth as f64 - 1.0).abs() < 0.02, "{} of {truth}", count.n);
    }
    // Below its own cap a count is exact.
    assert!(details.distinct_calls.exact);
    assert_eq!(details.distinct_calls.n, n as u64 / 2);
    // Pairs that are clusters of their own: both intervals say the same.
    let canonical = &results.sets["s"]["canonical"];
    assert_eq!((canonical.caught, canonical.merged), (n as u64 / 2, 0));
    let [low, _] = canonical.intervals.recall_clusters;
    assert!((low - canonical.intervals.recall[0]).abs() < 1e-6);
}

#[test]
fn examples_are_the_shortest_and_hide_values_unless_asked() {
    let catalog = Catalog::default();
    let pairs = |ids: &[usize]| {
        ids.iter()
            .map(|&id| {
                let mut pair = plain(id, "c".into());
                pair.productions = Some(Productions { a: Vec::new(), b: vec!["spacing".into()] });
                pair
            })
            .collect::<Vec<_>>()
    };
    let go = |show_values| {
        let mut options = Options::new(strategies(&["raw"]).unwrap(), &catalog);
        options.show_values = show_values;
        let source = IterSource::new("x", pairs(&[1000, 44, 20, 8888, 11]));
        replay(vec![Box::new(source)], options).unwrap()
    };
    let shown = &go(true).sets["s"]["raw"].by_production["spacing"].retry;
    let shown = shown.as_ref().unwrap();
    assert_eq!((shown.n, shown.failed), (4, 4));
    let example = shown.example.as_ref().unwrap();
    assert_eq!((example.id.as_str(), example.a.as_str()), ("20", r#"{"a": 20}"#));
    let results = go(false);
    let hidden = results.sets["s"]["raw"].by_production["spacing"].retry.as_ref().unwrap();
    assert_eq!(hidden.example.as_ref().unwrap().a, r#"{"a": <number 2>}"#);
    assert_eq!(results.sets["s"]["raw"].worst_production.retry.as_deref(), Some("spacing"));
    // 0 of 1 distinct pairs merged: nothing is known.
    assert_eq!(
        results.sets["s"]["raw"].by_production["spacing"].distinct.as_ref().unwrap().upper,
        0.95
    );
}

#[test]
fn paired_comparisons_count_the_pairs_that_part() {
    let results = run((0..40).map(|id| plain(id, format!("c{}", id / 4))).collect(), 8, 2);
    let paired = &results.details["s"].paired;
    assert!(paired.iter().all(|p| p.a != "constant" && p.b != "constant"));
    let one = paired.iter().find(|p| p.a == "raw" && p.b == "canonical").unwrap();
    assert_eq!((one.retry.a_only, one.retry.b_only), (0, 20));
    assert_eq!((one.retry.a_clusters, one.retry.b_clusters), (0, 10));
    // Twice 2^-20 and twice 2^-10.
    assert_eq!((one.retry.p, one.retry.p_clusters), (1.90735e-6, 0.00195312));
    assert_eq!((one.distinct.a_only, one.distinct.b_only, one.distinct.p), (0, 0, 1.0));
}

fn file(name: &str, text: &str) -> Box<dyn PairSource> {
    Box::new(FileSource::new(name, Cursor::new(text.as_bytes().to_vec())))
}

fn line(id: usize) -> String {
    plain(id, "c".into()).to_json() + "\n"
}

#[test]
fn bad_input_is_named_by_file_and_line_whatever_the_threads() {
    let catalog = Catalog::default();
    let good: String = (0..5000).map(line).collect();
    let bad = format!("{good}{{\"id\": \"x\"}}\n{good}not json, secret\n");
    for threads in [1, 4] {
        let mut options = Options::new(strategies(&["raw"]).unwrap(), &catalog);
        options.threads = Some(threads);
        let error = replay(vec![file("good", &good), file("bad", &bad)], options).unwrap_err();
        assert_eq!(error.to_string(), "bad:5001: `truth` is missing; it must be text");
    }
    let mut options = Options::new(strategies(&["raw"]).unwrap(), &catalog);
    options.skip_bad = true;
    let results = replay(vec![file("bad", &bad)], options).unwrap();
    assert_eq!((results.inputs[0].pairs, results.inputs[0].skipped), (10_000, 2));
}

#[test]
fn nothing_to_score_is_an_error() {
    let catalog = Catalog::default();
    let options = || Options::new(Vec::new(), &catalog);
    assert!(matches!(replay(Vec::new(), options()), Err(Error::NoSource)));
    let error = replay(vec![file("a", &line(1)), file("b", "\n \n")], options()).unwrap_err();
    assert_eq!(error.to_string(), "b: holds no pair; a replay needs at least one from each input");
    let Err(error) = strategies(&["raw", "rwa"]) else { panic!("no such strategy") };
    assert!(error.to_string().starts_with("unknown strategy `rwa`; known are raw, canonical"));
    assert!(FileSource::open("no/such/file".as_ref()).is_err());
}

#[test]
fn labels_without_end_are_refused() {
    let catalog = Catalog::default();
    let pairs = (0..5000).map(|id| Pair { why: id.to_string(), ..plain(id, "c".into()) });
    let source = IterSource::new("x", pairs);
    let error = replay(vec![Box::new(source)], Options::new(Vec::new(), &catalog)).unwrap_err();
    assert!(
        error.to_string().starts_with("more than 4096 different reasons in set `s`"),
        "{error}"
    );
}

#[test]
fn a_file_is_named_with_its_digest() {
    let catalog = Catalog::default();
    let results = replay(vec![file("a", &line(1))], Options::new(Vec::new(), &catalog)).unwrap();
    let digest = results.inputs[0].sha256.clone().unwrap();
    assert_eq!(digest.len(), 64);
    let again = replay(vec![file("a", &line(1))], Options::new(Vec::new(), &catalog)).unwrap();
    assert_eq!(again.inputs[0].sha256, Some(digest));
}

#[test]
fn a_wrong_canary_is_an_error() {
    let mut results = run((0..10).map(|id| plain(id, "c".into())).collect(), 8, 1);
    check_canaries(&results).unwrap();
    let good = results.clone();
    let spoil = |results: &mut Results, name: &str| {
        results.sets.get_mut("s").and_then(|s| s.remove(name)).unwrap()
    };
    let raw = spoil(&mut results, "raw");
    for canary in samecall_score::CANARIES {
        let mut results = good.clone();
        spoil(&mut results, canary);
        assert!(check_canaries(&results).is_err(), "{canary} missing");
        let mut half = raw.clone();
        half.caught = 1;
        results.sets.get_mut("s").unwrap().insert(canary.into(), half);
        let error = check_canaries(&results).unwrap_err().to_string();
        assert!(error.contains(canary) && error.contains("must be"), "{error}");
    }
}
