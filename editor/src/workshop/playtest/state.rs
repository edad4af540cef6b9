//! The state as a tree of cells under their owners, with values in words.

use super::{Playtest, look};
use dsl::source::Span;
use interpreter::Slot;
use interpreter::State;
use interpreter::observe::{Observer, Seen};
use interpreter::words::Words;
use std::collections::BTreeMap;

/// The cells of one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateGroup {
    /// `the table`, `player A`, `track Berlin–Hamburg`.
    pub owner: String,
    pub cells: Vec<StateCell>,
}

/// One cell, or one of its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCell {
    /// `hand`, `stack (coal, 2)`.
    pub name: String,
    /// As it is written in the rules: `A.hand`, `stack[coal, 2]`.
    pub id: String,
    /// In words; for what is hidden, how much there is.
    pub value: String,
    /// It is as at the start of most games: none, nothing, zero.
    pub empty: bool,
    /// The cell's declaration.
    pub span: Span,
}

impl Playtest {
    /// All cells with something of the text in owner, name or value; an empty text asks for everything. In a step in which
    /// all answer secretly, seats see the state before it.
    pub fn state(&self, search: &str) -> Vec<StateGroup> {
        let mut groups = self.state_at(self.position());
        let wanted = search.trim().to_lowercase();
        if wanted.is_empty() {
            return groups;
        }
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        for group in &mut groups {
            if !has(&group.owner) {
                group
                    .cells
                    .retain(|cell| has(&cell.name) || has(&cell.id) || has(&cell.value));
            }
        }
        groups.retain(|group| !group.cells.is_empty());
        groups
    }

    /// All cells of a state, as the eyes see them.
    pub(super) fn state_at(&self, state: &State) -> Vec<StateGroup> {
        let words = self.game.words();
        let observer = Observer::new(words.program);
        let seen = look(&observer, state, self.eyes);
        let mut order: Vec<StateGroup> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for (slot, index) in words.slots() {
            let cell = &words.rules.cells[slot.at()];
            if cell.name.is_empty() || !seen.shows_cells_of(cell.owner) {
                continue;
            }
            let seen = &seen.cells[slot.at()][index as usize];
            let Some(value) = words.seen(slot, seen) else {
                continue;
            };
            let empty = match seen {
                Seen::Open(held) => words.is_empty(slot, held),
                Seen::Shown(_) | Seen::Top { .. } | Seen::Size(_) | Seen::Nothing => false,
            };
            let (owner, name) = owner_and_name(&words, slot, index);
            let at = *places.entry(owner.clone()).or_insert_with(|| {
                order.push(StateGroup {
                    owner,
                    cells: Vec::new(),
                });
                order.len() - 1
            });
            order[at].cells.push(StateCell {
                empty,
                name,
                id: words.cell_slot(slot, index),
                value,
                span: cell.span,
            });
        }
        order
    }
}

/// `player A` and `hand`.
fn owner_and_name(words: &Words<'_>, slot: Slot, index: u32) -> (String, String) {
    let (owner, name) = words.owner_and_name(slot, index);
    (owner.unwrap_or_else(|| "the table".into()), name)
}
