//! What the documents say of the games' files is so. `UPDATE_EXPECT=1` rewrites it.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every `` `declaration` file:line (lines) `` of the page, and the sums of its rows.
#[test]
fn litmus_rules_stand_where_the_page_says() {
    let path = root().join("docs/litmus.md");
    let page = fs::read_to_string(&path).expect("docs/litmus.md");
    let mut current: String = page.lines().map(|line| row(line) + "\n").collect();
    if !page.ends_with('\n') {
        current.pop();
    }
    if page == current {
        return;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, current).expect("docs/litmus.md can be written");
        return;
    }
    let stale = page
        .lines()
        .zip(current.lines())
        .find(|(old, new)| old != new);
    let (old, new) = stale.unwrap_or_default();
    panic!(
        "docs/litmus.md is stale (UPDATE_EXPECT=1 rewrites it)\n  it says {old}\n  it is   {new}"
    );
}

/// A row of a table with its places as they are now; any other line stays.
fn row(line: &str) -> String {
    let cells: Vec<&str> = line.split(" | ").collect();
    let [rule, places, _] = cells.as_slice() else {
        return line.to_owned();
    };
    let found: Option<Vec<(String, usize)>> = places.split("; ").map(place).collect();
    let Some(found) = found else {
        return line.to_owned();
    };
    let places: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
    let sum: usize = found.iter().map(|(_, lines)| lines).sum();
    format!("{rule} | {} | {sum} |", places.join("; "))
}

/// One place anew, and its number of lines; none where the text is no place.
fn place(text: &str) -> Option<(String, usize)> {
    let (head, rest) = text.strip_prefix('`')?.split_once("` ")?;
    let (file, _) = rest.split_once(':')?;
    let path = root().join("games").join(file);
    let rules = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let lines: Vec<&str> = rules.lines().collect();
    let begins: Vec<usize> = (0..lines.len())
        .filter(|at| begins(lines[*at], head))
        .collect();
    let [at] = begins.as_slice() else {
        panic!(
            "docs/litmus.md: `{head}` begins {} lines of {file}",
            begins.len()
        );
    };
    let length = length(&lines[*at..]);
    Some((format!("`{head}` {file}:{} ({length})", at + 1), length))
}

/// The line begins with these words as a whole.
fn begins(line: &str, head: &str) -> bool {
    let rest = line.trim_start().strip_prefix(head);
    let word = |c: char| c.is_alphanumeric() || c == '_';
    rest.is_some_and(|rest| !(head.ends_with(word) && rest.starts_with(word)))
}

/// Lines of the declaration or step that begins here, without comments: itself and what is set in below it.
fn length(lines: &[&str]) -> usize {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let first = lines.first().map_or(0, |line| depth(line));
    let below = lines
        .iter()
        .skip(1)
        .take_while(|line| !line.trim().is_empty() && depth(line) > first);
    1 + below
        .filter(|line| !line.trim_start().starts_with('#'))
        .count()
}
