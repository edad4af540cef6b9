//! Columns that nobody declared. What a column holds is checked later, with the types.

use super::components::nested_sections;
use super::draft::Draft;
use super::tree::{Node, Value};
use super::{RawRow, RawValue, TableEntry};
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::source::{FileId, SourceSet};
use crate::syntax::ast::Name;
use std::collections::{BTreeMap, BTreeSet};

/// Finds every layer's `board.toml` and the words in its texts.
pub(super) fn drawn(draft: &mut Draft, sources: &SourceSet, files: &BTreeMap<FileId, &Node>) {
    for folder in &draft.folders {
        let Some(board) = sources.find(&format!("{folder}/board.toml")) else {
            continue;
        };
        if draft.assembly.boards.contains(&board) {
            continue;
        }
        draft.assembly.boards.push(board);
        if let Some(root) = files.get(&board) {
            words(root, &mut draft.assembly.drawn);
        }
    }
}

/// Notes the columns that what people call things is made of: those in the holes of quotes in documentation, and `name`.
pub(super) fn said(draft: &mut Draft) {
    let asm = &draft.assembly;
    let tables = asm.tables.iter().map(|entry| &entry.doc);
    let docs = tables.chain(asm.actions.iter().map(|entry| &entry.doc));
    let mut found: BTreeSet<String> = BTreeSet::from(["name".to_owned()]);
    for line in docs.flat_map(|doc| doc.lines()) {
        for hole in line.split('{').skip(1) {
            let hole = hole.split(['}', '|']).next().unwrap_or_default();
            found.extend(hole.split('.').map(str::to_owned));
        }
    }
    draft.assembly.drawn.extend(found);
}

fn words(node: &Node, found: &mut BTreeSet<String>) {
    match &node.value {
        Value::Text { text, .. } => {
            let parts = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            for word in parts.filter(|word| !word.is_empty()) {
                if !found.contains(word) {
                    found.insert(word.to_owned());
                }
            }
        }
        Value::List(values) => values.iter().for_each(|value| words(value, found)),
        Value::Table(entries) => entries.iter().for_each(|(_, value)| words(value, found)),
        Value::Int(_) | Value::Bool(_) | Value::Other(_) | Value::Broken => {}
    }
}

/// Reports columns in the rows of table `at` that it does not declare, each once.
pub(super) fn check(draft: &mut Draft, at: usize) {
    let nested = nested_sections(draft, at);
    let entry = &draft.assembly.tables[at].item;
    let known = known(entry);
    let table = &entry.decl.name.text;
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for row in &entry.rows {
        for cell in &row.cells {
            let name = cell.name.text.as_str();
            if known.contains(name)
                || nested.iter().any(|section| section == name)
                || draft.assembly.drawn.contains(name)
            {
                continue;
            }
            match meant(entry, row, name) {
                Some(near) => found.push(unknown(table, &cell.name, near)),
                None if told.insert(name) => found.push(unused(table, &cell.name)),
                None => {}
            }
        }
    }
    draft.out.extend(found);
}

fn known(entry: &TableEntry) -> BTreeSet<&str> {
    let decl = &entry.decl;
    let mut known: BTreeSet<&str> = decl.columns.iter().map(|c| c.name.text.as_str()).collect();
    known.extend(decl.key.iter().map(|name| name.text.as_str()));
    known.extend(decl.copies.iter().map(|name| name.text.as_str()));
    known.extend(decl.parent.iter().map(|name| name.text.as_str()));
    if decl.key.is_empty() {
        known.insert("id");
    }
    known
}

/// The declared column that was meant: near, missing in this row, and nowhere beside the unknown one.
fn meant<'a>(entry: &'a TableEntry, row: &RawRow, name: &str) -> Option<&'a str> {
    let has = |row: &RawRow, column: &str| row.cells.iter().any(|cell| cell.name.text == column);
    let missing = known(entry)
        .into_iter()
        .filter(|column| !has(row, column))
        .filter(|column| {
            let mut rows = entry.rows.iter();
            !rows.any(|other| has(other, column) && has(other, name))
        });
    nearest(name, missing)
}

fn unknown(table: &str, name: &Name, near: &str) -> Diagnostic {
    let message = format!("table `{table}` has no column `{}`", name.text);
    Diagnostic::error("unknown-column", name.span, message).meant(name.span, near)
}

fn unused(table: &str, name: &Name) -> Diagnostic {
    let message = format!("column `{}` of `{table}` is not declared", name.text);
    let help = format!("declare it in `table {table}`, or show it in board.toml");
    Diagnostic::warning("unused-column", name.span, message).help(help)
}

/// The narrowest type of the language that holds these values of a column, one a row; `None`: the row has none.
pub fn type_of_values<'v>(values: impl Iterator<Item = Option<&'v RawValue>>) -> String {
    let mut missing = false;
    let mut numbers: Option<(i64, i64)> = None;
    let (mut bools, mut others) = (false, false);
    for value in values {
        match value {
            None => missing = true,
            Some(RawValue::Int(n)) => {
                let (low, high) = numbers.unwrap_or((*n, *n));
                numbers = Some((low.min(*n), high.max(*n)));
            }
            Some(RawValue::Bool(_)) => bools = true,
            Some(_) => others = true,
        }
    }
    let (ty, empty) = match (numbers, bools, others) {
        (Some((low, high)), false, false) if low < 0 => (format!("{low}..{high}"), "0"),
        (Some(_), false, false) => ("0..".to_owned(), "0"),
        (None, true, false) => ("bool".to_owned(), "false"),
        _ => ("text".to_owned(), "\"\""),
    };
    if missing {
        format!("{ty} = {empty}")
    } else {
        ty
    }
}
