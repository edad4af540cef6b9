//! Sheets as Excel, LibreOffice and Numbers keep them: workbooks of one sheet each.
//!
//! Numbers go out as numbers, all else as text that stays text: no spreadsheet makes a date of `1-2` then.

use super::csv::{Lines, Reading, Trouble};
use super::{CellKind, Sheet};
use crate::workshop::checker::Checked;
use ::csv::StringRecord;
use calamine::{Data, DataRef, Reader, Xlsx};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};
use std::io::Cursor;
use std::path::Path;

/// Bytes that a workbook may have when it is unpacked.
const UNPACKED_MAX: u64 = 128 << 20;
/// Cells that are read of it.
const CELLS_MAX: usize = 200_000;
/// No column of a table stands further right.
const COLUMNS_MAX: u32 = 1_000;
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

    /// As [`Sheet::read_csv`], of a workbook: its sheet with the table's name, or its first one.
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

/// The lines of the sheet that is called so, or of the first one.
fn lines(table: &str, bytes: &[u8]) -> Result<Lines, String> {
    let broken = |why: String| {
        format!("this is no workbook that can be read ({why}); save it again as .xlsx")
    };
    is_small(bytes)?;
    let mut book: Xlsx<_> =
        Xlsx::new(Cursor::new(bytes)).map_err(|error| broken(error.to_string()))?;
    let names = book.sheet_names();
    let own = names.iter().find(|name| **name == table);
    let Some(name) = own.or(names.first()).cloned() else {
        return Err("the workbook has no sheet".to_owned());
    };
    let mut cells = book
        .worksheet_cells_reader(&name)
        .map_err(|error| broken(error.to_string()))?;
    let mut lines = Lines::default();
    let mut line: (u64, Vec<String>) = (0, Vec::new());
    let mut read = 0;
    while let Some(cell) = cells
        .next_cell()
        .map_err(|error| broken(error.to_string()))?
    {
        let (row, column) = cell.get_position();
        read += 1;
        if read > CELLS_MAX || column >= COLUMNS_MAX {
            return Err(format!(
                "the sheet `{name}` is too large: {CELLS_MAX} cells in {COLUMNS_MAX} columns are read at most"
            ));
        }
        let (number, place) = (u64::from(row) + 1, column as usize);
        if line.0 != number {
            lines
                .records
                .push((line.0, StringRecord::from(std::mem::take(&mut line.1))));
            line.0 = number;
        }
        let (text, is_date) = text(cell.get_value());
        if is_date {
            lines.dates.insert((number, place));
        }
        line.1.resize(line.1.len().max(place + 1), String::new());
        line.1[place] = text;
    }
    lines.records.push((line.0, StringRecord::from(line.1)));
    lines.records.retain(|(_, record)| !record.is_empty());
    Ok(lines)
}

/// Whether a file is a workbook, by its name.
pub fn is_workbook(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("xlsx"))
}

/// A small file may hold a very large one.
fn is_small(bytes: &[u8]) -> Result<(), String> {
    let Ok(mut parts) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        return Err("this is no workbook: save it as .xlsx (Excel workbook)".to_owned());
    };
    let mut whole: u64 = 0;
    for at in 0..parts.len() {
        let part = parts.by_index_raw(at).map_err(|error| error.to_string())?;
        whole = whole.saturating_add(part.size());
    }
    match whole > UNPACKED_MAX {
        true => Err(format!(
            "the workbook is larger than {} MB",
            UNPACKED_MAX >> 20
        )),
        false => Ok(()),
    }
}

/// What stands in a cell, and whether it is a date.
fn text(cell: &DataRef) -> (String, bool) {
    match cell {
        // A number is the same whether it has a part behind the point that is nought or not.
        DataRef::Float(number) => (number.to_string(), false),
        DataRef::DateTime(day) => {
            let (year, month, day, ..) = day.to_ymd_hms_milli();
            (format!("{year:04}-{month:02}-{day:02}"), true)
        }
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => (text.clone(), true),
        DataRef::Empty => (String::new(), false),
        other => (Data::from(other.clone()).to_string(), false),
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

    #[test]
    fn cells_are_texts_and_dates_are_known() {
        let found = read(|sheet| {
            let day = ExcelDateTime::from_ymd(2026, 2, 1).expect("a day");
            let format = Format::new().set_num_format("d-mmm");
            sheet.write_string(0, 0, "id").expect("written");
            sheet.write_number(2, 0, 3.0).expect("written");
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
