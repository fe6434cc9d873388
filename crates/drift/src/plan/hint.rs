//! What a field's name says of plausible values. Only values depend on it, never equality.

/// What values of a plain string look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hint {
    None,
    Id,
    Version,
    Path,
    Name,
    Postal,
    Secret,
    Document,
    Amount,
    Count,
}

impl Hint {
    /// The hint of a property's name.
    pub(crate) fn of(name: &str) -> Hint {
        let name = name.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|w| name.contains(w));
        if has(&["version", "release", "python"]) {
            Hint::Version
        } else if has(&["path", "cwd", "file", "dir"]) {
            Hint::Path
        } else if has(&["postal", "zip", "house", "mode"]) {
            Hint::Postal
        } else if has(&["document", "content"]) {
            Hint::Document
        } else if has(&["amount", "price", "fee", "wei", "revenue", "rate"]) {
            Hint::Amount
        } else if has(&["count", "limit", "qty", "quantity", "replicas", "retries", "size"]) {
            Hint::Count
        } else if has(&[
            "_id",
            "id_",
            "ref",
            "sku",
            "number",
            "destination",
            "address",
            "commit",
            "key",
        ]) || name == "id"
        {
            Hint::Id
        } else if has(&["name", "location", "assignee", "city", "stop"]) {
            Hint::Name
        } else if has(&["value", "secret", "token", "password"]) {
            Hint::Secret
        } else {
            Hint::None
        }
    }
}
