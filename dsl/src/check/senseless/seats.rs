//! `player[this.seat + 2]`: places beyond the last player, or before the first.

use super::super::visit;
use super::{any, warning};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Block, Domain, Expr, ExprKind, StatementKind, Value};

/// Lines that come only where something about the seats has been asked are left alone.
pub(super) fn in_block(block: &Block, found: &mut Vec<Diagnostic>) {
    for statement in &block.statements {
        let asked = match &statement.kind {
            StatementKind::Need(condition, _) => asks_seat(condition),
            StatementKind::If { arms, .. } => {
                arms.iter().any(|(condition, _)| asks_seat(condition))
            }
            _ => false,
        };
        if asked {
            return;
        }
        for expr in visit::expressions(statement) {
            look(expr, found);
        }
        for inner in visit::blocks(statement) {
            in_block(inner, found);
        }
    }
}

/// Of formulas, scores, conditions.
pub(super) fn in_expression(expr: &Expr, found: &mut Vec<Diagnostic>) {
    if !any(expr, &|inner| {
        matches!(inner.kind, ExprKind::If(..) | ExprKind::Otherwise(..))
    }) {
        look(expr, found);
    }
}

fn look(expr: &Expr, found: &mut Vec<Diagnostic>) {
    let skips = match &expr.kind {
        ExprKind::If(condition, ..) => asks_seat(condition),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, left, _) => {
            asks_seat(left)
        }
        ExprKind::Aggregate { binders, .. } => binders.iter().any(|binder| {
            let mut conditions = binder.conditions.iter();
            conditions.any(|condition| asks_seat(&condition.expr))
        }),
        _ => false,
    };
    if skips {
        return;
    }
    if let ExprKind::At(all, index) = &expr.kind
        && matches!(all.kind, ExprKind::All(Domain::Player))
        && let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), seat, by) = &index.kind
        && matches!(seat.kind, ExprKind::Seat(_))
        && let ExprKind::Const(Value::Int(by)) = by.kind
        && by > 0
    {
        let (which, turn) = match op {
            BinaryOp::Add => ("last", "left"),
            _ => ("first", "right"),
        };
        let message = format!("for the {which} player there is no such place");
        let steps = vec![format!(".{turn}"); by.min(4) as usize].concat();
        found.push(warning("no-such-place", index.span, message).help(format!(
            "round the table it is written `{steps}`, as in `me{steps}`"
        )));
    }
    for inner in visit::children(expr) {
        look(inner, found);
    }
}

fn asks_seat(expr: &Expr) -> bool {
    any(expr, &|inner| {
        matches!(inner.kind, ExprKind::Seat(_) | ExprKind::Players)
    })
}
