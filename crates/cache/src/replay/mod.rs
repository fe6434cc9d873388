//! A recorded trace through the cache: what each strategy would have executed, prevented, and answered wrongly.
//!
//! Nothing is run. A call that the cache would not have answered is executed with the result that the trace has for it; a
//! call that it would have answered is compared with the result that the real call had. Memory holds what is kept, and the
//! calls whose results have not come yet: it does not grow with the trace.

mod lane;
mod trace;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use samecall_call::cached::Cached;
use samecall_call::{Call, Catalog, LineReader, Resolver, Tool};
use samecall_keyer::{Key, Keyer};

use crate::error::{Error, Result};
use crate::policy::{Effect, Policies, Rule};
use crate::shard::Traced;
use lane::{Lane, Pending, State};
use trace::Owner;
use trace::{Line, Recorded, TraceCall, TraceResult};

/// Lines that are keyed together, for strategies that pay for each question.
const BATCH: usize = 256;
/// Most calls that may wait for their results.
const MAX_PENDING: usize = 100_000;
/// Most names of models, or of tools, that are told apart.
pub(crate) const MAX_NAMES: usize = 1000;

/// Whether two calls say the same, by somebody who is no strategy.
pub type Judge<'j> = &'j dyn Fn(&Call, &Call, Option<&Tool>) -> bool;

/// Counts the tokens of a text.
pub type Tokens<'t> = &'t dyn Fn(&str) -> u64;

/// What a replay goes by.
pub struct Options<'o> {
    /// The strategies.
    pub keyers: Vec<Box<dyn Keyer>>,
    /// The tools.
    pub catalog: Catalog,
    /// The policies and bounds.
    pub policies: Policies,
    /// Whether a tool of which neither policy nor catalog nor trace says anything is taken for a read, as the published
    /// cache takes every tool; else it is never answered from the cache, as in [`crate::Cache`].
    pub assume_reads: bool,
    /// Who says whether a hit was right. Where the trace states the intents of both calls, they count instead.
    pub judge: Judge<'o>,
    /// What counts tokens; none counts none.
    pub tokens: Option<Tokens<'o>>,
    /// Leaves out lines that cannot be read, and counts them.
    pub skip_bad: bool,
    /// The strategy whose events are recorded; none where no events are wanted.
    pub events: Option<String>,
}

/// Sends a trace through the cache, once for each strategy.
///
/// # Errors
/// When a line cannot be read, a result is that of no call, or a policy names a tool that neither the catalog nor the
/// trace has: with file and line.
pub fn replay(mut lines: LineReader, options: Options<'_>) -> Result<Cached> {
    let name = lines.name().to_owned();
    let mut replay = Replay::new(&name, options);
    let mut batch: Vec<(u64, Line)> = Vec::with_capacity(BATCH);
    loop {
        let next = match lines.next_line() {
            Ok(None) => None,
            Ok(Some((number, line))) => Some((number, Line::read(line))),
            Err(samecall_call::Error::Line { line, reason, .. }) => {
                Some((line, Err(format!("{reason}; write the whole trace as UTF-8"))))
            }
            Err(error) => return Err(error.into()),
        };
        match next {
            Some((number, Ok(line))) => batch.push((number, line)),
            Some((number, Err(reason))) => replay.bad(number, reason)?,
            None => {
                replay.take(std::mem::take(&mut batch))?;
                return replay.finish();
            }
        }
        if batch.len() == BATCH {
            replay.take(std::mem::take(&mut batch))?;
        }
    }
}

struct Replay<'o> {
    name: String,
    resolver: Resolver,
    policies: Arc<Policies>,
    assume_reads: bool,
    skip_bad: bool,
    judge: Judge<'o>,
    tokens: Option<Tokens<'o>>,
    lanes: Vec<Lane>,
    rules: HashMap<(String, Effect), Arc<Rule>>,
    pending: HashMap<String, Vec<Pending>>,
    waiting: usize,
    /// Names in the policy file that no catalog has and no call had so far.
    unknown: BTreeSet<String>,
    found: Cached,
}

/// A call with what all strategies go by.
pub(crate) struct Known {
    pub(crate) traced: Arc<Traced>,
    pub(crate) tool: Option<Arc<Tool>>,
    pub(crate) rule: Arc<Rule>,
    pub(crate) model: String,
    pub(crate) at: Option<std::time::Duration>,
    pub(crate) model_time: std::time::Duration,
}

impl<'o> Replay<'o> {
    fn new(name: &str, options: Options<'o>) -> Self {
        let mut policies = options.policies;
        policies.use_own_names(&options.catalog);
        let unknown = policies
            .names()
            .into_iter()
            .filter(|name| options.catalog.by_name(name).is_none())
            .map(str::to_owned)
            .collect();
        let lanes = options
            .keyers
            .into_iter()
            .map(|keyer| {
                let quiet = options.events.as_deref() != Some(keyer.name());
                Lane::new(keyer.into(), policies.clone(), quiet)
            })
            .collect();
        let found = Cached {
            input: name.to_owned(),
            policy: policies.file().to_owned(),
            ..Cached::default()
        };
        Replay {
            name: name.to_owned(),
            resolver: Resolver::new(options.catalog),
            policies: Arc::new(policies),
            assume_reads: options.assume_reads,
            skip_bad: options.skip_bad,
            judge: options.judge,
            tokens: options.tokens,
            lanes,
            rules: HashMap::new(),
            pending: HashMap::new(),
            waiting: 0,
            unknown,
            found,
        }
    }

    fn bad(&mut self, number: u64, reason: String) -> Result<()> {
        if self.skip_bad {
            self.found.skipped += 1;
            return Ok(());
        }
        Err(samecall_call::Error::line(&self.name, number, reason).into())
    }

    fn take(&mut self, batch: Vec<(u64, Line)>) -> Result<()> {
        let mut known = Vec::with_capacity(batch.len());
        let mut lines = Vec::with_capacity(batch.len());
        for (number, line) in batch {
            let call = match &line {
                Line::Call(call) | Line::Both(call, _) => Some(self.know(call)),
                Line::Result(_) => None,
            };
            match call.transpose() {
                Ok(call) => {
                    known.push(call.map(Arc::new));
                    lines.push((number, line));
                }
                Err(reason) => self.bad(number, reason)?,
            }
        }
        let asked: Vec<(&Call, Option<&Tool>)> = known
            .iter()
            .flatten()
            .map(|known| (&known.traced.call, known.tool.as_deref()))
            .collect();
        let mut keys: Vec<std::vec::IntoIter<Option<Key>>> = self
            .lanes
            .iter()
            .map(|lane| {
                let outcomes = lane.keyer.keys(&asked);
                outcomes.iter().map(|outcome| outcome.key()).collect::<Vec<_>>().into_iter()
            })
            .collect();
        for ((number, line), known) in lines.into_iter().zip(known) {
            let keys: Vec<Option<Key>> = match &known {
                Some(_) => keys.iter_mut().map(|keys| keys.next().flatten()).collect(),
                None => Vec::new(),
            };
            // Before anything is counted: a line that is left out must leave nothing behind.
            if let Line::Call(call) = &line
                && let Some(reason) = self.repeats_id(call)
            {
                self.bad(number, reason)?;
                continue;
            }
            let states = known.as_ref().map(|known| {
                let lanes = self.lanes.iter_mut().zip(keys);
                lanes.map(|(lane, key)| lane.begin(known, key, self.judge)).collect()
            });
            match (line, known, states) {
                (Line::Call(call), Some(known), Some(states)) => {
                    self.wait(number, call, known, states)?;
                }
                (Line::Both(_, recorded), Some(known), Some(states)) => {
                    self.settle(&known, states, &recorded);
                }
                (Line::Result(result), ..) => self.result(number, &result)?,
                // A call is always known.
                (Line::Call(_) | Line::Both(..), ..) => {}
            }
        }
        Ok(())
    }

    /// Finds tool and rule of a call.
    fn know(&mut self, traced: &TraceCall) -> Result<Known, String> {
        let call = &traced.call;
        let tool = self.resolver.resolve(&call.tool, &traced.schema)?;
        let stated = tool.as_ref().map_or(Effect::Unsaid, |tool| Effect::of(&tool.annotations));
        let mut effect = stated.and(traced.effect);
        self.unknown.remove(&call.tool);
        let own = tool.as_ref().map_or(call.tool.as_str(), |tool| tool.name.as_str());
        let policy = if self.policies.has(&call.tool) { call.tool.as_str() } else { own };
        if effect == Effect::Unsaid && tool.is_none() && self.assume_reads {
            effect = Effect::Reads { open_world: true };
            if !self.policies.has(policy) {
                let assumed = &mut self.found.assumed_reads;
                let name = if assumed.len() < MAX_NAMES { policy } else { "(others)" };
                *assumed.entry(name.to_owned()).or_default() += 1;
            }
        }
        if self.rules.len() > 4 * MAX_NAMES {
            self.rules.clear();
        }
        let policies = &self.policies;
        let rule = self
            .rules
            .entry((policy.to_owned(), effect))
            .or_insert_with(|| Arc::new(policies.rule(policy, effect)))
            .clone();
        Ok(Known {
            traced: Arc::new(Traced { call: call.clone(), intent: traced.intent.clone() }),
            tool,
            rule,
            model: traced.model.clone(),
            at: traced.at,
            model_time: traced.model_time,
        })
    }

    /// Why a call's id cannot be told from another's that waits for its result.
    fn repeats_id(&self, call: &TraceCall) -> Option<String> {
        let owner = Owner::of(&call.call);
        let mut waiting = self.pending.get(&call.id)?.iter();
        waiting.find(|other| other.owner == owner).map(|other| {
            format!(
                "`id` is that of the call in line {}, which has no result yet; give every call of a run its own",
                other.line
            )
        })
    }

    /// Keeps a call until its result comes.
    fn wait(
        &mut self,
        number: u64,
        call: TraceCall,
        known: Arc<Known>,
        states: Vec<State>,
    ) -> Result<()> {
        let owner = Owner::of(&call.call);
        if self.waiting == MAX_PENDING {
            let reason = format!(
                "more than {MAX_PENDING} calls wait for a result; write results after their calls"
            );
            return Err(samecall_call::Error::line(&self.name, number, reason).into());
        }
        self.waiting += 1;
        let waiting = self.pending.entry(call.id).or_default();
        waiting.push(Pending { line: number, owner, known, states });
        Ok(())
    }

    fn result(&mut self, number: u64, result: &TraceResult) -> Result<()> {
        let mut fitting = self
            .pending
            .get(&result.id)
            .into_iter()
            .flatten()
            .enumerate()
            .filter(|(_, pending)| result.owner.may_be(&pending.owner))
            .map(|(at, _)| at);
        let (first, second) = (fitting.next(), fitting.next());
        let (Some(at), None) = (first, second) else {
            let reason = match second {
                Some(_) => {
                    "`id` is that of calls of several runs; add `run_id` (and `tenant`) to the result"
                }
                None => {
                    "`id` names no call before this line that has no result yet; a result must follow its call"
                }
            };
            return self.bad(number, reason.to_owned());
        };
        let Some(waiting) = self.pending.get_mut(&result.id) else { return Ok(()) };
        let pending = waiting.swap_remove(at);
        if waiting.is_empty() {
            self.pending.remove(&result.id);
        }
        self.waiting -= 1;
        self.settle(&pending.known, pending.states, &result.recorded);
        Ok(())
    }

    fn settle(&mut self, known: &Arc<Known>, states: Vec<State>, recorded: &Recorded) {
        for (lane, state) in self.lanes.iter_mut().zip(states) {
            lane.settle(known, state, recorded, self.tokens);
        }
    }

    fn finish(mut self) -> Result<Cached> {
        self.policies.check(|name| !self.unknown.contains(name))?;
        self.found.unanswered = self.waiting as u64;
        let mut left: Vec<Pending> = self.pending.into_values().flatten().collect();
        left.sort_by_key(|pending| pending.line);
        for pending in left {
            for (lane, state) in self.lanes.iter_mut().zip(pending.states) {
                lane.give_up(&pending.known, state);
            }
        }
        let mut calls = 0;
        for lane in self.lanes {
            let name = lane.keyer.name().to_owned();
            let strategy = lane.finish();
            calls = strategy.total.calls;
            self.found.strategies.insert(name, strategy);
        }
        if calls == 0 {
            let reason = "has no call";
            return Err(Error::from(samecall_call::Error::line(&self.name, 1, reason)));
        }
        Ok(self.found)
    }
}

/// What the canaries must show: `random` and `refuse` prevent nothing, and no strategy finds more repeats than `constant`,
/// to which all calls of an execution are one. (What is prevented depends on times and errors too: a kept result that an
/// error replaces is gone, so there `constant` may prevent less than others.)
///
/// # Errors
/// A sentence that says which canary lied.
pub fn check_canaries(found: &Cached) -> Result<(), String> {
    for name in ["random", "refuse"] {
        if found.strategies.get(name).is_some_and(|strategy| strategy.total.prevented > 0) {
            return Err(format!("the canary `{name}` must prevent nothing"));
        }
    }
    let most = found.strategies.values().map(|strategy| strategy.total.duplicates).max();
    match found.strategies.get("constant") {
        Some(constant) if constant.duplicates_exact && Some(constant.total.duplicates) < most => {
            Err("the canary `constant` must find as many repeats as any other".to_owned())
        }
        _ => Ok(()),
    }
}
