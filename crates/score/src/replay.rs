//! The replay: every pair of every source past every strategy, on all cores, in bounded memory.
//!
//! Workers take batches from the sources in turn, judge them into counters of their own, and add those to
//! the common ones. Sums do not care in which order they are made, so the result is the same for any
//! number of threads.

use crate::canary::CANARIES;
use crate::error::{Error, Result};
use crate::finish::{Context, finish};
use crate::kept::hash;
use crate::phase::{ROTATION, place, respelled};
use crate::source::{Batch, PairSource};
use crate::tally::{Bucket, Judged, Tallies};

use samecall_call::result::{Input, Results};
use samecall_call::{Call, Catalog, Pair, SchemaRef, Tool, Truth};
use samecall_keyer::{Keyer, Outcome, by_name, names, verdict};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Strategies in one replay.
const STRATEGIES: usize = 64;
/// Inline schemas that a worker remembers before it forgets them all.
const INLINE_TOOLS: usize = 1024;

/// What to score, and how.
pub struct Options<'a> {
    /// The strategies; canaries that are missing are added. Of two of one name the first counts.
    pub keyers: Vec<Box<dyn Keyer>>,
    /// The tools by name and key.
    pub catalog: &'a Catalog,
    /// Productions on which real executors differ: pairs made with one are counted apart.
    pub executor_dependent: BTreeSet<String>,
    /// Sets whose retries are written anew by every serializer of the article's rotation.
    pub serializer_phase: BTreeSet<String>,
    /// The seed of the run, for the result.
    pub seed: Option<u64>,
    /// How many threads work; none for as many as there are cores.
    pub threads: Option<usize>,
    /// Leave out records that cannot be read, and count them.
    pub skip_bad: bool,
    /// Show argument values in examples.
    pub show_values: bool,
    /// Called after each batch, on any thread.
    pub on_progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl<'a> Options<'a> {
    /// These strategies with the tools of a catalog, and defaults for the rest.
    pub fn new(keyers: Vec<Box<dyn Keyer>>, catalog: &'a Catalog) -> Self {
        Options {
            keyers,
            catalog,
            executor_dependent: BTreeSet::new(),
            serializer_phase: BTreeSet::from(["article".to_owned()]),
            seed: None,
            threads: None,
            skip_bad: false,
            show_values: false,
            on_progress: None,
        }
    }
}

/// How far one batch brought the replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Pairs in the batch.
    pub pairs: u64,
    /// Bytes of input in the batch; 0 for a generator.
    pub bytes: u64,
}

/// The strategies of these names.
///
/// # Errors
/// When a name is unknown; the error lists those that are known.
pub fn strategies<S: AsRef<str>>(wanted: &[S]) -> Result<Vec<Box<dyn Keyer>>> {
    let find = |name: &S| {
        by_name(name.as_ref()).ok_or_else(|| Error::UnknownStrategy {
            name: name.as_ref().to_owned(),
            known: names().collect::<Vec<_>>().join(", "),
        })
    };
    wanted.iter().map(find).collect()
}

/// Replays all pairs of all sources.
///
/// # Errors
/// When a source cannot be read or holds no pair, a record is bad (the first one in the order of the
/// input) and bad ones are not left out, or there are more strategies, sets or labels than are counted
/// in bounded memory.
pub fn replay(sources: Vec<Box<dyn PairSource>>, options: Options<'_>) -> Result<Results> {
    if sources.is_empty() {
        return Err(Error::NoSource);
    }
    let judge = Judge::new(options)?;
    let inputs = sources.iter().map(|s| Input { name: s.name().to_owned(), ..Input::default() });
    let run = Run {
        total: Mutex::new(Total {
            tallies: Tallies::new(judge.keyers.len()),
            inputs: inputs.collect(),
            error: None,
        }),
        feed: Mutex::new(Feed { sources, source: 0, order: 0, stopped: false }),
        judge,
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(run.judge.options.threads.unwrap_or(0))
        .build()?;
    pool.broadcast(|_| run.work());

    let Run { judge, feed, total } = run;
    let total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, error)) = total.error {
        return Err(error);
    }
    let sources = feed.into_inner().unwrap_or_else(PoisonError::into_inner).sources;
    if let Some(input) = total.inputs.iter().find(|input| input.pairs == 0) {
        return Err(Error::Empty { name: input.name.clone() });
    }
    let names: Vec<String> = judge.keyers.iter().map(|k| k.name().to_owned()).collect();
    let compared: Vec<bool> = names.iter().map(|n| !CANARIES.contains(&n.as_str())).collect();
    let show_values = judge.options.show_values;
    let context = Context { strategies: &names, compared: &compared, show_values };
    let mut results = finish(&total.tallies, &context);
    results.seed = judge.options.seed;
    results.inputs = total.inputs;
    for (input, source) in results.inputs.iter_mut().zip(&sources) {
        input.sha256 = source.digest();
    }
    Ok(results)
}

/// Where workers fetch their batches.
struct Feed {
    sources: Vec<Box<dyn PairSource>>,
    source: usize,
    /// How many batches were handed out.
    order: usize,
    stopped: bool,
}

/// One batch and where it stands.
struct Work {
    batch: Box<dyn Batch>,
    source: usize,
    order: usize,
}

impl Feed {
    fn next(&mut self) -> Result<Option<Work>, (usize, Error)> {
        while !self.stopped && self.source < self.sources.len() {
            self.order += 1;
            match self.sources[self.source].next_batch() {
                Ok(Some(batch)) => {
                    return Ok(Some(Work { batch, source: self.source, order: self.order }));
                }
                Ok(None) => self.source += 1,
                Err(error) => {
                    self.stopped = true;
                    return Err((self.order, error));
                }
            }
        }
        Ok(None)
    }
}

struct Total {
    tallies: Tallies,
    inputs: Vec<Input>,
    /// The error of the earliest batch, with its place.
    error: Option<(usize, Error)>,
}

struct Run<'a> {
    judge: Judge<'a>,
    feed: Mutex<Feed>,
    total: Mutex<Total>,
}

impl Run<'_> {
    /// Works off batches until there are none. All batches before one that fails were handed out before
    /// it and are finished, so the earliest error is found whichever thread was faster.
    fn work(&self) {
        let mut tools = InlineTools::default();
        loop {
            let next = self.feed.lock().unwrap_or_else(PoisonError::into_inner).next();
            let work = match next {
                Ok(Some(work)) => work,
                Ok(None) => return,
                Err((order, error)) => return self.fail(order, error),
            };
            let (source, order) = (work.source, work.order);
            if let Err(error) = self.judge_batch(work.batch, source, &mut tools) {
                return self.fail(order, error);
            }
        }
    }

    fn judge_batch(
        &self,
        batch: Box<dyn Batch>,
        source: usize,
        tools: &mut InlineTools,
    ) -> Result<()> {
        let bytes = batch.bytes();
        let skip_bad = self.judge.options.skip_bad;
        let mut tallies = Tallies::new(self.judge.keyers.len());
        let (mut pairs, mut skipped) = (0, 0);
        let mut failed = None;
        batch.for_each(&mut |pair| match pair {
            _ if failed.is_some() => {}
            Ok(pair) => match self.judge.judge(&pair, tools, &mut tallies) {
                Ok(()) => pairs += 1,
                Err(_) if skip_bad => skipped += 1,
                Err(reason) => failed = Some(Error::BadPair { id: pair.id, reason }),
            },
            Err(_) if skip_bad => skipped += 1,
            Err(error) => failed = Some(error.into()),
        });
        if let Some(error) = failed {
            return Err(error);
        }
        {
            let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
            total.tallies.merge(tallies)?;
            total.inputs[source].pairs += pairs;
            total.inputs[source].skipped += skipped;
        }
        if let Some(report) = self.judge.options.on_progress {
            report(Progress { pairs, bytes });
        }
        Ok(())
    }

    fn fail(&self, order: usize, error: Error) {
        self.feed.lock().unwrap_or_else(PoisonError::into_inner).stopped = true;
        let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
        if total.error.as_ref().is_none_or(|(earliest, _)| order < *earliest) {
            total.error = Some((order, error));
        }
    }
}

/// What every worker needs to judge a pair.
struct Judge<'a> {
    options: Options<'a>,
    keyers: Vec<Box<dyn Keyer>>,
    raw: Box<dyn Keyer>,
    /// Tells first calls apart.
    canonical: Box<dyn Keyer>,
}

impl<'a> Judge<'a> {
    fn new(mut options: Options<'a>) -> Result<Self> {
        let mut keyers: Vec<Box<dyn Keyer>> = Vec::new();
        let canaries = strategies(&CANARIES)?;
        for keyer in std::mem::take(&mut options.keyers).into_iter().chain(canaries) {
            if keyers.iter().all(|k| k.name() != keyer.name()) {
                keyers.push(keyer);
            }
        }
        if keyers.len() > STRATEGIES {
            let advice = "score them in several runs";
            return Err(Error::TooMany { what: "strategies".into(), limit: STRATEGIES, advice });
        }
        let one = |name| {
            by_name(name).ok_or_else(|| Error::UnknownStrategy {
                name: String::from(name),
                known: names().collect::<Vec<_>>().join(", "),
            })
        };
        Ok(Judge { options, keyers, raw: one("raw")?, canonical: one("canonical")? })
    }

    /// Judges one pair; the error says what is wrong with its schema.
    fn judge(
        &self,
        pair: &Pair,
        tools: &mut InlineTools,
        tallies: &mut Tallies,
    ) -> Result<(), String> {
        let [a, b] = self.tools(pair, tools)?;
        let mut verdicts = Vec::with_capacity(self.keyers.len());
        let mut refusals = Vec::with_capacity(self.keyers.len());
        let mut call = None;
        for keyer in &self.keyers {
            let first = keyer.key(&pair.a, a.as_deref());
            let second = keyer.key(&pair.b, b.as_deref());
            verdicts.push(verdict(&first, &second));
            if pair.truth == Truth::Retry && keyer.name() == self.canonical.name() {
                call = Some(call_hash(&pair.a, &first));
            }
            refusals.push(first.refusal().or(second.refusal()).map(|r| r.code().to_owned()));
        }
        if pair.truth == Truth::Retry && call.is_none() {
            call = Some(call_hash(&pair.a, &self.canonical.key(&pair.a, None)));
        }
        tallies.add(&Judged {
            pair,
            bucket: self.bucket(pair),
            verdicts: &verdicts,
            refusals: &refusals,
            has_schema: a.is_some(),
            call,
            phase: self.phase(pair),
        });
        Ok(())
    }

    fn bucket(&self, pair: &Pair) -> Bucket {
        if pair.contradicts.is_some() {
            return Bucket::Contradiction;
        }
        let dependent = |names: &[String]| {
            names.iter().any(|name| self.options.executor_dependent.contains(name))
        };
        match &pair.productions {
            Some(p) if dependent(&p.a) || dependent(&p.b) => Bucket::ExecutorDependent,
            _ => Bucket::Scored,
        }
    }

    /// The tools of the two calls: each by its own name, or what the pair names for both.
    fn tools(
        &self,
        pair: &Pair,
        inline: &mut InlineTools,
    ) -> Result<[Option<Arc<Tool>>; 2], String> {
        let catalog = self.options.catalog;
        Ok(match &pair.schema {
            SchemaRef::ByName => {
                [&pair.a, &pair.b].map(|call| catalog.by_name(&call.tool).cloned())
            }
            SchemaRef::Key(key) => {
                let tool = catalog.by_key(key).cloned();
                [tool.clone(), tool]
            }
            SchemaRef::Inline(schema) => {
                let tool = inline.get(&pair.a.tool, schema, catalog)?;
                [Some(tool.clone()), Some(tool)]
            }
        })
    }

    fn phase(&self, pair: &Pair) -> Option<[bool; 3]> {
        if pair.truth != Truth::Retry || !self.options.serializer_phase.contains(&pair.set) {
            return None;
        }
        let place = place(pair)?;
        let first = self.raw.key(&pair.a, None).key();
        let mut caught = [false; ROTATION.len()];
        for (shift, caught) in caught.iter_mut().enumerate() {
            *caught = self.raw.key(&respelled(pair, place + shift)?, None).key() == first;
        }
        Some(caught)
    }
}

/// Tells first calls apart: a hash of what `canonical` answers, or of the text that it refuses.
fn call_hash(call: &Call, canonical: &Outcome) -> u64 {
    match canonical {
        Outcome::Key(keyed) => hash(keyed.key.as_bytes()),
        Outcome::Refused(_) => hash(format!("{}|{}", call.tool, call.arguments).as_bytes()),
    }
}

/// Tools of inline schemas by name and schema, read once each.
#[derive(Default)]
struct InlineTools {
    tools: HashMap<String, HashMap<String, Arc<Tool>>>,
    len: usize,
}

impl InlineTools {
    fn get(&mut self, name: &str, schema: &str, catalog: &Catalog) -> Result<Arc<Tool>, String> {
        if let Some(tool) = self.tools.get(name).and_then(|tools| tools.get(schema)) {
            return Ok(tool.clone());
        }
        let tool = Tool::new(name, "", schema, Some(catalog.overlay()))
            .map_err(|reason| format!("`parameters`: {reason}"))?;
        let tool = Arc::new(tool);
        if self.len >= INLINE_TOOLS {
            self.tools.clear();
            self.len = 0;
        }
        self.len += 1;
        let by_schema = self.tools.entry(name.to_owned()).or_default();
        by_schema.insert(schema.to_owned(), tool.clone());
        Ok(tool)
    }
}
