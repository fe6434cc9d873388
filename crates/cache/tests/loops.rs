//! What a harness sees: scopes, policies by tool, the forms of loops, rebuilding after a resume, hints and events.

use samecall_cache::forms::{
    Action, MultiAgent, Observation, PastStep, PlanExecute, React, Reflection,
};
use samecall_cache::log::JsonLines;
use samecall_cache::time::Manual;
use samecall_cache::{
    Answer, Cache, ENTRY_BYTES, Execution, Keep, Outcome, Policies, Source, Summary, ToolPolicy,
};
use samecall_call::{Call, Catalog};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const TOOLS: &str = r#"[
  {"name": "get", "annotations": {"readOnlyHint": true, "openWorldHint": false}, "parameters": {"type": "object"}},
  {"name": "search", "annotations": {"readOnlyHint": true}, "x-aliases": ["mcp__search"], "parameters": {"type": "object"}},
  {"name": "put", "annotations": {"readOnlyHint": false, "idempotentHint": true}, "parameters": {"type": "object"}},
  {"name": "plain", "parameters": {"type": "object"}}]"#;

const POLICY: &str = r#"
[tools.put]
invalidates = ["get", "mcp__search"]
"#;

fn cache(policy: &str) -> (Cache, Arc<Manual>) {
    let mut catalog = Catalog::default();
    catalog.read_str("tools.json", TOOLS).unwrap();
    let clock = Arc::new(Manual::default());
    let policies = Policies::parse("policy.toml", policy).unwrap();
    let cache = Cache::builder().catalog(catalog).policies(policies).clock(clock.clone());
    (cache.build().unwrap(), clock)
}

/// A tool whose every run gives something else.
#[derive(Default)]
struct Tool(AtomicU64);

impl Tool {
    fn run(&self) -> Outcome {
        Outcome::ok(format!("run {}", self.0.fetch_add(1, Ordering::SeqCst)).into_bytes())
    }
}

fn ask(execution: &Execution, tool: &Tool, name: &str, arguments: &str) -> Answer {
    execution.run_blocking(&Call::new(name, arguments), || tool.run())
}

#[test]
fn annotations_decide_and_silence_is_a_side_effect() {
    let (cache, clock) = cache("");
    let (execution, tool) = (cache.execution(None, "run"), Tool::default());
    let is_cached = |name: &str| {
        ask(&execution, &tool, name, "{}");
        ask(&execution, &tool, name, "{}").is_prevented()
    };
    assert!(is_cached("get") && is_cached("search") && is_cached("mcp__search"));
    assert!(!is_cached("put") && !is_cached("plain") && !is_cached("nobody knows it"));
    // An open world is old after a quarter of an hour, a closed one only at the bound on age.
    clock.advance(Duration::from_secs(15 * 60));
    assert!(!ask(&execution, &tool, "search", "{}").is_prevented());
    assert!(ask(&execution, &tool, "get", "{}").is_prevented());
    clock.advance(Duration::from_secs(45 * 60));
    assert!(!ask(&execution, &tool, "get", "{}").is_prevented());
}

#[test]
fn spellings_are_one_call_and_a_timestamp_makes_another() {
    let (cache, _) = cache("");
    let (execution, tool) = (cache.execution(None, "run"), Tool::default());
    ask(&execution, &tool, "get", r#"{"a": 1, "b": {"c": 2, "d": 3}}"#);
    assert!(ask(&execution, &tool, "get", r#"{"b":{"d":3,"c":2},"a":1}"#).is_prevented());
    assert!(!ask(&execution, &tool, "get", r#"{"b":{"d":4,"c":2},"a":1}"#).is_prevented());
    ask(&execution, &tool, "get", r#"{"a": 1, "_timestamp": 1}"#);
    assert!(!ask(&execution, &tool, "get", r#"{"a": 1, "_timestamp": 2}"#).is_prevented());
    assert!(ask(&execution, &tool, "get", r#"{"a": 1, "_timestamp": 2}"#).is_prevented());
    // What has no safe key is run.
    ask(&execution, &tool, "get", r#"{"a": 1, "a": 2}"#);
    assert!(!ask(&execution, &tool, "get", r#"{"a": 1, "a": 2}"#).is_prevented());
    assert_eq!(execution.summary().refused, 2);
}

#[test]
fn executions_and_tenants_are_apart_and_workers_are_not() {
    let (cache, _) = cache("");
    let tool = Tool::default();
    let first = cache.execution(Some("a"), "b-c");
    ask(&first, &tool, "get", "{}");
    for other in [
        cache.execution(Some("a-b"), "c"),
        cache.execution(None, "b-c"),
        cache.execution(Some(""), "b-c"),
        cache.execution(Some("a"), "b"),
    ] {
        assert!(!ask(&other, &tool, "get", "{}").is_prevented());
    }
    assert!(ask(&first.worker("w"), &tool, "get", "{}").is_prevented());
    assert!(ask(&cache.execution(Some("a"), "b-c"), &tool, "get", "{}").is_prevented());
    assert!(!ask(&first.disabled(), &tool, "get", "{}").is_prevented());
    assert_eq!(cache.entries(), 5);
    let summary = first.end();
    assert_eq!((summary.executed, summary.prevented, summary.uncached), (2, 1, 1));
    assert_eq!((cache.entries(), cache.evictions().ended), (4, 1));
}

#[test]
fn a_write_invalidates_what_it_names_in_its_own_execution() {
    let (cache, _) = cache(POLICY);
    let tool = Tool::default();
    let (own, other) = (cache.execution(None, "own"), cache.execution(None, "other"));
    for execution in [&own, &other] {
        ask(execution, &tool, "get", "{}");
        ask(execution, &tool, "search", "{}");
    }
    ask(&own, &tool, "put", "{}");
    for name in ["get", "search"] {
        assert!(!ask(&own, &tool, name, "{}").is_prevented(), "{name}");
        assert!(ask(&other, &tool, name, "{}").is_prevented(), "{name}");
    }
    assert_eq!(cache.evictions().invalidated, 2);
    own.invalidate(&["get"]);
    assert!(!ask(&own, &tool, "get", "{}").is_prevented());
}

#[test]
fn a_policy_may_let_writes_and_errors_be_kept() {
    let policy = "[tools.put]\ncache = \"1m\"\nerrors = \"10s\"\n";
    let (cache, clock) = cache(policy);
    let execution = cache.execution(None, "run");
    let put = |outcome: Outcome| execution.run_blocking(&Call::new("put", "{}"), || outcome);
    put(Outcome::error(b"no".as_slice()));
    let again = put(Outcome::ok(b"yes".as_slice()));
    assert!(again.is_prevented() && again.outcome.is_error);
    clock.advance(Duration::from_secs(10));
    assert!(!put(Outcome::ok(b"yes".as_slice())).is_prevented());
    clock.advance(Duration::from_secs(59));
    assert!(put(Outcome::ok(b"other".as_slice())).is_prevented());
    // Errors of other tools are not kept.
    let get = |outcome: Outcome| execution.run_blocking(&Call::new("get", "{}"), || outcome);
    get(Outcome::error(b"no".as_slice()));
    assert!(!get(Outcome::ok(b"yes".as_slice())).is_prevented());
}

#[test]
fn empty_results_have_a_short_life_and_bring_a_hint() {
    for (policy, is_kept) in [("", true), ("[defaults]\nempty = \"never\"\n", false)] {
        let (cache, clock) = cache(policy);
        let execution = cache.execution(None, "run");
        let get = |bytes: &'static str| {
            execution.run_blocking(&Call::new("get", "{}"), || Outcome::ok(bytes.as_bytes()))
        };
        assert_eq!(get("[]").hint, None);
        let second = get("[]");
        assert_eq!(second.is_prevented(), is_kept);
        let hint = second.hint.expect("it came back empty again");
        assert_eq!((&*hint.tool, hint.times), ("get", 2));
        assert!(hint.to_string().contains("2 times"));
        clock.advance(Duration::from_secs(300));
        let third = get(r#"{"results": []}"#);
        assert!(!third.is_prevented());
        assert_eq!(third.hint.map(|hint| hint.times), Some(3));
        clock.advance(Duration::from_secs(300));
        assert_eq!(get("found").hint, None);
        assert_eq!(execution.end().hints, 2);
    }
}

#[test]
fn bounds_are_kept_and_what_goes_is_counted() {
    let policy = "[limits]\nentries = 3\nmegabytes = 1\nage = \"10s\"\n";
    let (cache, clock) = cache(policy);
    let execution = cache.execution(None, "run");
    let get = |number: u64, bytes: usize| {
        let call = Call::new("get", format!(r#"{{"n": {number}}}"#));
        execution.run_blocking(&call, || Outcome::ok(vec![b'x'; bytes]))
    };
    (0..3).for_each(|number| assert!(!get(number, 10).is_prevented()));
    assert!(get(0, 10).is_prevented());
    get(3, 10);
    assert!(get(0, 10).is_prevented(), "it was used more lately than the second");
    assert!(!get(1, 10).is_prevented(), "the least recently used one went");
    assert_eq!((cache.entries(), cache.evictions().for_entries), (3, 2));
    get(4, 500_000);
    get(5, 600_000);
    assert!(cache.bytes() <= 1_000_000 && cache.evictions().for_bytes > 0);
    assert!(cache.bytes() >= 600_000 + ENTRY_BYTES);
    get(6, 1_000_000);
    assert_eq!(cache.evictions().too_large, 1);
    assert!(!get(6, 10).is_prevented());
    clock.advance(Duration::from_secs(10));
    assert!(!get(6, 10).is_prevented(), "at its very age an entry is over");
    cache.sweep();
    assert_eq!(cache.entries(), 1);
    assert!(cache.evictions().expired >= 1);
}

#[test]
fn a_disabled_cache_executes_every_call() {
    let mut catalog = Catalog::default();
    catalog.read_str("tools.json", TOOLS).unwrap();
    let cache = Cache::builder().catalog(catalog).enabled(false).build().unwrap();
    let (execution, tool) = (cache.execution(None, "run"), Tool::default());
    assert!((0..20).all(|_| !ask(&execution, &tool, "get", "{}").is_prevented()));
    assert_eq!(tool.0.load(Ordering::SeqCst), 20);
    assert_eq!(execution.end(), Summary { executed: 20, uncached: 20, ..Summary::default() });
    assert_eq!(cache.entries(), 0);
}

#[test]
fn a_resumed_loop_is_built_from_its_past() {
    let (cache, _) = cache(POLICY);
    let tool = Tool::default();
    let call = |name: &str, number: u64| Call::new(name, format!(r#"{{"n": {number}}}"#));
    let action = |id: &str, call: Call| Action { id: id.to_owned(), call, iteration: Some(1) };
    let observation = |id: &str, outcome: Outcome, age: Option<u64>| Observation {
        action_id: id.to_owned(),
        outcome,
        is_duplicate: false,
        age: age.map(Duration::from_secs),
    };
    let ok = |text: &'static str| Outcome::ok(text.as_bytes());
    let (react, rebuilt) = React::resume(
        cache.execution(None, "react"),
        [
            action("a", call("get", 1)),
            action("b", call("put", 1)),
            action("c", call("get", 2)),
            action("d", call("get", 3)),
            action("e", call("search", 4)),
            action("f", call("search", 5)),
            action("g", call("search", 6)),
        ],
        [
            observation("a", ok("old"), Some(9)),
            observation("b", ok("written"), Some(8)),
            observation("c", ok("kept"), None),
            observation("d", Outcome::error(b"no".as_slice()), Some(5)),
            observation("e", ok("aged"), Some(14 * 60)),
            observation("f", ok("too old"), Some(15 * 60)),
            observation("g", ok("of unknown age"), None),
            observation("nobody", ok("?"), None),
        ],
    );
    assert_eq!((rebuilt.observations, rebuilt.kept), (7, 2));
    let round = react.iteration(2);
    let again = |call: Call| round.run_blocking(&call, || tool.run());
    assert!(!again(call("get", 1)).is_prevented(), "a later write made it out of date");
    let kept = again(call("get", 2));
    assert_eq!((&*kept.outcome.bytes, kept.first_at), (b"kept".as_slice(), Some(1)));
    assert!(!again(call("get", 3)).is_prevented(), "an error");
    assert!(again(call("search", 4)).is_prevented());
    assert!(!again(call("search", 5)).is_prevented(), "too old");
    assert!(!again(call("search", 6)).is_prevented(), "nobody knows how old");
    let summary = round.finish();
    assert_eq!((summary.executed, summary.prevented), (4, 2));

    let steps = [
        PastStep { step: 1, call: Some(call("get", 1)), outcome: ok("one"), age: None },
        PastStep { step: 2, call: None, outcome: ok("a thought"), age: None },
    ];
    let (plan, rebuilt) = PlanExecute::resume(cache.execution(None, "plan"), steps);
    assert_eq!(rebuilt.observations, 1);
    let answer = plan.step(3).run_blocking(&call("get", 1), || tool.run());
    assert_eq!(
        answer.reference().unwrap(),
        "[same call as in iteration 1; its result stands there]"
    );
}

#[test]
fn workers_share_and_a_reflection_takes_nothing_from_the_cache() {
    let (cache, _) = cache(POLICY);
    let tool = Tool::default();
    let team = MultiAgent::new(cache.execution(Some("t"), "team"));
    let call = Call::new("get", "{}");
    let (first, second) = (team.worker("first").iteration(1), team.worker("second").iteration(1));
    assert!(!first.run_blocking(&call, || tool.run()).is_prevented());
    assert!(second.run_blocking(&call, || tool.run()).is_prevented());
    let reflection = Reflection::new(team.execution());
    let round = reflection.iteration(1);
    assert!(!round.run_blocking(&call, || tool.run()).is_prevented());
    assert!(!round.run_blocking(&call, || tool.run()).is_prevented());
    // What it writes is news to the others all the same.
    let _ = round.run_blocking(&Call::new("put", "{}"), || tool.run());
    assert!(!second.run_blocking(&call, || tool.run()).is_prevented());
    let (a, b) = (first.finish(), second.finish());
    assert_eq!((a.executed, a.prevented, b.executed, b.prevented), (1, 0, 1, 1));
    let all = team.execution().summary();
    assert_eq!((all.executed, all.prevented), (5, 1));
}

#[test]
fn events_have_the_published_fields_and_no_values() {
    // With one subscriber alone, tracing asks only the thread that comes to an event first whether it is of interest, and
    // another test's thread says that it is not.
    let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::default());
    let log = Arc::new(JsonLines::with_level(Vec::new(), tracing::Level::DEBUG));
    tracing::subscriber::with_default(log.clone(), || {
        let (cache, clock) = cache("");
        let call = Call::new("search", r#"{"query": "quantum encryption", "n": 3}"#);
        let (react, _) = React::resume(cache.execution(None, "run"), [], []);
        let round = react.iteration(3);
        let run = |call: &Call| {
            round.run_blocking(call, || {
                clock.advance(Duration::from_millis(1500));
                Outcome::ok(b"secret".as_slice())
            })
        };
        let other = Call::new("search", "{}");
        let answers = [run(&call), run(&other), run(&call)];
        assert!(matches!(answers[2].source, Source::Cached { .. }));
        round.finish();
        assert_eq!(react.execution().clone().end().time_saved, Duration::from_millis(1500));
    });
    let (bytes, error) = Arc::into_inner(log).unwrap().into_sink();
    assert!(error.is_none());
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        r#"{"level":"DEBUG","message":"Deduplication cache built","cacheSize":0,"totalObservations":0}
{"level":"INFO","message":"Duplicate tool call prevented","toolName":"search","arguments":"{\"query\": <text 18>, \"n\": <number 1>}","iteration":3,"cacheHit":true}
{"level":"INFO","message":"Action node complete","iteration":3,"toolsExecuted":2,"duplicatesSkipped":1,"totalObservations":3,"deduplicationSavings":"33%"}
{"level":"INFO","message":"Execution complete","toolsExecuted":2,"duplicatesSkipped":1,"totalObservations":3,"deduplicationSavings":"33%","savingsFormula":"savings = prevented / (executed + prevented)","timeSavedMs":1500}
"#
    );
}

#[test]
fn a_policy_for_a_tool_that_the_catalog_lacks_is_refused() {
    let mut catalog = Catalog::default();
    catalog.read_str("tools.json", TOOLS).unwrap();
    let policies = Policies::parse("policy.toml", "\n[tools.serach]\ncache = \"1m\"\n").unwrap();
    let built = Cache::builder().catalog(catalog).policies(policies.clone()).build();
    let Err(error) = built else { panic!("it must be refused") };
    assert!(error.to_string().starts_with("policy.toml:2: `tools.serach` names a tool"), "{error}");
    assert!(
        Cache::builder().policies(policies).build().is_ok(),
        "without a catalog any name may be right"
    );
    let unset = ToolPolicy { cache: Some(Keep::Always), ..ToolPolicy::default() };
    assert!(Cache::builder().policies(Policies::default().with("x", unset)).build().is_ok());
}
