//! Which two words say the opposite: by the lexicon, or by how one is made from the other.

use super::words::stem;
use crate::guard::Lexicon;

/// Prefixes that turn a word into its opposite, or its lack.
const NEGATING: [&str; 14] = [
    "un", "in", "im", "ir", "il", "dis", "non", "non-", "mis", "anti", "de", "counter", "under",
    "over",
];

/// Prefixes that before one word make opposites.
const OPPOSED: [(&str, &str); 18] = [
    ("pre", "post"),
    ("ante", "post"),
    ("hyper", "hypo"),
    ("inter", "intra"),
    ("macro", "micro"),
    ("over", "under"),
    ("pro", "anti"),
    ("pro", "contra"),
    ("in", "ex"),
    ("in", "out"),
    ("im", "ex"),
    ("endo", "exo"),
    ("homo", "hetero"),
    ("mono", "poly"),
    ("uni", "multi"),
    ("sub", "super"),
    ("up", "down"),
    ("for", "back"),
];

/// Shortest word that `a` may negate: `asymptomatic`, and not `along`.
const LONG: usize = 6;

/// Whether two words in lower case say the opposite.
pub(super) fn opposed(a: &str, b: &str, lexicon: &Lexicon) -> bool {
    lexicon.opposed(a, b)
        || negates(a, b)
        || negates(b, a)
        || prefixed(a, b)
        || parties(a, b)
        || graded(a, b, lexicon)
}

/// Whether `word` is `base` with a prefix or suffix that turns it into its opposite.
fn negates(word: &str, base: &str) -> bool {
    let of_base = |rest: &str| stem(rest) == stem(base);
    base.len() >= 3
        && (NEGATING.iter().any(|prefix| word.strip_prefix(prefix).is_some_and(of_base))
            || (base.len() >= LONG
                && ["a", "an"].iter().any(|p| word.strip_prefix(p).is_some_and(of_base)))
            || word.strip_suffix("less").is_some_and(|stem| base.starts_with(stem)))
}

/// Whether the two are one word after opposed prefixes: `pre-war`, `post-war`.
fn prefixed(a: &str, b: &str) -> bool {
    let are = |a, b, (first, second): &(&str, &str)| {
        after(a, first).is_some_and(|left| after(b, second) == Some(left))
    };
    OPPOSED.iter().any(|pair| are(a, b, pair) || are(b, a, pair))
}

/// The stem of what follows a prefix.
fn after<'w>(word: &'w str, prefix: &str) -> Option<&'w str> {
    let rest = word.strip_prefix(prefix)?;
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    (rest.len() >= 3).then(|| stem(rest))
}

/// Whether the two are the parties of one deed: `assignor`, `assignee`; `payer`, `payee`.
fn parties(a: &str, b: &str) -> bool {
    let are = |a, b| before(a, &["ee"]).is_some_and(|done| before(b, &["or", "er"]) == Some(done));
    are(a, b) || are(b, a)
}

/// What stands before one of these endings, in the singular.
fn before<'w>(word: &'w str, ends: &[&str]) -> Option<&'w str> {
    let singular = word.strip_suffix('s').unwrap_or(word);
    ends.iter().find_map(|end| singular.strip_suffix(end)).filter(|base| base.len() >= 3)
}

/// Whether the two are opposites in one degree: `oldest`, `youngest`.
fn graded(a: &str, b: &str, lexicon: &Lexicon) -> bool {
    ["est", "er"].iter().any(|end| match (a.strip_suffix(end), b.strip_suffix(end)) {
        (Some(a), Some(b)) => {
            let (a, b) = (plain(a), plain(b));
            a.iter().any(|a| b.iter().any(|b| lexicon.opposed(a, b)))
        }
        _ => false,
    })
}

/// What a word may be without its ending of degree: `larg` of `large`, `bigg` of `big`, `happi` of `happy`.
fn plain(cut: &str) -> Vec<String> {
    let mut forms = vec![cut.to_owned(), format!("{cut}e")];
    if let Some(rest) = cut.strip_suffix('i') {
        forms.push(format!("{rest}y"));
    }
    let mut back = cut.chars().rev();
    if let (Some(last), Some(before)) = (back.next(), back.next())
        && last == before
    {
        forms.push(cut[..cut.len() - last.len_utf8()].to_owned());
    }
    forms
}
