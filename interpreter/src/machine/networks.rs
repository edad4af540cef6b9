//! Networks as the rules ask them: what is joined, reached, walked. What links there are is remembered until a word they
//! depend on is written.

use super::answers::{Answer, AnswerKind, Raw};
use super::{Halt, Loc, Machine};

use crate::network::walk::{self, Clauses, Hints, Need, Query, Reads, Step, Visit as Visited};
use crate::network::{
    Adjacency, Lattice, Layout, LinkId, NodeId as Node_, Scratch, TileNetwork, bits,
};
use crate::program::walk_word as word;
use crate::program::*;
use dsl::ir::number::{self, NoNumber};

/// One network of one owner.
#[derive(Clone, Debug, Default)]
struct Links {
    valid: bool,
    /// Active links, for printed links.
    mask: Vec<u32>,
    /// What laid tiles join.
    tiles: TileNetwork,
    /// For each node the least node it is joined with.
    label: Vec<u32>,
    /// For each node another one it is joined with: one after the other they lead through all of them and back.
    ring: Vec<u32>,
    /// Length of the longest trail, and where the weights lie that it was asked for with.
    trail: Option<(u32, i32)>,
}

impl Links {
    /// Closes the rings of nodes with the same label; all others are rings of their own.
    fn close_rings(&mut self, nodes: impl Iterator<Item = u32>) {
        self.ring.clear();
        self.ring.extend(0..self.label.len() as u32);
        for node in nodes {
            let least = self.label[node as usize];
            if least != node {
                self.ring.swap(node as usize, least as usize);
            }
        }
    }
}

/// Everything remembered of networks; not part of the state.
#[derive(Default)]
pub(crate) struct Cache {
    links: Vec<Vec<Links>>,
    layout: Layout,
    ports: Layout,
    scratch: Scratch,
    masks: Vec<u64>,
    set: Vec<u32>,
    /// Buffers for sets of nodes that nobody uses now.
    spare: Vec<Vec<u32>>,
    /// Something was written since networks were last asked.
    any_valid: bool,
}

impl Cache {
    pub fn new(program: &Program) -> Cache {
        let links = program
            .networks
            .iter()
            .map(|network| vec![Links::default(); network.owners as usize])
            .collect();
        let mut cache = Cache {
            links,
            ..Cache::default()
        };
        if let Some(tiling) = &program.tiling {
            let next: Vec<u32> = (0..tiling.positions)
                .flat_map(|position| (0..4).map(move |side| (position, side)))
                .map(|(position, side)| tiling.next[(position * tiling.directions + side) as usize])
                .map(|to| u32::try_from(to).unwrap_or(crate::network::NO_CELL))
                .collect();
            cache.layout = Layout::by_sides(next.clone(), &[2, 3, 0, 1]);
            cache.ports = Layout {
                cells: tiling.positions,
                sides: 4,
                next,
                facing: (0..8)
                    .map(|port| {
                        (
                            tiling.port_side[port] as u32,
                            tiling.port_faces[port] as u32,
                        )
                    })
                    .collect(),
            };
        }
        cache
    }

    /// An empty set of so many words.
    fn lend(&mut self, words: usize) -> Vec<u32> {
        let mut set = self.spare.pop().unwrap_or_default();
        set.clear();
        set.resize(words, 0);
        set
    }

    fn give_back(&mut self, set: Vec<u32>) {
        self.spare.push(set);
    }

    /// A word was written on which this network depends: it is no longer known.
    #[inline]
    pub fn touch(&mut self, network: u32, owner: u32) {
        if self.any_valid
            && let Some(links) = self.links.get_mut(network as usize)
        {
            links[owner as usize].valid = false;
        }
    }

    pub fn forget(&mut self) {
        self.any_valid = false;
        for links in self.links.iter_mut().flatten() {
            links.valid = false;
        }
    }
}

impl<'p> Machine<'p> {
    /// Finds out what links there are, if that is not known.
    fn know(&mut self, network: usize, owner: i32) -> Option<usize> {
        let owner = usize::try_from(owner).ok()?;
        if self.networks.links.get(network)?.get(owner)?.valid {
            return Some(owner);
        }
        let p = self.p;
        let code = &p.networks[network];
        let mut links = std::mem::take(&mut self.networks.links[network][owner]);
        match &code.kind {
            NetworkKind::Links { graph, .. } => {
                links.mask.clear();
                links.mask.resize(bits::words(code.links), 0);
                for link in 0..code.links {
                    if self.link_is_there(code, owner as u32, link) {
                        bits::insert(&mut links.mask, link);
                    }
                }
                label_graph(graph, &links.mask, &mut links.label);
                links.close_rings(0..graph.node_count());
            }
            NetworkKind::Neighbours(lattice) => {
                links.label.clear();
                links.label.resize(lattice.node_count() as usize, 0);
                links.close_rings(0..lattice.node_count());
            }
            NetworkKind::Joins {
                column,
                stride,
                parts,
                port,
            } => {
                self.know_tiles(&mut links, code, *column, *stride, *parts, *port);
                let tiles = std::mem::take(&mut links.tiles);
                links.close_rings(tiles.nodes());
                links.tiles = tiles;
            }
        }
        links.trail = None;
        // What broke off is not known.
        links.valid = self.halt == Halt::No;
        self.networks.any_valid = true;
        self.networks.links[network][owner] = links;
        Some(owner)
    }

    fn link_is_there(&mut self, code: &NetworkCode, owner: u32, link: u32) -> bool {
        code.condition.is_none_or(|condition| {
            let binding = owner * code.links + link;
            self.binding_holds(&code.bindings, binding, condition, false)
        })
    }

    fn know_tiles(
        &mut self,
        links: &mut Links,
        code: &NetworkCode,
        column: u32,
        stride: u32,
        parts: Option<u32>,
        port: bool,
    ) {
        let p = self.p;
        let Some(tiling) = &p.tiling else { return };
        let max = parts.map_or(1, |at| tiling.parts[at as usize].max);
        let mut masks = std::mem::take(&mut self.networks.masks);
        let mut laid = std::mem::take(&mut self.networks.set);
        masks.clear();
        laid.clear();
        self.each_laid(tiling, |machine, position, tile| {
            let turn = tiling.turn_cell.map_or(0, |slot| {
                let cell = &p.cells[slot.at()];
                machine.m[(cell.base + position * cell.words) as usize]
            });
            let (first, count) = parts.map_or((tile, 1), |at| {
                tiling.parts[at as usize].rows[tile as usize]
            });
            for part in 0..max {
                let base = (column + (first + part) * stride) as usize;
                let sides = if part < count { p.consts[base] } else { 0 };
                let turned = bits::iter(&[sides as u32])
                    .map(|side| machine.turned_by(turn, side as i32, port))
                    .fold(0u64, |turned, side| turned | 1 << side);
                masks.push(turned);
            }
            laid.push(position);
            true
        });
        let layout = if port {
            &self.networks.ports
        } else {
            &self.networks.layout
        };
        let mut parts = masks.chunks(max as usize);
        links
            .tiles
            .rebuild_laid(layout, max, laid.iter().copied(), |_| {
                parts.next().unwrap_or_default()
            });
        self.networks.masks = masks;
        self.networks.set = laid;
        label_tiles(&links.tiles, code.nodes, &mut links.label);
    }

    pub(crate) fn joins(&mut self, network: usize, owner: i32, a: i32, b: i32) -> bool {
        if a < 0 || b < 0 {
            return false;
        }
        let known = self.know(network, owner);
        known.is_some_and(|owner| self.are_joined(network, owner, a, b))
    }

    /// Of nodes of an owner whose network is known.
    fn are_joined(&self, network: usize, owner: usize, a: i32, b: i32) -> bool {
        let label = &self.networks.links[network][owner].label;
        match (label.get(a as usize), label.get(b as usize)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// Whether a node is among those that can be reached; these are not listed for it.
    pub(super) fn is_reached(
        &mut self,
        network: usize,
        owner: i32,
        from: NodeId,
        node: i32,
    ) -> bool {
        let shape = self.p.shapes[from.at()];
        if shape == Shape::Scalar {
            let start = self.ev(from);
            return self.joins(network, owner, start, node);
        }
        let Some(owner) = self.know(network, owner) else {
            return false;
        };
        let loc = self.loc(from);
        !self.for_items(loc, shape, |machine, start, _| {
            !machine.are_joined(network, owner, start, node)
        })
    }

    pub(crate) fn reach(
        &mut self,
        network: usize,
        owner: i32,
        from: NodeId,
        to: usize,
        shape: Shape,
    ) {
        let Some(owner) = self.know(network, owner) else {
            return;
        };
        let mut starts = std::mem::take(&mut self.networks.set);
        starts.clear();
        let from_shape = self.p.shapes[from.at()];
        if from_shape == Shape::Scalar {
            let node = self.ev(from);
            starts.extend(u32::try_from(node).ok());
        } else {
            let loc = self.loc(from);
            self.for_items(loc, from_shape, |_, node, _| {
                starts.extend(u32::try_from(node).ok());
                true
            });
        }
        for start in &starts {
            // With one node of a ring all of it is there.
            if self.holds(Loc::State(to), shape, *start as i32) {
                continue;
            }
            let mut node = *start;
            while let Some(next) = self.networks.links[network][owner].ring.get(node as usize) {
                let next = *next;
                self.put_value(node as i32, to, shape, 1);
                node = next;
                if node == *start {
                    break;
                }
            }
        }
        self.networks.set = starts;
    }

    // ------------------------------------------------------------------------------------------ walk queries

    pub(crate) fn best_walk(&mut self, id: WalkId) -> i32 {
        let p = self.p;
        let code = &p.walks[id.at()];
        if let Some(value) = self.trail(code) {
            return value;
        }
        let best = self.walk_query(code, |network, query, clauses, scratch| {
            Ok(walk::best(network, query, clauses, scratch)?.map(|best| best.value))
        });
        let value = best.flatten().map(number::number);
        value.map_or(NONE, |value| self.walk_value(code, value))
    }

    fn walk_value(&mut self, code: &WalkCode, value: Result<i32, NoNumber>) -> i32 {
        value.unwrap_or_else(|why| {
            self.comes_to_nothing(code.span, Some(why));
            0
        })
    }

    pub(crate) fn walk_nodes(&mut self, node: NodeId, to: usize, shape: Shape) {
        let Some(id) = self.walk_of(node) else { return };
        let p = self.p;
        let code = &p.walks[id.at()];
        let mut nodes = self.networks.lend(0);
        self.walk_query(code, |network, query, clauses, scratch| {
            if let Some(best) = walk::best(network, query, clauses, scratch)? {
                nodes.extend(best.nodes.iter().map(|n| n.0));
            }
            Ok(())
        });
        for node in &nodes {
            self.put_value(*node as i32, to, shape, 1);
        }
        self.networks.give_back(nodes);
    }

    /// The walk behind a value: written there, or in the formula that is called.
    fn walk_of(&mut self, node: NodeId) -> Option<WalkId> {
        match self.p.nodes[node.at()] {
            Node::BestWalk(id) => Some(id),
            Node::Call(proc, args) => {
                let base = self.enter_formula(proc, args);
                let inner = self.p.procs[proc.at()].body;
                // The clauses read the formula's locals: copy its frame to where the walk's words are expected.
                let caller = std::mem::replace(&mut self.fp, base);
                let id = self.walk_of(inner);
                self.fp = caller;
                id
            }
            Node::Unwrap(inner, _) => self.walk_of(inner),
            _ => None,
        }
    }

    pub(crate) fn ends_of_walk(&mut self, id: WalkId, to: usize, shape: Shape) {
        let p = self.p;
        let code = &p.walks[id.at()];
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
    fn trail(&mut self, code: &WalkCode) -> Option<i32> {
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
        let Links { mask, trail, .. } = &mut links[code.network as usize][owner];
        if let Some((weights, value)) = *trail
            && weights == base
        {
            return Some(value);
        }
        let weight = |link: LinkId| p.consts[(base + link.0) as usize] as u32;
        match graph.longest_trail(|link| bits::has(mask, link.0), weight, scratch) {
            Ok(found) => {
                // Lengths of up to 2^31 of at most 2^32 links.
                let value = number::number(found.value as i64);
                *trail = value.ok().map(|value| (base, value));
                Some(self.walk_value(code, value))
            }
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
            &AnyNetwork<'_>,
            &Query<'_>,
            &mut WalkClauses<'_, 'p>,
            &mut Scratch,
        ) -> Result<T, crate::network::Exhausted>,
    ) -> Option<T> {
        let p = self.p;
        let network = code.network as usize;
        let nodes = p.networks[network].nodes;
        let receiver = code.receiver.map_or(0, |r| self.ev(r));
        let owner = self.know(network, receiver)?;
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
        let more = code.uses.need_more;
        let reads = Reads {
            fresh: code.uses.visited,
            unused: code.uses.links,
            nodes: code.uses.visited && remembers.is_none() || more,
            direction: code.uses.direction,
            steps: code.uses.steps || more,
        };
        let hints = Hints {
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
            need: match &needed {
                Some(set) => Need::AnyOf(set),
                None if code.need.is_some() => Need::Asked,
                None => Need::Nothing,
            },
            remembers: remembers.as_deref(),
        };
        let query = Query {
            from: &from,
            up_to,
            at_least,
            hints,
            budget: WALK_STEPS_SEARCHED_MAX,
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
        let result = ask(&net, &query, &mut clauses, &mut scratch);
        let ends = clauses.ends;
        self.networks.scratch = scratch;
        self.networks.links[network][owner] = links;
        let sets = [Some(from), ends, needed, remembers];
        for set in sets.into_iter().flatten() {
            self.networks.give_back(set);
        }
        if result.is_err() {
            self.broken(
                code.span,
                "the best walk could not be found within the search's bounds",
            );
        }
        result.ok()
    }

    fn nodes_into(&mut self, node: NodeId, is_set: bool, out: &mut [u32]) {
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
        let Some(owner) = self.know(code.network as usize, receiver) else {
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
                self.know(network, receiver);
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
    fn arc(
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
struct WalkClauses<'a, 'p> {
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

/// Labels each node with the least node it is joined with.
fn label_graph(graph: &crate::network::Graph, mask: &[u32], label: &mut Vec<u32>) {
    label.clear();
    label.extend(0..graph.node_count());
    for link in bits::iter(mask) {
        let (a, b) = graph.ends(LinkId(link));
        merge(label, a.0, b.0);
    }
    flatten(label);
}

fn label_tiles(tiles: &TileNetwork, nodes: u32, label: &mut Vec<u32>) {
    label.clear();
    label.extend(0..nodes);
    for node in tiles.nodes() {
        for index in tiles.arcs_of(Node_(node)) {
            merge(label, node, tiles.arc(index).to.0);
        }
    }
    for node in tiles.nodes() {
        label[node as usize] = label[label[node as usize] as usize];
    }
}

fn root(label: &[u32], mut node: u32) -> u32 {
    while label[node as usize] != node {
        node = label[node as usize];
    }
    node
}

fn merge(label: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(label, a), root(label, b));
    let (low, high) = (a.min(b), a.max(b));
    label[high as usize] = low;
}

fn flatten(label: &mut [u32]) {
    for node in 0..label.len() {
        label[node] = label[label[node] as usize];
    }
}
