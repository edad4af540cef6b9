//! Tables, grids and constants.

use super::{ColumnPlace, Lower};
use crate::program::*;
use dsl::ir::{self, Domain, ExprKind, Ty, Value, number};

impl Lower<'_> {
    pub(super) fn tables(&mut self) {
        for table in &self.rules.tables {
            let mut places = Vec::new();
            for (at, column) in table.columns.iter().enumerate() {
                let shape = match column.ty.required() {
                    Ty::List(_) => Shape::List {
                        cap: table
                            .rows
                            .iter()
                            .map(|row| list_length(&row.values[at]))
                            .max()
                            .unwrap_or(0),
                    },
                    ty => self.shape(ty),
                };
                let base = self.reserve_consts(0);
                for row in &table.rows {
                    self.push_value(&row.values[at], shape);
                }
                let values = &self.program.consts[base as usize..];
                // Without rows it would share its place with the next column.
                let natural = !values.is_empty() && values.iter().all(|value| *value >= 0);
                if !values.is_empty() {
                    let rows = table.rows.len() as u32;
                    self.program.column_rows.insert(base, rows);
                }
                if shape == Shape::Scalar && natural {
                    self.program.natural_columns.insert(base);
                }
                places.push(ColumnPlace { base, shape });
            }
            self.columns.push(places);
            self.lookups.push(None);
        }
        for grid in &self.rules.grids {
            let shape = self.shape(grid.ty.required());
            let dims = grid.indices.iter().map(|d| self.domain(*d)).collect();
            let base = self.reserve_consts(0);
            for value in &grid.values {
                self.push_value(value, shape);
            }
            let dense = self.dense(Dense { base, dims });
            self.grids.push((dense, base, shape));
        }
    }

    fn dense(&mut self, dense: Dense) -> DenseId {
        self.program.dense.push(dense);
        DenseId(self.program.dense.len() as u32 - 1)
    }

    /// The table that finds a row by its key columns.
    pub(super) fn lookup(&mut self, id: ir::TableId) -> DenseId {
        if let Some(dense) = self.lookups[id.index()] {
            return dense;
        }
        let table = &self.rules.tables[id.index()];
        let keys: Vec<Vec<i32>> = table
            .key
            .iter()
            .map(|column| {
                table
                    .rows
                    .iter()
                    .map(|row| self.word(&row.values[column.index()]))
                    .collect()
            })
            .collect();
        let dims: Vec<(i32, u32)> = keys
            .iter()
            .map(|values| {
                let low = values.iter().copied().min().unwrap_or(0);
                let high = values.iter().copied().max().unwrap_or(-1);
                let n = i64::from(high) - i64::from(low) + 1;
                (low, n.clamp(0, u32::MAX.into()) as u32)
            })
            .collect();
        let sizes = dims.iter().map(|d| d.1 as usize);
        let size = sizes.fold(1, usize::saturating_mul);
        if size > TABULATED_MAX {
            let span = table.span;
            let message = format!(
                "the keys of `{}` lie too far apart: {TABULATED_MAX} combinations of all between the least and the greatest \
                 of each are the most",
                table.name
            );
            self.is_too_large(span, message);
            return self.dense(Dense {
                base: 0,
                dims: vec![(0, 0); dims.len()],
            });
        }
        let base = self.reserve_consts(size);
        self.program.consts[base as usize..].fill(NONE);
        for row in 0..table.rows.len() {
            let at = keys.iter().zip(&dims).fold(0, |at, (values, dim)| {
                at * dim.1 as usize + (values[row] - dim.0) as usize
            });
            self.program.consts[base as usize + at] = row as i32;
        }
        let dense = self.dense(Dense { base, dims });
        self.lookups[id.index()] = Some(dense);
        dense
    }

    /// A scalar value's word.
    pub(super) fn word(&self, value: &Value) -> i32 {
        match value {
            Value::None => NONE,
            Value::Int(n) => *n,
            Value::Bool(b) => i32::from(*b),
            Value::Text(id) => id.0 as i32,
            Value::Element(_, at) => *at as i32,
            Value::Effect(id) => id.0 as i32,
            Value::Formula(id) => id.0 as i32,
            Value::Set(_) | Value::Bag(_) | Value::List(_) => NONE,
        }
    }

    pub(super) fn push_value(&mut self, value: &Value, shape: Shape) {
        let start = self.program.consts.len();
        if shape == Shape::Scalar {
            let word = self.word(value);
            self.program.consts.push(word);
            return;
        }
        self.program.consts.resize(start + shape.words(), 0);
        match (value, shape) {
            (Value::Set(items) | Value::List(items), Shape::Set { low, .. }) => {
                for item in items {
                    let at = (self.word(item) - low) as usize;
                    let word = &mut self.program.consts[start + at / 32];
                    *word |= 1i32.wrapping_shl(at as u32 % 32);
                }
            }
            (Value::Set(items) | Value::List(items), Shape::Bag { low, .. }) => {
                for item in items {
                    let at = (self.word(item) - low) as usize;
                    self.program.consts[start + at] += 1;
                }
            }
            (Value::Bag(items), Shape::Bag { low, .. }) => {
                for (item, count) in items {
                    let at = (self.word(item) - low) as usize;
                    self.program.consts[start + at] += *count as i32;
                }
            }
            (Value::List(items) | Value::Set(items), Shape::List { .. }) => {
                self.program.consts[start] = items.len() as i32;
                for (at, item) in items.iter().enumerate() {
                    self.program.consts[start + 1 + at] = self.word(item);
                }
            }
            _ => {}
        }
    }

    /// A constant container's node.
    pub(super) fn words(&mut self, value: &Value, shape: Shape, span: dsl::source::Span) -> NodeId {
        let base = self.reserve_consts(0);
        self.push_value(value, shape);
        self.node(Node::Words(base), shape, span)
    }

    /// How much a container holds that stands in a column or is written down.
    fn constant_size(&self, container: &ir::Expr, locals: &[Option<i32>]) -> Option<i32> {
        let value = match &container.kind {
            ExprKind::Const(value) => value,
            ExprKind::Column(row, table, column) => {
                let row = usize::try_from(self.constant(row, locals)?).ok()?;
                &self.rules.tables[table.index()].rows.get(row)?.values[column.index()]
            }
            _ => return None,
        };
        match value {
            Value::None => Some(0),
            Value::Set(items) | Value::List(items) => Some(items.len() as i32),
            Value::Bag(items) => {
                let sizes = items.iter().map(|(_, count)| i64::from(*count));
                number::number(sizes.sum()).ok()
            }
            _ => None,
        }
    }

    /// The value of an expression that reads no state, with some locals known: sizes and ranges.
    pub(super) fn constant(&self, expr: &ir::Expr, locals: &[Option<i32>]) -> Option<i32> {
        match &expr.kind {
            ExprKind::Const(value) => Some(self.word(value)),
            ExprKind::Local(id) => locals.get(id.index()).copied().flatten(),
            ExprKind::Players => Some(self.players as i32),
            ExprKind::Column(row, table, column) => {
                let row = self.constant(row, locals)?;
                let rows = &self.rules.tables[table.index()].rows;
                let row = rows.get(usize::try_from(row).ok()?)?;
                Some(self.word(&row.values[column.index()]))
            }
            ExprKind::Call(formula, args) => {
                let formula = &self.rules.formulas[formula.index()];
                let mut inner = vec![None; formula.code.locals.len()];
                for (param, arg) in formula.params.iter().zip(args) {
                    inner[param.index()] = self.constant(arg, locals);
                }
                self.constant(&formula.body, &inner)
            }
            ExprKind::Lookup(table, keys) => {
                let keys: Option<Vec<i32>> =
                    keys.iter().map(|k| self.constant(k, locals)).collect();
                let keys = keys?;
                let table = &self.rules.tables[table.index()];
                let found = table.rows.iter().position(|row| {
                    table
                        .key
                        .iter()
                        .zip(&keys)
                        .all(|(column, key)| self.word(&row.values[column.index()]) == *key)
                });
                Some(found.map_or(NONE, |at| at as i32))
            }
            ExprKind::Unwrap(inner) => self.constant(inner, locals).filter(|v| *v != NONE),
            ExprKind::Otherwise(value, other) => match self.constant(value, locals)? {
                NONE => self.constant(other, locals),
                value => Some(value),
            },
            ExprKind::If(condition, yes, no) => {
                if self.constant(condition, locals)? != 0 {
                    self.constant(yes, locals)
                } else {
                    self.constant(no, locals)
                }
            }
            ExprKind::Unary(op, inner) => {
                let value = self.constant(inner, locals)?;
                Some(match op {
                    ir::UnaryOp::Not => i32::from(value == 0),
                    ir::UnaryOp::Negate => number::negate(value).ok().filter(|_| value != NONE)?,
                    ir::UnaryOp::There => i32::from(value != NONE),
                })
            }
            ExprKind::Binary(op, a, b) => {
                if a.ty.is_container() || b.ty.is_container() {
                    return None;
                }
                let a = self.constant(a, locals)?;
                let b = self.constant(b, locals)?;
                use ir::BinaryOp as Op;
                let calculated = |of: fn(i32, i32) -> Result<i32, number::NoNumber>| {
                    of(a, b).ok().filter(|_| a != NONE && b != NONE)
                };
                Some(match op {
                    Op::Add => calculated(number::add)?,
                    Op::Subtract => calculated(number::subtract)?,
                    Op::Multiply => calculated(number::multiply)?,
                    Op::Divide => calculated(number::divide)?,
                    Op::Remainder => calculated(number::remainder)?,
                    Op::Equal => i32::from(a == b),
                    Op::NotEqual => i32::from(a != b),
                    Op::Less => i32::from(a < b),
                    Op::LessEqual => i32::from(a <= b),
                    Op::Greater => i32::from(a > b),
                    Op::GreaterEqual => i32::from(a >= b),
                    Op::And => i32::from(a != 0 && b != 0),
                    Op::Or => i32::from(a != 0 || b != 0),
                    Op::Implies => i32::from(a == 0 || b != 0),
                    _ => return None,
                })
            }
            ExprKind::Size(inner) => match &inner.kind {
                ExprKind::All(domain) => Some(self.all_in(*domain).1 as i32),
                ExprKind::Pieces(table) => Some(self.pieces(*table) as i32),
                _ => self.constant_size(inner, locals),
            },
            ExprKind::Seat(inner) => Some(self.constant(inner, locals)? + 1),
            _ => None,
        }
    }

    /// Number of elements of an index, and what the first is called.
    pub(super) fn dims_of(&self, domains: &[Domain]) -> Vec<(i32, u32)> {
        domains.iter().map(|d| self.domain(*d)).collect()
    }
}

fn list_length(value: &Value) -> u32 {
    match value {
        Value::List(items) | Value::Set(items) => items.len() as u32,
        _ => 0,
    }
}
