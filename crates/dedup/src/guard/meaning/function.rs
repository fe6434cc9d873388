//! English words that tie phrases together and say little by themselves: prepositions, conjunctions, auxiliaries, pronouns.
//!
//! Other languages have no entry here; there every word counts as content, so that no reordering is allowed.

/// What a function word does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tie {
    /// Introduces a phrase: `in`, `by`.
    Preposition,
    /// As a preposition, and another one in its place says something else: `from`, `to`, `before`, `after`.
    Directed,
    /// Joins equals: `and`.
    And,
    /// Joins alternatives: `or`.
    Or,
    /// Auxiliaries, relatives, third persons of things, fillers.
    Filler,
    /// A possessive of a person; it tells the gender alone: `his`.
    Gender(Gender),
    /// A person in the text, who acts or is acted on: counts as content under one name for all its forms.
    Person(&'static str),
}

/// Gender that a pronoun tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gender {
    /// `he`, `him`, `his`.
    He,
    /// `she`, `her`, `hers`.
    She,
}

/// The tie that a word in lower case is, if any.
pub(super) fn tie(word: &str) -> Option<Tie> {
    Some(match word {
        "of" | "in" | "on" | "at" | "for" | "by" | "with" | "as" | "about" | "near" | "around"
        | "via" | "per" | "among" | "amongst" | "across" | "toward" | "towards" | "upon"
        | "along" | "like" | "during" | "between" | "through" | "within" => Tie::Preposition,
        "from" | "to" | "into" | "onto" | "before" | "after" | "above" | "below" | "over"
        | "under" | "until" | "till" | "since" | "against" | "inside" | "outside" | "beyond" => {
            Tie::Directed
        }
        "and" | "&" => Tie::And,
        "or" => Tie::Or,
        "is" | "are" | "was" | "were" | "be" | "been" | "being" | "has" | "have" | "had" | "do"
        | "does" | "did" | "am" | "that" | "which" | "who" | "whom" | "whose" | "when"
        | "where" | "while" | "it" | "its" | "they" | "them" | "their" | "this" | "these"
        | "those" | "there" | "also" | "s" | "itself" | "himself" | "herself" | "themselves" => {
            Tie::Filler
        }
        "his" => Tie::Gender(Gender::He),
        "hers" => Tie::Gender(Gender::She),
        "he" | "him" => Tie::Person("he"),
        "she" | "her" => Tie::Person("she"),
        "i" | "me" | "my" | "mine" => Tie::Person("i"),
        "you" | "your" | "yours" => Tie::Person("you"),
        "we" | "us" | "our" | "ours" => Tie::Person("we"),
        _ => return None,
    })
}

/// Nouns that stand before or after a name without changing it: `River Olt`, `Olt River`, `the family Trochidae`.
pub(super) fn is_generic_name(word: &str) -> bool {
    matches!(
        word,
        "river"
            | "lake"
            | "mount"
            | "mountain"
            | "island"
            | "cape"
            | "bay"
            | "creek"
            | "county"
            | "district"
            | "province"
            | "region"
            | "parish"
            | "municipality"
            | "commune"
            | "township"
            | "suburb"
            | "city"
            | "town"
            | "village"
            | "street"
            | "road"
            | "route"
            | "highway"
            | "bridge"
            | "castle"
            | "church"
            | "school"
            | "college"
            | "university"
            | "museum"
            | "hotel"
            | "theatre"
            | "theater"
            | "family"
            | "genus"
            | "species"
            | "song"
            | "album"
            | "film"
            | "movie"
            | "novel"
            | "book"
            | "magazine"
            | "newspaper"
            | "company"
            | "club"
            | "team"
            | "band"
            | "ship"
            | "constituency"
            | "invoice"
            | "order"
            | "section"
            | "article"
            | "clause"
    )
}

/// Words that open a sentence with a capital letter and are no names.
pub(super) fn opens_sentence(word: &str) -> bool {
    (word.len() > 4 && (word.ends_with("ly") || word.ends_with("ing") || word.ends_with("ed")))
        || matches!(
            word,
            "however"
                | "although"
                | "though"
                | "because"
                | "besides"
                | "beside"
                | "despite"
                | "due"
                | "thus"
                | "therefore"
                | "hence"
                | "moreover"
                | "furthermore"
                | "then"
                | "here"
                | "so"
                | "but"
                | "yet"
                | "such"
                | "born"
                | "next"
                | "later"
                | "instead"
                | "together"
                | "according"
                | "alongside"
                | "throughout"
                | "what"
                | "how"
                | "why"
                | "please"
                | "today"
                | "currently"
                | "nowadays"
                | "sometimes"
                | "often"
                | "again"
                | "perhaps"
                | "once"
        )
}

/// The digits that a number word stands for, `3` for `three` and `3th` for `third`.
pub(super) fn number_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "zero" => "0",
        "one" => "1",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        "eleven" => "11",
        "twelve" => "12",
        "thirteen" => "13",
        "fourteen" => "14",
        "fifteen" => "15",
        "sixteen" => "16",
        "seventeen" => "17",
        "eighteen" => "18",
        "nineteen" => "19",
        "twenty" => "20",
        "thirty" => "30",
        "forty" => "40",
        "fifty" => "50",
        "sixty" => "60",
        "seventy" => "70",
        "eighty" => "80",
        "ninety" => "90",
        "hundred" => "100",
        "thousand" => "1000",
        "third" => "3th",
        "fourth" => "4th",
        "fifth" => "5th",
        "sixth" => "6th",
        "seventh" => "7th",
        "eighth" => "8th",
        "ninth" => "9th",
        "tenth" => "10th",
        _ => return None,
    })
}

/// The number of a month that a word names, in English, German, French or Spanish.
pub(super) fn month(word: &str) -> Option<u8> {
    Some(match word {
        "january" | "jan" | "januar" | "jänner" | "janvier" | "enero" => 1,
        "february" | "feb" | "februar" | "février" | "febrero" => 2,
        "march" | "mar" | "märz" | "mars" | "marzo" => 3,
        "april" | "apr" | "avril" | "abril" => 4,
        "may" | "mai" | "mayo" => 5,
        "june" | "jun" | "juni" | "juin" | "junio" => 6,
        "july" | "jul" | "juli" | "juillet" | "julio" => 7,
        "august" | "aug" | "août" | "agosto" => 8,
        "september" | "sep" | "sept" | "septembre" | "septiembre" => 9,
        "october" | "oct" | "oktober" | "octobre" | "octubre" => 10,
        "november" | "nov" | "novembre" | "noviembre" => 11,
        "december" | "dec" | "dezember" | "décembre" | "diciembre" => 12,
        _ => return None,
    })
}
