//! What a store is: the protocol's operations, each atomic on its key.

use std::future::Future;
use std::time::Duration;

use crate::answer::{Acquisition, Fenced, Finding, Marked, Resolution};
use crate::error::Result;
use crate::key::{Digest, Fence, StoreKey};
use crate::record::{Claim, Recorded};

/// A store of calls. Each operation is atomic on its key and has taken effect, as durably as the store promises, when
/// its future is ready.
///
/// The futures run on any executor. One that is dropped may or may not have taken effect.
///
/// # Errors
/// Of every operation: the store cannot be reached, is full, or holds a record that cannot be read. After an error of
/// [`Store::claim`] no effect may be started; after one of another operation its outcome is not known.
pub trait Store: Send + Sync {
    /// Claims a key, or tells what is known of it.
    fn claim(&self, claim: &Claim) -> impl Future<Output = Result<Acquisition>> + Send;

    /// Extends a claim that has not lapsed to now + `lease`; never shortens it.
    fn heartbeat(
        &self,
        key: &StoreKey,
        fence: Fence,
        lease: Duration,
    ) -> impl Future<Output = Result<Fenced>> + Send;

    /// Records the result of a claim's effect, to be replayed for `ttl`. Zero expires at once.
    fn complete(
        &self,
        key: &StoreKey,
        fence: Fence,
        result: &Recorded,
        ttl: Duration,
    ) -> impl Future<Output = Result<Fenced>> + Send;

    /// Frees the key of a claim whose effect surely did not happen.
    fn release(&self, key: &StoreKey, fence: Fence) -> impl Future<Output = Result<Fenced>> + Send;

    /// Gives up a claim whose effect may have happened, without waiting for the lease to lapse.
    fn mark_unknown(
        &self,
        key: &StoreKey,
        fence: Fence,
    ) -> impl Future<Output = Result<Fenced>> + Send;

    /// Ends an unknown: `fence` is the one that [`Acquisition::Unknown`] named.
    fn resolve(
        &self,
        key: &StoreKey,
        fence: Fence,
        finding: &Finding,
    ) -> impl Future<Output = Result<Resolution>> + Send;

    /// Notes a value under a key (marks and records do not share keys), or tells who came first.
    fn mark(
        &self,
        key: &StoreKey,
        value: Digest,
        ttl: Duration,
    ) -> impl Future<Output = Result<Marked>> + Send;

    /// Takes a mark back, if it is of this value.
    fn unmark(&self, key: &StoreKey, value: Digest) -> impl Future<Output = Result<()>> + Send;

    /// Deletes up to `limit` records and marks whose time is over, and tells how many. Frees room, no more: no answer
    /// depends on it. 0 where the store's own server sweeps.
    fn sweep(&self, limit: usize) -> impl Future<Output = Result<usize>> + Send;
}
