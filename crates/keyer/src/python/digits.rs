//! Decimal digits of any script, and what Python's `int` and `float` read from texts of them.

use std::borrow::Cow;

use super::tables::DIGIT_ZEROS;
use super::wtf8::CodePoints;

/// The longest text, in digits, that CPython turns into an integer (`sys.int_info.default_max_str_digits`).
pub const INTEGER_DIGITS_LIMIT: usize = 4300;

/// The value of a decimal digit of any script (`unicodedata.decimal`, and the `\d` of `re`).
#[inline]
pub fn digit_value(point: u32) -> Option<u8> {
    if point < 0x80 {
        return (0x30..=0x39).contains(&point).then(|| (point - 0x30) as u8);
    }
    let after = DIGIT_ZEROS.partition_point(|&zero| zero <= point);
    let value = point - DIGIT_ZEROS.get(after.checked_sub(1)?)?;
    (value < 10).then_some(value as u8)
}

/// The ASCII form of a text of the pattern `-?\d+`: what `int` reads. None for any other text.
pub fn integer_text<'a>(text: &'a [u8]) -> Option<Cow<'a, str>> {
    if !may_be_number(text) {
        return None;
    }
    let ascii = ascii_digits(text)?;
    let digits = ascii.strip_prefix('-').unwrap_or(&ascii);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(ascii)
}

/// A text of the pattern `-?\d+\.\d+` in ASCII digits: what `float` reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecimalText<'a>(Cow<'a, str>);

impl DecimalText<'_> {
    /// The nearest double, ties to even; infinite beyond the range, as Python's `float` has it.
    pub fn to_f64(&self) -> f64 {
        // Digits, a point and digits are always a number to Rust's parser.
        self.0.parse().unwrap_or(f64::NAN)
    }
}

/// Reads a text of the pattern `-?\d+\.\d+`. None for any other text.
pub fn decimal_text(text: &[u8]) -> Option<DecimalText<'_>> {
    if !may_be_number(text) || !text.contains(&b'.') {
        return None;
    }
    let ascii = ascii_digits(text)?;
    let (whole, fraction) = ascii.strip_prefix('-').unwrap_or(&ascii).split_once('.')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole) && digits(fraction)).then_some(DecimalText(ascii))
}

/// The integer of ASCII digits with an optional minus, written as Python writes it: no leading zeros, no `-0`.
/// None where CPython raises `ValueError`, beyond [`INTEGER_DIGITS_LIMIT`] digits (leading zeros count).
pub fn integer_from_digits(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if digits.len() > INTEGER_DIGITS_LIMIT {
        return None;
    }
    if !digits.starts_with('0') {
        return Some(text);
    }
    let significant = digits.trim_start_matches('0');
    Some(match (significant.is_empty(), digits.len() < text.len()) {
        (true, _) => Cow::Borrowed("0"),
        (false, true) => Cow::Owned(format!("-{significant}")),
        (false, false) => Cow::Owned(significant.to_owned()),
    })
}

/// A cheap look at the first byte: an ASCII letter or the like starts no number.
fn may_be_number(text: &[u8]) -> bool {
    text.first().is_some_and(|&byte| byte.is_ascii_digit() || byte == b'-' || byte >= 0x80)
}

/// The text with every digit replaced by its ASCII form; None where it holds anything else but `-` and `.`.
fn ascii_digits(text: &[u8]) -> Option<Cow<'_, str>> {
    let numeric = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    if text.iter().all(numeric) {
        return std::str::from_utf8(text).ok().map(Cow::Borrowed);
    }
    if text.is_ascii() {
        return None;
    }
    CodePoints::new(text)
        .map(|point| match point {
            0x2D => Some('-'),
            0x2E => Some('.'),
            _ => digit_value(point).map(|value| char::from(b'0' + value)),
        })
        .collect::<Option<String>>()
        .map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(text: &str) -> Option<String> {
        integer_text(text.as_bytes()).and_then(integer_from_digits).map(Cow::into_owned)
    }

    #[test]
    fn integers_of_any_script() {
        assert_eq!(integer("042").as_deref(), Some("42"));
        assert_eq!(integer("-000").as_deref(), Some("0"));
        assert_eq!(integer("-٣4").as_deref(), Some("-34"));
        assert_eq!(integer("𝟘𝟙").as_deref(), Some("1"));
        for none in ["", "-", "+1", "1_000", "--1", "1-", "²", "٣.", "1 ", "①"] {
            assert_eq!(integer(none), None, "{none}");
        }
    }

    #[test]
    fn the_digit_limit_counts_leading_zeros() {
        assert_eq!(integer(&"0".repeat(4300)).as_deref(), Some("0"));
        assert_eq!(integer(&"0".repeat(4301)), None);
        assert!(integer(&format!("-{}", "9".repeat(4300))).is_some());
    }

    #[test]
    fn decimals_are_rounded_correctly_at_any_length() {
        let read = |text: &str| decimal_text(text.as_bytes()).map(|decimal| decimal.to_f64());
        assert_eq!(read("4.20"), Some(4.2));
        assert_eq!(read("-٠.٥"), Some(-0.5));
        // Just above the midpoint between 1 and its successor: only the last of many digits decides.
        let midpoint = "1.00000000000000011102230246251565404236316680908203125";
        assert_eq!(read(midpoint), Some(1.0));
        assert_eq!(read(&format!("{midpoint}{}1", "0".repeat(900))), Some(1.0000000000000002));
        assert_eq!(read(&format!("{}.0", "9".repeat(400))), Some(f64::INFINITY));
        for none in ["1.", ".5", "1.2.3", "1e5", "-.5", "1٫5", "4"] {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
