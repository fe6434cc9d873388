//! `samecall dedup expand`: what a canonical stands for, for retrieval that falls back to the originals.

use anyhow::{Context, Result, bail};
use samecall_dedup::semantic::output::{Mapped, expand, mapping, write_lines};
use samecall_dedup::semantic::state::State;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// List what a canonical chunk stands for
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall dedup expand doc-17 --map map.jsonl
  samecall dedup expand doc-17 --state index-state")]
pub(crate) struct Args {
    /// Id of the canonical.
    id: String,
    /// The mapping that `dedup semantic` wrote.
    #[arg(long, value_name = "FILE", conflicts_with = "state")]
    map: Option<PathBuf>,
    /// The state folder.
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let found: Vec<Mapped> = match (&args.map, &args.state) {
        (Some(path), _) => {
            let name = path.display().to_string();
            let file = File::open(path).context(name.clone())?;
            let found = expand(&mut BufReader::new(file), &name, &args.id)?;
            if found.is_empty() {
                // A mapping knows nothing of chunks that stand for themselves alone.
                writeln!(
                    io::stderr(),
                    "note: no line of {name} has this id: its chunk stands for itself alone, or there is none"
                )?;
            }
            found
        }
        (None, Some(folder)) => {
            let state = State::open(folder)?;
            let (input, outcome) = state.outcome();
            if !input.chunks.iter().any(|chunk| chunk.id == args.id) {
                bail!("no chunk of this id is in the state");
            }
            let mut bytes = Vec::new();
            write_lines(&mut bytes, mapping(&input.chunks, &outcome))?;
            expand(&mut bytes.as_slice(), "the state", &args.id)?
        }
        (None, None) => bail!("give --map or --state"),
    };
    write_lines(&mut io::stdout().lock(), found.iter())?;
    Ok(ExitCode::SUCCESS)
}
