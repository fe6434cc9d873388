//! The targets by name: which laws each asks of its bytes.

use samecall_oracle::record::Record;
use samecall_oracle::search::Memory;
use samecall_oracle::subject::Subject;
use samecall_oracle::{Broken, Evidence, Law, catalog, files, jcs, reader, targets};
use std::panic::{AssertUnwindSafe, catch_unwind};

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

/// What no law answers: a panic within one, and inputs on which one never ends, fills the memory or overflows the stack.
/// Their evidence is the target's whole input.
pub const CRASHES: [&str; 4] = ["panic", "hang", "memory", "stack"];

impl Target {
    /// Asks the laws of one input. A panic within them is answered as broken law `panic`; under a fuzzer the program ends
    /// there, and the fuzzer keeps the input.
    ///
    /// # Errors
    /// The first law that is broken.
    pub fn ask(&self, bytes: &[u8], ground: &mut Ground) -> Law<&'static str> {
        // What a panic leaves behind in the ground is a memory of keys, which no later answer is wrong by.
        catch_unwind(AssertUnwindSafe(|| (self.law)(bytes, ground))).unwrap_or_else(|_| {
            let evidence = Evidence::Bytes(bytes.to_vec());
            Err(Broken::new(CRASHES[0], [self.name], "the laws panic", evidence))
        })
    }
}

/// Asks a record's law again: of its evidence, or of its target's whole input where no law answered.
///
/// # Errors
/// Where it is still broken, or this build is without its target.
pub fn check(record: &Record, subject: Subject) -> Law<()> {
    let Evidence::Bytes(bytes) = &record.evidence else { return record.check(&subject) };
    if !CRASHES.contains(&record.law.as_str()) {
        return record.check(&subject);
    }
    match by_name(&record.target) {
        Some(target) => {
            target.ask(bytes, &mut Ground { subject, memory: Memory::default() }).map(drop)
        }
        None => {
            let why = format!("there is no target `{}` in this build", record.target);
            Err(Broken::new("record", [&*record.target], why, record.evidence.clone()))
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_crashed_is_asked_again_of_its_target() {
        let held = |law: &'static str, target: &str| {
            let broken = Broken::new(law, [target], "why", Evidence::Bytes(b"{}".to_vec()));
            let subject = Subject::named("typed").expect("a strategy");
            check(&Record::of(&broken, target, "typed"), subject).map_err(|broken| broken.law)
        };
        for law in CRASHES {
            assert_eq!(held(law, "normalizer"), Ok(()));
            assert_eq!(held(law, "nobody"), Err("record"));
        }
        assert_eq!(held("unheard-of", "normalizer"), Err("record"));
    }
}
