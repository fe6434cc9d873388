//! `unicodedata.normalize("NFC", text)` of Unicode 14.
//!
//! The tables of the `unicode-normalization` crate are newer. By Unicode's stability policy, characters that were
//! assigned in version 14 still normalise as they did. Those that were not are starters there that neither decompose
//! nor compose, so the text is cut around each of them, and around surrogates, and the pieces are normalised alone.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::tables::UNASSIGNED;
use super::wtf8::{CodePoints, SURROGATES};

/// The first lead byte of a code point that can take part in normalisation: below U+0300 all text is in NFC.
const FIRST_COMBINING_LEAD: u8 = 0xCC;

/// The NFC of the text. Borrows when nothing changes.
pub fn nfc(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if text.iter().all(|&byte| byte < FIRST_COMBINING_LEAD) {
        return text;
    }
    // What newer tables find in order is in order piece by piece as well.
    if let Ok(valid) = std::str::from_utf8(&text)
        && is_nfc_quick(valid.chars()) == IsNormalized::Yes
    {
        return text;
    }
    let mut out = Vec::with_capacity(text.len() + 8);
    let mut piece = String::new();
    let mut points = CodePoints::new(&text);
    loop {
        let before = points.rest();
        let Some(point) = points.next() else { break };
        match char::from_u32(point).filter(|_| !is_barrier(point)) {
            Some(character) => piece.push(character),
            None => {
                normalise_into(&mut out, &mut piece);
                out.extend_from_slice(&before[..before.len() - points.rest().len()]);
            }
        }
    }
    normalise_into(&mut out, &mut piece);
    Cow::Owned(out)
}

fn normalise_into(out: &mut Vec<u8>, piece: &mut String) {
    for character in piece.nfc() {
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
    piece.clear();
}

/// Whether Unicode 14 knows no character of that code point.
fn is_barrier(point: u32) -> bool {
    if SURROGATES.contains(&point) {
        return true;
    }
    let at = UNASSIGNED.partition_point(|&(_, last)| last < point);
    UNASSIGNED.get(at).is_some_and(|&(first, _)| first <= point)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn composed(text: &str) -> String {
        String::from_utf8(nfc(text.as_bytes().into()).into_owned()).unwrap()
    }

    #[test]
    fn composes_and_orders() {
        assert_eq!(composed("e\u{301}"), "é");
        assert_eq!(composed("a\u{307}\u{323}"), "ạ\u{307}");
        assert_eq!(composed("\u{1100}\u{1161}\u{11A8}"), "각");
        assert_eq!(composed("\u{212B}"), "Å");
    }

    #[test]
    fn a_mark_of_a_later_unicode_is_inert() {
        // U+0897 (Unicode 16) has combining class 230 today and is a bare starter in Unicode 14.
        assert_eq!(composed("e\u{897}\u{301}"), "e\u{897}\u{301}");
        assert_eq!(composed("e\u{897}\u{323}"), "e\u{897}\u{323}", "nothing is moved across it");
    }

    #[test]
    fn surrogates_stay_and_part_the_text() {
        let text = b"e\xED\xA0\x80\xCC\x81e\xCC\x81";
        assert_eq!(&*nfc(text[..].into()), b"e\xED\xA0\x80\xCC\x81\xC3\xA9");
    }
}
