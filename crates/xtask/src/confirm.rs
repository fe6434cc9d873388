//! Whether the committed generated result is a matter of its seed: the same replay on fresh seeds that nobody chose,
//! taken from the commit's hash.

use crate::replays::{read, replay};
use anyhow::{Context, Result, bail};
use samecall_call::result::{Results, StrategyResult};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The strategies that test the scorer alone.
const CANARIES: [&str; 3] = ["constant", "random", "refuse"];
/// Hex digits of the hash that make a seed.
const DIGITS: usize = 8;
/// How many seeds.
const SEEDS: usize = 3;
/// How much wider than their 95 % intervals two results may lie apart: some sixty are compared at once, and of so many
/// one in two runs would fail at 95 % by chance alone. At this width chance fails one run in fifty.
const WIDER: f64 = 1.5;

/// What is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Generated pairs for each seed.
    pub pairs: u64,
    /// The profile.
    pub profile: String,
    /// The depth.
    pub depth: usize,
}

/// The commit that stands checked out.
///
/// # Errors
/// When git cannot tell.
pub fn head(root: &Path) -> Result<String> {
    let output = Command::new("git")
        .args(["rev-parse", "HEAD"])
        .current_dir(root)
        .output()
        .context("git rev-parse HEAD")?;
    if !output.status.success() {
        bail!("git rev-parse HEAD: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The seeds of a commit: the first three stretches of eight hex digits of its hash.
///
/// # Errors
/// When the text is no hash.
pub fn seeds(commit: &str) -> Result<Vec<u64>> {
    let seeds: Option<Vec<u64>> = (0..SEEDS)
        .map(|at| {
            let digits = commit.get(DIGITS * at..DIGITS * (at + 1))?;
            u64::from_str_radix(digits, 16).ok()
        })
        .collect();
    seeds.with_context(|| format!("`{commit}` is no commit hash"))
}

/// What was found: the text of the report, and everything that does not agree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confirmation {
    /// Markdown.
    pub report: String,
    /// One sentence for each disagreement; empty where all agrees.
    pub faults: Vec<String>,
}

/// Replays on the commit's seeds and compares with the committed result.
///
/// # Errors
/// When a replay fails or the committed result cannot be read.
pub fn confirm(
    samecall: &Path,
    root: &Path,
    committed: &Path,
    commit: &str,
    run: &Run,
) -> Result<Confirmation> {
    let set = format!("generated-{}", run.profile);
    let first = read(&root.join(committed))?;
    let mut all = vec![(first.seed.unwrap_or_default(), first)];
    for seed in seeds(commit)? {
        let arguments = [
            "--generate",
            &run.pairs.to_string(),
            "--profile",
            &run.profile,
            "--seed",
            &seed.to_string(),
            "--depth",
            &run.depth.to_string(),
        ];
        all.push((seed, replay(samecall, root, &arguments.map(str::to_owned))?));
    }
    compare(&all, &set, commit, run)
}

/// Compares results of other seeds with the first.
///
/// # Errors
/// When a result lacks the set.
pub fn compare(all: &[(u64, Results)], set: &str, commit: &str, run: &Run) -> Result<Confirmation> {
    let Some(((_, first), fresh)) = all.split_first() else { bail!("no result to compare") };
    let of = |results: &Results, name: &str| {
        let found = results.sets.get(set).and_then(|set| set.get(name)).cloned();
        found.with_context(|| format!("a result has no `{name}` on set `{set}`"))
    };
    let mut out = Confirmation::default();
    let _ = writeln!(
        out.report,
        "# Fresh seeds\n\n{} pairs each, profile `{}`, depth {}, at commit `{commit}`; the seeds are the first {SEEDS} stretches \
         of {DIGITS} hex digits of its hash. The committed result has seed {}.\n\nA result agrees where the 95 % intervals with \
         clusters as draws, made {WIDER} times as wide because some sixty are compared, overlap.\n\n| strategy | seed | recall % | 95 %, clusters | merged | bound %, clusters | agrees |\n\
         |---|---:|---:|---:|---:|---:|---|",
        run.pairs, run.profile, run.depth, all[0].0
    );
    let strategies =
        first.sets.get(set).with_context(|| format!("the committed result has no set `{set}`"))?;
    for name in strategies.keys().filter(|name| !CANARIES.contains(&name.as_str())) {
        let committed = of(first, name)?;
        row(&mut out.report, name, all[0].0, &committed, "");
        for (seed, results) in fresh {
            let found = of(results, name)?;
            let agrees = recall_agrees(&committed, &found) && merges_agree(&committed, &found);
            if !agrees {
                out.faults.push(format!(
                    "`{name}` with seed {seed} does not agree with the committed result"
                ));
            }
            row(&mut out.report, name, *seed, &found, if agrees { "yes" } else { "NO" });
        }
    }
    for (seed, results) in all {
        let found = of(results, "typed-scoped")?;
        if found.merged > 0 {
            out.faults.push(format!(
                "`typed-scoped` merges {} of {} distinct pairs with seed {seed}; it must merge none",
                found.merged, found.distinct
            ));
        }
    }
    out.report.push_str(match out.faults.is_empty() {
        true => "\nAll agree, and `typed-scoped` merges nothing on any seed.\n",
        false => "\nNot confirmed:\n\n",
    });
    for fault in &out.faults {
        let _ = writeln!(out.report, "- {fault}");
    }
    Ok(out)
}

fn recall_agrees(a: &StrategyResult, b: &StrategyResult) -> bool {
    let ([a_low, a_high], [b_low, b_high]) =
        (a.intervals.recall_clusters, b.intervals.recall_clusters);
    let room = WIDER * (a_high - a_low + b_high - b_low) / 2.0;
    ((a_low + a_high) / 2.0 - (b_low + b_high) / 2.0).abs() <= room
}

/// The shares differ by no more than the two bounds leave room for.
fn merges_agree(a: &StrategyResult, b: &StrategyResult) -> bool {
    let share = |r: &StrategyResult| r.merged as f64 / r.distinct.max(1) as f64;
    let room = |r: &StrategyResult| r.intervals.false_merge_upper_clusters - share(r);
    (share(a) - share(b)).abs() <= WIDER * (room(a) + room(b))
}

fn row(report: &mut String, name: &str, seed: u64, found: &StrategyResult, agrees: &str) {
    let [low, high] = found.intervals.recall_clusters;
    let _ = writeln!(
        report,
        "| `{name}` | {seed} | {:.2} | {:.2}-{:.2} | {}/{} | {:.3} | {agrees} |",
        100.0 * found.caught as f64 / found.retry.max(1) as f64,
        100.0 * low,
        100.0 * high,
        found.merged,
        found.distinct,
        100.0 * found.intervals.false_merge_upper_clusters,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(caught: u64, merged: u64) -> Results {
        let mut found =
            StrategyResult { retry: 100, caught, distinct: 100, merged, ..Default::default() };
        let share = caught as f64 / 100.0;
        found.intervals.recall_clusters = [share - 0.02, share + 0.02];
        found.intervals.false_merge_upper_clusters = merged as f64 / 100.0 + 0.03;
        let mut results = Results::default();
        results
            .sets
            .entry("generated-uniform".into())
            .or_default()
            .insert("typed-scoped".into(), found);
        results
    }

    fn faults(fresh: Results) -> Vec<String> {
        let run = Run { pairs: 200, profile: "uniform".into(), depth: 3 };
        let all = [(7, results(90, 0)), (8, fresh)];
        compare(&all, "generated-uniform", "abc", &run).unwrap().faults
    }

    #[test]
    fn agreement_is_overlap_and_no_merge_is_forgiven() {
        assert!(faults(results(93, 0)).is_empty());
        assert_eq!(faults(results(99, 0)).len(), 1);
        assert_eq!(faults(results(90, 1)).len(), 1, "within the bounds, and still a merge");
        assert_eq!(faults(results(90, 20)).len(), 2);
    }

    #[test]
    fn seeds_are_three_stretches_of_the_hash() {
        let seeds = seeds("0000000a0000000bffffffff00000000deadbeef").unwrap();
        assert_eq!(seeds, [10, 11, 0xFFFF_FFFF]);
        assert!(super::seeds("main").is_err());
    }
}
