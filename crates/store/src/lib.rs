//! The idempotency store: claim a key, run the effect, record its result, replay it, until its time is over.
//!
//! [`Store`] is the protocol, [`MemoryStore`] and [`Embedded`] keep records in memory and in one file; a DynamoDB store
//! is a crate of its own. [`guard::Guard`] runs an effect under a key, a store and a policy. `docs/STORE.md` draws the
//! states and says what is promised.

mod answer;
pub mod codec;
mod embedded;
mod error;
pub mod guard;
mod key;
mod memory;
pub mod protocol;
mod record;
mod store;
#[cfg(feature = "testing")]
pub mod testing;
mod time;

pub use answer::{Acquisition, Differs, Fenced, Finding, Lost, Marked, Resolution};
pub use embedded::{Embedded, Limits};
pub use error::{Error, Result};
pub use key::{Bytes, Digest, Fence, Fences, StoreKey};
pub use memory::MemoryStore;
pub use record::{Claim, MarkRecord, Record, Recorded, State};
pub use store::Store;
pub use time::{Clock, ManualClock, SystemClock, Timestamp};
