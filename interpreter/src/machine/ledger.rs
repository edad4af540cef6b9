//! What formulas said of their arguments, while the words they read are as they were. Planned by `lower::ledger`.

use super::totals::Use;
use super::{Halt, Loc, Machine};
use crate::Program;
use crate::program::*;

/// What is less often known is as quickly found anew.
const KNOWN_OF_FOUR: u32 = 2;

/// What is known of all ledgers; not part of the state.
#[derive(Debug, Default)]
pub(crate) struct Ledgers {
    /// For each row whether something is known, the words it rests on, and what was said.
    words: Vec<i32>,
    use_of: Vec<Use>,
}

impl Ledgers {
    pub fn new(program: &Program) -> Ledgers {
        let ends = program.procs.iter().filter_map(|proc| {
            let row = program.ledgers[proc.ledger?.at()].rows.last()?;
            Some(row.at as usize + 1 + row.words.len() + proc.shape.words())
        });
        Ledgers {
            words: vec![0; ends.max().unwrap_or(0)],
            use_of: vec![Use::default(); program.ledgers.len()],
        }
    }
}

impl Machine<'_> {
    /// What a formula says whose frame was opened last: as it was said before, or found by `find` and kept. It lies in this
    /// empty room, or where it was found.
    pub(super) fn by_ledger(
        &mut self,
        id: LedgerId,
        (proc, base): (ProcId, usize),
        to: usize,
        find: impl FnOnce(&mut Self) -> Loc,
    ) -> Loc {
        let p = self.p;
        let ledger = &p.ledgers[id.at()];
        let use_of = self.ledgers.use_of.get_mut(id.at());
        let is_on = use_of.is_some_and(|of| of.is_on(KNOWN_OF_FOUR));
        let row = is_on.then(|| self.row_of(ledger, &p.procs[proc.at()].params, base));
        let Some(row) = row.flatten() else {
            return find(self);
        };
        let words = &ledger.words[row.words.start as usize..row.words.end as usize];
        let shape = p.procs[proc.at()].shape;
        let (seen, said) = (row.at as usize + 1, row.at as usize + 1 + words.len());
        let end = said + shape.words();
        let kept = &self.ledgers.words[row.at as usize..end];
        let same = |(word, seen): (&u32, &i32)| self.m[*word as usize] == *seen;
        let holds = kept[0] != 0 && words.iter().zip(&kept[1..]).all(same);
        if holds {
            self.ledgers.use_of[id.at()].was_known();
            self.m[to..to + shape.words()].copy_from_slice(&self.ledgers.words[said..end]);
            self.top = base;
            return Loc::State(to);
        }
        let loc = find(self);
        if self.halt == Halt::No {
            self.ledgers.words[row.at as usize] = 1;
            for (at, word) in words.iter().enumerate() {
                self.ledgers.words[seen + at] = self.m[*word as usize];
            }
            for at in 0..shape.words() {
                self.ledgers.words[said + at] = self.get(loc, at);
            }
        }
        loc
    }

    /// The row of the arguments in a frame; none of what is no argument.
    fn row_of<'l>(
        &self,
        ledger: &'l Ledger,
        params: &[(u32, u32)],
        base: usize,
    ) -> Option<&'l LedgerRow> {
        let mut at = 0;
        for ((low, n), (local, _)) in ledger.dims.iter().zip(params) {
            let index = self.m[base + *local as usize].wrapping_sub(*low) as u32;
            at = at * n + (index < *n).then_some(index)?;
        }
        ledger.rows.get(at as usize)
    }
}
