//! `cargo xtask`: chores of the workspace.

use anyhow::{Result, bail};
use clap::Parser;
use xtask::{root, tidy};

#[derive(Parser)]
#[command(name = "xtask", about = "Chores of the samecall workspace")]
enum Task {
    /// Check module sizes, first lines, unused dependencies and unfinished code
    Tidy,
}

fn main() -> Result<()> {
    match Task::parse() {
        Task::Tidy => {
            let faults = tidy::check(&root())?;
            for fault in &faults {
                println!("{fault}");
            }
            if !faults.is_empty() {
                bail!("{} untidy places", faults.len());
            }
            Ok(())
        }
    }
}
