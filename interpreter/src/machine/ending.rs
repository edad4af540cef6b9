//! The end of the game: announced once, counted in passes of a step.
//!
//! An end is so many passes of its step away (`FINISH_LEFT`, the running one among them). One that counts player by player is
//! behind the running pass as many passes of each player away as he owes (`Program::owed`). What a loop over players does not
//! give a player counts as had: his `where` fails, or his pass does not come to the step. Who has had his passes is passed over.

use super::{Machine, Stop};
use crate::program::*;
use dsl::ir::{EndingId, LabelId};

impl Machine<'_> {
    /// `finish after this L …`: the first one stands.
    pub(super) fn announce_end(
        &mut self,
        label: LabelId,
        more: i32,
        of_each_player: bool,
        ending: EndingId,
    ) {
        if self.m[header::FINISH_LABEL] != NONE {
            return;
        }
        self.set(header::ANNOUNCED, ending.0 as i32 + 1);
        let more = more.max(0);
        self.set(header::FINISH_LABEL, label.0 as i32);
        match self.p.owed {
            Some(owed) if of_each_player => {
                self.set(header::FINISH_LEFT, 1);
                for seat in 0..self.p.players {
                    self.set((owed + seat) as usize, more);
                }
            }
            _ => self.set(header::FINISH_LEFT, more.saturating_add(1)),
        }
    }

    /// A pass of the step ends; whether the game ends with it.
    pub(super) fn pass_ends(&mut self, label: LabelId) -> bool {
        if self.m[header::FINISH_LABEL] != label.0 as i32 {
            return false;
        }
        self.note_pass(1);
        let left = self.m[header::FINISH_LEFT];
        if left > 0 {
            self.set(header::FINISH_LEFT, left - 1);
        } else {
            self.pay(self.me);
        }
        self.nothing_is_owed()
    }

    /// The end that was announced.
    pub(super) fn end_as_announced(&mut self) -> Stop {
        self.set(header::ENDING, self.m[header::ANNOUNCED]);
        self.end_game()
    }

    pub(super) fn end_game(&mut self) -> Stop {
        self.set(header::ENDED, 1);
        match self.probing {
            0 => Stop::Over,
            _ => Stop::Done,
        }
    }

    /// A loop over players begins with the candidates from `mark` on, of whom those go that have had their passes. True:
    /// nobody has a pass left, and asked again it says so again.
    pub(super) fn loop_is_over(&mut self, order: &SeatOrder, mark: usize) -> bool {
        if !self.counts_down(order) {
            return false;
        }
        let left = self.m[header::FINISH_LEFT];
        if left > 0 {
            // With nobody there the pass does not come behind which everybody owes his own.
            if self.candidates.len() == mark && !self.nobody_owes() {
                self.set(header::FINISH_LEFT, left - 1);
            }
            return false;
        }
        let other = order.other;
        let seats = 0..self.p.players as i32;
        let is_missed = |machine: &Self, seat: i32| {
            let is_asker = other && seat == machine.me;
            !is_asker && !machine.candidates[mark..].contains(&seat)
        };
        let after = |machine: &Self, seat: i32| {
            let owed = machine.owed(seat);
            (owed - i32::from(is_missed(machine, seat))).max(0)
        };
        if seats.clone().all(|seat| after(self, seat) == 0) {
            return true;
        }
        for seat in seats {
            if is_missed(self, seat) {
                self.pay(seat);
            }
        }
        let mut kept = mark;
        for at in mark..self.candidates.len() {
            let seat = self.candidates[at];
            if self.owed(seat) > 0 {
                self.candidates[kept] = seat;
                kept += 1;
            }
        }
        self.candidates.truncate(kept);
        false
    }

    /// A pass of a loop over players ends; whether the game ends, since it did not come to the step that is counted.
    pub(super) fn loop_passes_on(&mut self, order: &SeatOrder) -> bool {
        if !self.counts_down(order) {
            return false;
        }
        let came = self
            .p
            .owed
            .is_some_and(|owed| self.m[(owed + self.p.players) as usize] != 0);
        self.note_pass(0);
        if came || self.m[header::FINISH_LEFT] > 0 {
            return false;
        }
        self.pay(self.me);
        self.nothing_is_owed()
    }

    /// Passes a seat has still to have behind the running one.
    fn owed(&self, seat: i32) -> i32 {
        let owed = self
            .p
            .owed
            .map(|owed| self.m[owed as usize + seat as usize]);
        owed.unwrap_or(0)
    }

    fn pay(&mut self, seat: i32) {
        let owes = self.owed(seat);
        if let (Some(owed), 1..) = (self.p.owed, owes) {
            self.set(owed as usize + seat as usize, owes - 1);
        }
    }

    fn note_pass(&mut self, came: i32) {
        if let Some(owed) = self.p.owed {
            self.set((owed + self.p.players) as usize, came);
        }
    }

    fn nothing_is_owed(&self) -> bool {
        self.m[header::FINISH_LEFT] <= 0 && self.nobody_owes()
    }

    fn nobody_owes(&self) -> bool {
        (0..self.p.players as i32).all(|seat| self.owed(seat) == 0)
    }

    /// The end that was announced counts passes of this loop.
    fn counts_down(&self, order: &SeatOrder) -> bool {
        let label = self.m[header::FINISH_LABEL];
        order.counted.iter().any(|one| one.0 as i32 == label)
    }
}
