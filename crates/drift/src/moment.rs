//! A point in time with the parts of its spelling: offset, separator, fraction, zone letter.

use std::fmt::Write;

/// How a zone is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    /// Not at all: a local time.
    None,
    /// `Z`.
    Zulu,
    /// Minutes east of UTC.
    Offset {
        minutes: i16,
        colon: bool,
        /// `-00:00` rather than `+00:00`.
        negative_zero: bool,
    },
}

/// A point in time (or a local time) as it will be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Seconds since 1970 in UTC; of a local time, as if it were in UTC.
    pub(crate) seconds: i64,
    /// Nanoseconds within the second.
    pub(crate) nanos: u32,
    /// The second after this one's `:59`, written `:60`.
    pub(crate) leap: bool,
    pub(crate) zone: Zone,
    /// How many digits of the fraction are written; trailing ones are zeros.
    pub(crate) fraction_digits: u8,
    pub(crate) space: bool,
    pub(crate) lower: bool,
    pub(crate) no_seconds: bool,
    /// Written as a number of epoch seconds.
    pub(crate) epoch: bool,
}

impl Moment {
    pub(crate) fn new(seconds: i64, zone: Zone) -> Self {
        Moment {
            seconds,
            nanos: 0,
            leap: false,
            zone,
            fraction_digits: 0,
            space: false,
            lower: false,
            no_seconds: false,
            epoch: false,
        }
    }

    /// The fewest digits that the fraction needs.
    pub(crate) fn needed_digits(&self) -> u8 {
        let (mut nanos, mut digits) = (self.nanos, 9);
        if nanos == 0 {
            return 0;
        }
        while nanos % 10 == 0 {
            nanos /= 10;
            digits -= 1;
        }
        digits
    }

    pub(crate) fn zoned(&self) -> bool {
        self.zone != Zone::None
    }

    /// Whether the seconds are zero and no fraction is written.
    pub(crate) fn whole_minute(&self) -> bool {
        self.seconds.rem_euclid(60) == 0 && self.fraction_digits == 0 && !self.leap
    }

    /// Writes it without quotes; for an epoch, as a JSON number.
    pub(crate) fn write(&self, out: &mut String) {
        // Writing to a String cannot fail.
        if self.epoch {
            let _ = write!(out, "{}", self.seconds);
            self.write_fraction(out);
            return;
        }
        let minutes = match self.zone {
            Zone::Offset { minutes, .. } => i64::from(minutes),
            _ => 0,
        };
        let local = self.seconds + minutes * 60;
        let (year, month, day) = civil(local.div_euclid(86_400));
        let of_day = local.rem_euclid(86_400);
        push_padded(out, year, 4);
        out.push('-');
        push_padded(out, month, 2);
        out.push('-');
        push_padded(out, day, 2);
        out.push(match (self.space, self.lower) {
            (true, _) => ' ',
            (_, true) => 't',
            _ => 'T',
        });
        push_padded(out, of_day / 3600, 2);
        out.push(':');
        push_padded(out, of_day / 60 % 60, 2);
        if !(self.no_seconds && self.whole_minute()) {
            out.push(':');
            push_padded(out, of_day % 60 + i64::from(self.leap), 2);
            self.write_fraction(out);
        }
        match self.zone {
            Zone::None => {}
            Zone::Zulu => out.push(if self.lower { 'z' } else { 'Z' }),
            Zone::Offset { minutes, colon, negative_zero } => {
                let negative = minutes < 0 || (minutes == 0 && negative_zero);
                out.push(if negative { '-' } else { '+' });
                let size = i64::from(minutes.unsigned_abs());
                push_padded(out, size / 60, 2);
                if colon {
                    out.push(':');
                }
                push_padded(out, size % 60, 2);
            }
        }
    }

    fn write_fraction(&self, out: &mut String) {
        if self.fraction_digits == 0 {
            return;
        }
        out.push('.');
        let nine = format!("{:09}", self.nanos);
        let digits = usize::from(self.fraction_digits);
        out.push_str(&nine[..digits.min(9)]);
        (9..digits).for_each(|_| out.push('0'));
    }
}

pub(crate) fn push_padded(out: &mut String, number: i64, width: usize) {
    let mut digits = [b'0'; 12];
    let mut rest = number.unsigned_abs();
    for at in (0..12).rev() {
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    digits[12 - width..].iter().for_each(|d| out.push(char::from(*d)));
}

/// Year, month and day of a day number since 1970-01-01 in the Gregorian calendar, by shifting the
/// year to start in March, so that the leap day is its last.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}
