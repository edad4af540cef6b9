//! Positions of the game, compared value by value.
//!
//! A history keeps the last position that was counted, and of each before it what changed since. Looking ahead only adds to
//! it; how many positions count stands in the state, and what is more is taken off again before the history is used.

use super::Machine;
use super::hash;
use crate::program::*;
use dsl::ir::LabelId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Change {
    at: u32,
    before: i32,
    after: i32,
}

/// Positions that were counted.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct History {
    count: u32,
    /// Of each a number: only where one is the same, values are compared.
    hashes: Vec<u64>,
    /// The last one.
    last: Vec<i32>,
    changes: Vec<Change>,
    /// Where the changes begin that led to each position but the first.
    begins: Vec<u32>,
}

impl Clone for History {
    fn clone(&self) -> History {
        let mut copy = History::default();
        copy.clone_from(self);
        copy
    }

    /// Keeps the room that there is.
    fn clone_from(&mut self, of: &History) {
        self.count = of.count;
        self.hashes.clone_from(&of.hashes);
        self.last.clone_from(&of.last);
        self.changes.clone_from(&of.changes);
        self.begins.clone_from(&of.begins);
    }
}

impl History {
    /// Takes off what was counted behind the first `count`.
    pub(crate) fn trim(&mut self, count: u32) {
        while self.count > count.max(1) {
            let begin = self.begins.pop().unwrap_or(0) as usize;
            for change in self.changes.drain(begin..).rev() {
                self.last[change.at as usize] = change.before;
            }
            self.count -= 1;
        }
        if count == 0 {
            self.last.clear();
            self.count = 0;
        }
        self.hashes.truncate(self.count as usize);
    }

    /// Counts a position; what tells it from the last one.
    fn add(&mut self, position: &[i32]) -> u32 {
        self.count += 1;
        self.hashes.push(hash::of_words(position));
        if self.count == 1 {
            self.last.extend_from_slice(position);
            return 0;
        }
        let mut trail = 0u32;
        self.begins.push(self.changes.len() as u32);
        let words = self.last.iter_mut().zip(position).enumerate();
        for (at, (before, after)) in words.filter(|(_, (before, after))| before != after) {
            let change = Change {
                at: at as u32,
                before: *before,
                after: *after,
            };
            self.changes.push(change);
            trail = (trail.rotate_left(7) ^ at as u32).wrapping_mul(0x9e37_79b1);
            trail = (trail.rotate_left(7) ^ *after as u32).wrapping_mul(0x9e37_79b1);
            *before = *after;
        }
        trail
    }

    /// How many of them are this one.
    fn times(&self, position: &[i32]) -> i32 {
        if !self.hashes.contains(&hash::of_words(position)) {
            return 0;
        }
        let words = self.last.iter().zip(position);
        let mut differing = words.filter(|(a, b)| a != b).count() as i64;
        let mut times = i32::from(self.count > 0 && differing == 0);
        let mut end = self.changes.len();
        for begin in self.begins.iter().rev() {
            for change in &self.changes[*begin as usize..end] {
                let now = position[change.at as usize];
                differing += i64::from(change.before != now) - i64::from(change.after != now);
            }
            end = *begin as usize;
            times += i32::from(differing == 0);
        }
        times
    }
}

impl Machine<'_> {
    /// Before the first pass of a step its position is counted.
    pub(super) fn begin_positions(&mut self, label: LabelId) {
        let p = self.p;
        for (at, code) in p.histories.iter().enumerate() {
            if code.of.step == label {
                let base = code.base as usize;
                self.set(base + history_word::STIRRED, 0);
                if self.m[base + history_word::COUNT] == 0 {
                    self.count_position(at);
                }
            }
        }
    }

    /// At the end of a pass the position is counted.
    pub(super) fn count_positions(&mut self, label: LabelId) {
        let p = self.p;
        for (at, code) in p.histories.iter().enumerate() {
            if code.of.step == label {
                self.count_position(at);
            }
        }
    }

    /// Something is done: now is no longer the position that was counted last.
    #[inline]
    pub(super) fn stir(&mut self) {
        let p = self.p;
        for code in &p.histories {
            self.set(code.base as usize + history_word::STIRRED, 1);
        }
    }

    /// The place was written to, were it with what it held.
    #[inline]
    pub(super) fn stir_by(&mut self, place: PlaceId) {
        if self.p.places[place.at()].compared {
            self.stir();
        }
    }

    fn count_position(&mut self, at: usize) {
        self.look_at_present(at);
        if self.halt == super::Halt::No {
            let base = self.p.histories[at].base as usize;
            let count = self.m[base + history_word::COUNT];
            let history = &mut self.histories[at];
            history.trim(count as u32);
            let trail = history.add(&self.present) as i32;
            self.set(base + history_word::COUNT, count + 1);
            let before = self.m[base + history_word::TRAIL];
            let trail = before.rotate_left(5).wrapping_mul(0x2545_f491) ^ trail;
            self.set(base + history_word::TRAIL, trail);
        }
    }

    /// What each history compares, as it is now; nothing where that has no value.
    pub(crate) fn positions(&mut self) -> Vec<Option<Vec<i32>>> {
        let all = 0..self.p.histories.len();
        all.map(|at| self.position_now(at)).collect()
    }

    fn position_now(&mut self, at: usize) -> Option<Vec<i32>> {
        self.look_at_present(at);
        self.no_value(()).ok().map(|()| self.present.clone())
    }

    /// Positions that differ from those before were set from outside: they count as having been there, once positions do.
    pub(crate) fn count_set_positions(&mut self, before: &[Option<Vec<i32>>]) {
        for (at, before) in before.iter().enumerate() {
            let base = self.p.histories[at].base as usize;
            let counts = self.m[base + history_word::COUNT] != 0;
            let now = self.position_now(at);
            if counts && now.is_some() && now != *before {
                self.count_position(at);
                self.set(base + history_word::STIRRED, 0);
            }
        }
    }

    /// How often the present position has been there, itself included.
    pub(crate) fn repeats(&mut self, at: usize) -> i32 {
        self.look_at_present(at);
        if self.halt != super::Halt::No {
            return 0;
        }
        let p = self.p;
        let code = &p.histories[at];
        let base = code.base as usize;
        let count = self.m[base + history_word::COUNT];
        let history = &mut self.histories[at];
        history.trim(count as u32);
        let counted = history.count > 0 && history.last == self.present;
        let times = history.times(&self.present);
        let runs = self.m[p.label_words[code.of.step.index()] as usize + 1] != 0;
        let stirred = runs && self.m[base + history_word::STIRRED] != 0;
        times + i32::from(stirred || !counted)
    }

    /// Fills `present`.
    fn look_at_present(&mut self, at: usize) {
        let p = self.p;
        let code = &p.histories[at];
        let mut present = std::mem::take(&mut self.present);
        present.clear();
        for slot in &code.slots {
            let cell = &p.cells[slot.at()];
            if cell.shape == Shape::Scalar {
                let words = cell.base as usize..(cell.base + cell.slots) as usize;
                present.extend_from_slice(&self.m[words]);
                continue;
            }
            for slot in 0..cell.slots {
                let first = (cell.base + slot * cell.words) as usize;
                let words = &self.m[first..first + cell.words as usize];
                lay(cell.shape, words.iter().copied(), &mut present);
            }
        }
        if present.contains(&UNKNOWN) {
            self.unknown();
        }
        for node in &code.values {
            let shape = p.shapes[node.at()];
            let top = self.top;
            if shape == Shape::Scalar {
                let value = self.ev(*node);
                present.push(value);
            } else {
                let loc = self.loc(*node);
                let words = (0..shape.words()).map(|at| self.get(loc, at));
                lay(shape, words, &mut present);
            }
            self.top = top;
        }
        self.present = present;
    }

    pub(super) fn save_histories(&self, histories: &mut Vec<History>) {
        histories.clone_from(&self.histories);
        for (history, code) in histories.iter_mut().zip(&self.p.histories) {
            history.trim(self.m[code.base as usize + history_word::COUNT] as u32);
        }
    }
}

/// The words of a value, always as many; behind the end of a list lies nothing.
fn lay(shape: Shape, words: impl Iterator<Item = i32>, out: &mut Vec<i32>) {
    let first = out.len();
    out.extend(words);
    let used = match shape {
        Shape::List { .. } => 1 + out[first].max(0) as usize,
        Shape::Agenda { width } => 1 + out[first].max(0) as usize * width as usize,
        // What lies there unseen is counted behind: it cannot be compared.
        Shape::Set { .. } | Shape::Bag { .. } => {
            if let Some(unseen) = out.get_mut(first + shape.words()).filter(|n| **n != 0) {
                *unseen = UNKNOWN;
            }
            shape.state_words()
        }
        Shape::Scalar | Shape::Row { .. } => shape.words(),
    };
    if let Some(rest) = out.get_mut(first + used..) {
        rest.fill(0);
    }
}
