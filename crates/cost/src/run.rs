//! Joins prices, store, transcript, harm and break-even into one result.

use crate::article::{self, Article, CORNERS, PUBLISHED};
use crate::book::PriceBook;
use crate::error::{Error, Result};
use crate::full::{Full, waterfall};
use crate::harm::{Measured, RatesAt, measure};
use crate::inputs::Inputs;
use crate::rates::Rate;
use crate::result::*;
use crate::scenario::Scenario;
use crate::situation::Situation;
use crate::store::{DynamoDb, StoreBill, StoreBilling};
use crate::tokens::{Encoding, TokenCounter};
use crate::transcript::{Billing, RoundTrip};
use crate::units::{Bytes, Share, Turns, Usd};
use rust_decimal::Decimal;

/// Sizes of results for which the store's writes are stated, beside the scenario's own.
const SIZES: [u64; 4] = [400, 800, 4_000, 20_000];

/// Decimal text without trailing zeros.
pub(crate) fn plain(number: Decimal) -> String {
    number.normalize().to_string()
}

/// Makes the whole report.
///
/// # Errors
/// When a book lacks a price, a sweep leaves its range, or verdicts are missing.
pub fn run(inputs: &Inputs) -> Result<CostResult> {
    inputs.verdicts.check()?;
    Ok(CostResult {
        article: article_part(inputs)?,
        full: full_part(inputs)?,
        seed: inputs.seed,
        samples: inputs.samples,
    })
}

fn article_part(inputs: &Inputs) -> Result<ArticlePart> {
    let [call, result] = inputs.round_trip.count(&Encoding::O200k);
    let scenario = article::scenario(call, result);
    let book = &inputs.article_book;
    let article = Article::of(&scenario, book)?;
    let corner = |(percent, turns): (i64, u64)| {
        let mut scenario = scenario.clone();
        scenario.duplicates = Share::new(Decimal::new(percent, 2)).unwrap_or(Share::ZERO);
        scenario.trip.later_turns = Turns(turns);
        Article::of(&scenario, book)?.ratio()
    };
    let tokens = Encoding::ALL.map(|encoding| {
        let [call, result] = inputs.round_trip.count(&encoding);
        TokenRow { tokenizer: encoding.name().to_owned(), call: call.0, result: result.0 }
    });
    Ok(ArticlePart {
        duplicate_first: article.duplicate_first.text(),
        duplicate_total: article.duplicate_total.text(),
        waste: article.waste.text(),
        store: article.store.text(),
        ratio_min: plain(corner(CORNERS[0])?),
        ratio_max: plain(corner(CORNERS[1])?),
        published: PUBLISHED,
        tokens: tokens.to_vec(),
        book: book_part(book),
    })
}

fn book_part(book: &PriceBook) -> BookPart {
    BookPart {
        file: book.file.clone(),
        title: book.title.clone(),
        date: book.date.to_string(),
        prices: book
            .prices()
            .map(|price| PriceRow {
                item: price.item.name(),
                amount: plain(price.amount),
                unit: price.item.unit(),
                region: price.region.clone(),
                date: price.date.to_string(),
                source: price.source.clone(),
                hand: price.hand.to_string(),
            })
            .collect(),
    }
}

fn full_part(inputs: &Inputs) -> Result<FullPart> {
    let (book, scenario) = (&inputs.book, &inputs.plan.scenario);
    let full = Full::of(scenario, book, &DynamoDb)?;
    let ratio = full.waste.ratio(full.store.total()).ok_or_else(|| {
        Error::Missing("the store costs nothing, so waste to store has no ratio".to_owned())
    })?;
    let mut duplicate = Vec::new();
    let in_time = RoundTrip { late: Share::ZERO, ..scenario.trip };
    for (name, billing, trip) in [
        (Billing::Plain.name(), Billing::Plain, &scenario.trip),
        ("cache-5m, every turn in time", Billing::Cache5m, &in_time),
        (Billing::Cache5m.name(), Billing::Cache5m, &scenario.trip),
        ("cache-1h, every turn in time", Billing::Cache1h, &in_time),
        (Billing::Cache1h.name(), Billing::Cache1h, &scenario.trip),
        (Billing::Batch.name(), Billing::Batch, &scenario.trip),
    ] {
        let trip = trip.cost(billing, book)?;
        duplicate.push(TripRow {
            billing: name,
            written: trip.written.text(),
            first: trip.first.text(),
            later: trip.later.text(),
            total: trip.total().text(),
        });
    }
    let mut store_by_size = Vec::new();
    for size in SIZES {
        let mut sized = scenario.clone();
        sized.record.result = Bytes(size);
        let bill = DynamoDb.bill(sized.traffic(), &sized.record, book)?;
        store_by_size.push(store_row(&sized, &bill));
    }
    let rates = RatesAt::mean(&inputs.rates);
    let measured = measure(&inputs.verdicts, &inputs.rates, inputs.seed, inputs.samples);
    let tools = crate::tools::tool_parts(inputs, &measured, &rates)?;
    Ok(FullPart {
        book: book_part(book),
        duplicate,
        billing: scenario.billing.name(),
        waste: full.waste.text(),
        store: store_row(scenario, &full.store),
        ratio: plain(ratio.round_dp(6)),
        store_by_size,
        waterfall: steps(inputs)?,
        sweeps: sweeps(inputs)?,
        rates: rate_rows(inputs, &rates),
        repeats: repeat_rows(inputs),
        verdict_sources: inputs.verdicts.sources.clone(),
        verdicts: verdict_rows(inputs),
        canary_wins: canary_wins(&tools, &measured),
        tools,
    })
}

fn store_row(scenario: &Scenario, bill: &StoreBill) -> StoreRow {
    StoreRow {
        result_bytes: scenario.record.result.0,
        record_bytes: scenario.record.complete().0,
        write_units: bill.write_units.0,
        claims: bill.claims.text(),
        completions: bill.completions.text(),
        refused: bill.refused.text(),
        writes: bill.writes().text(),
        reads: bill.reads.text(),
        storage: bill.storage.text(),
    }
}

/// The share of calls that current models repeat in the traces: gpt-4o and gpt-4.
fn measured_share(inputs: &Inputs) -> Option<Share> {
    let current = |model: &str| model.starts_with("gpt-4");
    let models = inputs.traffic.traces.values().flatten().filter(|(model, _)| current(model));
    let (repeats, calls) =
        models.fold((0, 0), |(k, n), (_, counts)| (k + counts.repeats, n + counts.calls));
    (calls > 0)
        .then(|| Decimal::from(repeats) / Decimal::from(calls))
        .and_then(|share| Share::new(share.round_dp(9)))
}

fn steps(inputs: &Inputs) -> Result<Vec<StepRow>> {
    let [call, result] = inputs.round_trip.count(&Encoding::O200k);
    let article = article::scenario(call, result);
    let steps = waterfall(
        &article,
        &inputs.article_book,
        &inputs.plan.scenario,
        &inputs.book,
        measured_share(inputs),
    )?;
    let mut before = Usd::ZERO;
    Ok(steps
        .into_iter()
        .map(|step| {
            let change = step.after - before;
            before = step.after;
            StepRow { name: step.name, change: change.text(), after: step.after.text() }
        })
        .collect())
}

fn sweeps(inputs: &Inputs) -> Result<Vec<SweepPart>> {
    let texts = |values: &[Decimal], places: u32| {
        values.iter().map(|v| plain(v.round_dp(places))).collect::<Vec<_>>()
    };
    let axis = |axis: &crate::sweep::Axis| AxisPart {
        parameter: axis.parameter.clone(),
        values: texts(&axis.values, 12),
    };
    let mut parts = Vec::new();
    for sweep in &inputs.plan.sweeps {
        let cells = sweep.cells(&inputs.plan.scenario, &inputs.book, &inputs.article_book)?;
        parts.push(SweepPart {
            name: sweep.name.clone(),
            title: sweep.title.clone(),
            metric: sweep.metric.name(),
            x: axis(&sweep.x),
            y: axis(&sweep.y),
            cells: cells.iter().map(|row| texts(row, 9)).collect(),
        });
    }
    Ok(parts)
}

fn rate_rows(inputs: &Inputs, mean: &RatesAt) -> Vec<RateRow> {
    let percent = |share: Decimal| format!("{} %", plain(share * Decimal::ONE_HUNDRED));
    Situation::ALL
        .into_iter()
        .map(|situation| {
            let (basis, value, source) = match inputs.rates.by_situation.get(&situation) {
                None => ("rest", "the rest".to_owned(), "all other calls".to_owned()),
                Some(sourced) => {
                    let (basis, value) = match &sourced.rate {
                        Rate::Measured { k, n, clusters } => {
                            ("measured", format!("{k} of {n} in {clusters} runs"))
                        }
                        Rate::Assumed(r) => {
                            let [low, mid, high] = [r.low, r.mid, r.high].map(percent);
                            ("assumed", format!("{mid} ({low} to {high})"))
                        }
                    };
                    (basis, value, sourced.source.clone())
                }
            };
            let mean = mean.rates.get(&situation).copied().unwrap_or_default();
            let situation = situation.as_str();
            RateRow { situation, basis, value, mean: plain(mean.round_dp(9)), source }
        })
        .collect()
}

fn repeat_rows(inputs: &Inputs) -> Vec<RepeatRow> {
    let mut rows = Vec::new();
    for (trace, models) in &inputs.traffic.traces {
        for (model, counts) in models {
            rows.push(RepeatRow {
                trace: trace.clone(),
                model: model.clone(),
                counts: counts.clone(),
            });
        }
    }
    rows
}

fn verdict_rows(inputs: &Inputs) -> Vec<VerdictRow> {
    let mut rows = Vec::new();
    for (strategy, situations) in &inputs.verdicts.by_strategy {
        for (situation, seen) in situations {
            rows.push(VerdictRow {
                strategy: strategy.clone(),
                situation: situation.as_str(),
                clusters: seen.clusters,
                tally: seen.total(),
            });
        }
    }
    rows
}

/// Cells of the maps and stretches of the break-even lines that a canary wins.
fn canary_wins(tools: &[ToolPart], measured: &[Measured]) -> usize {
    let is_canary = |name: &String| {
        measured.iter().any(|m| m.candidate.is_canary() && m.candidate.to_string() == *name)
    };
    let wins = |tool: &ToolPart| {
        let cells = tool.map.winner.iter().flatten().filter(|name| is_canary(name)).count();
        let stretches = tool
            .breakeven
            .iter()
            .flat_map(|part| &part.stretches)
            .filter(|stretch| is_canary(&stretch.winner))
            .count();
        cells + stretches + usize::from(tool.costs.first().is_some_and(|row| row.is_canary))
    };
    tools.iter().map(wins).sum()
}
