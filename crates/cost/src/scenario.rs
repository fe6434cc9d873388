//! The parameters of a cost calculation, read from a sweep file, each with a name by which a sweep can
//! vary it.

use crate::book::{Item, PriceBook};
use crate::doc::Node;
use crate::error::Result;
use crate::store::{Attribute, Record, Traffic, item_size};
use crate::transcript::{Billing, RoundTrip};
use crate::units::{Bytes, Calls, Days, Share, Tokens, Turns, Usd};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// What is calculated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// All calls.
    pub calls: Calls,
    /// Share of the calls that repeat an earlier one.
    pub duplicates: Share,
    /// The text of one call.
    pub trip: RoundTrip,
    /// How the transcript is billed.
    pub billing: Billing,
    /// The store's record.
    pub record: Record,
}

/// The names that [`Scenario::with`] knows, beside `price.<item>`.
pub const PARAMETERS: [&str; 10] = [
    "calls",
    "duplicates",
    "turns",
    "call_tokens",
    "result_tokens",
    "late_turns",
    "claim_bytes",
    "result_bytes",
    "lives_days",
    "swept_after_days",
];

impl Scenario {
    /// Reads a `[scenario]` table; the tokens come from the round trip that was counted.
    pub(crate) fn from_node(node: &Node<'_>, call: Tokens, result: Tokens) -> Result<Self> {
        node.only(&[
            "calls",
            "duplicates",
            "turns",
            "billing",
            "late_turns",
            "result_bytes",
            "transactional",
            "replicas",
            "returns_old",
            "pointer_above",
            "pointer",
            "lives_days",
            "swept_after_days",
            "attribute",
        ])?;
        let attributes: Vec<Attribute> = node
            .list("attribute")?
            .iter()
            .map(|a| {
                a.only(&["name", "value"])?;
                Ok(Attribute { name: a.text("name")?.to_owned(), value: Bytes(a.count("value")?) })
            })
            .collect::<Result<_>>()?;
        Ok(Scenario {
            calls: Calls(at_least_one(node, "calls", u64::MAX)?),
            duplicates: share(node, "duplicates")?,
            trip: RoundTrip {
                call,
                result,
                later_turns: Turns(at_most(node, "turns", 1_000_000)?),
                call_is_sent: true,
                late: share(node, "late_turns")?,
            },
            billing: node.word("billing", &Billing::ALL)?,
            record: Record {
                claim: item_size(&attributes),
                result: Bytes(node.count("result_bytes")?),
                pointer_above: match node.has("pointer_above") {
                    true => Some(Bytes(node.count("pointer_above")?)),
                    false => None,
                },
                pointer: Bytes(if node.has("pointer") { node.count("pointer")? } else { 0 }),
                transactional: node.flag("transactional")?,
                replicas: at_least_one(node, "replicas", 100)?,
                returns_old: node.flag("returns_old")?,
                lives: Days(at_most(node, "lives_days", 100_000)?),
                swept_after: Days(at_most(node, "swept_after_days", 100_000)?),
            },
        })
    }

    /// Calls that repeat an earlier one.
    pub fn duplicate_calls(&self) -> Calls {
        self.calls.share(self.duplicates)
    }

    /// What a store that catches every duplicate sees.
    pub fn traffic(&self) -> Traffic {
        let refused = self.duplicate_calls();
        Traffic { executed: self.calls.without(refused), refused }
    }

    /// The scenario and book with one parameter set; none when there is no such parameter or the value
    /// is outside its range.
    pub fn with(&self, book: &PriceBook, name: &str, value: Decimal) -> Option<(Self, PriceBook)> {
        let mut scenario = self.clone();
        if let Some(item) = name.strip_prefix("price.").and_then(Item::by_name) {
            let amount = (value >= Decimal::ZERO).then_some(Usd::new(value))?;
            return Some((scenario, book.clone().with(item, amount)));
        }
        scenario.set(name, value)?;
        Some((scenario, book.clone()))
    }

    /// Sets one parameter that is no price; none when there is no such parameter or the value is outside its range.
    fn set(&mut self, name: &str, value: Decimal) -> Option<()> {
        let scenario = self;
        let count = || value.is_integer().then(|| value.to_u64()).flatten();
        match name {
            "calls" => scenario.calls = Calls(count()?),
            "duplicates" => scenario.duplicates = Share::new(value)?,
            "turns" => scenario.trip.later_turns = Turns(count()?),
            "call_tokens" => scenario.trip.call = Tokens(count()?),
            "result_tokens" => scenario.trip.result = Tokens(count()?),
            "late_turns" => scenario.trip.late = Share::new(value)?,
            "claim_bytes" => scenario.record.claim = Bytes(count()?),
            "result_bytes" => scenario.record.result = Bytes(count()?),
            "lives_days" => scenario.record.lives = Days(count()?),
            "swept_after_days" => scenario.record.swept_after = Days(count()?),
            _ => return None,
        }
        Some(())
    }

    /// Whether a parameter can have a value; prices are checked where they are read.
    pub(crate) fn takes(&self, name: &str, value: Decimal) -> bool {
        name.starts_with("price.") || self.clone().set(name, value).is_some()
    }
}

pub(crate) fn share(node: &Node<'_>, name: &str) -> Result<Share> {
    Share::new(node.decimal(name)?).ok_or_else(|| node.error(name, "must be between 0 and 1"))
}

fn at_least_one(node: &Node<'_>, name: &str, limit: u64) -> Result<u64> {
    match at_most(node, name, limit)? {
        0 => Err(node.error(name, "must be 1 or more")),
        count => Ok(count),
    }
}

fn at_most(node: &Node<'_>, name: &str, limit: u64) -> Result<u64> {
    let count = node.count(name)?;
    if count > limit { Err(node.error(name, format!("is above {limit}"))) } else { Ok(count) }
}
