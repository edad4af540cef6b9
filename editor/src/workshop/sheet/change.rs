//! Changes of sheets as edits of texts: in the file where a cell stands, or as lines of the overlay that edits go to.

use super::overlay::Overlay;
use super::toml_rows::{self, Region};
use super::{CellKind, Column, Row, Sheet, Written, clipboard};
use crate::workshop::checker::Checked;
use crate::workshop::history::Edit;
use dsl::diagnostic::suggest::nearest;
use dsl::source::{FileId, Span};
use dsl::syntax::parse::parse_expression;
use std::collections::{BTreeMap, BTreeSet};

/// What is to be done with a sheet; rows and columns by their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SheetChange {
    /// Texts of cells: row, column, text; empty for none.
    Set(Vec<(usize, usize, String)>),
    /// Cells as a spreadsheet copies them, columns parted by tabs; the first line goes into the first of the rows, its first
    /// cell into the column.
    Paste {
        rows: Vec<usize>,
        column: usize,
        text: String,
    },
    /// A row more, with the texts of its columns by their names; columns that are left out have their default.
    Add(Vec<(String, String)>),
    /// The row once more, under another name.
    Duplicate(usize),
    Delete(Vec<usize>),
}

/// Edits of one file, to be made at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    /// As the source set names it.
    pub file: String,
    /// For menus.
    pub label: String,
    pub edits: Vec<Edit>,
}

impl Sheet {
    /// The edits that make a change, of the texts that were checked. `target`: the overlay that edits go to; the game's own
    /// files stay as they are then.
    ///
    /// # Errors
    /// Why it cannot be done, in a sentence.
    pub fn change(
        &self,
        checked: &Checked,
        target: Option<&str>,
        change: &SheetChange,
    ) -> Result<Vec<FileEdit>, String> {
        let label = match change {
            SheetChange::Set(cells) if cells.len() == 1 => "set a cell",
            SheetChange::Set(_) => "set cells",
            SheetChange::Paste { .. } => "paste cells",
            SheetChange::Add(_) => "add a row",
            SheetChange::Duplicate(_) => "duplicate a row",
            SheetChange::Delete(_) => "delete rows",
        };
        self.changes(checked, target, label, std::slice::from_ref(change))
    }

    /// As [`Sheet::change`], several changes at once.
    ///
    /// # Errors
    /// Why one of them cannot be done, in a sentence.
    pub fn changes(
        &self,
        checked: &Checked,
        target: Option<&str>,
        label: &str,
        changes: &[SheetChange],
    ) -> Result<Vec<FileEdit>, String> {
        let Some(assembly) = &checked.compiled.assembly else {
            return Err("the game's manifest has to be mended first".into());
        };
        let entries = &assembly.tables;
        let Some(entry) = entries.iter().find(|e| e.item.decl.name.text == self.name) else {
            return Err(format!("there is no table `{}` any more", self.name));
        };
        let overlay = match target {
            Some(id) => Some(Overlay::of(checked, id, &entry.item)?),
            None => None,
        };
        let mut maker = Maker {
            sheet: self,
            checked,
            overlay,
            edits: BTreeMap::new(),
        };
        for change in changes {
            match change {
                SheetChange::Set(cells) => maker.set(cells)?,
                SheetChange::Paste { rows, column, text } => {
                    let cells = self.pasted(rows, *column, text)?;
                    maker.set(&cells)?;
                }
                SheetChange::Add(cells) => {
                    let known = cells.iter();
                    let cells =
                        known.filter_map(|(name, text)| Some((self.column(name)?, text.clone())));
                    maker.add(&cells.collect::<Vec<_>>())?;
                }
                SheetChange::Duplicate(row) => maker.duplicate(*row)?,
                SheetChange::Delete(rows) => maker.delete(rows)?,
            }
        }
        maker.finish(label)
    }

    fn pasted(
        &self,
        rows: &[usize],
        column: usize,
        text: &str,
    ) -> Result<Vec<(usize, usize, String)>, String> {
        let mut cells = Vec::new();
        for (down, line) in clipboard::lines(text)?.into_iter().enumerate() {
            let row = rows.get(down).ok_or_else(|| {
                let count = rows.len();
                format!("there are {count} rows from here on, and more lines: add rows first")
            })?;
            for (right, cell) in line.into_iter().enumerate() {
                if column + right >= self.columns.len() {
                    return Err(format!(
                        "line {} has a cell more than there are columns to the right",
                        down + 1
                    ));
                }
                cells.push((*row, column + right, cell));
            }
        }
        Ok(cells)
    }

    /// What a new row with these cells has to say and does not.
    pub(super) fn lacking<'a>(
        &'a self,
        cells: &'a [(usize, String)],
    ) -> impl Iterator<Item = &'a Column> {
        let said = |at: usize| {
            let mut cells = cells.iter();
            cells.any(|(column, text)| *column == at && !text.trim().is_empty())
        };
        let columns = self.columns.iter().enumerate();
        let lacking = columns.filter(move |(at, column)| column.required && !said(*at));
        lacking.map(|(_, column)| column)
    }

    /// Whether a text may stand in a column.
    pub(super) fn test(&self, column: &Column, text: &str) -> Result<(), String> {
        let name = &column.name;
        if text.is_empty() {
            return match column.optional || column.kind == CellKind::Text {
                true => Ok(()),
                false => Err(format!(
                    "`{name}` must not be empty: it is {}",
                    column.words
                )),
            };
        }
        match &column.kind {
            CellKind::Number { low, high } => {
                let number: i64 = text
                    .parse()
                    .map_err(|_| format!("`{text}` is no number; `{name}` is {}", column.words))?;
                let fits =
                    low.is_none_or(|low| number >= low) && high.is_none_or(|high| number <= high);
                match fits {
                    true => Ok(()),
                    false => Err(format!(
                        "{number} is out of range: `{name}` is {}",
                        column.words
                    )),
                }
            }
            CellKind::Choice { values, open } => {
                if *open || values.iter().any(|known| known == text) {
                    return Ok(());
                }
                let near = nearest(text, values.iter().map(String::as_str));
                let help = near.map_or_else(
                    || format!("it is {}", column.words),
                    |near| format!("did you mean `{near}`?"),
                );
                Err(format!("`{text}` is no value of `{name}`; {help}"))
            }
            CellKind::Code if text.starts_with(['{', '[']) => {
                readable(text).and_then(|()| known(column, text))
            }
            CellKind::Code if column.inside.iter().any(|name| name == text) => {
                let how = column.several.map(|several| several.example(text));
                Err(format!(
                    "`{text}` stands alone; {}",
                    how.unwrap_or_default()
                ))
            }
            CellKind::Text | CellKind::Code => Ok(()),
            CellKind::Parent => Err(format!("`{name}` is where the row stands in its file")),
        }
    }
}

/// Whether braces can be read.
fn readable(text: &str) -> Result<(), String> {
    let read = parse_expression(FileId(0), text, 0);
    match read.diagnostics.iter().find(|one| one.is_error()) {
        Some(wrong) => Err(format!(
            "`{text}` cannot be read: {}; a bag is written `{{red: 2, blue: 1}}`, a set `{{red, blue}}`",
            wrong.message
        )),
        None => Ok(()),
    }
}

/// Whether braces with plain names and numbers in them hold what may stand there.
fn known(column: &Column, text: &str) -> Result<(), String> {
    let plain = |sign: char| sign.is_alphanumeric() || " _:,{}[]-".contains(sign);
    if column.inside.is_empty() || !text.chars().all(plain) {
        return Ok(());
    }
    let parts = text.trim_matches(['{', '}', '[', ']', ' ']).split(',');
    let parts: Vec<&str> = parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let counted = |part: &&str| part.contains(':');
    let number = parts
        .iter()
        .find(|part| !counted(part) && part.parse::<i64>().is_ok());
    if let Some(number) = number.filter(|_| parts.iter().any(counted)) {
        return Err(format!(
            "`{number}` in `{text}` is the number of nothing: numbers are whole, and behind each name stands its own, as `{{red: 2, blue: 1}}`"
        ));
    }
    for part in parts {
        let name = part.split(':').next().unwrap_or_default().trim();
        let names = || column.inside.iter().map(String::as_str);
        if names().any(|known| known == name) {
            continue;
        }
        if let Some(near) = nearest(name, names()) {
            return Err(format!(
                "`{name}` does not belong into `{}`; did you mean `{near}`?",
                column.name
            ));
        }
    }
    Ok(())
}

/// Collects the edits of one change.
struct Maker<'a> {
    sheet: &'a Sheet,
    checked: &'a Checked,
    overlay: Option<Overlay<'a>>,
    edits: BTreeMap<FileId, Vec<Edit>>,
}

impl Maker<'_> {
    fn finish(mut self, label: &str) -> Result<Vec<FileEdit>, String> {
        if let Some(overlay) = self.overlay.take() {
            let file = overlay.file;
            self.edits
                .entry(file)
                .or_default()
                .extend(overlay.finish(&self.sheet.name));
        }
        let sources = &self.checked.sources;
        for (file, edits) in &self.edits {
            let path = &sources.file(*file).path;
            if path.ends_with(".toml") {
                toml_rows::test(sources.text(*file), edits)?;
            }
        }
        let edits = self
            .edits
            .into_iter()
            .filter(|(_, edits)| !edits.is_empty());
        let files = edits.map(|(file, edits)| FileEdit {
            file: sources.file(file).path.clone(),
            label: label.to_owned(),
            edits,
        });
        Ok(files.collect())
    }

    fn edit(&mut self, file: FileId, edit: Edit) {
        self.edits.entry(file).or_default().push(edit);
    }

    fn place(&self, row: usize, column: usize) -> Result<(), String> {
        match self.sheet.rows.get(row).filter(|row| row.removed.is_none()) {
            Some(row) if column < row.cells.len() => Ok(()),
            _ => Err("there is no such cell any more".into()),
        }
    }

    /// The row stands in the overlay that edits go to, or there is none.
    fn is_own(&self, row: usize) -> bool {
        let layer = &self.sheet.rows[row].layer;
        self.overlay
            .as_ref()
            .is_none_or(|overlay| overlay.id == *layer)
    }

    // ---------------------------------------------------------------------------------------------- cells

    fn set(&mut self, cells: &[(usize, usize, String)]) -> Result<(), String> {
        for (row, column, text) in cells {
            self.place(*row, *column)?;
            let kind = &self.sheet.columns[*column];
            let text = &kind.typed(text.trim());
            let cell = &self.sheet.rows[*row].cells[*column];
            if cell.text == *text {
                continue;
            }
            self.sheet.test(kind, text)?;
            match (&mut self.overlay, cell.below.is_some()) {
                (Some(overlay), _) if overlay.id != self.sheet.rows[*row].layer => {
                    overlay.patch(self.checked, &self.sheet.rows[*row], kind, cell, text)?;
                }
                // What an overlay patches is changed where the patch stands.
                (_, true) => self.set_patch(*row, *column, text)?,
                (_, false) => self.set_own(*row, *column, text)?,
            }
        }
        Ok(())
    }

    fn set_patch(&mut self, row: usize, column: usize, text: &str) -> Result<(), String> {
        let kind = &self.sheet.columns[column];
        if let Some(span) = self.sheet.rows[row].cells[column].span {
            let value = super::overlay::in_rules(kind, text)?;
            self.edit(span.file, replace(span, value));
        }
        Ok(())
    }

    fn set_own(&mut self, row: usize, column: usize, text: &str) -> Result<(), String> {
        let (line, kind) = (&self.sheet.rows[row], &self.sheet.columns[column]);
        let cell = &line.cells[column];
        let value = match line.written {
            Written::Line => super::overlay::in_rules(kind, text)?,
            Written::Section | Written::Inline => toml_rows::literal(kind, text),
        };
        if let Some(span) = cell.span {
            self.edit(span.file, replace(span, value));
            return Ok(());
        }
        let last = line
            .cells
            .iter()
            .filter_map(|cell| cell.span)
            .filter(|s| s.file == line.span.file);
        let last = last.max_by_key(|span| span.end);
        let (Some(last), name) = (last, &kind.name) else {
            return Err(format!(
                "row `{}` has no cell yet: write its key first",
                line.name
            ));
        };
        let text = self.checked.sources.text(last.file);
        match line.written {
            Written::Line => Err(format!(
                "row `{}` stands in a line without `{name}`: give the lines above it such a column",
                line.name
            )),
            Written::Inline => {
                self.edit(
                    last.file,
                    Edit::insert(last.end as usize, format!(", {name} = {value}")),
                );
                Ok(())
            }
            Written::Section => {
                let at = toml_rows::end_of_line(text, last.end as usize);
                self.edit(last.file, Edit::insert(at, format!("\n{name} = {value}")));
                Ok(())
            }
        }
    }

    // ---------------------------------------------------------------------------------------------- rows

    fn add(&mut self, cells: &[(usize, String)]) -> Result<(), String> {
        for (column, text) in cells {
            let Some(column) = self.sheet.columns.get(*column) else {
                return Err("there is no such column any more".into());
            };
            if column.kind != CellKind::Parent {
                self.sheet.test(column, text.trim())?;
            }
        }
        if let Some(column) = self.sheet.lacking(cells).next() {
            return Err(format!(
                "a row of `{}` needs its `{}`: it is {}",
                self.sheet.name, column.name, column.words
            ));
        }
        if self.overlay.is_some() && self.sheet.parent.is_some() {
            return Err("rows of a nested table stand in the file of the table above them".into());
        }
        let columns = &self.sheet.columns;
        let cells = cells.iter().map(|(at, text)| (&columns[*at], text.trim()));
        let cells: Vec<(&Column, &str)> = cells
            .filter(|(column, text)| column.kind != CellKind::Parent && !text.is_empty())
            .collect();
        if let Some(overlay) = &mut self.overlay {
            return overlay.add_row(&cells);
        }
        let last = self
            .sheet
            .rows
            .iter()
            .rev()
            .find(|row| row.written == Written::Section);
        let Some(last) = last else {
            return Err(format!(
                "`{}` has no row in a file yet that another could stand below",
                self.sheet.name
            ));
        };
        let region = self.region(last.span)?;
        let text = format!("\n[[{}]]\n{}", region.path, toml_rows::lines(&cells));
        self.insert_below(last.span.file, &region, &text);
        Ok(())
    }

    fn duplicate(&mut self, row: usize) -> Result<(), String> {
        self.place(row, 0)?;
        let line = &self.sheet.rows[row];
        let key = self
            .sheet
            .columns
            .iter()
            .position(|c| c.key && c.kind != CellKind::Parent);
        let name = key.map(|key| (key, self.free_name(key, &line.cells[key].text)));
        if self.overlay.is_none() && line.written == Written::Section {
            return self.duplicate_text(line.span, key, name);
        }
        let cells = line.cells.iter().enumerate();
        let mut cells: Vec<(usize, String)> = cells
            .filter(|(_, cell)| cell.span.is_some())
            .map(|(at, cell)| (at, cell.text.clone()))
            .collect();
        if let Some((key, name)) = name {
            cells.retain(|(at, _)| *at != key);
            cells.insert(0, (key, name));
        }
        self.add(&cells)
    }

    /// The row's text once more below it, comments and nested rows included.
    fn duplicate_text(
        &mut self,
        span: Span,
        key: Option<usize>,
        name: Option<(usize, String)>,
    ) -> Result<(), String> {
        let region = self.region(span)?;
        let text = self.checked.sources.text(span.file);
        let mut copy = text[region.start..region.end].trim_end().to_owned();
        let row = self.sheet.rows.iter().find(|row| row.span == span);
        if let (Some((key, name)), Some(at)) = (
            name,
            key.and_then(|key| row.and_then(|row| row.cells[key].span)),
        ) {
            let at = at.start as usize - region.start..at.end as usize - region.start;
            copy.replace_range(at, &toml_rows::literal(&self.sheet.columns[key], &name));
        }
        self.insert_below(span.file, &region, &format!("\n{copy}\n"));
        Ok(())
    }

    /// Behind a row, with one blank line between them.
    fn insert_below(&mut self, file: FileId, region: &Region, text: &str) {
        let all = self.checked.sources.text(file);
        let end = region.start + all[region.start..region.end].trim_end().len();
        let at = toml_rows::end_of_line(all, end);
        let text = text.trim_end_matches('\n');
        self.edit(file, Edit::insert(at, format!("\n{text}")));
        if at == all.len() {
            self.edit(file, Edit::insert(at, "\n"));
        }
    }

    fn delete(&mut self, rows: &[usize]) -> Result<(), String> {
        let goes = |row: &Row| rows.iter().any(|at| self.sheet.rows[*at].span == row.span);
        let blocks = rows.iter().filter_map(|at| self.block(*at, goes));
        let blocks: BTreeSet<(FileId, usize, usize)> = blocks.collect();
        for (file, start, end) in &blocks {
            self.edit(*file, Edit::new(*start..*end, ""));
        }
        for row in rows {
            self.place(*row, 0)?;
            let line = &self.sheet.rows[*row];
            if !self.is_own(*row) {
                if let Some(overlay) = &mut self.overlay {
                    overlay.remove_row(line)?;
                }
                continue;
            }
            let text = self.checked.sources.text(line.span.file);
            let range = match line.written {
                Written::Section => {
                    let region = self.region(line.span)?;
                    region.start..region.end
                }
                Written::Line => toml_rows::whole_lines(text, line.span),
                Written::Inline => toml_rows::list_item(text, line.span),
            };
            let inside = |(file, start, end): &(FileId, usize, usize)| {
                *file == line.span.file && *start <= range.start && range.end <= *end
            };
            if blocks.iter().any(inside) {
                continue;
            }
            self.edit(line.span.file, Edit::new(range, ""));
        }
        Ok(())
    }

    /// The lines from `rows …` on that a row of a rules file stands in, if all of its rows go: a head alone says nothing.
    fn block(&self, row: usize, goes: impl Fn(&Row) -> bool) -> Option<(FileId, usize, usize)> {
        let line = self.sheet.rows.get(row)?;
        if line.written != Written::Line || !self.is_own(row) {
            return None;
        }
        let file = line.span.file;
        let text = self.checked.sources.text(file);
        let begins = |at: usize| !text[at..].starts_with([' ', '\t', '\n', '\r']);
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
        let own = line.span.start as usize;
        let start = *starts.iter().rev().find(|at| **at <= own && begins(**at))?;
        let end = starts.iter().find(|at| **at > own && begins(**at));
        let end = end.map_or(text.len(), |at| *at);
        let inside =
            |row: &&Row| row.span.file == file && (start..end).contains(&(row.span.start as usize));
        let mut all = self.sheet.rows.iter().filter(inside);
        if !text[start..].starts_with("rows ") || !all.all(goes) {
            return None;
        }
        let span = Span::new(file, start, start + text[start..end].trim_end().len());
        let lines = super::overlay::gone(text, span);
        Some((file, lines.start, lines.end))
    }

    fn region(&self, span: Span) -> Result<Region, String> {
        let text = self.checked.sources.text(span.file);
        toml_rows::region(text, span.start as usize).ok_or_else(|| {
            let path = &self.checked.sources.file(span.file).path;
            format!("`{path}` has to be mended first: it cannot be read as TOML")
        })
    }

    /// `berlin-2`, or the next number.
    fn free_name(&self, key: usize, name: &str) -> String {
        let taken = |name: &str| {
            self.sheet
                .rows
                .iter()
                .any(|row| row.cells[key].text == name)
        };
        if let CellKind::Number { .. } = self.sheet.columns[key].kind {
            let numbers = self
                .sheet
                .rows
                .iter()
                .filter_map(|row| row.cells[key].text.parse().ok());
            let most: i64 = numbers.max().unwrap_or(0);
            return (most + 1).to_string();
        }
        // Names that the rules use as words stay words.
        let joint = if name.contains('-') { '-' } else { '_' };
        let mut numbers = (2..).map(|number| format!("{name}{joint}{number}"));
        let free = numbers.find(|name| !taken(name));
        free.unwrap_or_default()
    }
}

fn replace(span: Span, text: String) -> Edit {
    Edit::new(span.start as usize..span.end as usize, text)
}
