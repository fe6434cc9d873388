//! The tree that both grammars work on: a typed intent in its plain spelling, then in another one.
//!
//! Every node knows its field. What is spelled at a node is kept as far as productions need it apart:
//! numbers and texts as written, points in time in parts.

use crate::moment::Moment;
use crate::plan::{FieldPlan, Kind};
use crate::production::site;
use std::borrow::Cow;

/// A value at a place.
#[derive(Debug, Clone)]
pub(crate) struct Node<'p> {
    pub(crate) plan: &'p FieldPlan,
    pub(crate) value: Val<'p>,
    /// No further production goes in here: its spelling depends on exact types below.
    pub(crate) frozen: bool,
    /// A list or object that is written as a JSON text.
    pub(crate) as_text: bool,
}

/// What stands at a node.
#[derive(Debug, Clone)]
pub(crate) enum Val<'p> {
    Null,
    Bool(bool),
    /// The text of a JSON number.
    Number(Cow<'p, str>),
    Text(Cow<'p, str>),
    Instant(Moment),
    List(Vec<Node<'p>>),
    Object(Vec<Member<'p>>),
}

/// A member of an object.
#[derive(Debug, Clone)]
pub(crate) struct Member<'p> {
    pub(crate) name: Cow<'p, str>,
    /// The declared property (by its place in the plan) that the member is.
    pub(crate) property: Option<usize>,
    /// Written a second time with the same value.
    pub(crate) twice: bool,
    pub(crate) node: Node<'p>,
}

impl<'p> Node<'p> {
    pub(crate) fn new(plan: &'p FieldPlan, value: Val<'p>) -> Self {
        Node { plan, value, frozen: false, as_text: false }
    }

    /// The kind of site that the node is, as a bit of [`site`]; 0 for null, which is none.
    pub(crate) fn site(&self) -> u32 {
        match (&self.plan.kind, &self.value) {
            (Kind::Volatile, _) => site::VOLATILE,
            (Kind::Payload, _) => site::PAYLOAD,
            (_, Val::Null) => 0,
            (Kind::Set(_), Val::List(_)) => site::SET,
            (_, Val::List(_)) => site::LIST,
            (_, Val::Object(_)) => site::OBJECT,
            (_, Val::Instant(_)) => site::INSTANT,
            (Kind::Number { .. }, Val::Number(_) | Val::Text(_)) => site::NUMBER,
            (Kind::Boolean, Val::Bool(_) | Val::Text(_)) => site::BOOLEAN,
            (Kind::Enum(_), _) => site::ENUM,
            (Kind::Any, _) => site::ANY,
            (kind, Val::Text(_)) => kind.site(),
            _ => 0,
        }
    }

    /// How many nodes in here are one of the sites, frozen ones left out.
    pub(crate) fn count(&self, sites: u32) -> usize {
        if self.frozen {
            return 0;
        }
        let own = usize::from(self.site() & sites != 0);
        own + match &self.value {
            Val::List(items) => items.iter().map(|n| n.count(sites)).sum(),
            Val::Object(members) => members.iter().map(|m| m.node.count(sites)).sum::<usize>(),
            _ => 0,
        }
    }

    /// Calls `use_it` on the sites in order, from the `skip`th on, until it answers true; the answer
    /// is whether it did. With `all`, it is called on each and the answer is whether any did.
    pub(crate) fn visit(
        &mut self,
        sites: u32,
        skip: &mut usize,
        all: bool,
        use_it: &mut dyn FnMut(&mut Node<'p>) -> bool,
    ) -> bool {
        if self.frozen {
            return false;
        }
        let mut done = false;
        if self.site() & sites != 0 {
            if *skip > 0 {
                *skip -= 1;
            } else if use_it(self) {
                if !all {
                    return true;
                }
                done = true;
            }
        }
        // What was just frozen (or is a leaf now) has no sites below.
        if self.frozen {
            return done;
        }
        match &mut self.value {
            Val::List(items) => {
                for node in items {
                    done |= node.visit(sites, skip, all, use_it);
                    if done && !all {
                        return true;
                    }
                }
            }
            Val::Object(members) => {
                for member in members {
                    done |= member.node.visit(sites, skip, all, use_it);
                    if done && !all {
                        return true;
                    }
                }
            }
            _ => {}
        }
        done
    }

    pub(crate) fn freeze(&mut self) {
        self.frozen = true;
    }
}
