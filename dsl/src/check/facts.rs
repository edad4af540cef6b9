//! Which optionals are there when a condition is true (or false).

use std::fmt::Write;

use crate::ir::{BinaryOp, Expr, ExprKind, Ty, UnaryOp, Value};

/// Adds the printed paths that are not `none` when `condition` has this truth.
pub(crate) fn facts(condition: &Expr, truth: bool, out: &mut Vec<String>) {
    match &condition.kind {
        ExprKind::Unary(UnaryOp::There, inner) if truth => add(inner, out),
        ExprKind::Unary(UnaryOp::Not, inner) => facts(inner, !truth, out),
        ExprKind::Binary(op, left, right) => binary(*op, left, right, truth, out),
        _ => {}
    }
}

fn binary(op: BinaryOp, left: &Expr, right: &Expr, truth: bool, out: &mut Vec<String>) {
    match (op, truth) {
        (BinaryOp::And, true) | (BinaryOp::Or, false) => {
            facts(left, truth, out);
            facts(right, truth, out);
        }
        (BinaryOp::Implies, false) => {
            facts(left, true, out);
            facts(right, false, out);
        }
        (BinaryOp::NotEqual, true) | (BinaryOp::Equal, false) => {
            if is_none(right) {
                add(left, out);
            }
            if is_none(left) {
                add(right, out);
            }
        }
        (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) => {
            if !matches!(right.ty, Ty::Optional(_)) {
                add(left, out);
            }
            if !matches!(left.ty, Ty::Optional(_)) {
                add(right, out);
            }
        }
        (BinaryOp::In, true) => add(left, out),
        _ => {}
    }
}

fn is_none(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Const(Value::None))
}

fn add(expr: &Expr, out: &mut Vec<String>) {
    if let Some(path) = path(expr)
        && !out.contains(&path)
    {
        out.push(path);
    }
}

/// A value's path, printed; `!` stands before everything that a change of the state can change.
pub(crate) fn path(expr: &Expr) -> Option<String> {
    let mut text = String::new();
    print(expr, &mut text).then_some(text)
}

fn print(expr: &Expr, out: &mut String) -> bool {
    match &expr.kind {
        ExprKind::Const(value) => write!(out, "{value:?}").is_ok(),
        ExprKind::Local(id) => write!(out, "l{}", id.0).is_ok(),
        ExprKind::Me => tag(out, "@me"),
        ExprKind::Players => tag(out, "players"),
        ExprKind::Starter => tag(out, "!starter"),
        ExprKind::WalkWord(word) => write!(out, "{word:?}").is_ok(),
        ExprKind::Column(base, table, column) => {
            write!(out, "k{}.{}", table.0, column.0).is_ok() && list(&[base], out)
        }
        ExprKind::ColumnAt(base, table, column) => {
            write!(out, "!t{}.{}", table.0, column.0).is_ok() && list(&[base], out)
        }
        ExprKind::Lookup(table, keys) => write!(out, "r{}", table.0).is_ok() && all(keys, out),
        ExprKind::Grid(grid, keys) => write!(out, "g{}", grid.0).is_ok() && all(keys, out),
        ExprKind::Cell(cell, keys) => write!(out, "!c{}", cell.0).is_ok() && all(keys, out),
        ExprKind::Call(formula, args) => write!(out, "!f{}", formula.0).is_ok() && all(args, out),
        ExprKind::At(base, index) => tag(out, "at") && list(&[base, index], out),
        ExprKind::TopOf(base) => tag(out, "top") && list(&[base], out),
        ExprKind::BottomOf(base) => tag(out, "bottom") && list(&[base], out),
        ExprKind::Next(base, side) => tag(out, "next") && list(&[base, side], out),
        ExprKind::PositionOf(base) => tag(out, "cell") && list(&[base], out),
        ExprKind::PositionOfTile(base) => tag(out, "!place") && list(&[base], out),
        ExprKind::Left(base) => tag(out, "left") && list(&[base], out),
        ExprKind::Right(base) => tag(out, "right") && list(&[base], out),
        ExprKind::Back(base) => tag(out, "back") && list(&[base], out),
        ExprKind::Turned(base, by) => tag(out, "turned") && list(&[base, by], out),
        ExprKind::First(base) => tag(out, "first") && list(&[base], out),
        ExprKind::Unwrap(inner) => print(inner, out),
        _ => false,
    }
}

fn tag(out: &mut String, text: &str) -> bool {
    out.push_str(text);
    true
}

fn all(exprs: &[Expr], out: &mut String) -> bool {
    list(&exprs.iter().collect::<Vec<_>>(), out)
}

fn list(exprs: &[&Expr], out: &mut String) -> bool {
    out.push('[');
    for expr in exprs {
        if !print(expr, out) {
            return false;
        }
        out.push(',');
    }
    out.push(']');
    true
}
