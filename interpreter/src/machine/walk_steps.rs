//! Walks that players take step by step.

use super::answers::{Answer, AnswerKind, Raw};
use super::{Halt, Machine};
use crate::network::{Adjacency, NodeId as Node_, bits};
use crate::program::walk_word as word;
use crate::program::*;

/// Arc number `at` of a node; none behind the last.
#[allow(clippy::type_complexity)]
fn nth_arc(network: &impl Adjacency, node: u32, at: usize) -> Option<Option<(u32, u32, u32, u32)>> {
    let range = network.arcs_of(Node_(node));
    let index = range.start + at as u32;
    if index >= range.end {
        return None;
    }
    let arc = network.arc(index);
    Some(Some((arc.link.0, arc.to.0, arc.side, arc.entry)))
}

impl<'p> Machine<'p> {
    // ------------------------------------------------------------------------------------------ walk statements

    pub(crate) fn walk_begin(&mut self, id: WalkId) {
        let p = self.p;
        let code = &p.walks[id.at()];
        let from = self.ev(code.from);
        let base = self.fp + code.words as usize;
        let words = (word::SETS + code.node_words + code.link_words) as usize;
        for at in base..base + words {
            self.set(at, 0);
        }
        self.set(base + word::HERE as usize, from);
        self.set(base + word::ARRIVAL_LINK as usize, NONE);
        self.set(base + word::ARRIVAL_SIDE as usize, NONE);
        if from >= 0 {
            self.insert_bit(base + word::SETS as usize, from as u32);
        }
    }

    fn insert_bit(&mut self, base: usize, bit: u32) {
        let at = base + (bit / 32) as usize;
        let value = self.m[at] | 1i32.wrapping_shl(bit % 32);
        self.set(at, value);
    }

    fn has_bit(&self, base: usize, bit: u32) -> bool {
        self.m[base + (bit / 32) as usize] as u32 >> (bit % 32) & 1 == 1
    }

    pub(crate) fn walk_is_full(&mut self, id: WalkId) -> bool {
        let p = self.p;
        let code = &p.walks[id.at()];
        let steps = self.m[self.fp + (code.words + word::STEPS) as usize];
        code.up_to.is_some_and(|n| self.ev(n) <= steps)
    }

    /// The steps that can be taken, then `done` where the walk may end.
    pub(crate) fn offer_walk(
        &mut self,
        id: WalkId,
        visit: &mut dyn FnMut(&mut Machine<'p>, Raw) -> bool,
    ) -> bool {
        let p = self.p;
        let code = &p.walks[id.at()];
        let base = self.fp + code.words as usize;
        let here = self.m[base + word::HERE as usize];
        let receiver = code.receiver.map_or(0, |r| self.ev(r));
        let Some(owner) = self.know_links(code.network as usize, receiver) else {
            return true;
        };
        let network = code.network as usize;
        let mut at = 0;
        // Nobody walks on from nowhere.
        let from = u32::try_from(here).ok();
        while let Some(arc) = from.and_then(|here| self.arc(network, owner, here, at)) {
            at += 1;
            let Some((link, next, side, entry)) = arc else {
                continue;
            };
            let keep: [i32; 11] = std::array::from_fn(|at| self.m[base + at]);
            self.fill_step(code, base, link, next, side);
            let top = self.top;
            let allowed = code.where_.is_none_or(|c| self.ev(c) != 0);
            self.top = top;
            let step = [link as i32, next as i32, side as i32, entry as i32];
            if !allowed && self.halt == Halt::No {
                self.refuse_step(code, at as i32 - 1, step);
            }
            for (at, value) in keep.into_iter().enumerate() {
                self.m[base + at] = value;
            }
            if allowed {
                let start = self.part_words.len();
                self.part_words.extend(step);
                let going = visit(
                    self,
                    Raw {
                        kind: AnswerKind::Step,
                        value: at as i32 - 1,
                        start: start as u32,
                        len: 4,
                    },
                );
                self.part_words.truncate(start);
                if !going {
                    return false;
                }
                // Looking ahead may have asked about other networks of the same cache.
                self.know_links(network, receiver);
            }
        }
        if self.walk_may_end(code, base) {
            return visit(self, Raw::new(AnswerKind::Done, 0));
        }
        true
    }

    /// A step that the walk's `where` forbids: counted, and kept for explanations.
    fn refuse_step(&mut self, code: &WalkCode, arc: i32, step: [i32; 4]) {
        let (Some(condition), Some(reason)) = (code.where_, code.where_reason) else {
            return;
        };
        self.count_refusal(reason);
        if self.witnesses.is_none() {
            return;
        }
        let others = self.witnesses.replace(Vec::new());
        self.need_failed(condition, reason);
        self.forget_halt();
        let witness = std::mem::replace(&mut self.witnesses, others);
        let answer = Answer {
            kind: AnswerKind::Step,
            value: arc,
            words: step.to_vec(),
        };
        let found = witness.unwrap_or_default().into_iter();
        self.refused_steps
            .extend(found.map(|witness| (answer.clone(), witness)));
    }

    fn walk_may_end(&mut self, code: &WalkCode, base: usize) -> bool {
        let steps = self.m[base + word::STEPS as usize];
        if code.at_least.is_some_and(|n| self.ev(n) > steps) {
            return false;
        }
        if let Some((to, is_set)) = code.to {
            let here = self.m[base + word::HERE as usize];
            let mut ends = self.networks.lend(code.node_words as usize);
            self.nodes_into(to, is_set, &mut ends);
            let there = here >= 0 && bits::has(&ends, here as u32);
            self.networks.give_back(ends);
            if !there {
                return false;
            }
        }
        code.need.is_none_or(|c| self.ev(c) != 0)
    }

    /// Arc number `at` of a node: none behind the last; `Some(None)` where the link is not there.
    #[allow(clippy::type_complexity)]
    pub(super) fn arc(
        &self,
        network: usize,
        owner: usize,
        node: u32,
        at: usize,
    ) -> Option<Option<(u32, u32, u32, u32)>> {
        let links = &self.networks.links[network][owner];
        match &self.p.networks[network].kind {
            NetworkKind::Links { graph, .. } => {
                let arc = graph.arcs(Node_(node)).get(at)?;
                let there = bits::has(&links.mask, arc.link.0);
                Some(there.then_some((arc.link.0, arc.to.0, arc.side, arc.entry)))
            }
            NetworkKind::Neighbours(lattice) => nth_arc(lattice, node, at),
            NetworkKind::Joins { .. } => nth_arc(&links.tiles, node, at),
        }
    }

    fn fill_step(&mut self, code: &WalkCode, base: usize, link: u32, next: u32, side: u32) {
        let sets = base + word::SETS as usize;
        let came_by = self.m[base + word::ARRIVAL_LINK as usize];
        let came_side = self.m[base + word::ARRIVAL_SIDE as usize];
        let steps = self.m[base + word::STEPS as usize];
        let tiles = matches!(
            self.p.networks[code.network as usize].kind,
            NetworkKind::Joins { .. }
        );
        let fresh = !self.has_bit(sets, next);
        let unused = code.link_words == 0 || !self.has_bit(sets + code.node_words as usize, link);
        // `ARRIVAL_LINK` holds the gate one came in by: going out by it is going back.
        let gate = if tiles { side as i32 } else { link as i32 };
        let onward = steps == 0 || came_by != gate;
        let straight = steps == 0 || came_side == side as i32;
        self.m[base + word::NEXT as usize] = next as i32;
        self.m[base + word::LINK as usize] = link as i32;
        self.m[base + word::SIDE as usize] = side as i32;
        self.m[base + word::FRESH as usize] = i32::from(fresh);
        self.m[base + word::UNUSED as usize] = i32::from(unused);
        self.m[base + word::ONWARD as usize] = i32::from(onward);
        self.m[base + word::STRAIGHT as usize] = i32::from(straight);
    }

    /// Takes a step: link, next, side, gate of entry.
    pub(crate) fn walk_step(&mut self, id: WalkId, [link, next, side, entry]: [i32; 4]) {
        let p = self.p;
        let code = &p.walks[id.at()];
        let base = self.fp + code.words as usize;
        let keep: [i32; 11] = std::array::from_fn(|at| self.m[base + at]);
        self.fill_step(code, base, link as u32, next as u32, side as u32);
        let filled: [i32; 11] = std::array::from_fn(|at| self.m[base + at]);
        for (at, value) in keep.into_iter().enumerate() {
            self.m[base + at] = value;
        }
        for (at, value) in filled.into_iter().enumerate() {
            self.set(base + at, value);
        }
        self.set(base + word::HERE as usize, next);
        self.set(
            base + word::STEPS as usize,
            self.m[base + word::STEPS as usize] + 1,
        );
        self.set(base + word::ARRIVAL_LINK as usize, entry);
        self.set(base + word::ARRIVAL_SIDE as usize, side);
        let sets = base + word::SETS as usize;
        self.insert_bit(sets, next as u32);
        if code.link_words > 0 {
            self.insert_bit(sets + code.node_words as usize, link as u32);
        }
    }
}
