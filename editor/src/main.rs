//! The program `trackwright`: hands its arguments, streams and surroundings to the command line.

use editor::cli::{self, Context, Streams};
use include_dir::{Dir, include_dir};
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// The games as they were when the program was built.
static GAMES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../games");

fn main() -> ExitCode {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let context = Context {
        folder: std::env::current_dir().unwrap_or_else(|_| ".".into()),
        user_folder: user_folder(),
        executable: std::env::current_exe().ok(),
        called: called(),
        shipped: Some(&GAMES),
        out_color: io::stdout().is_terminal() && !plain,
        err_color: io::stderr().is_terminal() && !plain,
        out_terminal: io::stdout().is_terminal(),
        err_terminal: io::stderr().is_terminal(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        display: has_display(),
        interrupts: Some(interrupts),
    };
    // Not locked: a command may read and write on several threads.
    let mut streams = Streams {
        input: &mut io::BufReader::new(io::stdin()),
        out: &mut io::LineWriter::new(io::stdout()),
        err: &mut io::stderr(),
    };
    ExitCode::from(cli::run(
        std::env::args_os().skip(1),
        &context,
        &mut streams,
    ))
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

/// Listens for Ctrl-C: the first one is told to whoever is at work, the second one ends the program.
fn interrupts() -> &'static AtomicBool {
    static PRESSED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    PRESSED.get_or_init(|| {
        let pressed = Arc::new(AtomicBool::new(false));
        // In this order: what ends the program looks whether it was pressed before. Where nobody can listen, the first one ends it.
        let _ = flag::register_conditional_shutdown(SIGINT, 130, pressed.clone());
        let _ = flag::register(SIGINT, pressed.clone());
        pressed
    })
}

/// Whether a window can be opened: elsewhere than on Unix there is always a display.
fn has_display() -> bool {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let unix = cfg!(all(unix, not(target_os = "macos")));
    !unix || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

/// Where a user's own data lies on this system.
fn user_folder() -> Option<std::path::PathBuf> {
    let variable = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(std::path::PathBuf::from)
    };
    let home = || variable("HOME");
    let folder = if cfg!(windows) {
        variable("APPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| home().map(|home| home.join(".local/share")))
    };
    folder.map(|folder| folder.join("trackwright"))
}
