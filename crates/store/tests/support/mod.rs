//! What the tests of this crate share: harnesses for its stores.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use samecall_store::testing::Harness;
use samecall_store::{
    Claim, Clock, Digest, Embedded, Fences, Limits, ManualClock, MemoryStore, Result, StoreKey,
    Timestamp,
};

/// 2026-11-30T00:00:00Z.
pub(crate) const START: Timestamp = Timestamp::from_millis(1_795_996_800_000);

/// Stores in memory.
pub(crate) struct InMemory;

impl InMemory {
    pub(crate) async fn fresh_on(&self, clock: Arc<dyn Clock>) -> MemoryStore {
        MemoryStore::new(clock, Fences::named(7))
    }
}

impl Harness for InMemory {
    type Store = MemoryStore;

    async fn fresh(&self, clock: Arc<ManualClock>) -> Result<MemoryStore> {
        Ok(self.fresh_on(clock).await)
    }
}

/// Embedded stores, each in a file of its own in one temporary folder.
pub(crate) struct OnDisk {
    folder: tempfile::TempDir,
    count: AtomicUsize,
}

impl Default for OnDisk {
    fn default() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        OnDisk { folder, count: AtomicUsize::new(0) }
    }
}

impl OnDisk {
    pub(crate) fn path(&self) -> PathBuf {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        self.folder.path().join(format!("{count}.samecall"))
    }

    pub(crate) fn open_on(&self, clock: Arc<dyn Clock>) -> Embedded {
        Embedded::open_with(self.path(), clock, Fences::named(7), Limits::default())
            .expect("a new store")
    }
}

impl Harness for OnDisk {
    type Store = Embedded;

    async fn fresh(&self, clock: Arc<ManualClock>) -> Result<Embedded> {
        Embedded::open_with(self.path(), clock, Fences::named(7), Limits::default())
    }
}

/// A claim of a key, for 30 seconds.
pub(crate) fn claim(name: &str) -> Claim {
    Claim {
        key: StoreKey::new("tenant", name),
        fingerprint: Digest([1; 16]),
        payload: Some(Digest([2; 16])),
        spelling: b"{\"amount\": 4200}".as_slice().into(),
        owner: "test".into(),
        lease: Duration::from_secs(30),
    }
}
