//! `samecall generate`: labelled pairs from the drift grammar, as JSON lines.

use crate::inputs::ToolArgs;
use crate::output::Output;
use anyhow::Result;
use rayon::prelude::*;
use samecall_call::Catalog;
use samecall_drift::{Generator, Profile, with_inline_schema};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Generate labelled pairs
///
/// From one intent come several spellings (retries by construction) and near neighbours (distinct by
/// construction). The same seed gives the same bytes, on any number of cores.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall generate --pairs 1000 --profile uniform --seed 7 --depth 3 -o pairs.jsonl
  samecall generate --pairs 1000 --tools tools.json --profile observed | head")]
pub(crate) struct Args {
    /// How many pairs.
    #[arg(long, value_name = "N")]
    pairs: u64,
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    tools: ToolArgs,
    /// Where to write; standard output for - or none.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Pairs in one batch: the cluster of the intervals, and what is made at a time.
pub(crate) const BATCH: usize = 1_000;

/// How pairs are generated.
#[derive(clap::Args)]
pub(crate) struct GrammarArgs {
    /// Weights of the productions: article, uniform, observed, hostile, or a TOML file.
    #[arg(long, default_value = "uniform", value_name = "NAME")]
    pub(crate) profile: String,
    /// The seed; the same seed gives the same pairs.
    #[arg(long, default_value_t = 7, value_name = "N")]
    pub(crate) seed: u64,
    /// How many productions a spelling takes at the most.
    #[arg(long, default_value_t = 3, value_name = "K")]
    pub(crate) depth: usize,
}

impl GrammarArgs {
    /// The generator for a catalog.
    pub(crate) fn generator(&self, catalog: &Catalog) -> Result<Generator> {
        let profile = Profile::named(&self.profile)?;
        Ok(Generator::new(catalog, &profile, self.seed, self.depth)?)
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let catalog = args.tools.catalog()?;
    let generator = args.grammar.generator(&catalog)?;
    let mut out = Output::open(args.output.as_deref())?;
    let batches = args.pairs.div_ceil(BATCH as u64);
    // Some batches at a time on all cores, written in order.
    let step = 8 * rayon::current_num_threads() as u64;
    for start in (0..batches).step_by(step as usize) {
        let texts: Vec<String> = (start..(start + step).min(batches))
            .into_par_iter()
            .map(|index| {
                let wanted = (args.pairs - index * BATCH as u64).min(BATCH as u64);
                let mut text = String::new();
                for pair in generator.batch(index, BATCH).into_iter().take(wanted as usize) {
                    with_inline_schema(pair, &catalog).write_json(&mut text);
                    text.push('\n');
                }
                text
            })
            .collect();
        for text in texts {
            out.write_all(text.as_bytes())?;
        }
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
