//! The two halves of a run: the ticket of the call that runs the tool, and the waiter of an equal one.
//!
//! A ticket that is dropped, since its caller panicked or was cancelled, frees the key: the next of those that wait begins
//! anew. A write that got so far may have happened, so what it makes out of date goes in every case.

use std::sync::Arc;
use std::time::Duration;

use samecall_call::Call;

use crate::execution::{Begun, Execution};
use crate::flight::{Flight, Landed};
use crate::outcome::{Answer, Hint, Outcome, Source};
use crate::policy::{Reach, Rule};
use crate::scope::Place;
use crate::shard::Entry;

/// What a run leads, where its result may be kept.
pub(crate) struct Led {
    pub(crate) place: Place,
    pub(crate) flight: Arc<Flight>,
    /// How often the same call came back empty before.
    pub(crate) empty_times: u32,
}

/// The right to run the tool for a call.
#[must_use = "a ticket that is dropped counts as a run that came to nothing"]
pub struct Ticket {
    execution: Execution,
    tool: Box<str>,
    rule: Arc<Rule>,
    led: Option<Led>,
    started: Duration,
    is_finished: bool,
}

impl Ticket {
    pub(crate) fn new(execution: Execution, tool: &str, rule: Arc<Rule>, led: Option<Led>) -> Self {
        let started = execution.now();
        Ticket { execution, tool: tool.into(), rule, led, started, is_finished: false }
    }

    /// Keeps what the tool gave back as far as the policy lets it, and hands it to all who wait.
    pub fn finish(self, outcome: Outcome) -> Answer {
        let took = self.execution.now().saturating_sub(self.started);
        self.finish_after(outcome, took)
    }

    /// The same for a tool that took so long, whatever the clock says.
    pub(crate) fn finish_after(mut self, outcome: Outcome, took: Duration) -> Answer {
        self.is_finished = true;
        // First what is out of date, then the answer: nobody who knows of the write is answered from before it.
        self.invalidate();
        let is_empty = outcome.is_empty();
        let mut hint = None;
        if let Some(led) = self.led.take() {
            let times = if is_empty { led.empty_times.saturating_add(1) } else { 0 };
            if times > 1 {
                hint = Some(Hint { tool: self.tool.clone(), times });
                self.execution.count(|stats| &stats.hints, 1);
            }
            let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
            let entry = self.entry(&led, &outcome, is_empty, times, took);
            let inner = &self.execution.inner;
            inner.shard(&led.place).land(led.place, &led.flight, entry);
            led.flight.end(Some(Landed { outcome: outcome.clone(), hint: hint.clone(), took }));
        }
        Answer { outcome, source: Source::Executed, first_at: None, hint, traced: None }
    }

    /// What is kept of an outcome. An empty result that is not kept leaves a mark without bytes and past its time, so
    /// that the next one like it brings a hint.
    fn entry(
        &self,
        led: &Led,
        outcome: &Outcome,
        is_empty: bool,
        empty_times: u32,
        took: u64,
    ) -> Option<Entry> {
        let inner = &self.execution.inner;
        let now = self.execution.now();
        let life =
            self.rule.life(outcome, is_empty).map(|life| life.min(inner.policies.limits.age));
        let (outcome, life) = match life {
            Some(life) => (outcome.clone(), life),
            None if is_empty => (Outcome::ok([].as_slice()), Duration::ZERO),
            None => return None,
        };
        Some(Entry {
            outcome,
            tool: led.flight.tool,
            origin: led.flight.origin.clone(),
            born: now,
            expires: now.saturating_add(life),
            took,
            empty_times,
        })
    }

    fn invalidate(&self) {
        let own = self.led.as_ref().map(|led| &led.flight);
        invalidate(&self.execution, &self.rule.invalidates, own);
    }
}

/// Makes out of date what a write reaches, but for the write's own run.
pub(crate) fn invalidate(execution: &Execution, reach: &Reach, own: Option<&Arc<Flight>>) {
    let scope = execution.scope;
    match reach {
        Reach::Nothing => {}
        Reach::All => {
            execution.inner.for_each_shard(|shard| shard.invalidate(scope, None, own));
        }
        Reach::Tools(tools) => execution.inner.for_each_shard(|shard| {
            for tool in tools.iter() {
                shard.invalidate(scope, Some(*tool), own);
            }
        }),
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.is_finished {
            return;
        }
        self.invalidate();
        self.execution.count(|stats| &stats.abandoned, 1);
        if let Some(led) = &self.led {
            self.execution.inner.shard(&led.place).abandon(led.place, &led.flight);
            led.flight.end(None);
        }
    }
}

/// A call that waits for an equal one.
pub struct Waiter {
    pub(crate) execution: Execution,
    pub(crate) rule: Arc<Rule>,
    pub(crate) place: Place,
    pub(crate) flight: Arc<Flight>,
}

impl Waiter {
    /// Waits for the run: its answer, or what to do now that it came to nothing. `call` is the one that was begun.
    pub async fn wait(self, call: &Call) -> Begun {
        let landed = self.flight.wait().await.cloned();
        self.next(call, landed)
    }

    /// The same on this thread.
    pub fn wait_blocking(self, call: &Call) -> Begun {
        let landed = self.flight.wait_blocking().cloned();
        self.next(call, landed)
    }

    fn next(self, call: &Call, landed: Option<Landed>) -> Begun {
        match landed {
            Some(landed) => Begun::Answered(self.execution.shared(call, &self.flight, &landed)),
            None => self.execution.again(call, &self.rule, self.place, &self.flight),
        }
    }
}
