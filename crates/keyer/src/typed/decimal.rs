//! Exact decimals of any length in linear time: never through a double, and no exponent is ever written out.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Exponents up to this many tens either way are written as digits; beyond them in scientific form.
const PLAIN: i128 = 20;
const LEAST_PLAIN: i128 = -PLAIN;

/// A decimal text taken apart: `sign digits × 10^exponent`, digits without zeros at either end (none for zero).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) negative: bool,
    pub(super) digits: String,
    pub(super) exponent: Exponent,
}

/// A power of ten. Texts can hold exponents beyond any machine integer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Exponent {
    Small(i128),
    /// Sign and digits, without leading zeros; beyond 10^30 either way.
    Huge(bool, String),
}

/// Exponents of at most this many digits are held as integers.
const SMALL_DIGITS: usize = 30;

impl Decimal {
    /// Reads an optional sign, ASCII digits, a fraction and an exponent; None for any other text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (negative, start) = match bytes.first()? {
            b'-' => (true, 1),
            b'+' => (false, 1),
            _ => (false, 0),
        };
        let digits_from = |at: usize| {
            at + bytes[at..].iter().position(|b| !b.is_ascii_digit()).unwrap_or(bytes.len() - at)
        };
        let whole_end = digits_from(start);
        if whole_end == start {
            return None;
        }
        let whole = &text[start..whole_end];
        let (fraction, mut at) = match bytes.get(whole_end) {
            Some(b'.') => {
                let end = digits_from(whole_end + 1);
                if end == whole_end + 1 {
                    return None;
                }
                (&text[whole_end + 1..end], end)
            }
            _ => ("", whole_end),
        };
        let mut exponent = (false, "");
        if let Some(b'e' | b'E') = bytes.get(at) {
            at += 1;
            let negative = match bytes.get(at) {
                Some(b'-') => {
                    at += 1;
                    true
                }
                Some(b'+') => {
                    at += 1;
                    false
                }
                _ => false,
            };
            let end = digits_from(at);
            if end == at {
                return None;
            }
            exponent = (negative, text[at..end].trim_start_matches('0'));
            at = end;
        }
        if at != bytes.len() {
            return None;
        }
        Some(Self::of_parts(negative, whole, fraction, exponent))
    }

    fn of_parts(negative: bool, whole: &str, fraction: &str, exponent: (bool, &str)) -> Self {
        let mut digits = String::with_capacity(whole.len() + fraction.len());
        digits.push_str(whole.trim_start_matches('0'));
        if digits.is_empty() {
            digits.push_str(fraction.trim_start_matches('0'));
        } else {
            digits.push_str(fraction);
        }
        let kept = digits.trim_end_matches('0').len();
        if kept == 0 {
            return Decimal {
                negative: false,
                digits: String::new(),
                exponent: Exponent::Small(0),
            };
        }
        let shift = (digits.len() - kept) as i128 - fraction.len() as i128;
        digits.truncate(kept);
        Decimal { negative, digits, exponent: Exponent::of(exponent, shift) }
    }

    /// A decimal from digits that may have zeros at either end.
    pub(super) fn new(negative: bool, digits: &str, exponent: i128) -> Self {
        let digits = digits.trim_start_matches('0');
        let kept = digits.trim_end_matches('0');
        if kept.is_empty() {
            return Decimal {
                negative: false,
                digits: String::new(),
                exponent: Exponent::Small(0),
            };
        }
        let exponent = Exponent::Small(exponent + (digits.len() - kept.len()) as i128);
        Decimal { negative, digits: kept.to_owned(), exponent }
    }

    /// The exponent, unless it is beyond 10^30.
    pub(super) fn small_exponent(&self) -> Option<i128> {
        match self.exponent {
            Exponent::Small(exponent) => Some(exponent),
            Exponent::Huge(..) => None,
        }
    }

    /// Whether every handler holds the same number, an exact integer or a double: a fraction, or an integer of at most
    /// 2^53.
    pub(super) fn is_held(&self) -> bool {
        const LIMIT: u64 = 1 << 53;
        let Some(exponent) = self.small_exponent() else {
            return matches!(self.exponent, Exponent::Huge(true, _));
        };
        let Ok(zeros) = u32::try_from(exponent) else { return exponent.is_negative() };
        let digits: Option<u64> = match self.digits.as_str() {
            "" => Some(0),
            digits => digits.parse().ok(),
        };
        digits
            .zip(10_u64.checked_pow(zeros))
            .and_then(|(digits, power)| digits.checked_mul(power))
            .is_some_and(|value| value <= LIMIT)
    }

    /// The one text of this value.
    pub(super) fn text(&self) -> String {
        let digits = &self.digits;
        if digits.is_empty() {
            return "0".to_owned();
        }
        let mut out = String::with_capacity(digits.len() + 24);
        if self.negative {
            out.push('-');
        }
        match &self.exponent {
            Exponent::Small(exponent @ 0..=PLAIN) => {
                out.push_str(digits);
                out.extend(std::iter::repeat_n('0', *exponent as usize));
            }
            Exponent::Small(exponent @ LEAST_PLAIN..0) => {
                let places = exponent.unsigned_abs() as usize;
                if let Some(point) = digits.len().checked_sub(places).filter(|point| *point > 0) {
                    out.push_str(&digits[..point]);
                    out.push('.');
                    out.push_str(&digits[point..]);
                } else {
                    out.push_str("0.");
                    out.extend(std::iter::repeat_n('0', places - digits.len()));
                    out.push_str(digits);
                }
            }
            Exponent::Small(exponent) => {
                out.push_str(digits);
                // Writing to a String cannot fail.
                let _ = write!(out, "e{exponent}");
            }
            Exponent::Huge(negative, exponent) => {
                out.push_str(digits);
                out.push_str(if *negative { "e-" } else { "e" });
                out.push_str(exponent);
            }
        }
        out
    }
}

impl Exponent {
    /// The exponent as written, without leading zeros, plus a shift.
    fn of((negative, digits): (bool, &str), shift: i128) -> Self {
        if digits.len() <= SMALL_DIGITS {
            let written: i128 = digits.parse().unwrap_or(0);
            let sum = if negative { shift - written } else { shift + written };
            if sum.unsigned_abs() < 10_u128.pow(SMALL_DIGITS as u32) {
                return Exponent::Small(sum);
            }
            return Exponent::Huge(sum.is_negative(), sum.unsigned_abs().to_string());
        }
        // The shift is bounded by the text's length, so it never turns the sign of so large a number.
        let toward = if negative { -shift } else { shift };
        let sum = add_to_digits(digits, toward);
        // It may bring 10^30 back under the limit, where the other form holds it.
        if sum.len() <= SMALL_DIGITS {
            let small: i128 = sum.parse().unwrap_or(0);
            return Exponent::Small(if negative { -small } else { small });
        }
        Exponent::Huge(negative, sum)
    }
}

/// Adds a machine integer to a decimal natural number that is larger than its magnitude.
fn add_to_digits(digits: &str, add: i128) -> String {
    let mut out: Vec<u8> = digits.bytes().map(|b| b - b'0').collect();
    let mut carry = add;
    for digit in out.iter_mut().rev() {
        if carry == 0 {
            break;
        }
        let sum = i128::from(*digit) + carry;
        *digit = sum.rem_euclid(10) as u8;
        carry = sum.div_euclid(10);
    }
    // No carry is one more leading zero.
    let mut text = carry.to_string();
    text.extend(out.into_iter().map(|digit| char::from(b'0' + digit)));
    text.trim_start_matches('0').to_owned()
}

/// The canonical text of a decimal; None for text that is no decimal.
pub(super) fn canonical(text: &str) -> Option<Cow<'_, str>> {
    if is_canonical(text) {
        return Some(Cow::Borrowed(text));
    }
    Decimal::parse(text).map(|decimal| Cow::Owned(decimal.text()))
}

/// Whether a text is plainly canonical: an integer or a fraction as anyone would write it.
fn is_canonical(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let signed = digits.len() < text.len();
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || (whole.starts_with('0') && whole.len() > 1) {
        return false;
    }
    if fraction.is_empty() {
        let zeros = whole.len() - whole.trim_end_matches('0').len();
        return whole.len() == digits.len() && zeros as i128 <= PLAIN && (whole != "0" || !signed);
    }
    all_digits(fraction) && !fraction.ends_with('0') && fraction.len() as i128 <= PLAIN
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(of: &str) -> String {
        canonical(of).unwrap_or_else(|| panic!("{of} is no decimal")).into_owned()
    }

    #[test]
    fn one_value_has_one_text() {
        for (same, written) in [
            ("0", &["0", "-0", "0.0", "-0e999", "0E-5", "+0", "000"][..]),
            ("4200", &["4200", "4200.0", "4.2e3", "42E+2", "+4200", "04200", "420000e-2"]),
            ("19.99", &["19.990", "1999e-2", "0.1999e2", "+19.99"]),
            ("-0.00001", &["-1e-5", "-0.000010", "-10E-6"]),
            ("1e400", &["1e400", "10e399", "0.1e401", "1000e+397"]),
            ("1e-400", &["1e-400", "10e-401"]),
            ("100000000000000000000", &["1e20", "100000000000000000000.0"]),
            ("1e21", &["1000000000000000000000", "1e021"]),
        ] {
            for one in written {
                assert_eq!(text(one), same, "{one}");
                assert_eq!(text(&text(one)), same, "canonical text is its own");
            }
        }
    }

    #[test]
    fn exponents_beyond_machine_integers_are_exact() {
        let nines = "9".repeat(40);
        let next = format!("1{}", "0".repeat(40));
        assert_eq!(text(&format!("10e{nines}")), text(&format!("1e{next}")));
        assert_ne!(text(&format!("1e{nines}")), text(&format!("1e{next}")));
        assert_eq!(text(&format!("0.1e-{nines}")), text(&format!("1e-{next}")));
        let limit = "9".repeat(30);
        assert_eq!(text(&format!("10e{limit}")), format!("1e1{}", "0".repeat(30)));
        assert_eq!(text(&format!("0.1e-{limit}")), format!("1e-1{}", "0".repeat(30)));
        assert_eq!(text(&format!("0.1e1{}", "0".repeat(30))), format!("1e{limit}"));
        assert_eq!(text(&text(&format!("0.1e1{}", "0".repeat(30)))), format!("1e{limit}"));
        assert_eq!(text(&format!("10e-1{}", "0".repeat(30))), format!("1e-{limit}"));
    }

    #[test]
    fn other_texts_are_none() {
        for other in [
            "", "-", "+", ".5", "5.", "1e", "1e+", "0x1", "1_000", " 1", "1 ", "١", "NaN", "1.e2",
            "--1",
        ] {
            assert_eq!(canonical(other), None, "{other}");
        }
    }
}
