//! Which places answers change: where they take from, where they put to, what they count.

use super::Words;
use crate::facts::{Runs, leads, writes};
use crate::machine::Machine;
use crate::program::*;
use std::collections::BTreeSet;

/// Instructions that are looked at behind an answer.
const LOOKED_AT_MAX: usize = 512;

impl Words<'_> {
    /// The places, each a cell and which of its slots, that answer number `at` of those offered changes up to the next question, as
    /// far as the one who is asked can know that. Where it only leads on to another question: those that whatever lies behind it
    /// takes from unseen, as from a pile.
    pub fn changed(&self, machine: &mut Machine<'_>, at: usize) -> BTreeSet<(Slot, u32)> {
        let found = self.changed_at_once(machine, at);
        match machine.leads_behind(at) {
            Some(pc) if found.is_empty() => self.drawn_from(machine, pc),
            _ => found,
        }
    }

    fn changed_at_once(&self, machine: &mut Machine<'_>, at: usize) -> BTreeSet<(Slot, u32)> {
        let words = machine.words_changed(at);
        let places = words.into_iter().filter_map(|word| self.cell_of(word));
        places.map(|(cell, slot, _)| (cell, slot)).collect()
    }

    /// Where any instruction from this one to the end of the action draws from, in bodies that are called too.
    fn drawn_from(&self, machine: &Machine<'_>, pc: usize) -> BTreeSet<(Slot, u32)> {
        let program = self.program;
        let mut found = BTreeSet::new();
        let mut known = BTreeSet::from([pc]);
        let mut open = vec![pc];
        while let Some(pc) = open.pop() {
            let Some(op) = program.code.get(pc).copied() else {
                continue;
            };
            if let Op::Move(moved) = op
                && let MoveWhat::Drawn { of, .. } = program.moves[moved as usize].what
            {
                found.extend(self.slots_of(machine, of));
            }
            // What follows is no longer of the answer.
            if matches!(op, Op::Settle { .. } | Op::LeaveStep { .. }) {
                continue;
            }
            let mut ways = leads(program, op).ways(pc);
            if let Runs::Body(proc) = writes(program, op).runs {
                ways.push(program.procs[proc.at()].entry as usize);
            }
            for way in ways {
                if known.len() < LOOKED_AT_MAX && known.insert(way) {
                    open.push(way);
                }
            }
        }
        found
    }

    /// The slots of a place, as far as its indices are fixed, or the player who acts.
    fn slots_of(&self, machine: &Machine<'_>, place: PlaceId) -> Vec<(Slot, u32)> {
        let place = &self.program.places[place.at()];
        let cell = &self.program.cells[place.cell.at()];
        let args = self.program.listed(place.args);
        let mut slots = vec![0];
        for (arg, (low, count, stride)) in args.iter().zip(&cell.dims) {
            let known = match self.program.nodes[arg.at()] {
                Node::Const(value) => u32::try_from(value - low).ok(),
                Node::Me => u32::try_from(machine.seat() as i32 - low).ok(),
                _ => None,
            };
            let indices = match known {
                Some(index) => index..index + 1,
                None => 0..*count,
            };
            let with = |slot: u32| indices.clone().map(move |index| slot + index * stride);
            slots = slots.into_iter().flat_map(with).collect();
        }
        let slots = slots.into_iter().filter(|slot| *slot < cell.slots);
        slots.map(|slot| (place.cell, slot)).collect()
    }
}
