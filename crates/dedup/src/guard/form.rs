//! The normal form of `safe` mode, as text, as a hash and as a comparison that stores nothing.
//!
//! The form is the token stream in folded case, joined by spaces, a sign glued to its number. Texts without any token
//! (empty, or nothing but sentence punctuation) are their own form with white space folded.

use std::hash::{BuildHasherDefault, Hasher};
use std::iter::Peekable;

use super::fold::{fold, push_lower, same_but_case};
use super::lexicon::Lexicon;
use super::tokens::{Kind, Token, Tokens};

/// Multiplier of the 64-bit FNV-1a hash and its offset basis (Fowler, Noll, Vo).
const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;
const FNV_BASIS: u64 = 0xCBF2_9CE4_8422_2325;

/// The normal form of a text.
pub fn normal_form(text: &str) -> String {
    let folded = fold(text);
    let mut out = String::with_capacity(folded.len());
    let mut glued = true;
    for token in Tokens::new(&folded) {
        if !glued {
            out.push(' ');
        }
        push_lower(token.text, &mut out);
        glued = token.kind == Kind::Sign;
    }
    if out.is_empty() { words_of(text) } else { out }
}

/// In what two token streams differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Difference {
    /// In nothing.
    Nothing,
    /// In letter case alone.
    Case,
    /// In tokens.
    Tokens,
}

/// In what two folded texts differ, without storing their tokens; `None` when neither has a token.
pub(crate) fn form_difference(a: &str, b: &str) -> Option<Difference> {
    let (mut left, mut right) = (Tokens::new(a), Tokens::new(b));
    let mut seen = None;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return seen,
            (Some(x), Some(y))
                if x.text == y.text && (x.kind == Kind::Sign) == (y.kind == Kind::Sign) =>
            {
                seen = seen.or(Some(Difference::Nothing));
            }
            (Some(x), Some(y)) if same_token(&x, &y) => seen = Some(Difference::Case),
            _ => return Some(Difference::Tokens),
        }
    }
}

/// In what two texts without tokens differ.
pub(crate) fn blank_difference(a: &str, b: &str) -> Difference {
    if a.split_whitespace().eq(b.split_whitespace()) {
        Difference::Nothing
    } else {
        Difference::Tokens
    }
}

/// Whether two texts have the same normal form, without building either.
pub fn same_form(a: &str, b: &str) -> bool {
    a == b
        || form_difference(&fold(a), &fold(b)).unwrap_or_else(|| blank_difference(a, b))
            != Difference::Tokens
}

/// Whether two tokens are equal but for letter case.
pub(crate) fn same_token(a: &Token<'_>, b: &Token<'_>) -> bool {
    (a.kind == Kind::Sign) == (b.kind == Kind::Sign)
        && (a.text == b.text || same_but_case(a.text, b.text))
}

/// White space folded, for texts that have no token.
fn words_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tokens with a flag: whether the token is noise where it stands.
pub(crate) fn judged<'a, 'l>(folded: &'a str, lexicon: &'l Lexicon) -> NoiseFlags<'a, 'l> {
    NoiseFlags { tokens: Tokens::new(folded).peekable(), lexicon, first: true }
}

/// Iterator of [`judged`].
pub(crate) struct NoiseFlags<'a, 'l> {
    tokens: Peekable<Tokens<'a>>,
    lexicon: &'l Lexicon,
    first: bool,
}

impl<'a> Iterator for NoiseFlags<'a, '_> {
    type Item = (Token<'a>, bool);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let token = self.tokens.next()?;
        let first = std::mem::take(&mut self.first);
        // `vitamin A` and `a few` say something; so may any word before a number, a mark or the end.
        let noise = token.kind == Kind::Word
            && self.lexicon.is_noise(token.text)
            && (first || token.text != "A")
            && self.tokens.peek().is_some_and(|next| {
                next.kind == Kind::Word && !self.lexicon.counts_with_article(next.text)
            });
        Some((token, noise))
    }
}

/// Hash of one token in folded case.
#[inline]
pub(crate) fn token_hash(token: &Token<'_>) -> u64 {
    let mut hash = if token.kind == Kind::Sign { !FNV_BASIS } else { FNV_BASIS };
    if token.text.is_ascii() {
        for byte in token.text.bytes() {
            hash = (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(FNV_PRIME);
        }
    } else {
        let mut lower = String::with_capacity(token.text.len());
        push_lower(token.text, &mut lower);
        for byte in lower.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        }
    }
    hash
}

/// Hash of a sequence of token hashes: depends on their order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoldedHash(u64);

impl FoldedHash {
    pub(crate) fn new() -> Self {
        Self(FNV_BASIS)
    }

    #[inline]
    pub(crate) fn push(&mut self, hash: u64) {
        self.0 = (self.0.rotate_left(5) ^ hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    pub(crate) fn finish(self) -> u64 {
        mix(self.0)
    }
}

/// Spreads a hash over all 64 bits: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
#[inline]
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Hash of a text that has no token.
pub(crate) fn blank_hash(text: &str) -> u64 {
    let mut all = FoldedHash::new();
    for text in text.split_whitespace() {
        all.push(token_hash(&Token { kind: Kind::Mark, text }));
    }
    !all.finish()
}

/// Hash maps whose keys are hashes already.
pub(crate) type AsIs = BuildHasherDefault<KeyAsHash>;

/// Hasher of [`AsIs`].
#[derive(Clone, Copy, Default)]
pub(crate) struct KeyAsHash(u64);

impl Hasher for KeyAsHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
