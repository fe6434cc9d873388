//! Which threshold is safe: precision and recall over thresholds on labelled pairs, at each level of the guard, and the
//! loosest threshold whose upper bound on false merges is below a share.

use std::collections::BTreeMap;
use std::io::BufRead;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::function::beta::checked_beta_reg;

use super::report::level_name;
use super::vectors::Vectors;
use crate::error::{Error, Result};
use crate::guard::meaning::{Meaning, refusal};
use crate::guard::{Level, Lexicon};

/// Two texts with the truth about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The first text.
    pub a: String,
    /// The second.
    pub b: String,
    /// Whether they say the same.
    pub same: bool,
}

/// Reads tab-separated id, text 1, text 2 and label (1: the same). A first line whose label is a word is a heading.
///
/// # Errors
/// [`Error::Input`] with the line: fewer than four fields, a label other than 0 and 1, invalid UTF-8.
pub fn read_pairs(input: &mut dyn BufRead, name: &str) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    let (mut bytes, mut number) = (Vec::new(), 0);
    loop {
        bytes.clear();
        let count = input
            .read_until(b'\n', &mut bytes)
            .map_err(|source| Error::Io { what: name.to_owned(), source })?;
        if count == 0 {
            return Ok(pairs);
        }
        number += 1;
        let fail = |reason: &str| Error::Input {
            file: name.to_owned(),
            line: number,
            reason: reason.to_owned(),
        };
        let line = std::str::from_utf8(&bytes).map_err(|_| fail("invalid UTF-8"))?;
        let line = line.trim_end_matches(['\n', '\r']);
        if line.is_empty() {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, a, b, label, ..] = fields[..] else {
            return Err(fail("give id, text 1, text 2 and label, divided by tabs"));
        };
        let same = match label.trim() {
            "1" => true,
            "0" => false,
            _ if number == 1 => continue,
            _ => return Err(fail("the label is neither 1 nor 0")),
        };
        pairs.push(Pair { a: a.to_owned(), b: b.to_owned(), same });
    }
}

/// What is merged at a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The lowest cosine that merges.
    pub threshold: f32,
    /// Pairs of one meaning that merge.
    pub caught: usize,
    /// Pairs of two meanings that merge.
    pub merged: usize,
    /// `caught` / pairs of one meaning.
    pub recall: f64,
    /// `merged` / pairs of two meanings.
    pub false_merge: f64,
    /// `caught` / all that merge; 1 when none does.
    pub precision: f64,
    /// Exact upper bound on the share of false merges, one-sided, 95 %.
    pub false_merge_upper: f64,
}

/// One level of the guard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelResult {
    /// Pairs of one meaning.
    pub positives: usize,
    /// Of them, those that merge at the threshold.
    pub caught: usize,
    /// Pairs of two meanings.
    pub negatives: usize,
    /// Of them, those that merge at the threshold.
    pub merged: usize,
    /// Pairs above the threshold that the guard keeps apart, by cause: `[of one meaning, of two]`.
    pub refused: BTreeMap<String, [usize; 2]>,
    /// From the loosest threshold to the tightest.
    pub curve: Vec<Point>,
    /// The loosest threshold that holds the bound on one half of the pairs, with its figures on both.
    pub recommended: Option<Recommended>,
}

/// A recommended threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recommended {
    /// The threshold.
    pub threshold: f32,
    /// Its figures on the half that it was chosen on.
    pub chosen_on: Point,
    /// Its figures on the other half, which had no say.
    pub confirmed_on: Point,
}

/// What a calibration found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The threshold that the counts are for.
    pub threshold: f32,
    /// Highest share of false merges that a recommended threshold may have.
    pub share: f64,
    /// Pairs in the half that thresholds are chosen on, and in the other.
    pub split: [usize; 2],
    /// By name of the level.
    pub levels: BTreeMap<String, LevelResult>,
}

/// Confidence of the upper bounds.
const CONFIDENCE: f64 = 0.95;
/// The thresholds of a curve.
fn thresholds(extra: f32) -> Vec<f32> {
    let mut all: Vec<f32> = (50..=100).map(|percent| percent as f32 / 100.0).collect();
    all.extend([0.975, 0.985, 0.995, extra]);
    all.sort_by(f32::total_cmp);
    all.dedup();
    all
}

/// Measures all levels. Row `2 i` of the vectors is the first text of pair `i`, row `2 i + 1` the second.
///
/// # Errors
/// [`Error::Row`] when there are not two rows for each pair; [`Error::Option`] for a threshold or share out of range.
pub fn calibrate(
    pairs: &[Pair],
    vectors: &Vectors,
    threshold: f32,
    share: f64,
    lexicon: &Lexicon,
) -> Result<Calibration> {
    super::graph::check_threshold(threshold)?;
    if !(share > 0.0 && share < 1.0) {
        let reason = "give a share between 0 and 1, such as 0.05".into();
        return Err(Error::Option { name: "share", reason });
    }
    if vectors.len() != 2 * pairs.len() {
        return Err(Error::Row {
            file: "the embeddings".into(),
            row: None,
            reason: format!(
                "{} rows for {} pairs; give two rows for each pair",
                vectors.len(),
                pairs.len()
            ),
        });
    }
    let cosines: Vec<f32> =
        (0..pairs.len()).into_par_iter().map(|i| vectors.cosine(2 * i, 2 * i + 1)).collect();
    let halves = halves(pairs);
    let mut out = Calibration {
        threshold,
        share,
        split: [
            halves.iter().filter(|half| !**half).count(),
            halves.iter().filter(|half| **half).count(),
        ],
        levels: BTreeMap::new(),
    };
    let meanings: Vec<(Meaning, Meaning)> = pairs
        .par_iter()
        .map(|pair| (Meaning::read(&pair.a, lexicon), Meaning::read(&pair.b, lexicon)))
        .collect();
    for level in [Level::Off, Level::Facts, Level::Strict] {
        let causes: Vec<Option<&'static str>> = meanings
            .par_iter()
            .map(|(a, b)| refusal(a, b, level, lexicon).map(|cause| cause.name()))
            .collect();
        let samples: Vec<Sample> = (0..pairs.len())
            .map(|i| Sample {
                // What the guard refuses merges at no threshold.
                cosine: if causes[i].is_some() { f32::NEG_INFINITY } else { cosines[i] },
                same: pairs[i].same,
                half: halves[i],
            })
            .collect();
        let mut result = measure(&samples, threshold, share);
        for (i, cause) in causes.iter().enumerate() {
            if let Some(cause) = cause.filter(|_| cosines[i] >= threshold) {
                let counts = result.refused.entry(cause.to_owned()).or_default();
                counts[usize::from(!pairs[i].same)] += 1;
            }
        }
        out.levels.insert(level_name(level).to_owned(), result);
    }
    Ok(out)
}

#[derive(Clone, Copy)]
struct Sample {
    cosine: f32,
    same: bool,
    half: bool,
}

fn measure(samples: &[Sample], threshold: f32, share: f64) -> LevelResult {
    let (chosen, confirmed): (Vec<Sample>, Vec<Sample>) =
        samples.iter().partition(|sample| !sample.half);
    let at = point(samples, threshold);
    let all = thresholds(threshold);
    let recommended = all.iter().find_map(|&threshold| {
        let chosen_on = point(&chosen, threshold);
        (chosen_on.false_merge_upper <= share).then(|| Recommended {
            threshold,
            chosen_on,
            confirmed_on: point(&confirmed, threshold),
        })
    });
    LevelResult {
        positives: samples.iter().filter(|s| s.same).count(),
        caught: at.caught,
        negatives: samples.iter().filter(|s| !s.same).count(),
        merged: at.merged,
        refused: BTreeMap::new(),
        curve: all.iter().map(|&threshold| point(samples, threshold)).collect(),
        recommended,
    }
}

fn point(samples: &[Sample], threshold: f32) -> Point {
    let (mut positives, mut negatives, mut caught, mut merged) = (0, 0, 0, 0);
    for sample in samples {
        let merges = sample.cosine >= threshold;
        if sample.same {
            positives += 1;
            caught += usize::from(merges);
        } else {
            negatives += 1;
            merged += usize::from(merges);
        }
    }
    let share = |part: usize, all: usize, none: f64| {
        if all == 0 { none } else { part as f64 / all as f64 }
    };
    Point {
        threshold,
        caught,
        merged,
        recall: share(caught, positives, 0.0),
        false_merge: share(merged, negatives, 0.0),
        precision: share(caught, caught + merged, 1.0),
        false_merge_upper: upper_bound(merged, negatives),
    }
}

/// Exact one-sided upper bound on a share (Clopper and Pearson 1934); 1 where nothing was seen.
pub fn upper_bound(count: usize, of: usize) -> f64 {
    if count >= of {
        return 1.0;
    }
    let (a, b) = (count as f64 + 1.0, (of - count) as f64);
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    // The distribution function rises, so halving finds its quantile to the last bit.
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if checked_beta_reg(a, b, middle).unwrap_or(1.0) < CONFIDENCE {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Divides pairs in two halves by their texts, so that pairs that share a text are in one half: `true` for the second.
fn halves(pairs: &[Pair]) -> Vec<bool> {
    let mut group: Vec<usize> = (0..pairs.len()).collect();
    fn root(group: &mut [usize], mut at: usize) -> usize {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, pair) in pairs.iter().enumerate() {
        for text in [pair.a.as_str(), pair.b.as_str()] {
            let other = *seen.entry(text).or_insert(i);
            let (x, y) = (root(&mut group, i), root(&mut group, other));
            group[x.max(y)] = x.min(y);
        }
    }
    (0..pairs.len())
        .map(|i| {
            let first = root(&mut group, i);
            crate::guard::mix(first as u64 + 1) & 1 == 1
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_the_tables() {
        // Clopper-Pearson, one-sided 95 %: 0 of 12, 3 of 100; by the closed form 1 - 0.05^(1/n) for 0.
        assert!((upper_bound(0, 12) - (1.0 - 0.05f64.powf(1.0 / 12.0))).abs() < 1e-9);
        assert!((upper_bound(3, 100) - 0.07571).abs() < 1e-4);
        assert_eq!(upper_bound(5, 5), 1.0);
        assert_eq!(upper_bound(0, 0), 1.0);
    }

    #[test]
    fn the_loosest_threshold_within_the_share_is_recommended() {
        // On either half: 200 pairs of one meaning at 0.8, 200 of two at 0.7.
        let samples: Vec<Sample> = (0..800)
            .map(|i| Sample {
                cosine: if i % 2 == 0 { 0.8 } else { 0.7 },
                same: i % 2 == 0,
                half: i % 4 < 2,
            })
            .collect();
        let found = measure(&samples, 0.95, 0.05).recommended.unwrap();
        assert_eq!(found.threshold, 0.71);
        assert_eq!((found.confirmed_on.caught, found.confirmed_on.merged), (200, 0));
        assert!(measure(&samples, 0.95, 0.001).recommended.is_none());
    }

    #[test]
    fn bad_pairs_are_named() {
        let read = |text: &str| read_pairs(&mut text.as_bytes(), "p.tsv");
        assert_eq!(read("id\ta\tb\tlabel\n1\tx\ty\t1\n").unwrap().len(), 1);
        for (text, wanted) in [
            ("1\tx\ty\t1\n2\tx\ty\n", "p.tsv:2: give id"),
            ("1\tx\ty\t1\n2\tx\ty\tyes\n", "p.tsv:2: the label"),
        ] {
            assert!(read(text).unwrap_err().to_string().starts_with(wanted));
        }
    }
}
