//! What was executed and what was spared, counted without a lock.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How the savings share is defined, for every text that shows it.
pub const SAVINGS_FORMULA: &str = "savings = prevented / (executed + prevented)";

#[derive(Debug, Default)]
pub(crate) struct Stats {
    pub(crate) executed: AtomicU64,
    pub(crate) prevented: AtomicU64,
    pub(crate) shared: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) uncached: AtomicU64,
    pub(crate) abandoned: AtomicU64,
    pub(crate) hints: AtomicU64,
    pub(crate) saved_micros: AtomicU64,
}

pub(crate) fn add(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

impl Stats {
    pub(crate) fn summary(&self) -> Summary {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Summary {
            executed: read(&self.executed),
            prevented: read(&self.prevented),
            shared: read(&self.shared),
            refused: read(&self.refused),
            uncached: read(&self.uncached),
            abandoned: read(&self.abandoned),
            hints: read(&self.hints),
            time_saved: Duration::from_micros(read(&self.saved_micros)),
        }
    }
}

/// The summary record of an execution, or of one iteration of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Calls whose tool was run.
    pub executed: u64,
    /// Calls that were answered without.
    pub prevented: u64,
    /// Of these, calls that waited for an equal one under way.
    pub shared: u64,
    /// Executed ones that have no safe key.
    pub refused: u64,
    /// Executed ones of tools that are never answered from the cache.
    pub uncached: u64,
    /// Executed ones whose caller panicked or was cancelled.
    pub abandoned: u64,
    /// Answers with a hint that asking again is no use.
    pub hints: u64,
    /// How long the tools had taken whose runs were prevented.
    pub time_saved: Duration,
}

impl Summary {
    /// Prevented calls as a share of all, from 0 to 1; 0 where there was no call. See [`SAVINGS_FORMULA`].
    pub fn savings(&self) -> f64 {
        match self.executed + self.prevented {
            0 => 0.0,
            all => self.prevented as f64 / all as f64,
        }
    }

    /// The share as the published log has it: whole percent, half rounded up.
    pub fn savings_percent(&self) -> String {
        let all = self.executed + self.prevented;
        let percent = if all == 0 { 0 } else { (200 * self.prevented + all) / (2 * all) };
        format!("{percent}%")
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} executed, {} prevented, {} saved ({} = {} / {})",
            self.executed,
            self.prevented,
            self.savings_percent(),
            SAVINGS_FORMULA,
            self.prevented,
            self.executed + self.prevented
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_of_all_calls() {
        let of = |executed, prevented| Summary { executed, prevented, ..Summary::default() };
        assert_eq!(of(3, 10).savings_percent(), "77%");
        assert_eq!(of(2, 1).savings_percent(), "33%");
        assert_eq!(of(7, 1).savings_percent(), "13%", "12.5 rounds up");
        assert_eq!(of(0, 0).savings_percent(), "0%");
        assert_eq!(of(0, 0).savings(), 0.0);
        assert!((of(3, 10).savings() - 10.0 / 13.0).abs() < 1e-12);
        assert!(of(3, 10).to_string().ends_with("10 / 13)"));
    }
}
