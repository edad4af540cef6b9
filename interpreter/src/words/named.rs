//! Which elements answers name: what is pointed at on a board, and counted over many games. Which places they change: `changed`.

use super::{Words, set_items};
use crate::machine::{Answer, AnswerKind, Machine};
use crate::program::*;
use dsl::ir::{self, Domain, NetworkGround, Ty};

/// A walk that is being made.
#[derive(Clone, Copy, Debug)]
pub struct Walking<'a> {
    /// Steps taken so far.
    pub steps: usize,
    ground: &'a NetworkGround,
}

impl<'a> Words<'a> {
    /// Tells each element that answer number `at` of those offered names, the most special first. Numbers are none.
    pub fn named(&self, machine: &Machine<'_>, at: usize, tell: &mut dyn FnMut(Domain, i32)) {
        let offered = machine.answers();
        let (value, words) = (offered.value(at), offered.words(at));
        match offered.kind(at) {
            AnswerKind::Element => {
                if let Some(choice) = self.choice_at(machine) {
                    self.tell_scalar(&choice.ty, value, tell);
                }
            }
            AnswerKind::Part => {
                if let Some(choice) = self.choice_at(machine) {
                    let shape = self.program.binders[choice.binder.at()].shape;
                    self.tell_held(&choice.ty, shape, words, tell);
                }
            }
            AnswerKind::Together => {
                for (choice, value) in self.choices_at(machine).iter().zip(words) {
                    self.tell_scalar(&choice.ty, *value, tell);
                }
            }
            AnswerKind::Entry => self.tell_entry(words, tell),
            AnswerKind::Step => {
                if let Some(walking) = self.walking(machine) {
                    walking.tell_step(self, words, tell);
                }
            }
            AnswerKind::Item => {
                if let Op::OneOf(menu) = self.asking(machine) {
                    let items = &self.program.menus[menu as usize].items;
                    self.tell_action(items.get(value as usize).map(|item| &item.name), tell);
                }
            }
            AnswerKind::Anytime => {
                let anytime = self.program.anytime.get(value as usize);
                self.tell_action(anytime.map(|one| &one.2), tell);
            }
            AnswerKind::Done | AnswerKind::Yes | AnswerKind::Go => {}
        }
    }

    /// Tells each number that answer number `at` of those offered gives, with the name that the rules have for it.
    pub fn numbers(&self, machine: &Machine<'_>, at: usize, tell: &mut dyn FnMut(&str, i32)) {
        self.numbers_of(machine, &machine.answers().get(at), tell);
    }

    /// The same of any answer to what is asked.
    pub(crate) fn numbers_of(
        &self,
        machine: &Machine<'_>,
        answer: &Answer,
        tell: &mut dyn FnMut(&str, i32),
    ) {
        let mut tell = |choice: &ChoiceOp, value: i32| {
            let ty = choice.ty.required();
            if matches!(ty, Ty::Int { .. } | Ty::Element(Domain::Int { .. })) {
                tell(&choice.name, value);
            }
        };
        match answer.kind {
            AnswerKind::Element => {
                if let Some(choice) = self.choice_at(machine) {
                    tell(choice, answer.value);
                }
            }
            AnswerKind::Together => {
                for (choice, value) in self.choices_at(machine).iter().zip(&answer.words) {
                    tell(choice, *value);
                }
            }
            AnswerKind::Part
            | AnswerKind::Entry
            | AnswerKind::Step
            | AnswerKind::Item
            | AnswerKind::Anytime
            | AnswerKind::Done
            | AnswerKind::Yes
            | AnswerKind::Go => {}
        }
    }

    /// The zone that the answers to what is asked lie in, if they lie in one: cell and place of it.
    pub fn zone_asked(&self, machine: &mut Machine<'_>) -> Option<(Slot, u32)> {
        // A `may` that begins with the question has not entered its frame yet.
        let op = self.program.code[machine.pc];
        if !matches!(op, Op::Choose(_) | Op::Param { .. }) {
            return None;
        }
        let choice = self.choice_at(machine)?;
        let binder = &self.program.binders[choice.binder.at()];
        let (Source::Container(node) | Source::Parts(node)) = binder.source else {
            return None;
        };
        let seat = Some(machine.seat());
        machine.as_seen(seat, |machine| machine.zone_named(node))
    }

    /// Tells each element that was chosen before in the same action as what is asked now.
    pub fn chosen_before(&self, machine: &Machine<'_>, tell: &mut dyn FnMut(Domain, i32)) {
        let op = self.program.code[machine.pc];
        if !matches!(op, Op::Choose(_) | Op::Param { .. }) {
            return;
        }
        let Some(asked) = self.choice_at(machine) else {
            return;
        };
        for chosen in self.known(machine, asked) {
            match chosen.held.shape {
                Shape::Scalar => self.tell_scalar(&chosen.ty, chosen.held.word(), tell),
                shape => self.tell_held(&chosen.ty, shape, &chosen.held.words, tell),
            }
        }
    }

    /// The walk in whose body, or before whose next step, the machine stands.
    pub fn walking(&self, machine: &Machine<'_>) -> Option<Walking<'a>> {
        let program = self.program;
        let picks = program.code[..=machine.pc].iter().rev();
        let walk = picks.into_iter().find_map(|op| match op {
            Op::WalkPick { walk, end } if (*end as usize) > machine.pc => Some(*walk),
            _ => None,
        })?;
        let code = &program.walks[walk.at()];
        let steps = machine.m[machine.fp + (code.words + walk_word::STEPS) as usize];
        Some(Walking {
            steps: usize::try_from(steps).unwrap_or(0),
            ground: &self.rules.networks.get(code.network as usize)?.ground,
        })
    }

    fn tell_scalar(&self, ty: &Ty, value: i32, tell: &mut dyn FnMut(Domain, i32)) {
        let Ty::Element(domain) = *ty.required() else {
            return;
        };
        if value < 0 || matches!(domain, Domain::Int { .. }) {
            return;
        }
        tell(domain, value);
        // What lies on the tiling lies at a place.
        if let Domain::Part(table) = domain
            && let Some((position, _)) = self.part_place(table, value)
        {
            tell(self.positions(), position);
        }
    }

    fn tell_held(&self, ty: &Ty, shape: Shape, words: &[i32], tell: &mut dyn FnMut(Domain, i32)) {
        let Some(element) = ty.required().element() else {
            return;
        };
        match shape {
            Shape::Bag { n, low } => {
                let counts = words.iter().take(n as usize).zip(low..);
                let held = counts.filter(|(count, _)| **count > 0);
                held.for_each(|(_, piece)| self.tell_scalar(&element, piece, tell));
            }
            Shape::Set { n, low } => {
                set_items(words, n, low).for_each(|piece| self.tell_scalar(&element, piece, tell))
            }
            Shape::List { .. } => {
                let len = words.first().copied().unwrap_or(0).max(0) as usize;
                let items = words.iter().skip(1).take(len);
                items.for_each(|piece| self.tell_scalar(&element, *piece, tell));
            }
            _ => {}
        }
    }

    fn tell_entry(&self, words: &[i32], tell: &mut dyn FnMut(Domain, i32)) {
        let [proc, given, args @ ..] = words else {
            return;
        };
        let Some(ProcKind::Action(action)) = self.proc_kind(*proc) else {
            return;
        };
        for arg in self.given_args(action, *given, args) {
            match arg.shape {
                Some(shape) => self.tell_held(arg.ty, shape, arg.words, tell),
                None => {
                    let value = arg.words.first().copied().unwrap_or(NONE);
                    self.tell_scalar(arg.ty, value, tell);
                }
            }
        }
        tell(Domain::Action, action.0 as i32);
    }

    fn proc_kind(&self, proc: i32) -> Option<ProcKind> {
        let proc = self.program.procs.get(usize::try_from(proc).ok()?)?;
        Some(proc.kind)
    }

    fn tell_action(&self, name: Option<&String>, tell: &mut dyn FnMut(Domain, i32)) {
        let actions = self.rules.actions.iter().zip(0..);
        let mut named = actions.filter(|(action, _)| Some(&action.name) == name);
        if let Some((_, at)) = named.next() {
            tell(Domain::Action, at);
        }
    }
}

impl Walking<'_> {
    /// Tells what a step of the walk goes along, if that is something, and then what it comes to; `words` are the answer's.
    pub fn tell_step(&self, words: &Words<'_>, step: &[i32], tell: &mut dyn FnMut(Domain, i32)) {
        let [link, next, ..] = step else { return };
        match self.ground {
            ir::NetworkGround::Links { table, nodes, .. } => {
                tell(Domain::Table(*table), *link);
                tell(*nodes, *next);
            }
            ir::NetworkGround::Joins { part, .. } => {
                words.tell_scalar(&Ty::Element(*part), *next, tell);
            }
        }
    }
}
