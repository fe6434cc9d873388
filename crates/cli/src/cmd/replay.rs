//! `samecall replay`: pairs with a known truth past every strategy, and what each got right and wrong.

use crate::inputs::{StrategyArgs, ToolArgs};
use crate::output::Output;
use crate::progress;
use crate::source::GeneratorSource;
use anyhow::{Result, bail};
use samecall_report::{Provenance, Style};
use samecall_score::{FileSource, Options, PairSource, check_canaries, replay};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Score strategies on pairs with a known truth
///
/// Reads pairs from files, or generates them, or both; prints a scoreboard for each set: retries
/// caught, distinct calls falsely merged, and the other verdicts, each with counts and intervals.
/// The canaries `constant`, `random` and `refuse` are always scored: if they do not show what they
/// must, the run fails with status 1.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall replay --pairs corpus/article.jsonl
  samecall replay --pairs mine.jsonl --tools tools.json --annotate overlay.toml --out reports/mine
  samecall replay --tools tools.json --generate 100000
  samecall replay --pairs mine.jsonl --strategy raw,typed --external mine=\"python3 keyer.py\"")]
pub(crate) struct Args {
    /// Pairs as JSON lines; repeatable.
    #[arg(long = "pairs", value_name = "FILE")]
    pairs: Vec<PathBuf>,
    #[command(flatten)]
    tools: ToolArgs,
    #[command(flatten)]
    strategies: StrategyArgs,
    #[command(flatten)]
    generate: super::generate::GrammarArgs,
    /// Score this many generated pairs; they are never stored.
    #[arg(long = "generate", value_name = "N")]
    count: Option<u64>,
    /// Leave out lines that cannot be read, and count them.
    #[arg(long)]
    skip_bad: bool,
    /// Show argument values in examples: customers' data, if the pairs are real.
    #[arg(long)]
    show_values: bool,
    /// Write the result as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write tables and plots into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if args.pairs.is_empty() && args.count.is_none() {
        bail!("no pairs to replay: name a file with --pairs, or generate some with --generate N");
    }
    let keyers = args.strategies.keyers(true)?;
    let catalog = args.tools.catalog()?;
    let mut sources: Vec<Box<dyn PairSource>> = Vec::new();
    let mut total = 0;
    for file in &args.pairs {
        sources.push(Box::new(FileSource::open(file)?));
        total += std::fs::metadata(file).map_or(0, |m| m.len());
    }
    if let Some(count) = args.count {
        sources.push(Box::new(GeneratorSource::new(&args.generate, &catalog, count)?));
    }
    let bar = progress::bar(total, args.count.unwrap_or(0));
    let advance = |done: samecall_score::Progress| bar.advance(done);
    let mut options = Options::new(keyers, &catalog);
    options.seed = args.count.map(|_| args.generate.seed);
    options.skip_bad = args.skip_bad;
    options.show_values = args.show_values;
    options.on_progress = Some(&advance);
    let results = replay(sources, options)?;
    bar.finish();
    let canaries = check_canaries(&results);
    if let Err(error) = canaries {
        eprintln!("samecall: {error}");
        return Ok(ExitCode::FAILURE);
    }
    let style = Style { show_values: args.show_values, ..Style::default() };
    let mut out = Output::open(None)?;
    out.write_all(samecall_report::terminal(&results, style)?.as_bytes())?;
    out.finish()?;
    if let Some(folder) = &args.out {
        let provenance = Provenance { command: args.command_line() };
        let files = samecall_report::files(&results, &provenance, style)?;
        samecall_report::write_all(folder, &files)?;
    }
    if let Some(file) = &args.json {
        samecall_report::write(file, &samecall_report::to_json(&results))?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The command that makes this report anew, for its heading: what shapes the result, not where it
    /// is written.
    fn command_line(&self) -> String {
        let mut words = vec!["samecall replay".to_owned()];
        words.extend(self.pairs.iter().map(|file| format!("--pairs {}", file.display())));
        words.extend(self.tools.words());
        words.extend(self.strategies.words());
        if let Some(count) = self.count {
            let grammar = &self.generate;
            words.push(format!(
                "--generate {count} --profile {} --seed {} --depth {}",
                grammar.profile, grammar.seed, grammar.depth
            ));
        }
        words.join(" ")
    }
}
