//! Where an entry lives: whose execution, and which call. Framed by length, so that no separator in a name can make two
//! places one.

use samecall_keyer::Key;

/// The version of what is hashed here.
const VERSION: &[u8] = b"samecall/cache/1";

/// The place of an entry. Both halves are compared, so equal calls of two executions never meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    /// Tenant and execution, hashed.
    pub(crate) scope: Key,
    /// The strategy's key of the call.
    pub(crate) call: Key,
}

impl Place {
    /// A number that spreads places evenly; keys are hashes already.
    pub(crate) fn spread(&self) -> usize {
        let word = |key: &Key| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&key.as_bytes()[..8]);
            u64::from_le_bytes(bytes)
        };
        (word(&self.call) ^ word(&self.scope)) as usize
    }
}

/// The scope of an execution.
pub(crate) fn scope(tenant: Option<&str>, execution: &str) -> Key {
    framed(b"scope", &[tenant.map(str::as_bytes), Some(execution.as_bytes())])
}

/// The key of a tool's name.
pub(crate) fn tool(name: &str) -> Key {
    framed(b"tool", &[Some(name.as_bytes())])
}

fn framed(domain: &[u8], parts: &[Option<&[u8]>]) -> Key {
    let mut bytes = VERSION.to_vec();
    for part in std::iter::once(Some(domain)).chain(parts.iter().copied()) {
        match part {
            None => bytes.push(0),
            Some(part) => {
                bytes.push(1);
                bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
                bytes.extend_from_slice(part);
            }
        }
    }
    Key::of(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_scopes_share_bytes() {
        let names = ["", "a", "b", "ab", "a|b", "a\0b", "\u{1}", "a\u{1}"];
        let mut all = Vec::new();
        for tenant in std::iter::once(None).chain(names.iter().copied().map(Some)) {
            all.extend(names.iter().map(|name| scope(tenant, name)));
        }
        all.extend(names.iter().map(|name| tool(name)));
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
