//! What the fuzz targets share: without a fuzzer each target is a program that replays files.

/// Declares a target: one law, called with bytes. Under a fuzzer it is the fuzzer's entry; otherwise
/// a `main` that runs the law on each file named on the command line.
#[macro_export]
macro_rules! target {
    ($law:expr) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
            let law: fn(&[u8]) = $law;
            law(bytes);
        });

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            samecall_fuzz::replay($law)
        }
    };
}

/// Runs a law on each file named on the command line; a broken law ends the program with its panic.
pub fn replay(law: fn(&[u8])) -> std::process::ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("name the files to replay; to hunt, use `cargo fuzz run`");
        return std::process::ExitCode::from(2);
    }
    for file in files {
        match std::fs::read(&file) {
            Ok(bytes) => {
                law(&bytes);
                println!("{}: holds", file.display());
            }
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                return std::process::ExitCode::from(2);
            }
        }
    }
    std::process::ExitCode::SUCCESS
}
