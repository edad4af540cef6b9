//! What is known to lie in a zone where a statement stands: taking it out cannot fail there, and so tells nothing.
//!
//! It is known of names and constants in zones of a player, row or word that is a name or a constant: these never change while a
//! body runs. What may take something away from such a zone, or what is not looked into, makes it unknown again.

use crate::ir::{
    AssignOp, BinaryOp, Block, CellId, Choice, Expr, ExprKind, LocalId, Move, MoveWhat, Place,
    RuleSet, Statement, StatementKind, UnaryOp, Value,
};

/// A value that stays what it is as long as the same player acts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fixed {
    Local(LocalId),
    Me,
    Const(Value),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Zone {
    cell: CellId,
    indices: Vec<Fixed>,
}

/// What lies where.
#[derive(Clone, Debug, Default)]
pub(super) struct Present {
    known: Vec<(Fixed, Zone)>,
}

fn fixed(expr: &Expr) -> Option<Fixed> {
    match &expr.kind {
        ExprKind::Local(local) => Some(Fixed::Local(*local)),
        ExprKind::Me => Some(Fixed::Me),
        ExprKind::Const(value) => Some(Fixed::Const(value.clone())),
        _ => None,
    }
}

/// These places are the same as long as the same player acts.
pub(super) fn alike(a: &[Expr], b: &[Expr]) -> bool {
    let pairs = a.iter().zip(b);
    a.len() == b.len()
        && pairs
            .map(|(a, b)| (fixed(a), fixed(b)))
            .all(|(a, b)| a.is_some() && a == b)
}

impl Zone {
    fn new(cell: CellId, indices: &[Expr]) -> Option<Zone> {
        let indices = indices.iter().map(fixed).collect::<Option<_>>()?;
        Some(Zone { cell, indices })
    }

    fn of(place: &Place) -> Option<Zone> {
        Zone::new(place.cell, &place.indices)
    }

    /// A zone out of which nothing goes but by a statement.
    fn read(rs: &RuleSet, expr: &Expr) -> Option<Zone> {
        let ExprKind::Cell(cell, indices) = &expr.kind else {
            return None;
        };
        let feeds = |place: &Option<Place>| place.as_ref().is_some_and(|from| from.cell == *cell);
        let by_itself = rs
            .cells
            .iter()
            .any(|other| feeds(&other.refill) || feeds(&other.fill));
        Zone::new(*cell, indices).filter(|_| !by_itself)
    }
}

impl Present {
    /// Whether what is taken out of a place lies there.
    pub fn holds(&self, value: &Expr, from: &Place) -> bool {
        let what = fixed(value).zip(Zone::of(from));
        what.is_some_and(|what| self.known.contains(&what))
    }

    /// What follows from a condition that holds, or does not.
    fn learn(&mut self, rs: &RuleSet, condition: &Expr, holds: bool) {
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.learn(rs, inner, !holds),
            ExprKind::Binary(BinaryOp::And, a, b) if holds => {
                self.learn(rs, a, true);
                self.learn(rs, b, true);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if !holds => {
                self.learn(rs, a, false);
                self.learn(rs, b, false);
            }
            ExprKind::Binary(BinaryOp::In | BinaryOp::Within, what, zone) if holds => {
                self.known.extend(fixed(what).zip(Zone::read(rs, zone)));
            }
            _ => {}
        }
    }

    /// What was asked for fulfils its conditions, as long as nobody else acts.
    pub fn choose(&mut self, rs: &RuleSet, choice: &Choice) {
        let others_act = !rs.whens.is_empty() || rs.actions.iter().any(|one| one.anytime.is_some());
        if others_act {
            self.known.clear();
        }
        // Of several at once each fulfils them, and not all together.
        if choice.binder.up_to.is_none() {
            for condition in &choice.binder.conditions {
                self.learn(rs, &condition.expr, true);
            }
        }
    }

    /// What is known behind a statement.
    pub fn after(&mut self, rs: &RuleSet, statement: &Statement) {
        use StatementKind as S;
        match &statement.kind {
            S::Need(condition, _) => self.learn(rs, condition, true),
            S::Choose(choice) => self.choose(rs, choice),
            S::Let(local, value) => {
                let zone = Zone::read(rs, value);
                self.known
                    .extend(zone.map(|zone| (Fixed::Local(*local), zone)));
            }
            _ => self.pass(statement),
        }
    }

    /// Forgets what a statement may take away.
    fn pass(&mut self, statement: &Statement) {
        use StatementKind as S;
        match &statement.kind {
            S::Need(..)
            | S::Let(..)
            | S::AgendaAdd { .. }
            | S::Shuffle(_)
            | S::SetStarter(_)
            | S::Finish(_)
            | S::Verdict(..)
            | S::Stop
            | S::Skip => {}
            S::Assign { target, op, .. } => {
                if *op != AssignOp::Add {
                    self.known.retain(|(_, zone)| zone.cell != target.cell);
                }
            }
            S::Move(step) => self.pass_move(step),
            S::If { .. } | S::Match { .. } => {
                let blocks = statement.kind.blocks();
                let inside = blocks.iter().flat_map(|block| &block.statements);
                inside.for_each(|statement| self.pass(statement));
            }
            _ => self.known.clear(),
        }
    }

    /// What is moved into a zone is not taken from it, were it the one it comes from.
    fn pass_move(&mut self, step: &Move) {
        let (MoveWhat::Value { from, .. }
        | MoveWhat::Everything(from)
        | MoveWhat::Drawn { of: from, .. }) = &step.what;
        let to = Zone::of(&step.to);
        self.known
            .retain(|(_, zone)| zone.cell != from.cell || to.as_ref() == Some(zone));
    }
}

/// The blocks of an `if`, each with what is known where it begins.
pub(super) fn arms<'b>(
    rs: &RuleSet,
    before: &Present,
    arms: &'b [(Expr, Block)],
    otherwise: Option<&'b Block>,
) -> Vec<(&'b Block, Present)> {
    let mut none = before.clone();
    let mut bodies = Vec::new();
    for (condition, body) in arms {
        let mut here = none.clone();
        here.learn(rs, condition, true);
        bodies.push((body, here));
        none.learn(rs, condition, false);
    }
    bodies.extend(otherwise.map(|body| (body, none)));
    bodies
}
