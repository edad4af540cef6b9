//! Rule ids as they are written in the texts of the layers, and which of them a change touches.

use std::collections::{BTreeMap, BTreeSet};

use super::{Act, Assembly, Change, Entry, RawRow, TableEntry};
use crate::ir::LayerId;
use crate::source::{SourceSet, Span};
use crate::syntax::ast::{
    ActionBody, Block, Declaration, DeclarationKind as Kind, Overlay, ScoreLine, Tag,
};

/// A rule id in the text of a layer, whatever has become of that text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub id: String,
    /// Of the id.
    pub span: Span,
    /// Of the declaration, operation, line or item that carries it.
    pub carrier: Span,
    pub layer: LayerId,
    /// The carrier is a choice between things.
    is_menu: bool,
}

/// Notes the ids of a declaration and of all that stands in it.
pub(super) fn note(declaration: &Declaration, layer: LayerId, to: &mut Vec<Written>) {
    let mut notes = Notes { layer, to };
    notes.all(&declaration.tags, declaration.span, false);
    notes.inside(&declaration.kind);
}

struct Notes<'w> {
    layer: LayerId,
    to: &'w mut Vec<Written>,
}

impl Notes<'_> {
    fn all(&mut self, tags: &[Tag], carrier: Span, is_menu: bool) {
        let written = tags.iter().map(|tag| Written {
            id: tag.text.clone(),
            span: tag.span,
            carrier,
            layer: self.layer,
            is_menu,
        });
        self.to.extend(written);
    }

    fn inside(&mut self, kind: &Kind) {
        match kind {
            Kind::When(when) => self.block(&when.body),
            Kind::Flow(block) => self.block(block),
            Kind::Score(lines) => self.scores(lines),
            Kind::Action(action) => {
                if let ActionBody::Steps(block) = &action.body {
                    self.block(block);
                }
            }
            Kind::Overlay(operation) => match operation {
                Overlay::Replace(inner) => {
                    self.all(&inner.tags, inner.span, false);
                    self.inside(&inner.kind);
                }
                Overlay::AddTo { body, .. } | Overlay::Hook { body, .. } => self.block(body),
                Overlay::AddScore(lines) => self.scores(lines),
                Overlay::ReplaceScore(line) => self.scores(std::slice::from_ref(line)),
                Overlay::Set { .. }
                | Overlay::ReplaceClause { .. }
                | Overlay::Remove(_)
                | Overlay::RemoveStrategy(_)
                | Overlay::Patch { .. }
                | Overlay::AddCondition { .. } => {}
            },
            _ => {}
        }
    }

    fn scores(&mut self, lines: &[ScoreLine]) {
        for line in lines {
            self.all(&line.tags, line.span, false);
        }
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            let kind = &statement.kind;
            self.all(&statement.tags, statement.span, kind.is_menu());
            if let crate::syntax::ast::StatementKind::OneOf { items, .. } = kind {
                for item in items {
                    self.all(&item.tags, item.span, false);
                }
            }
            for inner in kind.blocks() {
                self.block(inner);
            }
        }
    }
}

/// What has no id of its own, by its full name (`hand_size`, `ticket.used`, `card.open_draws`), with the ids of what uses it.
pub type Lent = BTreeMap<String, BTreeSet<String>>;

type Ids = BTreeSet<String>;

impl Assembly {
    /// The ids that a text carries: those on its lines, else those of the smallest thing around it that has some.
    pub(crate) fn ids_at(&self, sources: &SourceSet, place: Span) -> Ids {
        let on_lines = self.on_lines(sources, place);
        match on_lines.is_empty() {
            true => ids(&self.nearest(place, false)),
            false => on_lines,
        }
    }

    /// The ids of rules that a change touches: those of the text whose place another one takes, those of a choice that has more
    /// or fewer things, those of tables whose rows are others, and those that its own text takes over from texts below. What
    /// only comes before or behind something leaves that as it is.
    pub fn touched(&self, sources: &SourceSet, change: &Change, lent: &Lent) -> Ids {
        let mut found = self.of_deed(sources, change);
        if found.is_empty() && matches!(change.act, Some(Act::Set | Act::Shift | Act::Replace)) {
            found.extend(lent.get(&change.name).cloned().unwrap_or_default());
        }
        if let (Some(row), true) = (RowName::of(&change.name), found.is_empty())
            && let Some(column) = row.column
        {
            let column = format!("{}.{column}", row.table);
            found.extend(lent.get(&column).cloned().unwrap_or_default());
        }
        let own = self
            .written
            .iter()
            .filter(|one| one.layer == change.layer && holds(change.new, one.carrier));
        found.extend(own.map(|one| one.id.clone()));
        // What comes with the overlay is as it says.
        found.retain(|id| self.carried_below(id, change.layer));
        found
    }

    /// The ids of an option that is set from outside.
    pub fn ids_of_option(&self, name: &str, lent: &Lent) -> Ids {
        let mut options = self.options.iter();
        let option = options.find(|entry| entry.item.decl.name.text == name);
        let own = option.map(|entry| self.inside(entry.span));
        match own.filter(|own| !own.is_empty()) {
            Some(own) => ids(&own),
            None => lent.get(name).cloned().unwrap_or_default(),
        }
    }

    fn of_deed(&self, sources: &SourceSet, change: &Change) -> Ids {
        let Some(act) = change.act else {
            return Ids::new();
        };
        if let Some((table, row)) = self.table_of(&change.name) {
            return self.of_rows(sources, table, &row, change);
        }
        let Some(old) = change.old else {
            return Ids::new();
        };
        let inside = self.inside(old);
        match act {
            Act::Before | Act::After | Act::Lines => Ids::new(),
            Act::Remove => {
                let around = self.nearest(old, true);
                let listed = inside.is_empty() || around.iter().any(|one| one.is_menu);
                let around = around.into_iter().filter(|_| listed);
                ids(&inside.into_iter().chain(around).collect::<Vec<_>>())
            }
            // What is around the condition is not what it limits.
            Act::Add if change.name.ends_with(".where") => self.on_lines(sources, old),
            Act::Add => self.ids_at(sources, old),
            _ if inside.is_empty() => self.ids_at(sources, old),
            Act::InsteadOf => {
                // The head of what is exchanged says of it too.
                let head = Span {
                    end: old.start + 1,
                    ..old
                };
                let head = self.on_lines(sources, head);
                ids(&inside).into_iter().chain(head).collect()
            }
            _ => ids(&inside),
        }
    }

    /// Ids on the lines of a text that carriers around it have there.
    fn on_lines(&self, sources: &SourceSet, place: Span) -> Ids {
        let line = |span: Span| sources.line_column(span).0;
        let end = Span {
            start: place.end.max(place.start + 1) - 1,
            ..place
        };
        let lines = line(place)..=line(end);
        let around = self.written.iter().filter(|one| holds(one.carrier, place));
        let own = around.filter(|one| lines.contains(&line(one.span)));
        own.map(|one| one.id.clone()).collect()
    }

    fn inside(&self, whole: Span) -> Vec<&Written> {
        let written = self.written.iter();
        written.filter(|one| holds(whole, one.carrier)).collect()
    }

    /// What the smallest carrier around a text carries.
    fn nearest(&self, place: Span, beyond: bool) -> Vec<&Written> {
        let around = || {
            let written = self.written.iter();
            written
                .filter(|one| holds(one.carrier, place) && !(beyond && holds(place, one.carrier)))
        };
        let least = around().map(|one| size(one.carrier)).min();
        around()
            .filter(|one| Some(size(one.carrier)) == least)
            .collect()
    }

    fn carried_below(&self, id: &str, layer: LayerId) -> bool {
        let mut written = self.written.iter();
        written.any(|one| one.id == id && one.layer < layer)
    }

    // ---------------------------------------------------------------------------------------------- rows

    /// The table whose rows a change of that name is about.
    fn table_of<'n>(&self, name: &'n str) -> Option<(&Entry<TableEntry>, RowName<'n>)> {
        let row = RowName::of(name);
        let row = row.unwrap_or(RowName {
            table: name,
            key: None,
            column: None,
        });
        let mut tables = self.tables.iter();
        let table = tables.find(|entry| entry.item.decl.name.text == row.table)?;
        Some((table, row))
    }

    fn of_rows(
        &self,
        sources: &SourceSet,
        table: &Entry<TableEntry>,
        row: &RowName<'_>,
        change: &Change,
    ) -> Ids {
        let whole = row.key.is_none() && row.column.is_none();
        if whole && change.act != Some(Act::Add) {
            // The declaration itself is another one, or gone.
            return change
                .old
                .map_or_else(Ids::new, |old| ids(&self.inside(old)));
        }
        let rows = table.item.rows.iter();
        let below: Vec<&RawRow> = rows.filter(|row| row.layer < change.layer).collect();
        let named = |raw: &&&RawRow| row.key.is_none_or(|key| table.item.key_of(raw) == key);
        let added = |raw: &&&RawRow| {
            let rows = table.item.rows.iter();
            let mut own = rows.filter(|own| own.layer == change.layer);
            own.any(|own| own.section == raw.section)
        };
        let met: BTreeSet<Span> = match whole {
            true => below.iter().filter(added).map(|row| row.source).collect(),
            false => below.iter().filter(named).map(|row| row.source).collect(),
        };
        let of_sources: Ids = met
            .iter()
            .flat_map(|source| self.ids_at(sources, *source))
            .collect();
        let elsewhere = below
            .iter()
            .any(|row| !self.ids_at(sources, row.source).is_empty());
        if !of_sources.is_empty() || elsewhere {
            return of_sources;
        }
        let chain = std::iter::once(table).chain(&table.replaced);
        let declared = chain.filter(|entry| entry.layer < change.layer);
        let declared = declared.flat_map(|entry| self.inside(entry.span));
        ids(&declared.collect::<Vec<_>>())
    }

    /// Where a row stands that a change of that name takes away or changes.
    pub(super) fn row_named(&self, name: &str, layer: LayerId) -> Option<Span> {
        let (table, row) = self.table_of(name)?;
        let key = row.key?;
        let rows = table.item.rows.iter();
        let mut below = rows.filter(|row| row.layer < layer);
        let row = below.find(|row| table.item.key_of(row) == key)?;
        let ends = row.cells.iter().map(|cell| cell.span);
        let ends = ends.filter(|end| end.file == row.span.file);
        Some(ends.fold(row.span, Span::to))
    }

    /// The rows that a `rows` line brings to its table: their keys, joined as names of rows are.
    pub fn brought(&self, change: &Change) -> Vec<String> {
        let mut tables = self.tables.iter();
        let table = tables.find(|entry| entry.item.decl.name.text == change.name);
        let rows = table.into_iter().flat_map(|entry| {
            let rows = entry.item.rows.iter();
            let own = rows.filter(|row| holds(change.new, row.source));
            own.map(|row| entry.item.key_of(row).replace(", ", "/"))
        });
        rows.collect()
    }
}

impl TableEntry {
    /// A row's key as heads of operations write it: `a, b`.
    fn key_of(&self, row: &RawRow) -> String {
        let names = self.decl.key.iter().map(|name| name.text.as_str());
        let names: Vec<&str> = match self.decl.key.is_empty() {
            true => vec!["id"],
            false => names.collect(),
        };
        let word = |name: &&str| {
            let mut cells = row.cells.iter();
            let cell = cells.find(|cell| cell.name.text == **name)?;
            match &cell.value {
                super::RawValue::Int(number) => Some(number.to_string()),
                value => value.as_word(),
            }
        };
        let words: Vec<String> = names.iter().filter_map(word).collect();
        words.join(", ")
    }
}

/// What a change of rows is called: `card.[604].price`, `card.*.price`, `card.[604]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowName<'n> {
    pub table: &'n str,
    /// None: those that meet a condition.
    pub key: Option<&'n str>,
    /// None: the whole row.
    pub column: Option<&'n str>,
}

impl<'n> RowName<'n> {
    /// None: it is of something else than a row.
    pub fn of(name: &'n str) -> Option<RowName<'n>> {
        if let Some((table, column)) = name.split_once(".*.") {
            return Some(RowName {
                table,
                key: None,
                column: Some(column),
            });
        }
        let (table, rest) = name.split_once(".[")?;
        let (key, column) = match rest.strip_suffix(']') {
            Some(key) => (key, None),
            None => {
                let (key, column) = rest.rsplit_once("].")?;
                (key, Some(column))
            }
        };
        Some(RowName {
            table,
            key: Some(key),
            column,
        })
    }
}

fn ids(written: &[&Written]) -> Ids {
    written.iter().map(|one| one.id.clone()).collect()
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

fn size(span: Span) -> u32 {
    span.end - span.start
}
