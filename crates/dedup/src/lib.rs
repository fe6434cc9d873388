//! Deduplication of text chunks, lexical and semantic: which texts say the same, and which only look alike.

pub mod command;
pub mod comparison;
mod error;
pub mod guard;
pub mod laws;
pub mod lexical;
pub mod planted;
pub mod records;
pub mod semantic;

pub use error::{Error, Result};
pub use lexical::{Deduped, dedupe, dedupe_with};
