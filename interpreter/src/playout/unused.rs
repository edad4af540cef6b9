//! What games never used: components that stayed where they lay, rules of which nothing ever happened.

use super::named::Named;
use crate::Program;
use crate::coverage::Coverage;
use crate::machine::{Machine, Write};
use crate::observe::pieces;
use crate::program::{NONE, ProcKind, Shape};
use crate::words::Words;
use dsl::ir::{Cell, CellOwner, Domain, RuleSet, Table, Ty, Value};
use serde::{Deserialize, Serialize};

/// Rows of one kind that are named together.
const KIND_MIN: usize = 3;

/// Which rows of each table were in play, and which of them games used: a piece that moved, a row one of whose cells changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowsUsed {
    /// By table, by row.
    tables: Vec<Vec<RowUse>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The table, as the rules call it.
    pub table: String,
    /// Its rows that nobody used, by name.
    pub rows: Vec<String>,
    /// The same in fewer words: rows of one kind, of which none was used, are named together.
    pub in_brief: Vec<String>,
    /// Rows the table has.
    pub of: usize,
}

impl RowsUsed {
    /// What is in play: pieces that lie somewhere at the start, rows that have cells.
    pub fn new(rules: &RuleSet, program: &Program, start: &[i32]) -> RowsUsed {
        let tables = rules.tables.iter();
        let mut found = RowsUsed {
            tables: tables
                .map(|table| vec![RowUse::default(); table.rows.len()])
                .collect(),
        };
        for (cell, layout) in rules.cells.iter().zip(&program.cells) {
            if matches!(cell.owner, CellOwner::Step(_) | CellOwner::Action(_)) {
                continue;
            }
            for slot in 0..layout.slots {
                let word = (layout.base + slot * layout.words) as usize;
                if let (CellOwner::Each(owner), Some(owner_dim)) = (cell.owner, layout.dims.first())
                {
                    found.see(owner, index(*owner_dim, slot), false);
                }
                if let Some(held) = layout.holds {
                    let words = &start[word..word + layout.words as usize];
                    for (piece, _) in pieces(layout.shape, words) {
                        found.see(held, piece, false);
                    }
                }
            }
        }
        found
    }

    /// For each table whether something of it is in play that no game has used.
    fn idle(&self) -> impl Iterator<Item = bool> {
        let tables = self.tables.iter();
        tables.map(|rows| rows.iter().any(|row| row.is_idle()))
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

    /// Tables of which some rows were in play and never used, nor named by an answer.
    pub fn unused(mut self, words: &Words<'_>, named: &Named) -> Vec<UnusedRows> {
        for (uses, at) in self.tables.iter_mut().zip(0..) {
            for (row, word) in uses.iter_mut().zip(0..) {
                row.used |= named.count(Domain::Table(dsl::ir::TableId(at)), word) > 0;
            }
        }
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

/// The index of a dimension that a slot has.
fn index((low, n, stride): (i32, u32, u32), slot: u32) -> i32 {
    low + (slot / stride % n) as i32
}

/// What a cell's slots are of, dimension by dimension.
fn domains(cell: &Cell) -> impl Iterator<Item = Domain> {
    let owner = match cell.owner {
        CellOwner::Each(domain) => Some(domain),
        _ => None,
    };
    owner.into_iter().chain(cell.indices.iter().copied())
}

/// Hears what is written in a game, and tells which rows it uses.
pub(super) struct Listener<'p> {
    program: &'p Program,
    rules: &'p RuleSet,
    /// For each table whether there is anything left to hear of it.
    wanted: Vec<bool>,
    /// For each word of the cells that tell of such tables, the cell it belongs to.
    cells: Vec<u32>,
    writes: Vec<Write>,
    /// Lists that were written, by cell and slot.
    lists: Vec<(u32, u32)>,
    /// What was used since an answer that may still be taken back, and how many answers had been given then.
    lately: Vec<(u32, Domain, i32)>,
}

impl<'p> Listener<'p> {
    pub fn new(rules: &'p RuleSet, program: &'p Program) -> Listener<'p> {
        Listener {
            program,
            rules,
            wanted: Vec::new(),
            cells: Vec::new(),
            writes: Vec::new(),
            lists: Vec::new(),
            lately: Vec::new(),
        }
    }

    /// Of a game that begins: whether there is anything left to hear.
    pub fn begin(&mut self, machine: &mut Machine<'_>, rows: &RowsUsed) -> bool {
        self.lately.clear();
        if !rows.idle().eq(self.wanted.iter().copied()) {
            self.wanted = rows.idle().collect();
            self.find_cells();
            let cells = self.cells.iter();
            machine.follow_moves(cells.map(|cell| *cell != NONE as u32).collect());
        }
        self.wanted.contains(&true)
    }

    fn find_cells(&mut self) {
        self.cells.clear();
        for (at, layout) in self.program.cells.iter().enumerate() {
            let cell = &self.rules.cells[at];
            let lasting = !matches!(cell.owner, CellOwner::Step(_) | CellOwner::Action(_));
            let tells = domains(cell).chain(layout.holds).any(|of| self.wants(of));
            let end = (layout.base + layout.words * layout.slots) as usize;
            if lasting && tells && end > layout.base as usize {
                self.cells.resize(self.cells.len().max(end), NONE as u32);
                self.cells[layout.base as usize..end].fill(at as u32);
            }
        }
    }

    fn wants(&self, domain: Domain) -> bool {
        match domain {
            Domain::Table(table) => self.wanted.get(table.index()).is_some_and(|wanted| *wanted),
            _ => false,
        }
    }

    /// Goes through what was written since the last time. What was taken back used nothing.
    pub fn hear(&mut self, machine: &mut Machine<'_>, rows: &mut RowsUsed) {
        let answers = crate::record::answers(machine);
        self.lately.retain(|(given, ..)| *given <= answers);
        let mut writes = std::mem::take(&mut self.writes);
        machine.take_moves(&mut writes);
        self.lists.clear();
        for write in &writes {
            self.note(*write, answers);
        }
        let mut lists = std::mem::take(&mut self.lists);
        for (cell, slot) in lists.drain(..) {
            self.note_list(machine, &writes, (cell, slot), answers);
        }
        (self.writes, self.lists) = (writes, lists);
        if !machine.may_go_back() {
            for (_, domain, row) in self.lately.drain(..) {
                rows.see(domain, row, true);
            }
        }
    }

    fn see_if_known(&mut self, domain: Domain, row: i32, answers: u32) {
        if row >= 0 && self.wants(domain) {
            self.lately.push((answers, domain, row));
        }
    }

    fn note(&mut self, write: Write, answers: u32) {
        let Some(at) = self.cells.get(write.word as usize).copied() else {
            return;
        };
        let Some(layout) = self.program.cells.get(at as usize) else {
            return;
        };
        let cell = &self.rules.cells[at as usize];
        let (slot, word) = (
            (write.word - layout.base) / layout.words,
            (write.word - layout.base) % layout.words,
        );
        for (domain, dim) in domains(cell).zip(&layout.dims) {
            self.see_if_known(domain, index(*dim, slot), answers);
        }
        let Some(held) = layout.holds.filter(|held| self.wants(*held)) else {
            return;
        };
        match layout.shape {
            Shape::Scalar => {
                self.see_if_known(held, write.old, answers);
                self.see_if_known(held, write.new, answers);
            }
            Shape::Set { n, low } if word < n.div_ceil(32) => {
                let changed = (write.old ^ write.new) as u32;
                let bits = (0..32).filter(|bit| changed >> bit & 1 == 1);
                bits.for_each(|bit| {
                    self.see_if_known(held, low + (word * 32 + bit) as i32, answers);
                });
            }
            Shape::Bag { n, low } if word < n => {
                self.see_if_known(held, low + word as i32, answers);
            }
            Shape::List { .. } | Shape::Row { .. } if !self.lists.contains(&(at, slot)) => {
                self.lists.push((at, slot));
            }
            _ => {}
        }
    }

    /// Of what lies in order only is used what came or went: the others just moved up.
    fn note_list(
        &mut self,
        machine: &Machine<'_>,
        writes: &[Write],
        (cell, slot): (u32, u32),
        answers: u32,
    ) {
        let layout = &self.program.cells[cell as usize];
        let Some(held) = layout.holds else {
            return;
        };
        let start = layout.base + slot * layout.words;
        let words = start..start + layout.words;
        let now: Vec<i32> = words.clone().map(|word| machine.word(word)).collect();
        let mut then = now.clone();
        for write in writes.iter().rev().filter(|one| words.contains(&one.word)) {
            then[(write.word - start) as usize] = write.old;
        }
        let [mut then, mut now] = [then, now].map(|words| -> Vec<i32> {
            let pieces = pieces(layout.shape, &words).into_iter();
            pieces.map(|(piece, _)| piece).collect()
        });
        // Mostly something came or went at the end.
        let both = then.iter().zip(&now);
        let same = both.take_while(|(then, now)| then == now).count();
        for pieces in [&mut then, &mut now] {
            pieces.drain(..same);
            pieces.sort_unstable();
        }
        for piece in apart(&then, &now).into_iter().chain(apart(&now, &then)) {
            self.see_if_known(held, piece, answers);
        }
    }
}

/// What there is more often in one than in the other; both are sorted.
fn apart(one: &[i32], other: &[i32]) -> Vec<i32> {
    let mut others = other.iter().peekable();
    let mut found = Vec::new();
    for piece in one {
        while others.next_if(|other| *other < piece).is_some() {}
        if others.next_if_eq(&piece).is_none() {
            found.push(*piece);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn what_comes_and_goes_is_counted_piece_by_piece() {
        assert_eq!(apart(&[1, 1, 1, 2], &[1, 1, 3]), [1, 2]);
        assert_eq!(apart(&[4, 5], &[4, 5]), Vec::<i32>::new());
        assert_eq!(apart(&[1, 1, 3], &[1, 1, 1, 2]), [3]);
    }
}
