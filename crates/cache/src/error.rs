//! What can go wrong in reading policies and traces. No variant holds argument values or results.

use std::io;

/// An input of the cache that cannot be used: where, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A policy file cannot be read.
    #[error("{file}: {source}")]
    Io {
        /// The file's name.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// A policy file states something that is no policy.
    #[error("{file}:{line}: `{field}` {reason}")]
    Policy {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The field, as a dotted path.
        field: String,
        /// What is wrong with it and what is expected.
        reason: String,
    },
    /// A policy file is no TOML.
    #[error("{file}:{line}: no TOML: {reason}")]
    Syntax {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What the reader said.
        reason: String,
    },
    /// A trace or catalog cannot be read.
    #[error(transparent)]
    Input(#[from] samecall_call::Error),
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
