//! One execution of an agent: begin a call, and be told to run the tool, to wait for an equal call, or what was answered
//! before.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use samecall_call::{Call, Tool};
use samecall_keyer::{Key, Outcome as Keyed};

use crate::cache::Inner;
use crate::events;
use crate::flight::{Flight, Landed};
use crate::outcome::{Answer, Hint, Outcome, Source};
use crate::policy::Rule;
use crate::scope::{self, Place};
use crate::shard::{Found, Kept, Origin, Traced};
use crate::stats::{Stats, Summary, add};
use crate::ticket::{Led, Ticket, Waiter};

/// One execution. Cheap to clone: clones and workers share what it keeps and what it counts.
#[derive(Clone)]
pub struct Execution {
    pub(crate) inner: Arc<Inner>,
    pub(crate) scope: Key,
    stats: Arc<Stats>,
    round: Option<(u64, Arc<Stats>)>,
    worker: Option<Arc<str>>,
    enabled: bool,
}

/// What to do about a call.
#[must_use]
pub enum Begun {
    /// Nothing: here is the answer.
    Answered(Answer),
    /// Run the tool, and finish the ticket with what it gave back.
    Execute(Ticket),
    /// An equal call is under way: wait for it.
    Wait(Waiter),
}

/// Why a call is not looked up.
enum Why {
    /// Its tool is not cached, or nothing is.
    Uncached,
    /// It has no safe key.
    Refused,
}

/// A call as the core sees it.
pub(crate) struct Request<'r> {
    pub(crate) call: &'r Call,
    /// The key; none where the call has no safe one.
    pub(crate) key: Option<Key>,
    pub(crate) rule: &'r Arc<Rule>,
    pub(crate) tool: Key,
    pub(crate) traced: Option<Arc<Traced>>,
}

impl Execution {
    pub(crate) fn new(inner: Arc<Inner>, scope: Key) -> Self {
        let enabled = inner.enabled;
        Execution { inner, scope, stats: Arc::default(), round: None, worker: None, enabled }
    }

    /// A worker of the same execution: it sees what others of it have asked.
    pub fn worker(&self, name: &str) -> Execution {
        Execution { worker: Some(name.into()), ..self.clone() }
    }

    /// The same execution with the cache switched off: every call executes, and nothing is kept.
    pub fn disabled(&self) -> Execution {
        Execution { enabled: false, ..self.clone() }
    }

    /// One iteration of the loop, counted by itself too. [`Round::finish`] ends it.
    pub fn iteration(&self, number: u64) -> Round {
        Round { execution: Execution { round: Some((number, Arc::default())), ..self.clone() } }
    }

    /// Runs the tool for a call, unless an equal one was answered before or is under way.
    ///
    /// Of equal calls at the same time one runs the tool and all others get what it gave back, an error too: they
    /// asked before it was known. If that one panics or is cancelled, the next of those that wait runs it. A tool must
    /// not make a call of its own that is equal to the one it is run for: that would wait for itself.
    pub async fn run<F, R>(&self, call: &Call, execute: F) -> Answer
    where
        F: FnOnce() -> R,
        R: Future<Output = Outcome>,
    {
        let mut begun = self.begin(call);
        let ticket = loop {
            match begun {
                Begun::Answered(answer) => return answer,
                Begun::Execute(ticket) => break ticket,
                Begun::Wait(waiter) => begun = waiter.wait(call).await,
            }
        };
        ticket.finish(execute().await)
    }

    /// The same on this thread.
    pub fn run_blocking(&self, call: &Call, execute: impl FnOnce() -> Outcome) -> Answer {
        let mut begun = self.begin(call);
        let ticket = loop {
            match begun {
                Begun::Answered(answer) => return answer,
                Begun::Execute(ticket) => break ticket,
                Begun::Wait(waiter) => begun = waiter.wait_blocking(call),
            }
        };
        ticket.finish(execute())
    }

    /// Begins a call, for harnesses that run their tools themselves.
    pub fn begin(&self, call: &Call) -> Begun {
        let known = self.inner.known(&call.tool);
        let rule = known.map_or(&self.inner.unsaid, |known| &known.rule);
        if !self.enabled || !rule.caches() {
            return self.execute(call, rule, Why::Uncached);
        }
        let tool = known.and_then(|known| known.tool.as_deref());
        let request = Request {
            call,
            key: self.key(call, tool),
            rule,
            tool: known.map_or_else(|| scope::tool(&call.tool), |known| known.key),
            traced: None,
        };
        self.start(request)
    }

    pub(crate) fn key(&self, call: &Call, tool: Option<&Tool>) -> Option<Key> {
        match self.inner.keyer.key(call, tool) {
            Keyed::Key(keyed) => Some(keyed.key),
            Keyed::Refused(_) => None,
        }
    }

    /// Begins a call whose key and rule are known.
    pub(crate) fn start(&self, request: Request<'_>) -> Begun {
        if !self.enabled || !request.rule.caches() {
            return self.execute(request.call, request.rule, Why::Uncached);
        }
        let Some(key) = request.key else {
            return self.execute(request.call, request.rule, Why::Refused);
        };
        let place = Place { scope: self.scope, call: key };
        let now = self.inner.clock.now();
        let begin = || {
            let iteration = self.iteration_of(request.call);
            Flight::new(request.tool, Origin { iteration, traced: request.traced })
        };
        let found = self.inner.shard(&place).find(place, now, begin);
        match found {
            Found::Kept(kept) => Begun::Answered(self.kept(request.call, kept)),
            Found::UnderWay(flight) => {
                let (execution, rule) = (self.clone(), request.rule.clone());
                Begun::Wait(Waiter { execution, rule, place, flight })
            }
            Found::Lead(flight, empty_times) => {
                self.lead(request.call, request.rule, place, flight, empty_times)
            }
        }
    }

    /// Begins anew after a run that others waited for came to nothing.
    pub(crate) fn again(&self, call: &Call, rule: &Arc<Rule>, place: Place, old: &Flight) -> Begun {
        let now = self.inner.clock.now();
        let begin = || Flight::new(old.tool, old.origin.clone());
        let found = self.inner.shard(&place).find(place, now, begin);
        match found {
            Found::Kept(kept) => Begun::Answered(self.kept(call, kept)),
            Found::UnderWay(flight) => {
                Begun::Wait(Waiter { execution: self.clone(), rule: rule.clone(), place, flight })
            }
            Found::Lead(flight, times) => self.lead(call, rule, place, flight, times),
        }
    }

    fn lead(
        &self,
        call: &Call,
        rule: &Arc<Rule>,
        place: Place,
        flight: Arc<Flight>,
        empty_times: u32,
    ) -> Begun {
        self.count(|stats| &stats.executed, 1);
        let led = Led { place, flight, empty_times };
        Begun::Execute(Ticket::new(self.clone(), &call.tool, rule.clone(), Some(led)))
    }

    /// A run that leads nothing: its result is for its caller alone.
    fn execute(&self, call: &Call, rule: &Arc<Rule>, why: Why) -> Begun {
        self.count(|stats| &stats.executed, 1);
        match why {
            Why::Uncached => self.count(|stats| &stats.uncached, 1),
            Why::Refused => self.count(|stats| &stats.refused, 1),
        }
        Begun::Execute(Ticket::new(self.clone(), &call.tool, rule.clone(), None))
    }

    fn kept(&self, call: &Call, kept: Kept) -> Answer {
        let hint = (kept.empty_times > 0)
            .then(|| Hint { tool: call.tool.as_str().into(), times: kept.empty_times });
        self.prevented(call, false, kept.took, hint.is_some());
        Answer {
            outcome: kept.outcome,
            source: Source::Cached { age: kept.age },
            first_at: kept.origin.iteration,
            hint,
            traced: kept.origin.traced,
        }
    }

    /// The answer of a run that this call waited for.
    pub(crate) fn shared(&self, call: &Call, flight: &Flight, landed: &Landed) -> Answer {
        self.prevented(call, true, landed.took, landed.hint.is_some());
        Answer {
            outcome: landed.outcome.clone(),
            source: Source::Shared,
            first_at: flight.origin.iteration,
            hint: landed.hint.clone(),
            traced: flight.origin.traced.clone(),
        }
    }

    fn prevented(&self, call: &Call, is_shared: bool, took: u64, is_hinted: bool) {
        self.count(|stats| &stats.prevented, 1);
        if is_shared {
            self.count(|stats| &stats.shared, 1);
        }
        if is_hinted {
            self.count(|stats| &stats.hints, 1);
        }
        if took > 0 {
            self.count(|stats| &stats.saved_micros, took);
        }
        if !self.inner.quiet {
            let iteration = self.iteration_of(call);
            events::prevented(
                &call.tool,
                &call.arguments,
                iteration,
                self.worker.as_deref(),
                is_shared,
            );
        }
    }

    /// The iteration that events name: the round's, else the call's own step where that is a number.
    fn iteration_of(&self, call: &Call) -> Option<u64> {
        match &self.round {
            Some((number, _)) => Some(*number),
            None => call.scope.effective_step().and_then(|step| step.parse().ok()),
        }
    }

    pub(crate) fn count(&self, counter: impl Fn(&Stats) -> &AtomicU64, more: u64) {
        add(counter(&self.stats), more);
        if let Some((_, stats)) = &self.round {
            add(counter(stats), more);
        }
    }

    /// Makes what is kept of some tools out of date, for harnesses that learn of a change elsewhere.
    pub fn invalidate(&self, tools: &[&str]) {
        for name in tools {
            let key = self.inner.known(name).map_or_else(|| scope::tool(name), |known| known.key);
            self.inner.for_each_shard(|shard| shard.invalidate(self.scope, Some(key), None));
        }
    }

    /// What was executed and what was spared so far, workers included.
    pub fn summary(&self) -> Summary {
        self.stats.summary()
    }

    /// Ends the execution: forgets what it keeps, records the summary and answers it.
    pub fn end(self) -> Summary {
        self.inner.for_each_shard(|shard| shard.end(self.scope));
        let summary = self.summary();
        if !self.inner.quiet {
            events::execution_complete(&summary);
        }
        summary
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Entries that this execution keeps now.
    pub(crate) fn kept_entries(&self) -> u64 {
        let mut entries = 0;
        self.inner.for_each_shard(|shard| entries += shard.entries_of(self.scope));
        entries
    }

    pub(crate) fn now(&self) -> Duration {
        self.inner.clock.now()
    }
}

/// One iteration of a loop: a thin view of its execution.
pub struct Round {
    execution: Execution,
}

impl Round {
    /// As [`Execution::run`].
    pub async fn run<F, R>(&self, call: &Call, execute: F) -> Answer
    where
        F: FnOnce() -> R,
        R: Future<Output = Outcome>,
    {
        self.execution.run(call, execute).await
    }

    /// As [`Execution::run_blocking`].
    pub fn run_blocking(&self, call: &Call, execute: impl FnOnce() -> Outcome) -> Answer {
        self.execution.run_blocking(call, execute)
    }

    /// As [`Execution::begin`].
    pub fn begin(&self, call: &Call) -> Begun {
        self.execution.begin(call)
    }

    pub(crate) fn start(&self, request: Request<'_>) -> Begun {
        self.execution.start(request)
    }

    /// Ends the iteration: records its summary and answers it.
    pub fn finish(self) -> Summary {
        let Some((number, stats)) = &self.execution.round else { return Summary::default() };
        let summary = stats.summary();
        if !self.execution.inner.quiet {
            events::iteration_complete(*number, self.execution.worker.as_deref(), &summary);
        }
        summary
    }
}
