//! The guard over a store that keeps the contract: what is run, what is not, and what is said of it.

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_executor::block_on;
use samecall_call::{Attempt, Call, Catalog};
use samecall_keyer::by_name;
use samecall_store::guard::{
    Answer, BoxFuture, Decision, Errors, Found, Guard, Inquiry, Kept, OnQuestion, OnUnknown,
    Policy, Question, Report,
};
use samecall_store::{Differs, Fences, ManualClock, MemoryStore, Recorded};
use support::START;

struct World {
    guard: Guard<MemoryStore>,
    clock: Arc<ManualClock>,
    effects: Arc<Mutex<Vec<(String, String)>>>,
}

fn catalog() -> Catalog {
    let mut catalog = Catalog::default();
    let tools = r#"[{"name": "charge", "parameters": {"type": "object", "properties": {
        "amount": {"type": "integer"}, "memo": {"type": "string", "x-identity": "payload"}}}}]"#;
    catalog.read_str("tools.json", tools).expect("a catalog");
    catalog
}

fn world(policy: Policy) -> World {
    let clock = Arc::new(ManualClock::at(START));
    let store = MemoryStore::new(clock.clone(), Fences::named(7));
    let keyer = by_name("typed-scoped").expect("a keyer");
    let guard = Guard::new(keyer.into(), store, policy).with_catalog(catalog());
    World { guard, clock, effects: Arc::default() }
}

fn refuse() -> Policy {
    Policy::new(OnUnknown::Refuse)
}

fn charge(step: &str, arguments: &str) -> Call {
    Call::new("charge", arguments).at("r1", step)
}

fn landed(text: &str) -> Report {
    Report::Landed(text.as_bytes().into())
}

impl World {
    /// Runs a call whose effect reports this; the arguments and the key that were sent are noted.
    fn run(&self, call: &Call, report: Report) -> Answer {
        let effects = self.effects.clone();
        let run = self.guard.run(call, |dispatch| async move {
            let sent = (dispatch.call.arguments.clone(), dispatch.idempotency_key.clone());
            effects.lock().unwrap().push(sent);
            report
        });
        block_on(run).expect("a healthy store")
    }

    fn effects(&self) -> usize {
        self.effects.lock().unwrap().len()
    }

    /// A call whose claimer dies in the midst of its effect.
    fn die(&self, call: &Call) {
        let effects = self.effects.clone();
        let run = self.guard.run(call, |dispatch| async move {
            let sent = (dispatch.call.arguments.clone(), dispatch.idempotency_key.clone());
            effects.lock().unwrap().push(sent);
            std::future::pending().await
        });
        let mut run = Box::pin(run);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(run.as_mut().poll(&mut context).is_pending());
    }

    fn lapse(&self) {
        self.clock.advance(Duration::from_secs(301));
    }
}

#[test]
fn a_retry_in_another_spelling_is_replayed() {
    let world = world(refuse());
    let first = world.run(&charge("3", r#"{"amount": 4200}"#), landed("receipt 1"));
    assert!(matches!(first, Answer::Ran { again: false, kept: Kept::Recorded, .. }), "{first:?}");
    world.clock.advance(Duration::from_secs(5));
    let second = world.run(&charge("3", r#"{"amount":4200.0, "memo":null}"#), landed("receipt 2"));
    let result = Recorded::success(b"receipt 1".as_slice());
    assert_eq!(second, Answer::Replayed { result, recorded_at: START });
    assert_eq!(world.effects(), 1);
}

#[test]
fn an_expired_result_is_not_replayed() {
    let world = world(refuse());
    world.run(&charge("3", "{}"), landed("1"));
    world.clock.advance(Duration::from_secs(24 * 3600));
    assert!(world.run(&charge("3", "{}"), landed("2")).ran());
}

#[test]
fn a_call_in_flight_is_not_run_again() {
    let world = world(refuse());
    world.die(&charge("3", "{}"));
    let answer = world.run(&charge("3", "{}"), landed("2"));
    assert_eq!(answer, Answer::InFlight { until: START.after(Duration::from_secs(300)) });
    assert_eq!(world.effects(), 1);
}

#[test]
fn an_unknown_call_is_refused_for_ever() {
    let world = world(refuse());
    world.die(&charge("3", "{}"));
    for _ in 0..3 {
        world.lapse();
        let answer = world.run(&charge("3", "{}"), landed("2"));
        assert!(matches!(answer, Answer::Unknown { .. }), "{answer:?}");
    }
    assert_eq!(world.effects(), 1);
}

#[test]
fn an_unknown_call_is_run_again_in_its_first_spelling() {
    let world = world(Policy::new(OnUnknown::RunAgain));
    world.die(&charge("3", r#"{"amount": 4200}"#));
    world.lapse();
    let answer = world.run(&charge("3", r#"{"amount":4200.0}"#), landed("2"));
    assert!(matches!(answer, Answer::Ran { again: true, kept: Kept::Recorded, .. }), "{answer:?}");
    let effects = world.effects.lock().unwrap();
    assert_eq!(effects[0].0, r#"{"amount": 4200}"#);
    assert_eq!(effects[0], effects[1], "the provider saw drift");
}

#[test]
fn a_failed_second_dispatch_does_not_free_the_key() {
    let mut policy = Policy::new(OnUnknown::RunAgain);
    policy.errors = Errors::BeforeDispatch;
    let world = world(policy);
    world.die(&charge("3", "{}"));
    world.lapse();
    // It failed before its effect; but the first dispatch may have had one.
    let answer = world.run(&charge("3", "{}"), Report::FailedBefore(b"offline".as_slice().into()));
    assert!(matches!(answer, Answer::Ran { again: true, kept: Kept::Unknown, .. }), "{answer:?}");
    let answer = world.run(&charge("3", "{}"), landed("3"));
    assert!(matches!(answer, Answer::Ran { again: true, kept: Kept::Recorded, .. }), "{answer:?}");
}

fn asking(found: Found) -> (Policy, Arc<Mutex<Vec<Inquiry>>>) {
    let asked: Arc<Mutex<Vec<Inquiry>>> = Arc::default();
    let log = asked.clone();
    let hook = move |inquiry: Inquiry| -> BoxFuture<Found> {
        log.lock().unwrap().push(inquiry);
        let found = found.clone();
        Box::pin(async move { found })
    };
    (Policy::new(OnUnknown::Ask(Arc::new(hook))), asked)
}

#[test]
fn a_hook_that_finds_the_effect_has_it_replayed() {
    let (policy, asked) = asking(Found::Landed(Recorded::success(b"found".as_slice())));
    let world = world(policy);
    world.die(&charge("3", r#"{"amount": 1}"#));
    world.lapse();
    let answer = world.run(&charge("3", r#"{"amount":1.0}"#), landed("2"));
    assert_eq!(answer.bytes().map(|b| b.to_vec()), Some(b"found".to_vec()));
    assert!(!answer.ran());
    world.run(&charge("3", r#"{"amount":1}"#), landed("3"));
    assert_eq!(world.effects(), 1);
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 1, "a settled call is not asked about");
    assert_eq!(asked[0].call, Call::new("charge", r#"{"amount": 1}"#));
    assert_eq!(asked[0].idempotency_key, world.effects.lock().unwrap()[0].1);
}

#[test]
fn a_hook_that_finds_nothing_frees_the_key_for_this_call() {
    let (policy, _) = asking(Found::NotLanded);
    let world = world(policy);
    world.die(&charge("3", "{}"));
    world.lapse();
    let answer = world.run(&charge("3", "{}"), landed("2"));
    assert!(matches!(answer, Answer::Ran { again: false, .. }), "{answer:?}");
}

#[test]
fn a_hook_that_does_not_know_runs_nothing() {
    let (policy, _) = asking(Found::StillUnknown);
    let world = world(policy);
    world.die(&charge("3", "{}"));
    world.lapse();
    assert!(!world.run(&charge("3", "{}"), landed("2")).ran());
    assert_eq!(world.effects(), 1);
}

#[test]
fn errors_follow_the_policy() {
    let before = || Report::FailedBefore(b"no funds".as_slice().into());
    let after = || Report::FailedAfter(b"timeout".as_slice().into());
    let replayed = Recorded::error(b"no funds".as_slice());
    for (errors, free_before, unknown_after) in [
        (Errors::Never, true, true),
        (Errors::BeforeDispatch, false, true),
        (Errors::Always, false, false),
    ] {
        let mut policy = refuse();
        policy.errors = errors;
        let world = world(policy);
        world.run(&charge("1", "{}"), before());
        let second = world.run(&charge("1", "{}"), landed("2"));
        if free_before {
            assert!(second.ran(), "{errors:?}: {second:?}");
        } else {
            let wanted = Answer::Replayed { result: replayed.clone(), recorded_at: START };
            assert_eq!(second, wanted, "{errors:?}");
        }
        world.run(&charge("2", r#"{"amount": 2}"#), after());
        let second = world.run(&charge("2", r#"{"amount": 2}"#), landed("2"));
        let is_unknown = matches!(second, Answer::Unknown { .. });
        assert_eq!(is_unknown, unknown_after, "{errors:?}: {second:?}");
        assert!(!second.ran(), "{errors:?}: an error after dispatch is no leave to run again");
    }
}

#[test]
fn another_payload_is_a_conflict_and_runs_nothing() {
    let told = Arc::new(AtomicUsize::new(0));
    let counter = told.clone();
    let mut policy = refuse();
    policy.conflict = OnQuestion::Ask(Arc::new(move |question| {
        assert!(matches!(question, Question::Conflict { key_taken: true, .. }));
        counter.fetch_add(1, Ordering::Relaxed);
        Decision::Run
    }));
    let world = world(policy);
    world.run(&charge("3", r#"{"amount": 1, "memo": "a"}"#), landed("1"));
    let answer = world.run(&charge("3", r#"{"amount": 1, "memo": "b"}"#), landed("2"));
    assert_eq!(answer, Answer::Conflict { differs: Differs::Payload });
    assert_eq!((world.effects(), told.load(Ordering::Relaxed)), (1, 1));
}

/// A call that says which first attempt it repeats.
fn attempt(step: &str, arguments: &str, first: &str) -> Call {
    let mut call = charge(step, arguments);
    call.scope.attempt_of =
        Some(Attempt { run_id: "r1".into(), step: first.into(), occurrence: 0 });
    call
}

#[test]
fn a_named_attempt_is_replayed_or_a_conflict() {
    let world = world(refuse());
    world.run(&charge("3", r#"{"amount": 1}"#), landed("1"));
    let again = world.run(&attempt("9", r#"{"amount": 1.0}"#, "3"), landed("2"));
    assert!(matches!(again, Answer::Replayed { .. }), "{again:?}");
    let other = world.run(&attempt("9", r#"{"amount": 2}"#, "3"), landed("2"));
    assert_eq!(other, Answer::Conflict { differs: Differs::Fingerprint });
    assert_eq!(world.effects(), 1);
    // Surfaced, not run, and not held against it: once decided on, the call has its own key.
    let own = world.run(&charge("9", r#"{"amount": 2}"#), landed("2"));
    assert!(own.ran(), "{own:?}");
}

#[test]
fn unlike_calls_of_one_step_are_two_calls() {
    let world = world(refuse());
    assert!(world.run(&charge("3", r#"{"amount": 1}"#), landed("1")).ran());
    assert!(world.run(&charge("3", r#"{"amount": 2}"#), landed("2")).ran());
}

#[test]
fn a_repeat_at_another_step_is_suspect_until_it_is_decided() {
    let world = world(refuse());
    world.run(&charge("3", r#"{"amount": 1}"#), landed("1"));
    let second = world.run(&charge("4", r#"{"amount": 1}"#), landed("2"));
    assert_eq!(second, Answer::Suspect { first_at: START });
    assert_eq!(world.effects(), 1);
    // Another run, another tenant: no repeat.
    let mut other = charge("4", r#"{"amount": 1}"#);
    other.scope.run_id = "r2".into();
    assert!(world.run(&other, landed("2")).ran());
    let mut other = charge("4", r#"{"amount": 1}"#);
    other.scope.tenant = Some("t2".into());
    assert!(world.run(&other, landed("2")).ran());
}

/// However short results live: as long as a first call may be under way, a repeat of it is suspect.
#[test]
fn a_repeat_of_a_call_in_flight_is_suspect_however_short_results_live() {
    for life in [Duration::ZERO, Duration::from_secs(1)] {
        let mut policy = refuse();
        policy.ttl = life;
        let world = world(policy);
        world.die(&charge("3", r#"{"amount": 1}"#));
        world.clock.advance(Duration::from_secs(299));
        let second = world.run(&charge("4", r#"{"amount": 1}"#), landed("2"));
        assert!(matches!(second, Answer::Suspect { .. }), "{life:?}: {second:?}");
    }
}

#[test]
fn a_suspect_runs_where_the_policy_says_so() {
    let mut policy = refuse();
    policy.suspect = OnQuestion::Run;
    let silent = world(policy);
    silent.run(&charge("3", "{}"), landed("1"));
    assert!(silent.run(&charge("4", "{}"), landed("2")).ran());
    let mut policy = refuse();
    policy.suspect = OnQuestion::Ask(Arc::new(|question| match question {
        Question::Suspect { call, .. } if call.arguments.contains("deliberate") => Decision::Run,
        _ => Decision::Surface,
    }));
    let asked = world(policy);
    asked.run(&charge("3", "{}"), landed("1"));
    assert!(!asked.run(&charge("4", "{}"), landed("2")).ran());
    asked.run(&charge("5", r#"{"why": "deliberate"}"#), landed("3"));
    assert!(asked.run(&charge("6", r#"{"why": "deliberate"}"#), landed("4")).ran());
}

#[test]
fn a_call_that_failed_before_its_effect_makes_no_later_one_suspect() {
    let world = world(refuse());
    world.run(&charge("3", "{}"), Report::FailedBefore(b"offline".as_slice().into()));
    assert!(world.run(&charge("4", "{}"), landed("1")).ran());
}

#[test]
fn a_call_without_a_safe_key_is_refused() {
    let world = world(refuse());
    let answer = world.run(&Call::new("charge", "{}"), landed("1"));
    assert!(matches!(answer, Answer::Refused(_)), "{answer:?}");
    assert_eq!(world.effects(), 0);
}

#[test]
fn tenants_share_nothing_under_a_keyer_that_knows_none() {
    let store = MemoryStore::default();
    let guard = Guard::new(by_name("raw").expect("a keyer").into(), store, refuse());
    let mut keys = Vec::new();
    for tenant in [None, Some(""), Some("a"), Some("b")] {
        let mut call = Call::new("charge", "{}");
        call.scope.tenant = tenant.map(str::to_owned);
        let mut key = None;
        let answer = block_on(guard.run(&call, |dispatch| {
            key = Some(dispatch.idempotency_key.clone());
            async { landed("1") }
        }));
        assert!(answer.expect("a healthy store").ran(), "{tenant:?}");
        keys.push(key.expect("run"));
    }
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 4, "providers would take two tenants' calls for one");
}

/// A finding is an answer even where records live for no time: what is known to have happened is not run again.
#[test]
fn what_a_hook_has_found_is_not_run_however_short_a_record_lives() {
    for life in [Duration::ZERO, Duration::from_millis(1)] {
        let (mut policy, _) = asking(Found::Landed(Recorded::success(b"found".as_slice())));
        policy.ttl = life;
        let world = world(policy);
        world.die(&charge("3", "{}"));
        world.lapse();
        let answer = world.run(&charge("3", "{}"), landed("2"));
        let Answer::Replayed { result, recorded_at } = answer else { panic!("{answer:?}") };
        assert_eq!(&*result.bytes, b"found");
        assert_eq!(recorded_at, START.after(Duration::from_secs(301)));
        assert_eq!(world.effects(), 1, "charged twice");
    }
}

/// A claimer that died between its claim and its questions left a call that nobody was asked about.
#[test]
fn a_call_that_is_run_again_is_asked_about_first() {
    let clock = Arc::new(ManualClock::at(START));
    let store = Arc::new(MemoryStore::new(clock.clone(), Fences::named(7)));
    let guard = |policy: Policy| {
        let keyer = by_name("typed-scoped").expect("a keyer");
        Guard::new(keyer.into(), store.clone(), policy).with_catalog(catalog())
    };
    let run = |guard: &Guard<MemoryStore>, call: &Call| {
        block_on(guard.run(call, |_| async { landed("ok") })).expect("a healthy store")
    };
    // This one looks at nothing, so it leaves what a claimer leaves that dies before it has looked.
    let blind = guard(Policy {
        suspect: OnQuestion::Run,
        conflict: OnQuestion::Run,
        ..Policy::new(OnUnknown::RunAgain)
    });
    let seeing = guard(Policy::new(OnUnknown::RunAgain));
    assert!(run(&seeing, &charge("3", r#"{"amount": 1}"#)).ran());
    for call in [charge("4", r#"{"amount": 1}"#), attempt("9", r#"{"amount": 2}"#, "3")] {
        let mut died = Box::pin(blind.run(&call, |_| std::future::pending::<Report>()));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(died.as_mut().poll(&mut context).is_pending());
        drop(died);
        clock.advance(Duration::from_secs(301));
        let answer = run(&seeing, &call);
        assert!(matches!(answer, Answer::Suspect { .. } | Answer::Conflict { .. }), "{answer:?}");
        // The first dispatch may have happened, so the key is not free either.
        let answer = run(&guard(refuse()), &call);
        assert!(matches!(answer, Answer::Unknown { .. }), "{answer:?}");
    }
}

/// The policy of a tool is that of its declared aliases, since a call by either name is one call.
#[test]
fn a_tool_has_one_policy_by_whatever_name_it_is_called() {
    let mut catalog = Catalog::default();
    let tools = r#"[{"name": "charge", "parameters": {"type": "object",
        "properties": {"amount": {"type": "integer"}}, "x-aliases": ["mcp__pay__charge"]}}]"#;
    catalog.read_str("tools.json", tools).expect("a catalog");
    for named in ["charge", "mcp__pay__charge"] {
        let clock = Arc::new(ManualClock::at(START));
        let store = MemoryStore::new(clock.clone(), Fences::named(7));
        let keyer = by_name("typed-scoped").expect("a keyer");
        // Everything else is idempotent; charges are not.
        let guard = Guard::new(keyer.into(), store, Policy::new(OnUnknown::RunAgain))
            .with_catalog(catalog.clone())
            .with_policy(named, refuse());
        let call = |tool: &str| Call::new(tool, r#"{"amount": 1}"#).at("r1", "3");
        let first = call("charge");
        let mut died = Box::pin(guard.run(&first, |_| std::future::pending::<Report>()));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(died.as_mut().poll(&mut context).is_pending());
        drop(died);
        clock.advance(Duration::from_secs(301));
        for tool in ["charge", "mcp__pay__charge"] {
            let answer = block_on(guard.run(&call(tool), |_| async { landed("2") }));
            assert!(matches!(answer, Ok(Answer::Unknown { .. })), "{named}, {tool}: {answer:?}");
        }
    }
}

/// A first attempt that lapsed, was run again by another and only then reports that nothing was sent must not take back
/// the mark that now stands for the other's effect.
#[test]
fn a_late_failure_does_not_hide_what_another_has_run() {
    let world = world(Policy::new(OnUnknown::RunAgain));
    let call = charge("3", r#"{"amount": 1}"#);
    let late = world.guard.run(&call, |_| async {
        world.lapse();
        let other = world.guard.run(&call, |_| async { landed("2") }).await;
        assert!(other.expect("a healthy store").ran());
        Report::FailedBefore(b"offline".as_slice().into())
    });
    let late = block_on(late).expect("a healthy store");
    assert!(matches!(late, Answer::Ran { kept: Kept::Lost(_), .. }), "{late:?}");
    let repeat = world.run(&charge("4", r#"{"amount": 1}"#), landed("3"));
    assert!(matches!(repeat, Answer::Suspect { .. }), "{repeat:?}");
}

#[test]
fn an_effect_that_panics_leaves_an_unknown_call() {
    let world = world(refuse());
    let call = charge("3", "{}");
    let run = || block_on(world.guard.run(&call, |_| async { panic!("in the midst of it") }));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    assert!(panicked.is_err());
    assert!(matches!(world.run(&call, landed("2")), Answer::InFlight { .. }));
    world.lapse();
    assert!(matches!(world.run(&call, landed("2")), Answer::Unknown { .. }));
    assert_eq!(world.effects(), 0, "the second one was not run");
}

/// A clock that is set back makes leases and lives longer, and nothing free.
#[test]
fn a_clock_that_goes_back_frees_nothing() {
    let world = world(refuse());
    world.die(&charge("3", r#"{"amount": 1}"#));
    world.run(&charge("4", r#"{"amount": 2}"#), landed("2"));
    world.lapse();
    assert!(!world.run(&charge("3", r#"{"amount": 1}"#), landed("x")).ran());
    world.clock.set(START);
    for _ in 0..2 {
        assert!(!world.run(&charge("3", r#"{"amount": 1}"#), landed("x")).ran());
        let second = world.run(&charge("4", r#"{"amount": 2}"#), landed("x"));
        assert!(matches!(second, Answer::Replayed { .. }), "{second:?}");
        world.clock.set(samecall_store::Timestamp::from_millis(0));
    }
    assert_eq!(world.effects(), 2);
}

#[test]
fn a_heartbeat_keeps_a_long_effect_its_key() {
    let world = world(refuse());
    let call = charge("3", "{}");
    let clock = world.clock.clone();
    let run = world.guard.run(&call, |dispatch| async move {
        for _ in 0..4 {
            clock.advance(Duration::from_secs(200));
            let beat = dispatch.heartbeat().await.expect("a healthy store");
            assert_eq!(beat, samecall_store::Fenced::Done);
        }
        landed("1")
    });
    let answer = block_on(run).expect("a healthy store");
    assert!(matches!(answer, Answer::Ran { kept: Kept::Recorded, .. }), "{answer:?}");
}
