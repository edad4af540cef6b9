//! What is the case where a condition does not hold, for conditions that say nothing of it themselves.

use super::Words;
use super::speech::plain;
use dsl::ir::{BinaryOp, Expr, ExprKind, Saying, Ty, UnaryOp};

impl Words<'_> {
    /// In words; none if they would be more than a few, or no more than names.
    pub(super) fn fails(&self, condition: &Expr) -> Option<String> {
        self.case(condition, false)
    }

    /// What is the case where a condition holds, or where it does not.
    fn case(&self, condition: &Expr, holds: bool) -> Option<String> {
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.case(inner, !holds),
            ExprKind::Unary(UnaryOp::There, inner) => self.there(inner, holds),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let link = if holds { Saying::And } else { Saying::Or };
                self.joined((left, holds), link, (right, holds))
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let link = if holds { Saying::Or } else { Saying::And };
                self.joined((left, holds), link, (right, holds))
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                let link = if holds { Saying::Or } else { Saying::And };
                self.joined((left, !holds), link, (right, holds))
            }
            ExprKind::Binary(op, left, right) => self.compared(*op, (left, right), holds),
            _ => {
                let what = self.thing(condition)?;
                Some(match holds {
                    true => what,
                    false => self.say(Saying::Not, &[("what", &what)]),
                })
            }
        }
    }

    fn joined(
        &self,
        (left, left_holds): (&Expr, bool),
        link: Saying,
        (right, right_holds): (&Expr, bool),
    ) -> Option<String> {
        let left = self.case(left, left_holds)?;
        let right = self.case(right, right_holds)?;
        Some(format!("{left} {} {right}", self.say(link, &[])))
    }

    /// That something is there, or is not.
    fn there(&self, what: &Expr, holds: bool) -> Option<String> {
        let what = self.thing(what)?;
        Some(match holds {
            true => self.say(Saying::IsThere, &[("what", &what)]),
            false => self.say(Saying::NoThingCalled, &[("thing", &what)]),
        })
    }

    fn compared(&self, op: BinaryOp, (left, right): (&Expr, &Expr), holds: bool) -> Option<String> {
        let saying = match (op, holds) {
            (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) => Saying::Is,
            (BinaryOp::Equal, false) | (BinaryOp::NotEqual, true) => Saying::IsNot,
            (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => Saying::IsLess,
            (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => Saying::IsMore,
            (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => Saying::IsAtMost,
            (BinaryOp::GreaterEqual, true) | (BinaryOp::Less, false) => Saying::IsAtLeast,
            (BinaryOp::In, true) => Saying::IsAmong,
            (BinaryOp::In, false) => Saying::IsNotAmong,
            _ => return None,
        };
        let (what, value) = (self.thing(left)?, self.thing(right)?);
        // Two things of one kind without names of their own are not told apart.
        (what != value).then(|| self.say(saying, &[("what", &what), ("value", &value)]))
    }

    /// A value by what it is called; what was chosen by its kind.
    fn thing(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Me => Some(self.say(Saying::You, &[])),
            ExprKind::Local(_) => Some(self.noun(&expr.ty)?.one.clone()),
            ExprKind::Call(formula, _) => {
                let formula = self.rules.formulas.get(formula.index())?;
                Some(plain(&formula.name))
            }
            ExprKind::Size(inner) => {
                let inner = self.thing(inner)?;
                Some(self.say(Saying::NumberOf, &[("what", &inner)]))
            }
            ExprKind::Unwrap(inner) => self.thing(inner),
            ExprKind::Const(_) if expr.ty == Ty::Bool => None,
            _ => self.expression(expr),
        }
    }
}
