//! The strict reader against JSONTestSuite: `y_` accepted, `n_` refused, `i_` answered somehow.

use samecall_call::json::{Dialect, parse_bytes};
use std::fs;
use std::path::PathBuf;

#[test]
fn accepts_and_refuses_what_the_suite_says() {
    let shared = std::env::var_os("SAMECALL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = shared.join("vectors/jsontestsuite/test_parsing");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: {} not found", folder.display());
        return;
    };
    let mut counts = [0; 3];
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&path).unwrap();
        for dialect in [Dialect::Strict, Dialect::Python] {
            let read = parse_bytes(&bytes, dialect);
            match name.as_bytes()[0] {
                b'y' => assert!(read.is_ok(), "{name}: {:?}", read.err()),
                // Python's reader takes NaN and its like, which the suite lists as errors.
                b'n' if dialect == Dialect::Strict => assert!(read.is_err(), "{name}"),
                _ => {}
            }
        }
        counts[match name.as_bytes()[0] {
            b'y' => 0,
            b'n' => 1,
            _ => 2,
        }] += 1;
    }
    println!("{} y_, {} n_ and {} i_ files", counts[0], counts[1], counts[2]);
    assert!(counts.iter().all(|&n| n > 20), "{counts:?}");
}
