//! Rule lists with rules left out, scored on pairs: what each rule gains in recall and risks in merges, and where every
//! subset stands between the two.

use crate::canary::CANARIES;
use crate::error::Result;
use crate::interval::{round_share, wilson};
use crate::replay::{Options, replay};
use crate::rule_list::RuleList;
use crate::source::PairSource;
use samecall_call::Catalog;
use samecall_call::result::{Discordant, Results, StrategyResult};
use samecall_call::rules::{Ablation, Dropped, Frontier, FrontierSet, Point, Shift, Subset};
use samecall_keyer::{Keyer, by_name, names};
use std::collections::BTreeMap;

/// Lists in one replay, beside the canaries.
const LISTS: usize = 60;
/// Rules up to which every subset of a list is scored.
const EVERY_SUBSET: usize = 10;

/// Makes the same pairs anew for every replay.
pub type Sources<'a> = dyn Fn() -> Result<Vec<Box<dyn PairSource>>> + 'a;

/// Scores a list whole, without each rule, and each rule alone. Answers the sets, and the replay of the whole list for
/// its inputs.
///
/// # Errors
/// As [`replay`].
pub fn ablation(
    list: &RuleList,
    catalog: &Catalog,
    sources: &Sources<'_>,
) -> Result<(BTreeMap<String, Ablation>, Results)> {
    let rules = list.names();
    let all: Vec<usize> = (0..rules.len()).collect();
    let whole = list.strategy().to_owned();
    let without = |at: usize| format!("without {}", rules[at]);
    let alone = |at: usize| format!("{} alone", rules[at]);
    let mut keyers = vec![list.keyer(&whole, &all)];
    for at in 0..rules.len() {
        let kept: Vec<usize> = all.iter().copied().filter(|&kept| kept != at).collect();
        keyers.push(list.keyer(&without(at), &kept));
    }
    let shorter = replay(sources()?, Options::new(keyers, catalog))?;
    let keyers = (0..rules.len()).map(|at| list.keyer(&alone(at), &[at])).collect();
    let single = replay(sources()?, Options::new(keyers, catalog))?;

    let mut sets = BTreeMap::new();
    for (set, strategies) in &shorter.sets {
        let paired = shorter.details.get(set).map_or(&[][..], |details| &details.paired);
        let of = |results: &BTreeMap<String, StrategyResult>, name: &str, label: &str| {
            results.get(name).map(|result| point(label, result)).unwrap_or_default()
        };
        let dropped = (0..rules.len()).map(|at| {
            let name = without(at);
            let result = of(strategies, &name, rules[at]);
            let parted = paired.iter().find(|pair| pair.a == whole && pair.b == name);
            let (retry, distinct) = parted.map(|p| (p.retry, p.distinct)).unwrap_or_default();
            let [lost, gained] = shifts(retry, result.retry);
            let [avoided, added] = shifts(distinct, result.distinct);
            Dropped { point: result, lost, gained, avoided, added }
        });
        let found = Ablation {
            whole: of(strategies, &whole, &whole),
            dropped: dropped.collect(),
            alone: (0..rules.len())
                .map(|at| {
                    single.sets.get(set).map(|s| of(s, &alone(at), rules[at])).unwrap_or_default()
                })
                .collect(),
        };
        sets.insert(set.clone(), found);
    }
    Ok((sets, shorter))
}

/// Both directions in which two lists part.
fn shifts(found: Discordant, n: u64) -> [Shift; 2] {
    let shift =
        |pairs, clusters| Shift { pairs, clusters, share: wilson(pairs, n).map(round_share) };
    [shift(found.a_only, found.a_clusters), shift(found.b_only, found.b_clusters)]
}

fn point(label: &str, result: &StrategyResult) -> Point {
    Point {
        label: label.to_owned(),
        caught: result.caught,
        retry: result.retry,
        merged: result.merged,
        distinct: result.distinct,
        recall: result.intervals.recall,
        recall_clusters: result.intervals.recall_clusters,
        false_merge_upper: result.intervals.false_merge_upper,
        false_merge_upper_clusters: result.intervals.false_merge_upper_clusters,
        false_merge: wilson(result.merged, result.distinct).map(round_share),
    }
}

/// Scores every built-in strategy but canaries, and the subsets of these lists: all of them where a list is short, else
/// each rule left out, each rule alone, and none.
///
/// # Errors
/// As [`replay`].
pub fn frontier(lists: &[RuleList], catalog: &Catalog, sources: &Sources<'_>) -> Result<Frontier> {
    let contenders: Vec<&str> = names().filter(|name| !CANARIES.contains(name)).collect();
    let keyers = contenders.iter().filter_map(|name| by_name(name)).collect();
    let results = replay(sources()?, Options::new(keyers, catalog))?;
    let mut sets: BTreeMap<String, FrontierSet> = results
        .sets
        .iter()
        .map(|(set, found)| {
            let strategies = contenders.iter().filter_map(|n| Some(point(n, found.get(*n)?)));
            let clusters = results.details.get(set).map(|d| d.clusters).unwrap_or_default();
            let strategies = strategies.collect();
            (set.clone(), FrontierSet { clusters, strategies, subsets: BTreeMap::new() })
        })
        .collect();
    for list in lists {
        for subsets in subsets(list).chunks(LISTS) {
            let keyer = |(at, kept): (usize, &Vec<usize>)| list.keyer(&at.to_string(), kept);
            let keyers: Vec<Box<dyn Keyer>> = subsets.iter().enumerate().map(keyer).collect();
            let results = replay(sources()?, Options::new(keyers, catalog))?;
            for (set, found) in &results.sets {
                let Some(set) = sets.get_mut(set) else { continue };
                let points = set.subsets.entry(list.strategy().to_owned()).or_default();
                for (at, kept) in subsets.iter().enumerate() {
                    if let Some(result) = found.get(&at.to_string()) {
                        add(points, point(&label(list, kept), result));
                    }
                }
            }
        }
    }
    for set in sets.values_mut() {
        for points in set.subsets.values_mut() {
            points.sort_by_key(|subset| (subset.point.merged, subset.point.caught));
        }
    }
    Ok(Frontier { sets, seed: 0, inputs: results.inputs })
}

/// Lists of rules by place, the shortest first.
fn subsets(list: &RuleList) -> Vec<Vec<usize>> {
    let n = list.names().len();
    let mut found: Vec<Vec<usize>> = if list.is_ordered() && n <= EVERY_SUBSET {
        (0..1_u32 << n).map(|bits| (0..n).filter(|at| bits >> at & 1 == 1).collect()).collect()
    } else {
        let without = (0..n).map(|gone| (0..n).filter(|&at| at != gone).collect());
        std::iter::once(Vec::new()).chain((0..n).map(|at| vec![at])).chain(without).collect()
    };
    found.sort_by_key(|kept: &Vec<usize>| (kept.len(), kept.clone()));
    found
}

fn add(points: &mut Vec<Subset>, point: Point) {
    let alike = points
        .iter_mut()
        .find(|known| (known.point.caught, known.point.merged) == (point.caught, point.merged));
    match alike {
        // The first one is the shortest.
        Some(known) => known.lists += 1,
        None => points.push(Subset { point, lists: 1 }),
    }
}

/// The rules of a list, or those it lacks, whichever are fewer.
fn label(list: &RuleList, kept: &[usize]) -> String {
    let names = list.names();
    let of = |places: &[usize]| places.iter().map(|&at| names[at]).collect::<Vec<_>>().join(", ");
    let gone: Vec<usize> = (0..names.len()).filter(|at| !kept.contains(at)).collect();
    match (kept.len(), gone.len()) {
        (0, _) => "no rules".to_owned(),
        (_, 0) => "all rules".to_owned(),
        (kept_n, gone_n) if gone_n < kept_n => format!("without {}", of(&gone)),
        _ => format!("only {}", of(kept)),
    }
}
