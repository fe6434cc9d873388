//! Numbers, tokens, prose, enum members and phone numbers in normal form.

use super::Decimal;
use samecall_call::json::Value;
use std::cmp::Ordering;
use unicode_normalization::UnicodeNormalization;

/// A decimal text: optional sign, ASCII digits, fraction, exponent.
pub(super) fn decimal(text: &str) -> Option<Decimal> {
    let (negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, power) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], rest[at + 1..].parse::<i64>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    if whole.is_empty() || !all.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(normal(negative, &all, power - fraction.len() as i64))
}

fn normal(negative: bool, digits: &str, exponent: i64) -> Decimal {
    let digits = digits.trim_start_matches('0');
    let trimmed = digits.trim_end_matches('0');
    if trimmed.is_empty() {
        return Decimal { negative: false, digits: String::new(), exponent: 0 };
    }
    let exponent = exponent + (digits.len() - trimmed.len()) as i64;
    Decimal { negative, digits: trimmed.to_owned(), exponent }
}

/// A decimal with the binary noise around a point of its grid rounded away: within 4 ulp of the point,
/// where 8 ulp is less than the step.
pub(super) fn on_grid(number: Decimal, grid: Option<&str>) -> Decimal {
    rounded(&number, grid).unwrap_or(number)
}

fn rounded(number: &Decimal, grid: Option<&str>) -> Option<Decimal> {
    let step = decimal(grid?)?;
    if number.digits.is_empty() || number.exponent >= 0 {
        return None;
    }
    // Everything in units of the finer of the two powers of ten.
    let power = number.exponent.min(step.exponent);
    let scaled = |d: &Decimal| -> Option<i128> {
        let digits: i128 = d.digits.parse().ok()?;
        digits.checked_mul(10i128.checked_pow(u32::try_from(d.exponent - power).ok()?)?)
    };
    let (value, unit) = (scaled(number)?, scaled(&step)?);
    let point = (value + unit / 2) / unit * unit;
    let text = format!("{value}e{power}");
    let near: f64 = text.parse().ok()?;
    let ulp = near.next_up() - near;
    let scale = 10f64.powi(i32::try_from(power).ok()?);
    let distance = (value - point).unsigned_abs() as f64 * scale;
    let fine =
        distance <= 4.0 * ulp && (8.0 * ulp).total_cmp(&(unit as f64 * scale)) == Ordering::Less;
    fine.then(|| normal(number.negative, &point.to_string(), power))
}

/// Simple case folding: each letter to the small form of its capital, where both are one letter.
/// Dotless i has no folding; its capital belongs to the dotted one. Nor has the one mark whose capital is a letter.
pub(super) fn fold(text: &str) -> String {
    text.chars()
        .map(|c| {
            if matches!(c, 'ı' | '\u{345}') {
                return c;
            }
            let up = one(c.to_uppercase()).unwrap_or(c);
            one(up.to_lowercase()).unwrap_or(up)
        })
        .collect()
}

fn one(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

/// Prose: NFC, white-space runs, quote and dash shapes, simple folding.
pub(super) fn prose(text: &str) -> String {
    let composed: String = text.nfc().collect();
    let spaced = composed.split_whitespace().collect::<Vec<_>>().join(" ");
    let shaped: String = spaced
        .chars()
        .map(|c| match c {
            '\u{2018}' | '\u{2019}' => '\'',
            '\u{201c}' | '\u{201d}' => '"',
            '\u{2013}' | '\u{2014}' => '-',
            _ => c,
        })
        .collect();
    fold(&shaped)
}

/// The member that a text names: exactly, or as the only one in any case.
pub(super) fn member<'t>(members: &'t [Value<'static>], text: &'t str) -> &'t str {
    if members.iter().any(|m| m.as_str() == Some(text)) {
        return text;
    }
    let mut alike = members.iter().filter_map(Value::as_str).filter(|m| fold(m) == fold(text));
    match (alike.next(), alike.next()) {
        (Some(only), None) => only,
        _ => text,
    }
}

/// Whether a text has the form of a UUID: `8-4-4-4-12` hex digits.
pub(crate) fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let hex = |group: &&str| group.bytes().all(|b| b.is_ascii_hexdigit());
    groups.iter().all(hex) && groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
}

/// A phone number without spaces, brackets, dots and dashes.
pub(super) fn phone(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, ' ' | '(' | ')' | '.' | '-')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let same = |a, b| assert_eq!(decimal(a), decimal(b), "{a} and {b}");
        same("4200", "4.2e3");
        same("-0.0", "0");
        same("+5", "5");
        same("19.90", "19.9");
        assert_ne!(decimal("9007199254740993"), decimal("9007199254740992"));
        assert_ne!(decimal("1e400"), decimal("1e500"));
        assert_eq!(decimal("12a"), None);
        assert_eq!(decimal("-"), None);
    }

    #[test]
    fn only_noise_is_rounded_away() {
        let at = |text: &str| on_grid(decimal(text).expect("a decimal"), Some("0.01"));
        assert_eq!(at("0.30000000000000004"), at("0.3"));
        assert_ne!(at("0.301"), at("0.3"));
        assert_eq!(at("1234.5600000000002"), at("1234.56"));
        assert_eq!(at("-0.30000000000000004"), at("-0.3"));
    }

    #[test]
    fn folding_is_simple() {
        assert_eq!(fold("STRASSE"), "strasse");
        assert_ne!(fold("Straße"), fold("Strasse"));
        assert_eq!(fold("ΣΑΣ"), fold("σας"));
        assert_ne!(fold("Dış"), fold("DIŞ"));
        assert_eq!(prose(" Don\u{2019}t  go\u{a0}\u{2014} x\n"), prose("don't go - X"));
    }
}
