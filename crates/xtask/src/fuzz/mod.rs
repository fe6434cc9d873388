//! Hunts: one run of a fuzz target as a program, and what is made of many.

pub mod adopt;
pub mod campaign;
pub mod seeds;
pub mod selftest;

use anyhow::{Context, Result, bail};
use serde_json::Value;
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
    /// Whether it begins from the generated seeds rather than from nothing.
    pub seeded: bool,
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
/// When it cannot be run, or ends without a summary.
pub fn run(root: &Path, run: &Run<'_>) -> Result<Outcome> {
    let own = tempfile::tempdir()?;
    let corpus = own.path().join("corpus");
    std::fs::create_dir(&corpus)?;
    let summary = own.path().join("summary.json");
    let mut command = cargo_fuzz(root, "run", run.target);
    command.arg(run.target).arg(&corpus);
    if run.seeded {
        command.arg(root.join("fuzz/corpus").join(run.target));
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
    if run.seeded && dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    let output = command
        .env("SAMECALL_STRATEGY", run.strategy)
        .env("SAMECALL_FINDS", &run.finds)
        .env("SAMECALL_FINDS_DIR", &run.finds_folder)
        .env("SAMECALL_SUMMARY", &summary)
        .output()
        .context("cargo fuzz; `cargo install cargo-fuzz` where it is missing")?;
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = std::fs::read_to_string(&summary).with_context(|| {
        format!("{} left no summary; it printed\n{}", run.target, tail(&printed))
    })?;
    // A crash that is no find of a law is a panic, a hang or too much memory within one.
    let crashed = printed.contains("ERROR: libFuzzer");
    let ended = run.finds.starts_with("until:") || run.finds == "stop";
    if crashed && !ended {
        let kept = root.join("fuzz/artifacts").join(run.target);
        std::fs::create_dir_all(&kept)?;
        for entry in std::fs::read_dir(own.path())? {
            let path = entry?.path();
            if let Some(name) = path.file_name().filter(|_| path.is_file() && path != summary) {
                std::fs::copy(&path, kept.join(name))?;
            }
        }
        bail!("{} crashed; its input is in {}\n{}", run.target, kept.display(), tail(&printed));
    }
    let summary = serde_json::from_str(&text).context("the summary of a run")?;
    Ok(Outcome { summary, coverage: coverage(&printed), printed })
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
    fn the_last_coverage_counts() {
        let printed = "#2\tINITED cov: 4 ft: 5 corp: 1/1b\nx\n#9\tDONE   cov: 12 ft: 34 corp: 3/9b";
        assert_eq!(coverage(printed), Some([12, 34]));
        assert_eq!(coverage("nothing"), None);
    }
}
