//! Which anytime actions change what a requirement looks at: where it is unmet, looking ahead tries them first.

use crate::Program;
use crate::facts::{Reads, Runs, writes};
use crate::program::*;
use std::collections::BTreeSet;

/// Fills `Program::remedies`.
pub(super) fn mark(program: &mut Program) {
    let written: Vec<BTreeSet<Slot>> = program
        .anytime
        .iter()
        .map(|(proc, ..)| {
            let mut cells = BTreeSet::new();
            gather(program, *proc, &mut cells, &mut BTreeSet::new());
            cells
        })
        .collect();
    program.remedies = (0..program.reasons.len())
        .map(|reason| {
            let looked_at = looked_at(program, reason);
            let helps = |at: &usize| !written[*at].is_disjoint(&looked_at);
            (0..written.len())
                .filter(helps)
                .map(|at| at as u32)
                .collect()
        })
        .collect();
}

/// Cells that a body and what it calls may write.
fn gather(
    program: &Program,
    proc: ProcId,
    cells: &mut BTreeSet<Slot>,
    seen: &mut BTreeSet<ProcId>,
) {
    if !seen.insert(proc) || program.procs[proc.at()].kind == ProcKind::Formula {
        return;
    }
    for pc in program.extent(program.procs[proc.at()].entry) {
        let written = writes(program, program.code[pc]);
        cells.extend(written.cells);
        match written.runs {
            Runs::Body(inner) => gather(program, inner, cells, seen),
            Runs::Nothing | Runs::Anything => {}
        }
    }
}

/// Cells that decide whether a requirement is met.
fn looked_at(program: &Program, reason: usize) -> BTreeSet<Slot> {
    match program.reasons[reason].kind {
        ReasonKind::Range(slot) | ReasonKind::Missing(slot) | ReasonKind::Full(slot) => {
            BTreeSet::from([slot])
        }
        ReasonKind::Rule(_) => {
            let mut reads = Reads::default();
            for rule in &program.rules {
                if rule.reason.at() == reason {
                    crate::facts::reads(program, rule.condition, &mut reads);
                }
            }
            reads.cells
        }
        _ => BTreeSet::new(),
    }
}
