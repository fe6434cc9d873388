//! Price books: dated list prices of a model and a store, each with its unit, region, source and
//! whether the source is first-hand. A new book is one TOML file.

use crate::doc::{Doc, Node};
use crate::error::{Error, Result};
use crate::units::{PerGbMonth, PerMillion, ReadUnits, Tokens, Usd, WriteUnits};
use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The currencies of ISO 4217 in use beside the dollar, to tell a slip from another currency.
const OTHER_CURRENCIES: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD \
     CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP \
     GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD \
     KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN \
     NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP \
     SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX UYU UZS VES VND VUV \
     WST XAF XCD XOF XPF YER ZAR ZMW ZWG";

/// What can have a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// Tokens sent to the model.
    Input,
    /// Tokens written by the model.
    Output,
    /// Tokens written to the prompt cache for five minutes.
    CacheWrite5m,
    /// Tokens written to the prompt cache for an hour.
    CacheWrite1h,
    /// Tokens read from the prompt cache.
    CacheRead,
    /// Tokens sent in a batch.
    BatchInput,
    /// Tokens written in a batch.
    BatchOutput,
    /// Write request units of the store.
    Write,
    /// Read request units of the store.
    Read,
    /// What the store keeps.
    Storage,
}

const MTOK: &str = "million tokens";

impl Item {
    /// All items, each with its name in files and its unit.
    pub const ALL: [(Item, &str, &str); 10] = [
        (Item::Input, "model.input", MTOK),
        (Item::Output, "model.output", MTOK),
        (Item::CacheWrite5m, "model.cache_write_5m", MTOK),
        (Item::CacheWrite1h, "model.cache_write_1h", MTOK),
        (Item::CacheRead, "model.cache_read", MTOK),
        (Item::BatchInput, "model.batch_input", MTOK),
        (Item::BatchOutput, "model.batch_output", MTOK),
        (Item::Write, "store.write", "million write request units"),
        (Item::Read, "store.read", "million read request units"),
        (Item::Storage, "store.storage", "GB-month"),
    ];

    /// The item of a name.
    pub fn by_name(name: &str) -> Option<Item> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(item, ..)| *item)
    }

    fn row(self) -> &'static (Item, &'static str, &'static str) {
        // Every item is in the list, in the order of the enumeration.
        &Self::ALL[self as usize]
    }

    /// The name in files.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The unit that the price is for.
    pub fn unit(self) -> &'static str {
        self.row().2
    }
}

/// Whether a price was read at the seller's or elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// From the seller's own page or price list.
    First,
    /// From somebody who states the seller's price.
    Second,
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hand::First => "first",
            Hand::Second => "second",
        })
    }
}

/// One price with where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// What is priced.
    pub item: Item,
    /// Dollars per the item's unit.
    pub amount: Decimal,
    /// The seller's region, or `global`.
    pub region: String,
    /// The date for which the source states the price.
    pub date: Date,
    /// Where it was read.
    pub source: String,
    /// Whether that is the seller.
    pub hand: Hand,
}

/// A price book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceBook {
    /// The file it came from.
    pub file: String,
    /// What it is.
    pub title: String,
    /// The model priced.
    pub model: String,
    /// The store priced.
    pub store: String,
    /// The date the book was put together.
    pub date: Date,
    prices: BTreeMap<Item, Price>,
}

impl PriceBook {
    /// Reads a book.
    ///
    /// # Errors
    /// When the file cannot be read, or a field is missing or wrong; names file, line and field.
    pub fn read(path: &Path) -> Result<Self> {
        Self::from_doc(&Doc::read(path)?)
    }

    /// Reads a book from text; `file` stands for it in messages.
    ///
    /// # Errors
    /// As [`PriceBook::read`].
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        Self::from_doc(&Doc::new(file, text))
    }

    fn from_doc(doc: &Doc) -> Result<Self> {
        doc.with_root(|root| {
            root.only(&["title", "model", "store", "currency", "date", "price"])?;
            currency(root)?;
            let mut prices = BTreeMap::new();
            for node in root.list("price")? {
                let price = read_price(&node)?;
                let item = price.item;
                if prices.insert(item, price).is_some() {
                    return Err(node.error("item", "has a price already in this book"));
                }
            }
            for item in [Item::Input, Item::Output, Item::Write] {
                if !prices.contains_key(&item) {
                    return Err(root.error("price", format!("has no entry for {}", item.name())));
                }
            }
            Ok(PriceBook {
                file: root.file().to_owned(),
                title: root.text("title")?.to_owned(),
                model: root.text("model")?.to_owned(),
                store: root.text("store")?.to_owned(),
                date: root.date("date")?,
                prices,
            })
        })
    }

    /// All prices in the order of [`Item::ALL`].
    pub fn prices(&self) -> impl Iterator<Item = &Price> {
        self.prices.values()
    }

    /// The dollars per unit of an item.
    ///
    /// # Errors
    /// When the book has no such price.
    pub fn amount(&self, item: Item) -> Result<Decimal> {
        self.prices.get(&item).map(|price| price.amount).ok_or_else(|| {
            Error::Missing(format!(
                "{}: no price for {}; add a [[price]] with item = \"{}\" and unit = \"{}\"",
                self.file,
                item.name(),
                item.name(),
                item.unit()
            ))
        })
    }

    /// The price of tokens, by the item's kind.
    ///
    /// # Errors
    /// When the book has no such price.
    pub fn tokens(&self, item: TokenItem) -> Result<PerMillion<Tokens>> {
        self.amount(item.item()).map(PerMillion::new)
    }

    /// The price of writes.
    ///
    /// # Errors
    /// When the book has no such price.
    pub fn write(&self) -> Result<PerMillion<WriteUnits>> {
        self.amount(Item::Write).map(PerMillion::new)
    }

    /// The price of reads.
    ///
    /// # Errors
    /// When the book has no such price.
    pub fn read_units(&self) -> Result<PerMillion<ReadUnits>> {
        self.amount(Item::Read).map(PerMillion::new)
    }

    /// The price of storage.
    ///
    /// # Errors
    /// When the book has no such price.
    pub fn storage(&self) -> Result<PerGbMonth> {
        self.amount(Item::Storage).map(PerGbMonth)
    }

    /// The same book with another price of an item, for sweeps.
    pub fn with(mut self, item: Item, amount: Usd) -> Self {
        if let Some(price) = self.prices.get_mut(&item) {
            price.amount = amount.dollars();
        }
        self
    }

    /// One line for each price that is older than a year on a day.
    pub fn warnings(&self, today: Date) -> Vec<String> {
        let old = |date: Date| date.checked_add(1.year()).is_ok_and(|until| until < today);
        let mut lines: Vec<String> = Vec::new();
        if old(self.date) {
            lines.push(format!("{}: the book is of {}, older than a year", self.file, self.date));
        }
        for price in self.prices().filter(|price| old(price.date)) {
            lines.push(format!(
                "{}: the price of {} is of {}, older than a year",
                self.file,
                price.item.name(),
                price.date
            ));
        }
        lines
    }
}

/// The items that are tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenItem {
    /// See [`Item::Input`].
    Input,
    /// See [`Item::Output`].
    Output,
    /// See [`Item::CacheWrite5m`].
    CacheWrite5m,
    /// See [`Item::CacheWrite1h`].
    CacheWrite1h,
    /// See [`Item::CacheRead`].
    CacheRead,
    /// See [`Item::BatchInput`].
    BatchInput,
    /// See [`Item::BatchOutput`].
    BatchOutput,
}

impl TokenItem {
    fn item(self) -> Item {
        match self {
            TokenItem::Input => Item::Input,
            TokenItem::Output => Item::Output,
            TokenItem::CacheWrite5m => Item::CacheWrite5m,
            TokenItem::CacheWrite1h => Item::CacheWrite1h,
            TokenItem::CacheRead => Item::CacheRead,
            TokenItem::BatchInput => Item::BatchInput,
            TokenItem::BatchOutput => Item::BatchOutput,
        }
    }
}

/// Amounts here are dollars; another currency must be converted by who writes the file.
pub(crate) fn currency(node: &Node<'_>) -> Result<()> {
    match node.text("currency")? {
        "USD" => Ok(()),
        code if OTHER_CURRENCIES.split_whitespace().any(|other| other == code) => Err(node.error(
            "currency",
            format!("is {code}; amounts are compared in dollars, so convert them and write USD"),
        )),
        code => Err(node.error("currency", format!("is \"{code}\", no known currency; write USD"))),
    }
}

fn read_price(node: &Node<'_>) -> Result<Price> {
    node.only(&["item", "amount", "unit", "region", "date", "source", "hand"])?;
    let names = || Item::ALL.iter().map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ");
    let item = Item::by_name(node.text("item")?)
        .ok_or_else(|| node.error("item", format!("is not priced here; known are {}", names())))?;
    let unit = node.text("unit")?;
    if unit != item.unit() {
        let reason = format!("is \"{unit}\"; {} is priced per \"{}\"", item.name(), item.unit());
        return Err(node.error("unit", reason));
    }
    Ok(Price {
        item,
        amount: node.decimal("amount")?,
        region: node.text("region")?.to_owned(),
        date: node.date("date")?,
        source: node.text("source")?.to_owned(),
        hand: node.word("hand", &[("first", Hand::First), ("second", Hand::Second)])?,
    })
}

/// Today in UTC, for [`PriceBook::warnings`].
pub fn today() -> Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}
