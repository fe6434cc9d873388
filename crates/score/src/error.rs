//! What can stop a replay.

/// A replay that cannot go on; never shows a value of an argument.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input cannot be read.
    #[error(transparent)]
    Input(#[from] samecall_call::Error),
    /// A generator failed.
    #[error("{name}: {reason}")]
    Source {
        /// The source's name.
        name: String,
        /// What it said.
        reason: String,
    },
    /// A pair that reads well and cannot be scored.
    #[error("pair `{id}`: {reason}")]
    BadPair {
        /// The pair's id.
        id: String,
        /// What is wrong with which field.
        reason: String,
    },
    /// A source without a pair.
    #[error("{name}: holds no pair; a replay needs at least one from each input")]
    Empty {
        /// The source's name.
        name: String,
    },
    /// No source was given.
    #[error("no pairs to replay: name a file of pairs or generate some")]
    NoSource,
    /// A name that is no strategy.
    #[error("unknown strategy `{name}`; known are {known}")]
    UnknownStrategy {
        /// The name.
        name: String,
        /// The names there are, with commas between.
        known: String,
    },
    /// A strategy without rules that could be examined.
    #[error("strategy `{name}` has no list of rules; those that have are {known}")]
    NoRules {
        /// The name.
        name: String,
        /// The names of those that have rules, with commas between.
        known: String,
    },
    /// A name that is no rule.
    #[error("unknown rule `{name}`; known are {known}")]
    UnknownRule {
        /// The name.
        name: String,
        /// The names there are, with commas between.
        known: String,
    },
    /// More strategies, or more different labels of one kind, than the counters hold.
    #[error("more than {limit} {what}; {advice}")]
    TooMany {
        /// What there are too many of.
        what: String,
        /// How many are allowed.
        limit: usize,
        /// What to do.
        advice: &'static str,
    },
    /// The threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A canary does not score what it must, so the scorer itself is at fault.
    #[error(
        "canary `{strategy}` on set `{set}`: {problem}; the scores of this run cannot be trusted"
    )]
    Canary {
        /// The set.
        set: String,
        /// The canary.
        strategy: String,
        /// What it shows and should show.
        problem: String,
    },
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
