//! Tables: columns, and the values of their rows, each checked at its cell.

use super::Checker;
use super::body::{Body, Mode};
use super::graph::Node;
use super::names::Member;
use super::symbols::Symbol;
use super::types::TypePlace;
use crate::assembly::{Entry, RawRow, SetEntry, TableEntry};
use crate::bounds::COPIES_MAX;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::ir::{
    Column, ColumnId, Domain, EffectId, Expr, ExprKind, FormulaId, LayerId, TableId, Ty, Value,
};
use crate::source::Span;
use crate::syntax::ast;

/// A cell that holds code: checked when everything is declared.
pub(crate) struct LateCell<'a> {
    pub kind: LateKind,
    pub text: LateText<'a>,
    pub span: Span,
    /// The row as `this`.
    pub row: Option<(TableId, u32)>,
}

#[derive(Clone, Copy)]
pub(crate) enum LateKind {
    Effect(EffectId),
    Formula(FormulaId),
}

pub(crate) enum LateText<'a> {
    Toml { text: &'a str, span: Span },
    Cell(&'a ast::GridCell),
    Expr(&'a ast::Expr),
}

/// Where a value stands, for its messages.
#[derive(Clone, Copy)]
pub(crate) struct At {
    pub node: Node,
    pub row: Option<(TableId, u32)>,
}

impl<'a> Checker<'a> {
    // -------------------------------------------------------------------------------------------- columns

    pub(super) fn table_columns(&mut self) {
        let asm = self.asm;
        for (at, entry) in asm.tables.iter().enumerate() {
            self.columns_of(TableId(at as u32), entry);
        }
    }

    fn columns_of(&mut self, table: TableId, entry: &'a Entry<TableEntry>) {
        let decl = &entry.item.decl;
        let declared = |name: &str| decl.columns.iter().any(|column| column.name.text == name);
        if let Some(parent) = &decl.parent
            && !declared(&parent.text)
            && let Some(id) = self
                .names
                .global(&parent.text, parent.span)
                .and_then(table_id)
        {
            self.written_column(table, parent, Ty::Element(Domain::Table(id)), "");
        }
        let kept = &self.kept[table.index()];
        let words = if kept.numbered {
            Vec::new()
        } else {
            kept.key.clone()
        };
        for word in words {
            let there = entry
                .item
                .rows
                .iter()
                .any(|row| row.cells.iter().any(|cell| cell.name.text == word));
            if there && !declared(&word) && self.column(table, &word).is_none() {
                let span = decl
                    .key
                    .iter()
                    .find(|name| name.text == word)
                    .map_or(decl.name.span, |name| name.span);
                self.written_column(table, &ast::Name { text: word, span }, Ty::Text, "");
            }
        }
        for column in &decl.columns {
            let mut body = Body::new(self, Node::Table(table), Mode::Pure);
            let ty = body.ty(&column.ty, TypePlace::Column);
            self.broken_columns
                .extend(ty.is_none().then(|| (table, column.name.text.clone())));
            self.written_column(table, &column.name, ty.unwrap_or(Ty::Text), &column.doc);
        }
        self.seen_before(table, entry);
        self.key_of(table, decl);
    }

    fn written_column(&mut self, table: TableId, name: &ast::Name, ty: Ty, doc: &str) {
        let layer = self.names.layer(name.span);
        self.add_column(table, name, ty, (doc, layer));
    }

    pub(super) fn add_column(
        &mut self,
        table: TableId,
        name: &ast::Name,
        ty: Ty,
        (doc, layer): (&str, LayerId),
    ) {
        let id = ColumnId(self.rs.tables[table.index()].columns.len() as u32);
        self.rs.tables[table.index()].columns.push(Column {
            name: name.text.clone(),
            ty,
            span: name.span,
            doc: doc.to_owned(),
        });
        self.member(Domain::Table(table), name, Member::Column(table, id), layer);
    }

    /// A column of a table that a later layer replaced is seen by the layers that knew it.
    fn seen_before(&mut self, table: TableId, entry: &'a Entry<TableEntry>) {
        for old in &entry.replaced {
            for column in &old.item.decl.columns {
                let name = &column.name.text;
                self.names
                    .lower_member(Domain::Table(table), name, old.layer);
                if let ast::TypeKind::InlineEnum(members) = &column.ty.kind
                    && let Some(id) = self.column(table, name)
                    && let Ty::Element(Domain::Enum(of)) = self.rs.tables[table.index()].columns
                        [id.index()]
                    .ty
                    .required()
                {
                    let of = *of;
                    members
                        .iter()
                        .for_each(|member| self.names.lower_enum(of, &member.text, old.layer));
                }
            }
        }
    }

    pub(super) fn column(&self, table: TableId, name: &str) -> Option<ColumnId> {
        let columns = &self.rs.tables[table.index()].columns;
        columns
            .iter()
            .position(|column| column.name == name)
            .map(|at| ColumnId(at as u32))
    }

    fn key_of(&mut self, table: TableId, decl: &ast::TableDecl) {
        let parent = decl.parent.as_ref().and_then(|name| {
            let id = self
                .names
                .global(&name.text, name.span)
                .and_then(table_id)?;
            Some((id, self.column(table, &name.text)?))
        });
        let mut key = Vec::new();
        if decl.key.is_empty() && !self.kept[table.index()].numbered {
            key.extend(parent.map(|(_, column)| column));
            key.extend(self.column(table, "id"));
        }
        for name in &decl.key {
            match self.column(table, &name.text) {
                Some(column) => {
                    self.note(name.span, Symbol::Column(table, column));
                    key.push(column);
                }
                None => self.no_column(table, name),
            }
        }
        let copies = decl.copies.as_ref().and_then(|name| {
            let column = self.column(table, &name.text);
            match column {
                Some(column) => self.note(name.span, Symbol::Column(table, column)),
                None => self.no_column(table, name),
            }
            column
        });
        let ir = &mut self.rs.tables[table.index()];
        ir.key = key;
        ir.copies = copies;
        ir.parent = parent;
    }

    pub(super) fn no_column(&mut self, table: TableId, name: &ast::Name) {
        let ir = &self.rs.tables[table.index()];
        let message = format!("`{}` has no column `{}`", ir.name, name.text);
        let mut diagnostic =
            Diagnostic::error("unknown-column", name.span, message).label(ir.span, "the table");
        if let Some(near) = nearest(
            &name.text,
            ir.columns.iter().map(|column| column.name.as_str()),
        ) {
            diagnostic = diagnostic.meant(name.span, near);
        }
        self.report(diagnostic);
    }

    // -------------------------------------------------------------------------------------------- values

    pub(super) fn table_values(&mut self) {
        let asm = self.asm;
        for (at, entry) in asm.tables.iter().enumerate() {
            self.values_of(TableId(at as u32), entry);
        }
        for (at, entry) in asm.tables.iter().enumerate() {
            self.patches(TableId(at as u32), entry);
        }
        for table in &mut self.rs.tables {
            for at in 0..table.columns.len() {
                narrow(table, at);
            }
        }
        self.copies_within_bounds();
    }

    /// Of each row there are pieces, and these have to have room.
    fn copies_within_bounds(&mut self) {
        let mut found = Vec::new();
        for table in &self.rs.tables {
            let Some(copies) = table.copies else { continue };
            for row in &table.rows {
                if let Some(Value::Int(n)) = row.values.get(copies.index())
                    && *n > COPIES_MAX
                {
                    let column = &table.columns[copies.index()].name;
                    let message = format!(
                        "`{}` has {n} copies (`{column}`); there is room for {COPIES_MAX} of a row",
                        row.name
                    );
                    found.push(Diagnostic::error("out-of-range", row.span, message));
                }
            }
        }
        found.into_iter().for_each(|one| self.report(one));
    }

    fn values_of(&mut self, table: TableId, entry: &'a Entry<TableEntry>) {
        let raws = self.kept[table.index()].raw_of.clone();
        for (row, raw) in raws.into_iter().enumerate() {
            let raw = &entry.item.rows[raw];
            let values = self.row_values(table, row as u32, raw, entry);
            self.rs.tables[table.index()].rows[row].values = values;
        }
    }

    fn row_values(
        &mut self,
        table: TableId,
        row: u32,
        raw: &'a RawRow,
        entry: &'a Entry<TableEntry>,
    ) -> Vec<Value> {
        let count = self.rs.tables[table.index()].columns.len();
        (0..count)
            .map(|column| self.row_value(table, row, ColumnId(column as u32), raw, entry))
            .collect()
    }

    fn row_value(
        &mut self,
        table: TableId,
        row: u32,
        column: ColumnId,
        raw: &'a RawRow,
        entry: &'a Entry<TableEntry>,
    ) -> Value {
        let ir = &self.rs.tables[table.index()].columns[column.index()];
        let mut broken = self.broken_columns.iter();
        if broken.any(|(of, name)| *of == table && *name == ir.name) {
            return Value::None;
        }
        let (name, ty) = (ir.name.clone(), ir.ty.clone());
        let at = At {
            node: Node::Table(table),
            row: Some((table, row)),
        };
        if let Some(cell) = raw.cells.iter().find(|cell| cell.name.text == name) {
            self.note(cell.name.span, Symbol::Column(table, column));
            return self
                .raw_value(&cell.value, cell.span, &ty, at)
                .unwrap_or(Value::None);
        }
        if let Some((parent, leads)) = self.rs.tables[table.index()].parent
            && leads == column
        {
            let above = raw.parent.and_then(|above| {
                self.kept[parent.index()]
                    .row_of
                    .get(above)
                    .copied()
                    .flatten()
            });
            return above.map_or(Value::None, |above| {
                Value::Element(Domain::Table(parent), above)
            });
        }
        let declared = entry
            .item
            .decl
            .columns
            .iter()
            .find(|column| column.name.text == name);
        if let Some(default) = declared.and_then(|column| column.default.as_ref()) {
            return self.expr_value(default, &ty, at).unwrap_or(Value::None);
        }
        if !matches!(ty, Ty::Optional(_)) {
            self.missing_cell(table, &name, raw);
        }
        Value::None
    }

    /// A misspelt column has been reported with the tables' own columns.
    fn missing_cell(&mut self, table: TableId, column: &str, raw: &RawRow) {
        let ir = &self.rs.tables[table.index()];
        let strangers = raw
            .cells
            .iter()
            .map(|cell| cell.name.text.as_str())
            .filter(|name| self.column(table, name).is_none());
        if nearest(column, strangers).is_some() {
            return;
        }
        let message = format!(
            "row `{}` of `{}` has no `{column}`",
            self.row_called(table, raw),
            ir.name
        );
        let declared = ir
            .columns
            .iter()
            .find(|one| one.name == column)
            .map_or(ir.span, |one| one.span);
        let diagnostic = Diagnostic::error("missing-column", raw.span, message)
            .label(declared, "declared here without a default")
            .help(format!(
                "write it in the row, or give the column a default: `{column}: … = …`"
            ));
        self.report(diagnostic);
    }

    fn row_called(&self, table: TableId, raw: &RawRow) -> String {
        let rows = &self.rs.tables[table.index()].rows;
        rows.iter()
            .find(|row| row.span == raw.span)
            .map_or_else(String::new, |row| row.name.clone())
    }

    // -------------------------------------------------------------------------------------------- keys

    pub(super) fn row_by_key(
        &mut self,
        table: TableId,
        key: &[ast::Expr],
        span: Span,
    ) -> Option<u32> {
        let name = super::keys::key_text(key);
        let found = self.names.rows[table.index()].get(&name).copied();
        if found.is_none() {
            let keys = key.first().zip(key.last());
            let span = keys.map_or(span, |(first, last)| first.span.to(last.span));
            self.no_row(table, &name, span);
        }
        found
    }

    pub(super) fn no_row(&mut self, table: TableId, name: &str, span: Span) {
        let message = format!(
            "`{}` has no row `{name}`",
            self.rs.tables[table.index()].name
        );
        let diagnostic = Diagnostic::error("unknown-row", span, message)
            .ways(self.ways_to_row(table, name, span));
        self.report(diagnostic);
    }

    // -------------------------------------------------------------------------------------------- constants

    /// The value of an expression that must be known when the rules are loaded.
    pub(super) fn expr_value(&mut self, expr: &'a ast::Expr, ty: &Ty, at: At) -> Option<Value> {
        if is_code(ty) {
            return self.late_value(LateText::Expr(expr), expr.span, ty, at);
        }
        if let Ty::List(element) = ty.required()
            && is_code(element)
        {
            return self.list_of_code(expr, ty, element, at);
        }
        let mut body = Body::new(self, at.node, Mode::Pure);
        body.this = at.row.map(|(table, row)| row_expr(table, row, expr.span));
        let typed = if *ty == Ty::Bool {
            body.condition(expr)
        } else {
            body.value(expr, ty)
        }?;
        let Some(value) = self.constant(&typed) else {
            let help = "only options, constants and columns are known before the game begins";
            self.report(
                Diagnostic::error(
                    "not-constant",
                    expr.span,
                    "this is not known when the rules are loaded",
                )
                .help(help),
            );
            return None;
        };
        self.in_range(value, ty, expr.span)
    }

    /// `[cash(2), steps(1)]` in a row inside the rules.
    fn list_of_code(
        &mut self,
        expr: &'a ast::Expr,
        ty: &Ty,
        element: &Ty,
        at: At,
    ) -> Option<Value> {
        let ast::ExprKind::Brackets(all) = &expr.kind else {
            let wanted = self.in_words(ty);
            let text = self.slice(expr.span).trim().to_owned();
            let message = format!("wanted {wanted}, found `{text}`");
            let diagnostic = Diagnostic::error("wrong-type", expr.span, message);
            self.report(diagnostic.help(format!(
                "several stand in brackets, and one too: `[{text}]`"
            )));
            return None;
        };
        let values = all
            .iter()
            .map(|one| self.late_value(LateText::Expr(one), one.span, element, at));
        values.collect::<Option<Vec<Value>>>().map(Value::List)
    }

    /// Makes room for a cell of code and puts it on the list.
    pub(super) fn late_value(
        &mut self,
        text: LateText<'a>,
        span: Span,
        ty: &Ty,
        at: At,
    ) -> Option<Value> {
        let (kind, value) = match ty.required() {
            Ty::Formula { of, result } => {
                let id = self.hidden_formula(span, *of, (**result).clone());
                (LateKind::Formula(id), Value::Formula(id))
            }
            Ty::Effect(scope) => {
                let id = self.new_effect(span, *scope);
                (LateKind::Effect(id), Value::Effect(id))
            }
            _ => return None,
        };
        self.late.push(LateCell {
            kind,
            text,
            span,
            row: at.row,
        });
        Some(value)
    }

    pub(super) fn set_value(&mut self, set: &'a SetEntry, ty: &Ty, at: At) -> Option<Value> {
        match &set.value {
            ast::GridCell::Expr(expr) => self.expr_value(expr, ty, at),
            cell => self.grid_cell(cell, set.span, ty, at),
        }
    }
}

/// A set or bag of numbers without bounds in a column is as wide as what stands there.
fn narrow(table: &mut crate::ir::Table, column: usize) {
    let (Ty::Set(domain) | Ty::Bag(domain)) = &mut table.columns[column].ty else {
        return;
    };
    if !super::types::is_wide(*domain) {
        return;
    }
    let mut bounds: Option<(i32, i32)> = None;
    let mut meet = |value: &Value| {
        if let Value::Int(n) = value {
            let (low, high) = bounds.unwrap_or((*n, *n));
            bounds = Some((low.min(*n), high.max(*n)));
        }
    };
    for row in &table.rows {
        match row.values.get(column) {
            Some(Value::Set(values)) => values.iter().for_each(&mut meet),
            Some(Value::Bag(values)) => values.iter().for_each(|(value, _)| meet(value)),
            _ => {}
        }
    }
    let (low, high) = bounds.unwrap_or((0, 0));
    *domain = Domain::Int { low, high };
}

pub(super) fn table_id(global: super::names::Global) -> Option<TableId> {
    match global {
        super::names::Global::Table(id) => Some(id),
        _ => None,
    }
}

pub(super) fn is_code(ty: &Ty) -> bool {
    matches!(ty.required(), Ty::Effect(_) | Ty::Formula { .. })
}

pub(super) fn row_expr(table: TableId, row: u32, span: Span) -> Expr {
    let domain = Domain::Table(table);
    Expr {
        kind: ExprKind::Const(Value::Element(domain, row)),
        ty: Ty::Element(domain),
        span,
    }
}
