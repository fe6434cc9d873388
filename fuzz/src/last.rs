//! The present input in a file, for crashes that libFuzzer does not live to write: a stack that overflows.

use std::env;
use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::sync::OnceLock;

static FILE: OnceLock<Option<File>> = OnceLock::new();

/// Keeps an input until the next one, where `SAMECALL_LAST_INPUT` names a file.
pub(crate) fn keep(bytes: &[u8]) {
    let file = FILE.get_or_init(|| File::create(env::var_os("SAMECALL_LAST_INPUT")?).ok()).as_ref();
    // What cannot be kept is no reason to hunt no further.
    let _ = file.map(|file| write(file, bytes));
}

/// Eight bytes of length before the input, since the file is not made shorter.
fn write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(&[&(bytes.len() as u64).to_le_bytes(), bytes].concat())
}

/// The input that such a file holds; none in a file of no input.
pub fn input_of(file: &[u8]) -> Option<&[u8]> {
    let (length, rest) = file.split_first_chunk::<8>()?;
    rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_input_is_kept_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("last");
        let file = File::create(&path).expect("a file");
        let kept = || std::fs::read(&path).expect("a file");
        assert_eq!(input_of(&kept()), None);
        for input in [&b"long input"[..], b"short", b""] {
            write(&file, input).expect("it is written");
            assert_eq!(input_of(&kept()), Some(input));
        }
        assert_eq!(input_of(&9u64.to_le_bytes()), None, "a cut file");
    }
}
