//! Counts `occurrence` within a step, for frameworks.

use std::collections::HashMap;

use samecall_call::{Call, Tool};

use super::Typed;
use crate::{Key, Keyer};

/// Tells apart the calls of one step that say the same: 0 for the first, 1 for the second.
///
/// A framework makes one counter for each answer of the model and lets it number that answer's calls. When the model is
/// prompted again for the same step, a new counter numbers the new answer: unlike calls may come in another order and
/// keep their numbers, and of two equal calls the first is the first again.
#[derive(Debug, Clone, Default)]
pub struct OccurrenceCounter {
    seen: HashMap<(Option<String>, Key), u64>,
    keyer: Typed,
}

impl OccurrenceCounter {
    /// A counter for the calls of one step.
    pub fn new() -> Self {
        Self::default()
    }

    /// The occurrence of a call with this fingerprint (the key of `typed`), which counts it.
    pub fn next(&mut self, tenant: Option<&str>, fingerprint: Key) -> u64 {
        let count = self.seen.entry((tenant.map(str::to_owned), fingerprint)).or_insert(0);
        let occurrence = *count;
        *count += 1;
        occurrence
    }

    /// Writes the call's occurrence into its scope. A call that `typed` refuses is left as it is.
    pub fn number(&mut self, call: &mut Call, tool: Option<&Tool>) {
        if let Some(fingerprint) = self.keyer.key(call, tool).key() {
            call.scope.occurrence = Some(self.next(call.scope.tenant.as_deref(), fingerprint));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_calls_are_numbered_whatever_their_order() {
        let number = |texts: [&str; 4]| {
            let mut counter = OccurrenceCounter::new();
            texts.map(|text| {
                let mut call = Call::new("t", text).at("r", "1");
                counter.number(&mut call, None);
                call.scope.occurrence
            })
        };
        let twins = [r#"{"a":1,"b":2}"#, r#"{"x":1}"#, r#"{"b":2.0,"a":1}"#, "{"];
        assert_eq!(number(twins), [Some(0), Some(0), Some(1), None]);
        let permuted = [twins[1], twins[2], twins[3], twins[0]];
        assert_eq!(number(permuted), [Some(0), Some(0), None, Some(1)]);
    }
}
