//! The `jcs` strategy against `serde_json_canonicalizer`: where both write a form, it is one form.

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
/// # Panics
/// When the forms differ, or the form is no fixed point.
pub fn check(text: &str) -> Seen {
    let Some(ours) = form(text) else { return Seen::Refused };
    // A double past 2^53 is written in plain digits below 1e21, and as such I-JSON forbids it: then the
    // form itself has none.
    if let Some(again) = form(&ours) {
        assert_eq!(again, ours, "the form of a form is another one");
    }
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return Seen::Refused };
    let Ok(theirs) = serde_json_canonicalizer::to_string(&value) else { return Seen::Refused };
    assert_eq!(ours, theirs, "two canonicalizers write two forms");
    Seen::Both
}

fn form(text: &str) -> Option<String> {
    let mut form = Vec::new();
    canonicalise(text, &mut form).ok()?;
    Some(String::from_utf8(form).expect("the canonical form is UTF-8"))
}
