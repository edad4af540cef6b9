//! Nodes between which nothing needs to be remembered, drawn together.

use super::super::table::{NONE, combination};
use super::super::{Clauses, Need};
use super::{CLASSES_MAX, Class, HOPS_MAX, Hop, KEYS_MAX, Reached, Runs, UNSET, small};
use crate::network::{Adjacency, NodeId, bits, refill};

impl<A: Adjacency, C: Clauses> Runs<'_, '_, A, C> {
    pub(super) fn find_keys(&mut self) -> Option<()> {
        let nodes = self.core.net.node_count();
        refill(&mut self.s.key_of, nodes as usize, NONE);
        self.s.keys.clear();
        match self.core.hints().remembers {
            Some(set) => bits::iter(set).for_each(|node| self.add_key(node)),
            None => (0..nodes.min(KEYS_MAX as u32 + 1)).for_each(|node| self.add_key(node)),
        }
        if let Need::AnyOf(set) = self.core.hints().need {
            bits::iter(set).for_each(|node| self.add_key(node));
        }
        for node in self.core.starts() {
            self.add_key(node.0);
        }
        let all_end = (0..self.s.keys.len()).all(|key| self.core.may_end(self.s.keys[key]));
        if !all_end {
            for node in 0..nodes {
                if self.s.keys.len() <= KEYS_MAX && self.core.may_end(NodeId(node)) {
                    self.add_key(node);
                }
            }
        }
        if self.s.keys.len() > KEYS_MAX {
            return None;
        }
        if let Need::AnyOf(set) = self.core.hints().need {
            self.levels = 2;
            for node in bits::iter(set).take_while(|&node| node < nodes) {
                self.needed |= 1 << self.s.key_of[node as usize];
            }
        }
        self.s.ends.clear();
        for key in 0..self.s.keys.len() {
            let end = self.core.may_end(self.s.keys[key]);
            self.s.ends.push(end);
        }
        refill(&mut self.s.gain_of, self.s.keys.len(), UNSET);
        Some(())
    }

    fn add_key(&mut self, node: u32) {
        if let Some(key) = self.s.key_of.get_mut(node as usize)
            && *key == NONE
        {
            *key = self.s.keys.len() as u32;
            self.s.keys.push(NodeId(node));
        }
    }

    /// The class of a state of `key`: that of an earlier state with the same row, or a new one.
    fn class_of(&mut self, state: u32, key: u32) -> Option<u32> {
        let row = self.core.row(state);
        let len = self.core.net.arcs_of(self.s.keys[key as usize]).len();
        for at in 0..self.s.classes.len() {
            let class = self.s.classes[at];
            if class.key == key {
                let other = self.core.row(class.state);
                if class.state == state || self.core.same_row(row, other, len) {
                    return Some(at as u32);
                }
            }
        }
        if self.s.classes.len() == CLASSES_MAX {
            return None;
        }
        self.s.classes.push(Class {
            key,
            state,
            first_hop: 0,
            end_hop: 0,
        });
        Some(self.s.classes.len() as u32 - 1)
    }

    /// Finds the classes in reach of the starts and the hops between them.
    pub(super) fn find_hops(&mut self) -> Option<()> {
        let states = (self.core.arcs + self.core.net.node_count()) as usize;
        refill(&mut self.s.seen, states, NONE);
        self.s.classes.clear();
        self.s.hops.clear();
        self.s.path.clear();
        self.s.first.clear();
        for node in self.core.starts() {
            let key = self.s.key_of[node.index()];
            let class = self.class_of(self.core.start(node), key)?;
            let gain = small(self.core.clauses.start_gain(node))?;
            self.s.first.push((gain, class));
        }
        let mut class = 0;
        while class < self.s.classes.len() {
            self.s.classes[class].first_hop = self.s.hops.len() as u32;
            self.expand(class)?;
            self.s.classes[class].end_hop = self.s.hops.len() as u32;
            class += 1;
        }
        Some(())
    }

    fn expand(&mut self, class: usize) -> Option<()> {
        let start = self.s.classes[class].state;
        self.s.reached.clear();
        self.s.reached.push(Reached {
            state: start,
            before: NONE,
            arc: NONE,
            steps: 0,
        });
        let mut at = 0;
        while at < self.s.reached.len() {
            let from = self.s.reached[at];
            if from.steps == self.core.query.up_to {
                break;
            }
            let row = self.core.row(from.state);
            let node = self.core.node(from.state);
            for (k, index) in self.core.net.arcs_of(node).enumerate() {
                let allowed = self.core.allowed(row + k);
                let fresh = allowed & combination(true, true) != 0;
                let again = allowed & combination(false, true) != 0;
                if !fresh && !again {
                    continue;
                }
                let arc = self.core.net.arc(index);
                let gain = small(self.core.gain(row + k))?;
                let state = self.core.after(index, &arc);
                let key = self.s.key_of[arc.to.index()];
                let next = Reached {
                    state,
                    before: at as u32,
                    arc: index,
                    steps: from.steps + 1,
                };
                if key != NONE {
                    let known = &mut self.s.gain_of[key as usize];
                    if *known != UNSET && *known != gain {
                        return None;
                    }
                    *known = gain;
                    self.add_hop(class, next, key, gain, fresh, again)?;
                } else if gain != 0 {
                    return None;
                } else if self.s.seen[state as usize] != class as u32 {
                    self.s.seen[state as usize] = class as u32;
                    self.s.reached.push(next);
                }
            }
            at += 1;
        }
        Some(())
    }

    fn add_hop(
        &mut self,
        class: usize,
        last: Reached,
        key: u32,
        gain: i32,
        fresh: bool,
        again: bool,
    ) -> Option<()> {
        if key == self.s.classes[class].key && !again {
            return Some(());
        }
        let to = self.class_of(last.state, key)?;
        // Reached in order of steps: a later hop to the same class is of use only if it is allowed where none was.
        let first = self.s.classes[class].first_hop as usize;
        for hop in &self.s.hops[first..] {
            if hop.to == to && hop.fresh >= fresh && hop.again >= again {
                return Some(());
            }
        }
        if self.s.hops.len() == HOPS_MAX {
            return None;
        }
        let path_at = self.s.path.len() as u32;
        self.s.path.push(last.arc);
        let mut at = last.before;
        while self.s.reached[at as usize].arc != NONE {
            self.s.path.push(self.s.reached[at as usize].arc);
            at = self.s.reached[at as usize].before;
        }
        self.s.hops.push(Hop {
            to,
            steps: last.steps,
            gain,
            fresh,
            again,
            path_at,
        });
        Some(())
    }
}
