//! One run of a tool that others wait for.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use event_listener::{Event, Listener};
use samecall_keyer::Key;

use crate::outcome::{Hint, Outcome};
use crate::shard::Origin;

/// A run that is under way, or over.
#[derive(Debug)]
pub(crate) struct Flight {
    /// The tool, for those who make its results out of date.
    pub(crate) tool: Key,
    /// Where the run began.
    pub(crate) origin: Origin,
    landed: OnceLock<Landed>,
    over: AtomicBool,
    event: Event,
}

/// How a run ended that ended well: the tool gave something back.
#[derive(Debug, Clone)]
pub(crate) struct Landed {
    pub(crate) outcome: Outcome,
    pub(crate) hint: Option<Hint>,
    /// How long it took, in microseconds.
    pub(crate) took: u64,
}

impl Flight {
    pub(crate) fn new(tool: Key, origin: Origin) -> Self {
        Flight {
            tool,
            origin,
            landed: OnceLock::new(),
            over: AtomicBool::new(false),
            event: Event::new(),
        }
    }

    /// Ends the run and wakes all who wait; none where its caller panicked or was cancelled.
    pub(crate) fn end(&self, landed: Option<Landed>) {
        if let Some(landed) = landed {
            // Only the one who leads the run ends it, once.
            let _ = self.landed.set(landed);
        }
        self.over.store(true, Ordering::SeqCst);
        self.event.notify(usize::MAX);
    }

    /// Whether the run is over, and how it ended.
    pub(crate) fn look(&self) -> Option<Option<&Landed>> {
        self.over.load(Ordering::SeqCst).then(|| self.landed.get())
    }

    /// Waits for the end.
    pub(crate) async fn wait(&self) -> Option<&Landed> {
        loop {
            if let Some(ended) = self.look() {
                return ended;
            }
            let listener = self.event.listen();
            // The end may have come before the listener was there.
            if let Some(ended) = self.look() {
                return ended;
            }
            listener.await;
        }
    }

    /// Waits for the end, on this thread.
    pub(crate) fn wait_blocking(&self) -> Option<&Landed> {
        loop {
            if let Some(ended) = self.look() {
                return ended;
            }
            let listener = self.event.listen();
            if let Some(ended) = self.look() {
                return ended;
            }
            listener.wait();
        }
    }
}
