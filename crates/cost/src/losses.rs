//! What a wrong answer costs, by tool: ranges for a duplicate, a lost effect, a wrong result, a result of
//! another tenant, and a question to a person.

use crate::book::currency;
use crate::doc::{Doc, Node};
use crate::error::Result;
use crate::units::{Minutes, PerHour, Usd};
use rust_decimal::Decimal;
use std::path::Path;

/// Low, middle and high of an amount that is not known better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Range {
    /// Low end.
    pub low: Decimal,
    /// Most plausible value.
    pub mid: Decimal,
    /// High end.
    pub high: Decimal,
}

impl Range {
    /// The same value throughout.
    pub fn fixed(value: Decimal) -> Self {
        Range { low: value, mid: value, high: value }
    }

    pub(crate) fn read(node: &Node<'_>, name: &str) -> Result<Self> {
        let [low, mid, high] = node.range(name)?;
        Ok(Range { low, mid, high })
    }

    pub(crate) fn read_share(node: &Node<'_>, name: &str) -> Result<Self> {
        let range = Self::read(node, name)?;
        if range.high > Decimal::ONE {
            return Err(node.error(name, "must be between 0 and 1"));
        }
        Ok(range)
    }

    /// The value below which a share `u` of a triangular distribution over the range lies, to six
    /// decimal places.
    pub(crate) fn at(&self, u: f64) -> Decimal {
        use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
        let width = self.high - self.low;
        if width.is_zero() {
            return self.low;
        }
        // Only the place within the range is a float, and only the basic operations and the square
        // root are used, which every machine rounds alike.
        let peak = ((self.mid - self.low) / width).to_f64().unwrap_or(0.5);
        let place =
            if u < peak { (u * peak).sqrt() } else { 1.0 - ((1.0 - u) * (1.0 - peak)).sqrt() };
        let place = Decimal::from_f64(place).unwrap_or(Decimal::ZERO).round_dp(9);
        (self.low + width * place).round_dp(6)
    }

    /// The mean of the triangular distribution.
    pub fn mean(&self) -> Decimal {
        (self.low + self.mid + self.high) / Decimal::from(3)
    }
}

/// The losses of one tool. Amounts in dollars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolLosses {
    /// The tool's name.
    pub name: String,
    /// What it is, in words.
    pub title: String,
    /// Where the figures come from: `assumed`, or a source.
    pub basis: String,
    /// Share of duplicates that the service behind the tool drops by itself.
    pub downstream_idempotent: Range,
    /// Share of the remaining duplicates that can be undone.
    pub reversible: Range,
    /// Dollars to undo one.
    pub undo: Range,
    /// Dollars lost by one that cannot be undone.
    pub irreversible: Range,
    /// Share of duplicates that are disputed.
    pub disputed: Range,
    /// Dollars for a dispute.
    pub dispute_fee: Range,
    /// Dollars for an effect that was meant and did not happen.
    pub lost: Range,
    /// Dollars for a result of another call taken for this one's, beyond the lost effect.
    pub wrong_result: Range,
    /// Dollars for a result shown to another tenant, beyond the lost effect.
    pub leak: Range,
    /// Minutes that a question takes a person.
    pub question: Range,
    /// Dollars for an hour of that person.
    pub hour: Range,
}

/// The losses of one tool with every range at one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Losses {
    /// A duplicate effect.
    pub duplicate: Usd,
    /// A lost effect.
    pub lost: Usd,
    /// A wrong result.
    pub wrong_result: Usd,
    /// A result shown to another tenant.
    pub leak: Usd,
    /// A question.
    pub question: Usd,
}

impl ToolLosses {
    /// The losses with each range's value chosen by `pick`, called once per range in a fixed order.
    pub fn pick(&self, mut pick: impl FnMut(&Range) -> Decimal) -> Losses {
        let kept = Decimal::ONE - pick(&self.downstream_idempotent);
        let reversible = pick(&self.reversible);
        let each = reversible * pick(&self.undo)
            + (Decimal::ONE - reversible) * pick(&self.irreversible)
            + pick(&self.disputed) * pick(&self.dispute_fee);
        Losses {
            duplicate: Usd::new((kept * each).round_dp(6)),
            lost: Usd::new(pick(&self.lost)),
            wrong_result: Usd::new(pick(&self.wrong_result)),
            leak: Usd::new(pick(&self.leak)),
            question: PerHour(pick(&self.hour)) * Minutes(pick(&self.question)),
        }
    }

    /// The losses at the middle of every range.
    pub fn middle(&self) -> Losses {
        self.pick(|range| range.mid)
    }
}

/// Reads the losses of tools.
///
/// # Errors
/// When the file cannot be read, or a field is missing or wrong; names file, line and field.
pub fn read_losses(path: &Path) -> Result<Vec<ToolLosses>> {
    losses_of(&Doc::read(path)?)
}

/// Reads the losses of tools from text; `file` stands for it in messages.
///
/// # Errors
/// As [`read_losses`].
pub fn parse_losses(file: &str, text: &str) -> Result<Vec<ToolLosses>> {
    losses_of(&Doc::new(file, text))
}

fn losses_of(doc: &Doc) -> Result<Vec<ToolLosses>> {
    doc.with_root(|root| {
        root.only(&["currency", "hour", "tool"])?;
        currency(root)?;
        let hour = Range::read(root, "hour")?;
        let mut tools: Vec<ToolLosses> = Vec::new();
        for node in root.list("tool")? {
            let tool = read_tool(&node, hour)?;
            if tools.iter().any(|known| known.name == tool.name) {
                return Err(node.error("name", "is there twice"));
            }
            tools.push(tool);
        }
        if tools.is_empty() {
            return Err(root.error("tool", "must have at least one entry, written as [[tool]]"));
        }
        Ok(tools)
    })
}

fn read_tool(node: &Node<'_>, hour: Range) -> Result<ToolLosses> {
    node.only(&[
        "name",
        "title",
        "basis",
        "downstream_idempotent",
        "reversible",
        "undo",
        "irreversible",
        "disputed",
        "dispute_fee",
        "lost",
        "wrong_result",
        "leak",
        "question_minutes",
    ])?;
    Ok(ToolLosses {
        name: node.text("name")?.to_owned(),
        title: node.text("title")?.to_owned(),
        basis: node.text("basis")?.to_owned(),
        downstream_idempotent: Range::read_share(node, "downstream_idempotent")?,
        reversible: Range::read_share(node, "reversible")?,
        undo: Range::read(node, "undo")?,
        irreversible: Range::read(node, "irreversible")?,
        disputed: Range::read_share(node, "disputed")?,
        dispute_fee: Range::read(node, "dispute_fee")?,
        lost: Range::read(node, "lost")?,
        wrong_result: Range::read(node, "wrong_result")?,
        leak: Range::read(node, "leak")?,
        question: Range::read(node, "question_minutes")?,
        hour,
    })
}
