//! What a case says of chance: outcomes that come instead of the generator's.

use super::Machine;
use crate::program::*;
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Debug, Default)]
pub(crate) struct Fate {
    /// Outcomes by stream.
    streams: BTreeMap<u32, Vec<Vec<i32>>>,
    /// What each next `random(…)` comes to, in the order in which they are asked: for each stream the value it would be there.
    throws: VecDeque<Vec<i32>>,
    /// What the next `cell = random(…)` puts into a word of a cell.
    cells: BTreeMap<usize, i32>,
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
        let Some(Op::Set(place, value)) = self.p.code.get(self.pc).copied() else {
            return None;
        };
        let Node::Random(_, of) = self.p.nodes[value.at()] else {
            return None;
        };
        let target = self.target(place).filter(|_| of == stream)?;
        self.fate.cells.remove(&target.word)
    }
}
