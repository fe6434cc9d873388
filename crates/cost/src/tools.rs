//! Expected cost and break-even of every candidate, for each tool whose losses are known.

use crate::breakeven::{Field, Harm, Stretch};
use crate::error::Result;
use crate::harm::{Exposure, Measured, RatesAt};
use crate::inputs::Inputs;
use crate::losses::{Losses, Range, ToolLosses};
use crate::posterior::{Draws, interval};
use crate::result::*;
use crate::run::plain;
use crate::situation::Situation;
use crate::store::{DynamoDb, StoreBilling, Traffic};
use crate::units::{Calls, Share, Usd};
use rust_decimal::Decimal;

/// Figures are stated for so many calls.
const MILLION: Calls = Calls(1_000_000);

/// Draws that the map's shares are counted over; the intervals take all of them.
const MAP_DRAWS: usize = 200;

/// How far beyond the map's range a canary is looked for.
const FAR: Usd = Usd::whole(1_000_000_000);

/// Dollars per million calls, to the cent.
fn per_million(per_call: Usd) -> Usd {
    Usd::new((per_call.dollars() * Decimal::from(MILLION.0)).round_dp(2))
}

/// The parts of all tools.
pub(crate) fn tool_parts(
    inputs: &Inputs,
    measured: &[Measured],
    rates: &RatesAt,
) -> Result<Vec<ToolPart>> {
    let tokens = repeated_tokens(inputs, rates)?;
    let mut stores = Vec::with_capacity(measured.len());
    for candidate in measured {
        stores.push(store_per_call(inputs, &candidate.mean)?);
    }
    let field =
        Field { candidates: measured, fixed: stores.iter().map(|store| *store + tokens).collect() };
    let parts = inputs.losses.iter().enumerate().map(|(index, tool)| {
        // Each tool draws its own losses, whatever the other tools are.
        let mut source = Draws::new(inputs.seed.wrapping_add(1 + index as u64));
        let drawn: Vec<Losses> = (0..inputs.samples)
            .map(|_| tool.pick(|range: &Range| range.at(source.uniform())))
            .collect();
        tool_part(inputs, tool, &field, &stores, tokens, &drawn)
    });
    Ok(parts.collect())
}

/// What the tokens of repeated calls cost per call, whatever is answered.
fn repeated_tokens(inputs: &Inputs, rates: &RatesAt) -> Result<Usd> {
    let repeats = [
        Situation::RetryLanded,
        Situation::RetryNotLanded,
        Situation::RetryOtherStep,
        Situation::ResumedRun,
    ];
    let share: Decimal = repeats.iter().filter_map(|s| rates.rates.get(s)).sum();
    let scenario = &inputs.plan.scenario;
    let trip = scenario.trip.cost(scenario.billing, &inputs.book)?;
    Ok(trip.total() * Share::new(share.min(Decimal::ONE)).unwrap_or(Share::ONE))
}

fn store_per_call(inputs: &Inputs, exposure: &Exposure) -> Result<Usd> {
    let calls =
        |share: Decimal| MILLION.share(Share::new(share.min(Decimal::ONE)).unwrap_or(Share::ONE));
    let refused = calls(exposure.replayed);
    let traffic =
        Traffic { executed: MILLION.without(refused).without(calls(exposure.refused)), refused };
    let bill = DynamoDb.bill(traffic, &inputs.plan.scenario.record, &inputs.book)?;
    Ok(Usd::new(bill.total().dollars() / Decimal::from(MILLION.0)))
}

fn tool_part(
    inputs: &Inputs,
    tool: &ToolLosses,
    field: &Field<'_>,
    stores: &[Usd],
    tokens: Usd,
    drawn: &[Losses],
) -> ToolPart {
    let losses = tool.pick(Range::mean);
    let money = |amount: Usd| Usd::new(amount.dollars().round_dp(4)).text();
    ToolPart {
        name: tool.name.clone(),
        title: tool.title.clone(),
        basis: tool.basis.clone(),
        losses: LossRow {
            duplicate: money(losses.duplicate),
            lost: money(losses.lost),
            wrong_result: money(losses.wrong_result),
            leak: money(losses.leak),
            question: money(losses.question),
        },
        costs: cost_rows(field, stores, tokens, &losses, drawn),
        map: map_part(inputs, field, &losses, drawn),
        breakeven: [Harm::Duplicate, Harm::Lost]
            .into_iter()
            .map(|axis| {
                let values = match axis {
                    Harm::Duplicate => &inputs.plan.map_duplicate,
                    Harm::Lost => &inputs.plan.map_lost,
                };
                let ends = (values[0], values[values.len() - 1]);
                let all = field.stretches(axis, &losses, drawn, ends.0, FAR);
                let canary = all.iter().find(|s| field.candidates[s.winner].candidate.is_canary());
                let within = all.iter().filter(|s| s.from <= ends.1);
                BreakevenPart {
                    harm: axis.as_str(),
                    stretches: within.map(|s| stretch_row(field, s)).collect(),
                    canary_from: canary.map(|s| cents(s.from)),
                    canary: canary.map(|s| field.candidates[s.winner].candidate.to_string()),
                }
            })
            .collect(),
    }
}

fn cents(harm: Usd) -> String {
    Usd::new(harm.dollars().round_dp(2)).text()
}

fn stretch_row(field: &Field<'_>, stretch: &Stretch) -> StretchRow {
    StretchRow {
        winner: field.candidates[stretch.winner].candidate.to_string(),
        from: cents(stretch.from),
        interval: stretch.interval.map(|ends| ends.map(|end| end.map(cents))),
    }
}

fn cost_rows(
    field: &Field<'_>,
    stores: &[Usd],
    tokens: Usd,
    losses: &Losses,
    drawn: &[Losses],
) -> Vec<CandidateRow> {
    let costs: Vec<Vec<Usd>> = field
        .candidates
        .iter()
        .zip(&field.fixed)
        .map(|(c, fixed)| c.draws.iter().zip(drawn).map(|(e, l)| e.cost(l) + *fixed).collect())
        .collect();
    let mut cheapest_in = vec![0; costs.len()];
    for draw in 0..drawn.len() {
        if let Some(index) = (0..costs.len()).min_by_key(|&i| costs[i][draw]) {
            cheapest_in[index] += 1;
        }
    }
    let events = |share: Decimal| plain((share * Decimal::from(MILLION.0)).round_dp(1));
    let mut rows: Vec<(Usd, CandidateRow)> = Vec::with_capacity(costs.len());
    for (index, measured) in field.candidates.iter().enumerate() {
        let mean = measured.mean.cost(losses) + field.fixed[index];
        let mut sorted = costs[index].clone();
        sorted.sort();
        let ends = interval(&sorted).unwrap_or([mean, mean]);
        let row = CandidateRow {
            name: measured.candidate.to_string(),
            is_canary: measured.candidate.is_canary(),
            mean: per_million(mean).text(),
            interval: ends.map(|end| per_million(end).text()),
            store: per_million(stores[index]).text(),
            tokens: per_million(tokens).text(),
            cheapest_in: cheapest_in[index],
            duplicates: events(measured.mean.duplicate),
            lost: events(measured.mean.lost),
            questions: events(measured.mean.question),
        };
        rows.push((mean, row));
    }
    rows.sort_by(|(a, x), (b, y)| (a, x.is_canary, &x.name).cmp(&(b, y.is_canary, &y.name)));
    rows.into_iter().map(|(_, row)| row).collect()
}

fn map_part(inputs: &Inputs, field: &Field<'_>, losses: &Losses, drawn: &[Losses]) -> MapPart {
    let plan = &inputs.plan;
    let drawn = &drawn[..drawn.len().min(MAP_DRAWS)];
    let cells = field.map(losses, drawn, &plan.map_duplicate, &plan.map_lost);
    let texts = |values: &[Usd]| values.iter().map(|v| v.text()).collect();
    let each = |f: &dyn Fn(&crate::breakeven::Cell) -> String| -> Vec<Vec<String>> {
        cells.iter().map(|row| row.iter().map(f).collect()).collect()
    };
    MapPart {
        duplicate: texts(&plan.map_duplicate),
        lost: texts(&plan.map_lost),
        winner: each(&|cell| field.candidates[cell.winner].candidate.to_string()),
        sure: each(&|cell| {
            plain((Decimal::from(cell.sure) / Decimal::from(cell.of.max(1))).round_dp(3))
        }),
        cost: each(&|cell| per_million(cell.cost).text()),
    }
}
