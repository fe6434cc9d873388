//! How far groups have moved: centroid against canonical, centroid against that of the last rebuild, coherence, strays.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::super::chunks::Chunks;
use super::super::run::Outcome;
use super::super::vectors::dot;

/// Part of the bound from which on drift is near it.
const NEAR: f64 = 0.75;
/// Clusters that the report lists.
const LISTED: usize = 10;

/// Whether a rebuild is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All groups are near where they were.
    Steady,
    /// A group has come to three quarters of the bound: a rebuild will be due.
    Near,
    /// A group has passed the bound: rebuild.
    Passed,
}

/// One group that has moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterDrift {
    /// Id of its canonical.
    pub canonical: String,
    /// Chunks in it.
    pub members: usize,
    /// 1 - cosine of its centroid with its canonical.
    pub from_canonical: f64,
    /// 1 - cosine of its centroid with that of the last rebuild, for a group that was there.
    pub since_rebuild: Option<f64>,
    /// Mean cosine of its members with its centroid.
    pub coherence: f64,
}

impl ClusterDrift {
    fn worst(&self) -> f64 {
        self.from_canonical.max(self.since_rebuild.unwrap_or(0.0))
    }
}

/// What has moved since the last rebuild.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// Groups of more than one chunk.
    pub clusters: usize,
    /// The bound.
    pub bound: f64,
    /// The largest of all distances below.
    pub worst: f64,
    /// Lowest coherence of a group; 1 without groups.
    pub lowest_coherence: f64,
    /// Members that are nearer to the canonical of another group than to their own.
    pub strays: usize,
    /// Whether a rebuild is due.
    pub status: Status,
    /// The groups that have moved furthest.
    pub furthest: Vec<ClusterDrift>,
}

/// Members of each group of more than one chunk, by the position of its canonical.
fn groups(outcome: &Outcome) -> BTreeMap<usize, Vec<usize>> {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for removal in &outcome.removed {
        groups.entry(removal.kept).or_insert_with(|| vec![removal.kept]).push(removal.removed);
    }
    groups
}

fn centroid(input: &Chunks, members: &[usize]) -> Vec<f32> {
    let mut sum = vec![0.0f64; input.vectors.dimension()];
    for &at in members {
        sum.iter_mut().zip(input.vectors.row(at)).for_each(|(sum, x)| *sum += f64::from(*x));
    }
    let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    sum.into_iter().map(|x| (x / length) as f32).collect()
}

/// The centroids of all groups by the id of their canonical, those of one chunk included.
pub(super) fn centroids(input: &Chunks, outcome: &Outcome) -> BTreeMap<String, Vec<f32>> {
    let groups = groups(outcome);
    outcome
        .kept
        .iter()
        .map(|&at| {
            let members = groups.get(&at).cloned().unwrap_or_else(|| vec![at]);
            (input.chunks[at].id.clone(), centroid(input, &members))
        })
        .collect()
}

/// Measures all groups against the centroids of the last rebuild.
pub(super) fn measure(
    input: &Chunks,
    outcome: &Outcome,
    baseline: &BTreeMap<String, Vec<f32>>,
    bound: f64,
) -> Drift {
    let kept: BTreeSet<usize> = outcome.kept.iter().copied().collect();
    let mut own: BTreeMap<usize, (usize, f32)> = BTreeMap::new();
    for removal in &outcome.removed {
        own.insert(removal.removed, (removal.kept, removal.similarity));
    }
    let stray = |at: usize, other: usize, similarity: f32| {
        kept.contains(&other)
            && own.get(&at).is_some_and(|(kept, own)| *kept != other && similarity > *own)
    };
    let strays: BTreeSet<usize> = outcome
        .links
        .iter()
        .flat_map(|&(a, b, similarity)| {
            [stray(a, b, similarity).then_some(a), stray(b, a, similarity).then_some(b)]
        })
        .flatten()
        .collect();
    let mut clusters: Vec<ClusterDrift> = groups(outcome)
        .into_iter()
        .map(|(canonical, members)| {
            let centroid = centroid(input, &members);
            let cosine = |at: usize| dot(input.vectors.row(at), &centroid);
            // A group is known again by any member that was a canonical then.
            let then = members
                .iter()
                .filter_map(|&at| baseline.get(&input.chunks[at].id))
                .map(|then| 1.0 - dot(then, &centroid))
                .min_by(f64::total_cmp);
            ClusterDrift {
                canonical: input.chunks[canonical].id.clone(),
                members: members.len(),
                from_canonical: (1.0 - cosine(canonical)).max(0.0),
                since_rebuild: then.map(|distance| distance.max(0.0)),
                coherence: members.iter().map(|&at| cosine(at)).sum::<f64>() / members.len() as f64,
            }
        })
        .collect();
    clusters.sort_by(|x, y| {
        y.worst().total_cmp(&x.worst()).then_with(|| x.canonical.cmp(&y.canonical))
    });
    let worst = clusters.first().map_or(0.0, ClusterDrift::worst);
    let status = if worst > bound {
        Status::Passed
    } else if worst >= NEAR * bound || !strays.is_empty() {
        Status::Near
    } else {
        Status::Steady
    };
    Drift {
        clusters: clusters.len(),
        bound,
        worst,
        lowest_coherence: clusters.iter().map(|c| c.coherence).fold(1.0, f64::min),
        strays: strays.len(),
        status,
        furthest: clusters.into_iter().take(LISTED).collect(),
    }
}

impl Drift {
    /// A few lines for people.
    pub fn table(&self) -> String {
        let status = match self.status {
            Status::Steady => "steady",
            Status::Near => "near the bound: a rebuild will be due",
            Status::Passed => "past the bound: run `dedup rebuild`",
        };
        let mut out = format!(
            "drift                     {:>12.4}  of {:.4}, {status}\nlowest coherence          {:>12.4}\nstrays                    {:>12}\n",
            self.worst, self.bound, self.lowest_coherence, self.strays
        );
        for cluster in &self.furthest {
            if cluster.worst() < NEAR * self.bound {
                break;
            }
            out.push_str(&format!(
                "  {:.4} from its canonical, {} since the last rebuild: {} with {} members\n",
                cluster.from_canonical,
                cluster.since_rebuild.map_or("new".to_owned(), |d| format!("{d:.4}")),
                cluster.canonical,
                cluster.members
            ));
        }
        out
    }
}
