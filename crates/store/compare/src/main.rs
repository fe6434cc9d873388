//! Which embedded engine the store should stand on: durable commits a second of redb, fjall and SQLite, from one
//! caller and from 64 whose writes are committed together, and what the files weigh afterwards.
//!
//! A commit here is what one claim writes: a 40-byte key with a 200-byte record, synced to disk. In the group run 64
//! callers each wait for their own write; one committer takes what has gathered and commits it at once, as the store
//! does. `cargo run --release [FOLDER]` measures in FOLDER (a real disk, not a memory file system).

use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const RECORD: [u8; 200] = [7; 200];
const TIME: Duration = Duration::from_secs(3);
const CALLERS: usize = 64;

type Any = Box<dyn std::error::Error>;

/// An engine: commits a batch of keys durably.
trait Engine: Send {
    fn commit(&mut self, keys: &[[u8; 40]]) -> Result<(), Any>;
    fn get(&mut self, key: &[u8; 40]) -> Result<bool, Any>;
}

struct Redb(redb::Database);
const TABLE: redb::TableDefinition<&[u8], &[u8]> = redb::TableDefinition::new("records");

impl Engine for Redb {
    fn commit(&mut self, keys: &[[u8; 40]]) -> Result<(), Any> {
        let write = self.0.begin_write()?;
        {
            let mut table = write.open_table(TABLE)?;
            for key in keys {
                table.insert(key.as_slice(), RECORD.as_slice())?;
            }
        }
        Ok(write.commit()?)
    }

    fn get(&mut self, key: &[u8; 40]) -> Result<bool, Any> {
        use redb::ReadableDatabase;
        Ok(self.0.begin_read()?.open_table(TABLE)?.get(key.as_slice())?.is_some())
    }
}

struct Fjall(fjall::Keyspace, fjall::PartitionHandle);

impl Engine for Fjall {
    fn commit(&mut self, keys: &[[u8; 40]]) -> Result<(), Any> {
        let mut batch = self.0.batch().durability(Some(fjall::PersistMode::SyncAll));
        for key in keys {
            batch.insert(&self.1, key, RECORD);
        }
        Ok(batch.commit()?)
    }

    fn get(&mut self, key: &[u8; 40]) -> Result<bool, Any> {
        Ok(self.1.get(key)?.is_some())
    }
}

struct Sqlite(rusqlite::Connection);

impl Engine for Sqlite {
    fn commit(&mut self, keys: &[[u8; 40]]) -> Result<(), Any> {
        let transaction = self.0.transaction()?;
        {
            let mut insert = transaction
                .prepare_cached("INSERT OR REPLACE INTO records (key, value) VALUES (?1, ?2)")?;
            for key in keys {
                insert.execute((key, &RECORD))?;
            }
        }
        Ok(transaction.commit()?)
    }

    fn get(&mut self, key: &[u8; 40]) -> Result<bool, Any> {
        let mut select = self.0.prepare_cached("SELECT 1 FROM records WHERE key = ?1")?;
        Ok(select.exists((key,))?)
    }
}

/// Keys in no order, as hashes are.
fn key(number: u64) -> [u8; 40] {
    let mut key = [0; 40];
    for (index, chunk) in key.chunks_exact_mut(8).enumerate() {
        let mixed = (number.wrapping_mul(5) + index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        chunk.copy_from_slice(&(mixed ^ mixed >> 29).to_be_bytes());
    }
    key
}

fn single(engine: &mut dyn Engine) -> Result<(u64, f64), Any> {
    let start = Instant::now();
    let mut count = 0;
    while start.elapsed() < TIME {
        engine.commit(&[key(count)])?;
        count += 1;
    }
    Ok((count, count as f64 / start.elapsed().as_secs_f64()))
}

fn grouped(engine: &mut dyn Engine, from: u64) -> Result<(u64, f64), Any> {
    let (sender, receiver) = mpsc::channel::<([u8; 40], mpsc::Sender<()>)>();
    let start = Instant::now();
    let count = std::thread::scope(|scope| -> Result<u64, Any> {
        for caller in 0..CALLERS as u64 {
            let sender = sender.clone();
            scope.spawn(move || {
                let (done, wait) = mpsc::channel();
                let mut own = 0;
                while start.elapsed() < TIME {
                    let number = from + caller * 1_000_000 + own;
                    if sender.send((key(number), done.clone())).is_err() || wait.recv().is_err() {
                        return;
                    }
                    own += 1;
                }
            });
        }
        drop(sender);
        let mut count = 0;
        while let Ok(first) = receiver.recv() {
            let mut batch = vec![first];
            batch.extend(receiver.try_iter());
            let keys: Vec<_> = batch.iter().map(|(key, _)| *key).collect();
            engine.commit(&keys)?;
            count += batch.len() as u64;
            for (_, done) in batch {
                // A caller whose time is over has gone.
                let _ = done.send(());
            }
        }
        Ok(count)
    })?;
    Ok((count, count as f64 / start.elapsed().as_secs_f64()))
}

fn weight(folder: &Path) -> std::io::Result<(usize, u64)> {
    let (mut files, mut bytes) = (0, 0);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (inner, size) = if entry.file_type()?.is_dir() {
            weight(&entry.path())?
        } else {
            (1, entry.metadata()?.len())
        };
        files += inner;
        bytes += size;
    }
    Ok((files, bytes))
}

fn measure(name: &str, folder: &Path, engine: &mut dyn Engine) -> Result<(), Any> {
    let (singles, single) = single(engine)?;
    let (groups, group) = grouped(engine, 1 << 40)?;
    let start = Instant::now();
    let mut found = 0;
    let reads = 20_000;
    for number in 0..reads {
        found += u64::from(engine.get(&key(number % singles))?);
    }
    let read = reads as f64 / start.elapsed().as_secs_f64();
    if found != reads {
        return Err(format!("{name}: {found} of {reads} records found").into());
    }
    let (files, bytes) = weight(folder)?;
    let records = (singles + groups) as f64;
    println!(
        "{name:<14} {single:>9.0} {group:>9.0} {:>6.1}x {read:>9.0} {files:>6} {:>11.0}",
        group / single,
        bytes as f64 / records
    );
    Ok(())
}

fn main() -> Result<(), Any> {
    let root = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    println!("engine          single/s   64 callers/s ratio  reads/s  files  bytes/record");
    let folder = tempfile::tempdir_in(&root)?;
    measure("redb", folder.path(), &mut Redb(redb::Database::create(folder.path().join("s"))?))?;

    let folder = tempfile::tempdir_in(&root)?;
    let keyspace = fjall::Config::new(folder.path()).open()?;
    let partition = keyspace.open_partition("records", fjall::PartitionCreateOptions::default())?;
    measure("fjall", folder.path(), &mut Fjall(keyspace, partition))?;

    for (name, mode) in [("sqlite wal", "WAL"), ("sqlite delete", "DELETE")] {
        let folder = tempfile::tempdir_in(&root)?;
        let connection = rusqlite::Connection::open(folder.path().join("s"))?;
        connection.pragma_update(None, "journal_mode", mode)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(
            "CREATE TABLE records (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID",
        )?;
        measure(name, folder.path(), &mut Sqlite(connection))?;
    }
    Ok(())
}
