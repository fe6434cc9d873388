//! What can go wrong: options out of range, a lexicon or an input line that cannot be read.

/// Errors of this crate. Texts of the input are never part of a message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option has a value that means nothing.
    #[error("option `{name}`: {reason}")]
    Option {
        /// Name of the option, as in the struct.
        name: &'static str,
        /// What is wrong and what to give.
        reason: String,
    },
    /// A line of a lexicon file cannot be read.
    #[error("lexicon line {line}: {reason}")]
    Lexicon {
        /// Line number from 1.
        line: usize,
        /// What is wrong and what to write.
        reason: String,
    },
    /// A line of the input cannot be read.
    #[error("{file}:{line}: {reason}")]
    Input {
        /// Name of the input as the caller gave it.
        file: String,
        /// Line number from 1.
        line: usize,
        /// Which field is wrong, why, and what to do.
        reason: String,
    },
    /// Reading or writing failed.
    #[error("{what}: {source}")]
    Io {
        /// What was being read or written.
        what: String,
        /// The system's error.
        source: std::io::Error,
    },
}

/// Results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
