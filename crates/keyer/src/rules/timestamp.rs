//! The timestamp rule: one spelling for the fraction and the letters, no look at the ranges of the digits.

use std::borrow::Cow;

use super::{Flow, Scalar};
use crate::python::digit_value;
use crate::python::wtf8::CodePoints;

/// Which letters T and Z a timestamp may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Letters {
    /// Either case.
    EitherCase,
    /// Capitals only: the first version of the article's C.
    CapitalOnly,
}

/// `dddd-dd-ddTdd:dd:dd`, perhaps `.d+`, then Z or `±dd:dd` loses the fraction and gets capital letters.
pub(super) fn apply(letters: Letters, value: &mut Scalar<'_>) -> Flow {
    let Scalar::Text(text) = value else { return Flow::Next };
    let Some(found) = Timestamp::read(text, letters) else { return Flow::Next };
    if !found.is_plain {
        let plain = found.write();
        *text = Cow::Owned(plain);
    }
    Flow::Settled
}

struct Timestamp<'t> {
    date: &'t [u8],
    time: &'t [u8],
    zone: &'t [u8],
    /// Written with capital letters and without a fraction.
    is_plain: bool,
}

impl<'t> Timestamp<'t> {
    fn read(text: &'t [u8], letters: Letters) -> Option<Self> {
        // The shortest, "dddd-dd-ddTdd:dd:ddZ", has 20 bytes, and starts with a digit.
        if text.len() < 20 || !(text[0].is_ascii_digit() || text[0] >= 0x80) {
            return None;
        }
        let letter = |found: u8, capital: u8| {
            found == capital
                || (letters == Letters::EitherCase && found == capital.to_ascii_lowercase())
        };
        let mut at = Cursor { rest: text };
        let date = at.digit_groups(b"4-2-2")?;
        let t = at.byte().filter(|&found| letter(found, b'T'))?;
        let time = at.digit_groups(b"2:2:2")?;
        let has_fraction = at.rest.first() == Some(&b'.');
        if has_fraction {
            at.byte();
            at.digit()?;
            while at.digit().is_some() {}
        }
        let zone = at.rest;
        match at.byte()? {
            b'+' | b'-' => drop(at.digit_groups(b"2:2")?),
            found if letter(found, b'Z') => {}
            _ => return None,
        }
        let is_plain = !has_fraction && t == b'T' && zone[0] != b'z';
        at.rest.is_empty().then_some(Timestamp { date, time, zone, is_plain })
    }

    fn write(&self) -> Vec<u8> {
        let zone = if self.zone == b"z" { b"Z" } else { self.zone };
        [self.date, b"T", self.time, zone].concat()
    }
}

struct Cursor<'t> {
    rest: &'t [u8],
}

impl<'t> Cursor<'t> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// One decimal digit of any script.
    fn digit(&mut self) -> Option<()> {
        let mut points = CodePoints::new(self.rest);
        points.next().and_then(digit_value)?;
        self.rest = points.rest();
        Some(())
    }

    /// Digits in groups: `4-2` stands for four digits, a dash and two digits. Answers the bytes passed.
    fn digit_groups(&mut self, pattern: &[u8]) -> Option<&'t [u8]> {
        let start = self.rest;
        for &sign in pattern {
            if sign.is_ascii_digit() {
                for _ in b'0'..sign {
                    self.digit()?;
                }
            } else if self.byte()? != sign {
                return None;
            }
        }
        Some(&start[..start.len() - self.rest.len()])
    }
}
