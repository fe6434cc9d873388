//! Why a text is no JSON, and where. Never holds any of the text itself: that is customers' data.

use std::fmt;

/// The reason a text was refused, without its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Nothing but white space.
    Empty,
    /// The text ends inside a value, as a cut stream does.
    Cut,
    /// A byte that cannot stand here.
    Unexpected,
    /// A complete value, then more text.
    TrailingText,
    /// The text starts with U+FEFF.
    ByteOrderMark,
    /// A backslash and something that is no escape.
    BadEscape,
    /// A raw control character (below U+0020) in a string.
    ControlCharacter,
    /// A number with a leading zero, a bare sign, or no digit where one is due.
    BadNumber,
    /// `NaN`, `Infinity` or `-Infinity`, which JSON does not have.
    NonFinite,
    /// Nested deeper than the dialect reads.
    TooDeep {
        /// The limit, in levels.
        limit: usize,
    },
    /// Bytes that are no UTF-8.
    InvalidUtf8,
}

/// A text that is no JSON of the dialect asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where, in bytes from the start of the text.
    pub offset: usize,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, offset: usize) -> Self {
        Error { kind, offset }
    }

    /// Whether the text may be the beginning of a longer, valid one.
    pub fn is_cut(&self) -> bool {
        matches!(self.kind, ErrorKind::Cut | ErrorKind::Empty)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ErrorKind::Empty => f.write_str("empty text"),
            ErrorKind::Cut => write!(f, "the text is cut at byte {}", self.offset),
            ErrorKind::Unexpected => write!(f, "unexpected character at byte {}", self.offset),
            ErrorKind::TrailingText => write!(f, "text after the value at byte {}", self.offset),
            ErrorKind::ByteOrderMark => f.write_str("starts with a byte-order mark"),
            ErrorKind::BadEscape => write!(f, "bad escape at byte {}", self.offset),
            ErrorKind::ControlCharacter => {
                write!(f, "raw control character in a string at byte {}", self.offset)
            }
            ErrorKind::BadNumber => write!(f, "malformed number at byte {}", self.offset),
            ErrorKind::NonFinite => write!(f, "NaN or Infinity at byte {}", self.offset),
            ErrorKind::TooDeep { limit } => write!(f, "nested deeper than {limit} levels"),
            ErrorKind::InvalidUtf8 => write!(f, "no UTF-8 at byte {}", self.offset),
        }
    }
}

impl std::error::Error for Error {}
