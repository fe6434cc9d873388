//! What a store answers, and what it is told of an unknown call.

use std::fmt;
use std::time::Duration;

use crate::key::{Bytes, Digest, Fence};
use crate::record::Recorded;
use crate::time::Timestamp;

/// The answer to a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acquisition {
    /// The key is this caller's: it alone may start the effect.
    Acquired {
        /// What the claim is completed or released with.
        fence: Fence,
    },
    /// The effect happened before: this is its result.
    Replay {
        /// What was recorded.
        result: Recorded,
        /// When.
        recorded_at: Timestamp,
    },
    /// Another caller is at it.
    InFlight {
        /// When its lease lapses.
        until: Timestamp,
    },
    /// The key is taken by a call that says something else.
    Conflict {
        /// What differs.
        differs: Differs,
    },
    /// Nobody knows whether the effect happened.
    Unknown {
        /// Since when.
        since: Timestamp,
        /// The claim in question; a finding must name it.
        fence: Fence,
        /// The call as first written.
        spelling: Bytes,
    },
}

/// What of a claim differs from the record of its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Differs {
    /// What the call says.
    Fingerprint,
    /// Only the content that is no identity.
    Payload,
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Differs::Fingerprint => "fingerprint",
            Differs::Payload => "payload",
        })
    }
}

/// The answer to whoever acts under a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fenced {
    /// Done, now or by an earlier sending of the same request.
    Done,
    /// Not done: the claim is no longer this caller's, and why.
    Lost(Lost),
}

/// Why a claim is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// The key has no record: released, or expired.
    Absent,
    /// Another claim has the key.
    OtherFence,
    /// A result is recorded already.
    Completed,
    /// The lease has lapsed or was given up, and others may be acting on it. The claim can still be completed or
    /// released by who knows what became of the effect, but not extended.
    Lapsed,
}

/// What is found out about an unknown call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The effect happened.
    Landed {
        /// Its result, to be replayed from now on.
        result: Recorded,
        /// How long the record lives.
        ttl: Duration,
    },
    /// The effect did not happen, and will not: the key is free.
    NotLanded,
    /// It does not matter, since the effect is idempotent downstream: claim again, under the first spelling.
    RunAgain {
        /// Who claims.
        owner: Box<str>,
        /// For how long.
        lease: Duration,
    },
}

/// The answer to a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// The record is completed, or gone.
    Settled {
        /// When it was settled; of a result, when it was recorded.
        at: Timestamp,
    },
    /// The key is claimed again.
    Acquired {
        /// The new claim's fence.
        fence: Fence,
    },
    /// The claim in question is not there any more, or not unknown: nothing was changed.
    Stale,
}

/// The answer to a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marked {
    /// Nobody had marked the key; the value is noted.
    First,
    /// Somebody had.
    Seen {
        /// The first one's value.
        value: Digest,
        /// When it was noted.
        at: Timestamp,
    },
}
