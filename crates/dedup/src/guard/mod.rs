//! The fact guard: may two texts that look alike stand for each other, or do they differ in something that was said?
//!
//! Both texts become token streams, the streams are aligned, and each token that is not on both sides in the same place is
//! judged. At [`Level::Strict`] every word is a fact but for a short list of noise words. At [`Level::Facts`] an ordinary word
//! may differ, but no number, sign, name, negation, opposite, unit, operator, mark, code token or order of words.
//! In doubt the guard refuses: a repeat that is kept costs tokens, a fact that is dropped is gone.

mod case;
mod diff;
mod fold;
mod form;
mod judge;
mod lexicon;
mod marker;
pub mod meaning;
mod tokens;

pub use fold::fold;
pub(crate) use form::{AsIs, FoldedHash, blank_hash, judged, mix, token_hash};
pub use form::{normal_form, same_form};
pub(crate) use judge::is_always_a_fact;
pub use judge::{Judged, compare};
pub use lexicon::{Class, Lexicon};
pub use tokens::{Kind, Token, Tokens};

/// How much may differ between two texts that are merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Anything: the overlap alone decides.
    Off,
    /// Ordinary words, where the text is cased so that names can be told from them.
    Facts,
    /// Noise words only.
    #[default]
    Strict,
}

/// Why the guard refuses to merge two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// A number, date, version or other token that begins with a digit.
    Number,
    /// A minus before a number.
    Sign,
    /// A word with a capital letter, or any unknown word where letter case tells nothing.
    Name,
    /// An operator, bracket, currency sign, emoji or other mark.
    Mark,
    /// An identifier, host, path or other word of mixed characters.
    Code,
    /// Letter case where it carries meaning: `MB` and `Mb`, `US` and `us`, `getUser` and `getuser`.
    Case,
    /// The same words in another order.
    Order,
    /// A word of the lexicon.
    Lexicon(Class),
    /// A word that is no noise (strict), or a word of a script that the lexicon does not know.
    Word,
    /// Too many differences to align.
    TooDifferent,
    /// Too long to align: texts of this length are merged by equal normal forms only.
    TooLong,
    /// A version: `v1.2`, `version 3`.
    Version,
    /// Another preposition of direction, or `or` for `and`: the same words in other roles.
    Role,
    /// A field of the metadata.
    Metadata,
}

impl Cause {
    /// Name of the cause in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Sign => "sign",
            Self::Name => "name",
            Self::Mark => "mark",
            Self::Code => "code",
            Self::Case => "case",
            Self::Order => "order",
            Self::Lexicon(class) => class.name(),
            Self::Word => "word",
            Self::TooDifferent => "too_different",
            Self::TooLong => "too_long",
            Self::Version => "version",
            Self::Role => "role",
            Self::Metadata => "metadata",
        }
    }
}
