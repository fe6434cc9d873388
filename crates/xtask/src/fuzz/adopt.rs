//! From a crash to a test: the find is made small, shown, and written to `corpus/regressions`.

use anyhow::{Context, Result, bail};
use samecall_fuzz::hunt::Hunt;
use samecall_fuzz::laws;
use samecall_oracle::subject::DEFAULT;
use samecall_oracle::{Evidence, planted, record::Record};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to adopt.
pub struct Adoption {
    /// An input that a fuzzer kept, or a find's JSON.
    pub artifact: PathBuf,
    /// The target of an input; its folder's name where none is given.
    pub target: Option<String>,
    /// The strategy of an input.
    pub strategy: Option<String>,
    /// What there is to say.
    pub note: String,
}

/// Adopts a find and answers the file that it was written to.
///
/// # Errors
/// When the artifact breaks no law, or a file cannot be read or written.
pub fn adopt(root: &Path, adoption: &Adoption) -> Result<PathBuf> {
    let mut record = record(adoption)?;
    if !adoption.note.is_empty() {
        record.note.clone_from(&adoption.note);
    }
    let prefix = if record.strategy.is_empty() { "" } else { "-" };
    let name =
        format!("{}{prefix}{}", record.strategy.replace([':', ','], "-"), record.file_name());
    let path = root.join("corpus/regressions").join(name);
    let temporary = path.with_extension("tmp");
    fs::write(&temporary, record.to_json()).with_context(|| temporary.display().to_string())?;
    fs::rename(&temporary, &path)?;
    explain(root, &record)?;
    Ok(path)
}

fn record(adoption: &Adoption) -> Result<Record> {
    let path = &adoption.artifact;
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    if path.extension().is_some_and(|extension| extension == "json") {
        let text = String::from_utf8(bytes).with_context(|| path.display().to_string())?;
        return Record::parse(&text).map_err(|e| anyhow::anyhow!("{}: {e}", path.display()));
    }
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let name = adoption.target.as_deref().or(folder).unwrap_or_default();
    let Some(target) = laws::by_name(name) else {
        bail!("`{name}` is no target; name one with --target");
    };
    let strategy = adoption.strategy.as_deref().unwrap_or(DEFAULT);
    let subject = planted::subject(strategy).map_err(anyhow::Error::msg)?;
    let mut hunt = Hunt::new(target, subject);
    hunt.input(&bytes);
    match hunt.finds().first() {
        Some(find) => {
            let strategy = if target.has_subject { strategy } else { "" };
            Ok(Record::of(&find.broken, target.name, strategy))
        }
        None => bail!("{} breaks no law of {name} in {strategy}", path.display()),
    }
}

/// Shows a pair by `samecall explain`, where its strategy is one of the program's.
fn explain(root: &Path, record: &Record) -> Result<()> {
    let Evidence::Pair(pair) = &record.evidence else { return Ok(()) };
    // Planted faults and lists of rules are for hunts alone.
    if record.strategy.is_empty() || record.strategy.contains(':') {
        return Ok(());
    }
    let file = tempfile::NamedTempFile::new()?;
    fs::write(file.path(), pair.to_json())?;
    let status = Command::new("cargo")
        .current_dir(root)
        .args(["run", "--quiet", "--package", "samecall-cli", "--", "explain", "--strategy"])
        .arg(&record.strategy)
        .arg(file.path())
        .status()
        .context("samecall explain")?;
    if !status.success() {
        bail!("`samecall explain` failed");
    }
    Ok(())
}
