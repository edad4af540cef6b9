//! Sheets as Excel, LibreOffice and Numbers keep them: workbooks of one sheet each.
//!
//! Numbers go out as numbers, all else as text that stays text: no spreadsheet makes a date of `1-2` then.

use super::csv::{Lines, Reading, Trouble};
use super::{CellKind, Sheet};
use crate::workshop::checker::Checked;
use ::csv::StringRecord;
use calamine::{Data, DataRef, Reader, Xlsx, XlsxError as XlsxReadError};
use interpreter::words::listed;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

/// Bytes that a workbook may have when it is unpacked.
const UNPACKED_MAX: u64 = 128 << 20;
/// Cells that are read of it.
const CELLS_MAX: usize = 200_000;
/// No column of a table stands further right.
const COLUMNS_MAX: u32 = 1_000;
/// From here on a number is written with a power of ten.
const DIGITS_MAX: f64 = 1e15;
/// Width of columns, in letters.
const WIDTHS: std::ops::RangeInclusive<usize> = 8..=40;

impl Sheet {
    /// All rows that there are, as in [`Sheet::to_csv`], as a workbook. The same table makes the same bytes.
    ///
    /// # Errors
    /// Why it cannot be one, in a sentence.
    pub fn to_xlsx(&self) -> Result<Vec<u8>, String> {
        self.workbook()
            .map_err(|error| format!("`{}` cannot be a workbook: {error}", self.name))
    }

    fn workbook(&self) -> Result<Vec<u8>, XlsxError> {
        let mut book = Workbook::new();
        // No clock goes into it.
        let day = ExcelDateTime::from_ymd(2000, 1, 1)?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&day));
        let (bold, text) = (Format::new().set_bold(), Format::new().set_num_format("@"));
        let sheet = book.add_worksheet();
        // Spreadsheets have names of 31 letters at most; an import finds a sheet by the table's name, or the only one.
        if self.name.chars().count() <= 31 {
            sheet.set_name(&self.name)?;
        }
        sheet.set_freeze_panes(1, 0)?;
        let rows: Vec<_> = self
            .rows
            .iter()
            .filter(|row| row.removed.is_none())
            .collect();
        for (at, column) in (0u16..).zip(&self.columns) {
            let is_number = matches!(column.kind, CellKind::Number { .. });
            let cells = || rows.iter().filter_map(|row| row.cells.get(usize::from(at)));
            let longest = cells().map(|cell| cell.text.chars().count()).max();
            let width = longest.unwrap_or(0).max(column.name.chars().count()) + 2;
            sheet.set_column_width(at, width.clamp(*WIDTHS.start(), *WIDTHS.end()) as f64)?;
            if !is_number {
                sheet.set_column_format(at, &text)?;
            }
            sheet.write_string_with_format(0, at, column.name.as_str(), &bold)?;
            for (row, cell) in (1u32..).zip(cells()) {
                match cell.text.parse::<i32>() {
                    Ok(number) if is_number => sheet.write_number(row, at, number)?,
                    _ if cell.text.is_empty() => continue,
                    _ => sheet.write_string_with_format(row, at, cell.text.as_str(), &text)?,
                };
            }
        }
        book.save_to_buffer()
    }

    /// As [`Sheet::read_csv`], of a workbook: its sheet with the table's name, or its only one.
    ///
    /// # Errors
    /// All that cannot be read; then there are no edits at all.
    pub fn read_xlsx(
        &self,
        checked: &Checked,
        target: Option<&str>,
        bytes: &[u8],
        remove: bool,
    ) -> Result<Reading, Vec<Trouble>> {
        let lines = lines(&self.name, bytes).map_err(|message| {
            vec![Trouble {
                line: 0,
                column: String::new(),
                message,
            }]
        })?;
        self.read_lines(checked, target, &lines, remove)
    }
}

/// A workbook in memory.
type Book<'b> = Xlsx<Cursor<&'b [u8]>>;

/// Of what is wrong inside of a workbook nothing can be mended by hand.
fn broken(_: &XlsxReadError) -> String {
    "this is no workbook that can be read, a part of it is missing or damaged: open it in a spreadsheet and save it as .xlsx"
        .to_owned()
}

/// The lines of the sheet that is called so, or of the only one that has any.
fn lines(table: &str, bytes: &[u8]) -> Result<Lines, String> {
    let notes = look_into(bytes)?;
    let mut book: Book<'_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let name = sheet_of(&mut book, table)?;
    let mut lines = Lines {
        notes,
        ..Lines::default()
    };
    let mut found = Found::default();
    values(&mut book, &name, &mut lines, &mut found)?;
    formulas(&mut book, &name, &mut lines, &mut found)?;
    for ((line, place), text) in found.0 {
        if lines.records.last().is_none_or(|(last, _)| *last != line) {
            lines.records.push((line, StringRecord::new()));
        }
        if let Some((_, record)) = lines.records.last_mut() {
            while record.len() < place {
                record.push_field("");
            }
            record.push_field(&text);
        }
    }
    Ok(lines)
}

/// What stands in the cells of a sheet that are not empty: by the number of the line, from 1, and the place in it.
#[derive(Default)]
struct Found(BTreeMap<(u64, usize), String>);

impl Found {
    /// Where a cell lies.
    ///
    /// # Errors
    /// If the sheet is too large to be read.
    fn place(&self, sheet: &str, (row, column): (u32, u32)) -> Result<(u64, usize), String> {
        match self.0.len() < CELLS_MAX && column < COLUMNS_MAX {
            true => Ok((u64::from(row) + 1, column as usize)),
            false => Err(format!(
                "the sheet `{sheet}` is too large: {CELLS_MAX} cells in {COLUMNS_MAX} columns are read at most"
            )),
        }
    }
}

fn values(
    book: &mut Book<'_>,
    name: &str,
    lines: &mut Lines,
    found: &mut Found,
) -> Result<(), String> {
    let cells = book.worksheet_cells_reader(name);
    let mut cells = cells.map_err(|error| broken(&error))?;
    while let Some(cell) = cells.next_cell().map_err(|error| broken(&error))? {
        if matches!(cell.get_value(), DataRef::Empty) {
            continue;
        }
        let at = found.place(name, cell.get_position())?;
        let (text, is_date) = text(cell.get_value());
        if is_date {
            lines.dates.insert(at);
        }
        found.0.insert(at, text);
    }
    Ok(())
}

/// Formulas in cells that have no value.
fn formulas(
    book: &mut Book<'_>,
    name: &str,
    lines: &mut Lines,
    found: &mut Found,
) -> Result<(), String> {
    let cells = book.worksheet_cells_reader(name);
    let mut cells = cells.map_err(|error| broken(&error))?;
    while let Some(cell) = cells.next_formula().map_err(|error| broken(&error))? {
        let formula = cell.get_value();
        let at = found.place(name, cell.get_position())?;
        if !formula.is_empty() && !found.0.contains_key(&at) {
            lines.uncomputed.insert(at);
            found.0.insert(at, format!("={formula}"));
        }
    }
    Ok(())
}

/// The sheet that is meant: it is called as the table, or no other one has anything on it.
fn sheet_of(book: &mut Book<'_>, table: &str) -> Result<String, String> {
    let names = book.sheet_names();
    if let Some(own) = names.iter().find(|name| **name == table) {
        return Ok(own.clone());
    }
    let mut filled: Vec<&String> = Vec::new();
    for name in &names {
        // What is no sheet of cells, as a chart, is passed over.
        let first = book
            .worksheet_cells_reader(name)
            .and_then(|mut cells| cells.next_cell().map(|cell| cell.is_some()));
        if matches!(first, Ok(true)) {
            filled.push(name);
        }
    }
    match (filled.as_slice(), names.first()) {
        ([only], _) => Ok((*only).clone()),
        ([], Some(first)) => Ok(first.clone()),
        ([], None) => Err("the workbook has no sheet".to_owned()),
        (several, _) => {
            let named = several.iter().map(|name| format!("`{name}`"));
            let named: Vec<String> = named.collect();
            Err(format!(
                "the workbook has the sheets {}, and none is called `{table}`: call the one that is meant so",
                listed(&named, "and")
            ))
        }
    }
}

/// Whether a file is a workbook, by its name.
pub fn is_workbook(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("xlsx"))
}

/// Whether a workbook has notes on cells.
///
/// # Errors
/// If it is none, or is too large: a small file may hold a very large one.
fn look_into(bytes: &[u8]) -> Result<bool, String> {
    if bytes.is_empty() {
        return Err("the file is empty, and so no workbook".to_owned());
    }
    let Ok(mut parts) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        return Err("this is no workbook: save it as .xlsx (Excel workbook)".to_owned());
    };
    let (mut whole, mut notes) = (0_u64, false);
    for at in 0..parts.len() {
        let part = parts.by_index_raw(at).map_err(|error| error.to_string())?;
        whole = whole.saturating_add(part.size());
        let name = part.name().map_err(|error| error.to_string())?;
        notes |= name.to_ascii_lowercase().contains("comments");
    }
    match whole > UNPACKED_MAX {
        true => Err(format!(
            "the workbook is larger than {} MB",
            UNPACKED_MAX >> 20
        )),
        false => Ok(notes),
    }
}

/// What stands in a cell, and whether it is a date.
fn text(cell: &DataRef) -> (String, bool) {
    match cell {
        // As spreadsheets show it: with fifteen digits, and without what is nought behind the point.
        DataRef::Float(number) => (shown(*number), false),
        DataRef::DateTime(day) => {
            let (year, month, day, ..) = day.to_ymd_hms_milli();
            (format!("{year:04}-{month:02}-{day:02}"), true)
        }
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => (text.clone(), true),
        DataRef::Empty => (String::new(), false),
        other => (Data::from(other.clone()).to_string(), false),
    }
}

/// A number as spreadsheets show it: 3.0000000000000004, which 0.1 times 30 comes to, is 3.
fn shown(number: f64) -> String {
    let digits = format!("{number:.14e}").parse::<f64>();
    let number = digits.unwrap_or(number);
    match number.abs() < DIGITS_MAX {
        true => number.to_string(),
        false => format!("{number:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(write: impl Fn(&mut rust_xlsxwriter::Worksheet)) -> Result<Lines, String> {
        let mut book = Workbook::new();
        book.add_worksheet();
        write(book.add_worksheet().set_name("stone").expect("a name"));
        lines("stone", &book.save_to_buffer().expect("a workbook"))
    }

    /// The same parts, with another text in the sheet.
    fn replaced(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
        let mut parts = zip::ZipArchive::new(Cursor::new(bytes)).expect("parts");
        let mut made = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for at in 0..parts.len() {
            let mut part = parts.by_index(at).expect("a part");
            let mut text = String::new();
            std::io::Read::read_to_string(&mut part, &mut text).expect("a text");
            let options = zip::write::SimpleFileOptions::default()
                .compression_method(zip::CompressionMethod::Stored);
            let name = part.name().expect("a name").into_owned();
            made.start_file(name, options).expect("begun");
            let text = text.replace(old, new);
            std::io::Write::write_all(&mut made, text.as_bytes()).expect("written");
        }
        made.finish().expect("a workbook").into_inner()
    }

    #[test]
    fn formulas_without_a_value_and_notes_are_known() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        let note = rust_xlsxwriter::Note::new("why so few?");
        sheet.write_string(0, 0, "id").expect("written");
        sheet.insert_note(0, 0, &note).expect("written");
        let formula = rust_xlsxwriter::Formula::new("=1+2").set_result("3");
        sheet.write_formula(2, 1, formula).expect("written");
        let computed = book.save_to_buffer().expect("a workbook");
        let found = lines("stone", &computed).expect("it is read");
        assert!(found.notes && found.uncomputed.is_empty());
        let left = replaced(&computed, "<v>3</v>", "");
        let found = lines("stone", &left).expect("it is read");
        assert_eq!(found.uncomputed.into_iter().collect::<Vec<_>>(), [(3, 1)]);
        let record: Vec<&str> = found.records[1].1.iter().collect();
        assert_eq!(record, ["", "=1+2"]);
    }

    #[test]
    fn of_several_sheets_one_is_called_as_the_table() {
        let made = |names: &[&str]| {
            let mut book = Workbook::new();
            for name in names {
                let sheet = book.add_worksheet().set_name(*name).expect("a name");
                sheet.write_string(0, 0, *name).expect("written");
            }
            let read = lines("stone", &book.save_to_buffer().expect("a workbook"));
            read.map(|lines| lines.records[0].1.get(0).unwrap_or_default().to_owned())
        };
        assert_eq!(made(&["any"]), Ok("any".to_owned()));
        assert_eq!(made(&["any", "stone"]), Ok("stone".to_owned()));
        let why = made(&["one", "two"]).expect_err("which?");
        assert!(why.contains("the sheets `one` and `two`"), "{why}");
    }

    #[test]
    fn cells_are_texts_and_dates_are_known() {
        let found = read(|sheet| {
            let day = ExcelDateTime::from_ymd(2026, 2, 1).expect("a day");
            let format = Format::new().set_num_format("d-mmm");
            sheet.write_string(0, 0, "id").expect("written");
            sheet
                .write_number(2, 0, 3.000_000_000_000_000_4)
                .expect("written");
            sheet.write_number(2, 1, 3.5).expect("written");
            sheet.write_boolean(2, 2, true).expect("written");
            let dated = sheet.write_datetime_with_format(2, 3, &day, &format);
            dated.expect("written");
            sheet.write_string(2, 4, "1-2").expect("written");
        });
        let found = found.expect("it is read");
        let records: Vec<(u64, Vec<&str>)> = found
            .records
            .iter()
            .map(|(line, record)| (*line, record.iter().collect()))
            .collect();
        let row = vec!["3", "3.5", "true", "2026-02-01", "1-2"];
        assert_eq!(records, [(1, vec!["id"]), (3, row)]);
        assert_eq!(found.dates.into_iter().collect::<Vec<_>>(), [(3, 3)]);
    }

    #[test]
    fn what_is_no_workbook_is_told() {
        for bytes in [b"id,points\n".as_slice(), b"", b"PK\x03\x04"] {
            assert!(
                lines("stone", bytes)
                    .expect_err("a reason")
                    .contains("workbook")
            );
        }
    }
}
