//! Geometry of the tiling: neighbours, turns, parts.

use super::{Lower, LowerError};
use crate::network::bits;
use crate::program::*;
use dsl::ir::{self, Ground, Ty, Value};
use dsl::source::Span;

impl Lower<'_> {
    pub(super) fn tiling(&mut self) -> Result<(), LowerError> {
        let Some(tiling) = &self.rules.tiling else {
            return Ok(());
        };
        let lattice = tiling.lattice;
        let places = self.tiling_places(tiling)?;
        let rows: Vec<i32> = places.iter().map(|p| p.0).collect();
        let columns: Vec<i32> = places.iter().map(|p| p.1).collect();
        let by_place = PlaceIndex::new(places.iter().copied());
        let straight: Vec<ir::Coordinates> = places.iter().map(|p| lattice.straight(*p)).collect();
        let by_step = PlaceIndex::new(straight.iter().copied());
        let steps: Vec<ir::Coordinates> = (0..lattice.directions())
            .map(|direction| lattice.step(direction))
            .collect();
        let mut next = Vec::with_capacity(places.len() * steps.len());
        for (row, column) in &straight {
            next.extend(
                steps
                    .iter()
                    .map(|(down, right)| by_step.find(row + down, column + right)),
            );
        }
        // Where no tiles lie sides turn as the board itself does.
        let turns = match tiling.tile {
            None if tiling.turns <= 1 => lattice.sides(),
            _ => tiling.turns.max(1),
        };
        let step = lattice.sides() / turns.min(lattice.sides());
        let mut turned_side = Vec::new();
        let mut turned_port = Vec::new();
        for turn in 0..turns {
            let by = turn * step;
            turned_side
                .extend((0..lattice.directions()).map(|side| lattice.turned(side, by) as i32));
            turned_port
                .extend((0..lattice.ports()).map(|port| lattice.port_turned(port, by) as i32));
        }
        let parts = tiling
            .parts
            .iter()
            .map(|table| self.parts_code(*table, tiling.tile))
            .collect();
        self.program.tiling = Some(TilingCode {
            positions: places.len() as u32,
            next,
            sides: lattice.sides(),
            directions: lattice.directions(),
            ways: Vec::new(),
            back: (0..lattice.directions())
                .map(|direction| lattice.back(direction) as i32)
                .collect(),
            rows,
            columns,
            straight,
            by_place,
            turns,
            tile_cell: tiling.tile_cell.map(|c| Slot(c.0)),
            turn_cell: tiling.turn_cell.map(|c| Slot(c.0)),
            turned_side,
            turned_port,
            port_side: (0..lattice.ports())
                .map(|port| lattice.port_side(port))
                .collect(),
            port_faces: (0..lattice.ports())
                .map(|port| lattice.port_faces(port))
                .collect(),
            laid: None,
            turned_columns: Vec::new(),
            parts,
        });
        Ok(())
    }

    fn tiling_places(&self, tiling: &ir::Tiling) -> Result<Vec<(i32, i32)>, LowerError> {
        Ok(match &tiling.ground {
            Ground::Places(places) => places.to_vec(),
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
        let Flat { tiling, consts, .. } = &mut self.program.flat;
        let tiling = tiling.as_mut()?;
        let known = tiling.turned_columns.iter().find(|(of, _)| *of == base);
        let turned = match known {
            Some((_, turned)) => *turned,
            None => {
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
