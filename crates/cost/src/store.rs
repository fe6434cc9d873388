//! What an idempotency store bills: a trait, DynamoDB on demand, and an embedded store that bills
//! nothing.
//!
//! DynamoDB's rules are those of its developer guide (capacity unit calculations, working with items,
//! transactions): a write unit is up to 1 KB, a read unit up to 4 KB, both of 1,024 bytes and rounded
//! up per item; an item's size counts its attribute names; an update is billed at the larger of the
//! sizes before and after; a failed condition is billed at the size of the item that is there; a
//! transaction doubles; deletes by time to live are free, and until the sweep comes the record is
//! stored.

use crate::book::PriceBook;
use crate::error::{Error, Result};
use crate::units::{Bytes, Calls, Days, HalfReadUnits, Usd, WriteUnits};
use rust_decimal::Decimal;

/// Bytes of a write unit.
pub const WRITE_UNIT: u64 = 1024;
/// Bytes of a read unit.
pub const READ_UNIT: u64 = 4096;

/// An attribute of the record: its name and the bytes of its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The attribute's name, which is billed with the item.
    pub name: String,
    /// Bytes of the value.
    pub value: Bytes,
}

/// The size of an item with these attributes: names and values.
pub fn item_size(attributes: &[Attribute]) -> Bytes {
    attributes.iter().map(|a| Bytes(a.name.len() as u64) + a.value).fold(Bytes(0), |sum, n| sum + n)
}

/// How the record is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The record without the result, attribute names included.
    pub claim: Bytes,
    /// The result that completion adds.
    pub result: Bytes,
    /// Results above this are kept elsewhere, with a pointer in the record; what that place bills is
    /// not counted here.
    pub pointer_above: Option<Bytes>,
    /// Bytes of such a pointer.
    pub pointer: Bytes,
    /// Whether the writes are transactions.
    pub transactional: bool,
    /// How many regions each write goes to; 1 where the table is not global.
    pub replicas: u64,
    /// Whether a refused claim brings the record back; else it is read.
    pub returns_old: bool,
    /// How long a record lives.
    pub lives: Days,
    /// How long it stays after that, until the sweep.
    pub swept_after: Days,
}

impl Record {
    /// The record's size once its result is there.
    pub fn complete(&self) -> Bytes {
        let is_large = self.pointer_above.is_some_and(|limit| self.result > limit);
        self.claim + if is_large { self.pointer } else { self.result }
    }
}

/// What a store's traffic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traffic {
    /// Claims that won and were completed.
    pub executed: Calls,
    /// Claims refused because a completed record was there.
    pub refused: Calls,
}

/// What a store bills, part by part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreBill {
    /// Write units billed.
    pub write_units: WriteUnits,
    /// Claims that won.
    pub claims: Usd,
    /// Completions.
    pub completions: Usd,
    /// Claims that were refused.
    pub refused: Usd,
    /// Reads of the record after a refused claim.
    pub reads: Usd,
    /// Storage until the sweep.
    pub storage: Usd,
}

impl StoreBill {
    /// All writes.
    pub fn writes(&self) -> Usd {
        self.claims + self.completions + self.refused
    }

    /// Everything.
    pub fn total(&self) -> Usd {
        self.writes() + self.reads + self.storage
    }
}

/// How a store bills traffic.
pub trait StoreBilling {
    /// The store's name, for reports.
    fn name(&self) -> &str;

    /// The bill of some traffic.
    ///
    /// # Errors
    /// When the book lacks a price that the store needs.
    fn bill(&self, traffic: Traffic, record: &Record, book: &PriceBook) -> Result<StoreBill>;
}

/// DynamoDB, on demand.
#[derive(Debug, Clone, Copy, Default)]
pub struct DynamoDb;

/// Units of an item's size: rounded up, and one for an empty item.
fn steps(size: Bytes, unit: u64) -> u64 {
    size.0.div_ceil(unit).max(1)
}

impl StoreBilling for DynamoDb {
    fn name(&self) -> &str {
        "DynamoDB on demand"
    }

    fn bill(&self, traffic: Traffic, record: &Record, book: &PriceBook) -> Result<StoreBill> {
        let price = book.write()?;
        let doubled = if record.transactional { 2 } else { 1 };
        let write = |size: Bytes, calls: Calls| {
            let units = WriteUnits(steps(size, WRITE_UNIT));
            units.times(doubled)?.times(record.replicas)?.times(calls.0)
        };
        // A refused claim reaches no other region.
        let failed = WriteUnits(steps(record.complete(), WRITE_UNIT));
        let failed = failed.times(doubled)?.times(traffic.refused.0)?;
        let claims = write(record.claim, traffic.executed)?;
        let completions = write(record.complete().max(record.claim), traffic.executed)?;
        // The operator saturates, and a bill of 2^64 units is told to be none.
        let all = claims.0.checked_add(completions.0).and_then(|sum| sum.checked_add(failed.0));
        let write_units = WriteUnits(all.ok_or(Error::TooLarge("a count above 2^64"))?);
        let reads = if record.returns_old {
            Usd::ZERO
        } else {
            // Strongly consistent, as a reader that just lost a claim needs: two halves a step.
            let halves = HalfReadUnits(2 * steps(record.complete(), READ_UNIT));
            (book.read_units()? * halves.times(traffic.refused.0)?).times(Decimal::ONE)?
        };
        let kept = record.complete().times(traffic.executed.0)?.times(record.replicas)?;
        let priced = |units: WriteUnits| (price * units).times(Decimal::ONE);
        Ok(StoreBill {
            write_units,
            claims: priced(claims)?,
            completions: priced(completions)?,
            refused: priced(failed)?,
            reads,
            storage: book.storage()?.keep(kept, record.lives + record.swept_after)?,
        })
    }
}

/// A store inside the process or on its own disk: nobody bills it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Embedded;

impl StoreBilling for Embedded {
    fn name(&self) -> &str {
        "embedded"
    }

    fn bill(&self, _: Traffic, _: &Record, _: &PriceBook) -> Result<StoreBill> {
        Ok(StoreBill::default())
    }
}
