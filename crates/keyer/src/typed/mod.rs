//! The schema-directed keyer: two calls are the same where their tool's schema says that they say the same.
//!
//! Each field of a tool has a kind (`samecall_call::shape`), and each kind says when two values are equal. Arguments are
//! written in a canonical form that is equal exactly when the calls are: typed and length-prefixed bytes, hashed into the
//! **fingerprint**. [`TypedScoped`] joins it with the **slot**, where in the run the call stands. What a field's kind
//! leaves out of identity but not out of content is **payload**, a second hash.
//!
//! Every normalisation is a [`TypedRule`]; a keyer with a smaller [`RuleSet`] does without it.

mod decimal;
mod encode;
mod frame;
mod grid;
mod instant;
mod items;
mod object;
mod occurrence;
mod profile;
mod prose;
mod respell;
mod root;
mod rule;
mod scalar;
mod uri;
mod value;

pub use encode::Leaf;
pub use occurrence::OccurrenceCounter;
pub use profile::{ExecutorProfile, TypedAs};
pub use respell::respelled;
pub use rule::{RuleSet, TypedRule};
pub use scalar::canonical_text;

use samecall_call::shape::Idempotency;
use samecall_call::{Call, Tool};

use crate::{Explanation, Fired, Key, Keyed, Keyer, Outcome, Parts, Refusal};
use frame::{Frame, Place, Reach};

/// The fingerprint alone: the tool and what the arguments say.
#[derive(Debug, Clone, Copy, Default)]
pub struct Typed {
    rules: RuleSet,
}

/// As [`Typed`], also with the defaults that stand only in descriptions. A description may be wrong, so this is for
/// reads and caches; nothing with side effects should be keyed by it.
#[derive(Debug, Clone, Copy, Default)]
pub struct TypedProse {
    rules: RuleSet,
}

/// Slot and fingerprint: the same call at the same place in the run.
#[derive(Debug, Clone, Copy, Default)]
pub struct TypedScoped {
    rules: RuleSet,
}

impl Typed {
    /// The keyer with these rules alone.
    pub fn with_rules(rules: RuleSet) -> Self {
        Typed { rules }
    }
}

impl TypedProse {
    /// The keyer with these rules alone.
    pub fn with_rules(rules: RuleSet) -> Self {
        TypedProse { rules }
    }
}

impl TypedScoped {
    /// The keyer with these rules alone.
    pub fn with_rules(rules: RuleSet) -> Self {
        TypedScoped { rules }
    }
}

/// The canonical form of a call's tool and arguments. Holds argument values: customers' data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canonical {
    /// The bytes that are hashed into the fingerprint, the tool's name included.
    pub bytes: Vec<u8>,
    /// The bytes that are hashed into the payload; none where no field is payload.
    pub payload: Option<Vec<u8>>,
    /// The fingerprint's part of the arguments for people: JSON in which a value of a kind reads `kind("text")`.
    pub form: String,
    /// The payload's part for people; empty where there is none.
    pub payload_form: String,
    /// Every scalar of the form with its path and kind, in order.
    pub leaves: Vec<Leaf>,
    /// The rules that changed something, with the path of the value.
    pub fired: Vec<Fired>,
}

/// The canonical form of a call under a set of rules, as `typed` hashes it.
///
/// # Errors
/// Why the call has no safe key.
pub fn canonical(call: &Call, tool: Option<&Tool>, rules: RuleSet) -> Result<Canonical, Refusal> {
    explained(call, tool, rules, false)
}

/// A call's two hashed forms.
struct Halves {
    fingerprint: Vec<u8>,
    payload: Option<Vec<u8>>,
    /// Where the arguments begin in the fingerprint's bytes, for explanations.
    arguments: usize,
    /// The arguments in full, where a business key takes only some of them.
    full: Option<Vec<u8>>,
    fired: Vec<Fired>,
}

fn business(tool: Option<&Tool>) -> Option<&Idempotency> {
    tool.and_then(|tool| tool.shape.idempotency.as_ref())
}

/// The name that the fingerprint carries: the tool's own, where the call uses that or a declared alias of it.
fn tool_name<'c>(call: &'c Call, tool: Option<&'c Tool>, rules: RuleSet) -> &'c str {
    match tool {
        Some(tool)
            if rules.has(TypedRule::ToolAlias) && tool.shape.tool_aliases.contains(&call.tool) =>
        {
            &tool.name
        }
        _ => &call.tool,
    }
}

fn halves(
    call: &Call,
    tool: Option<&Tool>,
    rules: RuleSet,
    prose: bool,
    traced: bool,
) -> Result<Halves, Refusal> {
    let name = tool_name(call, tool, rules);
    let domain: &[u8] = if prose { b"fingerprint with prose" } else { b"fingerprint" };
    let mut frame = Frame::with_capacity(domain, name.len() + 2 * call.arguments.len() + 64);
    frame.part(Some(name.as_bytes()));
    let out = frame.into_bytes();
    let arguments = out.len();
    let trace = traced.then(Box::default);
    let mut writer = root::write(call, tool, rules, prose, out, trace).map_err(|stop| *stop)?;
    let mut fired = writer.trace.take().map(|trace| trace.fired).unwrap_or_default();
    if traced && name != call.tool {
        fired.insert(0, Fired { path: Vec::new(), rule: TypedRule::ToolAlias.name() });
    }
    let (out, payload) = (writer.out, writer.payload);
    let Some(key) = business(tool) else {
        let payload = (!payload.is_empty()).then_some(payload);
        return Ok(Halves { fingerprint: out, payload, arguments, full: None, fired });
    };
    // The named fields are the fingerprint. All that was said is payload: where the fingerprints agree, two payloads
    // then differ exactly in the rest.
    let mut frame = Frame::with_capacity(b"business fingerprint", name.len() + out.len());
    frame.part(Some(domain)).part(Some(name.as_bytes()));
    let mut fields: Vec<&str> = key.fields.iter().map(String::as_str).collect();
    fields.sort_unstable();
    fields.dedup();
    for field in fields {
        let node = encode::at_path(&out[arguments..], &prose::nfc(field))
            .filter(|node| **node != [encode::tag::NULL])
            .ok_or_else(|| {
                Refusal::new(
                    "missing_business_field",
                    format!("`{field}` makes the key and is absent"),
                )
            })?;
        frame.part(Some(field.as_bytes())).part(Some(node));
    }
    let mut rest = Frame::with_capacity(b"rest", out.len() + payload.len());
    rest.part(Some(&out[arguments..])).part(Some(&payload));
    Ok(Halves {
        fingerprint: frame.into_bytes(),
        payload: Some(rest.into_bytes()),
        arguments: 0,
        full: Some(out[arguments..].to_vec()),
        fired,
    })
}

fn explained(
    call: &Call,
    tool: Option<&Tool>,
    rules: RuleSet,
    prose: bool,
) -> Result<Canonical, Refusal> {
    let halves = halves(call, tool, rules, prose, true)?;
    let node = halves.full.as_deref().unwrap_or(&halves.fingerprint[halves.arguments..]);
    let (mut form, leaves) = encode::describe(node);
    let payload_form = match (business(tool), &halves.payload) {
        (Some(key), _) => {
            form = format!("{form} by {}", key.fields.join(", "));
            "all other fields".to_owned()
        }
        (None, Some(payload)) => encode::describe_payload(payload),
        (None, None) => String::new(),
    };
    let name = tool_name(call, tool, rules);
    Ok(Canonical {
        form: format!("{name} {form}"),
        payload_form,
        leaves,
        fired: halves.fired,
        bytes: halves.fingerprint,
        payload: halves.payload,
    })
}

fn fingerprint(
    call: &Call,
    tool: Option<&Tool>,
    rules: RuleSet,
    prose: bool,
) -> Result<Key, Refusal> {
    halves(call, tool, rules, prose, false).map(|halves| Key::of(&halves.fingerprint))
}

fn explanation(canonical: Canonical) -> Explanation {
    let mut form = canonical.form;
    if !canonical.payload_form.is_empty() {
        form.push_str("\npayload ");
        form.push_str(&canonical.payload_form);
    }
    Explanation { form, fired: canonical.fired }
}

impl Keyer for Typed {
    fn name(&self) -> &str {
        "typed"
    }

    fn key(&self, call: &Call, tool: Option<&Tool>) -> Outcome {
        fingerprint(call, tool, self.rules, false).into()
    }

    fn explain(&self, call: &Call, tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        Some(explained(call, tool, self.rules, false).map(explanation))
    }
}

impl Keyer for TypedProse {
    fn name(&self) -> &str {
        "typed-prose"
    }

    fn key(&self, call: &Call, tool: Option<&Tool>) -> Outcome {
        fingerprint(call, tool, self.rules, true).into()
    }

    fn explain(&self, call: &Call, tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        Some(explained(call, tool, self.rules, true).map(explanation))
    }
}

impl TypedScoped {
    fn parts(&self, call: &Call, tool: Option<&Tool>) -> Result<Keyed, Refusal> {
        let reach = business(tool).map_or(Reach::Call, |key| Reach::Business(key.scope));
        let Place { slot, run, step, pinned } = frame::place(call, reach).map_err(missing)?;
        let halves = halves(call, tool, self.rules, false, false)?;
        let fingerprint = Key::of(&halves.fingerprint);
        let payload = halves.payload.map(|payload| {
            let mut frame = Frame::with_capacity(b"payload", payload.len());
            frame.part(Some(&payload));
            frame.key()
        });
        let mut frame = Frame::with_capacity(b"key", 64);
        frame.part(Some(slot.as_bytes())).part(Some(fingerprint.as_bytes()));
        Ok(Keyed {
            key: frame.key(),
            parts: Some(Parts { slot, fingerprint, payload, pinned, run, step }),
        })
    }
}

fn missing(part: &'static str) -> Refusal {
    Refusal::new(
        "missing_scope",
        format!("`{part}` is absent, so that no run is told from another"),
    )
}

impl Keyer for TypedScoped {
    fn name(&self) -> &str {
        "typed-scoped"
    }

    fn key(&self, call: &Call, tool: Option<&Tool>) -> Outcome {
        self.parts(call, tool).map_or_else(Outcome::Refused, Outcome::Key)
    }

    fn has_slot(&self) -> bool {
        true
    }

    fn explain(&self, call: &Call, tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        let keyed = match self.parts(call, tool) {
            Ok(keyed) => keyed,
            Err(refusal) => return Some(Err(refusal)),
        };
        Some(explained(call, tool, self.rules, false).map(explanation).map(|mut explanation| {
            if let Some(parts) = keyed.parts {
                explanation.form = format!("slot {}\n{}", parts.slot, explanation.form);
            }
            explanation
        }))
    }
}
