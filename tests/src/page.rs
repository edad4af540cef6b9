//! Pages of the manual as a reader finds them: blocks of text to copy, the headings above them, links.

use std::fs;
use std::path::{Path, PathBuf};

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Block {
    /// What stands behind the fence: `rules`, `console`, …
    pub kind: String,
    pub text: String,
    /// The last paragraph above it.
    pub lead: String,
    /// The nearest heading above it.
    pub heading: String,
    /// Where its text begins, from 1.
    pub line: usize,
}

/// The folder of the pages.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// The text of a page.
///
/// # Panics
/// Where there is none.
pub fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("docs/{name}: {error}"))
}

/// The blocks of a page, in reading order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut open, mut heading) = (false, String::new());
    let (mut lead, mut ended) = (String::new(), false);
    for (index, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), open) {
            (Some(kind), false) => {
                blocks.push(Block {
                    kind: kind.to_owned(),
                    text: String::new(),
                    lead: lead.clone(),
                    heading: heading.clone(),
                    line: index + 2,
                });
                open = true;
            }
            (Some(_), true) => (open, ended) = (false, true),
            (None, true) => {
                if let Some(block) = blocks.last_mut() {
                    block.text += line;
                    block.text.push('\n');
                }
            }
            (None, false) => {
                if let Some(title) = title(line) {
                    title.clone_into(&mut heading);
                }
                if std::mem::replace(&mut ended, line.trim().is_empty()) {
                    lead.clear();
                }
                lead += line;
                lead.push('\n');
            }
        }
    }
    blocks
}

/// What a line says, if it is a heading.
fn title(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    (rest.len() < line.len())
        .then(|| rest.strip_prefix(' '))
        .flatten()
}

/// Lines outside of blocks, with their numbers from 1.
pub fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut open = false;
    page.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.starts_with("```");
        open ^= fence;
        (!open && !fence).then_some((index + 1, line))
    })
}

/// The words by which a link leads to a heading of the page.
pub fn anchors(page: &str) -> Vec<String> {
    prose(page)
        .filter_map(|(_, line)| title(line))
        .map(anchor)
        .collect()
}

/// The anchor of a heading.
pub fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Targets of the links of a page, with their lines.
pub fn links(page: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (line, text) in prose(page) {
        let spans = text.split('`').step_by(2);
        for words in spans {
            for (at, _) in words.match_indices("](") {
                if let Some((target, _)) = words[at + 2..].split_once(')') {
                    links.push((line, target.to_owned()));
                }
            }
        }
    }
    links
}
