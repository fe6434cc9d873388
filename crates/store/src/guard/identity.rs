//! From a call and its key to what the store is asked with. Taken once, before the effect, from a call that is not
//! changed any more: nothing that an effect does to its arguments can move the record.

use samecall_call::json::{self, Dialect};
use samecall_call::{Call, Scope};
use samecall_keyer::{Key, Keyed};

use crate::error::{Error, Result};
use crate::key::{Bytes, Digest, StoreKey};

/// Where a call's record and marks are, and what they are compared by.
pub(super) struct Identity {
    pub(super) key: StoreKey,
    pub(super) fingerprint: Digest,
    pub(super) payload: Option<Digest>,
    pub(super) slot: Option<Slot>,
    pub(super) sighting: Option<Sighting>,
}

/// The place of a call, marked with who was there first.
pub(super) struct Slot {
    pub(super) key: StoreKey,
    pub(super) holder: Holder,
}

/// Who holds a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Holder {
    fingerprint: Digest,
    /// Whether the framework named the place, so that two fingerprints there are a conflict.
    pinned: bool,
}

impl Holder {
    /// As a mark's value: the fingerprint, with its last bit given up for whether the place was named.
    pub(super) fn to_mark(self) -> Digest {
        let mut bits = u128::from_be_bytes(self.fingerprint.0);
        bits = bits & !1 | u128::from(self.pinned);
        Digest(bits.to_be_bytes())
    }

    /// Whether another holder, as a mark's value, is in conflict with this one.
    pub(super) fn conflicts_with(self, mark: Digest) -> bool {
        let (own, other) = (u128::from_be_bytes(self.to_mark().0), u128::from_be_bytes(mark.0));
        own >> 1 != other >> 1 && (own | other) & 1 == 1
    }
}

/// What a call says, in its run, marked with the step that it was first seen at.
pub(super) struct Sighting {
    pub(super) key: StoreKey,
    pub(super) step: Digest,
}

fn digest(key: Key) -> Digest {
    Digest(*key.as_bytes())
}

impl Identity {
    /// The tenant is the scope of all keys, so that two tenants never share a record even under a strategy that does
    /// not know them. A strategy without parts has its key for a fingerprint: under it there are no conflicts.
    pub(super) fn of(call: &Call, keyed: Keyed) -> Self {
        let tenant = call.scope.tenant.as_deref();
        // A call without a tenant must not meet one whose tenant is the empty text.
        let scope = tenant.map_or_else(|| "-".to_owned(), |tenant| format!("t{tenant}"));
        let key = StoreKey::new(&scope, &keyed.key.to_string());
        let Some(parts) = keyed.parts else {
            let fingerprint = digest(keyed.key);
            return Identity { key, fingerprint, payload: None, slot: None, sighting: None };
        };
        let slot = Slot {
            key: StoreKey::new(&scope, &format!("slot {}", parts.slot)),
            holder: Holder { fingerprint: digest(parts.fingerprint), pinned: parts.pinned },
        };
        let sighting = Sighting {
            key: StoreKey::new(&scope, &format!("seen {} {}", parts.run, parts.fingerprint)),
            step: digest(parts.step),
        };
        Identity {
            key,
            fingerprint: digest(parts.fingerprint),
            payload: parts.payload.map(digest),
            slot: Some(slot),
            sighting: Some(sighting),
        }
    }

    /// What a provider is given: 32 hex digits over the tenant and the key.
    pub(super) fn idempotency_key(&self) -> String {
        Digest::of(self.key.as_bytes()).to_string()
    }
}

/// The tool and the arguments, without the scope: what is sent.
pub(super) fn bare(call: &Call) -> Call {
    Call { tool: call.tool.clone(), arguments: call.arguments.clone(), scope: Scope::default() }
}

/// The bytes that a call is recorded as.
pub(super) fn spell(call: &Call) -> Bytes {
    bare(call).to_json().into_bytes().into()
}

/// Reads a recorded call back.
pub(super) fn unspell(spelling: &[u8]) -> Result<Call> {
    let value = json::parse_bytes(spelling, Dialect::Strict)
        .map_err(|e| Error::Spelling { reason: e.to_string() })?;
    Call::from_value(&value).map_err(|e| Error::Spelling { reason: e.to_string() })
}
