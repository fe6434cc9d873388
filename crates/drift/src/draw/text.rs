//! Texts of each kind, plain and hostile.

use super::words::{
    CODE, DURATIONS, HOSTS, IDS, MAILS, NAMES, PATHS, PHONES, PROSE, REWORDED, SECRETS, TOKENS,
    URI_PATHS, URI_QUERIES, VERSIONS,
};
use crate::choice::Choices;
use crate::moment::push_padded;
use crate::plan::Hint;
use std::borrow::Cow;

const LETTERS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const HEX: &[u8; 16] = b"0123456789abcdef";

/// A plain string, of which every code point counts.
pub(super) fn exact(hint: Hint, hostile: bool, c: &mut Choices<'_>) -> Cow<'static, str> {
    let hint = match hint {
        Hint::None | Hint::Amount | Hint::Count => c.of(&[
            Hint::Id,
            Hint::Id,
            Hint::Name,
            Hint::Version,
            Hint::Path,
            Hint::Secret,
            Hint::Postal,
            Hint::Document,
        ]),
        hint => hint,
    };
    match hint {
        Hint::Version => c.of(&VERSIONS).into(),
        Hint::Path => c.of(&PATHS).into(),
        Hint::Name => c.of(&NAMES).into(),
        Hint::Secret if c.permille(600) => c.of(&SECRETS).into(),
        Hint::Document => match c.below(3) {
            0 => c.of(&PATHS).into(),
            1 => c.of(&CODE).into(),
            _ => c.of(&PROSE).into(),
        },
        Hint::Postal => {
            let mut out = String::with_capacity(8);
            push_padded(&mut out, c.between(1, 99_999), 5);
            out.into()
        }
        _ => id(hostile, c),
    }
}

/// An identifier: padded, long, mixed case, or numeric in looks.
fn id(hostile: bool, c: &mut Choices<'_>) -> Cow<'static, str> {
    let mut out = String::new();
    match c.below(if hostile { 7 } else { 5 }) {
        0 => push_padded(&mut out, c.between(1, 9999), 6),
        1 => (0..8).for_each(|_| out.push(char::from(c.of(LETTERS)))),
        2 => {
            out.push_str(c.of(&["inv-", "ORD_", "cus_", "Ch-"]));
            push_padded(&mut out, c.between(0, 9999), 4);
        }
        3 => out.push_str(&c.between(1_000, 99_999_999).to_string()),
        4 => out.push_str(&c.between(1 << 53, i64::MAX).to_string()),
        // Python refuses integers of more than 4,300 digits; C asks it for one.
        5 if c.permille(15) => {
            out.push(char::from(b'1' + c.below(9) as u8));
            let digit = char::from(b'0' + c.below(10) as u8);
            (0..4_400).for_each(|_| out.push(digit));
        }
        _ => return c.of(&IDS).into(),
    }
    out.into()
}

/// Prose.
pub(super) fn prose(c: &mut Choices<'_>) -> Cow<'static, str> {
    if c.permille(400) { c.of(&PROSE).into() } else { c.of(&REWORDED)[0].into() }
}

/// Content that is sent along: prose, sometimes long.
pub(super) fn payload(c: &mut Choices<'_>) -> Cow<'static, str> {
    if c.permille(800) {
        return prose(c);
    }
    format!("{}. {}.\n-- {}", c.of(&PROSE), c.of(&REWORDED)[0], c.of(&NAMES)).into()
}

pub(super) fn token(c: &mut Choices<'_>) -> Cow<'static, str> {
    c.of(&TOKENS).into()
}

pub(super) fn code(c: &mut Choices<'_>) -> Cow<'static, str> {
    c.of(&CODE).into()
}

pub(super) fn uuid(c: &mut Choices<'_>) -> Cow<'static, str> {
    let mut out = String::with_capacity(36);
    for at in 0..36 {
        match at {
            8 | 13 | 18 | 23 => out.push('-'),
            14 => out.push('4'),
            19 => out.push(char::from(c.of(b"89ab"))),
            _ => out.push(char::from(c.of(HEX))),
        }
    }
    out.into()
}

pub(super) fn uri(c: &mut Choices<'_>) -> Cow<'static, str> {
    let mut out = String::with_capacity(48);
    out.push_str(c.of(&["https://", "http://"]));
    out.push_str(c.of(&HOSTS));
    if c.permille(150) {
        out.push_str(":8443");
    }
    out.push_str(c.of(&URI_PATHS));
    out.push_str(c.of(&URI_QUERIES));
    if c.permille(100) {
        out.push_str("#Top");
    }
    out.into()
}

pub(super) fn email(c: &mut Choices<'_>) -> Cow<'static, str> {
    c.of(&MAILS).into()
}

pub(super) fn phone(c: &mut Choices<'_>) -> Cow<'static, str> {
    c.of(&PHONES).into()
}

pub(super) fn duration(c: &mut Choices<'_>) -> Cow<'static, str> {
    c.of(&DURATIONS).into()
}

pub(super) fn date(c: &mut Choices<'_>) -> Cow<'static, str> {
    let mut out = String::with_capacity(10);
    push_padded(&mut out, c.between(2026, 2034), 4);
    out.push('-');
    push_padded(&mut out, c.between(1, 12), 2);
    out.push('-');
    push_padded(&mut out, c.between(1, 28), 2);
    out.into()
}

/// A time of day; two in three have a zone.
pub(super) fn time(c: &mut Choices<'_>) -> Cow<'static, str> {
    let mut out = String::with_capacity(14);
    push_padded(&mut out, c.between(0, 23), 2);
    out.push(':');
    push_padded(&mut out, c.between(0, 11) * 5, 2);
    out.push_str(":00");
    out.push_str(c.of(&["Z", "+02:00", ""]));
    out.into()
}

/// JSON inside a text.
pub(super) fn json(c: &mut Choices<'_>) -> Cow<'static, str> {
    let number = c.between(1, 9_999);
    let word = c.of(&TOKENS);
    match c.below(3) {
        0 => format!("{{\"op\":\"replace\",\"path\":\"/limit\",\"value\":{number}}}"),
        1 => format!("[{{\"op\":\"add\",\"value\":\"{word}\",\"at\":{number}}}]"),
        _ => format!("{{\"name\":\"{word}\",\"size\":{number},\"on\":true,\"off\":null}}"),
    }
    .into()
}

/// A nonce, or the time of writing.
pub(super) fn nonce(c: &mut Choices<'_>) -> Cow<'static, str> {
    if c.permille(300) {
        return date(c);
    }
    let mut out = String::from("req-");
    (0..8).for_each(|_| out.push(char::from(c.of(HEX))));
    out.into()
}
