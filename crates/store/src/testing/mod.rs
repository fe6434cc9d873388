//! What every store is tested with: the contract suite, the model, and a disk that fails on demand.

pub mod disk;
pub mod model;
mod suite;

use std::future::Future;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::store::Store;
use crate::time::ManualClock;
pub use suite::{CHECKS, run};

/// What makes stores to be tested.
pub trait Harness: Sync {
    /// The store.
    type Store: Store;

    /// A store with nothing in it, which reads this clock.
    fn fresh(&self, clock: Arc<ManualClock>) -> impl Future<Output = Result<Self::Store>> + Send;
}

/// A check that did not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The check's name.
    pub check: &'static str,
    /// What was found instead.
    pub why: String,
}

/// Why a check does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault(pub String);

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault(format!("the store failed: {error}"))
    }
}

/// A fault unless both sides are equal.
pub(crate) fn equal<T: PartialEq + std::fmt::Debug>(
    found: T,
    wanted: T,
    what: &str,
) -> Result<(), Fault> {
    if found == wanted {
        return Ok(());
    }
    Err(Fault(format!("{what}: found {found:?}, wanted {wanted:?}")))
}
