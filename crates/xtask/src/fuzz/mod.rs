//! Hunts: one run of a fuzz target as a program, and what is made of many.

pub mod adopt;
pub mod campaign;
pub mod seeds;
pub mod selftest;

use anyhow::{Context, Result, bail};
use samecall_fuzz::last;
use serde_json::Value;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One run of one target.
#[derive(Debug, Clone)]
pub struct Run<'r> {
    /// The fuzz target.
    pub target: &'r str,
    /// The strategy that is hunted.
    pub strategy: &'r str,
    /// What is done with finds: `collect`, or `until:LAW:CLASS`.
    pub finds: String,
    /// Seconds at the most.
    pub seconds: u64,
    /// The folder of seeds that it begins from; nothing where there is none.
    pub seeds: Option<&'r Path>,
    /// Where finds are written.
    pub finds_folder: PathBuf,
    /// libFuzzer's seed, for runs that are to be repeated.
    pub seed: Option<u64>,
}

/// What came of a run.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The hunt's own summary.
    pub summary: Value,
    /// libFuzzer's last counts of covered edges and features.
    pub coverage: Option<[u64; 2]>,
    /// What was printed.
    pub printed: String,
}

impl Outcome {
    /// The finds of the summary.
    pub fn finds(&self) -> &[Value] {
        self.summary["finds"].as_array().map_or(&[], Vec::as_slice)
    }
}

/// Builds a target for the fuzzer.
///
/// # Errors
/// When `cargo fuzz` cannot be run, or the build fails.
pub fn build(root: &Path, target: &str) -> Result<()> {
    let mut command = cargo_fuzz(root, "build", target);
    command.arg(target);
    let status =
        command.status().context("cargo fuzz; `cargo install cargo-fuzz` where it is missing")?;
    if !status.success() {
        bail!("`cargo fuzz build {target}` failed");
    }
    Ok(())
}

/// Runs a target, from an empty corpus or from the seeds, in folders of its own.
///
/// # Errors
/// When it cannot be run, or crashes; the input that it crashed with is kept in `fuzz/artifacts`.
pub fn run(root: &Path, run: &Run<'_>) -> Result<Outcome> {
    let own = tempfile::tempdir()?;
    let corpus = own.path().join("corpus");
    std::fs::create_dir(&corpus)?;
    let summary = own.path().join("summary.json");
    let mut command = cargo_fuzz(root, "run", run.target);
    command.arg(run.target).arg(&corpus);
    if let Some(seeds) = run.seeds {
        command.arg(seeds.join(run.target));
    }
    command
        .arg("--")
        .arg(format!("-max_total_time={}", run.seconds))
        .arg(format!("-artifact_prefix={}/", own.path().display()))
        .args(["-timeout=20", "-rss_limit_mb=2048", "-max_len=4096"]);
    if let Some(seed) = run.seed {
        command.arg(format!("-seed={seed}"));
    }
    let dictionary = root.join("fuzz/dictionaries").join(format!("{}.dict", run.target));
    if run.seeds.is_some() && dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    let output = command
        .env("SAMECALL_STRATEGY", run.strategy)
        .env("SAMECALL_FINDS", &run.finds)
        .env("SAMECALL_FINDS_DIR", &run.finds_folder)
        .env("SAMECALL_SUMMARY", &summary)
        .env("SAMECALL_LAST_INPUT", own.path().join(LAST))
        .output()
        .context("cargo fuzz; `cargo install cargo-fuzz` where it is missing")?;
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = std::fs::read_to_string(&summary);
    let summary: Option<Value> = match &text {
        Ok(text) => Some(serde_json::from_str(text).context("the summary of a run")?),
        Err(_) => None,
    };
    match summary {
        Some(summary) if summary["ended"] == true => {
            Ok(Outcome { summary, coverage: coverage(&printed), printed })
        }
        // A panic, a hang or too much memory within a law ends the program before its last summary, and nothing but
        // libFuzzer has the input.
        early => {
            let kept = keep(own.path(), &root.join("fuzz/artifacts").join(run.target))?;
            let finds =
                early.as_ref().and_then(|early| early["finds"].as_array()).map_or(0, Vec::len);
            bail!(
                "{} of {} did not come to its end, after {finds} finds (in {}); inputs for `just fuzz-adopt`: {}\n{}",
                run.target,
                run.strategy,
                run.finds_folder.display(),
                if kept.is_empty() { "none".to_owned() } else { kept.join(", ") },
                tail(&printed)
            )
        }
    }
}

/// The file of a run's present input.
const LAST: &str = "last-input";

/// Copies what libFuzzer wrote of a crash out of a run's own folder, or else the run's last input, on which the stack may have
/// overflowed; answers the copies.
fn keep(own: &Path, folder: &Path) -> Result<Vec<String>> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut kept = Vec::new();
    for entry in std::fs::read_dir(own)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if ["crash-", "timeout-", "oom-", "leak-"].iter().any(|start| name.starts_with(start)) {
            let copy = folder.join(name);
            std::fs::copy(&path, &copy).with_context(|| copy.display().to_string())?;
            kept.push(copy.display().to_string());
        }
    }
    if kept.is_empty()
        && let Ok(file) = std::fs::read(own.join(LAST))
        && let Some(input) = last::input_of(&file)
    {
        let mut hash = DefaultHasher::new();
        input.hash(&mut hash);
        let copy = folder.join(format!("stack-{:016x}", hash.finish()));
        std::fs::write(&copy, input).with_context(|| copy.display().to_string())?;
        kept.push(copy.display().to_string());
    }
    Ok(kept)
}

fn cargo_fuzz(root: &Path, subcommand: &str, target: &str) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["fuzz", subcommand, "--sanitizer", "none"]);
    if let Some(feature) = samecall_fuzz::laws::feature(target) {
        command.args(["--features", feature]);
    }
    command
}

/// The last `cov: N ft: M` of libFuzzer.
fn coverage(printed: &str) -> Option<[u64; 2]> {
    let line = printed.lines().rfind(|line| line.contains(" cov: "))?;
    let number = |name: &str| {
        let mut words = line.split_whitespace().skip_while(|word| *word != name);
        words.nth(1)?.parse().ok()
    };
    Some([number("cov:")?, number("ft:")?])
}

fn tail(printed: &str) -> String {
    let lines: Vec<&str> = printed.lines().collect();
    lines[lines.len().saturating_sub(25)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inputs_of_a_crash_outlive_its_run() {
        let (own, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for name in ["crash-1", "timeout-2", "summary.json"] {
            std::fs::write(own.path().join(name), name).unwrap();
        }
        let to = folder.path().join("normalizer");
        assert_eq!(keep(own.path(), &to).unwrap().len(), 2);
        assert_eq!(std::fs::read(to.join("crash-1")).unwrap(), b"crash-1");
        assert!(!to.join("summary.json").exists());

        // What overflows the stack leaves nothing but the last input.
        let own = tempfile::tempdir().unwrap();
        assert!(keep(own.path(), &to).unwrap().is_empty());
        std::fs::write(own.path().join(LAST), [&[1, 0, 0, 0, 0, 0, 0, 0][..], b"xlonger"].concat())
            .unwrap();
        let [copy] = &keep(own.path(), &to).unwrap()[..] else { panic!("one file is kept") };
        assert!(copy.contains("/stack-"), "{copy}");
        assert_eq!(std::fs::read(copy).unwrap(), b"x");
    }

    #[test]
    fn the_last_coverage_counts() {
        let printed = "#2\tINITED cov: 4 ft: 5 corp: 1/1b\nx\n#9\tDONE   cov: 12 ft: 34 corp: 3/9b";
        assert_eq!(coverage(printed), Some([12, 34]));
        assert_eq!(coverage("nothing"), None);
    }
}
