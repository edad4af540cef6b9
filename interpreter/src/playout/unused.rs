//! What games never used: components that stayed where they lay, rules of which nothing ever happened.

use crate::coverage::Coverage;
use crate::observe::{domain, pieces};
use crate::program::{NONE, ProcKind, Program};
use crate::words::Words;
use dsl::ir::{CellOwner, Domain, RuleSet};

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

/// The rows of a table that no game used, and how many were in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedRows {
    pub table: String,
    pub rows: Vec<String>,
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
                if let Some(held) = domain(&cell.ty) {
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
        let tables = self.tables.iter().zip(0..);
        tables
            .filter_map(|(uses, at)| {
                let domain = Domain::Table(dsl::ir::TableId(at));
                let idle = uses
                    .iter()
                    .zip(0..)
                    .filter(|(one, _)| one.in_play && !one.used);
                let rows: Vec<String> = idle.map(|(_, row)| words.element(domain, row)).collect();
                (!rows.is_empty()).then(|| UnusedRows {
                    table: words.rules.tables[at as usize].name.clone(),
                    rows,
                    of: uses.iter().filter(|one| one.in_play).count(),
                })
            })
            .collect()
    }
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

/// Names of the `when`s that never fired, and rule ids of which nothing ever ran nor refused.
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
