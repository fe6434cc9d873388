//! The corpora: the hostile one of this project, and real traces where they are at hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use samecall_call::json::{Dialect, Value, parse};
use samecall_call::shape::{Overlay, Shape};
use samecall_call::{Catalog, LineReader, Pair, Resolver, Truth, Verdict, parse_record};
use samecall_keyer::typed::{Typed, TypedProse, TypedScoped};
use samecall_keyer::{Keyer, verdict};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Third-party data, where it is at hand.
fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SAMECALL_SHARED")
        .map_or_else(|| workspace().join("../shared"), PathBuf::from);
    let file = root.join(path);
    if !file.exists() {
        println!("skipped: {path} not found");
        return None;
    }
    Some(file)
}

fn pairs(file: &Path) -> Vec<Pair> {
    let mut lines = LineReader::open(file).expect("the corpus is readable");
    let mut pairs = Vec::new();
    while let Some((number, line)) = lines.next_line().expect("the corpus is readable") {
        pairs.push(
            parse_record(line, Pair::from_value).unwrap_or_else(|e| panic!("line {number}: {e}")),
        );
    }
    pairs
}

/// How often each verdict fell, by truth; and the ids of retries missed and distinct pairs merged.
#[derive(Debug, Default)]
struct Score {
    verdicts: BTreeMap<(Truth, Verdict), usize>,
    missed: Vec<String>,
    merged: Vec<String>,
}

impl Score {
    fn count(&self, truth: Truth, verdict: Verdict) -> usize {
        self.verdicts.get(&(truth, verdict)).copied().unwrap_or(0)
    }

    fn caught(&self) -> usize {
        self.count(Truth::Retry, Verdict::Same)
    }
}

fn score(keyer: &dyn Keyer, pairs: &[Pair], catalog: Catalog) -> Score {
    let resolver = Resolver::new(catalog);
    let mut score = Score::default();
    for pair in pairs {
        let [a, b] = resolver.resolve_pair(pair).unwrap_or_else(|e| panic!("{}: {e}", pair.id));
        let verdict = verdict(&keyer.key(&pair.a, a.as_deref()), &keyer.key(&pair.b, b.as_deref()));
        *score.verdicts.entry((pair.truth, verdict)).or_default() += 1;
        match (pair.truth, verdict) {
            (Truth::Retry, Verdict::Same) => {}
            (Truth::Retry, _) => score.missed.push(pair.id.clone()),
            (Truth::Distinct, Verdict::Same) => score.merged.push(pair.id.clone()),
            _ => {}
        }
    }
    println!("{} {:?}", keyer.name(), score.verdicts);
    score
}

#[test]
fn hostile_pairs_are_told_apart() {
    let pairs = pairs(&workspace().join("corpus/adversarial.jsonl"));
    let score = score(&TypedScoped::default(), &pairs, Catalog::default());
    assert_eq!(score.merged, [""; 0]);
    // The prefix of a tool's name is an alias that nobody declared.
    assert_eq!(score.missed, ["adv-X205"]);
    assert_eq!(score.caught(), 36);
}

fn real(pairs_file: &str, tools: &str, overlay: Overlay) -> Option<(Vec<Pair>, Catalog)> {
    let (file, tools) =
        (shared(&format!("traces/{pairs_file}"))?, shared(&format!("traces/tools/{tools}"))?);
    let mut catalog = Catalog::new(overlay);
    catalog.read_file(&tools).expect("the tools are readable");
    Some((pairs(&file), catalog))
}

#[test]
fn tau_bench_is_caught_whole() {
    let Some((pairs, catalog)) =
        real("tau_bench.pairs.jsonl", "tau_bench.json", Overlay::default())
    else {
        return;
    };
    let score = score(&Typed::default(), &pairs, catalog);
    assert_eq!((score.caught(), score.merged.len()), (480, 0));
}

#[test]
fn workbench_gains_by_three_lines_of_annotation() {
    let Some((pairs, catalog)) =
        real("workbench.pairs.jsonl", "workbench.json", Overlay::default())
    else {
        return;
    };
    let bare = score(&Typed::default(), &pairs, catalog);
    let mut overlay = Overlay::default();
    let file = super::tempfile(
        "[\"calendar.search_events\"]\nquery = \"text\"\n\
         [\"company_directory.find_email_address\"]\nname = \"text\"\n\
         [\"email.search_emails\"]\nquery = \"text\"\n",
    );
    overlay.read_file(&file).expect("the overlay is right");
    let _ = std::fs::remove_file(file);
    let Some((pairs, catalog)) = real("workbench.pairs.jsonl", "workbench.json", overlay) else {
        return;
    };
    let annotated = score(&Typed::default(), &pairs, catalog);
    assert!(bare.caught() >= 1_357, "{}", bare.caught());
    assert!(annotated.caught() >= 1_445, "{}", annotated.caught());
    assert!(
        bare.merged.is_empty() && annotated.merged.is_empty(),
        "{:?} {:?}",
        bare.merged,
        annotated.merged
    );
}

#[test]
fn bfcl_gains_by_defaults_in_prose() {
    let read = || real("bfcl_possible_answer.pairs.jsonl", "bfcl.json", Overlay::default());
    let Some((pairs, catalog)) = read() else { return };
    let prose = score(&TypedProse::default(), &pairs, catalog);
    assert!(prose.caught() >= 470, "{}", prose.caught());
    assert!(prose.merged.len() <= 1, "{:?}", prose.merged);
    let Some((pairs, catalog)) = read() else { return };
    let typed = score(&Typed::default(), &pairs, catalog);
    assert_eq!(typed.merged, [""; 0]);
}

/// Reads every property's default from prose as if the schema did not state it, and compares the two.
#[test]
fn defaults_in_prose_agree_with_stated_ones() {
    let (mut agree, mut disagree) = (0, Vec::new());
    for name in ["bfcl", "tau_bench", "workbench"] {
        let Some(file) = shared(&format!("traces/tools/{name}.json")) else { return };
        let text = std::fs::read_to_string(file).expect("the tools are readable");
        let tools = parse(&text, Dialect::Python).expect("the tools are JSON");
        for tool in tools.as_object().unwrap_or_default() {
            let mut found = Vec::new();
            if let Some(schema) = tool.value.get("parameters") {
                stated(schema, &mut found);
            }
            for property in found {
                let mut bare = property.clone();
                let Value::Object(members) = &mut bare else { continue };
                members.retain(|member| member.name != *"default");
                let shape = |property: &Value<'_>| -> Shape {
                    let schema = format!(r#"{{"type":"object","properties":{{"x":{property}}}}}"#);
                    samecall_call::shape::compile(&parse(&schema, Dialect::Python).unwrap(), None)
                        .unwrap()
                };
                let without = shape(&bare);
                let field = without.field(without.root_object().unwrap().properties[0].field);
                let Some(read) = &field.prose_default else { continue };
                let with = |x: &str| format!(r#"{{"x":{x}}}"#);
                let keyed = super::tool_of_x(&bare.to_string());
                let default = property.get("default").map(ToString::to_string).unwrap_or_default();
                if super::equal(&with(&read.to_string()), &with(&default), Some(&keyed)) {
                    agree += 1;
                } else {
                    disagree.push(format!("{read} is not {default}: {}", field.description));
                }
            }
        }
    }
    println!("{agree} readings agree, {} do not: {disagree:#?}", disagree.len());
    assert!(disagree.len() <= 5, "{disagree:#?}");
    assert!(agree >= 25, "the reader reads: {agree}");
}

/// Properties that state a default, at any depth.
fn stated<'v>(schema: &Value<'v>, found: &mut Vec<Value<'v>>) {
    match schema {
        Value::Object(members) => {
            for property in schema.get("properties").and_then(Value::as_object).unwrap_or_default()
            {
                if property.value.get("default").is_some() {
                    found.push(property.value.clone());
                }
            }
            members.iter().for_each(|member| stated(&member.value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| stated(item, found)),
        _ => {}
    }
}
