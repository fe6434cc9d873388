//! The shape of `cost --json`: amounts as decimal text in dollars, shares as decimal text. What a report
//! shows is read from here.

use serde::Serialize;

/// Everything that one run found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CostResult {
    /// The article's arithmetic.
    pub article: ArticlePart,
    /// The full model.
    pub full: FullPart,
    /// The seed of all draws.
    pub seed: u64,
    /// How many draws.
    pub samples: usize,
}

impl CostResult {
    /// The bytes of a result file: JSON, indented, with a line end.
    ///
    /// # Errors
    /// Never for a result that [`crate::run()`] made.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

/// The article's figures beside the published ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArticlePart {
    /// Tokens of one duplicate when it happens.
    pub duplicate_first: String,
    /// With ten further turns.
    pub duplicate_total: String,
    /// 3 % of a million calls.
    pub waste: String,
    /// One write for each call.
    pub store: String,
    /// Waste to store at 1 % and 5 turns.
    pub ratio_min: String,
    /// Waste to store at 5 % and 20 turns.
    pub ratio_max: String,
    /// What the article printed, by the names above.
    pub published: [(&'static str, &'static str); 6],
    /// The round trip counted.
    pub tokens: Vec<TokenRow>,
    /// The prices used.
    pub book: BookPart,
}

/// The tokens of the round trip by one tokenizer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TokenRow {
    /// The tokenizer.
    pub tokenizer: String,
    /// Tokens of the call.
    pub call: u64,
    /// Tokens of the result.
    pub result: u64,
}

/// A price book.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BookPart {
    /// Its file.
    pub file: String,
    /// What it is.
    pub title: String,
    /// Its date.
    pub date: String,
    /// Its prices.
    pub prices: Vec<PriceRow>,
}

/// One price.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PriceRow {
    /// What is priced.
    pub item: &'static str,
    /// Dollars per unit.
    pub amount: String,
    /// The unit.
    pub unit: &'static str,
    /// The region.
    pub region: String,
    /// The date of the price.
    pub date: String,
    /// The source.
    pub source: String,
    /// `first` or `second`.
    pub hand: String,
}

/// The full model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FullPart {
    /// The prices used.
    pub book: BookPart,
    /// The tokens of one duplicate by way of billing.
    pub duplicate: Vec<TripRow>,
    /// The way of billing of the scenario.
    pub billing: &'static str,
    /// The tokens of all duplicates.
    pub waste: String,
    /// What the store bills.
    pub store: StoreRow,
    /// Waste to store.
    pub ratio: String,
    /// The store by size of the result, storage left out.
    pub store_by_size: Vec<StoreRow>,
    /// What each correction does to the article's waste.
    pub waterfall: Vec<StepRow>,
    /// The sweeps.
    pub sweeps: Vec<SweepPart>,
    /// How often each situation comes up.
    pub rates: Vec<RateRow>,
    /// Repeats counted in traces.
    pub repeats: Vec<RepeatRow>,
    /// The files that the verdicts come from.
    pub verdict_sources: Vec<String>,
    /// What each strategy answered in each situation.
    pub verdicts: Vec<VerdictRow>,
    /// Expected cost and break-even for each tool.
    pub tools: Vec<ToolPart>,
    /// Cells and stretches in which a canary is cheapest; must be 0.
    pub canary_wins: usize,
}

/// The tokens of one duplicate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TripRow {
    /// The way of billing.
    pub billing: &'static str,
    /// The call as output.
    pub written: String,
    /// The first turn that sends it.
    pub first: String,
    /// Later turns.
    pub later: String,
    /// All.
    pub total: String,
}

/// A store's bill.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoreRow {
    /// Bytes of the result.
    pub result_bytes: u64,
    /// Bytes of the completed record.
    pub record_bytes: u64,
    /// Write units.
    pub write_units: u64,
    /// Claims that won.
    pub claims: String,
    /// Completions.
    pub completions: String,
    /// Refused claims.
    pub refused: String,
    /// All writes.
    pub writes: String,
    /// Reads after refused claims.
    pub reads: String,
    /// Storage until the sweep.
    pub storage: String,
}

/// One correction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepRow {
    /// What is corrected.
    pub name: &'static str,
    /// What it changes.
    pub change: String,
    /// The waste after it.
    pub after: String,
}

/// One sweep.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SweepPart {
    /// Names its files.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The figure.
    pub metric: &'static str,
    /// Columns.
    pub x: AxisPart,
    /// Rows.
    pub y: AxisPart,
    /// Figures by row.
    pub cells: Vec<Vec<String>>,
}

/// An axis of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AxisPart {
    /// The parameter.
    pub parameter: String,
    /// Its values.
    pub values: Vec<String>,
}

/// The rate of one situation, per call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RateRow {
    /// The situation.
    pub situation: &'static str,
    /// `measured`, `assumed`, or `rest`.
    pub basis: &'static str,
    /// What was counted or assumed, in words.
    pub value: String,
    /// The mean used.
    pub mean: String,
    /// Where it comes from.
    pub source: String,
}

/// Repeats of one model in one trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepeatRow {
    /// The trace.
    pub trace: String,
    /// The model.
    pub model: String,
    /// The counts.
    #[serde(flatten)]
    pub counts: crate::repeats::Repeats,
}

/// What one strategy answered in one situation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerdictRow {
    /// The strategy.
    pub strategy: String,
    /// The situation.
    pub situation: &'static str,
    /// Independent groups of pairs.
    pub clusters: u64,
    /// Pairs by verdict.
    #[serde(flatten)]
    pub tally: samecall_call::result::Tally,
}

/// One tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolPart {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Where its losses come from.
    pub basis: String,
    /// Mean losses in dollars: duplicate, lost, wrong result, leak, question.
    pub losses: LossRow,
    /// Expected cost of each candidate, cheapest first.
    pub costs: Vec<CandidateRow>,
    /// The break-even map.
    pub map: MapPart,
    /// From which harm on who is cheapest.
    pub breakeven: Vec<BreakevenPart>,
}

/// Losses in dollars.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LossRow {
    /// A duplicate effect.
    pub duplicate: String,
    /// A lost effect.
    pub lost: String,
    /// A wrong result.
    pub wrong_result: String,
    /// A result shown to another tenant.
    pub leak: String,
    /// A question.
    pub question: String,
}

/// Expected cost of one candidate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateRow {
    /// The strategy with its policy for suspects.
    pub name: String,
    /// Whether it is a check on the measure.
    pub is_canary: bool,
    /// Dollars per million calls: harm, store and tokens.
    pub mean: String,
    /// 95 % interval of it.
    pub interval: [String; 2],
    /// Of it, store.
    pub store: String,
    /// Of it, tokens of repeated calls; the same for all.
    pub tokens: String,
    /// Draws in which it is the cheapest.
    pub cheapest_in: usize,
    /// Duplicates per million calls.
    pub duplicates: String,
    /// Lost effects per million calls.
    pub lost: String,
    /// Questions per million calls.
    pub questions: String,
}

/// The break-even map of one tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MapPart {
    /// Dollars for a duplicate: columns.
    pub duplicate: Vec<String>,
    /// Dollars for a lost effect: rows.
    pub lost: Vec<String>,
    /// The cheapest candidate's name in each cell.
    pub winner: Vec<Vec<String>>,
    /// Share of draws in which it is.
    pub sure: Vec<Vec<String>>,
    /// Its dollars per million calls.
    pub cost: Vec<Vec<String>>,
}

/// Who is cheapest along one harm, the other losses at their means.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BreakevenPart {
    /// `duplicate` or `lost`.
    pub harm: &'static str,
    /// The stretches in rising order.
    pub stretches: Vec<StretchRow>,
    /// From so many dollars on a canary would be the cheapest, beyond the range of the map: asking a
    /// person at every call (`refuse`), or no key at all (`random`). Null where it never is.
    pub canary_from: Option<String>,
    /// Which one.
    pub canary: Option<String>,
}

/// A stretch of a harm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StretchRow {
    /// The cheapest candidate.
    pub winner: String,
    /// From so many dollars on.
    pub from: String,
    /// 95 % interval of that; null as an end where no harm is large enough; absent for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[Option<String>; 2]>,
}
