//! `random`, a canary: a fresh key for every call keyed, so no pair is `same` (0 % / 0 %), not even of equal bytes.

use std::sync::atomic::{AtomicU64, Ordering};

use samecall_call::{Call, Tool};

use crate::{Key, Keyer, Outcome};

/// Keys drawn from a seed and the number of calls keyed before. The sequence is the same for the same seed; under
/// several threads the order in which calls draw from it is not, which no verdict can show: any two draws differ.
#[derive(Debug, Default)]
pub struct Random {
    seed: u64,
    drawn: AtomicU64,
}

impl Random {
    /// A fresh sequence.
    pub fn new(seed: u64) -> Self {
        Random { seed, drawn: AtomicU64::new(0) }
    }
}

impl Keyer for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn key(&self, _call: &Call, _tool: Option<&Tool>) -> Outcome {
        let draw = self.drawn.fetch_add(1, Ordering::Relaxed);
        Key::of_joined([b"random", &self.seed.to_le_bytes(), &draw.to_le_bytes()]).into()
    }
}
