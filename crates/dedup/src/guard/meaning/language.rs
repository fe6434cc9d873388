//! Whether a text is English, by its frequent words. Where it is not, no word may be replaced, since the lists of function
//! words and opposites know little else.

/// What the words of a text tell about its language.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Language {
    sure: bool,
    likely: bool,
    foreign: bool,
}

impl Language {
    /// Takes a word into account.
    pub(super) fn note(&mut self, word: &str) {
        let is_in = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
        self.sure = self.sure || is_in(&SURE);
        self.likely = self.likely || is_in(&SHARED);
        // In capitals such a word is part of a name: `La Paz`, `Die Zeit`.
        self.foreign = self.foreign || FOREIGN.contains(&word);
    }

    /// Whether the text counts as English.
    pub(super) fn is_english(self) -> bool {
        self.sure || (self.likely && !self.foreign)
    }
}

/// Frequent words that hardly any other language has.
const SURE: [&str; 9] = ["the", "and", "are", "were", "with", "from", "that", "this", "which"];

/// Frequent English words that other languages have too: `was`, `is` and `of` are Dutch, `for` and `by` Danish.
const SHARED: [&str; 6] = ["of", "to", "is", "was", "by", "for"];

/// Frequent words of other languages that are no English ones.
const FOREIGN: [&str; 69] = [
    // Dutch and Afrikaans
    "het", "een", "en", "van", "niet", "op", "zijn", "voor", "deze", "dit", "te", "hij", "werd",
    "naar", "wordt", // German
    "der", "das", "und", "ist", "nicht", "ein", "eine", "dem", "zu", "mit", "für", "auf", "wird",
    "sich", // Danish, Norwegian, Swedish
    "og", "det", "er", "ikke", "på", "til", "av", "som", "och", "är", "att", "ett", "inte", "med",
    "de", "blev", // French, Spanish, Italian, Portuguese
    "le", "les", "et", "est", "une", "du", "que", "el", "los", "las", "y", "es", "il", "che", "di",
    "não", "uma", "os", // Polish, Czech, Turkish, Indonesian
    "nie", "jest", "na", "je", "bir", "ve",
];
