//! `samecall mine`: writes that a model made twice in recorded runs, and what each strategy would have done.

use crate::inputs::{StrategyArgs, ToolArgs};
use crate::output::Output;
use anyhow::Result;
use samecall_report::Provenance;
use samecall_score::mine;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Find unwanted repeats of writes in recorded runs
///
/// Reads whole runs, one call a line with `run_id`, `step`, `effect` (read or write) and `result_error`. A repeat is a
/// write that succeeded although one that says the same had succeeded before it in the run, at another step. Prints by
/// model which share each strategy catches, surfaces or lets through.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall mine runs.calls.jsonl --tools tools.json")]
pub(crate) struct Args {
    /// Recorded runs as JSON lines.
    #[arg(value_name = "CALLS")]
    calls: PathBuf,
    #[command(flatten)]
    tools: ToolArgs,
    #[command(flatten)]
    strategies: StrategyArgs,
    /// Write the result as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write `repeats.md` and `repeats.json` into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let keyers = args.strategies.keyers(false)?;
    let mined = mine(&args.calls, args.tools.catalog()?, &keyers)?;
    let mut out = Output::open(None)?;
    out.write_all(samecall_report::mined_terminal(&mined, 110).as_bytes())?;
    out.finish()?;
    if let Some(folder) = &args.out {
        let mut words = vec![format!("samecall mine {}", args.calls.display())];
        words.extend(args.tools.words());
        words.extend(args.strategies.words());
        let provenance = Provenance { command: words.join(" ") };
        samecall_report::write_all(folder, &samecall_report::mined_files(&mined, &provenance))?;
    }
    if let Some(file) = &args.json {
        samecall_report::write(file, &samecall_report::mined_json(&mined))?;
    }
    Ok(ExitCode::SUCCESS)
}
