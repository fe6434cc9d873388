//! What a strategy is: from a call, and the tool's schema where it is known, to a key or a refusal.

use samecall_call::{Call, Tool};

use crate::{Key, Keyed, Refusal};

/// One strategy. Keyers are shared between threads and hold no state that changes an answer.
pub trait Keyer: Send + Sync {
    /// The strategy's name, as in the registry.
    fn name(&self) -> &str;

    /// The key of a call, or why it has none.
    fn key(&self, call: &Call, tool: Option<&Tool>) -> Outcome;

    /// The keys of many calls, in order. A strategy that pays for each question (another program) answers them
    /// together.
    fn keys(&self, calls: &[(&Call, Option<&Tool>)]) -> Vec<Outcome> {
        calls.iter().map(|(call, tool)| self.key(call, *tool)).collect()
    }

    /// Whether keys have a slot, a fingerprint and perhaps a payload as parts.
    fn has_slot(&self) -> bool {
        false
    }

    /// What the key is made from, for people. None for a strategy that has nothing to show.
    fn explain(&self, _call: &Call, _tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        None
    }
}

/// A strategy's answer for one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The call's key.
    Key(Keyed),
    /// No safe key exists.
    Refused(Refusal),
}

impl Outcome {
    /// The key, where there is one.
    pub fn key(&self) -> Option<Key> {
        match self {
            Outcome::Key(keyed) => Some(keyed.key),
            Outcome::Refused(_) => None,
        }
    }

    /// The refusal, where there is one.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Outcome::Key(_) => None,
            Outcome::Refused(refusal) => Some(refusal),
        }
    }
}

impl From<Key> for Outcome {
    fn from(key: Key) -> Self {
        Outcome::Key(key.into())
    }
}

impl From<Result<Key, Refusal>> for Outcome {
    fn from(result: Result<Key, Refusal>) -> Self {
        result.map_or_else(Outcome::Refused, Outcome::from)
    }
}

/// How a strategy arrives at a key. Holds argument values: customers' data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The text that is hashed.
    pub form: String,
    /// The rules that changed something, in written order of the values.
    pub fired: Vec<Fired>,
}

/// One rule that changed one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    /// Where the value stands: names and array indices from the root.
    pub path: Vec<String>,
    /// The rule's name.
    pub rule: &'static str,
}
