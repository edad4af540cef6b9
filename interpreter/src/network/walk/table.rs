//! What all searches share: states, and the clauses' answers kept per (state, next arc).
//!
//! A **state** is what a clause can see of the present: the node, and the arc one came by if `onward` or `straight` is
//! read. Numbers below `arcs` are "came by this arc", `arcs + n` is "at node n" (a start, or direction is not read).

use super::{Clauses, Hints, Need, Query, Reads, Step};
use crate::network::{Adjacency, Arc, NodeId, bits, refill};

pub(super) const NONE: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Table {
    /// Where a state's row begins, [`NONE`] if not yet asked.
    row_at: Vec<u32>,
    /// For each arc of the state's node: is it allowed, bit `fresh + 2 * unused`.
    allowed: Vec<u8>,
    /// The greatest gain of it over what is allowed.
    gain: Vec<i32>,
    end: Vec<Option<bool>>,
}

pub(super) struct Core<'q, A, C> {
    pub net: &'q A,
    pub clauses: &'q mut C,
    pub query: &'q Query<'q>,
    /// What the clauses in use read, together.
    pub reads: Reads,
    pub arcs: u32,
    pub gains: bool,
    table: &'q mut Table,
}

impl<'q, A: Adjacency, C: Clauses> Core<'q, A, C> {
    pub fn new(
        net: &'q A,
        query: &'q Query<'q>,
        clauses: &'q mut C,
        table: &'q mut Table,
        gains: bool,
    ) -> Self {
        let arcs = net.arc_count();
        refill(&mut table.row_at, (arcs + net.node_count()) as usize, NONE);
        refill(&mut table.end, net.node_count() as usize, None);
        table.allowed.clear();
        table.gain.clear();
        let mut reads = query.hints.allows;
        if gains {
            reads = reads.with(query.hints.gain);
        }
        Core {
            net,
            clauses,
            query,
            reads,
            arcs,
            gains,
            table,
        }
    }

    pub fn hints(&self) -> &'q Hints<'q> {
        &self.query.hints
    }

    /// Whether anything about the visited nodes or used links matters.
    pub fn remembers(&self) -> bool {
        self.reads.remembers() || self.hints().need != Need::Nothing
    }

    /// Whether all that clauses read of the past is `fresh` and `unused`, and that only to allow steps of a walk of any
    /// length: then circles may not pay.
    pub fn may_forget(&self) -> bool {
        let gain_remembers = self.gains && self.hints().gain.remembers();
        let more = self.reads.nodes || self.reads.direction || self.reads.steps || gain_remembers;
        !more && self.hints().need == Need::Nothing && self.query.at_least == 0
    }

    /// Whether the clauses' answers can be kept in rows.
    pub fn has_rows(&self) -> bool {
        !self.reads.steps && !self.reads.nodes
    }

    pub fn start(&self, node: NodeId) -> u32 {
        self.arcs + node.0
    }

    pub fn after(&self, index: u32, arc: &Arc) -> u32 {
        if self.reads.direction {
            index
        } else {
            self.arcs + arc.to.0
        }
    }

    pub fn node(&self, state: u32) -> NodeId {
        if state < self.arcs {
            self.net.arc(state).to
        } else {
            NodeId(state - self.arcs)
        }
    }

    pub fn starts(&self) -> impl Iterator<Item = NodeId> + use<'q, A, C> {
        let nodes = self.net.node_count();
        bits::iter(self.query.from)
            .take_while(move |&node| node < nodes)
            .map(NodeId)
    }

    pub fn may_end(&mut self, node: NodeId) -> bool {
        if !self.hints().to {
            return true;
        }
        let clauses = &mut self.clauses;
        *self.table.end[node.index()].get_or_insert_with(|| clauses.may_end(node))
    }

    /// The gain of a step if it is allowed, asked of the clauses.
    pub fn ask(
        &mut self,
        state: u32,
        arc: &Arc,
        steps: u32,
        (fresh, unused): (bool, bool),
        visited: &[u32],
    ) -> Option<i32> {
        if !self.net.is_active(arc.link) {
            return None;
        }
        let last = (state < self.arcs).then(|| self.net.arc(state));
        let step = Step {
            here: self.node(state),
            next: arc.to,
            link: arc.link,
            side: arc.side,
            steps,
            fresh,
            unused,
            onward: last.is_none_or(|last| last.entry != arc.gate),
            straight: last.is_none_or(|last| last.side == arc.side),
            visited,
        };
        if !self.clauses.allows(&step) {
            return None;
        }
        Some(if self.gains {
            self.clauses.gain(&step)
        } else {
            0
        })
    }

    /// The place of the state's row; entry `k` is the `k`th arc of its node. Only if [`Core::has_rows`].
    pub fn row(&mut self, state: u32) -> usize {
        let at = self.table.row_at[state as usize];
        if at != NONE {
            return at as usize;
        }
        let at = self.table.allowed.len();
        self.table.row_at[state as usize] = at as u32;
        for index in self.net.arcs_of(self.node(state)) {
            let arc = self.net.arc(index);
            let looks = self
                .hints()
                .remembers
                .is_none_or(|nodes| bits::has(nodes, arc.to.0));
            // A past that no clause can tell from another has that one's answer.
            let tells_fresh = self.reads.fresh && looks;
            let mut answers = [self.ask(state, &arc, 0, (true, true), &[]); 4];
            if tells_fresh {
                answers[2] = self.ask(state, &arc, 0, (false, true), &[]);
                answers[0] = answers[2];
            }
            if self.reads.unused {
                answers[1] = self.ask(state, &arc, 0, (true, false), &[]);
                answers[0] = answers[1];
            }
            if tells_fresh && self.reads.unused {
                answers[0] = self.ask(state, &arc, 0, (false, false), &[]);
            }
            let (mut allowed, mut most) = (0, i32::MIN);
            for (combination, answer) in answers.into_iter().enumerate() {
                if let Some(gain) = answer {
                    allowed |= 1 << combination;
                    most = most.max(gain);
                }
            }
            self.table.allowed.push(allowed);
            self.table.gain.push(if allowed == 0 { 0 } else { most });
        }
        at
    }

    pub fn allowed(&self, at: usize) -> u8 {
        self.table.allowed[at]
    }

    pub fn gain(&self, at: usize) -> i32 {
        self.table.gain[at]
    }

    pub fn same_row(&self, a: usize, b: usize, len: usize) -> bool {
        self.table.allowed[a..a + len] == self.table.allowed[b..b + len]
            && self.table.gain[a..a + len] == self.table.gain[b..b + len]
    }
}

/// The bit of a step in a row's `allowed`.
pub(super) fn combination(fresh: bool, unused: bool) -> u8 {
    1 << (u8::from(fresh) + 2 * u8::from(unused))
}
