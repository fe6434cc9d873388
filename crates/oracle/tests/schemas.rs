//! Laws of calls on tools that nobody wrote: what the generator draws of any schema is keyed as it should be.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use samecall_drift::testing::schemas;
use samecall_oracle::Broken;
use samecall_oracle::catalog::{self, Seen};
use samecall_oracle::subject::Subject;

/// Asks `count` schemas drawn from a seed, with `pairs` pairs of calls each.
fn drawn(seed: u8, count: usize, pairs: u16) {
    let subject = Subject::named("typed-scoped").expect("a strategy that ships");
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut keyed = 0;
    let mut broken: Vec<(String, Broken)> = Vec::new();
    for _ in 0..count {
        let schema = schemas().new_tree(&mut runner).expect("a strategy without filters").current();
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
    assert!(keyed > count * usize::from(pairs) / 4, "{keyed} pairs of {count} schemas are keyed");
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
