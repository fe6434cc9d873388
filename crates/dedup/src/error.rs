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
    /// A row of an embedding file, or the file as a whole, cannot be read.
    #[error("{file}{}: {reason}", .row.map_or_else(String::new, |row| format!(", row {row}")))]
    Row {
        /// Name of the file as the caller gave it.
        file: String,
        /// Row number from 0, where one row is at fault.
        row: Option<usize>,
        /// What is wrong and what to do.
        reason: String,
    },
    /// Vectors of another model than those before.
    #[error(
        "{reason}; vectors of two models cannot be compared: embed all chunks with one model, or begin a new state"
    )]
    Model {
        /// What differs.
        reason: String,
    },
    /// More pairs above the threshold than memory is set aside for.
    #[error(
        "more than {most} pairs reach the threshold; raise it, or remove literal repeats first with `dedup lexical`"
    )]
    TooManyPairs {
        /// The bound.
        most: usize,
    },
    /// A state folder cannot be used as it is.
    #[error("state {folder}: {reason}")]
    State {
        /// The folder as the caller gave it.
        folder: String,
        /// What is wrong and what to do.
        reason: String,
    },
    /// No chunk has this id.
    #[error("no such id: {id}")]
    UnknownId {
        /// The id as the caller gave it.
        id: String,
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
