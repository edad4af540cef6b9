//! What can as well wait is left out: of an agenda with something that must be done, only that, what may help it, what helps
//! those in turn, and what they would spoil need be tried first (ARCHITECTURE.md, "Why leaving out is allowed", d). Of what
//! only takes away it does not matter who takes first, as long as nothing that adds stands between; that would be a helper.
//!
//! What an item may come to is found by `item`, which knows its arguments: an effect from a table counts as what stands in
//! that row.

use super::Machine;
use super::item::{Value, Walk};
use super::search::Hashed;
use super::targets::Target;
use crate::program::*;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// What items come to, by their words without the zeros at the end. Of the body of a `may` these are its place, below
/// zero, and the locals it reads.
#[derive(Default)]
pub(crate) struct Known {
    items: HashMap<Vec<i32>, Vec<Found>, BuildHasherDefault<Hashed>>,
    words: Vec<i32>,
}

/// What an item comes to as long as these words hold these values.
struct Found {
    rests_on: Vec<(usize, i32)>,
    bearing: Bearing,
}

/// Of one item so much is kept.
const FOUND_MAX: usize = 64;

/// What need be tried first: entries of the agenda by number, anytime actions by number.
pub(crate) struct Helpers {
    pub entries: u64,
    pub anytime: u64,
}

impl Helpers {
    pub fn has_entry(&self, at: usize) -> bool {
        self.entries >> at & 1 == 1
    }

    pub fn has_anytime(&self, at: u32) -> bool {
        self.anytime >> at & 1 == 1
    }
}

impl<'p> Machine<'p> {
    /// An entry's body asks nothing and calls nothing: it fails at once or not at all.
    pub(super) fn is_plain(&self, agenda: Target, at: usize) -> bool {
        let proc = self.m[self.entry_range(agenda, at)][0];
        let bearings = self.p.bearings.as_ref();
        bearings.is_some_and(|bearings| bearings.plain[proc as usize])
    }

    /// What need be tried for the sake of entry `must`; none where that may be anything.
    pub(super) fn helpers(&mut self, agenda: Target, must: usize) -> Option<Helpers> {
        let p = self.p;
        let bearings = p.bearings.as_ref()?;
        if p.anytime.len() > 64 {
            return None;
        }
        let count = self.m[agenda.word] as usize;
        let items = (count + p.anytime.len()) as u32;
        self.spend(8 * items + items * items / 4);
        let mut known = std::mem::take(&mut self.known);
        let mut all = std::mem::take(&mut self.bearings);
        all.clear();
        for at in 0..count {
            let words = &self.m[self.entry_range(agenda, at)];
            all.push(self.bearing(bearings, words, &mut known));
        }
        for (proc, ..) in &p.anytime {
            all.push(self.bearing(bearings, &[proc.0 as i32, 0], &mut known));
        }
        self.known = known;
        let helps = (!all.iter().any(|item| item.free)).then(|| close(&all, must));
        self.bearings = all;
        helps.map(|helps| Helpers {
            entries: (helps & ((1 << count) - 1)) as u64,
            anytime: (helps >> count) as u64,
        })
    }

    /// Of the body of the `may` at which the machine stands; none where declining does not go on as the body does.
    pub(super) fn bearing_of_may(&mut self) -> Option<Bearing> {
        let bearings = self.p.bearings.as_ref()?;
        let optional = bearings.optional.get(&self.pc)?;
        let mut known = std::mem::take(&mut self.known);
        let locals = optional.locals.iter().map(|at| self.fp + *at as usize);
        known.words.clear();
        known.words.push(-1 - self.pc as i32);
        known.words.extend(locals.map(|at| self.m[at]));
        let words = std::mem::take(&mut known.words);
        let bearing = self.known_bearing(&words, &mut known, || {
            let values = optional.locals.iter().zip(&words[1..]);
            let values = values.map(|(local, value)| (*local, Value::Words(vec![*value])));
            let mut walk = Walk::new(self, bearings);
            walk.code(optional.code.clone(), values.collect());
            walk
        });
        known.words = words;
        self.known = known;
        Some(bearing)
    }

    /// Of an anytime action.
    pub(super) fn bearing_of_anytime(&mut self, at: usize) -> Option<Bearing> {
        let bearings = self.p.bearings.as_ref()?;
        let mut known = std::mem::take(&mut self.known);
        let words = [self.p.anytime[at].0.0 as i32, 0];
        let bearing = self.bearing(bearings, &words, &mut known);
        self.known = known;
        Some(bearing)
    }

    /// Of an entry of an agenda.
    pub(super) fn bearing_of_entry(&mut self, agenda: Target, at: usize) -> Option<Bearing> {
        let bearings = self.p.bearings.as_ref()?;
        let mut known = std::mem::take(&mut self.known);
        self.spend(8);
        let words = &self.m[self.entry_range(agenda, at)];
        let mut bearing = self.bearing(bearings, words, &mut known);
        self.known = known;
        if self.is_must(agenda, at) {
            bearing.moves.add(agenda.slot.at(), Way::Less);
        }
        Some(bearing)
    }

    /// Of body, given arguments, and their words.
    fn bearing(&self, bearings: &Bearings, words: &[i32], known: &mut Known) -> Bearing {
        self.known_bearing(words, known, || {
            let (proc, given) = (ProcId(words[0] as u32), words[1]);
            let mut values = Vec::new();
            let mut from = 2;
            // Statements that lie on an agenda bring the whole frame along: of that nothing is taken as known.
            for (index, (local, len)) in self.p.procs[proc.at()].params.iter().enumerate() {
                if given >= 0 && given >> index & 1 == 1 {
                    let to = from + *len as usize;
                    values.push((*local, Value::Words(words[from..to].to_vec())));
                    from = to;
                }
            }
            let mut walk = Walk::new(self, bearings);
            walk.body(proc, values);
            walk
        })
    }

    /// What is known of these words, or what a walk finds.
    fn known_bearing<'w>(
        &'w self,
        words: &[i32],
        known: &mut Known,
        walk: impl FnOnce() -> Walk<'w, 'p>,
    ) -> Bearing {
        let used = words
            .iter()
            .rposition(|word| *word != 0)
            .map_or(0, |at| at + 1);
        let found = known.items.get(&words[..used]).and_then(|all| {
            let holds = |found: &&Found| {
                found
                    .rests_on
                    .iter()
                    .all(|(at, value)| self.m[*at] == *value)
            };
            all.iter().find(holds)
        });
        if let Some(found) = found {
            return found.bearing;
        }
        let walk = walk();
        let found = Found {
            rests_on: walk.rests_on.into_inner(),
            bearing: walk.found,
        };
        let bearing = found.bearing;
        let all = known.items.entry(words[..used].to_vec()).or_default();
        if all.len() == FOUND_MAX {
            all.clear();
        }
        all.push(found);
        bearing
    }
}

/// Which of `all` need be tried for the sake of number `must`, itself among them.
fn close(all: &[Bearing], must: usize) -> u128 {
    let mut helps = 1 << must;
    let mut wanted = Ways::default();
    // What the chosen take from others that look at it, without taking it themselves.
    let mut spoilt = Ways::default();
    let mut next = Some(must);
    while let Some(at) = next {
        helps |= 1 << at;
        wanted.join(&all[at].reads);
        wanted.join(&all[at].takes);
        spoilt.join(&all[at].moves.turned());
        next = (0..all.len()).find(|at| {
            let item = &all[*at];
            helps >> at & 1 == 0 && (item.moves.meets(&wanted) || item.reads.meets(&spoilt))
        });
    }
    helps
}
