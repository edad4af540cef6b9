//! What numbers that are chosen stand for: how a tile is turned, one of several places of a row.

use super::Words;
use crate::check::visit::{blocks, children, expressions};
use crate::ir::{
    Block, Choice, Code, Expr, ExprKind, LocalId, Numbered, ParamKind, RuleSet, Statement,
    StatementKind, Ty,
};
use crate::source::Span;
use std::collections::BTreeMap;

impl Words<'_> {
    /// Finds them in all code that asks.
    pub fn numbers(&mut self) {
        let rules = self.rules;
        let mut all = BTreeMap::new();
        for action in &rules.actions {
            let mut found = Found::new(rules, &action.code);
            for param in &action.params {
                if let ParamKind::Asked(choice) = &param.kind {
                    found.choice(choice);
                }
            }
            found.block(&action.body);
            all.extend(found.meanings());
        }
        let effects = rules.effects.iter().map(|one| (&one.code, &one.body));
        let whens = rules.whens.iter().map(|one| (&one.code, &one.body));
        let flow = [(&rules.flow, &rules.flow_body)];
        for (code, body) in effects.chain(whens).chain(flow) {
            let mut found = Found::new(rules, code);
            found.block(body);
            all.extend(found.meanings());
        }
        self.speech.numbered = all;
    }
}

/// What is done with the numbers of one piece of code.
struct Found<'a> {
    rules: &'a RuleSet,
    code: &'a Code,
    /// Numbers that are chosen, each with the place of its binder.
    chosen: BTreeMap<LocalId, Span>,
    used: BTreeMap<LocalId, Numbered>,
}

impl<'a> Found<'a> {
    fn new(rules: &'a RuleSet, code: &'a Code) -> Found<'a> {
        Found {
            rules,
            code,
            chosen: BTreeMap::new(),
            used: BTreeMap::new(),
        }
    }

    fn meanings(self) -> impl Iterator<Item = (Span, Numbered)> {
        let (chosen, used) = (self.chosen, self.used);
        let spans = used.into_iter();
        spans.filter_map(move |(local, meaning)| Some((*chosen.get(&local)?, meaning)))
    }

    fn choice(&mut self, choice: &Choice) {
        let binder = &choice.binder;
        let local = &self.code.locals[binder.local.index()];
        if matches!(local.ty.required(), Ty::Int { .. }) {
            self.chosen.insert(binder.local, binder.span);
        }
        for condition in &binder.conditions {
            self.expr(&condition.expr);
        }
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        if let StatementKind::Choose(choice) = &statement.kind {
            self.choice(choice);
        }
        if let StatementKind::Assign { target, value, .. } = &statement.kind
            && let ExprKind::Local(local) = value.kind
            && let Some(tiling) = &self.rules.tiling
            && tiling.turn_cell == Some(target.cell)
        {
            self.used.insert(local, Numbered::Turn(tiling.turns));
        }
        for value in expressions(statement) {
            self.expr(value);
        }
        for inner in blocks(statement) {
            self.block(inner);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        // `shop[i]`: of a row that the game has once.
        if let ExprKind::At(row, at) = &expr.kind
            && let (ExprKind::Cell(cell, owner), ExprKind::Local(local)) = (&row.kind, &at.kind)
            && owner.is_empty()
        {
            self.used.entry(*local).or_insert(Numbered::Place(*cell));
        }
        for inner in children(expr) {
            self.expr(inner);
        }
    }
}
