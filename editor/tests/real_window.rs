//! The program in a real window on a virtual display, used with a mouse. Left out, with a word, where there is no such display.
//!
//! Here and not beside the other tests, because only a package's own tests have its program built for them.
#![cfg(feature = "window")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const WIDTH: usize = 1280;
const HEIGHT: usize = 800;
/// How long a window may take to open, to show what was clicked, and to close.
const PATIENCE: Duration = Duration::from_secs(60);
/// What the window paints the buttons that begin a game with, in the light and in the dark theme: blue, green, red.
const PLAY_BUTTON: [[u8; 3]; 2] = [[0xea, 0xe3, 0xcf], [0x58, 0x4a, 0x25]];
/// The column in which the answers are listed, and the heights between which the first of them is.
const ANSWERS_AT: usize = 1_060;
const FIRST_ANSWER: std::ops::Range<usize> = 230..420;

/// It opens, a click begins a game, clicks answer, and it closes when it is asked to.
#[test]
fn a_real_window_opens_plays_and_closes() {
    for tool in ["Xvfb", "xdotool"] {
        if Command::new(tool).arg("--help").output().is_err() {
            println!("skipped: there is no `{tool}`");
            return;
        }
    }
    let home = tempfile::tempdir().expect("a folder");
    let screen = Screen::new(home.path());
    let program = Command::new(env!("CARGO_BIN_EXE_trackwright"))
        .arg("--games")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../games"))
        .env("DISPLAY", &screen.number)
        .env_remove("WAYLAND_DISPLAY")
        .env("XDG_DATA_HOME", home.path())
        .env("XDG_RUNTIME_DIR", home.path())
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let mut program = Ended(program);
    let shown = within(PATIENCE, || screen.find(&PLAY_BUTTON).is_some());
    assert!(shown, "the window stays blank");
    screen.keep("start");

    let play = screen.find(&PLAY_BUTTON).expect("a button to play");
    let start = screen.pixels();
    screen.click(play);
    // The first page is gone, and so many colours are a board.
    let opened = within(PATIENCE, || {
        let colours: BTreeSet<[u8; 3]> = screen.pixels().into_iter().collect();
        changed(&start, &screen.pixels()) > 0.2 && colours.len() > 20
    });
    assert!(opened, "the game does not open");
    screen.still();
    screen.keep("opened");

    for answer in ["first", "second"] {
        let mut heights = FIRST_ANSWER.step_by(10).cycle();
        let answered = within(PATIENCE, || {
            let before = screen.pixels();
            screen.click((ANSWERS_AT, heights.next().unwrap_or_default()));
            within(Duration::from_secs(2), || {
                changed(&before, &screen.pixels()) > 0.01
            })
        });
        assert!(answered, "the {answer} answer changes nothing");
        screen.still();
        screen.keep(answer);
    }

    let closed = within(PATIENCE, || {
        screen.mouse(&[
            "search",
            "--name",
            "trackwright",
            "windowfocus",
            "key",
            "ctrl+q",
        ]);
        matches!(program.0.try_wait(), Ok(Some(_)))
    });
    assert!(closed, "the window does not close");
    let status = program.0.wait().expect("the program has ended");
    assert!(status.success(), "{status}");
}

/// A virtual display with a mouse.
struct Screen {
    number: String,
    file: PathBuf,
    _server: Ended,
}

impl Screen {
    fn new(folder: &Path) -> Screen {
        let number = 2_000 + std::process::id() % 50_000;
        let socket = format!("/tmp/.X11-unix/X{number}");
        let number = format!(":{number}");
        let size = format!("{WIDTH}x{HEIGHT}x24");
        let server = Command::new("Xvfb")
            .args([&number, "-screen", "0", &size, "-nolisten", "tcp", "-fbdir"])
            .arg(folder)
            .stderr(Stdio::null())
            .spawn()
            .expect("a virtual display");
        let server = Ended(server);
        let listens = within(PATIENCE, || Path::new(&socket).exists());
        assert!(listens, "the virtual display does not start");
        Screen {
            number,
            file: folder.join("Xvfb_screen0"),
            _server: server,
        }
    }

    /// What is shown, row by row: blue, green, red. Empty as long as there is no screen.
    fn pixels(&self) -> Vec<[u8; 3]> {
        let bytes = std::fs::read(&self.file).unwrap_or_default();
        // The pixels are the end of the file.
        let pixels = bytes.get(bytes.len().saturating_sub(WIDTH * HEIGHT * 4)..);
        let pixels = pixels.unwrap_or_default().chunks_exact(4);
        pixels.map(|one| [one[0], one[1], one[2]]).collect()
    }

    /// The first place in one of these colours with more of it around.
    fn find(&self, colours: &[[u8; 3]]) -> Option<(usize, usize)> {
        let pixels = self.pixels();
        let fits = |at: usize| pixels.get(at).is_some_and(|one| colours.contains(one));
        let place = (0..pixels.len()).find(|at| {
            let right = at + 6;
            let below = at + 6 * WIDTH;
            fits(*at) && fits(right) && fits(below)
        })?;
        Some((place % WIDTH + 3, place / WIDTH + 3))
    }

    /// Waits until nothing moves any more.
    fn still(&self) {
        let mut before = self.pixels();
        within(PATIENCE, || {
            std::thread::sleep(Duration::from_millis(600));
            let now = self.pixels();
            let same = before == now;
            before = now;
            same
        });
    }

    fn click(&self, (x, y): (usize, usize)) {
        let (x, y) = (x.to_string(), y.to_string());
        self.mouse(&["mousemove", &x, &y]);
        self.mouse(&["click", "1"]);
    }

    fn mouse(&self, words: &[&str]) {
        let mut tool = Command::new("xdotool");
        let _ = tool.env("DISPLAY", &self.number).args(words).output();
    }

    /// Keeps what is shown in the folder that `SCREENS` names, if it does: a file that ImageMagick's `convert xwd:` reads.
    fn keep(&self, name: &str) {
        if let Some(folder) = std::env::var_os("SCREENS") {
            let file = Path::new(&folder).join(format!("{name}.xwd"));
            std::fs::copy(&self.file, file).expect("the picture can be written");
        }
    }
}

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

/// The share of pixels in which two pictures differ.
fn changed(before: &[[u8; 3]], after: &[[u8; 3]]) -> f64 {
    let pairs = before.iter().zip(after);
    let differ = pairs.filter(|(one, other)| one != other).count();
    differ as f64 / before.len().max(1) as f64
}
