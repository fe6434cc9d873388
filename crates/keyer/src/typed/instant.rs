//! Points in time and times of day, from their ISO 8601 spellings to one text each.
//!
//! What is no such time (a 30th of February, an hour 24, words) is None and stays exact text. Calendar arithmetic is
//! that of the proleptic Gregorian calendar, as RFC 3339 has it.

use super::decimal::Decimal;
use super::rule::{RuleSet, TypedRule};

const SECONDS_PER_DAY: i64 = 86_400;

/// A time as written, before any offset is applied.
struct Written<'t> {
    /// Seconds since midnight; a leap second counts as the second before it.
    seconds: i64,
    leap: bool,
    /// Digits after the point, without zeros at their end.
    fraction: &'t str,
    /// Minutes east of Greenwich; None where the text does not say.
    offset: Option<i64>,
    /// Whether it is written in the form that the canonical text has, offset aside.
    plain: bool,
}

/// The canonical text of a point in time.
pub(super) fn instant(text: &str, rules: RuleSet, fired: &mut RuleSet) -> Option<String> {
    let bytes = text.as_bytes();
    let separator = *bytes.get(10)?;
    if !matches!(separator, b'T' | b't' | b' ') {
        return None;
    }
    let days = date(&bytes[..10])?;
    let mut time = clock(text.get(11..)?)?;
    time.plain &= separator == b'T';
    let mut seconds = days * SECONDS_PER_DAY + time.seconds;
    let mut offset = time.offset;
    if rules.has(TypedRule::InstantOffset)
        && let Some(minutes) = offset
    {
        seconds -= minutes * 60;
        offset = Some(0);
    }
    if time.leap && !may_leap(&time, days) {
        return None;
    }
    // A zero that is written as a number is the offset's to turn into Z.
    let zero = time.offset == Some(0) && !text.ends_with(['Z', 'z']);
    let out = if zero && !rules.has(TypedRule::InstantOffset) {
        let mut out = write_instant(seconds, time.leap, time.fraction, None)?;
        // Two signs, which say the same only to whom offsets do.
        out.push_str(if text[11..].contains('-') { "-00:00" } else { "+00:00" });
        out
    } else {
        write_instant(seconds, time.leap, time.fraction, offset)?
    };
    if !rules.has(TypedRule::InstantForm) && !time.plain {
        return None;
    }
    if rules.has(TypedRule::InstantOffset) && (time.offset != offset || zero) {
        fired.insert(TypedRule::InstantOffset);
    }
    if !time.plain {
        fired.insert(TypedRule::InstantForm);
    }
    Some(out)
}

/// The canonical text of a zoned time of day, modulo a day.
pub(super) fn time_of_day(text: &str, rules: RuleSet, fired: &mut RuleSet) -> Option<String> {
    if !rules.has(TypedRule::TimeOffset) {
        return None;
    }
    let time = clock(text)?;
    let minutes = time.offset?;
    let utc = (time.seconds - minutes * 60).rem_euclid(SECONDS_PER_DAY);
    if time.leap && utc != SECONDS_PER_DAY - 1 {
        return None;
    }
    let mut out = String::with_capacity(16);
    push_clock(&mut out, utc, time.leap, time.fraction);
    out.push('Z');
    if out != text {
        fired.insert(TypedRule::TimeOffset);
    }
    Some(out)
}

/// The canonical text of epoch seconds; None beyond the years 0 to 9999.
pub(super) fn epoch(number: &str) -> Option<String> {
    let decimal = Decimal::parse(number)?;
    let exponent = decimal.small_exponent()?;
    let digits = &decimal.digits;
    // The largest year has 12 digits of seconds.
    if digits.len() as i128 + exponent > 12 {
        return None;
    }
    let (whole, fraction) = if exponent >= 0 {
        (format!("{digits}{}", "0".repeat(exponent as usize)), String::new())
    } else {
        let places = usize::try_from(-exponent).ok()?;
        match digits.len().checked_sub(places) {
            Some(point) => (digits[..point].to_owned(), digits[point..].to_owned()),
            // A tiny fraction would need its zeros written out; nobody writes times so.
            None if places > 64 => return None,
            None => (String::new(), format!("{}{digits}", "0".repeat(places - digits.len()))),
        }
    };
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    if !decimal.negative {
        return write_instant(whole, false, &fraction, Some(0));
    }
    if fraction.is_empty() {
        return write_instant(-whole, false, "", Some(0));
    }
    // -0.25 is a quarter before the epoch: three quarters after the second before it.
    let mut complement: Vec<u8> = fraction.bytes().map(|digit| b'9' - digit + b'0').collect();
    // The last digit is no zero, so the ten's complement needs no carry.
    if let Some(last) = complement.last_mut() {
        *last += 1;
    }
    let complement = String::from_utf8(complement).ok()?;
    write_instant(-whole - 1, false, &complement, Some(0))
}

/// Whether a leap second may stand there: at the end of a month in UTC, or of some hour where the zone is unknown.
fn may_leap(time: &Written<'_>, days: i64) -> bool {
    match time.offset {
        None => time.seconds % 3_600 == 3_599,
        Some(minutes) => {
            let next = days * SECONDS_PER_DAY + time.seconds - minutes * 60 + 1;
            next.rem_euclid(SECONDS_PER_DAY) == 0 && civil(next.div_euclid(SECONDS_PER_DAY)).2 == 1
        }
    }
}

fn two_digits(bytes: &[u8]) -> Option<i64> {
    match bytes {
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some(i64::from(a - b'0') * 10 + i64::from(b - b'0')),
        _ => None,
    }
}

/// Days since 1970-01-01 of `YYYY-MM-DD`.
fn date(bytes: &[u8]) -> Option<i64> {
    let [_, _, _, _, b'-', _, _, b'-', _, _] = bytes else { return None };
    let year = two_digits(&bytes[..2])? * 100 + two_digits(&bytes[2..4])?;
    let (month, day) = (two_digits(&bytes[5..7])?, two_digits(&bytes[8..])?);
    let leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap_year => 29,
        2 => 28,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    // Years that begin in March put the leap day last; 146,097 days make 400 years.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

/// Year, month and day of a number of days since 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// `HH:MM[:SS[.fraction]]` and perhaps an offset.
fn clock(text: &str) -> Option<Written<'_>> {
    let bytes = text.as_bytes();
    let (hour, minute) = (two_digits(bytes.get(..2)?)?, two_digits(bytes.get(3..5)?)?);
    if bytes[2] != b':' || hour > 23 || minute > 59 {
        return None;
    }
    let (mut second, mut at, mut plain) = (0, 5, false);
    let mut fraction = "";
    if bytes.get(5) == Some(&b':') {
        second = two_digits(bytes.get(6..8)?)?;
        (at, plain) = (8, true);
        if bytes.get(8) == Some(&b'.') {
            let digits = bytes[9..].iter().take_while(|b| b.is_ascii_digit()).count();
            if digits == 0 {
                return None;
            }
            at = 9 + digits;
            fraction = text[9..at].trim_end_matches('0');
            plain = fraction.len() == digits;
        }
    }
    let leap = second == 60;
    if second > 60 {
        return None;
    }
    let offset = match &bytes[at..] {
        [] => None,
        [b'Z'] => Some(0),
        [b'z'] => {
            plain = false;
            Some(0)
        }
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let (hours, minutes) = match rest {
                [_, _, b':', _, _] => (&rest[..2], &rest[3..]),
                [_, _, _, _] => {
                    plain = false;
                    (&rest[..2], &rest[2..])
                }
                [_, _] => {
                    plain = false;
                    (rest, &b"00"[..])
                }
                _ => return None,
            };
            let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let east = hours * 60 + minutes;
            Some(if *sign == b'-' { -east } else { east })
        }
        _ => return None,
    };
    let seconds = hour * 3_600 + minute * 60 + second - i64::from(leap);
    Some(Written { seconds, leap, fraction, offset, plain })
}

fn write_instant(seconds: i64, leap: bool, fraction: &str, offset: Option<i64>) -> Option<String> {
    let (year, month, day) = civil(seconds.div_euclid(SECONDS_PER_DAY));
    if !(0..=9_999).contains(&year) {
        return None;
    }
    let mut out = String::with_capacity(24 + fraction.len());
    push_two(&mut out, year / 100);
    push_two(&mut out, year);
    out.push('-');
    push_two(&mut out, month);
    out.push('-');
    push_two(&mut out, day);
    out.push('T');
    push_clock(&mut out, seconds.rem_euclid(SECONDS_PER_DAY), leap, fraction);
    match offset {
        None => {}
        Some(0) => out.push('Z'),
        Some(minutes) => push_offset(&mut out, minutes),
    }
    Some(out)
}

/// The last two digits of a number that is not negative.
fn push_two(out: &mut String, number: i64) {
    out.push(char::from(b'0' + (number / 10 % 10) as u8));
    out.push(char::from(b'0' + (number % 10) as u8));
}

fn push_clock(out: &mut String, seconds: i64, leap: bool, fraction: &str) {
    push_two(out, seconds / 3_600);
    out.push(':');
    push_two(out, seconds / 60 % 60);
    out.push(':');
    push_two(out, seconds % 60 + i64::from(leap));
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
}

fn push_offset(out: &mut String, minutes: i64) {
    out.push(if minutes.is_negative() { '-' } else { '+' });
    push_two(out, minutes.abs() / 60);
    out.push(':');
    push_two(out, minutes.abs() % 60);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<String> {
        instant(text, RuleSet::ALL, &mut RuleSet::NONE.clone())
    }

    #[test]
    fn one_point_has_one_text() {
        for (canonical, written) in [
            (
                "2026-08-11T09:00:00Z",
                &[
                    "2026-08-11t09:00:00z",
                    "2026-08-11 09:00:00Z",
                    "2026-08-11T09:00Z",
                    "2026-08-11T11:00:00+02:00",
                    "2026-08-11T11:00+0200",
                    "2026-08-11T11:00+02",
                    "2026-08-11T09:00:00-00:00",
                    "2026-08-11T09:00:00.000+0000",
                    "2026-08-10T23:30:00-09:30",
                    "2026-08-12T08:59:00+23:59",
                    "2026-08-10T09:01:00-23:59",
                ][..],
            ),
            ("2026-08-11T09:00:00", &["2026-08-11T09:00:00.000", "2026-08-11 09:00"]),
            ("2026-08-11T09:00:00.5Z", &["2026-08-11T09:00:00.500Z"]),
            ("2016-12-31T23:59:60Z", &["2017-01-01T00:59:60+01:00"]),
            ("2024-02-29T23:00:00Z", &["2024-03-01T00:00:00+01:00"]),
            ("1999-12-31T23:00:00Z", &["2000-01-01T00:00:00+01:00"]),
        ] {
            assert_eq!(at(canonical).as_deref(), Some(canonical));
            for one in written {
                assert_eq!(at(one).as_deref(), Some(canonical), "{one}");
            }
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for other in [
            "",
            "2026-08-11",
            "2026-02-30T00:00:00Z",
            "2025-02-29T00:00:00Z",
            "2026-08-11T24:00:00Z",
            "2026-08-11T09:60:00Z",
            "2026-08-11T09:00:61Z",
            "2026-08-11T09:00:60Z",
            "2026-08-11T09Z",
            "2026-08-11T09:00:00.Z",
            "2026-08-11T09:00.5Z",
            "2026-08-11T09:00:00+24:00",
            "2026-08-11T09:00:00+05:60",
            "2026-8-11T09:00:00Z",
            "2026-08-11T09:00:00ZZ",
            " 2026-08-11T09:00:00Z",
            "2026-08-11T09:00:00 Z",
            "２026-08-11T09:00:00Z",
            "0000-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "2026-08-11Té9:00:00Z",
            "2026-13-01T00:00:00Z",
        ] {
            assert_eq!(at(other), None, "{other}");
        }
    }

    #[test]
    fn every_day_of_four_centuries_is_read_and_written_alike() {
        let mut last = date(b"1599-12-31").unwrap();
        for days in last + 1..=date(b"2000-12-31").unwrap() {
            let (year, month, day) = civil(days);
            let text = format!("{year:04}-{month:02}-{day:02}");
            assert_eq!(date(text.as_bytes()), Some(days), "{text}");
            assert_eq!(days, last + 1);
            last = days;
        }
    }

    #[test]
    fn leap_seconds_stand_where_one_may_be() {
        for (text, is) in [
            ("2016-12-31T23:59:60Z", true),
            ("2016-06-30T23:59:60Z", true),
            ("2016-12-30T23:59:60Z", false),
            ("2016-12-31T23:58:60Z", false),
            ("2016-12-31T22:59:60Z", false),
            ("2016-12-31T18:59:60-05:00", true),
            ("2017-01-01T05:29:60+05:30", true),
            ("2017-01-01T05:29:60-05:30", false),
            // In a zone that nobody tells it ends some hour.
            ("2016-12-31T23:59:60", true),
            ("2017-01-01T04:59:60", true),
            ("2017-01-01T05:29:60", false),
            ("2017-01-01T00:00:60", false),
        ] {
            assert_eq!(at(text).is_some(), is, "{text}");
        }
        assert_eq!(at("2017-01-01T04:59:60").as_deref(), Some("2017-01-01T04:59:60"));
    }

    #[test]
    fn epoch_seconds_are_points_in_time() {
        assert_eq!(epoch("0").as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(epoch("1930485600").as_deref(), Some("2031-03-05T14:00:00Z"));
        assert_eq!(epoch("1.9304856e9").as_deref(), Some("2031-03-05T14:00:00Z"));
        assert_eq!(epoch("0.25").as_deref(), Some("1970-01-01T00:00:00.25Z"));
        assert_eq!(epoch("-0.25").as_deref(), Some("1969-12-31T23:59:59.75Z"));
        assert_eq!(epoch("-2.25").as_deref(), Some("1969-12-31T23:59:57.75Z"));
        assert_eq!(epoch("-1").as_deref(), Some("1969-12-31T23:59:59Z"));
        assert_eq!(epoch("1930485600000"), None, "milliseconds are no seconds");
        assert_eq!(epoch("1e400"), None);
        assert_eq!(epoch("1e-400"), None);
        // The calendar's last second, and as many digits as that in a fraction.
        assert_eq!(epoch("253402300799").as_deref(), Some("9999-12-31T23:59:59Z"));
        assert_eq!(epoch("253402300800"), None);
        assert_eq!(epoch("1930485600.123456").as_deref(), Some("2031-03-05T14:00:00.123456Z"));
        assert_eq!(epoch("-62167219200").as_deref(), Some("0000-01-01T00:00:00Z"));
        assert_eq!(epoch("-62167219201"), None);
        assert_eq!(epoch("0.05").as_deref(), Some("1970-01-01T00:00:00.05Z"));
        let tiny = format!("1970-01-01T00:00:00.{}5Z", "0".repeat(63));
        assert_eq!(epoch("5e-64"), Some(tiny));
        assert_eq!(epoch("5e-65"), None);
    }

    #[test]
    fn zoned_times_are_taken_modulo_a_day() {
        let time = |text: &str| time_of_day(text, RuleSet::ALL, &mut RuleSet::NONE.clone());
        assert_eq!(time("00:30:00+01:00").as_deref(), Some("23:30:00Z"));
        assert_eq!(time("23:30z").as_deref(), Some("23:30:00Z"));
        assert_eq!(time("23:59:60Z").as_deref(), Some("23:59:60Z"));
        assert_eq!(time("09:00:00"), None, "zoneless times are as written");
        assert_eq!(time("25:00:00Z"), None);
        let mut fired = RuleSet::NONE;
        let fewer = RuleSet::ALL.without(TypedRule::TimeOffset);
        assert_eq!(time_of_day("00:30:00+01:00", fewer, &mut fired), None);
        assert_eq!(fired, RuleSet::NONE, "no rule fires that is not in force");
    }

    #[test]
    fn rules_can_be_dropped() {
        let with = |text: &str, rules| instant(text, rules, &mut RuleSet::NONE.clone());
        let no_offset = RuleSet::ALL.without(TypedRule::InstantOffset);
        assert_eq!(
            with("2026-08-11T11:00+02:00", no_offset).as_deref(),
            Some("2026-08-11T11:00:00+02:00")
        );
        for (text, form) in [
            ("2026-08-11 11:00+00", "2026-08-11T11:00:00+00:00"),
            ("2026-08-11T11:00:00-0000", "2026-08-11T11:00:00-00:00"),
            ("2026-08-11T11:00z", "2026-08-11T11:00:00Z"),
        ] {
            assert_eq!(with(text, no_offset).as_deref(), Some(form), "{text}");
            assert_eq!(with(form, no_offset).as_deref(), Some(form), "{text}");
        }
        let no_form = RuleSet::ALL.without(TypedRule::InstantForm);
        assert_eq!(with("2026-08-11t09:00:00Z", no_form), None);
        assert_eq!(
            with("2026-08-11T11:00:00+02:00", no_form).as_deref(),
            Some("2026-08-11T09:00:00Z")
        );
    }
}
