//! Two laws about two calls: two spellings of one intent share a key, and a changed intent never does.
//!
//! The truth of a pair comes from the grammar that made it, or from a second judge that decodes both calls; no keyer is
//! asked.

use crate::broken::{Broken, Evidence, Law};
use crate::subject::{Reach, Subject};
use crate::world::World;
use samecall_call::{Call, Pair, SchemaRef, Tool, Truth, Verdict};
use samecall_drift::truth;
use samecall_keyer::verdict;

/// The production that says the same in other words, which no key can see.
const OPAQUE: &str = "prose_reworded";

/// What the laws saw of one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// A retry that was recognised.
    Caught,
    /// Two calls that were told apart, by a key, a question or a refusal.
    Apart,
    /// A pair that the law does not speak of: reworded prose; for a strategy without a scope, two calls that say the
    /// same at different places.
    Outside,
}

/// Checks one pair with the tools of its two calls.
///
/// # Errors
/// Law `spelling`: a retry is answered otherwise than `same`; the class are the productions between the spellings. Law
/// `change`: two distinct calls are answered `same`; the class is the change.
pub fn check(subject: &Subject, pair: &Pair, tools: [Option<&Tool>; 2]) -> Law<Seen> {
    let keyer = subject.keyer();
    let answer = verdict(&keyer.key(&pair.a, tools[0]), &keyer.key(&pair.b, tools[1]));
    match (pair.truth, answer) {
        (Truth::Retry, Verdict::Same) => Ok(Seen::Caught),
        (Truth::Retry, _) if pair.drift.iter().any(|name| name == OPAQUE) => Ok(Seen::Outside),
        (Truth::Retry, _) => {
            let class: Vec<String> = match answer {
                Verdict::Refused => pair.drift.iter().cloned().chain(["refused".into()]).collect(),
                _ => pair.drift.clone(),
            };
            let why = format!("two spellings of one intent are answered `{answer}`");
            Err(Broken::new("spelling", class, why, evidence(pair, tools)))
        }
        (Truth::Distinct, Verdict::Same) => {
            if subject.reach() == Reach::Words && says_the_same(pair, tools) {
                return Ok(Seen::Outside);
            }
            let why = "two distinct calls share a key";
            Err(Broken::new("change", [pair.why.clone()], why, evidence(pair, tools)))
        }
        (Truth::Distinct, _) => Ok(Seen::Apart),
    }
}

/// Whether both calls are of one tool and have one meaning, payload aside, so that only their places differ.
fn says_the_same(pair: &Pair, tools: [Option<&Tool>; 2]) -> bool {
    match tools {
        [Some(a), Some(b)] => {
            name(&pair.a, a) == name(&pair.b, b) && same_words(&pair.a, &pair.b, a)
        }
        _ => pair.a.tool == pair.b.tool && pair.a.arguments == pair.b.arguments,
    }
}

fn name<'n>(call: &'n Call, tool: &'n Tool) -> &'n str {
    if tool.shape.tool_aliases.contains(&call.tool) { &tool.name } else { &call.tool }
}

/// Whether two calls of a tool mean the same, payload aside. Calls without a clear meaning equal nothing.
pub fn same_words(a: &Call, b: &Call, tool: &Tool) -> bool {
    match (truth::intent(a, tool, false), truth::intent(b, tool, false)) {
        (Ok(a), Ok(b)) => a.fingerprint == b.fingerprint,
        _ => false,
    }
}

fn evidence(pair: &Pair, tools: [Option<&Tool>; 2]) -> Evidence {
    let mut pair = match &pair.schema {
        SchemaRef::Inline(_) => pair.clone(),
        _ => samecall_drift::with_inline_schema(pair.clone(), World::shared().catalog()),
    };
    // Two tools have two schemas; a catalog with both is needed to replay the pair.
    if let [Some(a), Some(b)] = tools
        && a.name != b.name
    {
        pair.schema = SchemaRef::ByName;
    }
    Evidence::Pair(Box::new(pair))
}
