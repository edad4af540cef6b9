//! Changes of a board where what it shows is written: places, labels, links.

use super::checker::Checked;
use super::history::{Edit, Gesture};
use super::sheet::{CellKind, DrawnCell, FileEdit, Sheet, SheetChange};
use super::whole::{Workshop, no_game};
use crate::board::{Join, Spot};
use dsl::assembly::{RawCell, RawValue};
use dsl::source::Span;
use std::collections::BTreeMap;
use toml_edit::Value;

/// A change made by pointing at a board.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// Texts and numbers, each where it is written; what that is called.
    Write(String, Vec<(Spot, String)>),
    /// A row more that joins two spaces, by their names.
    Join(Join, [String; 2]),
}

impl Workshop {
    /// Makes a change, as one step of each document; the document that it stands in.
    ///
    /// # Errors
    /// Why it cannot be made, in a sentence.
    pub fn draw(&mut self, drawing: &Drawing) -> Result<Option<String>, String> {
        let changes = match drawing {
            Drawing::Write(label, values) => self.writing(label, values)?,
            Drawing::Join(join, ends) => self.joining(join, ends)?,
        };
        let file = changes.first().map(|change| change.file.clone());
        self.apply(changes, Gesture::Once)?;
        Ok(file)
    }

    fn writing(&mut self, label: &str, values: &[(Spot, String)]) -> Result<Vec<FileEdit>, String> {
        let sheets = self.sheets();
        let now = self.fresh().ok_or_else(no_game)?;
        let target = self.target();
        let mut files: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
        let mut declared: BTreeMap<&str, Vec<(usize, usize, String)>> = BTreeMap::new();
        let mut drawn: BTreeMap<&str, Vec<DrawnCell>> = BTreeMap::new();
        for (spot, text) in values {
            let (file, edit) = match spot {
                Spot::Number(span) => self.number(*span, text)?,
                Spot::Cell { table, row, column } => {
                    let sheet = sheets.iter().find(|sheet| sheet.name == *table);
                    let known = sheet.and_then(|sheet| sheet.row(row));
                    let known = known.ok_or_else(|| format!("there is no `{row}` any more"))?;
                    if let Some(column) = sheet.and_then(|sheet| sheet.column(column)) {
                        let cells = declared.entry(table).or_default();
                        cells.push((known, column, text.clone()));
                        continue;
                    }
                    let (cell, layer) = undeclared(&now, (table, row, column))?;
                    if target.is_some_and(|target| target != layer) {
                        let cells = drawn.entry(table).or_default();
                        cells.push(DrawnCell::new(known, cell, text));
                        continue;
                    }
                    rewritten(&now, cell, text)
                }
            };
            files.entry(file).or_default().push(edit);
        }
        for (table, cells) in declared {
            let sheet = sheets.iter().find(|sheet| sheet.name == table);
            let sheet = sheet.ok_or_else(|| format!("there is no table `{table}`"))?;
            for change in sheet.change(&now, target, &SheetChange::Set(cells))? {
                files.entry(change.file).or_default().extend(change.edits);
            }
        }
        if let Some(target) = target {
            for (table, cells) in drawn {
                let sheet = sheets.iter().find(|sheet| sheet.name == table);
                let sheet = sheet.ok_or_else(|| format!("there is no table `{table}`"))?;
                let change = sheet.patch_drawn(&now, target, &cells)?;
                files.entry(change.file).or_default().extend(change.edits);
            }
        }
        let changes = files.into_iter().map(|(file, edits)| FileEdit {
            file,
            label: label.to_owned(),
            edits,
        });
        Ok(changes.collect())
    }

    /// A number of the `board.toml` that the play-test is drawn by.
    fn number(&self, span: Span, text: &str) -> Result<(String, Edit), String> {
        let playtest = self.playtest.as_ref().ok_or("no game is being played")?;
        let drawn = &playtest.game().checked.sources;
        let path = &drawn.file(span.file).path;
        let range = span.start as usize..span.end as usize;
        let checked = self.checked().ok_or_else(no_game)?;
        let now = checked.sources.find(path);
        let now = now.map(|file| checked.sources.text(file));
        if now != Some(drawn.text(span.file)) {
            return Err(format!("`{path}` has changed meanwhile: try again"));
        }
        let own = |id: &str| path.contains(&format!("/{id}/"));
        if let Some(target) = self.target().filter(|id| !own(id)) {
            return Err(format!(
                "this place is written in `{path}`, which is not part of `{target}`: let edits go there, or give `{target}` a `board.toml`"
            ));
        }
        Ok((path.clone(), Edit::new(range, text)))
    }

    fn joining(&mut self, join: &Join, ends: &[String; 2]) -> Result<Vec<FileEdit>, String> {
        let sheets = self.sheets();
        let now = self.fresh().ok_or_else(no_game)?;
        let sheet = sheets.iter().find(|sheet| sheet.name == join.table);
        let sheet = sheet.ok_or_else(|| format!("there is no table `{}`", join.table))?;
        let cells = joined(sheet, join, ends);
        sheet.change(&now, self.target(), &SheetChange::Add(cells))
    }
}

/// The cells of a row that joins two spaces; what has to stand in it besides is as in the first row.
fn joined(sheet: &Sheet, join: &Join, ends: &[String; 2]) -> Vec<(usize, String)> {
    let mut cells = Vec::new();
    for (at, column) in sheet.columns.iter().enumerate() {
        let end = join.columns.iter().position(|name| *name == column.name);
        let text = match end {
            Some(end) => ends[end].clone(),
            None if column.key && column.kind == CellKind::Text => {
                free_name(sheet, at, &ends.join("-"))
            }
            None if column.optional || column.kind == CellKind::Parent => continue,
            None => match sheet.rows.first().map(|row| &row.cells[at]) {
                Some(cell) if cell.span.is_some() => cell.text.clone(),
                _ => continue,
            },
        };
        cells.push((at, text));
    }
    cells
}

/// The name, or with the next number.
fn free_name(sheet: &Sheet, column: usize, name: &str) -> String {
    let taken = |name: &str| sheet.rows.iter().any(|row| row.cells[column].text == name);
    if !taken(name) {
        return name.to_owned();
    }
    let mut numbered = (2..).map(|number| format!("{name}-{number}"));
    numbered.find(|name| !taken(name)).unwrap_or_default()
}

/// A cell that the rules do not declare, and the layer it is written in.
fn undeclared<'c>(
    checked: &'c Checked,
    (table, row, column): (&str, &str, &str),
) -> Result<(&'c RawCell, &'c str), String> {
    let missing = || format!("`{row}` of `{table}` has no `{column}` any more");
    let assembly = checked.compiled.assembly.as_ref().ok_or_else(missing)?;
    let rules = checked
        .rules()
        .ok_or("the rules have to be without mistakes first")?;
    let known = rules.tables.iter().find(|one| one.name == table);
    let known = known.and_then(|table| table.rows.iter().find(|one| one.name == row));
    let known = known.ok_or_else(missing)?;
    let mut entries = assembly.tables.iter();
    let entry = entries.find(|entry| entry.item.decl.name.text == table);
    let raw = entry.and_then(|entry| entry.item.rows.iter().find(|raw| raw.span == known.span));
    let raw = raw.ok_or_else(missing)?;
    let cell = raw.cells.iter().find(|cell| cell.name.text == column);
    let layer = assembly.layers.get(raw.layer.index());
    let layer = layer.map_or("", |layer| layer.id.as_str());
    Ok((cell.ok_or_else(missing)?, layer))
}

/// Another value in the place where the cell is written.
fn rewritten(checked: &Checked, cell: &RawCell, text: &str) -> (String, Edit) {
    let written = match cell.value {
        RawValue::Int(_) => text.to_owned(),
        _ => Value::from(text).to_string(),
    };
    let range = cell.span.start as usize..cell.span.end as usize;
    let path = checked.sources.file(cell.span.file).path.clone();
    (path, Edit::new(range, written))
}
