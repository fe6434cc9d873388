//! The replay: every pair of every source past every strategy, on all cores, in bounded memory.
//!
//! Workers take batches from the sources in turn, judge them into counters of their own, and add those to
//! the common ones. Sums do not care in which order they are made, so the result is the same for any
//! number of threads.

use crate::canary::CANARIES;
use crate::error::{Error, Result};
use crate::executors::Rulings;
use crate::finish::{Context, finish};
use crate::kept::hash;
use crate::phase::{ROTATION, place, respelled};
use crate::source::{Batch, PairSource};
use crate::tally::{Bucket, Judged, Tallies};

use samecall_call::result::{Input, Results};
use samecall_call::{Call, Catalog, Pair, Resolver, Tool, Truth};
use samecall_keyer::{Keyer, Outcome, by_name, names, verdict};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Strategies in one replay.
const STRATEGIES: usize = 64;

/// What to score, and how.
pub struct Options<'a> {
    /// The strategies; canaries that are missing are added. Of two of one name the first counts.
    pub keyers: Vec<Box<dyn Keyer>>,
    /// The tools by name and key.
    pub catalog: &'a Catalog,
    /// Productions on which real executors differ, by default those of `corpus/executor_dependent.toml`: pairs made with one
    /// are counted apart.
    pub executor_dependent: BTreeSet<String>,
    /// Productions that no key can see through (reworded prose): a pair made with one counts under it
    /// and under no other production, so that it hides no other's failures.
    pub opaque: BTreeSet<String>,
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
            // A test reads the file.
            executor_dependent: Rulings::builtin().unwrap_or_default().dependent_names(),
            opaque: BTreeSet::from(["prose_reworded".to_owned()]),
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

/// The tools of a pair's two calls, where they are known.
type Tools = [Option<Arc<Tool>>; 2];

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
        let tools = Resolver::new(self.judge.options.catalog.clone());
        loop {
            let next = self.feed.lock().unwrap_or_else(PoisonError::into_inner).next();
            let work = match next {
                Ok(Some(work)) => work,
                Ok(None) => return,
                Err((order, error)) => return self.fail(order, error),
            };
            let (source, order) = (work.source, work.order);
            if let Err(error) = self.judge_batch(work.batch, source, &tools) {
                return self.fail(order, error);
            }
        }
    }

    fn judge_batch(&self, batch: Box<dyn Batch>, source: usize, tools: &Resolver) -> Result<()> {
        let bytes = batch.bytes();
        let skip_bad = self.judge.options.skip_bad;
        let mut skipped = 0;
        let mut failed = None;
        let mut pairs: Vec<(Pair, Tools)> = Vec::new();
        batch.for_each(&mut |pair| match pair {
            _ if failed.is_some() => {}
            Ok(pair) => match tools.resolve_pair(&pair) {
                Ok(found) => pairs.push((pair, found)),
                Err(_) if skip_bad => skipped += 1,
                Err(reason) => failed = Some(Error::BadPair { id: pair.id, reason }),
            },
            Err(_) if skip_bad => skipped += 1,
            Err(error) => failed = Some(error.into()),
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let mut tallies = Tallies::new(self.judge.keyers.len());
        self.judge.judge(&pairs, &mut tallies);
        let pairs = pairs.len() as u64;
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

    /// Judges pairs: every strategy is asked for all their calls at once.
    fn judge(&self, pairs: &[(Pair, Tools)], tallies: &mut Tallies) {
        let asked: Vec<(&Call, Option<&Tool>)> = pairs
            .iter()
            .flat_map(|(pair, [a, b])| [(&pair.a, a.as_deref()), (&pair.b, b.as_deref())])
            .collect();
        let answers: Vec<Vec<Outcome>> = self.keyers.iter().map(|k| k.keys(&asked)).collect();
        let canonical = self.keyers.iter().position(|k| k.name() == self.canonical.name());
        let mut verdicts = Vec::with_capacity(self.keyers.len());
        let mut refusals = Vec::with_capacity(self.keyers.len());
        for (index, (pair, [tool, _])) in pairs.iter().enumerate() {
            verdicts.clear();
            refusals.clear();
            for outcomes in &answers {
                let (first, second) = (&outcomes[2 * index], &outcomes[2 * index + 1]);
                verdicts.push(verdict(first, second));
                refusals.push(first.refusal().or(second.refusal()).map(|r| r.code().to_owned()));
            }
            let call = (pair.truth == Truth::Retry).then(|| match canonical {
                Some(at) => call_hash(&pair.a, &answers[at][2 * index]),
                None => call_hash(&pair.a, &self.canonical.key(&pair.a, None)),
            });
            tallies.add(&Judged {
                pair,
                bucket: self.bucket(pair),
                verdicts: &verdicts,
                refusals: &refusals,
                has_schema: tool.is_some(),
                call,
                phase: self.phase(pair),
                productions: self.productions(pair),
            });
        }
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

    /// The productions that a pair counts under.
    fn productions<'p>(&self, pair: &'p Pair) -> BTreeSet<&'p String> {
        let Some(productions) = &pair.productions else { return BTreeSet::new() };
        let names: BTreeSet<&String> = productions.a.iter().chain(&productions.b).collect();
        let opaque: BTreeSet<&String> =
            names.iter().copied().filter(|name| self.options.opaque.contains(*name)).collect();
        if opaque.is_empty() { names } else { opaque }
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
