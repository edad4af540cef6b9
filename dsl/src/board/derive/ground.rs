//! A board of squares or hexes: its places, and what lies on them.

use crate::ir::{Cell, CellOwner, Domain, Lattice, Rim, RuleSet, Tiling, Ty};
use std::fmt::Write;

/// The panel of the tiling.
pub(super) fn board(rules: &RuleSet, tiling: &Tiling, text: &mut String) {
    let _ = writeln!(text, "[[panel]]\nid = \"board\"\nsize = [640, 640]\n");
    let ground = Ground::new(rules, tiling);
    ground.places(text);
    ground.tiles(rules, tiling, text);
    ground.lying(rules, text);
    for rim in Ground::rims(rules, tiling) {
        rim.places(text);
        rim.lying(rules, text);
    }
    standing(rules, tiling, text);
}

/// Height in which what lies on one place is spread.
const SPREAD: i32 = 46;

/// What every place is drawn with.
struct Ground {
    /// The table of positions, or `cell`.
    name: String,
    /// Only these places.
    only: String,
    at: &'static str,
    shape: &'static str,
    size: u32,
    /// Of what lies there.
    pieces: u32,
    positions: Domain,
}

impl Ground {
    fn new(rules: &RuleSet, tiling: &Tiling) -> Ground {
        let name = match tiling.positions {
            Domain::Table(id) => rules.tables[id.index()].name.clone(),
            _ => "cell".to_owned(),
        };
        let at = match tiling.lattice {
            Lattice::Squares => "[\"60 * c.col\", \"60 * c.row\"]",
            Lattice::Hexes { flat, offset } => match (flat, offset) {
                (false, false) => "[\"60 * c.col + 30 * c.row\", \"52 * c.row\"]",
                (false, true) => "[\"60 * c.col + 30 * ((c.row - 1) % 2)\", \"52 * c.row\"]",
                (true, false) => "[\"52 * c.col\", \"60 * c.row + 30 * c.col\"]",
                (true, true) => "[\"52 * c.col\", \"60 * c.row + 30 * ((c.col - 1) % 2)\"]",
            },
        };
        let shape = match tiling.lattice {
            Lattice::Squares => "box",
            Lattice::Hexes { .. } => "hex",
        };
        // Of a ground for tiles that which has one, and what lies beside it.
        let only = tiling.tile.map_or_else(String::new, |tile| {
            let tile = &rules.tables[tile.index()].name;
            format!(" where c.{tile} or some(s in side where c.next(s): c.next(s).{tile})")
        });
        Ground {
            name,
            only,
            at,
            shape,
            size: 60,
            pieces: 36,
            positions: tiling.positions,
        }
    }

    /// Borders and corners, if they have names.
    fn rims(rules: &RuleSet, tiling: &Tiling) -> Vec<Ground> {
        let (borders, corners) = match tiling.lattice {
            Lattice::Squares => (
                "[\"30 * c.col\", \"30 * c.row\"]",
                "[\"30 * c.col\", \"30 * c.row\"]",
            ),
            Lattice::Hexes { flat, offset } => match (flat, offset) {
                (false, false) => (
                    "[\"30 * c.col + 15 * c.row\", \"26 * c.row\"]",
                    "[\"20 * c.col + 10 * c.row\", \"52 * c.row / 3\"]",
                ),
                (false, true) => (
                    "[\"30 * c.col + 15 * c.row - 30\", \"26 * c.row\"]",
                    "[\"20 * c.col + 10 * c.row - 30\", \"52 * c.row / 3\"]",
                ),
                (true, false) => (
                    "[\"26 * c.col\", \"30 * c.row + 15 * c.col\"]",
                    "[\"52 * c.col / 3\", \"20 * c.row + 10 * c.col\"]",
                ),
                (true, true) => (
                    "[\"26 * c.col\", \"30 * c.row + 15 * c.col - 30\"]",
                    "[\"52 * c.col / 3\", \"20 * c.row + 10 * c.col - 30\"]",
                ),
            },
        };
        let rim = |rim: Option<Rim>, at, size| {
            let table = rim?.table;
            Some(Ground {
                name: rules.tables[table.index()].name.clone(),
                only: String::new(),
                at,
                shape: "circle",
                size,
                pieces: size,
                positions: Domain::Table(table),
            })
        };
        let borders = rim(tiling.borders, borders, 10);
        let corners = rim(tiling.corners, corners, 14);
        borders.into_iter().chain(corners).collect()
    }

    fn places(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "[[panel.spaces]]\nfor = \"c in {}{}\"\nat = {}\nshape = \"{}\"\nsize = {}\n",
            self.name, self.only, self.at, self.shape, self.size
        );
    }

    /// Lines from the sides of tiles to their middle.
    fn tiles(&self, rules: &RuleSet, tiling: &Tiling, text: &mut String) {
        let Some(tile) = tiling.tile.map(|tile| &rules.tables[tile.index()]) else {
            return;
        };
        for column in &tile.columns {
            if matches!(column.ty, Ty::Set(Domain::Side | Domain::Port)) {
                let _ = writeln!(
                    text,
                    "[[panel.ways]]\nfor = \"c in {} where c.{}\"\nat = {}\nsize = 60\nsides = \"c.{}\"\n",
                    self.name, tile.name, self.at, column.name
                );
            }
        }
    }

    /// What each place holds: whose it is as a colour, all else as words on it.
    fn lying(&self, rules: &RuleSet, text: &mut String) {
        let tiling_cells = rules
            .tiling
            .as_ref()
            .map(|tiling| [tiling.tile_cell, tiling.turn_cell]);
        let own = rules.cells.iter().zip(0..).filter(|(cell, at)| {
            let known =
                tiling_cells.is_some_and(|cells| cells.contains(&Some(crate::ir::CellId(*at))));
            !known && cell.owner == CellOwner::Each(self.positions) && cell.indices.is_empty()
        });
        let own: Vec<&Cell> = own.map(|(cell, _)| cell).collect();
        let of_player = |cell: &&&Cell| *cell.ty.required() == Ty::Element(Domain::Player);
        let owner = own.iter().find(of_player);
        let others: Vec<&&Cell> = own.iter().filter(|cell| !of_player(cell)).collect();
        let fill = owner.map_or_else(String::new, |owner| {
            format!("fill = \"c.{}\"\n", owner.name)
        });
        let pieces = |text: &mut String, when: &str, rest: &str| {
            let _ = writeln!(
                text,
                "[[panel.pieces]]\nfor = \"c in {} where {when}\"\non = \"c\"\n{rest}",
                self.name
            );
        };
        let count = others.len() as i32;
        for (at, cell) in (0..).zip(&others) {
            // Several things on one place stand below one another; what is always there, as its kind, has no shape that would cover
            // the others.
            let step = SPREAD / count.max(1);
            let lies = match count {
                ..=1 => format!("size = {}\n", self.pieces),
                _ => {
                    let down = at * step - step * (count - 1) / 2;
                    let (size, shape) = match cell.ty {
                        Ty::Element(_) => (SPREAD, "shape = \"none\"\n"),
                        _ => (step, ""),
                    };
                    format!("size = {size}\nshift = [0, {down}]\n{shape}")
                }
            };
            let name = &cell.name;
            let said = format!("text = \"{{c.{name}}}\"\n");
            let (when, looks) = match cell.ty.required() {
                Ty::Bool => (format!("c.{name}"), "fill = \"ink\"\n".to_owned()),
                Ty::Int { .. } => (format!("c.{name} != 0"), format!("{fill}{said}")),
                Ty::Element(_) => (filled(cell), format!("{fill}{said}")),
                Ty::Set(_) | Ty::Bag(_) | Ty::List(_) | Ty::Deck(_) | Ty::Row(_) => (
                    format!("c.{name}"),
                    format!("{fill}text = \"{{c.{name}.size}}\"\n"),
                ),
                _ => continue,
            };
            pieces(text, &when, &format!("{lies}{looks}"));
        }
        if let Some(owner) = owner.filter(|_| others.is_empty()) {
            let rest = format!("size = {}\n{fill}", self.pieces);
            pieces(text, &filled(owner), &rest);
        }
    }
}

/// Whether a cell of a place says something.
fn filled(cell: &Cell) -> String {
    match cell.ty {
        Ty::Optional(_) => format!("c.{}", cell.name),
        _ => "true".to_owned(),
    }
}

/// Pieces and players that know where they stand: `piece.at: cell?`.
fn standing(rules: &RuleSet, tiling: &Tiling, text: &mut String) {
    for cell in &rules.cells {
        let place = *cell.ty.required() == Ty::Element(tiling.positions);
        let CellOwner::Each(owner) = cell.owner else {
            continue;
        };
        let (name, fill) = match owner {
            Domain::Table(id) => (rules.tables[id.index()].name.as_str(), ""),
            Domain::Player => ("player", "fill = \"p\"\n"),
            _ => continue,
        };
        if !place || !cell.indices.is_empty() || owner == tiling.positions {
            continue;
        }
        let there = match cell.ty {
            Ty::Optional(_) => format!(" where p.{}", cell.name),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "[[panel.pieces]]\nfor = \"p in {name}{there}\"\non = \"p.{}\"\nsize = 32\n{fill}text = \"{{p}}\"\n",
            cell.name
        );
    }
}
