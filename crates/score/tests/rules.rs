//! The interaction matrix finds the known faults of the article's rules by itself, and none in the typed rules.

use samecall_call::rules::{Cell, Interaction, InteractionKind, Matrix};
use samecall_drift::{Generator, Profile, builtin_catalog};
use samecall_score::{RuleList, Search, exhaustive, interactions, laws};

fn generator() -> Generator {
    let profile = Profile::builtin("hostile").unwrap();
    Generator::new(&builtin_catalog(), &profile, 7, 3).unwrap()
}

fn matrix(strategy: &str, values: u64) -> Matrix {
    let list = RuleList::of(strategy).unwrap();
    interactions(&list, &builtin_catalog(), &generator(), Search { values, seed: 7 })
}

fn find<'m>(
    matrix: &'m Matrix,
    first: &str,
    second: &str,
    kind: InteractionKind,
) -> Option<&'m Interaction> {
    let at = |cell: &&Cell| cell.first == first && cell.second == second;
    matrix.cells.iter().find(at)?.interactions.iter().find(|found| found.kind == kind)
}

#[test]
fn folding_case_disables_the_capital_timestamp_rule() {
    let matrix = matrix("normalised-capital-t", 6_000);
    let found =
        find(&matrix, "case-fold", "timestamp-capital-t", InteractionKind::Disables).unwrap();
    assert!(found.open > 0);
    // The shortest timestamp that there is.
    assert_eq!(found.example.value.len(), "\"0000-00-00T00:00:00Z\"".len(), "{:?}", found.example);
    assert!(found.example.first_then_second.contains('t'), "{:?}", found.example);
    assert!(found.example.second_then_first.contains('T'), "{:?}", found.example);
}

#[test]
fn the_number_rule_swallows_padding_and_the_whole_is_not_idempotent() {
    let matrix = matrix("normalised", 6_000);
    let names = RuleList::of("normalised").unwrap().names();
    let number = names.iter().position(|name| *name == "integer-text").unwrap();
    let [padded, plain] = matrix.equates[number].clone().unwrap();
    assert_eq!((padded.as_str(), plain.as_str()), ("\"00\"", "\"0\""));
    // In C as it stands the timestamp rule reads what folding leaves.
    assert!(find(&matrix, "case-fold", "timestamp", InteractionKind::Disables).is_none());

    assert!(matrix.idempotence.broken > 0);
    let example = matrix.idempotence.example.as_ref().unwrap();
    let chars = example.value.replace("\\u", "").chars().count();
    assert!(chars <= 2 + 1 + 4, "two characters: {example:?}");
    let found = find(&matrix, "case-fold", "nfc", InteractionKind::Retriggers).unwrap();
    assert!(found.open > 0, "{found:?}");
    // The list in its order runs NFC before folding: a mark after `ß` meets an `s` too late.
    let list = RuleList::of("normalised").unwrap();
    assert!(list.is_ordered());
    let found = find(&matrix, "strip", "integer-text", InteractionKind::Retriggers).unwrap();
    assert_eq!(found.open, 0, "stripping comes first, so that nothing is left open");
}

#[test]
fn sharp_s_and_a_mark_are_found_as_they_stand() {
    let list = RuleList::of_rules("two", &["nfc", "case-fold"]).unwrap();
    let matrix =
        interactions(&list, &builtin_catalog(), &generator(), Search { values: 6_000, seed: 7 });
    let found = find(&matrix, "case-fold", "nfc", InteractionKind::Retriggers).unwrap();
    assert!(found.open > 0);
    let undone = find(&matrix, "nfc", "case-fold", InteractionKind::Undoes).unwrap();
    assert_eq!(undone.example.value, undone.example.second_then_first);
}

#[test]
fn nothing_is_open_in_the_typed_rules() {
    let matrix = matrix("typed", 3_000);
    let unused: Vec<_> = RuleList::of("typed")
        .unwrap()
        .names()
        .into_iter()
        .zip(&matrix.applied)
        .filter(|(name, n)| **n == 0 && *name != "payload-apart")
        .collect();
    assert!(unused.is_empty(), "rules that no value exercised: {unused:?}");
    assert_eq!(matrix.idempotence.broken, 0, "{:?}", matrix.idempotence);
    assert_eq!(matrix.order.broken, 0, "{:?}", matrix.order);
    for cell in &matrix.cells {
        for found in &cell.interactions {
            assert!(found.open == 0 || cell.explanation.is_some(), "{cell:?}");
        }
    }
}

#[test]
fn the_laws_of_typed_hold() {
    typed_laws(5_000);
}

#[test]
#[ignore = "some minutes: the same on a million values; cargo test --release -- --ignored"]
fn the_laws_of_typed_hold_on_a_million_values() {
    typed_laws(1_000_000);
}

fn typed_laws(values: u64) {
    let list = RuleList::of("typed").unwrap();
    let [idempotence, order] =
        laws(&list, &builtin_catalog(), &generator(), Search { values, seed: 11 });
    println!("{} and {} values", idempotence.values, order.values);
    // Calls that have no key are no subject of a law; they must not be most.
    assert!(idempotence.values > values * 3 / 4);
    assert_eq!(idempotence.broken, 0, "{:?}", idempotence.example);
    assert_eq!(order.broken, 0, "{:?}", order.example);
}

#[test]
fn typed_holds_on_all_short_strings_of_every_kind() {
    every_string(2);
}

#[test]
#[ignore = "some minutes: the same on strings of five symbols; cargo test --release -- --ignored"]
fn typed_holds_on_all_strings_of_five_symbols() {
    every_string(5);
}

fn every_string(longest: u32) {
    let found = exhaustive(&RuleList::of("typed").unwrap(), longest, 7);
    assert!(found.len() > 20, "the kinds of the table");
    for kind in &found {
        let symbols = kind.alphabet.len() as u64;
        assert_eq!(kind.states, (0..=longest).map(|n| symbols.pow(n)).sum::<u64>());
        assert!(kind.values >= kind.states && kind.idempotence.values > 0, "{kind:?}");
        assert_eq!(kind.idempotence.broken, 0, "{}: {:?}", kind.kind, kind.idempotence);
        assert_eq!(kind.order.broken, 0, "{}: {:?}", kind.kind, kind.order);
        for cell in &kind.open {
            assert!(cell.explanation.is_some(), "{}: {cell:?}", kind.kind);
        }
    }
    assert!(exhaustive(&RuleList::of("normalised").unwrap(), longest, 7).is_empty());
}

#[test]
fn the_same_seed_gives_the_same_matrix_and_another_one_does_not() {
    let list = RuleList::of("normalised").unwrap();
    let of = |seed| {
        interactions(&list, &builtin_catalog(), &generator(), Search { values: 6_000, seed })
    };
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

#[test]
fn names_that_are_none_are_told_with_those_that_are() {
    let error = RuleList::of("raw").unwrap_err().to_string();
    assert!(error.contains("`raw`") && error.contains("typed-scoped"), "{error}");
    let error = RuleList::of_rules("mine", &["stripe"]).unwrap_err().to_string();
    assert!(error.contains("`stripe`") && error.contains("collapse-space"), "{error}");
}
