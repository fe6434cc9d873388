//! `samecall rules`: a strategy's rules, each left out, each alone, and each on every other's output.

use crate::cmd::generate::GrammarArgs;
use crate::inputs::ToolArgs;
use crate::output::Output;
use crate::source::GeneratorSource;
use anyhow::{Result, bail};
use samecall_call::Catalog;
use samecall_call::rules::{Exhaustive, Frontier, RulesResult};
use samecall_drift::{Generator, Profile};
use samecall_report::Provenance;
use samecall_score::{
    Error, FileSource, PairSource, RuleList, Search, ablation, exhaustive, frontier, interactions,
};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Examine the rules of a strategy
///
/// Ablation: the strategy without each of its rules, on pairs: retries lost, merges avoided. Interactions: every rule
/// on every other rule's output, on generated and hostile values, with a shortest example found by machine; and
/// whether the whole is idempotent and its order matters. With --out also the plot of recall against false merges for
/// every strategy and every subset of a short list.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall rules --strategy normalised
  samecall rules --strategy typed --pairs mine.jsonl --tools tools.json
  samecall rules --rule nfc,strip,case-fold
  samecall rules --strategy normalised,scoped,typed,typed-scoped --out reports/rules")]
pub(crate) struct Args {
    /// Strategies with rules, separated by commas.
    #[arg(long = "strategy", value_name = "NAME", value_delimiter = ',')]
    strategies: Vec<String>,
    /// Rules on values in the order given, as a list of your own; separated by commas.
    #[arg(long = "rule", value_name = "RULE", value_delimiter = ',')]
    rules: Vec<String>,
    /// Pairs as JSON lines; repeatable. The shipped corpora and generated pairs where neither --pairs nor --generate is
    /// given.
    #[arg(long = "pairs", value_name = "FILE")]
    pairs: Vec<PathBuf>,
    #[command(flatten)]
    tools: ToolArgs,
    #[command(flatten)]
    generate: GrammarArgs,
    /// Score this many generated pairs.
    #[arg(long = "generate", value_name = "N")]
    count: Option<u64>,
    /// Try the rules on this many values.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    values: u64,
    /// Try all strings of up to five symbols of every field kind too; takes a minute or two.
    #[arg(long)]
    exhaustive: bool,
    /// Write the result as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write tables, heat maps and the frontier into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Pairs that are scored where nothing is said.
const CORPORA: [&str; 2] = ["corpus/article.jsonl", "corpus/adversarial.jsonl"];
/// The longest strings of `--exhaustive`, in symbols.
const LONGEST: u32 = 5;
/// Generated pairs that are scored where nothing is said.
const GENERATED: u64 = 20_000;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let lists = args.lists()?;
    let catalog = args.tools.catalog()?;
    let (files, count) = args.inputs();
    for file in &files {
        // A missing file is better told before the work than after it.
        FileSource::open(file)?;
    }
    args.generate.generator(&catalog)?;
    let sources = || args.sources(&files, count, &catalog);
    // Hostile values, whatever the profile of the pairs.
    let hostile = Profile::builtin("hostile")?;
    let values = Generator::new(&catalog, &hostile, args.generate.seed, args.generate.depth)?;
    let search = Search { values: args.values, seed: args.generate.seed };
    let mut results = Vec::new();
    let mut tried: Vec<(Vec<&str>, Vec<Exhaustive>)> = Vec::new();
    for list in &lists {
        let names = list.names();
        // Strategies that differ in scope alone share their rules.
        let short_strings = match tried.iter().find(|(rules, _)| *rules == names) {
            Some((_, found)) => found.clone(),
            None if args.exhaustive => exhaustive(list, LONGEST, args.generate.seed),
            None => Vec::new(),
        };
        tried.push((names, short_strings.clone()));
        let (sets, replay) = ablation(list, &catalog, &sources)?;
        results.push(RulesResult {
            strategy: list.strategy().to_owned(),
            rules: list.names().into_iter().map(str::to_owned).collect(),
            ablation: sets,
            matrix: interactions(list, &catalog, &values, search),
            exhaustive: short_strings,
            seed: args.generate.seed,
            inputs: replay.inputs,
        });
    }
    let mut out = Output::open(None)?;
    for result in &results {
        out.write_all(samecall_report::rules_terminal(result, 110).as_bytes())?;
    }
    out.finish()?;
    if let Some(folder) = &args.out {
        let all = Frontier { seed: args.generate.seed, ..frontier(&lists, &catalog, &sources)? };
        let provenance = Provenance { command: args.command_line(&files, count) };
        let files = samecall_report::rules_files(&results, Some(&all), &provenance)?;
        samecall_report::write_all(folder, &files)?;
    }
    if let Some(file) = &args.json {
        samecall_report::write(file, &samecall_report::rules_json(&results))?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn lists(&self) -> Result<Vec<RuleList>> {
        let mut lists: Vec<RuleList> =
            self.strategies.iter().map(|name| RuleList::of(name)).collect::<Result<_, Error>>()?;
        if !self.rules.is_empty() {
            lists.push(RuleList::of_rules("given", &self.rules)?);
        }
        if lists.is_empty() {
            let known = RuleList::STRATEGIES.join(", ");
            bail!("name a strategy that has rules with --strategy ({known}), or rules with --rule");
        }
        Ok(lists)
    }

    /// The files and the number of generated pairs.
    fn inputs(&self) -> (Vec<PathBuf>, u64) {
        match (self.pairs.is_empty(), self.count) {
            (true, None) => {
                let there = CORPORA.iter().map(PathBuf::from).filter(|file| file.exists());
                (there.collect(), GENERATED)
            }
            (_, count) => (self.pairs.clone(), count.unwrap_or(0)),
        }
    }

    fn sources(
        &self,
        files: &[PathBuf],
        count: u64,
        catalog: &Catalog,
    ) -> samecall_score::Result<Vec<Box<dyn PairSource>>> {
        let mut sources: Vec<Box<dyn PairSource>> = Vec::new();
        for file in files {
            sources.push(Box::new(FileSource::open(file)?));
        }
        if count > 0 {
            let source = GeneratorSource::new(&self.generate, catalog, count).map_err(|error| {
                Error::Source { name: "generator".to_owned(), reason: format!("{error:#}") }
            })?;
            sources.push(Box::new(source));
        }
        Ok(sources)
    }

    /// The command that makes this report anew.
    fn command_line(&self, files: &[PathBuf], count: u64) -> String {
        let mut words = vec!["samecall rules".to_owned()];
        if !self.strategies.is_empty() {
            words.push(format!("--strategy {}", self.strategies.join(",")));
        }
        if !self.rules.is_empty() {
            words.push(format!("--rule {}", self.rules.join(",")));
        }
        words.extend(files.iter().map(|file| format!("--pairs {}", file.display())));
        words.extend(self.tools.words());
        let grammar = &self.generate;
        if count > 0 {
            words.push(format!("--generate {count} --profile {}", grammar.profile));
        }
        words.push(format!("--seed {} --depth {}", grammar.seed, grammar.depth));
        words.push(format!("--values {}", self.values));
        words.extend(self.exhaustive.then(|| "--exhaustive".to_owned()));
        words.join(" ")
    }
}
