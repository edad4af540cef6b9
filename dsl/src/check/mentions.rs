//! What the heads of overlays' operations mean, noted for those who ask; the operations themselves have been applied.

use super::Checker;
use super::keys::{expr_text, key_text};
use super::names::Global;
use super::scenarios::Context;
use super::symbols::Symbol;
use crate::assembly::Mention;
use crate::ir::{ActionId, CellOwner, Domain, RuleId, ScoreId, WhenId};
use crate::source::SourceSet;
use crate::syntax::ast::{Expr, Name};

impl Checker<'_> {
    pub(super) fn mentions(&mut self) {
        let asm = self.asm;
        for mention in &asm.mentions {
            match mention {
                Mention::Path(parts) => self.mention_path(parts, Self::outermost),
                Mention::Step(parts) => self.mention_path(parts, Self::step_named),
                Mention::Cells {
                    table,
                    key,
                    columns,
                } => self.mention_cells(table, key, columns),
            }
        }
    }

    /// `named` says what a part by itself means.
    fn mention_path(&mut self, parts: &[Name], named: fn(&Self, &Name) -> Option<Symbol>) {
        let Some((first, rest)) = parts.split_first() else {
            return;
        };
        let Some((last, middle)) = rest.split_last() else {
            return match named(self, first) {
                Some(symbol) => self.note(first.span, symbol),
                None => self.mention_alone(first),
            };
        };
        if let Some(symbol) = self.member_named(first, last) {
            if let Some(owner) = self.outermost(first) {
                self.note(first.span, owner);
            }
            return self.note(last.span, symbol);
        }
        let mut action = None;
        for part in std::iter::once(first).chain(middle) {
            if let Some(symbol) = named(self, part) {
                self.note(part.span, symbol);
                action = match symbol {
                    Symbol::Action(id) => Some(id),
                    _ => action,
                };
            }
        }
        match named(self, last) {
            Some(symbol @ (Symbol::Label(_) | Symbol::Action(_))) => self.note(last.span, symbol),
            _ => self.mention_local(action, last),
        }
    }

    /// A name that stands alone: anything that has one.
    pub(super) fn mention_alone(&mut self, name: &Name) {
        if let Some(symbol) = self.alone(name) {
            self.note(name.span, symbol);
        }
    }

    /// What stands in the way of an answer: anything that has a name, or the only cell of that name, whosever it is.
    pub(super) fn mention_obstacle(&mut self, name: &Name) {
        let cells = self.rs.cells.iter().zip(0..);
        let mut cells = cells.filter(|(cell, _)| cell.name == name.text);
        let only = cells.next().filter(|_| cells.next().is_none());
        let cell = only.map(|(_, at)| Symbol::Cell(crate::ir::CellId(at)));
        if let Some(symbol) = self.alone(name).or(cell) {
            self.note(name.span, symbol);
        }
    }

    fn alone(&self, name: &Name) -> Option<Symbol> {
        self.outermost(name).or_else(|| {
            let asm = self.asm;
            let rule = asm
                .rules
                .iter()
                .position(|one| one.item.name.text == name.text);
            let when = asm
                .whens
                .iter()
                .position(|one| one.item.name.text == name.text);
            rule.map(|at| Symbol::Rule(RuleId(at as u32)))
                .or(when.map(|at| Symbol::When(WhenId(at as u32))))
        })
    }

    /// Declarations first, then steps.
    pub(super) fn outermost(&self, name: &Name) -> Option<Symbol> {
        match self.names.global(&name.text, name.span) {
            Some(global) => Some(Symbol::of_global(global)),
            None => self
                .names
                .labels
                .get(&name.text)
                .map(|id| Symbol::Label(*id)),
        }
    }

    /// Steps first, then actions and other declarations.
    fn step_named(&self, name: &Name) -> Option<Symbol> {
        let label = self.names.labels.get(&name.text);
        label.map_or_else(|| self.outermost(name), |id| Some(Symbol::Label(*id)))
    }

    /// `player.hand`, `card.length`, `score.tickets`, `turn.paid`.
    fn member_named(&mut self, owner: &Name, name: &Name) -> Option<Symbol> {
        if owner.text == "score" {
            let lines = &self.asm.scores;
            let at = lines
                .iter()
                .position(|one| one.item.name.text == name.text)?;
            return Some(Symbol::Score(ScoreId(at as u32)));
        }
        if let Some(domain) = self.owner_domain(owner)
            && let Some(member) = self.names.member(domain, &name.text, name.span)
        {
            return Some(Symbol::of_member(member));
        }
        let cells = self.names.step_cells(&name.text, name.span);
        let of_owner = |id: &crate::ir::CellId| match self.rs.cells[id.index()].owner {
            CellOwner::Step(label) => self.rs.labels[label.index()].name == owner.text,
            CellOwner::Action(ActionId(at)) => self.rs.actions[at as usize].name == owner.text,
            _ => false,
        };
        cells.into_iter().find(of_owner).map(Symbol::Cell)
    }

    /// A parameter, choice or walk of an action, or of the flow.
    fn mention_local(&mut self, action: Option<ActionId>, name: &Name) {
        let code = match action {
            Some(id) => &self.rs.actions[id.index()].code,
            None => &self.rs.flow,
        };
        let found = code.locals.iter().find(|local| local.name == name.text);
        if let Some(span) = found.map(|local| local.span) {
            self.note(name.span, Symbol::Local(span));
        }
    }

    pub(super) fn mention_cells(&mut self, table: &Name, key: &[Expr], columns: &[Name]) {
        let global = self.names.global(&table.text, table.span);
        match global {
            Some(Global::Table(id)) => {
                if let [only] = key
                    && let Some(row) = self.names.rows[id.index()].get(&key_text(key)).copied()
                {
                    self.note(only.span, Symbol::Row(id, row));
                }
                for name in columns {
                    if let Some(column) = self.column(id, &name.text) {
                        self.note(name.span, Symbol::Column(id, column));
                    }
                }
            }
            Some(Global::Grid(id)) => {
                let indices = self.rs.grids[id.index()].indices.clone();
                for (word, domain) in key.iter().zip(indices) {
                    self.mention_word(word, domain);
                }
                let hidden = self.names.grid_columns.get(&id.0).cloned();
                for name in columns {
                    let mut all = hidden.iter().flatten();
                    if let Some((_, column)) = all.find(|(text, _)| *text == name.text) {
                        self.note(name.span, Symbol::Grid(*column));
                    }
                }
            }
            _ => return,
        }
        if let Some(global) = global {
            self.note_global(table.span, global);
        }
    }

    fn mention_word(&mut self, word: &Expr, domain: Domain) {
        if let Some(number) = self.names.word_in(domain, &expr_text(word), word.span) {
            self.note_element(word.span, domain, number);
        }
    }
}

/// What a name of a text can stand for, seen from its layer: where it was not settled by a check. After a dot only members.
pub(crate) fn named(
    sources: &SourceSet,
    (assembly, world, rules): Context,
    name: &Name,
    member: bool,
) -> Option<Symbol> {
    let checker = Checker::over(sources, assembly, world, rules);
    if member {
        return checker.some_member(name);
    }
    let alone = checker.alone(name);
    alone.or_else(|| checker.some_member(name))
}

impl Checker<'_> {
    /// A member of this name of any owner, or a row or member of an enum.
    fn some_member(&self, name: &Name) -> Option<Symbol> {
        let words = self.names.words(&name.text, name.span);
        let word = words.first().and_then(|(domain, number)| match domain {
            Domain::Table(id) => Some(Symbol::Row(*id, *number)),
            Domain::Enum(id) => Some(Symbol::Member(*id, *number)),
            _ => None,
        });
        let cells = self.names.step_cells(&name.text, name.span);
        let member = self
            .names
            .any_member(&name.text, name.span)
            .map(Symbol::of_member);
        let lines = &self.asm.scores;
        let score = lines.iter().position(|one| one.item.name.text == name.text);
        member
            .or(cells.first().map(|cell| Symbol::Cell(*cell)))
            .or(word)
            .or(score.map(|at| Symbol::Score(ScoreId(at as u32))))
    }
}
