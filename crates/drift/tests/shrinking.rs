//! Shrunk values keep their label: every prefix and every damped form of a tape makes a true pair.

use proptest::prelude::*;
use samecall_call::Truth;
use samecall_drift::testing::{AnyPair, changes, intents, spellings};
use samecall_drift::{builtin_catalog, truth};

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spellings_are_retries(pair in spellings()) {
        prop_assert_eq!(pair.truth, Truth::Retry);
        prop_assert!(truth::check(&pair, &builtin_catalog()).is_ok(), "{}", pair.to_json());
    }

    #[test]
    fn changes_are_distinct(pair in changes()) {
        prop_assert_eq!(pair.truth, Truth::Distinct);
        prop_assert!(truth::check(&pair, &builtin_catalog()).is_ok(), "{}", pair.to_json());
    }

    #[test]
    fn pairs_are_true(AnyPair(pair) in any::<AnyPair>()) {
        prop_assert!(truth::check(&pair, &builtin_catalog()).is_ok(), "{}", pair.to_json());
    }

    #[test]
    fn intents_equal_themselves(call in intents()) {
        let catalog = builtin_catalog();
        let tool = catalog.by_name(&call.tool).expect("a tool of the catalog");
        let meaning = truth::intent(&call, tool, false);
        prop_assert!(meaning.is_ok(), "{}", call.to_json());
        prop_assert_eq!(meaning, truth::intent(&call, tool, false));
    }
}

#[test]
fn shrinking_ends_at_a_true_pair() {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;

    let catalog = builtin_catalog();
    let mut runner = TestRunner::deterministic();
    for _ in 0..20 {
        let mut tree = changes().new_tree(&mut runner).expect("a strategy without filters");
        let mut steps = 0;
        loop {
            let pair = tree.current();
            assert_eq!(pair.truth, Truth::Distinct);
            assert!(truth::check(&pair, &catalog).is_ok(), "{}", pair.to_json());
            steps += 1;
            if steps > 300 || !tree.simplify() {
                break;
            }
        }
    }
}
