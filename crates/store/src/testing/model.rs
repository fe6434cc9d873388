//! A reference for the protocol, and random histories of many clients that a store must answer as it does.
//!
//! The reference keeps no record: it keeps the list of what happened to each key and reads it from the start for every
//! question, in bare milliseconds and claim numbers. It shares no code with the protocol that it judges.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{Fault, Harness};
use crate::answer::{Acquisition, Differs, Fenced, Finding, Lost, Resolution};
use crate::key::{Digest, Fence, StoreKey};
use crate::record::{Claim, Recorded};
use crate::store::Store;
use crate::time::{ManualClock, Timestamp};

const KEYS: usize = 3;
const CLIENTS: usize = 4;
/// Lengths in milliseconds, for leases, lives and the clock: few, so that ends are met exactly.
const LENGTHS: [u64; 6] = [0, 1, 10, 999, 1000, 5000];
/// The number of a claim that the store never gave.
const NOBODY: usize = usize::MAX;

/// What happened to a key, oldest first; times in milliseconds.
#[derive(Debug, Clone)]
enum Event {
    Claimed { claim: usize, says: Says, spelling: u8, until: u64 },
    Extended { until: u64 },
    GivenUp { at: u64 },
    Completed { result: (u8, bool), at: u64, expires: u64 },
    Freed,
    Reclaimed { claim: usize, until: u64 },
}

/// What a call says: fingerprint and payload.
type Says = (u8, Option<u8>);

/// What the reference makes of a key's events.
#[derive(Debug, Clone, PartialEq)]
enum View {
    Absent,
    Running { until: u64 },
    Unknown { since: u64 },
    Done { result: (u8, bool), at: u64 },
}

#[derive(Default)]
struct Model {
    events: BTreeMap<usize, Vec<Event>>,
    now: u64,
}

impl Model {
    fn push(&mut self, key: usize, event: Event) {
        self.events.entry(key).or_default().push(event);
    }

    fn events(&self, key: usize) -> &[Event] {
        self.events.get(&key).map_or(&[], Vec::as_slice)
    }

    fn view(&self, key: usize) -> View {
        match self.events(key).iter().rev().find(|e| !matches!(e, Event::Extended { .. })) {
            None | Some(Event::Freed) => View::Absent,
            Some(Event::GivenUp { at }) => View::Unknown { since: *at },
            Some(Event::Completed { expires, .. }) if self.now >= *expires => View::Absent,
            Some(Event::Completed { result, at, .. }) => View::Done { result: *result, at: *at },
            Some(_) => {
                // A claim runs to the latest end that it was ever given since it was made.
                let mut until = 0;
                for event in self.events(key) {
                    match event {
                        Event::Claimed { until: end, .. } | Event::Reclaimed { until: end, .. } => {
                            until = *end;
                        }
                        Event::Extended { until: end } => until = until.max(*end),
                        _ => {}
                    }
                }
                if self.now >= until {
                    View::Unknown { since: until }
                } else {
                    View::Running { until }
                }
            }
        }
    }

    /// The claim that holds a key, by its number.
    fn holder(&self, key: usize) -> usize {
        let claims = self.events(key).iter().rev().find_map(|event| match event {
            Event::Claimed { claim, .. } | Event::Reclaimed { claim, .. } => Some(*claim),
            _ => None,
        });
        claims.unwrap_or(NOBODY)
    }

    /// What the present record's first claim said, and how.
    fn first(&self, key: usize) -> (Says, u8) {
        let first = self.events(key).iter().rev().find_map(|event| match event {
            Event::Claimed { says, spelling, .. } => Some((*says, *spelling)),
            _ => None,
        });
        first.unwrap_or(((0, None), 0))
    }

    /// Why a claim by number may not act on a key; None where it may.
    fn lost(&self, key: usize, claim: usize) -> Option<Lost> {
        match self.view(key) {
            View::Absent => Some(Lost::Absent),
            _ if self.holder(key) != claim => Some(Lost::OtherFence),
            View::Done { .. } => Some(Lost::Completed),
            View::Running { .. } | View::Unknown { .. } => None,
        }
    }
}

/// How often each kind of answer came up, so that a run that exercised nothing is seen.
pub type Coverage = BTreeMap<String, usize>;

/// One random history against a store, and what it covered.
///
/// # Errors
/// The first answer that is not the reference's, with the seed and the step.
pub async fn run<H: Harness>(harness: &H, seed: u64, steps: usize) -> Result<Coverage, Fault> {
    // Times of ordinary clocks, since a store may pack them.
    let start = 1_795_996_800_000;
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(start)));
    let store = harness.fresh(clock.clone()).await?;
    let mut history = History {
        rng: Pcg64Mcg::seed_from_u64(seed),
        store,
        clock,
        model: Model { now: start, ..Model::default() },
        fences: Vec::new(),
        tickets: vec![Vec::new(); CLIENTS],
        coverage: Coverage::new(),
    };
    for step in 0..steps {
        history
            .step()
            .await
            .map_err(|Fault(why)| Fault(format!("seed {seed}, step {step}: {why}")))?;
    }
    Ok(history.coverage)
}

struct History<S> {
    rng: Pcg64Mcg,
    store: S,
    clock: Arc<ManualClock>,
    model: Model,
    /// The store's fence of each claim by number.
    fences: Vec<Fence>,
    /// The claims that each client once held, of which key: it never forgets one, so most are stale.
    tickets: Vec<Vec<(usize, usize)>>,
    coverage: Coverage,
}

impl<S: Store> History<S> {
    fn length(&mut self) -> u64 {
        LENGTHS[self.rng.random_range(0..LENGTHS.len())]
    }

    fn name(key: usize) -> StoreKey {
        StoreKey::new("model", &key.to_string())
    }

    /// One of the claims that a client once held: of late ones more often, and now and then with another key.
    fn ticket(&mut self, client: usize) -> (usize, usize) {
        let held = &self.tickets[client];
        if held.is_empty() {
            return (self.rng.random_range(0..KEYS), NOBODY);
        }
        let last = held.len() - 1;
        let index = last - self.rng.random_range(0..=last.min(3));
        let (key, claim) = held[index];
        if self.rng.random_ratio(1, 20) {
            (self.rng.random_range(0..KEYS), claim)
        } else {
            (key, claim)
        }
    }

    fn fence(&self, claim: usize) -> Fence {
        self.fences.get(claim).copied().unwrap_or(Fence(1))
    }

    fn number(&mut self, fence: Fence) -> usize {
        self.fences.push(fence);
        self.fences.len() - 1
    }

    fn judge<T: PartialEq + std::fmt::Debug>(
        &mut self,
        operation: &str,
        found: T,
        wanted: T,
    ) -> Result<(), Fault> {
        super::equal(found, wanted, operation)
    }

    fn cover(&mut self, operation: &str, answer: &str) {
        *self.coverage.entry(format!("{operation}: {answer}")).or_default() += 1;
    }

    async fn step(&mut self) -> Result<(), Fault> {
        let client = self.rng.random_range(0..CLIENTS);
        match self.rng.random_range(0..20) {
            0..7 => self.claim(client).await,
            7..11 => self.complete(client).await,
            11 => self.release(client).await,
            12..14 => self.heartbeat(client).await,
            14 => self.give_up(client).await,
            15..17 => self.resolve(client).await,
            17 => {
                // Answers do not depend on it; how much it removes is the store's business.
                self.store.sweep(10).await?;
                Ok(())
            }
            _ => {
                let length = self.length();
                self.model.now += length;
                self.clock.advance(Duration::from_millis(length));
                Ok(())
            }
        }
    }

    async fn claim(&mut self, client: usize) -> Result<(), Fault> {
        let key = self.rng.random_range(0..KEYS);
        // Mostly the same call, so that it is met again; a payload is now and then left out.
        let says = (
            u8::from(self.rng.random_ratio(1, 12)),
            if self.rng.random_ratio(1, 12) {
                None
            } else {
                Some(u8::from(self.rng.random_ratio(1, 12)))
            },
        );
        let spelling: u8 = self.rng.random();
        let lease = self.length();
        let claim = Claim {
            key: Self::name(key),
            fingerprint: Digest([says.0; 16]),
            payload: says.1.map(|payload| Digest([payload; 16])),
            spelling: vec![spelling].into(),
            owner: client.to_string().into(),
            lease: Duration::from_millis(lease),
        };
        let answer = self.store.claim(&claim).await?;
        self.cover("claim", super::suite::kind(&answer));
        let (first, first_spelling) = self.model.first(key);
        let view = self.model.view(key);
        let wanted = match &view {
            View::Absent => {
                let Acquisition::Acquired { fence } = answer else {
                    return Err(Fault(format!("claiming a free key: found {answer:?}")));
                };
                let number = self.number(fence);
                self.tickets[client].push((key, number));
                let until = self.model.now + lease;
                self.model.push(key, Event::Claimed { claim: number, says, spelling, until });
                return Ok(());
            }
            _ if first.0 != says.0 => Acquisition::Conflict { differs: Differs::Fingerprint },
            _ if first.1 != says.1 => Acquisition::Conflict { differs: Differs::Payload },
            View::Running { until } => {
                Acquisition::InFlight { until: Timestamp::from_millis(*until) }
            }
            View::Unknown { since } => Acquisition::Unknown {
                since: Timestamp::from_millis(*since),
                fence: self.fence(self.model.holder(key)),
                spelling: vec![first_spelling].into(),
            },
            View::Done { result, at } => Acquisition::Replay {
                result: recorded(*result),
                recorded_at: Timestamp::from_millis(*at),
            },
        };
        if matches!(view, View::Unknown { .. }) {
            // Whoever is told of an unknown can act on it.
            self.tickets[client].push((key, self.model.holder(key)));
        }
        self.judge("claim", answer, wanted)
    }

    async fn complete(&mut self, client: usize) -> Result<(), Fault> {
        let (key, claim) = self.ticket(client);
        let result = (self.rng.random_range(0..3), self.rng.random_ratio(1, 4));
        let ttl = self.length();
        let wanted = match (self.model.lost(key, claim), self.model.view(key)) {
            (Some(Lost::Completed), View::Done { result: kept, .. }) if kept == result => {
                Fenced::Done
            }
            (Some(lost), _) => Fenced::Lost(lost),
            (None, _) => {
                let at = self.model.now;
                self.model.push(key, Event::Completed { result, at, expires: at + ttl });
                Fenced::Done
            }
        };
        let ttl = Duration::from_millis(ttl);
        let answer = self
            .store
            .complete(&Self::name(key), self.fence(claim), &recorded(result), ttl)
            .await?;
        self.cover("complete", &format!("{answer:?}"));
        self.judge("complete", answer, wanted)
    }

    async fn release(&mut self, client: usize) -> Result<(), Fault> {
        let (key, claim) = self.ticket(client);
        let wanted = self.model.lost(key, claim).map_or(Fenced::Done, Fenced::Lost);
        if wanted == Fenced::Done {
            self.model.push(key, Event::Freed);
        }
        let answer = self.store.release(&Self::name(key), self.fence(claim)).await?;
        self.cover("release", &format!("{answer:?}"));
        self.judge("release", answer, wanted)
    }

    async fn heartbeat(&mut self, client: usize) -> Result<(), Fault> {
        let (key, claim) = self.ticket(client);
        let lease = self.length();
        let wanted = match (self.model.lost(key, claim), self.model.view(key)) {
            (Some(lost), _) => Fenced::Lost(lost),
            (None, View::Running { .. }) => {
                self.model.push(key, Event::Extended { until: self.model.now + lease });
                Fenced::Done
            }
            (None, _) => Fenced::Lost(Lost::Lapsed),
        };
        let lease = Duration::from_millis(lease);
        let answer = self.store.heartbeat(&Self::name(key), self.fence(claim), lease).await?;
        self.cover("heartbeat", &format!("{answer:?}"));
        self.judge("heartbeat", answer, wanted)
    }

    async fn give_up(&mut self, client: usize) -> Result<(), Fault> {
        let (key, claim) = self.ticket(client);
        let wanted = self.model.lost(key, claim).map_or(Fenced::Done, Fenced::Lost);
        if let (Fenced::Done, View::Running { .. }) = (wanted, self.model.view(key)) {
            self.model.push(key, Event::GivenUp { at: self.model.now });
        }
        let answer = self.store.mark_unknown(&Self::name(key), self.fence(claim)).await?;
        self.cover("give up", &format!("{answer:?}"));
        self.judge("give up", answer, wanted)
    }

    async fn resolve(&mut self, client: usize) -> Result<(), Fault> {
        let (key, claim) = self.ticket(client);
        let result = (self.rng.random_range(0..3), self.rng.random_ratio(1, 4));
        let length = self.length();
        let given = Duration::from_millis(length);
        let finding = match self.rng.random_range(0..3) {
            0 => Finding::Landed { result: recorded(result), ttl: given },
            1 => Finding::NotLanded,
            _ => Finding::RunAgain { owner: client.to_string().into(), lease: given },
        };
        let applies = self.model.lost(key, claim).is_none()
            && matches!(self.model.view(key), View::Unknown { .. });
        let answer = self.store.resolve(&Self::name(key), self.fence(claim), &finding).await?;
        let kind = if matches!(answer, Resolution::Acquired { .. }) { "acquired" } else { "other" };
        self.cover("resolve", &format!("{applies} {kind}"));
        let (at, until) = (self.model.now, self.model.now + length);
        let wanted = match finding {
            _ if !applies => Resolution::Stale,
            Finding::Landed { .. } => {
                self.model.push(key, Event::Completed { result, at, expires: until });
                Resolution::Settled { at: Timestamp::from_millis(at) }
            }
            Finding::NotLanded => {
                self.model.push(key, Event::Freed);
                Resolution::Settled { at: Timestamp::from_millis(at) }
            }
            Finding::RunAgain { .. } => {
                let Resolution::Acquired { fence } = answer else {
                    return Err(Fault(format!("running an unknown call again: {answer:?}")));
                };
                if self.fences.contains(&fence) {
                    return Err(Fault("running again gave an old fence".into()));
                }
                let number = self.number(fence);
                self.tickets[client].push((key, number));
                self.model.push(key, Event::Reclaimed { claim: number, until });
                return Ok(());
            }
        };
        self.judge("resolve", answer, wanted)
    }
}

fn recorded(result: (u8, bool)) -> Recorded {
    Recorded { bytes: vec![result.0; usize::from(result.0) * 3].into(), error: result.1 }
}
