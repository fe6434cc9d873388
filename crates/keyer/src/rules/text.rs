//! Rules on text as text: composed form, white space, case.

use std::borrow::Cow;
use std::mem::take;

use super::Scalar;
use crate::python;

pub(super) fn nfc(value: &mut Scalar<'_>) {
    if let Scalar::Text(text) = value {
        *text = python::nfc(take(text));
    }
}

pub(super) fn strip(value: &mut Scalar<'_>) {
    if let Scalar::Text(text) = value {
        narrow(text, python::strip);
    }
}

pub(super) fn collapse_space(value: &mut Scalar<'_>) {
    if let Scalar::Text(text) = value
        && let Cow::Owned(collapsed) = python::collapse(text)
    {
        *text = Cow::Owned(collapsed);
    }
}

pub(super) fn case_fold(value: &mut Scalar<'_>) {
    if let Scalar::Text(text) = value {
        *text = python::casefold(take(text));
    }
}

/// Applies a function that answers a part of its text, without a copy of borrowed text.
fn narrow(text: &mut Cow<'_, [u8]>, part: impl Fn(&[u8]) -> &[u8]) {
    match text {
        Cow::Borrowed(whole) => *whole = part(whole),
        Cow::Owned(whole) => {
            let kept = part(whole);
            if kept.len() < whole.len() {
                *whole = kept.to_vec();
            }
        }
    }
}
