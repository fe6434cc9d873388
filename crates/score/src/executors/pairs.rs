//! Pairs of sources one after another, each with the tools of its two calls.

use crate::error::{Error, Result};
use crate::source::PairSource;
use samecall_call::{Pair, Resolver, Tool};
use std::collections::VecDeque;
use std::sync::Arc;

/// A pair whose tools are both known.
pub(super) struct Known {
    pub(super) pair: Pair,
    pub(super) tools: [Arc<Tool>; 2],
    /// Which source it came from.
    pub(super) source: usize,
}

/// All pairs of some sources whose tools are known, in order; those without a schema are counted.
pub(super) struct Pairs {
    sources: VecDeque<Box<dyn PairSource>>,
    done: Vec<Box<dyn PairSource>>,
    resolver: Arc<Resolver>,
    ready: VecDeque<Known>,
    pub(super) without_schema: u64,
}

impl Pairs {
    pub(super) fn new(sources: Vec<Box<dyn PairSource>>, resolver: Arc<Resolver>) -> Self {
        Pairs {
            sources: sources.into(),
            done: Vec::new(),
            resolver,
            ready: VecDeque::new(),
            without_schema: 0,
        }
    }

    /// The sources that were read to their end, in order.
    pub(super) fn done(&self) -> &[Box<dyn PairSource>] {
        &self.done
    }

    fn fill(&mut self) -> Result<bool> {
        while self.ready.is_empty() {
            let Some(source) = self.sources.front_mut() else { return Ok(false) };
            let Some(batch) = source.next_batch()? else {
                self.done.extend(self.sources.pop_front());
                continue;
            };
            let number = self.done.len();
            let mut failed = None;
            let (ready, without) = (&mut self.ready, &mut self.without_schema);
            let resolver = &self.resolver;
            batch.for_each(&mut |pair| {
                if failed.is_some() {
                    return;
                }
                let pair = match pair {
                    Ok(pair) => pair,
                    Err(error) => return failed = Some(Error::from(error)),
                };
                match resolver.resolve_pair(&pair) {
                    Ok([Some(a), Some(b)]) if a.shape.has_schema && b.shape.has_schema => {
                        ready.push_back(Known { pair, tools: [a, b], source: number });
                    }
                    Ok(_) => *without += 1,
                    Err(reason) => failed = Some(Error::BadPair { id: pair.id, reason }),
                }
            });
            if let Some(error) = failed {
                return Err(error);
            }
        }
        Ok(true)
    }
}

impl Iterator for Pairs {
    type Item = Result<Known>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.fill() {
            Ok(true) => self.ready.pop_front().map(Ok),
            Ok(false) => None,
            Err(error) => {
                self.sources.clear();
                Some(Err(error))
            }
        }
    }
}
