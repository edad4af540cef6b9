//! Networks that lie on a tiling: cells beside each other, and the parts of the tiles laid on them.

use super::graph::ArcList;
use super::{Adjacency, Arc, LinkId, NodeId, refill};

/// No neighbour in a [`Layout`].
pub const NO_CELL: u32 = u32::MAX;

/// The shape of a tiling: which cell lies beyond which side, and which port meets which.
///
/// Ports are the gates in the sides. Where a tile's parts simply have sides, ports are the sides.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Places for tiles.
    pub cells: u32,
    /// Sides of a tile: 4 or 6.
    pub sides: u32,
    /// The cell beyond side `s` of cell `c` is `next[c * sides + s]`, or [`NO_CELL`].
    pub next: Vec<u32>,
    /// For each port (at most 64) the side it lies in and the port that it meets beyond.
    pub facing: Vec<(u32, u32)>,
}

impl Layout {
    /// A layout whose ports are its sides; `back[s]` is the side that meets side `s`.
    pub fn by_sides(next: Vec<u32>, back: &[u32]) -> Layout {
        let sides = back.len() as u32;
        Layout {
            cells: (next.len() / back.len().max(1)) as u32,
            sides,
            next,
            facing: (0..).zip(back.iter().copied()).collect(),
        }
    }

    /// The cell beyond `side` of `cell`.
    pub fn beyond(&self, cell: u32, side: u32) -> Option<u32> {
        let next = self.next[(cell * self.sides + side) as usize];
        (next != NO_CELL).then_some(next)
    }
}

/// The cells of a layout as a network: each is linked with the cells beyond its sides. Static.
#[derive(Clone, Debug, Default)]
pub struct Lattice {
    list: ArcList,
}

impl Lattice {
    /// Builds the network of all cells. Port `s` must be side `s` (as [`Layout::by_sides`] makes it).
    pub fn new(layout: &Layout) -> Lattice {
        let mut list = ArcList::default();
        list.first.push(0);
        for cell in 0..layout.cells {
            for side in 0..layout.sides {
                let Some(next) = layout.beyond(cell, side) else {
                    continue;
                };
                let back = layout.facing[side as usize].1;
                let known = (next < cell || (next == cell && back < side))
                    .then(|| list.arcs[list.first[next as usize] as usize..].iter())
                    .and_then(|mut arcs| arcs.find(|a| a.to.0 == cell && a.side == back))
                    .map(|arc| arc.link);
                let link = known.unwrap_or_else(|| {
                    list.links += 1;
                    LinkId(list.links - 1)
                });
                list.arcs.push(Arc {
                    to: NodeId(next),
                    link,
                    side,
                    gate: side,
                    entry: back,
                });
            }
            list.first.push(list.arcs.len() as u32);
        }
        Lattice { list }
    }
}

/// What laid tiles join. Node `cell * max_parts + part` is a placed part; where no part lies, a node has no arcs.
///
/// Two parts are linked where one has a port and the other, beyond it, the port that meets it. Links are numbered in the
/// order of (cell, part, port, other part), so their numbers change when a tile is laid. Arcs follow port order.
#[derive(Clone, Debug, Default)]
pub struct TileNetwork {
    list: ArcList,
    /// The list is of what lies there now.
    listed: bool,
    max_parts: u32,
    ports: Vec<u64>,
    /// The cells on which tiles lie.
    laid: Vec<u32>,
}

impl TileNetwork {
    /// Reads the tiles anew, in the same buffers, and lists their links. `parts_of(cell)` gives the parts of the tile on the cell,
    /// as it lies: for each the set of its ports; at most `max_parts` of them are looked at; none if the cell is empty.
    pub fn rebuild<'p>(
        &mut self,
        layout: &Layout,
        max_parts: u32,
        mut parts_of: impl FnMut(u32) -> &'p [u64],
    ) {
        self.clear(layout.cells, max_parts);
        for cell in 0..layout.cells {
            let parts = parts_of(cell);
            if !parts.is_empty() {
                for (slot, ports) in self.lay(cell).iter_mut().zip(parts) {
                    *slot = *ports;
                }
            }
        }
        self.list(layout);
    }

    /// Takes all tiles away, of a layout with so many cells.
    pub fn clear(&mut self, cells: u32, max_parts: u32) {
        self.listed = false;
        let nodes = (cells * max_parts) as usize;
        if self.max_parts == max_parts && self.ports.len() == nodes {
            for cell in &self.laid {
                let at = (cell * max_parts) as usize;
                self.ports[at..at + max_parts as usize].fill(0);
            }
        } else {
            self.max_parts = max_parts;
            refill(&mut self.ports, nodes, 0);
        }
        self.laid.clear();
    }

    /// A tile comes to lie on a cell behind those that have one: the ports of its parts, which are written there.
    pub fn lay(&mut self, cell: u32) -> &mut [u64] {
        self.laid.push(cell);
        let at = (cell * self.max_parts) as usize;
        &mut self.ports[at..at + self.max_parts as usize]
    }

    /// Lists the links, unless they are.
    pub fn list(&mut self, layout: &Layout) {
        if self.listed {
            return;
        }
        self.listed = true;
        self.list.first.clear();
        self.list.arcs.clear();
        self.list.links = 0;
        for at in 0..self.laid.len() {
            let first = self.laid[at] * self.max_parts;
            for node in first..first + self.max_parts {
                self.end_rows(node as usize);
                self.add_arcs(layout, node);
            }
        }
        self.end_rows(self.ports.len());
    }

    /// The nodes that a link joins, from the later one to the earlier one (or to itself). They need not be listed for it.
    pub fn joined(&self, layout: &Layout, mut visit: impl FnMut(u32, u32)) {
        for node in self.nodes() {
            for met in meeting(&self.ports, self.max_parts, layout, node) {
                if met.node <= node {
                    visit(node, met.node);
                }
            }
        }
    }

    /// The nodes of the cells on which tiles lie, ascending.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        let max = self.max_parts;
        self.laid
            .iter()
            .flat_map(move |cell| cell * max..(cell + 1) * max)
    }

    /// The rows of all nodes before this one end here, where its own begins.
    fn end_rows(&mut self, node: usize) {
        let end = self.list.arcs.len() as u32;
        self.list.first.resize(node + 1, end);
    }

    fn add_arcs(&mut self, layout: &Layout, node: u32) {
        for met in meeting(&self.ports, self.max_parts, layout, node) {
            let link = self.list.link(node, &met);
            self.list.arcs.push(Arc {
                to: NodeId(met.node),
                link,
                side: met.side,
                gate: met.port,
                entry: met.entry,
            });
        }
    }

    /// The cell and the part number of a node.
    pub fn place(&self, node: NodeId) -> (u32, u32) {
        (node.0 / self.max_parts, node.0 % self.max_parts)
    }

    /// The node of a part of the tile on a cell.
    pub fn node(&self, cell: u32, part: u32) -> NodeId {
        NodeId(cell * self.max_parts + part)
    }

    /// Writes into `out` the nodes that links lead to from any node of `from`, those of `from` among them.
    pub fn reach(&self, from: &[u32], scratch: &mut Vec<NodeId>, out: &mut [u32]) {
        scratch.clear();
        out.fill(0);
        for node in super::bits::iter(from).take_while(|&n| n < self.node_count()) {
            super::bits::insert(out, node);
            scratch.push(NodeId(node));
        }
        while let Some(node) = scratch.pop() {
            for arc in self.list.of(node) {
                if super::bits::insert(out, arc.to.0) {
                    scratch.push(arc.to);
                }
            }
        }
    }
}

impl ArcList {
    /// The number of a link from a node: a new one at the end met first.
    fn link(&mut self, node: u32, met: &Met) -> LinkId {
        if (met.node, met.entry) < (node, met.port) {
            // The other end comes earlier, so its arcs are listed already (or lie in the unfinished row of this node).
            let start = self.first[met.node as usize] as usize;
            let back = self.arcs[start..]
                .iter()
                .find(|arc| arc.to.0 == node && arc.gate == met.entry && arc.entry == met.port);
            if let Some(arc) = back {
                return arc.link;
            }
        }
        self.links += 1;
        LinkId(self.links - 1)
    }
}

/// What a port of a node meets.
struct Met {
    port: u32,
    side: u32,
    node: u32,
    /// The port of that node.
    entry: u32,
}

/// What the ports of a node meet, in their order.
fn meeting<'a>(
    ports: &'a [u64],
    max: u32,
    layout: &'a Layout,
    node: u32,
) -> impl Iterator<Item = Met> + 'a {
    ports_in(ports[node as usize]).flat_map(move |port| {
        let facing = layout.facing.get(port as usize);
        let beyond = facing.and_then(|&(side, entry)| {
            let cell = layout.beyond(node / max, side)?;
            Some((cell, side, entry))
        });
        beyond.into_iter().flat_map(move |(cell, side, entry)| {
            let nodes = cell * max..(cell + 1) * max;
            nodes
                .filter(move |other| ports[*other as usize] >> entry & 1 != 0)
                .map(move |node| Met {
                    port,
                    side,
                    node,
                    entry,
                })
        })
    })
}

/// The members of a set of ports, ascending.
fn ports_in(mut ports: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let port = (ports != 0).then(|| ports.trailing_zeros());
        ports &= ports.wrapping_sub(1);
        port
    })
}

macro_rules! whole_list {
    ($type:ty) => {
        impl Adjacency for $type {
            fn node_count(&self) -> u32 {
                self.list.first.len().saturating_sub(1) as u32
            }
            fn link_count(&self) -> u32 {
                self.list.links
            }
            fn arc_count(&self) -> u32 {
                self.list.arcs.len() as u32
            }
            fn arcs_of(&self, node: NodeId) -> std::ops::Range<u32> {
                self.list.range(node)
            }
            fn arc(&self, index: u32) -> Arc {
                self.list.arcs[index as usize]
            }
            fn is_active(&self, _: LinkId) -> bool {
                true
            }
        }
    };
}

whole_list!(Lattice);
whole_list!(TileNetwork);

#[cfg(test)]
mod tests {
    use super::super::walk_tests::{Dice, square};
    use super::*;

    #[test]
    fn parts_are_linked_where_their_sides_meet() {
        // Sides n e s w. Two cells beside each other: a cross of two straight pieces, and a bend that meets one of them.
        let layout = square(1, 2);
        let tiles: [&[u64]; 2] = [&[0b0101, 0b1010], &[0b1001]];
        let mut network = TileNetwork::default();
        network.rebuild(&layout, 2, |cell| tiles[cell as usize]);
        assert_eq!((network.node_count(), network.link_count()), (4, 1));
        let arc = network.arc(network.arcs_of(network.node(0, 1)).start);
        assert_eq!((arc.to, arc.side, arc.entry), (network.node(1, 0), 1, 3));
        assert!(network.arcs_of(network.node(0, 0)).is_empty());
    }

    #[test]
    fn links_have_two_ends_and_are_numbered_through() {
        for seed in 0..200 {
            let mut dice = Dice::new(seed);
            let layout = square(1 + dice.below(4), 1 + dice.below(4));
            let tiles: Vec<Vec<u64>> = (0..layout.cells)
                .map(|_| {
                    (0..dice.below(4))
                        .map(|_| u64::from(dice.below(16)))
                        .collect()
                })
                .collect();
            let mut network = TileNetwork::default();
            network.rebuild(&layout, 3, |cell| &tiles[cell as usize]);
            assert_two_ends(&network);
            assert_two_ends(&Lattice::new(&layout));
            // In buffers that were used before, and told where tiles lie, it is the same network.
            let mut sparse = TileNetwork::default();
            sparse.rebuild(&layout, 3, |_| &[15, 15, 15]);
            sparse.rebuild(&layout, 3, |cell| &tiles[cell as usize]);
            assert_eq!(sparse.list.first, network.list.first);
            assert_eq!(sparse.list.arcs, network.list.arcs);
            // What is joined is what the list links.
            let (mut joined, mut linked) = (Vec::new(), Vec::new());
            network.joined(&layout, |from, to| joined.push((from, to)));
            for node in 0..network.node_count() {
                let arcs = network.arcs_of(NodeId(node));
                let to = arcs.map(|index| network.arc(index).to.0);
                linked.extend(to.filter(|to| *to <= node).map(|to| (node, to)));
            }
            assert_eq!(joined, linked);
        }
    }

    fn assert_two_ends(network: &impl Adjacency) {
        let mut ends = vec![Vec::new(); network.link_count() as usize];
        for node in 0..network.node_count() {
            for index in network.arcs_of(NodeId(node)) {
                let arc = network.arc(index);
                ends[arc.link.index()].push((node, arc.gate, arc.to.0, arc.entry));
            }
        }
        for link in ends {
            assert_eq!(link.len(), 2);
            let (node, gate, to, entry) = link[0];
            assert_eq!(link[1], (to, entry, node, gate));
        }
    }
}
