//! `always`, `check`, `when`, scores, the ranking, rule ids.

use super::Checker;
use super::body::{Body, Mode, Understood, heads};
use super::graph::Node;
use super::symbols::Symbol;
use crate::assembly::Entry;
use crate::diagnostic::Diagnostic;
use crate::ir::{CellId, Domain, LabelId, Rule, RuleId, ScoreId, ScoreLine, Ty, When, WhenId};
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub(super) fn rule_bodies(&mut self) {
        let asm = self.asm;
        for (at, entry) in asm.rules.iter().enumerate() {
            self.unique(
                &entry.item.name,
                asm.rules.iter().take(at).map(|other| &other.item.name),
            );
            for one in std::iter::once(entry).chain(&entry.replaced) {
                self.note(one.item.name.span, Symbol::Rule(RuleId(at as u32)));
            }
            if let Some(rule) = self.rule(RuleId(at as u32), entry) {
                self.rs.rules.push(rule);
            }
        }
    }

    fn unique<'n>(&mut self, name: &ast::Name, before: impl Iterator<Item = &'n ast::Name>) {
        let first = before
            .into_iter()
            .find(|other| other.text == name.text)
            .map(|other| other.span);
        if let Some(first) = first {
            self.second(name, first);
        }
    }

    /// Wherever a step stands, somebody acts when a pass of it ends.
    fn somebody_ends(&self, label: LabelId) -> bool {
        let mut places = self.graph.labels.iter().filter(|(at, ..)| *at == label);
        places.all(|(_, acting, _)| *acting)
    }

    fn rule(&mut self, id: RuleId, entry: &'a Entry<ast::RuleDecl>) -> Option<Rule> {
        let decl = &entry.item;
        let after = match &decl.after {
            Some(path) => Some(self.label_of(path)?),
            None => None,
        };
        let mut body = Body::new(self, Node::Rule(id), Mode::Pure);
        body.heads = heads(&entry.replaced, |old| binder_names(&old.binders));
        if after.is_some_and(|label| body.k.somebody_ends(label)) {
            body.understood = Understood::Me;
        }
        let binders = body.binders(&decl.binders, false);
        body.heads.clear();
        let condition = body.condition(&decl.condition);
        let message = body.messages(decl.message.as_ref());
        let code = std::mem::take(&mut body.code);
        Some(Rule {
            name: decl.name.text.clone(),
            span: entry.span,
            doc: entry.doc.clone(),
            invariant: decl.invariant,
            binders: binders?,
            condition: condition?,
            after,
            message,
            code,
        })
    }

    // -------------------------------------------------------------------------------------------- whens

    pub(super) fn when_bodies(&mut self) {
        let asm = self.asm;
        for (at, entry) in asm.whens.iter().enumerate() {
            self.unique(
                &entry.item.name,
                asm.whens.iter().take(at).map(|other| &other.item.name),
            );
            for one in std::iter::once(entry).chain(&entry.replaced) {
                self.note(one.item.name.span, Symbol::When(WhenId(at as u32)));
            }
            if let Some(when) = self.when(WhenId(at as u32), entry) {
                self.rs.whens.push(when);
            }
        }
    }

    fn when(&mut self, id: WhenId, entry: &'a Entry<ast::WhenDecl>) -> Option<When> {
        let decl = &entry.item;
        let mut on = Some(Vec::new());
        for path in &decl.on {
            match (self.watched(path), &mut on) {
                (Some(cells), Some(all)) => all.extend(cells),
                _ => on = None,
            }
        }
        let mut body = Body::new(self, Node::When(id), Mode::Pure);
        body.heads = heads(&entry.replaced, |old| binder_names(&old.binders));
        let binders = body.binders(&decl.binders, false);
        body.heads.clear();
        let condition = body.condition(&decl.condition);
        body.mode = Mode::Doing;
        body.understood = Understood::Me;
        body.known.retain(|path| !path.contains('!'));
        let block = body.block(&decl.body);
        let code = std::mem::take(&mut body.code);
        Some(When {
            name: decl.name.text.clone(),
            span: entry.span,
            doc: entry.doc.clone(),
            once: decl.once,
            on: on?,
            binders: binders?,
            condition: condition?,
            body: block,
            code,
        })
    }

    /// The cells behind `on`: by name, with or without their owner.
    fn watched(&mut self, path: &ast::Path) -> Option<Vec<CellId>> {
        let cells = match path.parts.as_slice() {
            [name] => self.cells_named(None, &name.text),
            [owner, name] => self.cells_named(Some(&owner.text), &name.text),
            _ => Vec::new(),
        };
        if cells.is_empty() {
            self.report(
                Diagnostic::error("unknown-name", path.span, "wanted the name of a cell")
                    .help("`when NAME on cell: C` fires when a cell is written"),
            );
            return None;
        }
        if let Some(name) = path.parts.last() {
            self.note(name.span, Symbol::Cell(cells[0]));
        }
        for cell in &cells {
            self.graph.add(
                Node::Outside,
                super::graph::Touched::Read(*cell),
                path.span,
                &std::rc::Rc::from([]),
            );
        }
        Some(cells)
    }

    // -------------------------------------------------------------------------------------------- scores

    pub(super) fn score_bodies(&mut self) {
        let asm = self.asm;
        for (at, entry) in asm.scores.iter().enumerate() {
            self.unique(
                &entry.item.name,
                asm.scores.iter().take(at).map(|other| &other.item.name),
            );
            for one in std::iter::once(entry).chain(&entry.replaced) {
                self.note(one.item.name.span, Symbol::Score(ScoreId(at as u32)));
            }
            let mut body = Body::new(self, Node::Score(ScoreId(at as u32)), Mode::Pure);
            body.own(Domain::Player, entry.item.name.span);
            let value = body.value(&entry.item.value, &Ty::INT);
            let code = std::mem::take(&mut body.code);
            let value = value.unwrap_or_else(|| super::stub(entry.span));
            let line = &entry.item;
            self.rs.scores.push(ScoreLine {
                name: line.name.text.clone(),
                span: entry.span,
                doc: line.doc.clone(),
                at_end: line.at_end,
                value,
                code,
            });
        }
        if let Some(win) = &asm.win {
            let mut body = Body::new(self, Node::Win, Mode::Pure);
            body.own(Domain::Player, win.span);
            let keys: Vec<Option<crate::ir::Expr>> = win
                .item
                .iter()
                .map(|key| body.value(key, &Ty::INT))
                .collect();
            self.rs.win_code = std::mem::take(&mut body.code);
            self.rs.win = keys.into_iter().flatten().collect();
        }
    }
}

fn binder_names(binders: &[ast::Binder]) -> Vec<&ast::Name> {
    binders.iter().filter_map(|one| one.name.as_ref()).collect()
}
