//! Leaving out what can as well wait. Of an agenda with something that must be done, only that, what may help it, what
//! helps those in turn, and what they would spoil need be tried first: if there is any way on, there is one that begins so.
//! For take the first of these in any way on. What was done before it neither made it possible (else it would be a helper)
//! nor is made impossible by it (else it would be spoilt), so both can change places. Of what only takes away it does not
//! matter who takes first, as long as nothing that adds stands between; that would be a helper.
//!
//! What an item may come to is found by `item`, which knows its arguments: an effect from a table counts as what stands in
//! that row.

use super::Machine;
use super::item::{Value, Walk};
use super::zones::Target;
use crate::program::*;
use std::collections::HashMap;

/// What items come to, by their words without the zeros at the end.
#[derive(Default)]
pub(crate) struct Known {
    items: HashMap<Vec<i32>, Vec<Found>>,
}

/// What an item comes to as long as these words hold these values.
struct Found {
    rests_on: Vec<(usize, i32)>,
    bearing: Bearing,
}

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

impl Machine<'_> {
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

    /// Of body, given arguments, and their words.
    fn bearing(&self, bearings: &Bearings, words: &[i32], known: &mut Known) -> Bearing {
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
        let found = Found {
            rests_on: walk.rests_on.into_inner(),
            bearing: walk.found,
        };
        let bearing = found.bearing;
        known
            .items
            .entry(words[..used].to_vec())
            .or_default()
            .push(found);
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
