//! What a process knows of the world around it.

use crate::cli::{self, Context, Streams};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// As this process finds it. Which program it is, and which games came with it, its caller knows.
pub fn here() -> Context {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    Context {
        folder: std::env::current_dir().unwrap_or_else(|_| ".".into()),
        user_folder: user_folder(),
        executable: None,
        called: None,
        shipped: None,
        out_color: io::stdout().is_terminal() && !plain,
        err_color: io::stderr().is_terminal() && !plain,
        out_terminal: io::stdout().is_terminal(),
        err_terminal: io::stderr().is_terminal(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        display: has_display(),
        interrupts: Some(interrupts),
    }
}

/// Runs one command on the streams of this process; `arguments` come without the program's name. The result is the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>, context: &Context) -> u8 {
    // Not locked: a command may read and write on several threads.
    let mut streams = Streams {
        input: &mut io::BufReader::new(io::stdin()),
        out: &mut io::LineWriter::new(io::stdout()),
        err: &mut io::stderr(),
    };
    cli::run(arguments, context, &mut streams)
}

/// Listens for Ctrl-C, and for being asked to end, as batch systems do: the first time it is told to whoever is at work, the second
/// time the program ends.
fn interrupts() -> &'static AtomicBool {
    static PRESSED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    PRESSED.get_or_init(|| {
        let pressed = Arc::new(AtomicBool::new(false));
        // In this order: what ends the program looks whether it was pressed before. Where nobody can listen, the first one ends it.
        for (signal, code) in [(SIGINT, 130), (SIGTERM, 143)] {
            let _ = flag::register_conditional_shutdown(signal, code, pressed.clone());
            let _ = flag::register(signal, pressed.clone());
        }
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
