//! The state as a tree of cells under their owners, with values in words.

use super::{Playtest, look};
use dsl::ir::{CellOwner, Domain};
use dsl::source::Span;
use interpreter::State;
use interpreter::observe::Observer;
use interpreter::program::Slot;
use interpreter::words::Words;
use std::collections::BTreeMap;

/// The cells of one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateGroup {
    /// `the table`, `player A`, `route berlin-hamburg-1`.
    pub owner: String,
    pub cells: Vec<StateCell>,
}

/// One cell, or one of its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCell {
    /// `hand`, `stack[coal, 2]`.
    pub name: String,
    /// As it is written in the rules; for what is hidden, how much there is.
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
                    .retain(|cell| has(&cell.name) || has(&cell.value));
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
            if cell.name.is_empty() || self.is_passing(state, cell.owner) {
                continue;
            }
            let Some(value) = words.seen(slot, &seen.cells[slot.at()][index as usize]) else {
                continue;
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
                empty: matches!(value.as_str(), "none" | "{}" | "[]" | "0" | "false"),
                name,
                value,
                span: cell.span,
            });
        }
        order
    }

    /// Cells of steps and actions exist only while those run.
    fn is_passing(&self, state: &State, owner: CellOwner) -> bool {
        match owner {
            CellOwner::Game | CellOwner::Each(_) => false,
            CellOwner::Step(label) => {
                let word = self.game.program.label_words[label.index()];
                state.words()[word as usize + 1] == 0
            }
            CellOwner::Action(_) => true,
        }
    }
}

/// `player A` and `hand`.
fn owner_and_name(words: &Words<'_>, slot: Slot, index: u32) -> (String, String) {
    let full = words.cell_slot(slot, index);
    let cell = &words.rules.cells[slot.at()];
    let layout = &words.program.cells[slot.at()];
    let (CellOwner::Each(domain), Some((low, n, stride))) = (cell.owner, layout.dims.first())
    else {
        return ("the table".into(), full);
    };
    let element = words.element(domain, low + (index / stride % n) as i32);
    // An element's own name may have a dot in it: the cell's name is the last one.
    let from = full
        .rfind(&format!(".{}", cell.name))
        .map_or(0, |at| at + 1);
    let owner = match domain {
        Domain::Player => format!("player {element}"),
        Domain::Table(table) | Domain::Part(table) => {
            format!("{} {element}", words.rules.tables[table.index()].name)
        }
        _ => element,
    };
    (owner, full[from..].to_owned())
}
