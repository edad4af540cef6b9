//! The longest trail: the heaviest way that uses each link at most once and may pass nodes again and again.
//!
//! **Why it is exact.** A set of links is a trail if and only if it is connected and at most two nodes have an odd number
//! of its links (Euler). So the longest trail is what is left after removing the *lightest* set J of links of a component
//! that leaves this. Forget "connected": the removal must turn all odd nodes even but two, so it is a shortest pairing of
//! the odd nodes with two of them let off, and the lightest pairing is a perfect matching over shortest distances, two
//! blank partners at distance 0 standing for the nodes let off (solved exactly by `matching`). Ends at nodes of even
//! degree need no thought: with weights of 0 and up, giving back the removed way from such an end to the next odd node
//! only adds. Weight of the component minus weight of J is an upper bound, and it is the answer wherever the rest is
//! connected, which is the usual case. Where it is not, take the links between one piece and the rest (all removed): a
//! trail uses none of them (they are deleted: smaller components), or there is a first one it uses (it is forced, the ones
//! before are deleted). These cases cover all trails, each is smaller, and each is cut if its bound does not beat the best.

use super::matching::Matching;
use super::{Exhausted, Graph, LinkId, NodeId, Scratch, refill};
use crate::bounds::TRAIL_CASES_MAX;

const NONE: u32 = u32::MAX;

/// A longest trail. It lies in the scratch buffers until the next query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trail<'a> {
    /// Sum of the weights of its links.
    pub value: u64,
    /// Its links in the order in which they are passed.
    pub links: &'a [LinkId],
    /// The nodes passed, one more than links; empty if there are no links.
    pub nodes: &'a [NodeId],
}

#[derive(Default)]
pub(crate) struct TrailScratch {
    weight: Vec<u64>,
    words: usize,
    /// Cases still open: for each the words of its links, then of those it must use.
    open: Vec<u64>,
    case: Vec<u64>,
    forced: Vec<u64>,
    piece: Vec<u64>,
    whole: Vec<u64>,
    rest: Vec<u64>,
    removed: Vec<u64>,
    border: Vec<u32>,
    component: Vec<u32>,
    nodes: Vec<u32>,
    stack: Vec<u32>,
    degree: Vec<u32>,
    odd: Vec<u32>,
    distance: Vec<u64>,
    via: Vec<u32>,
    settled: Vec<bool>,
    matching: Matching,
    best: Vec<u64>,
    best_value: u64,
    cursor: Vec<u32>,
    open_ways: Vec<(NodeId, LinkId)>,
    out_links: Vec<LinkId>,
    out_nodes: Vec<NodeId>,
}

fn has(set: &[u64], link: u32) -> bool {
    set[link as usize / 64] >> (link % 64) & 1 != 0
}

fn flip(set: &mut [u64], link: u32) {
    set[link as usize / 64] ^= 1 << (link % 64);
}

fn members(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    set.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                index as u32 * 64 + bit
            })
        })
    })
}

fn first(set: &[u64]) -> Option<u32> {
    members(set).next()
}

fn other_end(graph: &Graph, link: u32, node: u32) -> u32 {
    let (a, b) = graph.ends(LinkId(link));
    if a.0 == node { b.0 } else { a.0 }
}

impl Graph {
    /// The heaviest trail over the active links, with its links in order; value 0 and no links if there is none above 0.
    ///
    /// Exact, see the head of the file. Fails only when [`TRAIL_CASES_MAX`](crate::bounds::TRAIL_CASES_MAX) cases do not suffice, which takes
    /// graphs far larger than a map's.
    pub fn longest_trail<'s>(
        &self,
        mut active: impl FnMut(LinkId) -> bool,
        mut weight: impl FnMut(LinkId) -> u32,
        scratch: &'s mut Scratch,
    ) -> Result<Trail<'s>, Exhausted> {
        let t = &mut scratch.trail;
        t.begin(self);
        for link in 0..self.link_count() {
            if active(LinkId(link)) {
                t.weight[link as usize] = u64::from(weight(LinkId(link)));
                flip(&mut t.case, link);
            }
        }
        t.open.extend_from_slice(&t.case);
        t.open.extend_from_slice(&t.forced);
        let mut cases = 0;
        while t.pop_case() {
            cases += 1;
            if cases > TRAIL_CASES_MAX {
                return Err(Exhausted::Budget);
            }
            t.split_case(self);
        }
        t.lay_out(self);
        Ok(Trail {
            value: t.best_value,
            links: &t.out_links,
            nodes: &t.out_nodes,
        })
    }
}

impl TrailScratch {
    fn begin(&mut self, graph: &Graph) {
        let (nodes, links) = (graph.node_count() as usize, graph.link_count() as usize);
        self.words = links.div_ceil(64).max(1);
        refill(&mut self.weight, links, 0);
        for set in [
            &mut self.case,
            &mut self.forced,
            &mut self.piece,
            &mut self.rest,
            &mut self.removed,
            &mut self.best,
        ] {
            refill(set, self.words, 0);
        }
        refill(&mut self.component, nodes, NONE);
        refill(&mut self.degree, nodes, 0);
        self.open.clear();
        self.best_value = 0;
    }

    fn pop_case(&mut self) -> bool {
        let Some(at) = self.open.len().checked_sub(2 * self.words) else {
            return false;
        };
        let (links, forced) = self.open[at..].split_at(self.words);
        self.case.copy_from_slice(links);
        self.forced.copy_from_slice(forced);
        self.open.truncate(at);
        true
    }

    /// Moves the component of `link` from the case (or the rest) into `piece`; returns its weight.
    fn take_piece(&mut self, graph: &Graph, link: u32, from_rest: bool) -> u64 {
        let source = if from_rest {
            &mut self.rest
        } else {
            &mut self.case
        };
        self.piece.fill(0);
        self.nodes.clear();
        self.stack.clear();
        let start = graph.ends(LinkId(link)).0;
        self.component[start.index()] = 0;
        self.stack.push(start.0);
        let mut sum = 0;
        while let Some(node) = self.stack.pop() {
            self.nodes.push(node);
            for arc in graph.arcs(NodeId(node)) {
                if !has(source, arc.link.0) {
                    continue;
                }
                flip(source, arc.link.0);
                flip(&mut self.piece, arc.link.0);
                sum += self.weight[arc.link.index()];
                if self.component[arc.to.index()] == NONE {
                    self.component[arc.to.index()] = 0;
                    self.stack.push(arc.to.0);
                }
            }
        }
        for &node in &self.nodes {
            self.component[node as usize] = NONE;
        }
        sum
    }

    fn split_case(&mut self, graph: &Graph) {
        while let Some(link) = first(&self.case) {
            let sum = self.take_piece(graph, link, false);
            let whole = self
                .forced
                .iter()
                .zip(&self.piece)
                .all(|(f, p)| f & !p == 0);
            if whole && sum > self.best_value {
                self.solve_piece(graph, sum);
            }
        }
    }

    /// One connected case: bound, candidate, and further cases if the candidate is not the answer.
    fn solve_piece(&mut self, graph: &Graph, sum: u64) {
        let links: u32 = self.piece.iter().map(|word| word.count_ones()).sum();
        if links as usize + 1 == self.nodes.len() {
            return self.solve_tree(graph);
        }
        self.odd.clear();
        for i in 0..self.nodes.len() {
            let node = self.nodes[i];
            let count: u32 = graph
                .arcs(NodeId(node))
                .iter()
                .filter(|arc| has(&self.piece, arc.link.0))
                .map(|arc| if arc.to.0 == node { 2 } else { 1 })
                .sum();
            if count % 2 == 1 {
                self.odd.push(node);
            }
        }
        if self.odd.len() <= 2 {
            self.record(sum);
            return;
        }
        let Some(loss) = self.lightest_removal(graph, sum) else {
            return;
        };
        if sum - loss <= self.best_value {
            return;
        }
        let mut whole = std::mem::take(&mut self.whole);
        whole.clear();
        whole.extend_from_slice(&self.piece);
        self.split_rest(graph, &whole, sum - loss);
        self.whole = whole;
    }

    /// In a tree a trail is a path, and from whatever node one starts, the longest path ends where it is farthest.
    fn solve_tree(&mut self, graph: &Graph) {
        let start = self.farthest(graph, self.nodes[0]);
        let mut node = self.farthest(graph, start);
        let value = self.distance[node as usize];
        if value > self.best_value {
            self.piece.fill(0);
            while node != start {
                let link = self.via[node as usize];
                flip(&mut self.piece, link);
                node = other_end(graph, link, node);
            }
            self.record(value);
        }
    }

    /// Measures a tree from a node; returns the node farthest off.
    fn farthest(&mut self, graph: &Graph, start: u32) -> u32 {
        refill(&mut self.distance, graph.node_count() as usize, 0);
        refill(&mut self.via, graph.node_count() as usize, NONE);
        self.stack.clear();
        self.stack.push(start);
        let mut far = start;
        while let Some(node) = self.stack.pop() {
            let (here, came_by) = (self.distance[node as usize], self.via[node as usize]);
            if here > self.distance[far as usize] {
                far = node;
            }
            for arc in graph.arcs(NodeId(node)) {
                if arc.link.0 != came_by && has(&self.piece, arc.link.0) {
                    self.distance[arc.to.index()] = here + self.weight[arc.link.index()];
                    self.via[arc.to.index()] = arc.link.0;
                    self.stack.push(arc.to.0);
                }
            }
        }
        far
    }

    /// Sets `removed` to the lightest removal that spares the forced links; its weight, or `None` if there is none.
    fn lightest_removal(&mut self, graph: &Graph, sum: u64) -> Option<u64> {
        let (count, nodes) = (self.odd.len(), graph.node_count() as usize);
        refill(&mut self.distance, count * nodes, u64::MAX);
        refill(&mut self.via, count * nodes, NONE);
        for i in 0..count {
            self.distances_from(graph, i);
        }
        let scale = (sum as i64 + 1) * (count as i64 + 2);
        self.matching.begin(count + 2);
        for i in 0..count {
            for j in i + 1..count {
                let d = self.distance[i * nodes + self.odd[j] as usize];
                if d != u64::MAX {
                    self.matching.join(i + 1, j + 1, scale - d as i64);
                }
            }
            self.matching.join(i + 1, count + 1, scale);
            self.matching.join(i + 1, count + 2, scale);
        }
        self.matching.join(count + 1, count + 2, scale);
        self.matching.solve();
        self.removed.fill(0);
        for i in 0..count {
            let mate = self.matching.mate_of(i + 1);
            if mate == 0 {
                return None;
            }
            if mate > i + 1 && mate <= count {
                let mut node = self.odd[mate - 1];
                while node != self.odd[i] {
                    let link = self.via[i * nodes + node as usize];
                    flip(&mut self.removed, link);
                    node = other_end(graph, link, node);
                }
            }
        }
        Some(
            members(&self.removed)
                .map(|link| self.weight[link as usize])
                .sum(),
        )
    }

    fn distances_from(&mut self, graph: &Graph, source: usize) {
        let row = source * graph.node_count() as usize;
        refill(&mut self.settled, graph.node_count() as usize, false);
        self.distance[row + self.odd[source] as usize] = 0;
        loop {
            let mut near = NONE;
            for &node in &self.nodes {
                let d = self.distance[row + node as usize];
                if !self.settled[node as usize]
                    && d != u64::MAX
                    && (near == NONE || d < self.distance[row + near as usize])
                {
                    near = node;
                }
            }
            if near == NONE {
                return;
            }
            self.settled[near as usize] = true;
            for arc in graph.arcs(NodeId(near)) {
                if has(&self.piece, arc.link.0) && !has(&self.forced, arc.link.0) {
                    let d = self.distance[row + near as usize] + self.weight[arc.link.index()];
                    let to = row + arc.to.index();
                    if d < self.distance[to] {
                        self.distance[to] = d;
                        self.via[to] = arc.link.0;
                    }
                }
            }
        }
    }

    /// Looks at the pieces that the removal leaves of `whole`; opens cases if no single piece has all of `bound`.
    fn split_rest(&mut self, graph: &Graph, whole: &[u64], bound: u64) {
        for (word, rest) in self.rest.iter_mut().enumerate() {
            *rest = whole[word] & !self.removed[word];
        }
        self.border.clear();
        let mut heaviest = None;
        while let Some(link) = first(&self.rest) {
            let value = self.take_piece(graph, link, true);
            if value > self.best_value {
                self.record(value);
            }
            if heaviest.is_none_or(|h| value > h) {
                heaviest = Some(value);
                for &node in &self.nodes {
                    self.component[node as usize] = 0;
                }
                self.border.clear();
                for link in members(&self.removed) {
                    let (a, b) = graph.ends(LinkId(link));
                    if self.component[a.index()] != self.component[b.index()] {
                        self.border.push(link);
                    }
                }
                for &node in &self.nodes {
                    self.component[node as usize] = NONE;
                }
            }
        }
        if heaviest == Some(bound) {
            return;
        }
        // Last opened, first looked at: the cases that use a border link come before the one that uses none.
        let mut gone = self.border.len();
        self.open_case(whole, gone, None);
        while gone > 0 {
            gone -= 1;
            self.open_case(whole, gone, Some(self.border[gone]));
        }
    }

    fn open_case(&mut self, whole: &[u64], gone: usize, forced: Option<u32>) {
        let at = self.open.len();
        self.open.extend_from_slice(whole);
        self.open.extend_from_slice(&self.forced);
        let (links, must) = self.open[at..].split_at_mut(self.words);
        for &link in &self.border[..gone] {
            flip(links, link);
        }
        if let Some(link) = forced {
            flip(must, link);
        }
    }

    fn record(&mut self, value: u64) {
        self.best_value = value;
        self.best.copy_from_slice(&self.piece);
    }

    /// Puts the links of `best` in an order in which they can be passed (Hierholzer).
    fn lay_out(&mut self, graph: &Graph) {
        self.out_links.clear();
        self.out_nodes.clear();
        self.open_ways.clear();
        let Some(link) = first(&self.best) else {
            return;
        };
        for link in members(&self.best) {
            let (a, b) = graph.ends(LinkId(link));
            self.degree[a.index()] += 1;
            self.degree[b.index()] += 1;
        }
        let start = (0..graph.node_count())
            .find(|&node| self.degree[node as usize] % 2 == 1)
            .unwrap_or(graph.ends(LinkId(link)).0.0);
        refill(&mut self.cursor, graph.node_count() as usize, 0);
        self.open_ways.push((NodeId(start), LinkId(NONE)));
        while let Some(&(node, link)) = self.open_ways.last() {
            let arcs = graph.arcs(node);
            let cursor = &mut self.cursor[node.index()];
            while arcs
                .get(*cursor as usize)
                .is_some_and(|arc| !has(&self.best, arc.link.0))
            {
                *cursor += 1;
            }
            if let Some(arc) = arcs.get(*cursor as usize) {
                flip(&mut self.best, arc.link.0);
                self.open_ways.push((arc.to, arc.link));
            } else {
                self.open_ways.pop();
                self.out_nodes.push(node);
                if link.0 != NONE {
                    self.out_links.push(link);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::walk_tests::Dice;
    use super::*;

    fn brute(graph: &Graph, weight: &[u32], node: NodeId, used: u64) -> u64 {
        let mut best = 0;
        for arc in graph.arcs(node) {
            if used >> arc.link.0 & 1 == 0 {
                let rest = brute(graph, weight, arc.to, used | 1 << arc.link.0);
                best = best.max(u64::from(weight[arc.link.index()]) + rest);
            }
        }
        best
    }

    fn assert_is_trail(graph: &Graph, weight: &[u32], mask: u64, trail: Trail) {
        let mut used = 0u64;
        let mut sum = 0;
        for (i, &link) in trail.links.iter().enumerate() {
            let (a, b) = graph.ends(link);
            let ends = (trail.nodes[i], trail.nodes[i + 1]);
            assert!(ends == (a, b) || ends == (b, a));
            assert!(used >> link.0 & 1 == 0 && mask >> link.0 & 1 != 0);
            used |= 1 << link.0;
            sum += u64::from(weight[link.index()]);
        }
        assert_eq!(sum, trail.value);
    }

    #[test]
    fn trails_are_as_long_as_brute_force_finds() {
        let mut scratch = Scratch::default();
        for seed in 0..700 {
            let mut dice = Dice::new(seed);
            let nodes = 2 + dice.below(8);
            let links: Vec<_> = (0..dice.below(13))
                .map(|_| (NodeId(dice.below(nodes)), NodeId(dice.below(nodes))))
                .collect();
            let least = dice.below(2);
            let weight: Vec<u32> = links.iter().map(|_| least + dice.below(6)).collect();
            let graph = Graph::new(nodes, &links);
            let mask = dice.next() | dice.next();
            let trail = graph
                .longest_trail(
                    |link| mask >> link.0 & 1 != 0,
                    |link| weight[link.index()],
                    &mut scratch,
                )
                .unwrap();
            assert_is_trail(&graph, &weight, mask, trail);
            let hand = (0..nodes)
                .map(|n| brute(&graph, &weight, NodeId(n), !mask))
                .max();
            assert_eq!(Some(trail.value), hand, "seed {seed}");
        }
    }

    #[test]
    fn a_bridge_between_rings_is_worth_more_than_the_pairing_that_cuts_it() {
        // Two rings of three joined by a bridge of 1, and a spur of 5 at each end of the bridge.
        let n = NodeId;
        let links = [
            (n(0), n(1)),
            (n(1), n(2)),
            (n(2), n(0)),
            (n(3), n(4)),
            (n(4), n(5)),
            (n(5), n(3)),
            (n(0), n(3)),
            (n(0), n(6)),
            (n(3), n(7)),
        ];
        let weight = [4, 4, 4, 4, 4, 4, 1, 5, 5];
        let graph = Graph::new(8, &links);
        let mut scratch = Scratch::default();
        let trail = graph
            .longest_trail(|_| true, |l| weight[l.index()], &mut scratch)
            .unwrap();
        assert_eq!(trail.value, 35);
        assert_is_trail(&graph, &weight, u64::MAX, trail);
    }

    #[test]
    fn large_networks_stay_within_the_bound() {
        let mut scratch = Scratch::default();
        for seed in 0..60 {
            let mut dice = Dice::new(seed);
            let links: Vec<_> = (0..60)
                .map(|_| (NodeId(dice.below(36)), NodeId(dice.below(36))))
                .collect();
            let weight: Vec<u32> = links.iter().map(|_| 1 + dice.below(6)).collect();
            let graph = Graph::new(36, &links);
            let trail = graph
                .longest_trail(|_| true, |l| weight[l.index()], &mut scratch)
                .unwrap();
            assert_is_trail(&graph, &weight, u64::MAX, trail);
        }
    }
}
