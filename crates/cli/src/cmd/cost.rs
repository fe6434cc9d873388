//! `samecall cost`: what a missed retry, a lost effect and a store cost.

use crate::output::Output;
use anyhow::{Context, Result, anyhow, bail};
use samecall_call::{LineReader, Pair, parse_record};
use samecall_cost::book::today;
use samecall_cost::inputs::Inputs;
use samecall_cost::situation::Situations;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How wide the tables of a terminal are.
const WIDTH: u16 = 100;

/// Price what errors cost: tokens, store, and harm
///
/// First the article's figures, exactly; then the full model: store billing, prompt caching, and the
/// expected harm of every strategy for each tool, with intervals and break-even maps. What strategies
/// answer comes from replays of real calls put into each situation; losses and most rates are
/// assumptions, in files that can be changed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall cost
  samecall cost --prices corpus/prices/sonnet-5-5.toml --out reports/mine
  samecall cost --situations pairs.jsonl > situations.jsonl
  samecall replay --pairs situations.jsonl --json verdicts.json
  samecall cost --verdicts verdicts.json")]
pub(crate) struct Args {
    /// Price book of the full model (TOML).
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Scenario and sweeps (TOML).
    #[arg(long, value_name = "FILE")]
    sweep: Option<PathBuf>,
    /// What strategies answer in each situation, as `replay --json` wrote it; repeatable.
    #[arg(long, value_name = "FILE")]
    verdicts: Vec<PathBuf>,
    /// Losses by tool (TOML).
    #[arg(long, value_name = "FILE")]
    losses: Option<PathBuf>,
    /// Rates by situation (TOML).
    #[arg(long, value_name = "FILE")]
    rates: Option<PathBuf>,
    /// The seed of all draws.
    #[arg(long, default_value_t = 7, value_name = "N")]
    seed: u64,
    /// Instead, write the pairs of every situation made from these observed pairs; repeatable.
    #[arg(long, value_name = "PAIRS", conflicts_with_all = ["json", "out", "verdicts"])]
    situations: Vec<PathBuf>,
    /// Instead, write the counts that are needed of --verdicts, as JSON.
    #[arg(long, value_name = "FILE", requires = "verdicts", conflicts_with_all = ["json", "out"])]
    counts: Option<PathBuf>,
    /// What the counts are from, in words.
    #[arg(long, value_name = "TEXT", requires = "counts")]
    about: Option<String>,
    /// Write the result as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write tables and plots into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if !args.situations.is_empty() {
        return situations(&args.situations);
    }
    let mut inputs = Inputs::read(args.prices.as_deref(), args.sweep.as_deref(), &args.verdicts)?;
    if let Some(file) = &args.counts {
        inputs.verdicts.check()?;
        if let Some(about) = &args.about {
            inputs.verdicts.sources = vec![about.clone()];
        }
        let text = serde_json::to_string_pretty(&inputs.verdicts.counts())?;
        samecall_report::write(file, format!("{text}\n").as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(file) = &args.losses {
        inputs.losses = samecall_cost::losses::read_losses(file)?;
    }
    if let Some(file) = &args.rates {
        inputs.rates = samecall_cost::rates::Rates::read(file)?;
    }
    inputs.seed = args.seed;
    for warning in inputs.book.warnings(today()) {
        eprintln!("samecall: warning: {warning}");
    }
    let result = samecall_cost::run(&inputs)?;
    let canary_wins = result.full.canary_wins;
    let json = result.to_json().context("the result as JSON")?;
    let cost = samecall_report::cost_from_json(Path::new("the result"), json.as_bytes())?;
    let mut out = Output::open(None)?;
    out.write_all(samecall_report::cost_terminal(&cost, WIDTH).as_bytes())?;
    out.finish()?;
    if let Some(folder) = &args.out {
        let mut files = samecall_report::cost_files(&cost, &args.command_line())?;
        files.push(("result.json".to_owned(), json.clone().into_bytes()));
        samecall_report::write_all(folder, &files)?;
    }
    if let Some(file) = &args.json {
        samecall_report::write(file, json.as_bytes())?;
    }
    if canary_wins > 0 {
        eprintln!(
            "samecall: a canary is the cheapest in {canary_wins} places: the losses or rates are wrong"
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the pairs of every situation to standard output.
fn situations(files: &[PathBuf]) -> Result<ExitCode> {
    let mut out = Output::open(None)?;
    let mut made = 0u64;
    for file in files {
        let mut lines = LineReader::open(file)?;
        let mut situations = Situations::new();
        while let Some((number, line)) = lines.next_line()? {
            let pair = parse_record(line, Pair::from_value)
                .map_err(|reason| anyhow!("{}:{number}: {reason}", file.display()))?;
            for pair in situations.of(&pair) {
                writeln!(out, "{}", pair.to_json())?;
                made += 1;
            }
        }
    }
    if made == 0 {
        bail!(
            "none of the pairs gives a situation: there are no retries and no distinct pairs at one place"
        );
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The command that makes the report anew: what shapes the result, not where it is written.
    fn command_line(&self) -> String {
        let mut words = vec!["samecall cost".to_owned()];
        let files = [
            ("--prices", &self.prices),
            ("--sweep", &self.sweep),
            ("--losses", &self.losses),
            ("--rates", &self.rates),
        ];
        for (name, file) in files {
            words.extend(file.iter().map(|file| format!("{name} {}", file.display())));
        }
        words.extend(self.verdicts.iter().map(|file| format!("--verdicts {}", file.display())));
        words.push(format!("--seed {}", self.seed));
        words.join(" ")
    }
}
