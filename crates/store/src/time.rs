//! Time as the store sees it: points in milliseconds since the Unix epoch, read from a clock that is passed in.
//!
//! A point is a [`Timestamp`], a length is a [`Duration`]: no bare integer of unknown unit is ever compared.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A point in time: whole milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The latest point there is.
    pub const MAX: Timestamp = Timestamp(u64::MAX);

    /// From milliseconds since the Unix epoch.
    pub const fn from_millis(millis: u64) -> Self {
        Timestamp(millis)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// Seconds since the Unix epoch, rounded up: whoever deletes by this number never deletes too early.
    pub const fn as_secs_ceil(self) -> u64 {
        self.0.div_ceil(1000)
    }

    /// The point after a length of time; a broken millisecond counts as a whole one, and the end of time is the end.
    pub fn after(self, length: Duration) -> Self {
        let millis = length.as_nanos().div_ceil(1_000_000);
        Timestamp(self.0.saturating_add(u64::try_from(millis).unwrap_or(u64::MAX)))
    }

    /// Whether this point has come: at the very millisecond it has.
    pub fn has_come(self, now: Timestamp) -> bool {
        now >= self
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms since the epoch", self.0)
    }
}

/// What tells the time.
pub trait Clock: Send + Sync {
    /// The present.
    fn now(&self) -> Timestamp;
}

/// The machine's clock. Stores that several machines share are only as exact as these clocks agree.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        // A clock before 1970 reads as the epoch itself: nothing expires early by it.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

/// A clock that stands still until it is moved: for simulations and tests.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// A clock that shows a point.
    pub fn at(now: Timestamp) -> Self {
        ManualClock(AtomicU64::new(now.0))
    }

    /// Moves the clock on.
    pub fn advance(&self, length: Duration) {
        self.set(self.now().after(length));
    }

    /// Sets the clock.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.0, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_round_up_and_saturate() {
        let zero = Timestamp::from_millis(0);
        assert_eq!(zero.after(Duration::from_micros(1)), Timestamp::from_millis(1));
        assert_eq!(zero.after(Duration::ZERO), zero);
        assert_eq!(zero.after(Duration::MAX), Timestamp::MAX);
        assert_eq!(Timestamp::from_millis(1001).as_secs_ceil(), 2);
        assert_eq!(Timestamp::from_millis(1000).as_secs_ceil(), 1);
        assert!(zero.has_come(zero));
    }
}
