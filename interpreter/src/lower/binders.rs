//! Binders, and what is asked of all their elements.

use super::Lower;
use crate::facts::Origin;
use crate::program::*;
use dsl::ir::{self, AggregateOp, ExprKind, Ty};
use dsl::source::Span;

/// The numbers of two runs: how many, from where on.
pub(super) fn hull((a, x): (u32, i32), (b, y): (u32, i32)) -> (u32, i32) {
    let low = x.min(y);
    let end = (i64::from(x) + i64::from(a)).max(i64::from(y) + i64::from(b));
    ((end - i64::from(low)) as u32, low)
}

impl Lower<'_> {
    pub(super) fn aggregate(
        &mut self,
        op: AggregateOp,
        binders: &[ir::Binder],
        value: Option<&ir::Expr>,
        expr: &ir::Expr,
    ) -> NodeId {
        let span = expr.span;
        if let Some(chosen) = self.of_written(op, binders, value, span) {
            return chosen;
        }
        let binders: Vec<BinderId> = binders.iter().map(|b| self.binder(b)).collect();
        let value = value.map(|v| self.expr(v));
        for id in &binders {
            self.program.binders[id.at()].run = self.run_of(*id);
        }
        let shape = match op {
            AggregateOp::Set | AggregateOp::Bag | AggregateOp::List => self.ordered_shape(expr),
            _ => Shape::Scalar,
        };
        let id = AggregateId(self.program.aggregates.len() as u32);
        self.program.aggregates.push(Aggregate {
            op,
            binders,
            value,
            shape,
            total: None,
            span,
        });
        if shape == Shape::Scalar {
            self.scalar(Node::Aggregate(id), span)
        } else {
            self.node(Node::Collect(id), shape, span)
        }
    }

    /// `min(a, b)`: of numbers that are written out none is collected.
    fn of_written(
        &mut self,
        op: AggregateOp,
        binders: &[ir::Binder],
        value: Option<&ir::Expr>,
        span: Span,
    ) -> Option<NodeId> {
        let make = match op {
            AggregateOp::Min => Node::Minimum,
            AggregateOp::Max => Node::Maximum,
            _ => return None,
        };
        let [binder] = binders else { return None };
        let ExprKind::ListOf(items) = &binder.source.kind else {
            return None;
        };
        let as_it_is = binder.conditions.is_empty()
            && binder.up_to.is_none()
            && value.is_none_or(|v| matches!(v.kind, ExprKind::Local(id) if id == binder.local))
            && items.iter().all(|item| matches!(item.ty, Ty::Int { .. }));
        if !as_it_is {
            return None;
        }
        let numbers: Vec<NodeId> = items.iter().map(|item| self.expr(item)).collect();
        (numbers.into_iter()).reduce(|a, b| self.scalar(make(a, b), span))
    }

    /// Rows that lie together in their table: `where row.column = value`, with a column that never falls.
    fn run_of(&self, id: BinderId) -> Option<(u32, NodeId)> {
        let binder = &self.program.binders[id.at()];
        let Source::All { n, low: 0 } = binder.source else {
            return None;
        };
        let mut conditions = binder.conditions.iter();
        let (base, value) =
            conditions.find_map(|(condition, _)| self.column_in(*condition, binder.local))?;
        let column = &self.program.consts[base as usize..(base + n) as usize];
        column.is_sorted().then_some((base, value))
    }

    pub(super) fn binder(&mut self, binder: &ir::Binder) -> BinderId {
        let (local, shape) = self.local(binder.local);
        let of_param = std::mem::take(&mut self.of_param);
        let source = self.source(&binder.source);
        self.origins[binder.local.index()] = match of_param {
            true => Some(Origin::Item),
            false => self.origin(source),
        };
        let name = self.binder_name(binder);
        let conditions = binder
            .conditions
            .iter()
            .map(|condition| {
                let node = self.expr(&condition.expr);
                let message = condition.message.as_ref().map(|m| self.message(m));
                let reason = self.condition_reason(
                    ReasonKind::Where(name.clone()),
                    &condition.expr,
                    condition.expr.span,
                    message,
                );
                (node, reason)
            })
            .collect();
        let by = binder.by.iter().map(|k| self.expr(k)).collect();
        let from = binder.from.as_ref().map(|f| self.expr(f));
        let up_to = binder.up_to.as_ref().map(|n| self.expr(n));
        let mut lowered = Binder {
            local,
            source,
            conditions,
            by,
            from,
            up_to,
            shape,
            parts: None,
            unread: false,
            at: None,
            run: None,
            among: None,
            sieve: None,
        };
        if let Source::OnBoard(_) = source {
            let mut conditions = lowered.conditions.iter();
            lowered.at = conditions.find_map(|(node, _)| self.position_in(*node, local));
        }
        if matches!(source, Source::Parts(_)) {
            lowered.parts = Some(self.parts_plan(binder, &lowered));
        }
        self.program.binders.push(lowered);
        BinderId(self.program.binders.len() as u32 - 1)
    }

    /// Where the elements of a source come from.
    pub(super) fn origin(&self, source: Source) -> Option<Origin> {
        match source {
            Source::All { n, low } => Some(Origin::Among { low, n }),
            Source::Range(low, high) => Some(Origin::Between(low, high)),
            Source::Container(node) => match self.shape_of(node) {
                Shape::Set { n, low } | Shape::Bag { n, low } => Some(Origin::Among { low, n }),
                Shape::List { .. } | Shape::Row { .. } => Some(Origin::Item),
                Shape::Scalar | Shape::Agenda { .. } => None,
            },
            Source::OnBoard(_) => Some(Origin::Item),
            Source::Parts(_) => None,
        }
    }

    fn binder_name(&self, binder: &ir::Binder) -> String {
        let _ = binder;
        self.current_names
            .get(binder.local.index())
            .cloned()
            .unwrap_or_default()
    }

    pub(super) fn source(&mut self, source: &ir::Expr) -> Source {
        match &source.kind {
            ExprKind::All(domain) => {
                let (low, n) = self.all_in(*domain);
                Source::All { n, low }
            }
            ExprKind::Range(low, high) => {
                let low = self.expr(low);
                let high = self.expr(high);
                Source::Range(low, high)
            }
            ExprKind::Parts(zone) => Source::Parts(self.expr(zone)),
            ExprKind::OnBoard(table) => Source::OnBoard(self.parts_index(*table)),
            _ => Source::Container(self.expr(source)),
        }
    }
}
