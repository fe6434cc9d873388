//! Records and marks as items. Attribute names are short, since they are paid for with every write.
//!
//! | name | type | what |
//! |---|---|---|
//! | `pk` | S | kind (`r` record, `m` mark, `b` part of a blob), length of the scope, scope, name; of a part: fence, digest of the whole, number |
//! | `v` | N | version of this layout: 1 |
//! | `f`, `p` | B | fingerprint, payload |
//! | `s`, `o` | B, S | first spelling, owner; left out when empty |
//! | `n` | S | fence, 32 hex digits |
//! | `c` | N | claimed at, ms |
//! | `st` | S | `c` claimed, `u` unknown, `d` completed |
//! | `u` | N | until when claimed, or since when unknown, ms |
//! | `a`, `x` | N | recorded at, expires, ms |
//! | `r`, `e` | B, BOOL | result (left out when empty or a blob), whether it is an error |
//! | `bl`, `bh` | N, B | length and SHA-256 of a result that is a blob |
//! | `w` | B | a mark's value |
//! | `ttl` | N | when DynamoDB may delete the item: `x` in **seconds**, rounded up; never on a claimed or unknown record |

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use samecall_store::codec::BlobRef;
use samecall_store::{
    Claim, Digest, Error, Fence, MarkRecord, Record, Recorded, Result, State, StoreKey, Timestamp,
};

use crate::failure::Attributes;

/// The layout's version.
pub(crate) const VERSION: u64 = 1;
/// The most bytes that DynamoDB takes for a partition key.
const LONGEST_KEY: usize = 2048;

/// The partition key of a record.
pub(crate) fn record_key(key: &StoreKey) -> Result<String> {
    framed('r', key)
}

/// The partition key of a mark.
pub(crate) fn mark_key(key: &StoreKey) -> Result<String> {
    framed('m', key)
}

/// The scope's length comes first, so that no two keys share a text whatever their parts hold.
fn framed(kind: char, key: &StoreKey) -> Result<String> {
    let text = format!("{kind}{}#{}{}", key.scope().len(), key.scope(), key.name());
    if text.len() > LONGEST_KEY {
        return Err(Error::TooLarge { what: "a key", bytes: text.len(), limit: LONGEST_KEY });
    }
    Ok(text)
}

pub(crate) fn text(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn bytes(bytes: impl Into<Vec<u8>>) -> AttributeValue {
    AttributeValue::B(Blob::new(bytes))
}

pub(crate) fn number(number: u64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub(crate) fn time(time: Timestamp) -> AttributeValue {
    number(time.as_millis())
}

/// When DynamoDB may delete an item.
pub(crate) fn ttl(expires: Timestamp) -> AttributeValue {
    number(expires.as_secs_ceil())
}

/// The item of a new claim.
pub(crate) fn of_claim(pk: String, claim: &Claim, fence: Fence, now: Timestamp) -> Attributes {
    let mut item = Attributes::from([
        ("pk".to_owned(), text(pk)),
        ("v".to_owned(), number(VERSION)),
        ("f".to_owned(), bytes(claim.fingerprint.0)),
        ("n".to_owned(), text(fence.to_string())),
        ("c".to_owned(), time(now)),
        ("st".to_owned(), text("c")),
        ("u".to_owned(), time(now.after(claim.lease))),
    ]);
    if let Some(payload) = claim.payload {
        item.insert("p".to_owned(), bytes(payload.0));
    }
    if !claim.spelling.is_empty() {
        item.insert("s".to_owned(), bytes(&*claim.spelling));
    }
    if !claim.owner.is_empty() {
        item.insert("o".to_owned(), text(&*claim.owner));
    }
    item
}

/// The item of a mark.
pub(crate) fn of_mark(pk: String, mark: &MarkRecord) -> Attributes {
    Attributes::from([
        ("pk".to_owned(), text(pk)),
        ("v".to_owned(), number(VERSION)),
        ("w".to_owned(), bytes(mark.value.0)),
        ("a".to_owned(), time(mark.at)),
        ("x".to_owned(), time(mark.expires)),
        ("ttl".to_owned(), ttl(mark.expires)),
    ])
}

/// An item that is read attribute by attribute, each of which must be there and of its type.
pub(crate) struct Item<'a> {
    item: &'a Attributes,
    key: &'a StoreKey,
}

impl<'a> Item<'a> {
    /// Checks that the item is the one that was asked for, and of this version.
    pub(crate) fn of(item: &'a Attributes, key: &'a StoreKey, pk: &str) -> Result<Self> {
        let read = Item { item, key };
        if read.text("pk")? != pk {
            return Err(read.damaged("it is another key's item"));
        }
        if read.number("v")? != VERSION {
            return Err(read.damaged("its layout is of another version"));
        }
        Ok(read)
    }

    fn damaged(&self, reason: &str) -> Error {
        Error::Corrupt { key: self.key.to_string(), reason: reason.to_owned() }
    }

    fn wrong(&self, name: &str) -> Error {
        self.damaged(&format!("attribute {name} is missing or of another type"))
    }

    fn text(&self, name: &str) -> Result<&'a str> {
        let value = self.item.get(name).and_then(|v| v.as_s().ok());
        value.map(String::as_str).ok_or_else(|| self.wrong(name))
    }

    fn number(&self, name: &str) -> Result<u64> {
        let value = self.item.get(name).and_then(|v| v.as_n().ok());
        value.and_then(|digits| digits.parse().ok()).ok_or_else(|| self.wrong(name))
    }

    fn time(&self, name: &str) -> Result<Timestamp> {
        self.number(name).map(Timestamp::from_millis)
    }

    /// The bytes of an attribute that is left out when empty.
    fn bytes(&self, name: &str) -> Result<&'a [u8]> {
        match self.item.get(name) {
            None => Ok(&[]),
            Some(AttributeValue::B(blob)) => Ok(blob.as_ref()),
            Some(_) => Err(self.wrong(name)),
        }
    }

    fn digest(&self, name: &str) -> Result<Digest> {
        self.bytes(name)?.try_into().map(Digest).map_err(|_| self.wrong(name))
    }

    /// The record, and the reference to its result where that is a blob.
    pub(crate) fn record(&self) -> Result<(Record, Option<BlobRef>)> {
        let fence = u128::from_str_radix(self.text("n")?, 16).map_err(|_| self.wrong("n"))?;
        let mut blob = None;
        let state = match self.text("st")? {
            "c" => State::Claimed { until: self.time("u")? },
            "u" => State::Unknown { since: self.time("u")? },
            "d" => {
                let error = self.item.get("e").and_then(|v| v.as_bool().ok().copied());
                if self.item.contains_key("bl") {
                    let sha256 = self.bytes("bh")?.try_into().map_err(|_| self.wrong("bh"))?;
                    blob = Some(BlobRef { length: self.number("bl")?, sha256 });
                }
                let result = Recorded {
                    bytes: self.bytes("r")?.into(),
                    error: error.ok_or_else(|| self.wrong("e"))?,
                };
                State::Completed { result, at: self.time("a")?, expires: self.time("x")? }
            }
            _ => return Err(self.wrong("st")),
        };
        let owner = if self.item.contains_key("o") { self.text("o")? } else { "" };
        let payload = if self.item.contains_key("p") { Some(self.digest("p")?) } else { None };
        let record = Record {
            fingerprint: self.digest("f")?,
            payload,
            spelling: self.bytes("s")?.into(),
            owner: owner.into(),
            fence: Fence(fence),
            claimed_at: self.time("c")?,
            state,
        };
        Ok((record, blob))
    }

    /// The mark.
    pub(crate) fn mark(&self) -> Result<MarkRecord> {
        Ok(MarkRecord { value: self.digest("w")?, at: self.time("a")?, expires: self.time("x")? })
    }
}
