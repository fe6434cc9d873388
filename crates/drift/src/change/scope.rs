//! Changes of scope: the same words, another call.

use crate::choice::Choices;
use crate::plan::ToolPlan;
use crate::production::Production as P;
use crate::render::later;
use crate::side::{Id, Side, Slot};
use samecall_call::shape::IdempotencyScope;

/// How far a repeat of a tool's call is the same call: the scope of its business key.
fn reach(tool: &ToolPlan) -> Option<IdempotencyScope> {
    tool.tool.shape.idempotency.as_ref().map(|key| key.scope)
}

/// Whether a repeat at another step is another call of the tool.
pub(crate) fn repeats(tool: &ToolPlan) -> bool {
    !matches!(reach(tool), Some(IdempotencyScope::Run | IdempotencyScope::Tenant))
}

/// The second side at a later step, or in a resumed run, with nothing that says whether it is meant
/// again.
pub(crate) fn moved(slot: &Slot, run: bool, c: &mut Choices<'_>) -> Slot {
    let mut slot = slot.clone();
    if run {
        slot.run = Id::from(format!("{}-resumed", slot.run.0));
    } else {
        slot.step = later(&slot.step, c);
    }
    slot
}

pub(super) fn apply<'p>(
    production: P,
    side: &mut Side<'p>,
    tools: &'p [ToolPlan],
    c: &mut Choices<'_>,
) -> bool {
    let reach = reach(side.tool);
    let slot = &mut side.slot;
    match production {
        P::OtherTool => {
            let other = &tools[c.below(tools.len())].tool.name;
            if side.tool.tool.is_named(other) {
                return false;
            }
            side.name = other.as_str().into();
            true
        }
        P::DeliberateRepeat if repeats(side.tool) => {
            slot.step = later(&slot.step, c);
            true
        }
        P::ParallelTwin if reach.is_none() => {
            slot.occurrence = Some(slot.occurrence.unwrap_or(0) + 1);
            true
        }
        P::CallSite if reach.is_none() => {
            let was = slot.call_site;
            slot.call_site = Some(c.of(&["loop[1]", "charge:fee", "main/2", "loop[11]"]));
            was != slot.call_site
        }
        P::OtherRun if reach != Some(IdempotencyScope::Tenant) => {
            slot.run = Id::from(format!("{}{}", slot.run.0, c.of(&["0", "-2", "a"])));
            true
        }
        P::OtherTenant => {
            let was = slot.tenant;
            slot.tenant = Some(c.of(&["globex", "acme ", "Acme", "initech"]));
            was != slot.tenant
        }
        P::SeparatorInIds if repeats(side.tool) => {
            // `run|1` at step 2, and `run` at step `1|2`: the first side has the first form already.
            let run = slot.run.0.clone();
            let Some(at) = run.rfind(SEPARATORS) else { return false };
            let (head, tail) = run.split_at(at);
            slot.run = Id::from(head.to_owned());
            slot.step = Id::from(format!("{}{}{}", &tail[1..], &tail[..1], slot.step.0));
            true
        }
        P::StepText if repeats(side.tool) => {
            slot.step = Id::from(format!("{}{}", slot.step.0, c.of(&[".0", " ", "e0"])));
            true
        }
        _ => false,
    }
}

/// Characters that a keyer might join scope parts with.
const SEPARATORS: [char; 5] = ['|', ':', '\0', '/', '\n'];

/// A run's id with a separator and one more part.
pub(crate) fn with_separator(run: &Id, c: &mut Choices<'_>) -> Id {
    Id::from(format!("{}{}{}", run.0, c.of(&SEPARATORS), c.between(1, 9)))
}
