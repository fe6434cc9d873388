//! Strategies whose scores are known beforehand; a run in which they differ is worth nothing.

use crate::error::{Error, Result};
use samecall_call::result::{Results, StrategyResult};

/// The canaries, which every replay scores.
pub const CANARIES: [&str; 3] = ["constant", "random", "refuse"];

/// Checks that on every set `constant` answers `same` to all pairs, `random` to none, and `refuse`
/// refuses all.
///
/// # Errors
/// The first canary that shows something else, or is missing; sets in order of name.
pub fn check_canaries(results: &Results) -> Result<()> {
    for (set, strategies) in &results.sets {
        for strategy in CANARIES {
            let problem = match strategies.get(strategy) {
                None => Some("was not scored".to_owned()),
                Some(result) => problem(strategy, result),
            };
            if let Some(problem) = problem {
                return Err(Error::Canary { set: set.clone(), strategy: strategy.into(), problem });
            }
        }
    }
    Ok(())
}

fn problem(strategy: &str, r: &StrategyResult) -> Option<String> {
    let same = match strategy {
        "constant" => (r.retry, r.distinct),
        _ => (0, 0),
    };
    if (r.caught, r.merged) != same {
        return Some(format!(
            "answers `same` to {} of {} retries and {} of {} distinct pairs, must be {} and {}",
            r.caught, r.retry, r.merged, r.distinct, same.0, same.1
        ));
    }
    let refused = match strategy {
        "refuse" => (r.retry, r.distinct),
        _ => (0, 0),
    };
    if (r.refused.retry, r.refused.distinct) != refused {
        return Some(format!(
            "refuses {} of {} retries and {} of {} distinct pairs, must be {} and {}",
            r.refused.retry, r.retry, r.refused.distinct, r.distinct, refused.0, refused.1
        ));
    }
    None
}
