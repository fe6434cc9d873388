//! Writes a value as compact JSON that the strict reader reads back as the same value.

use super::text::Text;
use super::value::Value;
use std::fmt;

impl fmt::Display for Value<'_> {
    /// Compact JSON: exact number text, members in the order held, only the escapes that JSON
    /// demands (and lone surrogates as `\udXXX`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(true) => f.write_str("true"),
            Value::Bool(false) => f.write_str("false"),
            Value::Number(text) => f.write_str(text),
            Value::NonFinite(literal) => f.write_str(literal.as_str()),
            Value::String(text) => write_text(f, text),
            Value::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str("]")
            }
            Value::Object(members) => {
                f.write_str("{")?;
                for (index, member) in members.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    write_text(f, &member.name)?;
                    f.write_str(":")?;
                    member.value.fmt(f)?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Writes a JSON string literal, quotes included.
///
/// # Errors
/// Those of the sink.
pub fn write_text(out: &mut impl fmt::Write, text: &Text<'_>) -> fmt::Result {
    out.write_char('"')?;
    match text {
        Text::Str(s) => {
            let mut rest: &str = s;
            while let Some(at) = rest.bytes().position(|b| b < 0x20 || b == b'"' || b == b'\\') {
                out.write_str(&rest[..at])?;
                write_escape(out, u32::from(rest.as_bytes()[at]))?;
                rest = &rest[at + 1..];
            }
            out.write_str(rest)?;
        }
        Text::Wtf8(_) => {
            for point in text.code_points() {
                match char::from_u32(point) {
                    Some(c) if c >= ' ' && c != '"' && c != '\\' => out.write_char(c)?,
                    _ => write_escape(out, point)?,
                }
            }
        }
    }
    out.write_char('"')
}

fn write_escape(out: &mut impl fmt::Write, point: u32) -> fmt::Result {
    match point {
        0x22 => out.write_str("\\\""),
        0x5C => out.write_str("\\\\"),
        0x08 => out.write_str("\\b"),
        0x09 => out.write_str("\\t"),
        0x0A => out.write_str("\\n"),
        0x0C => out.write_str("\\f"),
        0x0D => out.write_str("\\r"),
        _ => write!(out, "\\u{point:04x}"),
    }
}
