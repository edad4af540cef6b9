//! What `docs/formats.md` says of the files that are written is so: nothing else is written, and all of it is.

use editor::cli::Context;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tests::call::call;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The part of the page below a heading.
fn section(heading: &str) -> String {
    let page = fs::read_to_string(root().join("docs/formats.md")).expect("docs/formats.md");
    let (_, rest) = page.split_once(heading).expect("the heading is there");
    rest.split("\n## ").next().unwrap_or_default().to_owned()
}

/// Words between backticks in the first column of a section's table.
fn listed(section: &str) -> BTreeSet<String> {
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let heads = rows.filter_map(|row| row.split(" | ").next());
    let words = heads.flat_map(|head| head.split('`').skip(1).step_by(2));
    words.map(str::to_owned).collect()
}

/// Runs a call with the games of the suite in a folder of its own; what was written into the file.
fn written(arguments: &str, file: &str) -> String {
    let home = tempfile::tempdir().expect("a folder");
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/cli/_games");
    let context = Context {
        folder: home.path().to_path_buf(),
        threads: 1,
        ..Context::default()
    };
    let games = games.display().to_string();
    let words = ["--games", &games].into_iter().chain(arguments.split(' '));
    let told = call(words, &context, "");
    assert_eq!(told.exit, 0, "{}", told.err);
    fs::read_to_string(home.path().join(file)).expect("it is written")
}

/// The same numbers in each way they are written.
const CALL: &str = "simulate stones --games 30 --players 2 --with many --set most_taken=2";

/// Reads JSON and notes the paths of all keys, as the page writes them: `seats[].seat`.
struct Keys<'t> {
    text: &'t [u8],
    at: usize,
    found: BTreeSet<String>,
}

impl Keys<'_> {
    fn of(text: &str) -> BTreeSet<String> {
        let mut keys = Keys {
            text: text.as_bytes(),
            at: 0,
            found: BTreeSet::new(),
        };
        keys.value("");
        keys.found
    }

    fn next(&mut self) -> u8 {
        while self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.text[self.at]
    }

    fn value(&mut self, path: &str) {
        match self.next() {
            b'{' => self.entries(b'}', |keys| {
                let key = keys.string();
                assert_eq!(keys.next(), b':');
                keys.at += 1;
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{key}");
                keys.found.insert(path.clone());
                keys.value(&path);
            }),
            b'[' => {
                let path = format!("{path}[]");
                self.entries(b']', |keys| {
                    keys.found.insert(path.clone());
                    keys.value(&path);
                });
            }
            b'"' => {
                self.string();
            }
            _ => {
                while !b",}]".contains(&self.text[self.at]) {
                    self.at += 1;
                }
            }
        }
    }

    fn entries(&mut self, close: u8, mut entry: impl FnMut(&mut Self)) {
        self.at += 1;
        while self.next() != close {
            entry(self);
            if self.next() == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
    }

    fn string(&mut self) -> String {
        assert_eq!(self.next(), b'"');
        let start = self.at + 1;
        self.at = start;
        while self.text[self.at] != b'"' {
            self.at += 1 + usize::from(self.text[self.at] == b'\\');
        }
        self.at += 1;
        String::from_utf8_lossy(&self.text[start..self.at - 1]).into_owned()
    }
}

#[test]
fn the_page_lists_each_key_of_the_json() {
    let page = section("## `simulate --json FILE`");
    let known = listed(&page);
    // What stands below these has its names from the game, or is told once for all.
    let told_once = [
        "score",
        "lines",
        "turns",
        "answers",
        "closest",
        "most_one_sided",
    ];
    let text = written(&format!("{CALL} --json all.json"), "all.json");
    for path in Keys::of(&text) {
        let below = told_once.iter().find(|key| {
            let key = format!("{key}.");
            path.starts_with(&key) || path.contains(&format!("].{key}"))
        });
        let of_the_game = path.starts_with("options.")
            || path.starts_with("seats[].lines.") && path.matches('.').count() == 2;
        let last = path.rsplit('.').next().unwrap_or_default();
        let on_the_page = match below {
            Some(_) => page.contains(&format!("`{last}`")),
            None => known.iter().any(|known| {
                let rest = known.strip_prefix(path.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
            }),
        };
        assert!(of_the_game || on_the_page, "`{path}` is not on the page");
    }
    let keys = Keys::of(&text);
    let lacking = known.iter().filter(|key| !keys.contains(*key));
    let lacking: Vec<&String> = lacking.collect();
    // Lists that are empty here.
    let empty = |key: &&String| {
        let often = ["never_", "links[", "shortest", "longest"];
        often.iter().any(|one| key.starts_with(one))
    };
    assert!(lacking.iter().all(empty), "{lacking:?} are not written");
}

/// Keys of an object that are on the page, as written or below one that is told once.
fn are_listed(heading: &str, text: &str, told_once: &[&str]) {
    let known = listed(&section(heading));
    for path in Keys::of(text) {
        let path = path.strip_prefix("[].").unwrap_or(&path).to_owned();
        let below = told_once.iter().any(|key| {
            let mut parts = path.split('.').map(|part| part.trim_end_matches("[]"));
            parts.any(|part| part == *key)
        });
        let mut known = known.iter();
        let leads_to = |known: &String| {
            let rest = known.strip_prefix(path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        };
        assert!(
            path == "[]" || below || known.any(leads_to),
            "`{path}` is not on the page"
        );
    }
}

#[test]
fn the_page_lists_each_key_of_a_comparison() {
    let call = "compare stones many --games 20 --players 2 --json all.json --csv all.csv";
    let told_once = ["first", "second", "difference"];
    are_listed(
        "## `compare --json FILE`",
        &written(call, "all.json"),
        &told_once,
    );
    let table = written(call, "all.csv");
    let head = table.lines().next().unwrap_or_default();
    assert!(
        section("## `compare --json FILE`").contains(&format!("`{head}`")),
        "{head}"
    );
}

#[test]
fn the_page_lists_each_figure() {
    let page = listed(&section("## Figures"));
    let call = "simulate stones --games 3 --players 2 --games-csv games.csv";
    let rows = written(call, "games.csv");
    let head = rows.lines().next().unwrap_or_default();
    for name in head.split(',').skip(2) {
        let plain = name.trim_matches('"');
        let general = match plain.split('.').collect::<Vec<_>>()[..] {
            ["wins", _] => "wins.A",
            ["score", _] => "score.A",
            ["score", _, _] => "score.A.LINE",
            ["end", ..] => "end.HOW",
            ["done", ..] => "done.NAME",
            _ => plain,
        };
        assert!(page.contains(general), "`{name}` is not on the page");
    }
}

#[test]
fn the_page_lists_each_key_of_a_count() {
    let known = listed(&section("## `count --json FILE`"));
    let call = "count stones --players 2 --depth 2 --distinct --with many --set most_taken=1";
    let keys = Keys::of(&written(&format!("{call} --json all.json"), "all.json"));
    let is_known = |path: &&String| {
        let mut known = known.iter();
        let leads_to = |known: &String| {
            let rest = known.strip_prefix(path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        };
        path.starts_with("options.") || known.any(leads_to)
    };
    let unknown: Vec<&String> = keys.iter().filter(|path| !is_known(path)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are not on the page");
    let lacking: Vec<&String> = known.iter().filter(|key| !keys.contains(*key)).collect();
    assert!(lacking.is_empty(), "{lacking:?} are not written");
}

#[test]
fn the_page_lists_each_row_of_the_table() {
    let page = section("## `simulate --csv FILE`");
    let table = written(&format!("{CALL} --csv all.csv"), "all.csv");
    let mut lines = table.lines();
    let head = lines.next().expect("a head");
    assert!(page.contains(&format!("`{head}`")), "{head}");
    let kinds: BTreeSet<String> = lines
        .map(|line| line.split(',').next().unwrap_or_default().to_owned())
        .collect();
    let mut known = listed(&page);
    assert!(known.remove("item") || kinds.contains("item"));
    assert_eq!(
        kinds
            .iter()
            .filter(|kind| *kind != "item")
            .cloned()
            .collect::<BTreeSet<_>>(),
        known
    );
    for line in table.lines() {
        assert_eq!(line.split(',').count(), head.split(',').count(), "{line}");
    }
}

#[test]
fn the_page_lists_each_line_of_a_recorded_game() {
    let page = section("## Recorded games");
    let text = written(
        "simulate stones --games 1 --players 2 --with many --set most_taken=2 --keep one.replay",
        "one.replay",
    );
    let seat = |word: &str| word.len() == 2 && word.ends_with(':');
    let kinds: BTreeSet<String> = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("trackwright"))
        .filter_map(|line| line.split(' ').next())
        .map(|word| {
            if seat(word) {
                "A:".into()
            } else {
                word.to_owned()
            }
        })
        .collect();
    let known = listed(&page);
    let first = text.lines().next().unwrap_or_default();
    assert!(known.contains(first), "{first}");
    for kind in &kinds {
        assert!(known.contains(kind), "`{kind}` is not on the page");
    }
    // The example is one, but that its game is no game.
    let example = page.split("```").nth(1).unwrap_or_default();
    interpreter::replay::parse(example.trim_start()).expect("the example can be read");
}
