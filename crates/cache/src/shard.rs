//! One part of the cache under one lock: entries in the order of their last use, an index by execution and tool, and the
//! runs that are under way.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use lru::LruCache;
use samecall_call::Call;
use samecall_keyer::Key;

use crate::flight::Flight;
use crate::outcome::Outcome;
use crate::scope::Place;

/// What an entry itself takes beside its result: its place, its times, its share of the two maps. An estimate on the
/// high side, in bytes.
pub const ENTRY_BYTES: usize = 320;

/// Where a run began.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    pub(crate) iteration: Option<u64>,
    /// The call itself, where a replay wants to judge its answers.
    pub(crate) traced: Option<Arc<Traced>>,
}

/// A recorded call with the intent that its trace states.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Traced {
    pub(crate) call: Call,
    pub(crate) intent: Option<String>,
}

/// A kept outcome.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) outcome: Outcome,
    pub(crate) tool: Key,
    pub(crate) origin: Origin,
    /// When its tool had finished.
    pub(crate) born: Duration,
    /// When it is over: at that very moment it is.
    pub(crate) expires: Duration,
    /// How long its tool took, in microseconds.
    pub(crate) took: u64,
    /// How often the same call has come back empty in a row; 0 for a result that is not.
    pub(crate) empty_times: u32,
}

impl Entry {
    pub(crate) fn bytes(&self) -> usize {
        let traced = self.origin.traced.as_ref().map_or(0, |traced| {
            traced.call.arguments.len() + traced.intent.as_ref().map_or(0, String::len)
        });
        ENTRY_BYTES + self.outcome.bytes.len() + traced
    }

    fn is_over(&self, now: Duration) -> bool {
        now >= self.expires
    }
}

/// Entries that went, by cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evictions {
    /// The least recently used one, for the bound on entries.
    pub for_entries: u64,
    /// The least recently used one, for the bound on bytes.
    pub for_bytes: u64,
    /// Past its time, found by a call or on the way out.
    pub expired: u64,
    /// Out of date by a write.
    pub invalidated: u64,
    /// Of an execution that ended.
    pub ended: u64,
    /// Never kept: larger than a shard's share of the bytes.
    pub too_large: u64,
    /// Never kept: a write made it out of date while its tool ran.
    pub overtaken: u64,
}

impl Evictions {
    pub(crate) fn add(&mut self, other: &Evictions) {
        self.for_entries += other.for_entries;
        self.for_bytes += other.for_bytes;
        self.expired += other.expired;
        self.invalidated += other.invalidated;
        self.ended += other.ended;
        self.too_large += other.too_large;
        self.overtaken += other.overtaken;
    }
}

/// The share of the bounds that a shard has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) entries: usize,
    pub(crate) bytes: usize,
}

/// What a lookup finds.
pub(crate) enum Found {
    /// A kept outcome.
    Kept(Kept),
    /// A run under way.
    UnderWay(Arc<Flight>),
    /// Neither: the caller leads a new run. How often the same call came back empty before.
    Lead(Arc<Flight>, u32),
}

/// A kept outcome as a lookup sees it.
pub(crate) struct Kept {
    pub(crate) outcome: Outcome,
    pub(crate) origin: Origin,
    pub(crate) age: Duration,
    pub(crate) took: u64,
    pub(crate) empty_times: u32,
}

pub(crate) struct Shard {
    room: Room,
    entries: LruCache<Place, Entry>,
    /// Scope, tool, call of every entry.
    index: BTreeSet<(Key, Key, Key)>,
    flights: HashMap<Place, Arc<Flight>>,
    bytes: usize,
    evictions: Evictions,
}

impl Shard {
    pub(crate) fn new(room: Room) -> Self {
        Shard {
            room,
            entries: LruCache::unbounded(),
            index: BTreeSet::new(),
            flights: HashMap::new(),
            bytes: 0,
            evictions: Evictions::default(),
        }
    }

    pub(crate) fn entries(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn evictions(&self) -> Evictions {
        self.evictions
    }

    /// Finds what there is, or begins a run.
    pub(crate) fn find(
        &mut self,
        place: Place,
        now: Duration,
        begin: impl FnOnce() -> Flight,
    ) -> Found {
        let mut empty_times = 0;
        if let Some(entry) = self.entries.get_mut(&place) {
            if !entry.is_over(now) {
                if entry.empty_times > 0 {
                    entry.empty_times = entry.empty_times.saturating_add(1);
                }
                return Found::Kept(Kept {
                    outcome: entry.outcome.clone(),
                    origin: entry.origin.clone(),
                    age: now.saturating_sub(entry.born),
                    took: entry.took,
                    empty_times: entry.empty_times,
                });
            }
            empty_times = entry.empty_times;
        }
        if let Some(flight) = self.flights.get(&place) {
            return Found::UnderWay(flight.clone());
        }
        let flight = Arc::new(begin());
        self.flights.insert(place, flight.clone());
        Found::Lead(flight, empty_times)
    }

    /// Ends a run, and keeps what it gave back unless a write made that out of date meanwhile.
    pub(crate) fn land(&mut self, place: Place, flight: &Arc<Flight>, entry: Option<Entry>) {
        if !self.flights.get(&place).is_some_and(|known| Arc::ptr_eq(known, flight)) {
            self.evictions.overtaken += u64::from(entry.is_some());
            return;
        }
        self.flights.remove(&place);
        match entry {
            Some(entry) => self.insert(place, entry),
            // What was kept before is over, or this run would not have begun.
            None => {
                self.take(place);
            }
        }
    }

    /// Forgets a run whose caller panicked or was cancelled: the next one begins anew.
    pub(crate) fn abandon(&mut self, place: Place, flight: &Arc<Flight>) {
        if self.flights.get(&place).is_some_and(|known| Arc::ptr_eq(known, flight)) {
            self.flights.remove(&place);
        }
    }

    /// Keeps an entry in place of what was there.
    pub(crate) fn insert(&mut self, place: Place, entry: Entry) {
        if let Some(old) = self.take(place) {
            self.evictions.expired += u64::from(old.is_over(entry.born));
        }
        let bytes = entry.bytes();
        if bytes > self.room.bytes {
            self.evictions.too_large += 1;
            return;
        }
        // Before the entry is there, so that the bounds hold at every moment.
        while self.entries.len() >= self.room.entries {
            self.evict(entry.born, |evictions| &mut evictions.for_entries);
        }
        while self.bytes + bytes > self.room.bytes {
            self.evict(entry.born, |evictions| &mut evictions.for_bytes);
        }
        self.bytes += bytes;
        self.index.insert((place.scope, entry.tool, place.call));
        self.entries.put(place, entry);
    }

    /// Lets go of everything that is past its time.
    pub(crate) fn sweep(&mut self, now: Duration) {
        let over: Vec<Place> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.is_over(now))
            .map(|(place, _)| *place)
            .collect();
        for place in &over {
            self.take(*place);
        }
        self.evictions.expired += over.len() as u64;
    }

    fn evict(&mut self, now: Duration, cause: fn(&mut Evictions) -> &mut u64) {
        let Some((&place, entry)) = self.entries.peek_lru() else { return };
        let evictions = &mut self.evictions;
        *(if entry.is_over(now) { &mut evictions.expired } else { cause(evictions) }) += 1;
        self.take(place);
    }

    fn take(&mut self, place: Place) -> Option<Entry> {
        let entry = self.entries.pop(&place)?;
        self.bytes -= entry.bytes();
        self.index.remove(&(place.scope, entry.tool, place.call));
        Some(entry)
    }

    /// Forgets what a scope has of one tool, or of all, entries and runs; but for one run.
    pub(crate) fn invalidate(
        &mut self,
        scope: Key,
        tool: Option<Key>,
        except: Option<&Arc<Flight>>,
    ) {
        self.evictions.invalidated += self.forget(scope, tool);
        // Whoever waits for such a run asked before the write was over; whoever asks from now on begins anew.
        self.flights.retain(|place, flight| {
            place.scope != scope
                || tool.is_some_and(|tool| flight.tool != tool)
                || except.is_some_and(|own| Arc::ptr_eq(own, flight))
        });
    }

    /// Forgets a scope that ended.
    pub(crate) fn end(&mut self, scope: Key) {
        self.evictions.ended += self.forget(scope, None);
        self.flights.retain(|place, _| place.scope != scope);
    }

    pub(crate) fn entries_of(&self, scope: Key) -> u64 {
        self.index.range(range(scope, None)).count() as u64
    }

    fn forget(&mut self, scope: Key, tool: Option<Key>) -> u64 {
        let found: Vec<Key> =
            self.index.range(range(scope, tool)).map(|(_, _, call)| *call).collect();
        for call in &found {
            self.take(Place { scope, call: *call });
        }
        found.len() as u64
    }
}

/// Where the index has what a scope keeps of one tool, or of all.
fn range(scope: Key, tool: Option<Key>) -> RangeInclusive<(Key, Key, Key)> {
    let (least, most) = (Key::from_bytes([0; 16]), Key::from_bytes([0xFF; 16]));
    (scope, tool.unwrap_or(least), least)..=(scope, tool.unwrap_or(most), most)
}
