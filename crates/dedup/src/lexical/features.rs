//! The features of a normal form, as sets of hashes, and the overlap of two forms.

use crate::guard::mix;

/// The most that two unequal forms can score, so that a threshold of 1.0 means equal normal forms.
pub const OVERLAP_CAP: f64 = 0.9995;

/// A normal form with its sets of character 4-grams and word bigrams, sorted.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    pub(crate) form: String,
    grams: Vec<u64>,
    bigrams: Vec<u64>,
}

impl Features {
    pub(crate) fn of(form: String) -> Self {
        let chars: Vec<char> = form.chars().collect();
        let grams = match chars.len() {
            0 => Vec::new(),
            1..=3 => vec![gram(&chars)],
            _ => chars.windows(4).map(gram).collect(),
        };
        let words: Vec<u64> = form
            .split(' ')
            .map(|word| word.bytes().fold(1, |h, b| mix(h ^ u64::from(b)).wrapping_add(h)))
            .collect();
        let bigrams = words.windows(2).map(|pair| mix(pair[0].rotate_left(17) ^ pair[1])).collect();
        Self { form, grams: as_set(grams), bigrams: as_set(bigrams) }
    }

    /// Distinct character 4-grams, as hashes.
    pub(crate) fn grams(&self) -> &[u64] {
        &self.grams
    }
}

fn as_set(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// Hash of up to four characters of 21 bits.
fn gram(chars: &[char]) -> u64 {
    let packed = chars.iter().fold(1u128, |all, &c| all << 21 | u128::from(u32::from(c)));
    mix((packed >> 64) as u64 ^ mix(packed as u64))
}

/// The lower of character-4-gram and word-bigram Jaccard, the latter only if either form has two words; equal forms score
/// 1.0, all others at most [`OVERLAP_CAP`]. Two empty forms are equal here.
pub(crate) fn overlap(a: &Features, b: &Features) -> f64 {
    if a.form == b.form {
        return 1.0;
    }
    let mut score = OVERLAP_CAP;
    if !(a.bigrams.is_empty() && b.bigrams.is_empty()) {
        score = jaccard(&a.bigrams, &b.bigrams).min(score);
    }
    if score > 0.0 { jaccard(&a.grams, &b.grams).min(score) } else { score }
}

/// Whether the overlap is at or above a threshold; passes over the 4-grams where the bigrams have said no.
pub(crate) fn reaches(a: &Features, b: &Features, threshold: f64) -> bool {
    let bigrams_reach = (a.bigrams.is_empty() && b.bigrams.is_empty())
        || jaccard(&a.bigrams, &b.bigrams) >= threshold;
    (a.form == b.form || bigrams_reach) && overlap(a, b) >= threshold
}

fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut both) = (0, 0, 0usize);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    let either = a.len() + b.len() - both;
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}
