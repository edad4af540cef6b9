//! The manual as sections that can be searched.

use std::ops::Range;

/// A part of the manual under a heading of its own.
#[derive(Debug)]
pub struct Section {
    /// The page it stands on, as people call it.
    pub page: &'static str,
    /// 1: the page itself.
    pub level: usize,
    pub title: String,
    pub blocks: Vec<Block>,
}

/// What stands below a heading.
#[derive(Debug, PartialEq, Eq)]
pub enum Block {
    Text(String),
    /// An example, to the letter.
    Code(String),
    /// A line of a table.
    Row(Vec<String>),
}

/// Pages in the order they are read.
const PAGES: [(&str, &str); 5] = [
    (
        "Tutorial",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tutorial.md")),
    ),
    (
        "Language",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md")),
    ),
    (
        "Cookbook",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cookbook.md")),
    ),
    (
        "Boards",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/board.md")),
    ),
    (
        "Mistakes",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/mistakes.md")),
    ),
];

/// All sections of all pages.
pub fn sections() -> Vec<Section> {
    let mut all = Vec::new();
    for (page, text) in PAGES {
        read(page, text, &mut all);
    }
    all
}

fn read(page: &'static str, text: &str, into: &mut Vec<Section>) {
    let mut code: Option<String> = None;
    let mut paragraph = String::new();
    let first = into.len();
    let mut put = |block: Block, into: &mut Vec<Section>| {
        if let Some(section) = into[first..].last_mut() {
            section.blocks.push(block);
        }
    };
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            flush(&mut paragraph, &mut put, into);
            match code.take() {
                Some(code) => put(Block::Code(code), into),
                None => code = Some(String::new()),
            }
            continue;
        }
        if let Some(code) = &mut code {
            code.push_str(line);
            code.push('\n');
            continue;
        }
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        if level > 0 && line[level..].starts_with(' ') {
            flush(&mut paragraph, &mut put, into);
            into.push(Section {
                page,
                level,
                title: line[level..].trim().replace('`', ""),
                blocks: Vec::new(),
            });
        } else if let Some(row) = line.trim().strip_prefix('|') {
            flush(&mut paragraph, &mut put, into);
            let cells: Vec<String> = cells(row.trim_end().trim_end_matches('|'));
            let rule = |cell: &String| cell.chars().all(|c| matches!(c, '-' | ':'));
            if !cells.iter().all(rule) {
                put(Block::Row(cells), into);
            }
        } else if line.trim().is_empty() {
            flush(&mut paragraph, &mut put, into);
        } else {
            if line.trim_start().starts_with("- ") {
                flush(&mut paragraph, &mut put, into);
            }
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line.trim().trim_start_matches("> "));
        }
    }
    flush(&mut paragraph, &mut put, into);
}

fn flush(
    paragraph: &mut String,
    put: &mut impl FnMut(Block, &mut Vec<Section>),
    into: &mut Vec<Section>,
) {
    if !paragraph.is_empty() {
        put(Block::Text(std::mem::take(paragraph)), into);
    }
}

/// The cells of a table's line; a `|` in backticks parts none.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut before = ' ';
    for c in line.chars() {
        if c == '`' {
            quoted = !quoted;
        }
        match cells.last_mut() {
            Some(cell) if c != '|' || quoted || before == '\\' => cell.push(c),
            _ => cells.push(String::new()),
        }
        before = c;
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

impl Section {
    /// How well it fits what is looked for; 0: not at all.
    pub fn fits(&self, words: &[&str]) -> usize {
        let title = self.title.to_lowercase();
        let mut all = 0;
        for word in words {
            let own: usize = self.blocks.iter().map(|block| block.fits(word)).sum();
            let head = if title.contains(word) { 40 } else { 0 };
            if own + head == 0 {
                return 0;
            }
            all += own.min(60) + head;
        }
        all
    }
}

impl Block {
    fn fits(&self, word: &str) -> usize {
        let quoted = format!("`{word}`");
        let begins = format!("`{word} ");
        match self {
            Block::Text(text) => {
                let text = text.to_lowercase();
                // A paragraph about it says so at its head.
                let bold = text.starts_with("**") && text[..text.len().min(60)].contains(word);
                usize::from(bold) * 20
                    + usize::from(text.contains(&quoted) || text.contains(&begins)) * 8
                    + usize::from(text.contains(word)) * 2
            }
            Block::Row(cells) => {
                let first = cells.first().map(|cell| cell.to_lowercase());
                let first = first.unwrap_or_default();
                let named = first.contains(&quoted) || first.contains(&begins);
                let anywhere = cells.iter().any(|cell| cell.to_lowercase().contains(word));
                usize::from(named) * 24 + usize::from(anywhere) * 2
            }
            Block::Code(code) => usize::from(has_word(&code.to_lowercase(), word)) * 3,
        }
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        !inner(text[..at].chars().next_back()) && !inner(text[at + word.len()..].chars().next())
    })
}

/// A part of a text: plain, strong, or to the letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Strong,
    Code,
}

/// The parts of a paragraph; of links only their words.
pub fn parts(text: &str) -> Vec<(Style, String)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let marks = [("**", Style::Strong), ("`", Style::Code)];
        let next = marks
            .iter()
            .filter_map(|(mark, style)| Some((rest.find(mark)?, *mark, *style)))
            .min_by_key(|(at, ..)| *at);
        let Some((at, mark, style)) = next else {
            parts.push((Style::Plain, unlinked(rest)));
            break;
        };
        if at > 0 {
            parts.push((Style::Plain, unlinked(&rest[..at])));
        }
        let behind = &rest[at + mark.len()..];
        let end = behind.find(mark).unwrap_or(behind.len());
        parts.push((style, behind[..end].to_owned()));
        rest = behind.get(end + mark.len()..).unwrap_or_default();
    }
    parts
}

/// `[words](place)` is its words.
fn unlinked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(range) = link(rest) {
        out.push_str(&rest[..range.start]);
        let inner = &rest[range.clone()];
        let words = inner.split("](").next().unwrap_or_default();
        out.push_str(words.trim_start_matches('['));
        rest = &rest[range.end..];
    }
    out + rest
}

fn link(text: &str) -> Option<Range<usize>> {
    let middle = text.find("](")?;
    let start = text[..middle].rfind('[')?;
    let end = middle + text[middle..].find(')')? + 1;
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a person asks about, and the heading below which it is told.
    #[test]
    fn words_are_found_where_they_are_told() {
        let all = sections();
        for word in [
            "deck", "choose", "network", "scenario", "tiling", "boxes", "always",
        ] {
            let best = all.iter().max_by_key(|section| section.fits(&[word]));
            let best = best.expect("a section");
            assert!(best.fits(&[word]) > 20, "{word}: {}", best.title);
        }
        assert!(all.iter().all(|section| section.fits(&["zzyzx"]) == 0));
    }

    #[test]
    fn a_paragraph_comes_apart() {
        let found = parts("**Now** see `a | b` in [the page](page.md).");
        let plain = |text: &str| (Style::Plain, text.to_owned());
        assert_eq!(
            found,
            [
                (Style::Strong, "Now".to_owned()),
                plain(" see "),
                (Style::Code, "a | b".to_owned()),
                plain(" in the page."),
            ]
        );
        assert_eq!(cells(" `a | b` | c "), ["`a | b`", "c"]);
    }
}
