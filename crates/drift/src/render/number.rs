//! Numbers in other spellings of the same exact decimal.

use crate::choice::Choices;
use crate::plan::{Kind, type_bit};
use crate::production::Production as P;
use crate::tree::{Node, Val};
use samecall_call::json::{self, Dialect, Value};
use samecall_call::shape::JsonType;

/// A double holds any decimal of this many digits apart from its neighbours, so that a parser that
/// goes through doubles reads both spellings alike.
const DOUBLE_DIGITS: usize = 15;

pub(super) fn apply(production: P, node: &mut Node<'_>, c: &mut Choices<'_>) -> bool {
    let (text, is_text) = match &node.value {
        Val::Number(text) => (text.as_ref(), false),
        // A default may be any text.
        Val::Text(text) if matches!(node.plan.kind, Kind::Number { .. }) && is_number(text) => {
            (text.as_ref(), true)
        }
        _ => return false,
    };
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
    let short = text.len() <= DOUBLE_DIGITS;
    let whole = plain && !text.contains('.');
    let coerces = node.plan.coerces();
    // To every validator such a field is text, and its spellings are different texts.
    let declared = is_text && !node.plan.takes(JsonType::Number);
    if declared != (production == P::NumericText) && production != P::GridNoise {
        return false;
    }
    // A validator that takes both may read 1.0 as true and 1 as 1.
    let alone = node.plan.union_types & type_bit(JsonType::Boolean) == 0;
    // An SDK that writes JSON again on the way makes null of infinity.
    let finite = text.parse::<f64>().is_ok_and(f64::is_finite);
    let (new, as_text) = match production {
        P::NumericText => match c.below(5) {
            0 if plain && !whole => (format!("{text}{}", c.of(&["0", "00"])), true),
            1 if text == "0" => (c.of(&["-0", "-0.0"]).to_owned(), true),
            2 if plain && short => match exponent(text, c.permille(500)) {
                Some(new) => (new, true),
                None => return false,
            },
            3 if coerces && !text.starts_with('+') => (text.to_owned(), false),
            _ if whole && short => (format!("{text}.0"), true),
            _ if !text.starts_with(['-', '+']) => (format!("+{text}"), true),
            _ => return false,
        },
        P::NumberTrailingZeros if plain && !whole => {
            (format!("{text}{}", c.of(&["0", "00"])), is_text)
        }
        P::IntToFloat if whole && short && alone => (format!("{text}.0"), is_text),
        P::NumberExponent if plain && short && alone => match exponent(text, c.permille(500)) {
            Some(new) => (new, is_text),
            None => return false,
        },
        P::NumberExponentUpper if plain && short && alone => match exponent(text, false) {
            // These exponents are never negative.
            Some(new) => (new.replace('e', "E+"), is_text),
            None => return false,
        },
        P::NumberNegativeZero if text == "0" && alone => {
            (c.of(&["-0", "-0.0"]).to_owned(), is_text)
        }
        P::NumAsString if !is_text && coerces && finite => (text.to_owned(), true),
        P::NumFromString if is_text && coerces && !text.starts_with('+') => {
            (text.to_owned(), false)
        }
        P::NumTextPlus if coerces && finite && !text.starts_with(['-', '+']) => {
            (format!("+{text}"), true)
        }
        P::GridNoise if plain => match noise(node, text, c.permille(500)) {
            Some(new) => (new, is_text),
            None => return false,
        },
        _ => return false,
    };
    node.value = if as_text { Val::Text(new.into()) } else { Val::Number(new.into()) };
    true
}

/// Whether a text is a JSON number, with or without a plus.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('+').unwrap_or(text);
    matches!(json::parse(text, Dialect::Strict), Ok(Value::Number(_)))
}

/// A plain decimal with an exponent: `4200` as `42e2` (by its trailing zeros) or `4.2e3`.
fn exponent(text: &str, by_zeros: bool) -> Option<String> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.starts_with('0') || whole.is_empty() {
        return None;
    }
    let trimmed = whole.trim_end_matches('0');
    if by_zeros && fraction.is_empty() && trimmed.len() < whole.len() {
        return Some(format!("{sign}{trimmed}e{}", whole.len() - trimmed.len()));
    }
    let all = format!("{whole}{fraction}");
    let all = all.trim_end_matches('0');
    let (first, rest) = all.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    Some(format!("{sign}{first}{point}{rest}e{}", whole.len() - 1))
}

/// The neighbouring double of a decimal on a grid: what `0.1 + 0.2` leaves of 0.3.
fn noise(node: &Node<'_>, text: &str, up: bool) -> Option<String> {
    let Kind::Number { grid: Some(grid) } = node.plan.kind else { return None };
    let number: f64 = text.parse().ok()?;
    let step = grid.units as f64 / 10f64.powi(i32::try_from(grid.scale).ok()?);
    let near = if up { number.next_up() } else { number.next_down() };
    let ulp = (near - number).abs();
    if number == 0.0 || 16.0 * ulp >= step || text.len() > DOUBLE_DIGITS {
        return None;
    }
    let new = format!("{near:?}");
    (!new.contains('e') && new != text).then_some(new)
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn exponents_keep_the_value() {
        for text in ["4200", "1999", "-70", "12.5", "100.25", "5", "1000.0"] {
            for by_zeros in [true, false] {
                let new = exponent(text, by_zeros).expect("a plain decimal has an exponent form");
                assert_eq!(new.parse::<f64>(), text.parse::<f64>(), "{text} as {new}");
                assert!(new.contains('e'));
            }
        }
        assert_eq!(exponent("0.5", true), None);
    }
}
