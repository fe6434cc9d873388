//! What a text says, as a stream of tokens: words, numbers, signs and marks, without the punctuation, white space and
//! leading marker that only dress it.
//!
//! Whether a punctuation character is noise depends on where it stands: a full stop before a space ends a sentence, one
//! before a letter is part of `example.com`; a dash between spaces is noise, one before a digit is a sign. In doubt the
//! character stays, since keeping a repeat costs tokens and dropping a fact costs the fact.

use super::fold::ZWJ;
use super::marker::after_marker;
use unicode_normalization::char::is_combining_mark;

/// What kind of token this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Letters, digits and combining marks, beginning with no digit; `can't`, `example.com` and `snake_case` are one word.
    /// In scripts without spaces each ideograph or kana is a word.
    Word,
    /// Begins with a digit, or with a point before a digit: `1,000.50`, `5kg`, `.5`.
    Number,
    /// A minus before a number, as in `-19`; the dash of `5-3` is a mark.
    Sign,
    /// Any other character that counts: operators, brackets, currency, emoji, a question mark.
    Mark,
}

/// One token, a slice of the folded text with its letter case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its characters.
    pub text: &'a str,
}

/// Iterator over the tokens of a text that [`fold`](super::fold::fold) returned. Linear in time, constant in memory.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// Whether a double and a single quote are open: one that closes another is no inch or foot.
    open: [bool; 2],
    /// Where the `**` stands that closes an open one; 0 for none.
    bold: usize,
}

impl<'a> Tokens<'a> {
    /// Tokens of a folded text, its leading list or citation marker left out.
    pub fn new(folded: &'a str) -> Self {
        Self { text: folded, at: after_marker(folded), open: [false; 2], bold: 0 }
    }

    fn before(&self, at: usize) -> Option<char> {
        let bytes = self.text.as_bytes();
        match at.checked_sub(1).map(|i| bytes[i]) {
            Some(b) if b < 0x80 => Some(char::from(b)),
            Some(_) => self.text[..at].chars().next_back(),
            None => None,
        }
    }

    fn from(&self, at: usize) -> Option<char> {
        match self.text.as_bytes().get(at) {
            Some(&b) if b < 0x80 => Some(char::from(b)),
            Some(_) => self.text[at..].chars().next(),
            None => None,
        }
    }

    /// The first character at or after `at` that is no white space.
    fn next_solid(&self, at: usize) -> Option<char> {
        self.text[at..].chars().find(|c| !c.is_whitespace())
    }

    /// End of the word that has begun before `at`.
    fn word_end(&self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        while let Some(&b) = bytes.get(at) {
            if CLASS[usize::from(b)] == WORD {
                at += 1;
            } else if b >= 0x80 {
                match self.from(at) {
                    Some(c) if is_word(c) && !stands_alone(c) => at += c.len_utf8(),
                    _ => break,
                }
            } else if matches!(b, b'\'' | b'.' | b',') && self.joins(b, at) {
                at += 1;
            } else {
                break;
            }
        }
        at
    }

    /// Whether the punctuation at `at`, after a word character, holds two halves of one token together.
    fn joins(&self, mark: u8, at: usize) -> bool {
        let Some(next) = self.from(at + 1) else { return false };
        match mark {
            b',' => next.is_ascii_digit() && self.before(at).is_some_and(|c| c.is_ascii_digit()),
            b'\'' => next.is_alphabetic() && self.before(at).is_some_and(char::is_alphabetic),
            _ => is_word(next) && !stands_alone(next),
        }
    }

    /// A word, with the marks that combine with it.
    fn word(&mut self, start: usize) -> Token<'a> {
        let first = self.from(start).unwrap_or_default();
        let next = start + first.len_utf8();
        let end = if stands_alone(first) {
            let rest = &self.text[next..];
            next + rest.find(|c| !is_combining_mark(c)).unwrap_or(rest.len())
        } else {
            self.word_end(next)
        };
        self.at = end;
        let kind = if first.is_numeric() && !stands_alone(first) || first == '.' {
            Kind::Number
        } else {
            Kind::Word
        };
        Token { kind, text: &self.text[start..end] }
    }

    fn one(&mut self, kind: Kind, start: usize, c: char) -> Option<Token<'a>> {
        self.at = start + c.len_utf8();
        Some(Token { kind, text: &self.text[start..self.at] })
    }

    /// Judges the punctuation or symbol `c` at `start`; `None` when it is noise.
    fn mark(&mut self, start: usize, c: char) -> Option<Token<'a>> {
        let after = start + c.len_utf8();
        let before = self.before(start);
        // What closes a bold passage is not there.
        let next = if after == self.bold { None } else { self.from(after) };
        self.at = after;
        if c == '*' && self.emphasis(start) {
            self.at = start + 2;
            return None;
        }
        let counts = match c {
            '.' if next.is_some_and(|n| n.is_ascii_digit()) => return Some(self.word(start)),
            '.' | ',' | ';' => !ends_clause(next),
            ':' => !ends_clause(next) || (is_space(before) && is_space(next)),
            '!' => {
                !ends_clause(next)
                    || (before.is_some_and(|b| b.is_ascii_digit()) && self.factorial(after))
            }
            '?' | '؟' | '？' => before != Some(c),
            '…' | '。' | '、' | '，' | '；' | '：' | '！' | '।' | '॥' | '۔' | '،' | '؛' | '¡'
            | '¿' | '`' | '•' | '‣' | '◦' | '—' | '―' => false,
            '"' | '\'' => self.quote_counts(c, before, next),
            '-' => return self.dash(start, before, next),
            '*' => {
                !(is_space(next)
                    && self.begins_line(start)
                    && self.next_solid(after).is_some_and(char::is_alphabetic))
            }
            _ => true,
        };
        if counts { self.one(Kind::Mark, start, c) } else { None }
    }

    /// Whether two asterisks at `start` open or close a bold passage: around words, on one line, short.
    fn emphasis(&mut self, start: usize) -> bool {
        let bytes = self.text.as_bytes();
        if !bytes[start..].starts_with(b"**") {
            return false;
        }
        if self.bold != 0 && start <= self.bold {
            return start == self.bold;
        }
        let outside = |c: Option<char>| c.is_none_or(|c| !is_word(c) && c != '*');
        let opens =
            outside(self.before(start)) && self.from(start + 2).is_some_and(char::is_alphabetic);
        let passage = &bytes[(start + 2).min(bytes.len())..(start + 2 + MAX_BOLD).min(bytes.len())];
        let line = passage.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let close = line.windows(2).position(|pair| pair == b"**").map(|at| start + 2 + at);
        let Some(close) = close.filter(|_| opens) else { return false };
        let closes =
            self.before(close).is_some_and(|c| !c.is_whitespace()) && outside(self.from(close + 2));
        if closes {
            self.bold = close;
        }
        closes
    }

    fn dash(
        &mut self,
        start: usize,
        before: Option<char>,
        next: Option<char>,
    ) -> Option<Token<'a>> {
        let opens = is_space(before)
            || before.is_some_and(|b| {
                !is_word(b) && !matches!(b, ')' | ']' | '}' | '-' | '%' | '"' | '\'')
            });
        let spaced = is_space(next);
        if spaced
            && (is_space(before) || before == Some('-'))
            && !self.next_solid(start + 1).is_some_and(is_amount)
        {
            // A dash (or the last of several) between spaces, unless what follows makes it a minus or a range.
            return None;
        }
        if next == Some('-') && is_space(before) && is_space(self.from(start + 2)) {
            return None;
        }
        let sign = opens && !spaced && next.is_some_and(|n| is_amount(n) || n == '.');
        self.one(if sign { Kind::Sign } else { Kind::Mark }, start, '-')
    }

    /// A quote is noise, but for inches, feet and an apostrophe that ends a plural: `6"`, `users'`.
    fn quote_counts(&mut self, c: char, before: Option<char>, next: Option<char>) -> bool {
        let open = &mut self.open[usize::from(c == '\'')];
        let opens = !before
            .is_some_and(|b| is_word(b) || matches!(b, '.' | ',' | '!' | '?' | ';' | ')'))
            && !is_space(next);
        let closes = *open && !opens;
        *open = opens;
        !closes
            && !opens
            && before.is_some_and(|b| b.is_ascii_digit() || (c == '\'' && matches!(b, 's' | 'S')))
    }

    /// Whether a `!` after a digit is an operator, by what follows.
    fn factorial(&self, after: usize) -> bool {
        self.next_solid(after)
            .is_some_and(|c| matches!(c, '+' | '-' | '*' | '/' | '=' | '<' | '>' | ')' | '^'))
    }

    fn begins_line(&self, at: usize) -> bool {
        self.text[..at]
            .chars()
            .rev()
            .find(|c| *c != ' ' && *c != '\t')
            .is_none_or(|c| c == '\n' || c == '\r')
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let start = self.at;
            let &byte = self.text.as_bytes().get(start)?;
            match CLASS[usize::from(byte)] {
                SPACE => self.at += 1,
                WORD => return Some(self.word(start)),
                _ => {
                    let c = self.from(start)?;
                    if c.is_whitespace() {
                        self.at += c.len_utf8();
                    } else if is_word(c) && !c.is_ascii() {
                        return Some(self.word(start));
                    } else if let Some(token) = self.mark(start, c) {
                        return Some(token);
                    }
                }
            }
        }
    }
}

/// Most bytes of a bold passage: bounds the look ahead at each `**`.
const MAX_BOLD: usize = 1024;

/// Classes of bytes for the scan.
const OTHER: u8 = 0;
const SPACE: u8 = 1;
const WORD: u8 = 2;
const CLASS: [u8; 256] = {
    let mut class = [OTHER; 256];
    let mut b = 0;
    while b < 128 {
        let byte = b as u8;
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            class[b] = WORD;
        } else if byte.is_ascii_whitespace() || byte == 0x0B {
            class[b] = SPACE;
        }
        b += 1;
    }
    class
};

/// Whether the character is part of words: letters, numerals, `_` and marks that combine.
pub(crate) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphanumeric() || is_combining_mark(c)
}

/// Ideographs and kana, which are written without spaces: each is a token.
fn stands_alone(c: char) -> bool {
    matches!(u32::from(c), 0x3005..=0x3007 | 0x3041..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn is_space(c: Option<char>) -> bool {
    c.is_none_or(char::is_whitespace)
}

/// Whether sentence punctuation before this character stands at the end of a word, not inside one.
fn ends_clause(next: Option<char>) -> bool {
    next.is_none_or(|c| {
        c.is_whitespace()
            || c == ZWJ
            || matches!(
                c,
                '.' | ','
                    | ';'
                    | ':'
                    | '!'
                    | '?'
                    | '"'
                    | '\''
                    | ')'
                    | ']'
                    | '}'
                    | '-'
                    | '—'
                    | '…'
                    | '`'
            )
    })
}

/// Whether an amount may begin with this character.
fn is_amount(c: char) -> bool {
    c.is_numeric() || matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₿' | '₩' | '∞')
}
