//! The tables of the cost report and the words around them.

use super::view::{Book, Cost, Losses, Store, Sweep, Tool};
use crate::table::Table;
use crate::words::thousands;

/// A part of the report.
pub(super) struct Section {
    pub(super) heading: &'static str,
    pub(super) text: String,
    /// Names of plots, without their endings.
    pub(super) plots: Vec<String>,
    pub(super) tables: Vec<Table>,
}

/// What a terminal shows.
pub(super) fn short(cost: &Cost) -> Vec<Table> {
    let mut tables = vec![article(cost), duplicate(cost), store(cost), waterfall(cost)];
    tables.extend(cost.full.tools.iter().map(|tool| expected(cost, tool)));
    tables.extend([breakeven(cost), limits(cost)]);
    tables
}

/// What `report.md` holds.
pub(super) fn sections(cost: &Cost) -> Vec<Section> {
    let full = &cost.full;
    let tool_plots = |prefix: &str| -> Vec<String> {
        full.tools.iter().map(|tool| format!("{prefix}-{}", tool.name)).collect()
    };
    vec![
        Section {
            heading: "The article's figures",
            text: "The article's arithmetic with its own prices. It did not publish the text whose tokens \
                   it counted: the `charge_card` round trip in `corpus/cost` is a stand-in of the same \
                   size. Claude's own tokenizer is not published, so both count by OpenAI's."
                .to_owned(),
            plots: vec!["ratio".to_owned()],
            tables: vec![article(cost), tokens(cost), book(&cost.article.book)],
        },
        Section {
            heading: "The full model: tokens and store",
            text: format!(
                "Billing of the scenario: {}. Its duplicates cost ${} in tokens, its store ${} in writes and ${} \
                 in storage: a ratio of {}. Writes count both claim and completion, in steps of 1 KB of the \
                 stored size; a refused claim is billed at the size of the record that is there.",
                full.billing,
                money(&full.waste),
                money(&full.store.writes),
                money(&full.store.storage),
                places(&full.ratio, 1),
            ),
            plots: vec!["waterfall".to_owned()],
            tables: [vec![duplicate(cost), store(cost), waterfall(cost)], sweeps(cost)]
                .concat()
                .into_iter()
                .chain([book(&full.book)])
                .collect(),
        },
        Section {
            heading: "How often",
            text: "Rates per call. The hostile corpora give none. The article assumes 3 % of duplicates."
                .to_owned(),
            plots: Vec::new(),
            tables: vec![rates(cost), repeats(cost)],
        },
        Section {
            heading: "What strategies answer",
            text: format!(
                "Observed pairs with their text as a model wrote it, put into each situation by their scope. \
                 From {}. Situations that no key can tell apart share their pairs.",
                full.verdict_sources.join("; ")
            ),
            plots: Vec::new(),
            tables: vec![verdicts(cost)],
        },
        Section {
            heading: "Expected cost",
            text: "Per million calls: harm, store and tokens. Means are exact; intervals are 95 %, over draws \
                   of the rates, of what each strategy answers, and of the losses. Losses are assumptions. \
                   Where a strategy answers `suspect`, the tool's policy decides, and each policy is a row \
                   of its own."
                .to_owned(),
            plots: tool_plots("expected"),
            tables: full.tools.iter().map(|tool| expected(cost, tool)).collect(),
        },
        Section {
            heading: "Break-even",
            text: format!(
                "Which strategy is cheapest over the harm of a duplicate and of a lost effect, all other \
                 losses at their means. Pale cells are unsure: the shade is the share of draws that agree. Canaries \
                 are cheapest in {} places.",
                full.canary_wins
            ),
            plots: tool_plots("breakeven"),
            tables: vec![breakeven(cost), limits(cost)],
        },
    ]
}

fn table(title: &str, columns: &[&str], rows: Vec<Vec<String>>, note: &str) -> Table {
    Table {
        title: title.to_owned(),
        columns: columns.iter().map(|&c| c.to_owned()).collect(),
        rows,
        note: note.to_owned(),
    }
}

/// Decimal text cut to so many places, as it would be rounded by hand.
fn places(text: &str, places: usize) -> String {
    text.parse::<f64>().map_or_else(|_| text.to_owned(), |n| format!("{n:.places$}"))
}

/// Dollars to the cent.
fn money(text: &str) -> String {
    places(text, 2)
}

/// Dollars per million calls, to the dollar, in groups of three.
fn dollars(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(n) if n >= 0.0 => thousands(n.round() as u64),
        _ => text.to_owned(),
    }
}

fn article(cost: &Cost) -> Table {
    let a = &cost.article;
    let rows = [
        ("tokens of a duplicate at once", &a.duplicate_first, "$", ""),
        ("tokens of a duplicate with ten further turns", &a.duplicate_total, "$", ""),
        ("30,000 duplicates of a million calls", &a.waste, "$", ""),
        ("a million writes", &a.store, "$", ""),
        ("waste to store at 1 % and 5 turns", &a.ratio_min, "", ":1"),
        ("waste to store at 5 % and 20 turns", &a.ratio_max, "", ":1"),
    ];
    let rows =
        rows.into_iter().zip(&a.published).map(|((what, ours, before, after), published)| {
            let show = |text: &str| format!("{before}{text}{after}");
            vec![what.to_owned(), show(&published.1), show(ours)]
        });
    table(
        "The article's figures",
        &["", "published", "here"],
        rows.collect(),
        "The article cuts its ratios where it does not round them.",
    )
}

fn tokens(cost: &Cost) -> Table {
    let rows = cost.article.tokens.iter();
    let rows = rows.map(|t| vec![t.tokenizer.clone(), t.call.to_string(), t.result.to_string()]);
    table("Tokens of the round trip", &["tokenizer", "call", "result"], rows.collect(), "")
}

fn book(book: &Book) -> Table {
    let rows = book.prices.iter().map(|p| {
        let of = format!("{}, {}", p.region, p.date);
        vec![p.item.clone(), p.amount.clone(), p.unit.clone(), of, p.hand.clone(), p.source.clone()]
    });
    table(
        &format!("Prices: {}", book.title),
        &["item", "dollars", "per", "region, date", "hand", "source"],
        rows.collect(),
        "",
    )
}

fn duplicate(cost: &Cost) -> Table {
    let rows = cost.full.duplicate.iter().map(|t| {
        vec![
            t.billing.clone(),
            t.written.clone(),
            t.first.clone(),
            t.later.clone(),
            t.total.clone(),
        ]
    });
    table(
        "Tokens of one duplicate by way of billing (dollars)",
        &["billing", "call written", "first sent", "later turns", "total"],
        rows.collect(),
        "",
    )
}

fn store(cost: &Cost) -> Table {
    let row = |s: &Store| {
        vec![
            thousands(s.result_bytes),
            thousands(s.write_units),
            money(&s.claims),
            money(&s.completions),
            money(&s.refused),
            money(&s.writes),
            money(&s.reads),
            money(&s.storage),
        ]
    };
    table(
        "The store by size of the result (dollars)",
        &["bytes", "write units", "claims", "completions", "refused", "writes", "reads", "storage"],
        cost.full.store_by_size.iter().map(row).collect(),
        "",
    )
}

fn waterfall(cost: &Cost) -> Table {
    let rows = cost.full.waterfall.iter().enumerate().map(|(index, s)| {
        let change = if index == 0 { String::new() } else { money(&s.change) };
        vec![s.name.clone(), change, money(&s.after)]
    });
    table(
        "What corrections do to the article's waste (dollars)",
        &["correction", "change", "waste"],
        rows.collect(),
        "The last line: the model has written the second call before any key can be taken, and its result, \
         replayed or new, enters the transcript all the same. A key saves the effect, not these tokens.",
    )
}

fn sweeps(cost: &Cost) -> Vec<Table> {
    let one = |sweep: &Sweep| {
        let mut columns = vec![format!("{} \\ {}", sweep.y.parameter, sweep.x.parameter)];
        columns.extend(sweep.x.values.iter().cloned());
        let rows = sweep.y.values.iter().zip(&sweep.cells).map(|(y, cells)| {
            let cells = cells.iter().map(|cell| {
                let large = cell.parse::<f64>().is_ok_and(|n| n >= 1.0);
                places(cell, if large { 2 } else { 6 })
            });
            std::iter::once(y.clone()).chain(cells).collect()
        });
        Table { title: sweep.title.clone(), columns, rows: rows.collect(), note: String::new() }
    };
    cost.full.sweeps.iter().map(one).collect()
}

fn rates(cost: &Cost) -> Table {
    let rows = cost.full.rates.iter().map(|r| {
        let mean = r
            .mean
            .parse::<f64>()
            .map_or_else(|_| r.mean.clone(), |m| format!("{:.3} %", 100.0 * m));
        vec![r.situation.clone(), r.basis.clone(), r.value.clone(), mean, r.source.clone()]
    });
    table("Situations", &["situation", "basis", "value", "mean used", "source"], rows.collect(), "")
}

fn repeats(cost: &Cost) -> Table {
    let share = |k: u64, n: u64| format!("{k} ({:.1} %)", 100.0 * k as f64 / n.max(1) as f64);
    let rows = cost.full.repeats.iter().map(|r| {
        vec![
            format!("{}, {}", r.trace, r.model),
            thousands(r.runs),
            thousands(r.calls),
            share(r.repeats, r.calls),
            share(r.runs_with_repeats, r.runs),
            thousands(r.writes),
            share(r.double_writes, r.writes),
        ]
    });
    table(
        "Repeats in real runs (the article assumes 3 %)",
        &["trace, model", "runs", "calls", "repeated", "runs with one", "writes", "done twice"],
        rows.collect(),
        "A call repeats when its tool and its arguments as JSON equal an earlier call of its run; a write is \
         done twice when both succeeded.",
    )
}

fn verdicts(cost: &Cost) -> Table {
    let rows = cost.full.verdicts.iter().map(|v| {
        let counts = [v.n, v.clusters, v.same, v.conflict, v.suspect, v.refused, v.different];
        let mut row = vec![v.strategy.clone(), v.situation.clone()];
        row.extend(counts.map(thousands));
        row
    });
    table(
        "Verdicts by situation (pairs)",
        &[
            "strategy",
            "situation",
            "pairs",
            "clusters",
            "same",
            "conflict",
            "suspect",
            "refused",
            "different",
        ],
        rows.collect(),
        "",
    )
}

fn losses(losses: &Losses) -> String {
    format!(
        "Mean losses: duplicate ${}, lost effect ${}, wrong result ${}, another tenant's result ${}, question ${}.",
        money(&losses.duplicate),
        money(&losses.lost),
        money(&losses.wrong_result),
        money(&losses.leak),
        money(&losses.question)
    )
}

fn expected(cost: &Cost, tool: &Tool) -> Table {
    let rows = tool.costs.iter().map(|c| {
        let name = if c.is_canary { format!("{} (canary)", c.name) } else { c.name.clone() };
        let [low, high] = &c.interval;
        vec![
            name,
            dollars(&c.mean),
            format!("{} to {}", dollars(low), dollars(high)),
            format!("{:.0} %", 100.0 * c.cheapest_in as f64 / cost.samples.max(1) as f64),
            dollars(&c.duplicates),
            dollars(&c.lost),
            dollars(&c.questions),
        ]
    });
    let shared = tool.costs.first().map_or_else(String::new, |c| {
        format!(" Of each, tokens ${} and about ${} of store.", money(&c.tokens), money(&c.store))
    });
    table(
        &format!("{}: expected dollars per million calls", tool.title),
        &["strategy", "mean", "95 %", "cheapest in", "duplicates", "lost", "questions"],
        rows.collect(),
        &format!("{} Basis: {}.{shared}", losses(&tool.losses), tool.basis),
    )
}

fn breakeven(cost: &Cost) -> Table {
    let mut rows = Vec::new();
    for tool in &cost.full.tools {
        for part in &tool.breakeven {
            for stretch in &part.stretches {
                let interval = match &stretch.interval {
                    None => String::new(),
                    Some([low, high]) => {
                        let show = |end: &Option<String>| match end {
                            Some(harm) => format!("${}", money(harm)),
                            None => "never".to_owned(),
                        };
                        format!("{} to {}", show(low), show(high))
                    }
                };
                rows.push(vec![
                    tool.title.clone(),
                    part.harm.clone(),
                    stretch.winner.clone(),
                    format!("${}", money(&stretch.from)),
                    interval,
                ]);
            }
        }
    }
    table(
        "From which harm on which strategy is cheapest",
        &["tool", "harm of", "cheapest", "from", "95 %"],
        rows,
        "Other losses at their means. `never` as an end: in some draws no harm is large enough.",
    )
}

/// Where the map ends: from there on a canary would be cheaper than every key.
fn limits(cost: &Cost) -> Table {
    let mut rows = Vec::new();
    for tool in &cost.full.tools {
        for part in &tool.breakeven {
            let from =
                part.canary_from.as_ref().map_or("never".to_owned(), |h| format!("${}", money(h)));
            let canary = part.canary.clone().unwrap_or_default();
            rows.push(vec![tool.title.clone(), part.harm.clone(), from, canary]);
        }
    }
    table(
        "Where no key is worth its price",
        &["tool", "harm of", "from", "canary"],
        rows,
        "`refuse` asks a person at every call, which pays where one duplicate costs more than the questions \
         that would prevent it: a resumed run has another key, and only lineage, a business key or approval \
         helps. `random` is no key at all. The map ends below both.",
    )
}
