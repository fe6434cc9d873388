//! Pairs with the verdict that the rules give them, one a line of `pairs.jsonl`: what must be equal beside what must
//! not, sentence by sentence. A line is a pair of the corpus with one member more, `expect`.

use std::collections::BTreeMap;

use samecall_call::{Catalog, Pair, Resolver, Verdict, parse_record};
use samecall_keyer::typed::TypedScoped;
use samecall_keyer::{Keyer, verdict};

/// A pair and the verdict that `typed-scoped` must give.
pub(super) fn cases() -> Vec<(Pair, String)> {
    include_str!("pairs.jsonl")
        .lines()
        .enumerate()
        .map(|(at, line)| {
            parse_record(line, |value| {
                let expect = value.get("expect").and_then(super::Value::as_str).unwrap_or_default();
                Ok((Pair::from_value(value)?, expect.to_owned()))
            })
            .unwrap_or_else(|e| panic!("pairs.jsonl, line {}: {e}", at + 1))
        })
        .collect()
}

fn of(pair: &Pair, resolver: &Resolver) -> Verdict {
    let keyer = TypedScoped::default();
    let [a, b] = resolver.resolve_pair(pair).unwrap_or_else(|e| panic!("{}: {e}", pair.id));
    verdict(&keyer.key(&pair.a, a.as_deref()), &keyer.key(&pair.b, b.as_deref()))
}

#[test]
fn every_pair_has_its_verdict_in_either_order() {
    let resolver = Resolver::new(Catalog::default());
    let mut wrong = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (pair, expect) in cases() {
        *seen.entry(expect.clone()).or_default() += 1;
        let mut turned = pair.clone();
        std::mem::swap(&mut turned.a, &mut turned.b);
        for (order, pair) in [("written", &pair), ("turned", &turned)] {
            let found = of(pair, &resolver);
            if found.to_string() != expect {
                wrong.push(format!("{} ({order}): {}: {found}, not {expect}", pair.id, pair.why));
            }
        }
    }
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
    for expect in ["same", "different", "conflict", "suspect", "refused"] {
        assert!(seen.get(expect).is_some_and(|n| *n >= 8), "{expect} is hardly tried: {seen:?}");
    }
}

#[test]
fn every_call_is_itself_or_refused() {
    let resolver = Resolver::new(Catalog::default());
    for (pair, _) in cases() {
        for call in [&pair.a, &pair.b] {
            let twice = Pair { a: call.clone(), b: call.clone(), ..pair.clone() };
            let found = of(&twice, &resolver);
            assert!(matches!(found, Verdict::Same | Verdict::Refused), "{}: {found}", pair.id);
        }
    }
}
