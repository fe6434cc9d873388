//! `samecall dedup semantic`: one run over a file of chunks with embeddings.

use super::encoding;
use super::options::{Rules, Source};
use crate::output::Output;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use samecall_dedup::semantic::class::{self, ClassReport, Keep};
use samecall_dedup::semantic::graph::{self, Search};
use samecall_dedup::semantic::output::{mapping, write_kept, write_lines};
use samecall_dedup::semantic::report::Report;
use samecall_dedup::semantic::retrieval::{Question, Retrieval, check};
use samecall_dedup::semantic::{Chunk, Chunks, Outcome, Vectors, dedupe};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Drop chunks that say the same in other words, by the embeddings of an index
///
/// Reads JSON lines with id, text, embedding (or --embeddings) and, where known, source, created_at, authority and metadata. Writes
/// the kept lines unchanged and in order.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall dedup semantic chunks.jsonl -o kept.jsonl --map map.jsonl --report report.json
  samecall dedup semantic chunks.jsonl --embeddings rows.npy --guard strict --plot reports/sizes
  samecall dedup semantic chunks.jsonl --metadata team=require --canonical authority,recent --authority law,wiki")]
pub(crate) struct Args {
    /// The chunks; standard input for none or `-`.
    file: Option<PathBuf>,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    rules: Rules,
    /// Write the kept lines here instead of to standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write one JSON line per removed chunk: what stands for it, cosine, what the guard says, containment.
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Write one JSON line per pair above the threshold that the guard keeps apart, with its cause.
    #[arg(long, value_name = "FILE")]
    refusals: Option<PathBuf>,
    /// Write all figures as JSON.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Plot the sizes of clusters into this folder.
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
    /// Count tokens with this tiktoken encoding, or `none` [default: o200k_base when a report is written].
    #[arg(long, value_name = "NAME")]
    tokens: Option<String>,
    /// Questions with embedding and the facts that chunks state: show what the first answers give before and after.
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,
    /// Answers looked at for each question.
    #[arg(long, value_name = "N", default_value_t = 5)]
    first: usize,
    /// Show what the first-match class makes of the same chunks, read forwards and backwards.
    #[arg(long)]
    compare: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (mut options, _) = args.rules.options()?;
    options.tokens = match args.tokens.as_deref() {
        Some("none") => None,
        Some(name) => Some(encoding(name)?),
        None if args.report.is_some() => Some(encoding("o200k_base")?),
        None => None,
    };
    let open = |path: &Option<PathBuf>| path.as_deref().map(|p| Output::open(Some(p))).transpose();
    let mut kept = Output::open(args.output.as_deref())?;
    let (mut map, mut refusals, mut report) =
        (open(&args.map)?, open(&args.refusals)?, open(&args.report)?);
    let mut input = args.source.read(args.file.as_deref())?;
    let bar = bar();
    let found = dedupe(&input.chunks, &options, &input.fingerprint, &|done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    })?;
    bar.finish_and_clear();
    write_kept(&mut input.file, &input.chunks, &found, &mut kept)?;
    if let Some(out) = &mut map {
        write_lines(out, mapping(&input.chunks.chunks, &found))?;
    }
    if let Some(out) = &mut refusals {
        write_lines(out, found.refused.iter())?;
    }
    let retrieval = match &args.questions {
        Some(path) => Some(ask(path, &input.chunks, &found, args.first)?),
        None => None,
    };
    let compared =
        args.compare.then(|| compare(&input.chunks, &found, options.threshold)).transpose()?;
    if let Some(out) = &mut report {
        let mut json = serde_json::to_value(&found.report)?;
        if let Some(retrieval) = &retrieval {
            json["retrieval"] = serde_json::to_value(retrieval)?;
        }
        if let Some(compared) = &compared {
            json["first_match_class"] = compared.json();
        }
        out.write_all(&serde_json::to_vec_pretty(&json)?)?;
        out.write_all(b"\n")?;
    }
    kept.finish()?;
    for out in [map, refusals, report].into_iter().flatten() {
        out.finish()?;
    }
    if let Some(folder) = &args.plot {
        plot(folder, &found.report)?;
    }
    show(args, &found.report, retrieval.as_ref(), compared.as_ref())?;
    Ok(ExitCode::SUCCESS)
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if !io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) =
        ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} blocks, {eta} left")
    {
        bar.set_style(style);
    }
    bar
}

fn plot(folder: &Path, report: &Report) -> Result<()> {
    for (name, bytes) in samecall_report::dedup_sizes(&report.cluster_sizes)? {
        let mut file = Output::open(Some(&folder.join(name)))?;
        file.write_all(&bytes)?;
        file.finish()?;
    }
    Ok(())
}

fn show(
    args: &Args,
    report: &Report,
    retrieval: Option<&Retrieval>,
    compared: Option<&Compared>,
) -> Result<()> {
    let mut text = report.table();
    if let Some(r) = retrieval {
        text.push_str(&format!(
            "\n{} questions: of {} relevant facts, the first {} answers state {} before and {} after; {} lost\n",
            r.questions, r.facts, r.first, r.before, r.after, r.lost
        ));
    }
    if let Some(compared) = compared {
        text.push_str(&compared.table());
    }
    // Beside the kept lines the figures go to standard error.
    if args.output.as_ref().is_some_and(|path| path.as_os_str() != "-") {
        io::stdout().write_all(text.as_bytes())?;
    } else {
        io::stderr().write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Reads questions and asks them: `{"question": "...", "embedding": [...], "facts": {"<chunk id>": "<fact>"}}`.
fn ask(path: &Path, chunks: &Chunks, found: &Outcome, first: usize) -> Result<Retrieval> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let by_id: BTreeMap<&str, usize> =
        chunks.chunks.iter().enumerate().map(|(at, chunk)| (chunk.id.as_str(), at)).collect();
    let mut asked = Vectors::new(chunks.vectors.dimension());
    let mut questions = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{}:{}", path.display(), at + 1);
        let wrong = |what: &str| anyhow::anyhow!("{}: {what}", place());
        let value: Value = serde_json::from_str(line).map_err(|_| wrong("not a JSON object"))?;
        let row: Vec<f32> = value["embedding"]
            .as_array()
            .ok_or_else(|| wrong("field `embedding` is missing"))?
            .iter()
            .map(|x| x.as_f64().map_or(f32::NAN, |x| x as f32))
            .collect();
        asked.push(&row).map_err(|why| wrong(&why))?;
        let mut facts = BTreeMap::new();
        for (id, fact) in
            value["facts"].as_object().ok_or_else(|| wrong("field `facts` is no object"))?
        {
            let chunk = by_id
                .get(id.as_str())
                .ok_or_else(|| wrong("field `facts` names a chunk that is not there"))?;
            let fact = fact.as_str().ok_or_else(|| wrong("a fact is no string"))?;
            facts.insert(*chunk, fact.to_owned());
        }
        questions.push(Question { row: questions.len(), facts });
    }
    Ok(check(&chunks.vectors, &found.kept, &questions, &asked, first))
}

/// The first-match class beside this run.
struct Compared {
    forwards: ClassReport,
    only_forwards: usize,
    only_backwards: usize,
    refused_but_merged: usize,
}

fn compare(chunks: &Chunks, found: &Outcome, threshold: f32) -> Result<Compared> {
    let edges = graph::search(&chunks.vectors, threshold, 0, Search::Pruned, &|_, _| {})?.edges;
    let all: Vec<&Chunk> = chunks.chunks.iter().collect();
    let keepers = class::first_match(&all, &edges, Keep::MostRecent);
    let (there, back) = class::order_matters(&all, &edges, Keep::MostRecent);
    let only =
        |x: &[usize], y: &[usize]| x.iter().filter(|at| y.binary_search(at).is_err()).count();
    let merged = keepers.iter().enumerate().filter(|(at, kept)| at != *kept);
    let gone: Vec<usize> = merged.map(|(at, _)| at).collect();
    Ok(Compared {
        forwards: class::report(&keepers),
        only_forwards: only(&there, &back),
        only_backwards: only(&back, &there),
        refused_but_merged: gone.iter().filter(|at| found.kept.binary_search(at).is_ok()).count(),
    })
}

impl Compared {
    fn json(&self) -> Value {
        json!({
            "report": self.forwards,
            "kept_only_forwards": self.only_forwards,
            "kept_only_backwards": self.only_backwards,
            "removed_but_kept_here": self.refused_but_merged,
        })
    }

    fn table(&self) -> String {
        let r = &self.forwards;
        format!(
            "\nthe first-match class on the same chunks\n  {} chunks, {} canonical, {} removed, {:.4} reduction, {} clusters\n  \
             read backwards it keeps {} chunks that it drops forwards, and drops {}; ids decide here, so order does not matter\n  \
             it removes {} chunks that are kept here\n",
            r.original,
            r.canonical,
            r.removed,
            r.reduction,
            r.clusters,
            self.only_backwards,
            self.only_forwards,
            self.refused_but_merged
        )
    }
}
