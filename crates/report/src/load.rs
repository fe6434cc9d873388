//! Result files in.

use crate::error::{Error, Result};
use samecall_call::result::Results;
use std::fs;
use std::path::{Path, PathBuf};

/// Reads one result file.
///
/// # Errors
/// When it cannot be read or is no result of a replay.
pub fn load(path: &Path) -> Result<Results> {
    let bytes = fs::read(path).map_err(Error::io(path))?;
    serde_json::from_slice(&bytes)
        .map_err(|e| Error::Results { path: path.to_owned(), reason: e.to_string() })
}

/// Reads the result files of a folder (`*.json` whose top member is `sets`), in the order of their
/// names; other JSON files are passed over.
///
/// # Errors
/// When the folder or one of the files cannot be read.
pub fn load_folder(folder: &Path) -> Result<Vec<(PathBuf, Results)>> {
    let entries = fs::read_dir(folder).map_err(Error::io(folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::io(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut list = Vec::new();
    for path in paths {
        let bytes = fs::read(&path).map_err(Error::io(&path))?;
        let is_replay = serde_json::from_slice::<serde_json::Value>(&bytes)
            .is_ok_and(|value| value.get("sets").is_some());
        if is_replay {
            let results = load(&path)?;
            list.push((path, results));
        }
    }
    Ok(list)
}

/// Several results as one; of two results of one set the later counts, and the seed is the first one
/// stated.
pub fn join(list: impl IntoIterator<Item = Results>) -> Results {
    let mut all = Results::default();
    for results in list {
        all.sets.extend(results.sets);
        all.details.extend(results.details);
        all.seed = all.seed.or(results.seed);
        all.inputs.extend(results.inputs);
    }
    all
}

/// The bytes of a result file: JSON, indented, with a line end.
pub fn to_json(results: &Results) -> Vec<u8> {
    // Maps have text keys and numbers are finite, so writing cannot fail.
    let mut bytes = serde_json::to_vec_pretty(results).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}
