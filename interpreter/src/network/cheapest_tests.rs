//! Walks that cost something, and walks without an end.

use super::walk::{Clauses, Hints, Query, Reads, Step};
use super::*;

#[test]
fn the_cheapest_way_costs_the_same_with_fresh_and_without() {
    struct Toll {
        fresh: bool,
    }
    impl Clauses for Toll {
        fn allows(&mut self, step: &Step) -> bool {
            !self.fresh || step.fresh && step.unused
        }
        fn gain(&mut self, step: &Step) -> i32 {
            -(step.link.0 as i32 * 7 % 11)
        }
        fn may_end(&mut self, node: NodeId) -> bool {
            node.0 == 29
        }
    }
    // Everything joined with everything: walks that come nowhere twice are more than can be tried.
    let pairs = (0..30).flat_map(|a| (a + 1..30).map(move |b| (NodeId(a), NodeId(b))));
    let links: Vec<_> = pairs.collect();
    let graph = Graph::new(30, &links);
    let mask = [u32::MAX; 14];
    let net = graph.masked(&mask);
    let mut scratch = Scratch::default();
    let found = [false, true].map(|fresh| {
        let reads = Reads {
            fresh,
            unused: fresh,
            ..Reads::NOTHING
        };
        let query = Query {
            from: &[1],
            up_to: u32::MAX,
            at_least: 0,
            hints: Hints {
                allows: reads,
                to: true,
                ..Hints::PLAIN
            },
            budget: 1_000,
        };
        let best = walk::best(&net, &query, &mut Toll { fresh }, &mut scratch);
        let best = best.unwrap().unwrap();
        (best.value, best.nodes.to_vec())
    });
    assert_eq!(found[0], found[1]);
}

#[test]
fn a_walk_without_end_is_told() {
    struct Endless;
    impl Clauses for Endless {
        fn gain(&mut self, _: &Step) -> i32 {
            1
        }
    }
    let graph = Graph::new(2, &[(NodeId(0), NodeId(1))]);
    let mut scratch = Scratch::default();
    let query = Query {
        from: &[1],
        up_to: u32::MAX,
        at_least: 0,
        hints: Hints::PLAIN,
        budget: 100_000,
    };
    let net = graph.masked(&[1]);
    let found = walk::best(&net, &query, &mut Endless, &mut scratch);
    assert_eq!(found, Err(Exhausted::Steps));
    let mut ends = [0];
    walk::ends(&net, &query, &mut Endless, &mut scratch, &mut ends).unwrap();
    assert_eq!(ends, [3]);
}
