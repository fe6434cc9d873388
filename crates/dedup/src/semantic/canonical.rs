//! Which chunk of a group stays: criteria in order, each a number of which more is better; what is left is decided by id.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::chunks::Chunk;
use super::cluster::{Links, View};
use super::judge::version_parts;
use super::vectors::dot;
use crate::guard::meaning::Meaning;

/// One reason to prefer a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// Written last; chunks without a time come last.
    Recent,
    /// Most characters.
    Longest,
    /// Most members filled in: source, time, authority, metadata; then most different words.
    Complete,
    /// Highest authority: a number, or the place in the given order of labels or sources.
    Authority,
    /// Closest to the mean of all that it is linked to, directly or through others.
    Centroid,
}

impl Criterion {
    /// The criterion of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "recent" => Self::Recent,
            "longest" => Self::Longest,
            "complete" => Self::Complete,
            "authority" => Self::Authority,
            "centroid" => Self::Centroid,
            _ => return None,
        })
    }
}

/// The place of each chunk in the order of preference: 0 is preferred to all. `chunks` are in the order of the links' rows, which
/// is that of their ids. With `newest_version` a later version goes before all criteria.
pub(crate) fn ranks(
    chunks: &[&Chunk],
    criteria: &[Criterion],
    authority: &[String],
    links: &Links,
    view: View<'_>,
    newest_version: Option<&[Option<Meaning>]>,
) -> Vec<u32> {
    let versions: Vec<Vec<Vec<u64>>> = match newest_version {
        Some(meanings) => {
            chunks.iter().zip(meanings).map(|(chunk, meaning)| versions(chunk, meaning)).collect()
        }
        None => Vec::new(),
    };
    let columns: Vec<Vec<f64>> = criteria
        .iter()
        .flat_map(|criterion| match criterion {
            Criterion::Recent => {
                vec![column(chunks, |c| c.created_at.unwrap_or(f64::NEG_INFINITY))]
            }
            Criterion::Longest => vec![column(chunks, |c| c.text.chars().count() as f64)],
            Criterion::Complete => vec![
                column(chunks, |c| filled(c) as f64),
                column(chunks, |c| c.text.split_whitespace().collect::<BTreeSet<_>>().len() as f64),
            ],
            Criterion::Authority => vec![column(chunks, |c| trust(c, authority))],
            Criterion::Centroid => vec![centrality(links, view)],
        })
        .collect();
    let mut order: Vec<usize> = (0..chunks.len()).collect();
    order.par_sort_by(|&a, &b| {
        let newer = match versions.is_empty() {
            true => Ordering::Equal,
            false => versions[b].cmp(&versions[a]),
        };
        columns
            .iter()
            .fold(newer, |so_far, column| so_far.then_with(|| column[b].total_cmp(&column[a])))
            .then(a.cmp(&b))
    });
    let mut rank = vec![0; chunks.len()];
    for (place, at) in order.into_iter().enumerate() {
        rank[at] = place as u32;
    }
    rank
}

fn column(chunks: &[&Chunk], score: impl Fn(&Chunk) -> f64) -> Vec<f64> {
    chunks.iter().map(|chunk| score(chunk)).collect()
}

fn filled(chunk: &Chunk) -> usize {
    usize::from(chunk.source.is_some())
        + usize::from(chunk.created_at.is_some())
        + usize::from(chunk.authority.is_some())
        + chunk.metadata.values().filter(|value| !value.is_null()).count()
}

/// A number as it is; a label or source by its place in the order, the first best; what the order does not name comes last.
fn trust(chunk: &Chunk, order: &[String]) -> f64 {
    if let Some(number) = chunk.authority.as_ref().and_then(Value::as_f64) {
        return number;
    }
    let label = chunk.authority.as_ref().and_then(Value::as_str).or(chunk.source.as_deref());
    label
        .and_then(|label| order.iter().position(|known| known == label))
        .map_or(f64::NEG_INFINITY, |place| -(place as f64))
}

/// Cosine of each chunk with the mean of its component.
fn centrality(links: &Links, view: View<'_>) -> Vec<f64> {
    let roots = links.components();
    let mut sums: std::collections::BTreeMap<u32, Vec<f64>> = std::collections::BTreeMap::new();
    for (at, root) in roots.iter().enumerate() {
        if links.of(at).is_empty() {
            continue;
        }
        let row = view.row(at);
        let sum = sums.entry(*root).or_insert_with(|| vec![0.0; row.len()]);
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(*x));
    }
    let sums: std::collections::BTreeMap<u32, Vec<f32>> = sums
        .into_iter()
        .map(|(root, sum)| {
            let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
            (root, sum.into_iter().map(|x| (x / length) as f32).collect())
        })
        .collect();
    roots
        .iter()
        .enumerate()
        .map(|(at, root)| sums.get(root).map_or(1.0, |mean| dot(view.row(at), mean)))
        .collect()
}

/// The versions of a chunk: that of its metadata, then those that its text names, in order. Longer and later is more.
pub(crate) fn versions(chunk: &Chunk, meaning: &Option<Meaning>) -> Vec<Vec<u64>> {
    let stated = match chunk.metadata.get("version") {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let named = meaning.as_ref().map(Meaning::versions).unwrap_or_default();
    stated.as_deref().into_iter().chain(named).map(version_parts).collect()
}
