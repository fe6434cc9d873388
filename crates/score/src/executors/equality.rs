//! Whether a handler received equal values: two dumps with types, compared as the handler's language compares.
//!
//! Numbers are equal when they are the same number, an int and a float included: so say Python's `==` and JavaScript's
//! one number type, and Rust has no `==` between the two. That the types differed is told apart. `true` is never 1, although
//! Python says so: no handler prints one for the other.

use samecall_call::json::Value;
use std::collections::BTreeMap;

/// How two received values stand to one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// The same values of the same types.
    Identical,
    /// Equal, but some number is of another type.
    OtherType,
    /// Not equal.
    Unequal,
}

/// Compares two dumps. Both must have passed `check`.
pub fn compare(a: &Value<'_>, b: &Value<'_>) -> Likeness {
    match (Node::of(a), Node::of(b)) {
        (Some(a), Some(b)) => a.compare(&b),
        _ => Likeness::Unequal,
    }
}

/// Whether a value is a dump.
///
/// # Errors
/// What is wrong with it; never any of its content.
pub(super) fn check(value: &Value<'_>) -> Result<(), &'static str> {
    match Node::of(value).ok_or(
        "a number, or an object that is no `{\"object\": ...}` and no `{\"<type>\": \"<text>\"}`",
    )? {
        Node::Leaf(_) | Node::Typed(..) => Ok(()),
        Node::Items(_, items) => items.iter().try_for_each(check),
        Node::Members(members) => members.values().try_for_each(|value| check(value)),
    }
}

/// One level of a dump.
enum Node<'v> {
    /// Null, true, false or text.
    Leaf(&'v Value<'v>),
    /// A type and its text: `{"int": "42"}`.
    Typed(&'v str, &'v str),
    /// A list, or `{"tuple": [...]}` and its like.
    Items(&'v str, &'v [Value<'v>]),
    /// `{"object": {...}}`.
    Members(BTreeMap<&'v [u8], &'v Value<'v>>),
}

impl<'v> Node<'v> {
    fn of(value: &'v Value<'v>) -> Option<Self> {
        match value {
            Value::Null | Value::Bool(_) | Value::String(_) => Some(Node::Leaf(value)),
            Value::Array(items) => Some(Node::Items("list", items)),
            Value::Number(_) | Value::NonFinite(_) => None,
            Value::Object(members) => {
                let [only] = members.as_slice() else { return None };
                match (only.name.as_str()?, &only.value) {
                    ("object", Value::Object(members)) => Some(Node::Members(
                        members.iter().map(|m| (m.name.as_bytes(), &m.value)).collect(),
                    )),
                    (tag, Value::String(text)) => Some(Node::Typed(tag, text.as_str()?)),
                    (tag, Value::Array(items)) => Some(Node::Items(tag, items)),
                    _ => None,
                }
            }
        }
    }

    fn compare(&self, other: &Self) -> Likeness {
        let likeness = |equal| if equal { Likeness::Identical } else { Likeness::Unequal };
        match (self, other) {
            (Node::Leaf(a), Node::Leaf(b)) => likeness(a == b),
            (Node::Typed(tag, a), Node::Typed(other_tag, b)) => {
                if tag == other_tag && a == b {
                    return Likeness::Identical;
                }
                match (Number::of(tag, a), Number::of(other_tag, b)) {
                    (Some(a), Some(b)) if a.equals(&b) => {
                        if tag == other_tag {
                            Likeness::Identical
                        } else {
                            Likeness::OtherType
                        }
                    }
                    _ => Likeness::Unequal,
                }
            }
            (Node::Items(tag, a), Node::Items(other_tag, b)) => {
                if tag != other_tag || a.len() != b.len() {
                    return Likeness::Unequal;
                }
                worst(a.iter().zip(b.iter()).map(|(a, b)| compare(a, b)))
            }
            (Node::Members(a), Node::Members(b)) => {
                if !a.keys().eq(b.keys()) {
                    return Likeness::Unequal;
                }
                worst(a.values().zip(b.values()).map(|(a, b)| compare(a, b)))
            }
            _ => Likeness::Unequal,
        }
    }
}

fn worst(parts: impl Iterator<Item = Likeness>) -> Likeness {
    parts.max().unwrap_or(Likeness::Identical)
}

/// A number as a handler holds it.
enum Number<'t> {
    /// A double.
    Float(f64),
    /// An exact decimal: sign, digits without leading zeros, and how many of them stand after the point.
    Exact { negative: bool, digits: std::borrow::Cow<'t, str>, fraction: i64 },
}

impl<'t> Number<'t> {
    fn of(tag: &str, text: &'t str) -> Option<Self> {
        match tag {
            "float" => text.parse().ok().map(Number::Float),
            "int" | "decimal" => exact(text),
            _ => None,
        }
    }

    fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Number::Float(a), Number::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (
                Number::Exact { negative, digits, fraction },
                Number::Exact { negative: n, digits: d, fraction: f },
            ) => digits == d && ((negative, fraction) == (n, f) || digits == "0"),
            (Number::Float(float), exact) | (exact, Number::Float(float)) => {
                // A double is a finite decimal of at most 1074 places, and printing them all is exact.
                let places = if float.fract() == 0.0 { 0 } else { 1074 };
                float.is_finite()
                    && self::exact(&format!("{float:.places$}")).is_some_and(|f| f.equals(exact))
            }
        }
    }
}

/// An exact decimal from digits with an optional sign, point and exponent.
fn exact(text: &str) -> Option<Number<'_>> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (text, exponent) = match text.split_once(['e', 'E']) {
        Some((text, exponent)) => (text, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, after) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || !whole.bytes().chain(after.bytes()).all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = format!("{whole}{after}");
    let kept = digits.trim_end_matches('0');
    let zeros = i64::try_from(digits.len() - kept.len()).ok()?;
    let fraction = i64::try_from(after.len()).ok()?.checked_sub(zeros)?.checked_sub(exponent)?;
    let kept = kept.trim_start_matches('0');
    Some(match kept {
        "" => Number::Exact { negative: false, digits: "0".into(), fraction: 0 },
        kept => Number::Exact { negative, digits: kept.to_owned().into(), fraction },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use samecall_call::json::{Dialect, parse};

    fn likeness(a: &str, b: &str) -> Likeness {
        let (a, b) = (parse(a, Dialect::Strict).unwrap(), parse(b, Dialect::Strict).unwrap());
        check(&a).unwrap();
        check(&b).unwrap();
        assert_eq!(compare(&a, &b), compare(&b, &a));
        compare(&a, &b)
    }

    #[test]
    fn numbers_are_equal_by_value_and_their_types_are_told() {
        use Likeness::*;
        for (a, b, expected) in [
            (r#"{"int":"4200"}"#, r#"{"float":"4200.0"}"#, OtherType),
            (r#"{"float":"4200"}"#, r#"{"float":"4200.0"}"#, Identical),
            (r#"{"float":"-0.0"}"#, r#"{"int":"0"}"#, OtherType),
            // The double next to 1e23 is another number.
            (r#"{"int":"100000000000000000000000"}"#, r#"{"float":"1e+23"}"#, Unequal),
            (r#"{"int":"9007199254740993"}"#, r#"{"float":"9007199254740992.0"}"#, Unequal),
            (r#"{"int":"9007199254740992"}"#, r#"{"float":"9007199254740992.0"}"#, OtherType),
            (r#"{"decimal":"1.10"}"#, r#"{"decimal":"1.1"}"#, Identical),
            (r#"{"decimal":"0.1"}"#, r#"{"float":"0.1"}"#, Unequal),
            (r#"{"decimal":"0.5"}"#, r#"{"float":"0.5"}"#, OtherType),
            (r#"{"decimal":"1E+3"}"#, r#"{"int":"1000"}"#, OtherType),
            (r#"{"float":"inf"}"#, r#"{"float":"Infinity"}"#, Identical),
            (r#"{"int":"1"}"#, "true", Unequal),
            (r#"{"int":"1"}"#, r#""1""#, Unequal),
            (r#"{"float":"0.1"}"#, r#"{"float":"0.10000000000000002"}"#, Unequal),
        ] {
            assert_eq!(likeness(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn containers_are_equal_by_their_parts() {
        use Likeness::*;
        for (a, b, expected) in [
            (
                r#"{"object":{"a":{"int":"1"},"b":[null]}}"#,
                r#"{"object":{"b":[null],"a":{"float":"1"}}}"#,
                OtherType,
            ),
            (r#"{"object":{"a":null}}"#, r#"{"object":{}}"#, Unequal),
            (r#"["a","b"]"#, r#"["b","a"]"#, Unequal),
            (r#"["a"]"#, r#"{"tuple":["a"]}"#, Unequal),
            (r#"{"object":{}}"#, r#"[]"#, Unequal),
            (r#"{"datetime":"x"}"#, r#""x""#, Unequal),
            (r#"{"uuid":"x"}"#, r#"{"uuid":"x"}"#, Identical),
        ] {
            assert_eq!(likeness(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn what_is_no_dump_is_said_to_be_none() {
        for text in ["1", r#"{"a": 1}"#, r#"{"a":"x","b":"y"}"#, r#"[{"object":{"a":1}}]"#, "{}"] {
            assert!(check(&parse(text, Dialect::Strict).unwrap()).is_err(), "{text}");
        }
    }
}
