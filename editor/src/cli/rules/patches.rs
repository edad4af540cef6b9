//! What overlays change in rows of tables, in words: which rows, what stands there now and what stood there.

use crate::values::shown;
use dsl::ir::{RuleSet, Table};
use interpreter::stats::written::count;
use interpreter::words::listed;
use std::collections::BTreeMap;

/// A cell that an overlay makes another one.
struct Cell {
    table: String,
    /// What people call the row: its key, joined by `/`.
    row: String,
    column: String,
    was: String,
    now: String,
}

/// All that differs with an overlay: cells, and rows of tables that are new.
pub struct Patches {
    cells: Vec<Cell>,
    /// By table: what people call them.
    rows: BTreeMap<String, Vec<String>>,
}

/// Where a change of an overlay patches a table: `card.[604].price`, `card.*.price`.
#[derive(Clone, Copy)]
pub struct Target<'n> {
    table: &'n str,
    /// The key of the row; none: those that meet a condition.
    key: Option<&'n str>,
    column: &'n str,
}

impl<'n> Target<'n> {
    pub fn of(name: &'n str) -> Option<Target<'n>> {
        let (table, key, column) = match name.split_once(".*.") {
            Some((table, column)) => (table, None, column),
            None => {
                let (table, rest) = name.split_once(".[")?;
                let (key, column) = rest.rsplit_once("].")?;
                (table, Some(key), column)
            }
        };
        Some(Target { table, key, column })
    }

    fn meets(&self, cell: &Cell) -> bool {
        let own = self.key.is_none_or(|key| {
            let parts = key.split(", ").map(|part| part.trim_matches('"'));
            parts.eq(cell.row.split('/'))
        });
        own && cell.table == self.table && cell.column == self.column
    }
}

impl Patches {
    pub fn between(below: &RuleSet, with: &RuleSet) -> Patches {
        let (mut cells, mut rows) = (Vec::new(), BTreeMap::new());
        for (table, words) in with.tables.iter().zip(&with.speech.tables) {
            let mut tables = below.tables.iter();
            if let Some(before) = tables.find(|before| before.name == table.name) {
                differing((below, before), (with, table), &mut cells);
                let named = table.rows.iter().zip(&words.rows);
                let new =
                    named.filter(|(row, _)| !before.rows.iter().any(|old| old.name == row.name));
                let new: Vec<String> = new.map(|(_, said)| said.clone()).collect();
                rows.insert(table.name.clone(), new);
            }
        }
        Patches { cells, rows }
    }

    /// Rows that one of the changes adds, if it alone adds some to its table: `2 new rows: a and b`.
    fn rows(&self, names: &[&str], at: usize) -> Option<String> {
        let name = names.get(at)?;
        let rows = self.rows.get(*name).filter(|rows| !rows.is_empty())?;
        let alone = names.iter().filter(|other| *other == name).count() == 1;
        alone.then(|| {
            let number = count(rows.len(), "new row");
            format!("{number}: {}", listed(rows, "and"))
        })
    }

    /// What one of the changes comes to, if it is of cells that differ: `count of red and blue: 12, not 13`. Of several that meet one
    /// cell the first that names its row tells it, else the first of all.
    pub fn told(&self, names: &[&str], at: usize) -> Option<String> {
        let Some(own) = Target::of(names.get(at)?) else {
            return self.rows(names, at);
        };
        let targets: Vec<Option<Target<'_>>> = names.iter().map(|name| Target::of(name)).collect();
        let teller = |cell: &Cell| {
            let meets = |target: &Option<Target<'_>>| target.is_some_and(|one| one.meets(cell));
            let keyed = |target: &Option<Target<'_>>| target.is_some_and(|one| one.key.is_some());
            let named = targets.iter().position(|one| meets(one) && keyed(one));
            named.or_else(|| targets.iter().position(meets))
        };
        let cells = self.cells.iter().filter(|cell| teller(cell) == Some(at));
        let mut alike: Vec<(&Cell, Vec<String>)> = Vec::new();
        for cell in cells {
            let known = alike
                .iter_mut()
                .find(|(one, _)| (&one.was, &one.now) == (&cell.was, &cell.now));
            match known {
                Some((_, rows)) => rows.push(cell.row.clone()),
                None => alike.push((cell, vec![cell.row.clone()])),
            }
        }
        let told = alike.iter().map(|(cell, rows)| {
            let rows = listed(rows, "and");
            format!("{} of {rows}: {}, not {}", own.column, cell.now, cell.was)
        });
        let told: Vec<String> = told.collect();
        (!told.is_empty()).then(|| told.join("; "))
    }
}

fn differing(
    (below, before): (&RuleSet, &Table),
    (with, table): (&RuleSet, &Table),
    cells: &mut Vec<Cell>,
) {
    for row in &table.rows {
        let mut rows = before.rows.iter();
        let Some(old) = rows.find(|old| old.name == row.name) else {
            continue;
        };
        for (column, value) in table.columns.iter().zip(&row.values) {
            let mut columns = before.columns.iter();
            let at = columns.position(|known| known.name == column.name);
            let Some(old) = at.and_then(|at| old.values.get(at)) else {
                continue;
            };
            let (was, now) = (shown(below, old), shown(with, value));
            if was != now {
                cells.push(Cell {
                    table: table.name.clone(),
                    row: row.name.clone(),
                    column: column.name.clone(),
                    was,
                    now,
                });
            }
        }
    }
}
