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

use super::memo::Memo;
use super::table::{Core, NONE, combination};
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
    fn find_keys(&mut self) -> Option<()> {
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
    fn find_hops(&mut self) -> Option<()> {
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

    /// A run that may not come again to any key has at most one hop to each: that bounds it where nothing else does.
    fn set_limit(&mut self) -> Option<()> {
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

    fn bound_len(&self, memory: usize) -> usize {
        (self.levels * (self.limit as usize + 1) * self.s.classes.len()) << memory
    }

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

    /// Whether the answer stands. With `at least 1`, steps into the blank that reach no key are walks too, and worth what
    /// their start is; where that would be more, the search declines.
    fn is_whole(&self) -> bool {
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

    fn near(&self, key: u32) -> &[u32] {
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

    fn fill_bound(&mut self) {
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

    fn bound(&self, class: u32, left: u32, visited: u128, level: usize) -> i32 {
        let mut memory = 0;
        let near = self.near(self.s.classes[class as usize].key);
        for (bit, &key) in near.iter().enumerate() {
            if key != NONE {
                memory |= ((visited >> key & 1) as usize) << bit;
            }
        }
        self.s.bound[self.bound_at(level, left, class) + memory]
    }

    fn level(&self, visited: u128) -> usize {
        usize::from(self.levels == 2 && visited & self.needed == 0)
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
