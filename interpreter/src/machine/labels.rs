//! Which nodes links join: each node's label is the least of those it is joined with.

use crate::network::{Layout, LinkId, TileNetwork, bits};

/// One network of one owner.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    pub(super) valid: bool,
    /// Active links, for printed links.
    pub(super) mask: Vec<u32>,
    /// What laid tiles join.
    pub(super) tiles: TileNetwork,
    /// For each node the least node it is joined with.
    pub(super) label: Vec<u32>,
    /// For each node another one it is joined with: one after the other they lead through all of them and back.
    pub(super) ring: Vec<u32>,
}

impl Links {
    /// Closes the rings of nodes with the same label; all others are rings of their own.
    pub(super) fn close_rings(&mut self) {
        let nodes = self.label.len() as u32;
        self.ring.clear();
        self.ring.extend(0..nodes);
        close(&self.label, &mut self.ring, 0..nodes);
    }

    /// Each node is joined with itself alone, of so many: where tiles lay.
    pub(super) fn part_tiles(&mut self, nodes: u32) {
        for list in [&mut self.label, &mut self.ring] {
            if list.len() == nodes as usize {
                let lay = self.tiles.nodes();
                lay.for_each(|node| list[node as usize] = node);
            } else {
                list.clear();
                list.extend(0..nodes);
            }
        }
    }

    /// Joins what the tiles that lie now join; before, each node was alone.
    pub(super) fn join_tiles(&mut self, layout: &Layout) {
        let Links {
            tiles, label, ring, ..
        } = self;
        tiles.joined(layout, |from, to| merge(label, from, to));
        for node in tiles.nodes() {
            label[node as usize] = label[label[node as usize] as usize];
        }
        close(label, ring, tiles.nodes());
    }
}

fn close(label: &[u32], ring: &mut [u32], nodes: impl Iterator<Item = u32>) {
    for node in nodes {
        let least = label[node as usize];
        if least != node {
            ring.swap(node as usize, least as usize);
        }
    }
}

/// Labels each node with the least node it is joined with.
pub(super) fn label_graph(graph: &crate::network::Graph, mask: &[u32], label: &mut Vec<u32>) {
    label.clear();
    label.extend(0..graph.node_count());
    for link in bits::iter(mask) {
        let (a, b) = graph.ends(LinkId(link));
        merge(label, a.0, b.0);
    }
    flatten(label);
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

pub(super) fn flatten(label: &mut [u32]) {
    for node in 0..label.len() {
        label[node] = label[label[node] as usize];
    }
}
