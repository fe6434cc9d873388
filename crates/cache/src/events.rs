//! What happens, as `tracing` events under the target `samecall::cache`, with the messages and field names of the published
//! log. Argument values are customers' data: `arguments` has their names, kinds and lengths.

use std::fmt;

use samecall_call::result::redact;

use crate::stats::Summary;

/// The target of every event here.
pub const TARGET: &str = "samecall::cache";

/// Argument text without its values; written only where somebody listens.
struct Redacted<'a>(&'a str);

impl fmt::Display for Redacted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redact(self.0))
    }
}

pub(crate) fn prevented(
    tool: &str,
    arguments: &str,
    iteration: Option<u64>,
    worker: Option<&str>,
    shared: bool,
) {
    tracing::info!(
        target: TARGET,
        toolName = tool,
        arguments = %Redacted(arguments),
        iteration,
        cacheHit = true,
        shared = shared.then_some(true),
        worker,
        "Duplicate tool call prevented"
    );
}

/// The record of one iteration.
pub(crate) fn iteration_complete(iteration: u64, worker: Option<&str>, summary: &Summary) {
    tracing::info!(
        target: TARGET,
        iteration,
        toolsExecuted = summary.executed,
        duplicatesSkipped = summary.prevented,
        totalObservations = summary.executed + summary.prevented,
        deduplicationSavings = %summary.savings_percent(),
        worker,
        "Action node complete"
    );
}

/// The record of a whole execution.
pub(crate) fn execution_complete(summary: &Summary) {
    tracing::info!(
        target: TARGET,
        toolsExecuted = summary.executed,
        duplicatesSkipped = summary.prevented,
        totalObservations = summary.executed + summary.prevented,
        deduplicationSavings = %summary.savings_percent(),
        savingsFormula = crate::stats::SAVINGS_FORMULA,
        timeSavedMs = u64::try_from(summary.time_saved.as_millis()).unwrap_or(u64::MAX),
        "Execution complete"
    );
}

pub(crate) fn rebuilt(kept: u64, observations: u64) {
    tracing::debug!(
        target: TARGET,
        cacheSize = kept,
        totalObservations = observations,
        "Deduplication cache built"
    );
}
