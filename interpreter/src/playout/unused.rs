//! What games never used: components that stayed where they lay, rules of which nothing ever happened.

use crate::coverage::Coverage;
use crate::observe::pieces;
use crate::program::{NONE, ProcKind, Program};
use crate::words::Words;
use dsl::ir::{CellOwner, Domain, RuleSet, Table, Ty, Value};

/// Rows of one kind that are named together.
const KIND_MIN: usize = 3;

/// Which rows of each table were in play, and which of them games used: a piece that lies elsewhere at the end than it did
/// at the start, a row one of whose cells has changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowsUsed {
    /// By table, by row.
    tables: Vec<Vec<RowUse>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct RowUse {
    in_play: bool,
    used: bool,
}

impl RowUse {
    fn is_idle(self) -> bool {
        self.in_play && !self.used
    }
}

/// The rows of a table that no game used, and how many were in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedRows {
    pub table: String,
    pub rows: Vec<String>,
    /// The same in fewer words: rows of one kind, of which none was used, are named together.
    pub in_brief: Vec<String>,
    pub of: usize,
}

impl RowsUsed {
    /// Adds a game: the words of its state at the start and at the end.
    pub fn note(&mut self, rules: &RuleSet, program: &Program, start: &[i32], end: &[i32]) {
        self.tables.resize(rules.tables.len(), Vec::new());
        for (own, table) in self.tables.iter_mut().zip(&rules.tables) {
            own.resize(table.rows.len(), RowUse::default());
        }
        for (cell, layout) in rules.cells.iter().zip(&program.cells) {
            if matches!(cell.owner, CellOwner::Step(_) | CellOwner::Action(_)) {
                continue;
            }
            for slot in 0..layout.slots {
                let word = (layout.base + slot * layout.words) as usize;
                let words = word..word + layout.words as usize;
                let (before, after) = (&start[words.clone()], &end[words]);
                if let (CellOwner::Each(owner @ Domain::Table(_)), Some((low, n, stride))) =
                    (cell.owner, layout.dims.first())
                {
                    let row = low + (slot / stride % n) as i32;
                    self.see(owner, row, before != after);
                }
                if let Some(held) = layout.holds {
                    let (before, after) =
                        (pieces(layout.shape, before), pieces(layout.shape, after));
                    for piece in &before {
                        self.see(held, *piece, false);
                    }
                    for piece in arrived(before, after) {
                        self.see(held, piece, true);
                    }
                }
            }
        }
    }

    fn see(&mut self, domain: Domain, row: i32, used: bool) {
        let Domain::Table(table) = domain else {
            return;
        };
        if let Some(row) = self.tables[table.index()].get_mut(row as usize) {
            row.in_play = true;
            row.used |= used;
        }
    }

    pub fn merge(&mut self, other: &RowsUsed) {
        if self.tables.is_empty() {
            self.tables.clone_from(&other.tables);
        }
        for (own, other) in self.tables.iter_mut().zip(&other.tables) {
            for (own, other) in own.iter_mut().zip(other) {
                own.in_play |= other.in_play;
                own.used |= other.used;
            }
        }
    }

    /// Tables of which some rows were in play and never used.
    pub fn unused(&self, words: &Words<'_>) -> Vec<UnusedRows> {
        let tables = self.tables.iter().zip(&words.rules.tables).zip(0..);
        tables
            .filter_map(|((uses, table), at)| {
                let domain = Domain::Table(dsl::ir::TableId(at));
                let name = |row: usize| words.element(domain, row as i32);
                let idle: Vec<usize> = (0..uses.len()).filter(|row| uses[*row].is_idle()).collect();
                if idle.is_empty() {
                    return None;
                }
                let kinds = whole_kinds(table, uses);
                let in_kinds = |row: &usize| kinds.iter().any(|kind| kind.rows.contains(row));
                let mut in_brief: Vec<String> = kinds.iter().map(|k| k.in_words(words)).collect();
                let single = idle.iter().filter(|row| !in_kinds(row));
                in_brief.extend(single.map(|row| name(*row)));
                Some(UnusedRows {
                    table: table.name.clone(),
                    rows: idle.into_iter().map(name).collect(),
                    in_brief,
                    of: uses.iter().filter(|one| one.in_play).count(),
                })
            })
            .collect()
    }
}

/// Rows in play that have the same value in a column of words, of which none was used while others were: what the kind is
/// not for is no news of each of its rows.
struct Kind<'t> {
    column: &'t str,
    value: &'t Value,
    rows: Vec<usize>,
}

impl Kind<'_> {
    /// `all 19 of kind country`
    fn in_words(&self, words: &Words<'_>) -> String {
        let value = words.constant(self.value);
        format!("all {} of {} {value}", self.rows.len(), self.column)
    }
}

fn whole_kinds<'t>(table: &'t Table, uses: &[RowUse]) -> Vec<Kind<'t>> {
    let mut kinds: Vec<Kind> = Vec::new();
    if uses.iter().all(|one| !one.used) {
        return kinds;
    }
    for (at, column) in table.columns.iter().enumerate() {
        if !matches!(column.ty.required(), Ty::Element(Domain::Enum(_))) {
            continue;
        }
        for (first, row) in table.rows.iter().enumerate() {
            let value = &row.values[at];
            let rows: Vec<usize> = (0..uses.len())
                .filter(|row| uses[*row].in_play && table.rows[*row].values[at] == *value)
                .collect();
            let known = |row: &usize| kinds.iter().any(|kind| kind.rows.contains(row));
            let whole = rows.len() >= KIND_MIN
                && rows[0] == first
                && rows.iter().all(|row| uses[*row].is_idle() && !known(row));
            if whole {
                kinds.push(Kind {
                    column: &column.name,
                    value,
                    rows,
                });
            }
        }
    }
    kinds
}

/// Pieces that are there after and were not before.
fn arrived(mut before: Vec<i32>, mut after: Vec<i32>) -> Vec<i32> {
    before.sort_unstable();
    after.sort_unstable();
    let mut old = before.into_iter().peekable();
    after.retain(|piece| {
        while old.next_if(|old| old < piece).is_some() {}
        *piece != NONE && old.next_if_eq(piece).is_none()
    });
    after
}

/// Names of the `when`s that never fired, and rule ids of which nothing ever ran, nor refused where that was counted.
pub(super) fn unfired(rules: &RuleSet, program: &Program, coverage: &Coverage) -> Vec<String> {
    let whens = program
        .procs
        .iter()
        .filter(|proc| proc.kind == ProcKind::When && coverage.of_instruction(proc.entry) == 0);
    let mut names: Vec<String> = whens.map(|proc| proc.name.clone()).collect();
    let tags = coverage.tags(rules, program).into_iter();
    names.extend(
        tags.filter(|tag| tag.statements > 0 && tag.ran == 0 && tag.refused == 0)
            .map(|tag| tag.id),
    );
    names
}

#[cfg(test)]
mod tests {
    use super::{NONE, arrived};

    #[test]
    fn what_arrives_is_counted_piece_by_piece() {
        assert_eq!(arrived(vec![3, 1, 1], vec![1, 1, 1, 2, NONE]), [1, 2]);
        assert_eq!(arrived(vec![5, 4], vec![4, 5]), Vec::<i32>::new());
    }
}
