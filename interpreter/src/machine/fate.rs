//! What a case says of chance: outcomes that come instead of the generator's.

use super::Machine;
use crate::program::*;
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fate {
    /// Outcomes by stream.
    streams: BTreeMap<u32, Vec<Vec<i32>>>,
    /// What each next `random(…)` comes to, in the order in which they are asked: for each stream the value it would be there.
    throws: VecDeque<Vec<i32>>,
    /// What the next `cell = random(…)` puts into a word of a cell.
    cells: BTreeMap<usize, i32>,
    /// Outcomes are tried one after the other.
    branches: Option<Branches>,
}

/// What each `random(…)` on the way comes to, where all outcomes are tried one after the other: as a number is counted up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Branches {
    /// Which of its outcomes each comes to, and how many there are.
    digits: Vec<(usize, usize)>,
    /// How many were asked for since the way began.
    asked: usize,
}

impl Branches {
    /// The next way; false if all were tried.
    pub fn next(&mut self) -> bool {
        self.asked = 0;
        while let Some((digit, outcomes)) = self.digits.pop() {
            if digit + 1 < outcomes {
                self.digits.push((digit + 1, outcomes));
                return true;
            }
        }
        false
    }

    fn digit(&mut self, outcomes: usize) -> usize {
        if self.asked == self.digits.len() {
            self.digits.push((0, outcomes));
        }
        let (digit, _) = self.digits[self.asked];
        self.asked += 1;
        digit
    }
}

impl Machine<'_> {
    /// Fixes the next outcomes of a chance stream, first one first.
    pub fn fix_chance(&mut self, stream: u32, outcomes: Vec<Vec<i32>>) {
        self.fate.streams.insert(stream, outcomes);
    }

    /// Fixes the next outcomes of these streams, and of no other.
    pub(crate) fn fix_chances(&mut self, streams: BTreeMap<u32, Vec<Vec<i32>>>) {
        self.fate.streams = streams;
    }

    pub(crate) fn fix_throw(&mut self, by_stream: Vec<i32>) {
        self.fate.throws.push_back(by_stream);
    }

    pub(crate) fn fix_cell(&mut self, word: usize, value: i32) {
        self.fate.cells.insert(word, value);
    }

    /// Lends the outcomes to be tried, or takes them back.
    pub(crate) fn swap_branches(&mut self, branches: &mut Branches) {
        match &mut self.fate.branches {
            Some(lent) => {
                std::mem::swap(lent, branches);
                self.fate.branches = None;
            }
            none => *none = Some(std::mem::take(branches)),
        }
    }

    pub(super) fn tries_outcomes(&self) -> bool {
        self.fate.branches.is_some()
    }

    /// The outcome to be tried now, of these.
    pub(super) fn branch(&mut self, outcomes: &[i32]) -> i32 {
        let digit = self
            .fate
            .branches
            .as_mut()
            .map_or(0, |branches| branches.digit(outcomes.len()));
        outcomes[digit]
    }

    /// Throws that were fixed and did not come yet.
    pub(crate) fn throws_left(&self) -> usize {
        self.fate.throws.len()
    }

    /// The outcome fixed for this use of a stream, if any.
    pub(super) fn fixed(&mut self, stream: u32) -> Option<Vec<i32>> {
        if self.probing > 0 {
            return None;
        }
        let outcomes = self.fate.streams.get_mut(&stream)?;
        (!outcomes.is_empty()).then(|| outcomes.remove(0))
    }

    /// What this use of `random(…)` has to come to, if that is fixed.
    pub(super) fn fixed_random(&mut self, stream: u32) -> Option<i32> {
        if let Some([value]) = self.fixed(stream).as_deref() {
            return Some(*value);
        }
        if let Some(value) = self.fixed_cell(stream) {
            return Some(value);
        }
        let throw = self.fate.throws.pop_front()?;
        let value = throw.get(stream as usize).copied();
        Some(value.unwrap_or(NONE))
    }

    /// Where the instruction that runs is `cell = random(…)`.
    fn fixed_cell(&mut self, stream: u32) -> Option<i32> {
        if self.fate.cells.is_empty() {
            return None;
        }
        let (place, of) = self.p.rolls_into(self.pc)?;
        let target = self.target(place).filter(|_| of == stream)?;
        self.fate.cells.remove(&target.word)
    }
}
