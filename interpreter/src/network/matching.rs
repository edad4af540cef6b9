//! Heaviest matching in a general graph: the primal-dual blossom method, O(n³).
//!
//! Vertices are 1 to n, blossoms n+1 and up, 0 is "none". A weight of 0 means there is no edge.
//! Follows Galil, "Efficient algorithms for finding maximum matching in graphs", in the usual matrix form. Duals are
//! kept doubled, so that all numbers stay whole.

use super::refill;

#[derive(Clone, Copy, Default)]
struct Edge {
    u: usize,
    v: usize,
    weight: i64,
}

/// A blossom's (or vertex's) label in the growing forest.
#[derive(Clone, Copy, PartialEq)]
enum Label {
    Free,
    Even,
    Odd,
}

#[derive(Default)]
pub(crate) struct Matching {
    n: usize,
    top: usize,
    width: usize,
    edge: Vec<Edge>,
    inside: Vec<usize>,
    dual: Vec<i64>,
    mate: Vec<usize>,
    slack: Vec<usize>,
    root: Vec<usize>,
    parent: Vec<usize>,
    label: Vec<Label>,
    mark: Vec<u32>,
    time: u32,
    petals: Vec<Vec<usize>>,
    queue: Vec<usize>,
}

impl Matching {
    /// Starts a graph of `n` vertices without edges.
    pub(crate) fn begin(&mut self, n: usize) {
        self.n = n;
        self.top = n;
        self.width = 2 * n + 2;
        let width = self.width;
        refill(&mut self.edge, width * width, Edge::default());
        for u in 0..width {
            for v in 0..width {
                self.edge[u * width + v] = Edge { u, v, weight: 0 };
            }
        }
        refill(&mut self.inside, width * width, 0);
        refill(&mut self.dual, width, 0);
        refill(&mut self.mate, width, 0);
        refill(&mut self.slack, width, 0);
        refill(&mut self.root, width, 0);
        refill(&mut self.parent, width, 0);
        refill(&mut self.label, width, Label::Free);
        refill(&mut self.mark, width, 0);
        self.time = 0;
        if self.petals.len() < width {
            self.petals.resize_with(width, Vec::new);
        }
        self.petals.iter_mut().for_each(Vec::clear);
    }

    /// Adds the edge between vertices `u` and `v` (1 to n) with a weight above 0.
    pub(crate) fn join(&mut self, u: usize, v: usize, weight: i64) {
        let width = self.width;
        self.edge[u * width + v].weight = weight;
        self.edge[v * width + u].weight = weight;
    }

    /// Finds the heaviest matching; then [`Matching::mate_of`] tells it.
    pub(crate) fn solve(&mut self) {
        let mut heaviest = 0;
        for u in 1..=self.n {
            self.root[u] = u;
            self.inside[u * self.width + u] = u;
            for v in 1..=self.n {
                heaviest = heaviest.max(self.edge(u, v).weight);
            }
        }
        self.dual[1..=self.n].fill(heaviest);
        while self.grow() {}
    }

    /// The vertex matched with `u`, 0 if none.
    pub(crate) fn mate_of(&self, u: usize) -> usize {
        self.mate[u]
    }

    fn edge(&self, u: usize, v: usize) -> Edge {
        self.edge[u * self.width + v]
    }

    fn reduced(&self, e: Edge) -> i64 {
        self.dual[e.u] + self.dual[e.v] - self.edge(e.u, e.v).weight * 2
    }

    fn offer_slack(&mut self, u: usize, x: usize) {
        let old = self.slack[x];
        if old == 0 || self.reduced(self.edge(u, x)) < self.reduced(self.edge(old, x)) {
            self.slack[x] = u;
        }
    }

    fn find_slack(&mut self, x: usize) {
        self.slack[x] = 0;
        for u in 1..=self.n {
            let root = self.root[u];
            if self.edge(u, x).weight > 0 && root != x && self.label[root] == Label::Even {
                self.offer_slack(u, x);
            }
        }
    }

    fn enqueue(&mut self, x: usize) {
        if x <= self.n {
            self.queue.push(x);
        } else {
            for i in 0..self.petals[x].len() {
                self.enqueue(self.petals[x][i]);
            }
        }
    }

    fn set_root(&mut self, x: usize, root: usize) {
        self.root[x] = root;
        if x > self.n {
            for i in 0..self.petals[x].len() {
                self.set_root(self.petals[x][i], root);
            }
        }
    }

    /// The place of `petal` in blossom `b`, its petals turned so that the way there from the base is even.
    fn even_place(&mut self, b: usize, petal: usize) -> usize {
        let petals = &mut self.petals[b];
        let place = petals.iter().position(|&p| p == petal).unwrap_or(0);
        if place % 2 == 1 {
            petals[1..].reverse();
            petals.len() - place
        } else {
            place
        }
    }

    fn set_mate(&mut self, u: usize, v: usize) {
        let edge = self.edge(u, v);
        self.mate[u] = edge.v;
        if u > self.n {
            let petal = self.inside[u * self.width + edge.u];
            let place = self.even_place(u, petal);
            for i in 0..place {
                self.set_mate(self.petals[u][i], self.petals[u][i ^ 1]);
            }
            self.set_mate(petal, v);
            self.petals[u].rotate_left(place);
        }
    }

    fn augment(&mut self, mut u: usize, mut v: usize) {
        loop {
            let next = self.root[self.mate[u]];
            self.set_mate(u, v);
            if next == 0 {
                return;
            }
            let above = self.root[self.parent[next]];
            self.set_mate(next, above);
            u = above;
            v = next;
        }
    }

    fn meeting(&mut self, mut u: usize, mut v: usize) -> usize {
        self.time += 1;
        while u != 0 || v != 0 {
            if u != 0 {
                if self.mark[u] == self.time {
                    return u;
                }
                self.mark[u] = self.time;
                u = self.root[self.mate[u]];
                if u != 0 {
                    u = self.root[self.parent[u]];
                }
            }
            std::mem::swap(&mut u, &mut v);
        }
        0
    }

    fn add_arm(&mut self, b: usize, from: usize, base: usize) {
        let mut x = from;
        while x != base {
            let y = self.root[self.mate[x]];
            self.petals[b].push(x);
            self.petals[b].push(y);
            self.enqueue(y);
            x = self.root[self.parent[y]];
        }
    }

    fn shrink(&mut self, u: usize, base: usize, v: usize) {
        let mut b = self.n + 1;
        while b <= self.top && self.root[b] != 0 {
            b += 1;
        }
        self.top = self.top.max(b);
        self.dual[b] = 0;
        self.label[b] = Label::Even;
        self.mate[b] = self.mate[base];
        self.petals[b].clear();
        self.petals[b].push(base);
        self.add_arm(b, u, base);
        self.petals[b][1..].reverse();
        self.add_arm(b, v, base);
        self.set_root(b, b);
        let width = self.width;
        for x in 1..=self.top {
            self.edge[b * width + x].weight = 0;
            self.edge[x * width + b].weight = 0;
        }
        self.inside[b * width..(b + 1) * width].fill(0);
        for i in 0..self.petals[b].len() {
            let petal = self.petals[b][i];
            for x in 1..=self.top {
                if self.edge(b, x).weight == 0
                    || self.reduced(self.edge(petal, x)) < self.reduced(self.edge(b, x))
                {
                    self.edge[b * width + x] = self.edge(petal, x);
                    self.edge[x * width + b] = self.edge(x, petal);
                }
            }
            for x in 1..=self.n {
                if self.inside[petal * width + x] != 0 {
                    self.inside[b * width + x] = petal;
                }
            }
        }
        self.find_slack(b);
    }

    fn expand(&mut self, b: usize) {
        for i in 0..self.petals[b].len() {
            let petal = self.petals[b][i];
            self.set_root(petal, petal);
        }
        let petal = self.inside[b * self.width + self.edge(b, self.parent[b]).u];
        let place = self.even_place(b, petal);
        for i in (0..place).step_by(2) {
            let (odd, even) = (self.petals[b][i], self.petals[b][i + 1]);
            self.parent[odd] = self.edge(even, odd).u;
            self.label[odd] = Label::Odd;
            self.label[even] = Label::Even;
            self.slack[odd] = 0;
            self.find_slack(even);
            self.enqueue(even);
        }
        self.label[petal] = Label::Odd;
        self.parent[petal] = self.parent[b];
        for i in place + 1..self.petals[b].len() {
            let petal = self.petals[b][i];
            self.label[petal] = Label::Free;
            self.find_slack(petal);
        }
        self.root[b] = 0;
    }

    /// Uses a tight edge; true if the matching grew.
    fn use_edge(&mut self, e: Edge) -> bool {
        let (u, v) = (self.root[e.u], self.root[e.v]);
        match self.label[v] {
            Label::Free => {
                self.parent[v] = e.u;
                self.label[v] = Label::Odd;
                let mate = self.root[self.mate[v]];
                self.slack[v] = 0;
                self.slack[mate] = 0;
                self.label[mate] = Label::Even;
                self.enqueue(mate);
            }
            Label::Even => {
                let base = self.meeting(u, v);
                if base == 0 {
                    self.augment(u, v);
                    self.augment(v, u);
                    return true;
                }
                self.shrink(u, base, v);
            }
            Label::Odd => {}
        }
        false
    }

    /// One phase: grows the matching by one edge; false if it is the heaviest.
    fn grow(&mut self) -> bool {
        self.label.fill(Label::Free);
        self.slack.fill(0);
        self.queue.clear();
        for x in 1..=self.top {
            if self.root[x] == x && self.mate[x] == 0 {
                self.parent[x] = 0;
                self.label[x] = Label::Even;
                self.enqueue(x);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            if self.scan() {
                return true;
            }
            if !self.shift_duals() {
                return false;
            }
            self.queue.clear();
            for x in 1..=self.top {
                let s = self.slack[x];
                if self.root[x] == x
                    && s != 0
                    && self.root[s] != x
                    && self.reduced(self.edge(s, x)) == 0
                    && self.use_edge(self.edge(s, x))
                {
                    return true;
                }
            }
            for b in self.n + 1..=self.top {
                if self.root[b] == b && self.label[b] == Label::Odd && self.dual[b] == 0 {
                    self.expand(b);
                }
            }
        }
    }

    fn scan(&mut self) -> bool {
        let mut head = 0;
        while head < self.queue.len() {
            let u = self.queue[head];
            head += 1;
            if self.label[self.root[u]] == Label::Odd {
                continue;
            }
            for v in 1..=self.n {
                let e = self.edge(u, v);
                if e.weight > 0 && self.root[u] != self.root[v] {
                    if self.reduced(e) != 0 {
                        self.offer_slack(u, self.root[v]);
                    } else if self.use_edge(e) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Moves the duals to the next tight edge; false if a free vertex's dual would reach 0: nothing heavier is left.
    fn shift_duals(&mut self) -> bool {
        let mut shift = i64::MAX;
        for b in self.n + 1..=self.top {
            if self.root[b] == b && self.label[b] == Label::Odd {
                shift = shift.min(self.dual[b] / 2);
            }
        }
        for x in 1..=self.top {
            if self.root[x] == x && self.slack[x] != 0 {
                let reduced = self.reduced(self.edge(self.slack[x], x));
                match self.label[x] {
                    Label::Free => shift = shift.min(reduced),
                    Label::Even => shift = shift.min(reduced / 2),
                    Label::Odd => {}
                }
            }
        }
        for u in 1..=self.n {
            match self.label[self.root[u]] {
                Label::Even if self.dual[u] <= shift => return false,
                Label::Even => self.dual[u] -= shift,
                Label::Odd => self.dual[u] += shift,
                Label::Free => {}
            }
        }
        for b in self.n + 1..=self.top {
            if self.root[b] == b {
                match self.label[b] {
                    Label::Even => self.dual[b] += shift * 2,
                    Label::Odd => self.dual[b] -= shift * 2,
                    Label::Free => {}
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::walk_tests::Dice;
    use super::*;

    fn brute(weight: &[i64], n: usize, free: u32) -> i64 {
        if free == 0 {
            return 0;
        }
        let u = free.trailing_zeros() as usize;
        let rest = free & (free - 1);
        let mut best = brute(weight, n, rest);
        for v in u + 1..n {
            if rest >> v & 1 != 0 && weight[u * n + v] > 0 {
                best = best.max(weight[u * n + v] + brute(weight, n, rest & !(1 << v)));
            }
        }
        best
    }

    #[test]
    fn the_heaviest_matching_is_found() {
        let mut matching = Matching::default();
        for seed in 0..600 {
            let mut dice = Dice::new(seed);
            let n = 1 + dice.below(9) as usize;
            let (range, sparse) = (1 + dice.below(9), dice.below(4));
            let mut weight = vec![0; n * n];
            matching.begin(n);
            for u in 0..n {
                for v in u + 1..n {
                    if dice.below(4) >= sparse {
                        weight[u * n + v] = i64::from(1 + dice.below(range));
                        matching.join(u + 1, v + 1, weight[u * n + v]);
                    }
                }
            }
            matching.solve();
            let mut sum = 0;
            for u in 1..=n {
                let v = matching.mate_of(u);
                assert!(v == 0 || matching.mate_of(v) == u);
                if v > u {
                    sum += weight[(u - 1) * n + v - 1];
                }
            }
            assert_eq!(sum, brute(&weight, n, (1 << n) - 1), "seed {seed}");
        }
    }
}
