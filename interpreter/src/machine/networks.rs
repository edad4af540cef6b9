//! Networks as the rules ask them: what is joined, reached, walked. What links there are is remembered until a word they
//! depend on is written.

use super::labels::{Links, label_graph};
use super::{Halt, Loc, Machine};
use crate::Program;
use crate::network::walk::SetScratch;
use crate::network::{Adjacency, Layout, Scratch, bits};
use crate::program::*;

/// Everything remembered of networks; not part of the state.
#[derive(Default)]
pub(crate) struct Cache {
    pub(super) links: Vec<Vec<Links>>,
    layout: Layout,
    ports: Layout,
    pub(super) scratch: Scratch,
    pub(super) sets: SetScratch,
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
            let sides = tiling.sides;
            let next: Vec<u32> = (0..tiling.positions)
                .flat_map(|position| (0..sides).map(move |side| (position, side)))
                .map(|(position, side)| tiling.next[(position * tiling.directions + side) as usize])
                .map(|to| u32::try_from(to).unwrap_or(crate::network::NO_CELL))
                .collect();
            let back: Vec<u32> = tiling.back[..sides as usize]
                .iter()
                .map(|back| *back as u32)
                .collect();
            cache.layout = Layout::by_sides(next.clone(), &back);
            cache.ports = Layout {
                cells: tiling.positions,
                sides,
                next,
                facing: tiling
                    .port_side
                    .iter()
                    .copied()
                    .zip(tiling.port_faces.iter().copied())
                    .collect(),
            };
        }
        cache
    }

    /// An empty set of so many words.
    pub(super) fn lend(&mut self, words: usize) -> Vec<u32> {
        let mut set = self.spare.pop().unwrap_or_default();
        set.clear();
        set.resize(words, 0);
        set
    }

    pub(super) fn give_back(&mut self, set: Vec<u32>) {
        self.spare.push(set);
    }

    /// Where tiles meet: by their ports, or by their sides.
    fn layout_by(&self, port: bool) -> &Layout {
        if port { &self.ports } else { &self.layout }
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
    pub(super) fn know(&mut self, network: usize, owner: i32) -> Option<usize> {
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
                links.close_rings();
            }
            NetworkKind::Neighbours(lattice) => {
                links.label.clear();
                links.label.resize(lattice.node_count() as usize, 0);
                links.close_rings();
            }
            NetworkKind::Joins { ports, parts, port } => {
                links.part_tiles(code.nodes);
                self.read_tiles(&mut links, ports, *parts);
                links.join_tiles(self.networks.layout_by(*port));
            }
        }
        // What broke off is not known.
        links.valid = self.halt == Halt::No;
        self.networks.any_valid = true;
        self.networks.links[network][owner] = links;
        Some(owner)
    }

    /// As [`Machine::know`], to go along the links one by one.
    pub(super) fn know_links(&mut self, network: usize, owner: i32) -> Option<usize> {
        let owner = self.know(network, owner)?;
        if let NetworkKind::Joins { port, .. } = &self.p.networks[network].kind {
            let mut tiles = std::mem::take(&mut self.networks.links[network][owner].tiles);
            tiles.list(self.networks.layout_by(*port));
            self.networks.links[network][owner].tiles = tiles;
        }
        Some(owner)
    }

    /// How many links a network that is known has, those that are not there now included.
    pub(super) fn links_in(&self, network: usize, owner: usize) -> u32 {
        match &self.p.networks[network].kind {
            NetworkKind::Links { graph, .. } => graph.link_count(),
            NetworkKind::Neighbours(lattice) => lattice.link_count(),
            NetworkKind::Joins { .. } => self.networks.links[network][owner].tiles.link_count(),
        }
    }

    fn link_is_there(&mut self, code: &NetworkCode, owner: u32, link: u32) -> bool {
        code.condition.is_none_or(|condition| {
            let binding = owner * code.links + link;
            self.binding_holds(&code.bindings, binding, condition, false)
        })
    }

    /// The tiles as they lie, with the ports of each row in each turn.
    fn read_tiles(&mut self, links: &mut Links, ports: &[u64], parts: Option<u32>) {
        let p = self.p;
        let Some(tiling) = &p.tiling else { return };
        let parts = parts.map(|at| &tiling.parts[at as usize]);
        let turns = tiling.turns.max(1);
        links
            .tiles
            .clear(tiling.positions, parts.map_or(1, |parts| parts.max));
        self.each_laid(tiling, |machine, position, tile| {
            let turn = tiling.turn_cell.map_or(0, |slot| {
                let cell = &p.cells[slot.at()];
                machine.m[(cell.base + position * cell.words) as usize].rem_euclid(turns as i32)
            });
            let (first, count) = parts.map_or((tile, 1), |parts| parts.rows[tile as usize]);
            let rows = first..first + count;
            for (slot, row) in links.tiles.lay(position).iter_mut().zip(rows) {
                *slot = ports[(row * turns) as usize + turn as usize];
            }
            true
        });
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
}
