//! `cargo xtask`: chores of the workspace.

use anyhow::{Result, bail};
use clap::Parser;
use std::path::PathBuf;
use xtask::fuzz::{adopt, campaign, seeds, selftest};
use xtask::{catalogs, confirm, replays, root, tidy};

#[derive(Parser)]
#[command(name = "xtask", about = "Chores of the samecall workspace")]
enum Task {
    /// Check module sizes, first lines, unused dependencies and unfinished code
    Tidy,
    /// Score the article's corpus under three catalogs of its tools
    Catalogs {
        /// The built program.
        #[arg(long, default_value = "target/release/samecall", value_name = "FILE")]
        samecall: PathBuf,
        /// Where the report is written.
        #[arg(long, default_value = "reports/rules/catalogs.md", value_name = "FILE")]
        out: PathBuf,
    },
    /// Repeat the generated replay on fresh seeds and compare with the committed result
    Confirm {
        /// The built program.
        #[arg(long, default_value = "target/release/samecall", value_name = "FILE")]
        samecall: PathBuf,
        /// The committed result.
        #[arg(long, default_value = "reports/generated/uniform/replay.json", value_name = "FILE")]
        committed: PathBuf,
        /// The commit whose hash gives the seeds; what stands checked out where none is given.
        #[arg(long, value_name = "HASH")]
        commit: Option<String>,
        /// Generated pairs for each seed.
        #[arg(long, default_value_t = 1_000_000, value_name = "N")]
        pairs: u64,
        /// The profile of the committed result.
        #[arg(long, default_value = "uniform", value_name = "NAME")]
        profile: String,
        /// Its depth.
        #[arg(long, default_value_t = 3, value_name = "K")]
        depth: usize,
        /// Where the report is written.
        #[arg(long, default_value = "reports/machine/confirm.md", value_name = "FILE")]
        out: PathBuf,
    },
    /// Write the fuzz targets' seeds and dictionaries
    FuzzSeeds,
    /// Hunt every planted fault by the targets that claim to find it
    FuzzSelftest {
        /// Seconds for each.
        #[arg(long, default_value_t = 120, value_name = "N")]
        seconds: u64,
        /// One planted fault alone.
        #[arg(long, value_name = "NAME")]
        fault: Option<String>,
    },
    /// Hunt by many targets, and report
    FuzzCampaign {
        /// Seconds for each target and strategy.
        #[arg(long, value_name = "N")]
        seconds: u64,
        /// Targets by name; all where none is given.
        #[arg(long = "target", value_name = "NAME")]
        targets: Vec<String>,
        /// Strategies by name; typed-scoped where none is given.
        #[arg(long = "strategy", value_name = "NAME")]
        strategies: Vec<String>,
        /// Runs at a time.
        #[arg(long, default_value_t = 1, value_name = "N")]
        jobs: usize,
        /// Begin from nothing rather than from the seeds.
        #[arg(long)]
        empty: bool,
        /// libFuzzer's seed, to hunt the same way again; a fresh one where none is given.
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
        /// What must be found, or the campaign fails; repeatable.
        #[arg(long = "expect", value_name = "STRATEGY:LAW:NAME+NAME")]
        expected: Vec<campaign::Expected>,
        /// Where the report is written, with `{date}` for the date.
        #[arg(long, value_name = "FILE")]
        out: Option<String>,
    },
    /// Make a find small, show it, and keep it as a regression
    FuzzAdopt {
        /// An input that a fuzzer kept, or a find's JSON.
        artifact: PathBuf,
        /// The target of an input; its folder's name where none is given.
        #[arg(long, value_name = "NAME")]
        target: Option<String>,
        /// The strategy of an input; SAMECALL_STRATEGY, or else typed-scoped, where none is given.
        #[arg(long, value_name = "NAME")]
        strategy: Option<String>,
        /// What there is to say.
        #[arg(long, default_value = "", value_name = "TEXT")]
        note: String,
    },
}

fn main() -> Result<()> {
    let root = root();
    match Task::parse() {
        Task::Tidy => {
            let faults = tidy::check(&root)?;
            for fault in &faults {
                println!("{fault}");
            }
            if !faults.is_empty() {
                bail!("{} untidy places", faults.len());
            }
        }
        Task::Catalogs { samecall, out } => {
            let report = catalogs::report(&root.join(samecall), &root)?;
            print!("{report}");
            replays::write(&root.join(out), &report)?;
        }
        Task::Confirm { samecall, committed, commit, pairs, profile, depth, out } => {
            let commit = match commit {
                Some(commit) => commit,
                None => confirm::head(&root)?,
            };
            let run = confirm::Run { pairs, profile, depth };
            let found = confirm::confirm(&root.join(samecall), &root, &committed, &commit, &run)?;
            print!("{}", found.report);
            replays::write(&root.join(out), &found.report)?;
            if !found.faults.is_empty() {
                bail!("{} results do not agree", found.faults.len());
            }
        }
        Task::FuzzSeeds => {
            seeds::write(&root, &seeds::corpus(&root))?.iter().for_each(|line| println!("{line}"))
        }
        Task::FuzzSelftest { seconds, fault } => {
            selftest::selftest(&root, seconds, fault.as_deref())?;
        }
        Task::FuzzCampaign { seconds, targets, strategies, jobs, empty, seed, expected, out } => {
            let date = campaign::today()?;
            let report = out.map(|out| PathBuf::from(out.replace("{date}", &date)));
            let hunt = campaign::Campaign {
                seconds,
                targets,
                strategies,
                jobs,
                empty,
                seed,
                expected,
                report,
            };
            campaign::campaign(&root, &hunt)?;
        }
        Task::FuzzAdopt { artifact, target, strategy, note } => {
            let strategy = strategy.or_else(|| std::env::var("SAMECALL_STRATEGY").ok());
            let adoption = adopt::Adoption { artifact, target, strategy, note };
            let adopted = adopt::adopt(&root, &adoption)?;
            println!("{}", adopted.path.display());
            if adopted.holds {
                eprintln!(
                    "Its law holds of it at present. See it fail without the mending: a test that cannot fail is none."
                );
            }
        }
    }
    Ok(())
}
