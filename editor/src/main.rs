//! The program `trackwright`: hands its arguments, streams and surroundings to the command line.

use editor::cli::Context;
use editor::surroundings;
use include_dir::{Dir, include_dir};
use std::process::ExitCode;

/// The games as they were when the program was built.
static GAMES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../games");

fn main() -> ExitCode {
    let context = Context {
        executable: std::env::current_exe().ok(),
        called: called(),
        shipped: Some(&GAMES),
        ..surroundings::here()
    };
    let arguments = std::env::args_os().skip(1);
    ExitCode::from(surroundings::run(arguments, &context))
}

/// How the program was started: through cargo, by a path, or by its name.
fn called() -> Option<String> {
    // Cargo tells what it runs who it is.
    if std::env::var_os("CARGO_MANIFEST_DIR").is_some() {
        return Some("cargo run --release --".to_owned());
    }
    let path = std::env::args().next()?;
    path.contains(['/', '\\']).then_some(path)
}
