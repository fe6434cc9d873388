//! Hunts without a fuzzer, on drawn inputs: what claims to hold holds, no law is asked in vain, and what is known to be
//! broken is found, so that a hunt that finds nothing says something.

use samecall_fuzz::hunt::Hunt;
use samecall_fuzz::laws;
use samecall_oracle::input::next;
use samecall_oracle::planted;

/// A hunt of drawn inputs: short and long ones, as a fuzzer makes them.
fn hunt(target: &str, strategy: &str, inputs: u64) -> Hunt {
    let target = laws::by_name(target).unwrap();
    let mut hunt = Hunt::new(target, planted::subject(strategy).unwrap());
    let mut state = 1;
    for _ in 0..inputs {
        let length = 3 + next(&mut state) % 40;
        let bytes: Vec<u8> = (0..length).map(|_| (next(&mut state) >> 32) as u8).collect();
        hunt.input(&bytes);
    }
    hunt
}

fn found(hunt: &Hunt) -> Vec<String> {
    let name = |law: &str, class: String| format!("{law} {class}");
    hunt.finds().iter().map(|find| name(find.broken.law, find.broken.class_name())).collect()
}

#[test]
fn what_claims_to_hold_holds_and_no_law_is_asked_in_vain() {
    for (target, inputs, words) in [
        (
            "normalizer",
            6_000,
            &[
                "respelled",
                "at rest",
                "rules first, key held",
                "rules idle",
                "retry caught",
                "told apart",
                "two places",
                "one place",
                "place refused",
                "text keyed",
                "text refused",
                "order not declared",
            ][..],
        ),
        ("spellings", 2_000, &["retry caught"]),
        ("collisions", 150, &["forms one apart"]),
        ("catalog", 3_000, &["calls drawn", "no schema", "schema read"]),
        ("pairs", 300, &["lines refused"]),
    ] {
        for strategy in ["typed", "typed-scoped"] {
            let hunt = hunt(target, strategy, inputs);
            assert_eq!(found(&hunt), Vec::<String>::new(), "{target} of {strategy}");
            println!("{target} of {strategy}: {:?}", hunt.seen());
            for word in words {
                let of_places = word.contains("place") && strategy == "typed";
                let count = hunt.seen().get(word).copied().unwrap_or(0);
                assert!(count > 0 || of_places, "{target} of {strategy} never saw `{word}`");
            }
        }
    }
}

#[test]
fn what_the_baselines_are_known_to_break_is_found() {
    for (strategy, inputs, wanted) in [
        ("normalised-capital-t", 20_000, &[("order", "timestamp-capital-t")][..]),
        (
            "normalised",
            20_000,
            &[("change", "zero_padding"), ("fixed_point", "nfc"), ("change", "exact_case")],
        ),
        ("scoped", 20_000, &[("scope", "separator")]),
        ("agentforge", 20_000, &[("change", "nested_changed")]),
    ] {
        let hunt = hunt("normalizer", strategy, inputs);
        let found = found(&hunt);
        for (law, class) in wanted {
            let is_it = |find: &String| find.starts_with(law) && find.contains(class);
            assert!(found.iter().any(is_it), "{strategy}: no {law} {class} among {found:#?}");
        }
    }
}
