//! Walks against brute force, and the tools that the module's tests share.

use super::walk::{Arrival, Clauses, Hints, Need, Progress, Query, Reads, Step, Visit};
use super::*;
use std::collections::BTreeMap;

/// A small generator for tests (splitmix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x1234_5678)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to `limit` - 1.
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        (self.next() % u64::from(limit)) as u32
    }
}

/// A board of squares, sides north east south west.
pub(crate) fn square(rows: u32, columns: u32) -> Layout {
    let mut next = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let cell = row * columns + column;
            next.push(if row > 0 { cell - columns } else { NO_CELL });
            next.push(if column + 1 < columns {
                cell + 1
            } else {
                NO_CELL
            });
            next.push(if row + 1 < rows {
                cell + columns
            } else {
                NO_CELL
            });
            next.push(if column > 0 { cell - 1 } else { NO_CELL });
        }
    }
    Layout::by_sides(next, &[2, 3, 0, 1])
}

/// Clauses put together at random; the fields switch them on.
#[derive(Clone, Debug, Default)]
struct Mixed {
    /// Nodes that are visited once at most (0: no such rule).
    once: u64,
    /// Nodes where going back is allowed; `None`: everywhere.
    turning: Option<u64>,
    unused: bool,
    straight: bool,
    /// Steps with this number (by `side + steps`) are barred.
    steps_rule: bool,
    /// At most this many nodes in all.
    visited_max: Option<u32>,
    gain: [i32; 16],
    link_gain: bool,
    fresh_gain: bool,
    start_gain: bool,
    to: Option<u64>,
    any_of: Option<[u32; 1]>,
    /// Asked: an even number of `once` nodes.
    even: bool,
    remembers: Option<[u32; 1]>,
}

impl Clauses for Mixed {
    fn allows(&mut self, step: &Step) -> bool {
        let here = |set: u64| set >> step.here.0 & 1 != 0;
        (self.once >> step.next.0 & 1 == 0 || step.fresh)
            && (self.turning.is_none_or(here) || step.onward)
            && (!self.unused || step.unused)
            && (!self.straight || step.straight || step.here.0.is_multiple_of(3))
            && (!self.steps_rule || (step.steps + step.side) % 5 != 4)
            && self.visited_max.is_none_or(|most| {
                let count: u32 = step.visited.iter().map(|w| w.count_ones()).sum();
                count < most || !step.fresh
            })
    }
    fn gain(&mut self, step: &Step) -> i32 {
        let mut gain = self.gain[step.next.index() % 16];
        if self.link_gain {
            gain += step.link.0 as i32 % 4;
        }
        if self.fresh_gain && !step.fresh {
            gain = -1;
        }
        gain
    }
    fn start_gain(&mut self, start: NodeId) -> i32 {
        if self.start_gain {
            self.gain[start.index() % 16]
        } else {
            0
        }
    }
    fn may_end(&mut self, node: NodeId) -> bool {
        self.to.is_none_or(|to| to >> node.0 & 1 != 0)
    }
    fn need(&mut self, visit: &Visit) -> bool {
        if let Some(any) = self.any_of {
            return visit.visited[0] & any[0] != 0;
        }
        !self.even
            || (visit.visited[0] & self.once as u32)
                .count_ones()
                .is_multiple_of(2)
    }
}

impl Mixed {
    fn roll(dice: &mut Dice, nodes: u32) -> Mixed {
        let half = |dice: &mut Dice| dice.below(2) == 0;
        let rare = |dice: &mut Dice| dice.below(5) == 0;
        let all = (1u64 << nodes) - 1;
        let once = dice.next() & all;
        let only_once = half(dice);
        let mut gain = [0; 16];
        for (node, gain) in gain.iter_mut().enumerate() {
            if !only_once || once >> node & 1 != 0 {
                *gain = dice.below(5) as i32 - i32::from(rare(dice));
            }
        }
        let mut mixed = Mixed {
            once: if dice.below(4) == 0 { 0 } else { once },
            turning: half(dice).then(|| if half(dice) { once } else { 0 }),
            unused: rare(dice),
            straight: rare(dice),
            steps_rule: rare(dice),
            visited_max: rare(dice).then(|| 2 + dice.below(4)),
            gain,
            link_gain: rare(dice),
            fresh_gain: rare(dice),
            start_gain: half(dice),
            to: half(dice).then(|| if half(dice) { once } else { dice.next() }),
            any_of: half(dice).then(|| [dice.next() as u32 & dice.next() as u32 & all as u32]),
            even: rare(dice),
            remembers: None,
        };
        if rare(dice) {
            mixed.take_the_cheapest_way();
        }
        let only_those = !mixed.fresh_gain && mixed.visited_max.is_none();
        if only_those && half(dice) {
            let any = mixed.any_of.map_or(0, |any| any[0]);
            mixed.remembers = Some([once as u32 | any]);
        }
        mixed
    }

    /// Each step costs, and nothing but `fresh` and `unused` is asked.
    fn take_the_cheapest_way(&mut self) {
        self.gain.iter_mut().for_each(|gain| *gain = -gain.abs());
        (self.turning, self.visited_max, self.any_of) = (None, None, None);
        (self.straight, self.steps_rule, self.even) = (false, false, false);
        (self.link_gain, self.fresh_gain) = (false, false);
    }

    fn hints(&self) -> Hints<'_> {
        Hints {
            allows: Reads {
                fresh: self.once != 0 || self.visited_max.is_some(),
                unused: self.unused,
                nodes: self.visited_max.is_some(),
                direction: self.turning.is_some() || self.straight,
                steps: self.steps_rule,
            },
            gain: Reads {
                fresh: self.fresh_gain,
                ..Reads::NOTHING
            },
            to: self.to.is_some(),
            need: match &self.any_of {
                Some(any) => Need::AnyOf(any),
                None if self.even => Need::Asked,
                None => Need::Nothing,
            },
            remembers: self.remembers.as_ref().map(|set| &set[..]),
        }
    }
}

/// All walks, one by one.
struct Brute<'a, A> {
    net: &'a A,
    query: Query<'a>,
    clauses: Mixed,
    ends: u64,
    best: Option<i64>,
    fewest: Option<u32>,
    nodes: Vec<NodeId>,
    links: Vec<LinkId>,
    /// The greatest sum over each set of links.
    by_links: BTreeMap<[u32; 4], i64>,
}

impl<'a, A: Adjacency> Brute<'a, A> {
    fn over(net: &'a A, query: Query<'a>, clauses: Mixed) -> Self {
        let mut brute = Brute {
            net,
            query,
            clauses,
            ends: 0,
            best: None,
            fewest: None,
            nodes: Vec::new(),
            links: Vec::new(),
            by_links: BTreeMap::new(),
        };
        for node in bits::iter(query.from).take_while(|&n| n < net.node_count()) {
            brute.nodes.push(NodeId(node));
            let gain = brute.clauses.start_gain(NodeId(node));
            brute.go(None, gain);
            brute.nodes.pop();
        }
        brute
    }

    fn go(&mut self, last: Option<Arrival>, gain: i32) {
        let mut visited = [0u32; 1];
        let mut used = [0u32; 4];
        for node in &self.nodes {
            bits::insert(&mut visited, node.0);
        }
        for link in &self.links {
            bits::insert(&mut used, link.0);
        }
        let here = self.nodes[self.nodes.len() - 1];
        let steps = self.links.len() as u32;
        let visit = Visit {
            nodes: &self.nodes,
            links: &self.links,
            visited: &visited,
        };
        if steps >= self.query.at_least && self.clauses.may_end(here) && self.clauses.need(&visit) {
            self.ends |= 1 << here.0;
            self.best = self.best.max(Some(gain.into()));
            self.fewest = Some(self.fewest.map_or(steps, |fewest| fewest.min(steps)));
            let known = self.by_links.entry(used).or_insert(0);
            *known = i64::from(gain).max(*known);
        }
        if steps == self.query.up_to {
            return;
        }
        let progress = Progress {
            here,
            last,
            steps,
            visited: &visited,
            used: &used,
        };
        let mut next = Vec::new();
        walk::steps_from(self.net, &progress, &mut self.clauses, |arc| next.push(arc));
        for arc in next {
            let step = Step {
                here,
                next: arc.to,
                link: arc.link,
                side: arc.side,
                steps,
                fresh: !bits::has(&visited, arc.to.0),
                unused: !bits::has(&used, arc.link.0),
                onward: true,
                straight: true,
                visited: &visited,
            };
            let more = self.clauses.gain(&step);
            self.nodes.push(arc.to);
            self.links.push(arc.link);
            self.go(Some(arc.into()), gain + more);
            self.nodes.pop();
            self.links.pop();
        }
    }
}

/// The given walk must itself keep the clauses and be worth what it says.
fn assert_keeps(net: &impl Adjacency, query: &Query, clauses: &mut Mixed, best: walk::Best) {
    let mut visited = [0u32; 1];
    let mut used = [0u32; 4];
    bits::insert(&mut visited, best.nodes[0].0);
    assert!(bits::has(query.from, best.nodes[0].0));
    let mut last: Option<Arrival> = None;
    let mut sum = clauses.start_gain(best.nodes[0]);
    for (i, &link) in best.links.iter().enumerate() {
        let (here, next) = (best.nodes[i], best.nodes[i + 1]);
        let mut found = None;
        for index in net.arcs_of(here) {
            let arc = net.arc(index);
            if arc.link == link && arc.to == next && net.is_active(link) {
                let step = Step {
                    here,
                    next,
                    link,
                    side: arc.side,
                    steps: i as u32,
                    fresh: !bits::has(&visited, next.0),
                    unused: !bits::has(&used, link.0),
                    onward: last.is_none_or(|l| l.entry != arc.gate),
                    straight: last.is_none_or(|l| l.side == arc.side),
                    visited: &visited,
                };
                assert!(clauses.allows(&step));
                sum += clauses.gain(&step);
                found = Some(arc);
            }
        }
        last = Some(found.unwrap().into());
        bits::insert(&mut visited, next.0);
        bits::insert(&mut used, link.0);
    }
    assert_eq!(i64::from(sum), best.value);
    assert!(clauses.may_end(best.nodes[best.nodes.len() - 1]));
    assert!((query.at_least..=query.up_to).contains(&(best.links.len() as u32)));
    assert!(clauses.need(&Visit {
        nodes: best.nodes,
        links: best.links,
        visited: &visited
    }));
}

fn compare(net: &impl Adjacency, dice: &mut Dice, seed: u64, scratch: &mut Scratch) {
    let mut mixed = Mixed::roll(dice, net.node_count());
    let from = [dice.next() as u32 & dice.next() as u32];
    let at_least = [0, 0, 1, 1, 2, 4][dice.below(6) as usize];
    let from_mixed = mixed.clone();
    let query = Query {
        from: &from,
        up_to: at_least + dice.below(5),
        at_least,
        hints: from_mixed.hints(),
        budget: 1_000_000,
    };
    let brute = Brute::over(net, query, mixed.clone());
    let seen = format!("seed {seed} {mixed:?} {query:?}");
    let found = walk::exists(net, &query, &mut mixed, scratch).unwrap();
    assert_eq!(found, brute.best.is_some(), "exists: {seen}");
    let fewest = walk::distance(net, &query, &mut mixed, scratch).unwrap();
    assert_eq!(fewest, brute.fewest, "distance: {seen}");
    let mut ends = [0];
    walk::ends(net, &query, &mut mixed, scratch, &mut ends).unwrap();
    assert_eq!(u64::from(ends[0]), brute.ends, "ends: {seen}");
    let best = walk::best(net, &query, &mut mixed, scratch).unwrap();
    assert_eq!(best.map(|b| b.value), brute.best, "best: {seen}");
    if let Some(best) = best {
        assert_keeps(net, &query, &mut mixed, best);
    }
    // Knowing nothing, the search may be slow but must not be wrong.
    let blind = Query {
        hints: Hints::UNKNOWN,
        ..query
    };
    let best = walk::best(net, &blind, &mut mixed, scratch).unwrap();
    assert_eq!(best.map(|b| b.value), brute.best, "blind: {seen}");
}

#[test]
fn walks_on_graphs_agree_with_brute_force() {
    let mut scratch = Scratch::default();
    for seed in 0..1500 {
        let mut dice = Dice::new(seed);
        let nodes = 2 + dice.below(8);
        let links: Vec<_> = (0..1 + dice.below(12))
            .map(|_| (NodeId(dice.below(nodes)), NodeId(dice.below(nodes))))
            .collect();
        let graph = Graph::new(nodes, &links);
        let mask = [dice.next() as u32 | dice.next() as u32];
        compare(&graph.masked(&mask), &mut dice, seed, &mut scratch);
    }
}

#[test]
fn walks_on_tiles_agree_with_brute_force() {
    let mut scratch = Scratch::default();
    for seed in 0..1500 {
        let mut dice = Dice::new(seed);
        let layout = square(1 + dice.below(3), 1 + dice.below(3));
        let mut network = TileNetwork::default();
        let tiles: Vec<Vec<u64>> = (0..layout.cells)
            .map(|_| {
                (0..2)
                    .map(|_| dice.next() & 15 | dice.next() & 15)
                    .collect()
            })
            .collect();
        network.rebuild(&layout, 2, |cell| &tiles[cell as usize]);
        compare(&network, &mut dice, seed, &mut scratch);
        compare(&Lattice::new(&layout), &mut dice, seed, &mut scratch);
    }
}

/// Walkers with clauses of their own; those of the same kind are alike.
struct Several<'a, A> {
    net: &'a A,
    kinds: Vec<(Mixed, [u32; 1], u32, u32)>,
    who: Vec<usize>,
    scratch: Scratch,
}

impl<A: Adjacency> Several<'_, A> {
    fn query<'q>(&self, kind: &'q (Mixed, [u32; 1], u32, u32)) -> Query<'q> {
        Query {
            from: &kind.1,
            up_to: kind.2,
            at_least: kind.3,
            hints: kind.0.hints(),
            budget: 1_000_000,
        }
    }
}

/// The network without some links.
struct Without<'a, A>(&'a A, &'a [u32]);

impl<A: Adjacency> Adjacency for Without<'_, A> {
    fn node_count(&self) -> u32 {
        self.0.node_count()
    }
    fn link_count(&self) -> u32 {
        self.0.link_count()
    }
    fn arc_count(&self) -> u32 {
        self.0.arc_count()
    }
    fn arcs_of(&self, node: NodeId) -> std::ops::Range<u32> {
        self.0.arcs_of(node)
    }
    fn arc(&self, index: u32) -> Arc {
        self.0.arc(index)
    }
    fn is_active(&self, link: LinkId) -> bool {
        !bits::has(self.1, link.0) && self.0.is_active(link)
    }
}

impl<A: Adjacency> walk::Walkers for Several<'_, A> {
    fn count(&self) -> usize {
        self.who.len()
    }
    fn alike(&self, a: usize, b: usize) -> bool {
        self.who[a] == self.who[b]
    }
    fn best(
        &mut self,
        walker: usize,
        barred: &[u32],
        walk: &mut walk::Walk,
    ) -> Result<(), Exhausted> {
        let kind = self.kinds[self.who[walker]].clone();
        let (query, net) = (self.query(&kind), Without(self.net, barred));
        let mut clauses = kind.0.clone();
        walk::best_into(&net, &query, &mut clauses, &mut self.scratch, walk).map(|_| ())
    }
}

/// The best of all sets of walks, one by one.
fn best_of_all(walks: &[&BTreeMap<[u32; 4], i64>], used: [u32; 4]) -> i64 {
    let Some((first, rest)) = walks.split_first() else {
        return 0;
    };
    let free = |links: &[u32; 4]| links.iter().zip(&used).all(|(a, b)| a & b == 0);
    let with = first
        .iter()
        .filter(|(links, value)| free(links) && **value > 0);
    let sums = with.map(|(links, value)| {
        let used = std::array::from_fn(|at| links[at] | used[at]);
        value + best_of_all(rest, used)
    });
    sums.max().unwrap_or(0).max(best_of_all(rest, used))
}

/// Whether more had to be looked at than what the walkers choose one after the other.
fn compare_sets(
    net: &impl Adjacency,
    dice: &mut Dice,
    seed: u64,
    sets: &mut walk::SetScratch,
) -> bool {
    let kinds: Vec<_> = (0..1 + dice.below(3))
        .map(|_| {
            let mut mixed = Mixed::roll(dice, net.node_count());
            // Walks worth having, else there is little to share.
            if dice.below(3) > 0 {
                (mixed.to, mixed.any_of, mixed.even) = (None, None, false);
                mixed.remembers = None;
            }
            let at_least = dice.below(2);
            let from = [dice.next() as u32 | dice.next() as u32];
            (mixed, from, at_least + dice.below(4), at_least)
        })
        .collect();
    let who = (0..1 + dice.below(4))
        .map(|_| dice.below(kinds.len() as u32) as usize)
        .collect();
    let mut several = Several {
        net,
        kinds,
        who,
        scratch: Scratch::default(),
    };
    let all: Vec<_> = several
        .kinds
        .iter()
        .map(|kind| Brute::over(net, several.query(kind), kind.0.clone()).by_links)
        .collect();
    // As many as can be looked through.
    let mut ways = 1;
    let many = several.who.iter().take_while(|kind| {
        ways *= all[**kind].len().max(1);
        ways < 100_000
    });
    let many = many.count();
    several.who.truncate(many);
    let walks: Vec<_> = several.who.iter().map(|kind| &all[*kind]).collect();
    let wanted = best_of_all(&walks, [0; 4]);
    let found = walk::best_set(&mut several, net.link_count(), 1_000_000, sets).unwrap();
    assert_eq!(
        found, wanted,
        "seed {seed} {:?} {:?}",
        several.who, several.kinds
    );
    let mut used = [0u32; 4];
    let mut sum = 0;
    for (kind, walk) in several.who.iter().zip(sets.walks(several.who.len())) {
        sum += walk.value;
        if walk.nodes.is_empty() {
            assert_eq!((walk.value, walk.links.len()), (0, 0));
            continue;
        }
        let own: std::collections::BTreeSet<_> = walk.links.iter().map(|link| link.0).collect();
        assert!(own.into_iter().all(|link| bits::insert(&mut used, link)));
        let kind = &several.kinds[*kind];
        let best = walk::Best {
            value: walk.value,
            nodes: &walk.nodes,
            links: &walk.links,
        };
        assert_keeps(net, &several.query(kind), &mut kind.0.clone(), best);
    }
    assert_eq!(sum, found);
    walk::best_set(&mut several, net.link_count(), 0, sets).is_err()
}

#[test]
fn the_best_walks_at_once_agree_with_brute_force() {
    let mut sets = walk::SetScratch::default();
    let mut searched = 0;
    for seed in 0..1500 {
        let mut dice = Dice::new(seed);
        let nodes = 2 + dice.below(6);
        let links: Vec<_> = (0..1 + dice.below(10))
            .map(|_| (NodeId(dice.below(nodes)), NodeId(dice.below(nodes))))
            .collect();
        let graph = Graph::new(nodes, &links);
        let mask = [dice.next() as u32 | dice.next() as u32];
        let graph = graph.masked(&mask);
        searched += u32::from(compare_sets(&graph, &mut dice, seed, &mut sets));
        let layout = square(1 + dice.below(3), 1 + dice.below(3));
        let mut network = TileNetwork::default();
        let tiles: Vec<u64> = (0..layout.cells)
            .map(|_| dice.next() & 15 | dice.next() & 15)
            .collect();
        network.rebuild(&layout, 1, |cell| {
            std::slice::from_ref(&tiles[cell as usize])
        });
        searched += u32::from(compare_sets(&network, &mut dice, seed, &mut sets));
        let lattice = Lattice::new(&layout);
        searched += u32::from(compare_sets(&lattice, &mut dice, seed, &mut sets));
    }
    assert!(searched > 500, "{searched}");
}
