//! Which words a place means, and what may stand there.

use super::{Halt, Machine};
use crate::program::*;

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
            let mut at = self.ev(element).wrapping_sub(1) as u32;
            let (first, n) = match cell.shape {
                Shape::Row { n } => (word, n),
                Shape::List { deck, .. } => {
                    let len = self.m[word] as u32;
                    if deck && at < len {
                        at = len - 1 - at;
                    }
                    (word + 1, len)
                }
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
}
