//! The text of a JSON string: Unicode that may hold lone surrogates.
//!
//! JSON can spell half a surrogate pair (`"\ud800"`), which Rust's `str` cannot hold. Such texts are
//! kept as WTF-8 (a lone surrogate as its three-byte form), whose byte order is code-point order,
//! so that two different texts are never equal and sorting agrees with Python's.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A decoded JSON string or member name.
#[derive(Debug, Clone)]
pub enum Text<'a> {
    /// Ordinary Unicode text; borrowed when the source had no escape.
    Str(Cow<'a, str>),
    /// Text with at least one lone surrogate, as WTF-8.
    Wtf8(Box<[u8]>),
}

impl<'a> Text<'a> {
    /// The text as a `str`, unless it holds a lone surrogate.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Text::Str(s) => Some(s),
            Text::Wtf8(_) => None,
        }
    }

    /// The text as WTF-8 bytes, which are UTF-8 unless a lone surrogate is in it.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Text::Str(s) => s.as_bytes(),
            Text::Wtf8(b) => b,
        }
    }

    /// The code points in order, lone surrogates included (0xD800 to 0xDFFF).
    pub fn code_points(&self) -> CodePoints<'_> {
        CodePoints { bytes: self.as_bytes() }
    }

    /// The text from code points; surrogates that form a pair are joined.
    pub fn from_code_points(points: impl IntoIterator<Item = u32>) -> Text<'static> {
        let mut out = Wtf8Builder::default();
        for point in points {
            out.push(point);
        }
        out.finish()
    }

    /// The same text, owning its bytes.
    pub fn into_owned(self) -> Text<'static> {
        match self {
            Text::Str(s) => Text::Str(Cow::Owned(s.into_owned())),
            Text::Wtf8(b) => Text::Wtf8(b),
        }
    }

    /// A cheap view that borrows from this text.
    pub fn borrowed(&self) -> Text<'_> {
        match self {
            Text::Str(s) => Text::Str(Cow::Borrowed(s)),
            Text::Wtf8(b) => Text::Wtf8(b.clone()),
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(s: &'a str) -> Self {
        Text::Str(Cow::Borrowed(s))
    }
}

impl From<String> for Text<'_> {
    fn from(s: String) -> Self {
        Text::Str(Cow::Owned(s))
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Text<'_> {}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialOrd for Text<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

/// Iterator over the code points of a [`Text`].
#[derive(Debug, Clone)]
pub struct CodePoints<'a> {
    bytes: &'a [u8],
}

impl Iterator for CodePoints<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (&first, _) = self.bytes.split_first()?;
        let (len, head) = match first {
            0..=0x7F => (1, u32::from(first)),
            0x80..=0xDF => (2, u32::from(first & 0x1F)),
            0xE0..=0xEF => (3, u32::from(first & 0x0F)),
            _ => (4, u32::from(first & 0x07)),
        };
        let point =
            self.bytes[1..len].iter().fold(head, |point, &b| point << 6 | u32::from(b & 0x3F));
        self.bytes = &self.bytes[len..];
        Some(point)
    }
}

/// Collects decoded code points; stays UTF-8 until a lone surrogate comes.
#[derive(Default)]
pub(super) struct Wtf8Builder {
    text: String,
    /// Once a lone surrogate was seen, everything lives here instead.
    wtf8: Option<Vec<u8>>,
    /// A high surrogate that waits for its partner.
    high: Option<u32>,
}

impl Wtf8Builder {
    pub(super) fn with_prefix(prefix: &str) -> Self {
        let mut text = String::with_capacity(prefix.len() + 16);
        text.push_str(prefix);
        Wtf8Builder { text, ..Self::default() }
    }

    pub(super) fn push(&mut self, point: u32) {
        match (self.high.take(), point) {
            (Some(high), 0xDC00..=0xDFFF) => {
                self.push_scalar(0x10000 + ((high - 0xD800) << 10) + (point - 0xDC00));
                return;
            }
            (Some(high), _) => self.push_surrogate(high),
            (None, _) => {}
        }
        match point {
            0xD800..=0xDBFF => self.high = Some(point),
            0xDC00..=0xDFFF => self.push_surrogate(point),
            _ => self.push_scalar(point),
        }
    }

    pub(super) fn push_str(&mut self, s: &str) {
        if s.is_empty() {
            return;
        }
        if let Some(high) = self.high.take() {
            self.push_surrogate(high);
        }
        match &mut self.wtf8 {
            Some(bytes) => bytes.extend_from_slice(s.as_bytes()),
            None => self.text.push_str(s),
        }
    }

    fn push_scalar(&mut self, point: u32) {
        // Surrogates never come here, and the callers' points are at most 0x10FFFF.
        let c = char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
        let mut buffer = [0; 4];
        self.push_str(c.encode_utf8(&mut buffer));
    }

    fn push_surrogate(&mut self, point: u32) {
        let bytes = self.wtf8.get_or_insert_with(|| std::mem::take(&mut self.text).into_bytes());
        bytes.extend_from_slice(&[
            0xE0 | (point >> 12) as u8,
            0x80 | (point >> 6 & 0x3F) as u8,
            0x80 | (point & 0x3F) as u8,
        ]);
    }

    pub(super) fn finish(mut self) -> Text<'static> {
        if let Some(high) = self.high.take() {
            self.push_surrogate(high);
        }
        match self.wtf8 {
            Some(bytes) => Text::Wtf8(bytes.into_boxed_slice()),
            None => Text::Str(Cow::Owned(self.text)),
        }
    }
}
