//! Effects: what lies on agendas, composites, cells of effect columns.

use super::Checker;
use super::body::{Body, Mode, Understood};
use super::graph::{Node, Touched};
use super::tables::{LateCell, LateKind, LateText, row_expr};
use crate::ir::{
    self, ActionId, AggregateOp, Block, Code, Domain, EffectExpr, EffectExprKind, EffectId, Expr,
    Repeat, Statement, StatementKind, Ty,
};
use crate::source::Span;
use crate::syntax::ast;

impl Body<'_, '_> {
    /// An expression as an effect.
    pub fn effect(&mut self, expr: &ast::Expr) -> Option<EffectExpr> {
        let span = expr.span;
        let kind = match &expr.kind {
            ast::ExprKind::Braces(entries) => self.effects(entries),
            ast::ExprKind::Brackets(all) => self.many(all.iter()),
            ast::ExprKind::If(condition, then, otherwise) => {
                self.effect_if(condition, then, otherwise)
            }
            ast::ExprKind::Binary(ast::BinaryOp::Multiply, times, what) => self.times(times, what),
            ast::ExprKind::Binary(ast::BinaryOp::Add, a, b) => self.many([&**a, &**b].into_iter()),
            ast::ExprKind::Aggregate {
                op: AggregateOp::Set | AggregateOp::Bag | AggregateOp::List,
                binders,
                value,
            } => self.effect_for(binders, value.as_deref()),
            ast::ExprKind::Call(callee, args) if is_collector(callee) && args.len() == 1 => {
                return self.effect(&args[0].value);
            }
            _ => self.call_or_value(expr),
        };
        Some(EffectExpr { kind: kind?, span })
    }

    fn call_or_value(&mut self, expr: &ast::Expr) -> Option<EffectExprKind> {
        if let Some((action, args)) = self.action_call(expr)? {
            return Some(EffectExprKind::Call(action, args));
        }
        self.run_value(expr).map(EffectExprKind::Value)
    }

    /// A value that can be run: an effect, an action, a list of effects.
    fn run_value(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let value = self.expr(expr, Some(&Ty::Effect(None)))?;
        let ran = match value.ty.required() {
            Ty::List(element) => element.required().clone(),
            Ty::Set(domain) => domain.element_ty(),
            ty => ty.clone(),
        };
        match ran {
            Ty::Effect(scope) => {
                self.touch(Touched::Node(Node::Effects(scope)), expr.span);
                if let Some(action) = scope {
                    self.touch(Touched::Scope(action), expr.span);
                }
            }
            Ty::Element(Domain::Action) => self.touch(Touched::Node(Node::ActionValues), expr.span),
            _ => {
                let message = format!(
                    "wanted an action or effect, found {}",
                    self.k.in_words(&value.ty)
                );
                self.error("wrong-type", expr.span, message);
                return None;
            }
        }
        Some(value)
    }

    fn effects(&mut self, entries: &[(ast::Expr, Option<ast::Expr>)]) -> Option<EffectExprKind> {
        let all: Vec<Option<EffectExpr>> = entries
            .iter()
            .map(|(what, times)| match times {
                None => self.effect(what),
                Some(times) => self.times(times, what).map(|kind| EffectExpr {
                    kind,
                    span: what.span,
                }),
            })
            .collect();
        all.into_iter()
            .collect::<Option<_>>()
            .map(EffectExprKind::Many)
    }

    fn many<'e>(&mut self, all: impl Iterator<Item = &'e ast::Expr>) -> Option<EffectExprKind> {
        let all: Vec<Option<EffectExpr>> = all.map(|one| self.effect(one)).collect();
        all.into_iter()
            .collect::<Option<_>>()
            .map(EffectExprKind::Many)
    }

    fn times(&mut self, times: &ast::Expr, what: &ast::Expr) -> Option<EffectExprKind> {
        let times = self.number(times);
        let what = self.effect(what);
        Some(EffectExprKind::Times(times?, Box::new(what?)))
    }

    fn effect_if(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
    ) -> Option<EffectExprKind> {
        let condition = self.condition(condition);
        let known = condition.clone().unwrap_or_else(|| super::stub(then.span));
        let then = self.with_facts(&known, true, |body| body.effect(then));
        let otherwise = match &otherwise.kind {
            ast::ExprKind::Name(none) if none == "none" => None,
            ast::ExprKind::Braces(entries) if entries.is_empty() => None,
            _ => Some(Box::new(
                self.with_facts(&known, false, |body| body.effect(otherwise))?,
            )),
        };
        Some(EffectExprKind::If(condition?, Box::new(then?), otherwise))
    }

    fn effect_for(
        &mut self,
        binders: &[ast::Binder],
        value: Option<&ast::Expr>,
    ) -> Option<EffectExprKind> {
        self.scoped(|body| {
            let checked = body.binders(binders, false);
            let name = || binders.last().and_then(|binder| binder.name.clone());
            let what = match value {
                Some(value) => body.effect(value),
                None => name().and_then(|name| {
                    body.effect(&ast::Expr {
                        kind: ast::ExprKind::Name(name.text),
                        span: name.span,
                    })
                }),
            };
            Some(EffectExprKind::For(checked?, Box::new(what?)))
        })
    }

    /// A block where an effect is wanted: a call, a choice between some, or changes.
    pub fn effect_of(&mut self, block: &ast::Block, span: Span) -> Option<EffectExpr> {
        let kind = match block.statements.as_slice() {
            [
                ast::Statement {
                    kind: ast::StatementKind::Run(expr),
                    ..
                },
            ] => return self.effect(expr),
            [
                ast::Statement {
                    kind:
                        ast::StatementKind::OneOf {
                            items,
                            ask: None,
                            none: None,
                        },
                    ..
                },
            ] => EffectExprKind::OneOf(self.items(items)),
            _ => EffectExprKind::Block(self.block(block)),
        };
        Some(EffectExpr { kind, span })
    }
}

fn is_collector(callee: &ast::Expr) -> bool {
    matches!(&callee.kind, ast::ExprKind::Name(name) if matches!(name.as_str(), "bag" | "list" | "set"))
}

/// An effect written as a statement.
pub(crate) fn statements(effect: EffectExpr, out: &mut Vec<Statement>) {
    let span = effect.span;
    let kind = match effect.kind {
        EffectExprKind::Call(action, args) => StatementKind::Call(action, args),
        EffectExprKind::Value(value) => StatementKind::Run(value),
        EffectExprKind::Many(all) => {
            all.into_iter().for_each(|one| statements(one, out));
            return;
        }
        EffectExprKind::Block(block) => {
            out.extend(block.statements);
            return;
        }
        EffectExprKind::Times(times, what) => StatementKind::Repeat(Repeat {
            times: Some(times),
            up_to: false,
            while_: None,
            may: false,
            pass: None,
            body: block_of(*what),
        }),
        EffectExprKind::If(condition, then, otherwise) => StatementKind::If {
            arms: vec![(condition, block_of(*then))],
            otherwise: otherwise.map(|one| block_of(*one)),
        },
        EffectExprKind::For(binders, what) => StatementKind::Each {
            binders,
            pass: None,
            body: block_of(*what),
        },
        EffectExprKind::OneOf(items) => StatementKind::OneOf {
            items: ir::Items {
                all: items,
                ask: None,
            },
            none: None,
        },
    };
    out.push(Statement { kind, span });
}

fn block_of(effect: EffectExpr) -> Block {
    let mut block = Block::default();
    statements(effect, &mut block.statements);
    block
}

// ------------------------------------------------------------------------------------------------ cells of tables

impl<'a> Checker<'a> {
    pub(super) fn new_effect(&mut self, span: Span, scope: Option<ActionId>) -> EffectId {
        let id = EffectId(self.rs.effects.len() as u32);
        let text = self.slice(span).trim().to_owned();
        self.rs.effects.push(ir::Effect {
            text,
            span,
            scope,
            body: Block::default(),
            parts: None,
            code: Code::default(),
        });
        id
    }

    pub(super) fn late_cells(&mut self) {
        let late = std::mem::take(&mut self.late);
        for cell in &late {
            match cell.kind {
                LateKind::Effect(id) => self.late_effect(id, cell),
                LateKind::Formula(id) => self.late_formula(id, cell),
            }
        }
    }

    fn late_effect(&mut self, id: EffectId, cell: &LateCell<'a>) {
        match &cell.text {
            LateText::Toml { text, span } => {
                let part = self.sources.kept.effect(text, *span);
                part.diagnostics
                    .into_iter()
                    .for_each(|one| self.report(one));
                if let Some(block) = part.value {
                    self.effect_body(id, cell, &block);
                }
            }
            LateText::Cell(ast::GridCell::Statements(block)) => self.effect_body(id, cell, block),
            LateText::Cell(ast::GridCell::Expr(expr)) => self.effect_body(id, cell, &run(expr)),
            LateText::Expr(expr) => self.effect_body(id, cell, &run(expr)),
        }
    }

    fn effect_body(&mut self, id: EffectId, cell: &LateCell<'a>, block: &ast::Block) {
        let scope = self.rs.effects[id.index()].scope;
        let mut body = Body::new(self, Node::Effect(id), Mode::Doing);
        body.understood = Understood::Me;
        body.action = scope;
        body.this = cell.row.map(|(table, row)| row_expr(table, row, cell.span));
        let (statements, parts) = match calls(block) {
            Some(exprs) => body.calls(&exprs, cell.span),
            None => (body.block(block), None),
        };
        let code = std::mem::take(&mut body.code);
        let effect = &mut self.rs.effects[id.index()];
        (effect.body, effect.parts, effect.code) = (statements, parts, code);
    }

    fn late_formula(&mut self, id: ir::FormulaId, cell: &LateCell<'a>) {
        match &cell.text {
            LateText::Toml { text, span } => {
                let part = self.sources.kept.expression(text, *span);
                part.diagnostics
                    .into_iter()
                    .for_each(|one| self.report(one));
                if let Some(expr) = part.value {
                    self.cell_formula(id, &expr);
                }
            }
            LateText::Cell(ast::GridCell::Expr(expr)) => self.cell_formula(id, expr),
            LateText::Expr(expr) => self.cell_formula(id, expr),
            LateText::Cell(ast::GridCell::Statements(block)) => match calls(block).as_deref() {
                Some([expr]) => self.cell_formula(id, expr),
                _ => self.report(crate::diagnostic::Diagnostic::error(
                    "wrong-type",
                    cell.span,
                    "wanted a formula, found changes",
                )),
            },
        }
    }

    fn cell_formula(&mut self, id: ir::FormulaId, expr: &ast::Expr) {
        let formula = &self.rs.formulas[id.index()];
        let (owner, result) = (formula.owner, formula.ty.clone());
        let mut body = Body::new(self, Node::Formula(id), Mode::Pure);
        if let Some(owner) = owner {
            body.own(owner, expr.span);
        }
        let value = if result == Ty::Bool {
            body.condition(expr)
        } else {
            body.value(expr, &result)
        };
        let code = std::mem::take(&mut body.code);
        if let Some(value) = value {
            let formula = &mut self.rs.formulas[id.index()];
            (formula.body, formula.code) = (value, code);
        }
    }
}

impl Body<'_, '_> {
    /// Calls only: as parts for an agenda, and as statements.
    fn calls(&mut self, exprs: &[&ast::Expr], span: Span) -> (Block, Option<EffectExpr>) {
        let all: Vec<Option<EffectExpr>> = exprs.iter().map(|expr| self.effect(expr)).collect();
        let Some(mut all) = all.into_iter().collect::<Option<Vec<_>>>() else {
            return (Block::default(), None);
        };
        let parts = if all.len() == 1 {
            all.remove(0)
        } else {
            EffectExpr {
                kind: EffectExprKind::Many(all),
                span,
            }
        };
        (block_of(parts.clone()), Some(parts))
    }
}

/// The expressions of a block that only runs things.
fn calls(block: &ast::Block) -> Option<Vec<&ast::Expr>> {
    let run = |statement: &'_ ast::Statement| matches!(statement.kind, ast::StatementKind::Run(_));
    if !block.statements.iter().all(run) {
        return None;
    }
    let expr = |statement| match statement {
        &ast::Statement {
            kind: ast::StatementKind::Run(ref expr),
            ..
        } => Some(expr),
        _ => None,
    };
    block.statements.iter().map(expr).collect()
}

fn run(expr: &ast::Expr) -> ast::Block {
    let statement = ast::Statement {
        kind: ast::StatementKind::Run(expr.clone()),
        span: expr.span,
        doc: String::new(),
        tags: Vec::new(),
    };
    ast::Block {
        statements: vec![statement],
        below: false,
    }
}
