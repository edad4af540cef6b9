//! The moment before a step ends: where an `always … after` of it does not hold as things stand, its player is asked once
//! more, if an anytime action is open. Offered is what mends it; nothing else is asked.

use super::{Halt, Machine, Witness};
use crate::program::*;

impl Machine<'_> {
    /// A decision at the end of a step: the rule that waits for it does not hold yet.
    pub(crate) fn at_moment(&self) -> bool {
        matches!(self.p.code[self.pc], Op::LeaveStep { .. })
    }

    /// `player`, whose pass of a step ends here, may still do something about it.
    pub(super) fn has_moment(&self, player: i32) -> bool {
        self.me == player
            && !self.is_out(player)
            && (0..self.p.anytime.len()).any(|at| self.anytime_open(at))
    }

    /// Tests again what waits for the end of the step, so that the reason is the rule's and not what failed to mend it.
    pub(crate) fn test_at_moment(&mut self) {
        if let Op::LeaveStep { label, .. } = self.p.code[self.pc] {
            self.halt = Halt::No;
            self.test_after(label, self.me);
        }
    }

    /// What does not hold yet at the end of the step, as its rule says it.
    pub(crate) fn unmet_at_moment(&mut self) -> Option<Witness> {
        self.ahead(|machine| {
            let others = machine.witnesses.replace(Vec::new());
            machine.test_at_moment();
            machine.forget_halt();
            let found = std::mem::replace(&mut machine.witnesses, others);
            found.and_then(|found| found.into_iter().next_back())
        })
    }
}
