//! A tool call: the tool's name, the exact argument text that the model wrote, and its scope.

use crate::json::{self, Value};
use crate::read::{FieldError, Fields};

/// One tool call as a framework saw it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Call {
    /// The tool's name as the model wrote it.
    pub tool: String,
    /// The argument text exactly as the model wrote it; need not be JSON.
    pub arguments: String,
    /// Where in which run the call stands.
    pub scope: Scope,
}

/// A part of the scope that may be absent, or present with no value. The article's `scoped` tells
/// the two apart; for every other strategy null means absent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Part {
    /// The record has no such member.
    #[default]
    Absent,
    /// The member is JSON null.
    Null,
    /// The member's text; an integer as its decimal digits, so that `3` equals `"3"`.
    Given(String),
}

impl Part {
    /// The text, where there is one.
    pub fn value(&self) -> Option<&str> {
        match self {
            Part::Given(text) => Some(text),
            Part::Absent | Part::Null => None,
        }
    }

    /// Whether the part has no value: absent or null.
    pub fn is_missing(&self) -> bool {
        self.value().is_none()
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Part::Given(text.to_owned())
    }
}

/// Where a call stands: what a framework knows about it beside what the model wrote.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Scope {
    /// Whose call it is; calls of two tenants are never the same.
    pub tenant: Option<String>,
    /// The run of the agent.
    pub run_id: Part,
    /// The step within the run, as text.
    pub step: Part,
    /// 0 for the first of several calls of one step that are equal by fingerprint, 1 for the
    /// second, and so on.
    pub occurrence: Option<u64>,
    /// A place in the program that makes the call, unique within a step.
    pub call_site: Option<String>,
    /// The first attempt that this call repeats, where the framework knows it.
    pub attempt_of: Option<Attempt>,
}

/// The place of the first attempt; it takes the place of the call's own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Attempt {
    /// The run of the first attempt.
    pub run_id: Part,
    /// Its step.
    pub step: Part,
    /// Its occurrence; 0 where not stated.
    pub occurrence: u64,
}

impl Scope {
    /// The run that counts: the first attempt's where one is named.
    pub fn effective_run(&self) -> Option<&str> {
        self.attempt_of.as_ref().map_or(&self.run_id, |a| &a.run_id).value()
    }

    /// The step that counts: the first attempt's where one is named.
    pub fn effective_step(&self) -> Option<&str> {
        self.attempt_of.as_ref().map_or(&self.step, |a| &a.step).value()
    }

    /// The occurrence that counts: the first attempt's where one is named, 0 where none is stated.
    pub fn effective_occurrence(&self) -> u64 {
        self.attempt_of.as_ref().map_or(self.occurrence.unwrap_or(0), |a| a.occurrence)
    }
}

impl Call {
    /// A call without a scope.
    pub fn new(tool: impl Into<String>, arguments: impl Into<String>) -> Self {
        Call { tool: tool.into(), arguments: arguments.into(), scope: Scope::default() }
    }

    /// The same call in a run at a step.
    pub fn at(mut self, run_id: &str, step: &str) -> Self {
        self.scope.run_id = run_id.into();
        self.scope.step = step.into();
        self
    }

    /// Reads a call from a JSON object; members that are none of a call's are ignored.
    ///
    /// # Errors
    /// Names the field that is missing or of another type.
    pub fn from_value(value: &Value<'_>) -> Result<Self, FieldError> {
        let fields = Fields::of(value, "a call")?;
        Ok(Call {
            tool: fields.text("tool")?,
            arguments: fields.text("arguments")?,
            scope: Scope {
                tenant: fields.optional_text("tenant")?,
                run_id: text_part(&fields, "run_id")?,
                step: step_part(&fields, "step")?,
                occurrence: fields.optional_count("occurrence")?,
                call_site: fields.optional_text("call_site")?,
                attempt_of: match fields.optional("attempt_of") {
                    None => None,
                    Some(value) => Some(Attempt::from_value(value)?),
                },
            },
        })
    }

    /// Writes the call as one JSON object; parts that are absent are left out.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(64 + self.arguments.len());
        self.write_json(&mut out);
        out
    }

    /// Appends what [`Call::to_json`] answers.
    pub fn write_json(&self, out: &mut String) {
        out.push('{');
        text_member(out, "tool", &self.tool);
        out.push(',');
        text_member(out, "arguments", &self.arguments);
        let scope = &self.scope;
        part_member(out, "run_id", &scope.run_id);
        step_member(out, &scope.step);
        if let Some(occurrence) = scope.occurrence {
            out.push_str(",\"occurrence\":");
            out.push_str(&occurrence.to_string());
        }
        if let Some(site) = &scope.call_site {
            out.push(',');
            text_member(out, "call_site", site);
        }
        if let Some(attempt) = &scope.attempt_of {
            out.push_str(",\"attempt_of\":{\"occurrence\":");
            out.push_str(&attempt.occurrence.to_string());
            part_member(out, "run_id", &attempt.run_id);
            step_member(out, &attempt.step);
            out.push('}');
        }
        if let Some(tenant) = &scope.tenant {
            out.push(',');
            text_member(out, "tenant", tenant);
        }
        out.push('}');
    }
}

impl Attempt {
    fn from_value(value: &Value<'_>) -> Result<Self, FieldError> {
        let fields = Fields::of(value, "attempt_of")?;
        Ok(Attempt {
            run_id: text_part(&fields, "run_id").map_err(|e| e.within("attempt_of"))?,
            step: step_part(&fields, "step").map_err(|e| e.within("attempt_of"))?,
            occurrence: fields
                .optional_count("occurrence")
                .map_err(|e| e.within("attempt_of"))?
                .unwrap_or(0),
        })
    }
}

fn text_part(fields: &Fields<'_, '_>, name: &'static str) -> Result<Part, FieldError> {
    match fields.raw(name) {
        None => Ok(Part::Absent),
        Some(Value::Null) => Ok(Part::Null),
        Some(Value::String(text)) => match text.as_str() {
            Some(text) => Ok(Part::Given(text.to_owned())),
            None => Err(FieldError::lone_surrogate(name)),
        },
        Some(other) => Err(FieldError::wrong_type(name, "text", other)),
    }
}

fn step_part(fields: &Fields<'_, '_>, name: &'static str) -> Result<Part, FieldError> {
    match fields.raw(name) {
        Some(Value::Number(text)) => match integer_text(text) {
            Some(text) => Ok(Part::Given(text.to_owned())),
            None => Err(FieldError::new(name, "must be an integer or text, not a fraction")),
        },
        _ => text_part(fields, name).map_err(|e| e.or_expected("an integer or text")),
    }
}

/// The digits of a JSON integer; `-0` is 0. None for a number with a fraction or an exponent.
fn integer_text(number: &str) -> Option<&str> {
    let digits = number.strip_prefix('-').unwrap_or(number);
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(if digits == "0" { "0" } else { number })
}

pub(crate) fn text_member(out: &mut String, name: &str, text: &str) {
    // Writing to a String cannot fail.
    let _ = json::write_text(out, &name.into());
    out.push(':');
    let _ = json::write_text(out, &text.into());
}

fn part_member(out: &mut String, name: &str, part: &Part) {
    match part {
        Part::Absent => {}
        Part::Null => {
            out.push_str(",\"");
            out.push_str(name);
            out.push_str("\":null");
        }
        Part::Given(text) => {
            out.push(',');
            text_member(out, name, text);
        }
    }
}

/// A step that is a small integer goes out as one, as frameworks write it; `"3"` equals `3`.
fn step_member(out: &mut String, step: &Part) {
    match step.value().map(|text| (text, text.parse::<u32>())) {
        Some((text, Ok(number))) if number.to_string() == text => {
            out.push_str(",\"step\":");
            out.push_str(text);
        }
        _ => part_member(out, "step", step),
    }
}
