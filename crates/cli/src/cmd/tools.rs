//! `samecall tools`: what a catalog's schemas say of equality, and what they leave open.

use anyhow::Result;
use samecall_call::shape::{EmptyMeaning, FieldInfo, NullMeaning, Overlay, Proposal, Suggestion};
use samecall_call::{Catalog, Tool};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Read a catalog as the keyer reads it
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Check(Args),
}

/// List each field's kind and why; suggest what to annotate
///
/// Suggestions are guesses from names and descriptions. They change nothing by themselves: read them,
/// and pass those that are right back with --annotate.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall tools check tools.json
  samecall tools check tools.json --write overlay.toml
  samecall replay --tools tools.json --annotate overlay.toml --generate 100000")]
pub(crate) struct Args {
    /// The catalog.
    file: PathBuf,
    /// Overlay to read the catalog with (TOML); repeatable.
    #[arg(long = "annotate", value_name = "FILE")]
    annotate: Vec<PathBuf>,
    /// Write the suggestions as an overlay file.
    #[arg(long, value_name = "OVERLAY")]
    write: Option<PathBuf>,
}

pub(crate) fn run(command: &Command) -> Result<ExitCode> {
    let Command::Check(args) = command;
    let mut overlay = Overlay::default();
    for file in &args.annotate {
        overlay.read_file(file)?;
    }
    let mut catalog = Catalog::new(overlay);
    catalog.read_file(&args.file)?;
    let mut proposals = String::new();
    let mut count = 0;
    for (key, tool) in catalog.tools() {
        print_tool(key, tool);
        let suggestions = tool.shape.suggestions();
        for suggestion in &suggestions {
            println!("    ? {}: {} ({})", suggestion.path, shown(suggestion), suggestion.because);
        }
        for info in tool.shape.walk() {
            if let (Some(default), None) = (&info.field.prose_default, &info.field.default) {
                let path = &info.path;
                println!(
                    "    ? {path}: `default: {default}`? (its description says so, the schema does not)"
                );
                count += 1;
            }
        }
        count += suggestions.len();
        write_overlay(&mut proposals, &tool.name, &suggestions);
        println!();
    }
    println!("{} tools, {count} suggestions", catalog.len());
    if let Some(path) = &args.write {
        samecall_report::write(path, proposals.as_bytes())?;
        println!("suggestions written to {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn print_tool(key: &str, tool: &Tool) {
    if key == tool.name {
        println!("{}", tool.name);
    } else {
        println!("{} ({key})", tool.name);
    }
    for info in tool.shape.walk() {
        println!("    {:<28} {:<9} {}", info.path, info.field.kind.name(), remarks(&info));
    }
}

fn remarks(info: &FieldInfo<'_>) -> String {
    let field = info.field;
    let mut out = field.reason.clone();
    if info.required {
        out.push_str(", required");
    } else if field.null == NullMeaning::Value && !info.path.ends_with("[]") {
        out.push_str(", null is a value");
    }
    if field.empty == EmptyMeaning::Absent {
        out.push_str(", empty is absent");
    }
    if let Some(default) = &field.default {
        let _ = write!(out, ", default {default}");
    }
    out
}

fn shown(suggestion: &Suggestion) -> String {
    match suggestion.proposal {
        Proposal::Kind(kind) => format!("`{}`?", kind.as_str()),
        Proposal::Null(NullMeaning::Value) => "`null = \"value\"`?".to_owned(),
        Proposal::Null(NullMeaning::Absent) => "`null = \"absent\"`?".to_owned(),
    }
}

/// The suggestions of one tool as an overlay table; what null means is left commented out, since
/// only the tool's author knows it.
fn write_overlay(out: &mut String, tool: &str, suggestions: &[Suggestion]) {
    if suggestions.is_empty() {
        return;
    }
    let quoted = |text: &str| format!("{:?}", text);
    let _ = writeln!(out, "[{}]", quoted(tool));
    for suggestion in suggestions {
        let path = quoted(&suggestion.path);
        let _ = match suggestion.proposal {
            Proposal::Kind(kind) => {
                writeln!(out, "{path} = \"{}\"  # {}", kind.as_str(), suggestion.because)
            }
            Proposal::Null(_) => {
                writeln!(out, "# {path} = {{ null = \"value\" }}  # {}", suggestion.because)
            }
        };
    }
    out.push('\n');
}
