//! What a walk can still gain at most: bounds that let the search leave off.

use super::super::Clauses;
use super::NEVER;

use super::super::table::NONE;
use super::{BOUND_ENTRIES_MAX, Class, Runs, STEPS_MAX};
use crate::network::{Adjacency, refill};

impl<A: Adjacency, C: Clauses> Runs<'_, '_, A, C> {
    /// A run that may not come again to any key has at most one hop to each: that bounds it where nothing else does.
    pub(super) fn set_limit(&mut self) -> Option<()> {
        self.limit = self.core.query.up_to;
        if self.limit > 64 && self.s.hops.iter().all(|hop| !hop.again) {
            let mut sum = 0u32;
            for key in 0..self.s.keys.len() as u32 {
                let hops = self.s.hops.iter();
                let most = hops
                    .filter(|hop| self.s.classes[hop.to as usize].key == key)
                    .map(|hop| hop.steps)
                    .max();
                sum = sum.saturating_add(most.unwrap_or(0));
            }
            self.limit = self.limit.min(sum);
        }
        let small = self.limit <= STEPS_MAX && self.bound_len(0) <= BOUND_ENTRIES_MAX;
        small.then_some(())
    }

    pub(super) fn bound_len(&self, memory: usize) -> usize {
        (self.levels * (self.limit as usize + 1) * self.s.classes.len()) << memory
    }

    /// Whether the answer stands. With `at least 1`, steps into the blank that reach no key are walks too, and worth what
    /// their start is; where that would be more, the search declines.
    pub(super) fn is_whole(&self) -> bool {
        let unseen = |&(gain, _): &(i32, u32)| self.found.beaten_by(gain.into());
        self.core.query.at_least == 0 || !self.s.first.iter().any(unseen)
    }

    /// For each key its nearest ones by number of hops, canonical order among equals.
    fn fill_near(&mut self) {
        let s = &mut *self.s;
        refill(&mut s.near, s.keys.len() * self.memory, NONE);
        for key in 0..s.keys.len() as u32 {
            s.queue.clear();
            s.queue.push(key);
            let mut known = 1u128 << key;
            let mut at = 0;
            while at < s.queue.len() && s.queue.len() <= self.memory {
                for class in &s.classes {
                    if class.key != s.queue[at] {
                        continue;
                    }
                    for hop in &s.hops[class.first_hop as usize..class.end_hop as usize] {
                        let to = s.classes[hop.to as usize].key;
                        if known >> to & 1 == 0 {
                            known |= 1 << to;
                            s.queue.push(to);
                        }
                    }
                }
                at += 1;
            }
            for (slot, &other) in s.near[key as usize * self.memory..][..self.memory]
                .iter_mut()
                .zip(&s.queue[1..])
            {
                *slot = other;
            }
        }
    }

    pub(super) fn near(&self, key: u32) -> &[u32] {
        &self.s.near[key as usize * self.memory..][..self.memory]
    }

    /// For each hop, what the memory before it becomes after it.
    fn fill_turn(&mut self) {
        self.s.turn.clear();
        let bit_of = |near: &[u32], key: u32| {
            near.iter()
                .position(|&other| other == key)
                .map_or(0, |bit| 1u16 << bit)
        };
        for class in 0..self.s.classes.len() {
            let Class {
                key,
                first_hop,
                end_hop,
                ..
            } = self.s.classes[class];
            for hop in first_hop..end_hop {
                let to = self.s.classes[self.s.hops[hop as usize].to as usize].key;
                let base = self.s.turn.len();
                self.s.turn.push(bit_of(self.near(to), key));
                for memory in 1..1usize << self.memory {
                    let low = self.near(key)[memory.trailing_zeros() as usize];
                    let rest = self.s.turn[base + (memory & (memory - 1))];
                    let bit = bit_of(self.near(to), low);
                    self.s.turn.push(rest | bit);
                }
            }
        }
    }

    fn bound_at(&self, level: usize, left: u32, class: u32) -> usize {
        let row = level * (self.limit as usize + 1) + left as usize;
        (row * self.s.classes.len() + class as usize) << self.memory
    }

    pub(super) fn fill_bound(&mut self) {
        self.fill_near();
        self.fill_turn();
        let size = 1usize << self.memory;
        let mut bound = std::mem::take(&mut self.s.bound);
        refill(&mut bound, self.bound_len(self.memory), NEVER);
        for level in 0..self.levels {
            for left in 0..=self.limit {
                for class in 0..self.s.classes.len() as u32 {
                    let at = self.bound_at(level, left, class);
                    let (below, out) = bound.split_at_mut(at);
                    let out = &mut out[..size];
                    let Class {
                        key,
                        first_hop,
                        end_hop,
                        ..
                    } = self.s.classes[class as usize];
                    if level == 0 && self.s.ends[key as usize] {
                        out.fill(0);
                    }
                    for number in first_hop..end_hop {
                        let hop = self.s.hops[number as usize];
                        if hop.steps > left {
                            continue;
                        }
                        let to = self.s.classes[hop.to as usize].key;
                        let next_level = level * usize::from(self.needed >> to & 1 == 0);
                        let next = self.bound_at(next_level, left - hop.steps, hop.to);
                        let next = &below[next..next + size];
                        let turn = &self.s.turn[number as usize * size..][..size];
                        let passed = self.near(key).iter().position(|&k| k == to);
                        let barred = match passed {
                            Some(bit) if !hop.again => 1usize << bit,
                            _ => 0,
                        };
                        for memory in 0..size {
                            let rest = next[turn[memory] as usize];
                            if memory & barred == 0 && rest > NEVER {
                                out[memory] = out[memory].max(rest + hop.gain);
                            }
                        }
                    }
                }
            }
        }
        self.s.bound = bound;
    }

    pub(super) fn bound(&self, class: u32, left: u32, visited: u128, level: usize) -> i32 {
        let mut memory = 0;
        let near = self.near(self.s.classes[class as usize].key);
        for (bit, &key) in near.iter().enumerate() {
            if key != NONE {
                memory |= ((visited >> key & 1) as usize) << bit;
            }
        }
        self.s.bound[self.bound_at(level, left, class) + memory]
    }

    pub(super) fn level(&self, visited: u128) -> usize {
        usize::from(self.levels == 2 && visited & self.needed == 0)
    }
}
