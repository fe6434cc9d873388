//! The article's own arithmetic, kept as it was: one write per call at the price of the book, no
//! completion, no sizes, no cache, and a call whose tokens are not sent on the first turn after it.

use crate::book::PriceBook;
use crate::error::{Error, Result};
use crate::scenario::Scenario;
use crate::store::Record;
use crate::transcript::{Billing, RoundTrip};
use crate::units::{Bytes, Calls, Days, Share, Tokens, Turns, Usd, WriteUnits};
use rust_decimal::Decimal;

/// What the article printed, by the names of [`crate::result::ArticlePart`].
pub const PUBLISHED: [(&str, &str); 6] = [
    ("duplicate_first", "0.001482"),
    ("duplicate_total", "0.007422"),
    ("waste", "222.66"),
    ("store", "1.25"),
    ("ratio_min", "35"),
    ("ratio_max", "534"),
];

/// The corners of the article's band: share of duplicates in percent, and further turns.
pub const CORNERS: [(i64, u64); 2] = [(1, 5), (5, 20)];

/// The article's parameters: a million calls, 3 % duplicates, ten further turns.
pub fn scenario(call: Tokens, result: Tokens) -> Scenario {
    Scenario {
        calls: Calls(1_000_000),
        duplicates: Share::new(Decimal::new(3, 2)).unwrap_or(Share::ZERO),
        trip: RoundTrip {
            call,
            result,
            later_turns: Turns(10),
            call_is_sent: false,
            late: Share::ZERO,
        },
        billing: Billing::Plain,
        // The article's store has no sizes.
        record: Record {
            claim: Bytes(0),
            result: Bytes(0),
            pointer_above: None,
            pointer: Bytes(0),
            transactional: false,
            replicas: 1,
            returns_old: true,
            lives: Days(0),
            swept_after: Days(0),
        },
    }
}

/// The article's figures for one set of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// Dollars that a duplicate costs when it happens.
    pub duplicate_first: Usd,
    /// The same with all later turns.
    pub duplicate_total: Usd,
    /// All duplicates.
    pub waste: Usd,
    /// One write for each call.
    pub store: Usd,
}

impl Article {
    /// Calculates as the article does.
    ///
    /// # Errors
    /// When the book lacks a price.
    pub fn of(scenario: &Scenario, book: &PriceBook) -> Result<Self> {
        let trip = RoundTrip { call_is_sent: false, late: Share::ZERO, ..scenario.trip };
        let cost = trip.cost(Billing::Plain, book)?;
        Ok(Article {
            duplicate_first: cost.at_once(),
            duplicate_total: cost.total(),
            waste: cost.total().times(scenario.duplicate_calls().0.into())?,
            store: (book.write()? * WriteUnits(scenario.calls.0)).times(Decimal::ONE)?,
        })
    }

    /// Waste to store.
    ///
    /// # Errors
    /// When the store costs nothing.
    pub fn ratio(&self) -> Result<Decimal> {
        self.waste.ratio(self.store).ok_or_else(|| {
            Error::Missing("the store costs nothing, so waste to store has no ratio".to_owned())
        })
    }
}
