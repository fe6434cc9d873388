//! What the tests share: where third-party data is, and interpreters that answer line by line.

pub(crate) mod generate;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use samecall_call::Call;
use samecall_keyer::{Keyer, Outcome};

/// The workspace's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file or folder of the shared data, or None after saying that the test is skipped.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let base =
        std::env::var_os("SAMECALL_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let found = base.join(path);
    if !found.exists() {
        println!("skipped: {} not found", found.display());
        return None;
    }
    Some(found)
}

/// The key in hex, or the refusal's code after `!`.
pub(crate) fn answer(keyer: &dyn Keyer, call: &Call) -> String {
    match keyer.key(call, None) {
        Outcome::Key(keyed) => keyed.key.to_string(),
        Outcome::Refused(refusal) => format!("!{}", refusal.code()),
    }
}

/// A program that answers each line of its input with one line.
pub(crate) struct Answers {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Answers {
    /// Starts a program with a script; None where it is not installed.
    pub(crate) fn start(program: &str, script: &str) -> Option<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(script);
        let mut child = Command::new(program)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .ok()?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take()?);
        Some(Answers { child, input, output })
    }

    /// A CPython whose text and number semantics are those of 3.11 with Unicode 14, or None after saying why the
    /// test is skipped.
    pub(crate) fn python() -> Option<Self> {
        for program in ["python3.11", "python3"] {
            let Some(mut python) = Self::start(program, "python/reference.py") else { continue };
            let Some(version) = python.try_ask(&serde_json::json!({"op": "version"})) else {
                continue;
            };
            if version["unicode"] == "14.0.0" {
                return Some(python);
            }
        }
        println!("skipped: no python3 with Unicode 14 found");
        None
    }

    /// One question, one answer.
    pub(crate) fn ask(&mut self, question: &serde_json::Value) -> serde_json::Value {
        self.try_ask(question).expect("the interpreter answers every line with JSON")
    }

    /// One question, and its answer as it is written.
    pub(crate) fn ask_line(&mut self, question: &serde_json::Value) -> String {
        self.try_ask_line(question).expect("the interpreter answers every line")
    }

    fn try_ask(&mut self, question: &serde_json::Value) -> Option<serde_json::Value> {
        serde_json::from_str(&self.try_ask_line(question)?).ok()
    }

    fn try_ask_line(&mut self, question: &serde_json::Value) -> Option<String> {
        let mut line = question.to_string();
        line.push('\n');
        let input = self.input.as_mut()?;
        input.write_all(line.as_bytes()).ok()?;
        input.flush().ok()?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).ok()?;
        Some(answer)
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        // End of input ends the program.
        self.input = None;
        let _ = self.child.wait();
    }
}
