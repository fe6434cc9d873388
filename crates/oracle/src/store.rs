//! The store in memory against its model, on histories of several clients; and the contract that every store keeps.

use crate::broken::{Broken, Evidence, Law};
use futures_executor::block_on;
use samecall_store::testing::{self, Harness, model};
use samecall_store::{Fences, ManualClock, MemoryStore, Result};
use std::sync::Arc;

/// How often each kind of answer came up.
pub use samecall_store::testing::model::Coverage;

struct InMemory;

impl Harness for InMemory {
    type Store = MemoryStore;

    async fn fresh(&self, clock: Arc<ManualClock>) -> Result<MemoryStore> {
        Ok(MemoryStore::new(clock, Fences::random()))
    }
}

/// Checks one history: so many steps, drawn from a seed.
///
/// # Errors
/// Where an answer is not the model's. The evidence is the seed, in little-endian bytes.
pub fn history(seed: u64, steps: usize) -> Law<Coverage> {
    block_on(model::run(&InMemory, seed, steps)).map_err(|fault| {
        Broken::new("store", ["history"], fault.0, Evidence::Bytes(seed.to_le_bytes().to_vec()))
    })
}

/// Checks the contract; answers how many checks it has.
///
/// # Errors
/// The checks that do not hold are the class.
pub fn contract() -> Law<usize> {
    let failures = block_on(testing::run(&InMemory));
    if failures.is_empty() {
        return Ok(testing::CHECKS.len());
    }
    let why = failures[0].why.clone();
    let class = failures.iter().map(|failure| failure.check);
    Err(Broken::new("store", class, why, Evidence::Bytes(Vec::new())))
}
