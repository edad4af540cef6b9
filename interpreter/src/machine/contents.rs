//! What is in a container: its items, how many, whether two hold the same.

use super::{Halt, Loc, Machine};
use crate::program::*;
use dsl::ir::number;

impl Machine<'_> {
    /// Calls `visit` for each element with how many there are (sets, lists, rows: 1); stops when it says false.
    /// Gaps are passed over; something not yet seen ends the way.
    pub(crate) fn for_items(
        &mut self,
        loc: Loc,
        shape: Shape,
        mut visit: impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        match shape {
            Shape::Set { n, low } => {
                if self.unseen(loc, shape) {
                    self.unknown();
                    return false;
                }
                self.spend(n / 256);
                for word in 0..n.div_ceil(32) {
                    let mut bits = self.get(loc, word as usize) as u32;
                    while bits != 0 {
                        let bit = bits.trailing_zeros();
                        bits &= bits - 1;
                        if !visit(self, low + (word * 32 + bit) as i32, 1) || self.halt != Halt::No
                        {
                            return false;
                        }
                    }
                }
            }
            Shape::Bag { n, low } => {
                if self.unseen(loc, shape) {
                    self.unknown();
                    return false;
                }
                self.spend(n / 16);
                for kind in 0..n as i32 {
                    let count = self.get(loc, kind as usize);
                    if count > 0 && (!visit(self, low + kind, count) || self.halt != Halt::No) {
                        return false;
                    }
                }
            }
            Shape::List { deck, .. } => {
                let len = self.get(loc, 0) as usize;
                for at in 0..len {
                    let at = if deck { len - at } else { 1 + at };
                    if !self.visit_item(loc, at, &mut visit) {
                        return false;
                    }
                }
            }
            Shape::Row { n } => {
                for at in 0..n as usize {
                    if !self.visit_item(loc, at, &mut visit) {
                        return false;
                    }
                }
            }
            Shape::Scalar | Shape::Agenda { .. } => {}
        }
        true
    }

    fn visit_item(
        &mut self,
        loc: Loc,
        at: usize,
        visit: &mut impl FnMut(&mut Self, i32, i32) -> bool,
    ) -> bool {
        match self.get(loc, at) {
            NONE => true,
            UNKNOWN => {
                self.unknown();
                false
            }
            value => visit(self, value, 1) && self.halt == Halt::No,
        }
    }

    /// A zone of the state holds pieces not yet seen (only while looking ahead).
    #[inline]
    fn unseen(&self, loc: Loc, shape: Shape) -> bool {
        match loc {
            Loc::State(base) if self.probing > 0 && base < self.p.fixed_words as usize => {
                self.m[base + shape.words()] > 0
            }
            _ => false,
        }
    }

    /// Something in the container was not seen yet.
    pub(crate) fn has_unseen(&self, loc: Loc, shape: Shape) -> bool {
        match shape {
            Shape::List { .. } => {
                (1..=self.get(loc, 0) as usize).any(|at| self.get(loc, at) == UNKNOWN)
            }
            Shape::Row { n } => (0..n as usize).any(|at| self.get(loc, at) == UNKNOWN),
            shape => self.unseen(loc, shape),
        }
    }

    /// How many elements there are, as far as numbers go.
    pub(crate) fn size_at(&self, loc: Loc, shape: Shape) -> i32 {
        self.exact_size(loc, shape).min(number::GREATEST.into()) as i32
    }

    pub(super) fn exact_size(&self, loc: Loc, shape: Shape) -> i64 {
        let unseen = match (loc, shape) {
            (Loc::State(base), Shape::Set { .. } | Shape::Bag { .. })
                if base < self.p.fixed_words as usize =>
            {
                self.m[base + shape.words()]
            }
            _ => 0,
        };
        let counted = |words: &[i32]| words.iter().map(|count| i64::from(*count)).sum();
        let listed: i64 = match shape {
            Shape::Set { .. } => (0..shape.words())
                .map(|at| i64::from(self.get(loc, at).count_ones()))
                .sum(),
            Shape::Bag { n, .. } => match loc {
                Loc::State(base) => counted(&self.m[base..base + n as usize]),
                Loc::Const(base) => counted(&self.p.consts[base..base + n as usize]),
            },
            Shape::Row { n } => (0..n as usize)
                .filter(|at| self.get(loc, *at) != NONE)
                .count() as i64,
            Shape::List { .. } | Shape::Agenda { .. } => self.get(loc, 0).into(),
            Shape::Scalar => 0,
        };
        i64::from(unseen) + listed
    }

    pub(crate) fn holds(&mut self, loc: Loc, shape: Shape, item: i32) -> bool {
        match shape {
            Shape::Set { n, low } => {
                let at = item.wrapping_sub(low) as u32;
                let found =
                    at < n && (self.get(loc, (at / 32) as usize) as u32) >> (at % 32) & 1 == 1;
                if !found && self.unseen(loc, shape) {
                    self.unknown();
                }
                found
            }
            _ => self.count_of(loc, shape, item) > 0,
        }
    }

    pub(crate) fn count_of(&mut self, loc: Loc, shape: Shape, item: i32) -> i32 {
        match shape {
            Shape::Bag { n, low } => {
                if self.unseen(loc, shape) {
                    return self.unknown();
                }
                let at = item.wrapping_sub(low) as u32;
                if at < n {
                    self.get(loc, at as usize)
                } else {
                    0
                }
            }
            Shape::Set { .. } => i32::from(self.holds(loc, shape, item)),
            _ => {
                let mut count = 0;
                self.for_items(loc, shape, |_, value, _| {
                    count += i32::from(value == item);
                    true
                });
                count
            }
        }
    }

    pub(crate) fn equal_words(&mut self, a: NodeId, b: NodeId) -> i32 {
        let top = self.top;
        let (x, y) = (self.loc(a), self.loc(b));
        let (sx, sy) = (self.p.shapes[a.at()], self.p.shapes[b.at()]);
        let equal = match (sx, sy) {
            (Shape::Set { low: a, .. }, Shape::Set { low: b, .. })
            | (Shape::Bag { low: a, .. }, Shape::Bag { low: b, .. })
                if a != b =>
            {
                self.size_at(x, sx) == self.size_at(y, sy)
                    && self.for_items(x, sx, |machine, value, count| {
                        machine.count_of(y, sy, value) == count
                    })
            }
            (Shape::Set { .. }, Shape::Set { .. })
            | (Shape::Bag { .. }, Shape::Bag { .. })
            | (Shape::Row { .. }, Shape::Row { .. }) => {
                let most = sx.words().max(sy.words());
                (0..most).all(|at| {
                    let word = |loc, shape: Shape| {
                        if at < shape.words() {
                            self.get(loc, at)
                        } else {
                            0
                        }
                    };
                    word(x, sx) == word(y, sy)
                })
            }
            (Shape::List { deck, .. }, Shape::List { deck: other, .. }) => {
                let len = self.get(x, 0);
                let beside = |at: usize| {
                    if deck == other {
                        at
                    } else {
                        len as usize + 1 - at
                    }
                };
                len == self.get(y, 0)
                    && (1..=len as usize).all(|at| self.get(x, at) == self.get(y, beside(at)))
            }
            (Shape::List { deck, .. }, Shape::Row { n }) => self.list_is_row((x, deck), y, n),
            (Shape::Row { n }, Shape::List { deck, .. }) => self.list_is_row((y, deck), x, n),
            _ => self.same_counts(x, sx, y, sy),
        };
        self.top = top;
        i32::from(equal)
    }

    fn list_is_row(&self, (list, deck): (Loc, bool), row: Loc, n: u32) -> bool {
        let len = self.get(list, 0) as u32;
        len <= n
            && (0..n).all(|at| {
                let item = match at < len {
                    true if deck => self.get(list, (len - at) as usize),
                    true => self.get(list, 1 + at as usize),
                    false => NONE,
                };
                item == self.get(row, at as usize)
            })
    }

    fn same_counts(&mut self, x: Loc, sx: Shape, y: Loc, sy: Shape) -> bool {
        if self.size_at(x, sx) != self.size_at(y, sy) {
            return false;
        }
        self.for_items(x, sx, |machine, value, count| {
            let found = machine.count_of(y, sy, value);
            found == count || (count == 1 && found == machine.count_of(x, sx, value))
        })
    }

    pub(crate) fn within(&mut self, a: NodeId, b: NodeId) -> i32 {
        let top = self.top;
        let (x, y) = (self.loc(a), self.loc(b));
        let (sx, sy) = (self.p.shapes[a.at()], self.p.shapes[b.at()]);
        let within = self.for_items(x, sx, |machine, value, count| {
            let needed = if matches!(sx, Shape::Bag { .. }) {
                count
            } else {
                1
            };
            machine.count_of(y, sy, value) >= needed
        });
        self.top = top;
        i32::from(within)
    }
}
