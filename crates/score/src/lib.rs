//! Replays labelled pairs through keying strategies and counts what they get right and wrong, with
//! intervals.
//!
//! [`replay()`] is the way in: pairs come from [`PairSource`]s, strategies from `samecall-keyer`, and out
//! comes `samecall_call::result::Results`, the shape of `replay --json`. [`check_canaries`] says whether
//! the run can be trusted.
//!
//! ```
//! use samecall_call::Catalog;
//! use samecall_score::{FileSource, Options, PairSource, check_canaries, replay, strategies};
//!
//! let line = br#"{"id": "1", "set": "mine", "truth": "retry",
//!     "a": {"tool": "pay", "arguments": "{\"n\": 1}"}, "b": {"tool": "pay", "arguments": "{\"n\":1}"}}"#;
//! let line: Vec<u8> = line.iter().copied().filter(|byte| *byte != b'\n').collect();
//! let source: Box<dyn PairSource> = Box::new(FileSource::new("memory", std::io::Cursor::new(line)));
//! let catalog = Catalog::default();
//! let results = replay(vec![source], Options::new(strategies(&["raw", "canonical"])?, &catalog))?;
//! check_canaries(&results)?;
//! assert_eq!(results.sets["mine"]["raw"].caught, 0);
//! assert_eq!(results.sets["mine"]["canonical"].caught, 1);
//! # Ok::<(), samecall_score::Error>(())
//! ```

mod ablation;
mod canary;
mod error;
pub mod executors;
mod finish;
mod interaction;
pub mod interval;
mod kept;
mod mine;
mod phase;
mod replay;
mod rule_list;
mod source;
mod tally;

pub use ablation::{Sources, ablation, frontier};
pub use canary::{CANARIES, check_canaries};
pub use error::{Error, Result};
pub use interaction::{Search, exhaustive, interactions, laws};
pub use mine::mine;
pub use replay::{Options, Progress, replay, strategies};
pub use rule_list::RuleList;
pub use source::{Batch, FileSource, IterSource, PairSource};
