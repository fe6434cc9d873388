//! Unwanted repeats of writes in recorded runs, as tables.

use crate::render::Provenance;
use crate::table::Table;
use crate::words::{is_canary, percent, place, thousands};
use samecall_call::mined::{Mined, MinedModel};
use samecall_call::result::Tally;

/// What every text on repeats must say.
const NOTE: &str = "A repeat is a write that succeeded although one that says the same (same tool, same JSON) had succeeded \
    before it in the run, at another step. None is a timeout retry: each earlier call had returned a result that was no error, \
    and the model went on to another step before it wrote the call again. A key that has the step in it can catch none; `suspect` surfaces \
    the repeat and leaves the decision to the tool's policy. Repeats in other words are not counted: by this count a strategy can only lose.";

/// The result for a person at a terminal of so many columns.
pub fn mined_terminal(mined: &Mined, columns: u16) -> String {
    tables(mined).iter().map(|table| table.terminal(columns) + "\n").collect()
}

/// The bytes of `mine --json`.
pub fn mined_json(mined: &Mined) -> Vec<u8> {
    // Maps have text keys, so writing cannot fail.
    let mut bytes = serde_json::to_vec_pretty(mined).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The files of a report folder: `repeats.json` and `repeats.md`.
pub fn mined_files(mined: &Mined, provenance: &Provenance) -> Vec<(String, Vec<u8>)> {
    let mut text = format!("# Repeated writes in real runs\n\nMade by `{}`.\n", provenance.command);
    for table in tables(mined) {
        text.push_str(&format!("\n{}", table.markdown()));
    }
    vec![("repeats.json".into(), mined_json(mined)), ("repeats.md".into(), text.into_bytes())]
}

fn tables(mined: &Mined) -> Vec<Table> {
    let models: Vec<(&str, &MinedModel)> =
        mined.models.iter().map(|(name, model)| (name.as_str(), model)).collect();
    let row = |(name, model): &(&str, &MinedModel)| {
        vec![
            (*name).to_owned(),
            thousands(model.calls),
            thousands(model.writes),
            thousands(model.succeeded),
            thousands(model.repeats),
            percent(model.repeats, model.succeeded),
            percent(model.repeats, mined.total.repeats),
            thousands(model.tasks),
        ]
    };
    let mut rows: Vec<Vec<String>> = models.iter().map(row).collect();
    rows.push(row(&("all", &mined.total)));
    let who = Table {
        title: format!("{}: repeated writes by model, {} runs", mined.input, thousands(mined.runs)),
        columns: [
            "model",
            "calls",
            "writes",
            "succeeded",
            "repeats",
            "% of\nsucceeded",
            "% of all\nrepeats",
            "tasks",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows,
        note: NOTE.to_owned(),
    };
    let mut columns = vec!["strategy".to_owned()];
    let with_repeats: Vec<&(&str, &MinedModel)> =
        models.iter().filter(|(_, model)| model.repeats > 0).collect();
    columns.extend(with_repeats.iter().map(|(name, model)| format!("{name}\n({})", model.repeats)));
    columns.push(format!("all\n({})", mined.total.repeats));
    let cell = |tally: Option<&Tally>| match tally {
        None => "-".to_owned(),
        Some(tally) => {
            let surfaced = tally.suspect + tally.conflict;
            let through = tally.different + tally.refused;
            format!("{} / {surfaced} / {through}", tally.same)
        }
    };
    let mut names: Vec<&String> =
        mined.total.strategies.keys().filter(|name| !is_canary(name)).collect();
    names.sort_by_key(|name| place(name));
    let rows = names
        .iter()
        .map(|name| {
            let mut row = vec![(*name).clone()];
            row.extend(with_repeats.iter().map(|(_, model)| cell(model.strategies.get(*name))));
            row.push(cell(mined.total.strategies.get(*name)));
            row
        })
        .collect();
    let what = Table {
        title: "caught / surfaced / let through".to_owned(),
        columns,
        rows,
        note: "Caught: `same`, the repeat is not executed. Surfaced: `suspect` or `conflict`. Let through: `different` or refused. Repeats of one \
               task are no independent draws."
            .to_owned(),
    };
    let total = |name: &String| {
        let tally = mined.total.strategies.get(name).copied().unwrap_or_default();
        let share = |n| format!("{} ({})", thousands(n), percent(n, tally.n));
        vec![
            name.clone(),
            share(tally.same),
            share(tally.suspect),
            share(tally.conflict),
            share(tally.refused),
            share(tally.different),
        ]
    };
    let shares = Table {
        title: "all models: verdicts on the repeats (%)".to_owned(),
        columns: ["strategy", "same", "suspect", "conflict", "refused", "different"]
            .map(str::to_owned)
            .to_vec(),
        rows: names.into_iter().map(total).collect(),
        note: String::new(),
    };
    vec![who, shares, what]
}
