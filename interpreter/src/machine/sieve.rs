//! Sieves: which elements meet conditions that read cells alone. What was found is kept together with the words it rests
//! on; those that changed since, by whatever way, tell which elements must be asked again.

use super::{Halt, Machine};
use crate::lower::CONDITIONS_MAX;
use crate::network::bits;
use crate::program::*;
use std::ops::Range;

/// Words compared at once.
const BLOCK: usize = 64;

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
    /// Elements to ask again; some more than once.
    stale: Vec<u32>,
}

impl Sifted {
    /// Finds the elements that must be asked again.
    fn note_changes(&mut self, sieve: &Sieve, m: &[i32]) {
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
            for run in sieve.common.iter().chain(&sieve.runs) {
                self.seen.extend_from_slice(words(run));
            }
            self.holds.clear();
            self.holds.resize(bits::words(sieve.n), 0);
            // Each word that is read tells of its readers once.
            self.stale
                .reserve(sieve.readers.len().max(sieve.n as usize));
            self.refused_by.clear();
            self.refused_by.resize(sieve.n as usize, None);
            self.refused = [0; CONDITIONS_MAX];
            self.stale.extend(0..sieve.n);
            return;
        }
        let first = at;
        for run in &sieve.runs {
            for now in words(run).chunks(BLOCK) {
                let seen = &mut self.seen[at..at + now.len()];
                if seen != now {
                    for (word, (seen, now)) in seen.iter_mut().zip(now).enumerate() {
                        if seen != now {
                            *seen = *now;
                            let readers = sieve.readers_of(at - first + word);
                            self.stale.extend_from_slice(readers);
                        }
                    }
                }
                at += now.len();
            }
        }
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
        let Sieve { low, own, .. } = self.p.sieves[id.at()];
        if own {
            id.0 += self.me as u32;
        }
        let local = self.fp + binder.local as usize;
        let known = self.refresh_by(id, |machine, element| {
            machine.m[local] = low + element as i32;
            let refuses = binder.conditions[..conditions].iter().position(|(c, _)| {
                let top = machine.top;
                let holds = machine.ev(*c) != 0;
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
        self.refresh_by(id, |machine, element| {
            (!test(machine, element)).then_some(0)
        })
    }

    /// As [`Machine::refresh`]; `test` says which condition refuses an element.
    fn refresh_by(
        &mut self,
        id: SieveId,
        mut test: impl FnMut(&mut Self, u32) -> Option<u8>,
    ) -> bool {
        if self.halt != Halt::No || id.at() >= self.sifted.len() {
            return false;
        }
        let mut sifted = std::mem::take(&mut self.sifted[id.at()]);
        sifted.note_changes(&self.p.sieves[id.at()], &self.m);
        while let Some(element) = sifted.stale.pop() {
            let refused_by = test(self, element);
            sifted.set(element, refused_by);
            if self.halt != Halt::No {
                self.forget_halt();
                sifted.stale.clear();
                sifted.seen.clear();
            }
        }
        let known = !sifted.seen.is_empty();
        self.sifted[id.at()] = sifted;
        known
    }
}
