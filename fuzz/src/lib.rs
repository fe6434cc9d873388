//! What the fuzz targets share. Under a fuzzer a target hunts: it asks its laws of every input and keeps what it finds.
//! Without one it is a program that replays files.

pub mod accepted;
pub mod dictionary;
pub mod hunt;
pub mod last;
pub mod laws;
pub mod seeds;

use hunt::{Hunt, Mode};
use laws::Target;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Declares a target of [`laws`]: under a fuzzer the fuzzer's entry, otherwise a `main` that replays the files named on
/// the command line.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $crate::hunt::run(&$crate::laws::$name, bytes));

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::replay(&$crate::laws::$name)
        }
    };
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Asks a target's laws of each file named on the command line, as if it were the only one. Exit status 1 when one is
/// broken and that is not accepted.
pub fn replay(target: &'static Target) -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("name the files to replay; to hunt, use `cargo fuzz run {}`", target.name);
        return ExitCode::from(2);
    }
    let mut broken = false;
    for file in files.iter().map(Path::new) {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()));
        let asked = bytes.and_then(|bytes| {
            let mut hunt = Hunt::of_environment(target)?.in_mode(Mode::Collect);
            hunt.input(&bytes);
            Ok(hunt)
        });
        match asked {
            Ok(hunt) if !hunt.finds().is_empty() => broken = true,
            Ok(hunt) if hunt.accepts() => println!("{}: accepted", file.display()),
            Ok(_) => println!("{}: holds", file.display()),
            Err(reason) => {
                eprintln!("{reason}");
                return ExitCode::from(2);
            }
        }
    }
    if broken { ExitCode::from(1) } else { ExitCode::SUCCESS }
}
