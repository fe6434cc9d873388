//! What the fuzz targets share. Under a fuzzer a target hunts: it asks its laws of every input and keeps what it finds.
//! Without one it is a program that replays files.

pub mod accepted;
pub mod dictionary;
pub mod hunt;
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

/// Asks a target's laws of each file named on the command line. Exit status 1 when one is broken.
pub fn replay(target: &'static Target) -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("name the files to replay; to hunt, use `cargo fuzz run {}`", target.name);
        return ExitCode::from(2);
    }
    let mut hunt = match Hunt::of_environment(target) {
        Ok(hunt) => hunt.in_mode(Mode::Collect),
        Err(reason) => {
            eprintln!("{reason}");
            return ExitCode::from(2);
        }
    };
    for file in &files {
        match std::fs::read(file) {
            Ok(bytes) => {
                let before = hunt.finds().len();
                hunt.input(&bytes);
                if hunt.finds().len() == before {
                    println!("{}: holds", Path::new(file).display());
                }
            }
            Err(error) => {
                eprintln!("{}: {error}", Path::new(file).display());
                return ExitCode::from(2);
            }
        }
    }
    if hunt.finds().is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
