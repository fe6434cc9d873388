//! Where answers go: standard output, or a file that is whole or not there at all.

use anyhow::{Context, Result};
use samecall_report::Draft;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// A sink for an answer. A file appears under its name only when [`Output::finish`] is called.
pub(crate) enum Output {
    Stdout(BufWriter<io::Stdout>),
    File(BufWriter<Draft>),
}

impl Output {
    /// Standard output for none or `-`, else a file.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path.filter(|p| p.as_os_str() != "-") else {
            return Ok(Output::Stdout(BufWriter::with_capacity(1 << 16, io::stdout())));
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        Ok(Output::File(BufWriter::with_capacity(1 << 16, Draft::begin(path)?)))
    }

    /// Writes out what is buffered, and gives a file its name.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Output::Stdout(mut out) => Ok(out.flush()?),
            Output::File(mut file) => {
                file.flush().with_context(|| file.get_ref().path().display().to_string())?;
                Ok(file.into_inner().map_err(|e| e.into_error())?.finish()?)
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(out) => out.write(bytes),
            Output::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(out) => out.flush(),
            Output::File(file) => file.flush(),
        }
    }
}
