//! Passes: loops over elements and players, steps that end.

use super::decide::Stop;
use super::{Halt, Machine};
use crate::program::*;

impl Machine<'_> {
    /// Ends a step. Where the game ends with it, or a look-ahead is through with its extent, the run stops; also where a rule
    /// that waits for this end does not hold yet and an anytime action may mend that.
    pub(super) fn leave_step(
        &mut self,
        label: dsl::ir::LabelId,
        saved: Option<u32>,
        more: bool,
    ) -> Option<Stop> {
        let p = self.p;
        let word = p.label_words[label.index()] as usize;
        if !p.label_rules[label.index()].is_empty() {
            let player = self.m[word + 1] - 1;
            self.test_after(label, player);
            if self.halt == Halt::Fail && self.has_moment(player) {
                self.halt = Halt::No;
                return Some(Stop::Decision);
            }
            if self.halt != Halt::No {
                return None;
            }
        }
        if let Some(saved) = saved {
            let before = self.m[self.fp + saved as usize];
            self.set(word + 1, before);
        }
        if self.pass_ends(label) {
            return Some(self.end_as_announced());
        }
        let rests = !more && self.in_flow() && self.nothing_awaited();
        if rests && self.probing > 0 {
            self.pc += 1;
            return Some(Stop::Done);
        }
        if rests {
            self.forget_marked();
        }
        self.count_positions(label);
        None
    }

    pub(super) fn each_begin(&mut self, id: BinderId, list: u32, room: u32) {
        let p = self.p;
        let binder = &p.binders[id.at()];
        let mark = self.candidates.len();
        self.collect_candidates(binder);
        let count = self.candidates.len() - mark;
        if count > room as usize {
            let span = self.here();
            self.broken(
                span,
                format!("a loop runs over {count} elements, more than there is room for"),
            );
        } else if self.halt == Halt::No {
            self.set_local(list, count as i32);
            self.set_local(list + 1, 0);
            for at in 0..count {
                let item = self.candidates[mark + at];
                self.set_local(list + 2 + at as u32, item);
            }
        }
        self.candidates.truncate(mark);
    }

    /// Lists who has a pass of a loop over players; false where the game is over instead, since nobody has one left.
    pub(super) fn players_begin(&mut self, order: u32, list: u32) -> bool {
        let p = self.p;
        let order = &p.orders[order as usize];
        let players = p.players as i32;
        let asker = self.me;
        let (first, step) = match order.from {
            SeatFrom::Starter => (self.m[header::STARTER], 1),
            SeatFrom::Left => (asker + 1, 1),
            SeatFrom::Right => (asker - 1, -1),
            SeatFrom::Player(player) => (self.ev(player), 1),
        };
        let mark = self.candidates.len();
        let keys = self.keys.len();
        for at in 0..players {
            let seat = (first + at * step).rem_euclid(players);
            if order.other && seat == asker {
                continue;
            }
            self.me = seat;
            if order.conditions.iter().any(|c| self.ev(*c) == 0) {
                continue;
            }
            self.candidates.push(seat);
            for key in &order.by {
                let key = self.ev(*key);
                self.keys.push(if key == NONE { i32::MAX } else { key });
            }
        }
        self.me = asker;
        self.sort_candidates(mark, keys, order.by.len());
        if !order.by.is_empty()
            && let SeatFrom::Player(_) = order.from
            && let Some(at) = self.candidates[mark..]
                .iter()
                .position(|s| *s == first.rem_euclid(players))
        {
            self.candidates[mark..].rotate_left(at);
        }
        self.keys.truncate(keys);
        if self.halt == Halt::No && self.loop_is_over(order, mark) {
            self.candidates.truncate(mark);
            return false;
        }
        let count = self.candidates.len() - mark;
        self.set_local(list, asker);
        self.set_local(list + 1, count as i32);
        self.set_local(list + 2, 0);
        for at in 0..count {
            let seat = self.candidates[mark + at];
            self.set_local(list + 3 + at as u32, seat);
        }
        self.candidates.truncate(mark);
        true
    }
}
