//! The block of a document that is generated.

use crate::error::{Error, Result};

/// The line before the block.
pub const BEGIN: &str = "<!-- BEGIN: results -->";
/// The line after the block.
pub const END: &str = "<!-- END: results -->";

/// The document with what stands between the two marker lines replaced by `block`; `name` stands for
/// the document in messages.
///
/// # Errors
/// When the document does not have each marker once, on a line of its own, in this order.
pub fn splice(name: &str, document: &str, block: &str) -> Result<String> {
    let error = || Error::Markers { document: name.to_owned(), begin: BEGIN, end: END };
    let mut offset = 0;
    let mut markers: [Vec<(usize, usize)>; 2] = [Vec::new(), Vec::new()];
    for line in document.split_inclusive('\n') {
        let end = offset + line.len();
        for (marker, found) in [BEGIN, END].iter().zip(&mut markers) {
            if line.trim() == *marker {
                found.push((offset, end));
            }
        }
        offset = end;
    }
    match (markers[0].as_slice(), markers[1].as_slice()) {
        ([(_, begin)], [(end, _)]) if begin <= end => Ok(format!(
            "{}\n{}\n\n{}",
            &document[..*begin],
            block.trim_matches('\n'),
            &document[*end..]
        )),
        _ => Err(error()),
    }
}
