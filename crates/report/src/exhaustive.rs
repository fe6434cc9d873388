//! What every short string of each field kind showed, as a table.

use crate::table::Table;
use crate::words::thousands;
use samecall_call::rules::{Cell, Exhaustive, Law, RulesResult};

/// One row for each kind; none where the rules know no kinds.
pub(crate) fn table(result: &RulesResult) -> Option<Table> {
    let first = result.exhaustive.first()?;
    let broken = |law: &Law| match &law.example {
        None => "holds".to_owned(),
        Some(example) => format!("{}: {}", thousands(law.broken), example.value),
    };
    let row = |kind: &Exhaustive| {
        vec![
            kind.kind.clone(),
            kind.alphabet.len().to_string(),
            thousands(kind.states),
            thousands(kind.idempotence.values),
            broken(&kind.idempotence),
            broken(&kind.order),
            kind.overlapping.to_string(),
            kind.open.len().to_string(),
        ]
    };
    let states: u64 = result.exhaustive.iter().map(|kind| kind.states).sum();
    let mut note = format!(
        "All strings of up to {} symbols over the alphabet that the kind's rules look at, as text and, where they are JSON, \
         bare; {} in all. Overlapping: pairs of rules that both apply to some call. Not joining: ordered pairs that, applied \
         once as the strategy does, have not reached what both orders reach when repeated.",
        first.longest,
        thousands(states)
    );
    for kind in &result.exhaustive {
        for cell in &kind.open {
            note.push_str(&format!(" {}", told(kind, cell)));
        }
    }
    Some(Table {
        title: format!("{}: every short string of each kind", result.strategy),
        columns: [
            "kind",
            "symbols",
            "strings",
            "calls with a key",
            "idempotence",
            "order",
            "overlapping",
            "not joining",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: result.exhaustive.iter().map(row).collect(),
        note,
    })
}

/// A pair that does not join: its shortest example, and why it is right as it is.
fn told(kind: &Exhaustive, cell: &Cell) -> String {
    let value = cell.interactions.iter().find(|found| found.open > 0).map(|found| &found.example);
    let example = value.map_or(String::new(), |example| {
        format!(
            " ({} becomes {} or {})",
            example.value, example.first_then_second, example.second_then_first
        )
    });
    let why = cell.explanation.as_deref().unwrap_or("Nobody has said why.");
    format!("{}: `{}` and `{}`{example}: {why}", kind.kind, cell.first, cell.second)
}
