//! Changing cells: assignments and moves. A change that does not fit ends the way.

use super::{Halt, Loc, Machine};
use crate::program::*;
use dsl::ir::DeckEnd;
use dsl::ir::number::{self, NoNumber};

/// A place with its address known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub word: usize,
    pub slot: Slot,
    pub shape: Shape,
}

impl Machine<'_> {
    pub(crate) fn bound(&self, bound: Bound, target: Target) -> i32 {
        let index = self.number(target);
        match bound {
            Bound::Const(value) => value,
            Bound::PerSlot(base) => self.p.consts[(base + index) as usize],
            Bound::PerPart { base, rest, parts } => {
                let row = self.row_of_part((index / rest) as i32, parts as usize);
                u32::try_from(row).map_or(0, |row| {
                    self.p.consts[(base + row * rest + index % rest) as usize]
                })
            }
        }
    }

    /// Which slot of its cell a target is, or lies in.
    pub(crate) fn number(&self, target: Target) -> u32 {
        let cell = &self.p.cells[target.slot.at()];
        (target.word as u32 - cell.base) / cell.words.max(1)
    }

    /// The address of a place; fails if an index is none or outside.
    #[inline]
    pub(crate) fn target(&mut self, place: PlaceId) -> Option<Target> {
        let p = self.p;
        let place = &p.places[place.at()];
        match self.place_word(place) {
            Some(word) if self.halt == Halt::No && place.element.is_none() => Some(Target {
                word,
                slot: place.cell,
                shape: place.shape,
            }),
            _ => self.find_target(place),
        }
    }

    /// The first word of the slot, if it is known without evaluating anything.
    #[inline]
    fn place_word(&self, place: &Place) -> Option<usize> {
        match place.by? {
            By::Nothing { word } => Some(word as usize),
            By::Me(axis) => axis.word(self.me),
            By::Local(at, axis) => axis.word(self.m[self.fp + at as usize]),
        }
    }

    fn find_target(&mut self, place: &Place) -> Option<Target> {
        let cell = &self.p.cells[place.cell.at()];
        let word = match place.by {
            Some(_) => self.place_word(place),
            None => self.slot_word(place.cell, place.args),
        };
        if self.halt != Halt::No {
            return None;
        }
        let Some(word) = word else {
            self.fail(cell.reason, None, None);
            return None;
        };
        let mut target = Target {
            word,
            slot: place.cell,
            shape: place.shape,
        };
        if let Some(element) = place.element {
            let at = self.ev(element).wrapping_sub(1) as u32;
            let (first, n) = match cell.shape {
                Shape::Row { n } => (word, n),
                Shape::List { .. } => (word + 1, self.m[word] as u32),
                _ => (word, 0),
            };
            if at >= n {
                self.fail(cell.reason, None, Some(at as i32 + 1));
                return None;
            }
            target.word = first + at as usize;
        }
        Some(target)
    }

    /// Writes a scalar if it is in its range.
    fn write(&mut self, target: Target, value: i32) {
        let Err(bound) = self.fits(target, value) else {
            return self.set(target.word, value);
        };
        self.does_not_fit(target, bound, value);
    }

    /// A scalar may not have this value.
    #[cold]
    pub(crate) fn does_not_fit(&mut self, target: Target, bound: Option<i32>, value: i32) {
        let reason = self.p.cells[target.slot.at()].reason;
        let bound = bound.filter(|_| self.is_seen(target));
        self.fail(reason, bound, bound.map(|_| value));
    }

    /// Whether a scalar may have this value; if not, the bound it would break.
    #[inline]
    pub(crate) fn fits(&self, target: Target, value: i32) -> Result<(), Option<i32>> {
        let cell = &self.p.cells[target.slot.at()];
        match (cell.low, cell.high) {
            // What stands for none and for the unseen lies below every bound.
            (Bound::Const(low), Bound::Const(high)) if low <= value && value <= high => Ok(()),
            _ => self.fits_slot(target, value),
        }
    }

    fn fits_slot(&self, target: Target, value: i32) -> Result<(), Option<i32>> {
        let cell = &self.p.cells[target.slot.at()];
        if value == NONE {
            let may_be = cell.optional || target.shape != cell.shape;
            return if may_be { Ok(()) } else { Err(None) };
        }
        if value == UNKNOWN {
            return Ok(());
        }
        let low = self.bound(cell.low, target);
        let high = self.bound(cell.high, target);
        match value {
            _ if value < low => Err(Some(low)),
            _ if value > high => Err(Some(high)),
            _ => Ok(()),
        }
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
        let old = self.m[target.word];
        if old == UNKNOWN {
            self.unknown();
            return;
        }
        if value == NONE || old == NONE {
            let reason = self.p.cells[target.slot.at()].reason;
            return self.fail(reason, None, None);
        }
        self.write_number(target, op(old, value));
    }

    /// Writes what was calculated, if it is a number.
    fn write_number(&mut self, target: Target, value: Result<i32, NoNumber>) {
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
            let count = self.candidates.len();
            for at in mark..count {
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
    fn items_of(&mut self, value: NodeId, shape: Shape) {
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
            Shape::List { cap } => {
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
        if self.tells_writes && self.probing == 0 {
            self.set_end_traced(at, item);
        } else {
            self.set(at, item.unwrap_or(0));
        }
    }

    #[cold]
    fn set_end_traced(&mut self, at: usize, item: Option<i32>) {
        let old = item.map_or(self.m[at], |_| NONE);
        self.tells_writes = false;
        self.set(at, item.unwrap_or(0));
        self.tells_writes = true;
        self.note_write(at, old, item.unwrap_or(NONE));
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

    pub(crate) fn run_move(&mut self, at: u32) {
        let p = self.p;
        let step = &p.moves[at as usize];
        match step.what {
            MoveWhat::Top { count, of } => {
                let count = count.map_or(1, |c| self.ev(c));
                let (Some(from), Some(to)) = (self.target(of), self.target(step.to)) else {
                    return;
                };
                for moved in 0..count {
                    if self.m[from.word] == 0 && p.cells[from.slot.at()].refill.is_some() {
                        self.feed();
                    }
                    let Some(item) = self.draw(from) else {
                        if !step.up_to {
                            self.fail(step.reason, Some(count), Some(moved));
                        }
                        return;
                    };
                    self.put(to, item, 1, step.end);
                    if self.halt != Halt::No {
                        return;
                    }
                }
            }
            MoveWhat::Everything(from) => {
                let (Some(from), Some(to)) = (self.target(from), self.target(step.to)) else {
                    return;
                };
                self.move_everything(from, to, step.end);
            }
            MoveWhat::Value { value, shape, from } => self.move_value(step, value, shape, from),
        }
    }

    fn move_everything(&mut self, from: Target, to: Target, end: DeckEnd) {
        if from.shape == Shape::Scalar {
            let item = self.m[from.word];
            let cell = &self.p.cells[from.slot.at()];
            if cell.optional || from.shape != cell.shape {
                if item != NONE {
                    self.set(from.word, NONE);
                    self.put(to, item, 1, end);
                }
            } else {
                // A number: all of it.
                let count = item;
                self.write(from, 0);
                self.write_number(to, number::add(self.m[to.word], count));
            }
            return;
        }
        let mark = self.candidates.len();
        self.all_items(from);
        self.clear_zone(from);
        for at in mark..self.candidates.len() {
            let item = self.candidates[at];
            self.put(to, item, 1, end);
        }
        self.candidates.truncate(mark);
    }

    /// Pushes everything in a zone, unseen pieces as [`UNKNOWN`].
    fn all_items(&mut self, from: Target) {
        match from.shape {
            Shape::List { .. } => {
                let len = self.m[from.word] as usize;
                self.candidates
                    .extend_from_slice(&self.m[from.word + 1..=from.word + len]);
            }
            Shape::Row { n } => {
                let items = &self.m[from.word..from.word + n as usize];
                self.candidates
                    .extend(items.iter().copied().filter(|item| *item != NONE));
            }
            shape => {
                let unseen = self.m[from.word + shape.words()];
                self.m[from.word + shape.words()] = 0;
                self.for_items(Loc::State(from.word), shape, |machine, item, count| {
                    for _ in 0..count {
                        machine.candidates.push(item);
                    }
                    true
                });
                self.m[from.word + shape.words()] = unseen;
                for _ in 0..unseen {
                    self.candidates.push(UNKNOWN);
                }
            }
        }
    }

    fn move_value(&mut self, step: &MoveOp, value: NodeId, shape: Shape, from: PlaceId) {
        let top = self.top;
        if shape == Shape::Scalar {
            let item = self.ev(value);
            if self.halt != Halt::No {
                return;
            }
            let (Some(from), Some(to)) = (self.target(from), self.target(step.to)) else {
                return;
            };
            let cell = &self.p.cells[from.slot.at()];
            if from.shape == Shape::Scalar && from.shape == cell.shape && !cell.optional {
                self.move_number(step, item, from, to);
                return;
            }
            if item == NONE {
                self.fail(step.reason, Some(1), Some(0));
                return;
            }
            if self.take(from, item, 1) == 1 {
                self.put(to, item, 1, step.end);
            } else if !step.up_to && self.halt == Halt::No {
                self.fail(step.reason, Some(1), Some(0));
            }
            return;
        }
        let mark = self.candidates.len();
        self.items_of(value, shape);
        self.top = top;
        if self.halt == Halt::No
            && let (Some(from), Some(to)) = (self.target(from), self.target(step.to))
        {
            for at in mark..self.candidates.len() {
                let item = self.candidates[at];
                if self.take(from, item, 1) == 1 {
                    self.put(to, item, 1, step.end);
                } else if !step.up_to && self.halt == Halt::No {
                    self.fail(step.reason, Some(1), Some(0));
                }
                if self.halt != Halt::No {
                    break;
                }
            }
        }
        self.candidates.truncate(mark);
    }

    fn move_number(&mut self, step: &MoveOp, count: i32, from: Target, to: Target) {
        let cell = &self.p.cells[from.slot.at()];
        let low = self.bound(cell.low, from).max(0);
        let there = self.m[from.word].saturating_sub(low);
        let moved = if step.up_to {
            count.min(there).max(0)
        } else {
            count
        };
        if moved > there {
            let seen = self.is_seen(from);
            let told = |number: i32| Some(number).filter(|_| seen);
            self.fail(step.reason, told(count), told(there));
            return;
        }
        self.write_number(from, number::subtract(self.m[from.word], moved));
        match to.shape {
            Shape::Scalar => self.write_number(to, number::add(self.m[to.word], moved)),
            // Tokens of a seat's own: `guests[me]` is a bag indexed by kind, handled by its own place.
            _ => self.put(to, self.me, moved, step.end),
        }
    }
}
