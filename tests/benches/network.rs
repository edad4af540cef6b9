//! How long network questions take. Times are per question; each sample asks of another random network.

mod rail_cards;

use interpreter::network::walk::{self, Clauses, Hints, Need, Query, Reads, Step};
use interpreter::network::{Graph, Layout, LinkId, NO_CELL, NodeId, Scratch, TileNetwork, bits};
use std::time::{Duration, Instant};

fn main() {
    divan::main();
    if !std::env::args().any(|arg| arg == "--list" || arg == "--test") {
        print_growth();
        print_largest_map();
    }
}

/// A small generator (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u32) -> u32 {
        (self.next() % u64::from(limit)) as u32
    }
}

/// A map of 36 places in a 6 by 6 field with 100 links between near ones, a third of them double, and 45 links in use.
fn place_map(seed: u64) -> (Graph, Vec<u32>, Vec<u32>) {
    let mut dice = Dice(seed);
    let mut links = Vec::new();
    while links.len() < 100 {
        let (row, column) = (dice.below(6), dice.below(6));
        let (down, right) = [(0, 1), (1, 0), (1, 1)][dice.below(3) as usize];
        if row + down < 6 && column + right < 6 {
            let a = NodeId(row * 6 + column);
            let b = NodeId((row + down) * 6 + column + right);
            links.push((a, b));
        }
    }
    let lengths = (0..100).map(|_| 1 + dice.below(6)).collect();
    let mut mask = vec![0; bits::words(100)];
    let mut left = 45;
    while left > 0 {
        left -= u32::from(bits::insert(&mut mask, dice.below(100)));
    }
    (Graph::new(36, &links), lengths, mask)
}

/// A field of 60 cells: 40 with a station (a third of them with a track beside it), 20 with plain track.
struct RailMap {
    network: TileNetwork,
    stations: Vec<u32>,
    own: Vec<u32>,
    worth: Vec<i32>,
}

const MAX_PARTS: u32 = 4;

fn rail_map(seed: u64) -> RailMap {
    rail_field(seed, 6, 10)
}

/// The same with other numbers of cells; two thirds have a station.
fn rail_field(seed: u64, rows: u32, columns: u32) -> RailMap {
    let mut dice = Dice(seed);
    let with_station = (rows * columns * 2 / 3) as usize;
    let mut next = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let cell: u32 = row * columns + column;
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
    let layout = Layout::by_sides(next, &[2, 3, 0, 1]);
    let nodes = layout.cells * MAX_PARTS;
    let (mut stations, mut own) = (vec![0; bits::words(nodes)], vec![0; bits::words(nodes)]);
    let mut worth = vec![0; nodes as usize];
    let mut cells: Vec<u32> = (0..layout.cells).collect();
    for i in (1..cells.len()).rev() {
        cells.swap(i, dice.below(i as u32 + 1) as usize);
    }
    let mut tiles = vec![Vec::new(); layout.cells as usize];
    for (number, &cell) in cells.iter().enumerate() {
        let tile = &mut tiles[cell as usize];
        if number < with_station {
            // Ends, through stations, junctions and crossings.
            let sides = [1, 2, 2, 2, 3, 3, 4][dice.below(7) as usize];
            let mut set = 0u64;
            while set.count_ones() < sides {
                set |= 1 << dice.below(4);
            }
            tile.push(set);
            if dice.below(3) == 0 {
                tile.push(pair(&mut dice));
            }
            bits::insert(&mut stations, cell * MAX_PARTS);
            worth[(cell * MAX_PARTS) as usize] = [1, 1, 1, 2, 2, 3][dice.below(6) as usize];
            if number < 6 {
                bits::insert(&mut own, cell * MAX_PARTS);
            }
        } else {
            for _ in 0..2 + dice.below(3) {
                tile.push(pair(&mut dice));
            }
        }
    }
    let mut network = TileNetwork::default();
    network.rebuild(&layout, MAX_PARTS, |cell| &tiles[cell as usize]);
    RailMap {
        network,
        stations,
        own,
        worth,
    }
}

fn pair(dice: &mut Dice) -> u64 {
    let mut set = 0u64;
    while set.count_ones() < 2 {
        set |= 1 << dice.below(4);
    }
    set
}

/// Every station once, no turning back on plain track, from a station to a station.
struct Run<'a>(&'a RailMap);

impl Clauses for Run<'_> {
    fn allows(&mut self, step: &Step) -> bool {
        (step.fresh || !bits::has(&self.0.stations, step.next.0))
            && (step.onward || bits::has(&self.0.stations, step.here.0))
    }
    fn gain(&mut self, step: &Step) -> i32 {
        self.0.worth[step.next.0 as usize]
    }
    fn start_gain(&mut self, start: NodeId) -> i32 {
        self.0.worth[start.0 as usize]
    }
    fn may_end(&mut self, node: NodeId) -> bool {
        bits::has(&self.0.stations, node.0)
    }
}

fn best_run(map: &RailMap, from: &[u32], range: u32, scratch: &mut Scratch) -> Option<i64> {
    let query = Query {
        from,
        up_to: range,
        at_least: 1,
        hints: Hints {
            allows: Reads {
                fresh: true,
                direction: true,
                ..Reads::NOTHING
            },
            gain: Reads::NOTHING,
            to: true,
            need: Need::AnyOf(&map.own),
            remembers: Some(&map.stations),
        },
        budget: 50_000_000,
    };
    let best = walk::best(&map.network, &query, &mut Run(map), scratch);
    best.expect("the budget is large").map(|best| best.value)
}

#[divan::bench(sample_count = 300, sample_size = 1)]
fn best_run_from_any_station(bencher: divan::Bencher) {
    let (mut scratch, mut seed) = (Scratch::default(), 0);
    bencher
        .with_inputs(|| {
            seed += 1;
            rail_map(seed)
        })
        .bench_local_values(|map| best_run(&map, &map.stations, 15, &mut scratch));
}

#[divan::bench(sample_count = 300, sample_size = 1)]
fn best_run_from_own_stations(bencher: divan::Bencher) {
    let (mut scratch, mut seed) = (Scratch::default(), 0);
    bencher
        .with_inputs(|| {
            seed += 1;
            rail_map(seed)
        })
        .bench_local_values(|map| best_run(&map, &map.own, 15, &mut scratch));
}

#[divan::bench(sample_count = 300, sample_size = 1)]
fn longest_trail_of_45_links(bencher: divan::Bencher) {
    let (mut scratch, mut seed) = (Scratch::default(), 0);
    bencher
        .with_inputs(|| {
            seed += 1;
            place_map(seed)
        })
        .bench_local_values(|(graph, lengths, mask)| {
            let active = |link: LinkId| bits::has(&mask, link.0);
            let length = |link: LinkId| lengths[link.0 as usize];
            graph
                .longest_trail(active, length, &mut scratch)
                .map(|trail| trail.value)
        });
}

#[divan::bench]
fn joins_among_100_links(bencher: divan::Bencher) {
    let (graph, _, mask) = place_map(7);
    let mut scratch = Scratch::default();
    bencher.bench_local(|| {
        graph.joins_masked(NodeId(0), divan::black_box(NodeId(35)), &mask, &mut scratch)
    });
}

#[divan::bench]
fn reach_among_100_links(bencher: divan::Bencher) {
    let (graph, _, mask) = place_map(7);
    let (mut scratch, mut out) = (Scratch::default(), [0; 2]);
    bencher.bench_local(|| {
        graph.reach_masked(divan::black_box(&[1, 0]), &mask, &mut scratch, &mut out);
        out
    });
}

#[divan::bench]
fn lay_60_tiles_and_rebuild(bencher: divan::Bencher) {
    bencher.bench_local(|| rail_map(divan::black_box(1)));
}

/// Many queries on fields of many sizes: what 50 and 99 of 100 take at most, and the worst.
fn print_growth() {
    const QUERIES: u64 = 400;
    println!("\nbest run, range 15, from any station   half       99 %      worst");
    for (rows, columns) in [
        (2, 5),
        (4, 5),
        (5, 8),
        (6, 10),
        (10, 10),
        (10, 20),
        (20, 20),
    ] {
        let times = times_of((0..QUERIES).map(|seed| rail_field(seed, rows, columns)));
        println!("{:26} cells {times}", rows * columns);
    }
}

/// The rail cards' largest map with cards of level 3 everywhere, asked for each company.
fn print_largest_map() {
    const MAPS: u64 = 400;
    let cards = rail_cards::Cards::load();
    let maps = (0..MAPS).flat_map(|seed| {
        let cards = &cards;
        (0..cards.companies).map(move |company| cards.map(seed, company))
    });
    println!("USA + mountains, all at level 3  {}", times_of(maps));
}

/// What 50 and 99 of 100 best runs take at most, and the worst: the least time of three counts, so that what else the computer
/// does is not measured.
fn times_of(maps: impl Iterator<Item = RailMap>) -> String {
    let mut scratch = Scratch::default();
    let mut times: Vec<Duration> = maps
        .map(|map| {
            let mut once = || {
                let begin = Instant::now();
                divan::black_box(best_run(&map, &map.stations, 15, &mut scratch));
                begin.elapsed()
            };
            once().min(once()).min(once())
        })
        .collect();
    times.sort();
    let part = |of: usize| times[(times.len() - 1) * of / 100].as_nanos() as f64 / 1e6;
    let (half, most, worst) = (part(50), part(99), part(100));
    format!("{half:9.3} ms {most:7.3} ms {worst:7.3} ms")
}
