//! Key derivation is total: any text has a key or a reason, the same each time, in memory bounded by the text.

use crate::broken::{Broken, Law};
use crate::evidence;
use crate::subject::Subject;
use samecall_call::{Call, Tool, Truth, Verdict};
use samecall_keyer::{Outcome, verdict};

/// Bytes of canonical form for each byte of arguments: `1e308` has five and becomes an integer of 309 digits.
const GROWTH: usize = 64;
/// Bytes of canonical form that no argument accounts for: defaults, names and framing, for each byte of schema.
const SCHEMA_GROWTH: usize = 16;

/// What the law saw of one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// A key.
    Keyed,
    /// A reason.
    Refused,
}

/// Checks one call, whatever its text. That no text makes a panic or a hang is for whoever calls this to see.
///
/// # Errors
/// Where two questions have two answers, a refusal gives no reason, the call is not the same as itself, the explanation
/// says otherwise than the key, or the form outgrows the text.
pub fn check(subject: &Subject, call: &Call, tool: Option<&Tool>) -> Law<Seen> {
    let broken = |class: &str, why: &str| {
        Err(Broken::new("total", [class], why, evidence::pair(Truth::Retry, call, call, tool)))
    };
    let keyer = subject.keyer();
    let first = keyer.key(call, tool);
    if keyer.key(call, tool) != first {
        return broken("answer", "one call has two answers");
    }
    let explained = keyer.explain(call, tool);
    let agrees = match (&first, &explained) {
        (_, None) => true,
        (Outcome::Key(_), Some(explained)) => explained.is_ok(),
        (Outcome::Refused(refusal), Some(explained)) => explained.as_ref().err() == Some(refusal),
    };
    if !agrees {
        return broken("explanation", "the explanation says otherwise than the key");
    }
    if let Some(Ok(explanation)) = explained {
        let schema = tool.map_or(0, |tool| tool.parameters.len());
        let bound = GROWTH * call.arguments.len() + SCHEMA_GROWTH * schema + 1_024;
        if explanation.form.len() > bound {
            return broken("growth", "the canonical form outgrows the text");
        }
    }
    match &first {
        Outcome::Refused(refusal) if refusal.code().is_empty() => {
            broken("reason", "a refusal gives no reason")
        }
        Outcome::Refused(_) => Ok(Seen::Refused),
        Outcome::Key(_) if verdict(&first, &first) != Verdict::Same => {
            broken("itself", "a call is not the same as itself")
        }
        Outcome::Key(_) => Ok(Seen::Keyed),
    }
}
