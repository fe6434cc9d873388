//! Real crashes: a child process works over a store file and is killed with SIGKILL at a random moment, again and again.
//!
//! Each effect appends a line to a ledger, each recorded result one to a list of acknowledgements, both before anything
//! else happens; so the ledger shows duplicates and the list shows what must not be lost. Every life of the child has a
//! clock of its own hour, so that whatever earlier lives left claimed has lapsed.
//!
//! `cargo test` kills 40 times; `SAMECALL_KILLS=500 cargo test -p samecall-store --test crash` as often as it says.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use futures_executor::block_on;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use samecall_store::{
    Acquisition, Claim, Embedded, Fenced, Fences, Limits, ManualClock, Recorded, Store, Timestamp,
};
use support::{START, claim};

const HOUR: Duration = Duration::from_secs(3600);
const THREADS: u64 = 4;
/// Kills between new store files: so that the first open, too, is killed often.
const KILLS_PER_FILE: u64 = 20;

fn open(folder: &Path, life: u64) -> Embedded {
    let now = START.after(HOUR * u32::try_from(life).expect("a small number"));
    open_at(folder, life, now).unwrap_or_else(|e| panic!("life {life} cannot open the store: {e}"))
}

fn open_at(folder: &Path, life: u64, now: Timestamp) -> samecall_store::Result<Embedded> {
    let clock = Arc::new(ManualClock::at(now));
    // A small inline limit, so that blobs are killed in the middle too.
    let limits = Limits { inline: 64, ..Limits::default() };
    Embedded::open_with(folder.join("store"), clock, Fences::named(life), limits)
}

/// The result of a key: a function of it, of a length that is now inline and now a blob.
fn result(name: &str) -> Recorded {
    Recorded::success(name.repeat(1 + name.len() % 7 * 3).into_bytes())
}

fn call(name: &str) -> Claim {
    Claim { lease: Duration::from_secs(60), ..claim(name) }
}

fn append(file: &mut File, line: &str) {
    file.write_all(format!("{line}\n").as_bytes()).expect("a line is written");
}

/// What the child does until it is killed: calls of earlier lives again, and new ones.
fn work(folder: &Path, life: u64) {
    let store = open(folder, life);
    let log =
        |name| OpenOptions::new().append(true).create(true).open(folder.join(name)).expect("a log");
    println!("ready");
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, mut ledger, mut acks) = (&store, log("ledger"), log("acks"));
            scope.spawn(move || {
                let mut rng = Pcg64Mcg::seed_from_u64(life << 8 | thread);
                for number in 0.. {
                    let new = format!("{life}-{}", number % 500);
                    let old = format!("{}-{}", rng.random_range(0..=life), rng.random_range(0..30));
                    let name = if number % 3 == 0 { old } else { new };
                    match block_on(store.claim(&call(&name))).expect("a claim") {
                        Acquisition::Acquired { fence } => {
                            append(&mut ledger, &name);
                            let (key, result) = (call(&name).key, result(&name));
                            let done = store.complete(&key, fence, &result, HOUR * 100_000);
                            assert_eq!(block_on(done).expect("a completion"), Fenced::Done);
                            append(&mut acks, &name);
                        }
                        Acquisition::Replay { result: found, .. } => {
                            assert!(
                                found == result(&name),
                                "another result is replayed for {name}"
                            );
                        }
                        // The policy is to refuse: no effect.
                        Acquisition::Unknown { .. } | Acquisition::InFlight { .. } => {}
                        Acquisition::Conflict { differs } => {
                            panic!("{name} conflicts by {differs}")
                        }
                    }
                }
            });
        }
    });
}

/// The child's part; the parent runs this binary again for it.
#[test]
#[ignore = "the child of the crash test"]
fn child() {
    let folder = std::env::var_os("SAMECALL_CRASH_FOLDER").expect("run by its parent");
    let life = std::env::var("SAMECALL_CRASH_LIFE").expect("run by its parent");
    work(Path::new(&folder), life.parse().expect("a number"));
}

fn spawn(folder: &Path, life: u64) -> Child {
    Command::new(std::env::current_exe().expect("this binary"))
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env("SAMECALL_CRASH_FOLDER", folder)
        .env("SAMECALL_CRASH_LIFE", life.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a child")
}

fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    effects: usize,
    acknowledged: usize,
    duplicates: usize,
    lost: usize,
    unknown: usize,
    unreadable: usize,
}

/// Compares a store with its logs.
fn audit(folder: &Path, life: u64, tally: &mut Tally) {
    let now = START.after(HOUR * u32::try_from(life).expect("a small number"));
    let store = match open_at(folder, life, now) {
        Ok(store) => store,
        Err(_) => {
            tally.unreadable += 1;
            return;
        }
    };
    let effects = lines(&folder.join("ledger"));
    let mut counts = BTreeMap::new();
    for name in &effects {
        *counts.entry(name.clone()).or_insert(0usize) += 1;
    }
    tally.effects += effects.len();
    tally.duplicates += counts.values().filter(|count| **count > 1).count();
    let acknowledged: BTreeSet<String> = lines(&folder.join("acks")).into_iter().collect();
    tally.acknowledged += acknowledged.len();
    for name in &acknowledged {
        match block_on(store.claim(&call(name))) {
            Ok(Acquisition::Replay { result: found, .. }) if found == result(name) => {}
            _ => tally.lost += 1,
        }
    }
    for name in counts.keys().filter(|name| !acknowledged.contains(*name)) {
        // Its effect happened: it must not be free.
        if let Ok(Acquisition::Acquired { .. }) = block_on(store.claim(&call(name))) {
            tally.duplicates += 1;
        }
    }
    tally.unknown += store.unresolved(usize::MAX).expect("a readable store").len();
}

#[test]
fn kills_duplicate_nothing_lose_nothing_and_leave_every_store_readable() {
    let kills = match std::env::var("SAMECALL_KILLS") {
        Ok(text) => text.parse().expect("SAMECALL_KILLS is a number"),
        Err(_) => 40,
    };
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    let mut tally = Tally::default();
    let mut life = 0;
    while life < kills {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for _ in 0..KILLS_PER_FILE.min(kills - life) {
            let mut child = spawn(folder.path(), life);
            if rng.random_ratio(4, 5) {
                // In the midst of work: once it is ready, and some milliseconds later.
                let stdout = BufReader::new(child.stdout.take().expect("piped"));
                let ready =
                    stdout.lines().map_while(Result::ok).any(|line| line.ends_with("ready"));
                if !ready {
                    let output = child.wait_with_output().expect("an ended child");
                    panic!("life {life}: {}", String::from_utf8_lossy(&output.stderr));
                }
                std::thread::sleep(Duration::from_micros(rng.random_range(0..60_000)));
            } else {
                // At any moment of its start.
                std::thread::sleep(Duration::from_micros(rng.random_range(0..20_000)));
            }
            child.kill().expect("SIGKILL");
            let output = child.wait_with_output().expect("an ended child");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(
                !stderr.contains("panicked"),
                "life {life} failed before it was killed: {stderr}"
            );
            life += 1;
        }
        audit(folder.path(), life, &mut tally);
    }
    println!("{kills} kills: {tally:?}");
    assert!(tally.effects > 0 && tally.acknowledged > 0, "no child did any work: {tally:?}");
    assert_eq!((tally.duplicates, tally.lost, tally.unreadable), (0, 0, 0), "{tally:?}");
}
