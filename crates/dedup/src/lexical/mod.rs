//! Lexical deduplication: which chunks repeat another, and may go without losing a fact.
//!
//! ```
//! let found = samecall_dedup::dedupe(&["Charge Bob $19.", "[2] charge  bob $19!", "Refund Bob $19."]);
//! assert_eq!(found.kept, [0, 2]);
//! assert_eq!((found.removed[0].removed, found.removed[0].kept), (1, 0));
//! ```

mod arcaeon;
mod features;
mod index;
mod options;
mod python;
mod result;
mod safe;
mod simhash;
mod sketch;
mod stream;

use rayon::prelude::*;

pub use arcaeon::arcaeon_overlap;
pub use features::OVERLAP_CAP;
pub use options::{Keep, Mode, Options, Search, TokenCounter};
pub use python::normal_form as arcaeon_form;
pub use result::{Amount, Deduped, Removal, Report, Rule};
pub use simhash::simhash;
pub use stream::{Decision, Stream};

use crate::error::{Error, Result};
use crate::guard::normal_form;

/// Removes repeats in `safe` mode with the default options. Time grows in proportion to the characters.
pub fn dedupe(items: &[&str]) -> Deduped {
    safe::run(items, &Options::default())
}

/// Removes repeats as the options say.
///
/// # Errors
/// [`Error::Option`] when an option is out of its range, or there are more than 2^32 - 1 items.
pub fn dedupe_with(items: &[&str], options: &Options) -> Result<Deduped> {
    options.check()?;
    if items.len() >= u32::MAX as usize {
        return Err(Error::Option {
            name: "items",
            reason: "more than 4,294,967,294 items; split the input".into(),
        });
    }
    Ok(match options.mode {
        Mode::Safe => safe::run(items, options),
        Mode::Arcaeon => arcaeon::run(items, options),
    })
}

/// Overlap of two texts in `safe` mode, 0 to 1: the lower of the Jaccard similarities of the character 4-grams and of the word
/// bigrams of their normal forms; at most [`OVERLAP_CAP`] unless the forms are equal.
pub fn safe_overlap(a: &str, b: &str) -> f64 {
    features::overlap(
        &features::Features::of(normal_form(a)),
        &features::Features::of(normal_form(b)),
    )
}

fn size(text: &str, options: &Options) -> Amount {
    Amount {
        items: 1,
        chars: text.chars().count(),
        tokens: options.tokens.as_ref().map(|counter| counter.count(text)),
    }
}

fn sizes(items: &[&str], options: &Options) -> Vec<Amount> {
    items.par_iter().map(|text| size(text, options)).collect()
}
