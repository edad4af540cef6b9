//! Whether worked cases can fail: of everything the shipped cases expect the contrary is tried, and must not pass.

use editor::cli::Context;
use std::path::Path;
use tests::call::call;

#[test]
fn the_contrary_of_everything_expected_fails() {
    let context = Context {
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        threads: 2,
        ..Context::default()
    };
    let told = call(["test", "--negate"], &context, "");
    let said = told.out;
    assert_eq!(told.exit, 0, "{said}");
    let line = said.lines().find(|line| line.contains("the contrary"));
    let count: String = line
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    assert!(count.parse().unwrap_or(0) >= 1_900, "{line:?}");
}
