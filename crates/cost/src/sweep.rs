//! Sweeps: one figure over ranges of two parameters, from a TOML file. A cell is the single calculation
//! with both parameters set.

use crate::article::Article;
use crate::book::PriceBook;
use crate::doc::{Doc, Node};
use crate::error::{Error, Result};
use crate::full::Full;
use crate::scenario::{PARAMETERS, Scenario};
use crate::store::DynamoDb;
use crate::units::{Tokens, Usd};
use rust_decimal::Decimal;
use std::path::Path;

/// A figure that can be swept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// The article's waste, in dollars.
    ArticleWaste,
    /// The article's store, in dollars.
    ArticleStore,
    /// The article's waste to store.
    ArticleRatio,
    /// The tokens of all duplicates, in dollars.
    Waste,
    /// What the store bills, in dollars.
    Store,
    /// Waste to store.
    Ratio,
    /// The tokens of one duplicate, in dollars.
    PerDuplicate,
}

impl Metric {
    /// All, with the names used in files.
    pub const ALL: [(&'static str, Metric); 7] = [
        ("article.waste", Metric::ArticleWaste),
        ("article.store", Metric::ArticleStore),
        ("article.ratio", Metric::ArticleRatio),
        ("full.waste", Metric::Waste),
        ("full.store", Metric::Store),
        ("full.ratio", Metric::Ratio),
        ("full.per_duplicate", Metric::PerDuplicate),
    ];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// The figure of one scenario. The article's figures take the article's book.
    ///
    /// # Errors
    /// When the book lacks a price, or a ratio has nothing under it.
    pub fn of(self, scenario: &Scenario, book: &PriceBook) -> Result<Decimal> {
        let none = || Error::Missing("the store costs nothing, so there is no ratio".to_owned());
        Ok(match self {
            Metric::ArticleWaste => Article::of(scenario, book)?.waste.dollars(),
            Metric::ArticleStore => Article::of(scenario, book)?.store.dollars(),
            Metric::ArticleRatio => Article::of(scenario, book)?.ratio()?,
            Metric::Waste => Full::of(scenario, book, &DynamoDb)?.waste.dollars(),
            Metric::Store => Full::of(scenario, book, &DynamoDb)?.store.total().dollars(),
            Metric::Ratio => {
                let full = Full::of(scenario, book, &DynamoDb)?;
                full.waste.ratio(full.store.total()).ok_or_else(none)?
            }
            Metric::PerDuplicate => Full::of(scenario, book, &DynamoDb)?.trip.total().dollars(),
        })
    }

    fn is_article(self) -> bool {
        matches!(self, Metric::ArticleWaste | Metric::ArticleStore | Metric::ArticleRatio)
    }
}

/// A parameter with the values it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The parameter's name.
    pub parameter: String,
    /// Its values.
    pub values: Vec<Decimal>,
}

/// One sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// Names its files.
    pub name: String,
    /// Says what it shows.
    pub title: String,
    /// The figure.
    pub metric: Metric,
    /// Columns.
    pub x: Axis,
    /// Rows.
    pub y: Axis,
}

/// What a sweep file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The base of all calculations.
    pub scenario: Scenario,
    /// The sweeps.
    pub sweeps: Vec<Sweep>,
    /// Harms of a duplicate on the break-even map.
    pub map_duplicate: Vec<Usd>,
    /// Harms of a lost effect on it.
    pub map_lost: Vec<Usd>,
}

/// The largest number of values on an axis.
const MOST: usize = 200;

impl Plan {
    /// Reads a sweep file; the tokens of a call and its result come from the round trip counted.
    ///
    /// # Errors
    /// When the file cannot be read, or a field is missing or wrong; names file, line and field.
    pub fn read(path: &Path, call: Tokens, result: Tokens) -> Result<Self> {
        Self::from_doc(&Doc::read(path)?, call, result)
    }

    /// Reads a sweep file from text; `file` stands for it in messages.
    ///
    /// # Errors
    /// As [`Plan::read`].
    pub fn parse(file: &str, text: &str, call: Tokens, result: Tokens) -> Result<Self> {
        Self::from_doc(&Doc::new(file, text), call, result)
    }

    fn from_doc(doc: &Doc, call: Tokens, result: Tokens) -> Result<Self> {
        doc.with_root(|root| {
            root.only(&["scenario", "map", "sweep"])?;
            let scenario = Scenario::from_node(&root.child("scenario")?, call, result)?;
            let map = root.child("map")?;
            map.only(&["duplicate", "lost"])?;
            let mut sweeps: Vec<Sweep> = Vec::new();
            for node in root.list("sweep")? {
                let sweep = read_sweep(&node, &scenario)?;
                if sweeps.iter().any(|known| known.name == sweep.name) {
                    return Err(node.error("name", "is there twice"));
                }
                sweeps.push(sweep);
            }
            Ok(Plan {
                scenario,
                sweeps,
                map_duplicate: harms(&map, "duplicate")?,
                map_lost: harms(&map, "lost")?,
            })
        })
    }
}

/// Values in order, at least two.
fn rising(node: &Node<'_>, name: &str) -> Result<Vec<Decimal>> {
    let values = node.decimals(name)?;
    if values.len() < 2 || values.len() > MOST || values.windows(2).any(|w| w[0] >= w[1]) {
        return Err(node.error(name, format!("must be 2 to {MOST} numbers in rising order")));
    }
    Ok(values)
}

fn harms(map: &Node<'_>, name: &str) -> Result<Vec<Usd>> {
    let values = rising(map, name)?;
    if values[0].is_zero() {
        return Err(map.error(name, "must start above 0, since its axis is logarithmic"));
    }
    Ok(values.into_iter().map(Usd::new).collect())
}

fn read_sweep(node: &Node<'_>, scenario: &Scenario) -> Result<Sweep> {
    node.only(&["name", "title", "metric", "x", "y"])?;
    let name = node.text("name")?;
    if !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
        return Err(node.error("name", "must be small letters, digits and dashes"));
    }
    let (x, y) = (read_axis(&node.child("x")?, scenario)?, read_axis(&node.child("y")?, scenario)?);
    if x.parameter == y.parameter {
        return Err(node.error("y", "varies the same parameter as x"));
    }
    Ok(Sweep {
        name: name.to_owned(),
        title: node.text("title")?.to_owned(),
        metric: node.word("metric", &Metric::ALL)?,
        x,
        y,
    })
}

fn read_axis(node: &Node<'_>, scenario: &Scenario) -> Result<Axis> {
    node.only(&["parameter", "values"])?;
    let parameter = node.text("parameter")?;
    let is_price = parameter.strip_prefix("price.").and_then(crate::book::Item::by_name).is_some();
    if !is_price && !PARAMETERS.contains(&parameter) {
        let known = PARAMETERS.join(", ");
        let reason = format!("is \"{parameter}\"; known are {known}, and price.<item>");
        return Err(node.error("parameter", reason));
    }
    let values = rising(node, "values")?;
    if let Some(value) = values.iter().find(|value| !scenario.takes(parameter, **value)) {
        return Err(node.error("values", format!("holds {value}, which {parameter} cannot be")));
    }
    Ok(Axis { parameter: parameter.to_owned(), values })
}

impl Sweep {
    /// The figures, a row for each value of `y`, each with a cell for each value of `x`.
    ///
    /// # Errors
    /// When a value is outside its parameter's range, or the book lacks a price.
    pub fn cells(
        &self,
        scenario: &Scenario,
        book: &PriceBook,
        article_book: &PriceBook,
    ) -> Result<Vec<Vec<Decimal>>> {
        let book = if self.metric.is_article() { article_book } else { book };
        let set = |scenario: &Scenario, book: &PriceBook, axis: &Axis, value: Decimal| {
            scenario.with(book, &axis.parameter, value).ok_or_else(|| {
                let (name, parameter) = (&self.name, &axis.parameter);
                Error::Missing(format!("sweep `{name}`: {parameter} cannot be {value}"))
            })
        };
        let mut rows = Vec::with_capacity(self.y.values.len());
        for &y in &self.y.values {
            let (scenario, book) = set(scenario, book, &self.y, y)?;
            let mut row = Vec::with_capacity(self.x.values.len());
            for &x in &self.x.values {
                let (scenario, book) = set(&scenario, &book, &self.x, x)?;
                row.push(self.metric.of(&scenario, &book)?);
            }
            rows.push(row);
        }
        Ok(rows)
    }
}
