//! The program in a real window on a virtual display. Left out, with a word, where there is no such display.
//!
//! Here and not beside the other tests, because only a package's own tests have its program built for them.
#![cfg(feature = "window")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program itself on a virtual display: it opens, is not blank, and closes when it is asked to.
#[test]
fn a_real_window_opens_and_closes() {
    for tool in ["Xvfb", "xdotool"] {
        if Command::new(tool).arg("--help").output().is_err() {
            println!("skipped: there is no `{tool}`");
            return;
        }
    }
    let home = tempfile::tempdir().expect("a folder");
    let number = format!(":{}", 2_000 + std::process::id() % 50_000);
    let display = Command::new("Xvfb")
        .args([
            &number,
            "-screen",
            "0",
            "1280x800x24",
            "-nolisten",
            "tcp",
            "-fbdir",
        ])
        .arg(home.path())
        .stderr(Stdio::null())
        .spawn()
        .expect("a virtual display");
    let _display = Ended(display);
    let program = Command::new(env!("CARGO_BIN_EXE_trackwright"))
        .arg("--games")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../games"))
        .env("DISPLAY", &number)
        .env_remove("WAYLAND_DISPLAY")
        .env("XDG_DATA_HOME", home.path())
        .env("XDG_RUNTIME_DIR", home.path())
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let mut program = Ended(program);
    let picture = home.path().join("Xvfb_screen0");
    let shown = within(WINDOW_TIME, || colours(&picture) > 20);
    assert!(shown, "the window stays blank");
    let asked = within(WINDOW_TIME, || {
        let mut keys = Command::new("xdotool");
        keys.env("DISPLAY", &number).args([
            "search",
            "--name",
            "trackwright",
            "windowfocus",
            "key",
            "ctrl+q",
        ]);
        let _ = keys.output();
        matches!(program.0.try_wait(), Ok(Some(_)))
    });
    assert!(asked, "the window does not close");
    let status = program.0.wait().expect("the program has ended");
    assert!(status.success(), "{status}");
}

/// How long a window may take to open, and to close.
const WINDOW_TIME: Duration = Duration::from_secs(60);

/// A process that is ended when the test is.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn within(time: Duration, mut done: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < time {
        if done() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    false
}

/// How many different colours a screen shows.
fn colours(picture: &Path) -> usize {
    let bytes = std::fs::read(picture).unwrap_or_default();
    // The pixels are the end of the file.
    let pixels = bytes.get(bytes.len().saturating_sub(1280 * 800 * 4)..);
    let pixels = pixels.unwrap_or_default().chunks_exact(4);
    pixels.collect::<BTreeSet<&[u8]>>().len()
}
