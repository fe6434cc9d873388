//! The protocol as pure functions: from a key's record and the present to an answer and what to write.
//!
//! Stores that can read and write under one lock apply these functions as they stand; a store that must say the same in a
//! remote condition uses them to read the record that met the condition. `docs/STORE.md` has the state diagram.

use std::time::Duration;

use crate::answer::{Acquisition, Differs, Fenced, Finding, Lost, Marked, Resolution};
use crate::key::{Digest, Fence};
use crate::record::{Claim, MarkRecord, Record, Recorded, State};
use crate::time::Timestamp;

/// What to do with the record of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write<T> {
    /// Leave it as it is.
    Keep,
    /// Put this in its place.
    Put(T),
    /// Delete it.
    Delete,
}

/// An answer, and what is written before it is given.
pub type Step<A, T = Record> = (A, Write<T>);

/// The record, unless its time is over. Every function here sees records through this.
fn live(record: Option<&Record>, now: Timestamp) -> Option<&Record> {
    record.filter(|r| !r.has_expired(now))
}

/// What of a claim differs from a record.
fn differs(record: &Record, claim: &Claim) -> Option<Differs> {
    if record.fingerprint != claim.fingerprint {
        Some(Differs::Fingerprint)
    } else if record.payload != claim.payload {
        Some(Differs::Payload)
    } else {
        None
    }
}

/// The record of a new claim.
pub fn claimed(claim: &Claim, fence: Fence, now: Timestamp) -> Record {
    Record {
        fingerprint: claim.fingerprint,
        payload: claim.payload,
        spelling: claim.spelling.clone(),
        owner: claim.owner.clone(),
        fence,
        claimed_at: now,
        state: State::Claimed { until: now.after(claim.lease) },
    }
}

/// A claim. What the call says is compared before all else, so that no state lets another call's result through.
pub fn claim(
    record: Option<&Record>,
    claim: &Claim,
    fence: Fence,
    now: Timestamp,
) -> Step<Acquisition> {
    let Some(record) = live(record, now) else {
        return (Acquisition::Acquired { fence }, Write::Put(claimed(claim, fence, now)));
    };
    if let Some(differs) = differs(record, claim) {
        return (Acquisition::Conflict { differs }, Write::Keep);
    }
    if let Some(since) = record.unknown_since(now) {
        let spelling = record.spelling.clone();
        return (Acquisition::Unknown { since, fence: record.fence, spelling }, Write::Keep);
    }
    let answer = match &record.state {
        State::Claimed { until } => Acquisition::InFlight { until: *until },
        State::Completed { result, at, .. } => {
            Acquisition::Replay { result: result.clone(), recorded_at: *at }
        }
        State::Unknown { since } => Acquisition::Unknown {
            since: *since,
            fence: record.fence,
            spelling: record.spelling.clone(),
        },
    };
    (answer, Write::Keep)
}

/// The live record of this very fence, or why there is none.
fn held(record: Option<&Record>, fence: Fence, now: Timestamp) -> Result<&Record, Lost> {
    let record = live(record, now).ok_or(Lost::Absent)?;
    if record.fence == fence { Ok(record) } else { Err(Lost::OtherFence) }
}

/// Extends a claim that has not lapsed to `now + lease`; never shortens it.
pub fn heartbeat(
    record: Option<&Record>,
    fence: Fence,
    lease: Duration,
    now: Timestamp,
) -> Step<Fenced> {
    let record = match held(record, fence, now) {
        Ok(record) => record,
        Err(lost) => return (Fenced::Lost(lost), Write::Keep),
    };
    match record.state {
        State::Completed { .. } => (Fenced::Lost(Lost::Completed), Write::Keep),
        State::Claimed { until } if !until.has_come(now) => {
            let until = until.max(now.after(lease));
            (Fenced::Done, Write::Put(Record { state: State::Claimed { until }, ..record.clone() }))
        }
        State::Claimed { .. } | State::Unknown { .. } => (Fenced::Lost(Lost::Lapsed), Write::Keep),
    }
}

/// Records a result. Whoever holds the fence knows what became of the effect, so a lapsed claim can still be completed.
pub fn complete(
    record: Option<&Record>,
    fence: Fence,
    result: &Recorded,
    ttl: Duration,
    now: Timestamp,
) -> Step<Fenced> {
    let record = match held(record, fence, now) {
        Ok(record) => record,
        Err(lost) => return (Fenced::Lost(lost), Write::Keep),
    };
    match &record.state {
        State::Completed { result: recorded, .. } if recorded == result => {
            (Fenced::Done, Write::Keep)
        }
        State::Completed { .. } => (Fenced::Lost(Lost::Completed), Write::Keep),
        State::Claimed { .. } | State::Unknown { .. } => {
            (Fenced::Done, Write::Put(completed(record, result.clone(), ttl, now)))
        }
    }
}

fn completed(record: &Record, result: Recorded, ttl: Duration, now: Timestamp) -> Record {
    let state = State::Completed { result, at: now, expires: now.after(ttl) };
    Record { state, ..record.clone() }
}

/// Frees the key of a claim whose effect surely did not happen.
pub fn release(record: Option<&Record>, fence: Fence, now: Timestamp) -> Step<Fenced> {
    match held(record, fence, now) {
        Err(lost) => (Fenced::Lost(lost), Write::Keep),
        Ok(Record { state: State::Completed { .. }, .. }) => {
            (Fenced::Lost(Lost::Completed), Write::Keep)
        }
        Ok(_) => (Fenced::Done, Write::Delete),
    }
}

/// Gives up a claim whose effect may have happened, without waiting for the lease to lapse.
pub fn mark_unknown(record: Option<&Record>, fence: Fence, now: Timestamp) -> Step<Fenced> {
    let record = match held(record, fence, now) {
        Ok(record) => record,
        Err(lost) => return (Fenced::Lost(lost), Write::Keep),
    };
    match record.state {
        State::Completed { .. } => (Fenced::Lost(Lost::Completed), Write::Keep),
        State::Unknown { .. } => (Fenced::Done, Write::Keep),
        State::Claimed { until } => {
            let state = State::Unknown { since: until.min(now) };
            (Fenced::Done, Write::Put(Record { state, ..record.clone() }))
        }
    }
}

/// Ends an unknown. `again` is the fence of the new claim where the finding is to run again.
pub fn resolve(
    record: Option<&Record>,
    fence: Fence,
    finding: &Finding,
    again: Fence,
    now: Timestamp,
) -> Step<Resolution> {
    let Ok(record) = held(record, fence, now) else {
        return (Resolution::Stale, Write::Keep);
    };
    if record.unknown_since(now).is_none() {
        return (Resolution::Stale, Write::Keep);
    }
    match finding {
        Finding::Landed { result, ttl } => (
            Resolution::Settled { at: now },
            Write::Put(completed(record, result.clone(), *ttl, now)),
        ),
        Finding::NotLanded => (Resolution::Settled { at: now }, Write::Delete),
        Finding::RunAgain { owner, lease } => {
            let record = Record {
                owner: owner.clone(),
                fence: again,
                claimed_at: now,
                state: State::Claimed { until: now.after(*lease) },
                ..record.clone()
            };
            (Resolution::Acquired { fence: again }, Write::Put(record))
        }
    }
}

/// Notes a value under a key, unless one is noted.
pub fn mark(
    record: Option<&MarkRecord>,
    value: Digest,
    ttl: Duration,
    now: Timestamp,
) -> Step<Marked, MarkRecord> {
    match record.filter(|m| !m.expires.has_come(now)) {
        Some(first) => (Marked::Seen { value: first.value, at: first.at }, Write::Keep),
        None => (Marked::First, Write::Put(MarkRecord { value, at: now, expires: now.after(ttl) })),
    }
}

/// Takes a mark back, if it is of this value.
pub fn unmark(record: Option<&MarkRecord>, value: Digest) -> Write<MarkRecord> {
    match record {
        Some(mark) if mark.value == value => Write::Delete,
        Some(_) | None => Write::Keep,
    }
}
