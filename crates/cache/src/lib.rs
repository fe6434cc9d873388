//! The tool-call cache of an agent loop: within one execution, equal calls of tools that only read run once.
//!
//! A [`Cache`] keeps results by any strategy's key, `typed` unless told otherwise; an [`Execution`] is whose calls may be
//! answered from it. What may be kept, and for how long, is each tool's [`policy`]. `docs/CACHE.md` says what is promised.
//!
//! ```
//! use samecall_cache::{Cache, Keep, Outcome, Policies, ToolPolicy};
//! use samecall_call::Call;
//!
//! let search = ToolPolicy { cache: Some(Keep::Always), ..ToolPolicy::default() };
//! let cache = Cache::builder().policies(Policies::default().with("search", search)).build()?;
//! let execution = cache.execution(Some("acme"), "run-7");
//! let ask = |arguments: &str| {
//!     execution.run_blocking(&Call::new("search", arguments), || Outcome::ok(b"3 pages".as_slice()))
//! };
//! assert!(!ask(r#"{"query": "quantum", "limit": 5}"#).is_prevented());
//! assert!(ask(r#"{"limit": 5, "query": "quantum"}"#).is_prevented());
//! assert_eq!(execution.end().savings_percent(), "50%");
//! # Ok::<(), samecall_cache::Error>(())
//! ```

mod cache;
mod error;
pub mod events;
mod execution;
mod flight;
pub mod forms;
mod history;
pub mod log;
mod outcome;
pub mod policy;
pub mod replay;
mod scope;
mod shard;
mod stats;
mod ticket;
pub mod time;

pub use cache::{Builder, Cache};
pub use error::{Error, Result};
pub use execution::{Begun, Execution, Round};
pub use history::{Past, Rebuilt};
pub use outcome::{Answer, Bytes, Hint, Outcome, Source};
pub use policy::{Defaults, Effect, Invalidates, Keep, Limits, Policies, ToolPolicy};
pub use shard::{ENTRY_BYTES, Evictions};
pub use stats::{SAVINGS_FORMULA, Summary};
pub use ticket::{Ticket, Waiter};
