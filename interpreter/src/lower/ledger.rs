//! Formulas that say a set of each of a few elements, and read cells alone: what such a formula said is remembered for each
//! of its arguments together with the words it rests on, and holds wherever these are the same again.

use super::finder::{Finder, Known, Words};
use super::fold::argument_values;
use crate::Program;
use crate::facts::{Reads, searches};
use crate::program::*;
use dsl::ir::RuleSet;

/// Results remembered of one formula, and of all.
const ROWS_MAX: u64 = 1 << 12;
const ALL_WORDS_MAX: usize = 1 << 18;
/// Words that one result may rest on; fewer where it can be asked in part, which is as quick as comparing many.
const WORDS_MAX: usize = 512;
const WORDS_IN_PART_MAX: usize = 64;

/// Fills `Program::ledgers` and says which formulas use which.
pub(super) fn mark(rules: &RuleSet, program: &mut Program) {
    let mut ledgers = Vec::new();
    let mut users = Vec::new();
    {
        let mut finder = Finder::new(program);
        let mut room = 0;
        for (at, proc) in program.formula_procs.iter().enumerate() {
            if let Some((ledger, end)) = of(rules, program, &mut finder, at, *proc, room) {
                room = end;
                users.push((*proc, LedgerId(ledgers.len() as u32)));
                ledgers.push(ledger);
            }
        }
    }
    for (proc, id) in users {
        program.procs[proc.at()].ledger = Some(id);
    }
    program.ledgers = ledgers;
}

/// What remembers a formula's results from this word on, and where it ends.
fn of(
    rules: &RuleSet,
    program: &Program,
    finder: &mut Finder<'_>,
    formula: usize,
    proc: ProcId,
    mut room: usize,
) -> Option<(Ledger, usize)> {
    let code = &program.procs[proc.at()];
    let mut reads = Reads::default();
    crate::facts::reads(program, code.body, &mut reads);
    // What formulas say is the same whoever acts.
    let whoever = !reads.seat && !reads.own;
    let of_cells = reads.state && !reads.opaque && !reads.is_beyond() && whoever;
    // What lies ready, or is read at once, is no sooner found here.
    if !matches!(code.shape, Shape::Set { .. }) || !of_cells || !searches(program, code.body) {
        return None;
    }
    let formula = &rules.formulas[formula];
    let params = formula.params.iter();
    let dims: Vec<(i32, u32)> = params
        .map(|param| argument_values(rules, program, &formula.code.locals[param.index()].ty))
        .collect::<Option<_>>()?;
    let asked: u64 = dims.iter().map(|(_, n)| u64::from(*n)).product();
    if !(2..=ROWS_MAX).contains(&asked) {
        return None;
    }
    let mut ledger = Ledger {
        dims,
        whole: takes_all(program, code.body),
        rows: Vec::new(),
        words: Vec::new(),
    };
    let words_max = if ledger.whole {
        WORDS_MAX
    } else {
        WORDS_IN_PART_MAX
    };
    for at in 0..asked as u32 {
        let known: Known = (code.params.iter().map(|(local, _)| *local))
            .zip(ledger.arguments(at))
            .collect();
        let mut words = Words::new();
        finder.expression(code.body, &known, &mut words);
        if words.len() > words_max {
            return None;
        }
        let first = ledger.words.len() as u32;
        ledger.words.extend(words.iter());
        let words = first..ledger.words.len() as u32;
        let at = room as u32;
        room += 1 + words.len() + code.shape.words();
        ledger.rows.push(LedgerRow { words, at });
    }
    (room <= ALL_WORDS_MAX).then_some((ledger, room))
}

/// Whether something is in this set is not found out without making it.
fn takes_all(program: &Program, set: NodeId) -> bool {
    match program.nodes[set.at()] {
        Node::If(_, yes, no) => takes_all(program, yes) && takes_all(program, no),
        Node::Call(proc, _) => takes_all(program, program.procs[proc.at()].body),
        Node::EndsOfWalk(walk) => {
            let course = program.walks[walk.at()].course.as_ref();
            !course.is_some_and(|course| course.apart)
        }
        Node::Reach(..) => false,
        _ => true,
    }
}

impl Ledger {
    /// The arguments of a row.
    fn arguments(&self, row: u32) -> Vec<i32> {
        let mut rest = row;
        let mut arguments = vec![0; self.dims.len()];
        for (argument, (low, n)) in arguments.iter_mut().zip(&self.dims).rev() {
            *argument = low + (rest % n) as i32;
            rest /= n;
        }
        arguments
    }
}
