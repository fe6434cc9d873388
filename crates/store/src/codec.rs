//! Records as bytes: a version, the fields with their lengths, and a checksum over the key and all of it.
//!
//! The checksum takes in the key, so that neither a flipped bit nor a record found under another key is ever replayed.

use sha2::{Digest as _, Sha256};

use crate::key::{Bytes, Digest, Fence};
use crate::record::{MarkRecord, Record, Recorded, State};
use crate::time::Timestamp;

/// The version that every record begins with.
const VERSION: u8 = 1;
/// Bytes of SHA-256 at the end of a record: a damaged one passes once in 2^64.
const CHECKSUM: usize = 8;

/// Where the bytes of a completed record's result are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// In the record.
    Inline,
    /// Beside it.
    Blob(BlobRef),
}

/// A result beside its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlobRef {
    /// Its length in bytes.
    pub length: u64,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
}

impl BlobRef {
    /// What refers to these bytes.
    pub fn to(bytes: &[u8]) -> Self {
        BlobRef { length: bytes.len() as u64, sha256: Sha256::digest(bytes).into() }
    }

    /// Whether these are the bytes that were meant.
    pub fn fits(&self, bytes: &[u8]) -> bool {
        *self == Self::to(bytes)
    }
}

/// The bytes of a record under a key. With [`Body::Blob`] the result's bytes are left out.
pub fn encode(key: &[u8], record: &Record, body: &Body) -> Vec<u8> {
    let mut out = Writer(Vec::with_capacity(128 + record.spelling.len()));
    out.0.push(VERSION);
    out.0.extend_from_slice(&record.fingerprint.0);
    match record.payload {
        None => out.0.push(0),
        Some(payload) => {
            out.0.push(1);
            out.0.extend_from_slice(&payload.0);
        }
    }
    out.bytes(&record.spelling);
    out.bytes(record.owner.as_bytes());
    out.0.extend_from_slice(&record.fence.0.to_be_bytes());
    out.time(record.claimed_at);
    match &record.state {
        State::Claimed { until } => {
            out.0.push(0);
            out.time(*until);
        }
        State::Unknown { since } => {
            out.0.push(1);
            out.time(*since);
        }
        State::Completed { result, at, expires } => {
            out.0.push(2);
            out.time(*at);
            out.time(*expires);
            out.0.push(u8::from(result.error));
            match body {
                Body::Inline => {
                    out.0.push(0);
                    out.bytes(&result.bytes);
                }
                Body::Blob(blob) => {
                    out.0.push(1);
                    out.0.extend_from_slice(&blob.length.to_be_bytes());
                    out.0.extend_from_slice(&blob.sha256);
                }
            }
        }
    }
    out.seal(key)
}

/// Reads a record back, and where its result's bytes are (with a blob, the record's own are empty).
///
/// # Errors
/// What is wrong with the bytes.
pub fn decode(key: &[u8], bytes: &[u8]) -> Result<(Record, Body), &'static str> {
    let mut input = Reader::unsealed(key, bytes)?;
    let fingerprint = Digest(input.array()?);
    let payload = match input.byte()? {
        0 => None,
        1 => Some(Digest(input.array()?)),
        _ => return Err("payload flag"),
    };
    let spelling = input.bytes()?.into();
    let owner = std::str::from_utf8(input.bytes()?).map_err(|_| "owner is no UTF-8")?.into();
    let fence = Fence(u128::from_be_bytes(input.array()?));
    let claimed_at = input.time()?;
    let mut body = Body::Inline;
    let state = match input.byte()? {
        0 => State::Claimed { until: input.time()? },
        1 => State::Unknown { since: input.time()? },
        2 => {
            let (at, expires) = (input.time()?, input.time()?);
            let error = match input.byte()? {
                0 => false,
                1 => true,
                _ => return Err("error flag"),
            };
            let bytes: Bytes = match input.byte()? {
                0 => input.bytes()?.into(),
                1 => {
                    let length = u64::from_be_bytes(input.array()?);
                    body = Body::Blob(BlobRef { length, sha256: input.array()? });
                    Bytes::from([])
                }
                _ => return Err("body flag"),
            };
            State::Completed { result: Recorded { bytes, error }, at, expires }
        }
        _ => return Err("state"),
    };
    input.end()?;
    Ok((Record { fingerprint, payload, spelling, owner, fence, claimed_at, state }, body))
}

/// The bytes of a mark under a key.
pub fn encode_mark(key: &[u8], mark: &MarkRecord) -> Vec<u8> {
    let mut out = Writer(vec![VERSION]);
    out.0.extend_from_slice(&mark.value.0);
    out.time(mark.at);
    out.time(mark.expires);
    out.seal(key)
}

/// Reads a mark back.
///
/// # Errors
/// What is wrong with the bytes.
pub fn decode_mark(key: &[u8], bytes: &[u8]) -> Result<MarkRecord, &'static str> {
    let mut input = Reader::unsealed(key, bytes)?;
    let mark =
        MarkRecord { value: Digest(input.array()?), at: input.time()?, expires: input.time()? };
    input.end()?;
    Ok(mark)
}

fn checksum(key: &[u8], bytes: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = Sha256::new();
    hasher.update((key.len() as u64).to_be_bytes());
    hasher.update(key);
    hasher.update(bytes);
    let digest: [u8; 32] = hasher.finalize().into();
    let mut sum = [0; CHECKSUM];
    sum.copy_from_slice(&digest[..CHECKSUM]);
    sum
}

struct Writer(Vec<u8>);

impl Writer {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
        self.0.extend_from_slice(bytes);
    }

    fn time(&mut self, time: Timestamp) {
        self.0.extend_from_slice(&time.as_millis().to_be_bytes());
    }

    fn seal(mut self, key: &[u8]) -> Vec<u8> {
        let sum = checksum(key, &self.0);
        self.0.extend_from_slice(&sum);
        self.0
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn unsealed(key: &[u8], bytes: &'a [u8]) -> Result<Self, &'static str> {
        let at = bytes.len().checked_sub(CHECKSUM).ok_or("too short")?;
        let (content, sum) = bytes.split_at(at);
        if checksum(key, content) != sum {
            return Err("the checksum does not fit");
        }
        match content.split_first() {
            Some((&VERSION, rest)) => Ok(Reader(rest)),
            Some(_) => Err("a record of another version"),
            None => Err("too short"),
        }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], &'static str> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or("too short")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, &'static str> {
        Ok(self.array::<1>()?[0])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], &'static str> {
        self.take(N)?.try_into().map_err(|_| "too short")
    }

    fn bytes(&mut self) -> Result<&'a [u8], &'static str> {
        let length = u64::from_be_bytes(self.array()?);
        self.take(usize::try_from(length).map_err(|_| "too long")?)
    }

    fn time(&mut self) -> Result<Timestamp, &'static str> {
        Ok(Timestamp::from_millis(u64::from_be_bytes(self.array()?)))
    }

    fn end(&self) -> Result<(), &'static str> {
        if self.0.is_empty() { Ok(()) } else { Err("bytes left over") }
    }
}
