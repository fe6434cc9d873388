//! One JSON reader for the whole project, with two dialects.
//!
//! It answers what a general-purpose parser throws away and an identity needs: the exact text of
//! every number, duplicate names in the order they were written, and lone surrogates kept apart
//! from each other and from U+FFFD. What it returns borrows from the text wherever no escape
//! forces a copy. Nesting is bounded by [`Dialect::max_depth`], so no input can exhaust the stack.

mod error;
mod parse;
mod text;
mod value;
mod write;

pub use error::{Error, ErrorKind};
pub use parse::{parse, parse_bytes};
pub use text::{CodePoints, Text};
pub use value::{Duplicate, Member, NonFinite, Value};
pub use write::write_text;

/// Which texts the reader accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// RFC 8259 and nothing more.
    Strict,
    /// What CPython's `json.loads` accepts: RFC 8259 plus the literals `NaN`, `Infinity` and
    /// `-Infinity`.
    Python,
}

impl Dialect {
    /// The deepest nesting of arrays and objects that is read, in levels.
    ///
    /// CPython raises `RecursionError` near 1,000 frames, some of which its caller has used
    /// already; 960 is the depth that it reads from any ordinary caller.
    pub const fn max_depth(self) -> usize {
        match self {
            Dialect::Strict => 512,
            Dialect::Python => 960,
        }
    }
}

#[cfg(test)]
mod tests;
