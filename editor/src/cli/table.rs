//! Aligned columns.

use super::Shell;

/// Rows of cells; the first row is the head.
#[derive(Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Columns from the left that are words; the others are numbers and stand at the right.
    words: usize,
}

impl Table {
    pub fn new<T: ToString>(words: usize, head: &[T]) -> Table {
        let mut table = Table {
            rows: Vec::new(),
            words,
        };
        table.row(head);
        table
    }

    pub fn row<T: ToString>(&mut self, cells: &[T]) {
        self.rows.push(cells.iter().map(T::to_string).collect());
    }

    pub fn len(&self) -> usize {
        self.rows.len().saturating_sub(1)
    }

    /// The lines, two blanks in; the head first.
    pub fn lines(&self) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|at| {
                self.rows
                    .iter()
                    .filter_map(|row| row.get(at))
                    .map(|cell| width(cell))
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        self.rows
            .iter()
            .map(|row| self.line(row, &widths))
            .collect()
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for (at, (cell, full)) in row.iter().zip(widths).enumerate() {
            let gap = " ".repeat(full - width(cell));
            line += "  ";
            line += &if at < self.words {
                format!("{cell}{gap}")
            } else {
                format!("{gap}{cell}")
            };
        }
        line.trim_end().to_owned()
    }
}

/// Writes those that have rows, the heads dimmed, each with an empty line behind it.
///
/// # Errors
/// What is written to cannot be.
pub fn write_all(tables: &[Table], shell: &mut Shell<'_>) -> std::io::Result<()> {
    let paint = shell.paint();
    for table in tables.iter().filter(|table| table.len() > 0) {
        let lines = table.lines();
        writeln!(shell.out, "{}", paint.dim(&lines[0]))?;
        for line in &lines[1..] {
            writeln!(shell.out, "{line}")?;
        }
        writeln!(shell.out)?;
    }
    Ok(())
}

fn width(text: &str) -> usize {
    text.chars().count()
}
