//! Faults that published stores had, planted into a store that keeps the contract: the suite must find each of them, by
//! the checks named here.

mod support;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use futures_executor::block_on;
use samecall_store::testing::{self, Harness};
use samecall_store::{
    Acquisition, Claim, Clock, Digest, Fence, Fenced, Fences, Finding, ManualClock, Marked,
    MemoryStore, Recorded, Resolution, Result, Store, StoreKey, Timestamp,
};

/// A fault, after the report that it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// None: the wrapper itself must pass.
    None,
    /// The payload check is skipped when the old item is returned (powertools-ts#2058, powertools-java#2260).
    ValidationSkipped,
    /// Completion overwrites the record without the payload hash (powertools-ts#5705).
    HashLostOnCompletion,
    /// Leases in seconds are compared with milliseconds (powertools-java#1281).
    LeaseInSeconds,
    /// Lives in milliseconds are taken for seconds (gchq/sleeper#450).
    LifeInMillis,
    /// Zero is taken for "not set" (powertools-python#4759).
    ZeroIsUnset,
    /// The key is computed again at completion, from arguments that have changed (powertools-python#1093, agno#9380).
    MutatedKey,
    /// Whoever completes is believed.
    UnfencedCompletion,
    /// Expired records count until a sweep has removed them (flask-session#240 and others).
    SweepTrusted,
    /// The claim's condition knows no expiry: `attribute_not_exists(pk)` alone.
    NoExpiry,
    /// The parts of a key are joined with `|`.
    JoinedKeys,
    /// A lapsed lease is taken for proof that nothing happened (powertools-python#8049).
    LapseFrees,
    /// Read, then write (claude-code#36149; powertools-python#245).
    ReadThenWrite,
    /// Whoever releases is believed.
    UnfencedRelease,
    /// Whoever sends a heartbeat is believed.
    UnfencedHeartbeat,
    /// The result of a slow effect is thrown away.
    LateCompletionRefused,
    /// An error is replayed as a success (KeeperHub#1849: an unmarked replay).
    ErrorFlagLost,
    /// A later spelling takes the first one's place.
    LastSpellingKept,
    /// Errors are never kept, whatever was asked.
    ErrorsDropped,
    /// A second completion takes the first one's place.
    LastResultKept,
}

/// A correct store with one fault.
struct Planted {
    inner: MemoryStore,
    fault: Fault,
    clock: Arc<ManualClock>,
    /// The clock that the inner store reads, where it is not the true one.
    inner_clock: Arc<ManualClock>,
    /// What a wrapper must remember of each key to be wrong about it.
    seen: Mutex<BTreeMap<StoreKey, Seen>>,
}

#[derive(Clone)]
struct Seen {
    fence: Fence,
    spelling: Arc<[u8]>,
    payload: Option<Digest>,
    until: Timestamp,
}

const DEFAULT: Duration = Duration::from_secs(900);

impl Planted {
    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// Lets the inner store see the present, unless it is to see it only when it sweeps.
    fn tick(&self) {
        if !self.is(Fault::SweepTrusted) {
            self.inner_clock.set(self.clock.now());
        }
    }

    fn key(&self, key: &StoreKey) -> StoreKey {
        match self.fault {
            Fault::JoinedKeys => StoreKey::new("", &format!("{}|{}", key.scope(), key.name())),
            _ => key.clone(),
        }
    }

    fn seen(&self, key: &StoreKey) -> Option<Seen> {
        self.seen.lock().unwrap().get(key).cloned()
    }

    fn lease(&self, lease: Duration) -> Duration {
        match self.fault {
            Fault::LeaseInSeconds => lease / 1000,
            Fault::ZeroIsUnset if lease.is_zero() => DEFAULT,
            _ => lease,
        }
    }

    fn life(&self, life: Duration) -> Duration {
        match self.fault {
            Fault::LifeInMillis => life.saturating_mul(1000),
            Fault::NoExpiry => Duration::MAX,
            Fault::ZeroIsUnset if life.is_zero() => DEFAULT,
            _ => life,
        }
    }

    fn fence(&self, key: &StoreKey, given: Fence, unfenced: Fault) -> Fence {
        match self.seen(key) {
            Some(seen) if self.is(unfenced) => seen.fence,
            _ => given,
        }
    }
}

/// Lets other futures run once.
fn let_others_run() -> impl Future<Output = ()> {
    let mut polled = false;
    std::future::poll_fn(move |context| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

impl Store for Planted {
    async fn claim(&self, claim: &Claim) -> Result<Acquisition> {
        self.tick();
        let key = self.key(&claim.key);
        let mut asked = Claim { key: key.clone(), lease: self.lease(claim.lease), ..claim.clone() };
        if self.is(Fault::ValidationSkipped) {
            (asked.fingerprint, asked.payload) = (Digest([0; 16]), None);
        }
        if self.is(Fault::ReadThenWrite) && self.seen(&key).is_none() {
            let_others_run().await;
            let fence = Fence(
                u128::from(self.clock.now().as_millis()) << 80
                    | u128::from(self.seen.lock().unwrap().len() as u64 + 1),
            );
            let until = self.clock.now().after(claim.lease);
            let seen =
                Seen { fence, spelling: claim.spelling.clone(), payload: claim.payload, until };
            self.seen.lock().unwrap().insert(key.clone(), seen);
            self.inner.claim(&asked).await?;
            return Ok(Acquisition::Acquired { fence });
        }
        if self.is(Fault::LapseFrees)
            && let Some(seen) = self.seen(&key)
            && seen.until.has_come(self.clock.now())
        {
            self.inner.release(&key, seen.fence).await?;
        }
        if self.is(Fault::HashLostOnCompletion)
            && let Some(seen) = self.seen(&key)
            && let Acquisition::Conflict { differs: samecall_store::Differs::Payload } =
                self.inner.claim(&asked).await?
        {
            asked.payload = seen.payload;
            let answer = self.inner.claim(&asked).await?;
            if matches!(answer, Acquisition::Replay { .. }) {
                return Ok(answer);
            }
            asked.payload = claim.payload;
        }
        let mut answer = self.inner.claim(&asked).await?;
        match &mut answer {
            Acquisition::Acquired { fence } => {
                let until = self.clock.now().after(claim.lease);
                let (fence, payload) = (*fence, claim.payload);
                let seen = Seen { fence, spelling: claim.spelling.clone(), payload, until };
                self.seen.lock().unwrap().insert(key, seen);
            }
            Acquisition::Replay { result, .. } if self.is(Fault::ErrorFlagLost) => {
                result.error = false;
            }
            Acquisition::InFlight { .. } if self.is(Fault::LastSpellingKept) => {
                if let Some(seen) = self.seen.lock().unwrap().get_mut(&key) {
                    seen.spelling = claim.spelling.clone();
                }
            }
            Acquisition::Unknown { spelling, .. } if self.is(Fault::LastSpellingKept) => {
                if let Some(seen) = self.seen(&key) {
                    *spelling = seen.spelling;
                }
            }
            _ => {}
        }
        Ok(answer)
    }

    async fn heartbeat(&self, key: &StoreKey, fence: Fence, lease: Duration) -> Result<Fenced> {
        self.tick();
        let key = self.key(key);
        let fence = self.fence(&key, fence, Fault::UnfencedHeartbeat);
        self.inner.heartbeat(&key, fence, self.lease(lease)).await
    }

    async fn complete(
        &self,
        key: &StoreKey,
        fence: Fence,
        result: &Recorded,
        ttl: Duration,
    ) -> Result<Fenced> {
        self.tick();
        let key = self.key(key);
        let fence = self.fence(&key, fence, Fault::UnfencedCompletion);
        let ttl = self.life(ttl);
        if self.is(Fault::MutatedKey) {
            // An upsert, under whatever key there is now.
            if self.seen(&key).is_none() {
                return Ok(Fenced::Done);
            }
        }
        if self.is(Fault::LateCompletionRefused)
            && self.seen(&key).is_some_and(|seen| seen.until.has_come(self.clock.now()))
        {
            return Ok(Fenced::Lost(samecall_store::Lost::Lapsed));
        }
        if self.is(Fault::ErrorsDropped) && result.error {
            return self.inner.release(&key, fence).await;
        }
        let answer = self.inner.complete(&key, fence, result, ttl).await?;
        if self.is(Fault::LastResultKept) && answer != Fenced::Done {
            return Ok(Fenced::Done);
        }
        Ok(answer)
    }

    async fn release(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        self.tick();
        let key = self.key(key);
        let fence = self.fence(&key, fence, Fault::UnfencedRelease);
        self.inner.release(&key, fence).await
    }

    async fn mark_unknown(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        self.tick();
        self.inner.mark_unknown(&self.key(key), fence).await
    }

    async fn resolve(&self, key: &StoreKey, fence: Fence, finding: &Finding) -> Result<Resolution> {
        self.tick();
        self.inner.resolve(&self.key(key), fence, finding).await
    }

    async fn mark(&self, key: &StoreKey, value: Digest, ttl: Duration) -> Result<Marked> {
        self.tick();
        self.inner.mark(&self.key(key), value, ttl).await
    }

    async fn unmark(&self, key: &StoreKey, value: Digest) -> Result<()> {
        self.inner.unmark(&self.key(key), value).await
    }

    async fn sweep(&self, limit: usize) -> Result<usize> {
        self.inner_clock.set(self.clock.now());
        self.inner.sweep(limit).await
    }
}

struct Planter(Fault);

impl Harness for Planter {
    type Store = Planted;

    async fn fresh(&self, clock: Arc<ManualClock>) -> Result<Planted> {
        let inner_clock = Arc::new(ManualClock::at(clock.now()));
        let inner = MemoryStore::new(inner_clock.clone(), Fences::named(7));
        Ok(Planted { inner, fault: self.0, clock, inner_clock, seen: Mutex::default() })
    }
}

/// The suite's check of this name must fail on the fault.
fn is_found_by(fault: Fault, check: &str) {
    assert!(testing::CHECKS.contains(&check), "{check} is no check");
    let failures = block_on(testing::run(&Planter(fault)));
    assert!(
        failures.iter().any(|failure| failure.check == check),
        "{fault:?} is not found by {check}, only by {failures:#?}"
    );
}

#[test]
fn the_wrapper_without_a_fault_keeps_the_contract() {
    assert_eq!(block_on(testing::run(&Planter(Fault::None))), []);
}

macro_rules! found {
    ($($test:ident: $fault:ident by $check:ident;)*) => {$(
        #[test]
        fn $test() {
            is_found_by(Fault::$fault, stringify!($check));
        }
    )*};
}

found! {
    skipped_validation: ValidationSkipped by another_payload_is_a_conflict_in_every_state;
    skipped_validation_of_fingerprints: ValidationSkipped by another_fingerprint_is_a_conflict_in_every_state;
    hash_lost_on_completion: HashLostOnCompletion by another_payload_is_a_conflict_in_every_state;
    lease_in_seconds: LeaseInSeconds by leases_are_exact_to_the_millisecond;
    life_in_millis: LifeInMillis by a_life_is_exact_to_the_millisecond;
    zero_is_unset: ZeroIsUnset by zero_is_a_length_of_time;
    mutated_key: MutatedKey by a_completion_under_another_key_writes_nothing;
    unfenced_completion: UnfencedCompletion by a_stale_claim_changes_nothing;
    sweep_trusted: SweepTrusted by an_expired_key_is_free_for_any_call;
    no_expiry: NoExpiry by an_expired_key_is_free_for_any_call;
    joined_keys: JoinedKeys by keys_with_separators_stay_apart;
    lapse_frees: LapseFrees by a_lease_lapses_to_unknown_and_never_to_free;
    read_then_write: ReadThenWrite by one_of_many_claimers_acquires;
    unfenced_release: UnfencedRelease by a_stale_claim_changes_nothing;
    unfenced_heartbeat: UnfencedHeartbeat by a_stale_claim_changes_nothing;
    late_completion_refused: LateCompletionRefused by a_late_completion_is_accepted;
    error_flag_lost: ErrorFlagLost by a_completed_call_is_replayed_exactly;
    last_spelling_kept: LastSpellingKept by the_first_spelling_is_kept;
    errors_dropped: ErrorsDropped by a_completed_call_is_replayed_exactly;
    last_result_kept: LastResultKept by a_recorded_result_stays;
}
