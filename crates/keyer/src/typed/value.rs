//! Writes the canonical form of arguments, directed by a tool's shape.
//!
//! Values are written as they are met, objects member by member in the order of their names, so that there is no second
//! tree. Payload fields go into a second buffer, in the same encoding with only the way to them around it.

use std::borrow::Cow;

use samecall_call::json::{self, Dialect, Member, Text, Value};
use samecall_call::shape::{
    EmptyMeaning, Field, FieldId, ItemsShape, Kind, NameMatch, NullMeaning, ObjectShape, Property,
    Shape, match_names,
};

use super::encode::{self, put_length, put_text, tag};
use super::prose;
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
    null_absent: bool,
    empty_absent: bool,
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
    pub(super) depth: usize,
    pub(super) trace: Option<Box<Trace>>,
}

/// A member under its canonical name.
struct Entry<'v> {
    name: Cow<'v, [u8]>,
    value: &'v Value<'v>,
    /// Its index among the declared properties.
    property: Option<u32>,
}

impl<'s> Writer<'s> {
    /// Notes that a rule changed something here.
    fn fire(&mut self, rule: TypedRule) {
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

    fn enter(&mut self, step: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.path.push(step());
        }
    }

    fn leave(&mut self) {
        if let Some(trace) = &mut self.trace {
            trace.path.pop();
        }
    }

    fn field(&self, id: Option<FieldId>) -> Option<&'s Field> {
        match (self.shape, id) {
            (Some(shape), Some(id)) => Some(shape.field(id)),
            _ => None,
        }
    }

    fn deeper(&mut self) -> Result<(), Stop> {
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
            (Kind::Union(union), _) => match union.select(value) {
                Some(branch) => {
                    let open = open.within(known);
                    self.value(value, Some(branch), open)
                }
                None => self.any(value, open),
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
    fn any(&mut self, value: &Value<'_>, open: Open) -> Result<(), Stop> {
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
        if self.rules.has(TypedRule::InstantEpoch)
            && let Some(instant) = super::instant::epoch(text)
        {
            self.fire(TypedRule::InstantEpoch);
            self.out.push(tag::INSTANT);
            put_text(&mut self.out, instant.as_bytes());
        } else {
            self.number(text, None);
        }
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
                    && (types.is_empty()
                        || types.contains(&samecall_call::shape::JsonType::of(value))) =>
            {
                self.out.push(tag::JSON);
                self.any(value, open)
            }
            _ => self.any(value, open),
        }
    }

    /// A value where a list or a set is declared.
    fn items(
        &mut self,
        value: &Value<'_>,
        items: &'s ItemsShape,
        set: bool,
        open: Open,
    ) -> Result<(), Stop> {
        let accepts = |at: usize, value: &Value<'_>| match (self.shape, items.at(at)) {
            (Some(shape), Some(id)) => shape.accepts_type(id, value),
            _ => true,
        };
        match value {
            Value::Array(values) => return self.item_nodes(values, items, set, open),
            Value::Null => return self.any(value, open),
            Value::String(text) if self.rules.has(TypedRule::ListText) => {
                if let Some(Value::Array(values)) = parsed(text, b'[')
                    && values.iter().enumerate().all(|(at, value)| accepts(at, value))
                {
                    self.fire(TypedRule::ListText);
                    return self.item_nodes(&values, items, set, open);
                }
            }
            _ => {}
        }
        if self.rules.has(TypedRule::ListWrap) && accepts(0, value) {
            self.fire(TypedRule::ListWrap);
            return self.item_nodes(std::slice::from_ref(value), items, set, open);
        }
        self.any(value, open)
    }

    fn item_nodes(
        &mut self,
        values: &[Value<'_>],
        items: &'s ItemsShape,
        set: bool,
        open: Open,
    ) -> Result<(), Stop> {
        self.deeper()?;
        let sorted =
            set && (self.rules.has(TypedRule::SetOrder) || self.rules.has(TypedRule::SetRepeat));
        self.out.push(if set { tag::SET } else { tag::LIST });
        if sorted {
            self.set_nodes(values, items, open)?;
        } else {
            for (index, value) in values.iter().enumerate() {
                self.out.push(tag::MEMBER);
                self.enter(|| index.to_string());
                let mark = self.begin_payload_item(index);
                self.value(value, items.at(index), open)?;
                self.end_payload(mark);
                self.leave();
            }
        }
        self.out.push(tag::END);
        self.depth -= 1;
        Ok(())
    }

    /// The items of a set, in the order of their canonical bytes, each once.
    fn set_nodes(
        &mut self,
        values: &[Value<'_>],
        items: &'s ItemsShape,
        open: Open,
    ) -> Result<(), Stop> {
        let (base, payload_base) = (self.out.len(), self.payload.len());
        let mut ranges = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let (start, payload_start) = (self.out.len(), self.payload.len());
            self.enter(|| index.to_string());
            // Position says nothing in a set, so all items follow one field.
            self.value(value, items.rest.or(items.at(index)), open)?;
            self.leave();
            ranges.push((start..self.out.len(), payload_start..self.payload.len()));
        }
        let nodes = self.out.split_off(base);
        let payloads = self.payload.split_off(payload_base);
        let mut order: Vec<(&[u8], &[u8])> = ranges
            .into_iter()
            .map(|(node, payload)| {
                (
                    &nodes[node.start - base..node.end - base],
                    &payloads[payload.start - payload_base..payload.end - payload_base],
                )
            })
            .collect();
        if self.rules.has(TypedRule::SetOrder) && !order.is_sorted() {
            order.sort_unstable();
            self.fire(TypedRule::SetOrder);
        }
        if self.rules.has(TypedRule::SetRepeat) {
            let before = order.len();
            let mut seen = std::collections::HashSet::with_capacity(before);
            order.retain(|item| seen.insert(*item));
            if order.len() < before {
                self.fire(TypedRule::SetRepeat);
            }
        }
        let mut last: Option<&[u8]> = None;
        for (index, (node, payload)) in order.into_iter().enumerate() {
            // Items that differ in payload alone are one item of identity and two of payload.
            if !(self.rules.has(TypedRule::SetRepeat) && last == Some(node)) {
                self.out.push(tag::MEMBER);
                self.out.extend_from_slice(node);
            }
            last = Some(node);
            if !payload.is_empty() {
                self.payload.push(tag::AT_ITEM);
                put_length(&mut self.payload, index);
                self.payload.extend_from_slice(payload);
                self.payload.push(tag::END);
            }
        }
        Ok(())
    }

    /// An object, member by member in the order of canonical names.
    pub(super) fn object(
        &mut self,
        members: &[Member<'_>],
        object: Option<&ObjectShape>,
        open: Open,
    ) -> Result<(), Stop> {
        self.deeper()?;
        self.out.push(tag::OBJECT);
        let mut entries = self.entries(members, object);
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let properties = object.map_or(&[][..], |object| &object.properties[..]);
        let additional = object.and_then(|object| object.additional);
        let ignore = self.ignores_undeclared(object);
        let mut next_property = 0;
        for run in entries.chunk_by(|a, b| a.name == b.name) {
            let first = &run[0];
            while let Some(property) = properties
                .get(next_property)
                .filter(|property| property.name.as_bytes() < &first.name[..])
            {
                self.absent(property, open)?;
                next_property += 1;
            }
            match first.property {
                Some(at) => {
                    next_property = at as usize + 1;
                    let field = properties.get(at as usize).map(|property| property.field);
                    self.member(run, field, open)?;
                }
                None if ignore => self.ignored(run)?,
                None => self.member(run, additional, open)?,
            }
        }
        for property in &properties[next_property.min(properties.len())..] {
            self.absent(property, open)?;
        }
        self.out.push(tag::END);
        self.depth -= 1;
        Ok(())
    }

    /// The members under their canonical names.
    fn entries<'v>(
        &mut self,
        members: &'v [Member<'v>],
        object: Option<&'v ObjectShape>,
    ) -> Vec<Entry<'v>> {
        let mut entries = Vec::with_capacity(members.len());
        let mut undeclared = 0;
        for member in members {
            let name = match &member.name {
                Text::Str(name) if self.rules.has(TypedRule::NameNfc) => match prose::nfc(name) {
                    Cow::Borrowed(name) => Cow::Borrowed(name.as_bytes()),
                    Cow::Owned(name) => {
                        self.fire(TypedRule::NameNfc);
                        Cow::Owned(name.into_bytes())
                    }
                },
                name => Cow::Borrowed(name.as_bytes()),
            };
            let property = object.and_then(|object| {
                object.properties.binary_search_by(|p| p.name.as_bytes().cmp(&name)).ok()
            });
            undeclared += usize::from(property.is_none());
            let property = property.and_then(|at| u32::try_from(at).ok());
            entries.push(Entry { name, value: &member.value, property });
        }
        if let Some(object) = object
            && undeclared > 0
            && self.rules.has(TypedRule::FuzzyName)
        {
            self.fuzzy(&mut entries, object);
        }
        entries
    }

    /// Reads undeclared names as the absent properties that they nearly spell.
    fn fuzzy<'v>(&mut self, entries: &mut [Entry<'v>], object: &'v ObjectShape) {
        // Names that are no Unicode match nothing; they must not disturb the others.
        let readable: Vec<(usize, &str)> = entries
            .iter()
            .enumerate()
            .filter_map(|(at, entry)| Some((at, std::str::from_utf8(&entry.name).ok()?)))
            .collect();
        let names: Vec<&str> = readable.iter().map(|(_, name)| *name).collect();
        let found: Vec<(usize, usize)> = match_names(object, &names)
            .into_iter()
            .zip(&readable)
            .filter_map(|(found, (at, _))| match found {
                NameMatch::Declared(property) => Some((*at, property)),
                NameMatch::Undeclared => None,
            })
            .collect();
        for (at, index) in found {
            if entries[at].property.is_none()
                && let (Some(property), Ok(index)) =
                    (object.properties.get(index), u32::try_from(index))
            {
                entries[at].property = Some(index);
                entries[at].name = Cow::Borrowed(property.name.as_bytes());
                self.enter(|| property.name.clone());
                self.fire(TypedRule::FuzzyName);
                self.leave();
            }
        }
    }

    /// Whether undeclared members of this object are left out. A dictionary that declares no member at all has
    /// nothing but undeclared ones: they are its content and stay.
    fn ignores_undeclared(&self, object: Option<&ObjectShape>) -> bool {
        self.shape.is_some_and(|shape| shape.ignore_undeclared)
            && self.rules.has(TypedRule::UndeclaredIgnored)
            && object.is_some_and(|object| {
                object.additional.is_none() && (!object.properties.is_empty() || self.depth == 1)
            })
    }

    /// An undeclared member that is left out; what has no safe key still has none.
    fn ignored(&mut self, run: &[Entry<'_>]) -> Result<(), Stop> {
        let (base, payload_base) = (self.out.len(), self.payload.len());
        self.member(run, None, Open::default())?;
        self.out.truncate(base);
        self.payload.truncate(payload_base);
        self.fire(TypedRule::UndeclaredIgnored);
        Ok(())
    }

    /// One member: a name, and the values written under it.
    fn member(
        &mut self,
        run: &[Entry<'_>],
        field: Option<FieldId>,
        open: Open,
    ) -> Result<(), Stop> {
        let Some((first, repeats)) = run.split_first() else { return Ok(()) };
        self.enter(|| String::from_utf8_lossy(&first.name).into_owned());
        let outcome = match self.field(field).map(|field| &field.kind) {
            Some(Kind::Volatile) if self.rules.has(TypedRule::VolatileLeftOut) => {
                self.fire(TypedRule::VolatileLeftOut);
                Ok(())
            }
            Some(Kind::Payload) if self.apart => {
                self.fire(TypedRule::PayloadApart);
                self.in_payload(|writer| writer.named(first, repeats, field, open))
            }
            _ => self.named(first, repeats, field, open),
        };
        self.leave();
        outcome
    }

    fn named(
        &mut self,
        first: &Entry<'_>,
        repeats: &[Entry<'_>],
        field: Option<FieldId>,
        open: Open,
    ) -> Result<(), Stop> {
        let start = self.out.len();
        self.out.push(tag::MEMBER);
        put_text(&mut self.out, &first.name);
        let body = self.out.len();
        let mark = self.begin_payload_member(&first.name);
        let payload_body = self.payload.len();
        let present = self.slot(first.value, field, open)?;
        let (end, payload_end) = (self.out.len(), self.payload.len());
        for repeat in repeats {
            let again = self.slot(repeat.value, field, open)?;
            let agree = self.rules.has(TypedRule::DuplicateName)
                && again == present
                && self.out[body..end] == self.out[end..]
                && self.payload[payload_body..payload_end] == self.payload[payload_end..];
            if !agree {
                return Err(Refusal::new("duplicate_name", "one name with different values").into());
            }
            self.out.truncate(end);
            self.payload.truncate(payload_end);
        }
        if !repeats.is_empty() {
            self.fire(TypedRule::DuplicateName);
        }
        self.end_payload(mark);
        if !present {
            self.out.truncate(start);
        }
        Ok(())
    }

    /// Writes what a member's value amounts to: itself, or the default of its absence. False where it is absent and
    /// nothing stands in.
    fn slot(
        &mut self,
        value: &Value<'_>,
        field: Option<FieldId>,
        open: Open,
    ) -> Result<bool, Stop> {
        let known = self.field(field);
        let null_absent = known.map_or(open.null_absent, |f| f.null == NullMeaning::Absent);
        let empty_absent = known.map_or(open.empty_absent, |f| f.empty == EmptyMeaning::Absent);
        if null_absent && matches!(value, Value::Null) && self.rules.has(TypedRule::NullAbsent) {
            self.fire(TypedRule::NullAbsent);
            return self.default(known, field, open);
        }
        let (body, payload_body) = (self.out.len(), self.payload.len());
        self.value(value, field, open)?;
        if empty_absent
            && self.rules.has(TypedRule::EmptyAbsent)
            && encode::is_empty(&self.out[body..])
            && self.payload.len() == payload_body
        {
            self.fire(TypedRule::EmptyAbsent);
            self.out.truncate(body);
            return self.default(known, field, open);
        }
        Ok(true)
    }

    /// A declared property that no member names.
    fn absent(&mut self, property: &Property, open: Open) -> Result<(), Stop> {
        let Some(known) = self.field(Some(property.field)) else { return Ok(()) };
        if self.default_of(known).is_none() {
            return Ok(());
        }
        match known.kind {
            Kind::Volatile if self.rules.has(TypedRule::VolatileLeftOut) => Ok(()),
            Kind::Payload if self.apart => {
                self.in_payload(|writer| writer.absent_named(property, known, open))
            }
            _ => self.absent_named(property, known, open),
        }
    }

    fn absent_named(
        &mut self,
        property: &Property,
        known: &'s Field,
        open: Open,
    ) -> Result<(), Stop> {
        let start = self.out.len();
        self.enter(|| property.name.clone());
        self.out.push(tag::MEMBER);
        put_text(&mut self.out, property.name.as_bytes());
        let mark = self.begin_payload_member(property.name.as_bytes());
        if !self.default(Some(known), Some(property.field), open)? {
            self.out.truncate(start);
        }
        self.end_payload(mark);
        self.leave();
        Ok(())
    }

    fn default_of(&self, field: &'s Field) -> Option<(&'s Value<'static>, TypedRule)> {
        default_of(field, self.rules, self.prose)
    }

    fn default(
        &mut self,
        known: Option<&'s Field>,
        field: Option<FieldId>,
        open: Open,
    ) -> Result<bool, Stop> {
        let Some((default, rule)) = known.and_then(|known| self.default_of(known)) else {
            return Ok(false);
        };
        self.fire(rule);
        self.value(default, field, open)?;
        Ok(true)
    }

    /// Runs with the two buffers exchanged, so that what is written is payload.
    fn in_payload(
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
    fn begin_payload_member(&mut self, name: &[u8]) -> Option<(usize, usize)> {
        if !self.apart {
            return None;
        }
        let start = self.payload.len();
        self.payload.push(tag::AT_MEMBER);
        put_text(&mut self.payload, name);
        Some((start, self.payload.len()))
    }

    fn begin_payload_item(&mut self, index: usize) -> Option<(usize, usize)> {
        if !self.apart {
            return None;
        }
        let start = self.payload.len();
        self.payload.push(tag::AT_ITEM);
        put_length(&mut self.payload, index);
        Some((start, self.payload.len()))
    }

    fn end_payload(&mut self, mark: Option<(usize, usize)>) {
        let Some((start, body)) = mark else { return };
        if self.payload.len() == body {
            self.payload.truncate(start);
        } else {
            self.payload.push(tag::END);
        }
    }
}

/// The value that stands in for an absent field, and the rule that says so.
pub(super) fn default_of(
    field: &Field,
    rules: RuleSet,
    prose: bool,
) -> Option<(&Value<'static>, TypedRule)> {
    if let Some(default) = &field.default {
        return rules
            .has(TypedRule::DefaultInserted)
            .then_some((default, TypedRule::DefaultInserted));
    }
    if !(prose && rules.has(TypedRule::ProseDefault)) {
        return None;
    }
    field.prose_default.as_ref().map(|default| (default, TypedRule::ProseDefault))
}

/// The JSON of a text that begins with a bracket, where it is JSON.
fn parsed<'t>(text: &'t Text<'_>, bracket: u8) -> Option<Value<'t>> {
    let text = text.as_str()?;
    if text.trim_start_matches([' ', '\t', '\n', '\r']).as_bytes().first() != Some(&bracket) {
        return None;
    }
    json::parse(text, Dialect::Strict).ok()
}
