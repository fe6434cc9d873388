//! `samecall executors`: what real executors hand their handlers for the two calls of a pair.

use crate::cmd::generate::GrammarArgs;
use crate::inputs::ToolArgs;
use crate::output::Output;
use crate::source::GeneratorSource;
use anyhow::{Context, Result, bail};
use samecall_call::executors::{ExecutorRun, ExecutorsResult};
use samecall_keyer::typed::ExecutorProfile;
use samecall_report::Provenance;
use samecall_score::executors::{
    Asked, Attached, Executor, Listing, Options, Program, Rulings, executors, rule,
};
use samecall_score::{Error, FileSource, PairSource};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Ask real validators and SDKs what they make of two spellings
///
/// Sends both calls of every pair through each executor: a program that answers, for each call, what the tool's handler
/// received or that it refused. Prints per production how often both spellings are received as equal, as unequal, or
/// refused, and holds `typed` and the executor profiles (`typed@pydantic-lax`, ...) beside it. With pairs of one production each
/// (--depth 1) it also rules: status 1 where an executor contradicts corpus/executor_dependent.toml, a profile answers
/// `same` for what its executor receives as unequal, or an executor crashed, hung or broke the protocol.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall executors --generate 100000 --out reports
  samecall executors --pairs corpus/article.jsonl
  samecall executors --generate 2000 --only pydantic-lax,ajv
  samecall executors --pairs mine.jsonl --tools tools.json --executor mine=\"python3 my_executor.py\"")]
pub(crate) struct Args {
    /// Pairs as JSON lines; repeatable.
    #[arg(long = "pairs", value_name = "FILE")]
    pairs: Vec<PathBuf>,
    #[command(flatten)]
    tools: ToolArgs,
    #[command(flatten)]
    generate: OnePerPair,
    /// Ask about this many generated pairs.
    #[arg(long = "generate", value_name = "N")]
    count: Option<u64>,
    /// An executor of your own, NAME=COMMAND: a program that speaks the protocol of docs/EXECUTORS.md; repeatable. Those
    /// of --list where none is given.
    #[arg(long = "executor", value_name = "NAME=COMMAND")]
    executors: Vec<String>,
    /// The executors that are installed, and what they are.
    #[arg(long, default_value = "executors/executors.toml", value_name = "FILE")]
    list: PathBuf,
    /// Of the list only these, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with = "executors")]
    only: Vec<String>,
    /// Single calls and pairs whose received values are shown.
    #[arg(long, default_value = "executors/asked.toml", value_name = "FILE")]
    asked: PathBuf,
    /// How many executors run at a time.
    #[arg(long, default_value_t = 2, value_name = "N")]
    jobs: usize,
    /// Seconds after which an executor that neither takes a call nor answers one counts as hung.
    #[arg(long, default_value_t = 120, value_name = "S")]
    timeout: u64,
    /// Show argument values in examples, and what executors write to standard error: customers' data, if the pairs are
    /// real.
    #[arg(long)]
    show_values: bool,
    /// Ask nobody: read the result of an earlier run (its executors.json), and rule on it anew.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "count", "executors", "only"])]
    from: Option<PathBuf>,
    /// The command that the report names as its maker.
    #[arg(long, value_name = "TEXT")]
    command: Option<String>,
    /// Write the result as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write executors.md, executors.json and the heat map into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// How pairs are generated: one production on a pair, so that it is known to be the cause.
#[derive(clap::Args)]
struct OnePerPair {
    /// Weights of the productions: article, uniform, observed, hostile, or a TOML file.
    #[arg(long, default_value = "uniform", value_name = "NAME")]
    profile: String,
    /// The seed; the same seed gives the same pairs.
    #[arg(long, default_value_t = 7, value_name = "N")]
    seed: u64,
    /// Productions on a pair; beyond 1 no production is known to be the cause, and nothing is ruled.
    #[arg(long, default_value_t = 1, value_name = "K")]
    depth: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let result = match &args.from {
        Some(file) => args.ruled_anew(file)?,
        None => ask(args)?,
    };
    let mut out = Output::open(None)?;
    out.write_all(samecall_report::executors_terminal(&result, 110).as_bytes())?;
    out.finish()?;
    if let Some(folder) = &args.out {
        let provenance = Provenance { command: args.command_line() };
        let files = samecall_report::executors_files(&result, &provenance)?;
        samecall_report::write_all(folder, &files)?;
    }
    if let Some(file) = &args.json {
        samecall_report::write(file, &samecall_report::executors_json(&result))?;
    }
    for fault in &result.faults {
        eprintln!("samecall: {fault}");
    }
    Ok(if result.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn ask(args: &Args) -> Result<ExecutorsResult> {
    if args.pairs.is_empty() && args.count.is_none() {
        bail!(
            "no pairs to ask about: name a file with --pairs, or generate some with --generate N"
        );
    }
    if args.pairs.iter().any(|file| file.as_os_str() == "-") {
        bail!("--pairs -: pairs are read anew for each executor, so they must be in a file");
    }
    let catalog = args.tools.catalog()?;
    let grammar = GrammarArgs {
        profile: args.generate.profile.clone(),
        seed: args.generate.seed,
        depth: args.generate.depth,
    };
    grammar.generator(&catalog)?;
    let sources = || -> samecall_score::Result<Vec<Box<dyn PairSource>>> {
        let mut sources: Vec<Box<dyn PairSource>> = Vec::new();
        for file in &args.pairs {
            sources.push(Box::new(FileSource::open(file)?));
        }
        if let Some(count) = args.count {
            let source = GeneratorSource::new(&grammar, &catalog, count).map_err(|error| {
                Error::Source { name: "generator".to_owned(), reason: format!("{error:#}") }
            })?;
            sources.push(Box::new(source));
        }
        Ok(sources)
    };
    let done = |name: &str| eprintln!("samecall: {name} is done");
    Ok(executors(
        &sources,
        Options {
            executors: args.executors()?,
            keyers: keyers()?,
            catalog: &catalog,
            rulings: Rulings::builtin()?,
            asked: args.asked()?,
            complete: args.executors.is_empty() && args.only.is_empty(),
            jobs: args.jobs,
            show_values: args.show_values,
            seed: args.count.map(|_| args.generate.seed),
            depth: args.count.map(|_| args.generate.depth),
            on_done: Some(&done),
        },
    )?)
}

/// The keyers held beside executors: `typed` beside all, each profile beside its own.
fn keyers() -> Result<Vec<Attached>> {
    let named = |name: &str| {
        samecall_keyer::by_name(name).map(Arc::from).with_context(|| format!("no keyer `{name}`"))
    };
    let mut keyers = vec![Attached { keyer: named("typed")?, profile_of: None }];
    for profile in ExecutorProfile::ALL {
        let executors = profile.executors().iter().map(|name| (*name).to_owned()).collect();
        let keyer = named(&format!("typed@{}", profile.name()))?;
        keyers.push(Attached { keyer, profile_of: Some(executors) });
    }
    Ok(keyers)
}

impl Args {
    fn program(&self, name: &str, command: &str) -> Box<dyn Executor> {
        let patience = Duration::from_secs(self.timeout.max(1));
        Box::new(Program::new(name, command, patience).showing_errors(self.show_values))
    }

    fn executors(&self) -> Result<Vec<(Box<dyn Executor>, ExecutorRun)>> {
        let mut found: Vec<(Box<dyn Executor>, ExecutorRun)> = Vec::new();
        for text in &self.executors {
            let Some((name, command)) = text
                .split_once('=')
                .filter(|(name, command)| !name.is_empty() && !command.trim().is_empty())
            else {
                bail!(
                    "--executor must be NAME=COMMAND, for instance mine=\"python3 my_executor.py\""
                );
            };
            if found.iter().any(|(_, known)| known.name == name) {
                bail!("--executor {name} is given twice");
            }
            let known = ExecutorRun { name: name.to_owned(), ..ExecutorRun::default() };
            found.push((self.program(name, command), known));
        }
        if found.is_empty() {
            let file = self.list.display().to_string();
            let text = std::fs::read_to_string(&self.list).with_context(|| {
                format!("{file}: no list of executors; name one with --executor NAME=COMMAND")
            })?;
            let listing =
                Listing::parse(&text).map_err(anyhow::Error::msg).with_context(|| file.clone())?;
            if let Some(name) =
                self.only.iter().find(|name| listing.executors.iter().all(|e| e.name != **name))
            {
                let known: Vec<&str> = listing.executors.iter().map(|e| e.name.as_str()).collect();
                bail!("--only {name}: {file} lists {}", known.join(", "));
            }
            for executor in &listing.executors {
                if self.only.is_empty() || self.only.contains(&executor.name) {
                    found.push((self.program(&executor.name, &executor.command), executor.run()));
                }
            }
        }
        Ok(found)
    }

    /// An earlier result under the rulings as they are now.
    fn ruled_anew(&self, file: &Path) -> Result<ExecutorsResult> {
        let name = || file.display().to_string();
        let text = std::fs::read_to_string(file).with_context(name)?;
        let mut result: ExecutorsResult = serde_json::from_str(&text).with_context(name)?;
        let listed = std::fs::read_to_string(&self.list).ok().and_then(|t| Listing::parse(&t).ok());
        let complete = listed.is_some_and(|listing| {
            listing.executors.iter().map(|e| &e.name).eq(result.executors.iter().map(|e| &e.name))
        });
        rule(&mut result, &Rulings::builtin()?, complete);
        Ok(result)
    }

    /// The questions beside the pairs; none where the default file is not there.
    fn asked(&self) -> Result<Asked> {
        let file = self.asked.display().to_string();
        if !self.asked.exists() && self.asked == Path::new("executors/asked.toml") {
            return Ok(Asked::default());
        }
        let text = std::fs::read_to_string(&self.asked).with_context(|| file.clone())?;
        Asked::parse(&text).map_err(anyhow::Error::msg).with_context(|| file)
    }

    /// The command that makes this report anew.
    fn command_line(&self) -> String {
        if let Some(command) = &self.command {
            return command.clone();
        }
        let mut words = vec!["samecall executors".to_owned()];
        words.extend(self.from.iter().map(|file| format!("--from {}", file.display())));
        words.extend(self.pairs.iter().map(|file| format!("--pairs {}", file.display())));
        words.extend(self.tools.words());
        if let Some(count) = self.count {
            let OnePerPair { profile, seed, depth } = &self.generate;
            words.push(format!(
                "--generate {count} --profile {profile} --seed {seed} --depth {depth}"
            ));
        }
        words.extend(self.executors.iter().map(|text| format!("--executor {text:?}")));
        if !self.only.is_empty() {
            words.push(format!("--only {}", self.only.join(",")));
        }
        if self.show_values {
            words.push("--show-values".to_owned());
        }
        words.join(" ")
    }
}
