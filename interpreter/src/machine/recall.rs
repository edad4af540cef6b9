//! What look-aheads from menu items found, until a cell that they read is written. Planned by `lower::recall`.

use super::Machine;
use super::decide::{Outcome, Raw};
use crate::program::*;

/// What was found for one item and seat, and the versions of the cells that it rests on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recalled {
    outcome: Option<Outcome>,
    versions: Vec<u64>,
}

impl Recalled {
    /// Room for every item and seat.
    pub fn all(program: &Program) -> Vec<Recalled> {
        let seats = program.players as usize;
        let room = |cells: &Vec<u16>| {
            let one = Recalled {
                outcome: None,
                versions: vec![0; cells.len()],
            };
            std::iter::repeat_n(one, seats)
        };
        program.recalls.iter().flat_map(room).collect()
    }
}

impl Machine<'_> {
    /// Number of what can be recalled of an answer to the decision at hand.
    pub(super) fn recall_at(&self, raw: Raw) -> Option<usize> {
        let item = (*self.p.recall_of.get(self.pc_behind(raw)?)?)?;
        let fresh = self.probing == 0 && self.coverage.is_none() && self.glances_tell();
        fresh.then_some((item * self.p.players) as usize + self.me as usize)
    }

    pub(super) fn recall(&self, at: usize) -> Option<Outcome> {
        let recalled = &self.recalled[at];
        let cells = &self.p.recalls[at / self.p.players as usize];
        let same = cells
            .iter()
            .zip(&recalled.versions)
            .all(|(cell, version)| self.versions[usize::from(*cell)] == *version);
        recalled.outcome.filter(|_| same)
    }

    pub(super) fn keep_recalled(&mut self, at: usize, outcome: Outcome) {
        let cells = &self.p.recalls[at / self.p.players as usize];
        let recalled = &mut self.recalled[at];
        // A search that broke off proves nothing.
        recalled.outcome = (self.probe_left > 0).then_some(outcome);
        for (version, cell) in recalled.versions.iter_mut().zip(cells) {
            *version = self.versions[usize::from(*cell)];
        }
    }

    pub(super) fn forget_recalled(&mut self) {
        for recalled in &mut self.recalled {
            recalled.outcome = None;
        }
    }
}
