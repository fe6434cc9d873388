//! The canonical form as bytes: typed, length-prefixed, and readable without its schema.
//!
//! A node is a tag and what the tag calls for: nothing, a text with its length before it, or further nodes up to an
//! end mark. Every node ends where its bytes say, so no two different values share bytes, and text `1` is never
//! number 1.

use std::fmt::Write as _;

use samecall_call::json::{Text, write_text};

/// What a node is.
pub(super) mod tag {
    pub(crate) const END: u8 = 0;
    /// Before the name of an object's member, and before each item of a list.
    pub(crate) const MEMBER: u8 = 1;
    /// In payload, before a member's name or an item's index: what follows up to an end mark stands there.
    pub(crate) const AT_MEMBER: u8 = 2;
    pub(crate) const AT_ITEM: u8 = 3;
    pub(crate) const NULL: u8 = b'z';
    pub(crate) const TRUE: u8 = b't';
    pub(crate) const FALSE: u8 = b'f';
    /// An exact decimal.
    pub(crate) const NUMBER: u8 = b'n';
    /// Text compared as its code points.
    pub(crate) const TEXT: u8 = b's';
    pub(crate) const TOKEN: u8 = b'k';
    pub(crate) const PROSE: u8 = b'p';
    pub(crate) const INSTANT: u8 = b'i';
    pub(crate) const UUID: u8 = b'u';
    pub(crate) const URI: u8 = b'r';
    pub(crate) const TIME: u8 = b'h';
    pub(crate) const PHONE: u8 = b'c';
    pub(crate) const EMAIL: u8 = b'm';
    /// JSON that was carried as text; one node follows.
    pub(crate) const JSON: u8 = b'j';
    pub(crate) const LIST: u8 = b'l';
    pub(crate) const SET: u8 = b'S';
    pub(crate) const OBJECT: u8 = b'o';
    /// An item whose value is left out of the key.
    pub(crate) const VOLATILE: u8 = b'v';
    /// An item whose value is in the second hash.
    pub(crate) const PAYLOAD: u8 = b'y';
}

/// Appends a length: seven bits a byte, the low ones first.
pub(super) fn put_length(out: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}

/// Appends a text with its length before it.
pub(super) fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    put_length(out, text.len());
    out.extend_from_slice(text);
}

/// Whether a node is an empty list, set, object or text, JSON carried as text included.
pub(super) fn is_empty(node: &[u8]) -> bool {
    matches!(
        node.strip_prefix(&[tag::JSON]).unwrap_or(node),
        [tag::LIST | tag::SET | tag::OBJECT, tag::END]
            | [tag::TEXT | tag::PROSE | tag::TOKEN | tag::EMAIL, 0]
    )
}

/// Whether a node is an object, JSON carried as text included.
pub(super) fn is_object(node: &[u8]) -> bool {
    matches!(node, [tag::OBJECT, ..] | [tag::JSON, tag::OBJECT, ..])
}

/// Reads what the functions above wrote. Every method answers None where the bytes are none of theirs.
#[derive(Clone, Copy)]
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn length(&mut self) -> Option<usize> {
        let mut length = 0_usize;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            length |= usize::from(byte & 0x7F).checked_shl(shift)?;
            shift += 7;
            if byte < 0x80 {
                return Some(length);
            }
        }
    }

    pub(super) fn text(&mut self) -> Option<&'b [u8]> {
        let length = self.length()?;
        let end = self.at.checked_add(length)?;
        let text = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(text)
    }

    /// Passes over one node and answers its bytes. Works without recursion, so that depth costs nothing.
    pub(super) fn node(&mut self) -> Option<&'b [u8]> {
        let start = self.at;
        // The containers that are open, as their tags.
        let mut open: Vec<u8> = Vec::new();
        loop {
            match self.byte()? {
                tag::NULL | tag::TRUE | tag::FALSE | tag::VOLATILE | tag::PAYLOAD => {}
                tag::JSON => continue,
                container @ (tag::LIST | tag::SET | tag::OBJECT) => open.push(container),
                _ => {
                    self.text()?;
                }
            }
            // A value is complete, or a container has just been opened: go on to the next value.
            loop {
                let Some(container) = open.last() else { return self.bytes.get(start..self.at) };
                match self.byte()? {
                    tag::END => {
                        open.pop();
                    }
                    _ => {
                        if *container == tag::OBJECT {
                            self.text()?;
                        }
                        break;
                    }
                }
            }
        }
    }

    /// The value of an object's member; the reader stands before the object.
    pub(super) fn member(mut self, name: &str) -> Option<&'b [u8]> {
        if self.byte()? != tag::OBJECT {
            return None;
        }
        while self.byte()? == tag::MEMBER {
            let found = self.text()? == name.as_bytes();
            let node = self.node()?;
            if found {
                return Some(node);
            }
        }
        None
    }
}

/// The node at a dotted path of member names; a name may hold dots itself.
pub(super) fn at_path<'b>(node: &'b [u8], path: &str) -> Option<&'b [u8]> {
    if let Some(found) = Reader::new(node).member(path) {
        return Some(found);
    }
    path.match_indices('.').find_map(|(dot, _)| {
        let inner = Reader::new(node).member(&path[..dot])?;
        at_path(inner, &path[dot + 1..])
    })
}

/// A leaf of a canonical form, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Where it stands: names and array indices from the root.
    pub path: Vec<String>,
    /// The kind of its canonical text: `number`, `exact`, `instant`, ...
    pub kind: &'static str,
    /// The canonical text; texts as JSON string literals.
    pub text: String,
}

/// A node as readable text, and its leaves. Bytes that are no node read as far as they are one.
pub(super) fn describe(node: &[u8]) -> (String, Vec<Leaf>) {
    let mut out = Description { form: String::new(), path: Vec::new(), leaves: Vec::new() };
    let mut reader = Reader::new(node);
    let _ = out.node(&mut reader);
    (out.form, out.leaves)
}

/// Payload as readable text: each part with the path to it.
pub(super) fn describe_payload(payload: &[u8]) -> String {
    let mut out = Description { form: String::new(), path: Vec::new(), leaves: Vec::new() };
    let mut reader = Reader::new(payload);
    let _ = out.payload(&mut reader);
    out.form
}

struct Description {
    form: String,
    path: Vec<String>,
    leaves: Vec<Leaf>,
}

impl Description {
    fn payload(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        loop {
            let step = match reader.byte()? {
                tag::END => {
                    self.path.pop();
                    continue;
                }
                tag::AT_MEMBER => String::from_utf8_lossy(reader.text()?).into_owned(),
                tag::AT_ITEM => reader.length()?.to_string(),
                tag::MEMBER => {
                    let name = String::from_utf8_lossy(reader.text()?).into_owned();
                    self.payload_part(Some(name), reader)?;
                    continue;
                }
                _ => {
                    reader.at -= 1;
                    self.payload_part(None, reader)?;
                    continue;
                }
            };
            self.path.push(step);
        }
    }

    fn payload_part(&mut self, name: Option<String>, reader: &mut Reader<'_>) -> Option<()> {
        if !self.form.is_empty() {
            self.form.push_str(", ");
        }
        let depth = self.path.len();
        self.path.extend(name);
        let path = self.path.join(".");
        self.form.push_str(&path);
        self.form.push_str(": ");
        self.node(reader)?;
        self.path.truncate(depth);
        Some(())
    }

    fn leaf(&mut self, kind: &'static str, text: String) {
        match kind {
            "exact" | "null" | "boolean" | "number" => self.form.push_str(&text),
            _ => {
                let _ = write!(self.form, "{kind}({text})");
            }
        }
        self.leaves.push(Leaf { path: self.path.clone(), kind, text });
    }

    fn node(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        match reader.byte()? {
            tag::NULL => self.leaf("null", "null".to_owned()),
            tag::TRUE => self.leaf("boolean", "true".to_owned()),
            tag::FALSE => self.leaf("boolean", "false".to_owned()),
            tag::VOLATILE => self.leaf("volatile", String::new()),
            tag::PAYLOAD => self.leaf("payload", String::new()),
            tag::NUMBER => {
                let number = String::from_utf8_lossy(reader.text()?).into_owned();
                self.leaf("number", number);
            }
            tag::JSON => {
                self.form.push_str("json(");
                self.node(reader)?;
                self.form.push(')');
            }
            tag::OBJECT => {
                self.form.push('{');
                let mut first = true;
                while reader.byte()? == tag::MEMBER {
                    if !std::mem::take(&mut first) {
                        self.form.push_str(", ");
                    }
                    let name = reader.text()?;
                    self.form.push_str(&literal(name));
                    self.form.push_str(": ");
                    self.path.push(String::from_utf8_lossy(name).into_owned());
                    self.node(reader)?;
                    self.path.pop();
                }
                self.form.push('}');
            }
            list @ (tag::LIST | tag::SET) => {
                self.form.push_str(if list == tag::SET { "set[" } else { "[" });
                let mut index = 0_usize;
                while reader.byte()? == tag::MEMBER {
                    if index > 0 {
                        self.form.push_str(", ");
                    }
                    self.path.push(index.to_string());
                    self.node(reader)?;
                    self.path.pop();
                    index += 1;
                }
                self.form.push(']');
            }
            other => {
                let kind = match other {
                    tag::TOKEN => "token",
                    tag::PROSE => "text",
                    tag::INSTANT => "instant",
                    tag::UUID => "uuid",
                    tag::URI => "uri",
                    tag::TIME => "time",
                    tag::PHONE => "phone",
                    tag::EMAIL => "email",
                    _ => "exact",
                };
                let text = literal(reader.text()?);
                self.leaf(kind, text);
            }
        }
        Some(())
    }
}

/// Canonical text as a JSON string literal; WTF-8 with its surrogates escaped.
fn literal(text: &[u8]) -> String {
    let text = match std::str::from_utf8(text) {
        Ok(text) => Text::from(text),
        Err(_) => Text::Wtf8(text.into()),
    };
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_text(&mut out, &text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_end_where_their_bytes_say() {
        let mut object = vec![tag::OBJECT, tag::MEMBER];
        put_text(&mut object, b"a.b");
        object.push(tag::LIST);
        for _ in 0..3 {
            object.push(tag::MEMBER);
            object.push(tag::JSON);
            object.push(tag::NUMBER);
            put_text(&mut object, b"12");
        }
        object.push(tag::END);
        object.push(tag::MEMBER);
        put_text(&mut object, b"c");
        object.push(tag::TRUE);
        object.push(tag::END);
        let mut two = object.clone();
        two.push(tag::NULL);
        let mut reader = Reader::new(&two);
        assert_eq!(reader.node(), Some(&object[..]));
        assert_eq!(reader.node(), Some(&[tag::NULL][..]));
        assert_eq!(reader.node(), None);
        assert_eq!(at_path(&object, "c"), Some(&[tag::TRUE][..]));
        assert!(at_path(&object, "a.b").is_some());
        assert!(at_path(&object, "a").is_none());
        let (form, leaves) = describe(&object);
        assert_eq!(form, r#"{"a.b": [json(12), json(12), json(12)], "c": true}"#);
        assert_eq!(leaves.len(), 4);
        assert_eq!(leaves[1].path, ["a.b", "1"]);
    }

    #[test]
    fn lengths_of_any_size_are_read_back() {
        for length in [0, 1, 127, 128, 300, 70_000] {
            let mut out = vec![tag::TEXT];
            put_text(&mut out, &vec![b'x'; length]);
            assert_eq!(Reader::new(&out).node().map(<[u8]>::len), Some(out.len()));
        }
    }
}
