//! The strict reader against `serde_json`: what that accepts, ours accepts with the same meaning.

use crate::broken::{Broken, Evidence, Law};
use samecall_call::json::{Dialect, Error, ErrorKind, Value, parse, parse_bytes};

/// What the law saw of one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// Both accept.
    Both,
    /// Neither does.
    Neither,
    /// Ours alone accepts: a lone surrogate, a number past `f64`, or nesting past 128 levels.
    OursAlone,
}

/// Checks one text.
///
/// # Errors
/// Where the two readers disagree, or what ours read does not survive being written and read again.
pub fn check(bytes: &[u8]) -> Law<Seen> {
    let broken = |class: &str, why: &str| {
        Err(Broken::new("reader", [class], why, Evidence::Bytes(bytes.to_vec())))
    };
    let ours = parse_bytes(bytes, Dialect::Strict);
    let python = parse_bytes(bytes, Dialect::Python);
    match (&ours, &python) {
        (Ok(a), Ok(b)) if a != b => {
            return broken("dialects", "the dialects read one text in two ways");
        }
        (Ok(_), Err(_)) => {
            return broken("dialects", "strict accepts what the Python dialect refuses");
        }
        _ => {}
    }
    if let Ok(value) = &python {
        let written = value.to_string();
        if parse(&written, Dialect::Python).as_ref() != Ok(value) {
            return broken("written", "what was written does not read back");
        }
    }
    let theirs: Result<serde_json::Value, _> = serde_json::from_slice(bytes);
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) if !agree(ours, theirs) => {
            broken("value", "the two readers see different values")
        }
        (Ok(_), Ok(_)) => Ok(Seen::Both),
        (Err(_), Ok(_)) => broken("accepts", "serde_json accepts what ours refuses"),
        (Ok(value), Err(_)) if !excused(value, 0) => {
            broken("refuses", "ours accepts what serde_json refuses")
        }
        (Ok(_), Err(_)) => Ok(Seen::OursAlone),
        (Err(error), Err(_)) if error.offset > bytes.len() => {
            broken("offset", "the error points past the text")
        }
        (Err(Error { kind: ErrorKind::Cut, offset }), Err(_)) if *offset != bytes.len() => {
            broken("cut", "a cut is at the end of the text")
        }
        (Err(_), Err(_)) => Ok(Seen::Neither),
    }
}

fn agree(ours: &Value<'_>, theirs: &serde_json::Value) -> bool {
    use serde_json::Value as Theirs;
    match (ours, theirs) {
        (Value::Null, Theirs::Null) => true,
        (Value::Bool(a), Theirs::Bool(b)) => a == b,
        (Value::String(a), Theirs::String(b)) => a.as_str() == Some(b),
        (Value::Number(a), Theirs::Number(b)) => same_number(a, b),
        (Value::Array(a), Theirs::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b))
        }
        (Value::Object(members), Theirs::Object(map)) => {
            // Of a repeated name serde_json keeps the last value.
            members.iter().all(|m| m.name.as_str().is_some_and(|name| map.contains_key(name)))
                && map.iter().all(|(name, b)| ours.get(name).is_some_and(|a| agree(a, b)))
        }
        _ => false,
    }
}

fn same_number(text: &str, number: &serde_json::Number) -> bool {
    if let Some(integer) = number.as_i64() {
        return text.parse() == Ok(integer);
    }
    if let Some(integer) = number.as_u64() {
        return text.parse() == Ok(integer);
    }
    // Without its `float_roundtrip` feature serde_json may be off by some units in the last place.
    let (Ok(ours), Some(theirs)) = (text.parse::<f64>(), number.as_f64()) else { return false };
    ours == theirs || (ours - theirs).abs() <= ours.abs() * 1e-15
}

/// Whether a value has something that serde_json does not read.
fn excused(value: &Value<'_>, depth: usize) -> bool {
    match value {
        Value::Number(text) => text.parse::<f64>().is_ok_and(|n| !(-1e308..=1e308).contains(&n)),
        Value::String(text) => text.as_str().is_none(),
        Value::Array(items) => depth >= 127 || items.iter().any(|v| excused(v, depth + 1)),
        Value::Object(members) => {
            depth >= 127
                || members.iter().any(|m| m.name.as_str().is_none() || excused(&m.value, depth + 1))
        }
        _ => false,
    }
}
