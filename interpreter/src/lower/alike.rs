//! Questions whose answers are all alike: nothing that follows in the body and could still fail depends on which one was given.

use crate::Program;
use crate::facts::{self, Facts, Reads};
use crate::program::*;
use std::collections::BTreeSet;

/// Fills `ChoiceOp::alike`. `quiet`: an instruction cannot fail, nor can what it wakes.
pub(super) fn mark(program: &mut Program, facts: &Facts, quiet: &[bool]) {
    for pc in 0..program.code.len() {
        if let Op::Choose(choice) | Op::Param { choice, .. } = program.code[pc] {
            let local = program.binders[program.choices[choice as usize].binder.at()].local;
            let alike = is_alike(program, facts, quiet, pc + 1, local);
            program.choices[choice as usize].alike = alike;
        }
    }
}

/// Goes forward to where nothing can fail any more, gathering the cells that depend on the local.
fn is_alike(program: &Program, facts: &Facts, quiet: &[bool], from: usize, local: u32) -> bool {
    let mut dependent = BTreeSet::new();
    let mut open = BTreeSet::from([from]);
    while let Some(pc) = open.pop_first() {
        if program.safe[pc] {
            continue;
        }
        let op = program.code[pc];
        let mut reads = Reads::default();
        facts::op_reads(program, op, &mut reads);
        let depends =
            reads.opaque || reads.locals.contains(&local) || !reads.cells.is_disjoint(&dependent);
        let writes = facts::writes(program, op);
        let goes_on = match op {
            _ if depends => {
                let written = facts.with_woken(program, writes.cells);
                dependent.extend(written.iter().flatten());
                writes.alone && quiet[pc] && written.is_some()
            }
            Op::Need(..) | Op::Let(..) | Op::LetWords(..) | Op::ParamDefault { .. } => true,
            Op::Jump(_) | Op::JumpUnless(..) | Op::Return | Op::WhenEnd => true,
            _ => writes.alone && wakes_nothing_that_fails(program, &writes.cells),
        };
        let ways = facts::leads(program, op).ways(pc);
        if !goes_on || ways.iter().any(|to| *to <= pc) {
            return false;
        }
        open.extend(ways);
    }
    true
}

/// Bodies that a write to one of these cells may wake cannot fail.
fn wakes_nothing_that_fails(program: &Program, cells: &BTreeSet<Slot>) -> bool {
    let mut watchers = cells.iter().flat_map(|slot| program.cell_watchers(*slot));
    watchers.all(|watcher| match watcher {
        Watcher::When { when, .. } => program.procs[program.whens[*when as usize].proc.at()].safe,
        Watcher::Rule { .. } | Watcher::Network { .. } => true,
    })
}
