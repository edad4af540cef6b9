//! What asks where the machine stands, and what it is called.

use super::Words;
use super::matching::{Matched, headed};
use crate::machine::Machine;
use crate::program::*;
use dsl::ir::{self, Ty};

impl Words<'_> {
    /// The instruction that asks where the machine stands: for a `may` that begins with a question, that question.
    pub(crate) fn asking(&self, machine: &Machine<'_>) -> Op {
        self.program.code[machine.asked_pc()]
    }

    pub(super) fn first_question(&self, mut pc: usize) -> Option<Op> {
        let mut given = 0u32;
        for _ in 0..64 {
            let op = *self.program.code.get(pc)?;
            match op {
                Op::Call(proc, args) => {
                    given = 0;
                    for index in 0..args.len {
                        let node = self.program.lists[(args.start + index) as usize];
                        given |= u32::from(node != ASKED) << index;
                    }
                    pc = self.program.procs[proc.at()].entry as usize;
                }
                Op::Param { index, .. } if given >> index & 1 == 1 => pc += 1,
                Op::Choose(_) | Op::Param { .. } | Op::OneOf(_) => return Some(op),
                Op::Jump(to) => pc = to as usize,
                _ => pc += 1,
            }
        }
        None
    }

    pub(crate) fn choice_at(&self, machine: &Machine<'_>) -> Option<&ChoiceOp> {
        match self.asking(machine) {
            Op::Choose(choice) | Op::Param { choice, .. } => {
                self.program.choices.get(choice as usize)
            }
            _ => None,
        }
    }

    /// The choices of all questions that are answered at once where the machine stands.
    pub(crate) fn choices_at(&self, machine: &Machine<'_>) -> &[ChoiceOp] {
        match self.asking(machine) {
            Op::Choose(choice) | Op::Param { choice, .. } => {
                let first = choice as usize;
                let count = self.program.choices[first].at_once as usize;
                &self.program.choices[first..first + count]
            }
            _ => &[],
        }
    }

    /// The type of one answer of the choice at `pc`.
    pub(crate) fn question_ty(&self, machine: &Machine<'_>) -> Option<Ty> {
        self.choice_at(machine).map(|choice| choice.ty.clone())
    }

    pub(super) fn part_shape(&self, machine: &Machine<'_>) -> Option<(Ty, Shape)> {
        let choice = self.choice_at(machine)?;
        let shape = self.program.binders[choice.binder.at()].shape;
        Some((choice.ty.clone(), shape))
    }

    pub(super) fn item_name(&self, machine: &Machine<'_>, item: i32) -> Option<&str> {
        let Op::OneOf(menu) = self.asking(machine) else {
            return None;
        };
        let items = &self.program.menus[menu as usize].items;
        items.get(item as usize).map(|item| item.name.as_str())
    }

    /// The name of what asks, written before the answer of its first question: a `may`, or the action.
    pub fn names_asker(
        &self,
        machine: &Machine<'_>,
        written: &ir::Answer,
    ) -> Option<Vec<ir::Answer>> {
        let may = (machine.asked_pc() != machine.pc)
            .then(|| self.may_name(machine.pc))
            .flatten();
        let name = match may {
            Some(name) if headed(written, name).is_some() => name,
            _ => self.asking_action(machine)?,
        };
        match headed(written, name)? {
            Matched::Head(args) => Some(args),
            Matched::Whole => Some(Vec::new()),
        }
    }

    /// The action whose parameter is asked.
    fn asking_action(&self, machine: &Machine<'_>) -> Option<&str> {
        let pc = machine.asked_pc();
        if !matches!(self.program.code[pc], Op::Param { .. }) {
            return None;
        }
        let bodies = self.program.procs.iter();
        let actions = bodies
            .filter(|proc| matches!(proc.kind, ProcKind::Action(_)) && proc.entry as usize <= pc);
        let action = actions.max_by_key(|proc| proc.entry)?;
        Some(action.name.as_str())
    }

    /// What saying yes does: the name of the body, the effect that it runs.
    pub(crate) fn yes_name(&self, machine: &Machine<'_>) -> String {
        if let Some(name) = self.may_name(machine.pc)
            && name != "yes"
        {
            return name.to_owned();
        }
        self.effect_run(machine).unwrap_or_else(|| "yes".into())
    }

    /// The effect in a local that the body of a `may` begins with.
    fn effect_run(&self, machine: &Machine<'_>) -> Option<String> {
        let (kind, at) = self.effect_begun(machine)?;
        match kind {
            EffectValue::Effect => self.rules.effects.get(at).map(|e| e.text.clone()),
            EffectValue::Action => self.rules.actions.get(at).map(|a| a.name.clone()),
            EffectValue::List => None,
        }
    }

    /// The same in words.
    pub(super) fn effect_run_called(&self, machine: &Machine<'_>) -> Option<String> {
        let (kind, at) = self.effect_begun(machine)?;
        match kind {
            EffectValue::Effect => Some(self.said(&Ty::Effect(None), at as i32)),
            EffectValue::Action => Some(self.called(ir::Domain::Action, at as i32)),
            EffectValue::List => None,
        }
    }

    fn effect_begun(&self, machine: &Machine<'_>) -> Option<(EffectValue, usize)> {
        let Op::May { body, .. } = self.program.code[machine.pc] else {
            return None;
        };
        let Op::RunEffect(effect) = *self.program.code.get(body as usize)? else {
            return None;
        };
        let EffectNode::Value { value, kind } = &self.program.effects[effect as usize] else {
            return None;
        };
        let Node::Local(local) = self.program.nodes[value.at()] else {
            return None;
        };
        let word = machine.m[machine.fp + local as usize];
        Some((*kind, usize::try_from(word).ok()?))
    }

    /// What the body of the `may` at `pc` is called.
    pub(crate) fn may_name(&self, pc: usize) -> Option<&str> {
        match self.program.code[pc] {
            Op::May { name, .. } => Some(self.program.names[name as usize].as_str()),
            _ => None,
        }
    }
}
