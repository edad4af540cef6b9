//! The state as a tree of cells under their owners, with values in words.

use super::{Eyes, Playtest};
use dsl::ir::{CellOwner, Domain};
use dsl::source::Span;
use interpreter::game::Session;
use interpreter::program::Slot;
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
    pub fn state(&mut self, search: &str) -> Vec<StateGroup> {
        let mut groups = self.whole_state();
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

    fn whole_state(&mut self) -> Vec<StateGroup> {
        let here = self.tree.position();
        let before_secret = || {
            let line = &self.tree.line()[..=here];
            line.iter().rposition(|id| !self.tree.node(*id).is_secret())
        };
        let at = match self.eyes {
            Eyes::All => here,
            Eyes::Seat(_) | Eyes::Nobody => before_secret().unwrap_or(0),
        };
        let game = self.game.clone();
        let words = game.words();
        let sight = self.sight(&words);
        self.with(|session| {
            // States are kept whole: going to one cannot fail.
            let _ = session.jump(at);
            let mut order: Vec<StateGroup> = Vec::new();
            let mut places: BTreeMap<String, usize> = BTreeMap::new();
            for (slot, index) in words.slots() {
                let cell = &game.rules().cells[slot.at()];
                if cell.name.is_empty() || is_passing(session, cell.owner) {
                    continue;
                }
                let Some(value) = sight.known(session.machine(), slot, index) else {
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
            let _ = session.jump(here);
            order
        })
    }
}

/// Cells of steps and actions exist only while those run.
fn is_passing(session: &Session<'_>, owner: CellOwner) -> bool {
    match owner {
        CellOwner::Game | CellOwner::Each(_) => false,
        CellOwner::Step(label) => {
            let word = session.words().program.label_words[label.index()];
            session.machine().word(word + 1) == 0
        }
        CellOwner::Action(_) => true,
    }
}

/// `player A` and `hand`.
fn owner_and_name(
    words: &interpreter::words::Words<'_>,
    slot: Slot,
    index: u32,
) -> (String, String) {
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
