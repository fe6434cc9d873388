//! Where pairs come from: files of JSON lines, or anything that hands out batches, such as a generator.
//!
//! A source hands out batches one after another and cheaply; a batch makes its pairs on whichever thread
//! has time. So reading is serial, and parsing and generating are not.

use crate::error::Result;
use samecall_call::{Error as InputError, LineReader, Pair, parse_record};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Lines in one batch of a file.
const BATCH_LINES: usize = 1024;
/// Bytes after which a batch of a file is full.
const BATCH_BYTES: usize = 1 << 20;

/// A stream of pairs, cut into batches of some thousand.
pub trait PairSource: Send {
    /// What to call it in messages and in the result.
    fn name(&self) -> &str;

    /// The next batch, none at the end.
    ///
    /// # Errors
    /// When the source cannot go on.
    fn next_batch(&mut self) -> Result<Option<Box<dyn Batch>>>;

    /// SHA-256 in lower hex of all bytes read, once the end is reached; none for a generator.
    fn digest(&self) -> Option<String> {
        None
    }
}

/// Some pairs that are yet to be parsed or made.
pub trait Batch: Send {
    /// Hands over every pair in order, or why a record is none. Must not depend on the thread.
    fn for_each(self: Box<Self>, each: &mut dyn FnMut(Result<Pair, InputError>));

    /// Bytes of input behind the batch, for progress.
    fn bytes(&self) -> u64 {
        0
    }
}

/// A file of pairs, one JSON object a line.
pub struct FileSource {
    reader: LineReader,
    hasher: Arc<Mutex<Sha256>>,
    ended: bool,
}

impl FileSource {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::new("standard input", io::stdin()));
        }
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Self::new(name, file)),
            Err(source) => Err(InputError::Io { file: name, source }.into()),
        }
    }

    /// Reads pairs from any reader; `name` stands for it in messages.
    pub fn new(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        let hasher = Arc::new(Mutex::new(Sha256::new()));
        let reader = Hashing { reader, hasher: Arc::clone(&hasher) };
        let reader = LineReader::new(name, BufReader::with_capacity(1 << 18, reader));
        FileSource { reader, hasher, ended: false }
    }
}

impl PairSource for FileSource {
    fn name(&self) -> &str {
        self.reader.name()
    }

    fn next_batch(&mut self) -> Result<Option<Box<dyn Batch>>> {
        let mut batch =
            Lines { name: self.reader.name().into(), text: String::new(), lines: Vec::new() };
        while !self.ended && batch.lines.len() < BATCH_LINES && batch.text.len() < BATCH_BYTES {
            match self.reader.next_line() {
                Ok(Some((number, line))) => {
                    let start = batch.text.len();
                    batch.text.push_str(line);
                    batch.lines.push(Ok((number, start..batch.text.len())));
                }
                Ok(None) => self.ended = true,
                // One line is bad; reading may go on.
                Err(error @ InputError::Line { .. }) => batch.lines.push(Err(error)),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(if batch.lines.is_empty() { None } else { Some(Box::new(batch)) })
    }

    fn digest(&self) -> Option<String> {
        let hasher = self.hasher.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Some(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// A reader that hashes what passes through.
struct Hashing<R> {
    reader: R,
    hasher: Arc<Mutex<Sha256>>,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.hasher.lock().unwrap_or_else(PoisonError::into_inner).update(&buffer[..n]);
        Ok(n)
    }
}

struct Lines {
    name: String,
    text: String,
    lines: Vec<Result<(u64, Range<usize>), InputError>>,
}

impl Batch for Lines {
    fn for_each(self: Box<Self>, each: &mut dyn FnMut(Result<Pair, InputError>)) {
        let Lines { name, text, lines } = *self;
        for line in lines {
            each(line.and_then(|(number, range)| {
                parse_record(&text[range], Pair::from_value)
                    .map_err(|reason| InputError::line(&name, number, reason))
            }));
        }
    }

    fn bytes(&self) -> u64 {
        (self.text.len() + self.lines.len()) as u64
    }
}

/// Pairs made by an iterator, cut into batches. The iterator runs on one thread; a generator that can
/// make any batch from its number should implement [`PairSource`] itself.
pub struct IterSource<I> {
    name: String,
    pairs: I,
    batch: usize,
}

impl<I: Iterator<Item = Pair> + Send> IterSource<I> {
    /// A source of the pairs of an iterator; `name` stands for it in messages and in the result.
    pub fn new(name: impl Into<String>, pairs: impl IntoIterator<IntoIter = I>) -> Self {
        IterSource { name: name.into(), pairs: pairs.into_iter(), batch: BATCH_LINES }
    }

    /// The same source cut into batches of at most `pairs` pairs; at least one.
    pub fn in_batches_of(self, pairs: usize) -> Self {
        IterSource { batch: pairs.max(1), ..self }
    }
}

impl<I: Iterator<Item = Pair> + Send> PairSource for IterSource<I> {
    fn name(&self) -> &str {
        &self.name
    }

    fn next_batch(&mut self) -> Result<Option<Box<dyn Batch>>> {
        let batch: Vec<Pair> = self.pairs.by_ref().take(self.batch).collect();
        Ok(if batch.is_empty() { None } else { Some(Box::new(batch)) })
    }
}

impl Batch for Vec<Pair> {
    fn for_each(self: Box<Self>, each: &mut dyn FnMut(Result<Pair, InputError>)) {
        for pair in *self {
            each(Ok(pair));
        }
    }
}
