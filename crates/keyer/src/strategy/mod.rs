//! The strategies, one file each.

mod agentforge;
mod canonical;
mod constant;
mod jcs;
mod normalised;
mod random;
mod raw;
mod refuse;
mod scoped;

pub use agentforge::Agentforge;
pub use canonical::Canonical;
pub use constant::Constant;
pub use jcs::{Jcs, canonicalise};
pub use normalised::Normalised;
pub use random::Random;
pub use raw::Raw;
pub use refuse::Refuse;
pub use scoped::Scoped;

use samecall_call::Call;

use crate::{Explanation, Fired, Key, Refusal};

/// A buffer that starts with the tool's name and a separator, with room for the arguments.
fn start(call: &Call, separator: u8) -> Vec<u8> {
    let mut out = Vec::with_capacity(call.tool.len() + call.arguments.len() + 64);
    out.extend_from_slice(call.tool.as_bytes());
    out.push(separator);
    out
}

/// The key of a form.
fn key_of(form: Result<Vec<u8>, Refusal>) -> Result<Key, Refusal> {
    form.map(|form| Key::of(&form))
}

/// An explanation of a form that is UTF-8 by construction.
fn explanation(form: Vec<u8>, fired: Vec<Fired>) -> Explanation {
    Explanation { form: String::from_utf8_lossy(&form).into_owned(), fired }
}
