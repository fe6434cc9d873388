//! An executor that is another program: calls out as JSON lines, answers in, both at once.
//!
//! The program is started once and given every call without waiting for answers, so that its own buffers cost
//! nothing; memory stays flat, since answers are judged as they come. A program that neither takes a call nor gives an
//! answer for the time allowed is stopped with all that it started.

use super::Executor;
use samecall_call::executors::Ended;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Answers read ahead of their judge.
const AHEAD: usize = 1024;
/// The longest answer, in bytes; beyond it the program is broken.
const LONGEST: u64 = 1 << 26;

/// A program that speaks the executor protocol.
#[derive(Debug, Clone)]
pub struct Program {
    name: String,
    command: String,
    patience: Duration,
    show_errors: bool,
}

impl Program {
    /// A program by the command that a shell starts it with. `patience` is how long it may neither take a call nor give
    /// an answer.
    pub fn new(name: impl Into<String>, command: impl Into<String>, patience: Duration) -> Self {
        Program { name: name.into(), command: command.into(), patience, show_errors: false }
    }

    /// Lets the program write to standard error: what it says may hold argument values.
    pub fn showing_errors(self, show: bool) -> Self {
        Program { show_errors: show, ..self }
    }

    fn start(&self) -> std::io::Result<Child> {
        let mut command = Command::new("sh");
        command.args(["-c", &self.command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        if !self.show_errors {
            command.stderr(Stdio::null());
        }
        // A group of its own, so that whatever the shell starts can be stopped with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()
    }
}

/// Stops a program and, on Unix, all of its group.
fn stop(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}

impl Executor for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(
        &self,
        calls: Box<dyn Iterator<Item = String> + Send>,
        judge: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Ended {
        let mut child = match self.start() {
            Ok(child) => child,
            Err(error) => {
                return Ended::Crashed { reason: format!("it cannot be started: {error}") };
            }
        };
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            stop(&mut child);
            return Ended::Crashed { reason: "it has no pipes".to_owned() };
        };
        let taken = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&taken);
        // A program that stops reading early shows in the count of its answers.
        let writer = thread::spawn(move || {
            let mut input = BufWriter::new(input);
            for line in calls {
                if input.write_all(line.as_bytes()).and_then(|()| input.write_all(b"\n")).is_err() {
                    return;
                }
                counter.fetch_add(1, Ordering::Relaxed);
            }
            let _ = input.flush();
        });
        let (sender, answers) = sync_channel::<Result<String, String>>(AHEAD);
        let reader = thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = String::new();
                let answer = match output.by_ref().take(LONGEST).read_line(&mut line) {
                    Ok(0) => return,
                    Ok(n) if n as u64 == LONGEST => Err("is longer than 64 MiB".to_owned()),
                    Ok(_) => Ok(line),
                    Err(error) => Err(error.to_string()),
                };
                if sender.send(answer).is_err() {
                    return;
                }
            }
        });
        let mut answered = 0_u64;
        let mut moved = (0, Instant::now());
        let tick = (self.patience / 10).max(Duration::from_millis(10));
        let failed = loop {
            match answers.recv_timeout(tick) {
                Ok(answer) => {
                    answered += 1;
                    moved.1 = Instant::now();
                    if let Err(why) =
                        answer.and_then(|line| judge(line.trim_end_matches(['\n', '\r'])))
                    {
                        break Some(Ended::Broken { reason: format!("answer {answered} {why}") });
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {
                    let now = taken.load(Ordering::Relaxed);
                    if now != moved.0 {
                        moved = (now, Instant::now());
                    } else if moved.1.elapsed() >= self.patience {
                        break Some(Ended::Hung { seconds: self.patience.as_secs() });
                    }
                }
            }
        };
        drop(answers);
        if let Some(failed) = failed {
            stop(&mut child);
            let _ = (reader.join(), writer.join());
            return failed;
        }
        // Its output is closed; it may still refuse to end.
        let _ = reader.join();
        let deadline = Instant::now() + self.patience;
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                Ok(None) => {
                    stop(&mut child);
                    let _ = writer.join();
                    return Ended::Hung { seconds: self.patience.as_secs() };
                }
                Err(error) => return Ended::Crashed { reason: error.to_string() },
            }
        };
        // What the shell left behind may hold the pipe open.
        stop(&mut child);
        let _ = writer.join();
        if status.success() {
            Ended::Finished
        } else {
            Ended::Crashed { reason: format!("it ended with {status}") }
        }
    }
}
