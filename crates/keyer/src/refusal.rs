//! Why a call has no key.

use std::borrow::Cow;
use std::fmt;

use samecall_call::json;

/// A reason not to key a call: a stable code and, where there is more to say, a detail. Never holds argument values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Refusal {
    code: Cow<'static, str>,
    detail: String,
}

impl Refusal {
    /// A reason that its code says in full.
    pub const fn bare(code: &'static str) -> Self {
        Refusal { code: Cow::Borrowed(code), detail: String::new() }
    }

    /// A reason with a detail, which must not hold argument values.
    pub fn new(code: impl Into<Cow<'static, str>>, detail: impl Into<String>) -> Self {
        Refusal { code: code.into(), detail: detail.into() }
    }

    /// The stable short code: the exception's name where Python or JavaScript would raise one.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What there is to say beyond the code; may be empty.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Text that the reader refuses, under the name that the imitated program gives it.
    pub(crate) fn unreadable(code: &'static str, error: json::Error) -> Self {
        Refusal::new(code, error.to_string())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.detail.is_empty() {
            return f.write_str(&self.code);
        }
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl std::error::Error for Refusal {}
