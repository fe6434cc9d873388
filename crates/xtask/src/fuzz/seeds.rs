//! Writes the seed inputs and dictionaries of the fuzz targets, which are made of the corpus.

use anyhow::{Context, Result};
use samecall_fuzz::{dictionary, seeds};
use std::fs;
use std::path::{Path, PathBuf};

/// Where a fuzzer of the bare command has its corpus.
pub fn corpus(root: &Path) -> PathBuf {
    root.join("fuzz/corpus")
}

/// Writes `TARGET/seed-N` into a folder, and `fuzz/dictionaries/TARGET.dict`; answers a line for each target.
///
/// # Errors
/// When the corpus cannot be read, or a file not be written.
pub fn write(root: &Path, corpus: &Path) -> Result<Vec<String>> {
    let mut report = Vec::new();
    for (target, inputs) in seeds::seeds()? {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        for (at, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("seed-{at:04}")), input)?;
        }
        report.push(format!("{target}: {} seeds", inputs.len()));
    }
    let folder = root.join("fuzz/dictionaries");
    fs::create_dir_all(&folder)?;
    for target in dictionary::TARGETS {
        let text = dictionary::dictionary(target)?;
        fs::write(folder.join(format!("{target}.dict")), &text)?;
        report.push(format!("{target}: {} words", text.lines().count() - 1));
    }
    Ok(report)
}
