//! The loops that agents run in, as thin adapters over one core: how each names its past, and which of its parts share
//! what is kept.
//!
//! | form | its past | what it shares |
//! |---|---|---|
//! | ReAct | actions and observations | one execution |
//! | plan and execute | past steps | one execution |
//! | several agents | their workers' | one execution for all workers |
//! | reflection | none | nothing: it judges an answer, and a tool that it runs is meant to be run |

use std::collections::HashMap;
use std::time::Duration;

use samecall_call::Call;

use crate::execution::{Execution, Round};
use crate::history::{Past, Rebuilt};
use crate::outcome::Outcome;

/// A loop of thought, action and observation.
#[derive(Clone)]
pub struct React {
    execution: Execution,
}

/// A tool call of a ReAct loop.
#[derive(Debug, Clone)]
pub struct Action {
    /// Names the action; its observation refers to it.
    pub id: String,
    /// The call.
    pub call: Call,
    /// The iteration in which it stood.
    pub iteration: Option<u64>,
}

/// What came of an action.
#[derive(Debug, Clone)]
pub struct Observation {
    /// The action's name.
    pub action_id: String,
    /// What its tool gave back.
    pub outcome: Outcome,
    /// Whether it was answered from the cache: such a one says nothing new.
    pub is_duplicate: bool,
    /// How long ago, where that is known.
    pub age: Option<Duration>,
}

impl React {
    /// A loop at its beginning.
    pub fn new(execution: Execution) -> Self {
        React { execution }
    }

    /// A loop that goes on: what it keeps is built from its actions and observations. Observations of no action are left
    /// out.
    pub fn resume(
        execution: Execution,
        actions: impl IntoIterator<Item = Action>,
        observations: impl IntoIterator<Item = Observation>,
    ) -> (Self, Rebuilt) {
        let mut actions: HashMap<String, Action> =
            actions.into_iter().map(|action| (action.id.clone(), action)).collect();
        let past = observations
            .into_iter()
            .filter(|observation| !observation.is_duplicate)
            .filter_map(|observation| {
                let action = actions.remove(&observation.action_id)?;
                Some(Past {
                    call: action.call,
                    outcome: observation.outcome,
                    age: observation.age,
                    iteration: action.iteration,
                })
            });
        let rebuilt = execution.rebuild(past);
        (React { execution }, rebuilt)
    }

    /// The next iteration.
    pub fn iteration(&self, number: u64) -> Round {
        self.execution.iteration(number)
    }

    /// The execution under it.
    pub fn execution(&self) -> &Execution {
        &self.execution
    }
}

/// A loop that makes a plan and executes its steps.
#[derive(Clone)]
pub struct PlanExecute {
    execution: Execution,
}

/// A step that is done.
#[derive(Debug, Clone)]
pub struct PastStep {
    /// Its number in the plan.
    pub step: u64,
    /// The tool call; none for a step that was thought alone.
    pub call: Option<Call>,
    /// What came of it.
    pub outcome: Outcome,
    /// How long ago, where that is known.
    pub age: Option<Duration>,
}

impl PlanExecute {
    /// A plan at its beginning.
    pub fn new(execution: Execution) -> Self {
        PlanExecute { execution }
    }

    /// A plan that goes on: what it keeps is built from its past steps.
    pub fn resume(
        execution: Execution,
        past_steps: impl IntoIterator<Item = PastStep>,
    ) -> (Self, Rebuilt) {
        let rebuilt = execution.rebuild(past_steps.into_iter().filter_map(|step| {
            Some(Past {
                call: step.call?,
                outcome: step.outcome,
                age: step.age,
                iteration: Some(step.step),
            })
        }));
        (PlanExecute { execution }, rebuilt)
    }

    /// The next step.
    pub fn step(&self, number: u64) -> Round {
        self.execution.iteration(number)
    }

    /// The execution under it.
    pub fn execution(&self) -> &Execution {
        &self.execution
    }
}

/// A supervisor and its workers, who share what any of them has asked.
#[derive(Clone)]
pub struct MultiAgent {
    execution: Execution,
}

impl MultiAgent {
    /// A team in one execution.
    pub fn new(execution: Execution) -> Self {
        MultiAgent { execution }
    }

    /// A worker, which is a ReAct loop; events name it.
    pub fn worker(&self, name: &str) -> React {
        React::new(self.execution.worker(name))
    }

    /// The execution under it.
    pub fn execution(&self) -> &Execution {
        &self.execution
    }
}

/// A loop that judges and mends an answer: nothing that it does is answered from the cache.
#[derive(Clone)]
pub struct Reflection {
    execution: Execution,
}

impl Reflection {
    /// A reflection within an execution, whose writes still make out of date what the others keep.
    pub fn new(execution: &Execution) -> Self {
        Reflection { execution: execution.disabled() }
    }

    /// The next round.
    pub fn iteration(&self, number: u64) -> Round {
        self.execution.iteration(number)
    }
}
