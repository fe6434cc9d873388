//! `samecall key`: the keys of calls, one JSON line for each call and strategy.

use crate::inputs::{StrategyArgs, ToolArgs};
use crate::output::Output;
use anyhow::Result;
use rayon::prelude::*;
use samecall_call::json::{self, Value};
use samecall_call::{Call, Error, FieldError, LineReader, Resolver, SchemaRef, parse_record};
use samecall_keyer::{Keyer, Outcome};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Lines keyed together, in parallel.
const BATCH: usize = 4_096;

/// Derive the keys of calls
///
/// Reads calls as JSON lines and writes, for each call and strategy in order,
/// {"index", "strategy", "key"} or {"index", "strategy", "refused"}.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall key --strategy typed --tools tools.json calls.jsonl
  echo '{\"tool\":\"pay\",\"arguments\":\"{\\\"n\\\":1}\"}' | samecall key --strategy canonical,jcs -")]
pub(crate) struct Args {
    #[command(flatten)]
    strategies: StrategyArgs,
    #[command(flatten)]
    tools: ToolArgs,
    /// Calls as JSON lines; standard input for - or none.
    #[arg(default_value = "-")]
    file: PathBuf,
}

/// One line of the input.
struct Record {
    call: Call,
    schema: SchemaRef,
    /// The record's `id` as JSON text, echoed where there is one.
    id: Option<String>,
}

impl Record {
    fn from_value(value: &Value<'_>) -> Result<Self, FieldError> {
        Ok(Record {
            call: Call::from_value(value)?,
            schema: SchemaRef::from_value(value)?,
            id: value.get("id").map(ToString::to_string),
        })
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let keyers = args.strategies.keyers(false)?;
    let resolver = Resolver::new(args.tools.catalog()?);
    let mut lines = LineReader::open(&args.file)?;
    let name = lines.name().to_owned();
    let mut out = Output::open(None)?;
    let mut index = 0;
    loop {
        let mut batch: Vec<(u64, u64, String)> = Vec::with_capacity(BATCH);
        // What came before a bad line is still answered.
        let mut fault: Option<Error> = None;
        while batch.len() < BATCH {
            match lines.next_line() {
                Ok(Some((number, line))) => {
                    batch.push((index, number, line.to_owned()));
                    index += 1;
                }
                Ok(None) => break,
                Err(error) => {
                    fault = Some(error);
                    break;
                }
            }
        }
        let last = batch.len() < BATCH;
        let answers: Vec<Result<String, Error>> = batch
            .par_chunks(256)
            .flat_map_iter(|chunk| answer(chunk, &name, &keyers, &resolver))
            .collect();
        for answer in answers {
            match answer {
                Ok(text) => out.write_all(text.as_bytes())?,
                Err(error) => {
                    out.finish()?;
                    return Err(error.into());
                }
            }
        }
        if let Some(error) = fault {
            out.finish()?;
            return Err(error.into());
        }
        if last {
            break;
        }
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn answer(
    chunk: &[(u64, u64, String)],
    file: &str,
    keyers: &[Box<dyn Keyer>],
    resolver: &Resolver,
) -> Vec<Result<String, Error>> {
    let records: Vec<_> = chunk
        .iter()
        .map(|(_, number, line)| {
            let fault = |reason: String| Error::line(file, *number, reason);
            let record = parse_record(line, Record::from_value).map_err(fault)?;
            let tool = resolver.resolve(&record.call.tool, &record.schema).map_err(fault)?;
            Ok((record, tool))
        })
        .collect();
    let asked: Vec<_> =
        records.iter().flatten().map(|(record, tool)| (&record.call, tool.as_deref())).collect();
    let outcomes: Vec<Vec<Outcome>> = keyers.iter().map(|keyer| keyer.keys(&asked)).collect();
    let mut at = 0;
    let mut answers = Vec::with_capacity(records.len());
    for (record, (index, ..)) in records.into_iter().zip(chunk) {
        answers.push(record.map(|(record, _)| {
            let mut text = String::new();
            for (keyer, outcomes) in keyers.iter().zip(&outcomes) {
                write_answer(&mut text, *index, record.id.as_deref(), keyer.name(), &outcomes[at]);
            }
            at += 1;
            text
        }));
    }
    answers
}

fn write_answer(out: &mut String, index: u64, id: Option<&str>, strategy: &str, outcome: &Outcome) {
    // Writing to a String cannot fail.
    let _ = write!(out, "{{\"index\": {index}");
    if let Some(id) = id {
        let _ = write!(out, ", \"id\": {id}");
    }
    let _ = write!(out, ", \"strategy\": \"{strategy}\"");
    match outcome {
        Outcome::Key(keyed) => {
            let _ = write!(out, ", \"key\": \"{}\"", keyed.key);
            if let Some(parts) = &keyed.parts {
                let _ = write!(
                    out,
                    ", \"slot\": \"{}\", \"fingerprint\": \"{}\"",
                    parts.slot, parts.fingerprint
                );
                if let Some(payload) = &parts.payload {
                    let _ = write!(out, ", \"payload\": \"{payload}\"");
                }
            }
        }
        Outcome::Refused(refusal) => {
            out.push_str(", \"refused\": ");
            let _ = json::write_text(out, &refusal.to_string().as_str().into());
        }
    }
    out.push_str("}\n");
}
