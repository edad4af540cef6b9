//! Whether worked cases can fail: of everything the shipped cases expect the contrary is tried, and must not pass.

use editor::cli::{Context, Streams, run};
use std::path::Path;

#[test]
fn the_contrary_of_everything_expected_fails() {
    let context = Context {
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        threads: 2,
        ..Context::default()
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut input: &[u8] = &[];
    let mut streams = Streams {
        input: &mut input,
        out: &mut out,
        err: &mut err,
    };
    let exit = run(["test", "--negate"], &context, &mut streams);
    let said = String::from_utf8_lossy(&out);
    assert_eq!(exit, 0, "{said}");
    let line = said.lines().find(|line| line.contains("the contrary"));
    let count: String = line
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    assert!(count.parse().unwrap_or(0) >= 1_900, "{line:?}");
}
