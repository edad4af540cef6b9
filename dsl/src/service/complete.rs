//! What could be written at a cursor: members after a dot, elements in an index, arguments in a call, types, statements,
//! declarations with their snippets; in component lists columns and their values, in `board.toml` and manifests keys and theirs. Works on the words before the cursor, so that
//! half-typed text is completed.

mod offers;
mod rows;
mod sections;
mod toml;

use std::ops::Range;

use super::holes::{self, Named};
use super::hover::describe;
use super::place::line_around;
use super::scope::Scope;
use super::sections::Sections;
use super::snippets;
use super::tokens::{Language, is_word};
use super::words::{Place, entries};
use crate::Compiled;
use crate::assembly::OverlayInfo;
use crate::check::Symbol;
use crate::source::{FileId, SourceSet};

/// What a completion is, for its sign in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    Local,
    Member,
    /// A row or a member of an enum.
    Element,
    Argument,
    Cell,
    Formula,
    Option,
    Table,
    Enum,
    Action,
    Step,
    Network,
    Type,
    /// An expansion or variant.
    Overlay,
    Keyword,
    /// A whole construct.
    Snippet,
}

/// One thing that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub label: String,
    pub kind: CompletionKind,
    /// Its type or signature, in one line.
    pub detail: String,
    /// What takes the place of `range`; `$0` in it says where the cursor comes to stand, at its end without.
    pub insert: String,
    /// The word that has been begun; in the text of a list also what of it stands behind the cursor.
    pub range: Range<usize>,
}

/// What could be written at a byte of a file, best first: words that begin as typed, then words that hold the letters in order.
pub fn complete(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    offset: usize,
) -> Vec<Completion> {
    let source = sources.file(file);
    if !source.text.is_char_boundary(offset) {
        return Vec::new();
    }
    match Language::of(&source.path) {
        Language::Rules => {}
        Language::Toml => {
            let found = match Sections::of(&source.path) {
                Some(of) => sections::complete(compiled, of, &source.text, offset),
                None => toml::complete(compiled, &source.text, offset),
            };
            return found.map_or_else(Vec::new, |(range, all)| {
                ranked(all, &source.text[range.start..offset], range)
            });
        }
        Language::Plain => return Vec::new(),
    }
    let bytes = source.text.as_bytes();
    let typed = bytes[..offset.min(bytes.len())].iter().rev();
    let length = typed.take_while(|byte| is_word(**byte)).count();
    let start = offset - length;
    let line = line_around(&source.text, offset);
    if let Some(range) = overlay_id(&source.text, line.start, offset) {
        let all = overlays(compiled);
        return ranked(all, &source.text[range.start..offset], range.start..offset);
    }
    if let Some(named) = holes::named_at(sources, compiled, file, start) {
        let all = named_in_hole(compiled, named);
        return ranked(all, &source.text[start..offset], start..offset);
    }
    let Some(scope) = Scope::new(sources, compiled, file, start) else {
        return Vec::new();
    };
    if in_comment_or_text(&source.text[line.start..start]) {
        return Vec::new();
    }
    let mut before = &source.text[line.start..start];
    if scope.is_inner() {
        before = before.strip_prefix("  ").unwrap_or(before);
    }
    let mut offer = Offer {
        scope,
        line: before,
        overlay: is_overlay(&source.text),
        scenario: source.path.ends_with(".scenario"),
        all: Vec::new(),
    };
    match rows::in_rows(&source.text, start) {
        Some(rows) => offer.rows(&rows),
        None => offer.collect(),
    }
    ranked(offer.all, &source.text[start..offset], start..offset)
}

/// Where an overlay is named: behind `needs`, `with` and `after` of a header, behind a `with` of a variant or of a case.
fn overlay_id(text: &str, line: usize, offset: usize) -> Option<Range<usize>> {
    let before = &text[line..offset];
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let start = before.trim_end_matches(part).len();
    let words: Vec<&str> = before[..start].split([' ', ',']).collect();
    let mut clauses = words.iter().rev().filter(|word| !word.is_empty());
    let last = before[..start].trim_end().chars().next_back()?;
    // Ids that are already there stand between the clause and the cursor.
    let clause = match last {
        ',' => clauses.find(|word| ["needs", "with", "after", "of"].contains(word)),
        _ => clauses.next(),
    };
    let named = clause.is_some_and(|word| ["needs", "with", "after"].contains(word));
    (named && super::definition::OVERLAY_LINES.contains(&words[0])).then(|| line + start..offset)
}

/// What can stand in a hole of what people call things.
fn named_in_hole(compiled: &Compiled, named: Vec<Named>) -> Vec<(u8, Completion)> {
    let offer = |one: Named| {
        let kind = match one.symbol {
            Symbol::Column(..) => CompletionKind::Member,
            _ => CompletionKind::Local,
        };
        let described = compiled
            .understood()
            .and_then(|rules| describe(rules, one.symbol, &one.name));
        Completion {
            label: one.name.clone(),
            kind,
            detail: described.map_or_else(String::new, |hover| hover.signature),
            insert: one.name,
            range: 0..0,
        }
    };
    named.into_iter().map(|one| (0, offer(one))).collect()
}

fn overlays(compiled: &Compiled) -> Vec<(u8, Completion)> {
    let manifest = compiled
        .assembly
        .as_ref()
        .map(|assembly| &assembly.manifest);
    let all = manifest.into_iter().flat_map(|manifest| &manifest.overlays);
    let offer = |one: &OverlayInfo| Completion {
        label: one.id.clone(),
        kind: CompletionKind::Overlay,
        detail: one.title.clone(),
        insert: one.id.clone(),
        range: 0..0,
    };
    all.map(|one| (0, offer(one))).collect()
}

fn in_comment_or_text(before: &str) -> bool {
    let mut quoted = false;
    for (at, byte) in before.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'#' if !quoted => return true,
            // A value in a message's braces is code.
            b'{' if quoted && !before[at..].contains(['}', '"']) => return false,
            _ => {}
        }
    }
    quoted
}

fn is_overlay(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with("variant ") || line.starts_with("expansion "))
}

struct Offer<'a> {
    scope: Scope<'a>,
    /// The line before the word that is typed, as if it stood below no `with`.
    line: &'a str,
    overlay: bool,
    scenario: bool,
    all: Vec<(u8, Completion)>,
}

impl Offer<'_> {
    /// `rank`: the smaller, the more likely here.
    fn add(&mut self, rank: u8, kind: CompletionKind, label: &str, detail: String) {
        self.insert(rank, kind, label, detail, label.to_owned());
    }

    fn insert(
        &mut self,
        rank: u8,
        kind: CompletionKind,
        label: &str,
        detail: String,
        insert: String,
    ) {
        self.all.push((
            rank,
            Completion {
                label: label.to_owned(),
                kind,
                detail,
                insert,
                range: 0..0,
            },
        ));
    }

    fn collect(&mut self) {
        let count = self.scope.tokens.len();
        let last = self.scope.word(count.wrapping_sub(1));
        if last == "." || last.ends_with('.') && !last.ends_with("..") {
            return self.members(count - 1);
        }
        if self.line.is_empty() {
            return self.declarations();
        }
        let before = self.line.trim_end();
        if before.is_empty() || before.ends_with(';') {
            return self.line_start();
        }
        if self.patch() || self.path_operation() {
            return;
        }
        if self.wants_type(before) {
            return self.types();
        }
        self.arguments();
        self.wanted_elements();
        self.expression();
        // What a seat does in a case.
        if self.scenario && before.ends_with(':') {
            self.actions(0);
        }
        let statement =
            before.ends_with(':') || before.ends_with(" may") || before.ends_with(" must");
        if statement {
            self.words(&[Place::Statement], 4);
        }
    }

    fn declarations(&mut self) {
        if self.scenario {
            return self.snippets(snippets::SCENARIO, 0);
        }
        if self.overlay {
            self.snippets(snippets::OVERLAY, 0);
        }
        self.snippets(snippets::DECLARATIONS, 1);
        let places: &[Place] = if self.overlay {
            &[Place::Overlay, Place::Declaration]
        } else {
            &[Place::Declaration]
        };
        self.words(places, 2);
        for owner in self
            .scope
            .rules
            .tables
            .iter()
            .map(|table| &table.name)
            .cloned()
            .collect::<Vec<_>>()
        {
            self.add(3, CompletionKind::Table, &owner, "table".to_owned());
        }
        self.add(
            3,
            CompletionKind::Type,
            "player",
            "one for each player".to_owned(),
        );
    }

    fn line_start(&mut self) {
        match self.scope.opening() {
            "scenario" | "position" => {
                self.snippets(snippets::STEPS, 0);
                self.words(&[Place::Scenario], 1);
                self.expression();
            }
            "table" | "rows" | "enum" | "option" => {}
            "strategy" => {
                for word in ["prefer", "avoid"] {
                    let meaning = entries(word).next().map_or("", |entry| entry.meaning);
                    self.add(0, CompletionKind::Keyword, word, meaning.to_owned());
                }
            }
            _ => {
                self.actions(1);
                self.snippets(snippets::STATEMENTS, 3);
                self.words(&[Place::Statement], 4);
                self.expression();
            }
        }
    }

    /// `before X`, `add to X`, `remove X`, `set X`, `replace X`, `finish after this X`: names of declarations and steps.
    fn path_operation(&mut self) -> bool {
        let line = self.line.trim_end();
        let words: Vec<&str> = line.split_whitespace().collect();
        let column_0 = !self.line.starts_with(' ');
        match words.as_slice() {
            ["set"] if column_0 || self.scope.is_case() => self.options(),
            ["patch" | "rows"] if column_0 => self.tables(),
            ["win"] if column_0 => self.word("by", Place::Clause, 0),
            [.., "finish"] => {
                for (word, meaning) in [
                    ("now", "the game ends here"),
                    ("after", "the game ends when a step has run"),
                ] {
                    self.add(0, CompletionKind::Keyword, word, meaning.to_owned());
                }
            }
            ["before" | "after"] | ["instead", "of"] | ["add", "to"] if column_0 => {
                self.actions(0);
                self.steps(0);
                if words[0] == "add" {
                    self.add(
                        1,
                        CompletionKind::Keyword,
                        "flow",
                        "lines at its end".to_owned(),
                    );
                    self.add(
                        1,
                        CompletionKind::Keyword,
                        "score",
                        "lines of the score".to_owned(),
                    );
                }
            }
            ["remove" | "replace"] if column_0 => {
                self.globals(0);
                self.steps(1);
            }
            ["prefer" | "avoid"] if self.scope.opening() == "strategy" => {
                self.actions(0);
                self.expression();
            }
            [.., "this"] if line.contains("finish after") => self.steps(0),
            [.., "another"] => self.steps(0),
            [.., "during"] => self.steps(0),
            [.., "after"] if line.starts_with("always") => self.steps(0),
            [.., "of"] if line.ends_with("one of") => self.actions(0),
            [.., last] if last.ends_with(',') && line.contains("one of ") => self.actions(0),
            _ => return false,
        }
        true
    }

    /// Behind the colon of a cell, option, column or parameter, and behind `of`.
    fn wants_type(&self, before: &str) -> bool {
        let opening = self.scope.opening();
        let last_word = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next();
        if last_word == Some("of") {
            let rest = before.trim_end_matches("of").trim_end();
            return ["set", "bag", "list", "deck"]
                .iter()
                .any(|word| rest.ends_with(word));
        }
        if !before.ends_with(':') {
            return false;
        }
        match opening {
            "option" => true,
            "table" => self.line.starts_with("  ") || before.ends_with("]:"),
            "action" => before.contains('(') && !before.contains(')'),
            "flow" | "score" | "when" | "once" | "always" | "check" | "scenario" | "before"
            | "after" | "instead" | "add" | "patch" | "replace" => false,
            _ => !self.line.starts_with(' ') && !before.contains('='),
        }
    }
}

/// How well a word fits what was typed: 0 begins so, 1 holds the letters in order; `None`: not at all.
fn fit(label: &str, typed: &str) -> Option<u8> {
    if label.starts_with(typed) {
        return Some(0);
    }
    let mut letters = label.chars();
    let holds = typed
        .chars()
        .all(|wanted| letters.any(|letter| letter.eq_ignore_ascii_case(&wanted)));
    holds.then_some(1)
}

/// Best first, each label of a kind once.
fn ranked(all: Vec<(u8, Completion)>, typed: &str, range: Range<usize>) -> Vec<Completion> {
    let mut fitting: Vec<(u8, u8, Completion)> = all
        .into_iter()
        .filter_map(|(rank, item)| Some((fit(&item.label, typed)?, rank, item)))
        .collect();
    fitting.sort_by(|a, b| {
        let key = |one: &(u8, u8, Completion)| (one.0, one.1, one.2.kind);
        (key(a), &a.2.label).cmp(&(key(b), &b.2.label))
    });
    let mut seen = std::collections::BTreeSet::new();
    fitting.retain(|(_, _, item)| {
        let snippet = item.kind == CompletionKind::Snippet;
        seen.insert((item.label.clone(), snippet))
    });
    let done = fitting.into_iter().map(|(_, _, item)| Completion {
        range: range.clone(),
        ..item
    });
    done.collect()
}
