//! The part of `samecall cost --json` that is shown, as it is written there.

use serde::Deserialize;

/// One run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Cost {
    pub(crate) article: Article,
    pub(crate) full: Full,
    pub(crate) seed: u64,
    pub(crate) samples: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Article {
    pub(crate) duplicate_first: String,
    pub(crate) duplicate_total: String,
    pub(crate) waste: String,
    pub(crate) store: String,
    pub(crate) ratio_min: String,
    pub(crate) ratio_max: String,
    pub(crate) published: Vec<(String, String)>,
    pub(crate) tokens: Vec<Tokens>,
    pub(crate) book: Book,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Tokens {
    pub(crate) tokenizer: String,
    pub(crate) call: u64,
    pub(crate) result: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Book {
    pub(crate) title: String,
    pub(crate) prices: Vec<Price>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Price {
    pub(crate) item: String,
    pub(crate) amount: String,
    pub(crate) unit: String,
    pub(crate) region: String,
    pub(crate) date: String,
    pub(crate) source: String,
    pub(crate) hand: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Full {
    pub(crate) book: Book,
    pub(crate) duplicate: Vec<Trip>,
    pub(crate) billing: String,
    pub(crate) waste: String,
    pub(crate) store: Store,
    pub(crate) ratio: String,
    pub(crate) store_by_size: Vec<Store>,
    pub(crate) waterfall: Vec<Step>,
    pub(crate) sweeps: Vec<Sweep>,
    pub(crate) rates: Vec<Rate>,
    pub(crate) repeats: Vec<Repeat>,
    pub(crate) verdict_sources: Vec<String>,
    pub(crate) verdicts: Vec<Verdicts>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) canary_wins: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Trip {
    pub(crate) billing: String,
    pub(crate) written: String,
    pub(crate) first: String,
    pub(crate) later: String,
    pub(crate) total: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Store {
    pub(crate) result_bytes: u64,
    pub(crate) write_units: u64,
    pub(crate) claims: String,
    pub(crate) completions: String,
    pub(crate) refused: String,
    pub(crate) writes: String,
    pub(crate) reads: String,
    pub(crate) storage: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) change: String,
    pub(crate) after: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Sweep {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) metric: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) cells: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Axis {
    pub(crate) parameter: String,
    pub(crate) values: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Rate {
    pub(crate) situation: String,
    pub(crate) basis: String,
    pub(crate) value: String,
    pub(crate) mean: String,
    pub(crate) source: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Repeat {
    pub(crate) trace: String,
    pub(crate) model: String,
    pub(crate) runs: u64,
    pub(crate) calls: u64,
    pub(crate) repeats: u64,
    pub(crate) runs_with_repeats: u64,
    pub(crate) writes: u64,
    pub(crate) double_writes: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Verdicts {
    pub(crate) strategy: String,
    pub(crate) situation: String,
    pub(crate) clusters: u64,
    pub(crate) n: u64,
    pub(crate) same: u64,
    pub(crate) different: u64,
    pub(crate) conflict: u64,
    pub(crate) suspect: u64,
    pub(crate) refused: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) basis: String,
    pub(crate) losses: Losses,
    pub(crate) costs: Vec<Candidate>,
    pub(crate) map: Map,
    pub(crate) breakeven: Vec<Breakeven>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Losses {
    pub(crate) duplicate: String,
    pub(crate) lost: String,
    pub(crate) wrong_result: String,
    pub(crate) leak: String,
    pub(crate) question: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Candidate {
    pub(crate) name: String,
    pub(crate) is_canary: bool,
    pub(crate) mean: String,
    pub(crate) interval: [String; 2],
    pub(crate) store: String,
    pub(crate) tokens: String,
    pub(crate) cheapest_in: u64,
    pub(crate) duplicates: String,
    pub(crate) lost: String,
    pub(crate) questions: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Map {
    pub(crate) duplicate: Vec<String>,
    pub(crate) lost: Vec<String>,
    pub(crate) winner: Vec<Vec<String>>,
    pub(crate) sure: Vec<Vec<String>>,
    pub(crate) cost: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Breakeven {
    pub(crate) harm: String,
    pub(crate) stretches: Vec<Stretch>,
    pub(crate) canary_from: Option<String>,
    pub(crate) canary: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Stretch {
    pub(crate) winner: String,
    pub(crate) from: String,
    #[serde(default)]
    pub(crate) interval: Option<[Option<String>; 2]>,
}
