//! PAWS-Wiki, where pairs of high word overlap mostly do not mean the same: third-party data beside the project.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use samecall_dedup::guard::Lexicon;
use samecall_dedup::semantic::calibrate::{calibrate, read_pairs};
use samecall_dedup::semantic::npy;

fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SAMECALL_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let path = root.join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} not found", path.display());
    None
}

#[test]
fn the_guard_keeps_its_bounds_on_pairs_of_high_overlap() {
    let (Some(pairs), Some(rows)) =
        (shared("text/paws_dev.tsv"), shared("text/paws_dev_minilm_f16.npy"))
    else {
        return;
    };
    let pairs = read_pairs(&mut BufReader::new(File::open(pairs).unwrap()), "pairs").unwrap();
    let vectors = npy::read(&mut BufReader::new(File::open(rows).unwrap()), "rows").unwrap();
    let found = calibrate(&pairs, &vectors, 0.95, 0.05, &Lexicon::default()).unwrap();
    for (level, r) in &found.levels {
        println!(
            "{level}: false merges {:.4} recall {:.4}",
            r.merged as f64 / r.negatives as f64,
            r.caught as f64 / r.positives as f64
        );
        if std::env::var_os("CAUSES").is_some() {
            println!("{:#?}", r.refused);
        }
    }
    let share = |level: &str| {
        let r = &found.levels[level];
        (r.merged as f64 / r.negatives as f64, r.caught as f64 / r.positives as f64)
    };
    assert!(share("off").0 > 0.7, "the pairs are hard: {:?}", share("off"));
    assert!(share("facts").0 <= 0.12 && share("facts").1 >= 0.40, "{:?}", share("facts"));
    assert!(share("strict").0 <= 0.03 && share("strict").1 >= 0.35, "{:?}", share("strict"));
}
