//! The durable store in one file, on redb: what it answers is on disk, and survives the process and the machine.
//!
//! One committer thread owns all writing. Callers hand it their operations; while it waits for the disk more of them
//! gather, and the next commit takes them all. A claim that writes nothing (a replay, a refusal) is answered from what
//! is committed, without waiting for the disk.

mod committer;
mod create;
mod tables;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redb::Database;

use crate::answer::{Acquisition, Fenced, Finding, Marked, Resolution};
use crate::error::{Error, Result};
use crate::key::{Bytes, Digest, Fence, Fences, StoreKey};
use crate::protocol::{self, Write};
use crate::record::{Claim, MarkRecord, Record, Recorded};
use crate::store::Store;
use crate::time::{Clock, SystemClock, Timestamp};
use committer::Committer;
use tables::{Failures, Tables};

/// How large things may be, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A result up to this size is kept in its record, a larger one in a blob beside it.
    pub inline: usize,
    /// The largest result that is recorded.
    pub result: usize,
    /// The largest spelling that is claimed.
    pub spelling: usize,
}

impl Default for Limits {
    /// One page of the file for what is inline, 1 MiB for spellings, 64 MiB for results.
    fn default() -> Self {
        Limits { inline: 4096, result: 64 << 20, spelling: 1 << 20 }
    }
}

impl Limits {
    /// Refuses a spelling that is too large.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn check_spelling(&self, spelling: &[u8]) -> Result<()> {
        check("a spelling", spelling, self.spelling)
    }

    /// Refuses a result that is too large.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn check_result(&self, result: &[u8]) -> Result<()> {
        check("a result", result, self.result)
    }
}

fn check(what: &'static str, bytes: &[u8], limit: usize) -> Result<()> {
    if bytes.len() <= limit {
        return Ok(());
    }
    Err(Error::TooLarge { what, bytes: bytes.len(), limit })
}

/// A store in one file.
#[derive(Debug)]
pub struct Embedded {
    database: Arc<Database>,
    committer: Committer,
    shared: Shared,
}

/// What the store and its operations in the committer both need.
#[derive(Clone)]
struct Shared {
    path: Arc<Path>,
    clock: Arc<dyn Clock>,
    fences: Arc<Fences>,
    limits: Limits,
    /// The key of a record that is damaged, where there is one: as long as it is there, any key that has no record may be
    /// the one whose record is hidden by the damage.
    damaged: Arc<Mutex<Option<String>>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("path", &self.path).field("limits", &self.limits).finish()
    }
}

/// A call of which nobody knows whether its effect happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    /// Its key.
    pub key: StoreKey,
    /// The claim in question.
    pub fence: Fence,
    /// Who claimed it.
    pub owner: Box<str>,
    /// Since when.
    pub since: Timestamp,
    /// The call as first written.
    pub spelling: Bytes,
}

impl Embedded {
    /// Opens the store of a file, or starts one, with the machine's clock and the default limits.
    ///
    /// # Errors
    /// As [`Embedded::open_with`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, Arc::new(SystemClock), Fences::random(), Limits::default())
    }

    /// Opens the store of a file, or starts one. What a crash left half-written is rolled back to the last commit. Every
    /// record is read once (some microseconds each); while one is damaged, no key without a record is given to anybody.
    ///
    /// # Errors
    /// The file or its folder may not be written, another process has it open, it is of another version, or is no
    /// store file; a file that is refused is left as it is.
    pub fn open_with(
        path: impl AsRef<Path>,
        clock: Arc<dyn Clock>,
        fences: Fences,
        limits: Limits,
    ) -> Result<Self> {
        let path: PathBuf = path.as_ref().to_owned();
        let failures = Failures::at(&path);
        let database = guarded(&path, || {
            if !path.exists() {
                create::create(&path, &failures)?;
            }
            Database::create(&path).map_err(|e| failures.of(e))
        })?;
        Self::start(path, database, clock, fences, limits)
    }

    /// Opens a store on something other than a file: for tests that inject faults.
    ///
    /// # Errors
    /// As [`Embedded::open_with`].
    #[cfg(feature = "testing")]
    pub fn open_on(
        backend: impl redb::StorageBackend,
        clock: Arc<dyn Clock>,
        fences: Fences,
    ) -> Result<Self> {
        let path = PathBuf::from("(injected)");
        let failures = Failures::at(&path);
        let database = guarded(&path, || {
            Database::builder().create_with_backend(backend).map_err(|e| failures.of(e))
        })?;
        Self::start(path, database, clock, fences, Limits::default())
    }

    fn start(
        path: PathBuf,
        database: Database,
        clock: Arc<dyn Clock>,
        fences: Fences,
        limits: Limits,
    ) -> Result<Self> {
        guarded(&path, || tables::check_format(&database, &path))?;
        let database = Arc::new(database);
        let committer = Committer::start(database.clone(), path.clone())?;
        let (path, fences, damaged) = (path.into(), Arc::new(fences), Arc::default());
        let shared = Shared { path, clock, fences, limits, damaged };
        let store = Embedded { database, committer, shared };
        store.look_for_damage()?;
        Ok(store)
    }

    /// Calls of which nobody knows whether their effect happened, in the order of their keys, at most `limit`.
    ///
    /// # Errors
    /// The file cannot be read, or a record on the way is damaged.
    pub fn unresolved(&self, limit: usize) -> Result<Vec<Unresolved>> {
        guarded(&self.shared.path, || {
            let now = self.shared.clock.now();
            let read = tables::Reading::begin(&self.database, &self.shared.path)?;
            read.records(|key, record| {
                record.unknown_since(now).map(|since| Unresolved {
                    key,
                    fence: record.fence,
                    owner: record.owner.clone(),
                    since,
                    spelling: record.spelling.clone(),
                })
            })
            .take(limit)
            .collect()
        })
    }

    /// Reads every record once. The engine itself checks a file that was closed well no more.
    fn look_for_damage(&self) -> Result<()> {
        let found = guarded(&self.shared.path, || {
            tables::Reading::begin(&self.database, &self.shared.path)?.first_damaged()
        })?;
        *self.shared.damaged.lock().unwrap_or_else(PoisonError::into_inner) = found;
        Ok(())
    }

    /// Deletes whatever is recorded of a key, readable or not: the way out of [`Error::Corrupt`], for an operator who
    /// has found out what became of the effect.
    ///
    /// # Errors
    /// The file cannot be written.
    pub async fn forget(&self, key: &StoreKey) -> Result<()> {
        let key = key.clone();
        self.committer.submit(move |tables| tables.forget(&key)).await?;
        self.look_for_damage()
    }

    /// Applies one step of the protocol in the committer.
    async fn step<A: Send + 'static>(
        &self,
        key: &StoreKey,
        step: impl FnOnce(&Shared, Option<&Record>, Timestamp) -> protocol::Step<A> + Send + 'static,
    ) -> Result<A> {
        let (key, shared) = (key.clone(), self.shared.clone());
        self.committer
            .submit(move |tables| {
                let old = tables.record(&key)?;
                let (answer, write) = step(&shared, old.as_ref(), shared.clock.now());
                tables.write(&key, old.as_ref(), write, shared.limits.inline)?;
                Ok(answer)
            })
            .await
    }

    /// The answer to a claim that writes nothing, from what is committed.
    fn peek(&self, claim: &Claim) -> Result<Option<Acquisition>> {
        guarded(&self.shared.path, || {
            let read = tables::Reading::begin(&self.database, &self.shared.path)?;
            let record = read.record(&claim.key)?;
            let damaged = self.shared.damaged.lock().unwrap_or_else(PoisonError::into_inner);
            if let (None, Some(key)) = (&record, &*damaged) {
                let reason =
                    "it may be the one that this claim asks for, under a damaged key".into();
                return Err(Error::Corrupt { key: key.clone(), reason });
            }
            drop(damaged);
            let now = self.shared.clock.now();
            // This fence is given to nobody: it only goes into an answer that is dropped.
            let (answer, write) = protocol::claim(record.as_ref(), claim, Fence(0), now);
            Ok((write == Write::Keep).then_some(answer))
        })
    }
}

/// The engine panics on some damaged files; here that is an error like any other.
fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let why = panic.downcast_ref::<String>().map(String::as_str);
        let why =
            why.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
        let reason = format!("the engine gave up on it: {why}");
        Err(Error::NotAStore { path: path.to_owned(), reason })
    })
}

impl Store for Embedded {
    async fn claim(&self, claim: &Claim) -> Result<Acquisition> {
        self.shared.limits.check_spelling(&claim.spelling)?;
        if let Some(answer) = self.peek(claim)? {
            return Ok(answer);
        }
        let claim = claim.clone();
        let key = claim.key.clone();
        self.step(&key, move |shared, record, now| {
            protocol::claim(record, &claim, shared.fences.next(now), now)
        })
        .await
    }

    async fn heartbeat(&self, key: &StoreKey, fence: Fence, lease: Duration) -> Result<Fenced> {
        self.step(key, move |_, record, now| protocol::heartbeat(record, fence, lease, now)).await
    }

    async fn complete(
        &self,
        key: &StoreKey,
        fence: Fence,
        result: &Recorded,
        ttl: Duration,
    ) -> Result<Fenced> {
        self.shared.limits.check_result(&result.bytes)?;
        let result = result.clone();
        self.step(key, move |_, record, now| protocol::complete(record, fence, &result, ttl, now))
            .await
    }

    async fn release(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        self.step(key, move |_, record, now| protocol::release(record, fence, now)).await
    }

    async fn mark_unknown(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        self.step(key, move |_, record, now| protocol::mark_unknown(record, fence, now)).await
    }

    async fn resolve(&self, key: &StoreKey, fence: Fence, finding: &Finding) -> Result<Resolution> {
        if let Finding::Landed { result, .. } = finding {
            self.shared.limits.check_result(&result.bytes)?;
        }
        let finding = finding.clone();
        self.step(key, move |shared, record, now| {
            protocol::resolve(record, fence, &finding, shared.fences.next(now), now)
        })
        .await
    }

    async fn mark(&self, key: &StoreKey, value: Digest, ttl: Duration) -> Result<Marked> {
        let (key, shared) = (key.clone(), self.shared.clone());
        self.committer
            .submit(move |tables| {
                let old: Option<MarkRecord> = tables.mark(&key)?;
                let (answer, write) = protocol::mark(old.as_ref(), value, ttl, shared.clock.now());
                tables.write_mark(&key, old.as_ref(), write)?;
                Ok(answer)
            })
            .await
    }

    async fn unmark(&self, key: &StoreKey, value: Digest) -> Result<()> {
        let key = key.clone();
        self.committer
            .submit(move |tables| {
                let old = tables.mark(&key)?;
                let write = protocol::unmark(old.as_ref(), value);
                tables.write_mark(&key, old.as_ref(), write)
            })
            .await
    }

    async fn sweep(&self, limit: usize) -> Result<usize> {
        let mut removed = 0;
        while removed < limit {
            let hold = tables::SWEPT_PER_COMMIT.min(limit - removed);
            let shared = self.shared.clone();
            let sweep = move |tables: &mut Tables<'_>| tables.sweep(hold, shared.clock.now());
            let swept = self.committer.submit(sweep).await?;
            removed += swept.removed;
            if swept.entries < hold {
                break;
            }
        }
        Ok(removed)
    }
}
