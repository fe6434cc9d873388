//! `agentforge`: sorted top-level names, used by mistake as the list of names allowed at every depth.
//!
//! The strategy is JavaScript's `` `${tool}:${JSON.stringify(args, Object.keys(args).sort())}` ``. A list as second
//! argument of `JSON.stringify` keeps only members of those names, in that order, in **every** object (ECMA-262,
//! SerializeJSONObject), so nested members whose names do not occur at the top vanish from the key.

use samecall_call::json::{self, Dialect, ErrorKind, Member, Text, Value};
use samecall_call::{Call, Tool};

use super::{explanation, key_of, start};
use crate::form::ecma;
use crate::{Explanation, Keyer, Outcome, Refusal};

/// SHA-256 over tool, `:` and the arguments as JavaScript writes them through the list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Agentforge;

/// What JavaScript's `Object.keys(args).sort()` answers.
enum Allowed<'v> {
    /// The names of an object, sorted by UTF-16 units, each once.
    Names(Vec<&'v Text<'v>>),
    /// The indices of an array's items or a string's units, `0` to one less than this.
    Indices(usize),
}

/// A property that every object inherits and that is no function, so that the list reaches it: `Object.prototype`,
/// whose own is null.
const INHERITED: &str = "__proto__";

impl<'v> Allowed<'v> {
    fn of(arguments: &'v Value<'v>) -> Result<Self, Refusal> {
        Ok(match arguments {
            Value::Null => {
                return Err(Refusal::new("TypeError", "Object.keys of null arguments"));
            }
            Value::Object(members) => {
                let mut names: Vec<_> = members.iter().map(|member| &member.name).collect();
                names.sort_unstable_by(|a, b| ecma::compare_utf16(a.as_bytes(), b.as_bytes()));
                names.dedup();
                Allowed::Names(names)
            }
            Value::Array(items) => Allowed::Indices(items.len()),
            Value::String(text) => Allowed::Indices(ecma::utf16(text.as_bytes()).count()),
            Value::Bool(_) | Value::Number(_) | Value::NonFinite(_) => Allowed::Indices(0),
        })
    }

    fn contains(&self, name: &Text<'_>) -> bool {
        match self {
            Allowed::Names(names) => {
                let order =
                    |found: &&Text<'_>| ecma::compare_utf16(found.as_bytes(), name.as_bytes());
                names.binary_search_by(order).is_ok()
            }
            Allowed::Indices(count) => name
                .as_str()
                .and_then(|text| text.parse::<usize>().ok().filter(|n| n.to_string() == text))
                .is_some_and(|index| index < *count),
        }
    }

    fn reaches_inherited(&self) -> bool {
        self.contains(&Text::from(INHERITED))
    }
}

struct Writer<'w, 'v> {
    out: &'w mut Vec<u8>,
    allowed: Allowed<'v>,
    reaches_inherited: bool,
}

impl<'v> Writer<'_, 'v> {
    fn value(&mut self, value: &'v Value<'v>) {
        match value {
            Value::Null | Value::NonFinite(_) => self.out.extend_from_slice(b"null"),
            Value::Bool(true) => self.out.extend_from_slice(b"true"),
            Value::Bool(false) => self.out.extend_from_slice(b"false"),
            Value::Number(number) => {
                // JSON.parse reads an infinity, which JSON.stringify writes as null.
                if !ecma::write_number(number, self.out) {
                    self.out.extend_from_slice(b"null");
                }
            }
            Value::String(text) => ecma::write_text(text.as_bytes(), self.out),
            Value::Array(items) => {
                self.out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.out.push(b',');
                    }
                    self.value(item);
                }
                self.out.push(b']');
            }
            Value::Object(members) => self.object(members),
        }
    }

    fn object(&mut self, members: &'v [Member<'v>]) {
        let mut kept: Vec<(&[u8], Option<&'v Value<'v>>)> = members
            .iter()
            .filter(|member| self.allowed.contains(&member.name))
            .map(|member| (member.name.as_bytes(), Some(&member.value)))
            .collect();
        if self.reaches_inherited && members.iter().all(|member| member.name != *INHERITED) {
            kept.push((INHERITED.as_bytes(), None));
        }
        // Stable, so that of equal names the last is the last written.
        kept.sort_by(|a, b| ecma::compare_utf16(a.0, b.0));
        self.out.push(b'{');
        let start = self.out.len();
        for (at, &(name, value)) in kept.iter().enumerate() {
            if kept.get(at + 1).is_some_and(|next| next.0 == name) {
                continue;
            }
            if self.out.len() > start {
                self.out.push(b',');
            }
            ecma::write_text(name, self.out);
            self.out.push(b':');
            match value {
                Some(value) => self.value(value),
                None => self.out.extend_from_slice(br#"{"__proto__":null}"#),
            }
        }
        self.out.push(b'}');
    }
}

impl Agentforge {
    fn form(call: &Call) -> Result<Vec<u8>, Refusal> {
        let value = json::parse(&call.arguments, Dialect::Strict).map_err(|error| {
            let too_deep = matches!(error.kind, ErrorKind::TooDeep { .. });
            Refusal::unreadable(if too_deep { "RangeError" } else { "SyntaxError" }, error)
        })?;
        let allowed = Allowed::of(&value)?;
        let reaches_inherited = allowed.reaches_inherited();
        let mut out = start(call, b':');
        Writer { out: &mut out, allowed, reaches_inherited }.value(&value);
        Ok(out)
    }
}

impl Keyer for Agentforge {
    fn name(&self) -> &str {
        "agentforge"
    }

    fn key(&self, call: &Call, _tool: Option<&Tool>) -> Outcome {
        key_of(Self::form(call)).into()
    }

    fn explain(&self, call: &Call, _tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        Some(Self::form(call).map(|form| explanation(form, Vec::new())))
    }
}
