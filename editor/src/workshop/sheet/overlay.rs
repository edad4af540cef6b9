//! Changes of cells and rows as lines of an overlay: `patch`, `rows`, `remove`.

use super::{Cell, CellKind, Column, Row, key_text};
use crate::workshop::checker::Checked;
use crate::workshop::history::Edit;
use dsl::assembly::{PatchEntry, TableEntry};
use dsl::ir::LayerId;
use dsl::source::{FileId, Span};

/// The overlay that edits go to, and what is to be written into it.
pub(super) struct Overlay<'a> {
    pub id: String,
    pub file: FileId,
    layer: LayerId,
    table: &'a TableEntry,
    text: &'a str,
    edits: Vec<Edit>,
    /// New patches: the row's key in brackets and its cells.
    patches: Vec<(String, Vec<String>)>,
    removes: Vec<String>,
    /// New rows: their columns, and their cells.
    rows: Vec<(Vec<String>, Vec<String>)>,
}

impl<'a> Overlay<'a> {
    pub fn of(
        checked: &'a Checked,
        id: &str,
        table: &'a TableEntry,
    ) -> Result<Overlay<'a>, String> {
        let layers = checked
            .compiled
            .assembly
            .as_ref()
            .map(|a| a.layers.as_slice());
        let layers = layers.unwrap_or_default();
        let at = layers.iter().position(|layer| layer.id == id);
        let found = at.and_then(|at| Some((at, *layers[at].files.first()?)));
        let Some((at, file)) = found else {
            return Err(format!("`{id}` is not active, or has no rules file"));
        };
        Ok(Overlay {
            id: id.to_owned(),
            file,
            layer: LayerId(at as u32),
            table,
            text: checked.sources.text(file),
            edits: Vec::new(),
            patches: Vec::new(),
            removes: Vec::new(),
            rows: Vec::new(),
        })
    }

    /// The edits of the overlay's file: what stands there already is changed, the rest stands at its end.
    pub fn finish(self, table: &str) -> Vec<Edit> {
        let mut lines = String::new();
        for key in &self.removes {
            lines += &format!("remove {table}{key}\n");
        }
        for (key, cells) in &self.patches {
            lines += &format!("patch {table}{key}: {}\n", cells.join("; "));
        }
        // Rows with the same columns stand below one head.
        for alike in self.rows.chunk_by(|one, other| one.0 == other.0) {
            let head = alike.first().map(|(head, _)| head.join(" | "));
            lines += &format!("rows {table}\n  {}\n", head.unwrap_or_default());
            for (_, cells) in alike {
                lines += &format!("  {}\n", cells.join(" | "));
            }
        }
        let mut edits = self.edits;
        if !lines.is_empty() {
            edits.push(at_end(self.text, lines.trim_end()));
        }
        edits
    }

    /// Gives a cell of a row below another value, or the one it has below again.
    pub fn patch(
        &mut self,
        checked: &Checked,
        row: &Row,
        column: &Column,
        cell: &Cell,
        text: &str,
    ) -> Result<(), String> {
        if column.key {
            return Err(format!(
                "`{}` is the row's name: an overlay adds another row, or removes this one",
                column.name
            ));
        }
        let key = self.key(row)?;
        let own = self.patches_of(row);
        let own: Vec<&PatchEntry> = own.filter(|patch| patch.condition.is_none()).collect();
        let value = in_rules(column, text)?;
        for patch in &own {
            let Some(at) = patch
                .cells
                .iter()
                .position(|(name, _)| name.text == column.name)
            else {
                continue;
            };
            let source = checked.sources.text(self.file);
            let back = cell.below.as_deref() == Some(text);
            self.edits.push(match back {
                true => without(source, patch, at),
                false => {
                    let span = patch.cells[at].1.span;
                    Edit::new(span.start as usize..span.end as usize, value)
                }
            });
            return Ok(());
        }
        let line = format!("{} = {value}", column.name);
        if let Some((_, last)) = own.first().and_then(|patch| patch.cells.last()) {
            let at = last.span.end as usize;
            self.edits.push(Edit::insert(at, format!("; {line}")));
            return Ok(());
        }
        match self.patches.iter_mut().find(|(other, _)| *other == key) {
            Some((_, cells)) => cells.push(line),
            None => self.patches.push((key, vec![line])),
        }
        Ok(())
    }

    pub fn add_row(&mut self, cells: &[(&Column, &str)]) -> Result<(), String> {
        let head = cells
            .iter()
            .map(|(column, _)| column.name.clone())
            .collect();
        let cells = cells.iter();
        let cells = cells.map(|(column, text)| in_rules(column, text));
        self.rows.push((head, cells.collect::<Result<_, _>>()?));
        Ok(())
    }

    pub fn remove_row(&mut self, row: &Row) -> Result<(), String> {
        let key = self.key(row)?;
        // What it changes of the row would be about nothing.
        let text = self.text;
        let own = self.patches_of(row);
        let own: Vec<Edit> = own
            .map(|patch| Edit::new(gone(text, patch.span), ""))
            .collect();
        self.edits.extend(own);
        self.removes.push(key);
        Ok(())
    }

    /// The overlay's own changes of a row below.
    fn patches_of(&self, row: &Row) -> impl Iterator<Item = &'a PatchEntry> {
        let (layer, name) = (self.layer, row.name.clone());
        let all = self.table.patches.iter();
        all.filter(move |patch| patch.layer == layer && key_text(&patch.key) == name)
    }

    /// `[604]`, `["berlin-hamburg-1"]`, `[green, 3]`
    fn key(&self, row: &Row) -> Result<String, String> {
        if row.name.contains('#') {
            return Err(
                "rows of this table have no names: an overlay reaches them by `patch … where …`"
                    .into(),
            );
        }
        let parts = row.name.split('/').map(typed_name);
        let parts: Vec<String> = parts.collect::<Result<_, _>>()?;
        Ok(format!("[{}]", parts.join(", ")))
    }
}

/// Lines at the end of an overlay: right below lines of their kind, else a blank line apart, so that they do not look like what
/// a comment above is about.
pub fn at_end(text: &str, lines: &str) -> Edit {
    let end = text.trim_end().len();
    let word = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let gap = match text[..end].lines().next_back() {
        None => "",
        Some(last) if word(last) == word(lines) => "\n",
        Some(_) => "\n\n",
    };
    Edit::new(end..text.len(), format!("{gap}{lines}\n"))
}

/// The lines of an overlay that a span lies in, to be taken away; with the blank line that [`at_end`] put before them, if they
/// are the last.
pub fn gone(text: &str, span: Span) -> std::ops::Range<usize> {
    let lines = super::toml_rows::whole_lines(text, span);
    let last = text[lines.end..].trim().is_empty();
    let blank = last && text[..lines.start].ends_with("\n\n");
    lines.start - usize::from(blank)..lines.end
}

/// A patch's line without one of its cells; without all of it if that is its only one.
fn without(source: &str, patch: &PatchEntry, at: usize) -> Edit {
    let place = |at: usize| {
        let (name, value) = &patch.cells[at];
        (name.span.start as usize, value.span.end as usize)
    };
    let (start, end) = place(at);
    if patch.cells.len() == 1 {
        let line = Span {
            end: end as u32,
            ..patch.span
        };
        return Edit::new(gone(source, line), "");
    }
    match at {
        0 => Edit::new(start..place(1).0, ""),
        at => Edit::new(place(at - 1).1..end, ""),
    }
}

/// A cell's text as the rules write it.
///
/// # Errors
/// They cannot.
pub(super) fn in_rules(column: &Column, text: &str) -> Result<String, String> {
    match &column.kind {
        _ if text.is_empty() && column.optional => Ok("none".into()),
        CellKind::Text => quoted(text),
        CellKind::Choice { .. } => typed_name(text),
        CellKind::Number { .. } | CellKind::Code | CellKind::Parent => Ok(text.to_owned()),
    }
}

/// A row's or member's name, in quotes if it is no word.
pub fn name_in_rules(name: &str) -> String {
    match is_bare(name) {
        true => name.to_owned(),
        false => format!("\"{name}\""),
    }
}

/// The same of a name that somebody has typed.
fn typed_name(name: &str) -> Result<String, String> {
    match is_bare(name) {
        true => Ok(name.to_owned()),
        false => quoted(name),
    }
}

fn is_bare(name: &str) -> bool {
    let word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word || !name.is_empty() && name.chars().all(|c| c.is_ascii_digit())
}

fn quoted(text: &str) -> Result<String, String> {
    let what = match text
        .chars()
        .find(|c| matches!(c, '"' | '{' | '}') || c.is_control())
    {
        None => return Ok(format!("\"{text}\"")),
        Some('\n' | '\r') => "line breaks".to_owned(),
        Some('\t') => "tabs".to_owned(),
        Some(sign) => format!("`{sign}`"),
    };
    Err(format!(
        "texts of the rules have no {what}: write it without, or into the game's own component file, which can"
    ))
}
