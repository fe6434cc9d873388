//! The guard: runs an effect under a key, a store and a policy, and answers with what happened.
//!
//! ```
//! use samecall_call::Call;
//! use samecall_keyer::by_name;
//! use samecall_store::MemoryStore;
//! use samecall_store::guard::{Answer, Guard, OnUnknown, Policy, Report};
//! # futures_executor::block_on(async {
//! let keyer = by_name("scoped").unwrap();
//! let guard = Guard::new(keyer.into(), MemoryStore::default(), Policy::new(OnUnknown::Refuse));
//! let call = Call::new("charge_card", r#"{"amount": 4200}"#).at("run-7", "3");
//! let first = guard.run(&call, |to| async move {
//!     // Send to.call.arguments to the provider, with to.idempotency_key.
//!     Report::Landed(to.call.arguments.as_bytes().into())
//! });
//! assert!(first.await.unwrap().ran());
//! let retry = Call::new("charge_card", r#"{"amount": 4200.0}"#).at("run-7", "3");
//! let second = guard.run(&retry, |_| async { Report::Landed(b"charged again".as_slice().into()) });
//! let Answer::Replayed { result, .. } = second.await.unwrap() else { panic!("a second charge") };
//! assert_eq!(&*result.bytes, br#"{"amount": 4200}"#);
//! # });
//! ```

mod answer;
mod identity;
mod policy;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use samecall_call::{Call, Catalog, Tool};
use samecall_keyer::{Keyer, Outcome};

use crate::answer::{Acquisition, Differs, Fenced, Finding, Marked, Resolution};
use crate::error::Result;
use crate::key::{Digest, Fence, StoreKey};
use crate::record::{Claim, Recorded};
use crate::store::Store;
pub use answer::{Answer, Kept, Report};
use identity::Identity;
pub use policy::{
    BoxFuture, Decision, Errors, Found, Inquiry, OnQuestion, OnUnknown, Policy, Question, Reconcile,
};

/// How often a claim is made anew after others changed the record in between. Each round someone else got ahead.
const ROUNDS: usize = 8;

/// Runs effects so that each call has one.
pub struct Guard<S> {
    keyer: Arc<dyn Keyer>,
    store: Arc<S>,
    catalog: Catalog,
    policies: BTreeMap<String, Policy>,
    fallback: Policy,
    owner: Box<str>,
}

/// What an effect gets to work with.
pub struct Dispatch<S> {
    /// The call to send: the tool and the arguments **as first written**, which need not be those of this attempt.
    pub call: Call,
    /// For the provider: the same for every attempt of the call, and different for every tenant.
    pub idempotency_key: String,
    /// The claim: larger than those before it, as far as the claimers' clocks agree.
    pub fence: Fence,
    store: Arc<S>,
    key: StoreKey,
    lease: Duration,
}

impl<S: Store> Dispatch<S> {
    /// Extends the claim by a lease from now, for an effect that takes longer than it was thought to.
    ///
    /// # Errors
    /// The store's.
    pub async fn heartbeat(&self) -> Result<Fenced> {
        self.store.heartbeat(&self.key, self.fence, self.lease).await
    }
}

/// A claim that is ours.
struct Held {
    fence: Fence,
    /// The call as first written.
    call: Call,
    again: bool,
    /// The marks that this claim was the first to set.
    marks: Vec<(StoreKey, Digest)>,
}

impl Held {
    fn new(fence: Fence, call: Call, again: bool) -> Self {
        Held { fence, call, again, marks: Vec::new() }
    }
}

impl<S: Store> Guard<S> {
    /// A guard with one policy for every tool.
    pub fn new(keyer: Arc<dyn Keyer>, store: impl Into<Arc<S>>, fallback: Policy) -> Self {
        Guard {
            keyer,
            store: store.into(),
            catalog: Catalog::default(),
            policies: BTreeMap::new(),
            fallback,
            owner: format!("pid {}", std::process::id()).into(),
        }
    }

    /// With the schemas of the tools.
    pub fn with_catalog(mut self, catalog: Catalog) -> Self {
        self.catalog = catalog;
        self
    }

    /// With a policy of its own for a tool, which holds for every declared alias of its name: a call by any of them is
    /// one call.
    pub fn with_policy(mut self, tool: impl Into<String>, policy: Policy) -> Self {
        self.policies.insert(tool.into(), policy);
        self
    }

    /// With a name that operators see in records; the process id otherwise.
    pub fn with_owner(mut self, owner: &str) -> Self {
        self.owner = owner.into();
        self
    }

    /// The store.
    pub fn store(&self) -> &Arc<S> {
        &self.store
    }

    /// Runs the effect of a call, unless it happened before, may have happened, or must be asked about.
    ///
    /// A future that is dropped while the effect is under way, and an effect that panics, leave the claim to lapse: the
    /// call is unknown then.
    ///
    /// # Errors
    /// The store's, before the effect: it was not run. An error of the store after it is told by [`Kept::Failed`].
    pub async fn run<F, R>(&self, call: &Call, effect: F) -> Result<Answer>
    where
        F: FnOnce(Dispatch<S>) -> R,
        R: Future<Output = Report>,
    {
        let tool = self.catalog.by_name(&call.tool).map(Arc::as_ref);
        let policy = self.policy(call, tool);
        let keyed = match self.keyer.key(call, tool) {
            Outcome::Key(keyed) => keyed,
            Outcome::Refused(refusal) => return Ok(Answer::Refused(refusal)),
        };
        let identity = Identity::of(call, keyed);
        let held = match self.acquire(call, &identity, policy).await? {
            Ok(held) => held,
            Err(answer) => return Ok(answer),
        };
        let dispatch = Dispatch {
            call: held.call.clone(),
            idempotency_key: identity.idempotency_key(),
            fence: held.fence,
            store: self.store.clone(),
            key: identity.key.clone(),
            lease: policy.lease,
        };
        let report = effect(dispatch).await;
        let kept = self.keep(&identity, &held, &report, policy).await;
        Ok(Answer::Ran { report, again: held.again, kept })
    }

    /// The policy of a tool: by its name, by one of its aliases, or by what it was called.
    fn policy(&self, call: &Call, tool: Option<&Tool>) -> &Policy {
        let names = tool
            .into_iter()
            .flat_map(|tool| std::iter::once(&tool.name).chain(&tool.shape.tool_aliases));
        let mut policies = names.chain([&call.tool]).filter_map(|name| self.policies.get(name));
        policies.next().unwrap_or(&self.fallback)
    }

    /// Gets hold of the key, or of the answer that stands in the way.
    async fn acquire(
        &self,
        call: &Call,
        identity: &Identity,
        policy: &Policy,
    ) -> Result<Result<Held, Answer>> {
        let claim = Claim {
            key: identity.key.clone(),
            fingerprint: identity.fingerprint,
            payload: identity.payload,
            spelling: identity::spell(call),
            owner: self.owner.clone(),
            lease: policy.lease,
        };
        let mut unknown = None;
        let mut landed = false;
        for _ in 0..ROUNDS {
            let (since, fence, spelling) = match self.store.claim(&claim).await? {
                Acquisition::Acquired { fence } => {
                    let held = Held::new(fence, identity::bare(call), false);
                    if let (true, Some(answer)) = (landed, unknown) {
                        // It happened, and the record that said so is over already.
                        self.free(identity, &held, policy).await?;
                        return Ok(Err(answer));
                    }
                    return self.question(call, identity, policy, held).await;
                }
                Acquisition::Replay { result, recorded_at } => {
                    return Ok(Err(Answer::Replayed { result, recorded_at }));
                }
                Acquisition::InFlight { until } => return Ok(Err(Answer::InFlight { until })),
                Acquisition::Conflict { differs } => {
                    let call = call.clone();
                    // The policy hears of it; what it decides cannot free the key.
                    policy.conflict.decide(&Question::Conflict { call, differs, key_taken: true });
                    return Ok(Err(Answer::Conflict { differs }));
                }
                Acquisition::Unknown { since, fence, spelling } => (since, fence, spelling),
            };
            unknown = Some(Answer::Unknown { since, fence });
            let finding = match &policy.unknown {
                OnUnknown::Refuse => return Ok(Err(Answer::Unknown { since, fence })),
                OnUnknown::RunAgain => {
                    Finding::RunAgain { owner: self.owner.clone(), lease: policy.lease }
                }
                OnUnknown::Ask(hook) => {
                    let inquiry = Inquiry {
                        idempotency_key: identity.idempotency_key(),
                        call: identity::unspell(&spelling)?,
                        since,
                    };
                    match hook.reconcile(inquiry).await {
                        Found::Landed(result) => Finding::Landed { result, ttl: policy.ttl },
                        Found::NotLanded => Finding::NotLanded,
                        Found::StillUnknown => return Ok(Err(Answer::Unknown { since, fence })),
                    }
                }
            };
            landed = matches!(finding, Finding::Landed { .. });
            // Read before the record changes, so that one that cannot be read changes nothing.
            let first = identity::unspell(&spelling)?;
            match (self.store.resolve(&identity.key, fence, &finding).await?, finding) {
                (Resolution::Acquired { fence }, _) => {
                    // Asked anew: the first claimer may have died before it was.
                    let held = Held::new(fence, first, true);
                    return self.question(call, identity, policy, held).await;
                }
                // Answered here and not by another claim: the record may be over by then, and its key free.
                (Resolution::Settled { at }, Finding::Landed { result, .. }) => {
                    return Ok(Err(Answer::Replayed { result, recorded_at: at }));
                }
                // The next claim meets what was settled, or what others did meanwhile.
                (Resolution::Settled { .. } | Resolution::Stale, _) => {}
            }
        }
        // Others took the key from under us in every round; what we saw last is the honest answer.
        match unknown {
            Some(answer) => Ok(Err(answer)),
            None => Ok(Err(Answer::InFlight { until: crate::Timestamp::MAX })),
        }
    }

    /// Asks what there is to ask before an effect; a claim that must not run is released, or given up where it is of a
    /// second dispatch: the first one may have had its effect.
    async fn question(
        &self,
        call: &Call,
        identity: &Identity,
        policy: &Policy,
        mut held: Held,
    ) -> Result<Result<Held, Answer>> {
        match self.marked(call, identity, policy, &mut held).await {
            Ok(None) => Ok(Ok(held)),
            Ok(Some(answer)) => {
                self.abandon(identity, &held, policy).await?;
                Ok(Err(answer))
            }
            Err(error) => {
                // No effect was run, so the key is freed as far as the store lets us; else it lapses to unknown.
                let _ = self.abandon(identity, &held, policy).await;
                Err(error)
            }
        }
    }

    /// Ends a claim under which nothing was sent.
    async fn abandon(&self, identity: &Identity, held: &Held, policy: &Policy) -> Result<Fenced> {
        if held.again {
            return self.store.mark_unknown(&identity.key, held.fence).await;
        }
        self.free(identity, held, policy).await
    }

    /// Sets the marks of a call, and answers with the first one that stands in the way.
    async fn marked(
        &self,
        call: &Call,
        identity: &Identity,
        policy: &Policy,
        held: &mut Held,
    ) -> Result<Option<Answer>> {
        // A result is recorded up to a lease from now: a mark that lived no longer than it would leave a call in flight
        // without one.
        let life = policy.lease.saturating_add(policy.ttl);
        if let Some(slot) = identity.slot.as_ref().filter(|_| policy.conflict.looks()) {
            let mark = slot.holder.to_mark();
            match self.store.mark(&slot.key, mark, life).await? {
                Marked::First => held.marks.push((slot.key.clone(), mark)),
                Marked::Seen { value, .. } if slot.holder.conflicts_with(value) => {
                    let differs = Differs::Fingerprint;
                    let call = call.clone();
                    let question = Question::Conflict { call, differs, key_taken: false };
                    if policy.conflict.decide(&question) == Decision::Surface {
                        return Ok(Some(Answer::Conflict { differs }));
                    }
                }
                Marked::Seen { .. } => {}
            }
        }
        if let Some(sighting) = identity.sighting.as_ref().filter(|_| policy.suspect.looks()) {
            match self.store.mark(&sighting.key, sighting.step, life).await? {
                Marked::First => held.marks.push((sighting.key.clone(), sighting.step)),
                Marked::Seen { value, at } if value != sighting.step => {
                    let question = Question::Suspect { call: call.clone(), first_at: at };
                    if policy.suspect.decide(&question) == Decision::Surface {
                        return Ok(Some(Answer::Suspect { first_at: at }));
                    }
                }
                Marked::Seen { .. } => {}
            }
        }
        Ok(None)
    }

    /// Records what an effect reported.
    async fn keep(
        &self,
        identity: &Identity,
        held: &Held,
        report: &Report,
        policy: &Policy,
    ) -> Kept {
        let record = match (report, policy.errors) {
            (Report::Landed(bytes), _) => Some(Recorded { bytes: bytes.clone(), error: false }),
            // Of a second dispatch, the first one may have happened all the same: its failure is no result.
            (Report::FailedBefore(bytes), Errors::BeforeDispatch | Errors::Always)
                if !held.again =>
            {
                Some(Recorded { bytes: bytes.clone(), error: true })
            }
            (Report::FailedAfter(bytes), Errors::Always) => {
                Some(Recorded { bytes: bytes.clone(), error: true })
            }
            (Report::NoEffect(_) | Report::FailedBefore(_) | Report::FailedAfter(_), _) => None,
        };
        let (done, answer) = match (record, report) {
            (Some(result), _) => {
                let key = &identity.key;
                (Kept::Recorded, self.store.complete(key, held.fence, &result, policy.ttl).await)
            }
            (None, report) if held.again || matches!(report, Report::FailedAfter(_)) => {
                (Kept::Unknown, self.store.mark_unknown(&identity.key, held.fence).await)
            }
            (None, _) => (Kept::Freed, self.free(identity, held, policy).await),
        };
        match answer {
            Ok(Fenced::Done) => done,
            Ok(Fenced::Lost(lost)) => Kept::Lost(lost),
            Err(error) => Kept::Failed(error),
        }
    }

    /// Releases a claim whose effect did not happen, and takes back the marks that it set; unless the claim has lapsed:
    /// another may have run the call since, and the marks stand for its effect. A mark that stays behind asks one
    /// question too many, no more.
    async fn free(&self, identity: &Identity, held: &Held, policy: &Policy) -> Result<Fenced> {
        if !held.marks.is_empty() {
            let still = self.store.heartbeat(&identity.key, held.fence, policy.lease).await;
            if still == Ok(Fenced::Done) {
                for (key, value) in &held.marks {
                    let _ = self.store.unmark(key, *value).await;
                }
            }
        }
        self.store.release(&identity.key, held.fence).await
    }
}
