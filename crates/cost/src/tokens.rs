//! How many tokens a text has, by a named tokenizer that is loaded once.
//!
//! Anthropic does not publish Claude's tokenizer, so counts by `o200k_base` stand in for it, as they
//! do in the article.

use crate::units::Tokens;
use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

/// Counts the tokens of a text.
pub trait TokenCounter {
    /// The tokenizer's name, for reports.
    fn name(&self) -> &str;
    /// The number of tokens of the text, special tokens read as plain text.
    fn count(&self, text: &str) -> Tokens;
}

/// A byte-pair encoding published by OpenAI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// `o200k_base`, 200,000 ranks.
    O200k,
    /// `cl100k_base`, 100,000 ranks.
    Cl100k,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 2] = [Encoding::O200k, Encoding::Cl100k];

    /// The encoding of a name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name)
    }

    fn ranks(self) -> &'static CoreBPE {
        // Each is built at first use (0.2 s, some 50 MB) and kept for the process.
        match self {
            Encoding::O200k => o200k_base_singleton(),
            Encoding::Cl100k => cl100k_base_singleton(),
        }
    }
}

impl TokenCounter for Encoding {
    fn name(&self) -> &'static str {
        match self {
            Encoding::O200k => "o200k_base",
            Encoding::Cl100k => "cl100k_base",
        }
    }

    fn count(&self, text: &str) -> Tokens {
        Tokens(self.ranks().encode_ordinary(text).len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_found_by_name_and_differ() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::by_name(encoding.name()), Some(encoding));
            assert_eq!(encoding.count(""), Tokens(0));
            assert_eq!(encoding.count("hello world"), Tokens(2));
        }
        assert_eq!(Encoding::by_name("claude"), None);
        let text = "Идемпотентность";
        assert!(Encoding::O200k.count(text) < Encoding::Cl100k.count(text));
    }
}
