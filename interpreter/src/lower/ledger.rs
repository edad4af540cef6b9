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
/// Words that one result may rest on: more are as slowly compared as read.
const WORDS_MAX: usize = 64;

/// Fills `Program::ledgers` and says which formulas use which.
pub(super) fn mark(rules: &RuleSet, program: &mut Program) {
    let mut ledgers = Vec::new();
    let mut users = Vec::new();
    {
        let mut finder = Finder::new(program);
        let mut room = 0;
        for (at, proc) in program.formula_procs.iter().enumerate() {
            if let Some(ledger) = of(rules, program, &mut finder, at, *proc, &mut room) {
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

fn of(
    rules: &RuleSet,
    program: &Program,
    finder: &mut Finder<'_>,
    formula: usize,
    proc: ProcId,
    room: &mut usize,
) -> Option<Ledger> {
    let code = &program.procs[proc.at()];
    let mut reads = Reads::default();
    crate::facts::reads(program, code.body, &mut reads);
    let of_cells = reads.state && !reads.opaque && !reads.beyond;
    // What lies ready, or is read at once, is no sooner found here.
    if !matches!(code.shape, Shape::Set { .. }) || !of_cells || !searches(program, code.body) {
        return None;
    }
    let formula = &rules.formulas[formula];
    let params = formula.params.iter();
    let dims: Vec<(i32, u32)> = params
        .map(|param| argument_values(rules, program, &formula.code.locals[param.index()].ty))
        .collect::<Option<_>>()?;
    let own = reads.seat || reads.own;
    let seats = if own { program.players } else { 1 };
    let asked: u64 = dims.iter().map(|(_, n)| u64::from(*n)).product();
    if asked < 2 || asked * u64::from(seats) > ROWS_MAX {
        return None;
    }
    let result = code.shape.words();
    let mut ledger = Ledger {
        dims,
        own,
        rows: Vec::new(),
        words: Vec::new(),
    };
    for at in 0..asked as u32 {
        let known: Known = (code.params.iter().map(|(local, _)| *local))
            .zip(ledger.arguments(at))
            .collect();
        let mut words = Words::new();
        finder.expression(code.body, &known, &mut words);
        if words.len() > WORDS_MAX {
            return None;
        }
        let first = ledger.words.len() as u32;
        ledger.words.extend(words.iter());
        ledger.rows.push(LedgerRow {
            words: first..ledger.words.len() as u32,
            at: 0,
        });
    }
    let of_each: Vec<LedgerRow> = std::mem::take(&mut ledger.rows);
    for row in (0..seats).flat_map(|_| &of_each) {
        let at = *room as u32;
        *room += 1 + row.words.len() + result;
        ledger.rows.push(LedgerRow { at, ..row.clone() });
    }
    (*room <= ALL_WORDS_MAX).then_some(ledger)
}

impl Ledger {
    /// The arguments of a row, of one seat.
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
