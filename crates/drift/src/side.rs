//! One side of a pair while it is made: its tree, style and scope, and the productions used.

use crate::choice::Choices;
use crate::plan::ToolPlan;
use crate::production::Production;
use crate::tree::{Node, Val};
use crate::write::{self, Style};
use samecall_call::{Attempt, Call, Part, Scope};
use std::borrow::Cow;

/// A call that is being spelled.
#[derive(Debug, Clone)]
pub(crate) struct Side<'p> {
    pub(crate) tool: &'p ToolPlan,
    pub(crate) name: Cow<'p, str>,
    pub(crate) root: Node<'p>,
    pub(crate) style: Style,
    pub(crate) slot: Slot,
    pub(crate) used: Vec<Production>,
}

/// Where the call stands; cheap to copy until it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Slot {
    pub(crate) tenant: Option<&'static str>,
    pub(crate) run: Id,
    pub(crate) step: Id,
    pub(crate) occurrence: Option<u64>,
    pub(crate) call_site: Option<&'static str>,
    pub(crate) attempt_of: Option<(Id, Id, u64)>,
}

/// A run's or step's id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Id(pub(crate) Cow<'static, str>);

impl From<String> for Id {
    fn from(text: String) -> Self {
        Id(Cow::Owned(text))
    }
}

impl From<&'static str> for Id {
    fn from(text: &'static str) -> Self {
        Id(Cow::Borrowed(text))
    }
}

impl Id {
    fn part(&self) -> Part {
        Part::Given(self.0.clone().into_owned())
    }
}

impl Slot {
    pub(crate) fn scope(&self) -> Scope {
        Scope {
            tenant: self.tenant.map(str::to_owned),
            run_id: self.run.part(),
            step: self.step.part(),
            occurrence: self.occurrence,
            call_site: self.call_site.map(str::to_owned),
            attempt_of: self.attempt_of.as_ref().map(|(run, step, occurrence)| Attempt {
                run_id: run.part(),
                step: step.part(),
                occurrence: *occurrence,
            }),
        }
    }
}

impl Side<'_> {
    /// The call as a model and its framework would have written it.
    pub(crate) fn call(&self) -> Call {
        Call {
            tool: self.name.clone().into_owned(),
            arguments: write::write(&self.root, &self.style),
            scope: self.slot.scope(),
        }
    }

    /// Whether the arguments are written as no member at all.
    pub(crate) fn no_members(&self) -> bool {
        matches!(&self.root.value, Val::Object(members) if members.is_empty())
    }
}

/// What a production needs beside the side.
pub(crate) struct Context<'c, 't> {
    pub(crate) choices: &'c mut Choices<'t>,
    /// A production is used on every site that it fits.
    pub(crate) all_sites: bool,
}
