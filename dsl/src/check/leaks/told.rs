//! What others notice of a statement: that somebody is asked, and that it fails.

use super::present::Present;
use super::{Search, Told, present};
use crate::ir::{
    Action, ActionId, AggregateOp, AssignOp, Block, Domain, Expr, ExprKind, MoveWhat, ParamKind,
    Place, Statement, StatementKind, Ty, Value,
};
use std::collections::BTreeSet;

impl Search<'_> {
    /// Whether what is assigned may lie outside of what the cell holds.
    pub(super) fn can_leave(&self, target: &Place, op: AssignOp, value: &Expr) -> bool {
        let cell = &self.rs.cells[target.cell.index()];
        match op {
            AssignOp::Set => {
                let counted = self.counts_to(value).map(|most| Ty::Int {
                    low: Some(0),
                    high: Some(most),
                });
                !target.ty.spans(counted.as_ref().unwrap_or(&value.ty))
            }
            AssignOp::Add => {
                let held = target.ty.element();
                let outside = held.is_some_and(|held| !held.spans(&value.ty));
                cell.high.is_some() || cell.capacity.is_some() || outside
            }
            AssignOp::Subtract if self.is_at_most(value, target) => cell.ty.is_container(),
            AssignOp::Subtract => cell.low.is_some() || cell.ty.is_container(),
        }
    }

    /// `min(…, gold)`, or `gold` itself, taken from `gold`: as far as that goes down to 0.
    fn is_at_most(&self, value: &Expr, target: &Place) -> bool {
        let low = &self.rs.cells[target.cell.index()].low;
        let is_it = |one: &Expr| {
            matches!(&one.kind, ExprKind::Cell(id, args)
                if *id == target.cell && present::alike(args, &target.indices))
        };
        let capped = match &value.kind {
            ExprKind::Aggregate {
                op: AggregateOp::Min,
                binders,
                ..
            } => matches!(&binders[..], [one]
                if matches!(&one.source.kind, ExprKind::ListOf(all) if all.iter().any(is_it))),
            _ => is_it(value),
        };
        let to_zero = |low: &Expr| matches!(low.kind, ExprKind::Const(Value::Int(..=0)));
        capped && low.as_ref().is_none_or(to_zero)
    }

    /// The most that `count(x in 1..4 where …)` can come to.
    fn counts_to(&self, value: &Expr) -> Option<i64> {
        let ExprKind::Aggregate {
            op: AggregateOp::Count,
            binders,
            ..
        } = &value.kind
        else {
            return None;
        };
        binders.iter().try_fold(1i64, |most, binder| {
            let size = match &binder.source.kind {
                ExprKind::Range(low, high) => match (&low.kind, &high.kind) {
                    (ExprKind::Const(Value::Int(low)), ExprKind::Const(Value::Int(high))) => {
                        i64::from(*high) - i64::from(*low) + 1
                    }
                    _ => return None,
                },
                ExprKind::All(Domain::Table(table)) => {
                    self.rs.tables[table.index()].rows.len() as i64
                }
                ExprKind::All(Domain::Enum(of)) => self.rs.enums[of.index()].members.len() as i64,
                _ => return None,
            };
            most.checked_mul(size.max(0))
        })
    }

    /// Whether the acting player is asked something whenever this runs.
    pub(super) fn asks(&self, statement: &Statement, met: &mut BTreeSet<ActionId>) -> bool {
        use StatementKind as S;
        match &statement.kind {
            S::May(_) | S::Choose(_) | S::OneOf { .. } | S::AnyOrder { .. } | S::Walk { .. } => {
                true
            }
            S::Repeat(repeat) => repeat.may,
            S::Step(_, body) => body.statements.iter().any(|one| self.asks(one, met)),
            S::Call(id, _) => {
                let action = &self.rs.actions[id.index()];
                let asked = |kind: &ParamKind| matches!(kind, ParamKind::Asked(_));
                action.params.iter().any(|param| asked(&param.kind))
                    || met.insert(*id)
                        && action.body.statements.iter().any(|one| self.asks(one, met))
            }
            _ => false,
        }
    }

    /// The first statement that asks somebody something, or can fail.
    pub(super) fn tells(
        &self,
        block: &Block,
        present: &Present,
        met: &mut BTreeSet<ActionId>,
    ) -> Option<Told> {
        let mut present = present.clone();
        block.statements.iter().find_map(|statement| {
            let told = self.statement_tells(statement, &present, met);
            present.after(self.rs, statement);
            told
        })
    }

    fn statement_tells(
        &self,
        statement: &Statement,
        present: &Present,
        met: &mut BTreeSet<ActionId>,
    ) -> Option<Told> {
        use StatementKind as S;
        let here = |fails| {
            let span = statement.span;
            Some(Told { span, fails })
        };
        let apart = Present::default();
        match &statement.kind {
            S::Let(..)
            | S::Shuffle(_)
            | S::SetStarter(_)
            | S::Finish(_)
            | S::Verdict(..)
            | S::Skip
            | S::Stop => None,
            S::Assign { target, op, value } => {
                let fails = self.can_leave(target, *op, value);
                fails.then(|| here(true)).flatten()
            }
            S::Move(step) => {
                let sure = match &step.what {
                    MoveWhat::Everything(_) => true,
                    MoveWhat::Value { value, from } => present.holds(value, from),
                    MoveWhat::Drawn { .. } => false,
                };
                let fails = !(step.up_to || sure);
                fails.then(|| here(true)).flatten()
            }
            S::If { arms, otherwise } => {
                let bodies = present::arms(self.rs, present, arms, otherwise.as_ref());
                let mut bodies = bodies.iter();
                bodies.find_map(|(body, present)| self.tells(body, present, met))
            }
            S::Match {
                arms, otherwise, ..
            } => {
                let mut bodies = arms.iter().map(|(_, body)| body).chain(otherwise);
                bodies.find_map(|body| self.tells(body, present, met))
            }
            S::Repeat(repeat) if repeat.may => here(false),
            S::Step(_, body) | S::As(_, body) | S::Each { body, .. } => {
                self.tells(body, &apart, met)
            }
            S::EachPlayer(each) => self.tells(&each.body, &apart, met),
            S::Repeat(repeat) => self.tells(&repeat.body, &apart, met),
            S::Call(id, _) => {
                let action: &Action = &self.rs.actions[id.index()];
                let asks = |kind: &ParamKind| matches!(kind, ParamKind::Asked(_));
                if action.composite.is_some() || action.params.iter().any(|param| asks(&param.kind))
                {
                    return here(false);
                }
                let new = met.insert(*id);
                new.then(|| self.tells(&action.body, &apart, met)).flatten()
            }
            S::Need(..) => here(true),
            _ => here(false),
        }
    }
}
