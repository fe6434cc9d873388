//! `raw`, the article's A: the tool and the text exactly as the model wrote it.

use samecall_call::{Call, Tool};

use super::{explanation, start};
use crate::{Explanation, Key, Keyer, Outcome, Refusal};

/// SHA-256 over tool, `|` and argument text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Raw;

impl Keyer for Raw {
    fn name(&self) -> &str {
        "raw"
    }

    fn key(&self, call: &Call, _tool: Option<&Tool>) -> Outcome {
        Key::of_joined([call.tool.as_bytes(), call.arguments.as_bytes()]).into()
    }

    fn explain(&self, call: &Call, _tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        let mut form = start(call, b'|');
        form.extend_from_slice(call.arguments.as_bytes());
        Some(Ok(explanation(form, Vec::new())))
    }
}
