//! What lies directly inside an expression or a statement.

use crate::ir::{
    Binder, Block, EffectExpr, EffectExprKind, Expr, ExprKind, FinishWhen, MoveWhat, Place,
    SeatFrom, Statement, StatementKind, Walk,
};

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
        | K::DecisionOf
        | K::Drawn(_) => Vec::new(),
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
        | K::BottomOf(a)
        | K::Shuffled(a)
        | K::Random(a)
        | K::WalkValue(a) => vec![a],
        K::WalkNodes(a)
        | K::Seat(a)
        | K::Out(a)
        | K::Wins(a, _)
        | K::Loses(a, _)
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
        K::BestWalk(walk) | K::Distance(walk) | K::EndsOfWalk(walk) => in_walk(walk),
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
    let walkers = walk.by.iter().flat_map(in_binder);
    walkers
        .chain([&walk.from])
        .chain(clauses.into_iter().flatten())
        .collect()
}

/// The blocks directly inside a statement.
pub(super) fn blocks(statement: &Statement) -> Vec<&Block> {
    use StatementKind as K;
    match &statement.kind {
        K::Step(_, block) | K::As(_, block) | K::May(block) => vec![block],
        K::Each { body, .. } | K::Walk { body, .. } => vec![body],
        K::EachPlayer(each) => vec![&each.body],
        K::Repeat(repeat) => vec![&repeat.body],
        K::If { arms, otherwise } => {
            let arms = arms.iter().map(|(_, block)| block);
            arms.chain(otherwise).collect()
        }
        K::Match {
            arms, otherwise, ..
        } => {
            let arms = arms.iter().map(|(_, block)| block);
            arms.chain(otherwise).collect()
        }
        K::OneOf { items, none } => items.iter().map(|item| &item.body).chain(none).collect(),
        K::AnyOrder { items, .. } => items
            .iter()
            .flat_map(|(_, effect)| blocks_of_effect(effect))
            .collect(),
        K::AgendaAdd { effect, .. } => blocks_of_effect(effect),
        _ => Vec::new(),
    }
}

fn blocks_of_effect(effect: &EffectExpr) -> Vec<&Block> {
    use EffectExprKind as K;
    match &effect.kind {
        K::Call(..) | K::Value(_) => Vec::new(),
        K::Times(_, inner) | K::For(_, inner) => blocks_of_effect(inner),
        K::Many(all) => all.iter().flat_map(blocks_of_effect).collect(),
        K::If(_, then, otherwise) => std::iter::once(then)
            .chain(otherwise)
            .flat_map(|inner| blocks_of_effect(inner))
            .collect(),
        K::OneOf(items) => items.iter().map(|item| &item.body).collect(),
        K::Block(block) => vec![block],
    }
}

/// The expressions directly inside a statement; those of its blocks are theirs.
pub(super) fn expressions(statement: &Statement) -> Vec<&Expr> {
    use StatementKind as K;
    match &statement.kind {
        K::Need(value, _) | K::Let(_, value) | K::SetStarter(value) => vec![value],
        K::As(value, _) | K::Run(value) => vec![value],
        K::Match { value, .. } => vec![value],
        K::Choose(choice) => in_binder(&choice.binder),
        K::Assign { target, value, .. } => in_place(target).chain([value]).collect(),
        K::AgendaAdd { agenda, effect, .. } => in_place(agenda).chain(of_effect(effect)).collect(),
        K::Move(moved) => {
            let what: Vec<&Expr> = match &moved.what {
                MoveWhat::Value { value, from } => in_place(from).chain([value]).collect(),
                MoveWhat::Everything(from) => in_place(from).collect(),
                MoveWhat::Drawn { count, of, .. } => in_place(of).chain(count).collect(),
            };
            what.into_iter().chain(in_place(&moved.to)).collect()
        }
        K::Shuffle(place) => in_place(place).collect(),
        K::If { arms, .. } => arms.iter().map(|(condition, _)| condition).collect(),
        K::Each { binders, .. } => binders.iter().flat_map(in_binder).collect(),
        K::EachPlayer(each) => {
            let from = match &each.from {
                SeatFrom::Player(player) => Some(player),
                _ => None,
            };
            each.conditions.iter().chain(&each.by).chain(from).collect()
        }
        K::Repeat(repeat) => repeat.times.iter().chain(&repeat.while_).collect(),
        K::AnyOrder { agenda, items, .. } => in_place(agenda)
            .chain(items.iter().flat_map(|(_, effect)| of_effect(effect)))
            .collect(),
        K::Walk { walk, .. } => in_walk(walk),
        K::Finish(finish) => match &finish.when {
            FinishWhen::After { more, .. } => more.iter().collect(),
            FinishWhen::Now => Vec::new(),
        },
        K::Verdict(_, player) => player.iter().collect(),
        K::Call(_, args) => args.iter().flatten().collect(),
        K::Step(..) | K::May(_) | K::OneOf { .. } | K::Pause(_) => Vec::new(),
        K::Stop | K::Skip => Vec::new(),
    }
}

fn in_place(place: &Place) -> impl Iterator<Item = &Expr> {
    place.indices.iter().chain(place.element.as_deref())
}

fn of_effect(effect: &EffectExpr) -> Vec<&Expr> {
    use EffectExprKind as K;
    match &effect.kind {
        K::Call(_, args) => args.iter().flatten().collect(),
        K::Value(value) => vec![value],
        K::Times(value, inner) => std::iter::once(value).chain(of_effect(inner)).collect(),
        K::Many(all) => all.iter().flat_map(of_effect).collect(),
        K::If(condition, then, otherwise) => {
            let inner = std::iter::once(then).chain(otherwise);
            let inner = inner.flat_map(|effect| of_effect(effect));
            std::iter::once(condition).chain(inner).collect()
        }
        K::For(binders, inner) => {
            let binders = binders.iter().flat_map(in_binder);
            binders.chain(of_effect(inner)).collect()
        }
        K::OneOf(_) | K::Block(_) => Vec::new(),
    }
}
