//! What can go wrong while reading prices, sweeps, losses and verdict counts.

use std::io;

/// An input that cannot be used; says which file, where, and why.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened or read.
    #[error("{file}: {source}")]
    Io {
        /// The file's name.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// A field of a TOML file is missing or not as it should be.
    #[error("{file}:{line}: `{field}` {reason}")]
    Field {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The dotted path of the field.
        field: String,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// The file is no TOML or no JSON.
    #[error("{file}:{line}: {reason}")]
    Syntax {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What the parser said.
        reason: String,
    },
    /// A figure is beyond what is calculated exactly.
    #[error("{0} is too large to be calculated exactly; use smaller counts, sizes or prices")]
    TooLarge(&'static str),
    /// Figures that are needed are in none of the files given.
    #[error("{0}")]
    Missing(String),
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
