//! Durations as people write them in a policy file: `500ms`, `30s`, `10m`, `1h30m`, `7d`.

use std::time::Duration;

/// The units, from long to short, in milliseconds.
const UNITS: [(&str, u64); 5] =
    [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

/// Reads whole numbers each with its unit, from long to short, without blanks: `1h30m`.
///
/// # Errors
/// A sentence that says what is wrong and what is expected.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let bad = |what: &str| {
        format!(
            "{what}; write whole numbers with units from long to short, such as 500ms, 30s, 10m, 1h30m or 7d"
        )
    };
    let mut rest = text;
    let mut millis: u64 = 0;
    let mut last = None;
    if text.is_empty() {
        return Err(bad("is an empty duration"));
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at(digits);
        let letters = after.bytes().take_while(u8::is_ascii_lowercase).count();
        let (unit, after) = after.split_at(letters);
        let Some(at) = UNITS.iter().position(|(name, _)| *name == unit) else {
            return Err(bad("is no duration"));
        };
        if number.is_empty() || last.is_some_and(|last| at <= last) {
            return Err(bad("is no duration"));
        }
        last = Some(at);
        millis = number
            .parse::<u64>()
            .ok()
            .and_then(|number| number.checked_mul(UNITS[at].1))
            .and_then(|part| millis.checked_add(part))
            .ok_or_else(|| bad("is too long a duration"))?;
        rest = after;
    }
    if millis == 0 {
        return Err("is no time at all; write \"never\" for what is not to be kept".to_owned());
    }
    Ok(Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_or_refused_with_a_reason() {
        for (text, millis) in [
            ("500ms", 500),
            ("30s", 30_000),
            ("10m", 600_000),
            ("1h30m", 5_400_000),
            ("7d", 604_800_000),
            ("1d1h1m1s1ms", 90_061_001),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in [
            "",
            "5",
            "m",
            "-5m",
            "5 m",
            "10 minutes",
            "1.5h",
            "5M",
            "30m1h",
            "1m1m",
            "0s",
            "5x",
            "999999999999999999999d",
            "18446744073709551615d",
            " 5s",
            "é",
        ] {
            assert!(parse_duration(text).is_err(), "{text:?}");
        }
    }
}
