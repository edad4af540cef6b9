//! Names and types around a cursor in text that need not parse: read from the words before it and from what the last
//! compilation knows of the game.

use std::ops::Range;

use super::tokens::{Language, Token, TokenKind, tokens};
use crate::Compiled;
use crate::check::{GlobalName, MemberName, World};
use crate::ir::{CellOwner, Domain, RuleSet, Ty};
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::parse::chunks;

/// What a word or a path of words stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Value(Ty),
    /// A table, enum, `player`: its elements.
    All(Domain),
    /// A cell that wants indices, with the type behind them.
    Indexed(Vec<Domain>, Ty),
    Network,
    Action(u32),
    Step(String),
}

impl Meaning {
    /// The type of one element, where it is a source of them.
    pub fn element(&self) -> Option<Ty> {
        match self {
            Meaning::All(domain) => Some(domain.element_ty()),
            Meaning::Value(ty) => ty.required().element(),
            _ => None,
        }
    }

    /// What indices it takes.
    pub fn keys(&self, rules: &RuleSet) -> Vec<Domain> {
        match self {
            Meaning::Indexed(indices, _) => indices.clone(),
            Meaning::All(Domain::Table(id)) => {
                let table = &rules.tables[id.index()];
                let keys = table.key.iter().filter_map(|column| {
                    match table.columns[column.index()].ty.required() {
                        Ty::Element(domain) => Some(*domain),
                        _ => None,
                    }
                });
                let keys: Vec<Domain> = keys.collect();
                if keys.is_empty() {
                    vec![Domain::Table(*id)]
                } else {
                    keys
                }
            }
            _ => Vec::new(),
        }
    }
}

/// The declaration around a cursor, up to the cursor.
pub(super) struct Scope<'a> {
    pub rules: &'a RuleSet,
    pub world: &'a World,
    /// The file's text.
    pub text: &'a str,
    /// Of the declaration up to the cursor, ranges in the file, comments left out.
    pub tokens: Vec<Token>,
    /// Names bound before the cursor, innermost last.
    pub locals: Vec<(String, Option<Ty>)>,
    at: Span,
    /// The declaration stands below a `with`, or may begin there.
    inner: bool,
}

impl<'a> Scope<'a> {
    pub fn new(
        sources: &'a SourceSet,
        compiled: &'a Compiled,
        file: FileId,
        offset: usize,
    ) -> Option<Scope<'a>> {
        let text = sources.text(file);
        let (_, world, rules) = compiled.context()?;
        let all = chunks(text).into_iter();
        let starts = all.map(|chunk| (declaration_start(text, &chunk.range), chunk.inner));
        let last = starts.take_while(|(start, _)| *start <= offset).last();
        let (start, below) = last.unwrap_or((0, false));
        let shift = |(range, kind): Token| (range.start + start..range.end + start, kind);
        let comment = |kind: TokenKind| matches!(kind, TokenKind::Comment | TokenKind::Doc);
        let cut = tokens(text.get(start..offset)?, Language::Rules);
        let cut = cut.into_iter().filter(|(_, kind)| !comment(*kind));
        let mut scope = Scope {
            rules,
            world,
            text,
            tokens: cut.map(shift).collect(),
            locals: Vec::new(),
            at: Span::new(file, offset, offset),
            inner: below,
        };
        let opens = matches!(
            (scope.word(0), scope.word(1)),
            ("with", _) | ("not", "with")
        );
        scope.inner |= opens && text[start..offset].contains('\n');
        scope.bind();
        Some(scope)
    }

    /// Whether the cursor stands below a `with`.
    pub fn is_inner(&self) -> bool {
        self.inner
    }

    pub fn at(&self) -> Span {
        self.at
    }

    pub fn word(&self, index: usize) -> &'a str {
        self.tokens
            .get(index)
            .map_or("", |(range, _)| &self.text[range.clone()])
    }

    /// The first word of the declaration.
    pub fn opening(&self) -> &'a str {
        self.word(0)
    }

    /// In a worked case, or a position that cases begin from.
    pub fn is_case(&self) -> bool {
        matches!(self.opening(), "scenario" | "position")
    }

    /// Whether bare names mean a player's cells here.
    pub fn understands_player(&self) -> bool {
        matches!(
            self.opening(),
            "action"
                | "flow"
                | "when"
                | "once"
                | "before"
                | "after"
                | "instead"
                | "add"
                | "score"
                | "strategy"
                | "player"
                | "win"
                | "replace"
                | "always"
        )
    }

    // -------------------------------------------------------------------------------------------- locals

    /// `x in S`, `let x = e`, `x: T`, in the order in which they stand.
    fn bind(&mut self) {
        if self.opening() == "player" {
            let this = Ty::Element(Domain::Player);
            self.locals.push(("this".to_owned(), Some(this)));
        } else if let Some(Meaning::All(domain)) = self.head(self.opening())
            && self.word(1).starts_with('.')
        {
            let this = domain.element_ty();
            self.locals.push(("this".to_owned(), Some(this)));
        }
        self.bind_choices();
        for at in 1..self.tokens.len() {
            let name = self.word(at);
            let is_name = matches!(self.tokens[at].1, TokenKind::Name | TokenKind::Call);
            if !is_name {
                continue;
            }
            let before = self.word(at - 1);
            let ty = match self.word(at + 1) {
                "in" => self.path_at(at + 2).and_then(|found| found.element()),
                "=" if before == "let" => match self.path_at(at + 2) {
                    Some(Meaning::Value(ty)) => Some(ty),
                    _ => None,
                },
                ":" if matches!(before, "(" | ",") => match self.path_at(at + 2) {
                    Some(Meaning::All(domain)) => Some(domain.element_ty()),
                    Some(Meaning::Value(ty)) => Some(ty),
                    _ => None,
                },
                _ => continue,
            };
            self.locals.push((name.to_owned(), ty));
        }
    }

    /// What an action chooses, where an overlay adds to it or writes around it: `add to claim.r where …`, `after claim`;
    /// and in a strategy: `prefer claim by …`.
    fn bind_choices(&mut self) {
        let action = match (self.opening(), self.word(1)) {
            ("before" | "after", action) => action,
            ("add", "to") | ("instead", "of") => self.word(2),
            ("strategy", _) => self.preferred(),
            _ => return,
        };
        let rules = self.rules;
        let Some(Meaning::Action(id)) = self.head(action) else {
            return;
        };
        let action = &rules.actions[id as usize];
        let params = action.params.iter();
        let locals = params.filter_map(|param| action.code.locals.get(param.local.index()));
        let bound = locals.map(|local| (local.name.clone(), Some(local.ty.clone())));
        self.locals.extend(bound);
    }

    /// What the line of a strategy at the cursor is about.
    fn preferred(&self) -> &'a str {
        let mut words = (0..self.tokens.len()).rev();
        let at = words.find(|at| matches!(self.word(*at), "prefer" | "avoid"));
        at.map_or("", |at| self.word(at + 1))
    }

    // -------------------------------------------------------------------------------------------- meanings

    /// The meaning of the path of words that begins at a token: `r.twins`, `display`, `stack[k, 1]`.
    fn path_at(&self, index: usize) -> Option<Meaning> {
        let mut at = index;
        if self.word(at) == "parts" {
            at += 2;
        }
        let container = match self.word(at) {
            word @ ("set" | "bag" | "list" | "deck") if self.word(at + 1) == "of" => Some(word),
            _ => None,
        };
        if let Some(word) = container {
            let Some(Meaning::All(domain)) = self.head(self.word(at + 2)) else {
                return None;
            };
            return Some(Meaning::Value(match word {
                "set" => Ty::Set(domain),
                "bag" => Ty::Bag(domain),
                "deck" => Ty::Deck(domain),
                _ => Ty::List(Box::new(domain.element_ty())),
            }));
        }
        let (found, _) = self.path(at, self.tokens.len())?;
        Some(found)
    }

    /// Behind the bracket that closes the one at a token.
    fn closed(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// The path that ends before a token: what stands before a dot or an opening bracket.
    pub fn path_before(&self, end: usize) -> Option<Meaning> {
        let mut at = end;
        loop {
            let before = at.checked_sub(1)?;
            match self.word(before) {
                ")" | "]" => at = self.opened(before)?,
                _ => {
                    at = before;
                    match at.checked_sub(1) {
                        Some(dot) if self.word(dot) == "." => at = dot,
                        _ => break,
                    }
                }
            }
        }
        let (found, behind) = self.path(at, end)?;
        (behind >= end).then_some(found)
    }

    /// What a path stands for that begins at a token, and where it ends, at `end` at the latest.
    fn path(&self, start: usize, end: usize) -> Option<(Meaning, usize)> {
        let mut found = self.head(self.word(start))?;
        let mut at = start + 1;
        while at < end {
            match self.word(at) {
                "." => {
                    found = self.member(&found, self.word(at + 1))?;
                    at += 2;
                }
                "[" | "(" => {
                    at = self.closed(at)?;
                    found = indexed(found);
                }
                _ => break,
            }
        }
        Some((found, at))
    }

    /// The bracket that is closed at a token.
    pub fn opened(&self, close: usize) -> Option<usize> {
        let mut depth = 0;
        for at in (0..=close).rev() {
            match self.word(at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// A word that begins a path, ring by ring as the checker has them.
    pub fn head(&self, word: &str) -> Option<Meaning> {
        if let Some((_, ty)) = self.locals.iter().rev().find(|(name, _)| name == word) {
            return ty.clone().map(Meaning::Value);
        }
        match word {
            "me" | "starter" => return Some(Meaning::Value(Ty::Element(Domain::Player))),
            "player" => return Some(Meaning::All(Domain::Player)),
            "A" | "B" | "C" | "D" | "E" if self.is_case() => {
                return Some(Meaning::Value(Ty::Element(Domain::Player)));
            }
            _ => {}
        }
        if self.understands_player()
            && let Some(member) = self.world.names.member(Domain::Player, word, self.at)
        {
            return Some(self.of_member(member));
        }
        if let Some(global) = self.world.names.global(word, self.at) {
            return Some(self.of_global(global));
        }
        if self.world.names.labels.contains_key(word) {
            return Some(Meaning::Step(word.to_owned()));
        }
        let cells = self.world.names.step_cells(word, self.at);
        if let Some(cell) = cells.first() {
            return Some(self.of_member(MemberName::Cell(*cell)));
        }
        let words = self.world.names.words(word, self.at);
        let (domain, _) = words.first()?;
        Some(Meaning::Value(domain.element_ty()))
    }

    pub fn of_global(&self, global: GlobalName) -> Meaning {
        match global {
            GlobalName::Option(id) => Meaning::Value(self.rules.options[id.index()].ty.clone()),
            GlobalName::Enum(id) => Meaning::All(Domain::Enum(id)),
            GlobalName::Table(id) => Meaning::All(Domain::Table(id)),
            GlobalName::Grid(id) => {
                let grid = &self.rules.grids[id.index()];
                Meaning::Indexed(grid.indices.clone(), grid.ty.clone())
            }
            GlobalName::Cell(id) => self.of_member(MemberName::Cell(id)),
            GlobalName::Formula(id) => self.of_member(MemberName::Formula(id)),
            GlobalName::Network(_) => Meaning::Network,
            GlobalName::Action(id) => Meaning::Action(id.0),
            GlobalName::Tiling => Meaning::Network,
        }
    }

    pub fn of_member(&self, member: MemberName) -> Meaning {
        match member {
            MemberName::Column(table, column) => {
                let table = &self.rules.tables[table.index()];
                Meaning::Value(table.columns[column.index()].ty.clone())
            }
            MemberName::Cell(id) => {
                let cell = &self.rules.cells[id.index()];
                if cell.indices.is_empty() {
                    Meaning::Value(cell.ty.clone())
                } else {
                    Meaning::Indexed(cell.indices.clone(), cell.ty.clone())
                }
            }
            MemberName::Formula(id) => Meaning::Value(self.rules.formulas[id.index()].ty.clone()),
            MemberName::Network(_) => Meaning::Network,
        }
    }

    fn member(&self, of: &Meaning, word: &str) -> Option<Meaning> {
        match of {
            Meaning::Value(ty) => match ty.required() {
                Ty::Element(domain) => match word {
                    "left" | "right" if *domain == Domain::Player => {
                        Some(Meaning::Value(Ty::Element(Domain::Player)))
                    }
                    _ => {
                        let found = self.world.names.member(*domain, word, self.at)?;
                        Some(self.of_member(found))
                    }
                },
                Ty::Deck(domain) if word == "top" || word == "bottom" => {
                    Some(Meaning::Value(domain.element_ty()))
                }
                Ty::Walk(domain) if word == "nodes" => Some(Meaning::Value(Ty::Set(*domain))),
                ty if ty.is_container() && word == "size" => Some(Meaning::Value(Ty::INT)),
                _ => None,
            },
            Meaning::All(domain) => Some(Meaning::Value(domain.element_ty())),
            Meaning::Step(_) | Meaning::Action(_) => {
                let cells = self.world.names.step_cells(word, self.at);
                let cell = cells.into_iter().find(|cell| self.owned_by(*cell, of))?;
                Some(self.of_member(MemberName::Cell(cell)))
            }
            Meaning::Indexed(..) | Meaning::Network => None,
        }
    }

    /// Whether a cell belongs to a step or an action.
    pub fn owned_by(&self, cell: crate::ir::CellId, owner: &Meaning) -> bool {
        match (self.rules.cells[cell.index()].owner, owner) {
            (CellOwner::Step(label), Meaning::Step(name)) => {
                self.rules.labels[label.index()].name == *name
            }
            (CellOwner::Action(action), Meaning::Action(id)) => action.0 == *id,
            _ => false,
        }
    }
}

/// What one gets by an index or a call.
fn indexed(meaning: Meaning) -> Meaning {
    match meaning {
        Meaning::Indexed(_, ty) => Meaning::Value(ty),
        Meaning::All(domain) => Meaning::Value(domain.element_ty()),
        Meaning::Value(ty) => match ty.required() {
            Ty::List(_) | Ty::Row(_) => Meaning::Value(ty.element().unwrap_or(ty)),
            _ => Meaning::Value(ty),
        },
        other => other,
    }
}

/// Where a chunk's first line of code begins.
pub(super) fn declaration_start(text: &str, chunk: &Range<usize>) -> usize {
    let mut start = chunk.start;
    for line in text[chunk.clone()].split_inclusive('\n') {
        let trimmed = line.trim_start();
        if !trimmed.is_empty() && !trimmed.starts_with('#') {
            return start;
        }
        start += line.len();
    }
    start
}
