//! Geometry of the tiling: neighbours, turns, parts.

use super::{Lower, LowerError};
use crate::network::bits;
use crate::program::*;
use dsl::ir::{self, Ground, Ty, Value};
use dsl::source::Span;

/// Directions in the order of the `side` elements: four sides, four diagonals; leaps of (1, 2) behind.
pub const DIRECTIONS: [(i32, i32); 16] = [
    (-1, 0),
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 1),
    (1, 1),
    (1, -1),
    (-1, -1),
    (-2, 1),
    (-1, 2),
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
];

/// Ports in the order of the `port` elements: `n_w n_e e_n e_s s_e s_w w_s w_n`; two on each side, clockwise.
const PORT_SIDES: [i32; 8] = [0, 0, 1, 1, 2, 2, 3, 3];
const PORT_FACES: [i32; 8] = [5, 4, 7, 6, 1, 0, 3, 2];

impl Lower<'_> {
    pub(super) fn tiling(&mut self) -> Result<(), LowerError> {
        let Some(tiling) = &self.rules.tiling else {
            return Ok(());
        };
        let places = self.tiling_places(tiling)?;
        let rows: Vec<i32> = places.iter().map(|p| p.0).collect();
        let columns: Vec<i32> = places.iter().map(|p| p.1).collect();
        let low = (
            rows.iter().copied().min().unwrap_or(0),
            columns.iter().copied().min().unwrap_or(0),
        );
        let high = (
            rows.iter().copied().max().unwrap_or(0),
            columns.iter().copied().max().unwrap_or(0),
        );
        let size = ((high.0 - low.0 + 1) as u32, (high.1 - low.1 + 1) as u32);
        let mut by_place = vec![NONE; (size.0 * size.1) as usize];
        for (at, (row, column)) in places.iter().enumerate() {
            by_place[((row - low.0) as u32 * size.1 + (column - low.1) as u32) as usize] =
                at as i32;
        }
        let find = |row: i32, column: i32| {
            let (row, column) = (row - low.0, column - low.1);
            if row < 0 || column < 0 || row >= size.0 as i32 || column >= size.1 as i32 {
                return NONE;
            }
            by_place[(row as u32 * size.1 + column as u32) as usize]
        };
        let directions = DIRECTIONS.len() as u32;
        let mut next = Vec::with_capacity(places.len() * DIRECTIONS.len());
        for (row, column) in &places {
            next.extend(
                DIRECTIONS
                    .iter()
                    .map(|(dr, dc)| find(row + dr, column + dc)),
            );
        }
        let turns = tiling.turns.max(1);
        let step = 4 / turns.min(4) as i32;
        let mut turned_side = Vec::new();
        let mut turned_port = Vec::new();
        for turn in 0..4 {
            let quarter = if turn < turns as i32 { turn * step } else { 0 };
            for side in 0..16 {
                turned_side.push(turn_direction(side, quarter));
            }
            for port in 0..8 {
                turned_port.push((port + 2 * quarter) % 8);
            }
        }
        let parts = tiling
            .parts
            .iter()
            .map(|table| self.parts_code(*table, tiling.tile))
            .collect();
        self.program.tiling = Some(TilingCode {
            positions: places.len() as u32,
            next,
            directions,
            back: (0..16).map(|d| turn_direction(d, 2)).collect(),
            rows,
            columns,
            by_place,
            place_low: low,
            place_size: size,
            turns,
            tile_cell: tiling.tile_cell.map(|c| Slot(c.0)),
            turn_cell: tiling.turn_cell.map(|c| Slot(c.0)),
            turned_side,
            turned_port,
            port_side: PORT_SIDES.to_vec(),
            port_faces: PORT_FACES.to_vec(),
            laid: None,
            turned_columns: Vec::new(),
            parts,
        });
        Ok(())
    }

    fn tiling_places(&self, tiling: &ir::Tiling) -> Result<Vec<(i32, i32)>, LowerError> {
        Ok(match tiling.ground {
            Ground::Plane { size } => {
                let low = -(size as i32 / 2);
                (0..size as i32)
                    .flat_map(|row| (0..size as i32).map(move |column| (low + row, low + column)))
                    .collect()
            }
            Ground::Board { rows, columns } => (1..=rows as i32)
                .flat_map(|row| (1..=columns as i32).map(move |column| (row, column)))
                .collect(),
            Ground::Table { row, column } => {
                let ir::Domain::Table(table) = tiling.positions else {
                    return Err(LowerError {
                        span: tiling.span,
                        message: "the positions of this tiling are no table".into(),
                    });
                };
                let table = &self.rules.tables[table.index()];
                let number = |value: &Value| if let Value::Int(n) = value { *n } else { 0 };
                table
                    .rows
                    .iter()
                    .map(|r| {
                        (
                            number(&r.values[row.index()]),
                            number(&r.values[column.index()]),
                        )
                    })
                    .collect()
            }
        })
    }

    fn parts_code(&self, table: ir::TableId, tile: Option<ir::TableId>) -> PartsCode {
        let tiles = tile.map_or(0, |t| self.rules.tables[t.index()].rows.len());
        let mut rows = vec![(0u32, 0u32); tiles];
        let part = &self.rules.tables[table.index()];
        if let Some((_, column)) = part.parent {
            for (at, row) in part.rows.iter().enumerate() {
                if let Value::Element(_, tile) = row.values[column.index()] {
                    let run = &mut rows[tile as usize];
                    if run.1 == 0 {
                        run.0 = at as u32;
                    }
                    run.1 += 1;
                }
            }
        }
        PartsCode {
            table,
            max: rows.iter().map(|r| r.1).max().unwrap_or(0).max(1),
            rows,
        }
    }

    pub(super) fn parts_index(&self, table: ir::TableId) -> u32 {
        self.program
            .tiling
            .as_ref()
            .and_then(|t| t.parts.iter().position(|p| p.table == table))
            .unwrap_or(0) as u32
    }

    /// A column of the tile that lies on a position.
    pub(super) fn column_at(
        &mut self,
        position: &ir::Expr,
        table: ir::TableId,
        column: ir::ColumnId,
        ty: &Ty,
        span: Span,
    ) -> NodeId {
        let position = self.expr(position);
        let slot = self
            .program
            .tiling
            .as_ref()
            .and_then(|t| t.tile_cell)
            .unwrap_or(Slot(0));
        let tile = self.scalar(Node::Cell1(slot, position), span);
        let value = self.column_of(tile, table, column, span);
        self.turned(position, value, ty, span)
    }

    /// Sides and ports as the tile on the position lies.
    pub(super) fn turned(
        &mut self,
        position: NodeId,
        value: NodeId,
        ty: &Ty,
        span: Span,
    ) -> NodeId {
        let Some(slot) = self.program.tiling.as_ref().and_then(|t| t.turn_cell) else {
            return value;
        };
        if is_port(ty).is_none() {
            return value;
        }
        let turn = self.scalar(Node::Cell1(slot, position), span);
        self.turned_by(turn, value, ty, span)
    }

    /// Sides and ports of a tile that is turned so often.
    pub(super) fn turned_by(&mut self, turn: NodeId, value: NodeId, ty: &Ty, span: Span) -> NodeId {
        let Some(port) = is_port(ty) else {
            return value;
        };
        if self.program.tiling.as_ref().is_none_or(|t| t.turns <= 1) {
            return value;
        }
        let shape = self.shape_of(value);
        if shape == Shape::Scalar {
            return self.scalar(Node::Turned { turn, value, port }, span);
        }
        let node = self
            .turned_column(turn, value, port)
            .unwrap_or(Node::TurnedSet { turn, value, port });
        self.node(node, shape, span)
    }

    /// A column's sets as turned tiles show them are tabulated.
    fn turned_column(&mut self, turn: NodeId, value: NodeId, port: bool) -> Option<Node> {
        let Node::ColumnWords {
            base,
            stride: 1,
            row,
        } = self.program.nodes[value.at()]
        else {
            return None;
        };
        let mut places = self.columns.iter().enumerate();
        let (table, _) =
            places.rfind(|(_, columns)| columns.iter().any(|place| place.base == base))?;
        let rows = self.rules.tables[table].rows.len() as u32;
        let tiling = self.program.tiling.as_mut()?;
        let known = tiling.turned_columns.iter().find(|(of, _)| *of == base);
        let turned = match known {
            Some((_, turned)) => *turned,
            None => {
                let consts = &mut self.program.consts;
                let turned = consts.len() as u32;
                for turn in 0..tiling.turns {
                    for row in base..base + rows {
                        let sides = bits::iter(&[consts[row as usize] as u32])
                            .filter_map(|side| tiling.turned(turn as usize, side as usize, port))
                            .fold(0, |sides, side| sides | 1i32.wrapping_shl(side as u32));
                        consts.push(sides);
                    }
                }
                tiling.turned_columns.push((base, turned));
                turned
            }
        };
        Some(Node::TurnedColumn {
            base: turned,
            rows,
            turn,
            row,
        })
    }

    /// Whether an element is in a container.
    pub(super) fn in_source(&mut self, item: NodeId, source: &ir::Expr, span: Span) -> NodeId {
        if let ir::ExprKind::OnBoard(table) = source.kind {
            let parts = self.parts_index(table);
            let row = self.scalar(Node::RowOfPart(item, parts), span);
            return self.scalar(Node::IsSome(row), span);
        }
        let source = self.expr(source);
        self.scalar(Node::In(item, source), span)
    }

    pub(super) fn position_of_part(&mut self, part: &ir::Expr, span: Span) -> NodeId {
        let at = match part.ty.required() {
            Ty::Element(ir::Domain::Part(table)) => self.parts_index(*table),
            _ => 0,
        };
        let part = self.expr(part);
        self.scalar(Node::PositionOfPart(part, at), span)
    }

    /// Where a part on the tiling must lie by a condition on it: `x` of `part.cell = x and …`.
    pub(super) fn position_in(&self, condition: NodeId, part: u32) -> Option<NodeId> {
        let is_position = |node: NodeId| match self.program.nodes[node.at()] {
            Node::PositionOfPart(of, _) => self.program.nodes[of.at()] == Node::Local(part),
            _ => false,
        };
        match self.program.nodes[condition.at()] {
            Node::And(a, b) => self
                .position_in(a, part)
                .or_else(|| self.position_in(b, part)),
            Node::Equal(a, b) if is_position(a) && self.is_settled(b, part) => Some(b),
            Node::Equal(a, b) if is_position(b) && self.is_settled(a, part) => Some(a),
            _ => None,
        }
    }

    /// Which value a column of a row must have by a condition on it: `x` of `row.column = x and …`.
    pub(super) fn column_in(&self, condition: NodeId, row: u32) -> Option<(u32, NodeId)> {
        let column = |node: NodeId| match self.program.nodes[node.at()] {
            Node::Column(base, of) if self.program.nodes[of.at()] == Node::Local(row) => Some(base),
            _ => None,
        };
        match self.program.nodes[condition.at()] {
            Node::And(a, b) => self.column_in(a, row).or_else(|| self.column_in(b, row)),
            Node::Equal(a, b) => {
                let (base, value) = column(a)
                    .map(|base| (base, b))
                    .or(column(b).map(|base| (base, a)))?;
                self.is_settled(value, row).then_some((base, value))
            }
            _ => None,
        }
    }

    /// Has a value whatever the part is, and cannot fail.
    fn is_settled(&self, node: NodeId, part: u32) -> bool {
        match self.program.nodes[node.at()] {
            Node::Const(_) => true,
            Node::Local(at) => at != part,
            Node::PositionOfPart(of, _) => self.is_settled(of, part),
            Node::Next(position, side) => {
                self.is_settled(position, part) && self.is_settled(side, part)
            }
            _ => false,
        }
    }
}

/// What turns with a tile: sides (false) or ports (true).
fn is_port(ty: &Ty) -> Option<bool> {
    match ty.required() {
        Ty::Element(ir::Domain::Side) | Ty::Set(ir::Domain::Side) => Some(false),
        Ty::Element(ir::Domain::Port) | Ty::Set(ir::Domain::Port) => Some(true),
        _ => None,
    }
}

/// A direction turned clockwise by quarters.
fn turn_direction(direction: i32, quarters: i32) -> i32 {
    match direction {
        0..4 => (direction + quarters) % 4,
        4..8 => 4 + (direction - 4 + quarters) % 4,
        _ => 8 + (direction - 8 + 2 * quarters) % 8,
    }
}
