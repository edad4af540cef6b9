//! Cells as spreadsheets put them on the clipboard: lines of cells parted by tabs.

use csv::{ReaderBuilder, WriterBuilder};

/// Lines of cells; those in quotes may hold what parts cells and lines.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn lines(text: &str) -> Result<Vec<Vec<String>>, String> {
    // A line of nothing is a row whose cell is empty, not a line that is not there.
    let own = text.trim_end_matches(['\r', '\n']).lines();
    let whole: Vec<&str> = own
        .map(|line| if line.is_empty() { "\"\"" } else { line })
        .collect();
    let text = match text.contains('"') {
        true => text.to_owned(),
        false => whole.join("\n"),
    };
    let mut reader = ReaderBuilder::new()
        .delimiter(b'\t')
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let lines = reader.records().map(|line| match line {
        Ok(line) => Ok(line.iter().map(str::to_owned).collect()),
        Err(error) => Err(format!("this cannot be read as cells: {error}")),
    });
    lines.collect()
}

/// Cells as they are put on the clipboard.
pub fn copied(lines: Vec<Vec<&str>>) -> String {
    let mut writer = WriterBuilder::new()
        .delimiter(b'\t')
        .flexible(true)
        .from_writer(Vec::new());
    for line in lines {
        // Writing into memory does not fail.
        let _ = writer.write_record(line);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}
