//! Argument text, objects and lists, decoded against a shape.

use super::instant;
use super::scalar::{self, decimal};
use super::{Meaning, Unclear, first_wording, uri};
use samecall_call::json::{self, Dialect, Value};
use samecall_call::shape::{
    EmptyMeaning, Field, Kind, NameMatch, NullMeaning, ObjectShape, Shape, match_names,
};
use std::collections::{BTreeMap, BTreeSet};
use unicode_normalization::UnicodeNormalization;

pub(super) struct Decoder<'s> {
    pub(super) shape: &'s Shape,
    pub(super) reworded: bool,
    pub(super) payload: BTreeMap<String, Meaning>,
    pub(super) unclear: Option<Unclear>,
    /// What the schema adds to the arguments, within each other at present: defaults, and lists of one around a value.
    pub(super) added: usize,
    /// What holds here of names that the schema does not declare.
    pub(super) around: Around,
}

/// What is added within what is added, and read. No schema nests so deep but one whose default has itself as a default, or
/// whose items are lists like itself, of any type.
const MAX_ADDED: usize = 64;

impl Decoder<'_> {
    /// The whole argument text.
    pub(super) fn arguments(&mut self, text: &str) -> Result<Meaning, Unclear> {
        let nothing = Value::Object(Vec::new());
        if text.is_empty() {
            return self.no_arguments(&nothing);
        }
        let value = json::parse(text, Dialect::Strict).map_err(|_| Unclear::NotJson)?;
        let value = match value {
            Value::Null => return self.no_arguments(&nothing),
            Value::String(inner) => match parsed(inner.as_str().unwrap_or_default()) {
                Some(object @ Value::Object(_)) => object,
                _ => Value::String(inner.into_owned()),
            },
            other => other.into_owned(),
        };
        let root = self.shape.root();
        let value = match (value, &root.kind) {
            (Value::Object(mut members), Kind::Object(object))
                if members.len() == 1
                    && members[0].name == *"arguments"
                    && self.shape.has_schema
                    && object.may_be_enveloped()
                    && members[0]
                        .value
                        .as_object()
                        .is_some_and(|inner| !object.properties.is_empty() || inner.is_empty()) =>
            {
                members.remove(0).value
            }
            (value, _) => value,
        };
        if matches!(&value, Value::Object(members) if members.is_empty()) {
            return self.no_arguments(&nothing);
        }
        Ok(self.read(&value, root, "").unwrap_or(Meaning::Left))
    }

    fn no_arguments(&mut self, nothing: &Value<'_>) -> Result<Meaning, Unclear> {
        if !self.shape.allows_no_arguments() {
            return Err(Unclear::Missing);
        }
        Ok(self.read(nothing, self.shape.root(), "").unwrap_or(Meaning::Left))
    }

    /// A value of a field; none where it is no part of identity.
    fn read(&mut self, value: &Value<'_>, field: &Field, path: &str) -> Option<Meaning> {
        match &field.kind {
            Kind::Volatile => return None,
            Kind::Payload => {
                let mut meaning = open(value, self.around, &mut self.unclear);
                if let (Meaning::Text(text), true) = (&meaning, self.reworded)
                    && let Some(first) = first_wording(text)
                {
                    meaning = Meaning::Text(first.to_owned());
                }
                self.payload.insert(path.to_owned(), meaning);
                return None;
            }
            _ => {}
        }
        if matches!(value, Value::Null) {
            return Some(Meaning::Null);
        }
        let text = value.as_str();
        let aliased = text
            .and_then(|t| field.aliases.iter().find(|(s, _)| s == t))
            .map(|(_, member)| member.as_str());
        let text = aliased.or(text);
        // What a field says of null and empty holds for what is undeclared in it; a list says it of itself alone.
        let around = match field.kind {
            Kind::List(_) | Kind::Set(_) => self.around,
            _ => self.around.within(field.stated_null, field.stated_empty),
        };
        let as_is = |decoder: &mut Self| match aliased {
            Some(member) => Meaning::Text(member.to_owned()),
            None => open(value, around, &mut decoder.unclear),
        };
        let of_text = |form: Option<String>| form.map(Meaning::Text);
        let found = match &field.kind {
            Kind::Number { grid } => match value {
                Value::Number(number) => decimal(number),
                Value::String(_) => text.and_then(decimal),
                _ => None,
            }
            .map(|number| Meaning::Number(scalar::on_grid(number, grid.as_deref()))),
            Kind::Boolean => match value {
                Value::Bool(b) => Some(Meaning::Bool(*b)),
                _ => text.and_then(|t| {
                    let folded = t.to_ascii_lowercase();
                    matches!(folded.as_str(), "true" | "false")
                        .then_some(Meaning::Bool(folded == "true"))
                }),
            },
            Kind::Enum(members) => {
                text.map(|t| Meaning::Text(scalar::member(members, t).to_owned()))
            }
            Kind::Token => of_text(text.map(|t| scalar::fold(t.trim()))),
            Kind::Cased(pattern) => {
                of_text(text.map(|t| pattern.canonical(t).unwrap_or_else(|| t.to_owned())))
            }
            Kind::Text => of_text(text.map(|t| self.prose(t))),
            Kind::Instant { epoch } => match value {
                Value::Number(number) if *epoch => instant::of_epoch(number),
                _ => text.and_then(instant::of_text),
            },
            Kind::Uuid => of_text(text.filter(|t| scalar::is_uuid(t)).map(str::to_ascii_lowercase)),
            Kind::Uri => of_text(text.map(uri::normal)),
            Kind::Time => of_text(text.map(instant::time)),
            Kind::Phone => of_text(text.map(scalar::phone)),
            Kind::Email => of_text(text.map(scalar::fold)),
            Kind::Json => {
                text.and_then(parsed).map(|inner| open(&inner, around, &mut self.unclear))
            }
            Kind::List(_) | Kind::Set(_) => self.items(value, field, path),
            Kind::Object(object) => match value {
                Value::Object(_) => Some(self.object(value, object, path)),
                _ => match text.and_then(parsed) {
                    Some(inner @ Value::Object(_)) => Some(self.object(&inner, object, path)),
                    _ => None,
                },
            },
            Kind::Union(union) => match union.select(value) {
                Some(id) => {
                    let branch = self.shape.field(id);
                    let outer = self.around;
                    self.around = outer.within(field.stated_null, field.stated_empty);
                    let read = self.read(value, branch, path);
                    self.around = outer;
                    return read;
                }
                None => None,
            },
            _ => None,
        };
        Some(found.unwrap_or_else(|| as_is(self)))
    }

    fn prose(&self, text: &str) -> String {
        if self.reworded {
            // Both wordings of a sentence, however they are spelled.
            let normal = scalar::prose(text);
            for both in crate::draw::words::REWORDED {
                if both.iter().any(|wording| scalar::prose(wording) == normal) {
                    return scalar::prose(both[0]);
                }
            }
            return normal;
        }
        scalar::prose(text)
    }

    fn items(&mut self, value: &Value<'_>, field: &Field, path: &str) -> Option<Meaning> {
        let (Kind::List(items) | Kind::Set(items)) = &field.kind else { return None };
        let accepts = |at: usize, item: &Value<'_>| {
            items.at(at).is_none_or(|id| self.shape.accepts_type(id, item))
        };
        let inner;
        let values: &[Value<'_>] = match value {
            Value::Array(values) => values,
            other => {
                inner = other.as_str().and_then(parsed);
                match &inner {
                    Some(Value::Array(values))
                        if values.iter().enumerate().all(|(at, item)| accepts(at, item)) =>
                    {
                        values
                    }
                    _ if accepts(0, other) => {
                        return self.within_added(|this| {
                            this.listed(std::slice::from_ref(other), field, path)
                        });
                    }
                    _ => return None,
                }
            }
        };
        Some(self.listed(values, field, path))
    }

    /// The items of a list or a set.
    fn listed(&mut self, values: &[Value<'_>], field: &Field, path: &str) -> Meaning {
        let mut read = Vec::with_capacity(values.len());
        for (at, item) in values.iter().enumerate() {
            let place = format!("{path}[{at}]");
            let of = match &field.kind {
                Kind::List(items) | Kind::Set(items) => items.at(at),
                _ => None,
            };
            read.push(match of {
                Some(id) => {
                    let field = self.shape.field(id);
                    self.read(item, field, &place).unwrap_or(Meaning::Left)
                }
                None => open(item, self.around, &mut self.unclear),
            });
        }
        match field.kind {
            Kind::Set(_) => Meaning::Set(read.into_iter().collect::<BTreeSet<_>>()),
            _ => Meaning::List(read),
        }
    }

    /// Reads what the schema adds; none, and unclear from then on, where that has no end.
    fn within_added<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.added == MAX_ADDED {
            self.unclear = Some(Unclear::TooDeep);
            return None;
        }
        self.added += 1;
        let read = read(self);
        self.added -= 1;
        Some(read)
    }

    fn object(&mut self, value: &Value<'_>, object: &ObjectShape, path: &str) -> Meaning {
        let members = members_once(value, &mut self.unclear);
        let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        let matches = match_names(object, &names);
        let mut found = BTreeMap::new();
        let mut present = vec![false; object.properties.len()];
        let outer = self.around;
        self.around = outer.within(object.undeclared_null, object.undeclared_empty);
        for ((name, value), of) in members.iter().zip(&matches) {
            let place = format!("{path}.{name}");
            match of {
                NameMatch::Declared(at) => {
                    let property = &object.properties[*at];
                    let field = self.shape.field(property.field);
                    if self.is_absent(value, field, self.around) {
                        self.ask_for_end(value, field);
                        continue;
                    }
                    present[*at] = true;
                    let place = format!("{path}.{}", property.name);
                    if let Some(meaning) = self.read(value, field, &place) {
                        found.insert(property.name.clone(), meaning);
                    }
                }
                NameMatch::Undeclared if self.shape.ignore_undeclared => {}
                NameMatch::Undeclared => {
                    let field = object.additional.map(|id| self.shape.field(id));
                    if self.is_undeclared_absent(value, field, self.around) {
                        if let Some(field) = field {
                            self.ask_for_end(value, field);
                        }
                        continue;
                    }
                    let meaning = match field {
                        Some(field) => self.read(value, field, &place),
                        None => Some(open(value, self.around, &mut self.unclear)),
                    };
                    if let Some(meaning) = meaning {
                        found.insert(name.clone(), meaning);
                    }
                }
            }
        }
        for (property, present) in object.properties.iter().zip(present) {
            let field = self.shape.field(property.field);
            if let (false, Some(default), None) = (present, &field.default, self.unclear) {
                let place = format!("{path}.{}", property.name);
                let Some(read) = self.within_added(|this| this.read(default, field, &place)) else {
                    break;
                };
                if let Some(meaning) = read {
                    found.insert(property.name.clone(), meaning);
                }
            }
        }
        self.around = outer;
        Meaning::Object(found)
    }

    /// Reads a value that stands for its own absence, and forgets what it says. Where its defaults have no end it is unclear all
    /// the same: whoever fills them in before asking whether it is empty never comes to ask.
    fn ask_for_end(&mut self, value: &Value<'_>, field: &Field) {
        if matches!(value, Value::Object(_) | Value::String(_)) {
            let payload = self.payload.clone();
            self.read(value, field, "");
            self.payload = payload;
        }
    }

    /// Whether a value is no part of identity, in whatever unions.
    fn is_left_out(&self, value: &Value<'_>, field: &Field) -> bool {
        match &field.kind {
            Kind::Volatile => true,
            Kind::Union(union) => union
                .select(value)
                .is_some_and(|branch| self.is_left_out(value, self.shape.field(branch))),
            _ => false,
        }
    }

    /// Whether a value stands for its own absence.
    fn is_absent(&self, value: &Value<'_>, field: &Field, around: Around) -> bool {
        match value {
            Value::Null => field.null == NullMeaning::Absent,
            _ => field.empty == EmptyMeaning::Absent && self.is_hollow(value, Some(field), around),
        }
    }

    /// Whether a value under a name that the schema does not declare stands for its own absence: as its field says, else
    /// as the objects around it do.
    fn is_undeclared_absent(
        &self,
        value: &Value<'_>,
        field: Option<&Field>,
        around: Around,
    ) -> bool {
        let own = field.map_or(around, |f| around.within(f.stated_null, f.stated_empty));
        match value {
            Value::Null => own.null_absent,
            _ => own.empty_absent && self.is_hollow(value, field, around),
        }
    }

    /// Whether a value is empty once what is absent in it is gone.
    fn is_hollow(&self, value: &Value<'_>, field: Option<&Field>, around: Around) -> bool {
        if let Some(Field { kind: Kind::Union(union), stated_null, stated_empty, .. }) = field {
            let branch = union.select(value).map(|id| self.shape.field(id));
            return self.is_hollow(value, branch, around.within(*stated_null, *stated_empty));
        }
        match value {
            Value::Array(items) => items.is_empty(),
            // Text that is read as an object or a list is as empty as that is.
            Value::String(text) => {
                // A synonym is what it stands for.
                let synonyms = field.map_or(&[][..], |field| &field.aliases);
                if synonyms.iter().any(|(synonym, _)| *text == **synonym) {
                    return false;
                }
                match (text.as_str().and_then(parsed), field.map(|field| &field.kind)) {
                    (Some(inner @ Value::Object(_)), Some(Kind::Object(_)))
                    | (Some(inner @ Value::Array(_)), Some(Kind::List(_) | Kind::Set(_))) => {
                        self.is_hollow(&inner, field, around)
                    }
                    (Some(inner), Some(Kind::Json)) => self.is_hollow(&inner, None, around),
                    // White space is no part of what such text means.
                    (_, Some(Kind::Token | Kind::Text)) => {
                        text.as_str().is_some_and(|text| text.trim().is_empty())
                    }
                    _ => *text == *"",
                }
            }
            Value::Object(members) => {
                let nothing = ObjectShape::default();
                let object = match field.map(|field| &field.kind) {
                    Some(Kind::Object(object)) => object,
                    // It is an item of a list then, unless nothing is written in it.
                    Some(Kind::List(_) | Kind::Set(_)) => return members.is_empty(),
                    _ => &nothing,
                };
                let around = around.within(object.undeclared_null, object.undeclared_empty);
                let names: Vec<String> = members
                    .iter()
                    .map(|member| member.name.as_str().unwrap_or_default().nfc().collect())
                    .collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                members.iter().zip(match_names(object, &names)).all(|(member, of)| match of {
                    // What is left out of identity leaves the object empty.
                    NameMatch::Declared(at) => {
                        let field = self.shape.field(object.properties[at].field);
                        self.is_left_out(&member.value, field)
                            || self.is_absent(&member.value, field, around)
                    }
                    NameMatch::Undeclared => {
                        let field = object.additional.map(|id| self.shape.field(id));
                        field.is_some_and(|field| self.is_left_out(&member.value, field))
                            || self.is_undeclared_absent(&member.value, field, around)
                    }
                })
            }
            _ => false,
        }
    }
}

/// What null and empty values mean under names that the schema does not declare, as the objects around say.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    null_absent: bool,
    empty_absent: bool,
}

impl Around {
    fn within(self, null: Option<NullMeaning>, empty: Option<EmptyMeaning>) -> Self {
        Around {
            null_absent: null.map_or(self.null_absent, |of| of == NullMeaning::Absent),
            empty_absent: empty.map_or(self.empty_absent, |of| of == EmptyMeaning::Absent),
        }
    }
}

/// Whether a meaning is an empty text, list or object.
fn is_empty(meaning: &Meaning) -> bool {
    match meaning {
        Meaning::Text(text) => text.is_empty(),
        Meaning::List(items) => items.is_empty(),
        Meaning::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn parsed(text: impl AsRef<str>) -> Option<Value<'static>> {
    json::parse(text.as_ref(), Dialect::Strict).ok().map(Value::into_owned)
}

/// The members of an object by name in NFC, each once; a name with two values is unclear.
fn members_once<'v, 'a>(
    value: &'v Value<'a>,
    unclear: &mut Option<Unclear>,
) -> Vec<(String, &'v Value<'a>)> {
    let mut found: Vec<(String, &Value<'a>)> = Vec::new();
    for member in value.as_object().unwrap_or_default() {
        let name: String = member.name.as_str().unwrap_or_default().nfc().collect();
        match found.iter().find(|(known, _)| *known == name) {
            Some((_, same)) if **same == member.value => {}
            Some(_) => *unclear = Some(Unclear::Duplicate),
            None => found.push((name, &member.value)),
        }
    }
    found
}

/// A value of which the schema says nothing: the same JSON, numbers as exact decimals.
fn open(value: &Value<'_>, around: Around, unclear: &mut Option<Unclear>) -> Meaning {
    match value {
        Value::Null => Meaning::Null,
        Value::Bool(b) => Meaning::Bool(*b),
        Value::Number(text) => {
            decimal(text).map_or_else(|| Meaning::Text(text.to_string()), Meaning::Number)
        }
        Value::NonFinite(_) => Meaning::Left,
        Value::String(text) => Meaning::Text(text.as_str().unwrap_or_default().to_owned()),
        Value::Array(items) => {
            Meaning::List(items.iter().map(|v| open(v, around, unclear)).collect())
        }
        Value::Object(_) => {
            let mut members = BTreeMap::new();
            for (name, value) in members_once(value, unclear) {
                if around.null_absent && matches!(value, Value::Null) {
                    continue;
                }
                let meaning = open(value, around, unclear);
                if !(around.empty_absent && is_empty(&meaning)) {
                    members.insert(name, meaning);
                }
            }
            Meaning::Object(members)
        }
    }
}
