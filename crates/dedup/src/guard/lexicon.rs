//! The words that carry facts: opposites, negations, units, months and so on, read from a data file that a user can extend.
//!
//! A word may stand in several sections; the first of them in the order of [`Class`] names the cause when it differs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, LazyLock};

use super::fold::{fold, lower};
use super::form::{AsIs, token_hash};
use super::tokens::{Kind, Token};
use crate::error::{Error, Result};

/// The words shipped with the crate.
const BUILT_IN: &str = include_str!("../../data/lexicon.txt");

/// What a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Class {
    /// `not`, `never`, `without`.
    Negation,
    /// A member of a pair of opposites: `charge`, `refund`.
    Opposite,
    /// `all`, `some`, `at least`.
    Quantity,
    /// `than`, `before`, `above`.
    Comparison,
    /// `must`, `may`, `if`.
    Modality,
    /// `january`, `jan`.
    Month,
    /// `monday`.
    Weekday,
    /// `three`, `million`, `ii`.
    Number,
    /// `usd`, `dollar`.
    Currency,
    /// `mg`, `miles`.
    Unit,
    /// `today`, `pm`, `weekly`.
    Time,
    /// `left`, `inbound`.
    Direction,
    /// `red`.
    Colour,
    /// `sender`, `he`, `tenant`: who does what to whom.
    Person,
    /// `and`, `or`, `from`, `to`.
    Connective,
}

impl Class {
    /// Section names of the file, in order of precedence.
    const SECTIONS: [(&'static str, Self); 15] = [
        ("negation", Self::Negation),
        ("opposites", Self::Opposite),
        ("month", Self::Month),
        ("weekday", Self::Weekday),
        ("number", Self::Number),
        ("currency", Self::Currency),
        ("unit", Self::Unit),
        ("quantity", Self::Quantity),
        ("comparison", Self::Comparison),
        ("modality", Self::Modality),
        ("time", Self::Time),
        ("direction", Self::Direction),
        ("colour", Self::Colour),
        ("person", Self::Person),
        ("connective", Self::Connective),
    ];

    /// Name of the section.
    pub(crate) fn name(self) -> &'static str {
        Self::SECTIONS.iter().find(|(_, class)| *class == self).map_or("word", |(name, _)| name)
    }

    fn rank(self) -> usize {
        Self::SECTIONS.iter().position(|(_, class)| *class == self).unwrap_or(usize::MAX)
    }
}

/// The table of words. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Lexicon {
    table: Arc<Table>,
}

#[derive(Clone, Debug, Default)]
struct Table {
    noise: BTreeSet<String>,
    article_counts: BTreeSet<String>,
    classes: BTreeMap<String, Class>,
    /// What else words are that have an opposite: `required` is modal, `landlord` a party.
    kinds: BTreeMap<String, Class>,
    /// Token hashes of the words of `classes`, for a first look at each word of a text.
    class_hashes: HashSet<u64, AsIs>,
    /// Pairs of opposites by line and side, so that `accept` and `approve` are known to say the same.
    sides: BTreeMap<String, BTreeSet<(u32, u32)>>,
    irregular: BTreeMap<String, Vec<String>>,
    lines: u32,
    /// Longest noise word in bytes, to pass over most words without a look-up.
    longest_noise: usize,
    /// Bit b is set when a noise word begins with the ASCII byte b.
    noise_first: u128,
}

static SHIPPED: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut table = Table::default();
    // The shipped file is read by a test, which asserts that this never fails.
    let _ = table.read(BUILT_IN);
    Lexicon { table: Arc::new(table) }
});

impl Default for Lexicon {
    fn default() -> Self {
        SHIPPED.clone()
    }
}

impl Lexicon {
    /// The shipped words with those of `text` added, in the format that `data/lexicon.txt` describes.
    ///
    /// # Errors
    /// [`Error::Lexicon`] with the line when a section is unknown or a line stands before the first section.
    pub fn extended(&self, text: &str) -> Result<Self> {
        let mut table = Table::clone(&self.table);
        table.read(text)?;
        Ok(Self { table: Arc::new(table) })
    }

    /// What the word says, or `None` for an ordinary word. `word` is in lower case.
    pub fn class(&self, word: &str) -> Option<Class> {
        self.table.classes.get(word).copied()
    }

    /// What the word says beside having an opposite, or `None`. `word` is in lower case.
    pub(crate) fn kind(&self, word: &str) -> Option<Class> {
        self.table.kinds.get(word).copied()
    }

    /// Whether a word of this token hash has a class.
    pub(crate) fn has_class_by_hash(&self, hash: u64) -> bool {
        self.table.class_hashes.contains(&hash)
    }

    /// Whether the two words (lower case) stand on different sides of one pair of opposites.
    pub fn opposed(&self, a: &str, b: &str) -> bool {
        let (Some(a), Some(b)) = (self.table.sides.get(a), self.table.sides.get(b)) else {
            return false;
        };
        a.iter().any(|(line, side)| b.iter().any(|(other, across)| line == other && side != across))
    }

    /// Number of words that carry a fact, verb forms counted one by one.
    pub fn len(&self) -> usize {
        self.table.classes.len()
    }

    /// Whether no word carries a fact.
    pub fn is_empty(&self) -> bool {
        self.table.classes.is_empty()
    }

    /// Whether a word of any case is in the noise list; where it stands may still make it count.
    pub(crate) fn is_noise(&self, word: &str) -> bool {
        let Some(first) = word.bytes().next() else { return false };
        // Nearly all words are passed over by their length and first byte, without a look-up.
        word.len() <= self.table.longest_noise
            && (!first.is_ascii()
                || self.table.noise_first >> (first.to_ascii_lowercase() & 127) & 1 == 1)
            && self.table.noise.contains(&lower(word))
    }

    /// Whether an article before this word makes a quantity of it (`a few`).
    pub(crate) fn counts_with_article(&self, word: &str) -> bool {
        self.table.article_counts.contains(&lower(word))
    }
}

/// The sections that are no [`Class`].
enum Section {
    Noise,
    ArticleCounts,
    Irregular,
    Words(Class),
}

impl Table {
    fn read(&mut self, text: &str) -> Result<()> {
        // Irregular forms stand last in the file and are needed by all sections: a first pass takes them.
        for pass in [true, false] {
            let mut section = None;
            for (at, raw) in text.lines().enumerate() {
                let line = raw.split('#').next().unwrap_or_default().trim();
                if line.is_empty() {
                    continue;
                }
                if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                    section = Some(Self::section(name.trim(), at + 1)?);
                    continue;
                }
                match &section {
                    None => {
                        let reason = "words before the first section; begin with a line such as `[opposites]`".into();
                        return Err(Error::Lexicon { line: at + 1, reason });
                    }
                    Some(Section::Irregular) if pass => {
                        let mut words = line.split_whitespace().map(|w| lower(&fold(w)));
                        let base = words.next().unwrap_or_default();
                        self.irregular.entry(base).or_default().extend(words);
                    }
                    Some(section) if !pass => self.add_line(section, line, at + 1)?,
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    fn section(name: &str, line: usize) -> Result<Section> {
        Ok(match name {
            "noise" => Section::Noise,
            "article_counts" => Section::ArticleCounts,
            "irregular" => Section::Irregular,
            _ => match Class::SECTIONS.iter().find(|(known, _)| *known == name) {
                Some((_, class)) => Section::Words(*class),
                None => {
                    let known: Vec<&str> =
                        Class::SECTIONS.iter().map(|(known, _)| *known).collect();
                    let reason = format!(
                        "unknown section; known are noise, article_counts, irregular, {}",
                        known.join(", ")
                    );
                    return Err(Error::Lexicon { line, reason });
                }
            },
        })
    }

    fn add_line(&mut self, section: &Section, line: &str, number: usize) -> Result<()> {
        let words = |side: &str| -> Vec<String> {
            side.split_whitespace().map(|w| lower(&fold(w))).collect()
        };
        match section {
            Section::Noise => {
                for word in words(line) {
                    self.longest_noise = self.longest_noise.max(word.len());
                    self.noise_first |=
                        word.bytes().next().filter(u8::is_ascii).map_or(0, |first| 1 << first);
                    self.noise.insert(word);
                }
            }
            Section::ArticleCounts => self.article_counts.extend(words(line)),
            Section::Irregular => {}
            Section::Words(Class::Opposite) => {
                let sides: Vec<Vec<String>> = line.split('|').map(words).collect();
                if sides.len() < 2 || sides.iter().any(Vec::is_empty) {
                    let reason = "opposites need two sides, as in `charge | refund`".into();
                    return Err(Error::Lexicon { line: number, reason });
                }
                for (side, words) in (0..).zip(sides) {
                    let forms: Vec<String> = words.iter().flat_map(|w| self.forms(w)).collect();
                    for form in forms {
                        self.classify(&form, Class::Opposite);
                        self.sides.entry(form).or_default().insert((self.lines, side));
                    }
                }
                self.lines += 1;
            }
            Section::Words(class) => {
                for word in words(line) {
                    self.classify(&word, *class);
                    if matches!(
                        class,
                        Class::Unit | Class::Currency | Class::Number | Class::Time | Class::Person
                    ) {
                        self.classify(&format!("{word}s"), *class);
                    }
                }
            }
        }
        Ok(())
    }

    fn classify(&mut self, word: &str, class: Class) {
        self.class_hashes.insert(token_hash(&Token { kind: Kind::Word, text: word }));
        if !matches!(class, Class::Opposite | Class::Connective) {
            let known = self.kinds.entry(word.to_owned()).or_insert(class);
            if class.rank() < known.rank() {
                *known = class;
            }
        }
        let known = self.classes.entry(word.to_owned()).or_insert(class);
        if class.rank() < known.rank() {
            *known = class;
        }
    }

    /// The word and its inflections: made by rule, with both spellings where the rule is unsure, or taken from the table.
    fn forms(&self, word: &str) -> Vec<String> {
        let mut forms = vec![word.to_owned(), format!("{word}s")];
        if let Some(irregular) = self.irregular.get(word) {
            forms.extend(irregular.iter().cloned());
        }
        if word.len() < 3 || !word.is_ascii() {
            return forms;
        }
        let stem = &word[..word.len() - 1];
        if word.ends_with('e') {
            forms.extend([
                format!("{word}d"),
                format!("{stem}ing"),
                format!("{word}r"),
                format!("{stem}ion"),
                format!("{stem}al"),
            ]);
        } else {
            forms.extend([
                format!("{word}ed"),
                format!("{word}ing"),
                format!("{word}er"),
                format!("{word}es"),
                format!("{word}al"),
            ]);
            forms.push(format!("{word}ion"));
        }
        if word.ends_with('y') {
            forms.extend([format!("{stem}ies"), format!("{stem}ied")]);
        }
        let bytes = word.as_bytes();
        let vowel = |b: u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u');
        let last = bytes[bytes.len() - 1];
        if !vowel(last) && !matches!(last, b'w' | b'x' | b'y') && vowel(bytes[bytes.len() - 2]) {
            let double = format!("{word}{}", char::from(last));
            forms.extend([format!("{double}ed"), format!("{double}ing"), format!("{double}er")]);
        }
        forms.extend([format!("{word}ment"), format!("{word}ly")]);
        forms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_file_reads_and_is_a_lexicon() {
        let mut table = Table::default();
        table.read(BUILT_IN).unwrap();
        assert!(table.lines >= 400, "{} pairs of opposites", table.lines);
        let words = Lexicon::default();
        for (a, b) in [
            ("charged", "refunded"),
            ("approving", "rejects"),
            ("bought", "sold"),
            ("denied", "allowed"),
            ("stopped", "started"),
        ] {
            assert!(words.opposed(a, b), "{a} against {b}");
        }
        assert!(!words.opposed("accept", "approve"));
        assert_eq!(words.class("fifteen"), Some(Class::Number));
        assert_eq!(words.class("window"), None);
    }

    #[test]
    fn a_user_extends_it() {
        let words =
            Lexicon::default().extended("[opposites]\nspin | unspin\n[noise]\nfoo\n").unwrap();
        assert!(words.opposed("spinning", "unspin"));
        assert!(words.is_noise("FOO"));
        assert!(!Lexicon::default().is_noise("foo"));
    }

    #[test]
    fn a_bad_line_is_named() {
        let text = "[noise]\nfoo\n[antonym]\nx | y\n";
        assert!(matches!(Lexicon::default().extended(text), Err(Error::Lexicon { line: 3, .. })));
        assert!(matches!(Lexicon::default().extended("foo"), Err(Error::Lexicon { line: 1, .. })));
        assert!(matches!(
            Lexicon::default().extended("[opposites]\nalone"),
            Err(Error::Lexicon { line: 2, .. })
        ));
    }
}
