//! Rows get their names: keys are read as text before any column has a type, since columns refer to rows.

use std::collections::BTreeMap;

use super::Checker;
use super::symbols::Symbol;
use crate::assembly::{Entry, RawRow, RawValue, RemovedRow, TableEntry};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::ir::{Domain, LayerId, Row, TableId};
use crate::source::Span;
use crate::syntax::ast;
pub(crate) use crate::syntax::ast::expr_text;

/// How a table's raw rows became rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// The row of each raw row; `None`: removed or broken.
    pub row_of: Vec<Option<u32>>,
    /// The raw row of each row.
    pub raw_of: Vec<usize>,
    /// Columns of the key.
    pub key: Vec<String>,
    /// The rows have no names of their own: they are numbered.
    pub numbered: bool,
}

impl Checker<'_> {
    pub(super) fn table_names(&mut self) {
        let asm = self.asm;
        let mut kept: Vec<Option<Kept>> = vec![None; asm.tables.len()];
        let mut open: Vec<usize> = (0..asm.tables.len()).collect();
        while !open.is_empty() {
            let before = open.len();
            open.retain(|at| !self.name_rows_of(*at, &mut kept));
            if open.len() == before {
                break;
            }
        }
        self.kept = kept.into_iter().map(Option::unwrap_or_default).collect();
    }

    /// Names the rows of one table if its parent's rows have names.
    fn name_rows_of(&mut self, at: usize, kept: &mut [Option<Kept>]) -> bool {
        let asm = self.asm;
        let whole = &asm.tables[at];
        let entry = &whole.item;
        let Some(parent) = &entry.decl.parent else {
            kept[at] = Some(self.name_rows(at, whole, None));
            return true;
        };
        let Some(parent_id) = self.parent_of(parent, at) else {
            kept[at] = Some(Kept::default());
            return true;
        };
        let Some(parent_kept) = kept[parent_id.index()].clone() else {
            return false;
        };
        kept[at] = Some(self.name_rows(at, whole, Some((parent_id, &parent_kept))));
        true
    }

    fn parent_of(&mut self, name: &ast::Name, at: usize) -> Option<TableId> {
        let id = self.table_named(name)?;
        if id.index() == at {
            self.report(Diagnostic::error(
                "cycle",
                name.span,
                "a table cannot lie in itself",
            ));
            return None;
        }
        Some(id)
    }

    fn name_rows(
        &mut self,
        at: usize,
        whole: &Entry<TableEntry>,
        parent: Option<(TableId, &Kept)>,
    ) -> Kept {
        let entry = &whole.item;
        let key = key_columns(entry);
        let mut kept = Kept {
            numbered: is_numbered(entry, &key),
            key,
            ..Kept::default()
        };
        let parent_name = entry.decl.parent.as_ref().map(|name| name.text.as_str());
        let mut places: BTreeMap<String, Span> = BTreeMap::new();
        let mut removed = Removed::of(&entry.removed);
        let mut known: BTreeMap<String, LayerId> = BTreeMap::new();
        for raw in &entry.rows {
            let above = match parent {
                None => None,
                Some((table, rows)) => match raw
                    .parent
                    .and_then(|row| rows.row_of.get(row).copied().flatten())
                {
                    Some(row) => Some(
                        self.rs.tables[table.index()].rows[row as usize]
                            .name
                            .clone(),
                    ),
                    None => {
                        kept.row_of.push(None);
                        continue;
                    }
                },
            };
            let name = self.row_name(raw, &kept, parent_name, above.as_deref(), entry);
            let Some((name, span)) = name else {
                kept.row_of.push(None);
                continue;
            };
            if removed.takes(&name, raw.layer) {
                known.entry(name).or_insert(raw.layer);
                kept.row_of.push(None);
                continue;
            }
            if let Some(before) = places.get(&name) {
                let message = format!("two rows are called `{name}`");
                self.report(
                    Diagnostic::error("duplicate-key", span, message)
                        .label(*before, "the first one")
                        .help(format!("each row needs a name of its own; `patch {}[{}]: …` in a variant changes the row that is there", entry.decl.name.text, name.replace('/', ", "))),
                );
                kept.row_of.push(None);
                continue;
            }
            places.insert(name.clone(), span);
            let seen = row_layer(whole, raw.layer);
            let layer = known.get(&name).map_or(seen, |before| seen.min(*before));
            if kept.key.len() == 1 && !kept.numbered && above.is_none() {
                let number = kept.raw_of.len() as u32;
                self.note(span, Symbol::Row(TableId(at as u32), number));
            }
            self.add_row(TableId(at as u32), name, (raw, layer), &mut kept);
        }
        for (name, span) in removed.left() {
            let message = format!("`{}` has no row `{name}`", entry.decl.name.text);
            self.report(Diagnostic::error("unknown-row", span, message));
        }
        kept
    }

    fn add_row(
        &mut self,
        table: TableId,
        name: String,
        (raw, layer): (&RawRow, LayerId),
        kept: &mut Kept,
    ) {
        let rows = &mut self.rs.tables[table.index()].rows;
        let number = rows.len() as u32;
        rows.push(Row {
            name: name.clone(),
            values: Vec::new(),
            span: raw.span,
        });
        kept.raw_of.push(kept.row_of.len());
        kept.row_of.push(Some(number));
        self.names
            .words
            .entry(name.clone())
            .or_default()
            .push((Domain::Table(table), number));
        self.names.rows[table.index()].insert(name, number);
        self.names.row_layers[table.index()].push(layer);
    }

    /// A row's name and the place that gives it.
    fn row_name(
        &mut self,
        raw: &RawRow,
        kept: &Kept,
        parent: Option<&str>,
        above: Option<&str>,
        entry: &TableEntry,
    ) -> Option<(String, Span)> {
        if kept.numbered {
            let number = kept.row_of.len() + 1;
            let name = above.map_or(format!("#{number}"), |above| format!("{above}/#{number}"));
            return Some((name, raw.span));
        }
        let mut parts = Vec::new();
        let mut span = raw.span;
        for column in &kept.key {
            if Some(column.as_str()) == parent {
                parts.push(above?.to_owned());
                continue;
            }
            let Some(cell) = raw.cells.iter().find(|cell| cell.name.text == *column) else {
                if self.has_default(entry, column) {
                    continue;
                }
                self.missing_key(raw, column, entry);
                return None;
            };
            parts.push(raw_text(&cell.value));
            span = cell.span;
        }
        if let Some(above) = above
            && entry.decl.key.is_empty()
        {
            parts.insert(0, above.to_owned());
        }
        Some((parts.join("/"), span))
    }

    fn has_default(&self, entry: &TableEntry, column: &str) -> bool {
        entry
            .decl
            .columns
            .iter()
            .any(|one| one.name.text == column && one.default.is_some())
    }

    fn missing_key(&mut self, raw: &RawRow, column: &str, entry: &TableEntry) {
        let message = format!("this row of `{}` has no `{column}`", entry.decl.name.text);
        let mut diagnostic = Diagnostic::error("missing-column", raw.span, message);
        let near = nearest(column, raw.cells.iter().map(|cell| cell.name.text.as_str()));
        if let Some(cell) = raw
            .cells
            .iter()
            .find(|cell| Some(cell.name.text.as_str()) == near)
        {
            diagnostic =
                diagnostic.help(format!("did you mean `{column}` by `{}`?", cell.name.text));
        }
        self.report(diagnostic);
    }
}

/// Rows that layers take away: only rows of the layers below, so that a layer can put another in their place.
struct Removed {
    rows: Vec<(String, LayerId, Span, bool)>,
}

impl Removed {
    fn of(removed: &[RemovedRow]) -> Removed {
        Removed {
            rows: removed
                .iter()
                .map(|row| (key_text(&row.key), row.layer, row.span, false))
                .collect(),
        }
    }

    fn takes(&mut self, name: &str, layer: LayerId) -> bool {
        let mut taken = false;
        for (removed, by, _, found) in &mut self.rows {
            if removed == name && layer < *by {
                *found = true;
                taken = true;
            }
        }
        taken
    }

    /// What was not there to be taken.
    fn left(self) -> impl Iterator<Item = (String, Span)> {
        self.rows
            .into_iter()
            .filter(|(_, _, _, found)| !found)
            .map(|(name, _, span, _)| (name, span))
    }
}

/// The layer from which on a row is seen. Rows of a table that takes another's place are seen by those who knew that one.
pub(super) fn row_layer(whole: &Entry<TableEntry>, layer: LayerId) -> LayerId {
    match whole.replaced.last() {
        Some(first) if layer == whole.layer => first.layer,
        _ => layer,
    }
}

fn key_columns(entry: &TableEntry) -> Vec<String> {
    if entry.decl.key.is_empty() {
        return vec!["id".to_owned()];
    }
    entry
        .decl
        .key
        .iter()
        .map(|name| name.text.clone())
        .collect()
}

/// Without a `key` clause and without `id` in any row, rows are numbered.
fn is_numbered(entry: &TableEntry, key: &[String]) -> bool {
    entry.decl.key.is_empty()
        && !entry
            .rows
            .iter()
            .any(|row| row.cells.iter().any(|cell| cell.name.text == key[0]))
}

/// A key as written in brackets, as a row's name.
pub(crate) fn key_text(key: &[ast::Expr]) -> String {
    key.iter().map(expr_text).collect::<Vec<_>>().join("/")
}

/// A number or a text as it would stand in a component list; none: it is neither.
pub(crate) fn literal(expr: &ast::Expr) -> Option<RawValue> {
    match &expr.kind {
        ast::ExprKind::Number(number) => Some(RawValue::Int(*number)),
        ast::ExprKind::Unary(ast::UnaryOp::Negate, inner) => match inner.kind {
            ast::ExprKind::Number(number) => Some(RawValue::Int(-number)),
            _ => None,
        },
        ast::ExprKind::Text(_) => Some(RawValue::Text {
            text: expr_text(expr),
            span: expr.span,
            plain: false,
        }),
        _ => None,
    }
}

pub(crate) fn raw_text(value: &RawValue) -> String {
    match value {
        RawValue::Int(n) => n.to_string(),
        RawValue::Bool(b) => b.to_string(),
        RawValue::Text { text, .. } => text.clone(),
        RawValue::Cell(cell) => match &**cell {
            ast::GridCell::Expr(expr) => expr_text(expr),
            ast::GridCell::Statements(block) => {
                match block.statements.first().map(|statement| &statement.kind) {
                    Some(ast::StatementKind::Run(expr)) => expr_text(expr),
                    _ => String::new(),
                }
            }
        },
        RawValue::List(_) | RawValue::Other(_) | RawValue::Broken => String::new(),
    }
}
