//! Moving pieces from one zone to another.

use super::targets::Target;
use super::{Halt, Loc, Machine};
use crate::program::*;
use dsl::ir::DeckEnd;
use dsl::ir::number;

impl Machine<'_> {
    pub(crate) fn run_move(&mut self, at: u32) {
        let p = self.p;
        let step = &p.moves[at as usize];
        match step.what {
            MoveWhat::Drawn { count, of, bottom } => {
                let count = count.map_or(1, |c| self.ev(c));
                let (Some(from), Some(to)) = (self.target(of), self.target(step.to)) else {
                    return;
                };
                for moved in 0..count {
                    if self.m[from.word] == 0 && p.cells[from.slot.at()].refill.is_some() {
                        self.feed();
                    }
                    let drawn = match bottom {
                        true => self.draw_bottom(from),
                        false => self.draw(from),
                    };
                    let Some(item) = drawn else {
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
        if from.shape.is_deck() && (!to.shape.is_deck() || end == DeckEnd::Bottom) {
            // From the top on; a deck is put on another, or under it, as it lies.
            self.candidates[mark..].reverse();
        }
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
