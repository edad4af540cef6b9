//! Loops: steps and their passes, `each`, `each player`, `repeat`.

use super::Lower;
use crate::program::*;
use dsl::ir::{self, StatementKind};
use dsl::source::Span;

/// A loop that `stop` can leave.
pub struct LoopScope {
    /// Jumps to be pointed behind the loop.
    exits: Vec<u32>,
    /// What has to be undone on the way out, innermost last.
    undo: Vec<Op>,
}

impl Lower<'_> {
    /// A step, and as many passes more as the one that runs is given.
    pub(super) fn step(&mut self, label: ir::LabelId, body: &ir::Block, span: Span) {
        let Some(cell) = self.rules.labels[label.index()].another else {
            return self.one_pass(label, body, span);
        };
        let counter = self.extra(1);
        let times = self.scalar(Node::Const(1), span);
        self.emit(Op::RepeatBegin { times, counter }, span);
        let top = self.emit(Op::RepeatTest { counter, end: 0 }, span);
        let more = self.more;
        self.more |= self.deciding;
        self.one_pass(label, body, span);
        self.more = more;
        // The cell still holds what the pass was given.
        let given = self.expr(&ir::Expr {
            kind: ir::ExprKind::Cell(cell, Vec::new()),
            ty: self.rules.cells[cell.index()].ty.clone(),
            span,
        });
        let left = self.scalar(Node::Local(counter), span);
        let left = self.scalar(Node::Add(left, given), span);
        self.emit(Op::Let(counter, left), span);
        self.emit(Op::Jump(top), span);
        self.patch(top);
    }

    fn one_pass(&mut self, label: ir::LabelId, body: &ir::Block, span: Span) {
        let saved = self.notes_player(label).then(|| self.extra(1));
        let more = self.more;
        let leave = Op::LeaveStep { label, saved, more };
        self.emit(Op::EnterStep { label, saved }, span);
        let body = |lower: &mut Self| lower.undoing(leave, |lower| lower.block(body));
        // In the flow itself nobody's part is over.
        match self.stays.is_empty() {
            true => body(self),
            false => self.staying(body),
        }
        self.emit(leave, span);
        self.stay(span);
    }

    /// Whether anybody asks who runs a pass of this label, or whether one is running.
    fn notes_player(&self, label: ir::LabelId) -> bool {
        let rules = self.rules;
        let during = |action: &ir::Action| {
            let anytime = action.anytime;
            anytime.is_some_and(|anytime| anytime.during == Some(label))
        };
        // Scenarios ask for the set-up.
        let own = &rules.labels[label.index()];
        own.compared
            || own.name == "setup"
            || rules.rules.iter().any(|rule| rule.after == Some(label))
            || rules.actions.iter().any(during)
            || !self.program.label_cells[label.index()].is_empty()
    }

    /// Lowers a body during which leaving needs `op`.
    pub(super) fn undoing(&mut self, op: Op, body: impl FnOnce(&mut Self)) {
        if let Some(scope) = self.loops.last_mut() {
            scope.undo.push(op);
        }
        body(self);
        if let Some(scope) = self.loops.last_mut() {
            scope.undo.pop();
        }
    }

    pub(super) fn looping(&mut self, body: impl FnOnce(&mut Self)) -> Vec<u32> {
        self.loops.push(LoopScope {
            exits: Vec::new(),
            undo: Vec::new(),
        });
        // The next pass may still come.
        let more = self.more;
        self.more |= self.deciding;
        body(self);
        self.more = more;
        self.loops
            .pop()
            .map(|scope| scope.exits)
            .unwrap_or_default()
    }

    /// One pass of a loop's body, labelled or not.
    pub(super) fn pass(&mut self, label: Option<ir::LabelId>, body: &ir::Block, span: Span) {
        match label {
            Some(label) => self.step(label, body, span),
            None => self.block(body),
        }
    }

    pub(super) fn stop(&mut self, span: Span) {
        let Some(scope) = self.loops.last() else {
            return;
        };
        let undo: Vec<Op> = scope.undo.iter().rev().copied().collect();
        for op in undo {
            self.emit(op, span);
        }
        let jump = self.emit(Op::Jump(0), span);
        if let Some(scope) = self.loops.last_mut() {
            scope.exits.push(jump);
        }
    }

    pub(super) fn each(
        &mut self,
        binders: &[ir::Binder],
        pass: Option<ir::LabelId>,
        body: &ir::Block,
        span: Span,
    ) {
        let Some((first, rest)) = binders.split_first() else {
            self.pass(pass, body, span);
            return;
        };
        let binder = self.binder(first);
        let room = self.loop_room(&first.source);
        let list = self.extra(2 + room);
        let local = self.program.binders[binder.at()].local;
        self.emit(Op::EachBegin { binder, list, room }, span);
        let next = self.emit(
            Op::EachNext {
                local,
                list,
                end: 0,
            },
            span,
        );
        let exits = self.looping(|lower| {
            if rest.is_empty() {
                lower.pass(pass, body, span);
            } else {
                lower.each(rest, pass, body, span);
            }
        });
        self.emit(Op::Jump(next), span);
        self.patch(next);
        for exit in exits {
            self.patch(exit);
        }
    }

    pub(super) fn each_player(&mut self, each: &ir::EachPlayer, span: Span) {
        let mut conditions: Vec<NodeId> = each.conditions.iter().map(|c| self.expr(c)).collect();
        conditions.extend(self.still_plays(span));
        let by = each.by.iter().map(|k| self.expr(k)).collect();
        let from = match &each.from {
            ir::SeatFrom::Starter => SeatFrom::Starter,
            ir::SeatFrom::Left => SeatFrom::Left,
            ir::SeatFrom::Right => SeatFrom::Right,
            ir::SeatFrom::Player(player) => SeatFrom::Player(self.expr(player)),
        };
        let inner = self.counted_in(&each.body);
        let own = each.pass.filter(|label| self.is_counted(*label));
        let passes_it = !inner.is_empty();
        self.program.orders.push(SeatOrder {
            other: each.other,
            conditions,
            by,
            from,
            counted: own.into_iter().chain(inner).collect(),
        });
        let order = self.program.orders.len() as u32 - 1;
        let list = self.extra(3 + self.players);
        self.emit(Op::PlayersBegin { order, list }, span);
        if each.secretly {
            self.emit(Op::SecretBegin, span);
        }
        let next = self.emit(Op::PlayersNext { list, end: 0 }, span);
        // What is written in secret is settled behind all of it, so nobody's way ends before.
        let more = self.more;
        self.more |= each.secretly;
        let exits = self.looping(|lower| {
            let pass = |lower: &mut Self| {
                lower.staying(|lower| {
                    lower.stay(span);
                    lower.pass(each.pass, &each.body, span);
                });
            };
            if passes_it {
                let end = Op::PassEnd { order };
                lower.undoing(end, pass);
                lower.emit(end, span);
            } else {
                pass(lower);
            }
        });
        self.emit(Op::Jump(next), span);
        if !exits.is_empty() {
            for exit in exits {
                self.patch(exit);
            }
            self.emit(Op::PlayersLeave { list }, span);
        }
        self.more = more;
        self.patch(next);
        if each.secretly {
            self.emit(Op::SecretEnd, span);
            self.settle(span);
        }
    }

    fn is_counted(&self, label: ir::LabelId) -> bool {
        self.rules.labels[label.index()].counted
    }

    /// The steps in a loop's body whose passes some `finish` counts player by player; those of a loop over players inside it
    /// are that loop's.
    fn counted_in(&self, body: &ir::Block) -> Vec<ir::LabelId> {
        let mut found = Vec::new();
        for statement in &body.statements {
            let kind = &statement.kind;
            if matches!(kind, StatementKind::EachPlayer(_)) {
                continue;
            }
            found.extend(kind.label());
            if let StatementKind::OneOf { items, .. } = kind {
                found.extend(items.iter().filter_map(|item| item.label));
            }
            for block in kind.blocks() {
                found.extend(self.counted_in(block));
            }
        }
        found.retain(|label| self.is_counted(*label));
        found
    }

    pub(super) fn repeat(&mut self, repeat: &ir::Repeat, span: Span) {
        let counter = repeat.times.as_ref().map(|times| {
            let times = self.expr(times);
            let counter = self.extra(1);
            self.emit(Op::RepeatBegin { times, counter }, span);
            counter
        });
        let top = self.here();
        let mut leave = Vec::new();
        if let Some(counter) = counter {
            leave.push(self.emit(Op::RepeatTest { counter, end: 0 }, span));
        }
        if let Some(condition) = &repeat.while_ {
            let node = self.expr(condition);
            leave.push(self.emit(Op::JumpUnless(node, 0), condition.span));
        }
        let exits = self.looping(|lower| {
            if repeat.may {
                let end = lower.may_begin(&repeat.body, span);
                lower.decided(|lower| lower.pass(repeat.pass, &repeat.body, span));
                lower.settle(span);
                leave.push(end);
            } else {
                lower.pass(repeat.pass, &repeat.body, span);
            }
        });
        self.emit(Op::Jump(top), span);
        for at in leave.into_iter().chain(exits) {
            self.patch(at);
        }
    }
}
