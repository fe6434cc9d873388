//! What the generator knows of a tool: its shape, flattened for fast drawing, with bounds, examples and
//! hints from the schema that the shape does not keep.

mod compile;
mod hint;
mod pattern;

pub(crate) use compile::compile;
pub(crate) use hint::Hint;

use crate::production::site;
use samecall_call::json::Value;
use samecall_call::shape::JsonType;
use samecall_call::{Catalog, Tool};
use std::sync::Arc;

/// A tool, ready to draw calls of.
#[derive(Debug)]
pub(crate) struct ToolPlan {
    pub(crate) tool: Arc<Tool>,
    /// The catalog key, where the tool's name alone does not find it.
    pub(crate) key: Option<String>,
    /// All fields; the first one is the open field of undeclared values.
    pub(crate) fields: Vec<FieldPlan>,
    pub(crate) root: usize,
    /// The sites that calls of the tool can have.
    pub(crate) sites: u32,
    /// The places in the root's properties of the business key's fields.
    pub(crate) key_fields: Vec<usize>,
}

impl ToolPlan {
    /// Whether every value of the field is part of identity, whichever branch of a union it is.
    pub(crate) fn always_counts(&self, field: &FieldPlan) -> bool {
        let (mut next, mut seen) = (vec![field], Vec::new());
        while let Some(field) = next.pop() {
            match &field.kind {
                Kind::Volatile | Kind::Payload => return false,
                Kind::Union { branches, .. } => {
                    for at in branches {
                        if !seen.contains(at) {
                            seen.push(*at);
                            next.push(&self.fields[*at]);
                        }
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// Whether a value of the field can have payload within it, written or by a default.
    pub(crate) fn may_hold_payload(&self, field: &FieldPlan) -> bool {
        if self.sites & site::PAYLOAD == 0 {
            return false;
        }
        let mut seen = vec![false; self.fields.len()];
        let mut next: Vec<&FieldPlan> = vec![field];
        while let Some(field) = next.pop() {
            let mut add = |at: usize| {
                if !std::mem::replace(&mut seen[at], true) {
                    next.push(&self.fields[at]);
                }
            };
            match &field.kind {
                Kind::Payload => return true,
                Kind::List(items) | Kind::Set(items) => {
                    items.prefix.iter().copied().chain(items.rest).for_each(&mut add);
                }
                Kind::Object(object) => {
                    object.properties.iter().for_each(|property| add(property.field));
                    object.additional.into_iter().for_each(&mut add);
                }
                Kind::Union { branches, .. } => branches.iter().copied().for_each(&mut add),
                _ => {}
            }
        }
        false
    }
}

/// A field.
#[derive(Debug)]
pub(crate) struct FieldPlan {
    pub(crate) kind: Kind,
    /// JSON types that are taken without coercion, one bit each; 0 for any.
    pub(crate) types: u8,
    pub(crate) nullable: bool,
    /// A null here means absent.
    pub(crate) null_absent: bool,
    /// An empty list, object or text here means absent.
    pub(crate) empty_absent: bool,
    pub(crate) default: Option<Value<'static>>,
    pub(crate) aliases: Vec<(String, String)>,
    /// The types of the union that this is a branch of; 0 for none.
    pub(crate) union_types: u8,
    pub(crate) hint: Hint,
    pub(crate) integer: bool,
    pub(crate) min: Option<i64>,
    pub(crate) max: Option<i64>,
    pub(crate) min_items: usize,
    /// Texts from `examples`, or that meet `pattern`.
    pub(crate) pool: Vec<String>,
}

/// A kind, as the shape has it, with what drawing needs.
#[derive(Debug)]
pub(crate) enum Kind {
    Any,
    Exact,
    Number {
        grid: Option<Grid>,
    },
    Boolean,
    Enum(Vec<Value<'static>>),
    Token,
    Cased,
    Text,
    Code,
    Instant {
        epoch: bool,
    },
    Uuid,
    Uri,
    Time,
    Phone,
    Date,
    Duration,
    Email,
    List(Items),
    Set(Items),
    Json,
    Volatile,
    Payload,
    Object(ObjectPlan),
    /// Branches, and the name of the tag that tells object branches apart.
    Union {
        branches: Vec<usize>,
        tag: Option<String>,
    },
}

/// A grid of decimals: multiples of `units` x 10^-`scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) units: i64,
    pub(crate) scale: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Items {
    pub(crate) prefix: Vec<usize>,
    pub(crate) rest: Option<usize>,
}

impl Items {
    /// The field of the item at a place; the open one where the schema says nothing.
    pub(crate) fn at(&self, place: usize) -> usize {
        self.prefix.get(place).copied().or(self.rest).unwrap_or(0)
    }
}

#[derive(Debug, Default)]
pub(crate) struct ObjectPlan {
    pub(crate) properties: Vec<PropertyPlan>,
    pub(crate) additional: Option<usize>,
    /// Names that are required and not declared.
    pub(crate) required_undeclared: Vec<String>,
    /// Nulls under undeclared names mean absent.
    pub(crate) undeclared_null_absent: bool,
    /// Undeclared members are no part of identity.
    pub(crate) ignores_undeclared: bool,
}

#[derive(Debug)]
pub(crate) struct PropertyPlan {
    pub(crate) name: String,
    pub(crate) folded: String,
    pub(crate) field: usize,
    pub(crate) required: bool,
}

/// The bit of a JSON type.
pub(crate) fn type_bit(of: JsonType) -> u8 {
    1 << of as u8
}

impl Kind {
    /// The kind's site bit; 0 for a union, which is no site itself.
    pub(crate) fn site(&self) -> u32 {
        match self {
            Kind::Any => site::ANY,
            Kind::Exact => site::EXACT,
            Kind::Number { .. } => site::NUMBER,
            Kind::Boolean => site::BOOLEAN,
            Kind::Enum(_) => site::ENUM,
            Kind::Token => site::TOKEN,
            Kind::Cased => site::CASED,
            Kind::Text => site::TEXT,
            Kind::Code => site::CODE,
            Kind::Instant { .. } => site::INSTANT,
            Kind::Uuid => site::UUID,
            Kind::Uri => site::URI,
            Kind::Time => site::TIME,
            Kind::Phone => site::PHONE,
            Kind::Date => site::DATE,
            Kind::Duration => site::DURATION,
            Kind::Email => site::EMAIL,
            Kind::List(_) => site::LIST,
            Kind::Set(_) => site::SET,
            Kind::Json => site::JSON,
            Kind::Volatile => site::VOLATILE,
            Kind::Payload => site::PAYLOAD,
            Kind::Object(_) => site::OBJECT,
            Kind::Union { .. } => 0,
        }
    }
}

impl FieldPlan {
    /// The object that the field is, where it is a declared one.
    pub(crate) fn object(&self) -> Option<&ObjectPlan> {
        match &self.kind {
            Kind::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether a value of the type is taken as it is.
    pub(crate) fn takes(&self, of: JsonType) -> bool {
        if of == JsonType::Null {
            // A schema that says nothing of types takes null too.
            return self.nullable || (matches!(self.kind, Kind::Any) && self.types == 0);
        }
        self.types == 0 || self.types & type_bit(of) != 0
    }

    /// Whether a spelling of another JSON type is read as this field's: not within a union, where
    /// the type selects the branch.
    pub(crate) fn coerces(&self) -> bool {
        self.union_types == 0
    }
}

/// Plans of all tools of a catalog whose arguments are an object, in key order.
pub(crate) fn plans(catalog: &Catalog) -> Vec<ToolPlan> {
    let mut plans = Vec::new();
    for (key, tool) in catalog.tools() {
        if let Some(mut plan) = compile(tool) {
            let found = catalog.by_name(&tool.name).is_some_and(|t| Arc::ptr_eq(t, tool));
            plan.key = (!found).then(|| key.to_owned());
            plans.push(plan);
        }
    }
    plans
}
