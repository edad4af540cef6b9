//! Rows of component files: where they begin and end, and values as TOML writes them.

use super::{CellKind, Column};
use crate::workshop::history::Edit;
use dsl::source::Span;
use std::ops::Range;
use toml_edit::{Document, Item, Table, Value};

/// The part of a file that a row takes, with the comment above it and the rows nested in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub start: usize,
    /// Where the next row begins, or the end of the file.
    pub end: usize,
    /// `deal_tile.offer`
    pub path: String,
}

/// The region of the row whose header stands at a place; none if the text is no TOML.
pub(super) fn region(text: &str, at: usize) -> Option<Region> {
    let document = Document::parse(text).ok()?;
    let mut headers = Vec::new();
    collect(document.as_table(), "", &mut headers);
    headers.sort();
    let own = headers.iter().position(|(start, _)| *start == at)?;
    let path = &headers[own].1;
    let inner = format!("{path}.");
    let next = headers[own + 1..]
        .iter()
        .find(|(_, other)| !other.starts_with(&inner));
    Some(Region {
        start: with_comment(text, at),
        end: next.map_or(text.len(), |(start, _)| with_comment(text, *start)),
        path: path.clone(),
    })
}

/// Places of all `[…]` and `[[…]]`, with their names.
fn collect(table: &Table, path: &str, headers: &mut Vec<(usize, String)>) {
    for (key, item) in table.iter() {
        let path = match path {
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        };
        match item {
            Item::Table(inner) => {
                headers.extend(inner.span().map(|span| (span.start, path.clone())));
                collect(inner, &path, headers);
            }
            Item::ArrayOfTables(rows) => {
                for row in rows.iter() {
                    headers.extend(row.span().map(|span| (span.start, path.clone())));
                    collect(row, &path, headers);
                }
            }
            Item::None | Item::Value(_) => {}
        }
    }
}

/// The begin of the comment that stands directly above a place, or of its line.
fn with_comment(text: &str, at: usize) -> usize {
    let mut start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    while start > 0 {
        let above = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        if !text[above..start].trim_start().starts_with('#') {
            break;
        }
        start = above;
    }
    // What stands at the head of a file is about all of it.
    if start == 0 { at } else { start }
}

/// Where the line ends in which a place lies, before the line break.
pub(super) fn end_of_line(text: &str, at: usize) -> usize {
    text[at..]
        .find('\n')
        .map_or(text.len(), |length| at + length)
}

/// The lines a span lies in, with the line break behind them.
pub fn whole_lines(text: &str, span: Span) -> Range<usize> {
    let start = text[..span.start as usize]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let end = end_of_line(text, span.end as usize);
    start..(end + 1).min(text.len())
}

/// An item of a list with the comma behind it.
pub(super) fn list_item(text: &str, span: Span) -> Range<usize> {
    let end = span.end as usize;
    let rest = &text[end..];
    let gap = rest.len() - rest.trim_start().len();
    let comma = usize::from(rest.trim_start().starts_with(','));
    span.start as usize..end + if comma == 1 { gap + 1 } else { 0 }
}

/// A cell's text as TOML writes it.
pub(super) fn literal(column: &Column, text: &str) -> String {
    let is_value = |text: &str| text.parse::<Value>().is_ok_and(|value| !value.is_float());
    let quoted = || Value::from(text).to_string();
    if let Some(list) = column.several.and_then(|several| several.in_toml(text)) {
        return list;
    }
    match &column.kind {
        CellKind::Number { .. } if !text.is_empty() => text.to_owned(),
        CellKind::Choice { .. } if text == "true" || text == "false" => text.to_owned(),
        // Lists and numbers stand as they are; formulas, effects and sets in braces are texts.
        CellKind::Code if is_value(text) && !text.starts_with('{') => text.to_owned(),
        _ => quoted(),
    }
}

/// `key = value`, a line each.
pub(super) fn lines(cells: &[(&Column, &str)]) -> String {
    let line =
        |(column, text): &(&Column, &str)| format!("{} = {}\n", column.name, literal(column, text));
    cells.iter().map(line).collect()
}

/// Whether a file is still TOML with the edits made.
pub(super) fn test(text: &str, edits: &[Edit]) -> Result<(), String> {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| edit.range.start);
    let mut changed = text.to_owned();
    for edit in edits.iter().rev() {
        changed.replace_range(edit.range.clone(), &edit.text);
    }
    match (Document::parse(text.to_owned()), Document::parse(changed)) {
        (Ok(_), Err(error)) => {
            let why = error
                .message()
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned();
            Err(format!("this cannot be written into the file: {why}"))
        }
        _ => Ok(()),
    }
}
