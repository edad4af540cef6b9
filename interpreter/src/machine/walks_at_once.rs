//! The best walks at once: each walker's clauses asked while the search for the best set runs.

use super::{Halt, Machine};
use crate::network::walk::{self, Walk};
use crate::network::{Exhausted, NodeId as Node_};
use crate::program::*;

/// Who walks, for a search.
struct AtOnce<'a, 'p> {
    machine: &'a mut Machine<'p>,
    code: &'p WalkCode,
    walkers: Walkers,
    /// Frame offset of who walks, and who they are.
    local: usize,
    who: &'a [u32],
    /// Partial walks that may still be looked at.
    steps_left: u32,
}

impl walk::Walkers for AtOnce<'_, '_> {
    fn count(&self) -> usize {
        self.who.len()
    }

    fn alike(&self, a: usize, b: usize) -> bool {
        !self.walkers.read || self.who[a] == self.who[b]
    }

    fn best(&mut self, walker: usize, barred: &[u32], walk: &mut Walk) -> Result<(), Exhausted> {
        let machine = &mut *self.machine;
        // What breaks off comes to nothing.
        if machine.halt != Halt::No {
            return Ok(());
        }
        machine.m[self.local] = self.who[walker] as i32;
        let budget = self.steps_left;
        let found = machine.walk_search(
            self.code,
            barred,
            budget,
            |network, query, clauses, scratch| {
                walk::best_into(network, query, clauses, scratch, walk)
            },
        );
        if let Some(expanded) = found {
            self.steps_left = budget.saturating_sub(expanded?);
        }
        Ok(())
    }
}

impl<'p> Machine<'p> {
    /// What the best walks at once are worth; `note` is given the nodes of each.
    pub(super) fn best_walks(
        &mut self,
        code: &'p WalkCode,
        walkers: Walkers,
        mut note: impl FnMut(&[Node_]),
    ) -> i64 {
        let p = self.p;
        let binder = &p.binders[walkers.binder.at()];
        let mut who = self.networks.lend(0);
        self.scan_source(binder, |_, element, times| {
            let more = (WALKS_AT_ONCE_MAX + 1).saturating_sub(who.len());
            let times = usize::try_from(times).unwrap_or(0).min(more);
            who.extend(std::iter::repeat_n(element as u32, times));
            who.len() <= WALKS_AT_ONCE_MAX
        });
        let value = if who.len() > WALKS_AT_ONCE_MAX {
            let message = format!(
                "more than {WALKS_AT_ONCE_MAX} walks are looked for at once: look for fewer"
            );
            self.broken(code.span, message);
            0
        } else {
            self.best_of(code, walkers, &who, &mut note)
        };
        self.networks.give_back(who);
        value
    }

    fn best_of(
        &mut self,
        code: &'p WalkCode,
        walkers: Walkers,
        who: &[u32],
        note: &mut impl FnMut(&[Node_]),
    ) -> i64 {
        let Some(links) = self.links_of_walk(code) else {
            return 0;
        };
        let local = self.fp + self.p.binders[walkers.binder.at()].local as usize;
        let mut sets = std::mem::take(&mut self.networks.sets);
        let mut search = AtOnce {
            machine: self,
            code,
            walkers,
            local,
            who,
            steps_left: WALK_STEPS_SEARCHED_MAX,
        };
        let best = walk::best_set(&mut search, links, WALKS_CASES_MAX, &mut sets);
        self.m[local] = 0;
        if best.is_ok() && self.halt == Halt::No {
            sets.walks(who.len())
                .iter()
                .for_each(|walk| note(&walk.nodes));
        }
        self.networks.sets = sets;
        best.unwrap_or_else(|_| {
            let message = "the best walks at once could not be found within the search's bounds: look for fewer, or bound their steps by a smaller `up to`";
            self.broken(code.span, message);
            0
        })
    }

    /// How many links the walk's network has now; none where it has no owner.
    fn links_of_walk(&mut self, code: &'p WalkCode) -> Option<u32> {
        let network = code.network as usize;
        let receiver = code.receiver.map_or(0, |receiver| self.ev(receiver));
        let owner = self.know_links(network, receiver)?;
        Some(self.links_in(network, owner))
    }
}
