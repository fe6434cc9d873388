//! Building the cache anew from what a resumed run has behind it.

use std::time::Duration;

use samecall_call::Call;

use crate::events;
use crate::execution::Execution;
use crate::outcome::Outcome;
use crate::scope::{self, Place};
use crate::shard::{Entry, Origin};
use crate::ticket;

/// A call of the past and what its tool gave back.
#[derive(Debug, Clone)]
pub struct Past {
    /// The call.
    pub call: Call,
    /// What its tool gave back.
    pub outcome: Outcome,
    /// How long ago; none where the history does not say. Results that are kept for a time only are not taken from such a
    /// past: nobody knows whether they are still good.
    pub age: Option<Duration>,
    /// The iteration in which it stood, for references to it.
    pub iteration: Option<u64>,
}

/// What a history gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rebuilt {
    /// Calls with an outcome that the history had.
    pub observations: u64,
    /// Entries that are kept of them at the end.
    pub kept: u64,
}

impl Execution {
    /// Takes up what a run had done before it was interrupted, oldest first: the reads that the policies let be kept, and
    /// what later writes made out of date goes again. Counts nothing as executed.
    pub fn rebuild(&self, past: impl IntoIterator<Item = Past>) -> Rebuilt {
        let before = self.kept_entries();
        let mut rebuilt = Rebuilt::default();
        for past in past {
            rebuilt.observations += 1;
            self.take_up(past);
        }
        rebuilt.kept = self.kept_entries().saturating_sub(before);
        if !self.inner.quiet {
            events::rebuilt(rebuilt.kept, rebuilt.observations);
        }
        rebuilt
    }

    fn take_up(&self, past: Past) {
        let Past { call, outcome, age, iteration } = past;
        let known = self.inner.known(&call.tool);
        let rule = known.map_or(&self.inner.unsaid, |known| &known.rule);
        ticket::invalidate(self, &rule.invalidates, None);
        if !self.is_enabled() || !rule.caches() {
            return;
        }
        let is_empty = outcome.is_empty();
        let life = match (rule.life(&outcome, is_empty), age) {
            (Some(Duration::MAX), None) => self.inner.policies.limits.age,
            (Some(life), Some(age)) => life.min(self.inner.policies.limits.age).saturating_sub(age),
            _ => return,
        };
        if life.is_zero() {
            return;
        }
        let Some(key) = self.key(&call, known.and_then(|known| known.tool.as_deref())) else {
            return;
        };
        let place = Place { scope: self.scope, call: key };
        let now = self.now();
        let entry = Entry {
            tool: known.map_or_else(|| scope::tool(&call.tool), |known| known.key),
            origin: Origin { iteration, traced: None },
            // The clock may have begun after the call; its age counts from here then, and its end is what matters.
            born: now.saturating_sub(age.unwrap_or_default()),
            expires: now.saturating_add(life),
            took: 0,
            empty_times: u32::from(is_empty),
            outcome,
        };
        self.inner.shard(&place).insert(place, entry);
    }
}
