//! A keyer that is another program: calls out as JSON lines, keys back, per line and in order.
//!
//! The program is started once for each batch, given the whole batch, and read to its end. So a
//! program that buffers its output (nearly all do when it is no terminal) works as it stands, and none
//! can make the harness wait for an answer that is stuck in a buffer.

use anyhow::{Context, Result, bail};
use samecall_call::json::{self, Dialect, Value};
use samecall_call::{Call, Tool};
use samecall_keyer::{Key, Keyer, Outcome, Refusal};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// An external keyer.
pub(crate) struct External {
    name: String,
    command: String,
}

impl External {
    /// Reads `NAME=COMMAND`; the strategy is called `external:NAME`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        match text.split_once('=') {
            Some((name, command)) if !name.is_empty() && !command.trim().is_empty() => {
                let name = name.strip_prefix("external:").unwrap_or(name);
                Ok(External { name: format!("external:{name}"), command: command.to_owned() })
            }
            _ => bail!("--external must be NAME=COMMAND, for instance mine=\"python3 keyer.py\""),
        }
    }

    fn ask(&self, calls: &[(&Call, Option<&Tool>)]) -> Result<Vec<Outcome>> {
        let mut child = Command::new("sh")
            .args(["-c", &self.command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| self.command.clone())?;
        let mut input = child.stdin.take().context("no pipe to the program")?;
        let output = child.stdout.take().context("no pipe from the program")?;
        let mut text = String::new();
        for (call, tool) in calls {
            call.write_json(&mut text);
            if let Some(tool) = tool {
                // The call's closing brace makes room for the schema.
                text.pop();
                text.push_str(",\"parameters\":");
                text.push_str(&tool.parameters);
                text.push('}');
            }
            text.push('\n');
        }
        // Written from another thread, since both pipes may fill at once. A program that stops reading
        // early shows in the count of its answers.
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let mut outcomes = Vec::with_capacity(calls.len());
        for line in BufReader::new(output).lines() {
            let line = line.context("its answer is no UTF-8 text")?;
            if outcomes.len() == calls.len() {
                bail!("it wrote more lines than the {} calls it was given", calls.len());
            }
            let number = outcomes.len() + 1;
            outcomes.push(answer(&line).with_context(|| format!("line {number} of its answer"))?);
        }
        let _ = writer.join();
        let status = child.wait().context("waiting for it")?;
        if !status.success() {
            bail!("it ended with {status}");
        }
        if outcomes.len() != calls.len() {
            bail!("it answered {} of {} calls", outcomes.len(), calls.len());
        }
        Ok(outcomes)
    }
}

/// One answer. The key is any text; it is hashed, so that keys of every length compare alike.
fn answer(line: &str) -> Result<Outcome> {
    let value = json::parse(line, Dialect::Strict)?;
    match (value.get("key"), value.get("refused")) {
        (Some(Value::String(key)), _) => Ok(Key::from_hex(key.as_str().unwrap_or_default())
            .unwrap_or_else(|| Key::of(key.as_bytes()))
            .into()),
        (None | Some(Value::Null), Some(Value::String(reason))) => {
            let reason = reason.as_str().unwrap_or("no reason that is text");
            Ok(Outcome::Refused(Refusal::new("external", reason)))
        }
        _ => bail!("must be {{\"key\": \"...\"}} or {{\"refused\": \"...\"}}"),
    }
}

impl Keyer for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn key(&self, call: &Call, tool: Option<&Tool>) -> Outcome {
        self.keys(&[(call, tool)]).remove(0)
    }

    fn keys(&self, calls: &[(&Call, Option<&Tool>)]) -> Vec<Outcome> {
        // A program that fails makes every figure of its column wrong; there is nothing to go on with.
        match self.ask(calls) {
            Ok(outcomes) => outcomes,
            Err(error) => {
                eprintln!("samecall: {} ({}): {error:#}", self.name, self.command);
                std::process::exit(2);
            }
        }
    }
}
