//! The `jcs` strategy against `serde_json_canonicalizer`: where both write a form, it is one form.

use crate::broken::{Broken, Evidence, Law};
use samecall_keyer::strategy::canonicalise;

/// What the law saw of one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// Both wrote a form.
    Both,
    /// At least one refused; RFC 8785 leaves to an implementation what is outside I-JSON.
    Refused,
}

/// Checks one text.
///
/// # Errors
/// Where the forms differ, or the form is no fixed point.
pub fn check(text: &str) -> Law<Seen> {
    let broken = |class: &str, why: &str| {
        Err(Broken::new("jcs", [class], why, Evidence::Bytes(text.as_bytes().to_vec())))
    };
    let Some(ours) = form(text) else { return Ok(Seen::Refused) };
    // A double past 2^53 is written in plain digits below 1e21, and as such I-JSON forbids it: then the
    // form itself has none.
    if form(&ours).is_some_and(|again| again != ours) {
        return broken("fixed_point", "the form of a form is another one");
    }
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
        return Ok(Seen::Refused);
    };
    let Ok(theirs) = serde_json_canonicalizer::to_string(&value) else {
        return Ok(Seen::Refused);
    };
    if ours != theirs {
        return broken("forms", "two canonicalizers write two forms");
    }
    Ok(Seen::Both)
}

fn form(text: &str) -> Option<String> {
    let mut form = Vec::new();
    canonicalise(text, &mut form).ok()?;
    Some(String::from_utf8(form).expect("the canonical form is UTF-8"))
}
