//! Starts of cells: what the rules alone decide lies ready in the blanks, so that no game computes it again.

use super::Lower;
use crate::Program;
use crate::facts::Reads;
use crate::machine::Machine;
use crate::program::*;
use dsl::ir::{self, Ty};
use std::collections::BTreeSet;

/// Lays starts into the blanks, decks still to be shuffled in order; `start_order` keeps what must be computed game by game.
pub(super) fn lay(program: &mut Program) {
    program.blanks = vec![0; program.fixed_words as usize];
    let mut fixed = BTreeSet::new();
    let mut shuffled = Vec::new();
    for slot in &program.start_order {
        let cell = &program.cells[slot.at()];
        let is_fixed = match cell.start {
            Start::Fill(_) => true,
            Start::Eval(node) => match program.nodes[node.at()] {
                Node::Shuffled(inner, _) => {
                    if rests_on(program, cell, inner, &fixed) {
                        shuffled.push(*slot);
                    }
                    false
                }
                _ => rests_on(program, cell, node, &fixed),
            },
        };
        if is_fixed {
            fixed.insert(*slot);
        }
    }
    let ready = |slot: &Slot| fixed.contains(slot) || shuffled.contains(slot);
    let order = program.start_order.iter().copied();
    let (known, others): (Vec<Slot>, Vec<Slot>) = order.partition(ready);
    // What cannot be computed is told when a game begins.
    let Some(mut words) = Machine::started(program, &known) else {
        return;
    };
    for slot in &shuffled {
        let cell = &program.cells[slot.at()];
        for at in 0..cell.slots {
            let deck = (cell.base + at * cell.words) as usize;
            let len = words[deck] as usize;
            words[deck + 1..=deck + len].sort_unstable();
        }
    }
    for slot in known {
        let cell = &program.cells[slot.at()];
        let run = cell.base as usize..(cell.base + cell.slots * cell.words) as usize;
        program.blanks[run.clone()].copy_from_slice(&words[run]);
    }
    program.start_order = others;
    program.start_shuffled = shuffled;
}

/// A start that reads nothing but tables and cells whose starts are known.
fn rests_on(program: &Program, cell: &CellLayout, node: NodeId, known: &BTreeSet<Slot>) -> bool {
    let mut reads = Reads::default();
    crate::facts::reads(program, node, &mut reads);
    let lying = |bound: Bound| matches!(bound, Bound::PerPart { .. });
    !reads.opaque
        && !reads.seat
        && !reads.own
        && reads.cells.is_subset(known)
        && ![cell.low, cell.high, cell.capacity].into_iter().any(lying)
}

impl Lower<'_> {
    /// Whether every slot of a cell takes this word: what it does not take is told when a game begins.
    pub(super) fn holds(&self, at: usize, word: i32) -> bool {
        let cell = &self.program.cells[at];
        let each = |bound: Bound, holds: &dyn Fn(i32) -> bool| match bound {
            Bound::Const(end) => holds(end),
            Bound::PerSlot(base) => {
                let ends = base as usize..(base + cell.slots) as usize;
                self.program.consts[ends].iter().all(|end| holds(*end))
            }
            Bound::PerPart { .. } => false,
        };
        word == NONE || each(cell.low, &|low| low <= word) && each(cell.high, &|high| word <= high)
    }

    pub(super) fn empty_start(&self, cell: &ir::Cell, at: usize) -> i32 {
        match &cell.ty {
            Ty::Optional(_) | Ty::Row(_) => NONE,
            // Nearest to 0 in the range.
            Ty::Int { .. } => match (&self.program.cells[at].low, &self.program.cells[at].high) {
                (Bound::Const(end @ 1..), _) | (_, Bound::Const(end @ ..0)) => *end,
                _ => 0,
            },
            _ => 0,
        }
    }
}
