//! What look-aheads from menu items found, until a cell that they read is written. Planned by `lower::recall`.

use super::Machine;
use super::trying::Outcome;
use crate::Program;
use crate::program::*;

/// What was found for one item and seat, and when.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recalled {
    outcome: Option<Outcome>,
    stamp: u64,
}

impl Recalled {
    /// Room for every item and seat.
    pub fn all(program: &Program) -> Vec<Recalled> {
        vec![Recalled::default(); program.recalls.len() * program.players as usize]
    }
}

impl Machine<'_> {
    /// A number that is the same as long as nothing of this was written.
    #[inline]
    pub(super) fn stamp(&self, reads: &[Read]) -> u64 {
        let version = |read: &Read| match read {
            Read { first, own, .. } if *own => self.versions[*first as usize + self.me as usize],
            Read { first, count, .. } => {
                let run = *first as usize..(*first + *count) as usize;
                self.versions[run].iter().sum()
            }
        };
        // Versions only grow, so the sum stays the same only if all of them do.
        reads.iter().map(version).sum()
    }

    /// Number of what can be recalled of an answer to the decision at hand, which leads to `behind`.
    pub(super) fn recall_at(&self, behind: usize) -> Option<usize> {
        let item = self.p.recall_of[behind]?;
        let fresh = self.probing == 0 && self.glances_tell();
        fresh.then_some((item * self.p.players) as usize + self.me as usize)
    }

    pub(super) fn recall(&self, at: usize) -> Option<Outcome> {
        let recalled = self.recalled[at];
        let stamp = self.stamp(&self.p.recalls[at / self.p.players as usize]);
        recalled.outcome.filter(|_| recalled.stamp == stamp)
    }

    pub(super) fn keep_recalled(&mut self, at: usize, outcome: Outcome) {
        self.recalled[at] = Recalled {
            // A search that broke off proves nothing.
            outcome: (self.probe_left > 0).then_some(outcome),
            stamp: self.stamp(&self.p.recalls[at / self.p.players as usize]),
        };
    }

    pub(super) fn forget_recalled(&mut self) {
        self.recalled.fill(Recalled::default());
        self.memos.forget();
    }
}
