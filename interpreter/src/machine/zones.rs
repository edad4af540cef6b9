//! Changing cells: assignments and moves. A change that does not fit ends the way.

use super::targets::Target;
use super::{Halt, Loc, Machine};
use crate::program::*;
use dsl::ir::DeckEnd;
use dsl::ir::number::{self, NoNumber};

impl Machine<'_> {
    /// Writes a scalar if it is in its range.
    pub(super) fn write(&mut self, target: Target, value: i32) {
        let Err(bound) = self.fits(target, value) else {
            return self.set(target.word, value);
        };
        self.does_not_fit(target, bound, value);
    }

    pub(crate) fn assign(
        &mut self,
        place: PlaceId,
        value: NodeId,
        op: fn(i32, i32) -> Result<i32, NoNumber>,
    ) {
        let value = self.ev(value);
        if self.halt != Halt::No {
            return;
        }
        let Some(target) = self.target(place) else {
            return;
        };
        let old = self.known(target.word);
        if self.halt != Halt::No {
            return;
        }
        if value == NONE || old == NONE {
            let reason = self.p.cells[target.slot.at()].reason;
            return self.fail(reason, None, None);
        }
        self.write_number(target, op(old, value));
    }

    /// Writes what was calculated, if it is a number.
    pub(super) fn write_number(&mut self, target: Target, value: Result<i32, NoNumber>) {
        match value {
            Ok(value) => self.write(target, value),
            Err(why) => {
                let span = self.here();
                self.broken(span, why.message());
            }
        }
    }

    pub(crate) fn set_scalar(&mut self, place: PlaceId, value: NodeId) {
        let value = self.ev(value);
        if self.halt != Halt::No {
            return;
        }
        if let Some(target) = self.target(place) {
            self.write(target, value);
        }
    }

    /// `cell = container`
    pub(crate) fn set_words(&mut self, place: PlaceId, value: NodeId) {
        let from = self.p.shapes[value.at()];
        let mark = self.candidates.len();
        self.items_of(value, from);
        if self.halt == Halt::No
            && let Some(target) = self.target(place)
        {
            self.clear_zone(target);
            if target.shape.is_deck() {
                // The first one lies on top.
                self.candidates[mark..].reverse();
            }
            for at in mark..self.candidates.len() {
                let item = self.candidates[at];
                self.put(target, item, 1, DeckEnd::Default);
            }
        }
        self.candidates.truncate(mark);
    }

    /// `cell += element or container`; sets take what they do not have.
    pub(crate) fn add_to(&mut self, place: PlaceId, value: NodeId) {
        self.each_item(value, place, |machine, target, item| {
            machine.put(target, item, 1, DeckEnd::Default)
        });
    }

    /// `cell -= element or container`: all of it must be there.
    pub(crate) fn take_from(&mut self, place: PlaceId, value: NodeId) {
        let slot = self.p.places[place.at()].cell;
        self.each_item(value, place, |machine, target, item| {
            if machine.take(target, item, 1) < 1 && machine.halt == Halt::No {
                let reason = machine.p.cells[slot.at()].reason;
                machine.fail(reason, Some(1), Some(0));
            }
        });
    }

    fn each_item(
        &mut self,
        value: NodeId,
        place: PlaceId,
        mut act: impl FnMut(&mut Self, Target, i32),
    ) {
        let from = self.p.shapes[value.at()];
        let mark = self.candidates.len();
        self.items_of(value, from);
        if self.halt == Halt::No
            && let Some(target) = self.target(place)
        {
            for at in mark..self.candidates.len() {
                let item = self.candidates[at];
                act(self, target, item);
            }
        }
        self.candidates.truncate(mark);
    }

    /// Pushes the elements of a value (piece by piece) onto the candidates.
    pub(super) fn items_of(&mut self, value: NodeId, shape: Shape) {
        let top = self.top;
        if shape == Shape::Scalar {
            let item = self.ev(value);
            if item != NONE {
                self.candidates.push(item);
            }
            return;
        }
        let loc = self.loc(value);
        self.for_items(loc, shape, |machine, item, count| {
            if !machine.can_spend(count.into()) {
                return false;
            }
            for _ in 0..count {
                machine.candidates.push(item);
            }
            true
        });
        self.top = top;
    }

    pub(crate) fn clear_zone(&mut self, target: Target) {
        match target.shape {
            Shape::List { .. } => {
                let len = self.m[target.word] as usize;
                for at in (target.word + 1..=target.word + len).rev() {
                    self.set_end(at, None);
                }
                self.set(target.word, 0);
            }
            // Behind its entries there are zeros.
            Shape::Agenda { .. } => self.agenda_clear(target),
            shape => {
                for at in target.word..target.word + shape.state_words() {
                    self.set(at, shape.empty_word());
                }
            }
        }
    }

    #[inline]
    fn room(&mut self, target: Target, more: i32) -> bool {
        let p = self.p;
        let cell = &p.cells[target.slot.at()];
        cell.capacity == Bound::Const(i32::MAX) || self.room_within(target, cell, more)
    }

    fn room_within(&mut self, target: Target, cell: &CellLayout, more: i32) -> bool {
        let limit = self.bound(cell.capacity, target);
        let size = self.size_at(Loc::State(target.word), target.shape);
        let size = size.saturating_add(more);
        if size > limit {
            self.fail(cell.reason, Some(limit), Some(size));
            return false;
        }
        true
    }

    /// Puts `count` of an element into a zone.
    pub(crate) fn put(&mut self, target: Target, item: i32, count: i32, end: DeckEnd) {
        if count <= 0 || self.halt != Halt::No {
            return;
        }
        match target.shape {
            Shape::Scalar => self.write(target, item),
            Shape::Set { n, low } => {
                if item == UNKNOWN {
                    let unseen = target.word + target.shape.words();
                    self.set(unseen, self.m[unseen] + count);
                    return;
                }
                let at = item.wrapping_sub(low) as u32;
                if at >= n {
                    let reason = self.p.cells[target.slot.at()].reason;
                    self.fail(reason, None, Some(item));
                    return;
                }
                let word = target.word + (at / 32) as usize;
                let bit = 1i32.wrapping_shl(at % 32);
                if self.m[word] & bit == 0 && self.room(target, 1) {
                    self.set(word, self.m[word] | bit);
                }
            }
            Shape::Bag { n, low } => {
                if !self.room(target, count) {
                    return;
                }
                let at = item.wrapping_sub(low) as u32;
                let word = match item {
                    UNKNOWN => target.word + n as usize,
                    _ if at < n => target.word + at as usize,
                    _ => {
                        let reason = self.p.cells[target.slot.at()].reason;
                        self.fail(reason, None, Some(item));
                        return;
                    }
                };
                match number::add(self.m[word], count) {
                    Ok(count) => self.set(word, count),
                    Err(why) => {
                        let span = self.here();
                        self.broken(span, why.message());
                    }
                }
            }
            Shape::List { cap, .. } => {
                for _ in 0..count {
                    let len = self.m[target.word];
                    if !self.room(target, 1) {
                        return;
                    }
                    if len as u32 >= cap {
                        return self.has_no_more_room(target, cap);
                    }
                    if end == DeckEnd::Bottom {
                        for at in (0..len as usize).rev() {
                            let moved = self.m[target.word + 1 + at];
                            self.set(target.word + 2 + at, moved);
                        }
                        self.set(target.word + 1, item);
                    } else {
                        self.set_end(target.word + 1 + len as usize, Some(item));
                    }
                    self.set(target.word, len + 1);
                }
            }
            Shape::Row { n } => {
                for _ in 0..count {
                    let gap = (0..n as usize).find(|at| self.m[target.word + at] == NONE);
                    let Some(gap) = gap else {
                        let reason = self.p.cells[target.slot.at()].reason;
                        self.fail(reason, Some(n as i32), Some(n as i32 + 1));
                        return;
                    };
                    self.set(target.word + gap, item);
                }
            }
            Shape::Agenda { .. } => {}
        }
    }

    /// Nobody has said how much it may hold, and it is full: no rule of the game, but a bound of the language.
    #[cold]
    fn has_no_more_room(&mut self, target: Target, room: u32) {
        let cell = &self.p.cells[target.slot.at()];
        let message = format!("`{}` has room for {room}: {}", cell.name, cell.more_room);
        self.cannot_be_made(message);
    }

    /// Takes up to `count` of an element out of a zone; returns how many there were.
    pub(crate) fn take(&mut self, target: Target, item: i32, count: i32) -> i32 {
        match target.shape {
            Shape::Scalar => {
                if self.m[target.word] == item && item != NONE {
                    self.set(target.word, NONE);
                    1
                } else {
                    0
                }
            }
            Shape::Set { n, low } => {
                let at = item.wrapping_sub(low) as u32;
                if at >= n {
                    return 0;
                }
                let word = target.word + (at / 32) as usize;
                let bit = 1i32.wrapping_shl(at % 32);
                if self.m[word] & bit == 0 {
                    return self.missing(target);
                }
                self.set(word, self.m[word] & !bit);
                1
            }
            Shape::Bag { n, low } => {
                let at = item.wrapping_sub(low) as u32;
                if at >= n {
                    return 0;
                }
                let word = target.word + at as usize;
                let taken = count.min(self.m[word]);
                if taken < count {
                    self.missing(target);
                }
                self.set(word, self.m[word] - taken);
                taken
            }
            Shape::List { .. } => {
                let mut taken = 0;
                while taken < count {
                    let len = self.m[target.word] as usize;
                    let found = (0..len)
                        .rev()
                        .find(|at| self.m[target.word + 1 + at] == item);
                    let Some(found) = found else { break };
                    self.remove_at(target, found);
                    taken += 1;
                }
                if taken < count {
                    self.missing(target);
                }
                taken
            }
            Shape::Row { n } => {
                let mut taken = 0;
                for at in 0..n as usize {
                    if taken < count && self.m[target.word + at] == item {
                        self.set(target.word + at, NONE);
                        taken += 1;
                    }
                }
                if taken < count {
                    self.missing(target);
                }
                taken
            }
            Shape::Agenda { .. } => 0,
        }
    }

    /// A piece is not there; if something unseen lies there nobody can tell.
    fn missing(&mut self, target: Target) -> i32 {
        if self.probing > 0 {
            let unseen = match target.shape {
                Shape::Set { .. } | Shape::Bag { .. } => {
                    self.m[target.word + target.shape.words()] > 0
                }
                Shape::List { .. } => {
                    let len = self.m[target.word] as usize;
                    self.m[target.word + 1..=target.word + len].contains(&UNKNOWN)
                }
                Shape::Row { n } => {
                    self.m[target.word..target.word + n as usize].contains(&UNKNOWN)
                }
                _ => false,
            };
            if unseen {
                self.unknown();
            }
        }
        0
    }

    /// Takes item `at` (the first is 1, the bottom) out of a list.
    pub(crate) fn remove_item(&mut self, list: usize, at: usize) {
        let target = Target {
            word: list,
            slot: Slot(0),
            shape: Shape::Scalar,
        };
        self.remove_at(target, at - 1);
    }

    fn remove_at(&mut self, target: Target, index: usize) {
        let len = self.m[target.word] as usize;
        for at in index..len - 1 {
            let moved = self.m[target.word + 2 + at];
            self.set(target.word + 1 + at, moved);
        }
        self.set_end(target.word + len, None);
        self.set(target.word, len as i32 - 1);
    }

    /// Lays an item behind the end of a list, or takes the last one away. Behind the end lies 0, which is an item too: the
    /// trace says which of the two it is.
    #[inline]
    fn set_end(&mut self, at: usize, item: Option<i32>) {
        if self.probing == 0 && self.is_told(at) {
            self.set_end_traced(at, item);
        } else {
            self.set(at, item.unwrap_or(0));
        }
    }

    #[cold]
    fn set_end_traced(&mut self, at: usize, item: Option<i32>) {
        let old = item.map_or(self.m[at], |_| NONE);
        self.told[at] = false;
        self.set(at, item.unwrap_or(0));
        self.told[at] = true;
        self.note_write(at, old, item.unwrap_or(NONE));
    }

    /// Takes the card that lies under all others; while looking ahead one that is not shown is not seen.
    pub(crate) fn draw_bottom(&mut self, target: Target) -> Option<i32> {
        if self.m[target.word] <= 1 {
            return self.draw(target);
        }
        let cell = &self.p.cells[target.slot.at()];
        let unseen = self.probing > 0 && (cell.hidden || cell.top_shown);
        let item = if unseen {
            UNKNOWN
        } else {
            self.m[target.word + 1]
        };
        self.remove_at(target, 0);
        Some(item)
    }

    /// Takes the top card of a deck; while looking ahead a hidden one is not seen.
    pub(crate) fn draw(&mut self, target: Target) -> Option<i32> {
        let len = self.m[target.word];
        if len <= 0 {
            return None;
        }
        let at = target.word + len as usize;
        let mut item = self.m[at];
        if self.probing > 0 && self.p.cells[target.slot.at()].hidden {
            item = UNKNOWN;
        }
        self.set_end(at, None);
        self.set(target.word, len - 1);
        Some(item)
    }
}
