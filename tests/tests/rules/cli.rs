//! The command line: each folder of `suite/cli` is a case. `cmd` holds the calls, `expected.txt` all that they wrote.
//! `UPDATE_EXPECT=1` rewrites what is expected.
//!
//! A case runs in a folder of its own with a copy of `_games` in `games` and of the case's `files` over it. In `cmd`, a line
//! is a call (`trackwright …`, words in quotes as a shell reads them), `< text` what is typed for the call before, lines parted
//! at `|`, or at `\r` for those that end in CR; `cat FILE` shows a file. `follow TEXT` runs the calls between backticks, and those
//! two blanks in, in the line that begins with the text, of what was said last: advice leads somewhere.

use editor::cli::Context;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tests::call::{call, words};

#[test]
fn every_case_says_what_it_should() {
    let suite = suite();
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    let cases = folders(&suite);
    assert!(cases.len() >= 30, "cases are lost");
    for case in cases {
        let said = play(&suite, &case);
        let expected = case.join("expected.txt");
        if update {
            fs::write(&expected, &said).expect("the suite can be written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{}:\n{said}", case.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "run with UPDATE_EXPECT=1 and look at the difference\n{}",
        wrong.join("\n")
    );
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/cli")
}

fn folders(suite: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(suite).expect("there is the suite");
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("cmd").is_file())
        .collect();
    folders.sort();
    folders
}

/// Runs the calls of a case one after the other.
fn play(suite: &Path, case: &Path) -> String {
    let home = tempfile::tempdir().expect("a folder for the case");
    let folder = home.path().canonicalize().expect("the folder is there");
    copy(&suite.join("_games"), &folder.join("games"));
    copy(&case.join("files"), &folder);
    let calls = fs::read_to_string(case.join("cmd")).expect("the case has calls");
    let mut lines = calls.lines().filter(|line| !line.is_empty()).peekable();
    let (mut said, mut last) = (String::new(), String::new());
    while let Some(line) = lines.next() {
        let typed = lines
            .next_if(|next| next.starts_with("< "))
            .map(|next| next[2..].replace('|', "\n").replace("\\r", "\r") + "\n");
        let _ = writeln!(said, "$ {line}");
        if let Some(file) = line.strip_prefix("cat ") {
            said +=
                &fs::read_to_string(folder.join(file)).unwrap_or_else(|error| format!("{error}\n"));
        } else if let Some(text) = line.strip_prefix("follow ") {
            let advice = last.lines().map(str::trim_start);
            let advice = advice.filter(|line| line.starts_with(text));
            let calls: Vec<String> = advice.flat_map(calls_in).collect();
            assert!(!calls.is_empty(), "{}: no advice `{text}`", case.display());
            for line in calls {
                let _ = writeln!(said, "$ {line}");
                said += &called(&folder, &line, "");
            }
        } else {
            last = called(&folder, line, &typed.unwrap_or_default());
            said += &last;
        }
    }
    said.replace(&*folder.to_string_lossy(), "[folder]")
}

/// The calls that a line advises.
fn calls_in(line: &str) -> Vec<String> {
    if line.starts_with("trackwright ") {
        return vec![line.to_owned()];
    }
    let quoted = line.split('`').skip(1).step_by(2);
    let calls = quoted.filter(|call| call.starts_with("trackwright "));
    calls.map(str::to_owned).collect()
}

/// One call: what it wrote, what it complained about, its exit code.
fn called(folder: &Path, line: &str, typed: &str) -> String {
    let context = Context {
        folder: folder.to_path_buf(),
        threads: 2,
        ..Context::default()
    };
    let words = words(line);
    let told = call(words.iter().skip(1).map(String::as_str), &context, typed);
    let mut said: String = told.out.lines().map(timeless).collect();
    if !told.err.is_empty() {
        said += "--- error stream\n";
        said.extend(told.err.lines().map(timeless));
    }
    let _ = writeln!(said, "--- exit {}\n", told.exit);
    said
}

/// How long it took is another thing each time.
fn timeless(line: &str) -> String {
    if line.ends_with(" games a second") || line.ends_with(" ways a second") {
        "[time]\n".to_owned()
    } else {
        format!("{line}\n")
    }
}

fn copy(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else {
        return;
    };
    fs::create_dir_all(to).expect("the case's folder can be written");
    for entry in entries.flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).expect("the case's files can be copied");
        }
    }
}

/// The numbers are the same on any number of threads.
#[test]
fn threads_change_no_number() {
    let suite = suite();
    let home = tempfile::tempdir().expect("a folder");
    copy(&suite.join("_games"), &home.path().join("games"));
    let contents = |threads: u32| {
        let line = format!(
            "trackwright simulate stones --games 200 --bots greedy,random --threads {threads} --csv numbers.csv"
        );
        let said = called(home.path(), &line, "");
        (
            said,
            fs::read_to_string(home.path().join("numbers.csv")).expect("the numbers are there"),
        )
    };
    let one = contents(1);
    assert!(one.1.lines().count() > 5);
    assert_eq!(one, contents(2));
    assert_eq!(one, contents(7));
    let counted = |threads: u32| {
        let line = format!(
            "trackwright count stones --players 3 --depth 3 --divide --distinct --threads {threads}"
        );
        called(home.path(), &line, "")
    };
    let one = counted(1);
    assert!(one.contains("3 turns"), "{one}");
    assert_eq!(one, counted(2));
    assert_eq!(one, counted(7));
}

/// A game is begun where somebody would look for it, whatever games there are beside the program and at home.
#[test]
fn a_game_is_begun_here_or_in_the_games_above() {
    // Games that lie above the folder of temporary files would be found.
    let places = [std::env::temp_dir(), "/var/tmp".into(), "/dev/shm".into()];
    let bare = |place: &&PathBuf| {
        let mut above = place.ancestors();
        place.is_dir() && !above.any(|folder| folder.join("games").is_dir())
    };
    let place = places.iter().find(bare).expect("a place without games");
    let home = tempfile::tempdir_in(place).expect("a folder for the case");
    let root = home.path().canonicalize().expect("the folder is there");
    let program = root.join("program");
    copy(&suite().join("_games"), &program.join("games"));
    let begin = |folder: &str, name: &str| {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).expect("the folder can be made");
        let context = Context {
            folder,
            executable: Some(program.join("trackwright")),
            user_folder: Some(root.join("home")),
            ..Context::default()
        };
        let told = call(["new", "game", name], &context, "");
        assert_eq!(told.exit, 0, "{}", told.err);
        told.out.lines().next().unwrap_or_default().to_owned()
    };
    let is_game = |path: &str| root.join(path).join("game.toml").is_file();

    // Nothing here or above.
    assert_eq!(begin("none", "first"), "games/first/game.toml");
    assert!(is_game("none/games/first"));
    // A folder further down finds it.
    assert!(begin("none/below", "second").ends_with("none/games/second/game.toml"));
    assert!(is_game("none/games/second"));
    // One that is empty, though games lie above.
    fs::create_dir_all(root.join("none/own/games")).expect("the folder can be made");
    assert_eq!(begin("none/own", "third"), "games/third/game.toml");
    assert!(is_game("none/own/games/third"));
    // From within the folder of games.
    begin("none/own/games", "fourth");
    assert!(is_game("none/own/games/fourth"));
    // Neither beside the program nor at home.
    assert!(!is_game("program/games/first") && !root.join("home").exists());
}

/// Who presses Ctrl-C gets what was played until then, in the files too.
#[test]
fn what_was_played_before_an_interruption_is_told() {
    static PRESSED: AtomicBool = AtomicBool::new(false);
    let suite = suite();
    let home = tempfile::tempdir().expect("a folder");
    copy(&suite.join("_games"), &home.path().join("games"));
    let context = Context {
        folder: home.path().to_path_buf(),
        threads: 2,
        interrupts: Some(|| &PRESSED),
        ..Context::default()
    };
    let arguments = "simulate stones --games 100000000 --json numbers.json";
    let told = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            PRESSED.store(true, Ordering::Relaxed);
        });
        call(arguments.split(' '), &context, "")
    });
    let said = told.out;
    assert_eq!(told.exit, 130, "{said}");
    assert!(said.contains("interrupted after "), "{said}");
    assert!(said.contains("of 100,000,000 of"), "{said}");
    let json = fs::read_to_string(home.path().join("numbers.json")).expect("numbers");
    assert!(json.contains("100000000"), "{json}");
}
