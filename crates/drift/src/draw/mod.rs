//! Intents: typed values drawn from a tool's shape, in their plain spelling.

pub(crate) mod number;
mod text;
pub(crate) mod words;

use crate::choice::Choices;
use crate::moment::{Moment, Zone};
use crate::plan::{FieldPlan, Hint, Items, Kind, ToolPlan, type_bit};
use crate::tree::{Member, Node, Val};
use samecall_call::json::Value;
use samecall_call::shape::JsonType;
use std::borrow::Cow;

/// Below this depth optional members and items are left out, so that a recursive schema ends.
const MAX_DEPTH: usize = 5;
/// Below this depth, or past so many values, required members and items are left out too: a schema that requires itself
/// has no finite value, and one that requires itself twice too large a one.
const CUT_DEPTH: usize = 12;
const MAX_VALUES: usize = 2_000;
/// Branches within branches that are followed; a union may be a branch of itself.
const MAX_BRANCHES: usize = 32;

/// Draws values of a tool's fields.
pub(crate) struct Drawing<'p, 'c, 't> {
    pub(crate) tool: &'p ToolPlan,
    /// The share of hostile values, in thousandths.
    pub(crate) hostile: u32,
    pub(crate) choices: &'c mut Choices<'t>,
    /// Values drawn so far.
    pub(crate) values: usize,
}

impl<'p> Drawing<'p, '_, '_> {
    /// Whether nothing more goes in here.
    fn is_cut(&self, depth: usize) -> bool {
        depth > CUT_DEPTH || self.values > MAX_VALUES
    }

    /// The arguments of one call.
    pub(crate) fn arguments(&mut self) -> Node<'p> {
        let plan = &self.tool.fields[self.tool.root];
        self.node(plan, 0)
    }

    /// A value of a field.
    pub(crate) fn node(&mut self, plan: &'p FieldPlan, depth: usize) -> Node<'p> {
        self.branch(plan, depth, 0)
    }

    fn branch(&mut self, plan: &'p FieldPlan, depth: usize, branch: usize) -> Node<'p> {
        self.values += 1;
        if let Kind::Union { branches, tag } = &plan.kind {
            if branch > MAX_BRANCHES {
                return Node::new(plan, Val::Null);
            }
            let chosen = self.choices.pick(branches).map_or(self.tool.root, |at| *at);
            let mut node = self.branch(&self.tool.fields[chosen], depth, branch + 1);
            if let (Some(tag), Val::Object(members)) = (tag, &mut node.value) {
                // Another spelling of the tag would select no branch.
                members.iter_mut().filter(|m| m.name == *tag).for_each(|m| m.node.freeze());
            }
            return node;
        }
        let value = self.value(plan, depth);
        Node::new(plan, value)
    }

    fn hostile(&mut self) -> bool {
        self.choices.permille(self.hostile)
    }

    fn value(&mut self, plan: &'p FieldPlan, depth: usize) -> Val<'p> {
        let hostile = self.hostile();
        let c = &mut *self.choices;
        // What an alias stands for is text, and need be no point in time.
        if !plan.aliases.is_empty()
            && !matches!(plan.kind, Kind::Enum(_) | Kind::Instant { .. })
            && c.permille(600)
            && let Some((_, member)) = c.pick(&plan.aliases)
        {
            return Val::Text(member.as_str().into());
        }
        if !plan.pool.is_empty()
            && plan.takes(JsonType::String)
            && !matches!(plan.kind, Kind::Instant { .. })
            && let Some(text) = c.pick(&plan.pool)
        {
            return Val::Text(text.as_str().into());
        }
        match &plan.kind {
            Kind::Any => self.open(depth),
            Kind::Exact if !plan.takes(JsonType::String) => self.of_types(plan),
            Kind::Exact => Val::Text(text::exact(plan.hint, hostile, c)),
            Kind::Number { .. } => {
                let number = number::number(plan, hostile, c);
                if plan.takes(JsonType::Number) {
                    Val::Number(number.into())
                } else {
                    Val::Text(number.into())
                }
            }
            Kind::Boolean => Val::Bool(c.permille(500)),
            Kind::Enum(members) => c.pick(members).map_or(Val::Null, plain),
            Kind::Token | Kind::Cased => Val::Text(text::token(c)),
            Kind::Text => Val::Text(text::prose(c)),
            Kind::Code => Val::Text(text::code(c)),
            Kind::Instant { epoch } => {
                let mut moment = self.moment();
                // Numbers stand for instants of a zone; a field that takes no text needs one.
                if *epoch && moment.zoned() && !moment.leap && plan.takes(JsonType::Number) {
                    moment.epoch = !plan.takes(JsonType::String) || self.choices.permille(250);
                }
                Val::Instant(moment)
            }
            Kind::Uuid => Val::Text(text::uuid(c)),
            Kind::Uri => Val::Text(text::uri(c)),
            Kind::Time => Val::Text(text::time(c)),
            Kind::Phone => Val::Text(text::phone(c)),
            Kind::Date => Val::Text(text::date(c)),
            Kind::Duration => Val::Text(text::duration(c)),
            Kind::Email => Val::Text(text::email(c)),
            Kind::Json => Val::Text(text::json(c)),
            Kind::Volatile => match plan.takes(JsonType::String) {
                true => Val::Text(text::nonce(c)),
                false => Val::Number(c.between(1, 999_999_999).to_string().into()),
            },
            Kind::Payload => match plan.takes(JsonType::String) {
                true => Val::Text(text::payload(c)),
                false => self.of_types(plan),
            },
            Kind::List(items) => self.list(plan, items, depth, false),
            Kind::Set(items) => self.list(plan, items, depth, true),
            Kind::Object(_) => self.object(plan, depth),
            // Drawn by branch before; an empty object stands in.
            Kind::Union { .. } => Val::Object(Vec::new()),
        }
    }

    /// A value of the first type that the field takes, where its kind says nothing of it.
    fn of_types(&mut self, plan: &'p FieldPlan) -> Val<'p> {
        let c = &mut *self.choices;
        if plan.types & type_bit(JsonType::Number) != 0 {
            Val::Number(c.between(0, 9_999).to_string().into())
        } else if plan.types & type_bit(JsonType::Boolean) != 0 {
            Val::Bool(c.permille(500))
        } else if plan.types & type_bit(JsonType::Array) != 0 {
            Val::List(Vec::new())
        } else {
            Val::Object(Vec::new())
        }
    }

    /// A value of which the schema says nothing.
    fn open(&mut self, depth: usize) -> Val<'p> {
        let open = &self.tool.fields[0];
        let c = &mut *self.choices;
        match c.below(if depth >= MAX_DEPTH - 1 { 4 } else { 6 }) {
            0 => Val::Text(text::exact(Hint::None, false, c)),
            1 => Val::Number(c.between(0, 99_999).to_string().into()),
            2 => Val::Bool(c.permille(500)),
            3 => Val::Text(c.of(&["42", "true", "x", "1.0"]).into()),
            4 => {
                let count = 1 + c.below(3);
                Val::List((0..count).map(|_| self.node(open, depth + 2)).collect())
            }
            _ => Val::Object(self.free_members(open, depth)),
        }
    }

    fn free_members(&mut self, field: &'p FieldPlan, depth: usize) -> Vec<Member<'p>> {
        let count = 1 + self.choices.below(3);
        let first = self.choices.below(words::FREE_NAMES.len());
        (0..count)
            .map(|at| Member {
                name: words::FREE_NAMES[(first + at) % words::FREE_NAMES.len()].into(),
                property: None,
                twice: false,
                node: self.node(field, depth + 2),
            })
            .collect()
    }

    pub(crate) fn moment(&mut self) -> Moment {
        let c = &mut *self.choices;
        // 2026-01-01 and eight years, to the minute; one in three to the second.
        let mut seconds = 1_767_225_600 + c.between(0, 8 * 365 * 1440) * 60;
        if c.permille(330) {
            seconds += c.between(1, 59);
        }
        let zone = match c.below(8) {
            0..=3 => Zone::Zulu,
            4 | 5 => {
                let minutes = c.of(&[120, -300, 330, 60, -480, 540, 345]);
                Zone::Offset { minutes, colon: true, negative_zero: false }
            }
            6 => Zone::Offset { minutes: 0, colon: true, negative_zero: false },
            _ => Zone::None,
        };
        let mut moment = Moment::new(seconds, zone);
        if c.permille(200) {
            moment.nanos = c.of(&[500_000_000, 100_000_000, 123_000_000, 250_000, 1]);
            moment.fraction_digits = moment.needed_digits();
        } else if c.permille(15) {
            // The leap second at the end of 2016.
            moment = Moment { leap: true, ..Moment::new(1_483_228_799, Zone::Zulu) };
        }
        moment
    }

    fn list(&mut self, plan: &'p FieldPlan, items: &Items, depth: usize, set: bool) -> Val<'p> {
        if self.is_cut(depth) {
            return Val::List(Vec::new());
        }
        let c = &mut *self.choices;
        let extra = if depth >= MAX_DEPTH { 0 } else { c.below(4) };
        // An empty list that means absent is no value to draw.
        let least = plan.min_items.max(items.prefix.len()).max(1);
        let count = if items.rest.is_none() && !items.prefix.is_empty() {
            items.prefix.len()
        } else if extra == 0 && c.permille(100) && !plan.empty_absent && plan.min_items == 0 {
            0
        } else {
            least + extra.saturating_sub(1)
        };
        let mut found: Vec<Node<'p>> = Vec::with_capacity(count);
        for at in 0..count {
            let node = self.node(&self.tool.fields[items.at(at)], depth + 1);
            if !set || found.iter().all(|known| clearly_differ(known, &node)) {
                found.push(node);
            }
        }
        Val::List(found)
    }

    fn object(&mut self, plan: &'p FieldPlan, depth: usize) -> Val<'p> {
        let Some(object) = plan.object().filter(|_| !self.is_cut(depth)) else {
            return Val::Object(Vec::new());
        };
        let mut members = Vec::with_capacity(object.properties.len());
        for (at, property) in object.properties.iter().enumerate() {
            let field = &self.tool.fields[property.field];
            let key_field = depth == 0 && self.tool.key_fields.contains(&at);
            let node = if field.null_absent && property.required {
                // A strict catalog: absent is written as null.
                if self.choices.permille(600) || !field.nullable {
                    self.node(field, depth + 1)
                } else {
                    Node::new(field, Val::Null)
                }
            } else if property.required || key_field {
                self.node(field, depth + 1)
            } else if depth >= MAX_DEPTH || !self.choices.permille(550) {
                if !field.empty_absent || !self.choices.permille(100) {
                    continue;
                }
                let Some(empty) = crate::render::empty(field) else { continue };
                let mut node = Node::new(field, empty);
                // Any white space in it would make it a value.
                node.freeze();
                node
            } else if field.nullable && self.choices.permille(150) {
                Node::new(field, Val::Null)
            } else if let Some(default) = &field.default
                && self.choices.permille(300)
                && is_scalar(default)
                && field.takes(JsonType::of(default))
                && !matches!(field.kind, Kind::Union { .. } | Kind::Instant { .. })
            {
                Node::new(field, plain(default))
            } else {
                self.node(field, depth + 1)
            };
            members.push(Member {
                name: property.name.as_str().into(),
                property: Some(at),
                twice: false,
                node,
            });
        }
        // An empty object that means absent is no value to draw.
        if members.is_empty()
            && plan.empty_absent
            && depth < MAX_DEPTH
            && let Some(property) = object.properties.first()
        {
            let node = self.node(&self.tool.fields[property.field], depth + 1);
            let name = property.name.as_str().into();
            members.push(Member { name, property: Some(0), twice: false, node });
        }
        if object.properties.is_empty() && depth > 0 {
            let field = object.additional.unwrap_or(0);
            members = self.free_members(&self.tool.fields[field], depth);
        }
        // Without them the arguments may look like a stream that was cut.
        let undeclared = if depth == 0 { &object.required_undeclared[..] } else { &[] };
        for name in undeclared {
            let node = self.node(&self.tool.fields[object.additional.unwrap_or(0)], depth + 1);
            members.push(Member { name: name.as_str().into(), property: None, twice: false, node });
        }
        // Models write members in the order they think of them.
        self.choices.shuffle(&mut members);
        Val::Object(members)
    }
}

fn is_scalar(value: &Value<'_>) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

/// A JSON value of the schema as a value of the tree; containers only where they are empty.
pub(crate) fn plain<'p>(value: &'p Value<'static>) -> Val<'p> {
    match value {
        Value::Null | Value::NonFinite(_) => Val::Null,
        Value::Bool(b) => Val::Bool(*b),
        Value::Number(text) => Val::Number(Cow::Borrowed(text.as_ref())),
        Value::String(text) => Val::Text(Cow::Borrowed(text.as_str().unwrap_or_default())),
        Value::Array(_) => Val::List(Vec::new()),
        Value::Object(_) => Val::Object(Vec::new()),
    }
}

/// Whether two plainly spelled values differ by any reading of their kind: the letters and digits of
/// texts differ without case, numbers are other texts, points in time are others. What is unclear
/// counts as alike.
pub(crate) fn clearly_differ(a: &Node<'_>, b: &Node<'_>) -> bool {
    let is_left_out = |node: &Node<'_>| matches!(node.plan.kind, Kind::Volatile);
    // What is absent has its default, which the other one may be.
    let is_default = |node: &Node<'_>| {
        node.plan.empty_absent
            && node.plan.default.is_some()
            && crate::render::is_empty(&node.value)
    };
    if is_left_out(a) || is_left_out(b) || is_default(a) || is_default(b) {
        return false;
    }
    match (&a.value, &b.value) {
        (Val::Bool(x), Val::Bool(y)) => x != y,
        (Val::Number(x), Val::Number(y)) => x != y && !has_exponent(x) && !has_exponent(y),
        (Val::Text(x), Val::Text(y)) if matches!(a.plan.kind, Kind::Number { .. }) => {
            x != y && !has_exponent(x) && !has_exponent(y)
        }
        // Times of two zones may be one; of one zone they are as they read.
        (Val::Text(x), Val::Text(y)) if matches!(a.plan.kind, Kind::Time) => {
            x.get(8..) == y.get(8..) && x != y
        }
        (Val::Text(x), Val::Text(y)) => {
            resolve(a.plan, x) != resolve(b.plan, y) && !same_letters(x, y)
        }
        (Val::Instant(x), Val::Instant(y)) => {
            x.zoned() == y.zoned()
                && !x.leap
                && !y.leap
                && (x.seconds, x.nanos) != (y.seconds, y.nanos)
        }
        (Val::List(x), Val::List(y)) if matches!(a.plan.kind, Kind::Set(_)) => x.len() != y.len(),
        (Val::List(x), Val::List(y)) => {
            x.len() != y.len() || x.iter().zip(y).any(|(i, j)| clearly_differ(i, j))
        }
        (Val::Object(x), Val::Object(y)) => x.iter().any(|m| {
            !matches!(m.node.plan.kind, Kind::Volatile | Kind::Payload)
                && y.iter().any(|n| m.name == n.name && clearly_differ(&m.node, &n.node))
        }),
        _ => false,
    }
}

fn has_exponent(number: &str) -> bool {
    number.bytes().any(|b| b == b'e')
}

fn resolve<'a>(plan: &'a FieldPlan, text: &'a str) -> &'a str {
    plan.aliases.iter().find(|(synonym, _)| synonym == text).map_or(text, |(_, member)| member)
}

/// Whether two texts have the same letters and digits in the same order, without case.
fn same_letters(a: &str, b: &str) -> bool {
    let letters = |s: &str| -> String {
        s.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    if a.is_ascii() && b.is_ascii() {
        let mut x = a.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase());
        let mut y = b.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase());
        return std::iter::from_fn(|| match (x.next(), y.next()) {
            (None, None) => None,
            pair => Some(pair),
        })
        .all(|(p, q)| p == q);
    }
    letters(a) == letters(b)
}

/// A fresh value of a volatile field.
pub(crate) fn nonce<'p>(plan: &FieldPlan, c: &mut Choices<'_>) -> Val<'p> {
    if plan.takes(JsonType::String) {
        Val::Text(text::nonce(c))
    } else {
        Val::Number(c.between(1, 999_999_999).to_string().into())
    }
}
