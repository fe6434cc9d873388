//! Runs the built `samecall` and reads its result files, for chores that compare several replays.

use anyhow::{Context, Result, bail};
use samecall_call::result::Results;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The result of `samecall replay` with these arguments, run in the workspace's root.
///
/// # Errors
/// When the program cannot be run, fails, or writes no result.
pub fn replay(samecall: &Path, root: &Path, arguments: &[String]) -> Result<Results> {
    let folder = tempfile::tempdir().context("a temporary folder")?;
    let file = folder.path().join("replay.json");
    let status = Command::new(samecall)
        .arg("replay")
        .args(arguments)
        .arg("--json")
        .arg(&file)
        .current_dir(root)
        .stdout(Stdio::null())
        .status()
        .with_context(|| {
            format!("{}: build it with `cargo build --release`", samecall.display())
        })?;
    if !status.success() {
        bail!("samecall replay {}: {status}", arguments.join(" "));
    }
    read(&file)
}

/// Reads a result file.
///
/// # Errors
/// When it cannot be read or is none.
pub fn read(file: &Path) -> Result<Results> {
    let bytes = fs::read(file).with_context(|| file.display().to_string())?;
    serde_json::from_slice(&bytes).with_context(|| file.display().to_string())
}

/// Writes a text whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn write(file: &Path, text: &str) -> Result<()> {
    let name = || file.display().to_string();
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(name)?;
    let beside = file.with_extension("new");
    fs::write(&beside, text).with_context(name)?;
    fs::rename(&beside, file).with_context(name)
}
