//! The contract of a store, check by check. Each gets a store of its own and a clock that only it moves.

mod expiry;
mod fencing;
mod findings;
mod identity;
mod races;

use std::sync::Arc;
use std::time::Duration;

use super::{Failure, Fault, Harness};
use crate::answer::Acquisition;
use crate::key::{Digest, Fence, StoreKey};
use crate::record::{Claim, Recorded};
use crate::store::Store;
use crate::time::{Clock, ManualClock, Timestamp};

/// A point like those of real clocks: 2026-11-30T00:00:00Z.
const START: Timestamp = Timestamp::from_millis(1_795_996_800_000);
const LEASE: Duration = Duration::from_secs(30);
const TTL: Duration = Duration::from_secs(3600);
const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

type Check = Result<(), Fault>;

macro_rules! checks {
    ($($module:ident::$name:ident),* $(,)?) => {
        /// The names of all checks, in the order of [`run`].
        pub const CHECKS: &[&str] = &[$(stringify!($name)),*];

        /// Runs all checks, and answers with those that do not hold.
        pub async fn run<H: Harness>(harness: &H) -> Vec<Failure> {
            let mut failures = Vec::new();
            $(
                if let Err(Fault(why)) = $module::$name(harness).await {
                    failures.push(Failure { check: stringify!($name), why });
                }
            )*
            failures
        }
    };
}

checks![
    identity::a_first_claim_acquires_and_a_second_is_in_flight,
    identity::a_completed_call_is_replayed_exactly,
    identity::another_fingerprint_is_a_conflict_in_every_state,
    identity::another_payload_is_a_conflict_in_every_state,
    identity::keys_with_separators_stay_apart,
    identity::the_first_spelling_is_kept,
    identity::large_results_are_replayed_exactly,
    identity::marks_tell_who_came_first,
    expiry::a_lease_lapses_to_unknown_and_never_to_free,
    expiry::leases_are_exact_to_the_millisecond,
    expiry::a_life_is_exact_to_the_millisecond,
    expiry::a_long_life_is_not_cut_short,
    expiry::zero_is_a_length_of_time,
    expiry::the_epoch_is_a_point_in_time,
    expiry::an_expired_key_is_free_for_any_call,
    expiry::a_sweep_changes_no_answer,
    fencing::a_stale_claim_changes_nothing,
    fencing::a_completion_under_another_key_writes_nothing,
    fencing::a_recorded_result_stays,
    fencing::a_recorded_large_result_stays,
    fencing::a_late_completion_is_accepted,
    fencing::a_release_frees_the_key,
    fencing::a_heartbeat_extends_and_never_shortens,
    fencing::a_claim_can_be_given_up,
    fencing::fences_are_never_given_twice,
    findings::landed_is_replayed,
    findings::not_landed_frees_the_key,
    findings::running_again_keeps_the_spelling_and_ends_the_old_claim,
    findings::only_an_unknown_call_is_resolved,
    races::one_of_many_claimers_acquires,
    races::one_of_many_claimers_acquires_an_expired_key,
    races::one_of_many_findings_counts,
];

/// A store under test with its clock.
struct World<S> {
    store: S,
    clock: Arc<ManualClock>,
}

async fn start<H: Harness>(harness: &H) -> Result<World<H::Store>, Fault> {
    start_at(harness, START).await
}

async fn start_at<H: Harness>(harness: &H, now: Timestamp) -> Result<World<H::Store>, Fault> {
    let clock = Arc::new(ManualClock::at(now));
    Ok(World { store: harness.fresh(clock.clone()).await?, clock })
}

fn key(name: &str) -> StoreKey {
    StoreKey::new("tenant", name)
}

fn claim(name: &str) -> Claim {
    Claim {
        key: key(name),
        fingerprint: Digest([1; 16]),
        payload: Some(Digest([2; 16])),
        spelling: b"{\"amount\": 4200}".as_slice().into(),
        owner: "suite".into(),
        lease: LEASE,
    }
}

fn done() -> Recorded {
    Recorded::success(b"receipt 17".as_slice())
}

impl<S: Store> World<S> {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Claims a key that must be free.
    async fn acquire(&self, claim: &Claim) -> Result<Fence, Fault> {
        match self.store.claim(claim).await? {
            Acquisition::Acquired { fence } => Ok(fence),
            other => Err(Fault(format!("a free key was not acquired: {other:?}"))),
        }
    }

    /// Claims and completes.
    async fn finish(
        &self,
        claim: &Claim,
        result: &Recorded,
        ttl: Duration,
    ) -> Result<Fence, Fault> {
        let fence = self.acquire(claim).await?;
        let answer = self.store.complete(&claim.key, fence, result, ttl).await?;
        super::equal(answer, crate::Fenced::Done, "completing one's own claim")?;
        Ok(fence)
    }

    /// The kind of answer that a claim gets, without what is in it.
    async fn kind(&self, claim: &Claim) -> Result<&'static str, Fault> {
        Ok(kind(&self.store.claim(claim).await?))
    }

    /// A fault unless a claim gets this kind of answer.
    async fn expect(&self, claim: &Claim, wanted: &'static str, when: &str) -> Check {
        super::equal(self.kind(claim).await?, wanted, when)
    }
}

/// The name of a kind of answer.
pub(super) fn kind(answer: &Acquisition) -> &'static str {
    match answer {
        Acquisition::Acquired { .. } => "acquired",
        Acquisition::Replay { .. } => "replay",
        Acquisition::InFlight { .. } => "in flight",
        Acquisition::Conflict { .. } => "conflict",
        Acquisition::Unknown { .. } => "unknown",
    }
}
