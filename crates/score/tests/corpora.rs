//! The known scores of the corpora: the article's, the adversarial one, and the real calls.

mod common;

use common::{replay_files, shared, workspace};
use samecall_call::Catalog;
use samecall_call::result::{ByTruth, Results};
use samecall_score::check_canaries;

fn score(results: &Results, set: &str, strategy: &str) -> (u64, u64) {
    let result = &results.sets[set][strategy];
    (result.caught, result.merged)
}

#[test]
fn the_articles_corpus() {
    let results = replay_files(&[workspace("corpus/article.jsonl")], &Catalog::default());
    check_canaries(&results).unwrap();
    for (strategy, expected) in [
        ("raw", (12, 12)),
        ("canonical", (51, 12)),
        ("normalised", (96, 12)),
        ("normalised-capital-t", (94, 12)),
        ("scoped", (96, 0)),
        ("agentforge", (57, 12)),
        ("jcs", (57, 12)),
        ("constant", (96, 24)),
        ("random", (0, 0)),
        ("refuse", (0, 0)),
    ] {
        assert_eq!(score(&results, "article", strategy), expected, "{strategy}");
        let result = &results.sets["article"][strategy];
        assert_eq!((result.retry, result.distinct), (96, 24));
        let repeats = &result.by_truth.distinct.by_why["deliberate_repeat"];
        let changed = &result.by_truth.distinct.by_why["value_changed"];
        assert_eq!((repeats.n, changed.n), (12, 12));
        if strategy != "constant" {
            assert_eq!((repeats.same, changed.same), (expected.1, 0), "{strategy}");
        }
    }
    let capital = &results.sets["article"]["normalised-capital-t"].by_truth.retry.by_why;
    let missed: Vec<_> = capital.iter().filter(|(_, t)| t.same < t.n).collect();
    assert_eq!(missed.len(), 1);
    assert_eq!((missed[0].0.as_str(), missed[0].1.n - missed[0].1.same), ("case_fold", 2));
    let refused = &results.sets["article"]["refuse"];
    assert_eq!(refused.refused, ByTruth { retry: 96, distinct: 24 });
    assert_eq!(refused.refusals.values().sum::<u64>(), 120);
}

#[test]
fn the_serializer_phase_decides_what_raw_scores() {
    let results = replay_files(&[workspace("corpus/article.jsonl")], &Catalog::default());
    let phase = results.details["article"].serializer_phase.as_ref().unwrap();
    assert_eq!(phase.retry, 96);
    assert_eq!(phase.caught[0], results.sets["article"]["raw"].caught);
    let mut sorted = phase.caught.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [12, 13, 14]);
}

#[test]
fn the_adversarial_corpus() {
    let results = replay_files(&[workspace("corpus/adversarial.jsonl")], &Catalog::default());
    check_canaries(&results).unwrap();
    assert_eq!(score(&results, "adversarial", "normalised"), (19, 35));
    assert_eq!(score(&results, "adversarial", "canonical"), (9, 5));
    let normalised = &results.sets["adversarial"]["normalised"];
    assert_eq!((normalised.retry, normalised.distinct), (37, 67));
    // A reason with pairs of both truths is told apart.
    let whole = normalised.by_why["unicode"];
    let retry = normalised.by_truth.retry.by_why["unicode"];
    let distinct = normalised.by_truth.distinct.by_why["unicode"];
    assert_eq!((whole.n, retry.n, distinct.n), (13, 4, 9));
    assert_eq!(whole.same, retry.same + distinct.same);
    assert!(results.details["adversarial"].serializer_phase.is_none());
}

#[test]
fn real_calls() {
    let names = ["tau_bench", "workbench", "bfcl_possible_answer"];
    let files: Option<Vec<_>> =
        names.iter().map(|name| shared(&format!("traces/{name}.pairs.jsonl"))).collect();
    let Some(files) = files else { return };
    let results = replay_files(&files, &Catalog::default());
    check_canaries(&results).unwrap();
    for (set, retries, caught) in [
        ("tau_bench", 480, [427, 480, 480]),
        ("workbench", 1459, [979, 1334, 1440]),
        ("bfcl_possible_answer", 1938, [0, 0, 70]),
    ] {
        for (strategy, caught) in ["raw", "canonical", "normalised"].into_iter().zip(caught) {
            assert_eq!(score(&results, set, strategy), (caught, 0), "{set} {strategy}");
            assert_eq!(results.sets[set][strategy].retry, retries);
        }
    }
    let tau = &results.details["tau_bench"];
    assert_eq!((tau.distinct_calls.n, tau.clusters_by_truth.retry.n), (118, 23));
    assert!(tau.distinct_calls.exact && tau.clusters.exact);
    // Clustering must show: 480 retries of 23 tasks are no 480 draws.
    let intervals = results.sets["tau_bench"]["raw"].intervals;
    assert!(intervals.recall_clusters[0] < intervals.recall[0] - 0.02, "{intervals:?}");
    let intervals = results.sets["tau_bench"]["canonical"].intervals;
    assert!(intervals.false_merge_upper_clusters > 3.0 * intervals.false_merge_upper);
}
