//! Deduplication as chunks come and go: a folder that holds vectors, pairs with their verdicts, and settings.
//!
//! Each change compares the new chunks with all that are there, appends one frame to the log and is acknowledged when
//! that frame is on the disk. Groups are computed from all pairs, so they are those of a full run over the same chunks,
//! whatever the order in which they came.

mod drift;
mod log;
mod record;
mod settings;
#[cfg(test)]
mod tests;

pub use drift::{ClusterDrift, Drift, Status};
pub use settings::Settings;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::chunks::{Chunk, Chunks, Span};
use super::cluster::View;
use super::graph::{self, Progress, Search};
use super::judge::Judge;
use super::model::{Fingerprint, SAME_TEXT};
use super::options::Options;
use super::run::{Groups, Judged, Outcome, by_id, in_pairs, judge_pairs};
use super::vectors::Vectors;
use crate::error::{Error, Result};
use log::{Log, frame, lock};
use record::{Record, StoredPair, record};

/// What a change did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Chunks that came.
    pub added: usize,
    /// Chunks that went.
    pub removed: usize,
    /// New pairs above the threshold.
    pub pairs: usize,
}

/// An open state. One process at a time has it open.
#[derive(Debug)]
pub struct State {
    folder: PathBuf,
    settings: Settings,
    options: Options,
    fingerprint: Option<Fingerprint>,
    log: Log,
    /// Every chunk that ever came, by slot; `None` for those that went.
    slots: Vec<Option<Chunk>>,
    by_id: BTreeMap<String, usize>,
    vectors: Vectors,
    pairs: Vec<StoredPair>,
    baseline: BTreeMap<String, Vec<f32>>,
    /// Whether a change that was never acknowledged was dropped on opening.
    dropped: bool,
    _lock: File,
}

impl State {
    /// Opens the state in a folder, or begins one there with these settings. An existing state keeps its own settings.
    ///
    /// # Errors
    /// [`Error::State`] when another process has it open or the folder holds something else; [`Error::Io`].
    pub fn open_or_create(folder: &Path, settings: &Settings) -> Result<Self> {
        if folder.join("log").exists() {
            return Self::open(folder);
        }
        // A state that nothing could be added to must not come into being.
        graph::check_threshold(settings.options()?.threshold)?;
        let fail = |source| Error::Io { what: folder.display().to_string(), source };
        fs::create_dir_all(folder).map_err(fail)?;
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        log::sync_folder(parent.unwrap_or(Path::new(".")))?;
        let lock = lock(folder)?;
        // Another process may have begun one between the first look and the lock.
        if folder.join("log").exists() {
            return Self::open_locked(folder, lock);
        }
        let record = Record::Settings { settings: settings.clone(), fingerprint: None };
        let log = Log::create(folder, &[frame(&record, Vec::new())?])?;
        Self::with(folder, settings.clone(), None, log, lock)
    }

    /// Opens the state in a folder.
    ///
    /// # Errors
    /// [`Error::State`] when there is none, it is damaged, or another process has it open; [`Error::Io`].
    pub fn open(folder: &Path) -> Result<Self> {
        let wrong = |reason: &str| Error::State {
            folder: folder.display().to_string(),
            reason: reason.into(),
        };
        if !folder.join("log").exists() {
            return Err(wrong("there is none; `dedup add` begins one"));
        }
        let lock = lock(folder)?;
        Self::open_locked(folder, lock)
    }

    fn open_locked(folder: &Path, lock: File) -> Result<Self> {
        let wrong = |reason: &str| Error::State {
            folder: folder.display().to_string(),
            reason: reason.into(),
        };
        let (log, frames, dropped) = Log::open(folder)?;
        let mut frames = frames.into_iter();
        let first = frames.next().ok_or_else(|| wrong("its log is empty"))?;
        let Record::Settings { settings, fingerprint } = record(&first, &wrong)? else {
            return Err(wrong("its log does not begin with settings"));
        };
        let mut state = Self::with(folder, settings, fingerprint, log, lock)?;
        state.dropped = dropped;
        for frame in frames {
            match record(&frame, &wrong)? {
                Record::Settings { .. } => return Err(wrong("its log holds settings twice")),
                Record::Change { fingerprint, remove, add, pairs } => {
                    let rows = match add.is_empty() {
                        true => Vectors::new(fingerprint.dimension),
                        false => Vectors::from_stored(
                            fingerprint.dimension,
                            frame.values,
                            fingerprint.normalised,
                        )
                        .filter(|rows| rows.len() == add.len())
                        .ok_or_else(|| wrong("a change lacks vectors"))?,
                    };
                    state.apply(&fingerprint, &remove, add, &rows, pairs)?;
                }
                Record::Baseline { canonicals } => {
                    let width = state.vectors.dimension().max(1);
                    let rows = frame.values.chunks_exact(width).map(<[f32]>::to_vec);
                    state.baseline = canonicals.into_iter().zip(rows).collect();
                }
            }
        }
        Ok(state)
    }

    fn with(
        folder: &Path,
        settings: Settings,
        fingerprint: Option<Fingerprint>,
        log: Log,
        lock: File,
    ) -> Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            options: settings.options()?,
            settings,
            fingerprint,
            log,
            slots: Vec::new(),
            by_id: BTreeMap::new(),
            vectors: Vectors::new(0),
            pairs: Vec::new(),
            baseline: BTreeMap::new(),
            dropped: false,
            _lock: lock,
        })
    }

    /// Chunks that are there.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether no chunk is there.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The model of the vectors, once some came.
    pub fn fingerprint(&self) -> Option<&Fingerprint> {
        self.fingerprint.as_ref()
    }

    /// Whether a change that was cut off before it was acknowledged was dropped on opening.
    pub fn dropped_unacknowledged(&self) -> bool {
        self.dropped
    }

    /// Takes in new chunks.
    ///
    /// # Errors
    /// [`Error::Model`] for vectors of another model: another fingerprint, or another vector for a text that is there;
    /// [`Error::State`] for an id that is there already.
    pub fn add(
        &mut self,
        new: &Chunks,
        fingerprint: &Fingerprint,
        progress: Progress<'_>,
    ) -> Result<Changed> {
        if let Some(chunk) = new.chunks.iter().find(|chunk| self.by_id.contains_key(&chunk.id)) {
            return Err(self.wrong(&format!(
                "a chunk of the id {} is there; use `dedup update`, or remove it first",
                chunk.id_json()
            )));
        }
        self.change(&[], new, fingerprint, progress)
    }

    /// Replaces chunks by others of the same ids, and takes in those that are new: one change.
    ///
    /// # Errors
    /// As [`State::add`], but for ids that are there.
    pub fn update(
        &mut self,
        new: &Chunks,
        fingerprint: &Fingerprint,
        progress: Progress<'_>,
    ) -> Result<Changed> {
        let known: Vec<String> = new
            .chunks
            .iter()
            .filter(|chunk| self.by_id.contains_key(&chunk.id))
            .map(|chunk| chunk.id.clone())
            .collect();
        self.change(&known, new, fingerprint, progress)
    }

    /// Takes out chunks; what they stood for is grouped anew.
    ///
    /// # Errors
    /// [`Error::UnknownId`] for one that is not there; then nothing is removed.
    pub fn remove(&mut self, ids: &[String]) -> Result<Changed> {
        if let Some(id) = ids.iter().find(|id| !self.by_id.contains_key(*id)) {
            return Err(Error::UnknownId { id: id.clone() });
        }
        let Some(fingerprint) = self.fingerprint.clone() else { return Ok(Changed::default()) };
        let ids: BTreeSet<&String> = ids.iter().collect();
        let ids: Vec<String> = ids.into_iter().cloned().collect();
        self.change(&ids, &Chunks::default(), &fingerprint, &|_, _| {})
    }

    fn change(
        &mut self,
        remove: &[String],
        new: &Chunks,
        fingerprint: &Fingerprint,
        progress: Progress<'_>,
    ) -> Result<Changed> {
        if new.chunks.is_empty() && remove.is_empty() {
            return Ok(Changed::default());
        }
        if !new.chunks.is_empty() {
            if let Some(known) = &self.fingerprint {
                known.accepts(fingerprint)?;
            }
            self.check_same_texts(new)?;
        }
        let pairs = match new.chunks.is_empty() {
            true => Vec::new(),
            false => self.new_pairs(remove, new, progress)?,
        };
        let record = Record::Change {
            fingerprint: fingerprint.clone(),
            remove: remove.to_vec(),
            add: new.chunks.clone(),
            pairs: pairs.clone(),
        };
        self.log.append(&frame(&record, new.vectors.data().to_vec())?)?;
        let changed =
            Changed { added: new.chunks.len(), removed: remove.len(), pairs: pairs.len() };
        self.apply(fingerprint, remove, new.chunks.clone(), &new.vectors, pairs)?;
        if self.baseline.is_empty() {
            self.set_baseline()?;
        }
        Ok(changed)
    }

    /// One text has one vector in one model: another vector for a text that is there tells another model.
    fn check_same_texts(&self, new: &Chunks) -> Result<()> {
        let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
        for (slot, chunk) in self.slots.iter().enumerate() {
            if let Some(chunk) = chunk {
                texts.entry(&chunk.text).or_insert(slot);
            }
        }
        for (at, chunk) in new.chunks.iter().enumerate() {
            if let Some(&slot) = texts.get(chunk.text.as_str()) {
                let cosine = super::vectors::dot(self.vectors.row(slot), new.vectors.row(at));
                if cosine < f64::from(SAME_TEXT) {
                    return Err(Error::Model {
                        reason: format!(
                            "a text that is there came with another vector (cosine {cosine:.3})"
                        ),
                    });
                }
            }
        }
        Ok(())
    }

    /// The pairs of new chunks with each other and with those that are there and stay.
    fn new_pairs(
        &mut self,
        remove: &[String],
        new: &Chunks,
        progress: Progress<'_>,
    ) -> Result<Vec<StoredPair>> {
        let from = self.slots.len();
        self.vectors.append(&new.vectors)?;
        let found =
            graph::search(&self.vectors, self.settings.threshold, from, Search::Plain, progress);
        self.vectors.truncate(from);
        let gone: BTreeSet<usize> =
            remove.iter().filter_map(|id| self.by_id.get(id)).copied().collect();
        let there =
            |slot: usize| slot >= from || (self.slots[slot].is_some() && !gone.contains(&slot));
        let pairs: Vec<(u32, u32, f32)> = found?
            .edges
            .into_iter()
            .filter(|edge| there(edge.a as usize))
            .map(|edge| (edge.a, edge.b, edge.similarity))
            .collect();
        let nothing = Chunk::default();
        let chunks: Vec<&Chunk> = self
            .slots
            .iter()
            .map(|slot| slot.as_ref().unwrap_or(&nothing))
            .chain(&new.chunks)
            .collect();
        let judge = Judge::new(chunks.clone(), &in_pairs(chunks.len(), &pairs), &self.options);
        Ok(judge_pairs(&judge, pairs)
            .into_iter()
            .map(|pair| StoredPair {
                a: pair.a,
                b: pair.b,
                similarity: pair.similarity,
                verdict: pair.verdict,
            })
            .collect())
    }

    fn apply(
        &mut self,
        fingerprint: &Fingerprint,
        remove: &[String],
        add: Vec<Chunk>,
        rows: &Vectors,
        pairs: Vec<StoredPair>,
    ) -> Result<()> {
        for id in remove {
            if let Some(slot) = self.by_id.remove(id) {
                self.slots[slot] = None;
            }
        }
        if !remove.is_empty() {
            let slots = &self.slots;
            let there = |slot: u32| slots.get(slot as usize).is_some_and(Option::is_some);
            self.pairs.retain(|pair| there(pair.a) && there(pair.b));
        }
        if !add.is_empty() {
            self.vectors.append(rows)?;
            self.fingerprint = Some(match self.fingerprint.take() {
                Some(known) => Fingerprint {
                    name: known.name.or_else(|| fingerprint.name.clone()),
                    probe: known.probe.or_else(|| fingerprint.probe.clone()),
                    ..known
                },
                None => fingerprint.clone(),
            });
        }
        for chunk in add {
            self.by_id.insert(chunk.id.clone(), self.slots.len());
            self.slots.push(Some(chunk));
        }
        self.pairs.extend(pairs);
        Ok(())
    }

    fn wrong(&self, reason: &str) -> Error {
        Error::State { folder: self.folder.display().to_string(), reason: reason.into() }
    }

    /// The chunks that are there, by id, with the slot of each.
    fn live(&self) -> (Chunks, Vec<usize>) {
        let slots: Vec<usize> = self.by_id.values().copied().collect();
        let chunks: Vec<Chunk> =
            slots.iter().filter_map(|&slot| self.slots[slot].clone()).collect();
        let spans = vec![Span { start: 0, length: 0 }; chunks.len()];
        let vectors = self.vectors.select(&slots);
        (Chunks { chunks, vectors, spans, model: None }, slots)
    }

    /// The groups of all chunks that are there: those of a full run. Positions are in the order of ids.
    pub fn outcome(&self) -> (Chunks, Outcome) {
        let (input, slots) = self.live();
        let mut place: BTreeMap<u32, u32> = BTreeMap::new();
        for (row, &slot) in slots.iter().enumerate() {
            place.insert(slot as u32, row as u32);
        }
        let mut judged: Vec<Judged> = self
            .pairs
            .iter()
            .filter_map(|pair| {
                let (a, b) = (*place.get(&pair.a)?, *place.get(&pair.b)?);
                Some(Judged {
                    a: a.min(b),
                    b: a.max(b),
                    similarity: pair.similarity,
                    verdict: pair.verdict.clone(),
                })
            })
            .collect();
        judged.sort_unstable_by_key(|pair| (pair.a, pair.b));
        let order = by_id(&input.chunks);
        let ends: Vec<(u32, u32, f32)> =
            judged.iter().map(|pair| (pair.a, pair.b, pair.similarity)).collect();
        let judge =
            Judge::new(input.chunks.iter().collect(), &in_pairs(order.len(), &ends), &self.options);
        let view = View { vectors: &input.vectors, order: &order };
        let groups = Groups::of(&judge, &judged, view, &self.options);
        let fingerprint = self.fingerprint.clone().unwrap_or(Fingerprint {
            name: None,
            dimension: 0,
            normalised: true,
            probe: None,
        });
        let outcome = groups.outcome(&input, &order, judged, &self.options, &fingerprint);
        drop(judge);
        (input, outcome)
    }

    /// How far groups have moved since the last rebuild.
    pub fn drift(&self) -> Drift {
        let (input, outcome) = self.outcome();
        drift::measure(&input, &outcome, &self.baseline, self.settings.drift_bound)
    }

    /// Compares all chunks anew and writes a log of nothing but them. Drift is measured from here on.
    ///
    /// # Errors
    /// As [`graph::search`] says; [`Error::Io`].
    pub fn rebuild(&mut self, progress: Progress<'_>) -> Result<()> {
        let (input, _) = self.live();
        let Some(fingerprint) = self.fingerprint.clone() else { return Ok(()) };
        let found =
            graph::search(&input.vectors, self.settings.threshold, 0, Search::Pruned, progress)?;
        let pairs: Vec<(u32, u32, f32)> =
            found.edges.into_iter().map(|e| (e.a, e.b, e.similarity)).collect();
        let needed = in_pairs(input.chunks.len(), &pairs);
        let judge = Judge::new(input.chunks.iter().collect(), &needed, &self.options);
        let pairs: Vec<StoredPair> = judge_pairs(&judge, pairs)
            .into_iter()
            .map(|p| StoredPair { a: p.a, b: p.b, similarity: p.similarity, verdict: p.verdict })
            .collect();
        drop(judge);
        let settings = Record::Settings {
            settings: self.settings.clone(),
            fingerprint: Some(fingerprint.clone()),
        };
        let change = Record::Change {
            fingerprint: fingerprint.clone(),
            remove: Vec::new(),
            add: input.chunks.clone(),
            pairs: pairs.clone(),
        };
        let frames =
            [frame(&settings, Vec::new())?, frame(&change, input.vectors.data().to_vec())?];
        self.log = Log::create(&self.folder, &frames)?;
        self.slots.clear();
        self.by_id.clear();
        self.pairs.clear();
        self.baseline.clear();
        self.vectors = Vectors::new(input.vectors.dimension());
        self.apply(&fingerprint, &[], input.chunks, &input.vectors, pairs)?;
        self.set_baseline()
    }

    fn set_baseline(&mut self) -> Result<()> {
        let (input, outcome) = self.outcome();
        let centroids = drift::centroids(&input, &outcome);
        let record = Record::Baseline { canonicals: centroids.keys().cloned().collect() };
        let values = centroids.values().flatten().copied().collect();
        self.log.append(&frame(&record, values)?)?;
        self.baseline = centroids;
        Ok(())
    }
}
