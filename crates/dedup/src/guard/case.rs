//! Where letter case carries meaning although names may be written in any case.
//!
//! A copy written wholly in capitals or wholly in small letters is a repeat. A text in which one token alone changes
//! its case is not, when that token is an acronym, an identifier, a unit after a number or a single letter.

use super::tokens::{Kind, Token};

/// Number of ordinary words whose case changed that shows a text was recased as a whole.
const RECASED_WORDS: usize = 3;

/// Whether the letter case of two texts of equal tokens agrees where it counts. `pairs` are the aligned tokens in order,
/// `a` and `b` the texts.
pub(crate) fn agrees<'a>(
    a: &str,
    b: &str,
    pairs: impl Iterator<Item = (Token<'a>, Token<'a>)>,
) -> bool {
    // Tokens whose case changed, by whether it says something as written on that side.
    let (mut left, mut right) = (Changed::default(), Changed::default());
    let mut after_number = false;
    for (x, y) in pairs {
        if x.text != y.text {
            let unit = after_number && x.text.len() <= 4;
            left.note(unit || is_sensitive(&x));
            right.note(unit || is_sensitive(&y));
        }
        after_number = x.kind == Kind::Number;
    }
    if left.sensitive == 0 && right.sensitive == 0 {
        return true;
    }
    // One side must be a recased copy of the other, which is then the one whose case says something.
    let recased = |copy: &str, original: Changed| {
        is_uniform(copy) && (original.sensitive == 0 || original.ordinary >= RECASED_WORDS)
    };
    recased(b, left) || recased(a, right)
}

#[derive(Clone, Copy, Default)]
struct Changed {
    sensitive: usize,
    ordinary: usize,
}

impl Changed {
    fn note(&mut self, sensitive: bool) {
        if sensitive {
            self.sensitive += 1;
        } else {
            self.ordinary += 1;
        }
    }
}

/// Whether the case of this token, as written here, may mean something.
fn is_sensitive(token: &Token<'_>) -> bool {
    let mut chars = token.text.chars();
    let first = chars.next();
    if chars.as_str().is_empty() {
        return !matches!(first, Some('a' | 'A' | 'i' | 'I'));
    }
    token.kind != Kind::Word || is_code(token.text) || chars.any(char::is_uppercase)
}

/// Whether a word is of mixed characters: digits, `_`, a point inside.
pub(crate) fn is_code(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit() || b == b'_' || b == b'.')
}

fn is_uniform(text: &str) -> bool {
    !text.chars().any(char::is_uppercase) || !text.chars().any(char::is_lowercase)
}
