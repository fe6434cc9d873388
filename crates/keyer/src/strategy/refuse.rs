//! `refuse`, a canary: no call has a key, so every pair is `refused`.

use samecall_call::{Call, Tool};

use crate::{Keyer, Outcome, Refusal};

/// A refusal whatever the call.
#[derive(Debug, Clone, Copy, Default)]
pub struct Refuse;

impl Keyer for Refuse {
    fn name(&self) -> &str {
        "refuse"
    }

    fn key(&self, _call: &Call, _tool: Option<&Tool>) -> Outcome {
        Outcome::Refused(Refusal::new("canary", "this strategy refuses every call"))
    }
}
