//! The tables of a store file, and records in and out of them.
//!
//! `records` and `marks` by key, `blobs` for large results by their record's key, `expiry` by time, so that a sweep
//! finds what is over without looking at the rest, and `meta` with the format's version.

use std::path::{Path, PathBuf};

use redb::{
    Database, ReadOnlyTable, ReadTransaction, ReadableDatabase, ReadableTable,
    ReadableTableMetadata, Table, TableDefinition, TableError, WriteTransaction,
};

use crate::codec::{self, BlobRef, Body};
use crate::error::{Error, Result};
use crate::key::StoreKey;
use crate::protocol::Write;
use crate::record::{MarkRecord, Record, State};
use crate::time::Timestamp;

type Raw = TableDefinition<'static, &'static [u8], &'static [u8]>;

const META: TableDefinition<'static, &str, u32> = TableDefinition::new("meta");
const RECORDS: Raw = TableDefinition::new("records");
const MARKS: Raw = TableDefinition::new("marks");
const BLOBS: Raw = TableDefinition::new("blobs");
const EXPIRY: TableDefinition<'static, &'static [u8], ()> = TableDefinition::new("expiry");

/// The version of the tables and of what is in them.
const FORMAT: u32 = 1;
/// The most entries that a sweep removes in one commit (some milliseconds), so that claims never wait for more.
pub(super) const SWEPT_PER_COMMIT: usize = 256;

/// Turns the engine's errors into ours, with the file's name.
#[derive(Debug, Clone)]
pub(super) struct Failures(PathBuf);

impl Failures {
    pub(super) fn at(path: &Path) -> Self {
        Failures(path.to_owned())
    }

    pub(super) fn of(&self, error: impl Into<redb::Error>) -> Error {
        let path = self.0.clone();
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => Error::Busy { path },
            redb::Error::UpgradeRequired(found) => Error::Version {
                path,
                found: format!("of engine version {found}"),
                expected: FORMAT,
            },
            redb::Error::Corrupted(reason) => Error::NotAStore { path, reason },
            redb::Error::PreviousIo => Error::Closed {
                reason: format!("an earlier write of {} failed; open it again", path.display()),
            },
            redb::Error::Io(error) => self.of_io(&error),
            other @ (redb::Error::TableTypeMismatch { .. }
            | redb::Error::TypeDefinitionChanged { .. }
            | redb::Error::RepairAborted) => Error::NotAStore { path, reason: other.to_string() },
            other => Error::File { path, reason: other.to_string() },
        }
    }

    fn of_io(&self, error: &std::io::Error) -> Error {
        use std::io::ErrorKind as Kind;
        let (path, reason) = (self.0.clone(), error.to_string());
        match error.kind() {
            Kind::StorageFull | Kind::QuotaExceeded => Error::Full { path },
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem => Error::ReadOnly { path, reason },
            Kind::InvalidData | Kind::UnexpectedEof => Error::NotAStore { path, reason },
            _ => Error::File { path, reason },
        }
    }
}

/// Checks the version of a file, or writes ours into a new one.
pub(super) fn check_format(database: &Database, path: &Path) -> Result<()> {
    let failures = Failures::at(path);
    let read = database.begin_read().map_err(|e| failures.of(e))?;
    let found = match read.open_table(META) {
        Ok(meta) => meta.get("format").map_err(|e| failures.of(e))?.map(|format| format.value()),
        Err(TableError::TableDoesNotExist(_)) => None,
        Err(error) => return Err(failures.of(error)),
    };
    match found {
        Some(FORMAT) => Ok(()),
        Some(other) => Err(Error::Version {
            path: path.to_owned(),
            found: other.to_string(),
            expected: FORMAT,
        }),
        None if read.list_tables().map_err(|e| failures.of(e))?.next().is_some() => {
            let reason = "a database of something else".into();
            Err(Error::NotAStore { path: path.to_owned(), reason })
        }
        None => begin_format(database).map_err(|e| failures.of(e)),
    }
}

/// Creates all tables, and the version with them, in one commit: a file has all of them or is new.
fn begin_format(database: &Database) -> Result<(), redb::Error> {
    let write = database.begin_write()?;
    write.open_table(META)?.insert("format", FORMAT)?;
    write.open_table(RECORDS)?;
    write.open_table(MARKS)?;
    write.open_table(BLOBS)?;
    write.open_table(EXPIRY)?;
    Ok(write.commit()?)
}

fn corrupt(key: &[u8], reason: &str) -> Error {
    Error::Corrupt { key: named(key), reason: reason.to_owned() }
}

/// A key as it lies in the file, for a message.
fn named(key: &[u8]) -> String {
    StoreKey::from_bytes(key).map_or_else(|| "(unreadable)".to_owned(), |key| key.to_string())
}

/// Reads a record with its result.
fn load(
    key: &[u8],
    bytes: &[u8],
    blobs: &impl ReadableTable<&'static [u8], &'static [u8]>,
    failures: &Failures,
) -> Result<Record> {
    let (mut record, body) = codec::decode(key, bytes).map_err(|reason| corrupt(key, reason))?;
    if let (Body::Blob(blob), State::Completed { result, .. }) = (body, &mut record.state) {
        let bytes = blobs.get(key).map_err(|e| failures.of(e))?;
        let bytes = bytes.ok_or_else(|| corrupt(key, "its result is missing"))?;
        if !blob.fits(bytes.value()) {
            return Err(corrupt(key, "its result is damaged"));
        }
        result.bytes = bytes.value().into();
    }
    Ok(record)
}

/// What is committed, to read from.
pub(super) struct Reading {
    records: ReadOnlyTable<&'static [u8], &'static [u8]>,
    blobs: ReadOnlyTable<&'static [u8], &'static [u8]>,
    failures: Failures,
}

impl Reading {
    pub(super) fn begin(database: &Database, path: &Path) -> Result<Self> {
        let failures = Failures::at(path);
        let read: ReadTransaction = database.begin_read().map_err(|e| failures.of(e))?;
        let records = read.open_table(RECORDS).map_err(|e| failures.of(e))?;
        let blobs = read.open_table(BLOBS).map_err(|e| failures.of(e))?;
        Ok(Reading { records, blobs, failures })
    }

    pub(super) fn record(&self, key: &StoreKey) -> Result<Option<Record>> {
        let key = key.as_bytes();
        match self.records.get(key).map_err(|e| self.failures.of(e))? {
            None => Ok(None),
            Some(bytes) => load(key, bytes.value(), &self.blobs, &self.failures).map(Some),
        }
    }

    /// The key of the first record that cannot be read, or cannot be found under the key that it lies under; None where
    /// all is well. Such damage may be to the key itself, and then hides a record from whoever claims its true key.
    pub(super) fn first_damaged(&self) -> Result<Option<String>> {
        let mut seen = 0u64;
        for entry in self.records.iter().map_err(|e| self.failures.of(e))? {
            let (key, bytes) = entry.map_err(|e| self.failures.of(e))?;
            let (key, bytes) = (key.value(), bytes.value());
            let found = self.records.get(key).map_err(|e| self.failures.of(e))?;
            let is_whole = found.is_some_and(|found| found.value() == bytes)
                && codec::decode(key, bytes).is_ok()
                && StoreKey::from_bytes(key).is_some();
            if !is_whole {
                return Ok(Some(named(key)));
            }
            seen += 1;
        }
        // A page that has forgotten some of its entries shows them to nobody; the table's length still counts them.
        let length = self.records.len().map_err(|e| self.failures.of(e))?;
        Ok((seen != length).then(|| "(unreadable)".to_owned()))
    }

    /// What a function picks of all records, in the order of their keys.
    pub(super) fn records<'a, T: 'a>(
        &'a self,
        pick: impl Fn(StoreKey, &Record) -> Option<T> + 'a,
    ) -> impl Iterator<Item = Result<T>> + 'a {
        let all = self.records.iter().map_err(|e| self.failures.of(e));
        let (range, error) = match all {
            Ok(range) => (Some(range), None),
            Err(error) => (None, Some(Err(error))),
        };
        let picked = range.into_iter().flatten().filter_map(move |entry| {
            let (key, bytes) = match entry {
                Ok(entry) => entry,
                Err(error) => return Some(Err(self.failures.of(error))),
            };
            let read = codec::decode(key.value(), bytes.value());
            match (StoreKey::from_bytes(key.value()), read) {
                (Some(key), Ok((record, _))) => pick(key, &record).map(Ok),
                (_, Err(reason)) => Some(Err(corrupt(key.value(), reason))),
                (None, Ok(_)) => Some(Err(corrupt(key.value(), "its key is no key"))),
            }
        });
        error.into_iter().chain(picked)
    }
}

/// The tables of one transaction.
pub(super) struct Tables<'t> {
    open: Option<Open<'t>>,
    failures: Failures,
    changed: bool,
    /// The first failure of the engine: the transaction must not be committed.
    failed: Option<Error>,
}

struct Open<'t> {
    records: Table<'t, &'static [u8], &'static [u8]>,
    marks: Table<'t, &'static [u8], &'static [u8]>,
    blobs: Table<'t, &'static [u8], &'static [u8]>,
    expiry: Table<'t, &'static [u8], ()>,
}

/// What a sweep did.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Swept {
    /// Entries of the expiry table that were taken out.
    pub(super) entries: usize,
    /// Records and marks that were deleted.
    pub(super) removed: usize,
}

/// What an entry of the expiry table speaks of.
const RECORD: u8 = b'r';
const MARK: u8 = b'm';

fn expiry_key(expires: Timestamp, kind: u8, key: &[u8]) -> Vec<u8> {
    [&expires.as_millis().to_be_bytes()[..], &[kind], key].concat()
}

impl<'t> Tables<'t> {
    pub(super) fn open(transaction: &'t WriteTransaction, failures: Failures) -> Result<Self> {
        let table = |definition| transaction.open_table(definition).map_err(|e| failures.of(e));
        let open = Open {
            records: table(RECORDS)?,
            marks: table(MARKS)?,
            blobs: table(BLOBS)?,
            expiry: transaction.open_table(EXPIRY).map_err(|e| failures.of(e))?,
        };
        Ok(Tables { open: Some(open), failures, changed: false, failed: None })
    }

    /// Tables of a transaction that could not begin: every operation gets this error.
    pub(super) fn refusing(error: Error) -> Self {
        let failures = Failures::at(Path::new(""));
        Tables { open: None, failures, changed: false, failed: Some(error) }
    }

    /// Whether anything was written, and what failed.
    pub(super) fn close(self) -> (bool, Option<Error>) {
        (self.changed, self.failed)
    }

    /// Runs one piece of work of the engine; a failure dooms the transaction.
    fn with<T>(&mut self, work: impl FnOnce(&mut Open<'t>) -> Result<T, redb::Error>) -> Result<T> {
        let Some(open) = self.open.as_mut().filter(|_| self.failed.is_none()) else {
            let reason = "its transaction has failed".to_owned();
            return Err(self.failed.clone().unwrap_or(Error::Closed { reason }));
        };
        work(open).map_err(|error| {
            let error = self.failures.of(error);
            self.failed = Some(error.clone());
            error
        })
    }

    pub(super) fn record(&mut self, key: &StoreKey) -> Result<Option<Record>> {
        let key = key.as_bytes();
        let bytes = self.with(|open| Ok(open.records.get(key)?.map(|b| b.value().to_vec())))?;
        let (Some(bytes), Some(open)) = (bytes, &self.open) else { return Ok(None) };
        load(key, &bytes, &open.blobs, &self.failures).map(Some)
    }

    /// Carries out a step's write. `old` is the record that the step saw.
    pub(super) fn write(
        &mut self,
        key: &StoreKey,
        old: Option<&Record>,
        write: Write<Record>,
        inline: usize,
    ) -> Result<()> {
        let new = match write {
            Write::Keep => return Ok(()),
            Write::Delete => None,
            Write::Put(record) => Some(record),
        };
        self.changed = true;
        let key = key.as_bytes();
        self.with(|open| {
            if let Some(expires) = old.and_then(Record::expires) {
                open.expiry.remove(expiry_key(expires, RECORD, key).as_slice())?;
                open.blobs.remove(key)?;
            }
            let Some(record) = new else {
                open.records.remove(key)?;
                return Ok(());
            };
            let mut body = Body::Inline;
            if let State::Completed { result, expires, .. } = &record.state {
                open.expiry.insert(expiry_key(*expires, RECORD, key).as_slice(), ())?;
                if result.bytes.len() > inline {
                    open.blobs.insert(key, &*result.bytes)?;
                    body = Body::Blob(BlobRef::to(&result.bytes));
                }
            }
            open.records.insert(key, codec::encode(key, &record, &body).as_slice())?;
            Ok(())
        })
    }

    pub(super) fn mark(&mut self, key: &StoreKey) -> Result<Option<MarkRecord>> {
        let key = key.as_bytes();
        let bytes = self.with(|open| Ok(open.marks.get(key)?.map(|b| b.value().to_vec())))?;
        let Some(bytes) = bytes else { return Ok(None) };
        codec::decode_mark(key, &bytes).map(Some).map_err(|reason| corrupt(key, reason))
    }

    pub(super) fn write_mark(
        &mut self,
        key: &StoreKey,
        old: Option<&MarkRecord>,
        write: Write<MarkRecord>,
    ) -> Result<()> {
        if write == Write::Keep {
            return Ok(());
        }
        self.changed = true;
        let key = key.as_bytes();
        self.with(|open| {
            if let Some(old) = old {
                open.expiry.remove(expiry_key(old.expires, MARK, key).as_slice())?;
            }
            if let Write::Put(mark) = write {
                open.expiry.insert(expiry_key(mark.expires, MARK, key).as_slice(), ())?;
                open.marks.insert(key, codec::encode_mark(key, &mark).as_slice())?;
            } else {
                open.marks.remove(key)?;
            }
            Ok(())
        })
    }

    /// Deletes what is recorded of a key without reading it.
    pub(super) fn forget(&mut self, key: &StoreKey) -> Result<()> {
        self.changed = true;
        let key = key.as_bytes();
        self.with(|open| {
            open.records.remove(key)?;
            open.blobs.remove(key)?;
            Ok(())
        })
    }

    /// Deletes up to `limit` entries whose time is over.
    pub(super) fn sweep(&mut self, limit: usize, now: Timestamp) -> Result<Swept> {
        let swept = self.with(|open| {
            let end = expiry_key(now, u8::MAX, &[]);
            let due: Vec<Vec<u8>> = open
                .expiry
                .range(..=end.as_slice())?
                .take(limit)
                .map(|entry| entry.map(|(key, _)| key.value().to_vec()))
                .collect::<Result<_, _>>()?;
            let mut swept = Swept { entries: due.len(), removed: 0 };
            for entry in &due {
                open.expiry.remove(entry.as_slice())?;
                let Some((&kind, key)) = entry.get(8..).and_then(|rest| rest.split_first()) else {
                    continue;
                };
                swept.removed += usize::from(if kind == MARK {
                    open.remove_mark(key, now)?
                } else {
                    open.remove_record(key, now)?
                });
            }
            Ok(swept)
        })?;
        self.changed |= swept.entries > 0;
        Ok(swept)
    }
}

impl Open<'_> {
    /// Removes a record that is over; one that cannot be read stays, to be reported to whoever claims it.
    fn remove_record(&mut self, key: &[u8], now: Timestamp) -> Result<bool, redb::Error> {
        let over = self
            .records
            .get(key)?
            .and_then(|bytes| codec::decode(key, bytes.value()).ok())
            .is_some_and(|(record, _)| record.has_expired(now));
        if over {
            self.records.remove(key)?;
            self.blobs.remove(key)?;
        }
        Ok(over)
    }

    fn remove_mark(&mut self, key: &[u8], now: Timestamp) -> Result<bool, redb::Error> {
        let over = self
            .marks
            .get(key)?
            .and_then(|bytes| codec::decode_mark(key, bytes.value()).ok())
            .is_some_and(|mark| mark.expires.has_come(now));
        if over {
            self.marks.remove(key)?;
        }
        Ok(over)
    }
}
