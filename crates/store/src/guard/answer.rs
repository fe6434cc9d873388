//! What an effect reports, and what a guard answers: what happened, not only the result.

use samecall_keyer::Refusal;

use crate::answer::{Differs, Lost};
use crate::error::Error;
use crate::key::{Bytes, Fence};
use crate::record::Recorded;
use crate::time::Timestamp;

/// What became of an effect, as the effect itself tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// It happened. The result is recorded and replayed.
    Landed(Bytes),
    /// The tool answered, and nothing was changed: an empty search, a refusal that a later call may not meet. Never
    /// recorded; the key is free.
    NoEffect(Bytes),
    /// It failed, surely before the effect: nothing was sent.
    FailedBefore(Bytes),
    /// It failed after something was sent: a timeout, a lost connection, an error of the provider.
    FailedAfter(Bytes),
}

impl Report {
    /// The result's or the error's bytes.
    pub fn bytes(&self) -> &Bytes {
        let (Report::Landed(bytes)
        | Report::NoEffect(bytes)
        | Report::FailedBefore(bytes)
        | Report::FailedAfter(bytes)) = self;
        bytes
    }

    /// Whether the bytes are an error.
    pub fn is_error(&self) -> bool {
        matches!(self, Report::FailedBefore(_) | Report::FailedAfter(_))
    }
}

/// What a guard answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The effect was run, now.
    Ran {
        /// What it reported.
        report: Report,
        /// Whether it was a second dispatch, of the spelling recorded first.
        again: bool,
        /// What became of the record.
        kept: Kept,
    },
    /// No effect was run: it happened before, and this is what was recorded then.
    Replayed {
        /// The recorded result, or error.
        result: Recorded,
        /// When it was recorded; now, where it was just found out.
        recorded_at: Timestamp,
    },
    /// No effect was run: another caller is at it.
    InFlight {
        /// When its lease lapses.
        until: Timestamp,
    },
    /// No effect was run: the key or the place is taken by a call that says something else.
    Conflict {
        /// What differs.
        differs: Differs,
    },
    /// No effect was run: it was made before at another step of this run.
    Suspect {
        /// When the first one was claimed.
        first_at: Timestamp,
    },
    /// No effect was run: nobody knows whether it happened before.
    Unknown {
        /// Since when.
        since: Timestamp,
        /// The claim in question, to name in a finding.
        fence: Fence,
    },
    /// No effect was run: the call has no safe key.
    Refused(Refusal),
}

impl Answer {
    /// Whether the effect was run by this call.
    pub fn ran(&self) -> bool {
        matches!(self, Answer::Ran { .. })
    }

    /// The bytes to hand to the model, where there are any.
    pub fn bytes(&self) -> Option<&Bytes> {
        match self {
            Answer::Ran { report, .. } => Some(report.bytes()),
            Answer::Replayed { result, .. } => Some(&result.bytes),
            _ => None,
        }
    }
}

/// What became of the record after an effect was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// The result, or the error, is recorded.
    Recorded,
    /// The key is free.
    Freed,
    /// The call is unknown from now on.
    Unknown,
    /// The claim was lost meanwhile, and nothing was recorded: others have acted on the key.
    Lost(Lost),
    /// The store failed. The call becomes unknown when its lease lapses; the report holds its result.
    Failed(Error),
}
