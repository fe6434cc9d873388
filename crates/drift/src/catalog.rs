//! The tools that ship with samecall.

use samecall_call::Catalog;
use samecall_call::shape::Overlay;

const FILES: [(&str, &str); 8] = [
    ("corpus/tools/article.json", include_str!("../../../corpus/tools/article.json")),
    ("corpus/tools/calendar.json", include_str!("../../../corpus/tools/calendar.json")),
    ("corpus/tools/cloud.json", include_str!("../../../corpus/tools/cloud.json")),
    ("corpus/tools/crm.json", include_str!("../../../corpus/tools/crm.json")),
    ("corpus/tools/files.json", include_str!("../../../corpus/tools/files.json")),
    ("corpus/tools/messaging.json", include_str!("../../../corpus/tools/messaging.json")),
    ("corpus/tools/payments.json", include_str!("../../../corpus/tools/payments.json")),
    ("corpus/tools/support.json", include_str!("../../../corpus/tools/support.json")),
];

/// The catalog that serves where no other is given: the files of `corpus/tools`.
pub fn builtin_catalog() -> Catalog {
    builtin_catalog_with(Overlay::default())
}

/// The same catalog, read with the annotations of an overlay.
pub fn builtin_catalog_with(overlay: Overlay) -> Catalog {
    let mut catalog = Catalog::new(overlay);
    for (file, text) in FILES {
        // A test reads every file; one that could not be read would only lack its tools here.
        let read = catalog.read_str(file, text);
        debug_assert!(read.is_ok(), "{read:?}");
    }
    catalog
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read() {
        let mut catalog = Catalog::default();
        for (file, text) in FILES {
            catalog.read_str(file, text).unwrap_or_else(|e| panic!("{e}"));
        }
        assert!(catalog.len() >= 30, "{} tools", catalog.len());
    }
}
