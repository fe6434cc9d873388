//! `cargo xtask`: chores of the workspace.

use anyhow::{Result, bail};
use clap::Parser;
use std::path::PathBuf;
use xtask::{catalogs, confirm, replays, root, tidy};

#[derive(Parser)]
#[command(name = "xtask", about = "Chores of the samecall workspace")]
enum Task {
    /// Check module sizes, first lines, unused dependencies and unfinished code
    Tidy,
    /// Score the article's corpus under three catalogs of its tools
    Catalogs {
        /// The built program.
        #[arg(long, default_value = "target/release/samecall", value_name = "FILE")]
        samecall: PathBuf,
        /// Where the report is written.
        #[arg(long, default_value = "reports/rules/catalogs.md", value_name = "FILE")]
        out: PathBuf,
    },
    /// Repeat the generated replay on fresh seeds and compare with the committed result
    Confirm {
        /// The built program.
        #[arg(long, default_value = "target/release/samecall", value_name = "FILE")]
        samecall: PathBuf,
        /// The committed result.
        #[arg(long, default_value = "reports/generated/uniform/replay.json", value_name = "FILE")]
        committed: PathBuf,
        /// The commit whose hash gives the seeds; what stands checked out where none is given.
        #[arg(long, value_name = "HASH")]
        commit: Option<String>,
        /// Generated pairs for each seed.
        #[arg(long, default_value_t = 1_000_000, value_name = "N")]
        pairs: u64,
        /// The profile of the committed result.
        #[arg(long, default_value = "uniform", value_name = "NAME")]
        profile: String,
        /// Its depth.
        #[arg(long, default_value_t = 3, value_name = "K")]
        depth: usize,
        /// Where the report is written.
        #[arg(long, default_value = "reports/machine/confirm.md", value_name = "FILE")]
        out: PathBuf,
    },
}

fn main() -> Result<()> {
    let root = root();
    match Task::parse() {
        Task::Tidy => {
            let faults = tidy::check(&root)?;
            for fault in &faults {
                println!("{fault}");
            }
            if !faults.is_empty() {
                bail!("{} untidy places", faults.len());
            }
        }
        Task::Catalogs { samecall, out } => {
            let report = catalogs::report(&root.join(samecall), &root)?;
            print!("{report}");
            replays::write(&root.join(out), &report)?;
        }
        Task::Confirm { samecall, committed, commit, pairs, profile, depth, out } => {
            let commit = match commit {
                Some(commit) => commit,
                None => confirm::head(&root)?,
            };
            let run = confirm::Run { pairs, profile, depth };
            let found = confirm::confirm(&root.join(samecall), &root, &committed, &commit, &run)?;
            print!("{}", found.report);
            replays::write(&root.join(out), &found.report)?;
            if !found.faults.is_empty() {
                bail!("{} results do not agree", found.faults.len());
            }
        }
    }
    Ok(())
}
