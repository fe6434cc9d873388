//! A process that is killed while it adds to a state loses nothing that it acknowledged.
//!
//! The test starts itself as a child that adds one batch after the other and prints a line for each that was acknowledged;
//! the parent kills it at some moment and reads the state.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use samecall_dedup::semantic::chunks::{Chunk, Chunks, Span};
use samecall_dedup::semantic::state::{Settings, State};
use samecall_dedup::semantic::{Fingerprint, Options, Vectors};

/// Names the state folder for the child.
const CHILD: &str = "SAMECALL_DEDUP_KILLED_CHILD";
const BATCH: usize = 7;

fn settings() -> Settings {
    Settings::of(&Options::default(), "", None)
}

fn batch(number: usize) -> Chunks {
    let mut out = Chunks { vectors: Vectors::new(16), ..Chunks::default() };
    for at in number * BATCH..(number + 1) * BATCH {
        // Vectors of all directions and some repeats, from a fixed sequence.
        let row: Vec<f32> =
            (0..16).map(|i| ((at / 2 * 31 + i * 17 + at / 2 * i) % 97) as f32 - 48.0).collect();
        out.vectors.push(&row).unwrap();
        out.chunks.push(Chunk {
            id: format!("{at:05}"),
            text: format!("Batch {number} reports that job {} is done.", at / 2),
            ..Chunk::default()
        });
        out.spans.push(Span { start: 0, length: 0 });
    }
    out
}

fn add_all(folder: &Path) {
    let mut state = State::open_or_create(folder, &settings()).unwrap();
    let mut number = state.len() / BATCH;
    loop {
        let new = batch(number);
        let fingerprint = Fingerprint::of(&new.vectors, Some("test"), None);
        state.add(&new, &fingerprint, &|_, _| {}).unwrap();
        // Only after `add` has returned is the batch acknowledged.
        println!("acknowledged {number}");
        std::io::stdout().flush().unwrap();
        number += 1;
    }
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    if let Some(folder) = std::env::var_os(CHILD) {
        add_all(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged = 0;
    for round in 0..8 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["what_was_acknowledged_survives_a_kill", "--nocapture"])
            .env(CHILD, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut seen = 0;
        for line in lines.map_while(Result::ok) {
            if let Some(number) = line.split("acknowledged ").nth(1) {
                acknowledged = number.trim().parse::<usize>().unwrap() + 1;
                seen += 1;
                if seen == 3 + round {
                    // The child goes on with the next batch meanwhile: the kill comes at any moment of it.
                    std::thread::sleep(std::time::Duration::from_micros(400 * round as u64));
                    child.kill().unwrap();
                }
            }
        }
        child.wait().unwrap();
        let state = State::open(folder.path()).unwrap();
        let (chunks, outcome) = state.outcome();
        let there: BTreeSet<&str> = chunks.chunks.iter().map(|c| c.id.as_str()).collect();
        for at in 0..acknowledged * BATCH {
            assert!(
                there.contains(format!("{at:05}").as_str()),
                "round {round}: chunk {at} is lost"
            );
        }
        // A batch is there whole or not at all, and the groups are computed from what is there.
        assert_eq!(state.len() % BATCH, 0, "round {round}");
        assert_eq!(outcome.kept.len() + outcome.removed.len(), state.len());
    }
    assert!(acknowledged > 30, "{acknowledged} batches were acknowledged");
}
