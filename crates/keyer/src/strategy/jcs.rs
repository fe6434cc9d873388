//! `jcs`: the JSON Canonicalization Scheme (RFC 8785).

use samecall_call::json::{self, Dialect, Member, Value};
use samecall_call::{Call, Tool};

use super::{explanation, key_of, start};
use crate::form::ecma;
use crate::python::wtf8::{CodePoints, SURROGATES};
use crate::{Explanation, Keyer, Outcome, Refusal};

/// SHA-256 over tool, `|` and the RFC 8785 form. What I-JSON (RFC 7493) forbids is refused: integers beyond
/// ±(2^53-1), numbers beyond the doubles, duplicate names, surrogates and noncharacters.
#[derive(Debug, Clone, Copy, Default)]
pub struct Jcs;

/// The largest integer that I-JSON lets a receiver trust, 2^53 - 1.
const LARGEST_INTEGER: &str = "9007199254740991";

/// The canonical form of a JSON text.
///
/// # Errors
/// Where the text is no JSON, or no I-JSON.
pub fn canonicalise(text: &str, out: &mut Vec<u8>) -> Result<(), Refusal> {
    let value = json::parse(text, Dialect::Strict)
        .map_err(|error| Refusal::unreadable("invalid_json", error))?;
    Writer { out, members: Vec::new() }.value(&value)
}

struct Writer<'w, 'v> {
    out: &'w mut Vec<u8>,
    /// The members of all objects that are open, each object's sorted by name.
    members: Vec<&'v Member<'v>>,
}

impl<'v> Writer<'_, 'v> {
    fn value(&mut self, value: &'v Value<'v>) -> Result<(), Refusal> {
        match value {
            Value::Null => self.out.extend_from_slice(b"null"),
            Value::Bool(true) => self.out.extend_from_slice(b"true"),
            Value::Bool(false) => self.out.extend_from_slice(b"false"),
            Value::Number(number) => self.number(number)?,
            // The strict dialect has none.
            Value::NonFinite(_) => return Err(Refusal::bare("number_out_of_range")),
            Value::String(text) => self.text(text.as_bytes())?,
            Value::Array(items) => {
                self.out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.out.push(b',');
                    }
                    self.value(item)?;
                }
                self.out.push(b']');
            }
            Value::Object(members) => self.object(members)?,
        }
        Ok(())
    }

    fn object(&mut self, members: &'v [Member<'v>]) -> Result<(), Refusal> {
        let base = self.members.len();
        self.members.extend(members);
        self.members[base..]
            .sort_by(|a, b| ecma::compare_utf16(a.name.as_bytes(), b.name.as_bytes()));
        if self.members[base..].windows(2).any(|pair| pair[0].name == pair[1].name) {
            return Err(Refusal::bare("duplicate_name"));
        }
        self.out.push(b'{');
        for at in base..base + members.len() {
            if at > base {
                self.out.push(b',');
            }
            let member = self.members[at];
            self.text(member.name.as_bytes())?;
            self.out.push(b':');
            self.value(&member.value)?;
        }
        self.members.truncate(base);
        self.out.push(b'}');
        Ok(())
    }

    fn number(&mut self, number: &str) -> Result<(), Refusal> {
        let digits = number.strip_prefix('-').unwrap_or(number);
        let is_long = digits.len() >= LARGEST_INTEGER.len();
        if is_long && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            // Of the same length, texts of digits compare as numbers.
            if digits.len() > LARGEST_INTEGER.len() || digits > LARGEST_INTEGER {
                return Err(Refusal::new("integer_out_of_range", "beyond ±(2^53-1)"));
            }
        }
        if ecma::write_number(number, self.out) {
            return Ok(());
        }
        Err(Refusal::new("number_out_of_range", "beyond the range of a double"))
    }

    fn text(&mut self, text: &[u8]) -> Result<(), Refusal> {
        // Surrogates start with 0xED, noncharacters with 0xEF or more.
        if text.iter().any(|&byte| byte >= 0xED) {
            for point in CodePoints::new(text) {
                if SURROGATES.contains(&point) {
                    return Err(Refusal::bare("lone_surrogate"));
                }
                if (0xFDD0..=0xFDEF).contains(&point) || point & 0xFFFE == 0xFFFE {
                    return Err(Refusal::bare("noncharacter"));
                }
            }
        }
        ecma::write_text(text, self.out);
        Ok(())
    }
}

impl Jcs {
    fn form(call: &Call) -> Result<Vec<u8>, Refusal> {
        let mut out = start(call, b'|');
        canonicalise(&call.arguments, &mut out)?;
        Ok(out)
    }
}

impl Keyer for Jcs {
    fn name(&self) -> &str {
        "jcs"
    }

    fn key(&self, call: &Call, _tool: Option<&Tool>) -> Outcome {
        key_of(Self::form(call)).into()
    }

    fn explain(&self, call: &Call, _tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        Some(Self::form(call).map(|form| explanation(form, Vec::new())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        canonicalise(text, &mut Vec::new()).unwrap_err().code().to_owned()
    }

    #[test]
    fn refuses_what_i_json_forbids() {
        assert_eq!(refused("9007199254740992"), "integer_out_of_range");
        assert_eq!(refused("-10000000000000000"), "integer_out_of_range");
        assert_eq!(refused("1e309"), "number_out_of_range");
        assert_eq!(refused(r#"{"a":1,"\u0061":1}"#), "duplicate_name");
        assert_eq!(refused(r#"{"a":"\ud800"}"#), "lone_surrogate");
        assert_eq!(refused(r#"{"\uffff":1}"#), "noncharacter");
        assert_eq!(refused(r#"["\ud83f\udffe"]"#), "noncharacter");
        assert_eq!(refused(r#"{"a":NaN}"#), "invalid_json");
        assert_eq!(refused("{} {}"), "invalid_json");
    }

    #[test]
    fn accepts_the_limits() {
        let mut out = Vec::new();
        let text =
            r#"[9007199254740991, -9007199254740991, 9007199254740993.0, 1e30, "\ufffd\ud7ff"]"#;
        canonicalise(text, &mut out).unwrap();
        let written =
            "[9007199254740991,-9007199254740991,9007199254740992,1e+30,\"\u{fffd}\u{d7ff}\"]";
        assert_eq!(String::from_utf8(out).unwrap(), written);
    }
}
