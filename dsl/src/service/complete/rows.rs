//! What is offered in rows of tables that stand in rules, and in patches of them: columns, and what may stand in each.

use super::{CompletionKind, Offer};
use crate::check::show;
use crate::ir::{ColumnId, Ty};
use crate::service::words::Place;

/// A cursor in a block of rows.
pub(super) struct InRows<'t> {
    table: &'t str,
    /// Names of the columns; none: the cursor stands in the line that names them.
    columns: Option<Vec<&'t str>>,
    /// In which cell of its line.
    at: usize,
}

/// The block of rows that a place stands in, if it does.
pub(super) fn in_rows(text: &str, at: usize) -> Option<InRows<'_>> {
    let before = &text[..at];
    let line = before.rfind('\n')? + 1;
    let above: Vec<&str> = before[..line].lines().collect();
    let head = above
        .iter()
        .rposition(|line| line.trim_start().starts_with("rows "))?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let inner = |line: &&str| line.trim().is_empty() || indent(line) > indent(above[head]);
    if !above[head + 1..].iter().all(inner) || indent(&before[line..]) <= indent(above[head]) {
        return None;
    }
    let mut rows = above[head + 1..].iter();
    let names = rows.find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    Some(InRows {
        table: above[head].split_whitespace().nth(1)?.trim_end_matches(':'),
        columns: names.map(|line| line.split('|').map(str::trim).collect()),
        at: before[line..].matches('|').count(),
    })
}

impl Offer<'_> {
    /// In rows: names of columns, or values of the one the cursor stands in.
    pub(super) fn rows(&mut self, rows: &InRows<'_>) {
        match &rows.columns {
            None => self.columns(rows.table),
            Some(columns) => {
                let column = columns.get(rows.at).copied().unwrap_or_default();
                self.values(rows.table, column);
            }
        }
    }

    /// `patch card[c10]: kind = `: columns, and what may stand in them; false: the line is none, or its row is still written.
    pub(super) fn patch(&mut self) -> bool {
        let Some(rest) = self.line.strip_prefix("patch ") else {
            return false;
        };
        let end = |sign: char| !(sign.is_ascii_alphanumeric() || sign == '_');
        let table = rest.split(end).next().unwrap_or_default();
        let Some((_, cells)) = rest.split_once(':') else {
            return false;
        };
        let cell = cells.rsplit(';').next().unwrap_or_default();
        match cell.split_once('=') {
            None => self.columns(table),
            Some((column, _)) => self.values(table, column.trim()),
        }
        true
    }

    fn columns(&mut self, table: &str) {
        let rules = self.scope.rules;
        let Some(table) = rules.tables.iter().find(|one| one.name == table) else {
            return;
        };
        for column in &table.columns {
            self.add(
                0,
                CompletionKind::Member,
                &column.name,
                show(rules, &column.ty),
            );
        }
    }

    fn values(&mut self, table: &str, column: &str) {
        let rules = self.scope.rules;
        let table = rules.tables.iter().find(|one| one.name == table);
        let found = table.and_then(|table| {
            let mut columns = (0..).map(ColumnId).zip(&table.columns);
            columns.find(|(_, one)| one.name == column)
        });
        let Some((_, column)) = found else { return };
        if matches!(column.ty, Ty::Optional(_)) {
            self.word("none", Place::Value, 1);
        }
        match column.ty.required() {
            Ty::Element(domain) | Ty::Set(domain) | Ty::Bag(domain) => self.elements(*domain, 0),
            Ty::Bool => {
                self.word("true", Place::Value, 0);
                self.word("false", Place::Value, 0);
            }
            Ty::List(inner) => {
                if let Ty::Element(domain) = inner.required() {
                    self.elements(*domain, 0);
                }
            }
            Ty::Int { .. } | Ty::Text => {}
            _ => self.expression(),
        }
    }
}
