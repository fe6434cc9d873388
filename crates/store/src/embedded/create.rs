//! Beginning a store file. The engine's own first writing of a file is not crash-safe (a process that dies in it leaves a
//! file that nobody can open), so it happens beside, under a name that no other process has, and the file appears at once
//! and whole; never in the place of one that another process has put there meanwhile.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use redb::Database;

use super::tables::{self, Failures};
use crate::error::Result;

/// What the name of an unfinished file ends with.
const UNFINISHED: &str = ".new";
/// An unfinished file that is older was left by a process that died: beginning one takes a fraction of a second.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// Puts a whole, empty store in a path where nothing is, readable by its owner alone: it will hold what calls say.
pub(super) fn create(path: &Path, failures: &Failures) -> Result<()> {
    let folder = folder_of(path);
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    clean(folder, prefix.as_encoded_bytes());
    let beside = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(UNFINISHED)
        .tempfile_in(folder)
        .map_err(|e| failures.of(e))?;
    let database = Database::create(beside.path()).map_err(|e| failures.of(e))?;
    tables::check_format(&database, path)?;
    drop(database);
    match beside.persist_noclobber(path) {
        Ok(_) => {}
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(failures.of(error.error)),
    }
    // So that the name, too, is on disk; not every system lets a folder be synced.
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// The folder of a path; a bare name is in the present one.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    }
}

/// Removes what processes left that died while they began this store. What cannot be removed does no harm.
fn clean(folder: &Path, prefix: &[u8]) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_ours = name.starts_with(prefix) && name.ends_with(UNFINISHED.as_bytes());
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        let is_abandoned =
            written.is_ok_and(|at| at.elapsed().is_ok_and(|since| since > ABANDONED));
        if is_ours && is_abandoned {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_is_in_the_present_folder() {
        assert_eq!(folder_of(Path::new("store")), Path::new("."));
        assert_eq!(folder_of(Path::new("a/store")), Path::new("a"));
        assert_eq!(folder_of(Path::new("/store")), Path::new("/"));
        assert!(fs::File::open(folder_of(Path::new("store"))).is_ok());
    }

    #[test]
    fn only_what_was_abandoned_long_ago_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let old = std::time::SystemTime::now() - ABANDONED * 2;
        for (name, is_old) in
            [("store.a.new", true), ("store.b.new", false), ("other.a.new", true), ("store", true)]
        {
            let file = fs::File::create(folder.path().join(name)).expect("a file");
            if is_old {
                file.set_modified(old).expect("an old file");
            }
        }
        clean(folder.path(), b"store.");
        let mut left: Vec<_> = fs::read_dir(folder.path())
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["other.a.new", "store", "store.b.new"]);
    }
}
