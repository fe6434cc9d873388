//! `str.casefold`: full case folding of Unicode 14.

use std::borrow::Cow;

use super::tables::{FOLD_FULL, FOLD_RUNS};
use super::wtf8::{CodePoints, push};

/// `text.casefold()`. Borrows when nothing changes.
pub fn casefold(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        if !text.iter().any(u8::is_ascii_uppercase) {
            return text;
        }
        let mut owned = text.into_owned();
        owned.make_ascii_lowercase();
        return Cow::Owned(owned);
    }
    if CodePoints::new(&text).all(|point| matches!(fold_point(point), Fold::Same)) {
        return text;
    }
    let mut out = Vec::with_capacity(text.len() + 8);
    for point in CodePoints::new(&text) {
        match fold_point(point) {
            Fold::Same => push(&mut out, point),
            Fold::One(folded) => push(&mut out, folded),
            Fold::Many(folded) => out.extend_from_slice(folded.as_bytes()),
        }
    }
    Cow::Owned(out)
}

enum Fold {
    Same,
    One(u32),
    Many(&'static str),
}

fn fold_point(point: u32) -> Fold {
    if point < 0x80 {
        let upper = (0x41..=0x5A).contains(&point);
        return if upper { Fold::One(point + 0x20) } else { Fold::Same };
    }
    let run = FOLD_RUNS.partition_point(|&(_, last, ..)| last < point);
    if let Some(&(first, _, step, delta)) = FOLD_RUNS.get(run)
        && first <= point
        && (point - first).is_multiple_of(step)
    {
        return Fold::One(point.wrapping_add_signed(delta));
    }
    match FOLD_FULL.binary_search_by_key(&point, |&(folds, _)| folds) {
        Ok(found) => Fold::Many(FOLD_FULL[found].1),
        Err(_) => Fold::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        String::from_utf8(casefold(text.as_bytes().into()).into_owned()).unwrap()
    }

    #[test]
    fn folds_fully() {
        assert_eq!(folded("Straße"), "strasse");
        assert_eq!(folded("ΟΔΟΣ"), "οδοσ");
        assert_eq!(folded("İı"), "i\u{307}ı");
        assert_eq!(folded("ꭰ"), "Ꭰ", "Cherokee folds to capitals");
        assert_eq!(folded("𐐀"), "𐐨");
    }
}
