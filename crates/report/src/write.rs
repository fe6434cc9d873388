//! Files out: all or none.

use crate::error::{Error, Result};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Writes all files into a folder, which is made where it is missing. Every file is first written
/// under another name beside its place, and only when all are there is the first one renamed; so a
/// failure before that leaves earlier reports as they were, and no file is ever half written.
///
/// # Errors
/// When the folder or a file cannot be written.
pub fn write_all(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let mut ready: Vec<(NamedTempFile, PathBuf)> = Vec::with_capacity(files.len());
    for (name, bytes) in files {
        let path = folder.join(name);
        ready.push((prepare(&path, bytes)?, path));
    }
    for (file, path) in ready {
        persist(file, &path)?;
    }
    Ok(())
}

/// Writes one file, whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    persist(prepare(path, bytes)?, path)
}

fn prepare(path: &Path, bytes: &[u8]) -> Result<NamedTempFile> {
    // A bare file name has the empty parent, which means here.
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = NamedTempFile::new_in(folder).map_err(Error::io(path))?;
    file.write_all(bytes).map_err(Error::io(path))?;
    open_to_all(&file).map_err(Error::io(path))?;
    Ok(file)
}

/// A temporary file is its owner's alone; a report is not.
#[cfg(unix)]
fn open_to_all(file: &NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn open_to_all(_: &NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

fn persist(file: NamedTempFile, path: &Path) -> Result<()> {
    file.persist(path).map_err(|e| Error::io(path)(e.error))?;
    Ok(())
}
