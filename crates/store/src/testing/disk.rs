//! A disk in memory that fails on demand: it runs full, tears what was not synced when the power goes, and forgets it.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use redb::StorageBackend;

/// The unit in which a disk writes: a torn write has some of its sectors and not others.
const SECTOR: usize = 512;

/// A disk, shared by the stores that are opened on it one after another.
#[derive(Debug, Clone, Default)]
pub struct Disk(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// What a program reads.
    live: Vec<u8>,
    /// What is certain to be on the disk.
    durable: Vec<u8>,
    /// Writes since the last sync, in order.
    unsynced: Vec<(u64, Vec<u8>)>,
    /// How many bytes the disk holds.
    capacity: Option<u64>,
    /// After how many more syncs the power goes.
    syncs_left: Option<u64>,
    /// How many syncs there were.
    syncs: u64,
}

impl Disk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the disk hold no more than it holds now plus `more` bytes; None lifts the limit.
    pub fn fill_up(&self, more: Option<u64>) {
        let mut state = self.state();
        state.capacity = more.map(|more| state.live.len() as u64 + more);
    }

    /// Cuts the power after so many more syncs: from then on every write fails.
    pub fn cut_power_after(&self, syncs: u64) {
        self.state().syncs_left = Some(syncs);
    }

    /// How many syncs there were.
    pub fn syncs(&self) -> u64 {
        self.state().syncs
    }

    /// The power comes back. Of what was written since the last sync each sector is there or not, as the seed has it.
    pub fn restart(&self, seed: u64) {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut state = self.state();
        let mut image = std::mem::take(&mut state.durable);
        // The length is set at once on real file systems, or not at all.
        if rng.random() && state.live.len() > image.len() {
            image.resize(state.live.len(), 0);
        }
        for (offset, data) in std::mem::take(&mut state.unsynced) {
            for (index, sector) in data.chunks(SECTOR).enumerate() {
                let at = offset as usize + index * SECTOR;
                if rng.random() && at + sector.len() <= image.len() {
                    image[at..at + sector.len()].copy_from_slice(sector);
                }
            }
        }
        state.live.clone_from(&image);
        state.durable = image;
        state.syncs_left = None;
    }

    /// The bytes as a program reads them.
    pub fn image(&self) -> Vec<u8> {
        self.state().live.clone()
    }

    /// A disk that holds these bytes.
    pub fn holding(image: Vec<u8>) -> Self {
        Disk(Arc::new(Mutex::new(State {
            durable: image.clone(),
            live: image,
            ..State::default()
        })))
    }
}

impl State {
    fn powered(&self) -> io::Result<()> {
        if self.syncs_left == Some(0) { Err(io::Error::other("the power is off")) } else { Ok(()) }
    }

    fn room_for(&self, length: u64) -> io::Result<()> {
        match self.capacity {
            Some(capacity) if length > capacity => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().live.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.state();
        let start = offset as usize;
        let bytes = state.live.get(start..start + out.len());
        out.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut state = self.state();
        state.powered()?;
        state.room_for(len)?;
        state.live.resize(len as usize, 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut state = self.state();
        state.powered()?;
        if let Some(left) = &mut state.syncs_left {
            *left -= 1;
            // The power goes in the middle of this very sync.
            state.powered()?;
        }
        state.syncs += 1;
        state.unsynced.clear();
        state.durable = state.live.clone();
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        state.powered()?;
        let (start, end) = (offset as usize, offset as usize + data.len());
        state.room_for(end as u64)?;
        if end > state.live.len() {
            state.live.resize(end, 0);
        }
        state.live[start..end].copy_from_slice(data);
        state.unsynced.push((offset, data.to_vec()));
        Ok(())
    }
}
