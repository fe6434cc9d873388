//! One strategy's way through a trace: its cache, its clock, its counts.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use lru::LruCache;
use samecall_call::cached::{CachedCounts, CachedStrategy};
use samecall_keyer::{Key, Keyer};

use super::trace::{Owner, Recorded};
use super::{Judge, Known, MAX_NAMES, Tokens};
use crate::cache::Cache;
use crate::execution::{Begun, Execution, Request, Round};
use crate::outcome::Answer;
use crate::policy::Policies;
use crate::scope::{self, Place};
use crate::shard::Traced;
use crate::ticket::{Ticket, Waiter};
use crate::time::Manual;

/// Keys that are remembered to count repeats.
const MAX_SEEN: NonZeroUsize = NonZeroUsize::new(100_000).expect("it is not zero");
/// Executions that are kept at once; the one that was quiet for longest ends.
const MAX_RUNS: NonZeroUsize = NonZeroUsize::new(10_000).expect("it is not zero");

/// A call whose result has not come yet.
pub(crate) struct Pending {
    /// The call's line.
    pub(crate) line: u64,
    /// Whose it is.
    pub(crate) owner: Owner,
    pub(crate) known: Arc<Known>,
    /// By lane.
    pub(crate) states: Vec<State>,
}

/// What a strategy did about a call.
pub(crate) enum State {
    /// Ran the tool.
    Running(Ticket),
    /// Answered.
    Answered { served: Answer, is_wrong: bool },
    /// Waits for an equal call.
    Waiting { waiter: Waiter, is_wrong: bool },
}

struct Deferred {
    known: Arc<Known>,
    waiter: Waiter,
    is_wrong: bool,
    recorded: Recorded,
}

pub(crate) struct Lane {
    pub(crate) keyer: Arc<dyn Keyer>,
    cache: Cache,
    clock: Arc<Manual>,
    /// Live executions with the round that they are in.
    runs: LruCache<Key, Run>,
    seen: LruCache<Place, ()>,
    deferred: Vec<Deferred>,
    counts: Counts,
    forgot: bool,
}

struct Run {
    execution: Execution,
    round: Option<(u64, Round)>,
}

impl Run {
    fn end(self) {
        if let Some((_, round)) = self.round {
            round.finish();
        }
        self.execution.end();
    }
}

impl Lane {
    pub(crate) fn new(keyer: Arc<dyn Keyer>, policies: Policies, quiet: bool) -> Self {
        let clock = Arc::new(Manual::default());
        let cache = Cache::builder()
            .keyer(keyer.clone())
            .policies(policies)
            .clock(clock.clone())
            .quiet(quiet)
            .build_unchecked();
        Lane {
            keyer,
            cache,
            clock,
            runs: LruCache::new(MAX_RUNS),
            seen: LruCache::new(MAX_SEEN),
            deferred: Vec::new(),
            counts: Counts::default(),
            forgot: false,
        }
    }

    /// Begins a call with the key that this strategy gives it.
    pub(crate) fn begin(
        &mut self,
        known: &Arc<Known>,
        key: Option<Key>,
        judge: Judge<'_>,
    ) -> State {
        match known.at {
            Some(at) => self.clock.reach(at),
            None => self.clock.advance(known.model_time),
        }
        let place_of_run = self.enter(known);
        let is_repeat = key.is_some_and(|call| self.see(Place { scope: place_of_run, call }));
        let own = known.tool.as_ref().map_or(known.traced.call.tool.as_str(), |tool| &tool.name);
        let request = Request {
            call: &known.traced.call,
            key,
            rule: &known.rule,
            tool: scope::tool(own),
            traced: Some(known.traced.clone()),
        };
        let begun = match self.runs.get(&place_of_run) {
            Some(Run { round: Some((_, round)), .. }) => round.start(request),
            Some(Run { execution, .. }) => execution.start(request),
            // It was entered a moment ago.
            None => self.cache.execution(None, "").start(request),
        };
        let is_wrong = |first: Option<&Arc<Traced>>| {
            first.is_some_and(|first| !says_same(first, &known.traced, known, judge))
        };
        let (state, is_wrong) = match begun {
            Begun::Execute(ticket) => (State::Running(ticket), false),
            Begun::Answered(served) => {
                let is_wrong = is_wrong(served.traced.as_ref());
                (State::Answered { served, is_wrong }, is_wrong)
            }
            Begun::Wait(waiter) => {
                let is_wrong = is_wrong(waiter.flight.origin.traced.as_ref());
                (State::Waiting { waiter, is_wrong }, is_wrong)
            }
        };
        let is_executed = matches!(state, State::Running(_));
        let is_shared = matches!(state, State::Waiting { .. });
        let is_uncached = is_executed && !known.rule.caches();
        let is_refused = is_executed && known.rule.caches() && key.is_none();
        self.counts.each(known, |counts| {
            counts.calls += 1;
            counts.duplicates += u64::from(is_repeat);
            counts.executed += u64::from(is_executed);
            counts.prevented += u64::from(!is_executed);
            counts.shared += u64::from(is_shared);
            counts.wrong_hits += u64::from(is_wrong);
            counts.uncached += u64::from(is_uncached);
            counts.refused += u64::from(is_refused);
            counts.model_ms += millis(known.model_time);
        });
        state
    }

    /// Finds or opens the call's execution, and its round where the step is a number.
    fn enter(&mut self, known: &Known) -> Key {
        let place = &known.traced.call.scope;
        let (tenant, run) = (place.tenant.as_deref(), place.run_id.value().unwrap_or_default());
        let scope = scope::scope(tenant, run);
        if self.runs.peek(&scope).is_none() {
            let execution = self.cache.execution(tenant, run);
            if let Some((_, old)) = self.runs.push(scope, Run { execution, round: None }) {
                old.end();
                self.forgot = true;
            }
        }
        let step = place.step.value().and_then(|step| step.parse().ok());
        if let (Some(step), Some(run)) = (step, self.runs.get_mut(&scope))
            && run.round.as_ref().is_none_or(|(at, _)| *at != step)
        {
            if let Some((_, round)) = run.round.take() {
                round.finish();
            }
            run.round = Some((step, run.execution.iteration(step)));
        }
        scope
    }

    /// Whether a key came before in its execution.
    fn see(&mut self, place: Place) -> bool {
        if self.seen.get(&place).is_some() {
            return true;
        }
        self.forgot |= self.seen.push(place, ()).is_some();
        false
    }

    /// Compares what a call was answered with what it really got.
    pub(crate) fn settle(
        &mut self,
        known: &Arc<Known>,
        state: State,
        recorded: &Recorded,
        tokens: Option<Tokens<'_>>,
    ) {
        match state {
            State::Running(ticket) => {
                let took = recorded.took.unwrap_or_default();
                if known.at.is_none() {
                    self.clock.advance(took);
                }
                self.counts.each(known, |counts| {
                    counts.timed += u64::from(recorded.took.is_some());
                    counts.executed_ms += millis(took);
                });
                let _ = ticket.finish_after(recorded.outcome.clone(), took);
                self.settle_deferred(tokens);
            }
            State::Answered { served, is_wrong } => {
                self.compare(known, &served, is_wrong, recorded, tokens);
            }
            State::Waiting { waiter, is_wrong } => {
                let recorded = recorded.clone();
                let deferred = Deferred { known: known.clone(), waiter, is_wrong, recorded };
                self.deferred.push(deferred);
                self.settle_deferred(tokens);
            }
        }
    }

    /// Compares those whose equal call has ended by now.
    fn settle_deferred(&mut self, tokens: Option<Tokens<'_>>) {
        let (ended, left) = std::mem::take(&mut self.deferred)
            .into_iter()
            .partition(|deferred: &Deferred| deferred.waiter.flight.look().is_some());
        self.deferred = left;
        for Deferred { known, waiter, is_wrong, recorded } in ended {
            match waiter.flight.look() {
                Some(Some(landed)) => {
                    let served =
                        waiter.execution.shared(&known.traced.call, &waiter.flight, landed);
                    self.compare(&known, &served, is_wrong, &recorded, tokens);
                }
                _ => self.give_up_hit(&known, is_wrong),
            }
        }
    }

    fn compare(
        &mut self,
        known: &Known,
        served: &Answer,
        is_wrong: bool,
        recorded: &Recorded,
        tokens: Option<Tokens<'_>>,
    ) {
        let is_stale = !is_wrong && served.outcome != recorded.outcome;
        let spared = spared_tokens(served, recorded, tokens);
        let took = recorded.took.unwrap_or_default();
        self.counts.each(known, |counts| {
            counts.stale_hits += u64::from(is_stale);
            counts.timed += u64::from(recorded.took.is_some());
            counts.saved_ms += millis(took);
            match spared {
                Some(tokens) => counts.tokens_saved += tokens,
                None => counts.tokens_unknown += 1,
            }
        });
    }

    /// Ends a call whose result the trace does not have.
    pub(crate) fn give_up(&mut self, known: &Arc<Known>, state: State) {
        match state {
            State::Running(_) => {}
            State::Answered { is_wrong, .. } | State::Waiting { is_wrong, .. } => {
                self.give_up_hit(known, is_wrong);
            }
        }
    }

    fn give_up_hit(&mut self, known: &Known, is_wrong: bool) {
        self.counts.each(known, |counts| {
            counts.unjudged += u64::from(!is_wrong);
            counts.tokens_unknown += 1;
        });
    }

    pub(crate) fn finish(mut self) -> CachedStrategy {
        for Deferred { known, is_wrong, .. } in std::mem::take(&mut self.deferred) {
            self.give_up_hit(&known, is_wrong);
        }
        let evictions = self.cache.evictions();
        while let Some((_, run)) = self.runs.pop_lru() {
            run.end();
        }
        let Counts { mut total, mut by_model, mut by_tool } = self.counts;
        by_model.values_mut().chain(by_tool.values_mut()).for_each(complete);
        complete(&mut total);
        CachedStrategy {
            total,
            by_model,
            by_tool,
            evicted: evictions.for_entries + evictions.for_bytes + evictions.too_large,
            duplicates_exact: !self.forgot,
        }
    }
}

/// Fills in what follows from the counts, and rounds sums of times to the microsecond that they are made of.
fn complete(counts: &mut CachedCounts) {
    let all = counts.executed + counts.prevented;
    if all > 0 {
        counts.savings = (1e6 * counts.prevented as f64 / all as f64).round() / 1e6;
    }
    for sum in [&mut counts.executed_ms, &mut counts.saved_ms, &mut counts.model_ms] {
        *sum = (*sum * 1000.0).round() / 1000.0;
    }
}

fn millis(length: Duration) -> f64 {
    length.as_micros() as f64 / 1000.0
}

/// Whether two calls say the same: by the intents that the trace states, else by the judge.
fn says_same(first: &Traced, second: &Traced, known: &Known, judge: Judge<'_>) -> bool {
    match (&first.intent, &second.intent) {
        (Some(first), Some(second)) => first == second,
        _ => judge(&first.call, &second.call, known.tool.as_deref()),
    }
}

/// Tokens of the result less those of a reference in its place; none where the trace has no text.
fn spared_tokens(served: &Answer, recorded: &Recorded, tokens: Option<Tokens<'_>>) -> Option<u64> {
    let count = tokens.filter(|_| recorded.is_text)?;
    let result = std::str::from_utf8(&served.outcome.bytes).ok()?;
    let reference = served.reference()?;
    Some(count(result).saturating_sub(count(&reference)))
}

#[derive(Default)]
struct Counts {
    total: CachedCounts,
    by_model: BTreeMap<String, CachedCounts>,
    by_tool: BTreeMap<String, CachedCounts>,
}

impl Counts {
    fn each(&mut self, known: &Known, change: impl Fn(&mut CachedCounts)) {
        change(&mut self.total);
        change(named(&mut self.by_model, &known.model));
        change(named(&mut self.by_tool, &known.traced.call.tool));
    }
}

fn named<'m>(map: &'m mut BTreeMap<String, CachedCounts>, name: &str) -> &'m mut CachedCounts {
    let name = if map.len() < MAX_NAMES || map.contains_key(name) { name } else { "(others)" };
    map.entry(name.to_owned()).or_default()
}
