//! Holes of what people call things: in `## "claim {r} for {pay}"` stands what is chosen below, or a column of it; above a table
//! its columns.

use super::place::line_around;
use super::tokens::is_word;
use crate::Compiled;
use crate::check::Symbol;
use crate::ir::{ColumnId, Domain, Local, RuleSet, TableId, Ty};
use crate::source::{FileId, SourceSet, Span};

/// What can be named at a place of a hole.
pub(super) struct Named {
    pub name: String,
    pub symbol: Symbol,
}

/// What can be named in the hole in which a word stands that begins at a byte of a file; none where there is no hole.
pub(super) fn named_at(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    start: usize,
) -> Option<Vec<Named>> {
    let text = sources.text(file);
    let line = line_around(text, start);
    let before = text.get(line.start..start)?;
    if !before.trim_start().starts_with("##") {
        return None;
    }
    let open = before.rfind('{')?;
    let path = &before[open + 1..];
    let in_text = before[..open].matches('"').count() % 2 == 1;
    if !in_text || path.contains(['}', '"', '|']) {
        return None;
    }
    let (_, _, rules) = compiled.context()?;
    let below = declared_below(text, line.end)?;
    let place = Span::new(file, below.start, below.end);
    let mut path: Vec<&str> = path.split('.').collect();
    path.pop();
    match table_at(rules, place) {
        Some(table) if path.is_empty() => Some(columns(rules, table)),
        Some(_) => Some(Vec::new()),
        None => {
            let chosen = chosen(rules, place);
            let Some((first, rest)) = path.split_first() else {
                let symbol = |local: &Local| Named {
                    name: local.name.clone(),
                    symbol: Symbol::Local(local.span),
                };
                return Some(chosen.into_iter().map(symbol).collect());
            };
            let mut ty = chosen.iter().find(|local| local.name == *first)?.ty.clone();
            for step in rest {
                let all = columns(rules, table_of(&ty)?);
                let next = all.into_iter().find(|named| named.name == *step)?;
                let Symbol::Column(table, column) = next.symbol else {
                    return None;
                };
                ty = rules.tables[table.index()].columns[column.index()]
                    .ty
                    .clone();
            }
            Some(table_of(&ty).map_or_else(Vec::new, |table| columns(rules, table)))
        }
    }
}

/// The word of a hole at a byte of a file, and what it names.
pub(super) fn symbol_at(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    offset: usize,
) -> Option<(Span, Symbol)> {
    let bytes = sources.text(file).as_bytes();
    let offset = offset.min(bytes.len());
    let before = bytes[..offset].iter().rev();
    let start = offset - before.take_while(|byte| is_word(**byte)).count();
    let behind = bytes[offset..].iter();
    let end = offset + behind.take_while(|byte| is_word(**byte)).count();
    let span = Span::new(file, start, end);
    let all = named_at(sources, compiled, file, start)?;
    let word = sources.slice(span);
    let named = all.into_iter().find(|named| named.name == word)?;
    Some((span, named.symbol))
}

/// The first line of code below documentation.
fn declared_below(text: &str, end: usize) -> Option<std::ops::Range<usize>> {
    let mut start = end + 1;
    for line in text.get(start..)?.split_inclusive('\n') {
        match line.trim_start() {
            "" => return None,
            comment if comment.starts_with('#') => start += line.len(),
            _ => return Some(start..start + line.len()),
        }
    }
    None
}

fn within(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

fn table_at(rules: &RuleSet, place: Span) -> Option<TableId> {
    let tables = &rules.tables;
    let at = tables.iter().position(|table| within(place, table.span))?;
    Some(TableId(at as u32))
}

/// What is chosen from a line on, in the action or flow that it stands in.
fn chosen(rules: &RuleSet, place: Span) -> Vec<&Local> {
    let actions = rules.actions.iter();
    let before =
        actions.filter(|action| action.span.file == place.file && action.span.start <= place.end);
    let action = before.max_by_key(|action| action.span.start);
    let code = action.map_or(&rules.flow, |action| &action.code);
    let own = |local: &&Local| {
        let span = local.span;
        !local.name.is_empty() && span.file == place.file && span.start >= place.start
    };
    code.locals.iter().filter(own).collect()
}

pub(super) fn table_of(ty: &Ty) -> Option<TableId> {
    match ty.required() {
        Ty::Element(Domain::Table(table) | Domain::Part(table)) => Some(*table),
        _ => None,
    }
}

fn columns(rules: &RuleSet, table: TableId) -> Vec<Named> {
    let named = columns_of(rules, table).map(|(name, symbol, _)| Named {
        name: name.to_owned(),
        symbol,
    });
    named.collect()
}

/// The columns of a table: their names, and the tables whose rows stand in them.
pub(super) fn columns_of(
    rules: &RuleSet,
    table: TableId,
) -> impl Iterator<Item = (&str, Symbol, Option<TableId>)> {
    let columns = (0..).zip(&rules.tables[table.index()].columns);
    columns.map(move |(at, column)| {
        let symbol = Symbol::Column(table, ColumnId(at));
        (column.name.as_str(), symbol, table_of(&column.ty))
    })
}
