//! From the argument text to its canonical form: reading, wrappers, and calls without arguments.

use samecall_call::json::{self, Dialect, ErrorKind, Value};
use samecall_call::shape::{Kind, NullMeaning, Shape};
use samecall_call::{Call, Tool};

use super::object::default_of;
use super::rule::{RuleSet, TypedRule};
use super::value::{Open, Stop, Trace, Writer};
use crate::Refusal;

/// How often arguments are unwrapped; models wrap once, and now and then twice.
const MAX_WRAPPERS: usize = 4;

/// Begins with `out` and appends the canonical form of a call's arguments.
pub(super) fn write<'s>(
    call: &Call,
    tool: Option<&'s Tool>,
    rules: RuleSet,
    prose: bool,
    out: Vec<u8>,
    trace: Option<Box<Trace>>,
) -> Result<Writer<'s>, Stop> {
    let writer = writer(tool, rules, prose, out, trace);
    written(writer, call)
}

/// The canonical form of a call's arguments of which a spelling is made.
pub(super) fn write_spelled<'s>(
    call: &Call,
    tool: Option<&'s Tool>,
    rules: RuleSet,
) -> Result<Writer<'s>, Stop> {
    let writer = Writer { spelled: true, ..writer(tool, rules, false, Vec::new(), None) };
    written(writer, call)
}

fn writer<'s>(
    tool: Option<&'s Tool>,
    rules: RuleSet,
    prose: bool,
    out: Vec<u8>,
    trace: Option<Box<Trace>>,
) -> Writer<'s> {
    let shape = tool.map(|tool| &tool.shape).filter(|shape| shape.has_schema);
    let apart = shape.is_some_and(|shape| shape.has_payload) && rules.has(TypedRule::PayloadApart);
    Writer {
        shape,
        rules,
        prose,
        out,
        payload: Vec::new(),
        apart,
        spelled: false,
        depth: 0,
        present: 0,
        trace,
    }
}

fn written<'s>(mut writer: Writer<'s>, call: &Call) -> Result<Writer<'s>, Stop> {
    let text = &call.arguments;
    if writer.rules.has(TypedRule::NoArguments)
        && text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
    {
        writer.fire_if(TypedRule::NoArguments);
        writer.no_arguments()?;
        return Ok(writer);
    }
    let value = json::parse(text, Dialect::Strict).map_err(unreadable)?;
    writer.arguments(&value, MAX_WRAPPERS)?;
    Ok(writer)
}

/// Text that is no JSON has no key: a cut one may be the beginning of any call.
fn unreadable(error: json::Error) -> Refusal {
    let code = match error.kind {
        ErrorKind::NonFinite => "non_finite",
        ErrorKind::TooDeep { .. } => "too_deep",
        _ if error.is_cut() => "cut",
        _ => "invalid_json",
    };
    Refusal::new(code, error.to_string())
}

/// Whether a text began as a JSON object that no reader takes whole. Other text is text.
fn is_broken_object(text: &str, error: &json::Error) -> bool {
    let kind = matches!(error.kind, ErrorKind::NonFinite | ErrorKind::TooDeep { .. });
    text.trim_start().starts_with('{') && (kind || error.is_cut())
}

impl<'s> Writer<'s> {
    /// The arguments as they were read, still in whatever they are wrapped in.
    fn arguments(&mut self, value: &Value<'_>, wrappers: usize) -> Result<(), Stop> {
        let root = self.shape.map(Shape::root);
        let takes_object = root
            .is_none_or(|root| matches!(root.kind, Kind::Object(_) | Kind::Any | Kind::Union(_)));
        if wrappers > 0 && takes_object {
            if let Value::String(text) = value
                && self.rules.has(TypedRule::TextWrapped)
                && let Some(text) = text.as_str()
            {
                match json::parse(text, Dialect::Strict) {
                    Ok(inner) if self.wraps(&inner) => {
                        self.fire_if(TypedRule::TextWrapped);
                        return self.arguments(&inner, wrappers - 1);
                    }
                    Err(error) if is_broken_object(text, &error) => {
                        return Err(unreadable(error).into());
                    }
                    _ => {}
                }
            }
            if let Some(inner) = self.enveloped(value)
                && self.fire_if(TypedRule::UnwrapEnvelope)
            {
                return self.arguments(inner, wrappers - 1);
            }
        }
        let none = match value {
            Value::Null => self.rules.has(TypedRule::NoArguments) && takes_object,
            Value::Object(members) => members.is_empty(),
            _ => false,
        };
        if none {
            if matches!(value, Value::Null) {
                self.fire_if(TypedRule::NoArguments);
            }
            return self.no_arguments();
        }
        self.whole(value)
    }

    /// Whether a value that was carried as text is one that arguments can be.
    fn wraps(&self, inner: &Value<'_>) -> bool {
        match inner {
            Value::Object(_) => true,
            // Text within text, as two serialisers in a row leave it.
            Value::String(text) => text
                .as_str()
                .and_then(|text| json::parse(text, Dialect::Strict).ok())
                .is_some_and(|inner| matches!(inner, Value::Object(_))),
            _ => false,
        }
    }

    /// What stands in one undeclared `arguments` object. A tool that declares no member takes any, so that the name
    /// may be its own; only an empty object says nothing there.
    fn enveloped<'v, 't>(&self, value: &'v Value<'t>) -> Option<&'v Value<'t>> {
        let object = self.shape?.root_object()?;
        let [member] = value.as_object()? else { return None };
        let inner = member.value.as_object()?;
        let says = !object.properties.is_empty() || inner.is_empty();
        (member.name == *"arguments" && says && object.may_be_enveloped()).then_some(&member.value)
    }

    /// A call without arguments, or a stream that was cut before the first one.
    fn no_arguments(&mut self) -> Result<(), Stop> {
        if self.rules.has(TypedRule::NoArguments)
            && let Some(shape) = self.shape
            && let Some(object) = shape.root_object()
            && let Some(name) = object
                .properties
                .iter()
                .find(|property| {
                    let field = shape.field(property.field);
                    property.required
                        && field.null != NullMeaning::Absent
                        && default_of(field, self.rules, self.prose).is_none()
                })
                .map(|property| &property.name)
                .or(object.required_undeclared.first())
        {
            let detail = format!("`{name}` is required, and a cut stream looks like this");
            return Err(Refusal::new("no_arguments", detail).into());
        }
        self.whole(&Value::Object(Vec::new()))
    }

    fn whole(&mut self, value: &Value<'_>) -> Result<(), Stop> {
        match self.shape {
            Some(shape) => {
                let open = Open::default().within(shape.root());
                // Arguments are an object. What else a union's branches would read at the top, no other spelling of it
                // could say again: it is what was written.
                let is_read = matches!(value, Value::Object(_))
                    || !matches!(shape.root().kind, Kind::Union(_));
                if is_read {
                    self.value(value, Some(shape.root_id()), open)
                } else {
                    self.any(value, open)
                }
            }
            None => self.value(value, None, Open::default()),
        }
    }
}
