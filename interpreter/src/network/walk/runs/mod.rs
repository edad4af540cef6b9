//! The best walk where only some nodes are remembered: a run from key node to key node.
//!
//! The *keys* are the nodes in `remembers`, those of `need`, the starts, and other nodes where alone a walk may end.
//!
//! **Why it is exact.**
//!
//! * *Hops.* Between two keys the clauses see nothing of the past, and no step there gains anything (tested: else the
//!   search declines). So a best walk can take the shortest way from each key to its next one: the same sum, the same keys,
//!   no more steps. An end between keys gains nothing over the last key. States of one key whose next steps are allowed
//!   alike (a station that may be left by any side) are one *class*, and a hop leads from class to class.
//! * *Bound.* `bound[level][left][class][memory]` is the greatest sum still to be had in `left` steps by runs that remember,
//!   at each key, only those of its few nearest keys which they passed and did not forget on the way (a state-space
//!   relaxation, as in the routing literature's ng-routes). The true past forbids at least what this memory forbids, so no
//!   true run is missed and the bound holds. `level` 1: a node of `need` must still come. It is raised, with a larger memory,
//!   if the search takes too long.
//! * *Memo.* Two partial runs with the same class and the same keys visited have the same future; one with no more steps
//!   and no smaller sum was expanded before. The start without a step is left out if `at least` is 1.
//!
//! Hops are tried in order of gain plus bound, so the first run down is often the best, and the rest is cut.

mod bounds;
mod hops;

use super::memo::Memo;
use super::table::Core;
use super::{Clauses, Found, Need, Visit};
use crate::network::{Adjacency, Exhausted, NodeId, bits, refill};

const KEYS_MAX: usize = 128;
const CLASSES_MAX: usize = 512;
const HOPS_MAX: usize = 8192;
const STEPS_MAX: u32 = 1024;
const BOUND_ENTRIES_MAX: usize = 3_000_000;

/// Keys remembered by the bound, and the runs expanded before the next larger memory is tried.
const STAGES: [(usize, u32); 3] = [(3, 1_000), (7, 30_000), (10, u32::MAX)];
const NEVER: i32 = i32::MIN / 2;

/// No sum of so many steps comes near [`NEVER`], or to where it would wrap; larger gains are for the search in general.
const GAIN_MAX: u32 = 1 << 19;

/// No step to this key was seen yet.
const UNSET: i32 = i32::MIN;

#[derive(Clone, Copy)]
struct Class {
    key: u32,
    state: u32,
    first_hop: u32,
    end_hop: u32,
}

#[derive(Clone, Copy)]
struct Hop {
    to: u32,
    steps: u32,
    gain: i32,
    /// Allowed if the key was not visited, if it was.
    fresh: bool,
    again: bool,
    /// Its arcs, `path[path_at..path_at + steps]`, last first.
    path_at: u32,
}

#[derive(Clone, Copy)]
struct Reached {
    state: u32,
    before: u32,
    arc: u32,
    steps: u32,
}

#[derive(Default)]
pub(super) struct RunScratch {
    key_of: Vec<u32>,
    keys: Vec<NodeId>,
    gain_of: Vec<i32>,
    ends: Vec<bool>,
    classes: Vec<Class>,
    hops: Vec<Hop>,
    path: Vec<u32>,
    reached: Vec<Reached>,
    seen: Vec<u32>,
    near: Vec<u32>,
    queue: Vec<u32>,
    turn: Vec<u16>,
    bound: Vec<i32>,
    options: Vec<(i32, u32)>,
    taken: Vec<u32>,
    first: Vec<(i32, u32)>,
}

struct Runs<'r, 'q, A, C> {
    core: &'r mut Core<'q, A, C>,
    s: &'r mut RunScratch,
    memo: &'r mut Memo,
    found: &'r mut Found,
    /// The nodes of `need`, as keys.
    needed: u128,
    levels: usize,
    limit: u32,
    memory: usize,
    expanded: u32,
    expanded_max: u32,
}

/// The best walk, or `None` if the question is not one for this search.
pub(super) fn search<A: Adjacency, C: Clauses>(
    core: &mut Core<A, C>,
    scratch: &mut RunScratch,
    memo: &mut Memo,
    found: &mut Found,
) -> Option<Result<bool, Exhausted>> {
    let hints = core.hints();
    let fits = core.has_rows()
        && !core.reads.unused
        && !hints.gain.fresh
        && !hints.gain.direction
        && core.query.at_least <= 1;
    if !fits {
        return None;
    }
    let mut runs = Runs {
        core,
        s: scratch,
        memo,
        found,
        needed: 0,
        levels: 1,
        limit: 0,
        memory: 0,
        expanded: 0,
        expanded_max: 0,
    };
    runs.find_keys()?;
    runs.find_hops()?;
    runs.set_limit()?;
    runs.run()
}

impl<A: Adjacency, C: Clauses> Runs<'_, '_, A, C> {
    fn run(&mut self) -> Option<Result<bool, Exhausted>> {
        let budget = self.core.query.budget;
        let mut last = false;
        for (stage, (memory, expanded_max)) in STAGES.into_iter().enumerate() {
            let mut memory = memory.min(self.s.keys.len().saturating_sub(1));
            last |= stage + 1 == STAGES.len() || memory == self.s.keys.len().saturating_sub(1);
            while self.bound_len(memory) > BOUND_ENTRIES_MAX {
                memory -= 1;
                last = true;
            }
            self.memory = memory;
            self.expanded_max = if last {
                budget
            } else {
                budget.min(self.expanded.saturating_add(expanded_max))
            };
            self.fill_bound();
            if self.try_starts() {
                return self.is_whole().then_some(Ok(self.found.value.is_some()));
            }
            if last || self.expanded > budget {
                return Some(Err(Exhausted::Budget));
            }
        }
        Some(Err(Exhausted::Budget))
    }

    /// Searches from all starts, the most promising first; false if it stopped at `expanded_max`.
    fn try_starts(&mut self) -> bool {
        self.memo.begin(5);
        self.s.options.clear();
        self.s.taken.clear();
        for number in 0..self.s.first.len() as u32 {
            let (gain, class) = self.s.first[number as usize];
            let visited = 1 << self.s.classes[class as usize].key;
            let bound = self.bound(class, self.limit, visited, self.level(visited));
            if bound > NEVER {
                let most = gain + bound;
                self.s.options.push((most, number));
            }
        }
        sort_options(&mut self.s.options);
        for at in 0..self.s.options.len() {
            let (most, number) = self.s.options[at];
            if !self.found.beaten_by(most.into()) {
                break;
            }
            let (gain, class) = self.s.first[number as usize];
            let visited = 1 << self.s.classes[class as usize].key;
            if !self.go(class, number, self.limit, visited, gain) {
                return false;
            }
        }
        true
    }

    /// All runs that go on from here; false if the search stopped at `expanded_max`.
    fn go(&mut self, class: u32, start: u32, left: u32, visited: u128, gain: i32) -> bool {
        self.expanded += 1;
        self.found.expanded = self.expanded;
        if self.expanded > self.expanded_max {
            return false;
        }
        let begun = !self.s.taken.is_empty();
        if begun || self.core.query.at_least == 0 {
            let key = [
                class,
                visited as u32,
                (visited >> 32) as u32,
                (visited >> 64) as u32,
                (visited >> 96) as u32,
            ];
            let steps = self.limit - left;
            let (at, old) = self.memo.find(&key);
            if old
                .is_some_and(|(old_steps, old_gain)| old_steps <= steps && old_gain >= gain.into())
            {
                return true;
            }
            self.memo.put(at, &key, steps, gain.into());
            let ends = self.s.ends[self.s.classes[class as usize].key as usize];
            if ends && self.level(visited) == 0 && self.found.beaten_by(gain.into()) {
                self.note(start, gain);
            }
        }
        let base = self.s.options.len();
        let Class {
            first_hop, end_hop, ..
        } = self.s.classes[class as usize];
        for number in first_hop..end_hop {
            let hop = self.s.hops[number as usize];
            let bit = 1u128 << self.s.classes[hop.to as usize].key;
            let allowed = if visited & bit == 0 {
                hop.fresh
            } else {
                hop.again
            };
            if hop.steps <= left && allowed {
                let level = self.level(visited | bit);
                let bound = self.bound(hop.to, left - hop.steps, visited | bit, level);
                if bound > NEVER {
                    let most = gain + hop.gain + bound;
                    self.s.options.push((most, number));
                }
            }
        }
        sort_options(&mut self.s.options[base..]);
        let mut whole = true;
        for at in base..self.s.options.len() {
            let (most, number) = self.s.options[at];
            if !self.found.beaten_by(most.into()) {
                break;
            }
            let hop = self.s.hops[number as usize];
            let bit = 1u128 << self.s.classes[hop.to as usize].key;
            self.s.taken.push(number);
            let sum = gain + hop.gain;
            whole = self.go(hop.to, start, left - hop.steps, visited | bit, sum);
            self.s.taken.pop();
            if !whole {
                break;
            }
        }
        self.s.options.truncate(base);
        whole
    }

    /// Writes the run down as the best one, if `need` agrees.
    fn note(&mut self, start: u32, gain: i32) {
        let (_, class) = self.s.first[start as usize];
        let first = self.s.keys[self.s.classes[class as usize].key as usize];
        let asked = self.core.hints().need == Need::Asked;
        if asked && self.found.value.is_some() {
            // The best so far must not be overwritten before `need` agrees: ask with the end of the buffers.
            let (nodes, links) = (self.found.nodes.len(), self.found.links.len());
            self.write(first);
            if self.agreed(nodes, links) {
                self.found.nodes.drain(..nodes);
                self.found.links.drain(..links);
                self.found.value = Some(gain.into());
            } else {
                self.found.nodes.truncate(nodes);
                self.found.links.truncate(links);
            }
            return;
        }
        self.found.nodes.clear();
        self.found.links.clear();
        self.write(first);
        if !asked || self.agreed(0, 0) {
            self.found.value = Some(gain.into());
        }
    }

    fn write(&mut self, first: NodeId) {
        self.found.nodes.push(first);
        for &number in &self.s.taken {
            let hop = self.s.hops[number as usize];
            let path = &self.s.path[hop.path_at as usize..][..hop.steps as usize];
            for &index in path.iter().rev() {
                let arc = self.core.net.arc(index);
                self.found.nodes.push(arc.to);
                self.found.links.push(arc.link);
            }
        }
    }

    fn agreed(&mut self, nodes: usize, links: usize) -> bool {
        let Found {
            visited,
            nodes: all_nodes,
            links: all_links,
            ..
        } = &mut *self.found;
        refill(visited, bits::words(self.core.net.node_count()), 0);
        for node in &all_nodes[nodes..] {
            bits::insert(visited, node.0);
        }
        self.core.clauses.need(&Visit {
            nodes: &all_nodes[nodes..],
            links: &all_links[links..],
            visited,
        })
    }
}

/// A gain whose sums need no care.
fn small(gain: i32) -> Option<i32> {
    (gain.unsigned_abs() <= GAIN_MAX).then_some(gain)
}

/// The greatest first, canonical order among equals. Short lists: insertion.
fn sort_options(options: &mut [(i32, u32)]) {
    for i in 1..options.len() {
        let mut at = i;
        while at > 0 && options[at - 1].0 < options[at].0 {
            options.swap(at - 1, at);
            at -= 1;
        }
    }
}
