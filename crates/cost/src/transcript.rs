//! What a tool call's text costs: billed once when it appears, and again on every later turn that
//! sends the transcript.
//!
//! Without a cache, the call is output once, and call and result are input on each turn. With prompt
//! caching, both are written to the cache on the first turn that sends them and read from it on later
//! turns, as long as turns follow within the cache's lifetime; a turn that comes later writes again.

use crate::book::{PriceBook, TokenItem};
use crate::error::Result;
use crate::units::{Share, Tokens, Turns, Usd};
use rust_decimal::Decimal;

/// How the transcript is billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billing {
    /// Every turn pays the input price for all of it.
    Plain,
    /// Prompt cache, five minutes.
    Cache5m,
    /// Prompt cache, one hour.
    Cache1h,
    /// Batch prices, no cache.
    Batch,
}

impl Billing {
    /// All, with the names used in files.
    pub const ALL: [(&'static str, Billing); 4] = [
        ("plain", Billing::Plain),
        ("cache-5m", Billing::Cache5m),
        ("cache-1h", Billing::Cache1h),
        ("batch", Billing::Batch),
    ];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// One call and its result in a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundTrip {
    /// Tokens of the call, written by the model.
    pub call: Tokens,
    /// Tokens of the result.
    pub result: Tokens,
    /// Turns after the one that first sends the result.
    pub later_turns: Turns,
    /// Whether the call's own tokens are input on the turn that first sends the result. They are; the
    /// article leaves them out there.
    pub call_is_sent: bool,
    /// Share of the later turns that come after the cache's lifetime.
    pub late: Share,
}

/// The cost of a round trip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TripCost {
    /// The model writes the call.
    pub written: Usd,
    /// The first turn that sends it.
    pub first: Usd,
    /// All later turns.
    pub later: Usd,
}

impl TripCost {
    /// What is billed before any further turn.
    pub fn at_once(&self) -> Usd {
        self.written + self.first
    }

    /// Everything.
    pub fn total(&self) -> Usd {
        self.at_once() + self.later
    }
}

impl RoundTrip {
    /// The cost at a book's prices.
    ///
    /// # Errors
    /// When the book lacks a price that the billing needs.
    pub fn cost(&self, billing: Billing, book: &PriceBook) -> Result<TripCost> {
        let both = self.call + self.result;
        let sent_first = if self.call_is_sent { both } else { self.result };
        let output = match billing {
            Billing::Batch => TokenItem::BatchOutput,
            _ => TokenItem::Output,
        };
        let (first, again, late) = match billing {
            Billing::Plain => (TokenItem::Input, TokenItem::Input, TokenItem::Input),
            Billing::Batch => (TokenItem::BatchInput, TokenItem::BatchInput, TokenItem::BatchInput),
            Billing::Cache5m => {
                (TokenItem::CacheWrite5m, TokenItem::CacheRead, TokenItem::CacheWrite5m)
            }
            Billing::Cache1h => {
                (TokenItem::CacheWrite1h, TokenItem::CacheRead, TokenItem::CacheWrite1h)
            }
        };
        let turns = Decimal::from(self.later_turns.0);
        let late_turns = turns * self.late.value();
        let once =
            |item: TokenItem, tokens: Tokens| (book.tokens(item)? * tokens).times(Decimal::ONE);
        Ok(TripCost {
            written: once(output, self.call)?,
            first: once(first, sent_first)?,
            later: once(again, both)?.times(turns - late_turns)?
                + once(late, both)?.times(late_turns)?,
        })
    }
}
