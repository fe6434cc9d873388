//! `constant`, a canary: one key for all calls, so every pair is `same` (100 % / 100 %).

use samecall_call::{Call, Tool};

use crate::{Key, Keyer, Outcome};

/// One key whatever the call.
#[derive(Debug, Clone, Copy, Default)]
pub struct Constant;

impl Keyer for Constant {
    fn name(&self) -> &str {
        "constant"
    }

    fn key(&self, _call: &Call, _tool: Option<&Tool>) -> Outcome {
        Key::from_bytes([0; 16]).into()
    }
}
