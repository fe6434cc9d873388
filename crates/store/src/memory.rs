//! The store in memory: sharded by key, each shard under a lock of its own, swept a little with every claim.
//!
//! What it records dies with the process, so it guards against the retries of one process alone.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::answer::{Acquisition, Fenced, Finding, Marked, Resolution};
use crate::error::Result;
use crate::key::{Digest, Fence, Fences, StoreKey};
use crate::protocol::{self, Step, Write};
use crate::record::{Claim, MarkRecord, Record, Recorded};
use crate::store::Store;
use crate::time::{Clock, SystemClock, Timestamp};

/// Shards: enough that callers on a few dozen cores seldom meet.
const SHARDS: usize = 64;
/// Expired entries that each claim removes from its shard: two for each one that a claim can add, so that garbage
/// shrinks even when nobody sweeps.
const SWEPT_PER_CLAIM: usize = 2;
/// The most entries that a sweep removes under one hold of a shard's lock (some 20 microseconds).
const SWEPT_PER_HOLD: usize = 64;

/// A store in memory.
pub struct MemoryStore {
    shards: Box<[Mutex<Shard>]>,
    hasher: RandomState,
    clock: Arc<dyn Clock>,
    fences: Fences,
}

#[derive(Default)]
struct Shard {
    records: HashMap<StoreKey, Record>,
    marks: HashMap<StoreKey, MarkRecord>,
    /// What expires when, soonest first. An entry whose record has been replaced since is skipped.
    expiry: BinaryHeap<Reverse<(Timestamp, Kind, StoreKey)>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Record,
    Mark,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new(Arc::new(SystemClock), Fences::random())
    }
}

impl MemoryStore {
    /// An empty store that reads this clock.
    pub fn new(clock: Arc<dyn Clock>, fences: Fences) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        MemoryStore { shards, hasher: RandomState::new(), clock, fences }
    }

    /// How many records and marks are held, expired ones that are not swept yet included.
    pub fn len(&self) -> usize {
        self.shards.iter().map(lock).map(|shard| shard.records.len() + shard.marks.len()).sum()
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn shard(&self, key: &StoreKey) -> MutexGuard<'_, Shard> {
        let index = self.hasher.hash_one(key) as usize % self.shards.len();
        lock(&self.shards[index])
    }

    /// Applies one step of the protocol under the key's lock.
    fn step<A>(
        &self,
        key: &StoreKey,
        step: impl FnOnce(Option<&Record>, Timestamp) -> Step<A>,
    ) -> A {
        let mut shard = self.shard(key);
        // Read under the lock: a time read before waiting for it could be older than another caller's.
        let now = self.clock.now();
        let (answer, write) = step(shard.records.get(key), now);
        shard.write_record(key, write);
        answer
    }
}

/// A panic elsewhere cannot leave a shard between two states: each write is one map operation.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shard {
    fn write_record(&mut self, key: &StoreKey, write: Write<Record>) {
        match write {
            Write::Keep => {}
            Write::Delete => {
                self.records.remove(key);
            }
            Write::Put(record) => {
                if let Some(expires) = record.expires() {
                    self.expiry.push(Reverse((expires, Kind::Record, key.clone())));
                }
                self.records.insert(key.clone(), record);
            }
        }
    }

    /// Removes up to `limit` entries whose time is over; answers how many records and marks went.
    fn sweep(&mut self, limit: usize, now: Timestamp) -> Swept {
        let mut swept = Swept::default();
        while swept.entries < limit {
            match self.expiry.peek() {
                Some(Reverse((expires, _, _))) if expires.has_come(now) => {}
                Some(_) | None => break,
            }
            let Some(Reverse((expires, kind, key))) = self.expiry.pop() else { break };
            swept.entries += 1;
            // Only what still ends at that time: the key may have been claimed anew.
            let gone = match kind {
                Kind::Record => {
                    self.records.get(&key).is_some_and(|r| r.expires() == Some(expires))
                        && self.records.remove(&key).is_some()
                }
                Kind::Mark => {
                    self.marks.get(&key).is_some_and(|m| m.expires == expires)
                        && self.marks.remove(&key).is_some()
                }
            };
            swept.removed += usize::from(gone);
        }
        swept
    }
}

#[derive(Default)]
struct Swept {
    entries: usize,
    removed: usize,
}

impl Store for MemoryStore {
    async fn claim(&self, claim: &Claim) -> Result<Acquisition> {
        let mut shard = self.shard(&claim.key);
        let now = self.clock.now();
        let fence = self.fences.next(now);
        let (answer, write) = protocol::claim(shard.records.get(&claim.key), claim, fence, now);
        shard.write_record(&claim.key, write);
        shard.sweep(SWEPT_PER_CLAIM, now);
        Ok(answer)
    }

    async fn heartbeat(&self, key: &StoreKey, fence: Fence, lease: Duration) -> Result<Fenced> {
        Ok(self.step(key, |record, now| protocol::heartbeat(record, fence, lease, now)))
    }

    async fn complete(
        &self,
        key: &StoreKey,
        fence: Fence,
        result: &Recorded,
        ttl: Duration,
    ) -> Result<Fenced> {
        Ok(self.step(key, |record, now| protocol::complete(record, fence, result, ttl, now)))
    }

    async fn release(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        Ok(self.step(key, |record, now| protocol::release(record, fence, now)))
    }

    async fn mark_unknown(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        Ok(self.step(key, |record, now| protocol::mark_unknown(record, fence, now)))
    }

    async fn resolve(&self, key: &StoreKey, fence: Fence, finding: &Finding) -> Result<Resolution> {
        Ok(self.step(key, |record, now| {
            protocol::resolve(record, fence, finding, self.fences.next(now), now)
        }))
    }

    async fn mark(&self, key: &StoreKey, value: Digest, ttl: Duration) -> Result<Marked> {
        let mut shard = self.shard(key);
        let now = self.clock.now();
        let (answer, write) = protocol::mark(shard.marks.get(key), value, ttl, now);
        if let Write::Put(mark) = write {
            shard.expiry.push(Reverse((mark.expires, Kind::Mark, key.clone())));
            shard.marks.insert(key.clone(), mark);
        }
        shard.sweep(SWEPT_PER_CLAIM, now);
        Ok(answer)
    }

    async fn unmark(&self, key: &StoreKey, value: Digest) -> Result<()> {
        let mut shard = self.shard(key);
        if protocol::unmark(shard.marks.get(key), value) == Write::Delete {
            shard.marks.remove(key);
        }
        Ok(())
    }

    async fn sweep(&self, limit: usize) -> Result<usize> {
        let now = self.clock.now();
        let mut removed = 0;
        for shard in &self.shards {
            loop {
                let hold = SWEPT_PER_HOLD.min(limit - removed);
                let swept = lock(shard).sweep(hold, now);
                removed += swept.removed;
                if swept.entries < hold || removed >= limit {
                    break;
                }
            }
            if removed >= limit {
                break;
            }
        }
        Ok(removed)
    }
}
