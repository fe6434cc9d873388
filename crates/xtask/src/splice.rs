//! Generated text inside a written document, between two marks that name it.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// Replaces a document's named block by the text of a file.
///
/// # Errors
/// When a file cannot be read or written, or the document does not have the block exactly once.
pub fn splice_file(document: &Path, name: &str, text: &Path) -> Result<()> {
    let read = |path: &Path| fs::read_to_string(path).with_context(|| path.display().to_string());
    let spliced = splice(&read(document)?, name, &read(text)?)
        .with_context(|| document.display().to_string())?;
    let half = document.with_extension("spliced");
    fs::write(&half, spliced).with_context(|| half.display().to_string())?;
    fs::rename(&half, document).with_context(|| document.display().to_string())
}

/// A document with its named block replaced.
///
/// # Errors
/// When the document does not have the block exactly once.
pub fn splice(document: &str, name: &str, text: &str) -> Result<String> {
    let begin = format!("<!-- BEGIN: {name} -->");
    let end = format!("<!-- END: {name} -->");
    let (Some((before, rest)), 1) = (document.split_once(&begin), document.matches(&begin).count())
    else {
        bail!("`{begin}` must stand in it once");
    };
    let Some((_, after)) = rest.split_once(&end) else {
        bail!("`{begin}` has no `{end}` after it");
    };
    Ok(format!("{before}{begin}\n{}\n{end}{after}", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::splice;

    #[test]
    fn only_the_block_changes_and_twice_is_once() {
        let document = "a\n<!-- BEGIN: t -->\nold\n<!-- END: t -->\nb\n";
        let once = splice(document, "t", "new\n").unwrap();
        assert_eq!(once, "a\n<!-- BEGIN: t -->\nnew\n<!-- END: t -->\nb\n");
        assert_eq!(splice(&once, "t", "new\n").unwrap(), once);
        assert!(splice(document, "u", "").is_err());
        assert!(splice(&document.repeat(2), "t", "").is_err());
        assert!(splice("<!-- BEGIN: t -->", "t", "").is_err());
    }
}
