//! Laws of calls on tools that nobody wrote: what the generator draws of any schema is keyed as it should be.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use samecall_drift::testing::{combinations, schemas};
use samecall_oracle::Broken;
use samecall_oracle::catalog::{self, Seen};
use samecall_oracle::subject::Subject;

/// Asks `count` schemas drawn from a seed, with `pairs` pairs of calls each.
fn drawn(seed: u8, count: usize, pairs: u16) {
    let subject = Subject::named("typed-scoped").expect("a strategy that ships");
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut keyed, mut alone) = (0, 0);
    let mut broken: Vec<(String, Broken)> = Vec::new();
    for _ in 0..count {
        let schema = schemas().new_tree(&mut runner).expect("a strategy without filters").current();
        match catalog::check_values(&schema, &subject) {
            Ok(calls) => alone += calls,
            Err(found) => {
                broken.push((schema, *found));
                continue;
            }
        }
        for pair in 1..=pairs {
            match catalog::check_schema(&schema, &pair.to_le_bytes(), &subject) {
                Ok(Seen::Drawn) => keyed += 1,
                Ok(Seen::Read) => {}
                Ok(Seen::Refused) => break,
                Err(found) => {
                    broken.push((schema.clone(), *found));
                    break;
                }
            }
        }
    }
    for (schema, found) in &broken {
        println!("{schema}\n  {found:?}");
    }
    assert!(broken.is_empty(), "{} of {count} schemas", broken.len());
    assert!(alone > count * 20, "{alone} calls of {count} schemas say one thing alone");
    assert!(keyed > count * usize::from(pairs) / 4, "{keyed} pairs of {count} schemas are keyed");
}

fn every(step: usize) {
    let subject = Subject::named("typed-scoped").expect("a strategy that ships");
    let (mut asked, mut found) = (0, Vec::new());
    for schema in combinations().step_by(step) {
        match catalog::check_values(&schema, &subject) {
            // An annotation that does not fit its schema is refused.
            Ok(0) => {}
            Ok(_) => asked += 1,
            Err(broken) => found.push(format!("{schema}\n  {broken:?}")),
        }
    }
    assert!(asked * step > 12_000, "{asked} schemas");
    assert!(found.is_empty(), "{} of {asked}:\n{}", found.len(), found.join("\n"));
}

/// Of so many schemas an ordinary run takes some.
#[test]
fn single_values_are_at_rest_on_every_kind_with_every_keyword() {
    every(61);
}

#[test]
#[ignore = "for `just schemas all`"]
fn single_values_are_at_rest_on_all_kinds_with_all_keywords() {
    every(1);
}

#[test]
fn laws_hold_on_drawn_schemas() {
    drawn(1, 60, 40);
}

#[test]
#[ignore = "takes minutes; SAMECALL_SCHEMAS=SEED:COUNT says which"]
fn laws_hold_on_many_drawn_schemas() {
    let of = std::env::var("SAMECALL_SCHEMAS").unwrap_or_else(|_| "2:10000".to_owned());
    let (seed, count) = of.split_once(':').expect("SEED:COUNT");
    drawn(seed.parse().expect("a seed to 255"), count.parse().expect("a count"), 400);
}
