//! A whole run: pairs, guard, groups, canonicals, mapping.

use std::collections::BTreeMap;

use super::canonical::ranks;
use super::chunks::{Chunk, Chunks};
use super::cluster::{Links, View, keepers};
use super::graph::{self, Progress};
use super::judge::{Judge, Verdict, containment};
use super::model::Fingerprint;
use super::options::Options;
use super::report::{Refusal, Report};
use crate::error::Result;
use crate::guard::Level;
use crate::guard::meaning::Meaning;

/// A chunk that another one stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Removal {
    /// Position in the input.
    pub removed: usize,
    /// Position of its canonical.
    pub kept: usize,
    /// Their cosine.
    pub similarity: f32,
    /// What the guard says about the two: a chain may link chunks that it would keep apart.
    pub verdict: Verdict,
    /// Number of the group, from 0 in the order of the canonicals in the input.
    pub cluster: usize,
    /// Share of its content words that the canonical has too.
    pub containment: f64,
}

/// What a run found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Positions of the chunks that stay, in input order.
    pub kept: Vec<usize>,
    /// The others, in input order.
    pub removed: Vec<Removal>,
    /// Pairs above the threshold that the guard keeps apart, the most similar first.
    pub refused: Vec<Refusal>,
    /// Pairs above the threshold that may merge, by position, `a < b` in the order of ids.
    pub links: Vec<(usize, usize, f32)>,
    /// Counts.
    pub report: Report,
}

/// A pair above the threshold with its verdict, by row in the order of ids.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) similarity: f32,
    pub(crate) verdict: Verdict,
}

/// Deduplicates all chunks of an input.
///
/// # Errors
/// As [`graph::search`] says.
pub fn dedupe(
    input: &Chunks,
    options: &Options,
    fingerprint: &Fingerprint,
    progress: Progress<'_>,
) -> Result<Outcome> {
    let order = by_id(&input.chunks);
    let mut place = vec![0u32; order.len()];
    for (row, &at) in order.iter().enumerate() {
        place[at] = row as u32;
    }
    let found = graph::search(&input.vectors, options.threshold, 0, options.search, progress)?;
    let pairs: Vec<(u32, u32, f32)> = found
        .edges
        .iter()
        .map(|edge| {
            let (a, b) = (place[edge.a as usize], place[edge.b as usize]);
            (a.min(b), a.max(b), edge.similarity)
        })
        .collect();
    drop(found);
    let chunks: Vec<&Chunk> = order.iter().map(|&at| &input.chunks[at]).collect();
    let judge = Judge::new(chunks, &in_pairs(order.len(), &pairs), options);
    let judged = judge_pairs(&judge, pairs);
    let groups =
        Groups::of(&judge, &judged, View { vectors: &input.vectors, order: &order }, options);
    Ok(groups.outcome(input, &order, judged, options, fingerprint))
}

/// Positions in the order of ids.
pub(crate) fn by_id(chunks: &[Chunk]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..chunks.len()).collect();
    order.sort_by(|&a, &b| chunks[a].id.cmp(&chunks[b].id));
    order
}

pub(crate) fn in_pairs(n: usize, pairs: &[(u32, u32, f32)]) -> Vec<bool> {
    let mut needed = vec![false; n];
    for &(a, b, _) in pairs {
        needed[a as usize] = true;
        needed[b as usize] = true;
    }
    needed
}

/// The verdicts on pairs, sorted by row.
pub(crate) fn judge_pairs(judge: &Judge<'_>, mut pairs: Vec<(u32, u32, f32)>) -> Vec<Judged> {
    pairs.sort_unstable_by_key(|&(a, b, _)| (a, b));
    let ends: Vec<(u32, u32)> = pairs.iter().map(|&(a, b, _)| (a, b)).collect();
    pairs
        .into_iter()
        .zip(judge.judge_all(&ends))
        .map(|((a, b, similarity), verdict)| Judged { a, b, similarity, verdict })
        .collect()
}

/// For each row in the order of ids, what stands for it.
pub(crate) struct Groups {
    pub(crate) keeper: Vec<u32>,
    /// For each removed row: cosine, verdict and containment beside its canonical.
    beside: BTreeMap<u32, (f32, Verdict, f64)>,
}

impl Groups {
    /// Groups chunks by the pairs that may merge.
    pub(crate) fn of(
        judge: &Judge<'_>,
        judged: &[Judged],
        view: View<'_>,
        options: &Options,
    ) -> Self {
        let passing: Vec<(u32, u32, f32)> = judged
            .iter()
            .filter(|pair| pair.verdict.passes())
            .map(|pair| (pair.a, pair.b, pair.similarity))
            .collect();
        let links = Links::new(view.order.len(), &passing);
        let newest = options.collapse_versions.then(|| judge.meanings());
        let rank =
            ranks(judge.chunks(), &options.criteria, &options.authority, &links, view, newest);
        let may_share = |a: usize, b: usize| judge.judge(a, b).passes();
        let keeper = keepers(&links, options.method, &rank, view, options.threshold, &may_share);
        let mut beside = BTreeMap::new();
        for (at, &kept) in keeper.iter().enumerate() {
            let kept = kept as usize;
            if kept == at {
                continue;
            }
            let similarity = view.cosine(at, kept);
            let verdict = judge.judge(at, kept);
            beside.insert(at as u32, (similarity, verdict, judge.containment(at, kept)));
        }
        Self { keeper, beside }
    }

    /// The result by position in the input.
    pub(crate) fn outcome(
        self,
        input: &Chunks,
        order: &[usize],
        judged: Vec<Judged>,
        options: &Options,
        fingerprint: &Fingerprint,
    ) -> Outcome {
        let n = order.len();
        let mut keeper = vec![0usize; n];
        for (row, &kept) in self.keeper.iter().enumerate() {
            keeper[order[row]] = order[kept as usize];
        }
        let mut cluster_of = vec![usize::MAX; n];
        let mut clusters = 0;
        let mut has_members = vec![false; n];
        for (at, &kept) in keeper.iter().enumerate() {
            has_members[kept] |= at != kept;
        }
        for (at, members) in has_members.iter().enumerate() {
            if *members {
                cluster_of[at] = clusters;
                clusters += 1;
            }
        }
        let mut removed: Vec<Removal> = self
            .beside
            .into_iter()
            .map(|(row, (similarity, verdict, containment))| {
                let at = order[row as usize];
                Removal {
                    removed: at,
                    kept: keeper[at],
                    similarity,
                    verdict,
                    cluster: cluster_of[keeper[at]],
                    containment,
                }
            })
            .collect();
        removed.sort_unstable_by_key(|removal| removal.removed);
        let kept: Vec<usize> = (0..n).filter(|&at| keeper[at] == at).collect();
        let (mut links, mut refused) = (Vec::new(), Vec::new());
        for pair in judged {
            let (a, b) = (order[pair.a as usize], order[pair.b as usize]);
            match pair.verdict {
                Verdict::Refused(cause) => refused.push(Refusal {
                    a: input.chunks[a].id_json(),
                    b: input.chunks[b].id_json(),
                    similarity: pair.similarity,
                    cause: cause.into_owned(),
                }),
                _ => links.push((a, b, pair.similarity)),
            }
        }
        // Pairs come by id; a stable sort keeps that order among equal cosines.
        refused.sort_by(|x, y| y.similarity.total_cmp(&x.similarity));
        let report =
            Report::of(input, &kept, &removed, &refused, links.len(), options, fingerprint);
        Outcome { kept, removed, refused, links, report }
    }
}

impl<'c> Judge<'c> {
    /// Containment of one chunk in another, by row. Read anew where the guard is off.
    fn containment(&self, part: usize, whole: usize) -> f64 {
        let options = self.options();
        let read = |at: usize| match &self.meanings()[at] {
            Some(meaning) if options.level != Level::Off => meaning.clone(),
            _ => Meaning::read(&self.chunks()[at].text, &options.lexicon),
        };
        containment(&read(part), &read(whole))
    }
}
