//! Putting what stood there in the place of `original`.

use super::walk;
use crate::source::Span;
use crate::syntax::ast::{
    Block, Expr, ExprKind, NetworkDecl, NetworkGround, Statement, StatementKind,
};

/// Puts `old` in the place of every `original`; tells how many there were.
pub(super) fn expression(expr: &mut Expr, old: &Expr) -> usize {
    if is_original(expr) {
        *expr = old.clone();
        return 1;
    }
    let parts = walk::parts(expr);
    parts.into_iter().map(|part| expression(part, old)).sum()
}

/// Whether `original` is read somewhere in an expression.
pub(super) fn reads_original(expr: &mut Expr) -> bool {
    is_original(expr) || walk::parts(expr).into_iter().any(reads_original)
}

/// Puts the condition of the network `old` in the place of every `original`; what it calls its link is what the new one calls it.
/// A network without a condition has every link.
pub(super) fn network(condition: &mut Expr, (ground, old): (&NetworkGround, &NetworkDecl)) {
    let mut before = match &old.condition {
        Some(before) => before.clone(),
        None => truth(condition.span),
    };
    if let (NetworkGround::Links { element: new, .. }, NetworkGround::Links { element: old, .. }) =
        (ground, &old.ground)
    {
        rename(&mut before, &old.text, &new.text);
    }
    expression(condition, &before);
}

fn rename(expr: &mut Expr, old: &str, new: &str) {
    if let ExprKind::Name(name) = &mut expr.kind
        && name == old
    {
        *name = new.to_string();
    }
    for part in walk::parts(expr) {
        rename(part, old, new);
    }
}

/// A condition that always holds.
pub(super) fn truth(span: Span) -> Expr {
    Expr {
        kind: ExprKind::Name("true".into()),
        span,
    }
}

fn is_original(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name == "original")
}

/// Puts the lines of `old` in the place of every line `original`. Lines that make names known stay among themselves where
/// two copies would meet in one block.
pub(super) fn block(body: &mut Block, old: &Block) {
    let copies = body
        .statements
        .iter()
        .filter(|s| runs_original(s).is_some());
    let apart = copies.count() > 1;
    let mut statements = Vec::new();
    for mut statement in std::mem::take(&mut body.statements) {
        match runs_original(&statement) {
            Some(span) if apart => statements.extend(scoped(old.clone(), span).statements),
            Some(_) => statements.extend(old.statements.iter().cloned()),
            None => {
                for inner in walk::blocks(&mut statement) {
                    block(inner, old);
                }
                statements.push(statement);
            }
        }
    }
    body.statements = statements;
}

/// Whether some line of a block is `original`.
pub(super) fn runs_in(body: &mut Block) -> bool {
    body.statements.iter_mut().any(|statement| {
        runs_original(statement).is_some() || walk::blocks(statement).into_iter().any(runs_in)
    })
}

fn runs_original(statement: &Statement) -> Option<Span> {
    match &statement.kind {
        StatementKind::Run(expr) if is_original(expr) => Some(statement.span),
        _ => None,
    }
}

/// The same lines; names they make known (`let`, `choose`) end with them.
pub(super) fn scoped(body: Block, span: Span) -> Block {
    let names = body
        .statements
        .iter()
        .any(|s| matches!(s.kind, StatementKind::Let(..) | StatementKind::Choose(_)));
    if !names {
        return body;
    }
    let kind = StatementKind::If {
        arms: vec![(truth(span), body)],
        otherwise: None,
    };
    Block {
        statements: vec![Statement {
            kind,
            span,
            doc: String::new(),
            tags: Vec::new(),
        }],
        below: true,
    }
}
