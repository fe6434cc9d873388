//! From a crash to a test: the find is made small, shown, and written to `corpus/regressions`.

use anyhow::{Context, Result, bail};
use samecall_fuzz::hunt::Hunt;
use samecall_fuzz::laws;
use samecall_oracle::subject::{CLEAN, DEFAULT, Subject};
use samecall_oracle::{Broken, Evidence, planted, record::Record};
use std::fs;
use std::io::ErrorKind;
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

/// A find that was kept.
#[derive(Debug)]
pub struct Adopted {
    /// The file that it was written to.
    pub path: PathBuf,
    /// Whether its law holds of it at present, so that the file has not been seen to fail.
    pub holds: bool,
}

/// Adopts a find.
///
/// # Errors
/// When the artifact breaks no law, or a file cannot be read or written.
pub fn adopt(root: &Path, adoption: &Adoption) -> Result<Adopted> {
    let mut record = record(adoption)?;
    if !adoption.note.is_empty() {
        record.note.clone_from(&adoption.note);
    }
    let strategy = if record.strategy.is_empty() { DEFAULT } else { &record.strategy };
    let subject = planted::subject(strategy).map_err(anyhow::Error::msg)?;
    // What never ended, filled the memory or overflowed the stack is not tried here.
    let endless = laws::CRASHES[1..].contains(&record.law.as_str());
    let held = if endless { Ok(false) } else { holds(&record, subject) }?;
    if held && !CLEAN.contains(&strategy) {
        bail!(
            "law `{}` holds of it in `{strategy}`, so that the test, which wants it broken there, would fail",
            record.law
        );
    }
    let path = free(&root.join("corpus/regressions"), &record)?;
    let temporary = path.with_extension("tmp");
    fs::write(&temporary, record.to_json()).with_context(|| temporary.display().to_string())?;
    fs::rename(&temporary, &path)?;
    explain(root, &record)?;
    Ok(Adopted { path, holds: held })
}

/// Whether the law of a record holds.
///
/// # Errors
/// When nothing can ask it: such a record would fail every test from then on.
fn holds(record: &Record, subject: Subject) -> Result<bool> {
    match laws::check(record, subject) {
        Ok(()) => Ok(true),
        Err(broken) if broken.law == "record" => bail!("{}", broken.why),
        Err(_) => Ok(false),
    }
}

/// The file of a record: one that is not there, or says the same already. Another find of the same law and class keeps
/// its own.
fn free(folder: &Path, record: &Record) -> Result<PathBuf> {
    let prefix = if record.strategy.is_empty() { "" } else { "-" };
    let name =
        format!("{}{prefix}{}", record.strategy.replace([':', ','], "-"), record.file_name());
    let stem = name.strip_suffix(".json").unwrap_or(&name);
    for number in 1.. {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{stem}{number}.json"));
        match fs::read_to_string(&path) {
            Ok(text) if text != record.to_json() => {}
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        }
    }
    unreachable!("a folder has fewer files than there are numbers")
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
    // libFuzzer's names, and that of a campaign, for inputs that no law answers.
    let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    for (prefix, law, why) in [
        ("timeout-", laws::CRASHES[1], "the laws do not end"),
        ("oom-", laws::CRASHES[2], "the laws fill the memory"),
        ("stack-", laws::CRASHES[3], "the stack overflows"),
    ] {
        if file.starts_with(prefix) {
            let broken = Broken::new(law, [target.name], why, Evidence::Bytes(bytes));
            return Ok(Record::of(&broken, target.name, strategy));
        }
    }
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
    let (Evidence::Pair(pair) | Evidence::Drawn(pair, _)) = &record.evidence else {
        return Ok(());
    };
    // No strategy made a wrong label, and planted faults and lists of rules are for hunts alone.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn adopted(name: &str, bytes: &[u8], target: Option<&str>) -> Result<(Record, bool)> {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(root.path().join("corpus/regressions")).expect("a folder");
        let artifact = root.path().join(name);
        fs::write(&artifact, bytes).expect("a file");
        let target = target.map(str::to_owned);
        let note = "a note".to_owned();
        let adopted = adopt(root.path(), &Adoption { artifact, target, strategy: None, note })?;
        let text = fs::read_to_string(&adopted.path).expect("a file");
        let record = Record::parse(&text).expect("a record");
        assert_eq!(record.note, "a note");
        Ok((record, adopted.holds))
    }

    #[test]
    fn what_holds_already_is_told_and_what_nothing_can_ask_is_refused() {
        let find = |law: &str, strategy: &str| {
            // A tool's schema, a text and an input alike.
            let text = r#"{\"properties\":{\"a\":{}}}"#;
            let text = format!(
                r#"{{"law": "{law}", "strategy": "{strategy}", "class": ["x"], "text": "{text}"}}"#
            );
            adopted("find.json", text.as_bytes(), None)
        };
        for law in ["label", "reader", "cache", "dedup", "semantic", "files"] {
            assert!(find(law, "").expect("a find").1, "{law} holds");
        }
        assert!(find("unheard-of", "").unwrap_err().to_string().contains("unheard-of"));
        let healed = find("files", "normalised").unwrap_err().to_string();
        assert!(healed.contains("holds"), "{healed}");
    }

    #[test]
    fn inputs_that_no_law_answers_are_kept_as_they_are() {
        for (name, law) in [("timeout-0a", "hang"), ("oom-0a", "memory"), ("stack-0a", "stack")] {
            let (record, held) = adopted(name, b"\xff{", Some("semantic")).expect("an input");
            assert_eq!((record.law.as_str(), held), (law, false));
            assert_eq!(record.evidence, Evidence::Bytes(b"\xff{".to_vec()));
        }
        let error = adopted("crash-0a", b"{}", Some("reader")).unwrap_err().to_string();
        assert!(error.contains("breaks no law"), "{error}");
    }

    #[test]
    fn a_second_find_of_one_kind_does_not_take_the_place_of_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut record = Record {
            law: "fixed_point".to_owned(),
            strategy: "typed-scoped".to_owned(),
            target: "catalog".to_owned(),
            why: "found".to_owned(),
            note: String::new(),
            class: Vec::new(),
            evidence: Evidence::Bytes(b"{}".to_vec()),
        };
        let first = free(folder.path(), &record).expect("a path");
        assert_eq!(first, folder.path().join("typed-scoped-catalog-fixed_point-any.json"));
        fs::write(&first, record.to_json()).expect("a file");
        assert_eq!(free(folder.path(), &record).expect("a path"), first, "it says the same");
        record.evidence = Evidence::Bytes(b"[]".to_vec());
        let second = free(folder.path(), &record).expect("a path");
        assert_eq!(second, folder.path().join("typed-scoped-catalog-fixed_point-any-2.json"));
    }
}
