//! `samecall cache`: a recorded trace of an agent loop through the execution cache, once for each strategy.

use crate::inputs::{StrategyArgs, ToolArgs};
use crate::output::Output;
use anyhow::{Context, Result, bail};
use samecall_cache::Policies;
use samecall_cache::log::JsonLines;
use samecall_cache::replay::{Options, check_canaries, replay};
use samecall_call::cached::Cached;
use samecall_call::{Call, LineReader, Tool, meaning};
use samecall_report::Provenance;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Send a recorded trace through the tool-call cache
///
/// Reads calls and results as JSON lines (`corpus/README.md` has the format; recorded runs with `result_sha` are read too)
/// and prints for each strategy what the cache would have executed and prevented: wrong hits are answers with another
/// call's result, stale hits are answers with the same call's earlier result where the real call got something else. Which
/// tools may be cached comes from the policy, then from the catalog's annotations, then from the trace's `effect`; a tool
/// with side effects is never answered from the cache unless the policy says so.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall cache corpus/cache/published.jsonl
  samecall cache runs.jsonl --tools tools.json --policy policy.toml --json result.json
  samecall cache runs.jsonl --strategy typed,agentforge --log events.jsonl")]
pub(crate) struct Args {
    /// The trace; standard input for `-`.
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    /// What may be kept of which tool, and the bounds (TOML).
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    tools: ToolArgs,
    #[command(flatten)]
    strategies: StrategyArgs,
    /// What to take a tool for that is in no catalog and of which nothing says whether it changes anything.
    #[arg(long, value_enum, default_value_t = Unsaid::Read)]
    unsaid: Unsaid,
    /// Leave out lines that cannot be read, and count them.
    #[arg(long)]
    skip_bad: bool,
    /// Write the events of the first strategy asked for, or of `typed`, as JSON lines; argument values are redacted.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write the result as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write `cache.md` and `cache.json` into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Unsaid {
    /// A read, as the published cache takes every tool.
    Read,
    /// A tool with side effects, as the library does.
    Write,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let found = match &args.log {
        None => replayed(args, None)?,
        Some(path) => {
            let subscriber = Arc::new(JsonLines::new(Output::open(Some(path))?));
            let events = args.strategies.first().unwrap_or("typed").to_owned();
            let found = tracing::subscriber::with_default(subscriber.clone(), || {
                replayed(args, Some(events))
            })?;
            let Some(subscriber) = Arc::into_inner(subscriber) else {
                bail!("{}: the log is still being written", path.display())
            };
            let (output, error) = subscriber.into_sink();
            if let Some(error) = error {
                return Err(error).context(path.display().to_string());
            }
            output.finish()?;
            found
        }
    };
    if let Err(reason) = check_canaries(&found) {
        eprintln!("samecall: {reason}");
        return Ok(ExitCode::FAILURE);
    }
    let mut out = Output::open(None)?;
    out.write_all(samecall_report::cached_terminal(&found, 100).as_bytes())?;
    out.finish()?;
    if let Some(folder) = &args.out {
        let provenance = Provenance { command: args.command_line() };
        samecall_report::write_all(folder, &samecall_report::cached_files(&found, &provenance))?;
    }
    if let Some(file) = &args.json {
        samecall_report::write(file, &samecall_report::cached_json(&found))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn replayed(args: &Args, events: Option<String>) -> Result<Cached> {
    let policies = match &args.policy {
        Some(path) => Policies::read(path)?,
        None => Policies::default(),
    };
    // The encoding is read when the first text is counted.
    let tokens =
        |text: &str| tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u64;
    let options = Options {
        keyers: args.strategies.keyers(true)?,
        catalog: args.tools.catalog()?,
        policies,
        assume_reads: args.unsaid == Unsaid::Read,
        judge: &says_same,
        tokens: Some(&tokens),
        skip_bad: args.skip_bad,
        events,
    };
    Ok(replay(LineReader::open(&args.trace)?, options)?)
}

/// Whether two calls say the same, by no strategy: the same JSON, or, where the tool's schema is known, the same meaning to
/// the judge that checks the generator's labels.
fn says_same(first: &Call, second: &Call, tool: Option<&Tool>) -> bool {
    if meaning(first) == meaning(second) {
        return true;
    }
    let Some(tool) = tool else { return false };
    let intent = |call: &Call| samecall_drift::truth::intent(call, tool, true);
    match (intent(first), intent(second)) {
        (Ok(a), Ok(b)) => tool.is_named(&first.tool) && tool.is_named(&second.tool) && a == b,
        _ => false,
    }
}

impl Args {
    /// The command that makes the report anew.
    fn command_line(&self) -> String {
        let mut words = vec![format!("samecall cache {}", self.trace.display())];
        words.extend(self.policy.iter().map(|file| format!("--policy {}", file.display())));
        words.extend(self.tools.words());
        words.extend(self.strategies.words());
        if self.unsaid == Unsaid::Write {
            words.push("--unsaid write".to_owned());
        }
        words.join(" ")
    }
}
