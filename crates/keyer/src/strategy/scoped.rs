//! `scoped`, the article's D: C within one step of one run.

use samecall_call::{Call, Part, Tool};

use super::Normalised;
use crate::{Explanation, Key, Keyer, Outcome, Refusal};

/// SHA-256 over run, step and C's key in hex, joined with `|`. An absent part reads `-`, a null `None`: so a missing
/// scope falls back to C in silence, and a `|` in a part can move its border. Both are the article's.
#[derive(Debug, Clone)]
pub struct Scoped {
    inner: Normalised,
}

impl Scoped {
    /// The article's D.
    pub fn article() -> Self {
        Self::over(Normalised::article())
    }

    /// The same over another list of rules.
    pub fn over(inner: Normalised) -> Self {
        Scoped { inner }
    }
}

/// A part as Python's `str` prints it.
fn printed(part: &Part) -> &str {
    match part {
        Part::Absent => "-",
        Part::Null => "None",
        Part::Given(text) => text,
    }
}

impl Keyer for Scoped {
    fn name(&self) -> &str {
        "scoped"
    }

    fn key(&self, call: &Call, _tool: Option<&Tool>) -> Outcome {
        let (run, step) = (printed(&call.scope.run_id), printed(&call.scope.step));
        let scoped = |inner: Key| Key::of_joined([run.as_bytes(), step.as_bytes(), &inner.hex()]);
        self.inner.derive(call).map(scoped).into()
    }

    fn explain(&self, call: &Call, tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        let explained = self.inner.explain(call, tool)?;
        let (run, step) = (printed(&call.scope.run_id), printed(&call.scope.step));
        Some(explained.map(|Explanation { form, fired }| {
            // For people: the inner form in place of its hash.
            Explanation { form: format!("{run}|{step}|{form}"), fired }
        }))
    }
}
