//! What can go wrong in a store. No variant holds argument values or results.

use std::path::PathBuf;

/// An operation of a store that was not carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store file cannot be opened, read or written.
    #[error("store file {}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The file or its folder may not be written.
    #[error("store file {}: may not be written ({reason}); give the process write access to the file and its folder, or name another path", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// There is no room left. What was recorded before is intact.
    #[error("store file {}: no space left on the device; make room and open the store again", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Another process has the file open.
    #[error("store file {}: in use by another process; a store file has one process at a time", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file is of another version of the store.
    #[error("store file {}: format {found}, but this build reads format {expected}; use the build that wrote it, or start a new file once all its records have expired", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// What the file says.
        found: String,
        /// What this build reads.
        expected: u32,
    },
    /// The file is no store file, or is damaged beyond what opening repairs.
    #[error("store file {}: not a store file, or damaged ({reason}); it was left as it is", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A record is damaged. It is never replayed, and its key stays taken until somebody forgets it.
    #[error(
        "the record of key {key} is damaged ({reason}); find out whether its effect happened, then forget the key"
    )]
    Corrupt {
        /// The key.
        key: String,
        /// What is wrong.
        reason: String,
    },
    /// A spelling or a result is larger than the store takes.
    #[error("{what} of {bytes} bytes is larger than the limit of {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its size.
        bytes: usize,
        /// The most that is taken.
        limit: usize,
    },
    /// The store was closed, or its writer has died.
    #[error("the store is closed: {reason}")]
    Closed {
        /// Why.
        reason: String,
    },
    /// The remote table does not exist.
    #[error(
        "table {table} does not exist in this region and account; create it with a string partition key \"pk\", or name another"
    )]
    MissingTable {
        /// The table's name.
        table: String,
    },
    /// The remote store does not accept who we are.
    #[error("access denied ({reason}); check the credentials and their rights to the table")]
    Denied {
        /// What the service said.
        reason: String,
    },
    /// The remote store is asked too much.
    #[error("throttled ({reason}); wait and try again, or raise the table's capacity")]
    Throttled {
        /// What the service said.
        reason: String,
    },
    /// The remote store did not answer, or not in a way that can be understood.
    #[error("the remote store failed: {reason}")]
    Remote {
        /// What happened.
        reason: String,
    },
    /// A recorded spelling cannot be read back into a call.
    #[error("the recorded spelling is no call: {reason}")]
    Spelling {
        /// What is wrong.
        reason: String,
    },
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
