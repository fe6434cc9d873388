//! Which code points of a text are the same to a reader: canonical equivalence, width, presentation forms, quote and
//! dash shapes; and which are not there at all (zero-width characters, soft hyphens, variation selectors).
//!
//! Unlike NFKC, nothing that carries a fact is folded: `10²` stays apart from `102`, `5½` from `51/2`, `xⁿ` from `xn`.
//! Letter case is kept here; it is folded where tokens are compared.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, char::decompose_compatible, is_nfc};

/// Zero-width joiner: a part of emoji sequences, noise elsewhere.
pub(crate) const ZWJ: char = '\u{200D}';

/// The text with equal-looking code points made equal. ASCII text comes back as it is.
pub fn fold(text: &str) -> Cow<'_, str> {
    if is_plain(text) || (!text.chars().any(is_folded) && is_nfc(text)) {
        return Cow::Borrowed(text);
    }
    let mut mapped = String::with_capacity(text.len());
    let mut last = None;
    for c in text.chars() {
        if let Some(kept) = fold_char(c, last, &mut mapped) {
            last = Some(kept);
        }
    }
    if is_nfc(&mapped) { Cow::Owned(mapped) } else { Cow::Owned(mapped.nfc().collect()) }
}

/// Whether the text is seen at a glance to be its own fold: ASCII, and blocks without shapes to fold, marks that combine
/// or characters that NFC changes.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii()).count();
        let Some(c) = text[at..].chars().next() else { return true };
        let plain = match u32::from(c) {
            0xAD | 0xAB | 0xB5 | 0xBB | 0x2212 => false,
            0x80..=0x2B9
            | 0x400..=0x482
            | 0x20A0..=0x20BF
            | 0x2190..=0x2328
            | 0x232B..=0x2ADB
            | 0x3041..=0x3096
            | 0x30A1..=0x30FA
            | 0x4E00..=0x9FFF
            | 0xAC00..=0xD7A3
            | 0x1F000..=0x1FAFF => true,
            _ => false,
        };
        if !plain {
            return false;
        }
        at += c.len_utf8();
    }
}

/// Whether `fold_char` would change this code point (or might, by what stands before it).
fn is_folded(c: char) -> bool {
    let point = u32::from(c);
    point >= 0x80
        && (is_invisible(c) || c == ZWJ || ascii_shape(c).is_some() || is_presentation(point))
}

/// Appends what `c` folds to; returns it unless nothing was appended.
fn fold_char(c: char, last: Option<char>, out: &mut String) -> Option<char> {
    if c.is_ascii() {
        out.push(c);
        return Some(c);
    }
    if is_invisible(c) || (c == ZWJ && !last.is_some_and(is_pictograph)) {
        return None;
    }
    if let Some(shape) = ascii_shape(c) {
        out.push(shape);
        return Some(shape);
    }
    if is_presentation(u32::from(c)) {
        let mut end = None;
        decompose_compatible(c, |part| {
            out.push(part);
            end = Some(part);
        });
        return end;
    }
    out.push(c);
    Some(c)
}

/// Code points without a shape of their own. The bidi overrides (U+202D, U+202E) change what is read and stay.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180B}'..='\u{180E}' | '\u{200B}' | '\u{200C}' | '\u{200E}' | '\u{200F}'
            | '\u{202A}'..='\u{202C}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
    )
}

/// Whether a joiner after this character builds an emoji sequence.
fn is_pictograph(c: char) -> bool {
    matches!(u32::from(c), 0x2190..=0x2BFF | 0x1F000..=0x1FAFF)
}

/// The ASCII character that a quote, dash or full-width form stands for. Full-width sentence punctuation is left alone:
/// it needs no space after it to be punctuation.
fn ascii_shape(c: char) -> Option<char> {
    Some(match c {
        '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201B}' | '\u{2BC}' | '\u{2039}' | '\u{203A}' => {
            '\''
        }
        '\u{201C}'..='\u{201F}' | '«' | '»' | '\u{300C}'..='\u{300F}' | '\u{301D}'..='\u{301F}' => {
            '"'
        }
        '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{FE63}' | '\u{FE58}' => '-',
        '\u{B5}' => 'μ',
        '！' | '，' | '：' | '；' => return None,
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0)?,
        _ => return None,
    })
}

/// Blocks whose compatibility decomposition is another way to show the same letters.
fn is_presentation(point: u32) -> bool {
    matches!(point, 0xFB00..=0xFB06 | 0xFB13..=0xFB17 | 0xFB50..=0xFDFB | 0xFE70..=0xFEFC | 0xFF61..=0xFFEE | 0x3300..=0x33FF)
}

/// Appends the letter-case fold of a token: simple lower case, with the Greek final sigma as any other. `ß` is not `ss`.
pub(crate) fn push_lower(token: &str, out: &mut String) {
    for c in token.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else {
            out.extend(c.to_lowercase().map(|l| if l == 'ς' { 'σ' } else { l }));
        }
    }
}

/// The letter-case fold of a token.
pub(crate) fn lower(token: &str) -> String {
    let mut out = String::with_capacity(token.len());
    push_lower(token, &mut out);
    out
}

/// Whether two tokens are equal but for letter case.
pub(crate) fn same_but_case(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    let fold = |s: &'_ str| -> Vec<char> {
        s.chars().flat_map(char::to_lowercase).map(|l| if l == 'ς' { 'σ' } else { l }).collect()
    };
    fold(a) == fold(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_blocks_need_neither_folding_nor_normalising() {
        let plain = (0x80..=0x10FFFF).filter_map(char::from_u32).filter(|&c| {
            let text = String::from(c);
            is_plain(&text)
        });
        let mut seen = 0;
        for c in plain {
            seen += 1;
            let text = format!("a{c}b{c}");
            assert!(!is_folded(c) && is_nfc(&text), "{:x}", u32::from(c));
            assert_eq!(unicode_normalization::char::canonical_combining_class(c), 0);
        }
        assert!(seen > 30_000, "{seen}");
    }
}
