//! Store files that are not as they should be: torn, damaged, of another version, on a full or a read-only disk. Each
//! gives a clear error or the true answer; never another result, and never an effect.

mod support;

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use futures_executor::block_on;
use samecall_store::testing::disk::Disk;
use samecall_store::{
    Acquisition, Clock, Embedded, Error, Fenced, Fences, ManualClock, Recorded, Store,
};
use support::{OnDisk, START, claim};

const TTL: Duration = Duration::from_secs(3600);

fn clock() -> Arc<dyn Clock> {
    Arc::new(ManualClock::at(START))
}

fn on(disk: &Disk) -> samecall_store::Result<Embedded> {
    Embedded::open_on(disk.clone(), clock(), Fences::random())
}

fn result(name: &str) -> Recorded {
    Recorded::success(format!("result of {name} ").repeat(1 + name.len() * 40).into_bytes())
}

fn finish(store: &Embedded, name: &str) -> samecall_store::Result<()> {
    let Acquisition::Acquired { fence } = block_on(store.claim(&claim(name)))? else {
        panic!("{name} is not free")
    };
    let done = block_on(store.complete(&claim(name).key, fence, &result(name), TTL))?;
    assert_eq!(done, Fenced::Done);
    Ok(())
}

fn is_replayed(store: &Embedded, name: &str) {
    match block_on(store.claim(&claim(name))) {
        Ok(Acquisition::Replay { result: found, .. }) => assert!(found == result(name), "{name}"),
        other => panic!("{name} is not replayed: {other:?}"),
    }
}

/// The power goes at the n-th sync, and of what was not synced any sectors are there: a torn tail of any shape. What was
/// acknowledged must be there, what was not may be, and the store must open.
#[test]
fn a_torn_tail_is_repaired_on_open() {
    let mut rolled_back = 0;
    for seed in 0..150 {
        let disk = Disk::default();
        {
            let store = on(&disk).expect("a new store");
            finish(&store, "before").expect("a healthy disk");
        }
        let mut acknowledged = vec!["before".to_owned()];
        let store = on(&disk).expect("a healthy store");
        disk.cut_power_after(seed % 13);
        let mut failed = None;
        for number in 0..20 {
            let name = format!("call {number}");
            match finish(&store, &name) {
                Ok(()) => acknowledged.push(name),
                Err(_) => {
                    failed = Some(name);
                    break;
                }
            }
        }
        drop(store);
        disk.restart(seed);
        let store = on(&disk).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        for name in &acknowledged {
            is_replayed(&store, name);
        }
        let failed = failed.expect("the power went");
        match block_on(store.claim(&claim(&failed))).expect("a readable store") {
            // Its claim was rolled back, or its claim was not acknowledged: no effect can have been run.
            Acquisition::Acquired { .. } => rolled_back += 1,
            Acquisition::InFlight { .. } => {}
            Acquisition::Replay { result: found, .. } => assert!(found == result(&failed)),
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(rolled_back > 0, "no write was ever rolled back");
}

/// A claim that was acknowledged is there after a power cut, whatever became of its completion.
#[test]
fn a_torn_completion_never_frees_its_claim() {
    let mut torn = 0;
    for seed in 0..60 {
        let disk = Disk::default();
        let store = on(&disk).expect("a new store");
        let Ok(Acquisition::Acquired { fence }) = block_on(store.claim(&claim("a"))) else {
            panic!("a new store is empty")
        };
        disk.cut_power_after(seed % 3);
        let done = block_on(store.complete(&claim("a").key, fence, &result("a"), TTL));
        drop(store);
        disk.restart(seed);
        let store = on(&disk).expect("a repaired store");
        match (done, block_on(store.claim(&claim("a"))).expect("a readable store")) {
            (_, Acquisition::Replay { result: found, .. }) => assert!(found == result("a")),
            (Err(_), Acquisition::InFlight { .. }) => torn += 1,
            (done, other) => panic!("seed {seed}: completed {done:?}, then {other:?}"),
        }
    }
    assert!(torn > 0, "no completion was ever torn");
}

#[test]
fn a_damaged_record_is_reported_and_never_replayed() {
    let disk = OnDisk::default();
    let path = disk.path();
    for part in [b"result of a ".as_slice(), b"\"amount\": 4200"] {
        let _ = fs::remove_file(&path);
        {
            let store = Embedded::open(&path).expect("a new store");
            finish(&store, "a").expect("a completion");
            finish(&store, "b").expect("a completion");
        }
        let mut bytes = fs::read(&path).expect("the file");
        let mut damaged = 0;
        for at in 0..bytes.len() - part.len() {
            // Every copy of it, also those that older versions of a page left behind.
            if bytes[at..].starts_with(part) {
                bytes[at + 3] ^= 1;
                damaged += 1;
            }
        }
        assert!(damaged > 0, "the record is not where it was looked for");
        fs::write(&path, &bytes).expect("the file is written");
        let store = Embedded::open(&path).expect("the tables are whole");
        // What hides one record may hide another: a key without a record is nobody's until it is known.
        let answer = block_on(store.claim(&claim("never claimed")));
        assert!(matches!(answer, Err(Error::Corrupt { .. })), "{answer:?}");
        let answer = block_on(store.claim(&claim("a")));
        assert!(matches!(answer, Err(Error::Corrupt { .. })), "{answer:?}");
        let error = answer.expect_err("damaged").to_string();
        assert!(error.contains("\"tenant\"/\"a\"") && !error.contains("4200"), "{error}");
        // Neither free nor replayed, until somebody has found out what became of the effect.
        assert!(block_on(store.claim(&claim("a"))).is_err());
        for name in ["a", "b"] {
            match block_on(store.claim(&claim(name))) {
                Err(_) => block_on(store.forget(&claim(name).key)).expect("forgotten"),
                Ok(_) => is_replayed(&store, name),
            }
        }
        finish(&store, "a").expect("a free key");
    }
}

/// One flipped bit anywhere: an error, or the truth.
#[test]
fn no_flipped_bit_ever_changes_a_result() {
    let disk = Disk::default();
    {
        let store = on(&disk).expect("a new store");
        for name in ["a", "b", "c"] {
            finish(&store, name).expect("a completion");
        }
    }
    let image = disk.image();
    let used: Vec<usize> = (0..image.len()).filter(|at| image[*at] != 0).collect();
    let (mut errors, mut truths) = (0, 0);
    // The keys themselves, and as many other places.
    let name = b"tenant";
    let keys = (0..image.len()).filter(|at| image[*at..].starts_with(name)).map(|at| at + 6);
    let others = (0..400).map(|round| used[round * 7919 % used.len()]);
    for (round, at) in keys.chain(others).enumerate() {
        let mut flipped = image.clone();
        flipped[at] ^= 1 << (round % 8);
        let Ok(store) = on(&Disk::holding(flipped)) else {
            errors += 1;
            continue;
        };
        for name in ["a", "b", "c"] {
            match block_on(store.claim(&claim(name))) {
                Ok(Acquisition::Replay { result: found, .. }) => {
                    assert!(found == result(name), "byte {at}: another result for {name}");
                    truths += 1;
                }
                Ok(Acquisition::Conflict { .. } | Acquisition::InFlight { .. }) | Err(_) => {
                    errors += 1
                }
                // The one answer that would be wrong in silence is "free", if nothing told of the damage.
                Ok(other) => panic!("byte {at}: {name} is {other:?}"),
            }
        }
    }
    println!("{truths} true answers, {errors} errors");
    assert!(truths > 0 && errors > 0);
}

#[test]
fn a_file_of_another_version_is_refused_and_left_alone() {
    const META: redb::TableDefinition<'_, &str, u32> = redb::TableDefinition::new("meta");
    let path = OnDisk::default();
    let path = path.path();
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder");
    drop(Embedded::open(&path).expect("a new store"));
    {
        let database = redb::Database::create(&path).expect("a database");
        let write = database.begin_write().expect("a transaction");
        write.open_table(META).expect("the table").insert("format", 2).expect("inserted");
        write.commit().expect("committed");
    }
    let error = Embedded::open(&path).expect_err("another version");
    assert!(matches!(&error, Error::Version { found, expected: 1, .. } if found == "2"), "{error}");
    let text = error.to_string();
    assert!(text.contains("format 2") && text.contains(&path.display().to_string()), "{text}");
    let database = redb::Database::create(&path).expect("left as it was");
    drop(database);
    assert!(matches!(Embedded::open(&path), Err(Error::Version { .. })));
    fs::remove_file(&path).expect("removed");
}

#[test]
fn a_file_of_something_else_is_refused_and_left_alone() {
    let disk = OnDisk::default();
    let path = disk.path();
    for content in [b"{\"not\": \"a store\"}\n".repeat(1000), b"short".to_vec()] {
        fs::write(&path, &content).expect("a file");
        let error = Embedded::open(&path).expect_err("no store");
        assert!(matches!(error, Error::NotAStore { .. }), "{error}");
        assert!(fs::read(&path).expect("the file") == content, "the file was changed");
    }
    // A store whose end is missing: its engine gives up on it, and the error says on what grounds.
    fs::remove_file(&path).expect("removed");
    finish(&Embedded::open(&path).expect("a new store"), "a").expect("a completion");
    let whole = fs::read(&path).expect("the file");
    fs::write(&path, &whole[..whole.len() - 5000]).expect("a torn file");
    let error = Embedded::open(&path).expect_err("half a store");
    assert!(matches!(error, Error::NotAStore { .. }), "{error}");
    assert!(error.to_string().contains("raw_file_len"), "{error}");
    assert!(fs::read(&path).expect("the file") == whole[..whole.len() - 5000], "it was changed");
    fs::remove_file(&path).expect("removed");
    const OTHER: redb::TableDefinition<'_, u32, u32> = redb::TableDefinition::new("other");
    {
        let database = redb::Database::create(&path).expect("a database");
        let write = database.begin_write().expect("a transaction");
        write.open_table(OTHER).expect("the table");
        write.commit().expect("committed");
    }
    let error = Embedded::open(&path).expect_err("another's database");
    assert!(matches!(error, Error::NotAStore { .. }), "{error}");
}

#[test]
fn a_file_in_use_is_refused() {
    let disk = OnDisk::default();
    let path = disk.path();
    let _store = Embedded::open(&path).expect("a new store");
    let error = Embedded::open(&path).expect_err("in use");
    assert!(matches!(error, Error::Busy { .. }), "{error}");
}

/// Many processes that start on one new path at the same moment: one store comes to be, whole, and whoever is not first
/// is told that it is in use. What was acknowledged stays.
#[test]
fn a_store_that_many_begin_at_once_is_begun_once() {
    const OPENERS: usize = 8;
    let disk = OnDisk::default();
    for round in 0..60 {
        let path = disk.path();
        let barrier = std::sync::Barrier::new(OPENERS);
        let acknowledged = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for opener in 0..OPENERS {
                let (path, barrier, acknowledged) = (&path, &barrier, &acknowledged);
                scope.spawn(move || {
                    barrier.wait();
                    match Embedded::open(path) {
                        Ok(store) => {
                            let name = format!("by {opener}");
                            finish(&store, &name).expect("a completion");
                            acknowledged.lock().unwrap().push(name);
                        }
                        Err(Error::Busy { .. }) => {}
                        Err(error) => panic!("round {round}: {error}"),
                    }
                });
            }
        });
        let store = Embedded::open(&path).expect("a whole store");
        let acknowledged = acknowledged.into_inner().unwrap();
        assert!(!acknowledged.is_empty(), "round {round}: nobody could begin");
        for name in acknowledged {
            assert!(
                matches!(block_on(store.claim(&claim(&name))), Ok(Acquisition::Replay { .. })),
                "round {round}: {name} is lost"
            );
        }
        let beside: Vec<_> = fs::read_dir(path.parent().expect("a folder"))
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name())
            .filter(|name| !name.to_string_lossy().ends_with(".samecall"))
            .collect();
        assert!(beside.is_empty(), "round {round}: left behind: {beside:?}");
    }
}

#[test]
fn a_full_disk_gives_an_error_and_loses_nothing() {
    let disk = Disk::default();
    let store = on(&disk).expect("a new store");
    finish(&store, "before").expect("a healthy disk");
    disk.fill_up(Some(0));
    let mut recorded = Vec::new();
    let error = (0..10_000)
        .find_map(|number| {
            let name = format!("call {number}");
            match finish(&store, &name) {
                Ok(()) => {
                    recorded.push(name);
                    None
                }
                Err(error) => Some(error),
            }
        })
        .expect("the disk runs full");
    assert!(matches!(error, Error::Full { .. }), "{error}");
    assert!(error.to_string().contains("no space left"), "{error}");
    // From here on no claim is given, so no effect runs.
    assert!(block_on(store.claim(&claim("after"))).is_err());
    drop(store);
    disk.fill_up(None);
    let store = on(&disk).expect("a store with room again");
    is_replayed(&store, "before");
    for name in &recorded {
        is_replayed(&store, name);
    }
    finish(&store, "after").expect("room");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_gives_an_error_that_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let inside = folder.path().join("locked");
    fs::create_dir(&inside).expect("a folder");
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o555)).expect("locked");
    // The superuser may write anywhere but where the kernel itself says no.
    let path = if fs::write(inside.join("probe"), "").is_ok() {
        std::path::PathBuf::from("/sys/kernel/store")
    } else {
        inside.join("store")
    };
    let error = Embedded::open(&path).expect_err("a read-only folder");
    assert!(matches!(error, Error::ReadOnly { .. }), "{error}");
    assert!(error.to_string().contains(&path.display().to_string()), "{error}");
}

#[test]
fn a_missing_folder_gives_an_error_that_names_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("not there").join("store");
    let error = Embedded::open(&path).expect_err("a missing folder");
    assert!(matches!(error, Error::File { .. }), "{error}");
    assert!(error.to_string().contains("not there"), "{error}");
}

#[test]
fn what_is_too_large_is_refused_before_it_is_claimed() {
    let disk = OnDisk::default();
    let store = Embedded::open(disk.path()).expect("a new store");
    let large = samecall_store::Claim { spelling: vec![0; (1 << 20) + 1].into(), ..claim("a") };
    let error = block_on(store.claim(&large)).expect_err("too large");
    assert!(matches!(error, Error::TooLarge { bytes, .. } if bytes == (1 << 20) + 1), "{error}");
    finish(&store, "a").expect("a free key");
}

#[test]
fn unresolved_calls_are_listed() {
    let disk = OnDisk::default();
    let clock = Arc::new(ManualClock::at(START));
    let store = disk.open_on(clock.clone());
    finish(&store, "done").expect("a completion");
    block_on(store.claim(&claim("lapsed"))).expect("a claim");
    let listed = store.unresolved(10).expect("a readable store");
    assert_eq!(listed, []);
    clock.advance(Duration::from_secs(30));
    let listed = store.unresolved(10).expect("a readable store");
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].key.name(), &*listed[0].owner), ("lapsed", "test"));
    assert_eq!(listed[0].since, START.after(Duration::from_secs(30)));
}
