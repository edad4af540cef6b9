//! What a deed is given by those who begin it: `doubt(who, r)` says whom and what is doubted before anything is chosen.

use super::speech::Chosen;
use super::{Held, Words};
use crate::ask::Eyes;
use crate::game::Told;
use crate::machine::{AnswerKind, Machine};
use crate::observe::Hearing;
use crate::program::*;
use crate::state::State;
use dsl::ir::{ActionId, DeedId};

impl Words<'_> {
    /// The action that a deed is.
    pub(super) fn action_of(&self, deed: DeedId) -> Option<ActionId> {
        (deed.index() < self.rules.actions.len()).then_some(ActionId(deed.0))
    }

    /// What a `may`, or the item of a menu, begins, with what it gives: `doubt that A has the duke`.
    pub(super) fn begun_called(
        &self,
        machine: &mut Machine<'_>,
        deed: DeedId,
        item: Option<i32>,
    ) -> String {
        let said = &self.speech().deeds[deed.index()];
        let Some(asks) = &said.asks else {
            return said.name.clone();
        };
        let eyes = Eyes::Of(Some(machine.seat()));
        let given = match self.call_at(machine.pc, item) {
            Some(pc) => self.given_to(machine, pc, eyes),
            None => Vec::new(),
        };
        let holes = given
            .iter()
            .filter(|one| asks.holes().any(|hole| hole == one.name));
        match holes.count() {
            0 => said.name.clone(),
            _ => asks.with(|hole| self.known_hole(hole, &given)),
        }
    }

    /// The same of a machine that only is looked at.
    pub(super) fn begun_called_of(
        &self,
        machine: &Machine<'_>,
        deed: DeedId,
        item: Option<i32>,
    ) -> String {
        let said = &self.speech().deeds[deed.index()];
        if said
            .asks
            .as_ref()
            .is_none_or(|asks| asks.holes().next().is_none())
        {
            return said.name.clone();
        }
        let mut state = State::new();
        machine.save(&mut state);
        let mut own = Machine::new(self.program);
        own.restore(&state);
        self.begun_called(&mut own, deed, item)
    }

    /// What a deed was given that its sentence has a hole for, as far as who hears of it sees it.
    pub(super) fn given_told(
        &self,
        told: &Told<'_>,
        deed: DeedId,
        hearing: Hearing,
    ) -> Vec<Chosen> {
        let tells = self.speech().deeds[deed.index()].tells.as_ref();
        if self.action_of(deed).is_none() || tells.is_none_or(|tells| tells.holes().count() == 0) {
            return Vec::new();
        }
        let seat = (hearing == Hearing::ALL).then_some(told.seat);
        let mut machine = Machine::new(self.program);
        machine.restore(told.before);
        let answer = (told.answer.kind, told.answer.value);
        self.given_before(&mut machine, told.asked, answer, Eyes::Of(seat))
    }

    /// What was given to the deed that an answer began, or for which it chose, as far as the eyes see it.
    fn given_before(
        &self,
        machine: &mut Machine<'_>,
        asked: usize,
        (kind, value): (AnswerKind, i32),
        eyes: Eyes,
    ) -> Vec<Chosen> {
        match kind {
            AnswerKind::Yes | AnswerKind::Item => {
                let item = (kind == AnswerKind::Item).then_some(value);
                let pc = if item.is_some() { asked } else { machine.pc };
                match self.call_at(pc, item) {
                    Some(pc) => self.given_to(machine, pc, eyes),
                    None => Vec::new(),
                }
            }
            AnswerKind::Element | AnswerKind::Part | AnswerKind::Together => {
                machine.ahead(|inside| match inside.enter(asked) {
                    true => self.given_here(inside, eyes),
                    false => Vec::new(),
                })
            }
            AnswerKind::Done
            | AnswerKind::Step
            | AnswerKind::Entry
            | AnswerKind::Anytime
            | AnswerKind::Go => Vec::new(),
        }
    }

    /// The call with which a `may` or an item begins.
    fn call_at(&self, pc: usize, item: Option<i32>) -> Option<usize> {
        let pc = match (self.program.code[pc], item) {
            (Op::May { body, .. }, None) => body,
            (Op::OneOf(menu), Some(item)) => {
                let items = &self.program.menus[menu as usize].items;
                items.get(usize::try_from(item).ok()?)?.pc
            }
            _ => return None,
        };
        Some(pc as usize)
    }

    /// The arguments of a call, each under the name of its parameter.
    fn given_to(&self, machine: &mut Machine<'_>, pc: usize, eyes: Eyes) -> Vec<Chosen> {
        let Some(Op::Call(proc, args)) = self.program.code.get(pc).copied() else {
            return Vec::new();
        };
        let ProcKind::Action(action) = self.program.procs[proc.at()].kind else {
            return Vec::new();
        };
        let action = &self.rules.actions[action.index()];
        let args = self.program.listed(args).iter().zip(&action.params);
        let given = args.filter(|(node, _)| **node != ASKED);
        let given = given.filter_map(|(node, param)| {
            let local = &action.code.locals[param.local.index()];
            Some(Chosen {
                name: local.name.clone(),
                ty: local.ty.clone(),
                held: machine.value_seen(*node, eyes)?,
            })
        });
        given.collect()
    }

    /// What the action that is running was given.
    pub(super) fn given_here(&self, machine: &Machine<'_>, eyes: Eyes) -> Vec<Chosen> {
        let program = self.program;
        let bodies = program
            .procs
            .iter()
            .filter(|proc| proc.kind != ProcKind::Formula);
        let begun = bodies.filter(|proc| proc.entry as usize <= machine.pc);
        let Some(proc) = begun.max_by_key(|proc| proc.entry) else {
            return Vec::new();
        };
        let ProcKind::Action(action) = proc.kind else {
            return Vec::new();
        };
        let action = &self.rules.actions[action.index()];
        let is_seen = |local: u32| match eyes {
            Eyes::Open => true,
            Eyes::Of(seat) => {
                let own = seat == Some(machine.seat());
                program.secrets().shows(program, machine.pc, local, own)
            }
        };
        let params = proc.params.iter().zip(&action.params).zip(0..);
        let given = params.filter_map(|(((at, words), param), index)| {
            if !machine.is_given(index) || !is_seen(*at) {
                return None;
            }
            let local = &action.code.locals[param.local.index()];
            let shape = match local.ty.required().is_container() {
                true => self.local_shape(&local.ty, *words as usize),
                false => Shape::Scalar,
            };
            let from = machine.fp + *at as usize;
            let words = machine.m.get(from..from + *words as usize)?;
            Some(Chosen {
                name: local.name.clone(),
                ty: local.ty.clone(),
                held: Held {
                    shape,
                    words: words.to_vec(),
                },
            })
        });
        given.collect()
    }
}
