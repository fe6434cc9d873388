//! From a tree to the text that a model might have written, in a style.

use crate::tree::{Node, Val};
use samecall_call::json::{self, Value};

/// How white space is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `{"a": 1, "b": 2}`, as Python writes it.
    Default,
    /// `{"a":1,"b":2}`.
    Compact,
    /// One member a line.
    Indented(&'static str),
    /// `{ "a" : 1 , "b" : 2 }`.
    Spaced,
    /// One member a line, a space after each comma.
    TrailingSpace,
}

/// What stands around the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    None,
    /// The arguments as a JSON text.
    Text,
    /// An `arguments` member.
    Envelope,
    /// No arguments at all, as empty text.
    Empty,
    /// No arguments at all, as null.
    Null,
}

/// The style of a whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) layout: Layout,
    pub(crate) wrapper: Wrapper,
    pub(crate) outer: bool,
    pub(crate) non_ascii: bool,
    pub(crate) upper_hex: bool,
    pub(crate) slash: bool,
    /// Every so many letters one is escaped; 0 for none.
    pub(crate) letters: u8,
    pub(crate) names: bool,
    pub(crate) control: bool,
}

impl Style {
    pub(crate) const PLAIN: Style = Style {
        layout: Layout::Default,
        wrapper: Wrapper::None,
        outer: false,
        non_ascii: false,
        upper_hex: false,
        slash: false,
        letters: 0,
        names: false,
        control: false,
    };

    fn escapes(&self) -> bool {
        self.non_ascii || self.slash || self.letters > 0 || self.control
    }
}

/// The argument text.
pub(crate) fn write(root: &Node<'_>, style: &Style) -> String {
    let mut out = String::with_capacity(192);
    if style.outer {
        out.push_str("\n ");
    }
    match style.wrapper {
        Wrapper::Empty => return String::new(),
        Wrapper::Null => out.push_str("null"),
        Wrapper::None => node(&mut out, root, style, 0),
        Wrapper::Text => {
            let mut inner = String::with_capacity(192);
            node(&mut inner, root, style, 0);
            text(&mut out, &inner, &Style::PLAIN);
        }
        Wrapper::Envelope => {
            out.push('{');
            open(&mut out, style, 1);
            out.push_str("\"arguments\"");
            out.push_str(colon(style));
            node(&mut out, root, style, 1);
            close(&mut out, style, 0);
            out.push('}');
        }
    }
    if style.outer {
        out.push_str("\t\n");
    }
    out
}

fn colon(style: &Style) -> &'static str {
    match style.layout {
        Layout::Compact => ":",
        Layout::Spaced => " : ",
        _ => ": ",
    }
}

fn line(out: &mut String, indent: &str, depth: usize) {
    out.push('\n');
    (0..depth).for_each(|_| out.push_str(indent));
}

fn open(out: &mut String, style: &Style, depth: usize) {
    match style.layout {
        Layout::Default | Layout::Compact => {}
        Layout::Spaced => out.push(' '),
        Layout::Indented(indent) => line(out, indent, depth),
        Layout::TrailingSpace => line(out, "  ", depth),
    }
}

fn close(out: &mut String, style: &Style, depth: usize) {
    open(out, style, depth);
}

fn comma(out: &mut String, style: &Style, depth: usize) {
    match style.layout {
        Layout::Compact => out.push(','),
        Layout::Default => out.push_str(", "),
        Layout::Spaced => out.push_str(" , "),
        Layout::Indented(indent) => {
            out.push(',');
            line(out, indent, depth);
        }
        Layout::TrailingSpace => {
            out.push_str(", ");
            line(out, "  ", depth);
        }
    }
}

fn node(out: &mut String, at: &Node<'_>, style: &Style, depth: usize) {
    if at.as_text {
        let mut inner = String::with_capacity(64);
        value(&mut inner, &at.value, &Style { layout: Layout::Default, ..*style }, 0);
        text(out, &inner, &Style::PLAIN);
    } else {
        value(out, &at.value, style, depth);
    }
}

fn value(out: &mut String, at: &Val<'_>, style: &Style, depth: usize) {
    match at {
        Val::Null => out.push_str("null"),
        Val::Bool(true) => out.push_str("true"),
        Val::Bool(false) => out.push_str("false"),
        Val::Number(number) => out.push_str(number),
        Val::Text(content) => text(out, content, style),
        Val::Instant(moment) if moment.epoch => moment.write(out),
        Val::Instant(moment) => {
            out.push('"');
            moment.write(out);
            out.push('"');
        }
        Val::List(items) if items.is_empty() => out.push_str("[]"),
        Val::List(items) => {
            out.push('[');
            open(out, style, depth + 1);
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    comma(out, style, depth + 1);
                }
                node(out, item, style, depth + 1);
            }
            close(out, style, depth);
            out.push(']');
        }
        Val::Object(members) if members.is_empty() => out.push_str("{}"),
        Val::Object(members) => {
            out.push('{');
            open(out, style, depth + 1);
            let mut first = true;
            for member in members {
                for _ in 0..1 + usize::from(member.twice) {
                    if !first {
                        comma(out, style, depth + 1);
                    }
                    first = false;
                    if style.names {
                        text(out, &member.name, &Style { letters: 3, ..*style });
                    } else {
                        text(out, &member.name, &Style { letters: 0, ..*style });
                    }
                    out.push_str(colon(style));
                    node(out, &member.node, style, depth + 1);
                }
            }
            close(out, style, depth);
            out.push('}');
        }
    }
}

/// A JSON string literal in a style.
fn text(out: &mut String, content: &str, style: &Style) {
    if !style.escapes() {
        // Writing to a String cannot fail.
        let _ = json::write_text(out, &content.into());
        return;
    }
    out.push('"');
    let mut letters = 0u8;
    for c in content.chars() {
        let letter = c.is_ascii_alphabetic() && style.letters > 0 && {
            letters = (letters + 1) % style.letters;
            letters == 0
        };
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '/' if style.slash => out.push_str("\\/"),
            '\n' if !style.control => out.push_str("\\n"),
            '\t' if !style.control => out.push_str("\\t"),
            '\r' if !style.control => out.push_str("\\r"),
            _ if c < ' ' || letter || (style.non_ascii && !c.is_ascii()) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str("\\u");
                    for shift in [12, 8, 4, 0] {
                        let digits: &[u8; 16] =
                            if style.upper_hex { b"0123456789ABCDEF" } else { b"0123456789abcdef" };
                        out.push(char::from(digits[usize::from(*unit >> shift & 15)]));
                    }
                }
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// A parsed JSON value again, spaced, members from last to first.
pub(crate) fn respell(out: &mut String, at: &Value<'_>) {
    match at {
        Value::Array(items) => {
            out.push_str("[ ");
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(" ,");
                }
                respell(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, member) in members.iter().rev().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                // Writing to a String cannot fail.
                let _ = json::write_text(out, &member.name);
                out.push_str(" : ");
                respell(out, &member.value);
            }
            out.push_str(" }");
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}
