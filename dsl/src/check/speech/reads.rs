//! Which columns code reads: what one must know of a row where it is chosen.

use crate::check::visit::{blocks, children, expressions};
use crate::ir::{
    ActionId, Block, CellId, ColumnId, EffectExpr, EffectExprKind, Expr, ExprKind, FormulaId,
    RuleSet, Statement, StatementKind, TableId,
};
use std::collections::BTreeSet;

/// Columns read so far, and where has been looked.
pub(super) struct Reads<'a> {
    rules: &'a RuleSet,
    pub columns: BTreeSet<(TableId, ColumnId)>,
    pub cells: BTreeSet<CellId>,
    formulas: BTreeSet<FormulaId>,
    actions: BTreeSet<ActionId>,
}

impl<'a> Reads<'a> {
    pub fn new(rules: &'a RuleSet) -> Reads<'a> {
        Reads {
            rules,
            columns: BTreeSet::new(),
            cells: BTreeSet::new(),
            formulas: BTreeSet::new(),
            actions: BTreeSet::new(),
        }
    }

    /// All that an action reads, with the actions that it runs.
    pub fn action(&mut self, id: ActionId) {
        if !self.actions.insert(id) {
            return;
        }
        let action = &self.rules.actions[id.index()];
        for param in &action.params {
            match &param.kind {
                crate::ir::ParamKind::Given(default) => {
                    default.iter().for_each(|value| self.expr(value));
                }
                crate::ir::ParamKind::Asked(choice) => self.choice(choice),
            }
        }
        self.block(&action.body);
    }

    fn choice(&mut self, choice: &crate::ir::Choice) {
        let binder = &choice.binder;
        self.expr(&binder.source);
        let conditions = binder.conditions.iter().map(|one| &one.expr);
        let clauses = binder.by.iter().chain(&binder.from).chain(&binder.up_to);
        conditions.chain(clauses).for_each(|value| self.expr(value));
    }

    pub fn block(&mut self, block: &Block) {
        block
            .statements
            .iter()
            .for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        if let StatementKind::Call(action, _) = statement.kind {
            self.action(action);
        }
        if let StatementKind::AgendaAdd { effect, .. } = &statement.kind {
            self.effect(effect);
        }
        if let StatementKind::AnyOrder { items, .. } = &statement.kind {
            items.iter().for_each(|(_, effect)| self.effect(effect));
        }
        for value in expressions(statement) {
            self.expr(value);
        }
        for inner in blocks(statement) {
            self.block(inner);
        }
    }

    fn effect(&mut self, effect: &EffectExpr) {
        match &effect.kind {
            EffectExprKind::Call(action, _) => self.action(*action),
            EffectExprKind::Times(_, inner) | EffectExprKind::For(_, inner) => self.effect(inner),
            EffectExprKind::Many(all) => all.iter().for_each(|inner| self.effect(inner)),
            EffectExprKind::If(_, then, otherwise) => {
                self.effect(then);
                otherwise.iter().for_each(|inner| self.effect(inner));
            }
            // What they hold is looked at as expressions and blocks.
            EffectExprKind::Value(_) | EffectExprKind::OneOf(_) | EffectExprKind::Block(_) => {}
        }
    }

    pub fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Column(_, table, column) | ExprKind::ColumnAt(_, table, column) => {
                self.columns.insert((*table, *column));
            }
            ExprKind::Cell(cell, _) => {
                self.cells.insert(*cell);
            }
            ExprKind::Call(formula, _) => self.formula(*formula),
            _ => {}
        }
        children(expr)
            .into_iter()
            .for_each(|inner| self.expr(inner));
    }

    fn formula(&mut self, id: FormulaId) {
        if self.formulas.insert(id) {
            self.expr(&self.rules.formulas[id.index()].body);
        }
    }
}
