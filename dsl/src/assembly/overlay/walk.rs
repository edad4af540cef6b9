//! Walking through syntax: the blocks inside a statement, the expressions inside an expression.

use crate::syntax::ast::{
    Binder, Block, Expr, ExprKind, Fate, MessagePart, Statement, StatementKind as Kind, Walk,
    Walkers,
};

/// The blocks directly inside a statement, in the order they are written.
pub(crate) fn blocks(statement: &mut Statement) -> Vec<&mut Block> {
    match &mut statement.kind {
        Kind::Label(_, body)
        | Kind::Each(_, body)
        | Kind::As(_, body)
        | Kind::May(body)
        | Kind::Walk(_, body) => vec![body],
        Kind::EachPlayer(each) => vec![&mut each.body],
        Kind::Repeat(repeat) => vec![&mut repeat.body],
        Kind::If { arms, otherwise } => {
            let arms = arms.iter_mut().map(|(_, body)| body);
            arms.chain(otherwise).collect()
        }
        Kind::Match {
            arms, otherwise, ..
        } => {
            let arms = arms.iter_mut().map(|arm| &mut arm.body);
            arms.chain(otherwise).collect()
        }
        Kind::OneOf { items, none, .. } => {
            let items = items.iter_mut().map(|item| &mut item.body);
            items.chain(none).collect()
        }
        Kind::AnyOrder { items, .. } => items.iter_mut().map(|item| &mut item.body).collect(),
        _ => Vec::new(),
    }
}

/// The expressions directly inside an expression.
pub(super) fn parts(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Error => Vec::new(),
        ExprKind::Fated(fate, _) => match &mut **fate {
            Fate::Wins(who) | Fate::Loses(who) => vec![who],
            Fate::Draw => Vec::new(),
        },
        ExprKind::Text(message) => message
            .parts
            .iter_mut()
            .filter_map(|part| match part {
                MessagePart::Text(_) => None,
                MessagePart::Value(value) => Some(value),
            })
            .collect(),
        ExprKind::Member(value, _)
        | ExprKind::Unary(_, value)
        | ExprKind::Parts(value)
        | ExprKind::On(value, _) => vec![value],
        ExprKind::Index(value, indices) => one_and(value, indices.iter_mut()),
        ExprKind::Call(value, args) => one_and(value, args.iter_mut().map(|arg| &mut arg.value)),
        ExprKind::Binary(_, left, right) => vec![left, right],
        ExprKind::Range(low, high) => low.iter_mut().chain(high).map(Box::as_mut).collect(),
        ExprKind::If(condition, then, otherwise) => vec![condition, then, otherwise],
        ExprKind::Braces(entries) => entries
            .iter_mut()
            .flat_map(|(key, value)| std::iter::once(key).chain(value))
            .collect(),
        ExprKind::Brackets(values) => values.iter_mut().collect(),
        ExprKind::Aggregate { binders, value, .. } => {
            let binders = binders.iter_mut().flat_map(of_binder);
            binders.chain(value.as_deref_mut()).collect()
        }
        ExprKind::BestWalk(walk)
        | ExprKind::BestWalks(walk)
        | ExprKind::Distance(walk)
        | ExprKind::EndsOfWalk(walk) => of_walk(walk),
    }
}

fn one_and<'a>(one: &'a mut Expr, more: impl Iterator<Item = &'a mut Expr>) -> Vec<&'a mut Expr> {
    std::iter::once(one).chain(more).collect()
}

fn of_binder(binder: &mut Binder) -> Vec<&mut Expr> {
    let conditions = binder.conditions.iter_mut().map(|c| &mut c.expr);
    let mut found: Vec<&mut Expr> = std::iter::once(&mut binder.domain)
        .chain(conditions)
        .collect();
    found.extend(&mut binder.by);
    found.extend(&mut binder.from);
    found.extend(&mut binder.up_to);
    found
}

fn of_walk(walk: &mut Walk) -> Vec<&mut Expr> {
    let mut found = vec![&mut walk.network];
    found.extend(walk.by.as_mut().map(walkers));
    found.extend(&mut walk.from);
    found.extend(&mut walk.to);
    found.extend(&mut walk.up_to);
    found.extend(&mut walk.at_least);
    found.extend(&mut walk.where_);
    found.extend(&mut walk.need);
    found.extend(&mut walk.max);
    found
}

/// How many walk at once, or what they are.
pub(super) fn walkers(by: &mut Walkers) -> &mut Expr {
    match by {
        Walkers::Alike(many) => many,
        Walkers::Each(_, source) => source,
    }
}

fn is_walk(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::BestWalk(_)
            | ExprKind::BestWalks(_)
            | ExprKind::Distance(_)
            | ExprKind::EndsOfWalk(_)
    )
}

/// All walks in a formula, outermost first.
pub(super) fn walks(expr: &mut Expr) -> usize {
    let here = usize::from(is_walk(expr));
    here + parts(expr).into_iter().map(walks).sum::<usize>()
}

/// The first walk in a formula.
pub(super) fn first_walk(expr: &mut Expr) -> Option<&mut Walk> {
    if is_walk(expr) {
        return match &mut expr.kind {
            ExprKind::BestWalk(walk)
            | ExprKind::BestWalks(walk)
            | ExprKind::Distance(walk)
            | ExprKind::EndsOfWalk(walk) => Some(walk),
            _ => None,
        };
    }
    parts(expr).into_iter().find_map(first_walk)
}
