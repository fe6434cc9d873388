//! `samecall report`: tables and plots from result files, without scoring anything anew.

use crate::output::Output;
use anyhow::{Result, bail};
use samecall_report::{Provenance, Style, load_folder};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write tables and plots from result files
///
/// Reads every result of `samecall replay --json` in a folder. With --splice, the block between the
/// two marks of a document is replaced by the tables.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall report --from reports/replay
  samecall report --from reports/replay --splice README.md --command 'just replay'")]
pub(crate) struct Args {
    /// The folder with result files.
    #[arg(long, default_value = "reports/replay", value_name = "DIR")]
    from: PathBuf,
    /// Write tables and plots into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the generated block of this document.
    #[arg(long, value_name = "DOCUMENT")]
    splice: Option<PathBuf>,
    /// The command that the report names as its origin.
    #[arg(long, default_value = "samecall report", value_name = "TEXT")]
    command: String,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let list = load_folder(&args.from)?;
    if list.is_empty() {
        bail!("{}: holds no result of `samecall replay --json`", args.from.display());
    }
    let results = samecall_report::join(list.into_iter().map(|(_, results)| results));
    let provenance = Provenance { command: args.command.clone() };
    let style = Style::default();
    if let Some(folder) = &args.out {
        let files = samecall_report::files(&results, &provenance, style)?;
        samecall_report::write_all(folder, &files)?;
    }
    if let Some(path) = &args.splice {
        let name = path.display().to_string();
        let document =
            fs::read_to_string(path).map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
        let block = samecall_report::readme_block(&results, &provenance)?;
        let spliced = samecall_report::splice(&name, &document, &block)?;
        samecall_report::write(path, spliced.as_bytes())?;
    }
    if args.out.is_none() && args.splice.is_none() {
        let mut out = Output::open(None)?;
        out.write_all(samecall_report::terminal(&results, style)?.as_bytes())?;
        out.finish()?;
    }
    Ok(ExitCode::SUCCESS)
}
