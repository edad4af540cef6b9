//! What is joined under a mask of active links: a flood over node bitsets.

use super::{Graph, LinkId, NodeId, Scratch, bits, refill};

#[derive(Default)]
pub(crate) struct FloodScratch {
    seen: Vec<u32>,
    stack: Vec<NodeId>,
}

impl Graph {
    /// Whether active links lead from `a` to `b`; every node is joined to itself. `active` may be asked twice a link.
    pub fn joins(
        &self,
        a: NodeId,
        b: NodeId,
        mut active: impl FnMut(LinkId) -> bool,
        scratch: &mut Scratch,
    ) -> bool {
        if a == b {
            return true;
        }
        if !self.could_join(a, b) {
            return false;
        }
        let FloodScratch { seen, stack } = &mut scratch.flood;
        refill(seen, bits::words(self.node_count()), 0);
        stack.clear();
        bits::insert(seen, a.0);
        stack.push(a);
        while let Some(node) = stack.pop() {
            for arc in self.arcs(node) {
                if !bits::has(seen, arc.to.0) && active(arc.link) {
                    if arc.to == b {
                        return true;
                    }
                    bits::insert(seen, arc.to.0);
                    stack.push(arc.to);
                }
            }
        }
        false
    }

    /// [`Graph::joins`] with the active links as a bitset.
    pub fn joins_masked(&self, a: NodeId, b: NodeId, mask: &[u32], scratch: &mut Scratch) -> bool {
        self.joins(a, b, |link| bits::has(mask, link.0), scratch)
    }

    /// Writes into `out` the nodes that active links lead to from any node of `from`, those of `from` among them.
    /// `out` needs [`bits::words`] of the node count; words beyond are cleared. `active` may be asked twice a link.
    pub fn reach(
        &self,
        from: &[u32],
        mut active: impl FnMut(LinkId) -> bool,
        scratch: &mut Scratch,
        out: &mut [u32],
    ) {
        let stack = &mut scratch.flood.stack;
        stack.clear();
        out.fill(0);
        for node in bits::iter(from).take_while(|&node| node < self.node_count()) {
            bits::insert(out, node);
            stack.push(NodeId(node));
        }
        while let Some(node) = stack.pop() {
            for arc in self.arcs(node) {
                if !bits::has(out, arc.to.0) && active(arc.link) {
                    bits::insert(out, arc.to.0);
                    stack.push(arc.to);
                }
            }
        }
    }

    /// [`Graph::reach`] with the active links as a bitset.
    pub fn reach_masked(&self, from: &[u32], mask: &[u32], scratch: &mut Scratch, out: &mut [u32]) {
        self.reach(from, |link| bits::has(mask, link.0), scratch, out);
    }
}

#[cfg(test)]
mod tests {
    use super::super::walk_tests::Dice;
    use super::*;

    #[test]
    fn flood_agrees_with_closure_of_the_relation() {
        for seed in 0..300 {
            let mut dice = Dice::new(seed);
            let nodes = 1 + dice.below(40);
            let links: Vec<_> = (0..dice.below(60))
                .map(|_| (NodeId(dice.below(nodes)), NodeId(dice.below(nodes))))
                .collect();
            let graph = Graph::new(nodes, &links);
            let mask = [dice.next() as u32, dice.next() as u32];
            let mut joined = vec![false; (nodes * nodes) as usize];
            for a in 0..nodes {
                joined[(a * nodes + a) as usize] = true;
            }
            for (link, &(a, b)) in (0..).zip(&links) {
                if bits::has(&mask, link) {
                    joined[(a.0 * nodes + b.0) as usize] = true;
                    joined[(b.0 * nodes + a.0) as usize] = true;
                }
            }
            for k in 0..nodes {
                for a in 0..nodes {
                    for b in 0..nodes {
                        joined[(a * nodes + b) as usize] |=
                            joined[(a * nodes + k) as usize] && joined[(k * nodes + b) as usize];
                    }
                }
            }
            let mut scratch = Scratch::default();
            let from = [dice.next() as u32 & dice.next() as u32, 0];
            let mut out = [u32::MAX; 2];
            graph.reach_masked(&from, &mask, &mut scratch, &mut out);
            for b in 0..64 {
                let hand = b < nodes
                    && bits::iter(&from).any(|a| a < nodes && joined[(a * nodes + b) as usize]);
                assert_eq!(bits::has(&out, b), hand, "seed {seed} node {b}");
            }
            for a in 0..nodes {
                for b in 0..nodes {
                    let found = graph.joins_masked(NodeId(a), NodeId(b), &mask, &mut scratch);
                    assert_eq!(found, joined[(a * nodes + b) as usize], "seed {seed}");
                }
            }
        }
    }
}
