//! CPython 3.11's text and number semantics (Unicode 14), to the byte: what the article's strategies rest on.
//!
//! Text is WTF-8: UTF-8 that may also hold surrogate code points, since Python's strings may and JSON can spell them.
//! Its byte order is code point order, which is the order in which Python sorts strings.

mod digits;
mod float;
mod fold;
mod nfc;
mod space;
mod tables;
mod write;
pub mod wtf8;

pub use digits::{
    DecimalText, INTEGER_DIGITS_LIMIT, decimal_text, digit_value, integer_from_digits, integer_text,
};
pub use float::{Shortest, integral_digits, repr, shortest};
pub use fold::casefold;
pub use nfc::nfc;
pub use space::{collapse, is_space, strip};
pub use write::write_text;
