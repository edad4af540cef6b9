//! What overlays change in rows of tables, in words: which rows, what stands there now and what stood there.

use super::lists::said as shown;
use dsl::assembly::{Assembly, Change, ChangeKind, RowName};
use dsl::ir::{RuleSet, Table};
use interpreter::stats::written::count;
use interpreter::words::listed;
use std::collections::BTreeMap;

/// A cell that an overlay makes another one.
struct Cell {
    table: String,
    /// Its key, joined by `/`.
    row: String,
    /// What people call the row.
    said: String,
    column: String,
    was: String,
    now: String,
}

/// The rows of a table with an overlay and without it: their keys, and what people call them.
#[derive(Default)]
struct Rows {
    before: Vec<(String, String)>,
    now: Vec<(String, String)>,
}

impl Rows {
    /// What people call a row; where another one is called so too, with its key.
    fn called(&self, (key, said): &(String, String)) -> String {
        let mut all = self.before.iter().chain(&self.now);
        match all.any(|(other, name)| name == said && other != key) {
            true => format!("{said} ({key})"),
            false => said.clone(),
        }
    }
}

/// All that differs with an overlay.
pub struct Patches {
    cells: Vec<Cell>,
    /// By table.
    rows: BTreeMap<String, Rows>,
}

fn meets(target: &RowName<'_>, cell: &Cell) -> bool {
    let own = target.key.is_none_or(|key| is_row(key, &cell.row));
    own && cell.table == target.table && target.column == Some(cell.column.as_str())
}

/// Whether a key as operations write it is that of a row.
fn is_row(key: &str, row: &str) -> bool {
    let parts = key.split(", ").map(|part| part.trim_matches('"'));
    parts.eq(row.split('/'))
}

impl Patches {
    pub fn between(below: &RuleSet, with: &RuleSet) -> Patches {
        let (mut cells, mut rows) = (Vec::new(), BTreeMap::new());
        for (table, words) in with.tables.iter().zip(&with.speech.tables) {
            let mut tables = below.tables.iter().zip(&below.speech.tables);
            if let Some((before, said)) = tables.find(|(before, _)| before.name == table.name) {
                differing((below, before), (with, table, &words.rows), &mut cells);
                let named = |table: &Table, said: &[String]| {
                    let rows = table.rows.iter().map(|row| row.name.clone());
                    rows.zip(said.iter().cloned()).collect()
                };
                let before = named(before, &said.rows);
                let now = named(table, &words.rows);
                rows.insert(table.name.clone(), Rows { before, now });
            }
        }
        Patches { cells, rows }
    }

    /// What each of the changes comes to, if it is of rows: a sentence, or nothing where an other one of them tells it too.
    pub fn all(&self, assembly: &Assembly, changes: &[&Change]) -> Vec<Told> {
        let numbers = 0..changes.len();
        let told = numbers.map(|at| {
            let change = changes[at];
            match RowName::of(&change.name) {
                Some(row) if row.column.is_some() => self.cells(changes, at),
                Some(row) if change.kind == ChangeKind::Removed => {
                    self.gone(changes, at, row.table)
                }
                None if change.kind == ChangeKind::Added => self.added(assembly, changes, at),
                _ => Told::Elsewise,
            }
        });
        told.collect()
    }

    /// Rows that a line adds: `2 new rows: a and b`.
    fn added(&self, assembly: &Assembly, changes: &[&Change], at: usize) -> Told {
        let change = changes[at];
        let Some(rows) = self.rows.get(&change.name) else {
            return Told::Elsewise;
        };
        let there = |key: &String| rows.before.iter().any(|(before, _)| before == key);
        let new: Vec<&(String, String)> = rows.now.iter().filter(|(key, _)| !there(key)).collect();
        let of_table = |other: &&&Change| {
            other.name == change.name && other.kind == ChangeKind::Added && other.act.is_some()
        };
        let lines = changes.iter().filter(of_table).count();
        let brought = assembly.brought(change);
        let own = new
            .iter()
            .filter(|(key, _)| lines == 1 || brought.contains(key));
        let own: Vec<String> = own.map(|row| rows.called(row)).collect();
        if own.is_empty() {
            // Those in the place of rows that go are told with them.
            let again = !brought.is_empty() && brought.iter().all(there);
            return if again {
                Told::WithOthers
            } else {
                Told::Elsewise
            };
        }
        let number = count(own.len(), "new row");
        Told::Said(format!("{number}: {}", listed(&own, "and")))
    }

    /// Rows that one operation takes away; those that come again under the same key are exchanged.
    fn gone(&self, changes: &[&Change], at: usize, table: &str) -> Told {
        let change = changes[at];
        let Some(rows) = self.rows.get(table) else {
            return Told::Elsewise;
        };
        let same = changes.iter().enumerate().filter(|(_, other)| {
            let row = RowName::of(&other.name);
            other.new == change.new && row.is_some_and(|row| row.table == table)
        });
        let same: Vec<(usize, &str)> = same
            .filter_map(|(at, other)| Some((at, RowName::of(&other.name)?.key?)))
            .collect();
        if same.first().is_some_and(|(first, _)| *first != at) {
            return Told::WithOthers;
        }
        let taken = rows.before.iter();
        let taken = taken.filter(|(row, _)| same.iter().any(|(_, key)| is_row(key, row)));
        let again = |row: &String| rows.now.iter().any(|(now, _)| now == row);
        let (exchanged, gone): (Vec<_>, Vec<_>) = taken.partition(|(row, _)| again(row));
        let names = |those: &[&(String, String)]| {
            let names: Vec<String> = those.iter().map(|row| rows.called(row)).collect();
            format!("{}: {}", count(names.len(), "row"), listed(&names, "and"))
        };
        let mut told = Vec::new();
        if !gone.is_empty() {
            told.push(format!("without {}", names(&gone)));
        }
        if !exchanged.is_empty() {
            told.push(format!(
                "others in the place of {} (see Components)",
                names(&exchanged)
            ));
            let cells = self.cells.iter().filter(|cell| {
                let mut exchanged = exchanged.iter();
                cell.table == table && exchanged.any(|(row, _)| *row == cell.row)
            });
            told.extend(alike(cells));
        }
        match told.is_empty() {
            true => Told::Elsewise,
            false => Told::Said(told.join("; ")),
        }
    }

    /// What a change of cells comes to, if they differ: `count of red and blue: 12, not 13`. Of several that meet one cell the
    /// first that names its row tells it, else the first of all.
    fn cells(&self, changes: &[&Change], at: usize) -> Told {
        let targets = changes.iter().map(|change| RowName::of(&change.name));
        let targets: Vec<Option<RowName<'_>>> = targets.collect();
        let teller = |cell: &Cell| {
            let meets = |target: &Option<RowName<'_>>| target.is_some_and(|one| meets(&one, cell));
            let keyed = |target: &Option<RowName<'_>>| target.is_some_and(|one| one.key.is_some());
            let named = targets.iter().position(|one| meets(one) && keyed(one));
            named.or_else(|| targets.iter().position(meets))
        };
        let cells = self.cells.iter().filter(|cell| teller(cell) == Some(at));
        let told = alike(cells);
        match told.is_empty() {
            true => Told::Elsewise,
            false => Told::Said(told.join("; ")),
        }
    }
}

/// What is told of a change.
pub enum Told {
    Said(String),
    /// Another change tells it.
    WithOthers,
    /// It is not of rows, or nothing differs: its texts tell it.
    Elsewise,
}

/// Cells that change in the same way, together.
fn alike<'c>(cells: impl Iterator<Item = &'c Cell>) -> Vec<String> {
    let mut alike: Vec<(&Cell, Vec<String>)> = Vec::new();
    for cell in cells {
        let known = alike.iter_mut().find(|(one, _)| {
            (&one.column, &one.was, &one.now) == (&cell.column, &cell.was, &cell.now)
        });
        match known {
            Some((_, rows)) => rows.push(cell.said.clone()),
            None => alike.push((cell, vec![cell.said.clone()])),
        }
    }
    let told = alike.iter().map(|(cell, rows)| {
        let (column, rows) = (&cell.column, listed(rows, "and"));
        let value = |value: &str| match value {
            "" => "nothing".to_owned(),
            value => value.to_owned(),
        };
        let (now, was) = (value(&cell.now), value(&cell.was));
        format!("{column} of {rows}: {now}, not {was}")
    });
    told.collect()
}

fn differing(
    (below, before): (&RuleSet, &Table),
    (with, table, said): (&RuleSet, &Table, &[String]),
    cells: &mut Vec<Cell>,
) {
    for (row, said) in table.rows.iter().zip(said) {
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
                    said: said.clone(),
                    column: column.name.clone(),
                    was,
                    now,
                });
            }
        }
    }
}
