//! Union-find with undo, for networks whose links are only added: joins in O(log n), with sums kept per component.

/// A point in the history of a [`UnionUndo`] to which it can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoMark(u32);

#[derive(Clone, Copy, Debug)]
enum Change {
    /// This root was hung under another.
    Joined(u32),
    /// This much was added to this sum of this root.
    Added { root: u32, sum: u32, by: i32 },
}

/// Disjoint components of the nodes `0..nodes`, each with `sums` running sums (members, stations, …).
///
/// The smaller tree is hung under the larger (ties: the lower root stays), and ways are not shortened: so undo is exact.
#[derive(Clone, Debug, Default)]
pub struct UnionUndo {
    parent: Vec<u32>,
    size: Vec<u32>,
    sums: usize,
    values: Vec<i32>,
    log: Vec<Change>,
}

impl UnionUndo {
    /// Every node alone, all sums 0.
    pub fn new(nodes: u32, sums: u32) -> UnionUndo {
        let mut union = UnionUndo::default();
        union.reset(nodes, sums);
        union
    }

    /// As new, in the same buffers.
    pub fn reset(&mut self, nodes: u32, sums: u32) {
        self.parent.clear();
        self.parent.extend(0..nodes);
        super::refill(&mut self.size, nodes as usize, 1);
        self.sums = sums as usize;
        super::refill(&mut self.values, nodes as usize * self.sums, 0);
        self.log.clear();
    }

    /// The node that stands for `node`'s component, until the next join or undo.
    pub fn root(&self, node: super::NodeId) -> super::NodeId {
        let mut at = node.0;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        super::NodeId(at)
    }

    /// Whether one can get from one to the other.
    pub fn joins(&self, a: super::NodeId, b: super::NodeId) -> bool {
        self.root(a) == self.root(b)
    }

    /// How many nodes `node`'s component has.
    pub fn size(&self, node: super::NodeId) -> u32 {
        self.size[self.root(node).index()]
    }

    /// Sum number `sum` of `node`'s component.
    pub fn sum(&self, node: super::NodeId, sum: u32) -> i32 {
        self.values[self.root(node).index() * self.sums + sum as usize]
    }

    /// Adds `by` to sum number `sum` of `node`'s component.
    pub fn add(&mut self, node: super::NodeId, sum: u32, by: i32) {
        let root = self.root(node).0;
        self.values[root as usize * self.sums + sum as usize] += by;
        self.log.push(Change::Added { root, sum, by });
    }

    /// Joins the components of `a` and `b`; false if they were one already.
    pub fn join(&mut self, a: super::NodeId, b: super::NodeId) -> bool {
        let (a, b) = (self.root(a).0, self.root(b).0);
        if a == b {
            return false;
        }
        let (size_a, size_b) = (self.size[a as usize], self.size[b as usize]);
        let a_stays = size_a > size_b || (size_a == size_b && a < b);
        let (top, low) = if a_stays { (a, b) } else { (b, a) };
        self.parent[low as usize] = top;
        self.size[top as usize] += self.size[low as usize];
        for sum in 0..self.sums {
            self.values[top as usize * self.sums + sum] +=
                self.values[low as usize * self.sums + sum];
        }
        self.log.push(Change::Joined(low));
        true
    }

    /// Where to go back to with `undo`.
    pub fn mark(&self) -> UndoMark {
        UndoMark(self.log.len() as u32)
    }

    /// Takes back all joins and additions since `mark`.
    pub fn undo_to(&mut self, mark: UndoMark) {
        while self.log.len() > mark.0 as usize {
            match self.log.pop() {
                Some(Change::Joined(low)) => {
                    let top = self.parent[low as usize];
                    self.parent[low as usize] = low;
                    self.size[top as usize] -= self.size[low as usize];
                    for sum in 0..self.sums {
                        self.values[top as usize * self.sums + sum] -=
                            self.values[low as usize * self.sums + sum];
                    }
                }
                Some(Change::Added { root, sum, by }) => {
                    self.values[root as usize * self.sums + sum as usize] -= by;
                }
                None => return,
            }
        }
    }

    /// Forgets the history: what is joined now can no longer be undone, and the log does not grow for ever.
    pub fn keep(&mut self) {
        self.log.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::NodeId;
    use super::super::walk_tests::Dice;
    use super::*;

    #[test]
    fn undo_restores_components_and_sums() {
        for seed in 0..200 {
            let mut dice = Dice::new(seed);
            let nodes = 2 + dice.below(14);
            let mut union = UnionUndo::new(nodes, 2);
            let mut saved = Vec::new();
            for _ in 0..60 {
                match dice.below(4) {
                    0 => {
                        let facts: Vec<_> = (0..nodes).map(|n| facts(&union, n)).collect();
                        saved.push((union.mark(), facts));
                    }
                    1 if !saved.is_empty() => {
                        let (mark, old) = saved.pop().unwrap();
                        union.undo_to(mark);
                        let now: Vec<_> = (0..nodes).map(|n| facts(&union, n)).collect();
                        assert_eq!(now, old, "seed {seed}");
                    }
                    2 => union.add(NodeId(dice.below(nodes)), dice.below(2), 1),
                    _ => {
                        union.join(NodeId(dice.below(nodes)), NodeId(dice.below(nodes)));
                    }
                }
            }
            let total: i32 = (0..nodes)
                .filter(|&n| union.root(NodeId(n)).0 == n)
                .map(|n| union.size(NodeId(n)) as i32)
                .sum();
            assert_eq!(total, nodes as i32);
        }
    }

    fn facts(union: &UnionUndo, node: u32) -> (u32, u32, i32, i32) {
        let node = NodeId(node);
        (
            union.root(node).0,
            union.size(node),
            union.sum(node, 0),
            union.sum(node, 1),
        )
    }
}
