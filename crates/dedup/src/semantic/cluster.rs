//! From pairs that may merge to groups of which one chunk stays.
//!
//! - `components`: everything that is linked, however long the chain; the canonical may lie far from a member.
//! - `star`: each removed chunk is linked to its own canonical; no two canonicals are linked.
//! - `complete`: within a group all are linked to all.
//! - `average`: groups whose mean cosine reaches the threshold, and of which the guard refuses no pair.
//!
//! Except for `components`, groups are settled in the end: where two canonicals would be linked, the one of lower rank goes
//! too, so that a second run finds nothing.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use serde::{Deserialize, Serialize};

use super::vectors::Vectors;

/// Vectors in the order of the links' rows.
#[derive(Clone, Copy, Debug)]
pub struct View<'v> {
    /// The vectors.
    pub vectors: &'v Vectors,
    /// For each row of the links, that of the vectors.
    pub order: &'v [usize],
}

impl<'v> View<'v> {
    /// The vector of a chunk.
    pub fn row(&self, at: usize) -> &'v [f32] {
        self.vectors.row(self.order[at])
    }

    /// The cosine of two chunks.
    pub fn cosine(&self, a: usize, b: usize) -> f32 {
        self.vectors.cosine(self.order[a], self.order[b])
    }
}

/// How chunks are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Whatever is linked through others.
    Components,
    /// Members linked to their canonical.
    #[default]
    Star,
    /// Members linked to each other.
    Complete,
    /// Mean cosine.
    Average,
}

/// Chunks and the links between them, by row.
#[derive(Clone, Debug, Default)]
pub struct Links {
    starts: Vec<usize>,
    others: Vec<(u32, f32)>,
}

impl Links {
    /// Links in both directions, sorted.
    pub fn new(n: usize, pairs: &[(u32, u32, f32)]) -> Self {
        let mut starts = vec![0usize; n + 1];
        for &(a, b, _) in pairs {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for at in 1..=n {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut others = vec![(0, 0.0); 2 * pairs.len()];
        for &(a, b, similarity) in pairs {
            others[next[a as usize]] = (b, similarity);
            next[a as usize] += 1;
            others[next[b as usize]] = (a, similarity);
            next[b as usize] += 1;
        }
        let mut out = Self { starts, others };
        for at in 0..n {
            let (from, to) = (out.starts[at], out.starts[at + 1]);
            out.others[from..to].sort_unstable_by_key(|(other, _)| *other);
        }
        out
    }

    /// Number of chunks.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is no chunk.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a chunk is linked to, by row.
    pub fn of(&self, at: usize) -> &[(u32, f32)] {
        &self.others[self.starts[at]..self.starts[at + 1]]
    }

    /// The cosine of a link.
    pub fn between(&self, a: usize, b: usize) -> Option<f32> {
        let links = self.of(a);
        links.binary_search_by_key(&(b as u32), |(other, _)| *other).ok().map(|at| links[at].1)
    }

    /// The connected component of each chunk, named by its lowest row.
    pub fn components(&self) -> Vec<u32> {
        let mut root = vec![u32::MAX; self.len()];
        let mut stack = Vec::new();
        for at in 0..self.len() {
            if root[at] != u32::MAX {
                continue;
            }
            root[at] = at as u32;
            stack.push(at);
            while let Some(next) = stack.pop() {
                for &(other, _) in self.of(next) {
                    if root[other as usize] == u32::MAX {
                        root[other as usize] = at as u32;
                        stack.push(other as usize);
                    }
                }
            }
        }
        root
    }
}

/// What the average-link method asks of a pair that is not linked: whether the guard lets it share a group.
pub type MayShare<'g> = &'g dyn Fn(usize, usize) -> bool;

/// For each chunk the one that stands for it, itself if it stays. `rank` is lowest for the chunk that is preferred and must
/// be different for each.
pub fn keepers(
    links: &Links,
    method: Method,
    rank: &[u32],
    view: View<'_>,
    threshold: f32,
    may_share: MayShare<'_>,
) -> Vec<u32> {
    match method {
        Method::Star => star(links, rank),
        Method::Components => {
            let root = links.components();
            let mut best: BTreeMap<u32, u32> = BTreeMap::new();
            for (at, &root) in root.iter().enumerate() {
                let best = best.entry(root).or_insert(at as u32);
                if rank[at] < rank[*best as usize] {
                    *best = at as u32;
                }
            }
            root.iter().map(|root| best[root]).collect()
        }
        Method::Complete | Method::Average => {
            let mut groups = Vec::new();
            let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for (at, root) in links.components().into_iter().enumerate() {
                members.entry(root).or_default().push(at as u32);
            }
            for component in members.into_values() {
                if component.len() == 1 {
                    groups.push(component);
                } else if method == Method::Complete {
                    groups.extend(complete(links, component));
                } else {
                    groups.extend(average(links, component, view, threshold, may_share));
                }
            }
            settle(links, groups, rank)
        }
    }
}

/// By rank: who is linked to no canonical becomes one, the others go to the canonical nearest to them.
fn star(links: &Links, rank: &[u32]) -> Vec<u32> {
    let mut keeper: Vec<u32> = (0..links.len() as u32).collect();
    let mut kept = vec![false; links.len()];
    for at in by_rank(rank) {
        match nearest(links, at, &kept, rank) {
            Some(canonical) => keeper[at] = canonical,
            None => kept[at] = true,
        }
    }
    // A canonical of lower rank that came later may be nearer.
    for (at, keeper) in keeper.iter_mut().enumerate().filter(|(at, _)| !kept[*at]) {
        if let Some(canonical) = nearest(links, at, &kept, rank) {
            *keeper = canonical;
        }
    }
    keeper
}

fn by_rank(rank: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank.len()).collect();
    order.sort_unstable_by_key(|&at| rank[at]);
    order
}

/// The kept chunk with the highest cosine among those linked; of equals the preferred one.
fn nearest(links: &Links, at: usize, kept: &[bool], rank: &[u32]) -> Option<u32> {
    links
        .of(at)
        .iter()
        .filter(|(other, _)| kept[*other as usize])
        .max_by(|x, y| x.1.total_cmp(&y.1).then(rank[y.0 as usize].cmp(&rank[x.0 as usize])))
        .map(|(other, _)| *other)
}

/// A candidate merge: the most similar first, of equals the lowest rows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Merge {
    similarity: f32,
    a: u32,
    b: u32,
}

impl Eq for Merge {}

impl Ord for Merge {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.similarity
            .total_cmp(&other.similarity)
            .then(other.a.cmp(&self.a))
            .then(other.b.cmp(&self.b))
    }
}

impl PartialOrd for Merge {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Complete-link groups of one component: two groups merge while all their members are linked, the closest first, where
/// the closeness of two groups is the lowest cosine between them.
fn complete(links: &Links, component: Vec<u32>) -> Vec<Vec<u32>> {
    // Groups are named by their lowest row. `near` holds, for each, the groups that are fully linked to it.
    let mut members: BTreeMap<u32, Vec<u32>> = component.iter().map(|&at| (at, vec![at])).collect();
    let mut near: BTreeMap<u32, BTreeMap<u32, f32>> =
        component.iter().map(|&at| (at, links.of(at as usize).iter().copied().collect())).collect();
    let mut heap: BinaryHeap<Merge> = BinaryHeap::new();
    for &a in &component {
        for &(b, similarity) in links.of(a as usize) {
            if a < b {
                heap.push(Merge { similarity, a, b });
            }
        }
    }
    while let Some(Merge { similarity, a, b }) = heap.pop() {
        // What was pushed before a merge may no longer hold.
        if near.get(&a).and_then(|near| near.get(&b)) != Some(&similarity) {
            continue;
        }
        let (Some(mine), Some(theirs)) = (near.remove(&a), near.remove(&b)) else { continue };
        let mut merged = BTreeMap::new();
        for (other, first) in &mine {
            if let Some(second) = theirs.get(other) {
                merged.insert(*other, first.min(*second));
            }
        }
        for other in mine.keys().chain(theirs.keys()) {
            if let Some(near) = near.get_mut(other) {
                near.remove(&a);
                near.remove(&b);
                if let Some(&similarity) = merged.get(other) {
                    near.insert(a, similarity);
                    heap.push(Merge { similarity, a: a.min(*other), b: a.max(*other) });
                }
            }
        }
        near.insert(a, merged);
        let moved = members.remove(&b).unwrap_or_default();
        members.entry(a).or_default().extend(moved);
    }
    members.into_values().collect()
}

/// Average-link groups of one component: two groups merge while the mean cosine of all pairs between them reaches the
/// threshold and the guard refuses none of those pairs.
fn average(
    links: &Links,
    component: Vec<u32>,
    view: View<'_>,
    threshold: f32,
    may_share: MayShare<'_>,
) -> Vec<Vec<u32>> {
    struct Group {
        members: Vec<u32>,
        sum: Vec<f64>,
        near: BTreeSet<u32>,
    }
    let mut groups: BTreeMap<u32, Group> = component
        .iter()
        .map(|&at| {
            let sum = view.row(at as usize).iter().map(|x| f64::from(*x)).collect();
            let near = links.of(at as usize).iter().map(|(other, _)| *other).collect();
            (at, Group { members: vec![at], sum, near })
        })
        .collect();
    let mean = |a: &Group, b: &Group| {
        let dot: f64 = a.sum.iter().zip(&b.sum).map(|(x, y)| x * y).sum();
        (dot / (a.members.len() * b.members.len()) as f64) as f32
    };
    let mut heap: BinaryHeap<Merge> = BinaryHeap::new();
    for (&a, group) in &groups {
        for &b in group.near.iter().filter(|&&b| a < b) {
            heap.push(Merge { similarity: mean(group, &groups[&b]), a, b });
        }
    }
    while let Some(Merge { similarity, a, b }) = heap.pop() {
        if similarity < threshold {
            break;
        }
        let (Some(first), Some(second)) = (groups.get(&a), groups.get(&b)) else { continue };
        // Groups grow after their merges were pushed; only the newest entry holds.
        if mean(first, second) != similarity || !first.near.contains(&b) {
            continue;
        }
        let all_may = first.members.iter().all(|&x| {
            second.members.iter().all(|&y| {
                links.between(x as usize, y as usize).is_some() || may_share(x as usize, y as usize)
            })
        });
        if !all_may {
            // Refused for good: no later growth can mend it.
            for (group, other) in [(a, b), (b, a)] {
                if let Some(group) = groups.get_mut(&group) {
                    group.near.remove(&other);
                }
            }
            continue;
        }
        let (Some(mut first), Some(second)) = (groups.remove(&a), groups.remove(&b)) else {
            continue;
        };
        first.members.extend(&second.members);
        first.sum.iter_mut().zip(&second.sum).for_each(|(x, y)| *x += y);
        first.near.extend(&second.near);
        first.near.remove(&a);
        first.near.remove(&b);
        for &other in &first.near {
            if let Some(group) = groups.get_mut(&other) {
                group.near.remove(&b);
                group.near.insert(a);
                let similarity = mean(&first, group);
                heap.push(Merge { similarity, a: a.min(other), b: a.max(other) });
            }
        }
        groups.insert(a, first);
    }
    groups.into_values().map(|group| group.members).collect()
}

/// Chooses the canonical of each group by rank; where two of them are linked, the lower one and what it stood for go
/// elsewhere.
fn settle(links: &Links, groups: Vec<Vec<u32>>, rank: &[u32]) -> Vec<u32> {
    let best = |group: &[u32]| group.iter().copied().min_by_key(|&at| rank[at as usize]);
    let mut groups: Vec<(u32, Vec<u32>)> =
        groups.into_iter().filter_map(|group| Some((best(&group)?, group))).collect();
    groups.sort_unstable_by_key(|(canonical, _)| rank[*canonical as usize]);
    let mut keeper: Vec<u32> = (0..links.len() as u32).collect();
    let mut kept = vec![false; links.len()];
    let mut loose = Vec::new();
    for (canonical, group) in groups {
        if nearest(links, canonical as usize, &kept, rank).is_some() {
            loose.extend(group);
            continue;
        }
        kept[canonical as usize] = true;
        for at in group {
            keeper[at as usize] = canonical;
        }
    }
    loose.sort_unstable_by_key(|&at| rank[at as usize]);
    for at in loose {
        match nearest(links, at as usize, &kept, rank) {
            Some(canonical) => keeper[at as usize] = canonical,
            None => {
                kept[at as usize] = true;
                keeper[at as usize] = at;
            }
        }
    }
    keeper
}
