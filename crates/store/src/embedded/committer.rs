//! The one thread that writes: it gathers operations, applies them in one transaction, and answers when it is on disk.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use futures_channel::oneshot;
use redb::Database;

use super::tables::{Failures, Tables};
use crate::error::{Error, Result};

/// The most operations of one commit: bounds what a failed commit takes with it, and the wait of the first in line.
const BATCH: usize = 1024;

/// Tells the caller: with the operation's own answer if the commit went through, else with the commit's error.
type Deliver = Box<dyn FnOnce(Result<()>) + Send>;
type Job = Box<dyn FnOnce(&mut Tables<'_>) -> Deliver + Send>;

/// The handle of the committer; ends the thread, with all that was handed in committed, when dropped.
#[derive(Debug)]
pub(super) struct Committer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Committer {
    pub(super) fn start(database: Arc<Database>, path: PathBuf) -> Result<Self> {
        let (jobs, receiver) = channel();
        let failures = Failures::at(&path);
        let thread = std::thread::Builder::new()
            .name("samecall-store".into())
            .spawn(move || run(&database, &receiver, &failures))
            .map_err(|e| Error::File { path, reason: format!("no thread to write it: {e}") })?;
        Ok(Committer { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Hands an operation in, and waits until it is on disk. It is carried out even if this future is dropped.
    pub(super) fn submit<T, W>(&self, work: W) -> impl Future<Output = Result<T>> + Send + use<T, W>
    where
        T: Send + 'static,
        W: FnOnce(&mut Tables<'_>) -> Result<T> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |tables| {
            let answer = work(tables);
            Box::new(move |committed| {
                // Nobody waits any more if the future was dropped.
                let _ = sender.send(committed.and(answer));
            })
        });
        // If the thread has died the job is dropped with its sender, and the receiver says so.
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
        async move {
            receiver.await.unwrap_or_else(|_| {
                Err(Error::Closed { reason: "its writer has ended; open the store again".into() })
            })
        }
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has told its callers by dropping their channels.
            let _ = thread.join();
        }
    }
}

fn run(database: &Database, jobs: &Receiver<Job>, failures: &Failures) {
    while let Ok(first) = jobs.recv() {
        let batch = std::iter::once(first).chain(jobs.try_iter().take(BATCH - 1));
        let mut delivers = Vec::new();
        let committed = commit(database, failures, batch, &mut delivers);
        for deliver in delivers {
            deliver(committed.clone());
        }
    }
}

/// Applies a batch in one transaction. Either all of it is on disk afterwards, or the error is every caller's.
fn commit(
    database: &Database,
    failures: &Failures,
    batch: impl Iterator<Item = Job>,
    delivers: &mut Vec<Deliver>,
) -> Result<()> {
    let begun = database.begin_write().map_err(|e| failures.of(e));
    let transaction = match begun {
        Ok(transaction) => transaction,
        Err(error) => return refuse(batch, delivers, error),
    };
    // A block of its own: the tables must be closed before the transaction can end.
    let (changed, failed) = {
        let mut tables = match Tables::open(&transaction, failures.clone()) {
            Ok(tables) => tables,
            Err(error) => return refuse(batch, delivers, error),
        };
        for job in batch {
            delivers.push(job(&mut tables));
        }
        tables.close()
    };
    match failed {
        Some(error) => {
            // What one operation left half-written must not be committed for the others either.
            // Dropping it rolls it back; where the disk itself has failed, the next opening does.
            drop(transaction);
            Err(error)
        }
        None if changed => transaction.commit().map_err(|e| failures.of(e)),
        None => transaction.abort().map_err(|e| failures.of(e)),
    }
}

/// Drops a batch that cannot begin; its callers get the error instead of a closed channel.
fn refuse(
    batch: impl Iterator<Item = Job>,
    delivers: &mut Vec<Deliver>,
    error: Error,
) -> Result<()> {
    let mut closed = Tables::refusing(error.clone());
    for job in batch {
        delivers.push(job(&mut closed));
    }
    Err(error)
}
