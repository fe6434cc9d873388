//! Incidents of the field that a store must not repeat, by the ids of the collection that they were taken from.

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use futures_executor::block_on;
use samecall_call::Call;
use samecall_keyer::{Outcome, by_name};
use samecall_store::guard::{Answer, Guard, Kept, OnUnknown, Policy, Report};
use samecall_store::{
    Fences, Finding, ManualClock, MemoryStore, Recorded, Resolution, Store, StoreKey,
};
use support::START;

const DAY: Duration = Duration::from_secs(24 * 3600);

fn guard() -> (Guard<MemoryStore>, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at(START));
    let store = MemoryStore::new(clock.clone(), Fences::named(7));
    let keyer = by_name("typed-scoped").expect("a keyer");
    (Guard::new(keyer.into(), store, Policy::new(OnUnknown::Refuse)), clock)
}

fn call(tool: &str, step: &str, arguments: &str) -> Call {
    Call::new(tool, arguments).at("r1", step)
}

fn run(guard: &Guard<MemoryStore>, call: &Call, report: Report) -> Answer {
    block_on(guard.run(call, |_| async move { report })).expect("a healthy store")
}

fn landed() -> Report {
    Report::Landed(b"ok".as_slice().into())
}

/// inc01: a turn that is retried as a whole has one effect for each call; ids of calls are no part of a key.
#[test]
fn inc01_a_retried_turn_has_one_effect() {
    let (guard, _) = guard();
    let charge = call("charge", "1", r#"{"order": "o-9", "amount": "41.00"}"#);
    assert!(run(&guard, &charge, landed()).ran());
    for _ in 0..2 {
        assert!(matches!(run(&guard, &charge, landed()), Answer::Replayed { .. }));
    }
}

/// inc03: a turn that is resumed replays what was done, in any order, and runs the one that failed.
#[test]
fn inc03_a_resumed_turn_replays_in_any_order() {
    let (guard, _) = guard();
    let mail = call("mail", "2", r#"{"to": "bo@x.io"}"#);
    let set = call("db_set", "2", r#"{"row": 5, "done": true}"#);
    let ping = call("ping", "2", r#"{"ch": "ops"}"#);
    assert!(run(&guard, &mail, landed()).ran());
    assert!(run(&guard, &set, landed()).ran());
    let failed = run(&guard, &ping, Report::FailedBefore(b"error".as_slice().into()));
    assert!(matches!(failed, Answer::Ran { kept: Kept::Freed, .. }), "{failed:?}");
    assert!(matches!(run(&guard, &set, landed()), Answer::Replayed { .. }));
    assert!(matches!(run(&guard, &mail, landed()), Answer::Replayed { .. }));
    assert!(run(&guard, &ping, landed()).ran());
}

/// inc05: an error after dispatch is neither replayed as if it were fresh nor run again: it is unknown, and said to be.
#[test]
fn inc05_an_error_after_dispatch_is_unknown() {
    let (guard, _) = guard();
    let transfer = call("transfer", "1", r#"{"to": "acct-3", "minor": 10}"#);
    let first = run(&guard, &transfer, Report::FailedAfter(b"not due".as_slice().into()));
    assert!(matches!(first, Answer::Ran { kept: Kept::Unknown, .. }), "{first:?}");
    for _ in 0..3 {
        let again = run(&guard, &transfer, landed());
        assert!(matches!(again, Answer::Unknown { since: START, .. }), "{again:?}");
    }
    // An error before dispatch is free to be tried again.
    let other = call("transfer", "1", r#"{"to": "acct-4", "minor": 10}"#);
    run(&guard, &other, Report::FailedBefore(b"no route".as_slice().into()));
    assert!(run(&guard, &other, landed()).ran());
}

/// inc06: two deliveries of one call some milliseconds apart have one effect; the claim is atomic.
#[test]
fn inc06_two_deliveries_at_once_have_one_effect() {
    let (guard, _) = guard();
    for step in 0..200 {
        let ticket =
            call("create_ticket", &step.to_string(), &format!(r#"{{"title": "T{step}"}}"#));
        let (effects, barrier) = (AtomicUsize::new(0), Barrier::new(2));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    barrier.wait();
                    let run = guard.run(&ticket, |_| async {
                        effects.fetch_add(1, Ordering::Relaxed);
                        landed()
                    });
                    let answer = block_on(run).expect("a healthy store");
                    let is_one = matches!(
                        answer,
                        Answer::Ran { .. } | Answer::InFlight { .. } | Answer::Replayed { .. }
                    );
                    assert!(is_one, "{answer:?}");
                });
            }
        });
        assert_eq!(effects.load(Ordering::Relaxed), 1, "step {step}");
    }
}

/// inc08: a node that is resumed starts from its top: what it did before the interrupt is replayed, by content and not by
/// how often the node was visited, and what is new runs.
#[test]
fn inc08_a_resumed_node_repeats_nothing() {
    let (guard, _) = guard();
    let post = |text: &str| call("post", "review", &format!(r#"{{"ch": "qa", "m": "{text}"}}"#));
    assert!(run(&guard, &post("draft 1"), landed()).ran());
    for _ in 0..3 {
        assert!(matches!(run(&guard, &post("draft 1"), landed()), Answer::Replayed { .. }));
    }
    assert!(run(&guard, &post("draft 2"), landed()).ran());
}

/// inc10: calls of one step that are recovered in another order are the same calls.
#[test]
fn inc10_recovery_in_another_order_repeats_nothing() {
    let (guard, _) = guard();
    for tool in ["a", "b"] {
        assert!(run(&guard, &call(tool, "1", "{}"), landed()).ran());
    }
    for tool in ["b", "a"] {
        assert!(matches!(run(&guard, &call(tool, "1", "{}"), landed()), Answer::Replayed { .. }));
    }
}

/// inc12: a streamed call that is emitted twice, the second time with a blank more, is one call.
#[test]
fn inc12_a_call_that_is_emitted_twice_has_one_effect() {
    let (guard, _) = guard();
    assert!(run(&guard, &call("search", "1", r#"{"q":"a"}"#), landed()).ran());
    let again = run(&guard, &call("search", "1", r#"{"q":"a"} "#), landed());
    assert!(matches!(again, Answer::Replayed { .. }), "{again:?}");
}

/// inc15: a refusal had no effect, so it is not what the next attempt gets once it has done what was asked.
#[test]
fn inc15_a_refusal_is_not_replayed() {
    let (guard, _) = guard();
    let write = call("write", "1", r#"{"p": "a"}"#);
    let refused = run(&guard, &write, Report::NoEffect(b"read first".as_slice().into()));
    assert!(matches!(refused, Answer::Ran { kept: Kept::Freed, .. }), "{refused:?}");
    assert!(run(&guard, &call("read", "2", r#"{"p": "a"}"#), landed()).ran());
    // At the same step, and at a later one: neither replayed nor suspect.
    let later = call("write", "3", r#"{"p": "a"}"#);
    assert!(run(&guard, &later, Report::NoEffect(b"read first".as_slice().into())).ran());
    assert!(run(&guard, &write, landed()).ran());
}

/// inc17: the key is taken once, from a copy: nothing that an effect does to its arguments moves the record.
#[test]
fn inc17_an_effect_that_changes_its_arguments_completes_its_own_claim() {
    let (guard, _) = guard();
    let crm = call("crm", "1", r#"{"c": {"id": 3, "v": 1}}"#);
    let answer = block_on(guard.run(&crm, |mut dispatch| async move {
        dispatch.call.arguments.clear();
        dispatch.idempotency_key.clear();
        assert!(dispatch.heartbeat().await.is_ok());
        landed()
    }));
    assert!(matches!(answer, Ok(Answer::Ran { kept: Kept::Recorded, .. })), "{answer:?}");
    let reordered = call("crm", "1", r#"{"c": {"v": 1, "id": 3}}"#);
    assert!(matches!(run(&guard, &reordered, landed()), Answer::Replayed { .. }));
    let mut other_user = crm;
    other_user.scope.tenant = Some("u2".into());
    assert!(run(&guard, &other_user, landed()).ran());
}

/// inc19: a success without results had no effect to protect: it is handed on, and the next call runs.
#[test]
fn inc19_an_empty_answer_is_not_kept() {
    let (guard, clock) = guard();
    let search = call("search", "1", r#"{"q": "x"}"#);
    assert!(run(&guard, &search, Report::NoEffect(b"[]".as_slice().into())).ran());
    clock.advance(Duration::from_secs(60));
    let second = run(&guard, &search, Report::Landed(b"[1]".as_slice().into()));
    assert!(second.ran());
    assert_eq!(second.bytes().map(|bytes| bytes.to_vec()), Some(b"[1]".to_vec()));
}

/// inc23: arguments that were cut by the token limit are neither claimed nor run, nor taken for the shorter call.
#[test]
fn inc23_a_cut_call_is_refused_and_claims_nothing() {
    let (guard, _) = guard();
    let cut = run(&guard, &call("sh", "1", r#"{"cmds":["make""#), landed());
    assert!(matches!(cut, Answer::Refused(_)), "{cut:?}");
    assert!(guard.store().is_empty());
    assert!(run(&guard, &call("sh", "1", r#"{"cmds":["make"]}"#), landed()).ran());
    assert!(run(&guard, &call("sh", "1", r#"{"cmds":["make","make test"]}"#), landed()).ran());
}

/// inc30: an approval is decided once, also by two who decide at the same time or after the end; a second decision gets
/// nothing.
#[test]
fn inc30_a_second_decision_is_refused() {
    let (guard, clock) = guard();
    let wire = call("wire", "1", r#"{"approval": "p1"}"#);
    assert!(matches!(
        run(&guard, &wire, Report::FailedAfter(b"suspended".as_slice().into())),
        Answer::Ran { kept: Kept::Unknown, .. }
    ));
    let Answer::Unknown { fence, .. } = run(&guard, &wire, landed()) else {
        panic!("a suspended call is not unknown")
    };
    let store = guard.store();
    let keyer = by_name("typed-scoped").expect("a keyer");
    let Outcome::Key(keyed) = keyer.key(&wire, None) else { panic!("a call with a key") };
    // The scope of a call without a tenant.
    let key = StoreKey::new("-", &keyed.key.to_string());
    let deny = Finding::Landed { result: Recorded::error(b"denied".as_slice()), ttl: DAY };
    let denied = block_on(store.resolve(&key, fence, &deny)).expect("a healthy store");
    assert!(matches!(denied, Resolution::Settled { .. }), "{denied:?}");
    clock.advance(Duration::from_secs(60));
    let approve = Finding::RunAgain { owner: "again".into(), lease: DAY };
    for second in [approve, Finding::NotLanded, deny] {
        assert_eq!(block_on(store.resolve(&key, fence, &second)), Ok(Resolution::Stale));
    }
    let again = run(&guard, &wire, landed());
    assert!(matches!(&again, Answer::Replayed { result, .. } if result.error), "{again:?}");
}

/// inc31: many identical calls of one batch are one effect, unless the framework counts their occurrences.
#[test]
fn inc31_a_batch_of_twins_runs_once_or_as_often_as_counted() {
    let (guard, _) = guard();
    let make = call("sh", "1", r#"{"c": "make"}"#);
    let ran = (0..9).filter(|_| run(&guard, &make, landed()).ran()).count();
    assert_eq!(ran, 1);
    let counted = (0..3).filter(|occurrence| {
        let mut twin = call("sh", "1", r#"{"c": "make test"}"#);
        twin.scope.occurrence = Some(*occurrence);
        run(&guard, &twin, landed()).ran()
    });
    assert_eq!(counted.count(), 3);
}
