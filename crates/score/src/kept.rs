//! Counting different things in bounded memory: the things with the smallest hashes are kept.
//!
//! Which things are kept depends on the set of things alone, never on the order or on how the input was
//! cut: a thing among the smallest at the end was among them at every moment before, so what was added
//! to it is complete. The kept things are a uniform sample, and the size of the largest kept hash tells
//! how many there are in all (Z. Bar-Yossef et al., "Counting distinct elements in a data stream",
//! RANDOM 2002).

use samecall_call::result::Count;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The first 64 bits of SHA-256: the same in every build, and even over all its range.
pub(crate) fn hash(text: &[u8]) -> u64 {
    let digest: [u8; 32] = Sha256::digest(text).into();
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_be_bytes(first)
}

/// At most `cap` things by hash, each with a value.
#[derive(Debug, Clone)]
pub(crate) struct Kept<V> {
    things: BTreeMap<u64, V>,
    cap: usize,
    /// Whether a thing was ever left out.
    lost: bool,
}

impl<V> Kept<V> {
    pub(crate) fn new(cap: usize) -> Self {
        Kept { things: BTreeMap::new(), cap: cap.max(2), lost: false }
    }

    /// The value of a thing, made where it is new; none where the thing is not kept.
    pub(crate) fn entry(&mut self, hash: u64, make: impl FnOnce() -> V) -> Option<&mut V> {
        self.admit(hash).then(|| self.things.entry(hash).or_insert_with(make))
    }

    /// Whether a thing is or may be among those kept; makes room for it.
    fn admit(&mut self, hash: u64) -> bool {
        if self.things.len() < self.cap || self.things.contains_key(&hash) {
            return true;
        }
        self.lost = true;
        let smaller = self.things.last_key_value().is_some_and(|(&largest, _)| hash < largest);
        if smaller {
            self.things.pop_last();
        }
        smaller
    }

    /// Adds all things of another, joining the values of those that both have.
    pub(crate) fn merge(&mut self, other: Kept<V>, mut join: impl FnMut(&mut V, &V)) {
        for (hash, value) in other.things {
            if !self.admit(hash) {
                continue;
            }
            match self.things.get_mut(&hash) {
                Some(kept) => join(kept, &value),
                None => {
                    self.things.insert(hash, value);
                }
            }
        }
        self.lost |= other.lost;
    }

    /// Lowers the cap.
    pub(crate) fn shrink(&mut self, cap: usize) {
        self.cap = self.cap.min(cap.max(2));
        while self.things.len() > self.cap {
            self.things.pop_last();
            self.lost = true;
        }
    }

    /// How many different things there are.
    pub(crate) fn count(&self) -> Count {
        self.scaled(self.things.len())
    }

    /// How many things there are of those that `part` picks.
    pub(crate) fn count_of(&self, part: impl Fn(&V) -> bool) -> Count {
        self.scaled(self.things.values().filter(|v| part(v)).count())
    }

    fn scaled(&self, part: usize) -> Count {
        let n = match self.things.last_key_value() {
            // The largest of k kept hashes lies at about k / n of the range; k - 1 takes the bias away.
            Some((&largest, _)) if self.lost => {
                let share = (largest as f64 + 1.0) / 2.0_f64.powi(64);
                let all = (self.things.len() as f64 - 1.0) / share;
                (all * part as f64 / self.things.len() as f64).round() as u64
            }
            _ => part as u64,
        };
        Count { n, exact: !self.lost, cap: self.cap as u64 }
    }

    /// The values kept, in hash order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.things.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keep(cap: usize, items: &[u32]) -> Kept<u64> {
        let mut kept = Kept::new(cap);
        for item in items {
            if let Some(times) = kept.entry(hash(&item.to_be_bytes()), || 0) {
                *times += 1;
            }
        }
        kept
    }

    fn content(kept: &Kept<u64>) -> (Vec<(u64, u64)>, bool) {
        (kept.things.iter().map(|(k, v)| (*k, *v)).collect(), kept.lost)
    }

    #[test]
    fn counts_exactly_up_to_the_cap_and_closely_above() {
        let items: Vec<u32> = (0..100_000).collect();
        let exact = keep(1000, &items[..1000]).count();
        assert_eq!((exact.n, exact.exact), (1000, true));
        let estimate = keep(4096, &items).count();
        assert!(!estimate.exact);
        // Three standard errors of 1 / sqrt(4096).
        assert!((estimate.n as f64 / 1e5 - 1.0).abs() < 3.0 / 64.0, "{}", estimate.n);
    }

    proptest! {
        #[test]
        fn neither_order_nor_cut_nor_shrinking_matters(
            items in proptest::collection::vec(0_u32..60, 0..200),
            cut in 0_usize..200,
            cap in 2_usize..80,
        ) {
            let whole = keep(cap, &items);
            let mut reversed = items.clone();
            reversed.reverse();
            prop_assert_eq!(content(&whole), content(&keep(cap, &reversed)));
            let cut = cut.min(items.len());
            let mut joined = keep(cap + 10, &items[cut..]);
            joined.merge(keep(cap + 3, &items[..cut]), |a, b| *a += b);
            joined.shrink(cap);
            prop_assert_eq!(content(&whole), content(&joined));
        }
    }
}
