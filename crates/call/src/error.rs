//! What can go wrong while reading calls, pairs and catalogs.

use std::io;

/// An input that cannot be read; says which file, where, and why, and never shows a value.
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
    /// A line of a JSON-lines file is no record.
    #[error("{file}:{line}: {reason}")]
    Line {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong, with the field's name.
        reason: String,
    },
    /// A catalog or overlay is not as it should be.
    #[error("{file}: {at}{reason}")]
    Catalog {
        /// The file's name.
        file: String,
        /// The tool and field, followed by `: `; or empty.
        at: String,
        /// What is wrong.
        reason: String,
    },
}

impl Error {
    /// An error of one line.
    pub fn line(file: &str, line: u64, reason: impl Into<String>) -> Self {
        Error::Line { file: file.to_owned(), line, reason: reason.into() }
    }
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
