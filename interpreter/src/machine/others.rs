//! Questions to other players on the way to the end of the extent. A way goes on through them, whoever is asked: an answer
//! is offered if all who are asked behind it can so answer that every rule is kept.
//!
//! What whoever looks ahead does not see is unknown from the first such question on: so nothing behind it lets his offer tell
//! of what others hold. Where that decides, or where the way becomes too long, the answer is offered, and remembered without a
//! mark that somebody sees; if it proves a dead end the game goes back to it.

use super::Machine;
use super::trying::Outcome;
use crate::observe::{Sight, veil};
use crate::program::*;

impl Machine<'_> {
    /// A decision is the first of another player on the way of one who does not see all, as he does who met too many dead ends.
    #[inline]
    pub(super) fn comes_to_others(&self) -> bool {
        let veiled = !self.all_seeing && self.struck.len() < DEAD_ENDS_UNSEEN_MAX;
        self.me != self.probe_seat && !self.beyond && veiled
    }

    /// From the first decision of another player on.
    pub(super) fn explore_beyond(&mut self) -> Outcome {
        self.beyond = true;
        self.hide_from(self.probe_seat as u32);
        let outcome = self.with_share(Machine::explore);
        self.beyond = false;
        match outcome {
            Outcome::Perhaps => Outcome::Others,
            outcome => outcome,
        }
    }

    /// What the seat does not see is unknown from here on. That is no change of the game: it wakes nothing.
    fn hide_from(&mut self, seat: u32) {
        let p = self.p;
        let written = self.dirty.len();
        for layout in p.cells.iter().filter(|layout| !layout.is_open()) {
            for slot in 0..layout.slots {
                let sight = self.looker(Some(seat)).sight(layout, slot);
                self.hide(layout, layout.word(slot), sight);
            }
        }
        self.dirty.truncate(written);
    }

    /// Of what lies from a word on no more is known than this.
    pub(super) fn hide(&mut self, layout: &CellLayout, word: usize, sight: Sight) {
        if sight == Sight::Open {
            return;
        }
        let mark = self.candidates.len();
        let words = word..word + layout.words as usize;
        self.candidates.extend_from_slice(&self.m[words.clone()]);
        veil(layout, sight, &mut self.candidates[mark..]);
        for (at, word) in words.enumerate() {
            self.set(word, self.candidates[mark + at]);
        }
        self.candidates.truncate(mark);
    }
}
