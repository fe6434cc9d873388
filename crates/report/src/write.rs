//! Files out: all or none.

use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
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
    let mut ready = Vec::with_capacity(files.len());
    for (name, bytes) in files {
        ready.push(prepare(&folder.join(name), bytes)?);
    }
    ready.into_iter().try_for_each(Draft::finish)
}

/// Writes one file, whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    prepare(path, bytes)?.finish()
}

fn prepare(path: &Path, bytes: &[u8]) -> Result<Draft> {
    let mut draft = Draft::begin(path)?;
    draft.write_all(bytes).map_err(Error::io(path))?;
    Ok(draft)
}

/// A file that is being written: under another name beside its place until it is finished, and gone if it never is.
/// What stands there and is no ordinary file, such as `/dev/null`, a terminal or a pipe, is written to as it is, since
/// a rename would put a file in its place.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    file: Place,
}

#[derive(Debug)]
enum Place {
    /// To be renamed to the path, which is no symbolic link any more.
    Beside(NamedTempFile, PathBuf),
    There(File),
}

impl Draft {
    /// Begins a file, in a folder that exists.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn begin(path: &Path) -> Result<Self> {
        let there = fs::metadata(path).ok();
        let file = match there {
            Some(there) if !there.is_file() => {
                let file = OpenOptions::new().write(true).open(path).map_err(Error::io(path))?;
                Place::There(file)
            }
            _ => {
                // What a symbolic link leads to is replaced, and not the link.
                let real = there.and_then(|_| fs::canonicalize(path).ok());
                let real = real.unwrap_or_else(|| path.to_owned());
                // A bare file name has the empty parent, which means here.
                let folder = match real.parent() {
                    Some(folder) if !folder.as_os_str().is_empty() => folder,
                    _ => Path::new("."),
                };
                Place::Beside(NamedTempFile::new_in(folder).map_err(Error::io(path))?, real)
            }
        };
        Ok(Draft { path: path.to_owned(), file })
    }

    /// Where the file is to stand.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn finish(self) -> Result<()> {
        match self.file {
            Place::There(_) => Ok(()),
            Place::Beside(file, real) => {
                open_to_all(&file).map_err(Error::io(&self.path))?;
                file.persist(real).map_err(|e| Error::io(&self.path)(e.error))?;
                Ok(())
            }
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Place::Beside(file, _) => file.write(bytes),
            Place::There(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            Place::Beside(file, _) => file.flush(),
            Place::There(file) => file.flush(),
        }
    }
}

/// A temporary file is its owner's alone; a report is not.
#[cfg(unix)]
fn open_to_all(file: &NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn open_to_all(_: &NamedTempFile) -> io::Result<()> {
    Ok(())
}
