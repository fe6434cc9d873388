//! `normalised`, the article's C: canonical JSON after a list of rules on values. Also any other list of rules.

use samecall_call::json::Value;
use samecall_call::{Call, Tool};

use super::{explanation, key_of, start};
use crate::form::python;
use crate::rules::{Letters, Normaliser};
use crate::{Explanation, Key, Keyer, Outcome, Refusal};

/// SHA-256 over tool, `|` and the canonical form after rules. The arguments must be an object.
#[derive(Debug, Clone)]
pub struct Normalised {
    name: String,
    normaliser: Normaliser,
}

impl Normalised {
    /// The article's C.
    pub fn article() -> Self {
        Self::with_rules("normalised", Normaliser::article(Letters::EitherCase))
    }

    /// The article's first C, which does not know timestamps of small letters: a planted fault.
    pub fn capital_t() -> Self {
        Self::with_rules("normalised-capital-t", Normaliser::article(Letters::CapitalOnly))
    }

    /// The same strategy with another list of rules, under a name of its own.
    pub fn with_rules(name: impl Into<String>, normaliser: Normaliser) -> Self {
        Normalised { name: name.into(), normaliser }
    }

    /// The rules it applies.
    pub fn normaliser(&self) -> &Normaliser {
        &self.normaliser
    }

    pub(super) fn derive(&self, call: &Call) -> Result<Key, Refusal> {
        key_of(self.form(call, &read_object(call)?))
    }

    fn form(&self, call: &Call, arguments: &Value<'_>) -> Result<Vec<u8>, Refusal> {
        let mut out = start(call, b'|');
        python::write(arguments, &self.normaliser, &mut out)?;
        Ok(out)
    }
}

/// The arguments, which Python's `.items()` wants to be an object.
fn read_object(call: &Call) -> Result<Value<'_>, Refusal> {
    match python::read(&call.arguments)? {
        object @ Value::Object(_) => Ok(object),
        other => {
            let detail = format!("the arguments are no object but {}", other.type_name());
            Err(Refusal::new("AttributeError", detail))
        }
    }
}

impl Keyer for Normalised {
    fn name(&self) -> &str {
        &self.name
    }

    fn key(&self, call: &Call, _tool: Option<&Tool>) -> Outcome {
        self.derive(call).into()
    }

    fn explain(&self, call: &Call, _tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        Some(read_object(call).and_then(|arguments| {
            let form = self.form(call, &arguments)?;
            Ok(explanation(form, python::fired(&arguments, &self.normaliser)?))
        }))
    }
}
