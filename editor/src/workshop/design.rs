//! Changes of a board where what it shows is written: places, labels, links.

use super::history::{Edit, Gesture};
use super::sheet::{CellKind, Column, FileEdit, Sheet, SheetChange};
use super::whole::{Workshop, no_game};
use crate::board::{Join, Spot};
use dsl::source::Span;
use std::collections::BTreeMap;

/// A change made by pointing at a board.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// Texts and numbers, each where it is written; what that is called.
    Write(String, Vec<(Spot, String)>),
    /// A row more that joins two spaces, by their names; what else is said of it, by columns.
    Join(Join, [String; 2], Vec<(String, String)>),
}

impl Workshop {
    /// Makes a change, as one step of each document; the document that it stands in.
    ///
    /// # Errors
    /// Why it cannot be made, in a sentence.
    pub fn draw(&mut self, drawing: &Drawing) -> Result<Option<String>, String> {
        let changes = match drawing {
            Drawing::Write(label, values) => self.writing(label, values)?,
            Drawing::Join(join, ends, more) => self.joining(join, ends, more)?,
        };
        let file = changes.first().map(|change| change.file.clone());
        self.apply(changes, Gesture::Once)?;
        Ok(file)
    }

    fn writing(&mut self, label: &str, values: &[(Spot, String)]) -> Result<Vec<FileEdit>, String> {
        let sheets = self.sheets();
        let now = self.fresh().ok_or_else(no_game)?;
        let mut files: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
        let mut cells: BTreeMap<&str, Vec<(usize, usize, String)>> = BTreeMap::new();
        for (spot, text) in values {
            match spot {
                Spot::Number(span) => {
                    let (file, edit) = self.number(*span, text)?;
                    files.entry(file).or_default().push(edit);
                }
                Spot::Cell { table, row, column } => {
                    let sheet = sheet(&sheets, table)?;
                    let known = sheet.row(row).zip(sheet.column(column));
                    let (row, column) =
                        known.ok_or_else(|| format!("`{row}` has no `{column}` any more"))?;
                    let own = cells.entry(table).or_default();
                    own.push((row, column, text.clone()));
                }
            }
        }
        for (table, cells) in cells {
            let set = SheetChange::Set(cells);
            for change in sheet(&sheets, table)?.change(&now, self.target(), &set)? {
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

    fn joining(
        &mut self,
        join: &Join,
        ends: &[String; 2],
        more: &[(String, String)],
    ) -> Result<Vec<FileEdit>, String> {
        let sheets = self.sheets();
        let now = self.fresh().ok_or_else(no_game)?;
        let sheet = sheet(&sheets, &join.table)?;
        let cells = joined(sheet, join, ends, more);
        sheet.change(&now, self.target(), &SheetChange::Add(cells))
    }

    /// What has to be said of a row before it can be there; of one that joins two spaces besides these.
    ///
    /// # Errors
    /// If there is no such table.
    pub fn lacking(&mut self, table: &str, join: Option<&Join>) -> Result<Vec<Column>, String> {
        let sheets = self.sheets();
        let sheet = sheet(&sheets, table)?;
        let columns = sheet.columns.iter().filter(|column| match join {
            Some(join) => {
                let named = column.key && column.kind == CellKind::Text;
                column.required && !named && !join.columns.contains(&column.name)
            }
            None => column.kind != CellKind::Parent,
        });
        Ok(columns.cloned().collect())
    }
}

fn sheet<'s>(sheets: &'s [Sheet], table: &str) -> Result<&'s Sheet, String> {
    let found = sheets.iter().find(|sheet| sheet.name == table);
    found.ok_or_else(|| format!("there is no table `{table}`"))
}

/// The cells of a row that joins two spaces: its ends, a name that is free, and what was said besides.
fn joined(
    sheet: &Sheet,
    join: &Join,
    ends: &[String; 2],
    more: &[(String, String)],
) -> Vec<(String, String)> {
    let columns = sheet.columns.iter().enumerate();
    let cells = columns.filter_map(|(at, column)| {
        let end = join.columns.iter().position(|name| *name == column.name);
        let said = more.iter().find(|(name, _)| *name == column.name);
        let text = match (end, said) {
            (Some(end), _) => ends[end].clone(),
            (None, Some((_, text))) => text.clone(),
            (None, None) if column.key && column.kind == CellKind::Text => {
                free_name(sheet, at, &ends.join("-"))
            }
            (None, None) => return None,
        };
        Some((column.name.clone(), text))
    });
    cells.collect()
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
