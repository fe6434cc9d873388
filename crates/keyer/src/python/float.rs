//! Shortest decimal digits of a double, and Python's way to write them.

/// The shortest decimal that reads back as the same finite double: `0.d1d2d3... * 10^point`.
#[derive(Debug, Clone)]
pub struct Shortest {
    digits: [u8; 17],
    length: usize,
    /// Where the decimal point stands, counted from the first digit.
    pub point: i32,
}

impl Shortest {
    /// The digits in ASCII, without leading or trailing zeros (a single `0` for zero).
    pub fn digits(&self) -> &str {
        // Only ASCII digits are ever stored.
        std::str::from_utf8(&self.digits[..self.length]).unwrap_or_default()
    }
}

/// The shortest digits of the magnitude of a finite `value`; of several shortest, those nearest to the value.
pub fn shortest(value: f64) -> Shortest {
    let mut buffer = zmij::Buffer::new();
    let written = buffer.format_finite(value.abs());
    let (mantissa, exponent) = written.split_once('e').unwrap_or((written, "0"));
    let mut found = Shortest { digits: [b'0'; 17], length: 0, point: 0 };
    let mut point_seen = false;
    // Zeros that count only when another digit follows them.
    let mut pending = 0;
    for byte in mantissa.bytes() {
        if byte == b'.' {
            point_seen = true;
            continue;
        }
        if !point_seen && (found.length + pending > 0 || byte != b'0') {
            found.point += 1;
        } else if point_seen && found.length == 0 && byte == b'0' {
            found.point -= 1;
        }
        if byte == b'0' {
            pending += usize::from(found.length > 0);
            continue;
        }
        found.length += pending;
        pending = 0;
        if let Some(slot) = found.digits.get_mut(found.length) {
            *slot = byte;
            found.length += 1;
        }
    }
    if found.length == 0 {
        return Shortest { digits: [b'0'; 17], length: 1, point: 1 };
    }
    found.point += exponent.parse::<i32>().unwrap_or(0);
    found
}

/// Appends `repr(value)` as `json.dumps` writes it: `NaN`, `Infinity`, and `1e+16`, `1e-07`, `0.0001`, `-0.0`.
pub fn repr(value: f64, out: &mut Vec<u8>) {
    if value.is_nan() {
        out.extend_from_slice(b"NaN");
        return;
    }
    if value.is_sign_negative() {
        out.push(b'-');
    }
    if value.is_infinite() {
        out.extend_from_slice(b"Infinity");
        return;
    }
    let shortest = shortest(value);
    let (digits, point) = (shortest.digits().as_bytes(), shortest.point);
    if !(-3..=16).contains(&point) {
        out.extend_from_slice(&digits[..1]);
        if digits.len() > 1 {
            out.push(b'.');
            out.extend_from_slice(&digits[1..]);
        }
        // A sign and at least two digits.
        out.extend_from_slice(format!("e{:+03}", point - 1).as_bytes());
        return;
    }
    let zeros = |count: usize| std::iter::repeat_n(b'0', count);
    match usize::try_from(point) {
        Ok(whole) if whole > 0 => {
            let split = whole.min(digits.len());
            out.extend_from_slice(&digits[..split]);
            out.extend(zeros(whole - split));
            out.push(b'.');
            out.extend_from_slice(if split < digits.len() { &digits[split..] } else { b"0" });
        }
        _ => {
            out.extend_from_slice(b"0.");
            out.extend(zeros(point.unsigned_abs() as usize));
            out.extend_from_slice(digits);
        }
    }
}

/// The exact decimal digits of a double without fraction (`int(value)`), `0` for minus zero.
pub fn integral_digits(value: f64) -> String {
    // Below 2^63 the conversion is exact; beyond it precision 0 writes the exact expansion.
    if value.abs() < 9.2e18 { (value as i64).to_string() } else { format!("{value:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: f64) -> String {
        let mut out = Vec::new();
        repr(value, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn writes_as_python_does() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (100.0, "100.0"),
            (4.2, "4.2"),
            (0.1, "0.1"),
            (0.01, "0.01"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (9007199254740993.0, "9007199254740992.0"),
            (1e16, "1e+16"),
            (12345678901234567.0, "1.2345678901234568e+16"),
            (1e22, "1e+22"),
            (1e100, "1e+100"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
            (-123.456, "-123.456"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(written(value), text);
        }
    }

    #[test]
    fn integral_doubles_are_written_in_full() {
        assert_eq!(integral_digits(-0.0), "0");
        assert_eq!(integral_digits(4200.0), "4200");
        assert_eq!(integral_digits(-1e16), "-10000000000000000");
        assert_eq!(integral_digits(1e23), "99999999999999991611392");
        assert_eq!(integral_digits(f64::MAX).len(), 309);
    }
}
