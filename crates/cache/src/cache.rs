//! The cache itself: entries of all executions in shards, each under a lock of its own, and what is known of each tool.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use samecall_call::{Catalog, Tool};
use samecall_keyer::Keyer;
use samecall_keyer::typed::Typed;

use crate::error::Result;
use crate::execution::Execution;
use crate::policy::{Effect, Policies, Rule};
use crate::scope::{self, Place};
use crate::shard::{Evictions, Room, Shard};
use crate::time::{Clock, Monotonic};

/// Most shards; enough for 64 threads to meet seldom.
const MAX_SHARDS: usize = 64;
/// Least entries that a shard has room for: a small cache has few shards, so that its bound is used up.
const MIN_SHARD_ENTRIES: usize = 32;
/// Least bytes that a shard has room for, so that a result of ordinary size fits in.
const MIN_SHARD_BYTES: usize = 1 << 20;

/// How a cache is made.
pub struct Builder {
    keyer: Arc<dyn Keyer>,
    catalog: Catalog,
    policies: Policies,
    clock: Arc<dyn Clock>,
    enabled: bool,
    quiet: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            keyer: Arc::new(Typed::default()),
            catalog: Catalog::default(),
            policies: Policies::default(),
            clock: Arc::new(Monotonic::default()),
            enabled: true,
            quiet: false,
        }
    }
}

impl Builder {
    /// With another strategy than `typed`. One that has the run's step in its key never answers a later step.
    pub fn keyer(mut self, keyer: impl Into<Arc<dyn Keyer>>) -> Self {
        self.keyer = keyer.into();
        self
    }

    /// With the schemas and annotations of the tools.
    pub fn catalog(mut self, catalog: Catalog) -> Self {
        self.catalog = catalog;
        self
    }

    /// With policies and bounds.
    pub fn policies(mut self, policies: Policies) -> Self {
        self.policies = policies;
        self
    }

    /// With a clock to go by.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Switches the cache off: every call executes.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Without events.
    pub fn quiet(mut self, quiet: bool) -> Self {
        self.quiet = quiet;
        self
    }

    /// The cache.
    ///
    /// # Errors
    /// When a policy file names a tool that the catalog lacks. Without a catalog any name is taken.
    pub fn build(self) -> Result<Cache> {
        if !self.catalog.is_empty() {
            self.policies.check(|name| self.catalog.by_name(name).is_some())?;
        }
        Ok(self.build_unchecked())
    }

    /// The cache, for policies whose names somebody else has checked.
    pub(crate) fn build_unchecked(mut self) -> Cache {
        self.policies.use_own_names(&self.catalog);
        let mut known = HashMap::new();
        let mut learn = |name: &str| {
            let tool = self.catalog.by_name(name).cloned();
            let effect = tool.as_ref().map_or(Effect::Unsaid, |tool| Effect::of(&tool.annotations));
            // An alias has the policy of the tool's own name, unless it has one of its own.
            let own = tool.as_ref().map_or(name, |tool| tool.name.as_str());
            let policy = if self.policies.has(name) { name } else { own };
            let rule = Arc::new(self.policies.rule(policy, effect));
            let key = scope::tool(own);
            known.insert(Box::from(name), Known { tool, rule, key });
        };
        for (_, tool) in self.catalog.tools() {
            learn(&tool.name);
            tool.shape.tool_aliases.iter().for_each(|alias| learn(alias));
        }
        self.policies.tools().for_each(|(name, _)| learn(name));
        let limits = self.policies.limits;
        let fits = |room: usize, least: usize| (room / least).clamp(1, MAX_SHARDS);
        let count =
            fits(limits.entries, MIN_SHARD_ENTRIES).min(fits(limits.bytes, MIN_SHARD_BYTES));
        // The largest power of two that is not above it.
        let count = 1 << count.ilog2();
        let room = Room { entries: limits.entries / count, bytes: limits.bytes / count };
        let shards = (0..count).map(|_| Padded(Mutex::new(Shard::new(room)))).collect();
        let unsaid = Arc::new(self.policies.rule_of_no_tool());
        Cache {
            inner: Arc::new(Inner {
                keyer: self.keyer,
                known,
                unsaid,
                policies: self.policies,
                shards,
                clock: self.clock,
                enabled: self.enabled,
                quiet: self.quiet,
            }),
        }
    }
}

/// What is known of a tool.
pub(crate) struct Known {
    pub(crate) tool: Option<Arc<Tool>>,
    pub(crate) rule: Arc<Rule>,
    pub(crate) key: samecall_keyer::Key,
}

/// A shard on cache lines of its own.
#[repr(align(128))]
struct Padded(Mutex<Shard>);

pub(crate) struct Inner {
    pub(crate) keyer: Arc<dyn Keyer>,
    known: HashMap<Box<str>, Known>,
    /// What holds for a tool of which nothing is known.
    pub(crate) unsaid: Arc<Rule>,
    pub(crate) policies: Policies,
    shards: Box<[Padded]>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) enabled: bool,
    pub(crate) quiet: bool,
}

impl Inner {
    pub(crate) fn known(&self, tool: &str) -> Option<&Known> {
        self.known.get(tool)
    }

    pub(crate) fn shard(&self, place: &Place) -> MutexGuard<'_, Shard> {
        lock(&self.shards[place.spread() & (self.shards.len() - 1)])
    }

    pub(crate) fn for_each_shard(&self, mut each: impl FnMut(&mut Shard)) {
        for shard in &self.shards {
            each(&mut lock(shard));
        }
    }
}

fn lock(shard: &Padded) -> MutexGuard<'_, Shard> {
    // A shard is whole after every operation, so a panic elsewhere leaves nothing half-done.
    shard.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Results of tool calls, kept for the length of an execution. Cheap to clone; clones are one cache.
#[derive(Clone)]
pub struct Cache {
    inner: Arc<Inner>,
}

impl Cache {
    /// A cache by the strategy `typed`, with default policies.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// An execution of an agent: what it keeps is seen by its own calls and its workers' alone. Two handles of one tenant
    /// and id see the same entries, and count apart.
    pub fn execution(&self, tenant: Option<&str>, id: &str) -> Execution {
        Execution::new(self.inner.clone(), scope::scope(tenant, id))
    }

    /// Entries that are kept now, those past their time that nothing has swept out included.
    pub fn entries(&self) -> usize {
        let mut entries = 0;
        self.inner.for_each_shard(|shard| entries += shard.entries());
        entries
    }

    /// Bytes that are kept now: results and [`crate::ENTRY_BYTES`] for each entry.
    pub fn bytes(&self) -> usize {
        let mut bytes = 0;
        self.inner.for_each_shard(|shard| bytes += shard.bytes());
        bytes
    }

    /// Frees the room of what is past its time. No answer depends on it: expiry is read, not swept.
    pub fn sweep(&self) {
        let now = self.inner.clock.now();
        self.inner.for_each_shard(|shard| shard.sweep(now));
    }

    /// Entries that went, by cause.
    pub fn evictions(&self) -> Evictions {
        let mut all = Evictions::default();
        self.inner.for_each_shard(|shard| all.add(&shard.evictions()));
        all
    }

    /// The policies and bounds.
    pub fn policies(&self) -> &Policies {
        &self.inner.policies
    }

    /// The strategy's name.
    pub fn strategy(&self) -> &str {
        self.inner.keyer.name()
    }
}
