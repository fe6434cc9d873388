//! The cost report: tables, Markdown, CSV and plots from what `samecall cost --json` wrote.

mod csv;
mod tables;
pub(crate) mod view;

pub use view::Cost;

use crate::error::{Error, Result};
use crate::plot::cost_plots;
use std::path::Path;

/// Reads the bytes of a cost result; `name` stands for them in messages.
///
/// # Errors
/// When they are no cost result.
pub fn cost_from_json(name: &Path, bytes: &[u8]) -> Result<Cost> {
    serde_json::from_slice(bytes)
        .map_err(|e| Error::Cost { path: name.to_owned(), reason: e.to_string() })
}

/// The result for a person at a terminal of `width` columns: the article's figures, the full model's,
/// and the expected cost for each tool.
pub fn cost_terminal(cost: &Cost, width: u16) -> String {
    let mut out = String::new();
    for table in tables::short(cost) {
        out.push_str(&table.terminal(width));
        out.push('\n');
    }
    out
}

/// The whole of a report folder, beside the result itself: `report.md`, tables as CSV, and plots as SVG
/// and PNG. `command` makes it anew.
///
/// # Errors
/// When a plot cannot be drawn.
pub fn cost_files(cost: &Cost, command: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let mut text = format!(
        "# What a missed retry, a lost effect and a store cost\n\nMade by `{command}`; seed {}, {} draws. \
         Amounts are US dollars.\n\n",
        cost.seed, cost.samples
    );
    for section in tables::sections(cost) {
        text.push_str(&format!("## {}\n\n{}\n\n", section.heading, section.text));
        for plot in &section.plots {
            text.push_str(&format!("![{}]({plot}.svg)\n\n", section.heading));
        }
        for table in &section.tables {
            text.push_str(&table.markdown());
            text.push('\n');
        }
    }
    let mut files = vec![("report.md".to_owned(), text.into_bytes())];
    files.extend(csv::files(cost));
    files.extend(cost_plots(cost)?);
    Ok(files)
}
