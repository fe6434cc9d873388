//! The strategies against real interpreters: CPython for the article's, Node for AgentForge and RFC 8785.

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use samecall_call::{Call, Part};
use samecall_keyer::by_name;
use serde_json::json;

use crate::common::{self, Answers, generate};

/// How many calls each test compares; `SAMECALL_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("SAMECALL_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(6_000)
}

fn runner() -> TestRunner {
    TestRunner::new(Config {
        cases: cases(),
        rng_seed: RngSeed::Fixed(20_261_130),
        failure_persistence: None,
        ..Config::default()
    })
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        Just(Part::Absent),
        Just(Part::Null),
        "[r1|-]{0,3}".prop_map(Part::Given),
        Just(Part::from("é😀")),
    ]
}

/// The call as the reference reads it.
fn described(call: &Call) -> serde_json::Value {
    let mut described = json!({"tool": call.tool, "arguments": call.arguments});
    for (name, part) in [("run_id", &call.scope.run_id), ("step", &call.scope.step)] {
        match part {
            Part::Absent => {}
            Part::Null => described[name] = serde_json::Value::Null,
            Part::Given(text) => described[name] = json!(text),
        }
    }
    described
}

/// Counts answers by kind, so that a test can show that it met each.
#[derive(Default)]
struct Seen(RefCell<std::collections::BTreeMap<String, u32>>);

impl Seen {
    fn note(&self, answer: &str) {
        let kind = if answer.starts_with('!') { answer } else { "key" };
        *self.0.borrow_mut().entry(kind.to_owned()).or_default() += 1;
    }

    fn at_least(&self, kind: &str, count: u32) {
        let seen = self.0.borrow().get(kind).copied().unwrap_or(0);
        assert!(seen >= count, "{kind}: {seen} of at least {count}");
    }
}

#[test]
fn the_articles_strategies_are_cpythons() {
    const STRATEGIES: [&str; 5] =
        ["raw", "canonical", "normalised", "scoped", "normalised-capital-t"];
    let Some(python) = Answers::python() else { return };
    let python = RefCell::new(python);
    let keyers = STRATEGIES.map(|name| by_name(name).unwrap());
    let seen = Seen::default();
    let inputs = (select_tool(), generate::arguments(), part(), part());
    runner()
        .run(&inputs, |(tool, arguments, run_id, step)| {
            let mut call = Call::new(tool, arguments);
            (call.scope.run_id, call.scope.step) = (run_id, step);
            let question =
                json!({"op": "keys", "strategies": STRATEGIES, "call": described(&call)});
            let answers = python.borrow_mut().ask(&question);
            for keyer in &keyers {
                let expected = match &answers[keyer.name()] {
                    answer if answer["ok"].is_string() => answer["ok"].as_str().unwrap().to_owned(),
                    answer => format!("!{}", answer["error"].as_str().unwrap()),
                };
                seen.note(&expected);
                let ours = common::answer(&**keyer, &call);
                prop_assert_eq!(ours, expected, "{} of {:?}", keyer.name(), call);
            }
            Ok(())
        })
        .unwrap();
    seen.at_least("key", 10_000);
    for exception in ["!JSONDecodeError", "!AttributeError", "!OverflowError", "!ValueError"] {
        seen.at_least(exception, 50);
    }
}

#[test]
fn agentforge_and_jcs_are_nodes() {
    let Some(node) = Answers::start("node", "node/reference.js") else {
        println!("skipped: no node found");
        return;
    };
    let node = RefCell::new(node);
    let (agentforge, jcs) = (by_name("agentforge").unwrap(), by_name("jcs").unwrap());
    let (seen, seen_jcs) = (Seen::default(), Seen::default());
    runner()
        .run(&(select_tool(), generate::arguments()), |(tool, arguments)| {
            let call = Call::new(tool, arguments);
            let answers = node.borrow_mut().ask(&described(&call));
            let expected = answers["agentforge"].as_str().unwrap();
            seen.note(expected);
            prop_assert_eq!(common::answer(&*agentforge, &call), expected, "{:?}", call);
            // I-JSON refuses more than JavaScript does; what it accepts is what JavaScript writes.
            let ours = common::answer(&*jcs, &call);
            seen_jcs.note(&ours);
            let expected = answers["jcs"].as_str().unwrap();
            if !ours.starts_with('!') {
                prop_assert_eq!(ours, expected, "{:?}", call);
            } else {
                let is_unreadable = ours == "!invalid_json";
                prop_assert_eq!(is_unreadable, expected == "!SyntaxError", "{} {:?}", ours, call);
            }
            Ok(())
        })
        .unwrap();
    seen.at_least("key", 3_000);
    seen.at_least("!SyntaxError", 50);
    seen.at_least("!TypeError", 5);
    seen_jcs.at_least("key", 800);
    for reason in [
        "integer_out_of_range",
        "number_out_of_range",
        "duplicate_name",
        "lone_surrogate",
        "noncharacter",
    ] {
        seen_jcs.at_least(&format!("!{reason}"), 20);
    }
}

fn select_tool() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["charge_card", "a", "ß|", ""][..])
}
