//! The reader itself: recursive descent over the bytes of a text, bounded in depth.

use super::Dialect;
use super::error::{Error, ErrorKind};
use super::text::{Text, Wtf8Builder};
use super::value::{Member, NonFinite, Value};
use std::borrow::Cow;

/// Reads one JSON value that is the whole of `text`.
///
/// # Errors
/// When the text is not of the dialect; says what is wrong and at which byte.
pub fn parse(text: &str, dialect: Dialect) -> Result<Value<'_>, Error> {
    if text.starts_with('\u{FEFF}') {
        return Err(Error::new(ErrorKind::ByteOrderMark, 0));
    }
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, dialect, depth: 0 };
    reader.skip_white_space();
    if reader.at == reader.bytes.len() {
        return Err(Error::new(ErrorKind::Empty, reader.at));
    }
    let value = reader.value()?;
    reader.skip_white_space();
    if reader.at < reader.bytes.len() {
        return Err(Error::new(ErrorKind::TrailingText, reader.at));
    }
    Ok(value)
}

/// Like [`parse`], for bytes that may be no UTF-8.
///
/// # Errors
/// As [`parse`], and when the bytes are no UTF-8.
pub fn parse_bytes(bytes: &[u8], dialect: Dialect) -> Result<Value<'_>, Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text, dialect),
        Err(e) => Err(Error::new(ErrorKind::InvalidUtf8, e.valid_up_to())),
    }
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    dialect: Dialect,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// An unexpected byte here, or the end of a cut text.
    fn unexpected(&self) -> Error {
        let kind = if self.at < self.bytes.len() { ErrorKind::Unexpected } else { ErrorKind::Cut };
        Error::new(kind, self.at)
    }

    fn value(&mut self) -> Result<Value<'a>, Error> {
        match self.peek() {
            Some(b'"') => Ok(Value::String(self.string()?)),
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Null),
            Some(b'N') => self.non_finite("NaN", NonFinite::NaN),
            Some(b'I') => self.non_finite("Infinity", NonFinite::Infinity),
            _ => Err(self.unexpected()),
        }
    }

    fn literal(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>, Error> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else if word.as_bytes().starts_with(rest) {
            Err(Error::new(ErrorKind::Cut, self.bytes.len()))
        } else {
            Err(Error::new(ErrorKind::Unexpected, self.at))
        }
    }

    fn non_finite(&mut self, word: &str, which: NonFinite) -> Result<Value<'a>, Error> {
        let start = self.at;
        let value = self.literal(word, Value::NonFinite(which))?;
        match self.dialect {
            Dialect::Python => Ok(value),
            Dialect::Strict => Err(Error::new(ErrorKind::NonFinite, start)),
        }
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Result<Value<'a>, Error> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
            if self.peek() == Some(b'I') {
                return self.non_finite("Infinity", NonFinite::NegInfinity);
            }
        }
        let whole = self.at;
        if self.digits() == 0 {
            return Err(self.bad_number());
        }
        if self.bytes[whole] == b'0' && self.at > whole + 1 {
            return Err(Error::new(ErrorKind::BadNumber, whole));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(self.bad_number());
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(self.bad_number());
            }
        }
        Ok(Value::Number(Cow::Borrowed(&self.text[start..self.at])))
    }

    fn bad_number(&self) -> Error {
        let kind = if self.at < self.bytes.len() { ErrorKind::BadNumber } else { ErrorKind::Cut };
        Error::new(kind, self.at)
    }

    /// The next byte that ends a run of plain string content: a quote, a backslash, a control.
    fn plain_run(&mut self) {
        while let Some(&b) = self.bytes.get(self.at) {
            if !PLAIN[usize::from(b)] {
                return;
            }
            self.at += 1;
        }
    }

    fn string(&mut self) -> Result<Text<'a>, Error> {
        self.at += 1;
        let start = self.at;
        self.plain_run();
        let plain = &self.text[start..self.at];
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                return Ok(Text::Str(Cow::Borrowed(plain)));
            }
            Some(b'\\') => {}
            Some(_) => return Err(Error::new(ErrorKind::ControlCharacter, self.at)),
            None => return Err(self.unexpected()),
        }
        let mut out = Wtf8Builder::with_prefix(plain);
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out.finish());
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(0..0x20) => return Err(Error::new(ErrorKind::ControlCharacter, self.at)),
                Some(_) => {
                    let start = self.at;
                    self.plain_run();
                    out.push_str(&self.text[start..self.at]);
                }
                None => return Err(self.unexpected()),
            }
        }
    }

    /// One escape, from its backslash on; a `\u` escape is answered as its 16-bit unit.
    fn escape(&mut self) -> Result<u32, Error> {
        let start = self.at;
        self.at += 1;
        let Some(letter) = self.peek() else { return Err(self.unexpected()) };
        self.at += 1;
        Ok(match letter {
            b'"' | b'\\' | b'/' => u32::from(letter),
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => 0x0A,
            b'r' => 0x0D,
            b't' => 0x09,
            b'u' => {
                let mut unit = 0;
                for _ in 0..4 {
                    let Some(digit) = self.peek() else { return Err(self.unexpected()) };
                    let Some(digit) = char::from(digit).to_digit(16) else {
                        return Err(Error::new(ErrorKind::BadEscape, start));
                    };
                    unit = unit << 4 | digit;
                    self.at += 1;
                }
                unit
            }
            _ => return Err(Error::new(ErrorKind::BadEscape, start)),
        })
    }

    fn enter(&mut self) -> Result<(), Error> {
        self.depth += 1;
        let limit = self.dialect.max_depth();
        if self.depth > limit {
            return Err(Error::new(ErrorKind::TooDeep { limit }, self.at));
        }
        self.at += 1;
        self.skip_white_space();
        Ok(())
    }

    fn array(&mut self) -> Result<Value<'a>, Error> {
        self.enter()?;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
        } else {
            loop {
                items.push(self.value()?);
                self.skip_white_space();
                if self.comma_or(b']')? {
                    break;
                }
            }
        }
        self.depth -= 1;
        Ok(Value::Array(items))
    }

    fn object(&mut self) -> Result<Value<'a>, Error> {
        self.enter()?;
        let mut members = Vec::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
        } else {
            loop {
                if self.peek() != Some(b'"') {
                    return Err(self.unexpected());
                }
                let name = self.string()?;
                self.skip_white_space();
                if self.peek() != Some(b':') {
                    return Err(self.unexpected());
                }
                self.at += 1;
                self.skip_white_space();
                let value = self.value()?;
                members.push(Member { name, value });
                self.skip_white_space();
                if self.comma_or(b'}')? {
                    break;
                }
            }
        }
        self.depth -= 1;
        Ok(Value::Object(members))
    }

    /// Takes a comma (false: another item follows) or the closing byte (true).
    fn comma_or(&mut self, close: u8) -> Result<bool, Error> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.skip_white_space();
                Ok(false)
            }
            Some(b) if b == close => {
                self.at += 1;
                Ok(true)
            }
            _ => Err(self.unexpected()),
        }
    }
}

/// Bytes that stand for themselves inside a string.
static PLAIN: [bool; 256] = {
    let mut table = [true; 256];
    let mut b = 0;
    while b < 0x20 {
        table[b] = false;
        b += 1;
    }
    table[b'"' as usize] = false;
    table[b'\\' as usize] = false;
    table
};
