//! Component lists: what stands in tables, as people call it.

use super::paper::List;
use crate::values::shown;
use crate::workshop::playtest::prose;
use dsl::assembly::Assembly;
use dsl::ir::{Domain, RuleSet, Table, TableId, Value};

/// The tables with rows that the rules declare.
pub fn all(rules: &RuleSet, assembly: &Assembly) -> Vec<List> {
    let tables = (0..).map(TableId).zip(&rules.tables);
    let declared = tables.filter(|(_, table)| {
        let mut entries = assembly.tables.iter();
        !table.rows.is_empty() && entries.any(|entry| entry.item.decl.name.text == table.name)
    });
    let lists = declared.map(|(id, table)| List {
        name: table.name.clone(),
        doc: prose(&table.doc),
        columns: table
            .columns
            .iter()
            .map(|column| column.name.clone())
            .collect(),
        rows: rows(rules, id, table),
    });
    lists.collect()
}

fn rows(rules: &RuleSet, id: TableId, table: &Table) -> Vec<Vec<String>> {
    // A row that has one key is known by it, and called as on the board.
    let key = match table.key.as_slice() {
        [key] => Some(key.index()),
        _ => None,
    };
    let rows = table.rows.iter().enumerate().map(|(number, row)| {
        let cells = row.values.iter().enumerate();
        let cells = cells.map(|(at, value)| match key == Some(at) {
            true => called(rules, Domain::Table(id), number as u32),
            false => said(rules, value),
        });
        cells.collect()
    });
    rows.collect()
}

/// A value in the words of the board; nothing for nothing.
pub(super) fn said(rules: &RuleSet, value: &Value) -> String {
    let each = |all: &[Value]| {
        let all: Vec<String> = all.iter().map(|value| said(rules, value)).collect();
        all.join(", ")
    };
    match value {
        Value::None => String::new(),
        Value::Element(domain, at) => called(rules, *domain, *at),
        Value::Set(all) | Value::List(all) => each(all),
        Value::Bag(all) => {
            let all = all.iter();
            let all = all.map(|(value, number)| format!("{number} {}", said(rules, value)));
            all.collect::<Vec<_>>().join(", ")
        }
        other => shown(rules, other),
    }
}

fn called(rules: &RuleSet, domain: Domain, at: u32) -> String {
    let place = at as usize;
    let name = match domain {
        Domain::Table(id) => {
            let words = rules.speech.tables.get(id.index());
            words.and_then(|words| words.rows.get(place))
        }
        Domain::Enum(id) => {
            let words = rules.speech.enums.get(id.index());
            words.and_then(|words| words.members.get(place))
        }
        _ => None,
    };
    name.cloned()
        .unwrap_or_else(|| shown(rules, &Value::Element(domain, at)))
}
