//! Walks in general: depth first, with a bound and a memo.
//!
//! **Why it is exact.** All walks are tried except those cut by one of three rules.
//!
//! * *Bound.* `relaxed[r][state]` is the greatest sum that a walk forgetting its past could still collect in at most `r`
//!   steps and end: each step counts as allowed, with its greatest gain, if it is so under *some* past. True walks are among
//!   these, so a partial walk whose sum plus bound does not beat the best cannot lead to a better one; where no end is in
//!   reach the bound is minus infinity. It is not used where a clause reads `nodes` or `steps`, whose answers no table holds.
//! * *Memo.* Two partial walks with the same state, the same remembered and needed nodes visited and (if read) the same links used can
//!   be followed by the same steps. One with no smaller sum and the same number of steps, or (if `steps` is not read) fewer
//!   but at least `at least`, was expanded before: whatever follows here followed there, no worse.
//! * *All ends known.* For `ends`: every node the relaxed walk can end at is found already.

use super::memo::Memo;
use super::table::{Core, NONE, combination};
use super::{Aim, Clauses, Found, Need, Visit};
use crate::bounds::WALK_STEPS_MAX;
use crate::network::{Adjacency, Exhausted, LinkId, NodeId, bits, refill};

/// Layers of the bound; if it still changes there, longer walks go without.
const RELAXED_LAYERS_MAX: u32 = 64;
const NEVER: i64 = i64::MIN / 2;

#[derive(Clone, Copy)]
struct Frame {
    state: u32,
    /// Arcs still to try, and the place of the first one's entry in the table.
    next: u32,
    end: u32,
    row: usize,
    gain: i64,
    /// What to take back when the frame is left.
    fresh: bool,
    unused: bool,
}

#[derive(Default)]
pub(super) struct DeepScratch {
    frames: Vec<Frame>,
    nodes: Vec<NodeId>,
    links: Vec<LinkId>,
    visited: Vec<u32>,
    used: Vec<u32>,
    key: Vec<u32>,
    touched: Vec<u32>,
    index_of: Vec<u32>,
    relaxed: Vec<i64>,
    layers: u32,
    settled: bool,
    ends_left: Vec<u32>,
}

struct Deep<'d, 'q, A, C> {
    core: &'d mut Core<'q, A, C>,
    s: &'d mut DeepScratch,
    memo: &'d mut Memo,
    found: &'d mut Found,
    bounded: bool,
    ends_left: u32,
    any: bool,
}

pub(super) fn search<A: Adjacency, C: Clauses>(
    core: &mut Core<A, C>,
    scratch: &mut DeepScratch,
    memo: &mut Memo,
    found: &mut Found,
    aim: &mut Aim,
) -> Result<bool, Exhausted> {
    let visited_words = bits::words(core.net.node_count());
    let used_words = if core.reads.unused {
        bits::words(core.net.link_count())
    } else {
        0
    };
    refill(&mut scratch.visited, visited_words, 0);
    refill(&mut scratch.used, bits::words(core.net.link_count()), 0);
    scratch.nodes.clear();
    scratch.links.clear();
    scratch.frames.clear();
    memo.begin(1 + visited_words + used_words);
    let mut deep = Deep {
        bounded: core.has_rows(),
        core,
        s: scratch,
        memo,
        found,
        ends_left: u32::MAX,
        any: false,
    };
    if deep.bounded {
        deep.relax();
        if matches!(aim, Aim::Ends(_)) {
            deep.count_ends();
        }
    }
    deep.run(aim)
}

impl<A: Adjacency, C: Clauses> Deep<'_, '_, A, C> {
    /// Fills the bound for all states in reach.
    fn relax(&mut self) {
        let s = &mut *self.s;
        let core = &mut *self.core;
        refill(
            &mut s.index_of,
            (core.arcs + core.net.node_count()) as usize,
            NONE,
        );
        s.touched.clear();
        for node in core.starts() {
            s.index_of[core.start(node) as usize] = s.touched.len() as u32;
            s.touched.push(core.start(node));
        }
        let mut at = 0;
        while at < s.touched.len() {
            let state = s.touched[at];
            let row = core.row(state);
            for (k, index) in core.net.arcs_of(core.node(state)).enumerate() {
                let next = core.after(index, &core.net.arc(index));
                if core.allowed(row + k) != 0 && s.index_of[next as usize] == NONE {
                    s.index_of[next as usize] = s.touched.len() as u32;
                    s.touched.push(next);
                }
            }
            at += 1;
        }
        s.relaxed.clear();
        for &state in &s.touched {
            let ends = core.may_end(core.node(state));
            s.relaxed.push(if ends { 0 } else { NEVER });
        }
        s.layers = 0;
        s.settled = false;
        let limit = core.query.up_to.min(RELAXED_LAYERS_MAX);
        while s.layers < limit && !s.settled {
            s.settled = true;
            let below = s.layers as usize * s.touched.len();
            for at in 0..s.touched.len() {
                let state = s.touched[at];
                let mut most = s.relaxed[below + at];
                let row = core.row(state);
                for (k, index) in core.net.arcs_of(core.node(state)).enumerate() {
                    if core.allowed(row + k) != 0 {
                        let next = core.after(index, &core.net.arc(index));
                        let rest = s.relaxed[below + s.index_of[next as usize] as usize];
                        if rest > NEVER {
                            most = most.max(rest + i64::from(core.gain(row + k)));
                        }
                    }
                }
                s.settled &= most == s.relaxed[below + at];
                s.relaxed.push(most);
            }
            s.layers += 1;
        }
    }

    /// The most that can follow; `None` if not known.
    fn bound(&self, state: u32, left: u32) -> Option<i64> {
        if !self.bounded || (left > self.s.layers && !self.s.settled) {
            return None;
        }
        let layer = left.min(self.s.layers) as usize * self.s.touched.len();
        Some(self.s.relaxed[layer + self.s.index_of[state as usize] as usize])
    }

    fn count_ends(&mut self) {
        refill(
            &mut self.s.ends_left,
            bits::words(self.core.net.node_count()),
            0,
        );
        self.ends_left = 0;
        for at in 0..self.s.touched.len() {
            let node = self.core.node(self.s.touched[at]);
            if self.core.may_end(node) && bits::insert(&mut self.s.ends_left, node.0) {
                self.ends_left += 1;
            }
        }
    }

    fn run(&mut self, aim: &mut Aim) -> Result<bool, Exhausted> {
        for start in self.core.starts() {
            let gain = if self.core.gains {
                self.core.clauses.start_gain(start)
            } else {
                0
            };
            self.s.nodes.push(start);
            bits::insert(&mut self.s.visited, start.0);
            let state = self.core.start(start);
            self.enter(state, gain.into(), (true, false), aim);
            while let Some(frame) = self.s.frames.last_mut() {
                if self.ends_left == 0 || (self.any && matches!(aim, Aim::Exists)) {
                    return Ok(self.any);
                }
                if frame.next == frame.end {
                    self.leave();
                    continue;
                }
                let (index, at) = (frame.next, frame.row);
                frame.next += 1;
                frame.row += 1;
                if self.s.links.len() as u32 == WALK_STEPS_MAX {
                    return Err(Exhausted::Steps);
                }
                if self.step(index, at, aim) {
                    self.found.expanded += 1;
                    if self.found.expanded > self.core.query.budget {
                        return Err(Exhausted::Budget);
                    }
                }
            }
        }
        Ok(self.any)
    }

    /// Tries one arc of the last frame; true if a new frame stands.
    fn step(&mut self, index: u32, at: usize, aim: &mut Aim) -> bool {
        let frame = self.s.frames[self.s.frames.len() - 1];
        let arc = self.core.net.arc(index);
        let fresh = !bits::has(&self.s.visited, arc.to.0);
        let unused = !bits::has(&self.s.used, arc.link.0);
        let steps = self.s.links.len() as u32;
        let gain = if self.core.has_rows()
            && self.core.allowed(at) & combination(fresh, unused) == 0
        {
            None
        } else if self.core.has_rows()
            && !(self.core.gains && (self.core.hints().gain.fresh || self.core.hints().gain.unused))
        {
            Some(self.core.gain(at))
        } else {
            let DeepScratch { visited, .. } = &*self.s;
            self.core
                .ask(frame.state, &arc, steps, (fresh, unused), visited)
        };
        let Some(gain) = gain else { return false };
        self.s.nodes.push(arc.to);
        self.s.links.push(arc.link);
        bits::insert(&mut self.s.visited, arc.to.0);
        bits::insert(&mut self.s.used, arc.link.0);
        let state = self.core.after(index, &arc);
        let gain = frame.gain + i64::from(gain);
        self.enter(state, gain, (fresh, unused), aim);
        true
    }

    /// Stands a frame for the walk just extended: notes it as an end, and lets it go on unless a rule cuts it.
    fn enter(&mut self, state: u32, gain: i64, (fresh, unused): (bool, bool), aim: &mut Aim) {
        let steps = self.s.links.len() as u32;
        let node = self.core.node(state);
        let mut goes_on = steps < self.core.query.up_to;
        if self.known(state, steps, gain) {
            goes_on = false;
        } else {
            if steps >= self.core.query.at_least && self.core.may_end(node) {
                self.note_end(node, gain, aim);
            }
            if let Some(bound) = self.bound(state, self.core.query.up_to - steps) {
                goes_on &= bound > NEVER
                    && (!matches!(aim, Aim::Best) || self.found.beaten_by(gain + bound));
            }
        }
        let arcs = self.core.net.arcs_of(node);
        let row = if goes_on && self.core.has_rows() {
            self.core.row(state)
        } else {
            0
        };
        self.s.frames.push(Frame {
            state,
            next: if goes_on { arcs.start } else { arcs.end },
            end: arcs.end,
            row,
            gain,
            fresh,
            unused,
        });
    }

    fn leave(&mut self) {
        let Some(frame) = self.s.frames.pop() else {
            return;
        };
        if let Some(node) = self.s.nodes.pop()
            && frame.fresh
        {
            bits::remove(&mut self.s.visited, node.0);
        }
        if let Some(link) = self.s.links.pop()
            && frame.unused
        {
            bits::remove(&mut self.s.used, link.0);
        }
    }

    fn note_end(&mut self, node: NodeId, gain: i64, aim: &mut Aim) {
        let useful = match aim {
            Aim::Exists => !self.any,
            Aim::Ends(out) => !bits::has(out, node.0),
            Aim::Best => self.found.beaten_by(gain),
        };
        if !useful || !self.needed() {
            return;
        }
        self.any = true;
        match aim {
            Aim::Exists => {}
            Aim::Ends(out) => {
                bits::insert(out, node.0);
                self.ends_left -= u32::from(self.bounded);
            }
            Aim::Best => {
                self.found.value = Some(gain);
                self.found.nodes.clone_from(&self.s.nodes);
                self.found.links.clone_from(&self.s.links);
            }
        }
    }

    fn needed(&mut self) -> bool {
        match self.core.hints().need {
            Need::Nothing => true,
            Need::AnyOf(set) => set.iter().zip(&self.s.visited).any(|(a, b)| a & b != 0),
            Need::Asked => self.core.clauses.need(&Visit {
                nodes: &self.s.nodes,
                links: &self.s.links,
                visited: &self.s.visited,
            }),
        }
    }

    /// Whether the memo knows a walk no worse than this one; if not, this one is put in.
    fn known(&mut self, state: u32, steps: u32, gain: i64) -> bool {
        let s = &mut *self.s;
        s.key.clear();
        s.key.push(state);
        match self.core.hints().remembers {
            _ if !(self.core.reads.fresh
                || self.core.reads.nodes
                || self.core.hints().need != Need::Nothing) =>
            {
                s.key.resize(1 + s.visited.len(), 0);
            }
            Some(nodes) => {
                let needed = match self.core.hints().need {
                    Need::AnyOf(nodes) => nodes,
                    Need::Nothing | Need::Asked => &[],
                };
                let word = |set: &[u32], i: usize| set.get(i).copied().unwrap_or(0);
                let visited = s.visited.iter().enumerate();
                s.key
                    .extend(visited.map(|(i, v)| v & (word(nodes, i) | word(needed, i))));
            }
            None => s.key.extend_from_slice(&s.visited),
        }
        if self.core.reads.unused {
            s.key.extend_from_slice(&s.used);
        }
        let (at, old) = self.memo.find(&s.key);
        let fewer = !self.core.reads.steps;
        if let Some((old_steps, old_gain)) = old
            && old_gain >= gain
            && (old_steps == steps
                || (fewer && old_steps < steps && old_steps >= self.core.query.at_least))
        {
            return true;
        }
        self.memo.put(at, &s.key, steps, gain);
        false
    }
}
