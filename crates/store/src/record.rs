//! What a store keeps: one record a key, in one of three states, and marks beside them.

use std::time::Duration;

use crate::key::{Bytes, Digest, Fence, StoreKey};
use crate::time::Timestamp;

/// What a caller asks for before an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The key of the call.
    pub key: StoreKey,
    /// What the call says; another one under the same key is a conflict.
    pub fingerprint: Digest,
    /// A second hash, over content that is no identity; another one (or one on one side only) is a conflict.
    pub payload: Option<Digest>,
    /// The call as first written, in bytes that only the caller reads. Recorded with the claim, and what every later
    /// dispatch sends.
    pub spelling: Bytes,
    /// Who claims: shown to operators, never compared.
    pub owner: Box<str>,
    /// How long the claimer may take until its claim counts as unknown. Zero lapses at once.
    pub lease: Duration,
}

/// The record of one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// From the first claim.
    pub fingerprint: Digest,
    /// From the first claim.
    pub payload: Option<Digest>,
    /// From the first claim.
    pub spelling: Bytes,
    /// Of the latest claim.
    pub owner: Box<str>,
    /// Of the latest claim.
    pub fence: Fence,
    /// When the latest claim was made.
    pub claimed_at: Timestamp,
    /// Where the call stands.
    pub state: State,
}

/// Where a recorded call stands. A key without a record, or with an expired one, is absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The effect may be under way.
    Claimed {
        /// When the lease lapses; from then on the state reads as unknown.
        until: Timestamp,
    },
    /// The effect happened and its result is kept.
    Completed {
        /// What is replayed.
        result: Recorded,
        /// When it was recorded.
        at: Timestamp,
        /// When the record counts as absent, swept or not.
        expires: Timestamp,
    },
    /// Nobody knows whether the effect happened. Never expires: only a finding ends it.
    Unknown {
        /// Since when.
        since: Timestamp,
    },
}

/// A recorded result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The result's bytes, exactly as they were recorded.
    pub bytes: Bytes,
    /// Whether this is the tool's error, so that a replay cannot pass for a fresh failure or a success.
    pub error: bool,
}

impl Recorded {
    /// A success.
    pub fn success(bytes: impl Into<Bytes>) -> Self {
        Recorded { bytes: bytes.into(), error: false }
    }

    /// An error of the tool.
    pub fn error(bytes: impl Into<Bytes>) -> Self {
        Recorded { bytes: bytes.into(), error: true }
    }
}

impl Record {
    /// When the record ends, where it does.
    pub fn expires(&self) -> Option<Timestamp> {
        match self.state {
            State::Completed { expires, .. } => Some(expires),
            State::Claimed { .. } | State::Unknown { .. } => None,
        }
    }

    /// Whether the record counts as absent.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires().is_some_and(|at| at.has_come(now))
    }

    /// Since when nobody knows: where the claim was given up, or its lease has lapsed.
    pub fn unknown_since(&self, now: Timestamp) -> Option<Timestamp> {
        match self.state {
            State::Unknown { since } => Some(since),
            State::Claimed { until } if until.has_come(now) => Some(until),
            State::Claimed { .. } | State::Completed { .. } => None,
        }
    }
}

/// A value noted under a key by whoever came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkRecord {
    /// The value.
    pub value: Digest,
    /// When it was noted.
    pub at: Timestamp,
    /// When it counts as absent.
    pub expires: Timestamp,
}
