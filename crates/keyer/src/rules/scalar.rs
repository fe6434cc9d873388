//! The values that rules work on: everything but arrays and objects.

use std::borrow::Cow;

use samecall_call::json::{NonFinite, Value};

/// A value without parts, as a Python program holds it after reading JSON.
#[derive(Debug, Clone)]
pub enum Scalar<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer of any size: ASCII digits without leading zeros, after a minus where it is negative.
    Integer(Cow<'a, str>),
    /// A double, which may be infinite or no number.
    Float(f64),
    /// Text in WTF-8.
    Text(Cow<'a, [u8]>),
}

/// Where a scalar stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The value of an object's member.
    Member,
    /// An item of an array, or the whole.
    Item,
}

impl<'a> Scalar<'a> {
    /// Reads a scalar as Python does: a number without point and exponent is an integer, any other a double.
    /// None for an array or an object.
    pub fn read(value: &'a Value<'_>) -> Option<Self> {
        Some(match value {
            Value::Null => Scalar::Null,
            Value::Bool(truth) => Scalar::Bool(*truth),
            Value::Number(text) => Self::number(text),
            Value::NonFinite(NonFinite::NaN) => Scalar::Float(f64::NAN),
            Value::NonFinite(NonFinite::Infinity) => Scalar::Float(f64::INFINITY),
            Value::NonFinite(NonFinite::NegInfinity) => Scalar::Float(f64::NEG_INFINITY),
            Value::String(text) => Scalar::Text(Cow::Borrowed(text.as_bytes())),
            Value::Array(_) | Value::Object(_) => return None,
        })
    }

    fn number(text: &'a str) -> Self {
        match text {
            "-0" => Scalar::Integer(Cow::Borrowed("0")),
            _ if is_integer(text) => Scalar::Integer(Cow::Borrowed(text)),
            // JSON's numbers are a part of what Rust's parser reads.
            _ => Scalar::Float(text.parse().unwrap_or(f64::NAN)),
        }
    }
}

/// Whether a JSON number is written without a fraction and an exponent.
pub(crate) fn is_integer(number: &str) -> bool {
    number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Equality of what would be written: two NaN are equal, the two zeros of a double are not.
impl PartialEq for Scalar<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Scalar::Null, Scalar::Null) => true,
            (Scalar::Bool(a), Scalar::Bool(b)) => a == b,
            (Scalar::Integer(a), Scalar::Integer(b)) => a == b,
            (Scalar::Float(a), Scalar::Float(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            (Scalar::Text(a), Scalar::Text(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Scalar<'_> {}
