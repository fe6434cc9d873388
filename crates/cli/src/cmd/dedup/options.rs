//! Options that `dedup semantic` and the commands of a state share, and how chunks are read.

use anyhow::{Context, Result, bail};
use samecall_dedup::Error;
use samecall_dedup::guard::{Level, Lexicon};
use samecall_dedup::semantic::canonical::Criterion;
use samecall_dedup::semantic::chunks::{self, Chunks};
use samecall_dedup::semantic::cluster::Method;
use samecall_dedup::semantic::model::{Fingerprint, probe_digest};
use samecall_dedup::semantic::npy;
use samecall_dedup::semantic::options::Options;
use samecall_dedup::semantic::policy::Policy;
use std::fs::{self, File};
use std::io::{self, BufReader, Seek};
use std::path::{Path, PathBuf};

/// How chunks are compared and grouped.
#[derive(clap::Args)]
pub(crate) struct Rules {
    /// Lowest cosine of two chunks that may merge.
    #[arg(long, value_name = "COSINE", default_value_t = 0.95)]
    threshold: f32,
    /// What the guard lets differ: `strict` phrases whose order is sure to be free and few words, `facts` more of both, `off` anything.
    #[arg(long, value_enum, default_value_t = LevelArg::Facts)]
    guard: LevelArg,
    /// How chunks are grouped.
    #[arg(long, value_enum, default_value_t = MethodArg::Star)]
    clusters: MethodArg,
    /// Which chunk of a group stays: recent, longest, complete, authority, centroid, in order of weight.
    #[arg(long, value_name = "CRITERIA", value_delimiter = ',', default_value = "recent,longest")]
    canonical: Vec<String>,
    /// Labels or sources by falling authority.
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    authority: Vec<String>,
    /// What a difference in a field of the metadata means: NAME=ignore, match (values that differ keep chunks apart) or require.
    #[arg(long, value_name = "NAME=POLICY")]
    metadata: Vec<String>,
    /// Let texts that differ in their version alone merge into the newest.
    #[arg(long)]
    collapse_versions: bool,
    /// Words that carry facts, or none, added to the shipped lexicon.
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
}

/// Where vectors come from and what model made them.
#[derive(clap::Args)]
pub(crate) struct Source {
    /// Rows for the chunks, as .npy of f32 or f16, where the lines hold no `embedding`.
    #[arg(long, value_name = "FILE")]
    embeddings: Option<PathBuf>,
    /// Name of the model that made the vectors; vectors of two models are never compared.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Fixed texts with their embeddings by this model, as JSON lines: its digest goes into the fingerprint.
    #[arg(long, value_name = "FILE")]
    probe: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum LevelArg {
    Off,
    Facts,
    Strict,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum MethodArg {
    Components,
    Star,
    Complete,
    Average,
}

impl Rules {
    /// The options, and the text of the user's lexicon.
    pub(crate) fn options(&self) -> Result<(Options, String)> {
        let mut options = Options {
            threshold: self.threshold,
            level: match self.guard {
                LevelArg::Off => Level::Off,
                LevelArg::Facts => Level::Facts,
                LevelArg::Strict => Level::Strict,
            },
            method: match self.clusters {
                MethodArg::Components => Method::Components,
                MethodArg::Star => Method::Star,
                MethodArg::Complete => Method::Complete,
                MethodArg::Average => Method::Average,
            },
            authority: self.authority.clone(),
            collapse_versions: self.collapse_versions,
            ..Options::default()
        };
        options.criteria = self
            .canonical
            .iter()
            .map(|name| {
                Criterion::named(name.trim()).with_context(|| {
                    format!("--canonical: `{name}` is none of recent, longest, complete, authority, centroid")
                })
            })
            .collect::<Result<_>>()?;
        for given in &self.metadata {
            let policy = given
                .split_once('=')
                .and_then(|(name, policy)| Some((name.trim(), Policy::named(policy.trim())?)));
            let Some((name, policy)) = policy.filter(|(name, _)| !name.is_empty()) else {
                bail!("--metadata: give NAME=ignore, NAME=match or NAME=require");
            };
            options.policies.insert(name.to_owned(), policy);
        }
        let text = match &self.lexicon {
            Some(path) => fs::read_to_string(path).with_context(|| path.display().to_string())?,
            None => String::new(),
        };
        if let Some(path) = &self.lexicon {
            options.lexicon =
                Lexicon::default().extended(&text).with_context(|| path.display().to_string())?;
        }
        Ok((options, text))
    }
}

/// Chunks, the file that their lines can be read from again, and their model.
pub(crate) struct Input {
    pub(crate) chunks: Chunks,
    pub(crate) file: File,
    pub(crate) fingerprint: Fingerprint,
}

impl Source {
    /// Reads all chunks; standard input, for none or `-`, by way of a temporary file.
    pub(crate) fn read(&self, file: Option<&Path>) -> Result<Input> {
        let path = file.filter(|path| path.as_os_str() != "-");
        let name = path.map_or_else(|| "standard input".to_owned(), |p| p.display().to_string());
        let mut file = match path {
            Some(path) => File::open(path).context(name.clone())?,
            None => {
                let mut spool = tempfile::tempfile()?;
                io::copy(&mut io::stdin().lock(), &mut spool)?;
                spool.rewind()?;
                spool
            }
        };
        let rows = self.embeddings.as_deref().map(rows).transpose()?;
        let mut reader = BufReader::with_capacity(1 << 20, &mut file);
        let chunks = chunks::read(&mut reader, &name, rows)
            .map_err(|error| name_rows(error, self.embeddings.as_deref()))?;
        let named = match (&self.model, &chunks.model) {
            (Some(given), Some(found)) if given != found => {
                bail!(
                    "{name}: lines name a model other than --model; vectors of two models cannot be compared"
                )
            }
            (given, found) => given.clone().or_else(|| found.clone()),
        };
        let probe = self.probe.as_deref().map(probe).transpose()?;
        let fingerprint = Fingerprint::of(&chunks.vectors, named.as_deref(), probe.as_deref());
        Ok(Input { chunks, file, fingerprint })
    }
}

/// The error with the name of the file that rows came from, which the reader of chunks does not know.
pub(crate) fn name_rows(error: Error, embeddings: Option<&Path>) -> Error {
    match (error, embeddings) {
        (Error::Row { row, reason, .. }, Some(path)) => {
            Error::Row { file: path.display().to_string(), row, reason }
        }
        (error, _) => error,
    }
}

/// The rows of an .npy file.
pub(crate) fn rows(path: &Path) -> Result<samecall_dedup::semantic::Vectors> {
    let name = path.display().to_string();
    let file = File::open(path).context(name.clone())?;
    Ok(npy::read(&mut BufReader::with_capacity(1 << 20, file), &name)?)
}

fn probe(path: &Path) -> Result<String> {
    let name = path.display().to_string();
    let file = File::open(path).context(name.clone())?;
    let read = chunks::read(&mut BufReader::new(file), &name, None)?;
    let texts: Vec<&str> = read.chunks.iter().map(|chunk| chunk.text.as_str()).collect();
    Ok(probe_digest(&texts, &read.vectors))
}
