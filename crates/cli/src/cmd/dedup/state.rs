//! `samecall dedup add`, `update`, `remove` and `rebuild`: a state folder that chunks come to and go from.

use super::options::{Rules, Source};
use crate::output::Output;
use anyhow::{Result, bail};
use samecall_dedup::semantic::options::Options;
use samecall_dedup::semantic::output::{mapping, write_lines};
use samecall_dedup::semantic::state::{Changed, Settings, State, Status};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Add chunks to a state folder, or begin one: what is acknowledged is on the disk
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall dedup add index-state monday.jsonl --threshold 0.95 --model all-MiniLM-L6-v2
  samecall dedup add index-state tuesday.jsonl --map map.jsonl")]
pub(crate) struct AddArgs {
    /// The state folder; begun with the rules given here when it is not there. Later the stored rules hold.
    state: PathBuf,
    /// The chunks; standard input for none or `-`.
    file: Option<PathBuf>,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    rules: Rules,
    /// Drift from which on a rebuild is due, as 1 - cosine [default: 1 - threshold].
    #[arg(long, value_name = "DISTANCE")]
    drift_bound: Option<f64>,
    #[command(flatten)]
    results: Results,
}

/// Replace chunks of a state folder by others of the same ids
#[derive(clap::Args)]
#[command(after_help = "Example:
  samecall dedup update index-state changed.jsonl")]
pub(crate) struct UpdateArgs {
    /// The state folder.
    state: PathBuf,
    /// The chunks; standard input for none or `-`.
    file: Option<PathBuf>,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    results: Results,
}

/// Take chunks out of a state folder; what they stood for is grouped anew
#[derive(clap::Args)]
#[command(after_help = "Example:
  samecall dedup remove index-state doc-17 doc-18")]
pub(crate) struct RemoveArgs {
    /// The state folder.
    state: PathBuf,
    /// Ids of the chunks.
    #[arg(required = true)]
    ids: Vec<String>,
    #[command(flatten)]
    results: Results,
}

/// Compare all chunks of a state folder anew, and measure drift from here on
#[derive(clap::Args)]
#[command(after_help = "Example:
  samecall dedup rebuild index-state --report drift.json")]
pub(crate) struct RebuildArgs {
    /// The state folder.
    state: PathBuf,
    /// Only show the drift; rebuild nothing.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    results: Results,
}

/// What is written after a change.
#[derive(clap::Args)]
struct Results {
    /// Write the ids of the kept chunks as JSON lines.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write one JSON line per removed chunk: what stands for it.
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Write all figures and the drift as JSON.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub(crate) fn add(args: &AddArgs) -> Result<ExitCode> {
    let (options, lexicon) = args.rules.options()?;
    let input = args.source.read(args.file.as_deref())?;
    let settings = Settings::of(&options, &lexicon, args.drift_bound);
    if args.drift_bound.is_some_and(|bound| !(bound > 0.0 && bound < 2.0)) {
        bail!("--drift-bound: give a distance above 0 and below 2");
    }
    let mut state = State::open_or_create(&args.state, &settings)?;
    let is_default = settings == Settings::of(&Options::default(), "", None);
    if !is_default && settings != *state.settings() {
        writeln!(
            io::stderr(),
            "note: {} keeps the rules that it was begun with; those given now are not used",
            args.state.display()
        )?;
    }
    let changed = state.add(&input.chunks, &input.fingerprint, &|_, _| {})?;
    finish(&state, changed, &args.results)
}

pub(crate) fn update(args: &UpdateArgs) -> Result<ExitCode> {
    let input = args.source.read(args.file.as_deref())?;
    let mut state = State::open(&args.state)?;
    let changed = state.update(&input.chunks, &input.fingerprint, &|_, _| {})?;
    finish(&state, changed, &args.results)
}

pub(crate) fn remove(args: &RemoveArgs) -> Result<ExitCode> {
    let mut state = State::open(&args.state)?;
    let changed = state.remove(&args.ids)?;
    finish(&state, changed, &args.results)
}

pub(crate) fn rebuild(args: &RebuildArgs) -> Result<ExitCode> {
    let mut state = State::open(&args.state)?;
    io::stdout().write_all(state.drift().table().as_bytes())?;
    if !args.dry_run {
        state.rebuild(&|_, _| {})?;
        writeln!(io::stdout(), "rebuilt")?;
    }
    finish(&state, Changed::default(), &args.results)
}

fn finish(state: &State, changed: Changed, results: &Results) -> Result<ExitCode> {
    let (input, outcome) = state.outcome();
    let drift = state.drift();
    if state.dropped_unacknowledged() {
        writeln!(io::stderr(), "a change that was cut off before it was acknowledged was dropped")?;
    }
    let mut text = format!(
        "added {}, removed {}, pairs found {}\n{}{}",
        changed.added,
        changed.removed,
        changed.pairs,
        outcome.report.table(),
        drift.table()
    );
    if drift.status != Status::Steady {
        text.push_str("members may now be nearer to another group; see `dedup rebuild`\n");
    }
    if let Some(path) = &results.output {
        let mut out = Output::open(Some(path))?;
        let kept = outcome.kept.iter().map(|&at| json!({ "id": input.chunks[at].id_json() }));
        write_lines(&mut out, kept)?;
        out.finish()?;
    }
    if let Some(path) = &results.map {
        let mut out = Output::open(Some(path))?;
        write_lines(&mut out, mapping(&input.chunks, &outcome))?;
        out.finish()?;
    }
    if let Some(path) = &results.report {
        let mut json: Value = serde_json::to_value(&outcome.report)?;
        json["drift"] = serde_json::to_value(&drift)?;
        let mut out = Output::open(Some(path))?;
        out.write_all(&serde_json::to_vec_pretty(&json)?)?;
        out.write_all(b"\n")?;
        out.finish()?;
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
