//! What the laws of the cache are checked on: tools and their policies, and a cache that answers calls, real or faulty.

use samecall_cache::time::Manual;
use samecall_cache::{
    Begun, Cache, ENTRY_BYTES, Execution, Invalidates, Keep, Limits, Outcome, Policies, Summary,
    ToolPolicy,
};
use samecall_call::Call;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Whose call it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Who {
    /// The tenant.
    pub tenant: u8,
    /// The execution; two tenants use the same ids.
    pub execution: u8,
}

/// The tools of the drawn calls, and what the policy says of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// Kept for the execution.
    Read,
    /// Kept for a second.
    Timed,
    /// Kept for the execution, but empty results for a tenth of a second.
    Find,
    /// Never kept; makes what `Read` said out of date.
    Write,
}

pub(super) const TOOLS: [Tool; 4] = [Tool::Read, Tool::Timed, Tool::Find, Tool::Write];

impl Tool {
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Read => "read",
            Tool::Timed => "timed",
            Tool::Find => "find",
            Tool::Write => "write",
        }
    }

    /// How long a result is good, by the rules as they are meant; none for one that is never kept.
    pub(super) fn life(self, outcome: &Outcome) -> Option<Duration> {
        match self {
            _ if outcome.is_error => None,
            Tool::Write => None,
            Tool::Timed => Some(TIMED),
            Tool::Find if outcome.bytes.is_empty() => Some(EMPTY),
            Tool::Read | Tool::Find => Some(AGE),
        }
    }
}

const TIMED: Duration = Duration::from_millis(1000);
const EMPTY: Duration = Duration::from_millis(100);
/// The bound on age.
const AGE: Duration = Duration::from_millis(5000);

/// The bounds of the cache under test.
pub fn limits() -> Limits {
    Limits { entries: 4, bytes: 5 * ENTRY_BYTES + 250, age: AGE }
}

/// The policies of the cache under test.
pub fn policies() -> Policies {
    let always = ToolPolicy { cache: Some(Keep::Always), ..ToolPolicy::default() };
    let mut policies = Policies::default()
        .with("read", ToolPolicy { empty: Some(Keep::Always), ..always.clone() })
        .with(
            "timed",
            ToolPolicy {
                cache: Some(Keep::For(TIMED)),
                empty: Some(Keep::Always),
                ..ToolPolicy::default()
            },
        )
        .with("find", ToolPolicy { empty: Some(Keep::For(EMPTY)), ..always })
        .with(
            "write",
            ToolPolicy {
                invalidates: Invalidates::Tools(vec!["read".to_owned()]),
                ..ToolPolicy::default()
            },
        );
    policies.limits = limits();
    policies
}

/// What a cache under test does; a faulty one is one of these too.
pub trait Subject {
    /// Answers a call: with the tool's bytes where it runs the tool, which then gives `gives` (none where its caller
    /// dies); and whether it ran it.
    fn ask(&mut self, who: Who, call: &Call, gives: Option<Outcome>) -> (Option<Outcome>, bool);
    /// Time passes.
    fn wait(&mut self, length: Duration);
    /// An execution ends; what it counted.
    fn end(&mut self, who: Who) -> Summary;
    /// Entries and bytes that are kept now.
    fn size(&self) -> (usize, usize);
}

/// The real cache.
pub struct Real {
    cache: Cache,
    clock: Arc<Manual>,
    executions: BTreeMap<Who, Execution>,
}

impl Real {
    /// The cache with these policies.
    ///
    /// # Panics
    /// When it cannot be built, which policies without a file cannot cause.
    pub fn new(policies: Policies, enabled: bool) -> Self {
        let clock = Arc::new(Manual::default());
        let built = Cache::builder()
            .policies(policies)
            .clock(clock.clone())
            .enabled(enabled)
            .quiet(true)
            .build();
        let Ok(cache) = built else { panic!("policies without a file name no tool in vain") };
        Real { cache, clock, executions: BTreeMap::new() }
    }
}

impl Subject for Real {
    fn ask(&mut self, who: Who, call: &Call, gives: Option<Outcome>) -> (Option<Outcome>, bool) {
        let execution = self.executions.entry(who).or_insert_with(|| {
            // Ids that a separator could confuse: tenant `t` with `0-1`, tenant `t-0` with `1`.
            let (tenant, id) = match (who.tenant, who.execution) {
                (0, execution) => ("t".to_owned(), format!("0-{execution}")),
                (_, execution) => ("t-0".to_owned(), execution.to_string()),
            };
            self.cache.execution(Some(&tenant), &id)
        });
        match execution.begin(call) {
            Begun::Answered(answer) => (Some(answer.outcome), false),
            Begun::Execute(ticket) => match gives {
                Some(outcome) => (Some(ticket.finish(outcome).outcome), true),
                None => (None, true),
            },
            Begun::Wait(_) => panic!("one thread never waits for itself"),
        }
    }

    fn wait(&mut self, length: Duration) {
        self.clock.advance(length);
    }

    fn end(&mut self, who: Who) -> Summary {
        self.executions.remove(&who).map(Execution::end).unwrap_or_default()
    }

    fn size(&self) -> (usize, usize) {
        (self.cache.entries(), self.cache.bytes())
    }
}
