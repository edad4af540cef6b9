//! `every(p in player: p.money < money)`: the player who asks is among them, and is never less than himself.

use super::super::{facts, visit};
use super::warning;
use crate::diagnostic::Diagnostic;
use crate::ir::{AggregateOp, BinaryOp, Binder, Domain, Expr, ExprKind, LocalId};

pub(super) fn check(expr: &Expr, found: &mut Vec<Diagnostic>) {
    if let ExprKind::Aggregate { op, binders, value } = &expr.kind
        && let [binder] = &binders[..]
        && matches!(binder.source.kind, ExprKind::All(Domain::Player))
        && binder.is_plain()
    {
        found.extend(of_all(*op, binder, value.as_deref(), expr));
    }
    for inner in visit::children(expr) {
        check(inner, found);
    }
}

fn of_all(
    op: AggregateOp,
    binder: &Binder,
    value: Option<&Expr>,
    whole: &Expr,
) -> Option<Diagnostic> {
    let (asked, always) = match (op, &binder.conditions[..], value) {
        (AggregateOp::Every, [], Some(value)) => (parts(value), "false"),
        (AggregateOp::No, [], Some(value)) => (vec![value], "false"),
        (AggregateOp::No, [only], None) => (vec![&only.expr], "false"),
        (AggregateOp::Some, [], Some(value)) => (vec![value], "true"),
        (AggregateOp::Some, [only], None) => (vec![&only.expr], "true"),
        _ => return None,
    };
    let strict = op == AggregateOp::Every;
    let of_oneself = asked.into_iter().find(|part| {
        let ExprKind::Binary(compared, left, right) = &part.kind else {
            return false;
        };
        let fits = match compared {
            BinaryOp::Less | BinaryOp::Greater | BinaryOp::NotEqual => strict,
            BinaryOp::LessEqual | BinaryOp::GreaterEqual | BinaryOp::Equal => !strict,
            _ => false,
        };
        fits && same_of_oneself(left, right, binder.local)
    })?;
    let message = format!("this is always {always}: the player who asks is among those asked");
    Some(
        warning("oneself", whole.span, message)
            .here("compares the player with himself, too")
            .label(of_oneself.span, "for himself both sides are the same")
            .help("leave him out: `p in player where p != me`, in formulas `p != this`"),
    )
}

/// What all have to hold.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            let mut all = parts(left);
            all.extend(parts(right));
            all
        }
        _ => vec![expr],
    }
}

/// Whether one side reads of each player what the other reads of the one who asks.
fn same_of_oneself(left: &Expr, right: &Expr, each: LocalId) -> bool {
    match (&left.kind, &right.kind) {
        (ExprKind::Size(left), ExprKind::Size(right)) => {
            return same_of_oneself(left, right, each);
        }
        (ExprKind::CountOf(left, of), ExprKind::CountOf(right, too)) => {
            let same = facts::path(of).is_some_and(|of| facts::path(too) == Some(of));
            return same && same_of_oneself(left, right, each);
        }
        _ => {}
    }
    let (Some(left), Some(right)) = (facts::path(left), facts::path(right)) else {
        return false;
    };
    let each = format!("l{},", each.0);
    // Locals are printed before a comma; the owner of a formula is the first.
    ["@me,", "l0,"].iter().any(|own| {
        let put = |side: &str| side.replace(&each, own);
        let reads = |side: &str| side.contains(&each);
        own != &each.as_str()
            && (reads(&left) != reads(&right))
            && (left.contains(own) || right.contains(own))
            && put(&left) == put(&right)
    })
}
