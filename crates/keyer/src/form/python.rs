//! JSON as `json.dumps(value, sort_keys=True, separators=(",", ":"))` writes it, after a list of rules.

use samecall_call::json::{self, Dialect, ErrorKind, Member, Value};

use crate::rules::{Normaliser, Place, Scalar, number};
use crate::{Fired, Refusal, python};

/// Reads arguments as `json.loads` does.
///
/// # Errors
/// Under the name of the exception that CPython raises: `JSONDecodeError`, `ValueError` for an integer literal of
/// more than 4,300 digits, `RecursionError`.
pub fn read(arguments: &str) -> Result<Value<'_>, Refusal> {
    let read = json::parse(arguments, Dialect::Python);
    // CPython meets a long integer before whatever is wrong behind it.
    if arguments.len() > python::INTEGER_DIGITS_LIMIT {
        let end = read.as_ref().err().map_or(arguments.len(), |error| error.offset);
        if has_long_integer(arguments.as_bytes().get(..end).unwrap_or_default()) {
            return Err(number::too_many_digits());
        }
    }
    read.map_err(|error| {
        let too_deep = matches!(error.kind, ErrorKind::TooDeep { .. });
        Refusal::unreadable(if too_deep { "RecursionError" } else { "JSONDecodeError" }, error)
    })
}

/// Whether an integer literal beyond the limit stands outside of the strings of a valid beginning of a JSON text.
fn has_long_integer(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while text.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'0'..=b'9' => {
                let start = at;
                let digits = |at: &usize| text.get(*at).is_some_and(u8::is_ascii_digit);
                while digits(&at) {
                    at += 1;
                }
                let length = at - start;
                let is_double = matches!(text.get(at), Some(b'.' | b'e' | b'E'));
                if length > python::INTEGER_DIGITS_LIMIT && !is_double {
                    return true;
                }
                // The rest of a double has no integer in it, however long.
                while text.get(at).is_some_and(|byte| b"0123456789.eE+-".contains(byte)) {
                    at += 1;
                }
            }
            _ => at += 1,
        }
    }
    false
}

/// Appends a value after the rules of a normaliser. Of members of one name the last counts; names stay as they are.
///
/// # Errors
/// Where a rule raises: the first in the order in which Python meets the values.
pub fn write<'v>(
    value: &'v Value<'v>,
    normaliser: &Normaliser,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let mut writer = Writer { normaliser, out, members: Vec::new() };
    match writer.value(value, Place::Item) {
        Ok(_) => Ok(()),
        Err(found) => Err(first_refusal(value, normaliser, Place::Item).unwrap_or(found)),
    }
}

struct Writer<'w, 'v> {
    normaliser: &'w Normaliser,
    out: &'w mut Vec<u8>,
    /// The members of all objects that are open, each object's sorted by name.
    members: Vec<&'v Member<'v>>,
}

impl<'v> Writer<'_, 'v> {
    /// Writes a value; false where nothing is to be written.
    fn value(&mut self, value: &'v Value<'v>, place: Place) -> Result<bool, Refusal> {
        match value {
            Value::Array(items) => self.array(items)?,
            Value::Object(members) => self.object(members)?,
            _ => {
                if let Some(mut scalar) = Scalar::read(value) {
                    if !self.normaliser.apply(&mut scalar, place)? {
                        return Ok(false);
                    }
                    write_scalar(&scalar, self.out);
                }
            }
        }
        Ok(true)
    }

    fn array(&mut self, items: &'v [Value<'v>]) -> Result<(), Refusal> {
        self.out.push(b'[');
        let mut is_first = true;
        for item in items {
            let start = self.out.len();
            if !is_first {
                self.out.push(b',');
            }
            if self.value(item, Place::Item)? {
                is_first = false;
            } else {
                self.out.truncate(start);
            }
        }
        self.out.push(b']');
        Ok(())
    }

    fn object(&mut self, members: &'v [Member<'v>]) -> Result<(), Refusal> {
        let base = self.members.len();
        self.members.extend(members);
        // Stable, so that of equal names the last is the last written.
        self.members[base..].sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        self.out.push(b'{');
        let mut is_first = true;
        for at in base..base + members.len() {
            let member = self.members[at];
            if self.members[base..].get(at - base + 1).is_some_and(|next| next.name == member.name)
            {
                continue;
            }
            let start = self.out.len();
            if !is_first {
                self.out.push(b',');
            }
            python::write_text(member.name.as_bytes(), self.out);
            self.out.push(b':');
            if self.value(&member.value, Place::Member)? {
                is_first = false;
            } else {
                self.out.truncate(start);
            }
        }
        self.members.truncate(base);
        self.out.push(b'}');
        Ok(())
    }
}

fn write_scalar(scalar: &Scalar<'_>, out: &mut Vec<u8>) {
    match scalar {
        Scalar::Null => out.extend_from_slice(b"null"),
        Scalar::Bool(true) => out.extend_from_slice(b"true"),
        Scalar::Bool(false) => out.extend_from_slice(b"false"),
        Scalar::Integer(digits) => out.extend_from_slice(digits.as_bytes()),
        Scalar::Float(float) => python::repr(*float, out),
        Scalar::Text(text) => python::write_text(text, out),
    }
}

/// The first refusal in the order of a Python `dict`: a name's first place, its last value.
fn first_refusal(value: &Value<'_>, normaliser: &Normaliser, place: Place) -> Option<Refusal> {
    match value {
        Value::Array(items) => {
            items.iter().find_map(|item| first_refusal(item, normaliser, Place::Item))
        }
        Value::Object(members) => in_dict_order(members)
            .find_map(|member| first_refusal(&member.value, normaliser, Place::Member)),
        _ => normaliser.apply(&mut Scalar::read(value)?, place).err(),
    }
}

/// The members as a `dict` holds them.
fn in_dict_order<'v>(members: &'v [Member<'v>]) -> impl Iterator<Item = &'v Member<'v>> {
    let mut by_name: Vec<usize> = (0..members.len()).collect();
    by_name.sort_by(|&a, &b| members[a].name.cmp(&members[b].name));
    let mut order: Vec<(usize, usize)> = by_name
        .chunk_by(|&a, &b| members[a].name == members[b].name)
        .filter_map(|run| Some((*run.first()?, *run.last()?)))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, last)| &members[last])
}

/// Every rule that changes something in a value, in the order of a Python `dict`.
///
/// # Errors
/// Where a rule raises.
pub fn fired(value: &Value<'_>, normaliser: &Normaliser) -> Result<Vec<Fired>, Refusal> {
    let mut found = Vec::new();
    trace(value, normaliser, Place::Item, &mut Vec::new(), &mut found)?;
    Ok(found)
}

fn trace(
    value: &Value<'_>,
    normaliser: &Normaliser,
    place: Place,
    path: &mut Vec<String>,
    found: &mut Vec<Fired>,
) -> Result<(), Refusal> {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(index.to_string());
                trace(item, normaliser, Place::Item, path, found)?;
                path.pop();
            }
        }
        Value::Object(members) => {
            for member in in_dict_order(members) {
                path.push(String::from_utf8_lossy(member.name.as_bytes()).into_owned());
                trace(&member.value, normaliser, Place::Member, path, found)?;
                path.pop();
            }
        }
        _ => {
            if let Some(mut scalar) = Scalar::read(value) {
                normaliser.apply_traced(&mut scalar, place, |rule| {
                    found.push(Fired { path: path.clone(), rule: rule.name() });
                })?;
            }
        }
    }
    Ok(())
}
