//! The house rules that a machine can check: size and first line of every source file, no dependency
//! that nothing uses, nothing left unfinished.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A module is one idea; past this many lines it rarely is.
const MAX_LINES: usize = 500;

/// Data written as Rust source by a generator; its size says nothing of its ideas.
const GENERATED: &str = "// @generated";

/// Every breach of a rule under the workspace's root, as `file: what`.
///
/// # Errors
/// When a file cannot be read.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for package in packages(root)? {
        let mut sources = Vec::new();
        rust_files(&package, &mut sources)?;
        for path in &sources {
            let text = read(path)?;
            check_source(&shown(root, path), &text, &mut faults);
        }
        check_dependencies(root, &package, &sources, &mut faults)?;
    }
    Ok(faults)
}

fn packages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in [root.join("crates"), root.to_owned()] {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.join("Cargo.toml").is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                rust_files(&path, found)?;
            }
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
    Ok(())
}

fn check_source(file: &str, text: &str, faults: &mut Vec<String>) {
    if text.starts_with(GENERATED) {
        return;
    }
    let first = text.lines().find(|line| !line.starts_with("#!["));
    if !first.is_some_and(|line| line.starts_with("//!") && line.len() > 12) {
        faults.push(format!("{file}: the first line does not say what the file is for"));
    }
    // Tests may be long lists of cases.
    let is_test = file.contains("/tests/") || file.ends_with("tests.rs");
    let lines = text.lines().count();
    if lines > MAX_LINES && !is_test {
        faults.push(format!("{file}: {lines} lines, more than {MAX_LINES}"));
    }
    for (index, line) in text.lines().enumerate() {
        for mark in ["todo!(", "unimplemented!(", "dbg!(", "// FIXME", "// XXX"] {
            // This list itself is no unfinished code.
            if line.contains(mark) && !file.ends_with("tidy.rs") {
                faults.push(format!("{file}:{}: {mark}", index + 1));
            }
        }
    }
}

fn check_dependencies(
    root: &Path,
    package: &Path,
    sources: &[PathBuf],
    faults: &mut Vec<String>,
) -> Result<()> {
    let path = package.join("Cargo.toml");
    let manifest: Table = read(&path)?.parse().with_context(|| path.display().to_string())?;
    let texts: Vec<String> = sources.iter().map(|source| read(source)).collect::<Result<_>>()?;
    for name in dependency_names(&manifest) {
        let ident = name.replace('-', "_");
        let uses = |text: &String| {
            text.lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .any(|line| mentions(line, &ident))
        };
        if !texts.iter().any(uses) {
            faults.push(format!("{}: nothing uses `{name}`", shown(root, &path)));
        }
    }
    Ok(())
}

/// The dependencies of a manifest, those for tests, builds and targets included. A dependency that
/// is there for its features alone says so: `# feature only` cannot be read from TOML, so it is
/// listed under `[package.metadata.tidy] feature-only`.
fn dependency_names(manifest: &Table) -> Vec<String> {
    let mut names = Vec::new();
    let mut take = |table: &Table| {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            if let Some(Value::Table(dependencies)) = table.get(section) {
                names.extend(dependencies.keys().cloned());
            }
        }
    };
    take(manifest);
    if let Some(Value::Table(targets)) = manifest.get("target") {
        targets.values().filter_map(Value::as_table).for_each(take);
    }
    let exempt: Vec<&str> = manifest
        .get("package")
        .and_then(|p| p.get("metadata"))
        .and_then(|m| m.get("tidy"))
        .and_then(|t| t.get("feature-only"))
        .and_then(Value::as_array)
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    names.retain(|name| !exempt.contains(&name.as_str()));
    names.sort();
    names.dedup();
    names
}

/// Whether a line has the identifier as a whole word.
fn mentions(line: &str, ident: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(ident).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(is_word)
            && !line[at + ident.len()..].chars().next().is_some_and(is_word)
    })
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_seen() {
        let mut faults = Vec::new();
        check_source("a/src/x.rs", "use std::fs;\n", &mut faults);
        check_source(
            "a/src/y.rs",
            &format!("//! What it is for.\n{}", "x\n".repeat(500)),
            &mut faults,
        );
        check_source("a/src/z.rs", "//! What it is for.\nfn f() { todo!() }\n", &mut faults);
        assert_eq!(faults.len(), 3, "{faults:?}");
        check_source(
            "a/tests/y.rs",
            &format!("//! What it is for.\n{}", "x\n".repeat(500)),
            &mut faults,
        );
        check_source("a/src/lib.rs", "#![no_std]\n//! What it is for.\n", &mut faults);
        assert_eq!(faults.len(), 3, "{faults:?}");
    }

    #[test]
    fn words_are_whole() {
        assert!(mentions("use serde::Serialize;", "serde"));
        assert!(!mentions("use serde_json::Value;", "serde"));
        assert!(!mentions("let my_serde = 1;", "serde"));
    }
}
