//! Tables, grids and constants.

use super::{ColumnPlace, Lower};
use crate::program::*;
use dsl::ir::{self, Domain, Ty, Value};

/// What is known where a rule set is laid out.
struct Laid<'l, 'r>(&'l Lower<'r>);

impl ir::Known for Laid<'_, '_> {
    fn rules(&self) -> &ir::RuleSet {
        self.0.rules
    }

    fn is_ready(&mut self, _: ir::FormulaId) -> bool {
        true
    }

    fn players(&self) -> Option<u32> {
        Some(self.0.players)
    }

    fn all_in(&self, domain: Domain) -> Option<(i32, u32)> {
        Some(self.0.all_in(domain))
    }
}

impl Lower<'_> {
    pub(super) fn tables(&mut self) {
        for table in &self.rules.tables {
            let mut places = Vec::new();
            for (at, column) in table.columns.iter().enumerate() {
                let shape = match column.ty.required() {
                    Ty::List(_) => Shape::List {
                        deck: false,
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
        // What was written for a narrower range has no place in it.
        let place = |lower: &Self, item: &Value, low: i32, n: u32| {
            let at = i64::from(lower.word(item)) - i64::from(low);
            (0..i64::from(n)).contains(&at).then_some(at as usize)
        };
        match (value, shape) {
            (Value::Set(items) | Value::List(items), Shape::Set { low, n }) => {
                for item in items {
                    if let Some(at) = place(self, item, low, n) {
                        let word = &mut self.program.consts[start + at / 32];
                        *word |= 1i32.wrapping_shl(at as u32 % 32);
                    }
                }
            }
            (Value::Set(items) | Value::List(items), Shape::Bag { low, n }) => {
                for item in items {
                    if let Some(at) = place(self, item, low, n) {
                        self.program.consts[start + at] += 1;
                    }
                }
            }
            (Value::Bag(items), Shape::Bag { low, n }) => {
                for (item, count) in items {
                    if let Some(at) = place(self, item, low, n) {
                        self.program.consts[start + at] += *count as i32;
                    }
                }
            }
            (Value::List(items) | Value::Set(items), Shape::List { deck, .. }) => {
                let len = items.len();
                self.program.consts[start] = len as i32;
                for (at, item) in items.iter().enumerate() {
                    let at = if deck { len - at } else { 1 + at };
                    self.program.consts[start + at] = self.word(item);
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

    /// The value of an expression that reads no state, with some locals known.
    pub(super) fn constant(&self, expr: &ir::Expr, locals: &[Option<Value>]) -> Option<Value> {
        ir::constant(&mut Laid(self), expr, locals.to_vec())
    }

    /// The same as a word, of what is no container.
    pub(super) fn constant_word(&self, expr: &ir::Expr, locals: &[Option<Value>]) -> Option<i32> {
        let value = self.constant(expr, locals)?;
        value.size().is_none().then(|| self.word(&value))
    }

    /// The indices of a slot, by its number among all, as values of the first of `locals` locals.
    pub(super) fn indices_of(
        &self,
        domains: &[Domain],
        sizes: &[(i32, u32)],
        slot: u32,
        locals: usize,
    ) -> Vec<Option<Value>> {
        let mut values = vec![None; locals];
        let mut rest = slot;
        for (at, (domain, (low, n))) in domains.iter().zip(sizes).enumerate().rev() {
            if let Some(value) = values.get_mut(at) {
                *value = Some(domain.element(low + (rest % n) as i32));
            }
            rest /= n;
        }
        values
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
