//! Which words of two texts are the same word, and in what windows their order differs.

use std::collections::BTreeMap;

use super::opposites;
use super::words::{Meaning, Sort, Word, stem};
use crate::guard::fold::lower;
use crate::guard::{Lexicon, case};

/// Most pairs of words without a partner that are compared with each other.
pub(super) const MAX_COMPARED: usize = 1 << 14;

/// The words that both texts have, and those that one has alone.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    /// Positions on the left of the words that both have, rising.
    pub(super) left: Vec<usize>,
    /// The same on the right, rising; as many as on the left.
    pub(super) right: Vec<usize>,
    /// What each is compared by, on the left.
    pub(super) left_keys: Vec<u64>,
    /// What each is compared by, on the right; the same multiset.
    pub(super) right_keys: Vec<u64>,
    /// Positions on the left of words without a partner.
    pub(super) left_only: Vec<usize>,
    /// Positions on the right of words without a partner.
    pub(super) right_only: Vec<usize>,
}

impl Pairing {
    /// Pairs words of equal keys, the first with the first; then words without a partner that share a long beginning.
    pub(super) fn of(a: &Meaning, b: &Meaning, lexicon: &Lexicon) -> Self {
        let mut left: Vec<u64> = a.words.iter().map(|word| word.key).collect();
        let mut right: Vec<u64> = b.words.iter().map(|word| word.key).collect();
        let (alone_left, alone_right) = (alone(&left, &right), alone(&right, &left));
        // Near forms of one word: `historic`, `historical`. Not sought where so much differs that it would take long.
        let few = alone_left.len() * alone_right.len() <= MAX_COMPARED;
        let mut free = alone_right;
        for &i in alone_left.iter().filter(|_| few) {
            let near = |&j: &usize| near(a, &a.words[i], b, &b.words[j], lexicon);
            if let Some(found) = free.iter().position(near) {
                let j = free.remove(found);
                let key = left[i].min(right[j]);
                left[i] = key;
                right[j] = key;
            }
        }
        let mut out = Self::default();
        let gone = alone(&left, &right);
        for (i, &key) in left.iter().enumerate() {
            if gone.binary_search(&i).is_ok() {
                out.left_only.push(i);
            } else {
                out.left.push(i);
                out.left_keys.push(key);
            }
        }
        let gone = alone(&right, &left);
        for (j, &key) in right.iter().enumerate() {
            if gone.binary_search(&j).is_ok() {
                out.right_only.push(j);
            } else {
                out.right.push(j);
                out.right_keys.push(key);
            }
        }
        out
    }

    /// For each word on the left that has a partner, the place of that partner in `right`: the first with the first.
    pub(super) fn partners(&self) -> Vec<usize> {
        let mut places: BTreeMap<u64, std::collections::VecDeque<usize>> = BTreeMap::new();
        for (at, &key) in self.right_keys.iter().enumerate() {
            places.entry(key).or_default().push_back(at);
        }
        self.left_keys
            .iter()
            .filter_map(|key| places.get_mut(key).and_then(|places| places.pop_front()))
            .collect()
    }

    /// The shortest windows `start..end` that hold the same words on both sides in another order.
    pub(super) fn windows(&self) -> Vec<(usize, usize)> {
        let (x, y) = (&self.left_keys, &self.right_keys);
        let mut windows = Vec::new();
        let mut at = 0;
        while at < x.len() {
            if x[at] == y[at] {
                at += 1;
                continue;
            }
            let start = at;
            let mut open: BTreeMap<u64, i64> = BTreeMap::new();
            loop {
                for (key, step) in [(x[at], 1), (y[at], -1)] {
                    let count = open.entry(key).or_default();
                    *count += step;
                    if *count == 0 {
                        open.remove(&key);
                    }
                }
                at += 1;
                if open.is_empty() || at == x.len() {
                    break;
                }
            }
            windows.push((start, at));
        }
        windows
    }

    /// How far the first part of a window on the left was moved to stand last on the right, if that is all that happened.
    pub(super) fn rotation(&self, (start, end): (usize, usize)) -> Option<usize> {
        let (x, y) = (&self.left_keys[start..end], &self.right_keys[start..end]);
        (1..x.len()).find(|&k| x[k..] == y[..x.len() - k] && x[..k] == y[x.len() - k..])
    }
}

/// Positions in `from` of the items beyond those that `other` has too; the first of several equal ones have the partners.
fn alone(from: &[u64], other: &[u64]) -> Vec<usize> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for &key in other {
        *counts.entry(key).or_default() += 1;
    }
    let mut out = Vec::new();
    for (at, key) in from.iter().enumerate() {
        match counts.get_mut(key) {
            Some(count) if *count > 0 => *count -= 1,
            _ => out.push(at),
        }
    }
    out
}

/// Shortest common beginning of two forms of one word.
const SHORTEST_STEM: usize = 4;

/// Whether two ordinary words are likely forms of one: most of the longer one is their common beginning.
fn near(a: &Meaning, x: &Word, b: &Meaning, y: &Word, lexicon: &Lexicon) -> bool {
    let plain = |word: &Word, text: &str| {
        word.sort == Sort::Plain
            && word.class.is_none()
            && text.is_ascii()
            && !case::is_code(text)
            && !text.chars().skip(1).any(char::is_uppercase)
    };
    let (s, t) = (a.text(x), b.text(y));
    if !plain(x, s) || !plain(y, t) {
        return false;
    }
    let name = |m: &Meaning, word: &Word, text: &str| {
        m.cased && !word.opens && text.starts_with(char::is_uppercase)
    };
    // Two names that differ are two names.
    if name(a, x, s) && name(b, y, t) {
        return false;
    }
    let (s, t) = (lower(s), lower(t));
    if opposites::opposed(&s, &t, lexicon) || s.ends_with("less") != t.ends_with("less") {
        return false;
    }
    let (s, t) = (stem(&s), stem(&t));
    let common = s.bytes().zip(t.bytes()).take_while(|(p, q)| p == q).count();
    let (short, long) = (s.len().min(t.len()), s.len().max(t.len()));
    (common >= SHORTEST_STEM && 5 * common >= 3 * long)
        || (common >= 3 && common == short && long - short <= 3)
}
