//! Binders over a table whose first condition is that a column's value lies in a container: rows are found from the
//! container's elements, by an index, instead of asking every row.

use crate::Program;
use crate::facts::Reads;
use crate::program::*;
use std::collections::BTreeMap;

/// An index pays from so many times as many rows on as what is remembered.
const ROWS_OF_MANY: u32 = 3;

/// Fills `Program::indices` and says which binders use which.
pub(super) fn mark(program: &mut Program) {
    let mut known: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for at in 0..program.binders.len() {
        let Some((column, n, container)) = of_binder(program, &program.binders[at]) else {
            continue;
        };
        let index = *known.entry((column, n)).or_insert_with(|| {
            let values = &program.flat.consts[column as usize..(column + n) as usize];
            program.flat.indices.push(Index::new(values));
            program.indices.len() as u32 - 1
        });
        program.binders[at].among = Some((index, container));
    }
}

/// The column, its rows, and the container its value must lie in.
fn of_binder(program: &Program, binder: &Binder) -> Option<(u32, u32, NodeId)> {
    let Source::All { n, low: 0 } = binder.source else {
        return None;
    };
    let (condition, _) = binder.conditions.first()?;
    let Node::In(value, container) = program.nodes[condition.at()] else {
        return None;
    };
    let Node::Column(column, row) = program.nodes[value.at()] else {
        return None;
    };
    let mut reads = Reads::default();
    crate::facts::reads(program, container, &mut reads);
    let whole = program.nodes[row.at()] == Node::Local(binder.local)
        && !reads.locals.contains(&binder.local);
    (n >= ROWS_OF_MANY * program.many && whole).then_some((column, n, container))
}

impl Index {
    fn new(values: &[i32]) -> Index {
        let mut rows: Vec<(i32, i32)> = values.iter().copied().zip(0..).collect();
        rows.sort_unstable();
        Index { rows }
    }
}
