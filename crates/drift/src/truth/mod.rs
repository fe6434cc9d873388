//! Checks labels without any keyer: decodes both sides of a pair against the tool's shape into meanings
//! and compares them.
//!
//! Nothing here is shared with the grammars but the shape and the table of reworded sentences. It is
//! written to be read beside the table of field kinds, not to be fast.

mod arguments;
mod instant;
pub(crate) mod scalar;
mod uri;

use crate::draw::words::REWORDED;
use samecall_call::json::Value;
use samecall_call::shape::{IdempotencyScope, Kind};
use samecall_call::{Call, Catalog, Pair, SchemaRef, Tool, Truth};
use std::collections::{BTreeMap, BTreeSet};

/// What a value means, in a form in which equal meanings are equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// A null that is a value.
    Null,
    /// True or false.
    Bool(bool),
    /// An exact decimal.
    Number(Decimal),
    /// Text, in the normal form of its kind.
    Text(String),
    /// A point in time, or a local time.
    Instant {
        /// Seconds since 1970; of a local time, as if in UTC.
        seconds: i64,
        /// The digits of the fraction, without trailing zeros.
        fraction: String,
        /// Whether a zone was given.
        zoned: bool,
        /// A leap second: the one after `seconds`.
        leap: bool,
    },
    /// Items in order.
    List(Vec<Meaning>),
    /// Items in no order, each once.
    Set(BTreeSet<Meaning>),
    /// Members by name.
    Object(BTreeMap<String, Meaning>),
    /// An item that is left out of identity, but whose place counts.
    Left,
}

/// A decimal as sign, digits without zeros at either end, and the power of ten of the last digit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal {
    /// Below zero; never of zero itself.
    pub negative: bool,
    /// Empty for zero.
    pub digits: String,
    /// The power of ten of the last digit; 0 for zero.
    pub exponent: i64,
}

/// What a call means to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// What the arguments say.
    pub fingerprint: Meaning,
    /// Content that is no identity, by path.
    pub payload: BTreeMap<String, Meaning>,
}

/// Why arguments have no meaning that could be compared: they equal nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unclear {
    /// The text is no JSON.
    NotJson,
    /// A name stands twice with different values.
    Duplicate,
    /// No arguments, for a tool that needs some.
    Missing,
    /// A field of the business key is absent.
    NoBusinessKey,
    /// A default has itself as a default, or a value is a list of one of itself, without end.
    TooDeep,
}

/// A label that the decoded meanings contradict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The pair's id.
    pub id: String,
    /// The label.
    pub label: Truth,
    /// The productions that made it.
    pub drift: Vec<String>,
    /// What was found instead.
    pub found: &'static str,
}

/// Decodes the arguments of a call against its tool's shape. With `reworded`, the sentences of the
/// generator's table mean the same in both wordings.
///
/// # Errors
/// When they have no clear meaning.
pub fn intent(call: &Call, tool: &Tool, reworded: bool) -> Result<Intent, Unclear> {
    let mut decoder = arguments::Decoder {
        shape: &tool.shape,
        reworded,
        payload: BTreeMap::new(),
        unclear: None,
        added: 0,
        around: arguments::Around::default(),
    };
    let mut fingerprint = decoder.arguments(&call.arguments)?;
    if let Some(unclear) = decoder.unclear {
        return Err(unclear);
    }
    let mut payload = decoder.payload;
    if let Some(key) = &tool.shape.idempotency {
        let Meaning::Object(mut members) = fingerprint else { return Err(Unclear::NoBusinessKey) };
        let mut named = BTreeMap::new();
        for field in &key.fields {
            let value = members.remove(field).filter(|value| *value != Meaning::Null);
            let value = value.ok_or(Unclear::NoBusinessKey)?;
            named.insert(field.clone(), value);
        }
        payload.extend(members);
        fingerprint = Meaning::Object(named);
    }
    Ok(Intent { fingerprint, payload })
}

/// Whether two calls of one tool stand at the same place, as far as the tool's business key asks.
fn same_slot(a: &Call, b: &Call, tool: &Tool) -> bool {
    let reach = tool.shape.idempotency.as_ref().map(|key| key.scope);
    let (x, y) = (&a.scope, &b.scope);
    let tenant = x.tenant == y.tenant;
    let run = tenant && x.effective_run() == y.effective_run();
    let step = run && x.effective_step() == y.effective_step();
    match reach {
        Some(IdempotencyScope::Tenant) => tenant,
        Some(IdempotencyScope::Run) => run,
        Some(IdempotencyScope::Step) => step,
        None => {
            step && x.effective_occurrence() == y.effective_occurrence()
                && x.call_site == y.call_site
        }
    }
}

/// The tool's own name, where a call gives it or a declared alias of it.
fn canonical<'n>(name: &'n str, tool: &'n Tool) -> &'n str {
    if tool.shape.tool_aliases.iter().any(|alias| alias == name) { &tool.name } else { name }
}

fn tool_of<'c>(pair: &Pair, catalog: &'c Catalog) -> Option<&'c Tool> {
    match &pair.schema {
        SchemaRef::ByName => catalog.by_name(&pair.a.tool),
        SchemaRef::Key(key) => catalog.by_key(key),
        SchemaRef::Inline(_) => None,
    }
    .map(|tool| &**tool)
}

/// Whether the calls of a drawn pair can be judged at all: not where a default has no end, or a business key is left out
/// of identity, which no arguments could mend.
pub fn has_meaning(pair: &Pair, catalog: &Catalog) -> bool {
    tool_of(pair, catalog).is_none_or(|tool| {
        [&pair.a, &pair.b].into_iter().all(|call| {
            !matches!(intent(call, tool, false), Err(Unclear::TooDeep | Unclear::NoBusinessKey))
        })
    })
}

/// Checks the label of a generated pair.
///
/// # Errors
/// When the decoded meanings say otherwise, or the pair's tool is not in the catalog.
pub fn check(pair: &Pair, catalog: &Catalog) -> Result<(), Disagreement> {
    let wrong = |found: &'static str| {
        Err(Disagreement {
            id: pair.id.clone(),
            label: pair.truth,
            drift: pair.drift.clone(),
            found,
        })
    };
    let Some(tool) = tool_of(pair, catalog) else { return wrong("a tool that the catalog lacks") };
    let reworded = pair.drift.iter().any(|name| name == "prose_reworded");
    let names = canonical(&pair.a.tool, tool) == canonical(&pair.b.tool, tool);
    let slots = same_slot(&pair.a, &pair.b, tool);
    let meanings = match (intent(&pair.a, tool, reworded), intent(&pair.b, tool, reworded)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    };
    if pair.contradicts.is_some() {
        // Whatever its label, such a pair must say the same twice.
        return if names && meanings { Ok(()) } else { wrong("a contradiction of unlike calls") };
    }
    match (pair.truth, names && slots && meanings) {
        (Truth::Retry, true) | (Truth::Distinct, false) => Ok(()),
        (Truth::Retry, false) if !meanings => wrong("different meanings"),
        (Truth::Retry, false) => wrong("different tools or places"),
        (Truth::Distinct, true) => wrong("the same meaning at the same place"),
    }
}

/// The first wording of a sentence that has two.
fn first_wording(text: &str) -> Option<&'static str> {
    REWORDED.iter().find(|both| both.contains(&text)).map(|both| both[0])
}

/// The field kinds that the two calls of a pair exercise: a guard against checks of nothing. Counted
/// are fields that a member of the arguments was given for.
pub fn kinds_given(call: &Call, tool: &Tool) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let Ok(value) =
        samecall_call::json::parse(&call.arguments, samecall_call::json::Dialect::Strict)
    else {
        return found;
    };
    given(&value, tool.shape.root(), tool, &mut found);
    found
}

fn given(
    value: &Value<'_>,
    field: &samecall_call::shape::Field,
    tool: &Tool,
    found: &mut BTreeSet<&'static str>,
) {
    found.insert(match &field.kind {
        Kind::Cased(_) => "cased",
        kind => kind.name(),
    });
    match (&field.kind, value) {
        (Kind::Object(object), Value::Object(members)) => {
            for member in members {
                if let Some(property) = member.name.as_str().and_then(|name| object.property(name))
                {
                    given(&member.value, tool.shape.field(property.field), tool, found);
                }
            }
        }
        (Kind::List(items) | Kind::Set(items), Value::Array(values)) => {
            for (at, value) in values.iter().enumerate() {
                if let Some(id) = items.at(at) {
                    given(value, tool.shape.field(id), tool, found);
                }
            }
        }
        _ => {}
    }
}
