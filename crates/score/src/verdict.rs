//! What a strategy says of a pair, from what it says of the two calls.

use samecall_call::{Pair, Verdict};
use samecall_keyer::Outcome;

/// The verdict on a pair from the outcomes of its two calls; the same in either order.
pub fn verdict(pair: &Pair, a: &Outcome, b: &Outcome) -> Verdict {
    let (Outcome::Key(a), Outcome::Key(b)) = (a, b) else { return Verdict::Refused };
    let (Some(a), Some(b)) = (a.parts, b.parts) else {
        return if a.key == b.key { Verdict::Same } else { Verdict::Different };
    };
    if a.slot == b.slot {
        return match a.fingerprint == b.fingerprint {
            true if a.payload == b.payload => Verdict::Same,
            true => Verdict::Conflict,
            false if a.pinned && b.pinned => Verdict::Conflict,
            false => Verdict::Different,
        };
    }
    let (first, second) = (&pair.a.scope, &pair.b.scope);
    let repeated = a.fingerprint == b.fingerprint
        && first.tenant == second.tenant
        && first.effective_run() == second.effective_run()
        && first.effective_step() != second.effective_step();
    if repeated { Verdict::Suspect } else { Verdict::Different }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use samecall_call::{Call, SchemaRef, Truth};
    use samecall_keyer::{Key, Keyed, Parts, Refusal};

    fn pair(steps: (u8, u8), runs: (u8, u8)) -> Pair {
        let call = |run: u8, step: u8| Call::new("t", "{}").at(&run.to_string(), &step.to_string());
        Pair {
            id: "p".into(),
            set: "s".into(),
            truth: Truth::Retry,
            why: "w".into(),
            drift: Vec::new(),
            cluster: "c".into(),
            contradicts: None,
            productions: None,
            schema: SchemaRef::ByName,
            a: call(runs.0, steps.0),
            b: call(runs.1, steps.1),
        }
    }

    fn outcome() -> impl Strategy<Value = Outcome> {
        let key = |n: u8| Key::of(&[n]);
        let parts = (0_u8..2, 0_u8..2, proptest::option::of(0_u8..2), any::<bool>()).prop_map(
            move |(slot, fingerprint, payload, pinned)| {
                let parts = Parts {
                    slot: key(slot),
                    fingerprint: key(fingerprint),
                    payload: payload.map(key),
                    pinned,
                };
                Outcome::Key(Keyed { key: Key::of(&[slot, fingerprint]), parts: Some(parts) })
            },
        );
        prop_oneof![
            1 => Just(Outcome::Refused(Refusal::bare("no"))),
            2 => (0_u8..2).prop_map(move |n| Outcome::from(key(n))),
            6 => parts,
        ]
    }

    proptest! {
        #[test]
        fn is_the_same_in_either_order(
            a in outcome(),
            b in outcome(),
            steps in (0_u8..2, 0_u8..2),
            runs in (0_u8..2, 0_u8..2),
        ) {
            let forth = pair(steps, runs);
            let mut back = forth.clone();
            std::mem::swap(&mut back.a, &mut back.b);
            prop_assert_eq!(verdict(&forth, &a, &b), verdict(&back, &b, &a));
        }
    }

    #[test]
    fn each_verdict_has_its_cause() {
        let parts = |slot: u8, fingerprint: u8, payload: Option<u8>, pinned: bool| {
            let key = |n: u8| Key::of(&[n]);
            let (slot, fingerprint) = (key(slot), key(fingerprint));
            let parts = Parts { slot, fingerprint, payload: payload.map(key), pinned };
            Outcome::Key(Keyed { key: slot, parts: Some(parts) })
        };
        let here = pair((3, 3), (1, 1));
        let later = pair((3, 7), (1, 1));
        let elsewhere = pair((3, 7), (1, 2));
        let a = parts(1, 1, None, false);
        assert_eq!(verdict(&here, &a, &a), Verdict::Same);
        assert_eq!(verdict(&here, &a, &parts(1, 2, None, false)), Verdict::Different);
        assert_eq!(verdict(&here, &a, &parts(1, 1, Some(1), false)), Verdict::Conflict);
        let pinned = [parts(1, 1, None, true), parts(1, 2, None, true)];
        assert_eq!(verdict(&here, &pinned[0], &pinned[1]), Verdict::Conflict);
        let moved = parts(2, 1, None, false);
        assert_eq!(verdict(&later, &a, &moved), Verdict::Suspect);
        assert_eq!(verdict(&elsewhere, &a, &moved), Verdict::Different);
        assert_eq!(verdict(&here, &a, &moved), Verdict::Different);
        let refused = Outcome::Refused(Refusal::bare("no"));
        assert_eq!(verdict(&here, &a, &refused), Verdict::Refused);
    }
}
