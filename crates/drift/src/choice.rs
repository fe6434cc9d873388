//! Where every decision of the generator comes from: a seeded stream, or a tape of numbers that a
//! test can shrink.
//!
//! Zero is always the plainest choice, and a tape that has run out answers zeros. So a shorter or
//! smaller tape makes a plainer pair, and since the label follows from the choices, it stays true.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

/// A source of choices.
pub(crate) enum Choices<'t> {
    /// A fast seeded generator, with half a draw kept.
    Stream(Pcg64Mcg, Option<u32>),
    /// Numbers given in advance.
    Tape(&'t [u32]),
}

impl Choices<'_> {
    /// The stream of one batch: a function of these numbers and nothing else.
    pub(crate) fn of_batch(seed: u64, salt: u64, index: u64) -> Self {
        let low = mix(seed ^ mix(index.wrapping_add(0x9E37_79B9_7F4A_7C15)));
        let high = mix(low ^ salt);
        Choices::Stream(Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)), None)
    }

    #[inline]
    fn next(&mut self) -> u32 {
        match self {
            Choices::Stream(rng, kept) => match kept.take() {
                Some(half) => half,
                None => {
                    let both = rng.next_u64();
                    *kept = Some((both >> 32) as u32);
                    both as u32
                }
            },
            Choices::Tape(tape) => match tape.split_first() {
                Some((first, rest)) => {
                    *tape = rest;
                    *first
                }
                None => 0,
            },
        }
    }

    /// A number below `n`; 0 where `n` is 0.
    #[inline]
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.next()) * n as u64) >> 32) as usize
    }

    /// A number from `low` to `high`, both included; `low` where they are out of order.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = high.wrapping_sub(low).wrapping_add(1);
        if span <= 1 {
            return low;
        }
        let draw = if span > i64::from(u32::MAX) {
            (u64::from(self.next()) << 32 | u64::from(self.next())) % span as u64
        } else {
            (u64::from(self.next()) * span as u64) >> 32
        };
        low.wrapping_add(draw as i64)
    }

    /// True in the given share of cases (thousandths); zero answers false.
    #[inline]
    pub(crate) fn permille(&mut self, share: u32) -> bool {
        (u64::from(self.next()) * 1000) >> 32 >= u64::from(1000u32.saturating_sub(share))
    }

    /// One of the items; none of no items.
    #[inline]
    pub(crate) fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// One of a table that is never empty.
    #[inline]
    pub(crate) fn of<T: Copy, const N: usize>(&mut self, items: &[T; N]) -> T {
        items[self.below(N)]
    }

    /// A number below `total`, for weights.
    pub(crate) fn weight(&mut self, total: u64) -> u64 {
        let draw = u128::from(self.next()) << 32 | u128::from(self.next());
        ((draw * u128::from(total)) >> 64) as u64
    }

    /// Exchanges items at random; a tape of zeros leaves them as they are.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in 0..items.len().saturating_sub(1) {
            let other = at + self.below(items.len() - at);
            items.swap(at, other);
        }
    }
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): spreads nearby seeds far apart.
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_tape_makes_the_plainest_choices() {
        let mut choices = Choices::Tape(&[]);
        assert_eq!(choices.below(7), 0);
        assert_eq!(choices.between(-3, 9), -3);
        assert!(!choices.permille(999));
        let mut items = [1, 2, 3];
        choices.shuffle(&mut items);
        assert_eq!(items, [1, 2, 3]);
    }

    #[test]
    fn streams_differ_by_each_part() {
        let first = |seed, salt, index| Choices::of_batch(seed, salt, index).next();
        let all = [first(1, 2, 3), first(2, 2, 3), first(1, 3, 3), first(1, 2, 4)];
        for (at, draw) in all.iter().enumerate() {
            assert!(!all[..at].contains(draw), "stream {at} starts as another one");
        }
    }

    #[test]
    fn a_share_is_met() {
        let mut choices = Choices::of_batch(1, 1, 1);
        let hits = (0..10_000).filter(|_| choices.permille(250)).count();
        assert!((2_300..2_700).contains(&hits), "{hits} of 10,000 at 250 permille");
    }
}
