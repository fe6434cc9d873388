//! The second judge: what real executors hand their handlers for two spellings.
//!
//! An executor is the code between the model's argument text and the tool's handler. Two spellings are one call where
//! it hands over equal values; a rendering that it accepts twice and hands over unequal is none, for its users. Executors
//! are other programs ([`Program`]) or anything that answers lines ([`Executor`]).

mod equality;
mod field;
mod listing;
mod pairs;
mod program;
mod protocol;
mod rulings;
mod run;
mod shown;
mod standing;
mod tally;

pub use equality::{Likeness, compare};
pub use listing::{Asked, Listed, Listing};
pub use program::Program;
pub use protocol::{Answer, answer, line, readable};
pub use rulings::{Ruling, Rulings};
pub use run::{Attached, Options, executors};
pub use standing::rule;

use samecall_call::executors::Ended;

/// Anything that takes calls as lines and answers each, in order.
pub trait Executor: Send + Sync {
    /// What to call it in tables.
    fn name(&self) -> &str;

    /// Answers all calls. Every answer goes to `judge`, which says why one is none of the protocol's; the executor
    /// then ends as [`Ended::Broken`].
    fn run(
        &self,
        calls: Box<dyn Iterator<Item = String> + Send>,
        judge: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Ended;
}
