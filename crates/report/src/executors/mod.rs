//! What real executors received, as tables and whole texts.

mod tables;
mod told;

use crate::error::Result;
use crate::render::Provenance;
use crate::words::thousands;
use samecall_call::executors::{Ended, ExecutorsResult};

/// The result for a person at a terminal of so many columns.
pub fn executors_terminal(result: &ExecutorsResult, columns: u16) -> String {
    let mut tables = vec![tables::who(result)];
    for set in result.sets.keys() {
        tables.push(tables::rulings(result, set));
        tables.push(tables::changes(result, set));
    }
    tables.push(tables::keyers(result));
    tables
        .iter()
        .filter(|table| !table.rows.is_empty())
        .map(|table| table.terminal(columns) + "\n")
        .collect()
}

/// The bytes of `executors --json`: one line, since the cells are many.
pub fn executors_json(result: &ExecutorsResult) -> Vec<u8> {
    // Maps have text keys and numbers are finite, so writing cannot fail.
    let mut bytes = serde_json::to_vec(result).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The files of a report folder: `executors.json`, `executors.md`, and a heat map for each set.
///
/// # Errors
/// When a plot cannot be drawn.
pub fn executors_files(
    result: &ExecutorsResult,
    provenance: &Provenance,
) -> Result<Vec<(String, Vec<u8>)>> {
    let plots = crate::plot::executor_plots(result)?;
    let mut text = heading(result, provenance);
    text.push_str(&format!("\n{}", tables::who(result).markdown()));
    text.push_str(&faults(result));
    text.push_str(&told::surprises(result));
    for set in result.sets.keys() {
        text.push_str(&format!("\n## {set}\n"));
        let svg = format!("executors-{}.svg", crate::plot::safe(set));
        if plots.iter().any(|(name, _)| *name == svg) {
            text.push_str(&format!("\n![What each executor receives: {set}]({svg})\n"));
        }
        let sections = [
            tables::rulings(result, set),
            tables::declared(result, set),
            tables::changes(result, set),
            tables::classes(result, set),
            tables::kinds(result, set),
        ];
        for table in sections.iter().filter(|table| !table.rows.is_empty()) {
            text.push_str(&format!("\n{}", table.markdown()));
        }
        text.push_str(&told::reasons(result, set));
    }
    text.push_str("\n## Keyers beside executors\n");
    text.push_str(&format!("\n{}", tables::keyers(result).markdown()));
    for table in tables::missed(result) {
        text.push_str(&format!("\n{}", table.markdown()));
    }
    text.push_str(&told::probes(result));
    let mut files = vec![
        ("executors.json".to_owned(), executors_json(result)),
        ("executors.md".to_owned(), text.into_bytes()),
    ];
    files.extend(plots);
    Ok(files)
}

fn heading(result: &ExecutorsResult, provenance: &Provenance) -> String {
    let mut out = format!(
        "# What real executors receive\n\nAn executor is the code between the model's argument text and the tool's handler: a \
         validator, an SDK's call path. Two spellings are the same call where it hands the handler equal values; a rendering that it \
         accepts twice and hands over unequal is none, for its users. `docs/EXECUTORS.md` has the protocol and \
         what equal means.\n\nMade by `{}`. ",
        provenance.command
    );
    match result.seed {
        Some(seed) => out.push_str(&format!("Seed: {seed}. Inputs:\n\n")),
        None => out.push_str("Nothing is drawn at random. Inputs:\n\n"),
    }
    for input in &result.inputs {
        let digest = input.sha256.as_ref().map_or(String::new(), |d| format!(", SHA-256 `{d}`"));
        out.push_str(&format!("- `{}`: {} pairs{digest}\n", input.name, thousands(input.pairs)));
    }
    if result.without_schema > 0 {
        let n = thousands(result.without_schema);
        out.push_str(&format!(
            "\n{n} pairs are left out, since no schema is known for their tool.\n"
        ));
    }
    out
}

fn faults(result: &ExecutorsResult) -> String {
    if result.faults.is_empty() {
        return "\nNothing in this run contradicts `corpus/executor_dependent.toml`, and every executor finished.\n".to_owned();
    }
    let mut out = "\n## What this run contradicts\n\n".to_owned();
    for fault in &result.faults {
        out.push_str(&format!("- {fault}\n"));
    }
    out
}

/// How an executor's run ended, in words.
fn ended(ended: &Ended) -> String {
    match ended {
        Ended::Finished => "finished".to_owned(),
        Ended::Crashed { reason } => format!("CRASHED: {reason}"),
        Ended::Hung { seconds } => format!("HUNG for {seconds} s"),
        Ended::Broken { reason } => format!("BROKEN: {reason}"),
    }
}
