//! Tilings: positions, directions, what lies where, parts of tiles.

use super::access::Head;
use super::body::{Body, Mode};
use super::graph::Touched;
use super::names::{Global, Member, Seen};
use super::symbols::Symbol;
use super::types::constant;
use super::{Checker, tables};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    CellOwner, ColumnId, Coordinates, Domain, Expr, ExprKind, Ground, Lattice, LayerId, TableId,
    Tiling, Ty, Value,
};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::placed::{Visit, Visitor};

/// Places of a board or plane: rows and columns at most.
const ROWS_MAX: i64 = 201;

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
        self.global(&decl.name, Global::Tiling, entry.first_layer());
        let tile = decl.tile.as_ref().and_then(|name| self.table_named(name));
        let parts = tile.map_or_else(Vec::new, |tile| self.parts_of(tile));
        let (positions, ground) = match &decl.ground {
            ast::TilingGround::Table { table, .. } => match self.table_named(table) {
                // The columns are found when they have ids.
                Some(id) => (
                    Domain::Table(id),
                    Ground::Table {
                        row: ColumnId(0),
                        column: ColumnId(0),
                    },
                ),
                None => (Domain::Cell, one_place()),
            },
            // The places are found when options have values.
            ast::TilingGround::Plane(_)
            | ast::TilingGround::Board(..)
            | ast::TilingGround::Hexagon(_)
            | ast::TilingGround::Drawn(_) => (Domain::Cell, one_place()),
        };
        let turns = decl
            .turns
            .map_or(1, |(turns, span)| self.turns(turns, decl.lattice, span));
        self.rs.tiling = Some(Tiling {
            name: decl.name.text.clone(),
            span: decl.name.span,
            positions,
            lattice: decl.lattice,
            ground,
            tile,
            turns,
            tile_cell: None,
            turn_cell: None,
            parts,
            borders: None,
            corners: None,
        });
        self.declare_rims(entry);
        if let Some(tile) = tile {
            let layer = entry.first_with(|old| old.tile.is_some());
            self.tiling_cells(tile, positions, turns, (decl.name.span, layer));
        }
    }

    fn turns(&mut self, turns: u32, lattice: Lattice, span: Span) -> u32 {
        if turns > 0 && lattice.sides().is_multiple_of(turns) {
            return turns;
        }
        self.report(Diagnostic::error(
            "out-of-range",
            span,
            match lattice {
                Lattice::Squares => "a square tile lies in 1, 2 or 4 ways",
                Lattice::Hexes { .. } => "a hexagonal tile lies in 1, 2, 3 or 6 ways",
            },
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

    /// Which places a board has: options have their values by now.
    pub(super) fn tiling_places(&mut self) {
        let asm = self.asm;
        let Some(entry) = asm.tilings.first() else {
            return;
        };
        let decl = &entry.item;
        let places = match &decl.ground {
            ast::TilingGround::Table { row, column, .. } => {
                if let Some(condition) = &decl.condition {
                    self.report(
                        Diagnostic::error(
                            "syntax",
                            condition.span,
                            "a board whose places are rows of a table has one for each row",
                        )
                        .help("leave the rows out that are no place"),
                    );
                }
                if let Some(name) = decl.borders.as_ref().or(decl.corners.as_ref()) {
                    self.report(
                        Diagnostic::error(
                            "wrong-type",
                            name.span,
                            "places that are rows of a table have no borders and corners of their own",
                        )
                        .help("a board by its outline has: `tiling board on hexagon 3 hexes borders path corners spot`"),
                    );
                }
                return self.tiling_columns(row, column);
            }
            ast::TilingGround::Plane(size) => self.size_in(size, ROWS_MAX).map(|size| {
                let low = -(size / 2);
                rectangle((low, low + size - 1), (low, low + size - 1))
            }),
            ast::TilingGround::Board(rows, columns) => {
                let (rows, columns) = (
                    self.size_in(rows, ROWS_MAX),
                    self.size_in(columns, ROWS_MAX),
                );
                rows.zip(columns)
                    .map(|(rows, columns)| rectangle((1, rows), (1, columns)))
            }
            ast::TilingGround::Hexagon(side) => self
                .size_in(side, ROWS_MAX / 2)
                .map(|side| hexagon(side, decl.lattice)),
            ast::TilingGround::Drawn(picture) => self.drawn(picture, decl.lattice),
        };
        let Some(mut places) = places else {
            self.break_board();
            return;
        };
        if let Some(condition) = &decl.condition
            && !self.keep_places(&mut places, condition)
        {
            self.break_board();
            return;
        }
        if places.is_empty() {
            self.report(Diagnostic::error(
                "out-of-range",
                decl.name.span,
                "this board has no place at all",
            ));
            self.break_board();
            return;
        }
        if let Some(tiling) = &mut self.rs.tiling {
            tiling.ground = Ground::Places(places.into());
        }
        self.fill_rims(decl);
    }

    /// Nothing is said about single places of a board whose places are not known.
    fn break_board(&mut self) {
        self.broken_board = true;
    }

    /// How many rows, columns, places at a side: a number that is known when the rules are loaded.
    fn size_in(&mut self, size: &ast::Expr, most: i64) -> Option<i32> {
        let mut body = Body::new(self, super::graph::Node::Outside, Mode::Pure);
        let value = body.number(size)?;
        match self.constant(&value) {
            Some(Value::Int(n)) if (1..=most).contains(&i64::from(n)) => Some(n),
            Some(Value::Int(n)) => {
                self.report(Diagnostic::error(
                    "out-of-range",
                    size.span,
                    format!("this size is 1 to {most}, not {n}"),
                ));
                None
            }
            _ => {
                self.report(
                    Diagnostic::error(
                        "not-constant",
                        size.span,
                        "the size of a board does not change, and is the same for any number of players",
                    )
                    .help("a number, or an option: `option size: 3..19 = 11`"),
                );
                None
            }
        }
    }

    /// Leaves the places of which a condition on `row` and `col` holds.
    fn keep_places(&mut self, places: &mut Vec<Coordinates>, condition: &ast::Expr) -> bool {
        let mut body = Body::new(self, super::graph::Node::Outside, Mode::Pure);
        for word in ["row", "col"] {
            let local = body.hidden_local(word, Ty::INT, condition.span);
            body.bind_word(word, ExprKind::Local(local), Ty::INT, condition.span);
        }
        let Some(holds) = body.condition(condition) else {
            return false;
        };
        let mut known = true;
        places.retain(|(row, column)| {
            let locals = vec![Some(Value::Int(*row)), Some(Value::Int(*column))];
            match self.constant_with(&holds, locals) {
                Some(Value::Bool(holds)) => holds,
                _ => {
                    known = false;
                    false
                }
            }
        });
        if !known {
            self.report(
                Diagnostic::error(
                    "not-constant",
                    condition.span,
                    "which places a board has does not change, and is the same for any number of players",
                )
                .help("a condition on `row` and `col`, numbers and options: `where row + col > 3`"),
            );
        }
        known
    }

    /// The places of a picture, of which each is a `.`.
    fn drawn(&mut self, picture: &ast::Picture, lattice: Lattice) -> Option<Vec<Coordinates>> {
        let letters = picture.letters();
        let Some(first) = letters.first() else {
            // Where nothing is drawn at all, that has been said.
            return (!picture.lines.is_empty()).then(Vec::new);
        };
        if let Some(letter) = letters.iter().find(|letter| letter.sign != '.') {
            self.report(
                Diagnostic::error(
                    "syntax",
                    letter.span,
                    format!("`{}` stands where a place is drawn", letter.sign),
                )
                .help("a place is a `.`; what lies on it at the start is drawn in a table: `table start[cell]`"),
            );
            return None;
        }
        // What goes to and fro is counted from the top line, or from the left column.
        let (down, right) = match lattice {
            Lattice::Squares => (1 - first.at.0, 2 - first.at.1),
            Lattice::Hexes { flat: false, .. } => (1, 1 + first.at.0 - first.at.1),
            Lattice::Hexes { flat: true, .. } => (1 + first.at.1 / 2 - first.at.0, 2),
        };
        let mut places = Vec::new();
        for letter in &letters {
            let at = lattice.place_drawn((letter.at.0 + down, letter.at.1 + right));
            let Some(at) = at else {
                self.stands_between(letter, lattice);
                return None;
            };
            places.push(lattice.written(at));
        }
        let low = (
            places.iter().map(|at| at.0).min().unwrap_or(0),
            places.iter().map(|at| at.1).min().unwrap_or(0),
        );
        for at in &mut places {
            *at = (at.0 - low.0 + 1, at.1 - low.1 + 1);
        }
        places.sort_unstable();
        if places.iter().any(|at| i64::from(at.0.max(at.1)) > ROWS_MAX) {
            let message = format!("a board has at most {ROWS_MAX} rows and columns");
            self.report(Diagnostic::error("out-of-range", picture.span, message));
            return None;
        }
        Some(places)
    }

    /// The position that each sign of a picture of the whole board stands at.
    pub(super) fn drawn_on(&mut self, picture: &ast::Picture) -> Option<Vec<(u32, ast::Letter)>> {
        let tiling = self.rs.tiling.as_ref()?;
        let Ground::Places(places) = &tiling.ground else {
            self.report(
                Diagnostic::error(
                    "wrong-type",
                    picture.span,
                    "places that are rows of a table cannot be drawn",
                )
                .help("give that table a column for what lies there at the start"),
            );
            return None;
        };
        if self.broken_board {
            return None;
        }
        let lattice = tiling.lattice;
        let places = places.clone();
        let drawn = from_corner(places.iter().map(|at| lattice.drawn(*at)).collect());
        let letters = picture.letters();
        let signs = from_corner(letters.iter().map(|letter| letter.at).collect());
        let by_place: std::collections::BTreeMap<Coordinates, u32> =
            drawn.into_iter().zip(0..).collect();
        let mut found = Vec::new();
        let mut seen = vec![false; places.len()];
        for (at, letter) in signs.iter().zip(&letters) {
            let Some(position) = by_place.get(at) else {
                let help = format!(
                    "one sign for each place, one blank between two: {}",
                    self.board_in_words()
                );
                self.report(
                    Diagnostic::error("no-such-place", letter.span, "the board has no place here")
                        .help(help),
                );
                return None;
            };
            seen[*position as usize] = true;
            found.push((*position, *letter));
        }
        if let Some(missing) = seen.iter().position(|seen| !seen) {
            let (row, column) = places[missing];
            let message = format!("nothing is drawn for row {row}, column {column}");
            let help = format!("a `.` where nothing is: {}", self.board_in_words());
            self.report(Diagnostic::error("no-such-place", picture.span, message).help(help));
            return None;
        }
        Some(found)
    }

    /// `cell[1, 2]`, by numbers that are known.
    pub(super) fn place_named(&mut self, place: &ast::Expr) -> Option<u32> {
        let wanted = Ty::Element(self.positions());
        let mut body = Body::new(self, super::graph::Node::Outside, Mode::Pure);
        let found = body.value(place, &wanted)?;
        match self.constant(&found) {
            Some(Value::Element(_, position)) => Some(position),
            _ => {
                self.report(
                    Diagnostic::error("not-constant", place.span, "this place is not known here")
                        .help("name it by its row and column: `cell[1, 2]`"),
                );
                None
            }
        }
    }

    fn stands_between(&mut self, letter: &ast::Letter, lattice: Lattice) {
        let (message, help) = match lattice {
            Lattice::Squares => (
                "this place does not stand below or beside the others",
                "one letter for each place, one blank between two: `| . . .`",
            ),
            Lattice::Hexes { flat: false, .. } => (
                "this place does not stand between two of the line above",
                "one letter for each place, one blank between two; each line is moved by one blank to the left or right of the line above",
            ),
            Lattice::Hexes { flat: true, .. } => (
                "this place does not stand between two of the column beside it",
                "a line holds every second column, three blanks between two letters; the line below holds the others",
            ),
        };
        self.report(Diagnostic::error("syntax", letter.span, message).help(help));
    }

    /// The columns for row and column of a tiling on a table.
    fn tiling_columns(&mut self, row: &ast::Name, column: &ast::Name) {
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
    fn tiling_cells(
        &mut self,
        tile: TableId,
        positions: Domain,
        turns: u32,
        (span, layer): (Span, LayerId),
    ) {
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

    /// Which rows and columns the board has, and the options that say so.
    pub(super) fn board_in_words(&self) -> String {
        let (Some(tiling), Some(entry)) = (&self.rs.tiling, self.asm.tilings.first()) else {
            return String::new();
        };
        let Ground::Places(places) = &tiling.ground else {
            return String::new();
        };
        let bounds = |of: fn(&Coordinates) -> i32| {
            let all = places.iter().map(of);
            (all.clone().min().unwrap_or(1), all.max().unwrap_or(1))
        };
        let (rows, columns) = (bounds(|at| at.0), bounds(|at| at.1));
        let mut words = format!(
            "its rows are {} to {}, its columns {} to {}",
            rows.0, rows.1, columns.0, columns.1
        );
        let all = (rows.1 - rows.0 + 1) * (columns.1 - columns.0 + 1);
        if places.len() < all as usize {
            words.push_str(", and not every row has a place in every column");
        }
        let mut named = OptionNames(Vec::new());
        entry.item.ground.clone().visit(&mut named);
        entry.item.condition.clone().visit(&mut named);
        for option in &self.rs.options {
            if named.0.contains(&option.name) {
                let value = self.show_value(&option.value);
                words.push_str(&format!("; `{}` is {value}", option.name));
            }
        }
        words
    }

    pub(super) fn lattice(&self) -> Option<Lattice> {
        self.rs.tiling.as_ref().map(|tiling| tiling.lattice)
    }

    pub(super) fn side_named(&self, word: &str) -> Option<u32> {
        let tiling = self.rs.tiling.as_ref()?;
        let lattice = tiling.lattice;
        let found = lattice.direction_named(word)?;
        (tiling.tile.is_none() || found < lattice.sides()).then_some(found)
    }

    pub(super) fn port_named(&self, word: &str) -> Option<u32> {
        self.lattice()?.port_named(word)
    }

    pub(super) fn direction_names(&self, domain: Domain) -> Vec<String> {
        let (lattice, tiles) = self
            .rs
            .tiling
            .as_ref()
            .map_or((Lattice::Squares, false), |tiling| {
                (tiling.lattice, tiling.tile.is_some())
            });
        let all = match domain {
            Domain::Port => lattice.all_ports(),
            _ if tiles => lattice.side_names(),
            _ => lattice.all_names(),
        };
        all.iter().map(|name| (*name).to_owned()).collect()
    }
}

/// Names that stand in an expression.
struct OptionNames(Vec<String>);

impl Visitor for OptionNames {
    fn expr(&mut self, expr: &mut ast::Expr) -> bool {
        if let ast::ExprKind::Name(name) = &expr.kind {
            self.0.push(name.clone());
        }
        true
    }
}

/// Counted from the uppermost line, and from what stands most to the left.
fn from_corner(mut places: Vec<Coordinates>) -> Vec<Coordinates> {
    let top = places.iter().map(|at| at.0).min().unwrap_or(0);
    let left = places.iter().map(|at| at.1).min().unwrap_or(0);
    for at in &mut places {
        *at = (at.0 - top, at.1 - left);
    }
    places
}

fn one_place() -> Ground {
    Ground::Places([(1, 1)].into())
}

/// All places of these rows and columns.
fn rectangle(rows: (i32, i32), columns: (i32, i32)) -> Vec<Coordinates> {
    (rows.0..=rows.1)
        .flat_map(|row| (columns.0..=columns.1).map(move |column| (row, column)))
        .collect()
}

/// The places around one in the middle, so that the outermost are so many at each side.
fn hexagon(side: i32, lattice: Lattice) -> Vec<Coordinates> {
    let all = rectangle((1 - side, side - 1), (1 - side, side - 1));
    let inside = all
        .into_iter()
        .filter(|at| lattice.distance((0, 0), *at) < side);
    // The middle has a row and a column that lie in the same way as the first ones.
    let mut places: Vec<Coordinates> = inside
        .map(|at| lattice.written((at.0 + side, at.1 + side)))
        .collect();
    let low = (
        places.iter().map(|at| at.0).min().unwrap_or(1),
        places.iter().map(|at| at.1).min().unwrap_or(1),
    );
    for at in &mut places {
        *at = (at.0 - low.0 + 1, at.1 - low.1 + 1);
    }
    places.sort_unstable();
    places
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
        let tiling = self.k.rs.tiling.as_ref()?;
        let (positions, tile) = (tiling.positions, tiling.tile);
        let tile_cell = tiling.tile_cell;
        let boxed = || Box::new(base.clone());
        let (kind, ty) = match (domain, word.text.as_str()) {
            (d, "next") if d == positions => {
                return Some(Some(Head::Method(boxed(), "next")));
            }
            (d, "border" | "borders" | "corner" | "corners") if d == positions => {
                return self.rim_member(base, word, span);
            }
            (d, "row") if d == positions => (ExprKind::RowOf(boxed()), Ty::INT),
            (d, "col" | "column") if d == positions => (ExprKind::ColumnOf(boxed()), Ty::INT),
            (Domain::Side, "back") => (ExprKind::Back(boxed()), Ty::Element(Domain::Side)),
            (Domain::Side | Domain::Port, "turned") => {
                return Some(Some(Head::Method(boxed(), "turned")));
            }
            (Domain::Part(_), "cell") => (ExprKind::PositionOf(boxed()), Ty::Element(positions)),
            (Domain::Table(id), "cell") if Some(id) == tile => (
                ExprKind::PositionOfTile(boxed()),
                Ty::Element(positions).optional(),
            ),
            (d, _) if d == positions => {
                return self.column_at(base, tile?, word, span);
            }
            _ => return None,
        };
        if let Some(cell) = tile_cell
            && matches!(kind, ExprKind::PositionOfTile(_))
        {
            self.touch(Touched::Read(cell), span);
        }
        Some(Some(Head::Value(Expr { kind, ty, span })))
    }

    /// `c.rails`: a column of what lies on the position.
    #[allow(clippy::option_option)]
    pub(super) fn column_at(
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

    /// `leap(a, b)`: two places over one side, and one over the next.
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
        let leaps = self.k.lattice().unwrap_or_default().leaps();
        Some(sides(leaps, span))
    }

    /// `orthogonal`, `diagonal`
    pub fn directions(&mut self, name: &str, span: Span) -> Option<Expr> {
        let lattice = self.k.lattice()?;
        let range = match name {
            "orthogonal" => 0..lattice.sides(),
            "diagonal" => lattice.diagonals(),
            _ => return None,
        };
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
