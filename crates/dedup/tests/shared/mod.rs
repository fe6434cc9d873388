//! Third-party data for tests, read from the folder that `SAMECALL_SHARED` names, else from `../shared` beside the workspace.

use std::path::PathBuf;

/// The text of a shared file; `None`, with a line that says so, when it is not there.
pub(crate) fn read(name: &str) -> Option<String> {
    let root = std::env::var_os("SAMECALL_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let path = root.join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("skipped: {} not found", path.display());
    }
    text
}
