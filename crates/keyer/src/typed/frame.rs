//! Framing: what is hashed for each part of a key. Versioned, domain-separated and length-prefixed, so that no two
//! different tuples share bytes.

use samecall_call::Call;
use samecall_call::shape::IdempotencyScope;

use crate::Key;

/// The version of everything that is hashed here; it changes when any canonical form does.
const VERSION: &[u8] = b"samecall/typed/1";

/// Bytes to be hashed: a domain, then parts of which each is absent or has its length before it.
pub(super) struct Frame {
    bytes: Vec<u8>,
}

impl Frame {
    /// A frame of one domain, with room for so many bytes of parts.
    pub(super) fn with_capacity(domain: &[u8], room: usize) -> Self {
        let mut bytes = Vec::with_capacity(VERSION.len() + domain.len() + 64 + room);
        bytes.extend_from_slice(VERSION);
        let mut frame = Frame { bytes };
        frame.part(Some(domain));
        frame
    }

    /// Appends a part that may be absent.
    pub(super) fn part(&mut self, part: Option<&[u8]>) -> &mut Self {
        match part {
            None => self.bytes.push(0),
            Some(part) => {
                self.bytes.push(1);
                self.bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
                self.bytes.extend_from_slice(part);
            }
        }
        self
    }

    /// The bytes so far, for a last part that ends where its own bytes say.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn key(&self) -> Key {
        Key::of(&self.bytes)
    }
}

/// How far a slot reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// A call of its own: step, occurrence and call site count.
    Call,
    /// A business key's scope.
    Business(IdempotencyScope),
}

/// A slot and its surroundings.
pub(super) struct Place {
    pub(super) slot: Key,
    pub(super) run: Key,
    pub(super) step: Key,
    pub(super) pinned: bool,
}

/// Where a call stands, or the name of the part that it lacks.
pub(super) fn place(call: &Call, reach: Reach) -> Result<Place, &'static str> {
    use IdempotencyScope::{Run, Step, Tenant};
    let scope = &call.scope;
    let tenant = scope.tenant.as_deref().map(str::as_bytes);
    let run = scope.effective_run().map(str::as_bytes);
    let step = scope.effective_step().map(str::as_bytes);
    if run.is_none() && reach != Reach::Business(Tenant) {
        return Err("run_id");
    }
    if step.is_none() && !matches!(reach, Reach::Business(Run | Tenant)) {
        return Err("step");
    }
    let keyed = |domain: &[u8], parts: &[Option<&[u8]>]| {
        let room = parts.iter().flatten().map(|part| part.len()).sum();
        let mut frame = Frame::with_capacity(domain, room);
        for part in parts {
            frame.part(*part);
        }
        frame.key()
    };
    let occurrence = scope.effective_occurrence().to_le_bytes();
    let site = scope.call_site.as_deref().map(str::as_bytes);
    let slot = match reach {
        Reach::Call => keyed(b"slot", &[tenant, run, step, Some(&occurrence), site]),
        Reach::Business(Step) => keyed(b"slot of step", &[tenant, run, step]),
        Reach::Business(Run) => keyed(b"slot of run", &[tenant, run]),
        Reach::Business(Tenant) => keyed(b"slot of tenant", &[tenant]),
    };
    // A business key of a run or a tenant makes one slot of many places, which no framework has pinned.
    let pinned = match reach {
        Reach::Call => scope.attempt_of.is_some() || site.is_some(),
        Reach::Business(Step) => scope.attempt_of.is_some(),
        Reach::Business(Run | Tenant) => false,
    };
    Ok(Place {
        slot,
        run: keyed(b"run", &[tenant, run]),
        step: keyed(b"step", &[tenant, run, step]),
        pinned,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_tuples_share_bytes() {
        let bytes = |parts: &[Option<&[u8]>]| {
            let mut frame = Frame::with_capacity(b"d", 0);
            for part in parts {
                frame.part(*part);
            }
            frame.into_bytes()
        };
        let tuples: [&[Option<&[u8]>]; 7] = [
            &[Some(b"x|1"), Some(b"2")],
            &[Some(b"x"), Some(b"1|2")],
            &[Some(b""), None],
            &[None, Some(b"")],
            &[None, None],
            &[Some(b"x\0"), Some(b"1")],
            &[Some(b"x"), Some(b"\x001")],
        ];
        for (i, a) in tuples.iter().enumerate() {
            for (j, b) in tuples.iter().enumerate() {
                assert_eq!(bytes(a) == bytes(b), i == j);
            }
        }
    }
}
