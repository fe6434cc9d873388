//! A text as the words that carry what it says, each with what ties it to the words before it.
//!
//! Dates in any order of day and month are one word, numbers are compared by value where that is safe, function words
//! become ties, and the punctuation that only dresses a sentence is gone.

use super::super::case;
use super::super::fold::{fold, lower};
use super::super::form::{judged, mix};
use super::super::lexicon::{Class, Lexicon};
use super::super::tokens::{Kind, Token};
use super::function::{Gender, Tie, month, number_word, tie};
use super::language::Language;
use super::numbers::{
    Dotted, SECTION_WORDS, VERSION_WORDS, date, day, dotted, in_range, is_digits, is_version, value,
};

/// What a content word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// An ordinary word.
    Plain,
    /// A number, date or ordinal; `signed` with a minus.
    Number { signed: bool },
    /// A version: `v1.2`, or the number after the word `version`.
    Version,
    /// An operator, currency sign, emoji or other mark.
    Mark,
    /// A person by pronoun.
    Person,
    /// `not` in all its forms.
    Not,
}

/// One content word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// What it is compared by: words of one key say the same.
    pub(super) key: u64,
    start: u32,
    end: u32,
    pub(super) sort: Sort,
    /// What the lexicon knows of it.
    pub(super) class: Option<Class>,
    /// Hash of the prepositions between the word before and this one; 0 for none.
    pub(super) preps: u64,
    /// Hash of those of them that say a direction; 0 for none.
    pub(super) directed: u64,
    /// Whether `and`, and whether `or`, stands between.
    pub(super) joins: (bool, bool),
    /// Whether nothing but white space and articles stands between.
    pub(super) bare: bool,
    /// Whether the word before carries a possessive `'s`.
    pub(super) owned: bool,
    /// Whether a sentence may begin here, so that a capital tells nothing.
    pub(super) opens: bool,
    /// Whether it directly follows a number.
    pub(super) counted: bool,
}

/// What a text says, ready to be compared with others.
#[derive(Clone, Debug, Default)]
pub struct Meaning {
    /// The folded text that the words are slices of.
    text: Box<str>,
    pub(super) words: Vec<Word>,
    /// Prepositions and conjunctions after the last word.
    pub(super) tail: u64,
    /// Whether the text has letters of both cases, so that a capital tells a name.
    pub(super) cased: bool,
    /// Whether its frequent words are English.
    pub(super) english: bool,
    /// Whether pronouns tell a man, and a woman.
    pub(super) genders: (bool, bool),
}

/// What has been read since the last content word.
#[derive(Clone, Copy)]
struct Between {
    preps: u64,
    directed: u64,
    joins: (bool, bool),
    bare: bool,
    owned: bool,
    opens: bool,
    counted: bool,
}

impl Between {
    const NOTHING: Self = Self {
        preps: 0,
        directed: 0,
        joins: (false, false),
        bare: true,
        owned: false,
        opens: false,
        counted: false,
    };
}

impl Meaning {
    /// Reads a text. Texts of more than `u32::MAX` bytes are cut there, which no chunk comes near.
    pub fn read(text: &str, lexicon: &Lexicon) -> Self {
        let folded = fold(text);
        let cased =
            folded.chars().any(char::is_uppercase) && folded.chars().any(char::is_lowercase);
        let mut reader = Reader {
            out: Meaning { cased, ..Self::default() },
            between: Between { opens: true, ..Between::NOTHING },
            lexicon,
            folded: &folded,
            end: 0,
            language: Language::default(),
        };
        let tokens: Vec<(Token<'_>, bool)> = judged(&folded, lexicon).collect();
        let mut at = 0;
        while at < tokens.len() {
            at += reader.take(&tokens[at..]);
        }
        let mut out = reader.out;
        out.english = reader.language.is_english();
        out.tail = reader.between.preps;
        out.text = folded.into();
        out
    }

    /// The characters of a word, as written.
    pub(super) fn text(&self, word: &Word) -> &str {
        self.text.get(word.start as usize..word.end as usize).unwrap_or_default()
    }

    /// The versions that the text names, in order, as written.
    pub fn versions(&self) -> Vec<&str> {
        self.words
            .iter()
            .filter(|word| word.sort == Sort::Version)
            .map(|word| self.text(word))
            .collect()
    }

    /// The same text with all its versions made alike.
    pub fn without_versions(&self) -> Self {
        let mut out = self.clone();
        for word in out.words.iter_mut().filter(|word| word.sort == Sort::Version) {
            word.key = key("\0version");
            word.sort = Sort::Plain;
            word.start = 0;
            word.end = 0;
        }
        out
    }

    /// Whether two texts are equal once folded.
    pub(super) fn text_eq(&self, other: &Self) -> bool {
        self.text == other.text
    }

    /// The folded text.
    pub(super) fn folded(&self) -> &str {
        &self.text
    }

    /// Whether nothing was found that could be compared.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Keys of the words in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().map(|word| word.key)
    }
}

struct Reader<'t> {
    out: Meaning,
    between: Between,
    lexicon: &'t Lexicon,
    folded: &'t str,
    /// Where the last token ended.
    end: usize,
    language: Language,
}

impl<'t> Reader<'t> {
    /// Reads the first of these tokens, and those that belong with it; how many were read.
    fn take(&mut self, tokens: &[(Token<'t>, bool)]) -> usize {
        let (token, noise) = tokens[0];
        let start = offset(self.folded, token.text);
        self.look_between(start);
        self.language.note(token.text);
        let used = match token.kind {
            _ if noise => 1,
            Kind::Sign | Kind::Number => self.number(tokens),
            Kind::Mark => self.mark(token),
            Kind::Word => self.word(tokens),
        };
        let last = tokens[used - 1].0.text;
        self.end = offset(self.folded, last) + last.len();
        used
    }

    /// What stands between the last token and this one: punctuation, the end of a sentence.
    fn look_between(&mut self, start: usize) {
        let gap = self.folded.get(self.end..start).unwrap_or_default();
        if gap.contains(|c: char| !c.is_whitespace()) {
            self.between.bare = false;
        }
        if gap.contains(['.', '!', '?', ':', '\n', '"', '•']) {
            self.between.opens = true;
        }
    }

    fn push(&mut self, text: &str, key: u64, sort: Sort, class: Option<Class>) {
        let start = offset(self.folded, text);
        let b = self.between;
        self.out.words.push(Word {
            key,
            start: start as u32,
            end: (start + text.len()) as u32,
            sort,
            class,
            preps: b.preps,
            directed: b.directed,
            joins: b.joins,
            bare: b.bare,
            owned: b.owned,
            opens: b.opens,
            counted: b.counted,
        });
        let counted = matches!(sort, Sort::Number { .. });
        self.between = Between { counted, ..Between::NOTHING };
    }

    /// A date, signed number, version or number.
    fn number(&mut self, tokens: &[(Token<'t>, bool)]) -> usize {
        let text = |at: usize| tokens.get(at).map_or("", |(token, _)| token.text);
        let kind = |at: usize| tokens.get(at).map(|(token, _)| token.kind);
        let number = Sort::Number { signed: false };
        if tokens[0].0.kind == Kind::Sign {
            if kind(1) == Some(Kind::Number) {
                let value = format!("-{}", value(text(1)));
                self.push(text(1), key(&value), Sort::Number { signed: true }, None);
                return 2;
            }
            self.push(text(0), key("-"), Sort::Mark, None);
            return 1;
        }
        // 2015-10-17
        if is_digits(text(0), 4)
            && text(1) == "-"
            && text(3) == "-"
            && let (Some(month), Some(day)) = (in_range(text(2), 12), in_range(text(4), 31))
        {
            self.push(text(4), date(month, day), number, None);
            self.push(text(0), key(text(0)), number, None);
            return 5;
        }
        // 17 October, 17th of October
        if let Some(day) = day(text(0)) {
            let of = usize::from(lower(text(1)) == "of");
            if let Some(month) = month(&lower(text(1 + of))) {
                self.push(text(0), date(month, day), number, None);
                return 2 + of;
            }
        }
        let text = text(0);
        let before = match self.out.words.last() {
            Some(word) if self.between.bare => lower(self.slice(word)),
            _ => String::new(),
        };
        if VERSION_WORDS.contains(&before.as_str()) {
            self.push(text, key(text), Sort::Version, None);
            return 1;
        }
        match dotted(text) {
            Dotted::Date { month, day } => {
                self.push(text, date(month, day), number, None);
                let year = &text[text.len() - 4..];
                self.push(year, key(year), number, None);
            }
            Dotted::Version if !SECTION_WORDS.contains(&before.as_str()) => {
                self.push(text, key(text), Sort::Version, None);
            }
            Dotted::Version | Dotted::Other => self.push(text, key(text), number, None),
            Dotted::No => self.push(text, key(&value(text)), number, None),
        }
        1
    }

    /// Whether the token before this one was a number, with nothing between.
    fn follows_number(&self) -> bool {
        self.between.bare && self.between.counted
    }

    fn slice(&self, word: &Word) -> &'t str {
        self.folded.get(word.start as usize..word.end as usize).unwrap_or_default()
    }

    /// Marks that say something; brackets, dashes, colons and quotes only dress.
    fn mark(&mut self, token: Token<'t>) -> usize {
        let dress = match token.text {
            "(" | ")" | "[" | "]" | "{" | "}" | "-" | ":" | "," | ";" | "." | "_" => true,
            // Feet and inches after a number, `about` before one.
            "'" | "\"" => !self.follows_number(),
            "~" => !self.folded[offset(self.folded, token.text) + 1..]
                .trim_start()
                .starts_with(|c: char| c.is_numeric()),
            // Between ordinary words they are a comma: `singer / actor`.
            "/" | "*" => !self.is_operator(token.text),
            _ => false,
        };
        match token.text {
            "&" if !self.is_operator(token.text) => {
                self.between.joins.0 = true;
                self.between.bare = false;
            }
            "%" => self.push(token.text, key("percent"), Sort::Mark, Some(Class::Unit)),
            _ if dress => self.between.bare = false,
            _ => self.push(token.text, key(token.text), Sort::Mark, None),
        }
        1
    }

    /// Whether a mark that may dress prose stands in code or sums: after a number, a letter alone or an identifier, before one
    /// of these, or glued to the word after it alone (`&foo`, `*foo`).
    fn is_operator(&self, mark: &str) -> bool {
        let is_operand = |text: &str| {
            case::is_code(text)
                || text.chars().any(char::is_numeric)
                || (text.chars().count() == 1 && text.chars().all(char::is_alphanumeric))
        };
        let start = offset(self.folded, mark);
        let (before, after) = (&self.folded[..start], &self.folded[start + mark.len()..]);
        let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.');
        let last = before.trim_end().rsplit(is_edge).next().unwrap_or_default();
        let next = after.trim_start().split(is_edge).next().unwrap_or_default();
        let prefix =
            before.ends_with(char::is_whitespace) && after.starts_with(char::is_alphabetic);
        is_operand(last.trim_end_matches('.')) || is_operand(next.trim_end_matches('.')) || prefix
    }

    fn word(&mut self, tokens: &[(Token<'t>, bool)]) -> usize {
        let full = tokens[0].0.text;
        let (text, owner) = match full.strip_suffix("'s").or_else(|| full.strip_suffix("'S")) {
            Some(text) => (text, true),
            None => (full, false),
        };
        let word = lower(text);
        // October 17
        if let (Some(month), Some((Token { kind: Kind::Number, text: number }, _))) =
            (month(&word), tokens.get(1))
            && let Some(day) = day(number)
        {
            self.push(number, date(month, day), Sort::Number { signed: false }, None);
            return 2;
        }
        // A possessive that stands apart: `orchestra 's`.
        if word == "s" && self.folded[..offset(self.folded, text)].ends_with('\'') {
            self.between.owned = true;
            return 1;
        }
        // `10 am` and `10 pm`; elsewhere `am` is a verb.
        if matches!(word.as_str(), "am" | "pm" | "a.m" | "p.m") && self.follows_number() {
            let half = if word.starts_with('a') { "am" } else { "pm" };
            self.push(text, key(half), Sort::Plain, Some(Class::Unit));
        } else if let Some(tie) = tie(&word).filter(|_| text != "US") {
            self.tie(text, &word, tie);
        } else if word == "not" || word == "cannot" || word.ends_with("n't") {
            self.push(text, key("not"), Sort::Not, Some(Class::Negation));
        } else if let Some(digits) = number_word(&word) {
            self.push(text, key(digits), Sort::Number { signed: false }, Some(Class::Number));
        } else if is_version(text) {
            let key = key(word.trim_start_matches('v'));
            self.push(text, key, Sort::Version, None);
        } else {
            let class = self.lexicon.class(&word);
            let key = if case::is_code(text) { key(&word) } else { key(stem(&word)) };
            self.push(text, key, Sort::Plain, class);
        }
        if owner {
            self.between.owned = true;
        }
        1
    }

    fn tie(&mut self, text: &str, word: &str, tie: Tie) {
        match tie {
            Tie::Preposition => self.between.preps = mix(self.between.preps ^ key(word)),
            Tie::Directed => {
                self.between.preps = mix(self.between.preps ^ key(word));
                self.between.directed = mix(self.between.directed ^ key(word));
            }
            Tie::And => self.between.joins.0 = true,
            Tie::Or => self.between.joins.1 = true,
            Tie::Filler => {}
            Tie::Gender(gender) => self.gender(gender),
            Tie::Person(name) => {
                match name {
                    "he" => self.gender(Gender::He),
                    "she" => self.gender(Gender::She),
                    _ => {}
                }
                // `her` and the like may own what follows; either way the person is there.
                self.push(text, key(name), Sort::Person, Some(Class::Person));
                return;
            }
        }
        self.between.bare = false;
        if tie == Tie::Filler || !matches!(tie, Tie::Preposition | Tie::Directed) {
            self.between.counted = false;
        }
    }

    fn gender(&mut self, gender: Gender) {
        match gender {
            Gender::He => self.out.genders.0 = true,
            Gender::She => self.out.genders.1 = true,
        }
    }
}

fn offset(whole: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}

/// FNV-1a (Fowler, Noll, Vo), spread over all bits.
pub(super) fn key(word: &str) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for byte in word.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    mix(hash)
}

/// The hash of one preposition alone.
pub(super) fn preposition(word: &str) -> u64 {
    mix(key(word))
}

/// A word without the endings that mark number, tense and adverbs.
pub(super) fn stem(word: &str) -> &str {
    for end in ["ing", "ed", "es", "s", "ly"] {
        if let Some(stem) = word.strip_suffix(end)
            && stem.chars().count() >= 3
        {
            return stem;
        }
    }
    word
}
