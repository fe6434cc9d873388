//! Recorded traces through the cache: the published run, variants, writes and their reads, bounds on memory, and WorkBench's
//! runs against a count made another way.

use samecall_cache::replay::{Options, check_canaries, replay};
use samecall_cache::{Error, Policies};
use samecall_call::cached::Cached;
use samecall_call::{Call, Catalog, LineReader, Tool, meaning};
use samecall_keyer::by_name;
use std::collections::{BTreeMap, HashMap};
use std::io::Cursor;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn corpus(name: &str) -> PathBuf {
    root().join("corpus/cache").join(name)
}

fn same(a: &Call, b: &Call, _: Option<&Tool>) -> bool {
    meaning(a) == meaning(b)
}

fn words(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}

fn options(policies: Policies, tools: &[&Path]) -> Options<'static> {
    let mut catalog = Catalog::default();
    tools.iter().for_each(|path| catalog.read_file(path).unwrap());
    let names = ["raw", "agentforge", "typed", "typed-prose", "constant", "random", "refuse"];
    Options {
        keyers: names.iter().map(|name| by_name(name).unwrap()).collect(),
        catalog,
        policies,
        assume_reads: true,
        judge: &same,
        tokens: Some(&words),
        skip_bad: false,
        events: None,
    }
}

fn found(trace: &Path, policies: Policies, tools: &[&Path]) -> Cached {
    let found = replay(LineReader::open(trace).unwrap(), options(policies, tools)).unwrap();
    assert_eq!(check_canaries(&found), Ok(()));
    for (name, strategy) in &found.strategies {
        let total = &strategy.total;
        assert_eq!(total.executed + total.prevented, total.calls, "{name}");
        assert!(total.wrong_hits + total.stale_hits + total.unjudged <= total.prevented, "{name}");
        for groups in [&strategy.by_model, &strategy.by_tool] {
            assert_eq!(groups.values().map(|group| group.calls).sum::<u64>(), total.calls);
            assert_eq!(groups.values().map(|group| group.prevented).sum::<u64>(), total.prevented);
        }
    }
    found
}

#[test]
fn the_corpus_traces_show_what_they_were_written_for() {
    let tools = corpus("tools.json");
    let published = found(&corpus("published.jsonl"), Policies::default(), &[&tools]);
    let typed = &published.strategies["typed"].total;
    assert_eq!((typed.executed, typed.prevented, typed.stale_hits), (3, 10, 0));
    assert_eq!(
        (typed.executed_ms, typed.saved_ms, typed.model_ms),
        (19_200.0, 64_000.0, 118_800.0)
    );
    // `{"results":[],"total":0}` is one word, the reference more: nothing is saved.
    assert_eq!((typed.tokens_saved, typed.tokens_unknown), (0, 0));

    let variants = found(&corpus("variants.jsonl"), Policies::default(), &[&tools]);
    assert_eq!(variants.strategies["typed"].total.wrong_hits, 0);
    assert_eq!(variants.strategies["agentforge"].total.wrong_hits, 2);

    let orders = corpus("orders.jsonl");
    let bare = found(&orders, Policies::default(), &[&tools]);
    let policy = Policies::read(&corpus("policy.toml")).unwrap();
    let ruled = found(&orders, policy, &[&tools]);
    assert!(bare.strategies["typed"].total.stale_hits > 0);
    assert_eq!(ruled.strategies["typed"].total.stale_hits, 0);
    assert!(ruled.strategies["typed"].total.prevented > 0);
}

/// Many runs in one trace: what is kept stays within the bounds, and repeats are still told.
#[test]
fn a_long_trace_does_not_grow_the_cache() {
    let mut trace = String::new();
    for number in 0..3000 {
        let (run, call) = (number / 10, number % 10 / 2);
        trace.push_str(&format!(
            "{{\"tool\":\"get\",\"arguments\":\"{{\\\"n\\\":{call}}}\",\"run_id\":\"r{run}\",\"effect\":\"read\",\"result\":\"{run} {call}\"}}\n"
        ));
    }
    let policies = Policies::parse("p", "[limits]\nentries = 40\n").unwrap();
    let lines = LineReader::new("trace", Cursor::new(trace.into_bytes()));
    let found = replay(lines, options(policies, &[])).unwrap();
    let typed = &found.strategies["typed"];
    assert_eq!((typed.total.executed, typed.total.prevented), (1500, 1500));
    assert_eq!((typed.total.duplicates, typed.total.stale_hits), (1500, 0));
    assert!(typed.evicted >= 1400, "{}", typed.evicted);
    let constant = &found.strategies["constant"].total;
    assert_eq!((constant.prevented, constant.wrong_hits), (2700, 2400));
}

#[test]
fn stated_intents_count_before_the_judge_and_time_is_the_traces_own() {
    let call = |id: u64, at: u64, intent: u64, arguments: &str| {
        format!(
            "{{\"type\":\"call\",\"id\":{id},\"tool\":\"t\",\"arguments\":{arguments},\"at_ms\":{at},\"intent\":{intent}}}\n\
             {{\"type\":\"result\",\"id\":{id},\"result\":\"one two three four five six seven eight nine ten eleven\",\"ms\":3}}\n"
        )
    };
    let trace = [
        call(1, 0, 7, "{\"a\":1}"),
        // The same JSON, and another intent: a hit on it is wrong, whatever the judge says.
        call(2, 1000, 8, "{\"a\":1}"),
        // Other JSON for `raw`, the same key for `typed`, the same intent.
        call(3, 2000, 7, "{\"a\":1.0}"),
        // An open world is old by now.
        call(4, 900_000, 7, "{\"a\":1}"),
    ]
    .concat();
    let lines = LineReader::new("trace", Cursor::new(trace.into_bytes()));
    let found = replay(lines, options(Policies::default(), &[])).unwrap();
    let typed = &found.strategies["typed"].total;
    assert_eq!((typed.executed, typed.prevented, typed.wrong_hits), (2, 2, 1));
    assert_eq!(typed.saved_ms, 6.0);
    assert_eq!(typed.tokens_saved, 2 * (11 - 8), "eleven words, less the eight of the reference");
    assert_eq!(found.assumed_reads, BTreeMap::from([("t".to_owned(), 4)]));
}

#[test]
fn a_policy_may_name_tools_of_the_trace_and_no_others() {
    let trace = "{\"tool\":\"get\",\"arguments\":\"{}\",\"result\":1}\n";
    let lines = || LineReader::new("trace", Cursor::new(trace.as_bytes()));
    let policies = |name: &str| Policies::parse("p.toml", &format!("[tools.{name}]\n")).unwrap();
    assert!(replay(lines(), options(policies("get"), &[])).is_ok());
    let error = replay(lines(), options(policies("got"), &[])).unwrap_err();
    assert!(
        matches!(&error, Error::Policy { line: 1, field, .. } if field == "tools.got"),
        "{error}"
    );
}

#[test]
fn real_runs_agree_with_a_plain_count() {
    let shared =
        std::env::var_os("SAMECALL_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let trace = shared.join("traces/workbench.calls.jsonl");
    if !trace.is_file() {
        eprintln!("skipped: {} not found", trace.display());
        return;
    }
    let found = found(&trace, Policies::default(), &[]);
    // By exact text, which is what `raw` keys.
    let mut seen: HashMap<String, u64> = HashMap::new();
    let mut repeats: BTreeMap<String, u64> = BTreeMap::new();
    for line in std::fs::read_to_string(&trace).unwrap().lines() {
        let value = samecall_call::json::parse(line, samecall_call::json::Dialect::Strict).unwrap();
        let text = |name: &str| value.get(name).and_then(|v| v.as_str()).unwrap().to_owned();
        let key = format!("{}\n{}\n{}", text("run_id"), text("tool"), text("arguments"));
        let times = seen.entry(key).or_default();
        *repeats.entry(text("model")).or_default() += u64::from(*times > 0);
        *times += 1;
    }
    for (model, repeats) in repeats {
        assert_eq!(found.strategies["raw"].by_model[&model].duplicates, repeats, "{model}");
    }
    let total = |name: &str| found.strategies[name].total;
    assert_eq!(total("typed").calls, 7232);
    assert!(total("typed").duplicates >= total("raw").duplicates);
    assert_eq!((total("typed").wrong_hits, total("raw").wrong_hits), (0, 0));
    assert!(total("typed").stale_hits > 0 && total("typed").prevented > 0);
}

/// Ids need not differ between executions, whatever tells these apart.
#[test]
fn equal_ids_of_two_executions_are_two_calls() {
    let call = |owner: &str| {
        format!(
            "{{\"type\":\"call\",\"id\":\"1\",\"tool\":\"t\",\"arguments\":\"{{}}\",{owner}}}\n"
        )
    };
    let result = |owner: &str, text: &str| {
        format!("{{\"type\":\"result\",\"id\":\"1\",\"result\":\"{text}\",{owner}}}\n")
    };
    let (a, b) = ("\"run_id\":\"r\",\"tenant\":\"a\"", "\"run_id\":\"r\",\"tenant\":\"b\"");
    let trace =
        |parts: &[String]| LineReader::new("trace", Cursor::new(parts.concat().into_bytes()));
    let read = |parts: &[String]| replay(trace(parts), options(Policies::default(), &[]));
    // Each asks twice; the second answer is the first one's, so a mix-up would show as stale.
    let parts = [
        call(a),
        call(b),
        result(b, "of b"),
        result(a, "of a"),
        call(b),
        call(a),
        result("\"tenant\":\"a\"", "of a"),
        result(b, "of b"),
    ];
    let found = read(&parts).unwrap();
    let typed = &found.strategies["typed"].total;
    assert_eq!((typed.executed, typed.prevented, typed.stale_hits), (2, 2, 0));
    let error = read(&[call(a), call(b), result("\"run_id\":\"r\"", "?")]).unwrap_err().to_string();
    assert!(error.starts_with("trace:3: `id` is that of calls of several runs"), "{error}");
    let error = read(&[call(a), call(a)]).unwrap_err().to_string();
    assert!(error.starts_with("trace:2: `id` is that of the call in line 1"), "{error}");
    let error = read(&[call(a), result("\"tenant\":\"c\"", "?")]).unwrap_err().to_string();
    assert!(error.starts_with("trace:2: `id` names no call"), "{error}");
}

/// A line that is left out must leave nothing behind.
#[test]
fn what_is_left_out_is_not_counted() {
    let call = "{\"type\":\"call\",\"id\":\"1\",\"tool\":\"t\",\"arguments\":\"{}\"}\n";
    let trace = format!(
        "{call}{call}not JSON\n{{\"type\":\"result\",\"id\":\"2\",\"result\":1}}\n{{\"type\":\"result\",\"id\":\"1\",\"result\":1}}\n"
    );
    let lines = LineReader::new("trace", Cursor::new(trace.into_bytes()));
    let skipping = Options { skip_bad: true, ..options(Policies::default(), &[]) };
    let found = replay(lines, skipping).unwrap();
    assert_eq!((found.skipped, found.unanswered), (3, 0));
    assert_eq!(found.strategies["typed"].total.calls, 1);
}

/// Where results grow old and errors are not kept, a strategy that takes all calls for one may prevent less than others;
/// its canary must not cry then.
#[test]
fn the_canary_does_not_cry_over_times_and_errors() {
    let line = |at: u64, n: u64, result: &str| {
        format!("{{\"tool\":\"t\",\"arguments\":\"{{\\\"n\\\":{n}}}\",\"at_ms\":{at},{result}}}\n")
    };
    let minute = 60_000;
    let trace = [
        line(0, 1, "\"result\":[]"),
        line(minute, 2, "\"result\":\"x\""),
        line(6 * minute, 2, "\"error\":\"down\""),
        line(7 * minute, 2, "\"result\":\"x\""),
    ];
    let lines = LineReader::new("trace", Cursor::new(trace.concat().into_bytes()));
    let found = replay(lines, options(Policies::default(), &[])).unwrap();
    let prevented = |name: &str| found.strategies[name].total.prevented;
    assert_eq!((prevented("typed"), prevented("constant")), (2, 1));
    assert_eq!(check_canaries(&found), Ok(()));
}
