//! Which fields of the metadata keep two chunks apart.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::chunks::Chunk;

/// What a difference in one field means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Nothing.
    Ignore,
    /// Two values that differ keep chunks apart; a value that one side lacks does not.
    Match,
    /// Both sides must have the same value, or none.
    Require,
}

impl Policy {
    /// The policy of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "ignore" => Self::Ignore,
            "match" => Self::Match,
            "require" => Self::Require,
            _ => return None,
        })
    }
}

/// Fields that keep chunks apart unless a user says otherwise.
pub const DEFAULT_FIELDS: [&str; 6] =
    ["jurisdiction", "version", "product", "tenant", "language", "locale"];

/// The policies of [`DEFAULT_FIELDS`].
pub fn default_policies() -> BTreeMap<String, Policy> {
    DEFAULT_FIELDS.iter().map(|name| ((*name).to_owned(), Policy::Match)).collect()
}

/// Name of the first field that keeps two chunks apart.
pub fn conflict<'p>(
    a: &Chunk,
    b: &Chunk,
    policies: &'p BTreeMap<String, Policy>,
    collapse_versions: bool,
) -> Option<&'p str> {
    policies
        .iter()
        .find(|(name, policy)| {
            if collapse_versions && *name == "version" {
                return false;
            }
            let value = |chunk: &Chunk| {
                chunk.metadata.get(*name).filter(|value| !value.is_null()).map(comparable)
            };
            match (policy, value(a), value(b)) {
                (Policy::Ignore, ..) | (_, None, None) => false,
                (Policy::Match, Some(x), Some(y)) => x != y,
                (Policy::Match, ..) => false,
                (Policy::Require, x, y) => x != y,
            }
        })
        .map(|(name, _)| name.as_str())
}

/// Values are compared as JSON; texts without regard to case and outer white space.
fn comparable(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{}", text.trim().to_lowercase()),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(metadata: &str) -> Chunk {
        Chunk { metadata: serde_json::from_str(metadata).unwrap(), ..Chunk::default() }
    }

    #[test]
    fn policies_say_what_a_missing_and_another_value_mean() {
        let de = chunk(r#"{"jurisdiction": "DE", "team": "a"}"#);
        let de_too = chunk(r#"{"jurisdiction": " de"}"#);
        let fr = chunk(r#"{"jurisdiction": "FR"}"#);
        let none = chunk("{}");
        let mut policies = default_policies();
        assert_eq!(conflict(&de, &fr, &policies, false), Some("jurisdiction"));
        assert_eq!(conflict(&de, &de_too, &policies, false), None);
        assert_eq!(conflict(&de, &none, &policies, false), None);
        policies.insert("jurisdiction".into(), Policy::Require);
        assert_eq!(conflict(&de, &none, &policies, false), Some("jurisdiction"));
        policies.insert("jurisdiction".into(), Policy::Ignore);
        assert_eq!(conflict(&de, &fr, &policies, false), None);
    }

    #[test]
    fn versions_may_be_let_through() {
        let (one, two) = (chunk(r#"{"version": 1}"#), chunk(r#"{"version": 2}"#));
        assert_eq!(conflict(&one, &two, &default_policies(), false), Some("version"));
        assert_eq!(conflict(&one, &two, &default_policies(), true), None);
    }
}
