//! Keys and headings of `board.toml`, of manifests and of language files: which a place of such a file knows, and what each is
//! for. The lists are
//! those that the files are read with.

use super::hover::Hover;
use crate::assembly::fields::Key;
use crate::assembly::{COMBINATION_KEYS, EXPANSION_KEYS, GAME_KEYS};
use crate::board::keys as board;
use crate::check::WORDS_SECTIONS;
use crate::source::{FileId, SourceSet, Span};
use std::ops::Range;

/// A file whose sections have keys of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sections {
    Board,
    Game,
    Expansion,
    Words,
}

impl Sections {
    /// By its path.
    pub fn of(path: &str) -> Option<Sections> {
        let mut parts = path.rsplit('/');
        Some(match (parts.next()?, parts.next()) {
            ("board.toml", _) => Sections::Board,
            ("game.toml", _) => Sections::Game,
            ("expansion.toml", _) => Sections::Expansion,
            (file, Some("words")) if file.ends_with(".toml") => Sections::Words,
            _ => return None,
        })
    }

    /// The keys below a heading, those above all headings below an empty one.
    pub fn below(self, heading: &str) -> Option<Vec<Key>> {
        match (self, heading) {
            (Sections::Board, heading) => board::below(heading),
            (Sections::Game, "game" | "family") => Some(GAME_KEYS.into()),
            (Sections::Game, "combination") => Some(COMBINATION_KEYS.into()),
            (Sections::Expansion, "expansion") => Some(EXPANSION_KEYS.into()),
            (Sections::Game | Sections::Expansion | Sections::Words, _) => None,
        }
    }

    /// The headings as they are written, each with what stands below it.
    pub fn headings(self) -> Vec<(String, &'static str)> {
        let all: &[(&str, &str)] = match self {
            Sections::Board => return board::headings(),
            Sections::Game => &[
                (
                    "[game]",
                    "what the game is called, for how many, of which files",
                ),
                (
                    "[family]",
                    "what several games have in common, and nobody plays by itself",
                ),
                (
                    "[[combination]]",
                    "overlays that are checked together; without any each alone",
                ),
            ],
            Sections::Words => {
                let all = WORDS_SECTIONS.iter();
                return all
                    .map(|key| (format!("[{}]", key.name), key.meaning))
                    .collect();
            }
            Sections::Expansion => &[(
                "[expansion]",
                "what the expansion is called, for which game, of which files",
            )],
        };
        all.iter()
            .map(|(text, meaning)| ((*text).to_owned(), *meaning))
            .collect()
    }
}

/// The name in a line that is a heading: `panel.cards` of `[[panel.cards]]`.
pub(super) fn heading(line: &str) -> Option<&str> {
    let inside = line.trim().strip_prefix('[')?;
    let inside = inside.strip_prefix('[').unwrap_or(inside);
    let (name, _) = inside.split_once(']')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    (!name.is_empty() && name.chars().all(is_name)).then_some(name.trim())
}

/// The heading that a place stands under; empty above all.
pub(super) fn heading_above(before: &str) -> &str {
    before.lines().rev().find_map(heading).unwrap_or("")
}

/// What a key or heading at a byte of a file is for.
pub(super) fn hover(sources: &SourceSet, file: FileId, offset: usize) -> Option<Hover> {
    let source = sources.file(file);
    let sections = Sections::of(&source.path)?;
    let text: &str = &source.text;
    let word = word_around(text, offset)?;
    let name = &text[word.clone()];
    let line = super::place::line_around(text, offset);
    let say = |signature: String, doc: &str| Hover {
        span: Some(Span::new(file, word.start, word.end)),
        signature,
        doc: doc.to_owned(),
        ..Hover::default()
    };
    if let Some(heading) = heading(&text[line.clone()]) {
        // Of `[[panel.cards]]` the first word says the panel, the second the cards.
        let end = text[line.start..word.end]
            .trim_start()
            .trim_start_matches('[')
            .trim()
            .len();
        let wanted = heading.get(..end)?;
        let mut all = sections.headings().into_iter();
        let is_it = |written: &str| written.trim_matches(['[', ']']) == wanted;
        let (written, meaning) = all.find(|(written, _)| is_it(written))?;
        return Some(say(written, meaning));
    }
    if !text[word.end..line.end].trim_start().starts_with('=') {
        return None;
    }
    let mut above = heading_above(&text[..line.start]).to_owned();
    if above == "looks" && text[line.start..word.start].contains('{') {
        above.push_str(".…");
    }
    let keys = sections.below(&above)?;
    let key = keys.iter().find(|key| key.name == name)?;
    Some(say(key.name.to_owned(), key.meaning))
}

fn word_around(text: &str, offset: usize) -> Option<Range<usize>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text.get(..offset)?;
    let start = before.trim_end_matches(is_word).len();
    let rest = &text[offset..];
    let end = offset + (rest.len() - rest.trim_start_matches(is_word).len());
    (start < end).then_some(start..end)
}
