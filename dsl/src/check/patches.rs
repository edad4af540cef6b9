//! Patches: what overlays change in rows, whether it changes anything, and whether it matters which overlay comes first.

use std::collections::BTreeMap;

use super::Checker;
use super::graph::Node;
use super::keys::literal;
use super::tables::{At, is_code};
use crate::assembly::clash::{Kind, Part};
use crate::assembly::words::{Reading, Words, words};
use crate::assembly::{Entry, PatchEntry, TableEntry};
use crate::diagnostic::Diagnostic;
use crate::ir::{ColumnId, LayerId, Row, TableId, Ty, Value};
use crate::syntax::ast;

/// How many pairs of overlays are laid on in both orders for one table.
const PAIRS_MAX: usize = 2_000;

/// What a patch did.
struct Outcome {
    /// It met a row.
    hit: bool,
    /// A cell is now another than before, or may be.
    changed: bool,
}

/// A table's rows after some patches, and which patch wrote a cell last.
struct Laid {
    rows: Vec<Row>,
    by: BTreeMap<(usize, usize), usize>,
}

impl<'a> Checker<'a> {
    pub(super) fn patches(&mut self, table: TableId, entry: &'a Entry<TableEntry>) {
        let patches = &entry.item.patches;
        if patches.is_empty() {
            return;
        }
        let start = self.rs.tables[table.index()].rows.clone();
        for patch in patches {
            let mistakes = self.diagnostics.len();
            let outcome = self.patch(table, patch);
            let wrong = self.diagnostics.len() > mistakes;
            if !wrong && !outcome.changed && self.is_alone(entry, patch.layer) {
                self.idle_patch(table, patch, &outcome);
            }
        }
        self.order_of_patches(table, entry, &start);
    }

    fn patch(&mut self, table: TableId, patch: &'a PatchEntry) -> Outcome {
        let rows = self.patched_rows(table, patch);
        let mut outcome = Outcome {
            hit: !rows.is_empty(),
            changed: false,
        };
        for row in rows {
            for (name, value) in &patch.cells {
                let Some(column) = self.column(table, &name.text) else {
                    outcome.changed = true;
                    if self.is_drawn(table, &name.text) {
                        self.test_drawn(patch, value);
                        continue;
                    }
                    self.no_column(table, name);
                    return outcome;
                };
                let ty = self.rs.tables[table.index()].columns[column.index()]
                    .ty
                    .clone();
                if let Some(value) = self.expr_value(value, &ty, at(table, row)) {
                    outcome.changed |= self.put(table, row, column, value);
                }
            }
        }
        outcome
    }

    /// Writes a cell; whether it held another value.
    fn put(&mut self, table: TableId, row: u32, column: ColumnId, value: Value) -> bool {
        let cell = &mut self.rs.tables[table.index()].rows[row as usize].values[column.index()];
        let changed = *cell != value;
        *cell = value;
        changed
    }

    /// A column of the table's rows that only the drawing knows: nobody declares it, `board.toml` reads it.
    fn is_drawn(&self, table: TableId, name: &str) -> bool {
        let mut rows = self.asm.tables[table.index()].item.rows.iter();
        self.asm.drawn.contains(name)
            && rows.any(|row| row.cells.iter().any(|cell| cell.name.text == name))
    }

    /// What only the drawing knows is not computed: it takes what could stand in the component list, row by row.
    fn test_drawn(&mut self, patch: &'a PatchEntry, value: &'a ast::Expr) {
        if patch.key.is_empty() {
            let message = "only the drawing knows this column: it is changed row by row";
            let help = "name the row: `patch TABLE[ROW]: COLUMN = VALUE`";
            self.report(Diagnostic::error("drawn-column", patch.span, message).help(help));
        } else if literal(value).is_none() {
            let message = "only the drawing knows this column: it takes a number or a text";
            let help = "or declare it in the table, so that the rules can compute with it";
            self.report(Diagnostic::error("drawn-column", value.span, message).help(help));
        }
    }

    fn patched_rows(&mut self, table: TableId, patch: &'a PatchEntry) -> Vec<u32> {
        let count = self.rs.tables[table.index()].rows.len() as u32;
        if patch.key.is_empty() && patch.condition.is_none() {
            return (0..count).collect();
        }
        let Some(condition) = &patch.condition else {
            return self
                .row_by_key(table, &patch.key, patch.span)
                .into_iter()
                .collect();
        };
        let mut rows = Vec::new();
        for row in 0..count {
            match self.expr_value(condition, &Ty::Bool, at(table, row)) {
                Some(Value::Bool(true)) => rows.push(row),
                Some(_) => {}
                None => return Vec::new(),
            }
        }
        rows
    }

    // -------------------------------------------------------------------------------------------- no change

    /// No overlay that this one knows nothing of touches the table: what happens to it is this one's doing.
    fn is_alone(&self, entry: &Entry<TableEntry>, layer: LayerId) -> bool {
        let table = &entry.item;
        let patches = table.patches.iter().map(|patch| patch.layer);
        let removed = table.removed.iter().map(|row| row.layer);
        let mut others = patches
            .chain(removed)
            .chain(table.rows.iter().map(|row| row.layer));
        !others.any(|other| self.asm.are_strangers(other, layer))
    }

    /// A patch that does nothing here may do something under other options: then nothing is said.
    fn idle_patch(&mut self, table: TableId, patch: &PatchEntry, outcome: &Outcome) {
        let read = self.read_by(patch);
        let mut options = self.asm.options.iter();
        if options.any(|option| read.contains(option.item.decl.name.text.as_str())) {
            return;
        }
        let name = &self.rs.tables[table.index()].name;
        let found = match &patch.condition {
            Some(condition) if !outcome.hit => {
                let message = format!("no row of `{name}` is met: this line changes nothing");
                Diagnostic::warning("changes-nothing", condition.span, message)
                    .here("holds for none of the rows")
            }
            _ => {
                let message = "what is met has these values already: this line changes nothing";
                Diagnostic::warning("changes-nothing", patch.span, message)
            }
        };
        self.report(found.help("take the line away, or write what was meant"));
    }

    /// The words of a patch and what they stand for.
    fn read_by(&self, patch: &PatchEntry) -> Words<'a> {
        let reading = Reading::new(self.asm, self.sources);
        let values = patch.cells.iter().map(|(_, value)| value.span);
        let condition = patch.condition.iter().map(|condition| condition.span);
        let texts = values.chain(condition).map(|span| reading.text(span));
        let own: Words = texts.flat_map(words).collect();
        reading.through(own)
    }

    // -------------------------------------------------------------------------------------------- order

    /// Lays the patches of two overlays that know nothing of each other on in both orders: they have to come to the same.
    fn order_of_patches(&mut self, table: TableId, entry: &'a Entry<TableEntry>, start: &[Row]) {
        let patches = &entry.item.patches;
        let mut layers: Vec<LayerId> = patches.iter().map(|patch| patch.layer).collect();
        layers.sort();
        layers.dedup();
        let asm = self.asm;
        let touched: Vec<(Words, Words)> = layers
            .iter()
            .map(|layer| self.touched_by(patches, *layer))
            .collect();
        let mut pairs = 0;
        for (b, later) in layers.iter().enumerate() {
            for (a, earlier) in layers[..b].iter().enumerate() {
                let pair = [*earlier, *later];
                let meets = meet(&touched[a], &touched[b]) || meet(&touched[b], &touched[a]);
                if pairs < PAIRS_MAX && meets && asm.are_strangers(pair[0], pair[1]) {
                    pairs += 1;
                    self.both_orders(table, entry, start, pair);
                }
            }
        }
    }

    /// The columns an overlay's patches write, and the words they read.
    fn touched_by(&self, patches: &'a [PatchEntry], layer: LayerId) -> (Words<'a>, Words<'a>) {
        let own = patches.iter().filter(|patch| patch.layer == layer);
        let columns = own.clone().flat_map(|patch| &patch.cells);
        let written: Words = columns.map(|(name, _)| name.text.as_str()).collect();
        let read: Words = own.flat_map(|patch| self.read_by(patch)).collect();
        (written, read)
    }

    fn both_orders(
        &mut self,
        table: TableId,
        entry: &'a Entry<TableEntry>,
        start: &[Row],
        [a, b]: [LayerId; 2],
    ) {
        let patches = &entry.item.patches;
        let asm = self.asm;
        let below = |layer: LayerId| {
            layer != a
                && layer != b
                && (!asm.is_overlay(layer) || asm.knows_of(a, layer) || asm.knows_of(b, layer))
        };
        let of = |wanted: &dyn Fn(LayerId) -> bool| -> Vec<usize> {
            let all = patches.iter().enumerate();
            all.filter(|(_, patch)| wanted(patch.layer))
                .map(|(at, _)| at)
                .collect()
        };
        let (ground, first, second) =
            (of(&below), of(&|layer| layer == a), of(&|layer| layer == b));
        let one = self.laid(table, patches, start, &[&ground, &first, &second]);
        let other = self.laid(table, patches, start, &[&ground, &second, &first]);
        for (row, (x, y)) in one.rows.iter().zip(&other.rows).enumerate() {
            let columns = x.values.iter().zip(&y.values).enumerate();
            for (column, _) in columns.filter(|(_, (x, y))| x != y) {
                let writer = |of: &[usize]| {
                    let by = [&one, &other].map(|laid| laid.by.get(&(row, column)).copied());
                    let wrote = by.into_iter().flatten().find(|at| of.contains(at));
                    wrote.or(of.first().copied())
                };
                if let (Some(first), Some(second)) = (writer(&first), writer(&second)) {
                    self.patches_clash(table, [&patches[first], &patches[second]], (row, column));
                }
            }
        }
    }

    /// The rows after these patches; what is wrong with them has been said.
    fn laid(
        &mut self,
        table: TableId,
        patches: &'a [PatchEntry],
        start: &[Row],
        order: &[&[usize]],
    ) -> Laid {
        let mistakes = self.diagnostics.len();
        let notes = self.notes.len();
        let whole = &mut self.rs.tables[table.index()].rows;
        let kept = std::mem::replace(whole, start.to_vec());
        let mut by = BTreeMap::new();
        for &number in order.iter().copied().flatten() {
            let patch = &patches[number];
            for row in self.patched_rows(table, patch) {
                for (name, value) in &patch.cells {
                    if let Some((column, value)) = self.value_for(table, row, name, value) {
                        self.put(table, row, column, value);
                        by.insert((row as usize, column.index()), number);
                    }
                }
            }
        }
        let rows = std::mem::replace(&mut self.rs.tables[table.index()].rows, kept);
        self.diagnostics.truncate(mistakes);
        self.notes.truncate(notes);
        Laid { rows, by }
    }

    /// The value of one cell. Code is the same where its text is.
    fn value_for(
        &mut self,
        table: TableId,
        row: u32,
        name: &ast::Name,
        value: &'a ast::Expr,
    ) -> Option<(ColumnId, Value)> {
        let column = self.column(table, &name.text)?;
        let ty = self.rs.tables[table.index()].columns[column.index()]
            .ty
            .clone();
        let holds_code = match ty.required() {
            Ty::List(element) => is_code(element),
            ty => is_code(ty),
        };
        if holds_code {
            let text = self.slice(value.span).to_owned();
            return Some((column, Value::Text(self.intern(&text))));
        }
        let value = self.expr_value(value, &ty, at(table, row))?;
        Some((column, value))
    }

    fn patches_clash(
        &mut self,
        table: TableId,
        patches: [&PatchEntry; 2],
        (row, column): (usize, usize),
    ) {
        let ir = &self.rs.tables[table.index()];
        let (name, column) = (&ir.name, &ir.columns[column].name);
        let named = patches.iter().all(|patch| !patch.key.is_empty());
        let (kind, place) = match named {
            true => (
                Kind::Conflict,
                format!("{name}[{}].{column}", ir.rows[row].name),
            ),
            false => (Kind::Order, format!("{name}.{column}")),
        };
        for patch in patches {
            let layer = self.asm.layer_id(patch.layer);
            let columns = patch.cells.iter().map(|(name, _)| name.text.as_str());
            let part = Part {
                layer: patch.layer,
                span: patch.span,
                does: format!(
                    "`{layer}` sets {}",
                    crate::assembly::fields::quoted_list(columns)
                ),
            };
            self.clashes.add(kind, &place, part);
        }
    }
}

fn at(table: TableId, row: u32) -> At {
    At {
        node: Node::Table(table),
        row: Some((table, row)),
    }
}

/// Whether one writes what the other writes or reads.
fn meet((written, _): &(Words, Words), (other, read): &(Words, Words)) -> bool {
    written
        .iter()
        .any(|word| other.contains(word) || read.contains(word))
}
