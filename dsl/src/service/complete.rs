//! What could be written at a cursor: members after a dot, elements in an index, arguments in a call, types, statements,
//! declarations with their snippets. Works on the words before the cursor, so that half-typed text is completed.

use std::ops::Range;

use super::hover::{action_signature, describe};
use super::place::line_around;
use super::scope::{Meaning, Scope};
use super::snippets::{self, Snippet};
use super::tokens::{Language, is_word};
use super::words::{Place, WORDS};
use crate::Compiled;
use crate::check::{GlobalName, MemberName, Symbol, show};
use crate::ir::{Domain, Ty};
use crate::source::{FileId, SourceSet};

/// Rows of a table are offered up to this many; more are found by typing a part of the name.
const OFFERED_MAX: usize = 200;

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
    /// The part of the word that has been typed.
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
    if Language::of(&source.path) != Language::Rules || !source.text.is_char_boundary(offset) {
        return Vec::new();
    }
    let bytes = source.text.as_bytes();
    let typed = bytes[..offset.min(bytes.len())].iter().rev();
    let length = typed.take_while(|byte| is_word(**byte)).count();
    let start = offset - length;
    let Some(scope) = Scope::new(sources, compiled, file, start) else {
        return Vec::new();
    };
    let line = line_around(&source.text, offset);
    if in_comment_or_text(&source.text[line.start..start]) {
        return Vec::new();
    }
    let mut offer = Offer {
        scope,
        line: &source.text[line.start..start],
        overlay: is_overlay(&source.text),
        scenario: source.path.ends_with(".scenario"),
        all: Vec::new(),
    };
    offer.collect();
    ranked(offer.all, &source.text[start..offset], start..offset)
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
    /// The line before the word that is typed.
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
        if self.path_operation() {
            return;
        }
        if self.wants_type(before) {
            return self.types();
        }
        self.arguments();
        self.wanted_elements();
        self.expression();
        let statement =
            before.ends_with(':') || before.ends_with(" may") || before.ends_with(" must");
        if statement {
            self.words(&[Place::Statement], 4);
        }
    }

    // -------------------------------------------------------------------------------------------- places

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
            "scenario" => {
                self.snippets(snippets::STEPS, 0);
                self.words(&[Place::Scenario], 1);
                self.expression();
            }
            "table" | "rows" | "enum" | "option" => {}
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
            ["set"] if column_0 || self.scope.opening() == "scenario" => self.options(),
            ["patch" | "rows"] if column_0 => self.tables(),
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
            [.., "this"] if line.contains("finish after") => self.steps(0),
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

    // -------------------------------------------------------------------------------------------- what is offered

    fn members(&mut self, dot: usize) {
        let meaning = self.scope.path_before(dot);
        match &meaning {
            Some(Meaning::Value(ty)) => self.members_of_type(ty.required()),
            Some(Meaning::All(domain)) => self.elements(*domain, 0),
            Some(Meaning::Network) => {
                self.add(
                    0,
                    CompletionKind::Member,
                    "joins",
                    "whether two nodes are joined".to_owned(),
                );
                self.add(
                    0,
                    CompletionKind::Member,
                    "reach",
                    "the nodes that can be reached".to_owned(),
                );
            }
            Some(owner @ (Meaning::Step(_) | Meaning::Action(_))) => {
                let cells = 0..self.scope.rules.cells.len() as u32;
                let own: Vec<u32> = cells
                    .filter(|cell| self.scope.owned_by(crate::ir::CellId(*cell), owner))
                    .collect();
                for cell in own {
                    self.member(0, "", MemberName::Cell(crate::ir::CellId(cell)));
                }
                self.add(
                    1,
                    CompletionKind::Member,
                    "number",
                    "how many passes have begun".to_owned(),
                );
            }
            Some(Meaning::Indexed(..)) => {}
            None => {
                let owner = self.scope.word(dot.wrapping_sub(1));
                if dot == 1 && matches!(owner, "cell" | "side") {
                    return;
                }
                self.words(&[Place::Member], 3);
            }
        }
    }

    fn members_of_type(&mut self, ty: &Ty) {
        match ty {
            Ty::Element(domain) => {
                self.members_of(*domain, 0);
                if *domain == Domain::Player {
                    for word in ["seat", "left", "right", "score"] {
                        self.word(word, Place::Member, 1);
                    }
                }
            }
            Ty::Walk(_) => {
                self.word("value", Place::Member, 0);
                self.word("nodes", Place::Member, 0);
            }
            Ty::Agenda => {
                self.word("must", Place::Member, 0);
                self.word("may", Place::Member, 0);
            }
            ty if ty.is_container() => {
                self.word("size", Place::Member, 0);
                self.word("count", Place::Member, 0);
                if matches!(ty, Ty::Deck(_)) {
                    self.word("top", Place::Member, 0);
                }
            }
            _ => {}
        }
    }

    fn members_of(&mut self, domain: Domain, rank: u8) {
        let names = &self.scope.world.names;
        let all = names.members_of(domain, self.scope.at());
        let all: Vec<(String, MemberName)> = all
            .into_iter()
            .map(|(name, member)| (name.to_owned(), member))
            .collect();
        for (name, member) in all {
            self.member(rank, &name, member);
        }
    }

    fn member(&mut self, rank: u8, name: &str, member: MemberName) {
        let symbol = Symbol::of_member(member);
        let name = match (name, member) {
            ("", MemberName::Cell(id)) => self.scope.rules.cells[id.index()].name.clone(),
            _ => name.to_owned(),
        };
        let found = describe(self.scope.rules, symbol, &name);
        let detail = found.map_or_else(String::new, |found| found.signature);
        let kind = match member {
            MemberName::Column(..) => CompletionKind::Member,
            MemberName::Cell(_) => CompletionKind::Cell,
            MemberName::Formula(_) => CompletionKind::Formula,
            MemberName::Network(_) => CompletionKind::Network,
        };
        self.add(rank, kind, &name, detail);
    }

    fn elements(&mut self, domain: Domain, rank: u8) {
        let of = show(self.scope.rules, &domain.element_ty());
        let names: Vec<String> = match domain {
            Domain::Enum(id) => self.scope.rules.enums[id.index()].members.clone(),
            Domain::Table(id) | Domain::Part(id) => self.scope.rules.tables[id.index()]
                .rows
                .iter()
                .map(|row| row.name.clone())
                .take(OFFERED_MAX)
                .collect(),
            Domain::Player if self.scenario => ["A", "B", "C", "D", "E"]
                [..self.scope.rules.players.1.min(5) as usize]
                .iter()
                .map(|seat| (*seat).to_owned())
                .collect(),
            Domain::Side => ["n", "e", "s", "w"].map(str::to_owned).to_vec(),
            _ => Vec::new(),
        };
        for name in names {
            let bare = name.bytes().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit());
            let insert = if bare || name.bytes().all(|b| b.is_ascii_digit()) {
                name.clone()
            } else {
                format!("\"{name}\"")
            };
            self.insert(rank, CompletionKind::Element, &name, of.clone(), insert);
        }
    }

    /// In `x[`, `f(x, `: elements of the index, names of parameters.
    fn arguments(&mut self) {
        let Some((open, commas)) = self.open_bracket() else {
            return;
        };
        match self.scope.word(open) {
            "[" => {
                let keys = self
                    .scope
                    .path_before(open)
                    .map(|of| of.keys(self.scope.rules));
                if let Some(domain) = keys.and_then(|keys| keys.get(commas).copied()) {
                    self.elements(domain, 0);
                }
            }
            "(" => {
                let name = self.scope.word(open.wrapping_sub(1));
                if let Some(Meaning::Action(id)) = self.scope.head(name)
                    && self.scope.opening() != "action"
                {
                    let action = &self.scope.rules.actions[id as usize];
                    let params = action.params.iter().filter_map(|param| {
                        let local = action.code.locals.get(param.local.index())?;
                        Some((
                            local.name.clone(),
                            show(self.scope.rules, &local.ty),
                            local.ty.clone(),
                        ))
                    });
                    let params: Vec<(String, String, Ty)> = params.collect();
                    if let Some((_, _, Ty::Element(domain))) = params.get(commas) {
                        self.elements(*domain, 1);
                    }
                    for (name, ty, _) in params {
                        self.insert(0, CompletionKind::Argument, &name, ty, format!("{name}: "));
                    }
                }
            }
            _ => {}
        }
    }

    /// The innermost open bracket before the cursor, and how many commas stand in it.
    fn open_bracket(&self) -> Option<(usize, usize)> {
        let (mut depth, mut commas) = (0, 0);
        for at in (0..self.scope.tokens.len()).rev() {
            match self.scope.word(at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth == 0 => return Some((at, commas)),
                "(" | "[" | "{" => depth -= 1,
                "," if depth == 0 => commas += 1,
                _ => {}
            }
        }
        None
    }

    /// Behind `x = `, `x != `, `x in`: elements of the type of `x`.
    fn wanted_elements(&mut self) {
        let count = self.scope.tokens.len();
        let Some(last) = count.checked_sub(1) else {
            return;
        };
        let ty = match self.scope.word(last) {
            "=" | "!=" | "+=" | "-=" => match self.scope.path_before(last) {
                Some(Meaning::Value(ty)) => Some(ty),
                _ => None,
            },
            _ => None,
        };
        let Some(ty) = ty else { return };
        if matches!(ty, Ty::Optional(_)) {
            self.word("none", Place::Value, 0);
        }
        match ty.required() {
            Ty::Element(domain) | Ty::Set(domain) | Ty::Bag(domain) => self.elements(*domain, 0),
            Ty::Bool => {
                self.word("true", Place::Value, 0);
                self.word("false", Place::Value, 0);
            }
            _ => {}
        }
    }

    fn expression(&mut self) {
        let locals: Vec<(String, Option<Ty>)> = self.scope.locals.clone();
        for (name, ty) in locals.iter().rev() {
            let ty = ty
                .as_ref()
                .map_or_else(String::new, |ty| show(self.scope.rules, ty));
            self.add(1, CompletionKind::Local, name, ty);
        }
        if self.scope.understands_player() {
            self.members_of(Domain::Player, 2);
        }
        self.globals(2);
        for steps in self.scope.world.names.steps.values() {
            for seen in steps {
                let name = self.scope.rules.cells[seen.what.index()].name.clone();
                let symbol = Symbol::Cell(seen.what);
                let found = describe(self.scope.rules, symbol, &name);
                let detail = found.map_or_else(String::new, |found| found.signature);
                self.all.push((
                    3,
                    Completion {
                        label: name.clone(),
                        kind: CompletionKind::Cell,
                        detail,
                        insert: name,
                        range: 0..0,
                    },
                ));
            }
        }
        self.words(&[Place::Value, Place::Expression, Place::Clause], 4);
    }

    fn globals(&mut self, rank: u8) {
        let all = self.scope.world.names.globals_at(self.scope.at());
        let all: Vec<(String, GlobalName)> = all
            .into_iter()
            .map(|(name, global)| (name.to_owned(), global))
            .collect();
        for (name, global) in all {
            let symbol = Symbol::of_global(global);
            let found = describe(self.scope.rules, symbol, &name);
            let detail = found.map_or_else(String::new, |found| found.signature);
            let kind = match global {
                GlobalName::Option(_) => CompletionKind::Option,
                GlobalName::Enum(_) => CompletionKind::Enum,
                GlobalName::Table(_) | GlobalName::Grid(_) => CompletionKind::Table,
                GlobalName::Cell(_) => CompletionKind::Cell,
                GlobalName::Formula(_) => CompletionKind::Formula,
                GlobalName::Network(_) | GlobalName::Tiling => CompletionKind::Network,
                GlobalName::Action(_) => CompletionKind::Action,
            };
            self.add(rank, kind, &name, detail);
        }
    }

    fn options(&mut self) {
        for option in &self.scope.rules.options {
            let ty = show(self.scope.rules, &option.ty);
            let insert = format!("{} = ", option.name);
            self.all.push((
                0,
                Completion {
                    label: option.name.clone(),
                    kind: CompletionKind::Option,
                    detail: ty,
                    insert,
                    range: 0..0,
                },
            ));
        }
    }

    fn tables(&mut self) {
        let names: Vec<String> = self
            .scope
            .rules
            .tables
            .iter()
            .map(|one| one.name.clone())
            .collect();
        for name in names {
            self.add(0, CompletionKind::Table, &name, "table".to_owned());
        }
    }

    fn actions(&mut self, rank: u8) {
        for at in 0..self.scope.rules.actions.len() {
            let name = self.scope.rules.actions[at].name.clone();
            self.add(
                rank,
                CompletionKind::Action,
                &name,
                action_signature(self.scope.rules, at),
            );
        }
    }

    fn steps(&mut self, rank: u8) {
        let names: Vec<String> = self.scope.world.names.labels.keys().cloned().collect();
        for name in names {
            self.add(rank, CompletionKind::Step, &name, "step".to_owned());
        }
    }

    fn types(&mut self) {
        self.words(&[Place::Type], 1);
        self.tables();
        let enums = self
            .scope
            .rules
            .enums
            .iter()
            .filter(|one| !one.name.is_empty());
        let names: Vec<String> = enums.map(|one| one.name.clone()).collect();
        for name in names {
            self.add(0, CompletionKind::Enum, &name, "enum".to_owned());
        }
    }

    fn words(&mut self, places: &[Place], rank: u8) {
        for entry in WORDS.iter().filter(|entry| places.contains(&entry.place)) {
            self.add(
                rank,
                CompletionKind::Keyword,
                entry.word,
                entry.meaning.to_owned(),
            );
        }
    }

    fn word(&mut self, word: &str, place: Place, rank: u8) {
        let entry = WORDS
            .iter()
            .find(|entry| entry.word == word && entry.place == place);
        if let Some(entry) = entry {
            self.add(
                rank,
                CompletionKind::Keyword,
                word,
                entry.meaning.to_owned(),
            );
        }
    }

    fn snippets(&mut self, all: &[Snippet], rank: u8) {
        for snippet in all {
            let insert = snippet.text.to_owned();
            self.insert(
                rank,
                CompletionKind::Snippet,
                snippet.label,
                snippet.meaning.to_owned(),
                insert,
            );
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
