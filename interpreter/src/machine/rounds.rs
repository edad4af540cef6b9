//! Ways that go round in a circle while looking ahead. An answer that comes back to a position in which one has been on the same
//! way is no progress: whatever leads on from there leads on without it. So it counts as a dead end, as long as that position
//! is being looked at (Tarjan's strongly connected components: what rests on an open position is settled with it).
//!
//! Where every way from a position leads back to it and nothing is refused on any of them, the rules have a loop that never
//! ends; that is told where the reason is asked for.

use super::Machine;
use super::learn::Learnt;
use super::trying::Outcome;
use dsl::source::Span;

/// See the module.
#[derive(Default)]
pub(crate) struct Rounds {
    /// Positions looked at now, the outermost first.
    path: Vec<u64>,
    /// Positions from which no way leads on but to one on the path.
    open: Vec<u64>,
    /// The outermost place on the path that a way came back to; `NOWHERE`: none did.
    back_to: u32,
    /// Ways that ended because something was not fulfilled.
    refused: u64,
    /// Where a loop never ends, of those met last.
    pub endless: Option<Span>,
}

const NOWHERE: u32 = u32::MAX;

impl Rounds {
    pub fn clear(&mut self) {
        self.path.clear();
        self.open.clear();
        self.back_to = NOWHERE;
    }

    #[inline]
    pub fn note_refusal(&mut self) {
        self.refused += 1;
    }

    /// A way came back to this place on the path.
    pub fn come_back(&mut self, place: u32) {
        self.back_to = self.back_to.min(place);
    }
}

/// A position being looked at.
pub(crate) struct Round {
    hash: u64,
    open: usize,
    back_to: u32,
    refused: u64,
}

impl Machine<'_> {
    /// Whether one has been in this position on the way to it.
    pub(super) fn goes_round(&mut self, hash: u64) -> bool {
        let Some(at) = self.rounds.path.iter().rposition(|at| *at == hash) else {
            return false;
        };
        self.rounds.come_back(at as u32);
        self.learn_nothing();
        true
    }

    pub(super) fn begin_round(&mut self, hash: u64) -> Round {
        let rounds = &mut self.rounds;
        rounds.path.push(hash);
        Round {
            hash,
            open: rounds.open.len(),
            back_to: std::mem::replace(&mut rounds.back_to, NOWHERE),
            refused: rounds.refused,
        }
    }

    /// Where looking ahead has met a loop that never ends.
    pub(crate) fn endless_loop(&self) -> Option<Span> {
        self.rounds.endless
    }

    /// Nothing leads on from a position, but the rules say what happens then.
    pub(super) fn leave_round(&mut self, round: Round) {
        self.rounds.path.pop();
        self.rounds.back_to = round.back_to;
        while self.rounds.open.len() > round.open {
            if let Some(hash) = self.rounds.open.pop() {
                self.forget_round(hash);
            }
        }
    }

    /// What came of a position, to be remembered as far as it does not rest on others still looked at.
    pub(super) fn end_round(&mut self, round: Round, outcome: Outcome, learnt: &Learnt) {
        self.rounds.path.pop();
        let place = self.rounds.path.len() as u32;
        let back_to = self.rounds.back_to;
        self.rounds.back_to = round.back_to;
        let no = outcome == Outcome::No;
        if no && back_to < place {
            self.rounds.come_back(back_to);
            self.rounds.open.push(round.hash);
            self.remember_round(round.hash, back_to);
            return;
        }
        if no && back_to == place && self.rounds.refused == round.refused {
            self.rounds.endless = Some(self.here());
        }
        while self.rounds.open.len() > round.open {
            if let Some(hash) = self.rounds.open.pop() {
                if no {
                    self.remember_met(hash, Outcome::No, &Learnt::NOTHING);
                } else {
                    self.forget_round(hash);
                }
            }
        }
        self.remember_met(round.hash, outcome, learnt);
    }
}
