//! How far two nodes lie apart (Dijkstra, Numer. Math. 1, 1959).

use super::{Graph, LinkId, NodeId, Scratch, refill};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Default)]
pub(crate) struct ShortestScratch {
    /// The least length known to each node.
    known: Vec<u32>,
    next: BinaryHeap<Reverse<(u32, NodeId)>>,
}

impl Graph {
    /// The length of the shortest way from `a` to `b`, each link counting as `length` says, none where it cannot be gone along.
    /// `None` if no way leads there. `length` may be asked twice a link.
    pub fn shortest(
        &self,
        a: NodeId,
        b: NodeId,
        mut length: impl FnMut(LinkId) -> Option<u32>,
        scratch: &mut Scratch,
    ) -> Option<u32> {
        if !self.could_join(a, b) {
            return None;
        }
        let ShortestScratch { known, next } = &mut scratch.shortest;
        refill(known, self.node_count() as usize, u32::MAX);
        next.clear();
        known[a.index()] = 0;
        next.push(Reverse((0, a)));
        while let Some(Reverse((far, node))) = next.pop() {
            if node == b {
                return Some(far);
            }
            if far > known[node.index()] {
                continue;
            }
            for arc in self.arcs(node) {
                let Some(length) = length(arc.link) else {
                    continue;
                };
                let there = far.saturating_add(length);
                if there < known[arc.to.index()] {
                    known[arc.to.index()] = there;
                    next.push(Reverse((there, arc.to)));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::walk_tests::Dice;
    use super::*;

    #[test]
    fn the_shortest_way_is_that_of_all_distances() {
        let mut dice = Dice::new(7);
        let mut scratch = Scratch::default();
        for _ in 0..200 {
            let nodes = 2 + dice.below(9);
            let links: Vec<(NodeId, NodeId)> = (0..dice.below(16))
                .map(|_| (NodeId(dice.below(nodes)), NodeId(dice.below(nodes))))
                .collect();
            let lengths: Vec<u32> = links.iter().map(|_| dice.below(5)).collect();
            let graph = Graph::new(nodes, &links);
            let all = graph.distances(|link| lengths[link.index()]);
            // One link that cannot be gone along is as if it were not there.
            let barred = dice.below(16) as usize;
            let rest: Vec<usize> = (0..links.len()).filter(|link| *link != barred).collect();
            let fewer: Vec<(NodeId, NodeId)> = rest.iter().map(|link| links[*link]).collect();
            let without = Graph::new(nodes, &fewer);
            let without = without.distances(|link| lengths[rest[link.index()]]);
            for (a, b) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (NodeId(a), NodeId(b)))) {
                let open = |link: LinkId| Some(lengths[link.index()]);
                assert_eq!(graph.shortest(a, b, open, &mut scratch), all.between(a, b));
                let open = |link: LinkId| open(link).filter(|_| link.index() != barred);
                assert_eq!(
                    graph.shortest(a, b, open, &mut scratch),
                    without.between(a, b)
                );
            }
        }
    }
}
