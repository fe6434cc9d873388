//! From counters to the result: shares get their intervals, examples lose their values.

use crate::interval::{
    Cluster, clopper_pearson_upper, fair_coin, round_p, round_share, upper_clusters, wilson,
    wilson_clusters,
};
use crate::kept::Kept;
use crate::phase::ROTATION;
use crate::tally::{Failures, Production, SetTally, Tallies, cluster_slot, pair_index};
use samecall_call::Truth;
use samecall_call::result::{
    Breakdown, ByTruth, Count, Discordant, Intervals, Paired, ProductionResult, Results,
    SerializerPhase, SetDetails, StrategyResult, Tally,
};
use std::collections::BTreeMap;

/// What the result needs beside the counters.
pub(crate) struct Context<'a> {
    /// Names of the strategies, in the order of the counters.
    pub(crate) strategies: &'a [String],
    /// Whether a strategy is compared with the others.
    pub(crate) compared: &'a [bool],
    /// Whether examples may show argument values.
    pub(crate) show_values: bool,
}

/// The sets and their details.
pub(crate) fn finish(tallies: &Tallies, context: &Context<'_>) -> Results {
    let mut results = Results::default();
    for (name, set) in &tallies.sets {
        let strategies = context.strategies.iter().enumerate();
        let by_strategy =
            strategies.map(|(index, name)| (name.clone(), strategy(set, index, context)));
        results.sets.insert(name.clone(), by_strategy.collect());
        results.details.insert(name.clone(), details(set, context));
    }
    results
}

fn strategy(set: &SetTally, index: usize, context: &Context<'_>) -> StrategyResult {
    let ByTruth { retry, distinct } = set.scored[index];
    let by_production: BTreeMap<_, _> = set
        .productions
        .iter()
        .map(|(name, production)| (name.clone(), production_result(production, index, context)))
        .collect();
    let pick = |labels: &BTreeMap<String, Vec<ByTruth<Tally>>>, truth: Option<Truth>| {
        let tallies = labels.iter().map(|(name, by_strategy)| {
            let both = &by_strategy[index];
            let tally = match truth {
                Some(truth) => *both.get(truth),
                None => {
                    let mut sum = both.retry;
                    sum.merge(&both.distinct);
                    sum
                }
            };
            (name.clone(), tally)
        });
        tallies.filter(|(_, tally)| tally.n > 0).collect::<BTreeMap<_, _>>()
    };
    let breakdown = |truth| {
        let (by_why, by_drift) = (pick(&set.why, Some(truth)), pick(&set.drift, Some(truth)));
        let bounds = |tallies: &BTreeMap<String, Tally>| {
            tallies.iter().map(|(name, tally)| (name.clone(), bounds(truth, tally))).collect()
        };
        let (bounds_by_why, bounds_by_drift) = (bounds(&by_why), bounds(&by_drift));
        Breakdown { by_why, by_drift, bounds_by_why, bounds_by_drift }
    };
    StrategyResult {
        retry: retry.n,
        caught: retry.same,
        distinct: distinct.n,
        merged: distinct.same,
        conflict: ByTruth { retry: retry.conflict, distinct: distinct.conflict },
        suspect: ByTruth { retry: retry.suspect, distinct: distinct.suspect },
        refused: ByTruth { retry: retry.refused, distinct: distinct.refused },
        intervals: intervals(set, index),
        clusters: set.clusters.count().n,
        by_why: pick(&set.why, None),
        by_drift: pick(&set.drift, None),
        by_truth: ByTruth { retry: breakdown(Truth::Retry), distinct: breakdown(Truth::Distinct) },
        worst_production: ByTruth {
            retry: worst(&by_production, Truth::Retry),
            distinct: worst(&by_production, Truth::Distinct),
        },
        by_production,
        contradiction: set.contradiction[index],
        executor_dependent: set.executor_dependent[index],
        refusals: set.refusals[index].clone(),
    }
}

/// Bounds on the share answered `same`.
fn bounds(truth: Truth, tally: &Tally) -> [f64; 2] {
    match truth {
        Truth::Retry => wilson(tally.same, tally.n).map(round_share),
        Truth::Distinct => [0.0, round_share(clopper_pearson_upper(tally.same, tally.n))],
    }
}

fn intervals(set: &SetTally, index: usize) -> Intervals {
    let ByTruth { retry, distinct } = set.scored[index];
    let verdict = |of: fn(&Tally) -> u64| ByTruth {
        retry: wilson(of(&retry), retry.n).map(round_share),
        distinct: wilson(of(&distinct), distinct.n).map(round_share),
    };
    let (kept_retry, retry_clusters) = clusters(&set.clusters, index, Truth::Retry);
    let (kept_distinct, distinct_clusters) = clusters(&set.clusters, index, Truth::Distinct);
    Intervals {
        recall: wilson(retry.same, retry.n).map(round_share),
        false_merge_upper: round_share(clopper_pearson_upper(distinct.same, distinct.n)),
        recall_clusters: wilson_clusters(retry.same, retry.n, &kept_retry, retry_clusters)
            .map(round_share),
        false_merge_upper_clusters: round_share(upper_clusters(
            distinct.same,
            distinct.n,
            &kept_distinct,
            distinct_clusters,
        )),
        conflict: verdict(|t| t.conflict),
        suspect: verdict(|t| t.suspect),
        refused: verdict(|t| t.refused),
    }
}

/// The kept clusters that hold pairs of a truth, and how many such clusters there are.
fn clusters(kept: &Kept<Box<[u32]>>, strategy: usize, truth: Truth) -> (Vec<Cluster>, u64) {
    let slot = cluster_slot(strategy, truth);
    let of_truth = usize::from(truth == Truth::Distinct);
    let list = kept
        .values()
        .filter(|record| record[of_truth] > 0)
        .map(|record| Cluster { hits: record[slot].into(), n: record[of_truth].into() })
        .collect();
    (list, count_clusters(kept, truth).n)
}

fn count_clusters(kept: &Kept<Box<[u32]>>, truth: Truth) -> Count {
    let of_truth = usize::from(truth == Truth::Distinct);
    kept.count_of(|record| record[of_truth] > 0)
}

fn production_result(
    production: &Production,
    index: usize,
    context: &Context<'_>,
) -> ByTruth<Option<ProductionResult>> {
    let one = |truth: Truth| {
        let n = *production.n.get(truth);
        let Failures { failed, example } = production.strategies[index].get(truth).clone();
        (n > 0).then(|| ProductionResult {
            n,
            failed,
            upper: round_share(clopper_pearson_upper(failed, n)),
            example: example.map(|e| if context.show_values { e } else { e.redact() }),
        })
    };
    ByTruth { retry: one(Truth::Retry), distinct: one(Truth::Distinct) }
}

/// The production with the highest bound; of equal ones the first by name.
fn worst(
    productions: &BTreeMap<String, ByTruth<Option<ProductionResult>>>,
    truth: Truth,
) -> Option<String> {
    let mut worst: Option<(&String, f64)> = None;
    for (name, result) in productions {
        if let Some(result) = result.get(truth)
            && worst.is_none_or(|(_, upper)| result.upper > upper)
        {
            worst = Some((name, result.upper));
        }
    }
    worst.map(|(name, _)| name.clone())
}

fn details(set: &SetTally, context: &Context<'_>) -> SetDetails {
    let number = |tallies: &[ByTruth<Tally>]| {
        // Every strategy saw every pair, so the first one's numbers are the set's.
        let ByTruth { retry, distinct } = tallies.first().copied().unwrap_or_default();
        ByTruth { retry: retry.n, distinct: distinct.n }
    };
    let scored = number(&set.scored);
    let whole = set.phase_pairs > 0 && set.phase_pairs == scored.retry;
    SetDetails {
        pairs: set.pairs,
        scored,
        contradiction: number(&set.contradiction),
        executor_dependent: number(&set.executor_dependent),
        without_schema: set.without_schema,
        clusters: set.clusters.count(),
        clusters_by_truth: ByTruth {
            retry: count_clusters(&set.clusters, Truth::Retry),
            distinct: count_clusters(&set.clusters, Truth::Distinct),
        },
        distinct_calls: set.calls.count(),
        paired: paired(set, context),
        serializer_phase: whole.then(|| SerializerPhase {
            rotation: ROTATION.map(str::to_owned).to_vec(),
            retry: set.phase_pairs,
            caught: set.phase.to_vec(),
        }),
    }
}

fn paired(set: &SetTally, context: &Context<'_>) -> Vec<Paired> {
    let mut list = Vec::new();
    let n = context.strategies.len();
    for i in (0..n).filter(|&i| context.compared[i]) {
        for j in (i + 1..n).filter(|&j| context.compared[j]) {
            let counts = set.one_sided[pair_index(i, j, n)];
            list.push(Paired {
                a: context.strategies[i].clone(),
                b: context.strategies[j].clone(),
                retry: discordant(counts.retry, &set.clusters, (i, j), Truth::Retry),
                distinct: discordant(counts.distinct, &set.clusters, (i, j), Truth::Distinct),
            });
        }
    }
    list
}

/// Pairs and clusters on which two strategies part. Above the cap the clusters are those kept, which
/// makes the test weaker and no less right.
fn discordant(
    [a_only, b_only]: [u64; 2],
    clusters: &Kept<Box<[u32]>>,
    (i, j): (usize, usize),
    truth: Truth,
) -> Discordant {
    let (mut a_clusters, mut b_clusters) = (0, 0);
    for record in clusters.values() {
        match record[cluster_slot(i, truth)].cmp(&record[cluster_slot(j, truth)]) {
            std::cmp::Ordering::Greater => a_clusters += 1,
            std::cmp::Ordering::Less => b_clusters += 1,
            std::cmp::Ordering::Equal => {}
        }
    }
    Discordant {
        a_only,
        b_only,
        p: round_p(fair_coin(a_only, b_only)),
        a_clusters,
        b_clusters,
        p_clusters: round_p(fair_coin(a_clusters, b_clusters)),
    }
}
