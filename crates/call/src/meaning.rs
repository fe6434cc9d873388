//! What a call says by the plainest reading: the tool's name and the same JSON. No strategy is asked, and no schema.

use crate::call::Call;
use crate::json::{self, Dialect, Value};

/// A text that is equal for two calls exactly when they name the same tool and their arguments are the same JSON, with
/// members in any order and numbers as written, or the same text where they are no JSON.
pub fn meaning(call: &Call) -> String {
    let arguments = json::parse(&call.arguments, Dialect::Strict)
        .map_or_else(|_| call.arguments.clone(), |value| sorted(&value).to_string());
    format!("{} {arguments}", call.tool)
}

/// The value with the members of every object in the order of their names.
fn sorted<'v>(value: &Value<'v>) -> Value<'v> {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(members) => {
            let mut members = members.clone();
            for member in &mut members {
                member.value = sorted(&member.value);
            }
            members.sort_by(|a, b| a.name.cmp(&b.name));
            Value::Object(members)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_members_is_no_meaning_and_numbers_stay_as_written() {
        let of = |tool: &str, arguments: &str| meaning(&Call::new(tool, arguments));
        assert_eq!(of("t", r#"{"a":[{"b":1,"c":2}]}"#), of("t", r#"{ "a": [{"c":2, "b":1}] }"#));
        assert_ne!(of("t", r#"{"a":1}"#), of("t", r#"{"a":1.0}"#));
        assert_ne!(of("t", r#"{"a":[1,2]}"#), of("t", r#"{"a":[2,1]}"#));
        assert_ne!(of("t", "{}"), of("u", "{}"));
        assert_ne!(of("t", "no JSON"), of("t", "no  JSON"));
    }
}
