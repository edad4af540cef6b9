//! Indices: cells, tables, grids, lists.

use super::access::Head;
use super::body::Body;
use super::graph::Touched;
use super::names::Global;
use super::types::{interval, show};
use crate::ir::{CellId, ColumnId, Domain, Expr, ExprKind, GridId, TableId, Ty, Value};
use crate::source::Span;
use crate::syntax::ast;

impl Body<'_, '_> {
    pub fn index(&mut self, base: &ast::Expr, keys: &[ast::Expr], span: Span) -> Option<Expr> {
        match self.head(base, None)? {
            Head::Cell(cell, owner) if self.takes_indices(cell) => {
                self.cell_value(cell, owner, keys, span)
            }
            Head::Table(table) => self.lookup(table, keys, span),
            Head::Grid(grid) => self.grid(grid, keys, span),
            Head::Domain(Domain::Player) => self.player_at(keys, span),
            Head::Domain(Domain::Cell) => match keys {
                [row, column] => self.position_at(row, column, span),
                _ => {
                    self.error_help(
                        "wrong-arguments",
                        span,
                        format!("`cell` takes a row and a column, found {}", keys.len()),
                        "a place is named by both: `cell[1, 2]`",
                    );
                    None
                }
            },
            head => {
                let value = self.head_value(head, None, base.span)?;
                let value = self.require(value)?;
                self.at(value, keys, span)
            }
        }
    }

    pub(super) fn takes_indices(&self, cell: CellId) -> bool {
        !self.k.rs.cells[cell.index()].indices.is_empty()
    }

    /// A cell with its owner and indices.
    pub fn cell_value(
        &mut self,
        cell: CellId,
        owner: Vec<Expr>,
        keys: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let declared = &self.k.rs.cells[cell.index()];
        let (indices, ty, name) = (
            declared.indices.clone(),
            declared.ty.clone(),
            declared.name.clone(),
        );
        if self.k.broken_cells.contains(&cell) {
            return None;
        }
        if keys.len() != indices.len() {
            self.wrong_count(&name, indices.len(), keys.len(), span);
            return None;
        }
        let keys = self.keys(keys, &indices)?;
        let all = owner.into_iter().chain(keys).collect();
        Some(Expr {
            kind: ExprKind::Cell(cell, all),
            ty,
            span,
        })
    }

    pub(super) fn wrong_count(&mut self, name: &str, wanted: usize, found: usize, span: Span) {
        let text = match wanted {
            0 => format!("`{name}` takes no index"),
            1 => format!("`{name}` takes one index, found {found}"),
            n => format!("`{name}` takes {n} indices, found {found}"),
        };
        self.error("wrong-arguments", span, text);
    }

    pub(super) fn keys(&mut self, keys: &[ast::Expr], domains: &[Domain]) -> Option<Vec<Expr>> {
        let all: Vec<Option<Expr>> = keys
            .iter()
            .zip(domains)
            .map(|(key, domain)| self.key(key, *domain))
            .collect();
        all.into_iter().collect()
    }

    pub(super) fn key(&mut self, key: &ast::Expr, domain: Domain) -> Option<Expr> {
        let found = self.value(key, &domain.element_ty())?;
        self.require(found)
    }

    /// `table[key, …]`: the row or none; a constant key names its row.
    pub(super) fn lookup(
        &mut self,
        table: TableId,
        keys: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        if let Some(row) = self.named_row_at(table, keys, span) {
            return row;
        }
        let declared = &self.k.rs.tables[table.index()];
        let name = declared.name.clone();
        let types: Vec<Ty> = declared
            .key
            .iter()
            .map(|column| declared.columns[column.index()].ty.required().clone())
            .collect();
        if types.is_empty() || keys.len() != types.len() {
            self.wrong_count(&name, types.len(), keys.len(), span);
            return None;
        }
        let found: Vec<Option<Expr>> = keys
            .iter()
            .zip(&types)
            .map(|(key, ty)| self.value(key, ty).and_then(|key| self.require(key)))
            .collect();
        let keys: Vec<Expr> = found.into_iter().collect::<Option<_>>()?;
        for column in self.k.rs.tables[table.index()].key.clone() {
            self.touch(Touched::Column(table, column), span);
        }
        let row = Ty::Element(Domain::Table(table));
        if let Some(values) = self.constants(&keys) {
            return match self.k.rs.tables[table.index()].row_with(&values) {
                Some(row) => Some(super::types::constant(
                    Value::Element(Domain::Table(table), row),
                    span,
                )),
                None => {
                    let text = self.k.slice(span).to_owned();
                    self.error("unknown-row", span, format!("there is no row `{text}`"));
                    None
                }
            };
        }
        let ty = if self.k.covers(table, &keys) {
            row
        } else {
            row.optional()
        };
        Some(Expr {
            kind: ExprKind::Lookup(table, keys),
            ty,
            span,
        })
    }

    /// `card["+4"]`, `card[passenger]`, `gate[t1, 3]` with words that are no other names.
    #[allow(clippy::option_option)]
    pub(super) fn named_row_at(
        &mut self,
        table: TableId,
        keys: &[ast::Expr],
        span: Span,
    ) -> Option<Option<Expr>> {
        let plain = |key: &ast::Expr| match &key.kind {
            ast::ExprKind::Number(_) | ast::ExprKind::Text(_) => true,
            ast::ExprKind::Name(name) => {
                self.var(name, key.span).is_none()
                    && (self.needs_hint(key) || self.is_row_word(table, name, key.span))
            }
            _ => false,
        };
        if !keys.iter().all(plain) {
            return None;
        }
        let name = super::keys::key_text(keys);
        let domain = Domain::Table(table);
        match self.k.names.word_in(domain, &name, span) {
            Some(row) => {
                if let [key] = keys {
                    self.k.note_element(key.span, domain, row);
                }
                Some(Some(super::types::constant(
                    Value::Element(domain, row),
                    span,
                )))
            }
            None => {
                self.k.no_row(table, &name, span);
                Some(None)
            }
        }
    }

    /// A table whose key is a text is asked by the word of a row, whatever else has that word; what a formula gives is a text too.
    fn is_row_word(&self, table: TableId, name: &str, span: Span) -> bool {
        let declared = &self.k.rs.tables[table.index()];
        let is_text = |column: &ColumnId| declared.columns[column.index()].ty == Ty::Text;
        let by_text = matches!(declared.key.as_slice(), [only] if is_text(only));
        let is_formula = matches!(self.k.names.global(name, span), Some(Global::Formula(_)))
            || self.k.names.member(Domain::Player, name, span).is_some();
        let row = self.k.names.word_in(Domain::Table(table), name, span);
        by_text && !is_formula && row.is_some()
    }

    pub(super) fn constants(&mut self, exprs: &[Expr]) -> Option<Vec<Value>> {
        let constant = |expr: &Expr| match &expr.kind {
            ExprKind::Const(value) => Some(value.clone()),
            _ => None,
        };
        exprs.iter().map(constant).collect()
    }

    pub fn grid(&mut self, grid: GridId, keys: &[ast::Expr], span: Span) -> Option<Expr> {
        let declared = &self.k.rs.grids[grid.index()];
        let (name, indices, ty) = (
            declared.name.clone(),
            declared.indices.clone(),
            declared.ty.clone(),
        );
        if indices.is_empty() {
            return None;
        }
        if keys.len() != indices.len() {
            self.wrong_count(&name, indices.len(), keys.len(), span);
            return None;
        }
        let keys: Vec<Option<Expr>> = keys
            .iter()
            .zip(&indices)
            .map(|(key, domain)| self.grid_key(key, *domain))
            .collect();
        let keys: Vec<Expr> = keys.into_iter().collect::<Option<_>>()?;
        Some(Expr {
            kind: ExprKind::Grid(grid, keys),
            ty,
            span,
        })
    }

    pub(super) fn grid_key(&mut self, key: &ast::Expr, domain: Domain) -> Option<Expr> {
        self.key(key, domain)
    }

    pub(super) fn player_at(&mut self, keys: &[ast::Expr], span: Span) -> Option<Expr> {
        let [key] = keys else {
            self.wrong_count("player", 1, keys.len(), span);
            return None;
        };
        let most = self.k.rs.players.1;
        let seat = self.value(
            key,
            &Ty::Int {
                low: Some(1),
                high: Some(most.into()),
            },
        )?;
        let ty = Ty::Element(Domain::Player);
        if let ExprKind::Const(Value::Int(n)) = seat.kind {
            return Some(Expr {
                kind: ExprKind::Const(Value::Element(Domain::Player, n.max(1) as u32 - 1)),
                ty,
                span,
            });
        }
        let all = super::access::all_of(Domain::Player, span);
        Some(Expr {
            kind: ExprKind::At(Box::new(all), Box::new(seat)),
            ty,
            span,
        })
    }

    /// `list[i]`, `row[i]`.
    pub(super) fn at(&mut self, value: Expr, keys: &[ast::Expr], span: Span) -> Option<Expr> {
        let ty = match &value.ty {
            Ty::List(element) => (**element).clone(),
            Ty::Row(domain) => domain.element_ty().optional(),
            ty => {
                let message = format!("{} has no index", show(&self.k.rs, ty));
                let help = if ty.is_container() {
                    "how many of a kind: `.count(x)`"
                } else {
                    "cells, tables, lists and rows have"
                };
                self.error_help("wrong-type", span, message, help);
                return None;
            }
        };
        let [key] = keys else {
            self.wrong_count("a list", 1, keys.len(), span);
            return None;
        };
        let index = self.number(key)?;
        self.in_list(&value, &index)?;
        Some(Expr {
            kind: ExprKind::At(Box::new(value), Box::new(index)),
            ty,
            span,
        })
    }

    pub(super) fn in_list(&mut self, list: &Expr, index: &Expr) -> Option<()> {
        let (low, high) = interval(&index.ty);
        let size = match self.k.constant(list) {
            Some(Value::List(all)) => i64::try_from(all.len()).ok(),
            _ => None,
        };
        let above = low.zip(size).is_some_and(|(low, size)| low > size);
        if above || high.is_some_and(|high| high < 1) {
            let message = size.map_or("the first is 1".to_owned(), |size| {
                format!("the first is 1, the last {size}")
            });
            self.error("index-out-of-range", index.span, message);
            return None;
        }
        Some(())
    }
}
