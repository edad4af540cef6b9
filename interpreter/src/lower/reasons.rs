//! Why something is not possible, as it is told.

use super::Lower;
use crate::program::{MessageId, Reason, ReasonId, ReasonKind};
use dsl::ir;
use dsl::source::Span;
use std::sync::Arc;

impl Lower<'_> {
    /// A reason that says no more than its kind and place.
    pub(super) fn reason(
        &mut self,
        kind: ReasonKind,
        span: Span,
        message: Option<MessageId>,
    ) -> ReasonId {
        let id = ReasonId(self.program.reasons.len() as u32);
        self.program.reasons.push(Reason {
            span,
            kind,
            message,
            condition: None,
            numbers: false,
        });
        id
    }

    /// The reason of a condition.
    pub(super) fn condition_reason(
        &mut self,
        kind: ReasonKind,
        condition: &ir::Expr,
        span: Span,
        message: Option<MessageId>,
    ) -> ReasonId {
        let id = self.reason(kind, span, message);
        let of_number = |e: &ir::Expr| matches!(e.ty, ir::Ty::Int { .. });
        let reason = &mut self.program.reasons[id.at()];
        reason.condition = message.is_none().then(|| Arc::new(condition.clone()));
        if let ir::ExprKind::Binary(_, a, b) = &condition.kind {
            reason.numbers = of_number(a) && of_number(b);
        }
        id
    }
}
