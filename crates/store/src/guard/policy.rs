//! What a guard does where the protocol leaves a choice, per tool.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use samecall_call::Call;

use crate::answer::Differs;
use crate::record::Recorded;
use crate::time::Timestamp;

/// The policy of one tool.
///
/// There is no default: what becomes of a call of which nobody knows whether it happened must be said, since running it
/// again may charge twice and not running it may lose it.
#[derive(Debug, Clone)]
pub struct Policy {
    /// What to do about a call whose effect may or may not have happened.
    pub unknown: OnUnknown,
    /// How long an effect may take. Longer than the slowest run of the tool: a lapsed lease turns a call that is still
    /// running into an unknown one. An effect can extend it with [`super::Dispatch::heartbeat`].
    pub lease: Duration,
    /// How long a result is replayed. At least as long as retries may come; providers keep theirs for about 24 hours.
    pub ttl: Duration,
    /// What of the tool's errors is recorded.
    pub errors: Errors,
    /// What to do about a call that was made before at another step of the run.
    pub suspect: OnQuestion,
    /// What to do about a call in a slot that the framework named and that holds another call. A call whose very key is
    /// taken by other content is never run, whatever this says.
    pub conflict: OnQuestion,
}

impl Policy {
    /// A policy with a lease of 5 minutes, results kept for 24 hours, no error recorded, and questions surfaced.
    pub fn new(unknown: OnUnknown) -> Self {
        Policy {
            unknown,
            lease: Duration::from_secs(5 * 60),
            ttl: Duration::from_secs(24 * 60 * 60),
            errors: Errors::Never,
            suspect: OnQuestion::Surface,
            conflict: OnQuestion::Surface,
        }
    }
}

/// What to do about a call whose effect may or may not have happened: its claimer died, was cut off, or took too long.
#[derive(Clone)]
pub enum OnUnknown {
    /// Nothing: the answer says so, and a person or a later finding ends it.
    Refuse,
    /// Find out, for instance by asking the provider for the idempotency key.
    Ask(Arc<dyn Reconcile>),
    /// Run the effect again. Only for effects that are idempotent downstream (reads; writes of a value; providers that
    /// honour the idempotency key): for all others this charges twice.
    RunAgain,
}

impl fmt::Debug for OnUnknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OnUnknown::Refuse => "Refuse",
            OnUnknown::Ask(_) => "Ask",
            OnUnknown::RunAgain => "RunAgain",
        })
    }
}

/// A future that owns what it needs.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Finds out whether an effect happened.
pub trait Reconcile: Send + Sync {
    /// Whether the effect of this call happened.
    fn reconcile(&self, inquiry: Inquiry) -> BoxFuture<Found>;
}

impl<F> Reconcile for F
where
    F: Fn(Inquiry) -> BoxFuture<Found> + Send + Sync,
{
    fn reconcile(&self, inquiry: Inquiry) -> BoxFuture<Found> {
        self(inquiry)
    }
}

/// The call in question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inquiry {
    /// The idempotency key that the provider was given.
    pub idempotency_key: String,
    /// The tool and the arguments as they were sent.
    pub call: Call,
    /// Since when nobody knows.
    pub since: Timestamp,
}

/// What was found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The effect happened, and this is its result.
    Landed(Recorded),
    /// It did not happen and will not: nothing of it is still on its way.
    NotLanded,
    /// Still nobody knows.
    StillUnknown,
}

/// What of a tool's errors is recorded, and replayed, marked as a replay, instead of running the call again.
///
/// An error after dispatch that is not recorded makes the call unknown: it says nothing of the effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// None: an error before the effect frees the key, so that a call can be made again once what it lacked is there.
    Never,
    /// Those before dispatch: a call that cannot succeed is not tried again for the life of the record.
    BeforeDispatch,
    /// All: for tools whose errors after dispatch are final answers.
    Always,
}

/// What to do about a question.
#[derive(Clone)]
pub enum OnQuestion {
    /// Do not run; the answer says why.
    Surface,
    /// Run, and do not spend a request on looking.
    Run,
    /// Let this decide.
    Ask(Arc<dyn Fn(&Question) -> Decision + Send + Sync>),
}

impl fmt::Debug for OnQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OnQuestion::Surface => "Surface",
            OnQuestion::Run => "Run",
            OnQuestion::Ask(_) => "Ask",
        })
    }
}

/// A question that comes up before an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// The same tool and fingerprint, in the same run of the same tenant, at another step.
    Suspect {
        /// The call that is to be made.
        call: Call,
        /// When the first one was claimed.
        first_at: Timestamp,
    },
    /// The framework named the place, and another call was made there.
    Conflict {
        /// The call that is to be made.
        call: Call,
        /// What differs.
        differs: Differs,
        /// Whether the key itself is taken, so that the call cannot run whatever is decided.
        key_taken: bool,
    },
}

/// What is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Do not run; the answer says why.
    Surface,
    /// Run the effect.
    Run,
}

impl OnQuestion {
    /// Whether the question is worth a request to the store.
    pub(super) fn looks(&self) -> bool {
        !matches!(self, OnQuestion::Run)
    }

    pub(super) fn decide(&self, question: &Question) -> Decision {
        match self {
            OnQuestion::Surface => Decision::Surface,
            OnQuestion::Run => Decision::Run,
            OnQuestion::Ask(decide) => decide(question),
        }
    }
}
