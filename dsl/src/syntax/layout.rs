//! Lines to structure: cuts a file into chunks at column 0, checks indentation, strips comments and rule ids, joins
//! lines that go on, and writes what is left as one text in which [`INDENT`], [`DEDENT`] and [`NEWLINE`] stand for the
//! shape. The grammar sees only that text; [`Layout::origin`] leads back to where each byte stood.

mod chunk;
mod continuation;
mod ids;
mod scan;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::syntax::ast::Tag;

pub use chunk::{Chunk, chunks, whole};
pub(crate) use ids::is_rule_id;

use chunk::physical_lines;
use continuation::{LineWords, begins_as_continuation};
use scan::{Scan, closing};

/// A block begins.
pub const INDENT: char = '\u{1}';
/// A block ends.
pub const DEDENT: char = '\u{2}';
/// The next line of the same block.
pub const NEWLINE: char = '\u{3}';

/// Some programs write it at the beginning of a file; it means nothing.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// What a line of a picture begins with: behind it all letters and signs stand for themselves.
pub const PICTURE: char = '|';

/// Blanks a level.
pub const INDENT_BLANKS: usize = 2;
/// Brackets and indents around one place.
pub const NESTING_MAX: usize = 64;
/// Bytes of one line, continued lines joined.
pub const LINE_BYTES_MAX: usize = 16 * 1024;
/// Bytes of one declaration.
pub const CHUNK_BYTES_MAX: usize = 1024 * 1024;
/// Words and signs of one line, continued lines joined, that put the rest of the line one level deeper (`not`, `if`, …).
pub const PREFIXES_MAX: usize = 64;
/// Infix operators, dots and brackets of one line, continued lines joined.
pub const OPERATORS_MAX: usize = 500;

/// One line of the file as the layout took it; bytes of the file's text, without offset.
#[derive(Clone, Debug)]
pub enum Line {
    Blank,
    /// From the `#` to the end of the line, and the blanks before it.
    Comment {
        text: Range<usize>,
        indent: usize,
    },
    Code(CodeLine),
}

#[derive(Clone, Debug)]
pub struct CodeLine {
    /// Without rule ids and comment.
    pub content: Range<usize>,
    /// Rule ids and comment with the blanks before and between.
    pub tail: Range<usize>,
    pub indent: usize,
    /// Of the block it stands in: 0 for the declaration's own line.
    pub level: usize,
    /// For a line that goes on with the one above: how much deeper it is than the first line.
    pub deeper: Option<usize>,
}

/// The shape of a chunk.
#[derive(Debug, Default)]
pub struct Layout {
    /// Each line of the chunk, for the formatter.
    pub lines: Vec<Line>,
    /// How many levels the declaration itself stands deeper than the begin of a line.
    pub outer: usize,
    /// What the grammar reads.
    pub text: String,
    /// (byte of `text`, byte of the file) where they run side by side; sorted.
    origins: Vec<(u32, u32)>,
    /// Documentation by the byte of the file at which the line it belongs to begins.
    pub docs: BTreeMap<u32, String>,
    /// Rule ids, likewise.
    pub tags: BTreeMap<u32, Vec<Tag>>,
    pub diagnostics: Vec<Diagnostic>,
    /// The chunk cannot be parsed: a bound was passed or a bracket or string is open. Already reported.
    pub broken: bool,
}

impl Layout {
    /// The byte of the file that stands at `at` of the text.
    pub fn origin(&self, at: usize) -> usize {
        let at = at as u32;
        let index = self
            .origins
            .partition_point(|&(out, _)| out <= at)
            .saturating_sub(1);
        self.origins
            .get(index)
            .map_or(0, |&(out, source)| (source + (at - out.min(at))) as usize)
    }

    /// The place of a part of the text, without blanks and shape at its ends.
    pub fn span(&self, file: FileId, range: Range<usize>) -> Span {
        let shape = |c: char| c == ' ' || matches!(c, INDENT | DEDENT | NEWLINE);
        let text = self.text.get(range.clone()).unwrap_or("");
        let start = range.start + (text.len() - text.trim_start_matches(shape).len());
        let end = range.start + text.trim_end_matches(shape).len();
        if end <= start {
            let at = self.end_of_content(range.start);
            return Span::new(file, at, at);
        }
        Span::new(file, self.origin(start), self.origin(end - 1) + 1)
    }

    /// Just behind the last thing written before `at`, in the file.
    pub fn end_of_content(&self, at: usize) -> usize {
        let shape = |c: char| c == ' ' || matches!(c, INDENT | DEDENT | NEWLINE);
        let before = self.text.get(..at).unwrap_or("").trim_end_matches(shape);
        if before.is_empty() {
            self.origin(0)
        } else {
            self.origin(before.len() - 1) + 1
        }
    }
}

/// The layout of a chunk of `text`; places are those in `text` plus `offset`.
pub fn layout(file: FileId, text: &str, chunk: Chunk, offset: usize) -> Layout {
    let mut writer = Writer::new(file, text, offset, chunk.inner);
    let chunk = chunk.range;
    writer.out.origins.push((0, (offset + chunk.start) as u32));
    if chunk.len() > CHUNK_BYTES_MAX {
        writer.report_bound(
            chunk.start..chunk.start,
            format!("this declaration is longer than {CHUNK_BYTES_MAX} bytes"),
            "cut it into several",
        );
        return writer.finish();
    }
    for mut line in physical_lines(&text[chunk.clone()]) {
        if chunk.start == 0 && line.start == 0 && text.starts_with(BYTE_ORDER_MARK) {
            line.start = BYTE_ORDER_MARK.len_utf8();
        }
        writer.line(chunk.start + line.start..chunk.start + line.end);
        if writer.out.broken {
            break;
        }
    }
    writer.finish()
}

struct Writer<'t> {
    file: FileId,
    source: &'t str,
    offset: usize,
    out: Layout,
    /// Blanks before the lines of the blocks that are open; the declaration's own first.
    indents: Vec<usize>,
    /// Where the brackets that are open stand.
    brackets: Vec<(char, usize)>,
    /// Indent and start of the line that is being written; `None` before the first.
    current: Option<(usize, u32)>,
    open: bool,
    doc: Vec<String>,
    line_bytes: usize,
    prefixes: usize,
    operators: usize,
    indent_reported: bool,
}

impl<'t> Writer<'t> {
    fn new(file: FileId, source: &'t str, offset: usize, inner: bool) -> Writer<'t> {
        Writer {
            file,
            source,
            offset,
            out: Layout {
                outer: usize::from(inner),
                ..Layout::default()
            },
            indents: vec![0],
            brackets: Vec::new(),
            current: None,
            open: false,
            doc: Vec::new(),
            line_bytes: 0,
            prefixes: 0,
            operators: 0,
            indent_reported: false,
        }
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(
            self.file,
            self.offset + range.start,
            self.offset + range.end,
        )
    }

    fn report_bound(&mut self, at: Range<usize>, message: String, help: &str) {
        let span = self.span(at);
        self.out
            .diagnostics
            .push(Diagnostic::error("too-large", span, message).help(help));
        self.out.broken = true;
    }

    /// Reads one line of the file.
    fn line(&mut self, line: Range<usize>) {
        let text = &self.source[line.clone()];
        let trimmed = text.trim_start_matches([' ', '\t', '\r']);
        if trimmed.starts_with('#') {
            let start = line.end - trimmed.len();
            let indent = width(&self.source[line.start..start]);
            self.out.lines.push(Line::Comment {
                text: start..trim_end(self.source, start, line.end),
                indent,
            });
        }
        if let Some(comment) = trimmed.strip_prefix('#') {
            self.tell_strays(line.end - comment.len()..line.end);
            if let Some(doc) = comment.strip_prefix('#') {
                self.doc
                    .push(doc.strip_prefix(' ').unwrap_or(doc).trim_end().to_owned());
            }
            return;
        }
        if trimmed.trim().is_empty() {
            self.out.lines.push(Line::Blank);
            return;
        }
        if line.len() > LINE_BYTES_MAX {
            let message = format!("this line is longer than {LINE_BYTES_MAX} bytes");
            return self.report_bound(
                line.start..line.start,
                message,
                "break it after a comma or an operator",
            );
        }
        let indent = self.indent_of(&line);
        self.close_forgotten_brackets(indent, trimmed);
        if self.out.broken {
            return;
        }
        let start = line.end - trimmed.len();
        let goes_on = self.goes_on(indent, trimmed);
        if !goes_on {
            self.begin_line(indent, start);
        }
        let drawn = trimmed.starts_with(PICTURE) && holds_picture(&self.out.text);
        let scan = if drawn {
            self.picture_line(start..line.end)
        } else {
            self.scan(start..line.end)
        };
        if drawn {
            self.refuse_tab(scan.content.clone());
        }
        self.tell_strays(scan.content.end..line.end);
        let base = self.current.map_or(0, |(base, _)| base);
        self.out.lines.push(Line::Code(CodeLine {
            content: scan.content.clone(),
            tail: scan.content.end..line.end,
            indent,
            level: self.indents.len() - 1,
            deeper: goes_on.then(|| indent.saturating_sub(base)),
        }));
        self.write(scan, goes_on);
    }

    /// Blanks before a line; a tab is reported and counts as one level.
    fn indent_of(&mut self, line: &Range<usize>) -> usize {
        let text = &self.source[line.clone()];
        let blanks = &text[..text.len() - text.trim_start_matches([' ', '\t', '\r']).len()];
        let width = width(blanks);
        if blanks.contains('\t') && !self.indent_reported {
            self.indent_reported = true;
            let span = self.span(line.start..line.start + blanks.len());
            self.out.diagnostics.push(
                Diagnostic::error("tab-indent", span, "a tab in the indentation")
                    .help("indent with two blanks a level")
                    .fix("replace each tab by two blanks", span, " ".repeat(width)),
            );
        }
        width
    }

    /// A line that stands no deeper than the one with the open bracket cannot be inside of it.
    fn close_forgotten_brackets(&mut self, indent: usize, trimmed: &str) {
        let Some((base, _)) = self.current else {
            return;
        };
        if self.brackets.is_empty() || indent > base || trimmed.starts_with([')', ']', '}']) {
            return;
        }
        self.report_unclosed();
    }

    fn report_unclosed(&mut self) {
        let Some(&(bracket, at)) = self.brackets.last() else {
            return;
        };
        let span = self.span(at..at + 1);
        let close = closing(bracket);
        self.out.diagnostics.push(
            Diagnostic::error("unclosed-bracket", span, format!("this `{bracket}` is not closed"))
                .here(format!("needs a `{close}`"))
                .help(format!("close it with `{close}`; lines inside a bracket are indented deeper than its first line")),
        );
        self.brackets.clear();
        self.out.broken = true;
    }

    /// Whether a line belongs to the one above it.
    fn goes_on(&self, indent: usize, trimmed: &str) -> bool {
        let Some((base, _)) = self.current else {
            return false;
        };
        if !self.brackets.is_empty() {
            return true;
        }
        indent > base && (self.open || begins_as_continuation(trimmed, self.line_words()))
    }

    fn line_words(&self) -> LineWords {
        let line = self
            .out
            .text
            .rsplit([INDENT, DEDENT, NEWLINE])
            .next()
            .unwrap_or("");
        LineWords::of(line)
    }

    /// Writes the step from the line above to a new one.
    fn begin_line(&mut self, indent: usize, start: usize) {
        let is_first = self.current.is_none();
        if !is_first {
            self.step_to(indent, start);
        }
        let at = (self.offset + start) as u32;
        if is_first && self.out.outer > 0 {
            self.indents = vec![indent];
            if indent != INDENT_BLANKS {
                self.report_indent(indent, start, INDENT_BLANKS);
            }
        }
        let own = self.indents.first().copied().unwrap_or(0);
        self.current = Some((if is_first { own } else { indent }, at));
        self.line_bytes = 0;
        self.prefixes = 0;
        self.operators = 0;
        let doc = std::mem::take(&mut self.doc);
        if !doc.is_empty() {
            self.out.docs.insert(at, doc.join("\n"));
        }
    }

    fn step_to(&mut self, indent: usize, start: usize) {
        let top = self.indents.last().copied().unwrap_or(0);
        if indent > top {
            if indent != top + INDENT_BLANKS {
                self.report_indent(indent, start, top + INDENT_BLANKS);
            }
            self.indents.push(indent);
            self.push_shape(INDENT);
            if self.indents.len() > NESTING_MAX {
                let message = format!("blocks are nested more than {NESTING_MAX} levels deep");
                self.report_bound(
                    start..start,
                    message,
                    "give the inner part a name: an action of its own",
                );
            }
            return;
        }
        while self.indents.len() > 1 && self.indents.last().is_some_and(|&level| level > indent) {
            self.indents.pop();
            self.push_shape(DEDENT);
        }
        let level = self.indents.last().copied().unwrap_or(0);
        if level != indent {
            self.report_indent(indent, start, level);
        }
        self.push_shape(NEWLINE);
    }

    fn report_indent(&mut self, indent: usize, start: usize, wanted: usize) {
        if self.indent_reported {
            return;
        }
        self.indent_reported = true;
        let span = self.span(start - self.blanks_before(start)..start);
        let (message, here) = if indent % INDENT_BLANKS == 1 {
            (
                format!("this line is indented by {indent} blanks, an odd number"),
                "",
            )
        } else if indent > wanted {
            (
                format!("this line is indented by {indent} blanks, too deep here"),
                "",
            )
        } else {
            (
                format!("this line is indented by {indent} blanks, like no line above it"),
                "",
            )
        };
        self.out.diagnostics.push(
            Diagnostic::error("indentation", span, message)
                .here(here)
                .help(format!("two blanks a level: here {wanted}"))
                .fix(format!("indent by {wanted}"), span, " ".repeat(wanted)),
        );
    }

    fn blanks_before(&self, start: usize) -> usize {
        let before = &self.source[..start];
        before.len() - before.trim_end_matches([' ', '\t']).len()
    }

    fn push_shape(&mut self, shape: char) {
        let at = self
            .current
            .map_or(0, |_| self.out.end_of_content(self.out.text.len()));
        self.out
            .origins
            .push((self.out.text.len() as u32, at as u32));
        self.out.text.push(shape);
    }

    /// Writes the content of a line and keeps its rule ids.
    fn write(&mut self, mut scan: Scan, goes_on: bool) {
        if goes_on {
            self.out.text.push(' ');
        }
        self.line_bytes += scan.content.len();
        self.open = scan.open;
        if let Some((_, start)) = self.current
            && !scan.tags.is_empty()
        {
            self.out
                .tags
                .entry(start)
                .or_default()
                .append(&mut scan.tags);
        }
        self.out.origins.push((
            self.out.text.len() as u32,
            (self.offset + scan.content.start) as u32,
        ));
        let content = &self.source[scan.content.clone()];
        // Same length for each character, so that one entry of the map does for the whole line.
        for (at, c) in content.char_indices() {
            match c {
                '\t' | '\r' => self.out.text.push(' '),
                _ if is_stray(c) => self.report_stray(scan.content.start + at, c),
                _ => self.out.text.push(c),
            }
        }
        self.check_bounds(&scan);
    }

    /// In a picture each blank counts, and how many a tab is, is not seen.
    fn refuse_tab(&mut self, content: Range<usize>) {
        if let Some(at) = self.source[content.clone()].find('\t') {
            let start = content.start + at;
            let span = self.span(start..start + 1);
            let message = "a tab in a picture";
            self.out
                .diagnostics
                .push(Diagnostic::error("stray-character", span, message).fix(
                    "write as many blanks as it stands for",
                    span,
                    " ",
                ));
            self.out.broken = true;
        }
    }

    /// A character that nobody sees, or sees as a blank: what stands there is not read.
    fn report_stray(&mut self, at: usize, c: char) {
        self.tell_stray(at, c);
        self.out.broken = true;
    }

    /// Comments and documentation are shown to people.
    fn tell_strays(&mut self, range: Range<usize>) {
        let text = self.source[range.clone()].trim_end();
        let strays = text.char_indices();
        for (at, c) in strays.filter(|(_, c)| *c != '\t' && cannot_be_seen(*c)) {
            self.tell_stray(range.start + at, c);
        }
    }

    fn tell_stray(&mut self, at: usize, c: char) {
        let span = self.span(at..at + c.len_utf8());
        let message = format!("a character that cannot be seen (U+{:04X})", c as u32);
        self.out
            .diagnostics
            .push(Diagnostic::error("stray-character", span, message).fix(
                "write a blank",
                span,
                " ",
            ));
    }

    fn check_bounds(&mut self, scan: &Scan) {
        let at = scan.content.start..scan.content.start;
        if self.out.broken {
        } else if self.line_bytes > LINE_BYTES_MAX {
            let message = format!(
                "this line and the lines it goes on with are longer than {LINE_BYTES_MAX} bytes"
            );
            self.report_bound(
                at,
                message,
                "give parts of it a name: a formula or an action of its own",
            );
        } else if self.prefixes > PREFIXES_MAX || self.operators > OPERATORS_MAX {
            let message = "this line is too intricate".to_owned();
            self.report_bound(
                at,
                message,
                "give parts of it a name: a formula or an action of its own",
            );
        }
    }

    fn finish(mut self) -> Layout {
        if !self.out.broken {
            self.report_unclosed();
        }
        for _ in 1..self.indents.len() {
            self.push_shape(DEDENT);
        }
        let end = self.out.end_of_content(self.out.text.len());
        self.out
            .origins
            .push((self.out.text.len() as u32, end as u32));
        self.out
    }
}

/// Whether lines below such a one can be a picture.
pub(super) fn holds_picture(text: &str) -> bool {
    let text = text.strip_prefix("replace ").unwrap_or(text);
    text.starts_with("tiling ") || text.starts_with("table ")
}

/// A tab counts as one level.
fn width(blanks: &str) -> usize {
    blanks
        .chars()
        .map(|c| if c == '\t' { INDENT_BLANKS } else { 1 })
        .sum()
}

fn is_stray(c: char) -> bool {
    cannot_be_seen(c) || c != ' ' && c.is_whitespace() || matches!(c, '\u{200c}' | '\u{200d}')
}

/// Nobody sees it, but it may change what is seen around it. In words and emoji what joins letters has its place.
pub(crate) fn cannot_be_seen(c: char) -> bool {
    let marks = ['\u{200b}', '\u{200e}', '\u{200f}', '\u{feff}', '\u{2060}'];
    let directions = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || marks.contains(&c) || directions
}

pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where `source[start..end]` ends without its blanks.
fn trim_end(source: &str, start: usize, end: usize) -> usize {
    start + source[start..end].trim_end().len()
}
