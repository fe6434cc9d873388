//! The laws of the tool-call cache on drawn histories, and planted faults that they must find.
#![cfg(feature = "cache")]

use proptest::prelude::*;
use samecall_cache::{Cache, Invalidates, Keep, Outcome, Policies, Summary, ToolPolicy};
use samecall_call::Call;
use samecall_oracle::cache::{self, Real, Seen, Subject, Who, policies};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

fn history() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..400)
}

#[test]
fn drawn_histories_keep_the_laws() {
    let all = Mutex::new(Seen::default());
    proptest!(ProptestConfig::with_cases(600), |(bytes in history())| {
        let seen = cache::check(&bytes).unwrap_or_else(|broken| panic!("{broken}"));
        if let Ok(mut all) = all.lock() {
            all.add(seen);
        }
    });
    let seen = all.into_inner().unwrap();
    for count in [
        seen.hits,
        seen.respelled,
        seen.expired,
        seen.invalidated,
        seen.foreign,
        seen.failed,
        seen.evicted,
    ] {
        assert!(count > 50, "{seen:?}");
    }
}

/// A faulty cache: the real one with something between.
struct Faulty {
    real: Real,
    fault: Fault,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    CrossesTenants,
    CrossesExecutions,
    StaleClock,
    ErrorsKept,
    EmptyKept,
    WritesKept,
    NoInvalidation,
    NoBoundOnEntries,
    NoBoundOnBytes,
    OtherBytes,
    NeverHits,
    CountsWrongly,
}

impl Faulty {
    fn new(fault: Fault) -> Self {
        let mut policies = policies();
        match fault {
            Fault::ErrorsKept => policies.defaults.errors = Keep::Always,
            Fault::EmptyKept => {
                let find = ToolPolicy {
                    cache: Some(Keep::Always),
                    empty: Some(Keep::Always),
                    ..ToolPolicy::default()
                };
                policies = policies.with("find", find);
            }
            Fault::WritesKept => {
                let write = ToolPolicy {
                    cache: Some(Keep::Always),
                    invalidates: Invalidates::Tools(vec!["read".to_owned()]),
                    ..ToolPolicy::default()
                };
                policies = policies.with("write", write);
            }
            Fault::NoInvalidation => policies = policies.with("write", ToolPolicy::default()),
            Fault::NoBoundOnEntries => policies.limits.entries = 100,
            Fault::NoBoundOnBytes => policies.limits.bytes = 1 << 20,
            _ => {}
        }
        Faulty { real: Real::new(policies, fault != Fault::NeverHits), fault }
    }

    fn who(&self, who: Who) -> Who {
        match self.fault {
            Fault::CrossesTenants => Who { tenant: 0, ..who },
            Fault::CrossesExecutions => Who { execution: 0, ..who },
            _ => who,
        }
    }
}

impl Subject for Faulty {
    fn ask(&mut self, who: Who, call: &Call, gives: Option<Outcome>) -> (Option<Outcome>, bool) {
        let (got, ran) = self.real.ask(self.who(who), call, gives);
        match got {
            Some(got) if !ran && self.fault == Fault::OtherBytes => {
                (Some(Outcome::ok([&got.bytes, b" ".as_slice()].concat())), ran)
            }
            got => (got, ran),
        }
    }

    fn wait(&mut self, length: Duration) {
        self.real.wait(if self.fault == Fault::StaleClock { length / 2 } else { length });
    }

    fn end(&mut self, who: Who) -> Summary {
        match self.fault {
            Fault::CountsWrongly => {
                let summary = self.real.end(who);
                Summary { prevented: summary.prevented + 1, ..summary }
            }
            _ => self.real.end(self.who(who)),
        }
    }

    fn size(&self) -> (usize, usize) {
        self.real.size()
    }
}

/// The classes of the laws that drawn histories break.
fn broken_by(fault: Fault) -> BTreeSet<&'static str> {
    // A small generator of its own: the same histories on every run.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    let histories = (0..200).map(|_| {
        let bytes: Vec<u8> = (0..400).map(|_| byte()).collect();
        cache::check_steps(&mut Faulty::new(fault), &cache::steps(&bytes))
    });
    histories.filter_map(|found| found.err().map(|(class, _)| class)).collect()
}

#[test]
fn planted_faults_are_found_by_the_law_that_claims_them() {
    assert_eq!(
        broken_by(Fault::None),
        BTreeSet::new(),
        "the real cache passes where the faulty ones fail"
    );
    for (fault, class) in [
        (Fault::CrossesTenants, "foreign"),
        (Fault::CrossesExecutions, "foreign"),
        (Fault::StaleClock, "age"),
        (Fault::ErrorsKept, "foreign"),
        (Fault::EmptyKept, "age"),
        (Fault::WritesKept, "foreign"),
        (Fault::NoInvalidation, "invalidation"),
        (Fault::NoBoundOnEntries, "entries"),
        (Fault::NoBoundOnBytes, "size"),
        (Fault::OtherBytes, "bytes"),
        (Fault::NeverHits, "lost"),
        (Fault::CountsWrongly, "summary"),
    ] {
        let found = broken_by(fault);
        assert!(found.contains(class), "{fault:?} must break `{class}`: {found:?}");
    }
    let steps = cache::steps(&[5, 0, 0, 27, 5, 0, 0, 27]);
    let left_on = cache::disabled(&mut Real::new(policies(), true), &steps);
    assert!(left_on.is_err(), "a cache that answers although it is switched off");
    let loose = cache::single_flight(8, 0, &|_, tool| tool());
    assert!(loose.is_err(), "a cache that runs the tool for every caller");
}

#[test]
fn one_of_64_callers_runs_the_tool_and_a_panic_passes_it_on() {
    for dying in [0, 1, 5] {
        let read = ToolPolicy { cache: Some(Keep::Always), ..ToolPolicy::default() };
        let cache =
            Cache::builder().policies(Policies::default().with("read", read)).build().unwrap();
        let execution = cache.execution(Some("t"), "run");
        let run =
            |call: &Call, tool: &dyn Fn() -> Outcome| execution.run_blocking(call, tool).outcome;
        assert_eq!(cache::single_flight(64, dying, &run), Ok(()));
        let summary = execution.end();
        assert_eq!(summary.executed as usize, dying + 1);
        assert_eq!(summary.prevented as usize, 63 - dying);
        assert_eq!(summary.abandoned as usize, dying);
    }
}
