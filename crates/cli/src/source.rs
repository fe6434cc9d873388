//! The drift generator as a source of pairs for the scorer: made batch by batch, never stored.

use crate::cmd::generate::{BATCH, GrammarArgs};
use anyhow::Result;
use samecall_call::{Catalog, Error as InputError, Pair};
use samecall_drift::Generator;
use samecall_score::{Batch, PairSource};
use std::sync::Arc;

/// Batches of a generator, up to a number of pairs.
pub(crate) struct GeneratorSource {
    name: String,
    generator: Arc<Generator>,
    next: u64,
    left: u64,
}

impl GeneratorSource {
    /// `count` pairs for the tools of a catalog.
    pub(crate) fn new(args: &GrammarArgs, catalog: &Catalog, count: u64) -> Result<Self> {
        let name = format!(
            "generated {} pairs, profile {}, seed {}, depth {}",
            count, args.profile, args.seed, args.depth
        );
        let generator = Arc::new(args.generator(catalog)?);
        Ok(GeneratorSource { name, generator, next: 0, left: count })
    }
}

impl PairSource for GeneratorSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn next_batch(&mut self) -> samecall_score::Result<Option<Box<dyn Batch>>> {
        if self.left == 0 {
            return Ok(None);
        }
        let take = self.left.min(BATCH as u64);
        let batch = Generated {
            generator: Arc::clone(&self.generator),
            index: self.next,
            take: take as usize,
        };
        self.left -= take;
        self.next += 1;
        Ok(Some(Box::new(batch)))
    }
}

/// One batch, yet to be made.
struct Generated {
    generator: Arc<Generator>,
    index: u64,
    take: usize,
}

impl Batch for Generated {
    fn for_each(self: Box<Self>, each: &mut dyn FnMut(Result<Pair, InputError>)) {
        for pair in self.generator.batch(self.index, BATCH).into_iter().take(self.take) {
            each(Ok(pair));
        }
    }
}
