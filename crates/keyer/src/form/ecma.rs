//! JSON as ECMAScript's `JSON.stringify` writes it, which is also how RFC 8785 writes it.

use std::cmp::Ordering;

use crate::python::shortest;
use crate::python::wtf8::{CodePoints, SURROGATES};

/// Integers of up to so many digits are doubles that print as they are written (10^15 < 2^53).
const EXACT_DIGITS: usize = 15;

/// Appends a double as `Number::toString` of ECMA-262 gives it. The value must be finite.
pub fn write_double(value: f64, out: &mut Vec<u8>) {
    if value == 0.0 {
        out.push(b'0');
        return;
    }
    if value.is_sign_negative() {
        out.push(b'-');
    }
    let shortest = shortest(value);
    let (digits, point) = (shortest.digits().as_bytes(), shortest.point);
    let zeros = |count: usize| std::iter::repeat_n(b'0', count);
    match point {
        1..=21 => {
            let whole = point.unsigned_abs() as usize;
            let split = whole.min(digits.len());
            out.extend_from_slice(&digits[..split]);
            out.extend(zeros(whole - split));
            if split < digits.len() {
                out.push(b'.');
                out.extend_from_slice(&digits[split..]);
            }
        }
        -5..=0 => {
            out.extend_from_slice(b"0.");
            out.extend(zeros(point.unsigned_abs() as usize));
            out.extend_from_slice(digits);
        }
        _ => {
            out.extend_from_slice(&digits[..1]);
            if digits.len() > 1 {
                out.push(b'.');
                out.extend_from_slice(&digits[1..]);
            }
            out.extend_from_slice(format!("e{:+}", point - 1).as_bytes());
        }
    }
}

/// Appends a JSON number as the double it stands for; false, and nothing appended, where it is beyond the doubles.
pub fn write_number(text: &str, out: &mut Vec<u8>) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.len() <= EXACT_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // JSON has no leading zeros; minus zero is zero.
        out.extend_from_slice(if digits == "0" { b"0" } else { text.as_bytes() });
        return true;
    }
    // JSON's numbers are a part of what Rust's parser reads.
    let value: f64 = text.parse().unwrap_or(f64::INFINITY);
    if value.is_finite() {
        write_double(value, out);
    }
    value.is_finite()
}

/// Appends a WTF-8 text in quotes: only the escapes that JSON demands, and lone surrogates as `\udXXX`.
pub fn write_text(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| !is_plain(byte)) {
        out.extend_from_slice(&rest[..at]);
        let mut points = CodePoints::new(&rest[at..]);
        if let Some(point) = points.next() {
            write_special(point, &rest[at..rest.len() - points.rest().len()], out);
        }
        rest = points.rest();
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// The lead byte of surrogates, and of U+D000 to U+D7FF, which are characters.
const SURROGATE_LEAD: u8 = 0xED;

fn is_plain(byte: u8) -> bool {
    byte >= 0x20 && !matches!(byte, b'"' | b'\\' | SURROGATE_LEAD)
}

fn write_special(point: u32, bytes: &[u8], out: &mut Vec<u8>) {
    match point {
        0x22 => out.extend_from_slice(b"\\\""),
        0x5C => out.extend_from_slice(b"\\\\"),
        0x08 => out.extend_from_slice(b"\\b"),
        0x09 => out.extend_from_slice(b"\\t"),
        0x0A => out.extend_from_slice(b"\\n"),
        0x0C => out.extend_from_slice(b"\\f"),
        0x0D => out.extend_from_slice(b"\\r"),
        _ if point <= 0x1F || SURROGATES.contains(&point) => {
            out.extend_from_slice(format!("\\u{point:04x}").as_bytes());
        }
        _ => out.extend_from_slice(bytes),
    }
}

/// The order of two WTF-8 texts by their UTF-16 units: JavaScript's, and RFC 8785's for names.
pub fn compare_utf16(a: &[u8], b: &[u8]) -> Ordering {
    let differs = a.iter().zip(b).find(|(a, b)| a != b);
    match differs {
        None => a.len().cmp(&b.len()),
        // Byte order is the order of code points; beyond U+D000 that of units may be another.
        Some((&a, &b)) if a < SURROGATE_LEAD || b < SURROGATE_LEAD => a.cmp(&b),
        Some(_) => utf16(a).cmp(utf16(b)),
    }
}

/// The UTF-16 units of a WTF-8 text.
pub fn utf16(text: &[u8]) -> impl Iterator<Item = u16> {
    CodePoints::new(text).flat_map(|point| {
        let above = point.wrapping_sub(0x10000);
        let (first, second) = match point {
            0x10000.. => (0xD800 + (above >> 10), Some(0xDC00 + (above & 0x3FF))),
            _ => (point, None),
        };
        // Both are below 2^16.
        std::iter::once(first as u16).chain(second.map(|unit| unit as u16))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> String {
        let mut out = Vec::new();
        assert!(write_number(text, &mut out), "{text}");
        String::from_utf8(out).unwrap()
    }

    /// The examples of RFC 8785, appendix B, and the thresholds of ECMA-262.
    #[test]
    fn writes_numbers_as_ecmascript_does() {
        for (text, written) in [
            ("-0", "0"),
            ("-0.0", "0"),
            ("0e9", "0"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("9007199254740992", "9007199254740992"),
            ("-9007199254740993", "-9007199254740992"),
            ("295147905179352830000", "295147905179352830000"),
            ("9.999999999999997e22", "9.999999999999997e+22"),
            ("1e23", "1e+23"),
            ("999999999999999900000", "999999999999999900000"),
            ("1e21", "1e+21"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("333333333.33333329", "333333333.3333333"),
            ("-0.0000033333333333333333", "-0.0000033333333333333333"),
            ("1424953923781206.25", "1424953923781206.2"),
            ("4200.0", "4200"),
            ("123456789012345678", "123456789012345680"),
        ] {
            assert_eq!(number(text), written);
        }
        assert!(!write_number("1e400", &mut Vec::new()));
    }

    #[test]
    fn escapes_only_what_json_demands() {
        let mut out = Vec::new();
        write_text(
            "\"\\/\u{8}\t\n\u{b}\u{c}\r\u{1f} \u{7f}é\u{2028}\u{d7ff}😀".as_bytes(),
            &mut out,
        );
        write_text(b"\xED\xB2\x80a", &mut out);
        let expected =
            "\"\\\"\\\\/\\b\\t\\n\\u000b\\f\\r\\u001f \u{7f}é\u{2028}\u{d7ff}😀\"\"\\udc80a\"";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn sorts_by_utf16_units() {
        let order =
            ["", "1", "10", "2", "A", "a", "aa", "é", "\u{d7ff}", "😀", "\u{e000}", "\u{ffff}"];
        for (i, a) in order.iter().enumerate() {
            for (j, b) in order.iter().enumerate() {
                assert_eq!(compare_utf16(a.as_bytes(), b.as_bytes()), i.cmp(&j), "{a:?} {b:?}");
            }
        }
        // U+1F600 is D83D DE00: before the lone U+D83E, whatever the bytes say.
        let (face, surrogate) = ("😀".as_bytes(), b"\xED\xA0\xBE");
        assert_eq!(compare_utf16(face, surrogate), Ordering::Less);
        assert_eq!(compare_utf16(surrogate, face), Ordering::Greater);
    }

    #[test]
    fn units_are_those_of_utf16() {
        for text in ["", "aé\u{d7ff}\u{e000}\u{ffff}", "\u{10000}😀😁\u{103ff}\u{10400}\u{10ffff}"]
        {
            assert!(utf16(text.as_bytes()).eq(text.encode_utf16()), "{text}");
        }
        assert!(utf16(b"\xED\xA0\xBE!").eq([0xD83E, 0x21]));
    }
}
