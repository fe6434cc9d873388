//! What can go wrong before the first pair is made.

use std::io;

/// A profile or catalog that no pairs can be made from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The profile cannot be read.
    #[error("{file}: {source}")]
    Io {
        /// The file's name.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The profile is not as it should be.
    #[error("{file}: {reason}")]
    Profile {
        /// The file's name, or the profile's.
        file: String,
        /// The field and what is wrong with it.
        reason: String,
    },
    /// No built-in profile has this name.
    #[error(
        "no profile is called `{0}`; there are article, uniform, observed and hostile, or give a TOML file"
    )]
    UnknownProfile(String),
    /// The catalog has no tool whose arguments are an object.
    #[error(
        "the catalog has no tool to draw calls of; give one whose parameters are an object schema"
    )]
    NoTools,
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
