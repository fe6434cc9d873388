//! What several test files need: the workspace's corpora, third-party data, and all strategies.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

use samecall_call::Catalog;
use samecall_call::result::Results;
use samecall_keyer::{Keyer, by_name, names};
use samecall_score::{FileSource, Options, PairSource, replay};
use std::path::{Path, PathBuf};

/// A file of the workspace.
pub(crate) fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Third-party data, which need not be there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SAMECALL_SHARED").map(PathBuf::from);
    let file = root.unwrap_or_else(|| workspace("../shared")).join(path);
    if file.exists() {
        return Some(file);
    }
    println!("skipped: {} not found", file.display());
    None
}

pub(crate) fn all() -> Vec<Box<dyn Keyer>> {
    names().filter_map(by_name).collect()
}

pub(crate) fn replay_files(files: &[PathBuf], catalog: &Catalog) -> Results {
    let sources = files
        .iter()
        .map(|file| Box::new(FileSource::open(file).unwrap()) as Box<dyn PairSource>)
        .collect();
    replay(sources, Options::new(all(), catalog)).unwrap()
}
