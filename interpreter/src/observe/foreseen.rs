//! How a position behind an answer looks to somebody before he gives it.

use super::{Observation, Observer, Seen, pieces};
use crate::program::*;
use crate::state::State;
use dsl::ir::Domain;
use std::collections::BTreeMap;

impl Observer<'_> {
    /// A later position as a seat can foresee it: where it cannot look into everything lies as it lay. None if what has moved
    /// there is more than what lay open and the things named, each by its domain and word, so that it would learn something by it.
    pub fn foreseen(
        &self,
        (then, now): (&State, &State),
        seat: Option<u32>,
        named: &[(Domain, i32)],
    ) -> Option<State> {
        let mut foreseen = now.clone();
        let [before, after] = [then, now].map(|state| self.observe(state, seat));
        let open = self.taken_from_sight(&before, &after);
        for (at, layout) in self.program.cells.iter().enumerate() {
            for slot in 0..layout.slots {
                let [old, new] = [&before, &after].map(|seen| &seen.cells[at][slot as usize]);
                if matches!((old, new), (Seen::Open(_), Seen::Open(_))) {
                    continue;
                }
                let words = layout.word(slot)..layout.word(slot) + layout.words as usize;
                let [held, holds] = [then, now].map(|state| &state.words[words.clone()]);
                if held != holds && old != new && !is_known(layout, [held, holds], [named, &open]) {
                    return None;
                }
                let as_before = held.to_vec();
                foreseen.words[words].copy_from_slice(&as_before);
            }
        }
        Some(foreseen)
    }

    /// What has gone from where all of it is seen.
    fn taken_from_sight(&self, before: &Observation, after: &Observation) -> Vec<(Domain, i32)> {
        let mut taken = Vec::new();
        let cells = self.program.cells.iter().zip(&before.cells);
        for ((layout, old), new) in cells.zip(&after.cells) {
            let Some(domain) = layout.holds else { continue };
            for slot in old.iter().zip(new) {
                if let (Seen::Open(old), Seen::Open(new)) = slot {
                    let gone = changes(layout.shape, [old, new]).into_iter();
                    let gone = gone.filter(|(_, by)| *by < 0);
                    taken.extend(gone.map(|(piece, _)| (domain, piece)));
                }
            }
        }
        taken
    }
}

/// All that has come and gone is among the things named; what has come may have lain open too.
fn is_known(layout: &CellLayout, held: [&[i32]; 2], [named, open]: [&[(Domain, i32)]; 2]) -> bool {
    let Some(domain) = layout.holds else {
        return false;
    };
    let mut changed = changes(layout.shape, held).into_iter();
    changed.all(|(piece, by)| {
        let thing = (domain, piece);
        named.contains(&thing) || by > 0 && open.contains(&thing)
    })
}

/// Which pieces there are more or fewer of, and by how many.
fn changes(shape: Shape, held: [&[i32]; 2]) -> BTreeMap<i32, i64> {
    let mut changes: BTreeMap<i32, i64> = BTreeMap::new();
    for (words, sign) in held.into_iter().zip([-1, 1]) {
        for (piece, count) in pieces(shape, words) {
            *changes.entry(piece).or_default() += sign * i64::from(count);
        }
    }
    changes.retain(|piece, by| *piece != NONE && *by != 0);
    changes
}
