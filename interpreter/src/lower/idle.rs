//! Instructions that looking ahead need not run, and questions whose answers are all alike: nothing that follows in the
//! body and could still fail looks at what they write.

use crate::Program;
use crate::facts::{self, Facts, Reads};
use crate::program::*;
use std::collections::BTreeSet;

/// Fills `Program::idle` and `ChoiceOp::alike`. `quiet`: an instruction cannot fail, nor can what it wakes.
pub(super) fn mark(program: &mut Program, facts: &Facts, quiet: &dyn Fn(&Program, usize) -> bool) {
    let mut idle = vec![false; program.code.len()];
    let mut alike = vec![false; program.choices.len()];
    for proc in &program.procs {
        if matches!(proc.kind, ProcKind::Flow | ProcKind::Formula) {
            continue;
        }
        let code = program.extent(proc.entry);
        // What is looked at from an instruction on by what could still fail; none where that cannot be told.
        let mut looks = vec![None; code.len()];
        looks.push(Some(Reads::default()));
        for pc in code.clone().rev() {
            // Some bodies lie within others, around which a jump leads to where nothing is known.
            let from = |pc: usize| looks.get(pc.checked_sub(code.start)?)?.as_ref();
            let mut looked = behind(program, pc, from);
            let written = facts::writes(program, program.code[pc]);
            let written = written.alone.then_some(written.cells);
            let written = written.and_then(|cells| facts.with_woken(program, cells));
            if let Some(reads) = &looked {
                idle[pc] = written
                    .as_ref()
                    .is_some_and(|written| quiet(program, pc) && written.is_disjoint(&reads.cells));
                if let Op::Choose(choice) | Op::Param { choice, .. } = program.code[pc] {
                    let binder = &program.binders[program.choices[choice as usize].binder.at()];
                    alike[choice as usize] = !reads.locals.contains(&binder.local);
                }
            }
            if program.safe[pc] {
                looked = Some(Reads::default());
            } else if !idle[pc] {
                let wakes =
                    written.is_some_and(|cells| !cells.is_empty() && !quiet_wakes(program, &cells));
                looked = looked.filter(|_| !wakes);
                looked =
                    looked.and_then(|mut reads| read_by(program, pc, &mut reads).then_some(reads));
            }
            looks[pc - code.start] = looked;
        }
    }
    program.idle = idle;
    for (choice, alike) in program.choices.iter_mut().zip(alike) {
        choice.alike = alike;
    }
}

/// What is looked at behind an instruction, whichever way it goes on.
fn behind<'a>(
    program: &Program,
    pc: usize,
    looks: impl Fn(usize) -> Option<&'a Reads>,
) -> Option<Reads> {
    match program.code[pc] {
        Op::Jump(to) | Op::JumpUnless(_, to) if to as usize <= pc => None,
        Op::Jump(to) => looks(to as usize).cloned(),
        Op::JumpUnless(_, to) => {
            let mut reads = looks(pc + 1)?.clone();
            reads.join(looks(to as usize)?);
            Some(reads)
        }
        Op::Return | Op::WhenEnd => Some(Reads::default()),
        _ => looks(pc + 1).cloned(),
    }
}

/// Bodies that a write to one of these cells may wake cannot fail.
fn quiet_wakes(program: &Program, cells: &BTreeSet<Slot>) -> bool {
    cells.iter().all(|slot| {
        program.cell_watchers(*slot).all(|watcher| match watcher {
            Watcher::When { when, .. } => {
                program.procs[program.whens[*when as usize].proc.at()].safe
            }
            _ => true,
        })
    })
}

/// Adds what an instruction reads; false where it may read anything.
pub(super) fn read_by(program: &Program, pc: usize, out: &mut Reads) -> bool {
    let place = |place, out: &mut Reads| crate::facts::place_reads(program, place, out);
    match program.code[pc] {
        Op::Need(value, _) | Op::Let(_, value) | Op::LetWords(_, value) => {
            crate::facts::reads(program, value, out)
        }
        Op::JumpUnless(value, to)
        | Op::ParamDefault {
            value, local: to, ..
        } => {
            let back = matches!(program.code[pc], Op::JumpUnless(..)) && to as usize <= pc;
            crate::facts::reads(program, value, out);
            if back {
                return false;
            }
        }
        Op::Set(to, value)
        | Op::Add(to, value)
        | Op::Subtract(to, value)
        | Op::SetWords(to, value)
        | Op::AddTo(to, value)
        | Op::TakeFrom(to, value) => {
            place(to, out);
            crate::facts::reads(program, value, out);
        }
        Op::Move(step) => {
            let step = &program.moves[step as usize];
            place(step.to, out);
            match step.what {
                MoveWhat::Value { value, from, .. } => {
                    place(from, out);
                    crate::facts::reads(program, value, out);
                }
                MoveWhat::Everything(from) => place(from, out),
                MoveWhat::Top { count, of } => {
                    place(of, out);
                    if let Some(count) = count {
                        crate::facts::reads(program, count, out);
                    }
                }
            }
        }
        Op::Feed => {
            out.cells.extend(facts::fed(program));
            out.of_others.extend(facts::fed(program));
        }
        Op::Jump(to) => return to as usize > pc,
        Op::Return | Op::WhenEnd => {}
        _ => return false,
    }
    !out.opaque
}
