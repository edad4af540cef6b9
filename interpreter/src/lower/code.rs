//! Statements to flat code.

use super::Lower;
use crate::facts::Origin;
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
    pub(super) fn here(&self) -> u32 {
        self.program.code.len() as u32
    }

    pub(super) fn emit(&mut self, op: Op, span: Span) -> u32 {
        self.program.code.push(op);
        self.program.op_spans.push(span);
        self.program.code.len() as u32 - 1
    }

    fn patch(&mut self, at: u32) {
        let here = self.here();
        match &mut self.program.code[at as usize] {
            Op::Jump(target)
            | Op::JumpUnless(_, target)
            | Op::EachNext { end: target, .. }
            | Op::PlayersNext { end: target, .. }
            | Op::RepeatTest { end: target, .. }
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
    fn decided<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.deciding, self.in_flow);
        let lowered = body(self);
        self.deciding = outer;
        lowered
    }

    fn statement(&mut self, statement: &ir::Statement) {
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
                let choice = self.choice(choice);
                self.emit(Op::Choose(choice), span);
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
                self.undoing(Op::AsEnd { saved }, |lower| lower.block(body));
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
                self.emit(Op::Pause(message), span);
            }
            StatementKind::Finish(ir::Finish::Now) => {
                self.emit(Op::FinishNow, span);
            }
            StatementKind::Finish(ir::Finish::After {
                label,
                more,
                of_each_player,
            }) => {
                let more = more.as_ref().map(|m| self.expr(m));
                self.emit(
                    Op::Finish {
                        label: *label,
                        more,
                        of_each_player: *of_each_player,
                    },
                    span,
                );
            }
            StatementKind::Stop => self.stop(span),
            StatementKind::Skip => {}
            StatementKind::Call(action, args) => {
                let args = self.call_args(args);
                let proc = self.program.action_procs[action.index()];
                self.emit(Op::Call(proc, args), span);
                self.settle(span);
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
            }
        }
    }

    /// In the flow itself an outermost action has ended.
    fn settle(&mut self, span: Span) {
        if self.in_flow {
            self.emit(Op::Settle { more: self.more }, span);
        }
    }

    fn step(&mut self, label: ir::LabelId, body: &ir::Block, span: Span) {
        let saved = self.notes_player(label).then(|| self.extra(1));
        let more = self.more;
        let leave = Op::LeaveStep { label, saved, more };
        self.emit(Op::EnterStep { label, saved }, span);
        self.undoing(leave, |lower| lower.block(body));
        self.emit(leave, span);
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
    fn undoing(&mut self, op: Op, body: impl FnOnce(&mut Self)) {
        if let Some(scope) = self.loops.last_mut() {
            scope.undo.push(op);
        }
        body(self);
        if let Some(scope) = self.loops.last_mut() {
            scope.undo.pop();
        }
    }

    fn looping(&mut self, body: impl FnOnce(&mut Self)) -> Vec<u32> {
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
    fn pass(&mut self, label: Option<ir::LabelId>, body: &ir::Block, span: Span) {
        match label {
            Some(label) => self.step(label, body, span),
            None => self.block(body),
        }
    }

    fn stop(&mut self, span: Span) {
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
    }

    fn assign(&mut self, target: &ir::Place, op: ir::AssignOp, value: &ir::Expr, span: Span) {
        let node = self.expr(value);
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
            ir::MoveWhat::Top { count, of } => {
                let count = count.as_ref().map(|c| self.expr(c));
                let of = self.place(of);
                (MoveWhat::Top { count, of }, of)
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

    fn each(
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
        self.emit(Op::EachBegin { binder, list }, span);
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

    fn each_player(&mut self, each: &ir::EachPlayer, span: Span) {
        let conditions = each.conditions.iter().map(|c| self.expr(c)).collect();
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
        let exits = self.looping(|lower| {
            if passes_it {
                let end = Op::PassEnd { order };
                lower.undoing(end, |lower| lower.pass(each.pass, &each.body, span));
                lower.emit(end, span);
            } else {
                lower.pass(each.pass, &each.body, span);
            }
        });
        self.emit(Op::Jump(next), span);
        if !exits.is_empty() {
            for exit in exits {
                self.patch(exit);
            }
            self.emit(Op::PlayersLeave { list }, span);
        }
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

    fn repeat(&mut self, repeat: &ir::Repeat, span: Span) {
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

    fn may(&mut self, body: &ir::Block, span: Span) {
        let end = self.may_begin(body, span);
        self.decided(|lower| lower.block(body));
        self.settle(span);
        self.patch(end);
    }

    /// The question before the body; its jump to the end is to be patched.
    fn may_begin(&mut self, body: &ir::Block, span: Span) -> u32 {
        let lead = self.leads_with_choice(body);
        let name = self.body_name(body);
        let name = self.name(&name);
        let here = self.here();
        self.emit(
            Op::May {
                name,
                body: here + 1,
                end: 0,
                lead,
            },
            span,
        )
    }

    /// The body begins with a question to the same player, so that its answers can be offered beside `done`.
    fn leads_with_choice(&self, body: &ir::Block) -> bool {
        match body.statements.first().map(|s| &s.kind) {
            Some(StatementKind::Choose(_)) => true,
            Some(StatementKind::Call(action, args)) => {
                let action_def = &self.rules.actions[action.index()];
                let first_open = action_def.params.iter().zip(args).find(|(param, arg)| {
                    arg.is_none() && matches!(param.kind, ir::ParamKind::Asked(_))
                });
                match first_open {
                    Some(_) => true,
                    None => self.leads_with_choice(&action_def.body),
                }
            }
            Some(StatementKind::OneOf { .. }) => true,
            Some(StatementKind::Step(_, inner)) => self.leads_with_choice(inner),
            _ => false,
        }
    }

    fn body_name(&self, body: &ir::Block) -> String {
        match body.statements.first().map(|s| &s.kind) {
            Some(StatementKind::Call(action, _)) => self.rules.actions[action.index()].name.clone(),
            Some(StatementKind::Step(label, _)) => self.rules.labels[label.index()].name.clone(),
            _ => "yes".into(),
        }
    }

    fn one_of(&mut self, items: &[ir::Item], none: Option<&ir::Block>, span: Span) {
        // One alternative is no choice: its own first question is asked at once.
        if let ([item], None) = (items, none) {
            match item.label {
                Some(label) => self.step(label, &item.body, item.span),
                None => self.block(&item.body),
            }
            self.settle(span);
            return;
        }
        let menu = self.program.menus.len() as u32;
        self.program.menus.push(Menu {
            items: Vec::new(),
            none: None,
            span,
        });
        let reason = self.reason(ReasonKind::NothingPossible, span, None);
        self.program.menu_reasons.push(reason);
        self.emit(Op::OneOf(menu), span);
        let mut ends = Vec::new();
        for item in items {
            let pc = self.here();
            self.program.menus[menu as usize].items.push(MenuItem {
                name: item.name.clone(),
                pc,
                span: item.span,
            });
            self.decided(|lower| match item.label {
                Some(label) => lower.step(label, &item.body, item.span),
                None => lower.block(&item.body),
            });
            ends.push(self.emit(Op::Jump(0), span));
        }
        if let Some(body) = none {
            self.program.menus[menu as usize].none = Some(self.here());
            self.block(body);
        }
        for end in ends {
            self.patch(end);
        }
        self.settle(span);
    }

    fn any_order(
        &mut self,
        agenda: &ir::Place,
        as_far: bool,
        items: &[(bool, ir::EffectExpr)],
        span: Span,
    ) {
        let place = self.place(agenda);
        let saved = self.extra(1);
        self.emit(
            Op::AgendaOpen {
                agenda: place,
                saved,
            },
            span,
        );
        for (must, effect) in items {
            let span = effect.span;
            let effect = self.effect_index(effect);
            self.emit(
                Op::AgendaAdd {
                    agenda: place,
                    must: *must,
                    effect,
                },
                span,
            );
        }
        let pick = self.emit(
            Op::AgendaPick {
                agenda: place,
                saved,
                end: 0,
                as_far,
            },
            span,
        );
        self.patch(pick);
        self.settle(span);
    }

    fn walk_statement(&mut self, walk: &ir::Walk, body: &ir::Block, span: Span) {
        let outer = self.walk_words;
        let id = self.walk(walk);
        self.walk_words = Some((
            self.program.walks[id.at()].words,
            self.program.walks[id.at()].node_words,
        ));
        self.emit(Op::WalkBegin(id), span);
        let pick = self.emit(Op::WalkPick { walk: id, end: 0 }, span);
        let exits = self.decided(|lower| lower.looping(|lower| lower.block(body)));
        self.emit(Op::Jump(pick), span);
        self.patch(pick);
        for exit in exits {
            self.patch(exit);
        }
        self.walk_words = outer;
    }

    pub(super) fn choice(&mut self, choice: &ir::Choice) -> u32 {
        let binder = self.binder(&choice.binder);
        let ask = choice.ask.as_ref().map(|m| self.message(m));
        let name = self
            .current_names
            .get(choice.binder.local.index())
            .cloned()
            .unwrap_or_default();
        let source = &choice.binder.source;
        let ty = match &source.kind {
            ir::ExprKind::Parts(zone) => zone.ty.clone(),
            _ => source.ty.element().unwrap_or(ir::Ty::INT),
        };
        self.program.choices.push(ChoiceOp {
            binder,
            name,
            ty,
            ask,
            span: choice.binder.span,
            again: false,
            alike: false,
        });
        let name = self.program.choices[self.program.choices.len() - 1]
            .name
            .clone();
        let reason = self.reason(ReasonKind::NoAnswer(name), choice.binder.span, None);
        self.program.choice_reasons.push(reason);
        self.program.choices.len() as u32 - 1
    }
}
