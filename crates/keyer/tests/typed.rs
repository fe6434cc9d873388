//! The schema-directed keyer: rule by rule, by its laws, and on corpora.

mod cases;
mod corpus;
mod explain;
mod hostile;
mod laws;
mod pairs;
mod stable;
mod stress;

use samecall_call::json::{Dialect, Value, parse};
use samecall_call::shape::Overlay;
use samecall_call::{Call, Tool, Verdict};
use samecall_keyer::typed::{RuleSet, Typed, TypedRule, TypedScoped};
use samecall_keyer::{Keyer, Outcome, verdict};

/// A tool `t` of a schema.
fn tool(schema: &str) -> Tool {
    Tool::new("t", "", schema, None).unwrap_or_else(|e| panic!("{schema}: {e}"))
}

/// A tool `t` with one property `x` of a schema.
fn tool_of_x(schema: &str) -> Tool {
    tool(&format!(r#"{{"type":"object","properties":{{"x":{schema}}}}}"#))
}

/// A tool `t` of a schema, annotated by an overlay's text.
fn overlaid(schema: &str, overlay: &str) -> Tool {
    let mut read = Overlay::default();
    let file = tempfile(overlay);
    read.read_file(&file).unwrap_or_else(|e| panic!("{overlay}: {e}"));
    let _ = std::fs::remove_file(file);
    Tool::new("t", "", schema, Some(&read)).unwrap_or_else(|e| panic!("{schema}: {e}"))
}

/// A file of this process with a text in it.
fn tempfile(text: &str) -> std::path::PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name =
        format!("samecall-typed-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("the temporary directory can be written");
    path
}

fn typed(arguments: &str, tool: Option<&Tool>) -> Outcome {
    Typed::default().key(&Call::new("t", arguments), tool)
}

/// The code of a refusal, or `key`.
fn code(outcome: &Outcome) -> String {
    outcome.refusal().map_or_else(|| "key".to_owned(), |refusal| refusal.code().to_owned())
}

/// Whether two argument texts have one key; panics where one is refused.
fn equal(a: &str, b: &str, tool: Option<&Tool>) -> bool {
    let key = |text: &str| {
        let outcome = typed(text, tool);
        outcome.key().unwrap_or_else(|| panic!("{text} is refused: {:?}", outcome.refusal()))
    };
    key(a) == key(b)
}

/// What `typed-scoped` says of two calls.
fn scoped(a: &Call, b: &Call, tool: Option<&Tool>) -> Verdict {
    let keyer = TypedScoped::default();
    verdict(&keyer.key(a, tool), &keyer.key(b, tool))
}

/// A JSON string literal.
fn literal(text: &str) -> String {
    Value::String(text.to_owned().into()).to_string()
}

#[test]
fn literals_read_back() {
    assert_eq!(parse(&literal("a\"\n"), Dialect::Strict).unwrap().as_str(), Some("a\"\n"));
}
