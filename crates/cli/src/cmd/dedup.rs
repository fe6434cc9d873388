//! `samecall dedup`: repeats out of chunks of text, every fact kept.

mod calibrate;
mod expand;
mod options;
mod semantic;
mod state;

use crate::output::Output;
use anyhow::{Context, Result, bail};
use samecall_dedup::command::{Outputs, Request, Summary, lexical, lexical_stream};
use samecall_dedup::comparison::Comparison;
use samecall_dedup::guard::{Level, Lexicon};
use samecall_dedup::lexical::{Keep, Mode, Options, TokenCounter};
use samecall_dedup::records::{Fields, Format};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Drop chunks that repeat others, and keep every fact
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Lexical(Box<LexicalArgs>),
    Compare(CompareArgs),
    Semantic(Box<semantic::Args>),
    Expand(expand::Args),
    Calibrate(calibrate::Args),
    Add(Box<state::AddArgs>),
    Update(state::UpdateArgs),
    Remove(state::RemoveArgs),
    Rebuild(state::RebuildArgs),
}

/// Show both modes beside each other on planted chunks, by kind of repeat and of near miss
#[derive(clap::Args)]
#[command(after_help = "Example:
  samecall dedup compare --seed 7 --chunks 2000 --out reports/dedup")]
pub(crate) struct CompareArgs {
    /// Determines the chunks.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// How many chunks are planted; arcaeon mode is quadratic in them.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    chunks: usize,
    /// Write report.md and result.json into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Drop literal repeats: other white space, case, punctuation, list or citation markers
///
/// Reads JSON lines, or plain text of one chunk a paragraph, and writes the kept items unchanged and in order.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall dedup lexical chunks.jsonl -o kept.jsonl --map map.jsonl --report report.json
  samecall dedup lexical chunks.jsonl --mode arcaeon -o kept.jsonl
  tail -f history.jsonl | samecall dedup lexical --stream-mb 64")]
pub(crate) struct LexicalArgs {
    /// The chunks; standard input for none or `-`.
    file: Option<PathBuf>,
    /// Write the kept items here instead of to standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write counts, characters and tokens, by rule, as JSON.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write one JSON line per removed item: what stands for it, score and rule.
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// The rules.
    #[arg(long, value_enum, default_value_t = ModeArg::Safe)]
    mode: ModeArg,
    /// What may differ in `safe` mode: noise words only, ordinary words, or anything.
    #[arg(long, value_enum, default_value_t = GuardArg::Strict)]
    guard: GuardArg,
    /// Which item of a group stays.
    #[arg(long, value_enum, default_value_t = KeepArg::First)]
    keep: KeepArg,
    /// Lowest overlap of unequal items, 0 to 1 [default: 0.9 in safe mode, 0.95 in arcaeon mode].
    #[arg(long, value_name = "SHARE")]
    min_overlap: Option<f64>,
    /// Make the kept texts independent of the order of the input.
    #[arg(long)]
    order_stable: bool,
    /// Words that carry facts, or none, added to the shipped lexicon.
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    /// Most candidates an item is verified against.
    #[arg(long, value_name = "N", default_value_t = Options::default().max_candidates)]
    max_candidates: usize,
    /// Most differing SimHash bits in arcaeon mode.
    #[arg(long, value_name = "BITS", default_value_t = 12)]
    max_hamming: u32,
    /// Words in a SimHash feature in arcaeon mode.
    #[arg(long, value_name = "WORDS", default_value_t = 1)]
    k: usize,
    /// How the input is written; guessed when not given.
    #[arg(long, value_enum)]
    format: Option<FormatArg>,
    /// Divide plain text at this text instead of at blank lines (`\n` and `\t` are understood).
    #[arg(long, value_name = "TEXT")]
    separator: Option<String>,
    /// The field of a JSON line that holds the chunk.
    #[arg(long, value_name = "NAME", default_value = "text")]
    field: String,
    /// A field that names the true group of a chunk: recall and precision are reported.
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Run the other mode too and show both beside each other.
    #[arg(long)]
    compare: bool,
    /// Count unreadable lines and leave them out.
    #[arg(long)]
    skip_bad: bool,
    /// Count tokens with this tiktoken encoding, or `none` [default: o200k_base when a report is written].
    #[arg(long, value_name = "NAME")]
    tokens: Option<String>,
    /// Read JSON lines as they come, remembering at most this many MB of kept text.
    #[arg(long, value_name = "MB")]
    stream_mb: Option<usize>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ModeArg {
    Safe,
    Arcaeon,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum GuardArg {
    Strict,
    Facts,
    Off,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum KeepArg {
    First,
    Longest,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormatArg {
    Jsonl,
    Text,
}

pub(crate) fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Lexical(args) => run_lexical(args),
        Command::Compare(args) => run_compare(args),
        Command::Semantic(args) => semantic::run(args),
        Command::Expand(args) => expand::run(args),
        Command::Calibrate(args) => calibrate::run(args),
        Command::Add(args) => state::add(args),
        Command::Update(args) => state::update(args),
        Command::Remove(args) => state::remove(args),
        Command::Rebuild(args) => state::rebuild(args),
    }
}

fn run_compare(args: &CompareArgs) -> Result<ExitCode> {
    let found = Comparison::run(args.seed, args.chunks, Some(&encoding("o200k_base")?))?;
    let command = format!("samecall dedup compare --seed {} --chunks {}", args.seed, args.chunks);
    let text = found.markdown(&command);
    if let Some(folder) = &args.out {
        let mut json = serde_json::to_vec_pretty(&found)?;
        json.push(b'\n');
        let files = [("report.md", text.as_bytes()), ("result.json", &json)];
        let mut written = Vec::new();
        for (name, bytes) in files {
            let mut file = Output::open(Some(&folder.join(name)))?;
            file.write_all(bytes)?;
            written.push(file);
        }
        for file in written {
            file.finish()?;
        }
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn run_lexical(args: &LexicalArgs) -> Result<ExitCode> {
    let request = request(args)?;
    let (mut kept, mut map, mut report) = (
        Output::open(args.output.as_deref())?,
        open(args.map.as_deref())?,
        open(args.report.as_deref())?,
    );
    let outputs = Outputs {
        kept: Some(&mut kept),
        map: map.as_mut().map(|out| out as &mut dyn Write),
        report: report.as_mut().map(|out| out as &mut dyn Write),
    };
    let file = args.file.as_deref().filter(|path| path.as_os_str() != "-");
    let name = file.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let summary = match args.stream_mb {
        Some(budget) => {
            let budget = budget.saturating_mul(1_000_000);
            match file {
                Some(path) => lexical_stream(
                    BufReader::new(File::open(path).context(name.clone())?),
                    &name,
                    &request,
                    budget,
                    outputs,
                )?,
                None => lexical_stream(io::stdin().lock(), &name, &request, budget, outputs)?,
            }
        }
        None => lexical(&bytes(file).context(name.clone())?, &name, &request, outputs)?,
    };
    kept.finish()?;
    for out in [map, report].into_iter().flatten() {
        out.finish()?;
    }
    show(&summary, args)?;
    Ok(ExitCode::SUCCESS)
}

/// The summary goes to standard output, or beside the kept items to standard error.
fn show(summary: &Summary, args: &LexicalArgs) -> Result<()> {
    let mut text = summary.table();
    if matches!(args.mode, ModeArg::Arcaeon) {
        text = format!("{}\n{text}", summary.run.report.arcaeon_line());
    }
    if args.output.as_ref().is_some_and(|path| path.as_os_str() != "-") {
        io::stdout().write_all(text.as_bytes())?;
    } else {
        io::stderr().write_all(text.as_bytes())?;
    }
    Ok(())
}

fn request(args: &LexicalArgs) -> Result<Request> {
    let lexicon = match &args.lexicon {
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            Lexicon::default().extended(&text).with_context(|| path.display().to_string())?
        }
        None => Lexicon::default(),
    };
    let options = Options {
        mode: match args.mode {
            ModeArg::Safe => Mode::Safe,
            ModeArg::Arcaeon => Mode::Arcaeon,
        },
        keep: match args.keep {
            KeepArg::First => Keep::First,
            KeepArg::Longest => Keep::Longest,
        },
        level: match args.guard {
            GuardArg::Strict => Level::Strict,
            GuardArg::Facts => Level::Facts,
            GuardArg::Off => Level::Off,
        },
        min_overlap: args.min_overlap,
        lexicon,
        order_stable: args.order_stable,
        max_candidates: args.max_candidates,
        max_hamming: args.max_hamming,
        k: args.k,
        tokens: counter(args)?,
        ..Options::default()
    };
    let format = match (&args.separator, args.format) {
        (Some(_), Some(FormatArg::Jsonl)) => {
            bail!("--separator divides plain text; leave out --format jsonl")
        }
        (Some(separator), _) => {
            Some(Format::Separated(separator.replace("\\n", "\n").replace("\\t", "\t")))
        }
        (None, Some(FormatArg::Jsonl)) => Some(Format::Jsonl),
        (None, Some(FormatArg::Text)) => Some(Format::Paragraphs),
        (None, None) => None,
    };
    if args.stream_mb.is_some()
        && (args.compare || args.truth.is_some() || !matches!(format, None | Some(Format::Jsonl)))
    {
        bail!(
            "--stream-mb reads JSON lines once; leave out --compare, --truth, --separator and --format text"
        );
    }
    let fields = Fields { text: args.field.clone(), truth: args.truth.clone() };
    Ok(Request { options, format, fields, skip_bad: args.skip_bad, compare: args.compare })
}

fn counter(args: &LexicalArgs) -> Result<Option<TokenCounter>> {
    let name = match args.tokens.as_deref() {
        Some("none") => return Ok(None),
        Some(name) => name,
        None if args.report.is_some() => "o200k_base",
        None => return Ok(None),
    };
    encoding(name).map(Some)
}

/// Counts tokens with the encoding of this name.
fn encoding(name: &str) -> Result<TokenCounter> {
    let encoding = match name {
        "o200k_base" => tiktoken_rs::o200k_base_singleton(),
        "cl100k_base" => tiktoken_rs::cl100k_base_singleton(),
        _ => bail!("--tokens: give o200k_base, cl100k_base or none"),
    };
    Ok(TokenCounter::new(name, move |text| encoding.encode_ordinary(text).len()))
}

fn open(path: Option<&Path>) -> Result<Option<Output>> {
    path.map(|path| Output::open(Some(path))).transpose()
}

fn bytes(file: Option<&Path>) -> io::Result<Vec<u8>> {
    match file {
        Some(path) => fs::read(path),
        None => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            Ok(bytes)
        }
    }
}
