//! How the game, or a player's part in it, ends.
//!
//! Where play can go on without somebody, he is asked nothing any more: before every question, behind every action and step,
//! an [`Op::Stay`] leads him out of the innermost body that may be left: a pass of a loop over players, an `as`, a step (whose
//! end is a step's end for him too), the body of an action. What stands around asks again.

use super::Lower;
use crate::program::*;
use dsl::ir;
use dsl::source::Span;

impl Lower<'_> {
    pub(super) fn endings(&mut self) {
        for ending in &self.rules.endings {
            let name = ending.name.map(|name| self.name(self.rules.text(name)));
            let reason = self.reason(ReasonKind::GivesUp, ending.span, None);
            self.program.endings.push(EndingCode {
                kind: ending.kind,
                name,
                reason,
                pc: 0,
            });
        }
        let mut kinds = self.rules.endings.iter().map(|ending| ending.kind);
        if kinds.clone().any(|kind| kind != ir::EndingKind::Finish) {
            self.program.fates = Some(self.program.fixed_words);
            self.program.fixed_words += self.players;
        }
        // The last one of two has won.
        self.program.leaves = self.players > 2 && kinds.any(ir::EndingKind::leaves);
    }

    pub(super) fn ending_name(&mut self, name: Option<ir::TextId>) -> u32 {
        name.map_or(ANY_NAME, |name| self.name(self.rules.text(name)))
    }

    pub(super) fn out(&mut self, player: &ir::Expr, span: Span) -> NodeId {
        let player = self.expr(player);
        self.scalar(Node::Out(player), span)
    }

    pub(super) fn finish(&mut self, finish: &ir::Finish, span: Span) {
        let ending = finish.ending;
        let op = match &finish.when {
            ir::FinishWhen::Now => Op::FinishNow(ending),
            ir::FinishWhen::After {
                label,
                more,
                of_each_player,
            } => Op::Finish {
                label: *label,
                more: more.as_ref().map(|more| self.expr(more)),
                of_each_player: *of_each_player,
                ending,
            },
        };
        let pc = self.emit(op, span);
        self.program.endings[ending.index()].pc = pc;
    }

    /// A condition on whoever is to have a pass, where somebody may have left the game.
    pub(super) fn still_plays(&mut self, span: Span) -> Option<NodeId> {
        self.program.leaves.then(|| {
            let me = self.scalar(Node::Me, span);
            let out = self.scalar(Node::Out(me), span);
            self.scalar(Node::Not(out), span)
        })
    }

    /// Lowers a body that whoever is out of the game leaves for what comes next.
    pub(super) fn staying(&mut self, body: impl FnOnce(&mut Self)) {
        self.stays.push(Vec::new());
        body(self);
        for stay in self.stays.pop().unwrap_or_default() {
            self.patch(stay);
        }
    }

    /// Here whoever is out of the game leaves the innermost body.
    pub(super) fn stay(&mut self, span: Span) {
        if !self.program.leaves || self.stays.is_empty() {
            return;
        }
        let stay = self.emit(Op::Stay { out: 0 }, span);
        if let Some(stays) = self.stays.last_mut() {
            stays.push(stay);
        }
    }
}
