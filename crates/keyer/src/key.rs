//! The key of a call, and the halves that a strategy with a slot makes it from.

use std::fmt;

use sha2::block_api::compress256;
use sha2::{Digest, Sha256};

/// The least bytes that SHA-256 appends: a one bit, and the length in eight bytes.
const PADDING: usize = 9;

/// Four blocks: short texts are padded in so many bytes on the stack.
const BUFFER: usize = 4 * 64;

/// The longest text that is short.
const SHORT: usize = BUFFER - PADDING;

/// SHA-256's initial state (FIPS 180-4, section 5.3.3).
const INITIAL: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// 128 bits that stand for a call: the first half of a SHA-256. Shown as 32 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 16]);

impl Key {
    /// The key of one text.
    pub fn of(text: &[u8]) -> Self {
        Self::from_digest(Sha256::digest(text).into())
    }

    /// The key of texts joined with `|`, as the article's strategies join them.
    pub fn of_joined<const N: usize>(texts: [&[u8]; N]) -> Self {
        let length = texts.iter().map(|text| text.len() + 1).sum::<usize>().saturating_sub(1);
        if length <= SHORT {
            return Self::of_short(texts);
        }
        let mut hasher = Sha256::new();
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 {
                hasher.update(b"|");
            }
            hasher.update(text);
        }
        Self::from_hasher(hasher)
    }

    /// The same for at most [`SHORT`] bytes: joined and padded (FIPS 180-4, section 5.1.1) in one buffer, in about
    /// four fifths of the time that the general hasher needs for three blocks that come in three parts.
    fn of_short<const N: usize>(texts: [&[u8]; N]) -> Self {
        let mut buffer = [0; BUFFER];
        let mut length = 0;
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 {
                buffer[length] = b'|';
                length += 1;
            }
            buffer[length..length + text.len()].copy_from_slice(text);
            length += text.len();
        }
        buffer[length] = 0x80;
        let end = (length + PADDING).next_multiple_of(64);
        buffer[end - 8..end].copy_from_slice(&(8 * length as u64).to_be_bytes());
        let mut state = INITIAL;
        compress256(&mut state, buffer[..end].as_chunks().0);
        let mut key = [0; 16];
        for (bytes, word) in key.chunks_exact_mut(4).zip(state) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        Key(key)
    }

    /// The key of what a hasher has taken in.
    pub fn from_hasher(hasher: Sha256) -> Self {
        Self::from_digest(hasher.finalize().into())
    }

    fn from_digest(digest: [u8; 32]) -> Self {
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        Key(key)
    }

    /// A key from its 16 bytes, for instance from a store.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Key(bytes)
    }

    /// The 16 bytes.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The 32 lower-case hex digits in ASCII.
    pub fn hex(&self) -> [u8; 32] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = [0; 32];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        hex
    }

    /// Reads 32 hex digits of either case; None for any other text.
    pub fn from_hex(text: &str) -> Option<Self> {
        let text: &[u8; 32] = text.as_bytes().try_into().ok()?;
        let mut key = [0; 16];
        for (byte, pair) in key.iter_mut().zip(text.chunks_exact(2)) {
            let digit = |hex: u8| char::from(hex).to_digit(16);
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Some(Key(key))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Hex digits are ASCII.
        f.write_str(std::str::from_utf8(&self.hex()).unwrap_or_default())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// What a strategy answers for a call that has a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keyed {
    /// The key.
    pub key: Key,
    /// Its halves; only from strategies with a slot.
    pub parts: Option<Parts>,
}

impl From<Key> for Keyed {
    fn from(key: Key) -> Self {
        Keyed { key, parts: None }
    }
}

/// The halves of a key of a strategy with a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parts {
    /// Where in the run the call stands.
    pub slot: Key,
    /// The tool and what its arguments say.
    pub fingerprint: Key,
    /// A hash over the fields that carry content but not identity, where there are any.
    pub payload: Option<Key>,
    /// Whether the framework named this very slot (`attempt_of`, `call_site`), so that another fingerprint in it is
    /// a conflict and no other call.
    pub pinned: bool,
    /// The tenant and the run, hashed; where it agrees and `step` does not, a repeat is at another step.
    pub run: Key,
    /// The tenant, the run and the step, hashed.
    pub step: Key,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_first_half_of_sha256() {
        let key = Key::of(b"abc");
        assert_eq!(key.to_string(), "ba7816bf8f01cfea414140de5dae2223");
        assert_eq!(Key::from_hex(&key.to_string()), Some(key));
        assert_eq!(Key::of_joined([b"a", b"b"]), Key::of(b"a|b"));
        assert_eq!(Key::from_hex("ba78"), None);
        let long = [b'x'; 400];
        for length in 0..long.len() {
            let joined = [&long[..length / 3], b"|", &long[length / 3..length]].concat();
            let parts = Key::of_joined([&long[..length / 3], &long[length / 3..length]]);
            assert_eq!(parts, Key::of(&joined), "{length} bytes");
        }
        assert_eq!(Key::from_hex(&"g".repeat(32)), None);
    }
}
