//! Keys are kept in stores for days, so they must not change unnoticed: what `typed-scoped` makes of every call of
//! `pairs.jsonl` is on record in `keys.txt`, and so is all that it says about it.
//!
//! Whether a key is right is not for this file to say; `pairs.jsonl` and the laws do. Where a key is meant to change,
//! raise `VERSION` in `frame.rs`, so that no store mistakes an old one. Then, and where only words or pairs are new,
//! write the record anew: `SAMECALL_BLESS=1 cargo test -p samecall-keyer --test keyer stable`.

use std::fmt::Write;
use std::path::Path;

use samecall_call::{Call, Catalog, Resolver, Tool};
use samecall_keyer::typed::{RuleSet, TypedProse, TypedRule, TypedScoped, canonical, respelled};
use samecall_keyer::{Key, Keyer, Outcome};

use super::pairs;

/// What all public ways to look at a call say of it, the key aside.
fn said(call: &Call, tool: Option<&Tool>) -> String {
    let mut said = String::new();
    let fewer = TypedRule::ALL.iter().map(|rule| RuleSet::ALL.without(*rule));
    for rules in [RuleSet::ALL, RuleSet::NONE].into_iter().chain(fewer) {
        let _ = writeln!(said, "{:?}", canonical(call, tool, rules));
        let _ = writeln!(said, "{:?}", respelled(call, tool, rules).map(|call| call.arguments));
    }
    let _ = writeln!(said, "{:?}", TypedScoped::default().explain(call, tool));
    let _ = writeln!(said, "{:?}", TypedProse::default().explain(call, tool));
    said
}

fn record(call: &Call, tool: Option<&Tool>) -> String {
    let key = match TypedScoped::default().key(call, tool) {
        Outcome::Key(keyed) => keyed.key.to_string(),
        Outcome::Refused(refusal) => refusal.code().to_owned(),
    };
    let said = Key::of(said(call, tool).as_bytes()).to_string();
    format!("{key} {}", &said[..16])
}

#[test]
fn keys_and_explanations_are_those_on_record() {
    let resolver = Resolver::new(Catalog::default());
    let mut now = String::new();
    let mut calls = Vec::new();
    for (pair, _) in pairs::cases() {
        let [a, b] = resolver.resolve_pair(&pair).unwrap_or_else(|e| panic!("{}: {e}", pair.id));
        for (side, call, tool) in [("a", pair.a, a), ("b", pair.b, b)] {
            let _ = writeln!(now, "{} {side} {}", pair.id, record(&call, tool.as_deref()));
            calls.push((call, tool));
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typed/keys.txt");
    if std::env::var_os("SAMECALL_BLESS").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        kept.lines().count(),
        now.lines().count(),
        "calls on record and in pairs.jsonl; SAMECALL_BLESS=1 writes the record anew"
    );
    for ((kept, now), (call, tool)) in kept.lines().zip(now.lines()).zip(&calls) {
        let said = || said(call, tool.as_deref());
        assert_eq!(kept, now, "on record and now, of {}:\n{}", call.arguments, said());
    }
}
