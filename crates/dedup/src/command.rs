//! What `samecall dedup lexical` does, on readers and writers: chunks in, kept chunks, mapping and report out.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Write};

use serde::Serialize;

use crate::error::{Error, Result};
use crate::lexical::{Decision, Deduped, Mode, Options, Report, Rule, Stream, dedupe_with};
use crate::records::{Fields, Format, Records, read, read_line};

/// What the command is asked to do.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// How to deduplicate.
    pub options: Options,
    /// How the input is written; guessed when absent.
    pub format: Option<Format>,
    /// Which members of a JSON line are read.
    pub fields: Fields,
    /// Whether unreadable lines are counted and left out rather than an error.
    pub skip_bad: bool,
    /// Whether the other mode is run too, to stand beside this one in the report.
    pub compare: bool,
}

/// Where results go; what is absent is not written.
#[derive(Default)]
pub struct Outputs<'w> {
    /// The kept items, unchanged and in order.
    pub kept: Option<&'w mut dyn Write>,
    /// One JSON line per removed item.
    pub map: Option<&'w mut dyn Write>,
    /// The report as JSON.
    pub report: Option<&'w mut dyn Write>,
}

/// How well a run agrees with known groups.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// Repeats removed / repeats (items beyond one per group).
    pub recall: f64,
    /// 1 - groups that lost every item / items removed.
    pub precision: f64,
    /// Groups that lost every item.
    pub groups_lost: usize,
}

/// One mode's figures.
#[derive(Clone, Debug, Serialize)]
pub struct ModeSummary {
    /// Counts.
    pub report: Report,
    /// Agreement with the truth field, when one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<Quality>,
}

/// The report that is written and returned.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Unreadable lines left out.
    pub bad_lines: usize,
    /// The run whose result was written.
    #[serde(flatten)]
    pub run: ModeSummary,
    /// The other mode on the same input, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<ModeSummary>,
    /// Kept items that a stream forgot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forgotten: Option<usize>,
}

/// Deduplicates a whole input. `name` stands for it in errors.
///
/// # Errors
/// As [`read`] and [`dedupe_with`] say; [`Error::Io`] when a result cannot be written.
pub fn lexical(
    input: &[u8],
    name: &str,
    request: &Request,
    mut outputs: Outputs<'_>,
) -> Result<Summary> {
    let format = request.format.clone().unwrap_or_else(|| Format::guess(input));
    let records = read(input, name, &format, &request.fields, request.skip_bad)?;
    let texts: Vec<&str> = records.records.iter().map(|record| record.text.as_ref()).collect();
    let found = dedupe_with(&texts, &request.options)?;
    if let Some(out) = outputs.kept.take() {
        for &at in &found.kept {
            write(out, records.records[at].raw.as_bytes())?;
        }
        flush(out)?;
    }
    if let Some(out) = outputs.map.take() {
        for removal in &found.removed {
            let (removed, kept) = (label(&records, removal.removed), label(&records, removal.kept));
            map_line(out, &removed, &kept, removal.score, removal.rule)?;
        }
        flush(out)?;
    }
    let quality =
        |found: &Deduped| request.fields.truth.is_some().then(|| quality(&records, found));
    let run = ModeSummary { quality: quality(&found), report: found.report };
    let beside = if request.compare {
        let mode = if request.options.mode == Mode::Safe { Mode::Arcaeon } else { Mode::Safe };
        let other = dedupe_with(
            &texts,
            &Options { mode, min_overlap: None, order_stable: false, ..request.options.clone() },
        )?;
        Some(ModeSummary { quality: quality(&other), report: other.report })
    } else {
        None
    };
    let summary = Summary { bad_lines: records.bad, run, beside, forgotten: None };
    write_report(outputs, &summary)?;
    Ok(summary)
}

/// Deduplicates JSON lines as they come, in memory bounded by `budget` bytes of kept text and one line.
///
/// # Errors
/// As [`Stream::new`]; [`Error::Input`] with the line for one that cannot be read; [`Error::Io`].
pub fn lexical_stream(
    mut input: impl BufRead,
    name: &str,
    request: &Request,
    budget: usize,
    mut outputs: Outputs<'_>,
) -> Result<Summary> {
    let mut stream = Stream::new(request.options.clone(), budget)?;
    let (mut line, mut number, mut bad) = (Vec::new(), 0, 0);
    let mut position = 0usize;
    loop {
        line.clear();
        let count = input
            .read_until(b'\n', &mut line)
            .map_err(|source| Error::Io { what: name.to_owned(), source })?;
        if count == 0 {
            break;
        }
        number += 1;
        let record = match read_line(&line, &request.fields) {
            Ok(Some(record)) => record,
            Ok(None) => continue,
            Err(_) if request.skip_bad => {
                bad += 1;
                continue;
            }
            Err(reason) => {
                return Err(Error::Input { file: name.to_owned(), line: number, reason });
            }
        };
        match stream.push(&record.text) {
            Decision::Kept => {
                if let Some(out) = &mut outputs.kept {
                    write(*out, record.raw.as_bytes())?;
                    flush(*out)?;
                }
            }
            // The ids of kept items are not remembered: a stream maps positions.
            Decision::Removed { kept, score, rule } => {
                if let Some(out) = &mut outputs.map {
                    map_line(*out, &position.to_string(), &kept.to_string(), score, rule)?;
                }
            }
        }
        position += 1;
    }
    let run = ModeSummary { report: stream.report().clone(), quality: None };
    let summary =
        Summary { bad_lines: bad, run, beside: None, forgotten: Some(stream.forgotten()) };
    write_report(outputs, &summary)?;
    Ok(summary)
}

fn write_report(outputs: Outputs<'_>, summary: &Summary) -> Result<()> {
    let Some(out) = outputs.report else { return Ok(()) };
    let json = serde_json::to_vec_pretty(summary)
        .map_err(|error| Error::Io { what: "report".into(), source: error.into() })?;
    write(out, &json)?;
    write(out, b"\n")?;
    flush(out)
}

fn map_line(out: &mut dyn Write, removed: &str, kept: &str, score: f64, rule: Rule) -> Result<()> {
    write(
        out,
        format!(
            "{{\"removed\": {removed}, \"kept\": {kept}, \"score\": {score}, \"rule\": \"{}\"}}\n",
            rule.name()
        )
        .as_bytes(),
    )
}

/// A record's id as JSON, or its position.
fn label(records: &Records<'_>, at: usize) -> String {
    records.records[at].id.map_or_else(|| at.to_string(), str::to_owned)
}

fn write(out: &mut dyn Write, bytes: &[u8]) -> Result<()> {
    out.write_all(bytes).map_err(|source| Error::Io { what: "writing the result".into(), source })
}

fn flush(out: &mut dyn Write) -> Result<()> {
    out.flush().map_err(|source| Error::Io { what: "writing the result".into(), source })
}

fn quality(records: &Records<'_>, found: &Deduped) -> Quality {
    let truth = |at: usize| records.records[at].truth.unwrap_or_default();
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for at in 0..records.records.len() {
        *groups.entry(truth(at)).or_default() += 1;
    }
    let kept: BTreeSet<&str> = found.kept.iter().map(|&at| truth(at)).collect();
    let repeats = records.records.len() - groups.len();
    let left = found.kept.len() - kept.len();
    let groups_lost = groups.len() - kept.len();
    let share = |part: usize, all: usize| if all == 0 { 1.0 } else { part as f64 / all as f64 };
    Quality {
        recall: share(repeats - left, repeats),
        precision: 1.0
            - if found.removed.is_empty() { 0.0 } else { share(groups_lost, found.removed.len()) },
        groups_lost,
    }
}

impl Summary {
    /// A table for people: one column a mode.
    pub fn table(&self) -> String {
        let columns: Vec<&ModeSummary> =
            [Some(&self.run), self.beside.as_ref()].into_iter().flatten().collect();
        let mut out = String::new();
        let mut row = |name: &str, cell: &dyn Fn(&ModeSummary) -> Option<String>| {
            let cells: Vec<Option<String>> = columns.iter().map(|column| cell(column)).collect();
            if cells.iter().any(Option::is_some) {
                let cells: String = cells
                    .iter()
                    .map(|cell| format!("{:>14}", cell.as_deref().unwrap_or("-")))
                    .collect();
                out.push_str(&format!("{name:<22}{cells}\n"));
            }
        };
        row("mode", &|c| Some(if c.report.mode == Mode::Safe { "safe" } else { "arcaeon" }.into()));
        row("items", &|c| Some(c.report.input.items.to_string()));
        row("kept", &|c| Some(c.report.kept.items.to_string()));
        row("removed", &|c| Some(c.report.removed.items.to_string()));
        for rule in [Rule::Identical, Rule::NormalForm, Rule::Overlap] {
            row(&format!("  {}", rule.name()), &|c| {
                c.report.by_rule.get(rule.name()).map(|amount| amount.items.to_string())
            });
        }
        row("characters removed", &|c| Some(c.report.removed.chars.to_string()));
        row("tokens removed", &|c| c.report.removed.tokens.map(|tokens| tokens.to_string()));
        row("pairs verified", &|c| Some(c.report.verified.to_string()));
        row("pairs refused", &|c| {
            (c.report.mode == Mode::Safe)
                .then(|| c.report.refused.values().sum::<usize>().to_string())
        });
        row("passed over by bound", &|c| {
            (c.report.mode == Mode::Safe).then(|| c.report.passed_over.to_string())
        });
        row("recall", &|c| c.quality.map(|q| format!("{:.4}", q.recall)));
        row("precision", &|c| c.quality.map(|q| format!("{:.4}", q.precision)));
        row("groups lost", &|c| c.quality.map(|q| q.groups_lost.to_string()));
        if self.run.report.order_stable {
            out.push_str("The kept texts do not depend on the order of the input.\n");
        }
        if self.bad_lines > 0 {
            out.push_str(&format!("{} unreadable lines were left out.\n", self.bad_lines));
        }
        if let Some(forgotten) = self.forgotten.filter(|count| *count > 0) {
            out.push_str(&format!(
                "{forgotten} kept items were forgotten to stay within the memory budget.\n"
            ));
        }
        out
    }
}
