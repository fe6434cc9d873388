//! What can go wrong in reading results and writing reports.

use std::io;
use std::path::PathBuf;

/// A report that cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is no result of a replay.
    #[error("{}: no result of `samecall replay --json`: {reason}", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: String,
    },
    /// A file is no result of a cost run.
    #[error("{}: no result of `samecall cost --json`: {reason}", path.display())]
    Cost {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: String,
    },
    /// The document has no place for the results.
    #[error("{document}: needs one line `{begin}` and after it one line `{end}`")]
    Markers {
        /// The document.
        document: String,
        /// The first marker.
        begin: &'static str,
        /// The last marker.
        end: &'static str,
    },
    /// A plot cannot be drawn.
    #[error("plot {name}: {reason}")]
    Plot {
        /// The plot.
        name: String,
        /// What failed.
        reason: String,
    },
    /// The data shipped with this crate cannot be read.
    #[error("the article's published table: {0}")]
    Published(#[from] toml::de::Error),
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Error::Io { path, source }
    }
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
