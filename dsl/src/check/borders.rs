//! Borders and corners of a board's places: tables that follow from its outline.

use std::collections::BTreeMap;

use super::Checker;
use super::access::Head;
use super::body::Body;
use super::names::Global;
use super::types::constant;
use crate::assembly::Entry;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    Column, Coordinates, Domain, Expr, ExprKind, Grid, GridId, Ground, LayerId, Rim, Row, Table,
    TableId, Ty, Value,
};
use crate::source::Span;
use crate::syntax::ast;

/// Places of a board whose borders or corners have names.
const PLACES_MAX: usize = 4_096;

/// Borders or corners, as they are met from place to place.
#[derive(Default)]
struct Found {
    names: Vec<String>,
    at: Vec<Coordinates>,
    /// The places that they belong to.
    cells: Vec<Vec<u32>>,
    /// For each place and each of its sides.
    of: Vec<Vec<u32>>,
    by_place: BTreeMap<Coordinates, u32>,
}

impl Found {
    fn add(&mut self, cell: u32, at: Coordinates, name: impl FnOnce() -> String) {
        let next = self.names.len() as u32;
        let id = *self.by_place.entry(at).or_insert(next);
        if id == next {
            self.names.push(name());
            self.at.push(at);
            self.cells.push(Vec::new());
        }
        self.cells[id as usize].push(cell);
        self.of[cell as usize].push(id);
    }
}

impl Checker<'_> {
    /// Their names; the rows are found when options have values.
    pub(super) fn declare_rims(&mut self, entry: &Entry<ast::TilingDecl>) {
        let named = |decl: &ast::TilingDecl, rim: &ast::Name| {
            let rims = decl.borders.iter().chain(&decl.corners);
            rims.into_iter().any(|old| old.text == rim.text)
        };
        let mut declare = |name: &Option<ast::Name>, doc| {
            let name = name.as_ref()?;
            let layer = entry.first_with(|old| named(old, name));
            Some((self.declare_rim(name, layer, doc), layer))
        };
        let borders = declare(&entry.item.borders, "the borders of the places");
        let corners = declare(&entry.item.corners, "the corners of the places");
        for rim in [borders, corners].into_iter().flatten() {
            for (name, doc) in [("row", ROW), ("col", COLUMN)] {
                self.rim_column(rim, name, Ty::INT, doc);
            }
            let cells = Ty::Set(Domain::Cell);
            self.rim_column(rim, "cells", cells, "the places it belongs to");
        }
        if let (Some(borders), Some(corners)) = (borders, corners) {
            let (path, spot) = (borders.0.table, corners.0.table);
            let (path, spot) = (Domain::Table(path), Domain::Table(spot));
            for name in ["a", "b"] {
                self.rim_column(borders, name, Ty::Element(spot), "a corner at its end");
            }
            self.rim_column(borders, "corners", Ty::Set(spot), "both its ends");
            self.rim_column(corners, "borders", Ty::Set(path), "what ends there");
        }
        let (borders, corners) = (borders.map(|rim| rim.0), corners.map(|rim| rim.0));
        if let Some(tiling) = &mut self.rs.tiling {
            (tiling.borders, tiling.corners) = (borders, corners);
        }
    }

    fn rim_column(&mut self, (rim, layer): (Rim, LayerId), name: &str, ty: Ty, doc: &str) {
        let name = ast::Name {
            text: name.to_owned(),
            span: self.rs.tables[rim.table.index()].span,
        };
        self.add_column(rim.table, &name, ty, (doc, layer));
    }

    fn declare_rim(&mut self, name: &ast::Name, layer: LayerId, doc: &str) -> Rim {
        let table = TableId(self.rs.tables.len() as u32);
        self.global(name, Global::Table(table), layer);
        self.rs.tables.push(Table {
            name: name.text.clone(),
            span: name.span,
            doc: doc.to_owned(),
            columns: Vec::<Column>::new(),
            key: Vec::new(),
            copies: None,
            parent: None,
            rows: Vec::new(),
        });
        self.names.rows.push(BTreeMap::new());
        self.names.row_layers.push(Vec::new());
        // Both grids stand behind those that are declared.
        Rim {
            table,
            all: GridId(0),
            at: GridId(0),
        }
    }

    /// What they are, by the places of the board.
    pub(super) fn fill_rims(&mut self, decl: &ast::TilingDecl) {
        let Some(tiling) = &self.rs.tiling else {
            return;
        };
        let Ground::Places(places) = &tiling.ground else {
            return;
        };
        let (places, lattice) = (places.clone(), tiling.lattice);
        let Some(name) = decl.borders.as_ref().or(decl.corners.as_ref()) else {
            return;
        };
        if places.len() > PLACES_MAX {
            let message = format!(
                "borders and corners have names on boards of at most {PLACES_MAX} places, this one has {}",
                places.len()
            );
            self.report(Diagnostic::error("out-of-range", name.span, message));
            return;
        }
        let sides = lattice.sides();
        let [mut borders, mut corners] = [(); 2].map(|()| Found {
            of: vec![Vec::new(); places.len()],
            ..Found::default()
        });
        let parts = lattice.corner_parts();
        for (cell, place) in (0..).zip(places.iter()) {
            let (row, column) = lattice.straight(*place);
            for side in 0..sides {
                let called = |direction| place_name(*place, lattice.name(direction));
                let (down, right) = lattice.border(side);
                let at = (2 * row + down, 2 * column + right);
                borders.add(cell, at, || called(side));
                let (down, right) = lattice.corner(side);
                let at = (parts * row + down, parts * column + right);
                corners.add(cell, at, || called(sides + side));
            }
        }
        let (of_borders, of_corners) = (decl.borders.is_some(), decl.corners.is_some());
        if of_borders {
            let mut values = vec![Vec::new(); borders.names.len()];
            if of_corners {
                let spot = self.rs.tiling.as_ref().and_then(|tiling| tiling.corners);
                let spot = |id: u32| spot.map(|rim| Value::Element(Domain::Table(rim.table), id));
                for (own, ends) in borders.of.iter().zip(&corners.of) {
                    for (side, border) in own.iter().enumerate() {
                        let before = ends[(side + ends.len() - 1) % ends.len()];
                        let mut both = [before, ends[side]];
                        let ends: Vec<Value> = both.into_iter().filter_map(spot).collect();
                        both.sort_unstable();
                        let set = both.into_iter().filter_map(spot).collect();
                        // As the place sees it that met the border first.
                        let values = &mut values[*border as usize];
                        if values.is_empty() {
                            values.extend(ends);
                            values.push(Value::Set(set));
                        }
                    }
                }
            }
            self.fill_rim(&borders, values, 0, |tiling| &mut tiling.borders);
        }
        if of_corners {
            let mut values = vec![Vec::new(); corners.names.len()];
            if let Some(rim) = self.rs.tiling.as_ref().and_then(|tiling| tiling.borders) {
                let mut meet = vec![std::collections::BTreeSet::new(); corners.names.len()];
                for (own, ends) in borders.of.iter().zip(&corners.of) {
                    for (side, border) in own.iter().enumerate() {
                        meet[ends[side] as usize].insert(*border);
                        meet[ends[(side + ends.len() - 1) % ends.len()] as usize].insert(*border);
                    }
                }
                let path = |id: u32| Value::Element(Domain::Table(rim.table), id);
                for (values, meet) in values.iter_mut().zip(meet) {
                    values.push(Value::Set(meet.into_iter().map(path).collect()));
                }
            }
            self.fill_rim(&corners, values, sides, |tiling| &mut tiling.corners);
        }
    }

    /// Rows, and of each place what lies around it. `first`: the direction of the first.
    fn fill_rim(
        &mut self,
        found: &Found,
        more: Vec<Vec<Value>>,
        first: u32,
        rim: fn(&mut crate::ir::Tiling) -> &mut Option<Rim>,
    ) {
        let Some(tiling) = &mut self.rs.tiling else {
            return;
        };
        let directions = tiling.lattice.directions();
        let Some(rim) = rim(tiling) else {
            return;
        };
        let table = rim.table;
        let grids = self.rs.grids.len() as u32;
        (rim.all, rim.at) = (GridId(grids), GridId(grids + 1));
        let span = self.rs.tables[table.index()].span;
        let layer = self.names.layer(span);
        for (at, more) in more.into_iter().enumerate() {
            let name = &found.names[at];
            let cells = found.cells[at].iter();
            let cells = cells.map(|cell| Value::Element(Domain::Cell, *cell));
            let (row, column) = found.at[at];
            let own = [
                Value::Int(row),
                Value::Int(column),
                Value::Set(cells.collect()),
            ];
            self.names.rows[table.index()].insert(name.clone(), at as u32);
            self.names.row_layers[table.index()].push(layer);
            self.rs.tables[table.index()].rows.push(Row {
                name: name.clone(),
                values: own.into_iter().chain(more).collect(),
                span,
            });
        }
        let element = |id: u32| Value::Element(Domain::Table(table), id);
        let all = found.of.iter().map(|own| {
            let mut own = own.clone();
            own.sort_unstable();
            Value::Set(own.into_iter().map(element).collect())
        });
        let at = found.of.iter().flat_map(|own| {
            (0..directions).map(move |direction| {
                let side = direction.checked_sub(first);
                let id = side.and_then(|side| own.get(side as usize));
                id.map_or(Value::None, |id| element(*id))
            })
        });
        let name = &self.rs.tables[table.index()].name;
        let grids = [
            Grid {
                name: format!("cell.{name}"),
                span,
                indices: vec![Domain::Cell],
                ty: Ty::Set(Domain::Table(table)),
                values: all.collect(),
            },
            Grid {
                name: format!("cell.{name}.at"),
                span,
                indices: vec![Domain::Cell, Domain::Side],
                ty: Ty::Element(Domain::Table(table)),
                values: at.collect(),
            },
        ];
        self.rs.grids.extend(grids);
    }
}

const ROW: &str =
    "where it is drawn, counted as rows of places are: in halves (corners of hexes: in thirds)";
const COLUMN: &str =
    "where it is drawn, counted as columns of places are: in halves (corners of hexes: in thirds)";

/// `r1c2_ne`: by the first place that has it, and the direction it lies in there.
fn place_name((row, column): Coordinates, direction: Option<String>) -> String {
    let number = |n: i32| match n {
        ..0 => format!("m{}", n.unsigned_abs()),
        _ => n.to_string(),
    };
    let direction = direction.unwrap_or_default();
    format!("r{}c{}_{direction}", number(row), number(column))
}

impl Body<'_, '_> {
    /// `c.borders`, `c.border(side)`, `c.corners`, `c.corner(diagonal)`.
    #[allow(clippy::option_option)]
    pub(super) fn rim_member(
        &mut self,
        base: &Expr,
        word: &ast::Name,
        span: Span,
    ) -> Option<Option<Head>> {
        let tiling = self.k.rs.tiling.as_ref()?;
        let (tile, text) = (tiling.tile, word.text.as_str());
        let (rim, clause, example) = match text {
            "border" | "borders" => (tiling.borders, "borders", "path"),
            _ => (tiling.corners, "corners", "spot"),
        };
        let Some(rim) = rim else {
            if let Some(tile) = tile
                && let Some(head) = self.column_at(base, tile, word, span)
            {
                return Some(head);
            }
            self.error_help(
                "unknown-member",
                word.span,
                format!("{clause} of places have no name yet"),
                format!("give them one: `tiling … {clause} {example}`"),
            );
            return Some(None);
        };
        // What was wrong with the board has been said.
        if self.k.rs.tables[rim.table.index()].rows.is_empty() {
            return Some(None);
        }
        let kind = match text {
            "border" => return Some(Some(Head::Method(Box::new(base.clone()), "border"))),
            "corner" => return Some(Some(Head::Method(Box::new(base.clone()), "corner"))),
            _ => ExprKind::Grid(rim.all, vec![base.clone()]),
        };
        let ty = Ty::Set(Domain::Table(rim.table));
        Some(Some(Head::Value(Expr { kind, ty, span })))
    }

    /// What lies in a direction.
    pub(super) fn rim_at(
        &mut self,
        base: Expr,
        corner: bool,
        direction: Expr,
        span: Span,
    ) -> Option<Expr> {
        let tiling = self.k.rs.tiling.as_ref()?;
        let sides = tiling.lattice.sides();
        let (rim, own) = match corner {
            true => (tiling.corners?, sides..2 * sides),
            false => (tiling.borders?, 0..sides),
        };
        if let ExprKind::Const(Value::Element(Domain::Side, at)) = direction.kind
            && !own.contains(&at)
        {
            let (message, help) = match corner {
                true => (
                    "a corner lies between two sides",
                    "`c.corner(d)` with a `d in diagonal`",
                ),
                false => (
                    "a border lies at a side",
                    "`c.border(s)` with an `s in side`",
                ),
            };
            self.error_help("wrong-arguments", direction.span, message, help);
            return None;
        }
        let directions = tiling.lattice.directions();
        if let (
            Some(Value::Element(Domain::Cell, cell)),
            ExprKind::Const(Value::Element(Domain::Side, at)),
        ) = (self.k.constant(&base), &direction.kind)
        {
            let grid = &self.k.rs.grids[rim.at.index()];
            let value = grid.values.get((cell * directions + at) as usize)?;
            return Some(constant(value.clone(), span));
        }
        let ty = Ty::Element(Domain::Table(rim.table));
        Some(Expr {
            kind: ExprKind::Grid(rim.at, vec![base, direction]),
            ty,
            span,
        })
    }
}
