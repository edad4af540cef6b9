//! Which nodes links join: each node's label is the least of those it is joined with.

use crate::network::{Adjacency, LinkId, NodeId as Node_, TileNetwork, bits};

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
    pub(super) fn close_rings(&mut self, nodes: impl Iterator<Item = u32>) {
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

pub(super) fn label_tiles(tiles: &TileNetwork, nodes: u32, label: &mut Vec<u32>) {
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

pub(super) fn flatten(label: &mut [u32]) {
    for node in 0..label.len() {
        label[node] = label[label[node] as usize];
    }
}
