//! What a strategy says of two calls, from what it says of each.

use samecall_call::Verdict;

use crate::{Outcome, Parts};

/// The verdict on two outcomes of one strategy; the same in either order.
///
/// Without slots, equal keys are the same call. With slots: a slot and a fingerprint that agree are one call, unless the
/// payload differs (a conflict); a slot that a framework pinned, on either side, and that holds two fingerprints is a
/// conflict too. Equal fingerprints at two steps of one run are suspect. Everything else is different, so that unlike
/// parallel calls of one step are, and twins that differ by occurrence.
pub fn verdict(a: &Outcome, b: &Outcome) -> Verdict {
    let (Outcome::Key(a), Outcome::Key(b)) = (a, b) else { return Verdict::Refused };
    match (&a.parts, &b.parts) {
        (Some(a), Some(b)) => of_parts(a, b),
        _ if a.key == b.key => Verdict::Same,
        _ => Verdict::Different,
    }
}

fn of_parts(a: &Parts, b: &Parts) -> Verdict {
    let same_fingerprint = a.fingerprint == b.fingerprint;
    if a.slot == b.slot {
        return match same_fingerprint {
            true if a.payload == b.payload => Verdict::Same,
            true => Verdict::Conflict,
            false if a.pinned || b.pinned => Verdict::Conflict,
            false => Verdict::Different,
        };
    }
    if same_fingerprint && a.run == b.run && a.step != b.step {
        return Verdict::Suspect;
    }
    Verdict::Different
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, Keyed, Refusal};

    fn parts(slot: u8, fingerprint: u8, run: u8, step: u8) -> Parts {
        let key = |n: u8| Key::of(&[n]);
        Parts {
            slot: key(slot),
            fingerprint: key(fingerprint),
            payload: None,
            pinned: false,
            run: key(run),
            step: key(step),
        }
    }

    fn outcome(parts: Parts) -> Outcome {
        Outcome::Key(Keyed { key: parts.slot, parts: Some(parts) })
    }

    #[test]
    fn each_verdict_has_its_cause() {
        let first = parts(1, 1, 1, 1);
        let payload = Parts { payload: Some(Key::of(b"p")), ..first };
        let unlike = parts(1, 2, 1, 1);
        let pinned = Parts { pinned: true, ..unlike };
        for (other, expected) in [
            (first, Verdict::Same),
            (payload, Verdict::Conflict),
            (unlike, Verdict::Different),
            (pinned, Verdict::Conflict),
            (parts(2, 1, 1, 2), Verdict::Suspect),
            (parts(2, 1, 1, 1), Verdict::Different),
            (parts(2, 1, 2, 2), Verdict::Different),
            (parts(2, 2, 1, 2), Verdict::Different),
        ] {
            let (a, b) = (outcome(first), outcome(other));
            assert_eq!(verdict(&a, &b), expected);
            assert_eq!(verdict(&b, &a), expected, "in either order");
        }
        let refused = Outcome::Refused(Refusal::bare("no"));
        assert_eq!(verdict(&refused, &outcome(first)), Verdict::Refused);
        assert_eq!(verdict(&refused, &refused), Verdict::Refused);
        let plain = |n: u8| Outcome::from(Key::of(&[n]));
        assert_eq!(verdict(&plain(1), &plain(1)), Verdict::Same);
        assert_eq!(verdict(&plain(1), &plain(2)), Verdict::Different);
    }
}
