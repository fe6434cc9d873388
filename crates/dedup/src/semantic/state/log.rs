//! An append-only file of checked frames: what was acknowledged is read again, what was cut off is dropped.
//!
//! The file begins with a line that names the format and its version. Each frame is its length (8 bytes, little-endian), the
//! first 16 bytes of the Blake2s digest of its payload, and the payload: the length of a JSON text (8 bytes), the JSON, and f32
//! values. A frame counts when it is on the disk whole; a frame that the end of the file cuts was never acknowledged.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use blake2::{Blake2s256, Digest};

use crate::error::{Error, Result};

/// First line of the file. A later format has another number.
const FORMAT: &[u8] = b"samecall dedup state 1\n";
/// What the first line begins with in every version.
const FORMAT_FAMILY: &[u8] = b"samecall dedup state ";
const SUM: usize = 16;
/// Longest frame that is believed: a length beyond it is damage.
const MAX_FRAME: u64 = 1 << 36;

/// One frame: JSON, and the values that go with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Frame {
    pub(super) json: Vec<u8>,
    pub(super) values: Vec<f32>,
}

/// The open file, positioned at its end.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    path: PathBuf,
    /// Bytes that are whole frames.
    end: u64,
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
    move |source| Error::Io { what: path.display().to_string(), source }
}

impl Log {
    /// Writes a new file of these frames beside the old one and puts it in its place: the old one holds until then.
    pub(super) fn create(folder: &Path, frames: &[Frame]) -> Result<Self> {
        let path = folder.join("log");
        let fresh = folder.join("log.new");
        let fail = io_error(&fresh);
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(&fresh)
            .map_err(&fail)?;
        file.write_all(FORMAT).map_err(&fail)?;
        for frame in frames {
            file.write_all(&encode(frame)).map_err(&fail)?;
        }
        file.sync_all().map_err(&fail)?;
        let end = file.stream_position().map_err(&fail)?;
        fs::rename(&fresh, &path).map_err(&fail)?;
        sync_folder(folder)?;
        Ok(Self { file, path, end })
    }

    /// Opens the file and reads its frames. A last frame that is cut is removed; `true` says so.
    pub(super) fn open(folder: &Path) -> Result<(Self, Vec<Frame>, bool)> {
        let path = folder.join("log");
        let fail = io_error(&path);
        let state = |reason: String| Error::State { folder: folder.display().to_string(), reason };
        let mut file = OpenOptions::new().read(true).write(true).open(&path).map_err(&fail)?;
        let size = file.metadata().map_err(&fail)?.len();
        let mut reader = BufReader::with_capacity(1 << 20, &mut file);
        let mut first = vec![0; FORMAT.len()];
        let known = reader.read_exact(&mut first).is_ok();
        if !known || first != FORMAT {
            return Err(state(if known && first.starts_with(FORMAT_FAMILY) {
                "written by another version of samecall; use that version, or begin anew".into()
            } else {
                "the file `log` is no state of samecall; give another folder".into()
            }));
        }
        let (mut frames, mut at) = (Vec::new(), FORMAT.len() as u64);
        let cut = loop {
            if at == size {
                break false;
            }
            match read_frame(&mut reader, size - at).map_err(&fail)? {
                Part::Whole(frame, bytes) => {
                    frames.push(frame);
                    at += bytes;
                }
                Part::Cut => break true,
                Part::Damaged => {
                    return Err(state(format!(
                        "damaged at byte {at} of `log`, before its end; restore the folder from a copy"
                    )));
                }
            }
        };
        drop(reader);
        if cut {
            file.set_len(at).map_err(&fail)?;
            file.sync_all().map_err(&fail)?;
        }
        file.seek(SeekFrom::Start(at)).map_err(&fail)?;
        Ok((Self { file, path: path.clone(), end: at }, frames, cut))
    }

    /// Appends a frame. When this returns, the frame is on the disk.
    pub(super) fn append(&mut self, frame: &Frame) -> Result<()> {
        let bytes = encode(frame);
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        if let Err(source) = written {
            // What was half written must not stand before a later frame.
            let _ = self.file.set_len(self.end);
            let _ = self.file.seek(SeekFrom::Start(self.end));
            return Err(Error::Io { what: self.path.display().to_string(), source });
        }
        self.end += bytes.len() as u64;
        Ok(())
    }
}

/// The name of a new file is durable only when its folder is.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    #[cfg(unix)]
    File::open(folder).and_then(|file| file.sync_all()).map_err(io_error(folder))?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

fn sum(payload: &[u8]) -> [u8; SUM] {
    let digest = Blake2s256::digest(payload);
    let mut out = [0; SUM];
    out.copy_from_slice(&digest[..SUM]);
    out
}

fn encode(frame: &Frame) -> Vec<u8> {
    let size = 8 + frame.json.len() + 4 * frame.values.len();
    let mut payload = Vec::with_capacity(size);
    payload.extend((frame.json.len() as u64).to_le_bytes());
    payload.extend(&frame.json);
    for value in &frame.values {
        payload.extend(value.to_le_bytes());
    }
    let mut out = Vec::with_capacity(8 + SUM + size);
    out.extend((size as u64).to_le_bytes());
    out.extend(sum(&payload));
    out.extend(payload);
    out
}

enum Part {
    Whole(Frame, u64),
    Cut,
    Damaged,
}

/// Reads a frame of which `left` bytes remain in the file.
fn read_frame(input: &mut impl Read, left: u64) -> io::Result<Part> {
    let head = 8 + SUM as u64;
    if left < head {
        return Ok(Part::Cut);
    }
    let (mut size, mut wanted) = ([0; 8], [0; SUM]);
    input.read_exact(&mut size)?;
    input.read_exact(&mut wanted)?;
    let size = u64::from_le_bytes(size);
    if size > MAX_FRAME {
        return Ok(Part::Damaged);
    }
    if size > left - head {
        return Ok(Part::Cut);
    }
    let mut payload = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
    input.read_exact(&mut payload)?;
    let whole = sum(&payload) == wanted;
    let last = size == left - head;
    if !whole {
        // A crash can leave the length of a last frame on the disk before its bytes, or of the file before any of them.
        let cut = last || (size == 0 && wanted == [0; SUM] && rest_is_zero(input)?);
        return Ok(if cut { Part::Cut } else { Part::Damaged });
    }
    let Some(frame) = decode(&payload) else { return Ok(Part::Damaged) };
    Ok(Part::Whole(frame, head + size))
}

fn rest_is_zero(input: &mut impl Read) -> io::Result<bool> {
    let mut block = [0; 1 << 12];
    loop {
        match input.read(&mut block)? {
            0 => return Ok(true),
            count if block[..count].iter().any(|byte| *byte != 0) => return Ok(false),
            _ => {}
        }
    }
}

fn decode(payload: &[u8]) -> Option<Frame> {
    let (length, rest) = payload.split_at_checked(8)?;
    let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
    let (json, values) = rest.split_at_checked(length)?;
    if values.len() % 4 != 0 {
        return None;
    }
    let values =
        values.chunks_exact(4).map(|raw| f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]));
    Some(Frame { json: json.to_vec(), values: values.collect() })
}

/// One process at a time has a folder open.
pub(super) fn lock(folder: &Path) -> Result<File> {
    let path = folder.join("lock");
    let fail = |source| Error::Io { what: path.display().to_string(), source };
    let file = File::create(&path).map_err(fail)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::State {
            folder: folder.display().to_string(),
            reason: "another process has it open; wait for it to end".into(),
        }),
        Err(TryLockError::Error(source)) => Err(fail(source)),
    }
}

/// A record as a frame.
pub(super) fn frame(record: &impl serde::Serialize, values: Vec<f32>) -> Result<Frame> {
    let json = serde_json::to_vec(record)
        .map_err(|error| Error::Io { what: "state record".into(), source: error.into() })?;
    Ok(Frame { json, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str, values: &[f32]) -> Frame {
        Frame { json: text.as_bytes().to_vec(), values: values.to_vec() }
    }

    #[test]
    fn a_cut_last_frame_is_dropped_at_every_length_and_the_rest_holds() {
        let folder = tempfile::tempdir().unwrap();
        let frames = [frame("{\"a\": 1}", &[1.0, 2.0]), frame("{}", &[])];
        let mut log = Log::create(folder.path(), &frames).unwrap();
        log.append(&frame("{\"b\": 2}", &[3.0])).unwrap();
        let whole = fs::read(folder.path().join("log")).unwrap();
        let last = whole.len() - encode(&frame("{\"b\": 2}", &[3.0])).len();
        // Cut at every length; or as long as it was to be, or not, and zeros from there on.
        let cuts = (last..whole.len()).map(|cut| whole[..cut].to_vec());
        let zeros = (1..200).map(|more| [&whole[..last], &vec![0; more]].concat());
        for bytes in cuts.chain(zeros) {
            let cut = bytes.len();
            fs::write(folder.path().join("log"), bytes).unwrap();
            let (mut log, read, dropped) = Log::open(folder.path()).unwrap();
            assert_eq!(read, frames);
            assert_eq!(dropped, cut != last);
            log.append(&frame("{\"c\": 3}", &[])).unwrap();
            let (_, read, dropped) = Log::open(folder.path()).unwrap();
            assert_eq!((read.len(), dropped), (3, false));
        }
    }

    #[test]
    fn damage_before_the_end_is_an_error_and_never_a_guess() {
        let folder = tempfile::tempdir().unwrap();
        let frames = [frame("{\"a\": 1}", &[1.0, 2.0]), frame("{}", &[])];
        Log::create(folder.path(), &frames).unwrap();
        let path = folder.path().join("log");
        let whole = fs::read(&path).unwrap();
        let mut damaged = whole.clone();
        damaged[FORMAT.len() + 30] ^= 1;
        fs::write(&path, &damaged).unwrap();
        assert!(Log::open(folder.path()).unwrap_err().to_string().contains("damaged at byte"));
        damaged = [&whole[..], &[0; 100], &whole[FORMAT.len()..]].concat();
        fs::write(&path, &damaged).unwrap();
        assert!(Log::open(folder.path()).unwrap_err().to_string().contains("damaged at byte"));
        fs::write(&path, b"samecall dedup state 9\n").unwrap();
        assert!(Log::open(folder.path()).unwrap_err().to_string().contains("another version"));
        fs::write(&path, b"something else").unwrap();
        assert!(Log::open(folder.path()).unwrap_err().to_string().contains("no state"));
    }
}
