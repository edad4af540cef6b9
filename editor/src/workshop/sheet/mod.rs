//! Component tables as sheets: typed columns, cells with their text, their place and the layer that says so.

mod change;
mod clipboard;
pub mod csv;
mod overlay;
mod several;
mod toml_rows;
mod xlsx;

pub use change::{FileEdit, SheetChange};
pub use clipboard::copied;
pub(super) use overlay::{at_end, gone, name_in_rules};
pub use xlsx::is_workbook;

use self::several::Several;
use super::checker::Checked;
use crate::values;
use dsl::assembly::{Entry, PatchEntry, RawCell, RawRow, RawValue, TableEntry};
use dsl::diagnostic::Diagnostic;
use dsl::ir::{Domain, RuleSet, Table, Ty};
use dsl::source::{SourceSet, Span};
use dsl::syntax::ast::{Expr, ExprKind, GridCell, expr_text};

/// A component table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    pub name: String,
    pub doc: String,
    /// Its declaration.
    pub span: Span,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// Nested rows stand in the file below the rows of this table.
    pub parent: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub doc: String,
    pub span: Span,
    pub kind: CellKind,
    /// The type in words: `a number from 1 to 7`.
    pub words: String,
    /// A cell may be empty.
    pub optional: bool,
    /// It gives the row its name.
    pub key: bool,
    /// A row cannot be without it: it has no default.
    pub required: bool,
    /// What stands there in rows that do not say it, as a cell shows it.
    pub default: Option<String>,
    /// It holds several things.
    pub several: Option<Several>,
    /// What may stand in its braces; empty: that is not known.
    pub inside: Vec<String>,
}

impl Column {
    /// A text that is meant for a cell, as cells show it.
    pub(super) fn typed(&self, text: &str) -> String {
        let several = self.several.and_then(|several| several.shown(text));
        several.unwrap_or_else(|| text.to_owned())
    }
}

/// What may be written into a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellKind {
    Number {
        low: Option<i64>,
        high: Option<i64>,
    },
    /// One of these: members, names of rows, `true` and `false`. `open`: a new name makes a new member.
    Choice {
        values: Vec<String>,
        open: bool,
    },
    Text,
    /// Lists, sets, effects, formulas: as the rules or TOML write them.
    Code,
    /// The row above a nested row: it is where the row stands.
    Parent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// As rules and messages call it; `#3` if the table's rows have no names.
    pub name: String,
    pub span: Span,
    /// Id of the layer that added it.
    pub layer: String,
    /// An overlay takes it away, here.
    pub removed: Option<Span>,
    /// One a column.
    pub cells: Vec<Cell>,
    /// How it is written.
    written: Written,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// `[[section]]` and lines below it.
    Section,
    /// `{ a = 1, b = 2 }`
    Inline,
    /// A line with `|` in a rules file.
    Line,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// As it is shown and typed; empty for none.
    pub text: String,
    /// Where it is written; none: it is the column's default.
    pub span: Option<Span>,
    /// Id of the layer that says so.
    pub layer: String,
    /// What the layers below say, where an overlay patches the cell.
    pub below: Option<String>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

impl Sheet {
    /// All tables of the texts that were checked, in the order of their declaration. `types` are the rules that were
    /// without mistakes last: a table they do not know is left out until it checks.
    pub fn all(checked: &Checked, types: &RuleSet) -> Vec<Sheet> {
        let Some(assembly) = &checked.compiled.assembly else {
            return Vec::new();
        };
        let mut sheets: Vec<Sheet> = Vec::new();
        let reader = Reader { checked, types };
        for entry in &assembly.tables {
            let name = &entry.item.decl.name.text;
            let Some(table) = types.tables.iter().find(|table| table.name == *name) else {
                continue;
            };
            sheets.push(reader.sheet(entry, table));
        }
        reader.name_nested(&mut sheets);
        sheets
    }

    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    pub fn row(&self, name: &str) -> Option<usize> {
        self.rows
            .iter()
            .position(|row| row.name == name && row.removed.is_none())
    }
}

struct Reader<'a> {
    checked: &'a Checked,
    types: &'a RuleSet,
}

impl Reader<'_> {
    fn sources(&self) -> &SourceSet {
        &self.checked.sources
    }

    fn layer(&self, id: dsl::ir::LayerId) -> String {
        let layers = self.checked.compiled.assembly.as_ref().map(|a| &a.layers);
        let layer = layers.and_then(|layers| layers.get(id.index()));
        layer.map_or_else(String::new, |layer| layer.id.clone())
    }

    fn sheet(&self, entry: &Entry<TableEntry>, table: &Table) -> Sheet {
        let parent = table.parent.map(|(id, _)| &self.types.tables[id.index()]);
        let columns: Vec<Column> = table
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| Column {
                name: column.name.clone(),
                doc: column.doc.clone(),
                span: column.span,
                kind: match table.parent.is_some_and(|(_, c)| c.index() == at) {
                    true => CellKind::Parent,
                    false => kind(self.types, &column.ty, is_collected(entry, &column.name)),
                },
                words: values::kind(self.types, &column.ty),
                optional: matches!(column.ty, Ty::Optional(_)),
                key: table.key.iter().any(|key| key.index() == at),
                required: is_required(entry, column),
                default: self.default(entry, &column.name),
                several: Several::of(&column.ty),
                inside: match is_collected(entry, &column.name) {
                    true => Vec::new(),
                    false => inside(self.types, &column.ty),
                },
            })
            .chain(undeclared(entry, table))
            .collect();
        let rows = entry.item.rows.iter().enumerate();
        let rows = rows
            .map(|(at, raw)| self.row(entry, table, &columns, at, raw))
            .collect();
        Sheet {
            name: table.name.clone(),
            doc: entry.doc.clone(),
            span: entry.span,
            columns,
            rows,
            parent: parent.map(|parent| parent.name.clone()),
        }
    }

    fn row(
        &self,
        entry: &Entry<TableEntry>,
        table: &Table,
        columns: &[Column],
        at: usize,
        raw: &RawRow,
    ) -> Row {
        let name = self.row_name(table, columns, at, raw);
        let removed = entry
            .item
            .removed
            .iter()
            .find(|removed| removed.layer > raw.layer && key_text(&removed.key) == name);
        let cells = columns
            .iter()
            .map(|column| self.cell(entry, &name, raw, column))
            .collect();
        Row {
            written: match self
                .sources()
                .text(raw.span.file)
                .get(raw.span.start as usize..)
            {
                Some(text) if text.starts_with('{') => Written::Inline,
                _ if self.sources().file(raw.span.file).path.ends_with(".rules") => Written::Line,
                _ => Written::Section,
            },
            name,
            span: raw.span,
            layer: self.layer(raw.layer),
            removed: removed.map(|removed| removed.span),
            cells,
        }
    }

    /// As the rules call it, if they are of these texts; else from its key.
    fn row_name(&self, table: &Table, columns: &[Column], at: usize, raw: &RawRow) -> String {
        let now = self.checked.rules().and_then(|rules| {
            let table = rules.tables.iter().find(|other| other.name == table.name)?;
            table.rows.iter().find(|row| row.span == raw.span)
        });
        if let Some(row) = now {
            return row.name.clone();
        }
        let keys = columns
            .iter()
            .filter(|column| column.key && column.kind != CellKind::Parent);
        let parts: Vec<String> = keys
            .filter_map(|column| raw.cells.iter().find(|cell| cell.name.text == column.name))
            .map(|cell| self.raw_text(cell))
            .collect();
        match parts.is_empty() {
            true => format!("#{}", at + 1),
            false => parts.join("/"),
        }
    }

    fn raw_text(&self, cell: &RawCell) -> String {
        match &cell.value {
            RawValue::Int(number) => number.to_string(),
            RawValue::Bool(value) => value.to_string(),
            RawValue::Text { text, .. } => text.clone(),
            RawValue::Cell(line) => match &**line {
                GridCell::Expr(expr) => self.written(expr),
                GridCell::Statements(_) => self.sources().slice(cell.span).to_owned(),
            },
            RawValue::List(_) | RawValue::Other(_) | RawValue::Broken => {
                self.sources().slice(cell.span).to_owned()
            }
        }
    }

    /// What stands in a column of rows that do not say it.
    fn default(&self, entry: &Entry<TableEntry>, column: &str) -> Option<String> {
        let declared = entry.item.decl.columns.iter();
        let mut declared = declared.filter(|one| one.name.text == column);
        let default = declared.find_map(|one| one.default.as_ref())?;
        Some(self.written(default))
    }

    fn cell(&self, entry: &Entry<TableEntry>, row: &str, raw: &RawRow, column: &Column) -> Cell {
        let own = raw.cells.iter().find(|cell| cell.name.text == column.name);
        let (text, span) = match own {
            Some(cell) => (self.raw_text(cell), Some(cell.span)),
            None => (column.default.clone().unwrap_or_default(), None),
        };
        let shown = |text: String| column.typed(&text);
        let problem = span.and_then(|span| self.problem(span));
        let plain = Cell {
            text: shown(text),
            span,
            layer: self.layer(raw.layer),
            below: None,
            problem,
        };
        match self.patch(entry, row, column) {
            Some((patch, value)) => Cell {
                text: shown(
                    self.patched(entry, raw, column)
                        .unwrap_or_else(|| self.written(value)),
                ),
                span: Some(value.span),
                layer: self.layer(patch.layer),
                below: Some(plain.text),
                problem: self.problem(value.span),
            },
            None => plain,
        }
    }

    /// The last patch of a cell by the row's key.
    fn patch<'e>(
        &self,
        entry: &'e Entry<TableEntry>,
        row: &str,
        column: &Column,
    ) -> Option<(&'e PatchEntry, &'e Expr)> {
        let patches = entry.item.patches.iter().rev();
        let own = patches.filter(|patch| patch.condition.is_none() && !patch.key.is_empty());
        own.filter(|patch| key_text(&patch.key) == row)
            .find_map(|patch| {
                let mut cells = patch.cells.iter();
                let (_, value) = cells.find(|(name, _)| name.text == column.name)?;
                Some((patch, value))
            })
    }

    /// What a patched cell comes to, if the rules are of these texts.
    fn patched(&self, entry: &Entry<TableEntry>, raw: &RawRow, column: &Column) -> Option<String> {
        if column.kind == CellKind::Code {
            return None;
        }
        let rules = self.checked.rules()?;
        let name = &entry.item.decl.name.text;
        let table = rules.tables.iter().find(|table| table.name == *name)?;
        let row = table.rows.iter().find(|row| row.span == raw.span)?;
        let at = table
            .columns
            .iter()
            .position(|other| other.name == column.name)?;
        Some(values::shown(rules, &row.values[at]))
    }

    fn written(&self, expr: &Expr) -> String {
        if matches!(expr.kind, ExprKind::Text(_)) {
            return expr_text(expr);
        }
        match key_text(std::slice::from_ref(expr)) {
            text if text.is_empty() => self.sources().slice(expr.span).to_owned(),
            text if text == "none" => String::new(),
            text => text,
        }
    }

    fn problem(&self, span: Span) -> Option<String> {
        let inside = |one: &&Diagnostic| {
            one.span.file == span.file && one.span.start < span.end && span.start < one.span.end
        };
        let found = self.checked.diagnostics().iter().find(inside)?;
        Some(found.message.clone())
    }

    /// Cells that say above which row a nested row stands.
    fn name_nested(&self, sheets: &mut [Sheet]) {
        let Some(assembly) = &self.checked.compiled.assembly else {
            return;
        };
        for at in 0..sheets.len() {
            let Some(column) = sheets[at]
                .columns
                .iter()
                .position(|c| c.kind == CellKind::Parent)
            else {
                continue;
            };
            let above = sheets[at].parent.clone();
            let names: Vec<String> = sheets
                .iter()
                .find(|sheet| Some(&sheet.name) == above.as_ref())
                .map(|sheet| sheet.rows.iter().map(|row| row.name.clone()).collect())
                .unwrap_or_default();
            let mut entries = assembly.tables.iter();
            let Some(entry) = entries.find(|e| e.item.decl.name.text == sheets[at].name) else {
                continue;
            };
            for (row, raw) in sheets[at].rows.iter_mut().zip(&entry.item.rows) {
                let name = raw.parent.and_then(|parent| names.get(parent));
                row.cells[column].text = name.cloned().unwrap_or_default();
                row.cells[column].span = None;
            }
        }
    }
}

/// Whether a row has to say what stands in a column.
fn is_required(entry: &Entry<TableEntry>, column: &dsl::ir::Column) -> bool {
    let mut declared = entry.item.decl.columns.iter();
    let own = declared.find(|one| one.name.text == column.name);
    let free = matches!(column.ty, Ty::Optional(_)) || own.is_none_or(|one| one.default.is_some());
    !free
}

/// Columns that the rules do not declare: what people and the drawing know of the rows.
fn undeclared<'e>(
    entry: &'e Entry<TableEntry>,
    table: &'e Table,
) -> impl Iterator<Item = Column> + 'e {
    let cells = entry.item.rows.iter().flat_map(|row| &row.cells);
    let declared = |name: &str| {
        let own = &entry.item.decl.columns;
        own.iter().any(|one| one.name.text == name)
            || table.columns.iter().any(|one| one.name == name)
    };
    let mut found: Vec<Column> = Vec::new();
    for cell in cells {
        let name = &cell.name.text;
        if declared(name) {
            continue;
        }
        let own = match cell.value {
            RawValue::Int(_) => CellKind::Number {
                low: None,
                high: None,
            },
            RawValue::Text { .. } => CellKind::Text,
            _ => CellKind::Code,
        };
        match found.iter_mut().find(|column| column.name == *name) {
            Some(column) if column.kind != own => column.kind = CellKind::Text,
            Some(_) => {}
            None => found.push(Column {
                name: name.clone(),
                doc: String::new(),
                span: cell.name.span,
                kind: own,
                words: "known to people and to the drawing, not to the rules".to_owned(),
                optional: false,
                key: false,
                required: false,
                default: None,
                several: None,
                inside: Vec::new(),
            }),
        }
    }
    found.into_iter()
}

/// The members of the column's enum are what stands in it.
fn is_collected(entry: &Entry<TableEntry>, column: &str) -> bool {
    let mut columns = entry.item.decl.columns.iter();
    columns.any(|one| one.name.text == column && one.ty.collected().is_some())
}

/// The names that may stand in the braces of a column.
fn inside(rules: &RuleSet, ty: &Ty) -> Vec<String> {
    let of = match ty.required() {
        Ty::Set(of) | Ty::Bag(of) => Ty::Element(*of),
        Ty::List(inner) => inner.required().clone(),
        _ => return Vec::new(),
    };
    match of {
        Ty::Element(Domain::Enum(_) | Domain::Table(_)) => values::values(rules, &of),
        _ => Vec::new(),
    }
}

fn kind(rules: &RuleSet, ty: &Ty, open: bool) -> CellKind {
    match ty.required() {
        Ty::Int { low, high } => CellKind::Number {
            low: *low,
            high: *high,
        },
        Ty::Bool | Ty::Element(Domain::Enum(_) | Domain::Table(_)) => {
            let values = values::values(rules, ty.required());
            CellKind::Choice { values, open }
        }
        Ty::Text => CellKind::Text,
        _ => CellKind::Code,
    }
}

/// A key as it is written in brackets, as the row's name; empty if it is more than names and numbers.
fn key_text(key: &[Expr]) -> String {
    let part = |expr: &Expr| match &expr.kind {
        ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Text(_) => Some(expr_text(expr)),
        _ => None,
    };
    let parts: Option<Vec<String>> = key.iter().map(part).collect();
    parts.map_or_else(String::new, |parts| parts.join("/"))
}
