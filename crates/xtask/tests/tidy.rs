//! The workspace keeps its own house rules.

#[test]
fn the_workspace_is_tidy() {
    let faults = xtask::tidy::check(&xtask::root()).unwrap();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
