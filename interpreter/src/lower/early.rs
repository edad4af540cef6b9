//! Rules that are tested before the bodies of `when`s run: a `when` that nobody can foresee must not hide that one is broken.

use crate::program::*;

/// Fills `RuleCode::early`.
pub(super) fn mark(program: &mut Program) {
    let mut early = vec![true; program.rules.len()];
    // Steps and agendas write words of no cell.
    let mut fixed = vec![true; program.fixed_words as usize];
    let written = program
        .whens
        .is_empty()
        .then(Vec::new)
        .or_else(|| written(program));
    let Some(written) = written else {
        return;
    };
    for (cell, written) in program.cells.iter().zip(&written) {
        let words = cell.base as usize..(cell.base + cell.words * cell.slots) as usize;
        fixed[words].fill(*written);
    }
    for (word, fixed) in fixed.iter().enumerate() {
        for watcher in program.word_watchers(word) {
            if let Watcher::Rule { rule, .. } = watcher {
                early[*rule as usize] &= written.is_empty() || !fixed;
            }
        }
    }
    for (rule, early) in program.rules.iter_mut().zip(early) {
        rule.early = early;
    }
}

/// Cells that bodies of `when`s may write, with all they call; none where that cannot be told.
fn written(program: &Program) -> Option<Vec<bool>> {
    let mut cells = vec![false; program.cells.len()];
    let mut procs: Vec<ProcId> = program.whens.iter().map(|when| when.proc).collect();
    let mut at = 0;
    while let Some(proc) = procs.get(at) {
        at += 1;
        let code = super::idle::extent(program, program.procs[proc.at()].entry);
        for op in &program.code[code] {
            let mut write = |place: PlaceId| cells[program.places[place.at()].cell.at()] = true;
            match *op {
                Op::Set(place, _)
                | Op::Add(place, _)
                | Op::Subtract(place, _)
                | Op::SetWords(place, _)
                | Op::AddTo(place, _)
                | Op::TakeFrom(place, _)
                | Op::Shuffle(place)
                | Op::AgendaAdd { agenda: place, .. }
                | Op::AgendaOpen { agenda: place, .. } => write(place),
                Op::Move(step) => {
                    let step = &program.moves[step as usize];
                    let (MoveWhat::Value { from, .. }
                    | MoveWhat::Everything(from)
                    | MoveWhat::Top { of: from, .. }) = step.what;
                    write(step.to);
                    write(from);
                }
                Op::Feed => {
                    for slot in &program.feeding {
                        let cell = &program.cells[slot.at()];
                        cells[slot.at()] = true;
                        for from in cell.refill.into_iter().chain(cell.fill) {
                            cells[program.places[from.at()].cell.at()] = true;
                        }
                    }
                }
                Op::EnterAction(action) => {
                    for slot in &program.action_cells[action as usize] {
                        cells[slot.at()] = true;
                    }
                }
                Op::EnterStep { label, .. } => {
                    for slot in &program.label_cells[label.index()] {
                        cells[slot.at()] = true;
                    }
                }
                Op::Call(proc, _) if !procs.contains(&proc) => procs.push(proc),
                // What runs is known only then.
                Op::RunEffect(_) | Op::AgendaPick { .. } => return None,
                _ => {}
            }
        }
    }
    Some(cells)
}
