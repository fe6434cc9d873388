//! Objects: which property a written name means, what is absent, and what repeats.

use std::borrow::Cow;

use samecall_call::json::{Member, Text, Value};
use samecall_call::shape::{
    EmptyMeaning, Field, FieldId, Kind, NameMatch, NullMeaning, ObjectShape, Property, match_names,
};

use super::encode::{self, put_text, tag};
use super::prose;
use super::rule::{RuleSet, TypedRule};
use super::value::{Open, Stop, Writer};
use crate::Refusal;

/// A member under its canonical name.
struct Entry<'v> {
    name: Cow<'v, [u8]>,
    value: &'v Value<'v>,
    /// Its index among the declared properties.
    property: Option<u32>,
}

/// Where a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    /// To what the fingerprint is made of.
    Identity,
    Payload,
    /// Nowhere: it is left out of both.
    Neither,
}

/// How far the writer had come.
#[derive(Debug, Clone, Copy)]
struct Mark {
    out: usize,
    payload: usize,
    present: usize,
}

impl<'s> Writer<'s> {
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
        let (base, payload_base, present) = (self.out.len(), self.payload.len(), self.present);
        self.member(run, None, Open::default())?;
        self.out.truncate(base);
        self.payload.truncate(payload_base);
        self.present = present;
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
        let half = self.half_of_member(first, field, open)?;
        // Of two values under one name both have to belong there.
        let mut alike = true;
        for repeat in repeats {
            alike &= self.half_of_member(repeat, field, open)? == half;
        }
        let outcome = match half {
            Half::Neither if alike => {
                self.fire(TypedRule::VolatileLeftOut);
                if self.spelled && first.property.is_some() && self.absence_is_kept(field) {
                    self.out.push(tag::MEMBER);
                    put_text(&mut self.out, &first.name);
                    self.any(first.value, open)
                } else {
                    Ok(())
                }
            }
            Half::Payload if alike => {
                self.fire(TypedRule::PayloadApart);
                self.in_payload(|writer| writer.named(first, repeats, field, open))
            }
            _ => self.named(first, repeats, field, open),
        };
        self.leave();
        outcome
    }

    /// Whether the absence of a field stands for a value that is not left out, so that a spelling in which a value is
    /// missing that is left out would say something else. Other rules than the writer's may read the spelling.
    fn absence_is_kept(&self, field: Option<FieldId>) -> bool {
        let default = self.field(field).and_then(|f| default_of(f, RuleSet::ALL, self.prose));
        default
            .is_some_and(|(default, _)| !matches!(self.kind(field, default), Some(Kind::Volatile)))
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
        let undeclared = first.property.is_none();
        let present = self.slot(first.value, field, open, undeclared)?;
        let (end, payload_end) = (self.out.len(), self.payload.len());
        for repeat in repeats {
            let again = self.slot(repeat.value, field, open, undeclared)?;
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
        undeclared: bool,
    ) -> Result<bool, Stop> {
        let known = self.field(field);
        // What the objects around say of undeclared members holds unless the member's own field says otherwise.
        let null_absent = known.map_or(open.null_absent, |f| match f.stated_null {
            None if undeclared => open.null_absent,
            _ => f.null == NullMeaning::Absent,
        });
        let empty_absent = known.map_or(open.empty_absent, |f| match f.stated_empty {
            None if undeclared => open.empty_absent,
            _ => f.empty == EmptyMeaning::Absent,
        });
        // A name that is not declared has no default when it is absent.
        let declared = known.filter(|_| !undeclared);
        if null_absent && matches!(value, Value::Null) && self.rules.has(TypedRule::NullAbsent) {
            self.fire(TypedRule::NullAbsent);
            return self.default(declared, field, open);
        }
        let is_blank_list = empty_absent && is_blank_list(known, value);
        let may_be_absent = empty_absent && self.rules.has(TypedRule::EmptyAbsent);
        let mark = self.mark();
        let mut absent = may_be_absent
            && self.half(field, value) != Half::Identity
            && self.is_hollow(value, field, open)?;
        if !absent {
            if is_blank_list && !may_be_absent {
                // What says that nothing is there is no item of a list, whether it is left out or not.
                self.any(value, open)?;
            } else {
                self.value(value, field, open)?;
            }
            absent = may_be_absent && (is_blank_list || self.wrote_nothing(mark));
        }
        if absent {
            self.fire(TypedRule::EmptyAbsent);
            self.take_back(mark);
            return self.default(declared, field, open);
        }
        self.present = mark.present + 1;
        Ok(true)
    }

    /// A declared property that no member names.
    fn absent(&mut self, property: &Property, open: Open) -> Result<(), Stop> {
        let Some(known) = self.field(Some(property.field)) else { return Ok(()) };
        let Some((default, _)) = self.default_of(known) else { return Ok(()) };
        match self.half(Some(property.field), default) {
            Half::Neither => Ok(()),
            Half::Payload => self.in_payload(|writer| writer.absent_named(property, known, open)),
            Half::Identity => self.absent_named(property, known, open),
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

    /// Where a value of a field goes.
    fn half(&self, field: Option<FieldId>, value: &Value<'_>) -> Half {
        match self.kind(field, value) {
            Some(Kind::Volatile) if self.rules.has(TypedRule::VolatileLeftOut) => Half::Neither,
            Some(Kind::Payload) if self.apart => Half::Payload,
            _ => Half::Identity,
        }
    }

    /// Where a member goes: of one that means absent, what its absence stands for says so.
    fn half_of_member(
        &mut self,
        entry: &Entry<'_>,
        field: Option<FieldId>,
        open: Open,
    ) -> Result<Half, Stop> {
        let written = self.half(field, entry.value);
        let Some(known) = self.field(field).filter(|_| entry.property.is_some()) else {
            return Ok(written);
        };
        let Some((default, _)) = self.default_of(known) else { return Ok(written) };
        let standing = self.half(field, default);
        if standing == written {
            return Ok(written);
        }
        let is_absent = match entry.value {
            Value::Null => {
                known.null == NullMeaning::Absent && self.rules.has(TypedRule::NullAbsent)
            }
            value => {
                known.empty == EmptyMeaning::Absent
                    && self.rules.has(TypedRule::EmptyAbsent)
                    && self.is_hollow(value, field, open)?
            }
        };
        Ok(if is_absent { standing } else { written })
    }

    /// Whether nothing is in a value, whichever half it goes to.
    fn is_hollow(
        &mut self,
        value: &Value<'_>,
        field: Option<FieldId>,
        open: Open,
    ) -> Result<bool, Stop> {
        let known = self.field(field);
        if is_blank_list(known, value) {
            return Ok(true);
        }
        let mark = self.mark();
        // Nobody has to see this pass.
        let trace = self.trace.take();
        let written = match self.half(field, value) {
            Half::Identity => self.value(value, field, open),
            // What is left out is not read further.
            _ => self.any(value, known.map_or(open, |known| open.within(known))),
        };
        self.trace = trace;
        written?;
        let hollow = self.wrote_nothing(mark);
        self.take_back(mark);
        Ok(hollow)
    }

    fn mark(&self) -> Mark {
        Mark { out: self.out.len(), payload: self.payload.len(), present: self.present }
    }

    /// Whether what was written since has nothing in it. Emptiness is judged before defaults come in.
    fn wrote_nothing(&self, mark: Mark) -> bool {
        let node = &self.out[mark.out..];
        (encode::is_empty(node) && self.payload.len() == mark.payload)
            || (encode::is_object(node) && self.present == mark.present)
    }

    fn take_back(&mut self, mark: Mark) {
        self.out.truncate(mark.out);
        self.payload.truncate(mark.payload);
        self.present = mark.present;
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
        let present = self.present;
        self.value(default, field, open)?;
        self.present = present;
        Ok(true)
    }
}

/// Whether an empty text or object stands where a list is declared, which would make it a list of one.
fn is_blank_list(field: Option<&Field>, value: &Value<'_>) -> bool {
    let blank = match value {
        Value::Object(members) => members.is_empty(),
        _ => value.as_str() == Some(""),
    };
    blank && field.is_some_and(|field| matches!(field.kind, Kind::List(_) | Kind::Set(_)))
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
