//! Best walks: a walk's clauses asked while the search runs.

use super::networks::Cache;
use super::{Halt, Machine};
use crate::network::walk::{self, Clauses, Hints, Need, Query, Reads, Step, Visit as Visited};
use crate::network::{
    Adjacency, Exhausted, Lattice, LinkId, NodeId as Node_, Scratch, TileNetwork, bits,
};
use crate::program::walk_word as word;
use crate::program::*;
use dsl::ir::number::{self, NoNumber};

/// A network without some of its links.
pub(super) struct OpenNetwork<'a> {
    net: AnyNetwork<'a>,
    barred: &'a [u32],
}

impl Adjacency for OpenNetwork<'_> {
    fn node_count(&self) -> u32 {
        self.net.node_count()
    }
    fn link_count(&self) -> u32 {
        self.net.link_count()
    }
    fn arc_count(&self) -> u32 {
        self.net.arc_count()
    }
    fn arcs_of(&self, node: Node_) -> std::ops::Range<u32> {
        self.net.arcs_of(node)
    }
    fn arc(&self, index: u32) -> crate::network::Arc {
        self.net.arc(index)
    }
    fn is_active(&self, link: LinkId) -> bool {
        !bits::has(self.barred, link.0) && self.net.is_active(link)
    }
}

/// Either kind of network, for searches.
enum AnyNetwork<'a> {
    Links(crate::network::Masked<'a>),
    Grid(&'a Lattice),
    Tiles(&'a TileNetwork),
}

impl Adjacency for AnyNetwork<'_> {
    fn node_count(&self) -> u32 {
        match self {
            AnyNetwork::Links(n) => n.node_count(),
            AnyNetwork::Grid(n) => n.node_count(),
            AnyNetwork::Tiles(n) => n.node_count(),
        }
    }
    fn link_count(&self) -> u32 {
        match self {
            AnyNetwork::Links(n) => n.link_count(),
            AnyNetwork::Grid(n) => n.link_count(),
            AnyNetwork::Tiles(n) => n.link_count(),
        }
    }
    fn arc_count(&self) -> u32 {
        match self {
            AnyNetwork::Links(n) => n.arc_count(),
            AnyNetwork::Grid(n) => n.arc_count(),
            AnyNetwork::Tiles(n) => n.arc_count(),
        }
    }
    fn arcs_of(&self, node: Node_) -> std::ops::Range<u32> {
        match self {
            AnyNetwork::Links(n) => n.arcs_of(node),
            AnyNetwork::Grid(n) => n.arcs_of(node),
            AnyNetwork::Tiles(n) => n.arcs_of(node),
        }
    }
    fn arc(&self, index: u32) -> crate::network::Arc {
        match self {
            AnyNetwork::Links(n) => n.arc(index),
            AnyNetwork::Grid(n) => n.arc(index),
            AnyNetwork::Tiles(n) => n.arc(index),
        }
    }
    fn is_active(&self, link: LinkId) -> bool {
        match self {
            AnyNetwork::Links(n) => n.is_active(link),
            AnyNetwork::Grid(n) => n.is_active(link),
            AnyNetwork::Tiles(n) => n.is_active(link),
        }
    }
}

/// The clauses of the rules, asked by a search.
pub(super) struct WalkClauses<'a, 'p> {
    machine: &'a mut Machine<'p>,
    code: &'p WalkCode,
    /// The nodes of `to`.
    ends: Option<Vec<u32>>,
}

impl WalkClauses<'_, '_> {
    fn put(&mut self, step: &Step) {
        let base = self.machine.fp + self.code.words as usize;
        let m = &mut self.machine.m;
        m[base + word::HERE as usize] = step.here.0 as i32;
        m[base + word::NEXT as usize] = step.next.0 as i32;
        m[base + word::LINK as usize] = step.link.0 as i32;
        m[base + word::SIDE as usize] = step.side as i32;
        m[base + word::STEPS as usize] = step.steps as i32;
        m[base + word::FRESH as usize] = i32::from(step.fresh);
        m[base + word::UNUSED as usize] = i32::from(step.unused);
        m[base + word::ONWARD as usize] = i32::from(step.onward);
        m[base + word::STRAIGHT as usize] = i32::from(step.straight);
        for (at, value) in step.visited.iter().enumerate() {
            m[base + word::SETS as usize + at] = *value as i32;
        }
    }

    fn ask(&mut self, node: NodeId) -> i32 {
        let top = self.machine.top;
        let value = self.machine.ev(node);
        self.machine.top = top;
        value
    }
}

impl Clauses for WalkClauses<'_, '_> {
    fn allows(&mut self, step: &Step) -> bool {
        let Some(clause) = self.code.where_ else {
            return true;
        };
        self.put(step);
        self.ask(clause) != 0
    }

    fn gain(&mut self, step: &Step) -> i32 {
        let Some(clause) = self.code.max else {
            return 0;
        };
        self.put(step);
        self.ask(clause)
    }

    fn start_gain(&mut self, start: Node_) -> i32 {
        let Some(clause) = self.code.start else {
            return 0;
        };
        let base = self.machine.fp + self.code.words as usize;
        self.machine.m[base + word::HERE as usize] = start.0 as i32;
        self.ask(clause)
    }

    fn may_end(&mut self, node: Node_) -> bool {
        self.ends
            .as_ref()
            .is_none_or(|ends| bits::has(ends, node.0))
    }

    fn need(&mut self, visit: &Visited) -> bool {
        let Some(clause) = self.code.need else {
            return true;
        };
        let base = self.machine.fp + self.code.words as usize;
        let last = visit.nodes.last().map_or(NONE, |n| n.0 as i32);
        self.machine.m[base + word::HERE as usize] = last;
        self.machine.m[base + word::STEPS as usize] = visit.links.len() as i32;
        for (at, value) in visit.visited.iter().enumerate() {
            self.machine.m[base + word::SETS as usize + at] = *value as i32;
        }
        self.ask(clause) != 0
    }
}

/// What the search is told of the clauses.
fn hints<'a>(
    code: &WalkCode,
    needed: Option<&'a [u32]>,
    remembers: Option<&'a [u32]>,
) -> Hints<'a> {
    let more = code.uses.need_more;
    let reads = Reads {
        fresh: code.uses.visited,
        unused: code.uses.links,
        nodes: code.uses.visited && remembers.is_none() || more,
        direction: code.uses.direction,
        steps: code.uses.steps || more,
    };
    Hints {
        allows: if code.where_.is_some() || more {
            reads
        } else {
            Reads::NOTHING
        },
        gain: if code.max.is_some() {
            Reads {
                fresh: code.uses.gain_fresh,
                nodes: code.uses.gain_nodes,
                ..reads
            }
        } else {
            Reads::NOTHING
        },
        to: code.to.is_some(),
        need: match needed {
            Some(set) => Need::AnyOf(set),
            None if code.need.is_some() => Need::Asked,
            None => Need::Nothing,
        },
        remembers,
    }
}

impl<'p> Machine<'p> {
    // ------------------------------------------------------------------------------------------ walk queries

    pub(crate) fn best_walk(&mut self, id: WalkId) -> i32 {
        let code = &self.p.walks[id.at()];
        match code.total {
            Some(at) => self.total(at, |machine| machine.best_walk_now(code)),
            None => self.best_walk_now(code),
        }
    }

    fn best_walk_now(&mut self, code: &'p WalkCode) -> i32 {
        if let Some(walkers) = code.by {
            let value = number::number(self.best_walks(code, walkers, |_| {}));
            return self.walk_value(code, value);
        }
        if let Some(value) = self.trail(code) {
            return value;
        }
        let best = match self.best_by_course(code) {
            Some(best) => best,
            None => {
                let best = self.walk_query(code, |network, query, clauses, scratch| {
                    Ok(walk::best(network, query, clauses, scratch)?.map(|best| best.value))
                });
                best.flatten()
            }
        };
        let value = best.map(number::number);
        value.map_or(NONE, |value| self.walk_value(code, value))
    }

    fn walk_value(&mut self, code: &WalkCode, value: Result<i32, NoNumber>) -> i32 {
        value.unwrap_or_else(|why| {
            self.comes_to_nothing(code.span, Some(why));
            0
        })
    }

    pub(crate) fn walk_nodes(&mut self, id: WalkId, to: usize, shape: Shape) {
        let p = self.p;
        let code = &p.walks[id.at()];
        let mut nodes = self.networks.lend(0);
        let mut note = |walk: &[Node_]| nodes.extend(walk.iter().map(|node| node.0));
        match code.by {
            Some(walkers) => {
                self.best_walks(code, walkers, note);
            }
            None => {
                self.walk_query(code, |network, query, clauses, scratch| {
                    if let Some(best) = walk::best(network, query, clauses, scratch)? {
                        note(best.nodes);
                    }
                    Ok(())
                });
            }
        }
        for node in &nodes {
            self.put_value(*node as i32, to, shape, 1);
        }
        self.networks.give_back(nodes);
    }

    pub(crate) fn distance(&mut self, id: WalkId) -> i32 {
        let p = self.p;
        let code = &p.walks[id.at()];
        let steps = match self.distance_by_course(code) {
            Some(steps) => steps,
            None => {
                let steps = self.walk_query(code, |network, query, clauses, scratch| {
                    walk::distance(network, query, clauses, scratch)
                });
                steps.flatten()
            }
        };
        steps.map_or(NONE, |steps| steps as i32)
    }

    pub(crate) fn ends_of_walk(&mut self, id: WalkId, to: usize, shape: Shape) {
        let p = self.p;
        let code = &p.walks[id.at()];
        if self.ends_by_course(code, to) {
            return;
        }
        let words = bits::words(p.networks[code.network as usize].nodes);
        let mut out = self.networks.lend(words);
        self.walk_query(code, |network, query, clauses, scratch| {
            walk::ends(network, query, clauses, scratch, &mut out)
        });
        for node in bits::iter(&out) {
            self.put_value(node as i32, to, shape, 1);
        }
        self.networks.give_back(out);
    }

    /// `where unused max link.…` over everything is the longest trail, which has a search of its own.
    pub(super) fn trail(&mut self, code: &WalkCode) -> Option<i32> {
        let p = self.p;
        let plain = code.to.is_none()
            && code.up_to.is_none()
            && code.at_least.is_none()
            && code.need.is_none();
        let everywhere = matches!(p.nodes[code.from.at()], Node::Words(_));
        let unused = matches!(p.nodes[code.where_?.at()], Node::Local(at) if at == code.words + word::UNUSED);
        if !plain
            || !everywhere
            || !unused
            || code.uses.visited
            || code.uses.direction
            || code.uses.steps
        {
            return None;
        }
        let gain = code.max?;
        let Node::Column(base, row) = p.nodes[gain.at()] else {
            return None;
        };
        if !p.natural_columns.contains(&base) {
            return None;
        }
        if !matches!(p.nodes[row.at()], Node::Local(at) if at == code.words + word::LINK) {
            return None;
        }
        let NetworkKind::Links { graph, .. } = &p.networks[code.network as usize].kind else {
            return None;
        };
        let receiver = code.receiver.map_or(0, |r| self.ev(r));
        let owner = self.know(code.network as usize, receiver)?;
        let Cache { links, scratch, .. } = &mut self.networks;
        let mask = &links[code.network as usize][owner].mask;
        let weight = |link: LinkId| p.consts[(base + link.0) as usize] as u32;
        let found = graph.longest_trail(|link| bits::has(mask, link.0), weight, scratch);
        match found.map(|found| found.value) {
            // Lengths of up to 2^31 of at most 2^32 links.
            Ok(value) => Some(self.walk_value(code, number::number(value as i64))),
            Err(_) => {
                self.broken(
                    code.span,
                    "the longest walk could not be found within the search's bounds",
                );
                Some(0)
            }
        }
    }

    /// What is asked of a walk's network; none where it does not come to an answer.
    fn walk_query<T>(
        &mut self,
        code: &'p WalkCode,
        ask: impl FnOnce(
            &OpenNetwork<'_>,
            &Query<'_>,
            &mut WalkClauses<'_, 'p>,
            &mut Scratch,
        ) -> Result<T, Exhausted>,
    ) -> Option<T> {
        let result = self.walk_search(code, &[], WALK_STEPS_SEARCHED_MAX, ask)?;
        if result.is_err() {
            self.broken(
                code.span,
                "the walk could not be found within the search's bounds",
            );
        }
        result.ok()
    }

    /// The same without some links, within so many partial walks; none where the network has no owner.
    pub(super) fn walk_search<T>(
        &mut self,
        code: &'p WalkCode,
        barred: &[u32],
        budget: u32,
        ask: impl FnOnce(
            &OpenNetwork<'_>,
            &Query<'_>,
            &mut WalkClauses<'_, 'p>,
            &mut Scratch,
        ) -> Result<T, Exhausted>,
    ) -> Option<Result<T, Exhausted>> {
        let p = self.p;
        let network = code.network as usize;
        let nodes = p.networks[network].nodes;
        let receiver = code.receiver.map_or(0, |r| self.ev(r));
        let owner = self.know_links(network, receiver)?;
        let mut from = self.networks.lend(bits::words(nodes));
        self.nodes_into(code.from, code.from_set, &mut from);
        let up_to = code.up_to.map_or(u32::MAX, |n| self.ev(n).max(0) as u32);
        let at_least = code.at_least.map_or(0, |n| self.ev(n).max(0) as u32);
        let ends = code.to.map(|(to, is_set)| {
            let mut ends = self.networks.lend(bits::words(nodes));
            self.nodes_into(to, is_set, &mut ends);
            ends
        });
        let needed = code.need_any.map(|binder| self.nodes_where(binder, nodes));
        let remembers = self.remembered(code, nodes);
        let hints = hints(code, needed.as_deref(), remembers.as_deref());
        let query = Query {
            from: &from,
            up_to,
            at_least,
            hints,
            budget,
        };
        let links = std::mem::take(&mut self.networks.links[network][owner]);
        let mut scratch = std::mem::take(&mut self.networks.scratch);
        let net = match &p.networks[network].kind {
            NetworkKind::Links { graph, .. } => AnyNetwork::Links(graph.masked(&links.mask)),
            NetworkKind::Neighbours(lattice) => AnyNetwork::Grid(lattice),
            NetworkKind::Joins { .. } => AnyNetwork::Tiles(&links.tiles),
        };
        let mut clauses = WalkClauses {
            machine: self,
            code,
            ends,
        };
        let net = OpenNetwork { net, barred };
        let result = ask(&net, &query, &mut clauses, &mut scratch);
        let ends = clauses.ends;
        self.networks.scratch = scratch;
        self.networks.links[network][owner] = links;
        let sets = [Some(from), ends, needed, remembers];
        for set in sets.into_iter().flatten() {
            self.networks.give_back(set);
        }
        Some(result)
    }

    pub(super) fn nodes_into(&mut self, node: NodeId, is_set: bool, out: &mut [u32]) {
        if !is_set {
            let value = self.ev(node);
            if value >= 0 {
                bits::insert(out, value as u32);
            }
            return;
        }
        let top = self.top;
        let loc = self.loc(node);
        self.for_items(loc, self.p.shapes[node.at()], |_, value, _| {
            if value >= 0 {
                bits::insert(out, value as u32);
            }
            true
        });
        self.top = top;
    }

    /// The nodes that meet a binder's conditions.
    fn nodes_where(&mut self, binder: BinderId, nodes: u32) -> Vec<u32> {
        let p = self.p;
        let binder = &p.binders[binder.at()];
        let local = self.fp + binder.local as usize;
        let mut found = self.networks.lend(bits::words(nodes));
        for node in 0..nodes {
            self.m[local] = node as i32;
            if binder
                .conditions
                .iter()
                .all(|(condition, _)| self.ev(*condition) != 0)
            {
                bits::insert(&mut found, node);
            }
        }
        self.m[local] = 0;
        found
    }

    /// The nodes that must be remembered, where not all of them: those for which no REST of some `fresh or REST` holds.
    fn remembered(&mut self, code: &WalkCode, nodes: u32) -> Option<Vec<u32>> {
        if code.rests.is_empty() || self.halt != Halt::No {
            return None;
        }
        let mut found = self.networks.lend(bits::words(nodes));
        let at = self.fp + (code.words + word::NEXT) as usize;
        for node in 0..nodes {
            self.m[at] = node as i32;
            let forgotten = code.rests.iter().all(|any| {
                any.iter().any(|rest| {
                    let holds = self.ev(*rest) != 0;
                    // What comes to nothing out of its place says nothing: the node is remembered.
                    self.fault = None;
                    std::mem::replace(&mut self.halt, Halt::No) == Halt::No && holds
                })
            });
            if !forgotten {
                bits::insert(&mut found, node);
            }
        }
        self.m[at] = 0;
        Some(found)
    }
}
