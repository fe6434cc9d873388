//! What records are found, compared and fenced by: keys, digests, fences and owners.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sha2::{Digest as _, Sha256};

use crate::time::Timestamp;

/// Bytes that are shared and never changed.
pub type Bytes = Arc<[u8]>;

/// The key of a record: a scope (whose record it is: a tenant) and a name within it (a call's key as text).
///
/// The two are framed by the scope's length, so that no two different pairs have the same bytes, whatever
/// separators they hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoreKey(Bytes);

impl StoreKey {
    /// A key from its two parts.
    pub fn new(scope: &str, name: &str) -> Self {
        // A scope longer than u32 does not occur; the length is 8 bytes so that none needs checking.
        let length = (scope.len() as u64).to_be_bytes();
        StoreKey([&length[..], scope.as_bytes(), name.as_bytes()].concat().into())
    }

    /// The framed bytes: 8 bytes of the scope's length (big-endian), the scope, the name.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// A key from its framed bytes, for instance from a file; None where they frame no two texts.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (length, text) = bytes.split_at_checked(8)?;
        let length = usize::try_from(u64::from_be_bytes(length.try_into().ok()?)).ok()?;
        std::str::from_utf8(text).ok()?.split_at_checked(length)?;
        Some(StoreKey(bytes.into()))
    }

    /// The scope.
    pub fn scope(&self) -> &str {
        self.parts().0
    }

    /// The name within the scope.
    pub fn name(&self) -> &str {
        self.parts().1
    }

    fn parts(&self) -> (&str, &str) {
        let (length, text) = self.0.split_at_checked(8).unwrap_or_default();
        let length = length.try_into().map_or(0, u64::from_be_bytes);
        let text = std::str::from_utf8(text).unwrap_or_default();
        usize::try_from(length).ok().and_then(|at| text.split_at_checked(at)).unwrap_or_default()
    }
}

impl fmt::Debug for StoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreKey({self})")
    }
}

impl fmt::Display for StoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}/{:?}", self.scope(), self.name())
    }
}

/// 128 bits of a hash: a fingerprint, a payload, a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    /// The first half of the SHA-256 of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let digest: [u8; 32] = Sha256::digest(bytes).into();
        let mut half = [0; 16];
        half.copy_from_slice(&digest[..16]);
        Digest(half)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

/// What tells one claim of a key from every other claim of it. Only the holder of the present fence may complete,
/// release or extend.
///
/// Its high 48 bits are the claim's time in milliseconds, so that a service which compares fences can turn away the
/// older one; that order is as good as the claimers' clocks, while uniqueness does not rest on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fence(pub u128);

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A source of fences: 48 bits of time, 48 bits that name this source, 32 bits that count.
#[derive(Debug)]
pub struct Fences {
    source: u64,
    count: AtomicU32,
}

impl Fences {
    /// A source named at random: two of one name are a matter of 2^-48 for each pair of sources.
    pub fn random() -> Self {
        // The standard library seeds its hashers from the system's randomness.
        Self::named(RandomState::new().hash_one(std::process::id()))
    }

    /// A source of a given name (its low 48 bits), for runs that must repeat exactly.
    pub fn named(source: u64) -> Self {
        Fences { source: source & 0xffff_ffff_ffff, count: AtomicU32::new(0) }
    }

    /// A fence that this source has never given before.
    pub fn next(&self, now: Timestamp) -> Fence {
        let time = u128::from(now.as_millis() & 0xffff_ffff_ffff);
        let count = u128::from(self.count.fetch_add(1, Ordering::Relaxed));
        Fence(time << 80 | u128::from(self.source) << 32 | count)
    }
}

impl Default for Fences {
    fn default() -> Self {
        Self::random()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_framed() {
        let key = StoreKey::new("a|b", "c");
        assert_ne!(key, StoreKey::new("a", "b|c"));
        assert_ne!(StoreKey::new("", "ab"), StoreKey::new("ab", ""));
        assert_eq!((key.scope(), key.name()), ("a|b", "c"));
        let key = StoreKey::new("ä", "");
        assert_eq!((key.scope(), key.name()), ("ä", ""));
        assert_eq!(StoreKey::from_bytes(key.as_bytes()), Some(key));
        assert_eq!(StoreKey::from_bytes(b"short"), None);
    }

    #[test]
    fn fences_differ_and_follow_time() {
        let fences = Fences::named(7);
        let first = fences.next(Timestamp::from_millis(5));
        let second = fences.next(Timestamp::from_millis(5));
        assert_ne!(first, second);
        assert!(fences.next(Timestamp::from_millis(6)) > second);
    }
}
