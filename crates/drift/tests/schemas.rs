//! Labels of pairs generated from schemas that nobody wrote.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use samecall_call::{Catalog, Tool};
use samecall_drift::sweep::{self, Swept};
use samecall_drift::testing::{combinations, schemas};

/// What is wrong of a schema; none of one that is refused.
fn wrong(schema: &str) -> Option<Option<String>> {
    // An annotation that does not fit its schema is refused.
    let tool = Tool::new("t", "", schema, None).ok()?;
    let mut catalog = Catalog::default();
    catalog.insert("t".to_owned(), tool);
    Some(match sweep::labels(&catalog) {
        Ok(Swept::Held(_)) => None,
        Ok(Swept::Contradicted(found)) => {
            let (pair, found) = *found;
            Some(format!("{schema}: {}: {}", found.found, pair.to_json()))
        }
        // Of some there is nothing to draw.
        Err(_) => return None,
    })
}

fn every(step: usize) {
    let (mut asked, mut found) = (0, Vec::new());
    for schema in combinations().step_by(step) {
        if let Some(answer) = wrong(&schema) {
            asked += 1;
            found.extend(answer);
        }
    }
    assert!(asked * step > 12_000, "{asked} schemas");
    assert!(found.is_empty(), "{} of {asked}:\n{}", found.len(), found.join("\n"));
}

/// Of so many schemas an ordinary run takes some.
#[test]
fn labels_hold_on_every_kind_with_every_keyword() {
    every(61);
}

#[test]
#[ignore = "takes minutes"]
fn labels_hold_on_all_kinds_with_all_keywords() {
    every(1);
}

/// Asks `count` schemas drawn from a seed; what is wrong is shown with a small schema.
fn drawn(seed: u8, count: usize) {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut asked, mut found) = (0, Vec::new());
    for _ in 0..count {
        let mut tree = schemas().new_tree(&mut runner).expect("a strategy without filters");
        let Some(mut answer) = wrong(&tree.current()) else { continue };
        asked += 1;
        let mut steps = 0;
        while answer.is_some() && steps < 200 && tree.simplify() {
            steps += 1;
            match wrong(&tree.current()).flatten() {
                Some(smaller) => answer = Some(smaller),
                None if tree.complicate() => {}
                None => break,
            }
        }
        found.extend(answer);
    }
    assert!(asked * 3 > count, "{asked} of {count} schemas are taken");
    assert!(found.is_empty(), "{} of {asked}:\n{}", found.len(), found.join("\n"));
}

#[test]
fn labels_hold_on_drawn_schemas() {
    drawn(1, 40);
}

#[test]
#[ignore = "takes minutes; SAMECALL_SCHEMAS=SEED:COUNT says which"]
fn labels_hold_on_many_drawn_schemas() {
    let of = std::env::var("SAMECALL_SCHEMAS").unwrap_or_else(|_| "2:10000".to_owned());
    let (seed, count) = of.split_once(':').expect("SEED:COUNT");
    drawn(seed.parse().expect("a seed to 255"), count.parse().expect("a count"));
}
