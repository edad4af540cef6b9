//! Sheets as spreadsheets read and write them: values parted by commas, semicolons or tabs.
//!
//! What a spreadsheet makes of a text that it takes for something else is found and told; it is never guessed what stood there.

use super::{CellKind, Column, FileEdit, Sheet, SheetChange};
use crate::workshop::checker::Checked;
use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use dsl::diagnostic::suggest::nearest;
use dsl::ir::number::{GREATEST, LEAST};
use interpreter::words::listed;
use std::collections::BTreeSet;

/// Signs that may part the cells of a line.
pub const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Numbers of the language.
const NUMBERS: std::ops::RangeInclusive<i64> = LEAST as i64..=GREATEST as i64;
/// Troubles that are told at once.
const TOLD_MAX: usize = 20;

/// Something that cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Line of the file, from 1; 0: it is about all of it.
    pub line: u64,
    /// Name of the column; empty: it is about the whole line.
    pub column: String,
    /// A sentence without full stop.
    pub message: String,
}

/// What a file comes to.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub edits: Vec<FileEdit>,
    /// Cells that get another value.
    pub set: usize,
    /// Rows that are new: by name, or by their number where they have none.
    pub added: Vec<String>,
    /// Rows of the table that the file does not have: by name.
    pub missing: Vec<String>,
    /// Values that no cell had before, in columns where a new one makes a new member.
    pub fresh: Vec<Fresh>,
    /// There are notes on cells, which are not read.
    pub notes: bool,
}

/// A value that is new in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    pub column: String,
    pub value: String,
    /// One of those that there were that it may be misspelt from.
    pub near: Option<String>,
}

impl Sheet {
    /// All rows that there are, below a line with the names of the columns. Where a row stands below another one, its column
    /// says below which.
    pub fn to_csv(&self, delimiter: u8) -> String {
        let mut writer = WriterBuilder::new()
            .delimiter(delimiter)
            .from_writer(Vec::new());
        let head = self.columns.iter().map(|column| column.name.as_str());
        // Writing into memory does not fail.
        let _ = writer.write_record(head);
        for row in self.rows.iter().filter(|row| row.removed.is_none()) {
            let _ = writer.write_record(row.cells.iter().map(|cell| cell.text.as_str()));
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// The edits that make the table what a file says. Rows are known by their keys, or without keys by their order; a column
    /// that the file does not have stays as it is. `target`: as in [`Sheet::change`]; `remove`: rows that the file does not have
    /// are taken away.
    ///
    /// # Errors
    /// All that cannot be read; then there are no edits at all.
    pub fn read_csv(
        &self,
        checked: &Checked,
        target: Option<&str>,
        text: &str,
        remove: bool,
    ) -> Result<Reading, Vec<Trouble>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = lines(self, text).map_err(|trouble| vec![trouble])?;
        self.read_lines(checked, target, &lines, remove)
    }

    /// As [`Sheet::read_csv`], of lines that have been parted into cells.
    pub(super) fn read_lines(
        &self,
        checked: &Checked,
        target: Option<&str>,
        lines: &Lines,
        remove: bool,
    ) -> Result<Reading, Vec<Trouble>> {
        let mut reader = Reader {
            sheet: self,
            lines,
            troubles: Vec::new(),
            columns: Vec::new(),
            seen: vec![false; self.rows.len()],
            set: Vec::new(),
            added: Vec::new(),
            in_rules: target.is_some(),
            removes: remove,
        };
        reader.read(&lines.records);
        if !reader.troubles.is_empty() {
            reader.troubles.truncate(TOLD_MAX);
            return Err(reader.troubles);
        }
        let rows = self.rows.iter().zip(&reader.seen).enumerate();
        let missing = rows.filter(|(_, (row, seen))| !**seen && row.removed.is_none());
        let missing: Vec<(usize, String)> = missing
            .map(|(at, (row, _))| (at, row.name.clone()))
            .collect();
        let mut reading = Reading {
            edits: Vec::new(),
            set: reader.set.len(),
            added: reader.added.iter().map(|(name, _)| name.clone()).collect(),
            missing: missing.iter().map(|(_, name)| name.clone()).collect(),
            fresh: reader.fresh(),
            notes: lines.notes,
        };
        let mut changes = vec![SheetChange::Set(reader.set)];
        let named = |cells: Vec<(usize, String)>| {
            let cells = cells.into_iter();
            let cells = cells.map(|(at, text)| (self.columns[at].name.clone(), text));
            SheetChange::Add(cells.collect())
        };
        changes.extend(reader.added.into_iter().map(|(_, cells)| named(cells)));
        if remove {
            let rows = missing.into_iter().map(|(at, _)| at).collect();
            changes.push(SheetChange::Delete(rows));
        }
        let edits = self.changes(checked, target, "take over a file", &changes);
        reading.edits = edits.map_err(|message| {
            vec![Trouble {
                line: 0,
                column: String::new(),
                message,
            }]
        })?;
        Ok(reading)
    }
}

/// A file, parted into cells.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Each with its number in the file, from 1.
    pub records: Vec<(u64, StringRecord)>,
    /// Cells that are dates and nothing else: number of the line, and place in it.
    pub dates: BTreeSet<(u64, usize)>,
    /// Formulas that stand there without what they come to.
    pub uncomputed: BTreeSet<(u64, usize)>,
    /// Somebody has written notes on cells, which are not read.
    pub notes: bool,
}

/// The lines of a text.
fn lines(sheet: &Sheet, text: &str) -> Result<Lines, Trouble> {
    let trouble = |line: u64, message: &str| Trouble {
        line,
        column: String::new(),
        message: message.to_owned(),
    };
    // Excel's own line, which says what parts cells.
    let told = text
        .get(..4)
        .filter(|word| word.eq_ignore_ascii_case("sep="));
    let told = told.and_then(|_| text.lines().next());
    let (text, above) = match told.filter(|line| line.chars().count() == 5) {
        Some(line) => (text[line.len()..].trim_start_matches(['\r', '\n']), 1),
        None => (text, 0),
    };
    // Within quotes two stand for one, so there are always pairs.
    if !text.matches('"').count().is_multiple_of(2) {
        let last = text.rfind('"').unwrap_or_default();
        let line = above + 1 + text[..last].matches('\n').count() as u64;
        let message = "a quote stands alone: what is opened by one is closed by one, and a quote in a cell is written twice";
        return Err(trouble(line, message));
    }
    let delimiter = delimiter(sheet, text);
    if let Some(at) = behind_quotes(text, char::from(delimiter)) {
        let line = above + 1 + text[..at].matches('\n').count() as u64;
        let message =
            "letters stand behind the quote that closes a cell: a quote in a cell is written twice";
        return Err(trouble(line, message));
    }
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut lines = Lines::default();
    // Counted here: where lines end with two signs, the reader says that one begins before the second.
    let (mut line, mut counted) = (above + 1, 0);
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map_or(0, |place| above + place.line());
            trouble(line, "this line cannot be read")
        })?;
        let begin = record.position().map_or(0, csv::Position::byte) as usize;
        let blank = text.as_bytes()[begin..].iter();
        let begin = begin + blank.take_while(|sign| b"\r\n".contains(sign)).count();
        let part = &text[counted..begin];
        let ends = |sign: &str| part.matches(sign).count() as u64;
        line += ends("\n") + ends("\r") - ends("\r\n");
        counted = begin;
        lines.records.push((line, record));
    }
    Ok(lines)
}

/// Where something stands behind a closing quote that belongs to no other cell.
fn behind_quotes(text: &str, delimiter: char) -> Option<usize> {
    let mut signs = text.char_indices().peekable();
    let mut begins = true;
    while let Some((_, sign)) = signs.next() {
        if sign != '"' || !begins {
            begins = sign == delimiter || matches!(sign, '\r' | '\n');
            continue;
        }
        // To the quote that closes the cell; two stand for one.
        loop {
            let quote = signs.find(|(_, sign)| *sign == '"');
            if quote.is_none() || signs.next_if(|(_, sign)| *sign == '"').is_none() {
                break;
            }
        }
        let next = signs.peek().copied();
        let ends = |sign: char| sign == delimiter || matches!(sign, '\r' | '\n');
        if let Some((at, sign)) = next
            && !ends(sign)
        {
            return Some(at);
        }
        begins = false;
    }
    None
}

struct Reader<'s> {
    sheet: &'s Sheet,
    lines: &'s Lines,
    troubles: Vec<Trouble>,
    /// Of each cell of a line, the column it is of.
    columns: Vec<usize>,
    /// Rows that the file has.
    seen: Vec<bool>,
    set: Vec<(usize, usize, String)>,
    /// New rows, by name.
    added: Vec<(String, Vec<(usize, String)>)>,
    /// All of it is written into an overlay.
    in_rules: bool,
    /// Rows that the file does not have are taken away.
    removes: bool,
}

impl Reader<'_> {
    fn trouble(&mut self, line: u64, column: &str, message: impl Into<String>) {
        self.troubles.push(Trouble {
            line,
            column: column.to_owned(),
            message: message.into(),
        });
    }

    fn read(&mut self, records: &[(u64, StringRecord)]) {
        let mut head = false;
        // Without keys, rows are known by their order.
        let mut number = 0;
        for (line, record) in records {
            let line = *line;
            if record.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            if !head {
                head = true;
                self.head(line, record);
                if !self.troubles.is_empty() {
                    return;
                }
                continue;
            }
            self.row(line, number, record);
            number += 1;
        }
        // Rows go one by one: a table without any is hardly meant.
        if head && number == 0 && self.removes && !self.sheet.rows.is_empty() {
            let message =
                "below the names of the columns there are no rows: `--remove` would take all away";
            self.trouble(0, "", message);
        }
        if !head {
            let names: Vec<&str> = self.sheet.columns.iter().map(|c| c.name.as_str()).collect();
            let message = format!(
                "the file is empty: its first line holds the names of the columns, as `{}`",
                names.join(",")
            );
            self.trouble(0, "", message);
        }
    }

    fn head(&mut self, line: u64, record: &StringRecord) {
        let sheet = self.sheet;
        // Spreadsheets keep columns in which nothing stands any more.
        let names = record.iter().enumerate();
        let named = names.filter(|(_, name)| !name.trim().is_empty()).last();
        for (at, name) in record
            .iter()
            .enumerate()
            .take(named.map_or(0, |(last, _)| last + 1))
        {
            let name = name.trim();
            if name.is_empty() {
                let message = format!(
                    "column {} has no name: the first line holds the names of the columns",
                    at + 1
                );
                self.trouble(line, "", message);
                continue;
            }
            match sheet.column(name) {
                Some(at) if self.columns.contains(&at) => {
                    self.trouble(line, name, "this column is there twice");
                }
                Some(at) => self.columns.push(at),
                None => {
                    let names = || sheet.columns.iter().map(|column| column.name.as_str());
                    let help = match nearest(name, names()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
                    };
                    let message = format!("`{}` has no column `{name}`; {help}", sheet.name);
                    self.trouble(line, "", message);
                }
            }
        }
        let keys = sheet.columns.iter().enumerate();
        let keys = keys.filter(|(_, column)| column.key && column.kind != CellKind::Parent);
        for (at, key) in keys {
            if !self.columns.contains(&at) {
                let message = format!(
                    "the column `{}` is missing: by it the rows are known",
                    key.name
                );
                self.trouble(line, "", message);
            }
        }
    }

    fn row(&mut self, line: u64, number: usize, record: &StringRecord) {
        let sheet = self.sheet;
        if let Some(more) = record
            .iter()
            .skip(self.columns.len())
            .find(|c| !c.is_empty())
        {
            let message = format!(
                "`{more}` stands in no column: the line has more cells than the first one; a cell with the sign that parts \
                 cells in it stands in quotes"
            );
            return self.trouble(line, "", message);
        }
        let cells: Vec<(usize, String)> = self
            .columns
            .iter()
            .zip(record)
            .map(|(at, text)| (*at, text.replace("\r\n", "\n").trim().to_owned()))
            .collect();
        let known = self.known(number, &cells);
        let told_before = self.troubles.len();
        let mut read = Vec::new();
        for (place, (at, text)) in cells.into_iter().enumerate() {
            let column = &sheet.columns[at];
            let told = match (line, place) {
                cell if self.lines.dates.contains(&cell) => Some(date(&text)),
                cell if self.lines.uncomputed.contains(&cell) => Some(uncomputed(&text)),
                _ => None,
            };
            if let Some(told) = told {
                self.trouble(line, &column.name, told);
                continue;
            }
            let old = known.map(|row| sheet.rows[row].cells[at].text.as_str());
            // What is left empty is what a new row would have there; a text may be empty.
            let filled = column.optional || column.kind == CellKind::Text;
            let text = match &column.default {
                Some(default) if text.is_empty() && !filled && old.is_some() => {
                    column.typed(default)
                }
                _ => text,
            };
            let same = old.is_some_and(|old| old.replace("\r\n", "\n").trim() == text);
            if same || old.is_none() && text.is_empty() && !column.key {
                continue;
            }
            let meant = meant(column, &text, old);
            let tested = meant.and_then(|text| match column.kind {
                CellKind::Parent if known.is_none() => Ok(text),
                CellKind::Text | CellKind::Choice { .. }
                    if column.key && known.is_none() && text.is_empty() =>
                {
                    Err("a row is known by it: it must not be empty".to_owned())
                }
                _ => sheet.test(column, &text).map(|()| text),
            });
            // In a rules file not every text can stand.
            let tested = tested.and_then(|text| match self.in_rules {
                true => super::overlay::in_rules(column, &text).map(|_| text),
                false => Ok(text),
            });
            match tested {
                Ok(text) if old == Some(text.as_str()) => {}
                Ok(text) => read.push((at, text)),
                Err(message) => self.trouble(line, &column.name, message),
            }
        }
        match known {
            Some(row) if self.seen[row] => {
                let message = format!("the row `{}` is there twice", sheet.rows[row].name);
                self.trouble(line, "", message);
            }
            Some(row) => {
                self.seen[row] = true;
                let cells = read.into_iter().map(|(at, text)| (row, at, text));
                self.set.extend(cells);
            }
            None => {
                // What could not be read is not lacking.
                let whole = self.troubles.len() == told_before;
                let lacking: Vec<&Column> = sheet.lacking(&read).filter(|_| whole).collect();
                let keys = read.iter().filter(|(at, _)| sheet.columns[*at].key);
                let keys: Vec<&str> = keys.map(|(_, text)| text.as_str()).collect();
                let near = keys
                    .first()
                    .filter(|_| keys.len() == 1 && !lacking.is_empty());
                let near = near.and_then(|name| self.near(name));
                let needed = lacking.iter().map(|column| format!("`{}`", column.name));
                let needed: Vec<String> = needed.collect();
                if let Some((name, near)) = keys.first().zip(near) {
                    let message = format!(
                        "`{}` has no row `{name}`; did you mean `{near}`? A new row needs {} too",
                        sheet.name,
                        listed(&needed, "and")
                    );
                    return self.trouble(line, "", message);
                }
                for lacking in lacking {
                    let message = format!("a new row needs it: it is {}", lacking.words);
                    self.trouble(line, &lacking.name, message);
                }
                let name = match keys.is_empty() {
                    true => (number + 1).to_string(),
                    false => keys.join(", "),
                };
                self.added.push((name, read));
            }
        }
    }

    /// The row whose name is near to one that none has; where only large and small letters differ, that one.
    fn near(&self, name: &str) -> Option<String> {
        let rows = self.sheet.rows.iter().filter(|row| row.removed.is_none());
        let names = || rows.clone().map(|row| row.name.as_str());
        let alike = names().find(|other| other.to_lowercase() == name.to_lowercase());
        let near = alike.or_else(|| nearest(name, names()));
        near.map(str::to_owned)
    }

    /// Values that make new members, each once.
    fn fresh(&self) -> Vec<Fresh> {
        let set = self.set.iter().map(|(_, at, text)| (*at, text));
        let added = self.added.iter().flat_map(|(_, cells)| cells);
        let added = added.map(|(at, text)| (*at, text));
        let mut found: Vec<Fresh> = Vec::new();
        for (at, text) in set.chain(added) {
            let column = &self.sheet.columns[at];
            let CellKind::Choice { values, open: true } = &column.kind else {
                continue;
            };
            let told = |one: &Fresh| one.column == column.name && one.value == *text;
            if text.is_empty() || values.contains(text) || found.iter().any(told) {
                continue;
            }
            found.push(Fresh {
                column: column.name.clone(),
                value: text.clone(),
                near: nearest(text, values.iter().map(String::as_str)).map(str::to_owned),
            });
        }
        found
    }

    /// The row of the table that a line is about.
    fn known(&self, number: usize, cells: &[(usize, String)]) -> Option<usize> {
        let sheet = self.sheet;
        let there = sheet.rows.iter().enumerate();
        let mut there = there.filter(|(_, row)| row.removed.is_none());
        if !sheet.columns.iter().any(|column| column.key) {
            return there.nth(number).map(|(at, _)| at);
        }
        let same = |row: &super::Row| {
            let keys = cells.iter().filter(|(at, _)| sheet.columns[*at].key);
            keys.clone().count() > 0
                && keys
                    .clone()
                    .all(|(at, text)| row.cells[*at].text.trim() == text)
        };
        there.find(|(_, row)| same(row)).map(|(at, _)| at)
    }
}

/// The sign that parts the cells: the one by which most of the first line are names of columns.
fn delimiter(sheet: &Sheet, text: &str) -> u8 {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let known = |delimiter: &u8| {
        let names = first.split(char::from(*delimiter));
        let names = names.map(|name| name.trim().trim_matches('"'));
        names.filter(|name| sheet.column(name).is_some()).count()
    };
    // The first of those that are equally good.
    let best = DELIMITERS.iter().rev().max_by_key(|one| known(one));
    best.copied().unwrap_or(b',')
}

/// What spreadsheets write for yes and no in English, German, French, Spanish, Portuguese, Italian and Dutch.
const BOOLS: [(&[&str], &str); 2] = [
    (
        &[
            "true",
            "wahr",
            "vrai",
            "verdadero",
            "verdadeiro",
            "vero",
            "waar",
        ],
        "true",
    ),
    (&["false", "falsch", "faux", "falso", "onwaar"], "false"),
];

/// What a spreadsheet means by a cell, as the tables write it.
///
/// # Errors
/// It cannot be told.
fn meant(column: &Column, text: &str, old: Option<&str>) -> Result<String, String> {
    if text.starts_with('#') && text.ends_with(['!', '?']) || text == "#N/A" {
        return Err(format!(
            "`{text}` is a mistake that the spreadsheet tells: mend the formula in the cell"
        ));
    }
    match &column.kind {
        CellKind::Number { .. } => number(text),
        CellKind::Choice { values, open } => {
            let known = |text: &str| values.iter().any(|value| value == text);
            let lower = text.to_lowercase();
            let said = BOOLS.iter().find(|(words, _)| words.contains(&&*lower));
            if let Some((_, value)) = said.filter(|(_, value)| known(value) && !known(text)) {
                return Ok((*value).to_owned());
            }
            match !known(text) && (*open || !values.is_empty()) {
                true => no_date(text),
                false => Ok(text.to_owned()),
            }
        }
        CellKind::Text if column.key => no_date(text),
        // A text may well be a date; one that was a pair of numbers is none.
        CellKind::Text if old.is_some_and(is_pair) => no_date(text),
        CellKind::Code => no_date(text).map(|text| column.typed(&text)),
        CellKind::Text | CellKind::Parent => Ok(text.to_owned()),
    }
}

/// A whole number, also as `3,0`, `3.00` and `−3`.
fn number(text: &str) -> Result<String, String> {
    let plain = text.replace('\u{2212}', "-");
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = plain.strip_prefix(['-', '+']).unwrap_or(&plain);
    let sign = if plain.starts_with('-') { "-" } else { "" };
    if digits(unsigned)
        && !NUMBERS.contains(&format!("{sign}{unsigned}").parse().unwrap_or(i64::MAX))
    {
        return Err(too_great(text));
    }
    if text.is_empty() || digits(unsigned) {
        return Ok(format!("{sign}{unsigned}"));
    }
    no_date(text)?;
    // Written with a power of ten, as spreadsheets write what is great.
    let size = plain.parse::<f64>().map_or(0.0, f64::abs);
    if size > *NUMBERS.end() as f64 {
        return Err(too_great(text));
    }
    let Some((whole, part)) = unsigned.split_once([',', '.']) else {
        // What it is instead is told with what it has to be.
        return Ok(plain);
    };
    if !digits(whole) || !digits(part) {
        return Ok(plain);
    }
    if part.len() == 3 && whole.len() <= 3 {
        return Err(format!(
            "`{text}` may be {sign}{whole} or {sign}{whole}{part}: write it without the sign between"
        ));
    }
    match part.bytes().all(|byte| byte == b'0') {
        true => Ok(format!("{sign}{whole}")),
        false => Err(format!("`{text}` is no whole number")),
    }
}

fn too_great(text: &str) -> String {
    let (least, greatest) = (NUMBERS.start(), NUMBERS.end());
    format!("{text} is too great: numbers go from {least} to {greatest}")
}

/// Refuses what a spreadsheet makes of `1-2`: `1-Feb`, `02.01.2026`, `2026-01-02 00:00:00`.
fn no_date(text: &str) -> Result<String, String> {
    match is_date(text) {
        true => Err(date(text)),
        false => Ok(text.to_owned()),
    }
}

/// What is said of a date.
fn date(text: &str) -> String {
    format!(
        "`{text}` is a date; a spreadsheet makes dates of texts as `1-2`: set the cells of this column to text there, and \
         write it again"
    )
}

/// What is said of a formula whose value the workbook does not have.
fn uncomputed(formula: &str) -> String {
    format!(
        "`{formula}` is a formula that nothing has computed yet: open the workbook in a spreadsheet, save it, and read it again"
    )
}

/// Months as spreadsheets write them, in English and German.
const MONTHS: [&str; 33] = [
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "mär",
    "mai",
    "okt",
    "dez",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "januar",
    "februar",
    "märz",
    "juni",
    "juli",
];

fn is_date(text: &str) -> bool {
    let date = text.split([' ', 'T']).next().unwrap_or_default();
    let whole = if text.contains(':') { date } else { text };
    let parts: Vec<&str> = whole
        .split(['-', '/', '.', ' '])
        .filter(|part| !part.is_empty())
        .collect();
    let number = |part: &&str| part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let month = |part: &str| MONTHS.contains(&part.to_lowercase().as_str());
    let named = parts.iter().filter(|part| month(part)).count();
    let numbers = parts.iter().filter(|part| number(part)).count();
    if named == 1 {
        return (1..=2).contains(&numbers) && numbers + 1 == parts.len();
    }
    // With a year of four digits: two numbers may be many things.
    let year = parts.iter().any(|part| part.len() == 4);
    numbers == 3 && parts.len() == 3 && year
}

/// `1-2`, `10/5`
fn is_pair(text: &str) -> bool {
    let number = |part: &str| (1..=2).contains(&part.len()) && part.parse::<u8>().is_ok();
    text.split_once(['-', '/', '.'])
        .is_some_and(|(one, two)| number(one) && number(two))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_from_texts() {
        for date in [
            "1-Feb",
            "01-Feb",
            "Feb 1",
            "2. Jan",
            "1. Mär.",
            "2026-01-02",
            "01.02.2026",
            "1/2/2026",
            "2026-01-02 00:00:00",
            "2026-01-02T00:00:00",
            "01. Januar 2026",
            "3-Dez",
            "2-Sept",
        ] {
            assert!(is_date(date), "{date}");
        }
        for text in [
            "1-2",
            "may",
            "jan-berlin",
            "berlin-hamburg-1",
            "1.2.3",
            "march 1 2 3",
            "marble 3",
            "2026",
            "decoy 1",
            "",
            "3",
            "12.5",
            "mars-1",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn numbers_are_whole() {
        let fine = [
            ("3", "3"),
            ("-3", "-3"),
            ("\u{2212}3", "-3"),
            ("+3", "3"),
            ("3,0", "3"),
            ("3.00", "3"),
            ("", ""),
        ];
        for (text, wanted) in fine {
            assert_eq!(number(text).as_deref(), Ok(wanted), "{text}");
        }
        for text in [
            "3,5",
            "1.000",
            "1,000",
            "1-Feb",
            "2.1.2026",
            "2147483648",
            "-99999999999999999999",
        ] {
            assert!(number(text).is_err(), "{text}");
        }
    }
}
