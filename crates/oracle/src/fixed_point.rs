//! The canonical form is a fixed point: a call in a strategy's own spelling has the same key, and is spelled so again.

use crate::broken::{Broken, Law};
use crate::evidence;
use crate::near;
use crate::subject::Subject;
use samecall_call::{Call, Tool, Truth};

/// What the law saw of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// The call was spelled in another way than its own.
    Respelled,
    /// The call stood in its own spelling.
    AtRest,
    /// The call has no key, or the strategy no spelling.
    Refused,
    /// Two names are near, so that which of them is read hangs on the other; or the spelling says nothing at all.
    Outside,
}

/// Checks one call.
///
/// # Errors
/// Where the spelling has another key, or another spelling. The class are the rules that go to work on what should be
/// at rest.
pub fn check(subject: &Subject, call: &Call, tool: Option<&Tool>) -> Law<Seen> {
    let Some(key) = subject.key(call, tool) else { return Ok(Seen::Refused) };
    if subject.reads_names() && near::names(call) {
        return Ok(Seen::Outside);
    }
    let Some(once) = subject.respell(call, tool) else { return Ok(Seen::Refused) };
    // Where all that was said is left out of the key, the spelling says nothing, which a cut stream looks like.
    if once.arguments == "{}" && call.arguments != "{}" && subject.key(&once, tool).is_none() {
        return Ok(Seen::Outside);
    }
    let twice = subject.respell(&once, tool);
    let again = subject.key(&once, tool);
    if again == Some(key) && twice.as_ref() == Some(&once) {
        return Ok(if once == *call { Seen::AtRest } else { Seen::Respelled });
    }
    let why = match (again, twice) {
        (None, _) => "the canonical spelling of a call is refused",
        (Some(again), _) if again != key => {
            "the canonical form is no fixed point (lost idempotence): its own spelling has another key"
        }
        _ => "the canonical form is no fixed point (lost idempotence): it is spelled anew",
    };
    let class = subject.acting(&once, tool);
    Err(Broken::new("fixed_point", class, why, evidence::pair(Truth::Retry, call, &once, tool)))
}
