//! Time as the cache sees it: how long since a clock's own beginning. Such a clock never goes back, as the time of day
//! may, so that an age is an age.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What tells how long something has been kept.
pub trait Clock: Send + Sync {
    /// The time since the clock's beginning; never less than it answered before.
    fn now(&self) -> Duration;
}

/// The machine's monotonic clock.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic(Instant);

impl Default for Monotonic {
    fn default() -> Self {
        Monotonic(Instant::now())
    }
}

impl Clock for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that stands still until it is moved, in whole microseconds: for replays and tests.
#[derive(Debug, Default)]
pub struct Manual(AtomicU64);

impl Manual {
    /// Moves the clock on; a broken microsecond is left out.
    pub fn advance(&self, length: Duration) {
        // It never goes round: a clock must not go back.
        let add = |now: u64| Some(now.saturating_add(micros(length)));
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, add);
    }

    /// Sets the clock to a time since its beginning; a time that is over leaves it as it is.
    pub fn reach(&self, time: Duration) {
        self.0.fetch_max(micros(time), Ordering::SeqCst);
    }
}

fn micros(length: Duration) -> u64 {
    u64::try_from(length.as_micros()).unwrap_or(u64::MAX)
}

impl Clock for Manual {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_onward() {
        let clock = Manual::default();
        clock.advance(Duration::from_millis(5));
        clock.reach(Duration::from_millis(3));
        assert_eq!(clock.now(), Duration::from_millis(5));
        clock.reach(Duration::from_millis(8));
        assert_eq!(clock.now(), Duration::from_millis(8));
        clock.advance(Duration::MAX);
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Duration::from_micros(u64::MAX));
    }
}
