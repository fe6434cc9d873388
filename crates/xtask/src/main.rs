//! `cargo xtask`: tidy checks, and the splicing of generated text into documents.

use anyhow::{Result, bail};
use clap::Parser;
use std::path::PathBuf;
use xtask::{root, splice, tidy};

#[derive(Parser)]
#[command(name = "xtask", about = "Chores of the samecall workspace")]
enum Task {
    /// Check module sizes, first lines, unused dependencies and unfinished code
    Tidy,
    /// Replace the text between `<!-- BEGIN: NAME -->` and `<!-- END: NAME -->` in a document by a
    /// file's text
    Splice {
        /// The document.
        document: PathBuf,
        /// The block's name.
        name: String,
        /// The file with the new text.
        text: PathBuf,
    },
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
        Task::Splice { document, name, text } => splice::splice_file(&document, &name, &text),
    }
}
