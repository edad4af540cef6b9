//! The largest map of the rail cards, from the game's own tables, with a card of level 3 on every place.

use super::{Dice, MAX_PARTS, RailMap};
use dsl::assembly::Selection;
use dsl::ir::{RuleSet, Table, Value};
use interpreter::network::{Layout, NO_CELL, TileNetwork, bits};
use tests::games;

/// What the tables say.
pub struct Cards {
    layout: Layout,
    /// For each place the cards of the highest level that one can come to there.
    lists: Vec<Vec<usize>>,
    /// For each card its pieces: sides, number of the station's company plus 1 or 0 for plain track, and what calling there is worth.
    pieces: Vec<Vec<(u64, u32, i32)>>,
    pub companies: u32,
}

fn table<'r>(rules: &'r RuleSet, name: &str) -> &'r Table {
    let mut tables = rules.tables.iter();
    tables.find(|table| table.name == name).expect("a table")
}

fn values<'t>(table: &'t Table, name: &str) -> Vec<&'t Value> {
    let mut columns = table.columns.iter();
    let column = columns.position(|c| c.name == name).expect("a column");
    table.rows.iter().map(|row| &row.values[column]).collect()
}

fn number(value: &Value) -> i32 {
    match value {
        Value::Int(n) => *n,
        Value::Element(_, at) => *at as i32,
        _ => -1,
    }
}

fn numbers(value: &Value) -> Vec<i32> {
    match value {
        Value::Set(items) => items.iter().map(number).collect(),
        _ => Vec::new(),
    }
}

impl Cards {
    pub fn load() -> Cards {
        let selection = Selection {
            overlays: vec!["usa".into(), "mountains".into()],
            ..Selection::default()
        };
        let compiled = dsl::compile(&games::sources(), "schwarze-lok", &selection);
        let rules = compiled.rules.expect("the game compiles");
        let (cell, card) = (table(&rules, "cell"), table(&rules, "card"));
        let upgrades: Vec<Vec<i32>> = values(card, "upgrades").into_iter().map(numbers).collect();
        let level: Vec<i32> = values(card, "level").into_iter().map(number).collect();
        let by_number: Vec<i32> = values(card, "number").into_iter().map(number).collect();
        let next = |list: &[i32], wanted: i32| -> Vec<usize> {
            (0..by_number.len())
                .filter(|at| level[*at] == wanted && list.contains(&by_number[*at]))
                .collect()
        };
        let highest = |list: Vec<i32>| {
            let mut cards = next(&list, 1);
            for wanted in 2..=3 {
                let mut above: Vec<usize> = cards
                    .iter()
                    .flat_map(|card| next(&upgrades[*card], wanted))
                    .collect();
                above.sort_unstable();
                above.dedup();
                cards = above;
            }
            cards
        };
        let lists = values(cell, "upgrades").into_iter().map(numbers);
        Cards {
            layout: layout(cell),
            lists: lists.map(highest).collect(),
            pieces: pieces(table(&rules, "piece"), card.rows.len()),
            companies: table(&rules, "company").rows.len() as u32,
        }
    }

    /// A map with a card on every place, each turned so that more of its track goes on at neighbours; the company's stations
    /// are its own.
    pub fn map(&self, seed: u64, company: u32) -> RailMap {
        let mut dice = Dice(seed);
        let cells = self.layout.cells;
        let mut tiles: Vec<Vec<(u64, u32, i32)>> = vec![Vec::new(); cells as usize];
        for cell in 0..cells {
            let list = &self.lists[cell as usize];
            let card = &self.pieces[list[dice.below(list.len() as u32) as usize]];
            let turned: Vec<_> = card
                .iter()
                .map(|(sides, owner, worth)| ((sides << 2 | sides >> 2) & 15, *owner, *worth))
                .collect();
            let ways = [
                self.joined(&tiles, cell, card),
                self.joined(&tiles, cell, &turned),
            ];
            let upright = ways[0] > ways[1] || ways[0] == ways[1] && dice.below(2) == 0;
            tiles[cell as usize] = if upright { card.clone() } else { turned };
        }
        let ports: Vec<Vec<u64>> = tiles
            .iter()
            .map(|tile| tile.iter().map(|piece| piece.0).collect())
            .collect();
        let mut network = TileNetwork::default();
        network.rebuild(&self.layout, MAX_PARTS, |cell| &ports[cell as usize]);
        let nodes = cells * MAX_PARTS;
        let mut map = RailMap {
            network,
            stations: vec![0; bits::words(nodes)],
            own: vec![0; bits::words(nodes)],
            worth: vec![0; nodes as usize],
        };
        for (cell, tile) in (0..).zip(&tiles) {
            for (part, (_, owner, worth)) in (0..).zip(tile) {
                let node = cell * MAX_PARTS + part;
                if *owner > 0 {
                    bits::insert(&mut map.stations, node);
                    map.worth[node as usize] = *worth;
                }
                if *owner == company + 1 {
                    bits::insert(&mut map.own, node);
                }
            }
        }
        map
    }

    /// Sides of the pieces that meet track which lies already.
    fn joined(&self, tiles: &[Vec<(u64, u32, i32)>], cell: u32, pieces: &[(u64, u32, i32)]) -> u32 {
        let sides = |tile: &[(u64, u32, i32)]| tile.iter().fold(0, |all, piece| all | piece.0);
        let own = sides(pieces);
        (0..4)
            .filter(|side| own >> side & 1 == 1)
            .filter_map(|side| Some((self.layout.beyond(cell, side)?, (side + 2) % 4)))
            .filter(|(beyond, back)| sides(&tiles[*beyond as usize]) >> back & 1 == 1)
            .count() as u32
    }
}

fn layout(cell: &Table) -> Layout {
    let rows = values(cell, "row").into_iter().map(number);
    let places: Vec<(i32, i32)> = rows
        .zip(values(cell, "col").into_iter().map(number))
        .collect();
    let beyond = |(row, col): (i32, i32), (down, right): (i32, i32)| {
        let found = places.iter().position(|p| *p == (row + down, col + right));
        found.map_or(NO_CELL, |at| at as u32)
    };
    let next = places
        .iter()
        .flat_map(|place| [(-1, 0), (0, 1), (1, 0), (0, -1)].map(|step| beyond(*place, step)));
    Layout::by_sides(next.collect(), &[2, 3, 0, 1])
}

fn pieces(piece: &Table, cards: usize) -> Vec<Vec<(u64, u32, i32)>> {
    let mut pieces = vec![Vec::new(); cards];
    let (_, card) = piece.parent.expect("pieces lie on cards");
    let (sides, company) = (values(piece, "sides"), values(piece, "company"));
    let bonus = values(piece, "bonus");
    for (at, row) in piece.rows.iter().enumerate() {
        let set = numbers(sides[at])
            .into_iter()
            .fold(0, |set, side| set | 1 << side);
        let owner = (number(company[at]) + 1) as u32;
        let worth = if owner > 0 { 1 + number(bonus[at]) } else { 0 };
        pieces[number(&row.values[card.index()]) as usize].push((set, owner, worth));
    }
    pieces
}
