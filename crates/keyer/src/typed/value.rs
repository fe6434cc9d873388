//! Writes the canonical form of arguments, directed by a tool's shape.
//!
//! Values are written as they are met, objects member by member in the order of their names, so that there is no second
//! tree. Payload fields go into a second buffer, in the same encoding with only the way to them around it.

use samecall_call::json::{self, Dialect, Text, Value};
use samecall_call::shape::{EmptyMeaning, Field, FieldId, JsonType, Kind, NullMeaning, Shape};

use super::encode::{put_length, put_text, tag};
use super::rule::{RuleSet, TypedRule};
use super::scalar::{self, Form};
use crate::{Fired, Refusal};

/// A refusal on its way out; boxed, so that the frames of deep recursion stay small.
pub(super) type Stop = Box<Refusal>;

/// Objects and lists within each other, JSON carried as text included. The reader alone lets through
/// [`Dialect::max_depth`] levels; only text within text comes near this.
const MAX_DEPTH: usize = 544;

/// What null and empty mean for undeclared members here and below.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Open {
    pub(super) null_absent: bool,
    pub(super) empty_absent: bool,
}

impl Open {
    /// What a field's own annotations say of the undeclared members below it, else what holds around it.
    pub(super) fn within(self, field: &Field) -> Self {
        Open {
            null_absent: field
                .stated_null
                .map_or(self.null_absent, |meaning| meaning == NullMeaning::Absent),
            empty_absent: field
                .stated_empty
                .map_or(self.empty_absent, |meaning| meaning == EmptyMeaning::Absent),
        }
    }
}

/// Where the writer stands, and which rules fired on the way; only for explanations.
#[derive(Debug, Default)]
pub(super) struct Trace {
    path: Vec<String>,
    pub(super) fired: Vec<Fired>,
}

pub(super) struct Writer<'s> {
    pub(super) shape: Option<&'s Shape>,
    pub(super) rules: RuleSet,
    /// Whether defaults are also read from descriptions.
    pub(super) prose: bool,
    /// The main form; whoever made the writer may have begun it.
    pub(super) out: Vec<u8>,
    /// Payload fields and the way to them.
    pub(super) payload: Vec<u8>,
    /// Whether payload is kept apart here: the shape has such fields, and none is being written.
    pub(super) apart: bool,
    /// Whether a spelling is made of the form, in which what is left out of a branch must still select that branch.
    pub(super) spelled: bool,
    pub(super) depth: usize,
    /// How many members were present so far, defaults of absent ones not counted.
    pub(super) present: usize,
    pub(super) trace: Option<Box<Trace>>,
}

impl<'s> Writer<'s> {
    /// Notes that a rule changed something here.
    pub(super) fn fire(&mut self, rule: TypedRule) {
        if let Some(trace) = &mut self.trace {
            trace.fired.push(Fired { path: trace.path.clone(), rule: rule.name() });
        }
    }

    pub(super) fn fire_if(&mut self, rule: TypedRule) -> bool {
        let has = self.rules.has(rule);
        if has {
            self.fire(rule);
        }
        has
    }

    fn fire_all(&mut self, fired: RuleSet) {
        if self.trace.is_some() {
            fired.iter().for_each(|rule| self.fire(rule));
        }
    }

    pub(super) fn enter(&mut self, step: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.path.push(step());
        }
    }

    pub(super) fn leave(&mut self) {
        if let Some(trace) = &mut self.trace {
            trace.path.pop();
        }
    }

    pub(super) fn field(&self, id: Option<FieldId>) -> Option<&'s Field> {
        match (self.shape, id) {
            (Some(shape), Some(id)) => Some(shape.field(id)),
            _ => None,
        }
    }

    /// The kind that a value of a field has, in whatever unions; none where nobody can tell.
    pub(super) fn kind(&self, field: Option<FieldId>, value: &Value<'_>) -> Option<&'s Kind> {
        let mut kind = &self.field(field)?.kind;
        while let Kind::Union(union) = kind {
            kind = &self.field(Some(union.select(value)?))?.kind;
        }
        Some(kind)
    }

    pub(super) fn deeper(&mut self) -> Result<(), Stop> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let detail = format!("nested deeper than {MAX_DEPTH} levels");
            return Err(Refusal::new("too_deep", detail).into());
        }
        Ok(())
    }

    /// Writes one node for a value that is there.
    pub(super) fn value(
        &mut self,
        value: &Value<'_>,
        field: Option<FieldId>,
        open: Open,
    ) -> Result<(), Stop> {
        let Some(known) = self.field(field) else { return self.any(value, open) };
        match (&known.kind, value) {
            (Kind::Object(object), Value::Object(members)) => {
                self.object(members, Some(object), open.within(known))
            }
            (Kind::Object(_), Value::String(text)) => self.object_text(text, known, open),
            (Kind::List(items), _) => self.items(value, items, false, open),
            (Kind::Set(items), _) => self.items(value, items, true, open),
            // Which branch's type the handler gets depends on how the number is written.
            (Kind::Union(_), Value::Number(text)) if self.rules.is_held() => {
                self.out.push(tag::NUMBER);
                put_text(&mut self.out, text.as_bytes());
                Ok(())
            }
            (Kind::Union(union), _) => match union.select(value) {
                Some(branch) => {
                    let open = open.within(known);
                    let left_out = self.field(Some(branch)).map(|field| &field.kind);
                    if self.spelled && matches!(left_out, Some(Kind::Volatile)) {
                        return self.any(value, open);
                    }
                    self.value(value, Some(branch), open)
                }
                None => self.untold(value, known, field, open),
            },
            (Kind::Json, _) => self.json(value, known, open),
            (Kind::Volatile, _) if self.rules.has(TypedRule::VolatileLeftOut) => {
                self.fire(TypedRule::VolatileLeftOut);
                self.out.push(tag::VOLATILE);
                Ok(())
            }
            (Kind::Payload, _) if self.apart => {
                self.out.push(tag::PAYLOAD);
                self.in_payload(|writer| writer.any(value, open))
            }
            (_, Value::String(text)) => {
                self.text(text, known);
                Ok(())
            }
            (Kind::Number { grid }, Value::Number(text)) => {
                self.number(text, grid.as_deref());
                Ok(())
            }
            (Kind::Instant { epoch: true }, Value::Number(text)) => {
                self.epoch(text);
                Ok(())
            }
            _ => self.any(value, open.within(known)),
        }
    }

    /// Writes one node for a value of which nothing is known: the same JSON, numbers as exact decimals.
    pub(super) fn any(&mut self, value: &Value<'_>, open: Open) -> Result<(), Stop> {
        match value {
            Value::Null => self.out.push(tag::NULL),
            Value::Bool(true) => self.out.push(tag::TRUE),
            Value::Bool(false) => self.out.push(tag::FALSE),
            Value::Number(text) => self.number(text, None),
            // The strict reader lets none through.
            Value::NonFinite(_) => return Err(Refusal::bare("non_finite").into()),
            Value::String(text) => {
                self.out.push(tag::TEXT);
                put_text(&mut self.out, text.as_bytes());
            }
            Value::Array(values) => {
                self.deeper()?;
                self.out.push(tag::LIST);
                for (index, value) in values.iter().enumerate() {
                    self.out.push(tag::MEMBER);
                    self.enter(|| index.to_string());
                    self.any(value, open)?;
                    self.leave();
                }
                self.out.push(tag::END);
                self.depth -= 1;
            }
            Value::Object(members) => self.object(members, None, open)?,
        }
        Ok(())
    }

    fn form(&mut self, form: &Form<'_>, fired: RuleSet) {
        self.fire_all(fired);
        match form {
            Form::Boolean(true) => self.out.push(tag::TRUE),
            Form::Boolean(false) => self.out.push(tag::FALSE),
            Form::Text(tag, text) => {
                self.out.push(*tag);
                put_text(&mut self.out, text.as_bytes());
            }
        }
    }

    fn number(&mut self, text: &str, grid: Option<&str>) {
        let mut fired = RuleSet::NONE;
        let form = scalar::number(text, grid, self.rules, &mut fired);
        self.form(&form, fired);
    }

    fn epoch(&mut self, text: &str) {
        let mut fired = RuleSet::NONE;
        let form = scalar::epoch(text, self.rules, &mut fired);
        self.form(&form, fired);
    }

    fn text(&mut self, text: &Text<'_>, field: &Field) {
        match text.as_str() {
            Some(text) => {
                let mut fired = RuleSet::NONE;
                let form = scalar::of_text(field, text, self.rules, &mut fired);
                self.form(&form, fired);
            }
            // No rule of any kind reads half a surrogate pair.
            None => {
                self.out.push(tag::TEXT);
                put_text(&mut self.out, text.as_bytes());
            }
        }
    }

    /// A value that no branch of a union takes: as it is, but text that holds an object is one where all branches
    /// are objects.
    fn untold(
        &mut self,
        value: &Value<'_>,
        known: &Field,
        field: Option<FieldId>,
        open: Open,
    ) -> Result<(), Stop> {
        if let Value::String(text) = value
            && known.json_types == [JsonType::Object]
            && self.rules.has(TypedRule::ObjectText)
            && let Some(object @ Value::Object(_)) = parsed(text, b'{')
        {
            self.fire(TypedRule::ObjectText);
            return self.value(&object, field, open);
        }
        self.any(value, open)
    }

    /// Text where an object is declared.
    fn object_text(&mut self, text: &Text<'_>, field: &Field, open: Open) -> Result<(), Stop> {
        if self.rules.has(TypedRule::ObjectText)
            && let Some(Value::Object(members)) = parsed(text, b'{')
            && let Kind::Object(object) = &field.kind
        {
            self.fire(TypedRule::ObjectText);
            // The shape outlives the writer's borrow of the field through the shape itself.
            return self.object(&members, Some(object), open.within(field));
        }
        self.text(text, field);
        Ok(())
    }

    /// JSON that a field carries as text, or as it is where the schema allows that.
    fn json(&mut self, value: &Value<'_>, field: &Field, open: Open) -> Result<(), Stop> {
        let types = &field.json_types;
        let carried = match value {
            Value::String(text) => text.as_str().and_then(|t| json::parse(t, Dialect::Strict).ok()),
            _ => None,
        };
        let open = open.within(field);
        match (&carried, value) {
            (Some(inner), _) if self.rules.has(TypedRule::JsonText) => {
                self.fire(TypedRule::JsonText);
                self.out.push(tag::JSON);
                self.any(inner, open)
            }
            (_, Value::Array(_) | Value::Object(_))
                if self.rules.has(TypedRule::JsonText)
                    && (types.is_empty() || types.contains(&JsonType::of(value))) =>
            {
                self.out.push(tag::JSON);
                self.any(value, open)
            }
            _ => self.any(value, open),
        }
    }

    /// Runs with the two buffers exchanged, so that what is written is payload.
    pub(super) fn in_payload(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        std::mem::swap(&mut self.out, &mut self.payload);
        self.apart = false;
        let outcome = write(self);
        self.apart = true;
        std::mem::swap(&mut self.out, &mut self.payload);
        outcome
    }

    /// Begins the way to payload below a member; undone by [`Writer::end_payload`] where there is none.
    pub(super) fn begin_payload_member(&mut self, name: &[u8]) -> Option<(usize, usize)> {
        if !self.apart {
            return None;
        }
        let start = self.payload.len();
        self.payload.push(tag::AT_MEMBER);
        put_text(&mut self.payload, name);
        Some((start, self.payload.len()))
    }

    pub(super) fn begin_payload_item(&mut self, index: usize) -> Option<(usize, usize)> {
        if !self.apart {
            return None;
        }
        let start = self.payload.len();
        self.payload.push(tag::AT_ITEM);
        put_length(&mut self.payload, index);
        Some((start, self.payload.len()))
    }

    pub(super) fn end_payload(&mut self, mark: Option<(usize, usize)>) {
        let Some((start, body)) = mark else { return };
        if self.payload.len() == body {
            self.payload.truncate(start);
        } else {
            self.payload.push(tag::END);
        }
    }
}

/// The JSON of a text that begins with a bracket, where it is JSON.
pub(super) fn parsed<'t>(text: &'t Text<'_>, bracket: u8) -> Option<Value<'t>> {
    let text = text.as_str()?;
    if text.trim_start_matches([' ', '\t', '\n', '\r']).as_bytes().first() != Some(&bracket) {
        return None;
    }
    json::parse(text, Dialect::Strict).ok()
}
