//! The page of mistakes: an example of each code, out of what the other tests expect. `UPDATE_EXPECT=1` writes it anew.

use dsl::diagnostic::render::render;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tests::case::Case;

const HEAD: &str = "# Mistakes, by their codes

Each message begins with what it is, `error` or `warning`, and a code. Here is an example of each code as `trackwright check` shows it: what is wrong, where, and behind `help` what mends it. In the window,
*manual* beside a problem leads here, and so does `F1` in a line that has one.
";

/// Lines that an example has at least: its message, and where it is.
const LEAST: usize = 4;

#[test]
fn each_code_has_its_example() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite");
    let mut files = Vec::new();
    texts(&suite, &mut files);
    files.sort();
    let mut examples: BTreeMap<String, String> = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let text = match file.extension().is_some_and(|ending| ending == "rules") {
            true => checked(&text),
            false => text,
        };
        for (code, example) in told(&text) {
            let better = |known: &String| (example.len(), &example) < (known.len(), known);
            match examples.get_mut(&code) {
                Some(known) if better(known) => *known = example,
                Some(_) => {}
                None => {
                    examples.insert(code, example);
                }
            }
        }
    }
    assert!(examples.len() > 80, "{} codes", examples.len());
    let mut page = HEAD.to_owned();
    for (code, example) in &examples {
        let _ = write!(page, "\n## {code}\n\n```text\n{example}\n```\n");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/mistakes.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/mistakes.md is another page (UPDATE_EXPECT=1 writes it)"
    );
}

fn texts(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts(&path, into);
        } else {
            let ending = path.extension().and_then(|ending| ending.to_str());
            // Small games, each with what is wrong with it.
            let is_case = folder.ends_with("suite/check") && ending == Some("rules");
            if is_case || ending == Some("txt") {
                into.push(path);
            }
        }
    }
}

/// What is wrong with a small game.
fn checked(text: &str) -> String {
    let (sources, selection) = Case::new(text).sources();
    let compiled = dsl::compile(&sources, "g", &selection);
    let shown = compiled.diagnostics.iter();
    let shown = shown.map(|one| render(&sources, one, false) + "\n\n");
    shown.collect()
}

/// The messages of a text, each with its code.
fn told(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let begin = ["error[", "warning["]
            .iter()
            .find_map(|begin| line.strip_prefix(begin));
        let Some(code) = begin.and_then(|rest| rest.split_once("]: ")) else {
            continue;
        };
        let mut example = vec![line];
        // Its other lines begin with a number, a bar or an arrow.
        let inner = |line: &&str| {
            let plain =
                line.trim_start_matches([' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
            ["|", "-->", ":::", "=", "..."]
                .iter()
                .any(|sign| plain.starts_with(sign))
        };
        while let Some(next) = lines.next_if(inner) {
            example.push(next);
        }
        let example: Vec<&str> = example.into_iter().map(str::trim_end).collect();
        if example.len() >= LEAST && code.0.chars().all(|c| c.is_ascii_lowercase() || c == '-') {
            all.push((code.0.to_owned(), example.join("\n")));
        }
    }
    all
}
