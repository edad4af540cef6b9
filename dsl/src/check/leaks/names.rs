//! What is known of the names in a body: who they are, and what they are copies of.

use super::Leak;
use super::present::Present;
use crate::ir::{BinaryOp, Binder, CellId, Code, Expr, ExprKind, LocalId, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the names where an expression stands.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// They are the acting player.
    pub mine: BTreeSet<LocalId>,
    /// They are another player.
    pub others: BTreeSet<LocalId>,
    /// Copies of what that player cannot see.
    pub secret: BTreeMap<LocalId, Leak>,
    /// They were picked from this cell: there they are.
    pub picked: BTreeSet<(LocalId, CellId)>,
    pub present: Present,
    /// Somebody may have answered before, and looked ahead to here.
    pub asked: bool,
    /// That was another player than who acts.
    pub early: bool,
}

impl Names {
    /// Those of a body, where it begins.
    pub fn of(code: &Code) -> Names {
        let locals = (0..).map(LocalId).zip(&code.locals);
        let picked = locals.filter_map(|(id, local)| Some((id, local.picked_from.as_ref()?.cell)));
        Names {
            picked: picked.collect(),
            ..Names::default()
        }
    }

    pub fn behind_answer(self, asked: bool, early: bool) -> Names {
        Names {
            asked,
            early,
            ..self
        }
    }

    /// Another player acts, or the same again (then nothing is early).
    pub fn passed_on(&self, early: bool) -> Names {
        Names {
            mine: BTreeSet::new(),
            others: BTreeSet::new(),
            early: self.early || early,
            ..self.clone()
        }
    }

    /// The acting player is asked: from here on he knows what is his own.
    pub fn asked_now(&mut self) {
        self.asked = true;
        self.early = false;
    }

    /// What is gone through, or chosen, is what the conditions say.
    pub fn meet(&mut self, binder: &Binder) {
        let conditions = binder.conditions.iter();
        if conditions
            .into_iter()
            .any(|condition| self.is_not_me(binder.local, &condition.expr))
        {
            self.others.insert(binder.local);
        }
    }

    /// A condition that does not hold of the acting player.
    fn is_not_me(&self, local: LocalId, condition: &Expr) -> bool {
        let pair = |a: &Expr, b: &Expr| {
            matches!(a.kind, ExprKind::Local(named) if named == local) && self.is_me(b)
        };
        match &condition.kind {
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.is_not_me(local, a) || self.is_not_me(local, b)
            }
            ExprKind::Binary(BinaryOp::NotEqual, a, b) => pair(a, b) || pair(b, a),
            ExprKind::Unary(UnaryOp::Not, inner) => {
                matches!(&inner.kind, ExprKind::Binary(BinaryOp::Equal, a, b) if pair(a, b) || pair(b, a))
            }
            _ => false,
        }
    }

    pub fn is_me(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Me => true,
            ExprKind::Local(local) => self.mine.contains(local),
            _ => false,
        }
    }

    /// It is a player, and not the one who acts. (Who plays alone is his own neighbour, and nobody's hand is hidden from him.)
    pub fn is_other(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Left(player) | ExprKind::Right(player) => self.is_me(player),
            ExprKind::Local(local) => self.others.contains(local),
            _ => false,
        }
    }
}
