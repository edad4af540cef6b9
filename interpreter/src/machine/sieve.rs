//! Sieves: which elements meet conditions that read cells alone. What was found is kept together with the words it rests
//! on; those that changed since, by whatever way, tell which elements must be asked again.

use super::{Halt, Machine};
use crate::lower::CONDITIONS_MAX;
use crate::network::bits;
use crate::program::*;
use dsl::ir::AggregateOp;
use std::ops::Range;

/// Words compared at once; where some of them differ, so few.
const BLOCK: usize = 64;
const FEW: usize = 8;

/// What is remembered for one sieve; not part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sifted {
    /// The words that are read, as they were, those that many read first; none before the first time.
    seen: Vec<i32>,
    /// A bit for each element that meets the conditions.
    holds: Vec<u32>,
    /// For each element the condition that refuses it, and how many elements each refuses.
    refused_by: Vec<Option<u8>>,
    refused: [u32; CONDITIONS_MAX],
    stale: Stale,
}

/// What must be asked again.
#[derive(Clone, Debug, Default)]
struct Stale {
    /// Elements, and a bit for each of them.
    elements: Vec<u32>,
    is_in: Vec<u32>,
    /// For each element what is known of the parts of a split condition.
    parts: Vec<Parts>,
}

/// A bit for each part of a condition, of one element.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    /// To be asked again before it counts whether it holds.
    stale: u64,
    holds: u64,
}

impl Sifted {
    /// Finds the elements that must be asked again. False where a condition is asked part by part and something is not seen:
    /// which parts are asked must not decide whether that is met.
    fn note_changes(&mut self, sieve: &Sieve, m: &[i32]) -> bool {
        let words = |run: &Range<u32>| &m[run.start as usize..run.end as usize];
        let mut at = 0;
        for run in &sieve.common {
            let now = words(run);
            let end = at + now.len();
            if self.seen.get(at..end).is_some_and(|seen| seen != now) {
                self.seen.clear();
            }
            at = end;
        }
        if self.seen.is_empty() {
            self.begin(sieve, m);
            return sieve.split.is_none() || !self.seen.contains(&UNKNOWN);
        }
        let (mut first, mut all_seen) = (0, true);
        let (seen, stale) = (&mut self.seen[at..], &mut self.stale);
        for run in &sieve.runs {
            // Single words, as of many piles how many lie in them, are compared without more ado.
            if run.len() == 1 && seen[first] == m[run.start as usize] {
                first += 1;
                continue;
            }
            let now = words(run);
            let seen = &mut seen[first..first + now.len()];
            let mut at = 0;
            while let Some(differs) = first_other(&seen[at..], &now[at..]) {
                at += differs;
                seen[at] = now[at];
                all_seen &= now[at] != UNKNOWN;
                stale.tell(sieve.readers_of(first + at));
                at += 1;
            }
            first += now.len();
        }
        all_seen || sieve.split.is_none()
    }

    /// Nothing is known.
    fn begin(&mut self, sieve: &Sieve, m: &[i32]) {
        let n = sieve.n as usize;
        for run in sieve.common.iter().chain(&sieve.runs) {
            self.seen
                .extend_from_slice(&m[run.start as usize..run.end as usize]);
        }
        self.holds.clear();
        self.holds.resize(bits::words(sieve.n), 0);
        self.refused_by.clear();
        self.refused_by.resize(n, None);
        self.refused = [0; CONDITIONS_MAX];
        let parts = if sieve.split.is_some() { n } else { 0 };
        self.stale.all(sieve.n, parts);
    }

    fn set(&mut self, element: u32, refused_by: Option<u8>) {
        match refused_by {
            None => {
                bits::insert(&mut self.holds, element);
            }
            Some(_) => bits::remove(&mut self.holds, element),
        }
        let before = std::mem::replace(&mut self.refused_by[element as usize], refused_by);
        if let Some(condition) = before {
            self.refused[usize::from(condition)] -= 1;
        }
        if let Some(condition) = refused_by {
            self.refused[usize::from(condition)] += 1;
        }
    }
}

/// Where words first differ.
fn first_other(a: &[i32], b: &[i32]) -> Option<usize> {
    let at = same_blocks::<BLOCK>(a, b);
    let at = at + same_blocks::<FEW>(&a[at..], &b[at..]);
    let differs = a[at..].iter().zip(&b[at..]).position(|(a, b)| a != b);
    differs.map(|rest| at + rest)
}

/// How many words are the same, so many at once.
#[inline(always)]
fn same_blocks<const N: usize>(a: &[i32], b: &[i32]) -> usize {
    let blocks = a.as_chunks::<N>().0.iter().zip(b.as_chunks::<N>().0);
    N * blocks.take_while(|(a, b)| a == b).count()
}

impl Stale {
    fn all(&mut self, n: u32, parts: usize) {
        self.elements.clear();
        self.elements.extend(0..n);
        self.is_in.clear();
        self.is_in.resize(bits::words(n), u32::MAX);
        let unknown = Parts {
            stale: u64::MAX,
            holds: 0,
        };
        self.parts.clear();
        self.parts.resize(parts, unknown);
    }

    /// What these read has changed.
    #[inline]
    fn tell(&mut self, readers: &[Reader]) {
        for reader in readers {
            if bits::insert(&mut self.is_in, reader.element) {
                self.elements.push(reader.element);
            }
        }
        if !self.parts.is_empty() {
            for reader in readers {
                self.parts[reader.element as usize].stale |= reader.parts;
            }
        }
    }

    fn next(&mut self) -> Option<u32> {
        let element = self.elements.pop()?;
        bits::remove(&mut self.is_in, element);
        Some(element)
    }
}

impl Machine<'_> {
    /// Pushes the elements that meet the first conditions of a binder onto the candidates, and says how many conditions
    /// these are. None where that is not remembered or meets something that is not seen. On request the others count as
    /// refused.
    pub(super) fn sift<const NOTED: bool>(&mut self, binder: &Binder) -> Option<usize> {
        let (id, conditions) = self.sieve_of(binder)?;
        if NOTED && self.counts_refusals {
            let refused = self.sifted[id.at()].refused.iter();
            for ((_, reason), elements) in binder.conditions[..conditions].iter().zip(refused) {
                self.refusals[reason.at()] += u64::from(*elements);
            }
        }
        self.push_sifted(id);
        Some(conditions)
    }

    /// The sieve of a binder, up to date, and how many conditions it knows of.
    pub(super) fn sieve_of(&mut self, binder: &Binder) -> Option<(SieveId, usize)> {
        let (mut id, conditions) = binder.sieve?;
        let p = self.p;
        let Sieve {
            low, own, split, ..
        } = &p.sieves[id.at()];
        if *own {
            id.0 += self.me as u32;
        }
        let local = self.fp + binder.local as usize;
        let known = self.refresh_by(id, |machine, element, parts| {
            machine.m[local] = low + element as i32;
            let mut conditions = binder.conditions[..conditions].iter().enumerate();
            let refuses = conditions.position(|(at, (condition, _))| {
                let top = machine.top;
                let holds = match split {
                    Some(split) if split.condition == at => machine.split_holds(split, parts),
                    _ => machine.ev(*condition) != 0,
                };
                machine.top = top;
                !holds
            });
            refuses.map(|condition| condition as u8)
        });
        self.m[local] = 0;
        known.then_some((id, conditions))
    }

    /// Pushes the places on which a tile lies onto the candidates; false where that is not remembered.
    pub(super) fn push_laid(&mut self, tiling: &TilingCode) -> bool {
        let (Some(id), Some(cell)) = (tiling.laid, tiling.tile_cell) else {
            return false;
        };
        let cell = &self.p.cells[cell.at()];
        let known = self.refresh(id, |machine, position| {
            machine.m[(cell.base + position * cell.words) as usize] >= 0
        });
        if known {
            self.push_sifted(id);
        }
        known
    }

    /// A bit for each element that a sieve lets through.
    pub(super) fn sifted(&self, id: SieveId) -> &[u32] {
        &self.sifted[id.at()].holds
    }

    fn push_sifted(&mut self, id: SieveId) {
        let low = self.p.sieves[id.at()].low;
        let elements = bits::iter(&self.sifted[id.at()].holds);
        self.candidates.extend(elements.map(|at| low + at as i32));
    }

    /// Brings a sieve up to date; `test` is asked of elements counted from 0. False where something was met that is not seen.
    pub(super) fn refresh(
        &mut self,
        id: SieveId,
        mut test: impl FnMut(&mut Self, u32) -> bool,
    ) -> bool {
        self.refresh_by(id, |machine, element, _| {
            (!test(machine, element)).then_some(0)
        })
    }

    /// As [`Machine::refresh`]; `test` says which condition refuses an element, of which parts of a condition are known.
    fn refresh_by(
        &mut self,
        id: SieveId,
        mut test: impl FnMut(&mut Self, u32, &mut Parts) -> Option<u8>,
    ) -> bool {
        if self.halt != Halt::No || id.at() >= self.sifted.len() {
            return false;
        }
        let at = id.at();
        let mut known = self.sifted[at].note_changes(&self.p.sieves[at], &self.m);
        let mut parts = Parts::default();
        while known && let Some(element) = self.sifted[at].stale.next() {
            let is_split = self.p.sieves[at].split.is_some();
            if is_split {
                parts = self.sifted[at].stale.parts[element as usize];
            }
            let refused_by = test(self, element, &mut parts);
            let sifted = &mut self.sifted[at];
            if is_split {
                sifted.stale.parts[element as usize] = parts;
            }
            sifted.set(element, refused_by);
            if self.halt != Halt::No {
                self.forget_halt();
                known = false;
            }
        }
        if !known {
            self.sifted[at].seen.clear();
        }
        known
    }

    /// Whether a split condition holds of the element in its local. Of the parts only as many are asked again as are needed
    /// to tell.
    fn split_holds(&mut self, split: &Split, parts: &mut Parts) -> bool {
        parts.stale &= u64::MAX >> (u64::BITS - split.parts.len() as u32);
        let mut found = parts.holds & !parts.stale != 0;
        if !found && parts.stale != 0 {
            let top = self.top;
            let caller = self.fp;
            if let Some((proc, args)) = split.call {
                self.fp = self.enter_formula(proc, args);
            }
            let aggregate = &self.p.aggregates[split.aggregate.at()];
            while !found && parts.stale != 0 && self.halt == Halt::No {
                let at = parts.stale.trailing_zeros();
                parts.stale &= parts.stale - 1;
                found = self.meets_for(aggregate, split.parts[at as usize]);
                parts.holds = parts.holds & !(1 << at) | u64::from(found) << at;
            }
            self.fp = caller;
            self.top = top;
        }
        found == split.some
    }

    /// Whether something is found with this element of the first binder: what `some` looks for, what `every` must not meet, an
    /// element of a set.
    fn meets_for(&mut self, aggregate: &Aggregate, element: i32) -> bool {
        let Some((first, rest)) = aggregate.binders.split_first() else {
            return false;
        };
        let p = self.p;
        let binder = &p.binders[first.at()];
        let local = self.fp + binder.local as usize;
        self.m[local] = element;
        let mut found = false;
        let mut meet = |machine: &mut Self, value: i32, _: i32| {
            let top = machine.top;
            let value = match aggregate.value {
                Some(value) => machine.ev(value),
                None if matches!(aggregate.op, AggregateOp::Set) => value,
                None => 1,
            };
            machine.top = top;
            found |= match (aggregate.op, aggregate.shape) {
                (AggregateOp::Every, _) => value == 0,
                (AggregateOp::Set, Shape::Set { n, low }) => (value.wrapping_sub(low) as u32) < n,
                _ => value != 0,
            };
            !found
        };
        if self.passes(binder) {
            match rest {
                [] => {
                    meet(self, element, 1);
                }
                _ => {
                    self.scan_all(aggregate, rest, 1, &mut meet);
                }
            }
        }
        self.m[local] = 0;
        found && self.halt == Halt::No
    }
}
