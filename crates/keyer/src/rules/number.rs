//! Rules on numbers and on texts that hold one.

use std::borrow::Cow;

use super::{Flow, Scalar};
use crate::{Refusal, python};

/// The smallest number of digits of an integer that no double reaches.
const DIGITS_BEYOND_DOUBLES: usize = 309;

/// A text of digits becomes an integer, and is settled.
pub(super) fn integer_text<'a>(value: &mut Scalar<'a>) -> Result<Flow, Refusal> {
    let Scalar::Text(text) = value else { return Ok(Flow::Next) };
    let integer = match text {
        Cow::Borrowed(text) => {
            let text: &'a [u8] = text;
            integer_of(text)?
        }
        // Owned text is rare here: it was composed or collapsed before.
        Cow::Owned(text) => integer_of(text)?.map(|digits| Cow::Owned(digits.into_owned())),
    };
    let Some(integer) = integer else { return Ok(Flow::Next) };
    *value = Scalar::Integer(integer);
    Ok(Flow::Settled)
}

fn integer_of(text: &[u8]) -> Result<Option<Cow<'_, str>>, Refusal> {
    let Some(digits) = python::integer_text(text) else { return Ok(None) };
    match python::integer_from_digits(digits) {
        Some(integer) => Ok(Some(integer)),
        None => Err(too_many_digits()),
    }
}

/// A text of digits, a point and digits becomes a double.
pub(super) fn decimal_text(value: &mut Scalar<'_>) {
    if let Scalar::Text(text) = value
        && let Some(decimal) = python::decimal_text(text)
    {
        *value = Scalar::Float(decimal.to_f64());
    }
}

/// A double without fraction becomes an integer; an integer is tried as a double, which may raise.
pub(super) fn integral(value: &mut Scalar<'_>) -> Result<(), Refusal> {
    match value {
        Scalar::Float(float) if float.is_finite() && float.fract() == 0.0 => {
            *value = Scalar::Integer(Cow::Owned(python::integral_digits(*float)));
        }
        Scalar::Integer(digits)
            if digits.len() >= DIGITS_BEYOND_DOUBLES
                && digits.parse::<f64>().is_ok_and(f64::is_infinite) =>
        {
            return Err(Refusal::new("OverflowError", "an integer too large for a double"));
        }
        _ => {}
    }
    Ok(())
}

/// What CPython raises where text becomes an integer of more digits than it converts.
pub(crate) fn too_many_digits() -> Refusal {
    let limit = python::INTEGER_DIGITS_LIMIT;
    Refusal::new("ValueError", format!("an integer of more than {limit} digits"))
}
