//! What aggregates and best walks came to, while the words they read are as they were. Planned by `lower::totals`.

use super::{Halt, Machine};
use crate::Program;
use crate::program::*;

/// All results that are remembered; not part of the state.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    words: Vec<i32>,
    /// By expression.
    use_of: Vec<Use>,
}

/// Whether it is worth while to remember something.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Use {
    asked: u32,
    known: u32,
    /// Not looked at for so many times.
    rests: u32,
}

/// After so many times it is looked whether what is remembered was of use.
const SPAN: u32 = 256;

impl Totals {
    pub fn new(program: &Program) -> Totals {
        let last = program.totals.last();
        let len = last.map_or(0, |t| t.first + t.entry_words() * TOTAL_ENTRIES);
        Totals {
            words: vec![0; len as usize],
            use_of: vec![Use::default(); program.totals.len()],
        }
    }
}

impl Use {
    /// It is looked whether this is known; not while it rests, since of four times it was known fewer than so many.
    #[inline]
    pub fn is_on(&mut self, of_four: u32) -> bool {
        if self.rests > 0 {
            self.rests -= 1;
            return false;
        }
        self.asked += 1;
        if self.asked == SPAN {
            let rests = if self.known * 4 < SPAN * of_four {
                16 * SPAN
            } else {
                0
            };
            *self = Use {
                rests,
                ..Use::default()
            };
        }
        true
    }

    /// It was.
    pub fn was_known(&mut self) {
        self.known += 1;
    }
}

impl Machine<'_> {
    /// What an expression comes to: remembered, or found by `find`.
    #[inline]
    pub(super) fn total(&mut self, at: u32, find: impl FnOnce(&mut Self) -> i32) -> i32 {
        let p = self.p;
        let rests = match self.totals.use_of.get_mut(at as usize) {
            Some(of) => !of.is_on(1),
            None => true,
        };
        if rests || self.halt != Halt::No {
            return find(self);
        }
        let total = &p.totals[at as usize];
        let mut key = [1; TOTAL_LOCALS + 2];
        key[1] = if total.seat { self.me } else { 0 };
        let mut spread = key[1] as u32;
        for (to, local) in key[2..].iter_mut().zip(total.locals) {
            *to = local.map_or(0, |at| self.m[self.fp + at as usize]);
            spread = spread.wrapping_mul(31).wrapping_add(*to as u32);
        }
        let entry = (total.first + spread % TOTAL_ENTRIES * total.entry_words()) as usize;
        let known = &self.totals.words[entry..entry + total.entry_words() as usize];
        let (found, words) = known.split_at(key.len() + 1);
        if found[..key.len()] == key && self.reads_the_same(total, words) {
            let result = found[key.len()];
            self.totals.use_of[at as usize].was_known();
            return result;
        }
        let result = find(self);
        if self.halt == Halt::No {
            let known = &mut self.totals.words[entry..entry + total.entry_words() as usize];
            let (found, mut words) = known.split_at_mut(key.len() + 1);
            found[..key.len()].copy_from_slice(&key);
            found[key.len()] = result;
            for run in &total.runs {
                let (now, rest) = words.split_at_mut(run.len());
                now.copy_from_slice(&self.m[run.start as usize..run.end as usize]);
                words = rest;
            }
        }
        result
    }

    #[inline]
    fn reads_the_same(&self, total: &Total, mut words: &[i32]) -> bool {
        total.runs.iter().all(|run| {
            let (then, rest) = words.split_at(run.len());
            words = rest;
            self.m[run.start as usize..run.end as usize] == *then
        })
    }
}
