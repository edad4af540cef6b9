//! The formatter: indentation, blanks around signs, columns of grids. Works on lines and tokens, so that comments,
//! blank lines and the author's line breaks stay; the tree of the text stays the same.

mod spacing;

use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::syntax::layout::{self, CodeLine, INDENT_BLANKS, Line, chunks};
use crate::syntax::parse;

use spacing::{Token, tokens};

/// Comments and rule ids are pulled left so that a line ends here, if it can.
pub const COLUMNS_MAX: usize = 140;
/// Least blanks before rule ids, and before a comment.
const IDS_GAP: usize = 1;
const COMMENT_GAP: usize = 2;

/// The text in its normal form; the mistakes, if there are others than of indentation.
pub fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut out = Output::default();
    for chunk in chunks(text) {
        let part = parse::parse_chunk(file, text, chunk.clone());
        let only_indentation = |d: &Diagnostic| matches!(d.code, "indentation" | "tab-indent");
        let is_lost = part.value.is_none() && !part.diagnostics.is_empty();
        if is_lost || !part.diagnostics.iter().all(only_indentation) {
            return Err(parse::parse(file, text).diagnostics);
        }
        let layout = layout::layout(file, text, chunk, 0);
        out.outer = layout.outer;
        out.chunk(text, &layout.lines);
    }
    Ok(out.finish())
}

#[derive(Default)]
struct Output {
    text: String,
    /// Levels around the chunk that is being written.
    outer: usize,
    /// A blank line is due before the next line.
    blank: bool,
}

impl Output {
    fn chunk(&mut self, text: &str, lines: &[Line]) {
        let first = lines.iter().find_map(code);
        let first = first.and_then(|line| {
            tokens(&text[line.content.clone()])
                .first()
                .map(|token| token.text)
        });
        let is_header = matches!(
            first,
            Some("variant" | "expansion" | "scenario" | "position" | "with" | "not")
        );
        let draws = lines
            .iter()
            .find_map(code)
            .is_some_and(|line| layout::holds_picture(&text[line.content.clone()]));
        let mut is_first = true;
        let mut index = 0;
        while let Some(line) = lines.get(index) {
            index += 1;
            match line {
                Line::Blank => self.blank = true,
                Line::Comment {
                    text: range,
                    indent,
                } => {
                    let indent = self.comment(&text[range.clone()], *indent, lines, index);
                    self.line(indent, &text[range.clone()]);
                }
                Line::Code(line)
                    if text[line.content.clone()].starts_with(layout::PICTURE) && draws =>
                {
                    self.code(text, line, text[line.content.clone()].to_owned());
                }
                Line::Code(line) if is_grid_line(text, lines, index - 1) => {
                    index = self.grid(text, lines, index - 1);
                    let _ = line;
                }
                Line::Code(line) => {
                    // Names of games hold hyphens, on the declaration's own line.
                    is_first &= line.deeper.is_some() || line.level == 0;
                    let tokens = tokens(&text[line.content.clone()]);
                    let code = spacing::join(&tokens, is_header && is_first, line.deeper.is_some());
                    self.code(text, line, code);
                }
            }
        }
    }

    /// The lines of a grid from `index` on, their bars below each other; the index of the line behind.
    fn grid(&mut self, text: &str, lines: &[Line], index: usize) -> usize {
        let mut end = index;
        while end < lines.len()
            && (is_grid_line(text, lines, end) || !matches!(lines[end], Line::Code(_)))
        {
            end += 1;
        }
        while !is_grid_line(text, lines, end - 1) {
            end -= 1;
        }
        let rows: Vec<Option<Vec<String>>> = lines[index..end]
            .iter()
            .map(|line| code(line).map(|line| cells(text, line)))
            .collect();
        let widths = widths(rows.iter().flatten());
        for (at, row) in rows.iter().enumerate() {
            match (&lines[index + at], row) {
                (Line::Code(line), Some(row)) => self.code(text, line, padded(row, &widths)),
                (
                    Line::Comment {
                        text: range,
                        indent,
                    },
                    _,
                ) => {
                    let indent = self.comment(&text[range.clone()], *indent, lines, index + at + 1);
                    self.line(indent, &text[range.clone()]);
                }
                _ => self.blank = true,
            }
        }
        end
    }

    /// A line of code with what stands behind it.
    fn code(&mut self, text: &str, line: &CodeLine, code: String) {
        let mut shown = code;
        let indent = new_indent(text, line) + self.outer * INDENT_BLANKS;
        for (column, part) in tail(text, line) {
            let length = indent + shown.chars().count();
            let last = COLUMNS_MAX.saturating_sub(part.chars().count());
            let gap = if part.starts_with('#') {
                COMMENT_GAP
            } else {
                IDS_GAP
            };
            let target = column.min(last).max(length + gap);
            shown.push_str(&" ".repeat(target - length));
            shown.push_str(&part);
        }
        self.line(indent, &shown);
    }

    fn comment(&self, comment: &str, indent: usize, lines: &[Line], next: usize) -> usize {
        let inner = comment_indent(comment, indent, lines, next);
        let stays = indent == 0 && !comment.starts_with("##");
        match stays {
            true => inner,
            false => inner + self.outer * INDENT_BLANKS,
        }
    }

    fn line(&mut self, indent: usize, content: &str) {
        if self.blank && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.blank = false;
        self.text.push_str(&" ".repeat(indent));
        self.text.push_str(content);
        self.text.push('\n');
    }

    fn finish(self) -> String {
        self.text
    }
}

fn code(line: &Line) -> Option<&CodeLine> {
    match line {
        Line::Code(line) => Some(line),
        _ => None,
    }
}

/// Two blanks a level; a line that goes on keeps its distance from its first line.
fn new_indent(text: &str, line: &CodeLine) -> usize {
    let base = line.level * INDENT_BLANKS;
    let closes = text[line.content.clone()].starts_with([')', ']', '}']);
    match line.deeper {
        None => base,
        Some(deeper) if closes => base + deeper,
        Some(deeper) => base + deeper.max(INDENT_BLANKS),
    }
}

/// A comment stands like the line below it, or like the one above; at column 0 it stays there.
/// `next` is the index of the line behind it.
fn comment_indent(comment: &str, indent: usize, lines: &[Line], next: usize) -> usize {
    let is_doc = comment.starts_with("##");
    let place = |line: &CodeLine| {
        line.level * INDENT_BLANKS + line.deeper.map_or(0, |deeper| deeper.max(INDENT_BLANKS))
    };
    let below = lines[next..].iter().find_map(code);
    let above = lines[..next].iter().rev().find_map(code);
    if indent == 0 && !is_doc {
        return 0;
    }
    match (below, above) {
        (Some(below), _) if is_doc || below.indent == indent => place(below),
        (_, Some(above)) if above.indent == indent && !is_doc => place(above),
        (Some(below), _) => place(below),
        // Documentation of nothing; at column 0 it would belong to the next declaration.
        (None, Some(above)) if is_doc => place(above).max(INDENT_BLANKS),
        (None, Some(above)) => place(above),
        (None, None) if is_doc && indent > 0 => INDENT_BLANKS,
        (None, None) => 0,
    }
}

/// Rule ids and comment, each with the column where it stood; 0: it stood right behind what is before it.
fn tail(text: &str, line: &CodeLine) -> Vec<(usize, String)> {
    let all = &text[line.tail.clone()];
    let (ids, comment) = match all.find('#') {
        Some(at) => all.split_at(at),
        None => (all, ""),
    };
    let start = text[..line.content.start]
        .rfind('\n')
        .map_or(0, |end| end + 1);
    // What stood no further than it must was not put into a column.
    let column = |part: &str, gap: usize| {
        let at = part.as_ptr() as usize - text.as_ptr() as usize;
        let before = &text[start..at];
        match before.len() - before.trim_end().len() <= gap {
            true => 0,
            false => before.chars().count(),
        }
    };
    let mut parts = Vec::new();
    if !ids.trim().is_empty() {
        let inner = ids.trim().trim_matches(['[', ']']);
        let ids_normal: Vec<&str> = inner.split(',').map(str::trim).collect();
        parts.push((
            column(ids.trim_start(), IDS_GAP),
            format!("[{}]", ids_normal.join(", ")),
        ));
    }
    if !comment.is_empty() {
        parts.push((column(comment, COMMENT_GAP), comment.trim_end().to_owned()));
    }
    parts
}

// ------------------------------------------------------------------------------------------------ grids

/// A line with bars that does not go on over several lines.
fn is_grid_line(text: &str, lines: &[Line], index: usize) -> bool {
    let Some(Line::Code(line)) = lines.get(index) else {
        return false;
    };
    let goes_on = lines[index + 1..]
        .iter()
        .find_map(code)
        .is_some_and(|next| next.deeper.is_some());
    line.deeper.is_none() && !goes_on && line.level > 0 && cells(text, line).len() > 1
}

/// What stands between the bars.
fn cells(text: &str, line: &CodeLine) -> Vec<String> {
    let tokens = tokens(&text[line.content.clone()]);
    let cells: Vec<&[Token]> = tokens.split(|token| token.text == "|").collect();
    cells
        .into_iter()
        .map(|cell| spacing::join(cell, false, false))
        .collect()
}

fn widths<'r>(rows: impl Iterator<Item = &'r Vec<String>>) -> Vec<usize> {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let width = cell.chars().count();
            match widths.get_mut(column) {
                Some(known) => *known = width.max(*known),
                None => widths.push(width),
            }
        }
    }
    widths
}

fn padded(row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (column, cell) in row.iter().enumerate() {
        if column > 0 {
            line.push_str(if line.is_empty() { "| " } else { " | " });
        }
        line.push_str(cell);
        // An empty first cell must not look like indentation.
        if column > 0 || !cell.is_empty() {
            line.push_str(&" ".repeat(widths[column] - cell.chars().count()));
        }
    }
    line.trim_end().to_owned()
}
