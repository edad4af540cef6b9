//! Statements to flat code.

use super::Lower;
use crate::facts::Origin;
use crate::program::*;
use dsl::ir::{self, StatementKind};
use dsl::source::Span;

impl Lower<'_> {
    pub(super) fn here(&self) -> u32 {
        self.program.code.len() as u32
    }

    pub(super) fn emit(&mut self, op: Op, span: Span) -> u32 {
        self.program.code.push(op);
        self.program.op_spans.push(span);
        self.program.code.len() as u32 - 1
    }

    pub(super) fn patch(&mut self, at: u32) {
        let here = self.here();
        match &mut self.program.code[at as usize] {
            Op::Jump(target)
            | Op::JumpUnless(_, target)
            | Op::EachNext { end: target, .. }
            | Op::PlayersNext { end: target, .. }
            | Op::RepeatTest { end: target, .. }
            | Op::Stay { out: target }
            | Op::May { end: target, .. }
            | Op::AgendaPick { end: target, .. }
            | Op::WalkPick { end: target, .. } => *target = here,
            other => unreachable!("{other:?} has no target"),
        }
    }

    pub(super) fn flow(&mut self) {
        self.open(&self.rules.flow);
        let entry = self.here();
        self.in_flow = true;
        self.block(&self.rules.flow_body);
        self.in_flow = false;
        let span = self.program.op_spans.last().copied();
        self.emit(
            Op::EndOfFlow,
            span.unwrap_or(Span::new(dsl::source::FileId(0), 0, 0)),
        );
        let flow = self.program.flow;
        let frame_words = self.frame_words;
        self.program.procs[flow.at()].entry = entry;
        self.program.procs[flow.at()].frame_words = frame_words;
    }

    pub(super) fn block(&mut self, block: &ir::Block) {
        let outer = (self.deciding, self.more);
        for (at, statement) in block.statements.iter().enumerate() {
            self.more = outer.1 || self.deciding && at + 1 < block.statements.len();
            self.statement(statement);
            self.deciding |= self.in_flow && matches!(statement.kind, StatementKind::Choose(_));
        }
        (self.deciding, self.more) = outer;
    }

    /// Lowers the body of a decision.
    pub(super) fn decided<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.deciding, self.in_flow);
        let lowered = body(self);
        self.deciding = outer;
        lowered
    }

    pub(super) fn statement(&mut self, statement: &ir::Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Step(label, body) => self.step(*label, body, span),
            StatementKind::Need(condition, message) => {
                let message = message.as_ref().map(|m| self.message(m));
                let node = self.expr(condition);
                let reason =
                    self.condition_reason(ReasonKind::Need, condition, condition.span, message);
                self.emit(Op::Need(node, reason), span);
            }
            StatementKind::Choose(choice) => {
                let index = self.choice(choice);
                if !choice.at_once {
                    self.stay(span);
                }
                self.emit(Op::Choose(index), span);
            }
            StatementKind::Let(local, value) => self.let_value(*local, value, span),
            StatementKind::Assign { target, op, value } => self.assign(target, *op, value, span),
            StatementKind::AgendaAdd {
                agenda,
                must,
                effect,
            } => {
                let agenda = self.place(agenda);
                let effect = self.effect_index(effect);
                self.emit(
                    Op::AgendaAdd {
                        agenda,
                        must: *must,
                        effect,
                    },
                    span,
                );
            }
            StatementKind::Move(step) => self.move_step(step, span),
            StatementKind::Shuffle(place) => {
                let place = self.place(place);
                self.emit(Op::Shuffle(place), span);
            }
            StatementKind::SetStarter(player) => {
                let player = self.expr(player);
                self.emit(Op::SetStarter(player), span);
            }
            StatementKind::If { arms, otherwise } => self.if_else(arms, otherwise.as_ref(), span),
            StatementKind::Match {
                value,
                arms,
                otherwise,
            } => self.match_value(value, arms, otherwise.as_ref(), span),
            StatementKind::Each {
                binders,
                pass,
                body,
            } => self.each(binders, *pass, body, span),
            StatementKind::EachPlayer(each) => self.each_player(each, span),
            StatementKind::As(player, body) => {
                let player = self.expr(player);
                let saved = self.extra(1);
                self.emit(Op::As { player, saved }, span);
                self.staying(|lower| {
                    lower.stay(span);
                    lower.undoing(Op::AsEnd { saved }, |lower| lower.block(body));
                });
                self.emit(Op::AsEnd { saved }, span);
            }
            StatementKind::Repeat(repeat) => self.repeat(repeat, span),
            StatementKind::May(body) => {
                self.may(body, span);
            }
            StatementKind::OneOf { items, none } => self.one_of(items, none.as_ref(), span),
            StatementKind::AnyOrder {
                agenda,
                as_far,
                items,
            } => self.any_order(agenda, *as_far, items, span),
            StatementKind::Walk { walk, body } => self.walk_statement(walk, body, span),
            StatementKind::Pause(message) => {
                let message = self.message(message);
                self.stay(span);
                self.emit(Op::Pause(message), span);
            }
            StatementKind::Finish(finish) => self.finish(finish, span),
            StatementKind::Verdict(ending, player) => {
                let player = player.as_ref().map(|player| self.expr(player));
                let ending = *ending;
                let pc = self.emit(Op::Verdict { ending, player }, span);
                self.program.endings[ending.index()].pc = pc;
            }
            StatementKind::Stop => self.stop(span),
            StatementKind::Skip => {}
            StatementKind::Call(action, args) => {
                let args = self.call_args(*action, args);
                let proc = self.program.action_procs[action.index()];
                self.emit(Op::Call(proc, args), span);
                self.settle(span);
                self.stay(span);
            }
            StatementKind::Run(value) => {
                let value_node = self.expr(value);
                let node = EffectNode::Value {
                    value: value_node,
                    kind: match value.ty.required() {
                        ir::Ty::List(_) => EffectValue::List,
                        ir::Ty::Element(_) => EffectValue::Action,
                        _ => EffectValue::Effect,
                    },
                };
                self.program.effects.push(node);
                let at = self.program.effects.len() as u32 - 1;
                self.emit(Op::RunEffect(at), span);
                self.settle(span);
                self.stay(span);
            }
        }
    }

    /// In the flow itself an outermost action has ended.
    pub(super) fn settle(&mut self, span: Span) {
        if self.in_flow {
            self.emit(Op::Settle { more: self.more }, span);
        }
    }

    fn let_value(&mut self, local: ir::LocalId, value: &ir::Expr, span: Span) {
        let node = self.expr(value);
        let (at, shape) = self.local(local);
        self.origins[local.index()] = Some(Origin::Value(node));
        let op = if shape == Shape::Scalar {
            Op::Let(at, node)
        } else {
            Op::LetWords(at, node)
        };
        self.emit(op, span);
        if let Some((at, shape)) = self.walk_locals.get(&local).copied() {
            let nodes = self.walk_nodes(value, shape);
            self.emit(Op::LetWords(at, nodes), span);
        }
    }

    fn assign(&mut self, target: &ir::Place, op: ir::AssignOp, value: &ir::Expr, span: Span) {
        // Into a place of a container, or into the container, goes what it may hold.
        let one = match (&target.element, op) {
            (Some(_), _) => Some(target.ty.clone()),
            (None, ir::AssignOp::Add) if !value.ty.is_container() => target.ty.element(),
            (None, _) => None,
        };
        let node = match one {
            Some(ty) => self.handed(value, &ty),
            None => self.expr(value),
        };
        let place = self.place(target);
        let scalar = self.program.places[place.at()].shape == Shape::Scalar;
        let op = match (op, scalar) {
            (ir::AssignOp::Set, true) => Op::Set(place, node),
            (ir::AssignOp::Add, true) => Op::Add(place, node),
            (ir::AssignOp::Subtract, true) => Op::Subtract(place, node),
            (ir::AssignOp::Set, false) => Op::SetWords(place, node),
            (ir::AssignOp::Add, false) => Op::AddTo(place, node),
            (ir::AssignOp::Subtract, false) => Op::TakeFrom(place, node),
        };
        self.emit(op, span);
        self.feed(place, span);
    }

    fn feed(&mut self, place: PlaceId, span: Span) {
        if self.program.places[place.at()].feeds {
            self.emit(Op::Feed, span);
        }
    }

    fn move_step(&mut self, step: &ir::Move, span: Span) {
        let (what, from) = match &step.what {
            ir::MoveWhat::Value { value, from } => {
                let value = self.expr(value);
                let from = self.place(from);
                let shape = self.shape_of(value);
                (MoveWhat::Value { value, shape, from }, from)
            }
            ir::MoveWhat::Everything(from) => {
                let from = self.place(from);
                (MoveWhat::Everything(from), from)
            }
            ir::MoveWhat::Drawn { count, of, bottom } => {
                let count = count.as_ref().map(|c| self.expr(c));
                let of = self.place(of);
                (
                    MoveWhat::Drawn {
                        count,
                        of,
                        bottom: *bottom,
                    },
                    of,
                )
            }
        };
        let to = self.place(&step.to);
        let source = self.program.places[from.at()].cell;
        let reason = self.reason(ReasonKind::Missing(source), span, None);
        self.program.moves.push(MoveOp {
            what,
            up_to: step.up_to,
            to,
            end: step.end,
            reason,
        });
        let at = self.program.moves.len() as u32 - 1;
        self.emit(Op::Move(at), span);
        if self.program.places[from.at()].feeds {
            self.feed(from, span);
        } else {
            self.feed(to, span);
        }
    }

    fn if_else(
        &mut self,
        arms: &[(ir::Expr, ir::Block)],
        otherwise: Option<&ir::Block>,
        span: Span,
    ) {
        let mut ends = Vec::new();
        for (condition, body) in arms {
            let node = self.expr(condition);
            let skip = self.emit(Op::JumpUnless(node, 0), condition.span);
            self.block(body);
            ends.push(self.emit(Op::Jump(0), span));
            self.patch(skip);
        }
        if let Some(body) = otherwise {
            self.block(body);
        }
        for end in ends {
            self.patch(end);
        }
    }

    fn match_value(
        &mut self,
        value: &ir::Expr,
        arms: &[(Vec<ir::Value>, ir::Block)],
        otherwise: Option<&ir::Block>,
        span: Span,
    ) {
        let value = self.expr(value);
        let table = self.program.matches.len() as u32;
        self.program.matches.push((0, Vec::new(), 0));
        self.emit(Op::Match { value, table }, span);
        let mut targets: Vec<(i32, u32)> = Vec::new();
        let mut ends = Vec::new();
        for (values, body) in arms {
            let here = self.here();
            targets.extend(values.iter().map(|v| (self.word(v), here)));
            self.block(body);
            ends.push(self.emit(Op::Jump(0), span));
        }
        let default = self.here();
        if let Some(body) = otherwise {
            self.block(body);
        }
        for end in ends {
            self.patch(end);
        }
        let known = targets.iter().map(|t| t.0).filter(|v| *v != NONE);
        let low = known.clone().min().unwrap_or(0);
        let high = known.max().unwrap_or(low - 1);
        let wide = i64::from(high) - i64::from(low) + 1;
        if wide > TABULATED_MAX as i64 {
            let message = format!(
                "the cases of this lie too far apart: from {low} to {high} there are more than {TABULATED_MAX} numbers"
            );
            self.is_too_large(span, message);
            return;
        }
        let mut jumps = vec![default; wide.max(0) as usize];
        let mut none = default;
        for (value, target) in targets.into_iter().rev() {
            if value == NONE {
                none = target;
            } else {
                jumps[(value - low) as usize] = target;
            }
        }
        jumps.push(none);
        self.program.matches[table as usize] = (low, jumps, default);
    }
}
