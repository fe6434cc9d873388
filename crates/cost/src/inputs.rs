//! What a cost report is made from: the shipped files, each of which can be replaced.

use crate::book::PriceBook;
use crate::error::{Error, Result};
use crate::losses::{ToolLosses, parse_losses};
use crate::rates::Rates;
use crate::repeats::Traffic;
use crate::sweep::Plan;
use crate::tokens::{Encoding, TokenCounter};
use crate::units::Tokens;
use crate::verdicts::Verdicts;
use serde::Deserialize;
use std::path::Path;

macro_rules! shipped {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../", $path)))
    };
}

const ARTICLE_BOOK: (&str, &str) = shipped!("corpus/prices/article-2026-08.toml");
const BOOK: (&str, &str) = shipped!("corpus/prices/current.toml");
const PLAN: (&str, &str) = shipped!("corpus/sweeps/default.toml");
const LOSSES: (&str, &str) = shipped!("corpus/harm/tools.toml");
const RATES: (&str, &str) = shipped!("corpus/harm/rates.toml");
const ROUND_TRIP: (&str, &str) = shipped!("corpus/cost/charge_card.json");
const VERDICTS: (&str, &str) = shipped!("corpus/harm/verdicts.json");
const REPEATS: (&str, &str) = shipped!("corpus/cost/repeats.json");

/// A tool call and its result as the blocks that a model's API carries.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RoundTripText {
    /// What the text is.
    pub about: String,
    /// The call's block.
    pub call: String,
    /// The result's block.
    pub result: String,
}

impl RoundTripText {
    /// The shipped `charge_card` round trip.
    ///
    /// # Errors
    /// Never for the file as shipped.
    pub fn shipped() -> Result<Self> {
        json(ROUND_TRIP)
    }

    /// Tokens of the call and of the result.
    pub fn count(&self, counter: &dyn TokenCounter) -> [Tokens; 2] {
        [counter.count(&self.call), counter.count(&self.result)]
    }
}

/// Everything that a report is made from.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// The article's prices.
    pub article_book: PriceBook,
    /// The full model's prices.
    pub book: PriceBook,
    /// The round trip whose tokens are counted.
    pub round_trip: RoundTripText,
    /// The scenario, the sweeps and the map's axes.
    pub plan: Plan,
    /// Losses by tool.
    pub losses: Vec<ToolLosses>,
    /// Rates by situation.
    pub rates: Rates,
    /// Repeats counted in traces.
    pub traffic: Traffic,
    /// What the strategies answer.
    pub verdicts: Verdicts,
    /// The seed of all draws.
    pub seed: u64,
    /// How many draws.
    pub samples: usize,
}

fn json<T: serde::de::DeserializeOwned>((file, text): (&str, &str)) -> Result<T> {
    serde_json::from_str(text).map_err(|e| Error::Syntax {
        file: file.to_owned(),
        line: e.line(),
        reason: e.to_string(),
    })
}

impl Inputs {
    /// The shipped files, with another price book or sweep file where one is given, and the verdicts in
    /// these results of replays in place of those of real calls.
    ///
    /// # Errors
    /// When a file cannot be read or is not as it should be.
    pub fn read<P: AsRef<Path>>(
        prices: Option<&Path>,
        sweep: Option<&Path>,
        verdicts: &[P],
    ) -> Result<Self> {
        let round_trip = RoundTripText::shipped()?;
        let [call, result] = round_trip.count(&Encoding::O200k);
        let mut read = Verdicts::default();
        for path in verdicts {
            read.read(path.as_ref())?;
        }
        if verdicts.is_empty() {
            read.parse(VERDICTS.0, VERDICTS.1)?;
        }
        Ok(Inputs {
            article_book: PriceBook::parse(ARTICLE_BOOK.0, ARTICLE_BOOK.1)?,
            book: match prices {
                Some(path) => PriceBook::read(path)?,
                None => PriceBook::parse(BOOK.0, BOOK.1)?,
            },
            plan: match sweep {
                Some(path) => Plan::read(path, call, result)?,
                None => Plan::parse(PLAN.0, PLAN.1, call, result)?,
            },
            losses: parse_losses(LOSSES.0, LOSSES.1)?,
            rates: Rates::parse(RATES.0, RATES.1)?,
            traffic: json(REPEATS)?,
            verdicts: read,
            seed: 7,
            samples: 1000,
            round_trip,
        })
    }
}
