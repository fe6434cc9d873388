//! How often each situation comes up, per call: measured in traffic as so many of so many, or assumed
//! as a range and marked so. A hostile corpus gives no rates.

use crate::doc::{Doc, Node};
use crate::error::Result;
use crate::losses::Range;
use crate::situation::Situation;
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use std::path::Path;

/// One rate, per call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rate {
    /// `k` of `n` calls.
    Measured {
        /// Calls in the situation.
        k: u64,
        /// All calls.
        n: u64,
        /// Runs that the calls are from: calls of one run are no independent draws.
        clusters: u64,
    },
    /// Nobody measured it.
    Assumed(Range),
}

/// A rate with where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcedRate {
    /// The rate.
    pub rate: Rate,
    /// Where it was measured, or why it is assumed so.
    pub source: String,
}

/// The rates of a traffic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rates {
    /// By situation; the rest of the calls is [`Situation::Unrelated`].
    pub by_situation: BTreeMap<Situation, SourcedRate>,
    /// Share of failed attempts whose key is not freed, so that a retry is answered with nothing done.
    pub unreleased: Range,
}

impl Rate {
    /// The middle of the rate.
    pub fn middle(&self) -> Decimal {
        match self {
            Rate::Measured { k, n, .. } => Decimal::from(*k) / Decimal::from((*n).max(1)),
            Rate::Assumed(range) => range.mid,
        }
    }
}

impl Rates {
    /// Reads a file of rates.
    ///
    /// # Errors
    /// When the file cannot be read, or a field is missing or wrong; names file, line and field.
    pub fn read(path: &Path) -> Result<Self> {
        Self::from_doc(&Doc::read(path)?)
    }

    /// Reads rates from text; `file` stands for it in messages.
    ///
    /// # Errors
    /// As [`Rates::read`].
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        Self::from_doc(&Doc::new(file, text))
    }

    fn from_doc(doc: &Doc) -> Result<Self> {
        doc.with_root(|root| {
            root.only(&["unreleased", "rate"])?;
            let mut by_situation = BTreeMap::new();
            let known: Vec<(&str, Situation)> = Situation::ALL
                .into_iter()
                .filter(|&s| s != Situation::Unrelated)
                .map(|s| (s.as_str(), s))
                .collect();
            for node in root.list("rate")? {
                let situation = node.word("situation", &known)?;
                if by_situation.insert(situation, read_rate(&node)?).is_some() {
                    return Err(node.error("situation", "has a rate already"));
                }
            }
            for (name, situation) in known {
                if !by_situation.contains_key(&situation) {
                    return Err(root.error("rate", format!("has no entry for {name}")));
                }
            }
            let high = |rate: &SourcedRate| match &rate.rate {
                Rate::Assumed(range) => range.high,
                measured => measured.middle(),
            };
            if by_situation.values().map(high).sum::<Decimal>() >= Decimal::ONE {
                return Err(root.error("rate", "entries add up to all calls and more"));
            }
            Ok(Rates { by_situation, unreleased: Range::read_share(root, "unreleased")? })
        })
    }
}

fn read_rate(node: &Node<'_>) -> Result<SourcedRate> {
    node.only(&["situation", "basis", "k", "n", "clusters", "range", "source"])?;
    let is_measured = node.word("basis", &[("measured", true), ("assumed", false)])?;
    let rate = if is_measured {
        node.without(&["range"], "a measured rate has k, n and clusters")?;
        let (k, n) = (node.count("k")?, node.count("n")?);
        if n == 0 || k > n {
            return Err(node.error("k", "must be at most n, and n above 0"));
        }
        let clusters = node.count("clusters")?;
        if clusters == 0 || clusters > n {
            return Err(node.error("clusters", "must be between 1 and n"));
        }
        Rate::Measured { k, n, clusters }
    } else {
        node.without(&["k", "n", "clusters"], "an assumed rate has a range")?;
        Rate::Assumed(Range::read_share(node, "range")?)
    };
    Ok(SourcedRate { rate, source: node.text("source")?.to_owned() })
}
