//! Tilings: positions, directions, what lies where, parts of tiles.

use super::access::Head;
use super::body::Body;
use super::graph::Touched;
use super::names::{Global, Member, Seen};
use super::symbols::Symbol;
use super::types::constant;
use super::{Checker, tables};
use crate::diagnostic::Diagnostic;
use crate::ir::{CellOwner, ColumnId, Domain, Expr, ExprKind, Ground, TableId, Tiling, Ty, Value};
use crate::source::Span;
use crate::syntax::ast;

/// Directions by name, clockwise from north: sides first, then the diagonals.
const SIDES: [&str; 8] = ["n", "e", "s", "w", "ne", "se", "sw", "nw"];
const LONG_SIDES: [&str; 8] = [
    "north",
    "east",
    "south",
    "west",
    "northeast",
    "southeast",
    "southwest",
    "northwest",
];
/// Rows grow to the south, columns to the east.
const STEPS: [(i32, i32); 8] = [
    (-1, 0),
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 1),
    (1, 1),
    (1, -1),
    (-1, -1),
];
/// Knights' leaps, behind the others.
const LEAPS: [(i32, i32); 8] = [
    (-2, 1),
    (-1, 2),
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
];
/// Two places for a road on each side, clockwise.
const PORTS: [&str; 8] = ["n_w", "n_e", "e_n", "e_s", "s_e", "s_w", "w_s", "w_n"];

impl<'a> Checker<'a> {
    pub(super) fn declare_tiling(&mut self) {
        let asm = self.asm;
        for entry in asm.tilings.iter().skip(1) {
            self.report(Diagnostic::error(
                "declared-twice",
                entry.item.name.span,
                "a game has one tiling",
            ));
        }
        let Some(entry) = asm.tilings.first() else {
            return;
        };
        let decl = &entry.item;
        self.global(&decl.name, Global::Tiling, entry.layer);
        let tile = decl.tile.as_ref().and_then(|name| self.table_named(name));
        let parts = tile.map_or_else(Vec::new, |tile| self.parts_of(tile));
        let (positions, ground) = match self.ground(&decl.ground) {
            Some(found) => found,
            None => (
                Domain::Cell,
                Ground::Board {
                    rows: 1,
                    columns: 1,
                },
            ),
        };
        let turns = decl
            .turns
            .map_or(1, |(turns, span)| self.turns(turns, span));
        self.rs.tiling = Some(Tiling {
            name: decl.name.text.clone(),
            span: decl.name.span,
            positions,
            ground,
            tile,
            turns,
            tile_cell: None,
            turn_cell: None,
            parts,
        });
        if let Some(tile) = tile {
            self.tiling_cells(tile, positions, turns, decl.name.span);
        }
    }

    fn turns(&mut self, turns: u32, span: Span) -> u32 {
        if matches!(turns, 1 | 2 | 4) {
            return turns;
        }
        self.report(Diagnostic::error(
            "out-of-range",
            span,
            "a square tile lies in 1, 2 or 4 ways",
        ));
        1
    }

    /// Tables nested in the tile.
    fn parts_of(&self, tile: TableId) -> Vec<TableId> {
        let name = &self.rs.tables[tile.index()].name;
        let nested = |entry: &crate::assembly::Entry<crate::assembly::TableEntry>| {
            entry
                .item
                .decl
                .parent
                .as_ref()
                .is_some_and(|parent| parent.text == *name)
        };
        let all = self.asm.tables.iter().enumerate();
        all.filter(|(_, entry)| nested(entry))
            .map(|(at, _)| TableId(at as u32))
            .collect()
    }

    fn ground(&mut self, ground: &ast::TilingGround) -> Option<(Domain, Ground)> {
        Some(match ground {
            ast::TilingGround::Plane(size, span) => {
                if !(1..=201).contains(size) {
                    self.report(Diagnostic::error(
                        "out-of-range",
                        *span,
                        "a plane is 1 to 201 places wide",
                    ));
                    return None;
                }
                (Domain::Cell, Ground::Plane { size: *size })
            }
            ast::TilingGround::Board(rows, columns, span) => {
                if !(1..=100).contains(rows) || !(1..=100).contains(columns) {
                    self.report(Diagnostic::error(
                        "out-of-range",
                        *span,
                        "a board has 1 to 100 rows and columns",
                    ));
                    return None;
                }
                (
                    Domain::Cell,
                    Ground::Board {
                        rows: *rows,
                        columns: *columns,
                    },
                )
            }
            ast::TilingGround::Table { table, .. } => {
                let id = self.table_named(table)?;
                // The columns are found when they have ids.
                (
                    Domain::Table(id),
                    Ground::Table {
                        row: ColumnId(0),
                        column: ColumnId(0),
                    },
                )
            }
        })
    }

    /// The columns for row and column of a tiling on a table.
    pub(super) fn tiling_columns(&mut self) {
        let asm = self.asm;
        let Some(entry) = asm.tilings.first() else {
            return;
        };
        let ast::TilingGround::Table { row, column, .. } = &entry.item.ground else {
            return;
        };
        let Some(Domain::Table(table)) = self.rs.tiling.as_ref().map(|tiling| tiling.positions)
        else {
            return;
        };
        let mut found = Vec::new();
        for name in [row, column] {
            match self.column(table, &name.text) {
                Some(id)
                    if matches!(
                        self.rs.tables[table.index()].columns[id.index()].ty,
                        Ty::Int { .. }
                    ) =>
                {
                    self.graph.add(
                        super::graph::Node::Outside,
                        Touched::Column(table, id),
                        name.span,
                        &std::rc::Rc::from([]),
                    );
                    found.push(id);
                }
                Some(_) => self.report(Diagnostic::error(
                    "wrong-type",
                    name.span,
                    "rows and columns are numbers",
                )),
                None => self.no_column(table, name),
            }
        }
        if let (Some(tiling), [row, column]) = (&mut self.rs.tiling, found.as_slice()) {
            tiling.ground = Ground::Table {
                row: *row,
                column: *column,
            };
        }
    }

    /// `cell.tile`, `cell.turn`.
    fn tiling_cells(&mut self, tile: TableId, positions: Domain, turns: u32, span: Span) {
        let name = self.rs.tables[tile.index()].name.clone();
        let tile_cell = self.new_cell(
            &name,
            span,
            CellOwner::Each(positions),
            Ty::Element(Domain::Table(tile)).optional(),
        );
        let turn = Ty::Int {
            low: Some(0),
            high: Some(i64::from(turns) - 1),
        };
        let turn_cell = self.new_cell("turn", span, CellOwner::Each(positions), turn);
        let bound = |n: i32| Some(constant(Value::Int(n), span));
        self.rs.cells[turn_cell.index()].low = bound(0);
        self.rs.cells[turn_cell.index()].high = bound(turns as i32 - 1);
        for cell in [tile_cell, turn_cell] {
            let ty = positions.element_ty();
            self.rs.cells[cell.index()]
                .code
                .locals
                .push(crate::ir::Local {
                    name: "this".to_owned(),
                    ty,
                    span,
                    picked_from: None,
                });
            let name = self.rs.cells[cell.index()].name.clone();
            let layer = self.names.layer(span);
            self.names.add_member(
                positions,
                &name,
                Seen {
                    what: Member::Cell(cell),
                    layer,
                    span,
                },
            );
        }
        if let Some(tiling) = &mut self.rs.tiling {
            (tiling.tile_cell, tiling.turn_cell) = (Some(tile_cell), Some(turn_cell));
        }
    }

    pub(super) fn side_named(&self, word: &str) -> Option<u32> {
        let count = if self.rs.tiling.as_ref()?.tile.is_some() {
            4
        } else {
            8
        };
        let at = |all: &[&str]| all.iter().take(count).position(|name| *name == word);
        at(&SIDES).or_else(|| at(&LONG_SIDES)).map(|at| at as u32)
    }

    pub(super) fn port_named(&self, word: &str) -> Option<u32> {
        self.rs.tiling.as_ref()?;
        PORTS
            .iter()
            .position(|name| *name == word)
            .map(|at| at as u32)
    }

    pub(super) fn direction_names(&self, domain: Domain) -> Vec<String> {
        let all: &[&str] = match domain {
            Domain::Port => &PORTS,
            _ if self
                .rs
                .tiling
                .as_ref()
                .is_some_and(|tiling| tiling.tile.is_some()) =>
            {
                &SIDES[..4]
            }
            _ => &SIDES,
        };
        all.iter().map(|name| (*name).to_owned()).collect()
    }
}

impl Body<'_, '_> {
    /// A column of a value. Of the tile that lies on a position it comes as the tile lies.
    pub fn column_value(
        &mut self,
        owner: Expr,
        table: TableId,
        column: ColumnId,
        span: Span,
    ) -> Expr {
        let ty = self.k.rs.tables[table.index()].columns[column.index()]
            .ty
            .clone();
        let tile_cell = self
            .k
            .rs
            .tiling
            .as_ref()
            .and_then(|tiling| tiling.tile_cell);
        let inner = match &owner.kind {
            ExprKind::Unwrap(inner) => inner,
            _ => &owner,
        };
        let turned = matches!(&ty, Ty::Element(d) | Ty::Set(d) if is_direction(*d))
            || matches!(&ty, Ty::Optional(inner) if matches!(**inner, Ty::Element(d) if is_direction(d)));
        if turned
            && let ExprKind::Cell(cell, indices) = &inner.kind
            && Some(*cell) == tile_cell
            && let [position] = indices.as_slice()
        {
            let position = Box::new(position.clone());
            return Expr {
                kind: ExprKind::ColumnAt(position, table, column),
                ty,
                span,
            };
        }
        Expr {
            kind: ExprKind::Column(Box::new(owner), table, column),
            ty,
            span,
        }
    }

    /// Members that a tiling gives to positions, sides, parts and tiles.
    #[allow(clippy::option_option)]
    pub fn tiling_member(
        &mut self,
        base: &Expr,
        domain: Domain,
        word: &ast::Name,
        span: Span,
    ) -> Option<Option<Head>> {
        let tiling = self.k.rs.tiling.clone()?;
        let boxed = || Box::new(base.clone());
        let (kind, ty) = match (domain, word.text.as_str()) {
            (d, "next") if d == tiling.positions => {
                return Some(Some(Head::Method(boxed(), "next")));
            }
            (d, "row") if d == tiling.positions => (ExprKind::RowOf(boxed()), Ty::INT),
            (d, "col" | "column") if d == tiling.positions => {
                (ExprKind::ColumnOf(boxed()), Ty::INT)
            }
            (Domain::Side, "back") => (ExprKind::Back(boxed()), Ty::Element(Domain::Side)),
            (Domain::Side | Domain::Port, "turned") => {
                return Some(Some(Head::Method(boxed(), "turned")));
            }
            (Domain::Part(_), "cell") => {
                (ExprKind::PositionOf(boxed()), Ty::Element(tiling.positions))
            }
            (Domain::Table(id), "cell") if Some(id) == tiling.tile => (
                ExprKind::PositionOfTile(boxed()),
                Ty::Element(tiling.positions).optional(),
            ),
            (d, _) if d == tiling.positions => {
                return self.column_at(base, tiling.tile?, word, span);
            }
            _ => return None,
        };
        if let Some(cell) = tiling.tile_cell
            && matches!(kind, ExprKind::PositionOfTile(_))
        {
            self.touch(Touched::Read(cell), span);
        }
        Some(Some(Head::Value(Expr { kind, ty, span })))
    }

    /// `c.rails`: a column of what lies on the position.
    #[allow(clippy::option_option)]
    fn column_at(
        &mut self,
        base: &Expr,
        tile: TableId,
        word: &ast::Name,
        span: Span,
    ) -> Option<Option<Head>> {
        let column = self.k.column(tile, &word.text)?;
        self.touch(Touched::Column(tile, column), span);
        if let Some(cell) = self
            .k
            .rs
            .tiling
            .as_ref()
            .and_then(|tiling| tiling.tile_cell)
        {
            self.touch(Touched::Read(cell), span);
        }
        let ty = self.k.rs.tables[tile.index()].columns[column.index()]
            .ty
            .clone();
        let ty = if ty.is_container() { ty } else { ty.optional() };
        Some(Some(Head::Value(Expr {
            kind: ExprKind::ColumnAt(Box::new(base.clone()), tile, column),
            ty,
            span,
        })))
    }

    /// `X on map`
    pub fn on_board(&mut self, base: &ast::Expr, ground: &ast::Name, span: Span) -> Option<Expr> {
        if self.k.global_is(&ground.text, ground.span) != Some(Global::Tiling) {
            self.error(
                "unknown-name",
                ground.span,
                format!("there is no tiling `{}`", ground.text),
            );
            return None;
        }
        let table = match &base.kind {
            ast::ExprKind::Name(name) => self
                .k
                .names
                .global(name, base.span)
                .and_then(tables::table_id),
            _ => None,
        };
        self.k.note(ground.span, Symbol::Tiling);
        match table {
            Some(table) if self.k.is_part(table) => {
                self.touch(Touched::Table(table), base.span);
                self.k.note(base.span, Symbol::Table(table));
                if let Some(cell) = self
                    .k
                    .rs
                    .tiling
                    .as_ref()
                    .and_then(|tiling| tiling.tile_cell)
                {
                    self.touch(Touched::Read(cell), span);
                }
                Some(Expr {
                    kind: ExprKind::OnBoard(table),
                    ty: Ty::Set(Domain::Part(table)),
                    span,
                })
            }
            _ => {
                let text = self.k.slice(base.span).to_owned();
                self.error_help(
                    "wrong-type",
                    base.span,
                    format!("`{text}` is no part of a tile"),
                    "tables nested in the tiling's table of tiles can be used `on` it",
                );
                None
            }
        }
    }

    /// `leap(a, b)`, `orthogonal`, `diagonal`: directions of a square board.
    pub fn leap(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Expr> {
        let (a, b) = (self.number(a), self.number(b));
        let (a, b) = (self.k.constant(&a?), self.k.constant(&b?));
        if !matches!(
            (a, b),
            (Some(Value::Int(1)), Some(Value::Int(2))) | (Some(Value::Int(2)), Some(Value::Int(1)))
        ) {
            self.error(
                "out-of-range",
                span,
                "the leaps there are go one place and two: `leap(1, 2)`",
            );
            return None;
        }
        let first = STEPS.len() as u32;
        Some(sides(first..first + LEAPS.len() as u32, span))
    }

    /// `orthogonal`, `diagonal`
    pub fn directions(&mut self, name: &str, span: Span) -> Option<Expr> {
        let range = match name {
            "orthogonal" => 0..4,
            "diagonal" => 4..8,
            _ => return None,
        };
        self.k.rs.tiling.as_ref()?;
        Some(sides(range, span))
    }
}

fn sides(range: std::ops::Range<u32>, span: Span) -> Expr {
    let all = range
        .map(|side| Value::Element(Domain::Side, side))
        .collect();
    Expr {
        kind: ExprKind::Const(Value::Set(all)),
        ty: Ty::Set(Domain::Side),
        span,
    }
}

fn is_direction(domain: Domain) -> bool {
    matches!(domain, Domain::Side | Domain::Port)
}
