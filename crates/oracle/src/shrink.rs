//! From bytes that break a law to few and small ones that still do.

use crate::input::LEFT_OUT;

/// Tries at the most, so that one find cannot hold up a hunt.
const TRIES: usize = 2_000;

/// Takes away stretches and makes bytes smaller for as long as `breaks` holds. Deterministic.
pub fn smallest(bytes: &[u8], mut breaks: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = bytes.to_vec();
    let mut tries = 0;
    loop {
        let before = best.clone();
        let mut stretch = best.len().next_power_of_two();
        while stretch > 0 {
            let mut at = 0;
            while at < best.len() && tries < TRIES {
                let end = (at + stretch).min(best.len());
                let mut shorter = best.clone();
                shorter.drain(at..end);
                tries += 1;
                if breaks(&shorter) {
                    best = shorter;
                } else {
                    at += stretch;
                }
            }
            stretch /= 2;
        }
        for at in 0..best.len() {
            for smaller in [0, best[at] / 2, best[at].saturating_sub(1)] {
                if smaller < best[at] && tries < TRIES {
                    let mut plainer = best.clone();
                    plainer[at] = smaller;
                    tries += 1;
                    if breaks(&plainer) {
                        best = plainer;
                    }
                }
            }
        }
        if best == before || tries >= TRIES {
            return best;
        }
    }
}

/// The bytes with some renderings of the pair that they draw left out, most first: for `smallest` to begin from.
pub fn fewer_renderings(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut masks: Vec<u16> = (1..16).collect();
    masks.sort_by_key(|mask| std::cmp::Reverse(mask.count_ones()));
    let place = (LEFT_OUT as u16).to_le_bytes();
    let mut out = Vec::new();
    for mask in masks {
        // Numbers of the tape begin at every fourth byte, from a place that only the target knows.
        for padding in 0..4 {
            let mask = mask.to_le_bytes();
            out.push([bytes, &[0; 3][..padding], &place, &mask].concat());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_goes() {
        let bytes: Vec<u8> = (0..200).collect();
        let found = smallest(&bytes, |bytes| bytes.iter().filter(|byte| **byte >= 100).count() > 1);
        assert_eq!(found, [100, 100]);
        assert_eq!(smallest(b"abc", |_| true), b"");
        assert_eq!(smallest(b"abc", |bytes| bytes == b"abc"), b"abc");
    }
}
