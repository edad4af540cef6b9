//! The language server in a real editor, Neovim without a display. Left out, with a word, where there is no Neovim.

use std::fs;
use std::process::{Command, Stdio};

const RULES: &str = "## What somebody has taken.\n\
    player.points: 0..1000\n\
    action take(choose n in 1..3)\n  # 🚂\n  points += n\n\
    flow\n  turn: repeat 50\n    each player\n      take\n\
    score\n  taken = points\nwin by score\n";

#[test]
fn neovim_shows_mends_renames_and_formats() {
    if Command::new("nvim").arg("--version").output().is_err() {
        println!("skipped: there is no `nvim`");
        return;
    }
    let home = tempfile::tempdir().expect("a folder");
    let game = home.path().join("games/heap");
    fs::create_dir_all(game.join("rules")).expect("it can be written");
    let manifest = "[game]\nid = \"heap\"\ntitle = \"Heap\"\nplayers = [2, 2]\nrules = [\"rules/heap.rules\"]\n";
    fs::write(game.join("game.toml"), manifest).expect("it can be written");
    let rules = game.join("rules/heap.rules");
    fs::write(&rules, RULES).expect("it can be written");
    let seen = home.path().join("seen");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/neovim.lua");
    let done = Command::new("nvim")
        .args(["--headless", "--clean", "-n", "-S", script])
        .current_dir(home.path())
        .env("TRACKWRIGHT", env!("CARGO_BIN_EXE_trackwright"))
        .env("RULES", &rules)
        .env("SEEN", &seen)
        .env("XDG_DATA_HOME", home.path())
        .env("XDG_STATE_HOME", home.path())
        .env("XDG_CACHE_HOME", home.path())
        .env("NVIM_LOG_FILE", home.path().join("log"))
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let seen = fs::read_to_string(&seen).unwrap_or_default();
    let wanted = "\
mistake unknown-name nothing is called `pionts` here
column 2 of pionts
action Write `points`
mended   points += n
hover ```trackwright player.points: 0..1000 ```  What somebody has taken.  - declared by `heap`, heap/rules/heap.rules:2:8
declared in line 2
renamed   taken = coins
formatted limit = 3
offers some
ended
";
    assert_eq!(seen, wanted, "{}", String::from_utf8_lossy(&done.stderr));
    // Nothing was saved.
    let now = fs::read_to_string(&rules).expect("it is there");
    assert_eq!(now, RULES);
}
