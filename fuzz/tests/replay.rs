//! Every seed holds under every target's laws, every regression holds from the day it was found, and every planted fault
//! can be built: the part of fuzzing that needs no fuzzer.

use samecall_fuzz::hunt::Hunt;
use samecall_fuzz::{laws, root, seeds};
use samecall_oracle::planted;
use samecall_oracle::record::Record;
use samecall_oracle::subject::{CLEAN, DEFAULT, Subject};
use std::fs;

#[test]
fn every_seed_holds() {
    let seeds = seeds::seeds().unwrap();
    for target in laws::TARGETS {
        let inputs = &seeds[target.name];
        let mut hunt = Hunt::new(target, Subject::named(DEFAULT).unwrap());
        inputs.iter().for_each(|input| hunt.input(input));
        let finds: Vec<String> = hunt.finds().iter().map(|f| f.broken.to_string()).collect();
        assert!(finds.is_empty(), "{}: {finds:#?}", target.name);
        assert!(inputs.len() >= 5, "{}: {} seeds", target.name, inputs.len());
        println!("{}: {} seeds; saw {:?}", target.name, inputs.len(), hunt.seen());
        // One word for everything would mean that the seeds reach one law alone.
        assert!(hunt.seen().len() > 1, "{}: {:?}", target.name, hunt.seen());
    }
}

/// A regression of a strategy that claims to break no law holds. One of a baseline is still broken: a baseline that heals
/// in silence is no baseline.
#[test]
fn every_regression_is_as_it_was_left() {
    let folder = root().join("corpus/regressions");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    for file in &files {
        let name = file.display();
        let record = Record::parse(&fs::read_to_string(file).unwrap());
        let record = record.unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let strategy = if record.strategy.is_empty() { DEFAULT } else { &record.strategy };
        let subject =
            planted::subject(strategy).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let held = laws::check(&record, subject);
        if CLEAN.contains(&strategy) {
            assert!(held.is_ok(), "{name}: {}", held.unwrap_err());
        } else {
            assert!(held.is_err(), "{name}: the baseline no longer breaks this law");
        }
    }
    println!("{} regressions", files.len());
}

#[test]
fn every_planted_fault_can_be_built_and_is_claimed() {
    let plans = planted::plans().unwrap();
    assert!(plans.len() >= 10, "{} planted faults", plans.len());
    for plan in &plans {
        planted::build(plan).unwrap_or_else(|reason| panic!("{}: {reason}", plan.name));
        for claim in &plan.claims {
            assert!(laws::by_name(&claim.target).is_some(), "{}: {}", plan.name, claim.target);
        }
    }
}

#[test]
fn every_target_has_a_name_and_asks_a_strategy_or_not() {
    for target in laws::TARGETS {
        assert!(laws::NAMES.contains(&(target.name, target.has_subject)), "{}", target.name);
    }
    let here = |feature| match feature {
        None => true,
        Some("dedup") => cfg!(feature = "dedup"),
        Some(_) => cfg!(feature = "cache"),
    };
    let expected: Vec<&str> = laws::NAMES
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| here(laws::feature(name)))
        .collect();
    let built: Vec<&str> = laws::TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(built, expected);
}
