//! The token and store side of the full model, and what each correction does to the article's figure.

use crate::article::Article;
use crate::book::PriceBook;
use crate::error::Result;
use crate::scenario::Scenario;
use crate::store::{StoreBill, StoreBilling};
use crate::transcript::{Billing, RoundTrip, TripCost};
use crate::units::{Calls, Share, Usd};

/// Tokens and store of one scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Full {
    /// What the tokens of one duplicate cost.
    pub trip: TripCost,
    /// The tokens of all duplicates.
    pub waste: Usd,
    /// What the store bills.
    pub store: StoreBill,
}

impl Full {
    /// Calculates tokens and store.
    ///
    /// # Errors
    /// When the book lacks a price.
    pub fn of(scenario: &Scenario, book: &PriceBook, store: &dyn StoreBilling) -> Result<Self> {
        let trip = scenario.trip.cost(scenario.billing, book)?;
        Ok(Full {
            trip,
            waste: trip.total().times(scenario.duplicate_calls().0.into())?,
            store: store.bill(scenario.traffic(), &scenario.record, book)?,
        })
    }
}

/// One correction of the article's waste.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is corrected.
    pub name: &'static str,
    /// The waste after it.
    pub after: Usd,
}

/// What the corrections do to the article's waste, one after the other: the call's tokens are sent with
/// the first turn too; today's prices without and with a prompt cache; the measured share of repeats;
/// turns that come after the cache's lifetime; and what a key can save of it. The model has written the
/// second call before any key can be taken, and its result, replayed or new, enters the transcript all
/// the same: a key saves the effect and none of these tokens.
///
/// # Errors
/// When a book lacks a price.
pub fn waterfall(
    article: &Scenario,
    article_book: &PriceBook,
    full: &Scenario,
    book: &PriceBook,
    measured: Option<Share>,
) -> Result<Vec<Step>> {
    let mut steps =
        vec![Step { name: "article", after: Article::of(article, article_book)?.waste }];
    let mut trip = RoundTrip { call_is_sent: true, late: Share::ZERO, ..article.trip };
    let mut duplicates = article.duplicate_calls();
    let mut push = |name, trip: RoundTrip, billing, book: &PriceBook, duplicates: Calls| {
        let after = trip.cost(billing, book)?.total().times(duplicates.0.into())?;
        steps.push(Step { name, after });
        Ok::<_, crate::error::Error>(())
    };
    push("call sent on first turn", trip, Billing::Plain, article_book, duplicates)?;
    push("book of this run", trip, Billing::Plain, book, duplicates)?;
    push("prompt cache", trip, Billing::Cache5m, book, duplicates)?;
    trip.late = full.trip.late;
    push("turns after the cache's life", trip, Billing::Cache5m, book, duplicates)?;
    if let Some(share) = measured {
        duplicates = article.calls.share(share);
        push("measured share of repeats", trip, Billing::Cache5m, book, duplicates)?;
    }
    steps.push(Step { name: "tokens that a key saves", after: Usd::ZERO });
    Ok(steps)
}
