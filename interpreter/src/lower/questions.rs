//! What players are asked: `may`, menus, agendas, walks, choices.

use super::Lower;
use crate::program::*;
use dsl::ir::{self, StatementKind};
use dsl::source::Span;

impl Lower<'_> {
    pub(super) fn may(&mut self, body: &ir::Block, span: Span) {
        let end = self.may_begin(body, span);
        self.decided(|lower| lower.block(body));
        self.settle(span);
        self.patch(end);
    }

    /// The question before the body; its jump to the end is to be patched.
    pub(super) fn may_begin(&mut self, body: &ir::Block, span: Span) -> u32 {
        let lead = self.leads_with_choice(body);
        let name = self.body_name(body);
        let name = self.name(&name);
        self.stay(span);
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

    pub(super) fn one_of(&mut self, items: &ir::Items, none: Option<&ir::Block>, span: Span) {
        // One alternative is no choice: its own first question is asked at once.
        if let ([item], None) = (&items[..], none) {
            match item.label {
                Some(label) => self.step(label, &item.body, item.span),
                None => self.block(&item.body),
            }
            self.settle(span);
            return;
        }
        let ask = items.ask.as_ref().map(|ask| self.message(ask));
        let menu = self.program.menus.len() as u32;
        self.program.menus.push(Menu {
            items: Vec::new(),
            ask,
            none: None,
            span,
        });
        let reason = self.reason(ReasonKind::NothingPossible, span, None);
        self.program.menu_reasons.push(reason);
        self.stay(span);
        self.emit(Op::OneOf(menu), span);
        let mut ends = Vec::new();
        for item in items.iter() {
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

    pub(super) fn any_order(
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
        self.stay(span);
    }

    pub(super) fn walk_statement(&mut self, walk: &ir::Walk, body: &ir::Block, span: Span) {
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
            at_once: 1,
        });
        let name = self.program.choices[self.program.choices.len() - 1]
            .name
            .clone();
        let reason = self.reason(ReasonKind::NoAnswer(name), choice.binder.span, None);
        self.program.choice_reasons.push(reason);
        if choice.at_once {
            self.join_before();
        }
        self.program.choices.len() as u32 - 1
    }

    /// The last question shares its answer with the one before it, and with those with which that one shares it.
    fn join_before(&mut self) {
        let mut shared = 1;
        for before in self.program.choices.iter_mut().rev().skip(1) {
            if shared > 1 && before.at_once == 1 {
                break;
            }
            shared += 1;
            before.at_once = shared;
        }
    }
}
