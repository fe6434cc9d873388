//! From bytes that break a law to few and small ones that still do.

/// Tries at the most, so that one find cannot hold up a hunt.
const TRIES: usize = 4_000;

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
