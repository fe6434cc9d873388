//! The second judge with executors in process: how pairs are counted, what follows, and that the scorer reads the
//! rulings.

use samecall_call::executors::{Ended, ExecutorRun, ExecutorsResult, Standing};
use samecall_call::{Call, Catalog, Pair, Productions, SchemaRef, Truth};
use samecall_drift::{Generator, Profile, builtin_catalog};
use samecall_keyer::by_name;
use samecall_score::executors::{
    Asked, Attached, Executor, Options, Ruling, Rulings, executors, rule,
};
use samecall_score::{IterSource, Options as ReplayOptions, PairSource, replay};
use serde_json::{Value, json};
use std::sync::Arc;

/// An executor that answers each argument text by a function; none is a refusal.
struct Answering(&'static str, fn(&str) -> Option<Value>);

impl Executor for Answering {
    fn name(&self) -> &str {
        self.0
    }

    fn run(
        &self,
        calls: Box<dyn Iterator<Item = String> + Send>,
        judge: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Ended {
        for line in calls {
            let call: Value = serde_json::from_str(&line).unwrap();
            assert!(call["parameters"].is_object());
            let answer = match (self.1)(call["arguments"].as_str().unwrap()) {
                Some(received) => json!({ "received": received }),
                None => json!({ "refused": "no" }),
            };
            if let Err(reason) = judge(&answer.to_string()) {
                return Ended::Broken { reason };
            }
        }
        Ended::Finished
    }
}

/// What a plain validator hands on.
fn dumped(text: &str) -> Option<Value> {
    fn dump(value: &Value) -> Value {
        match value {
            Value::Number(n) if n.is_f64() => json!({ "float": n.to_string() }),
            Value::Number(n) => json!({ "int": n.to_string() }),
            Value::Array(items) => items.iter().map(dump).collect(),
            Value::Object(members) => {
                let members: serde_json::Map<_, _> =
                    members.iter().map(|(k, v)| (k.clone(), dump(v))).collect();
                json!({ "object": members })
            }
            other => other.clone(),
        }
    }
    serde_json::from_str(text).ok().map(|value: Value| dump(&value))
}

const SCHEMA: &str =
    r#"{"type":"object","properties":{"n":{"type":"integer"},"on":{"type":"boolean"}}}"#;

fn pair(id: &str, truth: Truth, production: &str, a: &str, b: &str) -> Pair {
    Pair {
        id: id.to_owned(),
        set: "generated-hand".to_owned(),
        truth,
        why: production.to_owned(),
        drift: vec![production.to_owned()],
        cluster: String::new(),
        contradicts: None,
        productions: Some(Productions { a: Vec::new(), b: vec![production.to_owned()] }),
        schema: SchemaRef::Inline(SCHEMA.to_owned()),
        a: Call::new("t", a),
        b: Call::new("t", b),
    }
}

fn pairs() -> Vec<Pair> {
    use Truth::{Distinct, Retry};
    vec![
        pair("1", Retry, "int_to_float", r#"{"n":1}"#, r#"{"n":1.0}"#),
        pair("2", Retry, "key_reorder", r#"{"n":1,"on":true}"#, r#"{"on":true,"n":1}"#),
        pair("3", Retry, "add_null", "{}", r#"{"on":null}"#),
        pair("4", Retry, "no_arguments_spelling", "{}", ""),
        pair("5", Distinct, "digits_past_f64", r#"{"n":0.1}"#, r#"{"n":0.10000000000000000001}"#),
        pair("6", Distinct, "value_changed", r#"{"n":1}"#, r#"{"n":2}"#),
        pair("7", Distinct, "deliberate_repeat", r#"{"n":1}"#, r#"{"n":1}"#),
        pair("8", Retry, "key_reorder", "x", "y"),
    ]
}

fn ask(rulings: Rulings, keyers: Vec<Attached>) -> ExecutorsResult {
    let catalog = Catalog::default();
    let sources = || -> samecall_score::Result<Vec<Box<dyn PairSource>>> {
        Ok(vec![Box::new(IterSource::new("hand", pairs()).in_batches_of(3))])
    };
    let known = ExecutorRun { name: "plain".to_owned(), ..ExecutorRun::default() };
    executors(
        &sources,
        Options {
            executors: vec![(Box::new(Answering("plain", dumped)), known)],
            keyers,
            catalog: &catalog,
            rulings,
            asked: Asked::default(),
            complete: false,
            jobs: 2,
            show_values: true,
            seed: None,
            depth: Some(1),
            on_done: None,
        },
    )
    .unwrap()
}

#[test]
fn pairs_are_counted_by_what_the_handler_receives() {
    let result = ask(Rulings::default(), Vec::new());
    assert_eq!(result.executors[0].ended, Ended::Finished);
    assert_eq!(result.executors[0].calls, 16);
    let rows = &result.sets["generated-hand"];
    let cell = |row: &str| &rows[row].executors["plain"];
    assert_eq!((cell("int_to_float").other_type, cell("int_to_float").equal()), (1, 1));
    assert_eq!((cell("key_reorder").identical, cell("key_reorder").both_refused), (1, 1));
    assert_eq!(cell("key_reorder").told(), 1);
    assert_eq!(cell("add_null").unequal, 1);
    assert_eq!(cell("no_arguments_spelling").one_refused, 1);
    assert_eq!(cell("digits_past_f64").identical, 1);
    assert_eq!(cell("value_changed").unequal, 1);
    // By the kind of field where the spellings part.
    assert_eq!(rows["int_to_float"].kinds["number"]["plain"].pairs, 1);
    assert_eq!(rows["add_null"].kinds["boolean"]["plain"].unequal, 1);
    assert_eq!(rows["deliberate_repeat"].kinds["scope"]["plain"].identical, 1);

    let standing = |row: &str| rows[row].standing;
    assert_eq!(standing("int_to_float"), Standing::Holds);
    assert_eq!(standing("key_reorder"), Standing::Holds);
    assert_eq!(standing("no_arguments_spelling"), Standing::RefusedOnly);
    assert_eq!(standing("add_null"), Standing::Contradicted);
    assert_eq!(standing("digits_past_f64"), Standing::Contradicted);
    assert_eq!(standing("value_changed"), Standing::Apart);
    assert_eq!(standing("deliberate_repeat"), Standing::Scope);
    assert_eq!(result.faults.len(), 2, "{:?}", result.faults);
    let against = cell("add_null").against.as_ref().unwrap();
    assert_eq!((against.id.as_str(), against.b.as_str()), ("3", r#"{"on":null}"#));
}

#[test]
fn a_ruling_settles_what_it_names_and_an_idle_one_shows() {
    let ruling = |executor: &str| Ruling {
        executors: vec![executor.to_owned()],
        reason: "because the test says so".to_owned(),
    };
    let mut rulings = Rulings::default();
    rulings.executor_dependent.insert("add_null".to_owned(), ruling("plain"));
    rulings.folded.insert("digits_past_f64".to_owned(), ruling("plain"));
    rulings.executor_dependent.insert("key_reorder".to_owned(), ruling("plain"));
    let mut result = ask(rulings.clone(), Vec::new());
    assert_eq!(result.faults, Vec::<String>::new());
    let rows = &result.sets["generated-hand"];
    assert_eq!(rows["add_null"].standing, Standing::ExecutorDependent);
    assert_eq!(rows["add_null"].reason, "because the test says so");
    assert_eq!(rows["digits_past_f64"].standing, Standing::Folded);
    // Only a large run of all executors can tell that a ruling says too much.
    result.inputs[0].pairs = 100_000;
    rule(&mut result, &rulings, true);
    assert_eq!(result.faults.len(), 1, "{:?}", result.faults);
    assert!(result.faults[0].contains("`key_reorder` names plain"), "{:?}", result.faults);
    // Another executor's ruling does not excuse this one.
    rulings.executor_dependent.insert("add_null".to_owned(), ruling("another"));
    rule(&mut result, &rulings, false);
    assert_eq!(result.sets["generated-hand"]["add_null"].standing, Standing::Contradicted);
    // Of two productions on a pair either may be the cause.
    result.depth = Some(3);
    rule(&mut result, &Rulings::default(), true);
    assert_eq!(result.sets["generated-hand"]["add_null"].standing, Standing::Unruled);
}

#[test]
fn a_profile_that_answers_same_for_what_is_received_unequal_is_a_fault() {
    let attach = |name: &str, profile: bool| Attached {
        keyer: Arc::from(by_name(name).unwrap()),
        profile_of: profile.then(|| vec!["plain".to_owned()]),
    };
    let elsewhere = Attached { profile_of: Some(vec!["other".to_owned()]), ..attach("raw", true) };
    let keyers = vec![
        attach("typed", false),
        attach("constant", true),
        attach("typed@strict", true),
        elsewhere,
    ];
    let result = ask(Rulings::default(), keyers);
    let checks = &result.keyers["plain"];
    assert!(!checks.contains_key("raw"));
    // add_null and value_changed are received unequal.
    assert_eq!((checks["constant"].same_unequal, checks["constant"].missed), (2, 0));
    assert_eq!((checks["typed"].same_unequal, checks["typed"].profile), (1, false));
    assert_eq!(checks["typed@strict"].same_unequal, 0);
    // Received as equal: 1, 2, 5 and 7; strict holds 5 apart.
    assert_eq!((checks["typed@strict"].equal, checks["typed@strict"].missed), (4, 1));
    let fault = |name: &str| result.faults.iter().any(|fault| fault.contains(name));
    assert!(fault("`constant` answers `same` for 2 pairs"), "{:?}", result.faults);
    assert!(!fault("`typed`") && !fault("typed@strict"));
}

#[test]
fn the_scorer_counts_dependent_productions_apart_by_itself() {
    let catalog = builtin_catalog();
    let rulings = Rulings::builtin().unwrap();
    assert!(rulings.executor_dependent.contains_key("add_null"));
    let generator = Generator::new(&catalog, &Profile::builtin("uniform").unwrap(), 7, 1).unwrap();
    let pairs: Vec<Pair> = (0..4).flat_map(|index| generator.batch(index, 1000)).collect();
    let apart = pairs
        .iter()
        .filter(|pair| pair.contradicts.is_none())
        .filter(|pair| {
            let made = pair.productions.as_ref().unwrap();
            made.a.iter().chain(&made.b).any(|p| rulings.executor_dependent.contains_key(p))
        })
        .count() as u64;
    assert!(apart > 50, "{apart}");
    let source: Box<dyn PairSource> = Box::new(IterSource::new("generated", pairs));
    let options = ReplayOptions::new(vec![by_name("typed").unwrap()], &catalog);
    let results = replay(vec![source], options).unwrap();
    let typed = &results.sets["generated-uniform"]["typed"];
    assert_eq!(typed.executor_dependent.retry.n + typed.executor_dependent.distinct.n, apart);
}
