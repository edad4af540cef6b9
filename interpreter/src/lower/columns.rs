//! Reading tables, grids and cells.

use super::Lower;
use crate::program::*;
use dsl::ir::{self, Domain, Ty, Value};
use dsl::source::Span;

impl Lower<'_> {
    pub(super) fn column(
        &mut self,
        row: &ir::Expr,
        table: ir::TableId,
        column: ir::ColumnId,
        ty: &Ty,
        span: Span,
    ) -> NodeId {
        if let Ty::Element(Domain::Part(parts)) = row.ty.required() {
            let at = self.parts_index(*parts);
            let part = self.expr(row);
            let value = self.scalar(Node::RowOfPart(part, at), span);
            let value = self.column_of(value, table, column, span);
            let position = self.scalar(Node::PositionOfPart(part, at), span);
            return self.turned(position, value, ty, span);
        }
        let row = self.expr(row);
        self.column_of(row, table, column, span)
    }

    pub(super) fn column_of(
        &mut self,
        row: NodeId,
        table: ir::TableId,
        column: ir::ColumnId,
        span: Span,
    ) -> NodeId {
        let place = self.columns[table.index()][column.index()];
        if place.shape == Shape::Scalar {
            return self.scalar(Node::Column(place.base, row), span);
        }
        let stride = place.shape.words() as u32;
        let node = Node::ColumnWords {
            base: place.base,
            stride,
            row,
        };
        self.node(node, place.shape, span)
    }

    pub(super) fn grid(&mut self, grid: ir::GridId, args: &[ir::Expr], span: Span) -> NodeId {
        let (dense, base, shape) = self.grids[grid.index()];
        let args = self.exprs(args);
        if shape == Shape::Scalar {
            return self.scalar(Node::Dense(dense, args), span);
        }
        let stride = shape.words() as u32;
        let node = Node::DenseWords {
            dense,
            args,
            base,
            stride,
        };
        self.node(node, shape, span)
    }

    pub(super) fn cell_read(&mut self, cell: ir::CellId, args: &[ir::Expr], span: Span) -> NodeId {
        let slot = Slot(cell.0);
        let shape = self.program.cells[slot.at()].shape;
        let nodes: Vec<NodeId> = args.iter().map(|a| self.expr(a)).collect();
        if shape != Shape::Scalar {
            let args = self.list(&nodes);
            return self.node(Node::CellWords(slot, args), shape, span);
        }
        match nodes.as_slice() {
            [] => {
                let base = self.program.cells[slot.at()].base;
                self.scalar(Node::Cell0(base), span)
            }
            [index] => self.scalar(Node::Cell1(slot, *index), span),
            _ => {
                let args = self.list(&nodes);
                self.scalar(Node::Cell(slot, args), span)
            }
        }
    }

    pub(super) fn formula_call(
        &mut self,
        formula: ir::FormulaId,
        args: &[ir::Expr],
        span: Span,
    ) -> NodeId {
        let proc = self.program.formula_procs[formula.index()];
        // The body may not be lowered yet.
        let shape = self.said_shape(&self.rules.formulas[formula.index()]);
        let code = &self.rules.formulas[formula.index()];
        let handed = args.iter().zip(&code.params);
        let args: Vec<NodeId> = handed
            .map(|(arg, param)| self.handed(arg, &code.code.locals[param.index()].ty))
            .collect();
        let args = self.list(&args);
        self.node(Node::Call(proc, args), shape, span)
    }

    /// What a domain's name stands for as a set. Diagonals and leaps are directions, but no sides of a tile.
    pub(super) fn all_in(&self, domain: Domain) -> (i32, u32) {
        match domain {
            Domain::Side => (0, self.lattice().sides()),
            other => self.domain(other),
        }
    }

    pub(super) fn all_of(&mut self, domain: Domain, span: Span) -> NodeId {
        let (low, n) = self.all_in(domain);
        let shape = Shape::Set { n, low };
        let base = self.reserve_consts(shape.words());
        for at in 0..n {
            let word = &mut self.program.consts[(base + at / 32) as usize];
            *word |= 1i32.wrapping_shl(at % 32);
        }
        self.node(Node::Words(base), shape, span)
    }

    pub(super) fn pieces_node(&mut self, table: ir::TableId, span: Span) -> NodeId {
        let rows = &self.rules.tables[table.index()].rows;
        let copies = self.rules.tables[table.index()].copies;
        let counts: Vec<i32> = rows
            .iter()
            .map(|row| match copies.map(|c| &row.values[c.index()]) {
                Some(Value::Int(n)) => *n,
                _ => 1,
            })
            .collect();
        let base = self.reserve_consts(0);
        let shape = Shape::Bag {
            n: counts.len() as u32,
            low: 0,
        };
        self.program.consts.extend(counts);
        self.node(Node::Words(base), shape, span)
    }
}
