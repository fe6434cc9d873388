//! Where answers go: standard output, or a file that is whole or not there at all.

use anyhow::{Context, Result};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A sink for an answer. A file appears under its name only when [`Output::finish`] is called.
pub(crate) enum Output {
    Stdout(BufWriter<io::Stdout>),
    File { file: BufWriter<NamedTempFile>, path: PathBuf },
}

impl Output {
    /// Standard output for none or `-`, else a file.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path.filter(|p| p.as_os_str() != "-") else {
            return Ok(Output::Stdout(BufWriter::with_capacity(1 << 16, io::stdout())));
        };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let file = NamedTempFile::new_in(folder).with_context(|| folder.display().to_string())?;
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok(Output::File { file, path: path.to_owned() })
    }

    /// Writes out what is buffered, and gives a file its name.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Output::Stdout(mut out) => Ok(out.flush()?),
            Output::File { file, path } => {
                let name = || path.display().to_string();
                let file = file.into_inner().map_err(|e| e.into_error()).with_context(name)?;
                make_readable(&file).with_context(name)?;
                file.persist(&path).map_err(|e| e.error).with_context(name)?;
                Ok(())
            }
        }
    }
}

/// A temporary file is for its owner alone; a finished answer is an ordinary file.
fn make_readable(file: &NamedTempFile) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(out) => out.write(bytes),
            Output::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(out) => out.flush(),
            Output::File { file, .. } => file.flush(),
        }
    }
}
