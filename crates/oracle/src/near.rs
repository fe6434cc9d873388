//! Calls on which a schema's rules have no one answer: members whose names are one but for `_`, `-` and ASCII case.

use samecall_call::Call;
use samecall_call::json::{self, Dialect, Member, Value};

/// Whether an object anywhere in the arguments has two members whose names are near, or one name with two values. What
/// such a call says hangs on the near name's twin, or the call is refused; laws of spelling do not speak of it.
pub(crate) fn names(call: &Call) -> bool {
    json::parse(&call.arguments, Dialect::Strict).is_ok_and(|arguments| within(&arguments))
}

fn within(value: &Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.iter().any(within),
        Value::Object(members) => {
            let near = |(at, member): (usize, &Member<'_>)| {
                let is_twin = |m: &&Member<'_>| m.name != member.name || m.value != member.value;
                members[..at].iter().filter(is_twin).any(|m| bare(m) == bare(member))
            };
            members.iter().enumerate().any(near) || members.iter().any(|m| within(&m.value))
        }
        // Arguments and objects may be carried as text.
        Value::String(text) => text
            .as_str()
            .filter(|text| text.contains('{'))
            .and_then(|text| json::parse(text, Dialect::Strict).ok())
            .is_some_and(|inner| within(&inner)),
        _ => false,
    }
}

fn bare(member: &Member<'_>) -> String {
    let name = String::from_utf8_lossy(member.name.as_bytes()).to_ascii_lowercase();
    name.replace(['_', '-'], "")
}
