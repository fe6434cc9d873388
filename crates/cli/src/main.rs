//! The `samecall` program: arguments in, progress on standard error, answers on standard output.
//!
//! Exit status: 0 done (a refusal is an answer), 1 a gate or check failed, 2 bad usage or input.

mod cmd;
mod external;
mod inputs;
mod output;
mod progress;
mod source;

use clap::{Parser, Subcommand};
use std::io;
use std::process::ExitCode;

/// Are these two tool calls the same call?
///
/// samecall measures keying strategies for the tool calls of AI agents: how many retries each
/// recognises (recall) and how many calls that were both meant it would swallow (false merges).
#[derive(Parser)]
#[command(name = "samecall", version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Replay(cmd::replay::Args),
    Key(cmd::key::Args),
    Generate(cmd::generate::Args),
    Explain(cmd::explain::Args),
    #[command(subcommand)]
    Tools(cmd::tools::Command),
    #[command(subcommand)]
    Dedup(cmd::dedup::Command),
    Cost(cmd::cost::Args),
    Cache(cmd::cache::Args),
    Report(cmd::report::Args),
    Rules(cmd::rules::Args),
    Mine(cmd::mine::Args),
    Executors(cmd::executors::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Replay(args) => cmd::replay::run(&args),
        Command::Generate(args) => cmd::generate::run(&args),
        Command::Cost(args) => cmd::cost::run(&args),
        Command::Cache(args) => cmd::cache::run(&args),
        Command::Report(args) => cmd::report::run(&args),
        Command::Rules(args) => cmd::rules::run(&args),
        Command::Mine(args) => cmd::mine::run(&args),
        Command::Executors(args) => cmd::executors::run(&args),
        Command::Key(args) => cmd::key::run(&args),
        Command::Explain(args) => cmd::explain::run(&args),
        Command::Tools(command) => cmd::tools::run(&command),
        Command::Dedup(command) => cmd::dedup::run(&command),
    };
    match done {
        Ok(status) => status,
        // Whoever read our output has seen enough: `samecall ... | head` is no failure.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("samecall: {}", message(&error));
            ExitCode::from(2)
        }
    }
}

/// The error and its causes, each said once: many errors have their cause's words in their own.
fn message(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| match cause.to_string() {
        cause if said.ends_with(&cause) => said,
        cause if said.is_empty() => cause,
        cause => format!("{said}: {cause}"),
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
