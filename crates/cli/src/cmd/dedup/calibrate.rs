//! `samecall dedup calibrate`: thresholds and guard on labelled pairs.

use super::options::{name_rows, rows};
use crate::output::Output;
use anyhow::{Context, Result};
use samecall_dedup::guard::Lexicon;
use samecall_dedup::semantic::calibrate::{Calibration, calibrate, read_pairs};
use samecall_report::{Curve, dedup_curves};
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Show what each threshold catches and wrongly merges on labelled pairs, with and without the guard
#[derive(clap::Args)]
#[command(after_help = "Example:
  samecall dedup calibrate --pairs pairs.tsv --embeddings rows.npy --threshold 0.95 --share 0.05 --out reports/calibration")]
pub(crate) struct Args {
    /// Tab-separated id, text 1, text 2, label (1: the same).
    #[arg(long, value_name = "FILE")]
    pairs: PathBuf,
    /// Rows 2i and 2i+1 for pair i, as .npy of f32 or f16.
    #[arg(long, value_name = "FILE")]
    embeddings: PathBuf,
    /// The threshold that counts are shown for.
    #[arg(long, value_name = "COSINE", default_value_t = 0.95)]
    threshold: f32,
    /// Highest upper bound on the share of false merges that a recommended threshold may have.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    share: f64,
    /// Words that carry facts, or none, added to the shipped lexicon.
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    /// Write all figures as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write calibration.json, calibration.md and plots into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Name of the pairs in the report.
    #[arg(long, value_name = "NAME", default_value = "labelled pairs")]
    name: String,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let name = args.pairs.display().to_string();
    let file = File::open(&args.pairs).context(name.clone())?;
    let pairs = read_pairs(&mut BufReader::new(file), &name)?;
    let vectors = rows(&args.embeddings)?;
    let lexicon = match &args.lexicon {
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            Lexicon::default().extended(&text).with_context(|| path.display().to_string())?
        }
        None => Lexicon::default(),
    };
    let found = calibrate(&pairs, &vectors, args.threshold, args.share, &lexicon)
        .map_err(|error| name_rows(error, Some(&args.embeddings)))?;
    let mut json = serde_json::to_vec_pretty(&found)?;
    json.push(b'\n');
    let text = table(&found, &args.name);
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    if let Some(path) = &args.json {
        files.push((path.clone(), json.clone()));
    }
    if let Some(folder) = &args.out {
        files.push((folder.join("calibration.json"), json));
        files.push((folder.join("calibration.md"), text.clone().into_bytes()));
        let curves: Vec<Curve> = found
            .levels
            .iter()
            .map(|(level, result)| Curve {
                level: level.clone(),
                points: result
                    .curve
                    .iter()
                    .map(|p| [f64::from(p.threshold), p.recall, p.precision, p.false_merge])
                    .collect(),
            })
            .collect();
        for (name, bytes) in dedup_curves(&args.name, &curves, f64::from(found.threshold))? {
            files.push((folder.join(name), bytes));
        }
    }
    for (path, bytes) in files {
        let mut out = Output::open(Some(&path))?;
        out.write_all(&bytes)?;
        out.finish()?;
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The figures as Markdown.
fn table(found: &Calibration, name: &str) -> String {
    let mut out = format!(
        "# Thresholds on {name}\n\nAt a cosine of at least {}. Upper bounds are exact, one-sided, 95 %.\n\n\
         | guard | pairs of one meaning | caught | recall | of two meanings | merged | false merges | upper bound |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
        found.threshold
    );
    let levels =
        || ["off", "facts", "strict"].into_iter().filter_map(|l| Some((l, found.levels.get(l)?)));
    for (level, r) in levels() {
        let Some(at) = r.curve.iter().find(|p| p.threshold == found.threshold) else { continue };
        out.push_str(&format!(
            "| {level} | {} | {} | {} | {} | {} | {} | {} |\n",
            r.positives,
            r.caught,
            percent(at.recall),
            r.negatives,
            r.merged,
            percent(at.false_merge),
            percent(at.false_merge_upper)
        ));
    }
    out.push_str(&format!(
        "\nThe loosest threshold whose upper bound is at most {} on one half of the pairs ({}), and its figures on the other ({}). \
         Pairs that share a text are in one half.\n\n\
         | guard | threshold | recall, chosen on | upper bound, chosen on | recall, other half | false merges, other half | upper bound, other half |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
        percent(found.share), found.split[0], found.split[1]
    ));
    for (level, r) in levels() {
        match &r.recommended {
            Some(best) => out.push_str(&format!(
                "| {level} | {} | {} | {} | {} | {} | {} |\n",
                best.threshold,
                percent(best.chosen_on.recall),
                percent(best.chosen_on.false_merge_upper),
                percent(best.confirmed_on.recall),
                percent(best.confirmed_on.false_merge),
                percent(best.confirmed_on.false_merge_upper)
            )),
            None => out.push_str(&format!("| {level} | none | | | | | |\n")),
        }
    }
    out.push_str(
        "\nWhat the guard keeps apart at that cosine, by cause: pairs of one meaning, of two.\n\n",
    );
    let causes: std::collections::BTreeSet<&String> =
        levels().flat_map(|(_, r)| r.refused.keys()).collect();
    out.push_str("| cause | facts | strict |\n|---|---:|---:|\n");
    for cause in causes {
        let cell = |level: &str| {
            let [same, two] = found
                .levels
                .get(level)
                .and_then(|r| r.refused.get(cause))
                .copied()
                .unwrap_or_default();
            format!("{same}, {two}")
        };
        out.push_str(&format!("| {cause} | {} | {} |\n", cell("facts"), cell("strict")));
    }
    out
}
