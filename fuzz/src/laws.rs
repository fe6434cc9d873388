//! The targets by name: which laws each asks of its bytes.

use samecall_oracle::search::Memory;
use samecall_oracle::subject::Subject;
use samecall_oracle::{Law, catalog, files, jcs, reader, targets};

/// What a target's laws are asked about beside the bytes.
pub struct Ground {
    /// The strategy that is hunted.
    pub subject: Subject,
    /// Keys of earlier inputs, for the target that remembers them.
    pub memory: Memory,
}

/// One target.
pub struct Target {
    /// Its name, which is also its program's.
    pub name: &'static str,
    /// Whether it asks a strategy.
    pub has_subject: bool,
    /// Its laws. Answers a word for what they saw.
    pub law: fn(&[u8], &mut Ground) -> Law<&'static str>,
}

/// The names of all targets, and whether each asks a strategy; also of those that this build is without.
pub const NAMES: [(&str, bool); 10] = [
    ("normalizer", true),
    ("collisions", true),
    ("spellings", true),
    ("reader", false),
    ("jcs", false),
    ("catalog", true),
    ("pairs", true),
    ("dedup", false),
    ("semantic", false),
    ("cache", false),
];

/// The feature that a target needs beyond what the others do.
pub fn feature(target: &str) -> Option<&'static str> {
    match target {
        "dedup" | "semantic" => Some("dedup"),
        "cache" => Some("cache"),
        _ => None,
    }
}

/// All targets of this build.
pub static TARGETS: &[&Target] = &[
    &normalizer,
    &collisions,
    &spellings,
    &reader,
    &jcs,
    &catalog,
    &pairs,
    #[cfg(feature = "dedup")]
    &dedup,
    #[cfg(feature = "dedup")]
    &semantic,
    #[cfg(feature = "cache")]
    &cache,
];

/// The target of a name.
pub fn by_name(name: &str) -> Option<&'static Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

macro_rules! targets {
    ($($(#[$meta:meta])* $name:ident, $has_subject:literal, $law:expr;)*) => {$(
        $(#[$meta])*
        #[allow(non_upper_case_globals, reason = "it is named as its program")]
        pub static $name: Target =
            Target { name: stringify!($name), has_subject: $has_subject, law: $law };
    )*};
}

targets! {
    /// Rules against each other and against the truth.
    normalizer, true, |bytes, ground| targets::normalizer(bytes, &ground.subject);
    /// Two intents, one key.
    collisions, true, |bytes, ground| targets::collisions(bytes, &ground.subject, &mut ground.memory);
    /// One intent, two spellings, two keys.
    spellings, true, |bytes, ground| targets::spellings(bytes, &ground.subject);
    /// Raw bytes through two JSON readers.
    reader, false, |bytes, _| reader::check(bytes).map(|seen| match seen {
        reader::Seen::Both => "both read",
        reader::Seen::Neither => "neither reads",
        reader::Seen::OursAlone => "ours alone reads",
    });
    /// Texts through two canonicalizers.
    jcs, false, |bytes, _| match std::str::from_utf8(bytes) {
        Ok(text) => jcs::check(text).map(|seen| match seen {
            jcs::Seen::Both => "both write",
            jcs::Seen::Refused => "refused",
        }),
        Err(_) => Ok("no text"),
    };
    /// Tools of any schema.
    catalog, true, |bytes, ground| catalog::check(bytes, &ground.subject).map(|seen| match seen {
        catalog::Seen::Refused => "no schema",
        catalog::Seen::Read => "schema read",
        catalog::Seen::Drawn => "calls drawn",
    });
    /// Files of pairs and calls.
    pairs, true, |bytes, ground| files::check(bytes, &ground.subject).map(|seen| match seen {
        files::Seen { pairs: 1.., .. } => "pairs read",
        files::Seen { calls: 1.., .. } => "calls read",
        files::Seen { errors: 1.., .. } => "lines refused",
        files::Seen { .. } => "empty",
    });
}

#[cfg(feature = "dedup")]
targets! {
    /// Chunks through the lexical deduper.
    dedup, false, |bytes, _| samecall_oracle::dedup::check(bytes).map(|seen| match seen {
        Some(seen) if seen.removed > 0 => "chunks removed",
        Some(_) => "nothing removed",
        None => "no chunks",
    });
    /// Chunks with vectors through deduplication by meaning.
    semantic, false, |bytes, _| samecall_oracle::semantic::check(bytes).map(|seen| match seen {
        Some(seen) if seen.removed > 0 => "chunks removed",
        Some(seen) if seen.refused > 0 => "pairs refused",
        Some(_) => "nothing removed",
        None => "no chunks",
    });
}

#[cfg(feature = "cache")]
targets! {
    /// Histories of calls through the cache of an agent loop.
    cache, false, |bytes, _| samecall_oracle::cache::check(bytes).map(|seen| match seen {
        seen if seen.hits > 0 => "hits",
        _ => "no hits",
    });
}
