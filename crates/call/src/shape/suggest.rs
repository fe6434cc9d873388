//! What a user might want to annotate: guesses from names and descriptions, for a person to judge.
//!
//! A guess never becomes a kind by itself. No tool with side effects is keyed by what a field's name
//! seems to mean; `tools check` shows the guesses and writes them as an overlay to be read first.

use super::annotation::KindName;
use super::{Field, FieldInfo, JsonType, Kind, NullMeaning, Shape};

/// One proposal for one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The field's dotted path.
    pub path: String,
    /// What to state.
    pub proposal: Proposal,
    /// Why it might be right, for the person who decides.
    pub because: String,
}

/// What a suggestion proposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposal {
    /// This kind.
    Kind(KindName),
    /// What null means: the schema allows null in an optional field and does not say.
    Null(NullMeaning),
}

/// Whether a word of the field's name, or a phrase of its description, hints at a kind.
struct Hint {
    kind: KindName,
    /// The name's last word is one of these.
    names: &'static [&'static str],
    /// The description has one of these phrases.
    phrases: &'static [&'static str],
    because: &'static str,
}

/// Hints for plain text fields, the first that fits is taken: what must never be folded comes first.
const TEXT_HINTS: [Hint; 10] = [
    Hint {
        kind: KindName::Volatile,
        names: &["nonce", "salt"],
        phrases: &[
            "fresh for each",
            "unique per request",
            "unique for each request",
            "random value",
        ],
        because: "made anew at every attempt, so it says nothing of identity",
    },
    Hint {
        kind: KindName::Code,
        names: &[
            "path",
            "file",
            "filename",
            "directory",
            "dir",
            "folder",
            "command",
            "cmd",
            "code",
            "script",
            "sql",
            "regex",
            "pattern",
            "patch",
            "diff",
            "expression",
            "template",
        ],
        phrases: &["file path", "source code", "shell command", "regular expression"],
        because: "every character counts",
    },
    Hint {
        kind: KindName::Phone,
        names: &["phone", "mobile", "fax", "msisdn"],
        phrases: &["phone number", "e.164"],
        because: "written with and without punctuation",
    },
    Hint {
        kind: KindName::Email,
        names: &["email", "mail"],
        phrases: &["email address", "e-mail address"],
        because: "no large provider distinguishes mailboxes by case",
    },
    Hint {
        kind: KindName::Uri,
        names: &["url", "uri", "link", "webhook", "href"],
        phrases: &["a url", "the url"],
        because: "scheme and host are written in any case",
    },
    Hint {
        kind: KindName::Uuid,
        names: &["uuid", "guid"],
        phrases: &["a uuid"],
        because: "a UUID is the same in any case (RFC 9562)",
    },
    Hint {
        kind: KindName::Instant,
        names: &["at", "timestamp", "datetime"],
        phrases: &["iso 8601", "iso-8601", "rfc 3339", "rfc3339"],
        because: "one point in time has many spellings",
    },
    Hint {
        kind: KindName::Number,
        names: &["amount", "price", "total", "quantity", "balance"],
        phrases: &["decimal string", "as a decimal"],
        because: "a number that is carried as text",
    },
    Hint {
        kind: KindName::Token,
        names: &["currency", "country", "language", "locale", "region", "iata", "ticker"],
        phrases: &["iso 4217", "iso 3166", "iata code", "currency code", "country code"],
        because: "a code that is the same in any case",
    },
    Hint {
        kind: KindName::Text,
        names: &[
            "body",
            "message",
            "text",
            "description",
            "summary",
            "comment",
            "note",
            "notes",
            "title",
            "subject",
            "reason",
            "query",
            "question",
            "prompt",
            "instructions",
            "caption",
        ],
        phrases: &["free text", "human-readable", "free-form"],
        because: "prose, whose spaces, quotes and case a model writes anew",
    },
];

/// Names of lists whose order rarely means anything.
const SET_NAMES: [&str; 13] = [
    "tags",
    "labels",
    "categories",
    "scopes",
    "permissions",
    "attendees",
    "participants",
    "recipients",
    "cc",
    "bcc",
    "assignees",
    "reviewers",
    "watchers",
];

impl Shape {
    /// What a user might want to annotate, in the order of the fields.
    pub fn suggestions(&self) -> Vec<Suggestion> {
        self.walk().iter().flat_map(suggestions_for).collect()
    }
}

fn suggestions_for(info: &FieldInfo<'_>) -> Vec<Suggestion> {
    let field = info.field;
    let stated =
        matches!(field.reason.as_str(), "overlay" | "x-identity" | "x-identity of the array");
    let mut found = Vec::new();
    if !stated && let Some((kind, because)) = kind_hint(info) {
        found.push(Suggestion {
            path: info.path.clone(),
            proposal: Proposal::Kind(kind),
            because: because.to_owned(),
        });
    }
    if may_clear(info) {
        found.push(Suggestion {
            path: info.path.clone(),
            proposal: Proposal::Null(NullMeaning::Value),
            because: "if null clears the field, say so; it is read as absent now".to_owned(),
        });
    }
    found
}

/// An optional field that allows null, of a tool that may be a partial update.
fn may_clear(info: &FieldInfo<'_>) -> bool {
    let Field { nullable, null, default, .. } = info.field;
    !info.required && *nullable && *null == NullMeaning::Absent && default.is_none()
}

fn kind_hint(info: &FieldInfo<'_>) -> Option<(KindName, &'static str)> {
    let words = name_words(&info.path);
    let last = words.last()?.as_str();
    let description = info.field.description.to_lowercase();
    match &info.field.kind {
        Kind::Exact => TEXT_HINTS
            .iter()
            .find(|hint| {
                hint.names.contains(&last) || hint.phrases.iter().any(|p| description.contains(p))
            })
            .map(|hint| (hint.kind, hint.because)),
        Kind::List(_) => (SET_NAMES.contains(&last) || description.contains("in any order"))
            .then_some((KindName::Set, "a list whose order seems to mean nothing")),
        Kind::Number { .. } if info.field.json_types == [JsonType::Number] => {
            matches!(last, "timestamp" | "epoch")
                .then_some((KindName::Instant, "epoch seconds are one spelling of a point in time"))
        }
        _ => None,
    }
}

/// The words of the last name in a path: `to.customerName` has `customer`, `name`.
fn name_words(path: &str) -> Vec<String> {
    let name = path.rsplit('.').next().unwrap_or(path);
    let name = name.split(['[', '|']).next().unwrap_or_default();
    let mut words: Vec<String> = Vec::new();
    let mut after_lower = false;
    for c in name.chars() {
        if c == '_' || c == '-' || c == ' ' {
            after_lower = false;
            words.push(String::new());
            continue;
        }
        if words.is_empty() || (c.is_uppercase() && after_lower) {
            words.push(String::new());
        }
        after_lower = c.is_lowercase() || c.is_ascii_digit();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, parse};

    #[test]
    fn names_and_descriptions_hint() {
        let schema = r#"{"type":"object","properties":{
            "body":{"type":"string"},"customerPhone":{"type":"string"},"file_path":{"type":"string"},
            "zip":{"type":"string"},"when":{"type":"string","description":"ISO 8601 time"},
            "tags":{"type":"array","items":{"type":"string"}},"steps":{"type":"array"},
            "subject":{"type":"string","x-identity":"exact"},"nick":{"type":["string","null"]}}}"#;
        let shape = super::super::compile(&parse(schema, Dialect::Strict).unwrap(), None).unwrap();
        let found: Vec<(String, Proposal)> =
            shape.suggestions().into_iter().map(|s| (s.path, s.proposal)).collect();
        let kind = |path: &str, kind| (path.to_owned(), Proposal::Kind(kind));
        assert_eq!(
            found,
            [
                kind("body", KindName::Text),
                kind("customerPhone", KindName::Phone),
                kind("file_path", KindName::Code),
                ("nick".to_owned(), Proposal::Null(NullMeaning::Value)),
                kind("tags", KindName::Set),
                kind("when", KindName::Instant),
            ]
        );
    }

    #[test]
    fn names_fall_into_words() {
        assert_eq!(name_words("a.b[].customerName"), ["customer", "name"]);
        assert_eq!(name_words("request_ID"), ["request", "id"]);
        assert_eq!(name_words("tags[]"), ["tags"]);
    }
}
