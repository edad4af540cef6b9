//! What only a process shows: signals, devices, pipes.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const RULES: &str = "player.points: 0..1000\n\
    action take(choose n in 1..3): points += n\n\
    flow\n  turn: repeat 50\n    each player\n      take\n\
    score\n  taken = points\nwin by score\n";

/// A folder with one small game.
fn folder() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let game = home.path().join("games/heap");
    fs::create_dir_all(game.join("rules")).expect("it can be written");
    let manifest = "[game]\nid = \"heap\"\ntitle = \"Heap\"\nplayers = [2, 2]\nrules = [\"rules/heap.rules\"]\n";
    fs::write(game.join("game.toml"), manifest).expect("it can be written");
    fs::write(game.join("rules/heap.rules"), RULES).expect("it can be written");
    home
}

fn trackwright(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trackwright"));
    command.current_dir(folder).args(arguments);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn simulate(folder: &Path, json: &str) -> Output {
    let arguments = ["simulate", "heap", "--games", "3", "--json", json];
    let done = trackwright(folder, &arguments).output();
    done.expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a call until somebody presses Ctrl-C, which is not before it has played some games.
fn interrupted(folder: &Path, arguments: &[&str]) -> Output {
    let mut seconds = 1;
    loop {
        let child = trackwright(folder, arguments).spawn().expect("it runs");
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        let pid = child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &pid]).status();
        assert!(killed.expect("there is `kill`").success());
        let done = child.wait_with_output().expect("it ends");
        let early = done.status.code().is_none() || text(&done.stdout).contains("after 0 games");
        if !early || seconds > 60 {
            return done;
        }
        seconds *= 2;
    }
}

#[test]
fn ctrl_c_shows_what_was_played() {
    let home = folder();
    let many = "100000000";
    let done = interrupted(
        home.path(),
        &["simulate", "heap", "--games", many, "--json", "o.json"],
    );
    let out = text(&done.stdout);
    assert_eq!(done.status.code(), Some(130), "{out}{}", text(&done.stderr));
    assert!(out.starts_with("Heap: interrupted after "), "{out}");
    assert!(
        out.contains("of 100,000,000 of 2 players: what follows is not complete"),
        "{out}"
    );
    assert!(out.contains("mean score"), "{out}");
    let json = fs::read_to_string(home.path().join("o.json")).expect("it is written");
    assert!(json.contains("\"games_asked\":100000000"), "{json}");
    let done = interrupted(home.path(), &["coverage", "heap", "--games", many]);
    let out = text(&done.stdout);
    assert_eq!(done.status.code(), Some(130), "{out}");
    assert!(
        out.starts_with("Heap: interrupted after ") && out.contains("statements"),
        "{out}"
    );
}

#[test]
fn what_stands_there_stays_what_it_is() {
    let home = folder();
    let at = |name: &str| home.path().join(name);
    // A link is followed.
    fs::write(at("target.json"), "old").expect("it can be written");
    std::os::unix::fs::symlink("target.json", at("link.json")).expect("a link");
    assert!(simulate(home.path(), "link.json").status.success());
    assert!(at("link.json").is_symlink());
    assert!(fs::read_to_string(at("target.json")).is_ok_and(|text| text.starts_with('{')));
    std::os::unix::fs::symlink("new.json", at("nowhere.json")).expect("a link");
    assert!(simulate(home.path(), "nowhere.json").status.success());
    assert!(at("nowhere.json").is_symlink() && at("new.json").is_file());
    // What may only be read stays as it is, whoever asks.
    fs::write(at("read-only.json"), "old").expect("it can be written");
    let only_read = fs::Permissions::from_mode(0o444);
    fs::set_permissions(at("read-only.json"), only_read).expect("they can be set");
    let refused = simulate(home.path(), "read-only.json");
    assert_eq!(refused.status.code(), Some(2));
    let told = text(&refused.stderr);
    assert!(
        told.contains("`read-only.json` cannot be written: it may only be read"),
        "{told}"
    );
    assert_eq!(
        fs::read_to_string(at("read-only.json")).unwrap_or_default(),
        "old"
    );
    // A pipe is written to.
    let made = Command::new("mkfifo").arg(at("pipe")).status();
    assert!(made.expect("there is `mkfifo`").success());
    let pipe = at("pipe");
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap_or_default());
    assert!(simulate(home.path(), "pipe").status.success());
    assert!(reader.join().is_ok_and(|text| text.starts_with('{')));
    let kind = fs::symlink_metadata(at("pipe")).map(|data| data.file_type());
    assert!(kind.is_ok_and(|kind| kind.is_fifo()));
    // So is a device, also one that is full.
    assert!(simulate(home.path(), "/dev/null").status.success());
    let full = simulate(home.path(), "/dev/full");
    assert_eq!(full.status.code(), Some(2), "{}", text(&full.stderr));
    for device in ["/dev/null", "/dev/full"] {
        let kind = fs::symlink_metadata(device).map(|data| data.file_type());
        assert!(kind.is_ok_and(|kind| kind.is_char_device()), "{device}");
    }
    // The standard output has the numbers alone.
    for name in ["-", "/dev/stdout"] {
        let done = simulate(home.path(), name);
        let out = text(&done.stdout);
        assert!(out.contains("\"game\":\"heap\""), "{name}: {out}");
        assert_eq!(name == "-", out.starts_with('{'));
    }
    // Where it leads to is up to who runs this, and may be a file.
    assert!(!at("-").exists() && at("/dev/stdout").is_symlink());
}

#[test]
fn what_a_killed_writing_left_is_swept_away() {
    let home = folder();
    let left = home.path().join(".trackwright-abc123.part");
    fs::write(&left, "half").expect("it can be written");
    // Somebody is writing this one.
    let busy = home.path().join(".trackwright-xyz789.part");
    let held = fs::File::create(&busy).expect("it can be written");
    held.try_lock().expect("nobody else has it");
    assert!(simulate(home.path(), "new.json").status.success());
    assert!(!left.exists() && busy.exists());
}

#[test]
fn of_too_many_files_nothing_else_is_told() {
    let home = folder();
    let lists = home.path().join("games/heap/components");
    fs::create_dir_all(&lists).expect("it can be written");
    for number in 0..4_000 {
        fs::write(lists.join(format!("{number}.toml")), "").expect("it can be written");
    }
    for arguments in [
        &["check", "heap"][..],
        &["simulate", "heap", "--games", "1"],
    ] {
        let done = trackwright(home.path(), arguments)
            .output()
            .expect("it runs");
        let told = text(&done.stdout) + &text(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{told}");
        assert_eq!(told.matches("error[").count(), 1, "{told}");
        assert!(told.contains("error[too-many-files]"), "{told}");
        assert!(told.contains("games/heap/game.toml:1:1"), "{told}");
    }
}

/// `trackwright … --json FILE | head`
#[test]
fn who_reads_no_further_still_gets_the_file() {
    let home = folder();
    let arguments = ["simulate", "heap", "--games", "3", "--json", "kept.json"];
    let mut child = trackwright(home.path(), &arguments)
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    drop(child.stderr.take());
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{status}");
    let kept = fs::read_to_string(home.path().join("kept.json")).expect("it was written");
    assert!(kept.trim_end().ends_with('}'), "{kept}");
}
