//! The expressions directly inside an expression.

use crate::ir::{Binder, Expr, ExprKind, Walk};

pub(super) fn children(expr: &Expr) -> Vec<&Expr> {
    use ExprKind as K;
    match &expr.kind {
        K::Const(_)
        | K::Local(_)
        | K::Me
        | K::Players
        | K::Starter
        | K::All(_)
        | K::Pieces(_)
        | K::OnBoard(_) => Vec::new(),
        K::WalkWord(_)
        | K::PassNumber(_)
        | K::Finishing
        | K::Repeats(_)
        | K::Finished
        | K::Winners
        | K::DecisionOf => Vec::new(),
        K::Column(a, _, _)
        | K::ColumnAt(a, _, _)
        | K::Score(_, a)
        | K::Unary(_, a)
        | K::Unwrap(a)
        | K::Parts(a) => vec![a],
        K::Convert(a)
        | K::First(a)
        | K::Size(a)
        | K::TopOf(a)
        | K::Shuffled(a)
        | K::Random(a)
        | K::WalkValue(a) => vec![a],
        K::WalkNodes(a)
        | K::Seat(a)
        | K::Left(a)
        | K::Right(a)
        | K::RowOf(a)
        | K::ColumnOf(a)
        | K::Back(a) => vec![a],
        K::PositionOf(a) | K::PositionOfTile(a) => vec![a],
        K::Binary(_, a, b)
        | K::Otherwise(a, b)
        | K::Range(a, b)
        | K::CountOf(a, b)
        | K::At(a, b) => vec![a, b],
        K::CallValue(a, b) | K::Next(a, b) | K::PositionAt(a, b) | K::Turned(a, b) => vec![a, b],
        K::If(a, b, c) => vec![a, b, c],
        K::Lookup(_, all)
        | K::Grid(_, all)
        | K::Cell(_, all)
        | K::Call(_, all)
        | K::SetOf(all)
        | K::ListOf(all) => all.iter().collect(),
        K::BagOf(pairs) => pairs.iter().flat_map(|(a, b)| [a, b]).collect(),
        K::Aggregate { binders, value, .. } => binders
            .iter()
            .flat_map(in_binder)
            .chain(value.as_deref())
            .collect(),
        K::Joins(_, receiver, a, b) => receiver
            .as_deref()
            .into_iter()
            .chain([&**a, &**b])
            .collect(),
        K::Reach(_, receiver, a) => receiver.as_deref().into_iter().chain([&**a]).collect(),
        K::BestWalk(walk) | K::EndsOfWalk(walk) => in_walk(walk),
        K::Can(_, args) => args.iter().flatten().collect(),
    }
}

fn in_binder(binder: &Binder) -> Vec<&Expr> {
    let conditions = binder.conditions.iter().map(|condition| &condition.expr);
    let clauses = binder.from.iter().chain(&binder.up_to);
    std::iter::once(&binder.source)
        .chain(conditions)
        .chain(&binder.by)
        .chain(clauses)
        .collect()
}

fn in_walk(walk: &Walk) -> Vec<&Expr> {
    let clauses = [
        &walk.receiver,
        &walk.to,
        &walk.up_to,
        &walk.at_least,
        &walk.where_,
        &walk.need,
        &walk.max,
    ];
    std::iter::once(&walk.from)
        .chain(clauses.into_iter().flatten())
        .collect()
}
