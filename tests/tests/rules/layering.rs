//! What ARCHITECTURE.md promises of the workspace, read from its files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(dir: &Path, ending: &str, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, ending, out);
        } else if path.extension().is_some_and(|e| e == ending) {
            out.push(path);
        }
    }
}

/// The workspace's own crates that `crate_name` depends on, except in tests.
fn dependencies(crate_name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(crate_name).join("Cargo.toml")).expect("a manifest");
    let table: toml::Table = text.parse().expect("a manifest is TOML");
    let names = table["dependencies"]
        .as_table()
        .expect("dependencies")
        .keys();
    let own = ["dsl", "interpreter", "editor", "tests"];
    names
        .filter(|name| own.contains(&name.as_str()))
        .cloned()
        .collect()
}

#[test]
fn crates_depend_in_one_direction() {
    let set = |names: &[&str]| {
        names
            .iter()
            .map(|n| (*n).to_owned())
            .collect::<BTreeSet<String>>()
    };
    assert_eq!(dependencies("dsl"), set(&[]));
    assert_eq!(dependencies("interpreter"), set(&["dsl"]));
    assert_eq!(dependencies("editor"), set(&["dsl", "interpreter"]));
    let python = dependencies("interpreter/python");
    assert_eq!(python, set(&["dsl", "interpreter", "editor"]));
}

#[test]
fn only_the_network_module_names_petgraph_and_only_the_parser_names_pest() {
    let mut sources = Vec::new();
    for dir in ["dsl/src", "interpreter/src", "editor/src"] {
        files(&root().join(dir), "rs", &mut sources);
    }
    for path in sources {
        let text = fs::read_to_string(&path).expect("a source");
        let place = path.display().to_string();
        let code: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        let names = |word: &str| code.iter().any(|line| line.contains(word));
        if names("petgraph") {
            assert!(
                place.contains("interpreter/src/network/"),
                "{place} names petgraph"
            );
        }
        if names("pest::") || names("pest_derive") {
            assert!(place.contains("dsl/src/syntax/"), "{place} names pest");
        }
    }
}

/// Folder names of games, their families and overlays, and their titles: none stands in the product's Rust.
#[test]
fn rust_knows_no_game() {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(root().join("games")).expect("games").flatten() {
        let Ok(text) = fs::read_to_string(entry.path().join("game.toml")) else {
            continue;
        };
        names.insert(entry.file_name().to_string_lossy().into_owned());
        let table: toml::Table = text.parse().expect("a manifest is TOML");
        for section in ["game", "family"] {
            let title = table
                .get(section)
                .and_then(|s| s.get("title"))
                .and_then(|t| t.as_str());
            names.extend(title.map(str::to_owned));
        }
    }
    // A yardstick of everybody's and a word of the language's own reference, what places with six sides are called, and what
    // is of any game.
    for word in ["chess", "Chess", "hex", "Hex", "any", "Any game"] {
        names.remove(word);
    }
    let mut sources = Vec::new();
    for dir in [
        "dsl/src",
        "interpreter/src",
        "interpreter/python/src",
        "editor/src",
    ] {
        files(&root().join(dir), "rs", &mut sources);
        files(&root().join(dir), "pest", &mut sources);
    }
    assert!(sources.len() > 50 && names.len() > 5);
    for path in sources {
        let text = fs::read_to_string(&path).expect("a source");
        for name in &names {
            assert!(
                !text.contains(name.as_str()),
                "{} names {name}",
                path.display()
            );
        }
    }
}

#[test]
fn no_unsafe_code_outside_the_test_allocator() {
    let mut sources = Vec::new();
    for dir in ["dsl", "interpreter", "editor", "tests"] {
        files(&root().join(dir), "rs", &mut sources);
    }
    for path in sources {
        let text = fs::read_to_string(&path).expect("a source");
        let allowed = path.ends_with("tests/src/counting.rs")
            || path.ends_with("tests/tests/rules/layering.rs");
        let has = text
            .lines()
            .any(|l| !l.trim_start().starts_with("//") && l.contains("unsafe "));
        assert!(allowed || !has, "{} has unsafe code", path.display());
    }
}

/// Lines that are no comments, each with its number.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Inside the interpreter: the flat form knows only of networks, what is known of it only of itself and those.
#[test]
fn the_program_and_its_facts_know_nothing_of_the_floors_above() {
    let floors = [
        ("program", vec!["bounds", "network", "program"]),
        ("facts", vec!["facts", "network", "program"]),
        ("network", vec!["bounds", "network"]),
    ];
    for (floor, below) in floors {
        let mut sources = Vec::new();
        let dir = root().join("interpreter/src").join(floor);
        files(&dir, "rs", &mut sources);
        assert!(!sources.is_empty(), "{floor} is not there");
        for path in sources {
            let text = fs::read_to_string(&path).expect("a source");
            for (at, line) in code_lines(&text) {
                for named in line.split("crate::").skip(1) {
                    let name: String = named
                        .chars()
                        .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                        .collect();
                    assert!(
                        below.contains(&name.as_str()),
                        "{}:{} names crate::{name}",
                        path.display(),
                        at + 1
                    );
                }
            }
        }
    }
}

const FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 80;

/// Functions that are one `match` over all constructs or one list of fields, and a few searches whose parts share everything.
const LONG_FUNCTIONS: [&str; 21] = [
    "bare",
    "expr_node",
    "fails",
    "find",
    "made",
    "networks",
    "new",
    "node",
    "of",
    "offer_parts",
    "op",
    "put",
    "reads",
    "run_to",
    "search",
    "statement",
    "taken_apart",
    "value_of",
    "walk",
    "walk_expr",
    "writes",
];

#[test]
fn files_and_functions_of_the_interpreter_stay_small() {
    let mut sources = Vec::new();
    files(&root().join("interpreter/src"), "rs", &mut sources);
    for path in sources {
        let text = fs::read_to_string(&path).expect("a source");
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.len() <= FILE_LINES_MAX,
            "{} has {} lines: which subject in it deserves a file of its own?",
            path.display(),
            lines.len()
        );
        for (at, line) in lines.iter().enumerate() {
            let code = line.trim_start();
            let indent = line.len() - code.len();
            let Some((_, rest)) = code.split_once("fn ").filter(|(before, _)| {
                before
                    .split_whitespace()
                    .all(|word| word == "const" || word.starts_with("pub"))
            }) else {
                continue;
            };
            let end = format!("{}}}", &line[..indent]);
            let length = lines[at..].iter().position(|line| *line == end);
            let one_line = line.ends_with('}');
            let length = if one_line { 0 } else { length.unwrap_or(0) + 1 };
            let name = rest.split(['(', '<']).next().unwrap_or(rest);
            assert!(
                length <= FUNCTION_LINES_MAX || LONG_FUNCTIONS.contains(&name),
                "{}:{}: {name} has {length} lines",
                path.display(),
                at + 1
            );
        }
    }
}
