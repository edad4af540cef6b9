//! Menu items whose look-ahead reads a few cells and nothing else that changes: what it found holds until one of them is
//! written.

use super::{idle, versions};
use crate::Program;
use crate::facts::{Reads, writes};
use crate::program::*;
use std::collections::BTreeSet;

/// Fills `Program::recalls`.
pub(super) fn mark(program: &mut Program) {
    program.recall_of = vec![None; program.code.len()];
    if !program.awaited.is_empty() || !program.anytime.is_empty() {
        return;
    }
    let items: BTreeSet<u32> = program
        .menus
        .iter()
        .flat_map(|menu| menu.items.iter().map(|item| item.pc))
        .collect();
    for pc in items {
        if let Some(reads) = item_reads(program, pc as usize) {
            program.recall_of[pc as usize] = Some(program.recalls.len() as u32);
            let reads = versions::of(program, &reads);
            program.recalls.push(reads);
        }
    }
}

/// Cells that decide whether a call in the flow can be gone on from; none where more does.
fn item_reads(program: &Program, pc: usize) -> Option<Reads> {
    let (Op::Call(proc, args), Op::Settle { more: false }) =
        (program.code[pc], program.code.get(pc + 1)?)
    else {
        return None;
    };
    let flow = program.extent(program.procs[program.flow.at()].entry);
    if !flow.contains(&pc) {
        return None;
    }
    let mut reads = Reads::default();
    crate::facts::list_reads(program, args, &mut reads);
    if !reads.locals.is_empty() {
        return None;
    }
    let mut procs = vec![proc];
    let mut at = 0;
    while let Some(proc) = procs.get(at) {
        at += 1;
        for pc in program.extent(program.procs[proc.at()].entry) {
            if let Op::As { .. } | Op::PlayersBegin { .. } = program.code[pc] {
                // Others become the one who acts.
                return None;
            }
            if let Op::Call(inner, args) = program.code[pc] {
                crate::facts::list_reads(program, args, &mut reads);
                if !procs.contains(&inner) {
                    procs.push(inner);
                }
                continue;
            }
            read(program, pc, &mut reads)?;
        }
    }
    (!reads.opaque).then_some(reads)
}

/// Adds what an instruction reads; none where that is not known, or where its writes have consequences.
fn read(program: &Program, pc: usize, reads: &mut Reads) -> Option<()> {
    match program.code[pc] {
        Op::Choose(choice) | Op::Param { choice, .. } => {
            let id = program.choices[choice as usize].binder;
            let binder = &program.binders[id.at()];
            if let Source::Parts(zone) = binder.source {
                crate::facts::reads(program, zone, reads);
                for (condition, _) in &binder.conditions {
                    crate::facts::reads(program, *condition, reads);
                }
            } else {
                crate::facts::binder_reads(program, id, reads);
            }
        }
        Op::EachBegin { binder, .. } => crate::facts::binder_reads(program, binder, reads),
        Op::RepeatBegin { times, .. } => crate::facts::reads(program, times, reads),
        Op::JumpUnless(condition, _) => crate::facts::reads(program, condition, reads),
        Op::EachNext { .. } | Op::RepeatTest { .. } | Op::Jump(_) | Op::Return => {}
        _ => {
            let written = writes(program, program.code[pc]).cells;
            let quiet = written.iter().all(|slot| quiet(program, *slot));
            quiet.then_some(())?;
            idle::read_by(program, pc, reads).then_some(())?;
        }
    }
    (!reads.opaque).then_some(())
}

/// A write wakes nothing and breaks no rule.
fn quiet(program: &Program, slot: Slot) -> bool {
    program.cell_watchers(slot).all(|watcher| match watcher {
        Watcher::Rule { rule, .. } => program.rules[*rule as usize].invariant,
        Watcher::When { .. } => false,
        Watcher::Network { .. } => true,
    })
}
