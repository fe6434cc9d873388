//! Points in time and times of day, by way of a calendar that is not the generator's.

use super::Meaning;
use super::scalar::decimal;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// Hours, minutes, seconds and fraction of a time, and its zone in seconds east.
struct Clock<'t> {
    hour: i8,
    minute: i8,
    second: i8,
    fraction: &'t str,
    zone: Option<i32>,
}

/// An RFC 3339 text in any of the spellings that are one.
pub(super) fn of_text(text: &str) -> Option<Meaning> {
    if !text.is_ascii() || text.len() < 16 {
        return None;
    }
    let (date, clock) = (&text[..10], &text[11..]);
    if !matches!(text.as_bytes()[10], b'T' | b't' | b' ') {
        return None;
    }
    let mut parts = date.split('-');
    let year: i16 = parts.next()?.parse().ok()?;
    let month: i8 = parts.next()?.parse().ok()?;
    let day: i8 = parts.next()?.parse().ok()?;
    let clock = read_clock(clock)?;
    let leap = clock.second == 60;
    let second = if leap { 59 } else { clock.second };
    let local = DateTime::new(year, month, day, clock.hour, clock.minute, second, 0).ok()?;
    let offset = Offset::from_seconds(clock.zone.unwrap_or(0)).ok()?;
    let stamp = offset.to_timestamp(local).ok()?;
    Some(Meaning::Instant {
        seconds: stamp.as_second(),
        fraction: clock.fraction.trim_end_matches('0').to_owned(),
        zoned: clock.zone.is_some(),
        leap,
    })
}

/// Epoch seconds, as an exact decimal; before 1970 only whole ones.
pub(super) fn of_epoch(text: &str) -> Option<Meaning> {
    let number = decimal(text)?;
    let places = usize::try_from((-number.exponent).max(0)).ok()?;
    let mut digits = number.digits.clone();
    (0..number.exponent.clamp(0, 20)).for_each(|_| digits.push('0'));
    while digits.len() <= places {
        digits.insert(0, '0');
    }
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let seconds: i64 = whole.parse().ok()?;
    if number.negative && !fraction.is_empty() {
        return None;
    }
    Some(Meaning::Instant {
        seconds: if number.negative { -seconds } else { seconds },
        fraction: fraction.to_owned(),
        zoned: true,
        leap: false,
    })
}

/// A time of day: of a zone, as UTC modulo a day; without one, as written.
pub(super) fn time(text: &str) -> String {
    let Some(Clock { hour, minute, second, fraction, zone: Some(zone) }) = read_clock(text) else {
        return text.to_owned();
    };
    let of_day = i32::from(hour) * 3600 + i32::from(minute) * 60 + i32::from(second) - zone;
    format!("{} s {} UTC", of_day.rem_euclid(86_400), fraction.trim_end_matches('0'))
}

fn read_clock(text: &str) -> Option<Clock<'_>> {
    if !text.is_ascii() || text.len() < 5 || text.as_bytes()[2] != b':' {
        return None;
    }
    let hour: i8 = text[..2].parse().ok()?;
    let minute: i8 = text[3..5].parse().ok()?;
    let mut rest = &text[5..];
    let mut second = 0;
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix(':') {
        second = after.get(..2)?.parse().ok()?;
        rest = &after[2..];
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            fraction = &after[..end];
            rest = &after[end..];
        }
    }
    let zone = match rest {
        "" => None,
        "Z" | "z" => Some(0),
        _ => {
            let sign = match rest.as_bytes()[0] {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let digits: String = rest[1..].chars().filter(|c| *c != ':').collect();
            if digits.len() != 4 {
                return None;
            }
            let hours: i32 = digits[..2].parse().ok()?;
            let minutes: i32 = digits[2..].parse().ok()?;
            Some(sign * (hours * 3600 + minutes * 60))
        }
    };
    Some(Clock { hour, minute, second, fraction, zone })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_instant() {
        let plain = of_text("2031-03-05T14:00:00Z").expect("an instant");
        for other in [
            "2031-03-05t14:00:00z",
            "2031-03-05 14:00Z",
            "2031-03-05T16:00:00.000+02:00",
            "2031-03-05T09:00-0500",
            "2031-03-05T14:00:00-00:00",
        ] {
            assert_eq!(of_text(other).as_ref(), Some(&plain), "{other}");
        }
        assert_eq!(of_epoch("1930485600"), Some(plain.clone()));
        assert_eq!(of_epoch("1930485600.000"), Some(plain.clone()));
        assert_ne!(of_text("2031-03-05T14:00:00"), Some(plain.clone()));
        assert_ne!(of_text("2031-03-05T14:00:00+01:00"), Some(plain));
        assert_ne!(of_text("2016-12-31T23:59:60Z"), of_text("2017-01-01T00:00:00Z"));
        assert_eq!(of_text("tomorrow at 14:00"), None);
    }

    #[test]
    fn times_are_modulo_a_day() {
        assert_eq!(time("23:30:00-02:00"), time("01:30:00Z"));
        assert_ne!(time("09:00:00"), time("09:00:00Z"));
    }
}
