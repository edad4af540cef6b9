//! Writing a word: the journal, versions, and who is told.

use super::{Event, Machine, Write};
use crate::program::*;

impl<'p> Machine<'p> {
    // ---------------------------------------------------------------------------------------------- writing

    /// Every change of the state goes through here. Most writes change nothing: these cost a comparison.
    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, value: i32) {
        let old = self.m[at];
        if old != value {
            self.change(at, old, value);
        }
    }

    /// As [`Machine::set`], of a word of the running frame, by its distance from the frame's begin.
    #[inline(always)]
    pub(crate) fn set_local(&mut self, local: u32, value: i32) {
        let at = self.fp + local as usize;
        if at < self.floor {
            self.set(at, value);
        } else {
            // Nothing that was alive when a look-ahead began lies here, and nothing watches a frame.
            self.m[at] = value;
        }
    }

    fn change(&mut self, at: usize, old: i32, value: i32) {
        self.m[at] = value;
        let Some(word) = self.p.words.get(at) else {
            return self.note_local(at, old);
        };
        let change = i64::from(value) - i64::from(old);
        self.cells_sum = self
            .cells_sum
            .wrapping_add(word.key.wrapping_mul(change as u64));
        self.writes += 1;
        if self.probing > 0 || word.is_watched() || self.is_told(at) {
            self.tell(at, word, old, value);
        } else {
            self.raise(word);
        }
    }

    #[inline(never)]
    fn note_local(&mut self, at: usize, old: i32) {
        if at < self.floor {
            self.journal.push((at as u32, old));
        }
    }

    /// Notes that a word of the fixed part was written, for all who may want to know. Apart from [`Machine::change`],
    /// which so needs no room on the stack.
    #[inline(never)]
    fn tell(&mut self, at: usize, word: &Word, old: i32, value: i32) {
        if self.probing > 0 {
            self.journal.push((at as u32, old));
        } else {
            self.raise(word);
            if self.is_told(at) {
                self.note_write(at, old, value);
            }
        }
        if word.wakes() {
            self.dirty.push(at as u32);
        }
        if word.touches() {
            self.touch(at);
        }
    }

    /// Somebody wants to know of it.
    #[inline]
    pub(super) fn is_told(&self, at: usize) -> bool {
        self.told.get(at).is_some_and(|told| *told)
    }

    /// The word's version grows, if it has one.
    #[inline]
    fn raise(&mut self, word: &Word) {
        if let Some(version) = self.versions.get_mut(word.version as usize) {
            *version += 1;
        }
    }

    /// Copies a word of the fixed part in from elsewhere: it counts as written if it differs, but wakes nothing.
    #[inline]
    pub(super) fn replace(&mut self, at: usize, value: i32) {
        if self.m[at] != value {
            self.m[at] = value;
            let word = &self.p.words[at];
            self.raise(word);
            if word.touches() {
                self.touch(at);
            }
        }
    }

    /// Tells those who must know at once that a word was written.
    pub(crate) fn touch(&mut self, at: usize) {
        for watcher in self.p.touched_by(at) {
            match *watcher {
                Watcher::Network { network, owner } => self.networks.touch(network, owner),
                Watcher::Rule { .. } | Watcher::When { .. } => {}
            }
        }
    }

    #[cold]
    pub(crate) fn note_write(&mut self, at: usize, old: i32, new: i32) {
        let pc = self.pc as u32;
        if let Some(moves) = &mut self.moves {
            moves.push(Write {
                word: at as u32,
                old,
                new,
            });
        }
        if let Some(trace) = &mut self.trace {
            trace.push(Event::Write {
                word: at as u32,
                old,
                new,
                pc,
            });
        }
    }
}
