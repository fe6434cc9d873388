//! Chores of the workspace that are longer than a line in the justfile.

pub mod catalogs;
pub mod confirm;
pub mod fuzz;
pub mod replays;
pub mod tidy;

use std::path::{Path, PathBuf};

/// The workspace's root folder.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}
