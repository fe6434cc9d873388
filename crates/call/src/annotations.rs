//! What a catalog says of a tool's effects, as MCP's tool annotations have it.

use crate::json::Value;

/// MCP's hints about a tool; what is not stated is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Annotations {
    /// `readOnlyHint`: the tool changes nothing. `side_effects`, its opposite, is read too.
    pub read_only: Option<bool>,
    /// `destructiveHint`: what it changes may be lost.
    pub destructive: Option<bool>,
    /// `idempotentHint`: a second run changes nothing more.
    pub idempotent: Option<bool>,
    /// `openWorldHint`: it deals with things that others change too.
    pub open_world: Option<bool>,
}

impl Annotations {
    /// Whether nothing is stated.
    pub fn is_silent(&self) -> bool {
        *self == Annotations::default()
    }

    /// The annotations that a tool, or a recorded call, states.
    ///
    /// # Errors
    /// Names the hint that is neither true nor false.
    pub fn from_value(holder: &Value<'_>) -> Result<Self, String> {
        let flag = |value: Option<&Value<'_>>, name: &str| match value {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => {
                Err(format!("`{name}` must be true or false, but is {}", other.type_name()))
            }
        };
        let hints = match holder.get("annotations") {
            None | Some(Value::Null) => &Value::Null,
            Some(hints @ Value::Object(_)) => hints,
            Some(other) => {
                return Err(format!(
                    "`annotations` must be an object, but is {}",
                    other.type_name()
                ));
            }
        };
        let hint = |name: &str| flag(hints.get(name), &format!("annotations.{name}"));
        let side_effects = flag(holder.get("side_effects"), "side_effects")?;
        Ok(Annotations {
            read_only: hint("readOnlyHint")?.or(side_effects.map(|effects| !effects)),
            destructive: hint("destructiveHint")?,
            idempotent: hint("idempotentHint")?,
            open_world: hint("openWorldHint")?,
        })
    }

    /// These, and where they are silent the other's.
    pub fn or(self, other: Annotations) -> Self {
        Annotations {
            read_only: self.read_only.or(other.read_only),
            destructive: self.destructive.or(other.destructive),
            idempotent: self.idempotent.or(other.idempotent),
            open_world: self.open_world.or(other.open_world),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{self, Dialect};

    #[test]
    fn hints_are_read_where_they_are_stated() {
        let read = |text: &str| {
            Annotations::from_value(&json::parse(text, Dialect::Strict).expect("JSON"))
        };
        let stated = read(r#"{"annotations": {"readOnlyHint": true, "openWorldHint": false}}"#);
        assert_eq!(
            stated.as_ref().map(|a| (a.read_only, a.open_world)),
            Ok((Some(true), Some(false)))
        );
        assert_eq!(read(r#"{"side_effects": false}"#).map(|a| a.read_only), Ok(Some(true)));
        let both = read(r#"{"side_effects": false, "annotations": {"readOnlyHint": false}}"#);
        assert_eq!(both.map(|a| a.read_only), Ok(Some(false)), "the standard's own word counts");
        assert_eq!(read(r#"{"annotations": null}"#).map(|a| a.is_silent()), Ok(true));
        assert!(
            read(r#"{"annotations": {"readOnlyHint": "yes"}}"#)
                .is_err_and(|e| e.contains("readOnlyHint"))
        );
        assert!(read(r#"{"annotations": []}"#).is_err());
    }
}
