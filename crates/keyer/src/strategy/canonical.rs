//! `canonical`, the article's B: the JSON value, whatever its spelling, as CPython reads and writes it.

use samecall_call::{Call, Tool};

use super::{explanation, key_of, start};
use crate::form::python;
use crate::rules::Normaliser;
use crate::{Explanation, Keyer, Outcome, Refusal};

/// SHA-256 over tool, `|` and `json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Canonical;

impl Canonical {
    fn form(call: &Call) -> Result<Vec<u8>, Refusal> {
        const AS_READ: Normaliser = Normaliser::none();
        let value = python::read(&call.arguments)?;
        let mut out = start(call, b'|');
        python::write(&value, &AS_READ, &mut out)?;
        Ok(out)
    }
}

impl Keyer for Canonical {
    fn name(&self) -> &str {
        "canonical"
    }

    fn key(&self, call: &Call, _tool: Option<&Tool>) -> Outcome {
        key_of(Self::form(call)).into()
    }

    fn explain(&self, call: &Call, _tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        Some(Self::form(call).map(|form| explanation(form, Vec::new())))
    }
}
