//! Lines to structure: cuts a file into chunks at column 0, checks indentation, strips comments and rule ids, joins
//! lines that go on, and writes what is left as one text in which [`INDENT`], [`DEDENT`] and [`NEWLINE`] stand for the
//! shape. The grammar sees only that text; [`Layout::origin`] leads back to where each byte stood.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::syntax::ast::{Name, Tag};

/// A block begins.
pub const INDENT: char = '\u{1}';
/// A block ends.
pub const DEDENT: char = '\u{2}';
/// The next line of the same block.
pub const NEWLINE: char = '\u{3}';

/// Some programs write it at the beginning of a file; it means nothing.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Blanks a level.
pub const INDENT_BLANKS: usize = 2;
/// Brackets and indents around one place.
pub const NESTING_MAX: usize = 64;
/// Bytes of one line, continued lines joined.
pub const LINE_BYTES_MAX: usize = 16 * 1024;
/// Bytes of one declaration.
pub const CHUNK_BYTES_MAX: usize = 1024 * 1024;
/// Words and signs of one line, continued lines joined, that put the rest of the line one level deeper (`not`, `if`, …).
pub const PREFIXES_MAX: usize = 100;
/// Infix operators, dots and brackets of one line, continued lines joined.
pub const OPERATORS_MAX: usize = 600;

/// One declaration with the documentation above it and everything down to the next one: bytes of the file.
pub type Chunk = Range<usize>;

/// Cuts a text into chunks that can be parsed one by one. Together they cover the text from the first to the last byte.
pub fn chunks(text: &str) -> Vec<Chunk> {
    let mut starts = Vec::new();
    // Where the documentation right above the coming declaration begins.
    let mut doc_start = None;
    for line in physical_lines(text) {
        let content = &text[line.clone()];
        if content.starts_with("##") {
            doc_start = doc_start.or(Some(line.start));
        } else if begins_declaration(content) || starts.is_empty() && begins_too_deep(content) {
            starts.push(doc_start.take().unwrap_or(line.start));
        } else if !content.trim().is_empty() && !content.trim_start().starts_with('#') {
            doc_start = None;
        }
    }
    let Some(first) = starts.first_mut() else {
        return if text.is_empty() {
            Vec::new()
        } else {
            std::iter::once(0..text.len()).collect()
        };
    };
    *first = 0;
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(start, end)| start..end)
        .collect()
}

/// A line at column 0 begins a declaration, unless it is blank, a comment or closes a bracket.
fn begins_declaration(line: &str) -> bool {
    line.chars()
        .next()
        .is_some_and(|first| !first.is_whitespace() && !matches!(first, '#' | ')' | ']' | '}'))
}

/// An indented line; the first of a file belongs to no declaration.
fn begins_too_deep(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

/// Ranges of the lines without their line ends.
fn physical_lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        range
    })
}

/// One line of the file as the layout took it; bytes of the file's text, without offset.
#[derive(Clone, Debug)]
pub enum Line {
    Blank,
    /// From the `#` to the end of the line, and the blanks before it.
    Comment { text: Range<usize>, indent: usize },
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

/// The layout of `text[chunk]`; places are those in `text` plus `offset`.
pub fn layout(file: FileId, text: &str, chunk: Chunk, offset: usize) -> Layout {
    let mut writer = Writer::new(file, text, offset);
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

/// What a look at one line found.
struct Scan {
    /// From the first character to the last, without comment and rule ids.
    content: Range<usize>,
    tags: Vec<Tag>,
    /// The line ends with a comma or an operator.
    open: bool,
}

struct Writer<'t> {
    file: FileId,
    source: &'t str,
    offset: usize,
    out: Layout,
    /// Blanks before the lines of the blocks that are open; the declaration's own 0 first.
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
    fn new(file: FileId, source: &'t str, offset: usize) -> Writer<'t> {
        Writer {
            file,
            source,
            offset,
            out: Layout::default(),
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
            self.out.lines.push(Line::Comment { text: start..trim_end(self.source, start, line.end), indent });
        }
        if let Some(comment) = trimmed.strip_prefix('#') {
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
        let scan = self.scan(start..line.end);
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
        let line = self.out.text.rsplit([INDENT, DEDENT, NEWLINE]).next().unwrap_or("");
        LineWords::of(line)
    }

    /// Writes the step from the line above to a new one.
    fn begin_line(&mut self, indent: usize, start: usize) {
        let is_first = self.current.is_none();
        if !is_first {
            self.step_to(indent, start);
        }
        let at = (self.offset + start) as u32;
        self.current = Some((if is_first { 0 } else { indent }, at));
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

    /// A character that nobody sees, or sees as a blank.
    fn report_stray(&mut self, at: usize, c: char) {
        let span = self.span(at..at + c.len_utf8());
        let message = format!("a character that cannot be seen (U+{:04X})", c as u32);
        self.out
            .diagnostics
            .push(Diagnostic::error("stray-character", span, message).fix("write a blank", span, " "));
        self.out.broken = true;
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
        while self.indents.pop().is_some_and(|level| level > 0) {
            self.push_shape(DEDENT);
        }
        let end = self.out.end_of_content(self.out.text.len());
        self.out
            .origins
            .push((self.out.text.len() as u32, end as u32));
        self.out
    }

    /// Looks at the characters of a line: brackets, strings, comment, rule ids, whether it ends open.
    fn scan(&mut self, line: Range<usize>) -> Scan {
        let bytes = self.source.as_bytes();
        let mut at = line.start;
        let mut end = line.end;
        // The last `[` outside of brackets with a blank before it, and where it was closed.
        let mut tag_open = None;
        let mut tag = None;
        while at < line.end {
            match bytes[at] {
                b'#' => {
                    end = at;
                    break;
                }
                b'"' => at = self.skip_string(at, line.end),
                b'[' if self.brackets.is_empty()
                    && at > line.start
                    && bytes[at - 1].is_ascii_whitespace() =>
                {
                    tag_open = Some(at);
                    self.open_bracket('[', at);
                }
                b'(' | b'[' | b'{' => self.open_bracket(bytes[at] as char, at),
                b')' | b']' | b'}' => {
                    self.close_bracket(bytes[at] as char, at);
                    if self.brackets.is_empty() && bytes[at] == b']' {
                        tag = tag_open.take().map(|open| open..at + 1);
                    }
                }
                byte if is_word_byte(byte) => {
                    let word_end = word_end(bytes, at, line.end);
                    self.count_word(&self.source[at..word_end]);
                    at = word_end - 1;
                }
                byte => self.count_sign(byte),
            }
            at += 1;
            if self.out.broken {
                break;
            }
        }
        let mut content = line.start..trim_end(self.source, line.start, end);
        let mut tags = Vec::new();
        if let Some(tag) = tag.filter(|tag| tag.end == content.end) {
            tags = self.tags(tag.clone(), line.start, &mut content);
        }
        let open = self.brackets.is_empty() && ends_open(&self.source[content.clone()]);
        Scan {
            content,
            tags,
            open,
        }
    }

    fn count_word(&mut self, word: &str) {
        match word {
            "if" | "not" | "can" | "parts" | "may" | "must" | "each" | "repeat" | "as" | "of"
            | "best" | "ends" | "choose" | "replace" => self.prefixes += 1,
            "and" | "or" | "implies" | "in" | "within" | "otherwise" | "on" => self.operators += 1,
            _ => {}
        }
    }

    fn count_sign(&mut self, sign: u8) {
        match sign {
            b':' if self.brackets.is_empty() => self.prefixes += 1,
            b'-' | b'?' => self.operators += 3,
            b'+' | b'*' | b'/' | b'%' | b'=' | b'<' | b'>' | b'!' | b'.' | b'&' | b'|' => {
                self.operators += 1
            }
            _ => {}
        }
    }

    fn open_bracket(&mut self, bracket: char, at: usize) {
        self.operators += 1;
        self.brackets.push((bracket, at));
        if self.brackets.len() + self.indents.len() > NESTING_MAX {
            let message =
                format!("brackets and blocks are nested more than {NESTING_MAX} levels deep");
            self.report_bound(
                at..at + 1,
                message,
                "give the inner part a name: a formula or an action of its own",
            );
        }
    }

    fn close_bracket(&mut self, bracket: char, at: usize) {
        let span = self.span(at..at + 1);
        match self.brackets.pop() {
            Some((open, _)) if closing(open) == bracket => {}
            Some((open, open_at)) => {
                let close = closing(open);
                self.out.diagnostics.push(
                    Diagnostic::error(
                        "wrong-bracket",
                        span,
                        format!("`{bracket}` closes a `{open}`"),
                    )
                    .here(format!("expected `{close}`"))
                    .label(self.span(open_at..open_at + 1), "opened here")
                    .fix(format!("write `{close}`"), span, close.to_string()),
                );
                self.out.broken = true;
            }
            None => {
                self.out.diagnostics.push(
                    Diagnostic::error(
                        "wrong-bracket",
                        span,
                        format!("this `{bracket}` closes nothing"),
                    )
                    .help("remove it, or open the bracket before it")
                    .fix("remove it", span, ""),
                );
                self.out.broken = true;
            }
        }
    }

    /// The place of the closing quote.
    fn skip_string(&mut self, at: usize, line_end: usize) -> usize {
        if let Some(length) = self.source[at + 1..line_end].find('"') {
            return at + 1 + length;
        }
        let end = trim_end(self.source, at, line_end);
        let span = self.span(at..end);
        self.out.diagnostics.push(
            Diagnostic::error("unclosed-string", span, "this text has no closing `\"`")
                .help("a text stands in `\"` on one line"),
        );
        self.out.broken = true;
        line_end
    }

    /// The rule ids at a line's end; the content then ends before them.
    fn tags(
        &mut self,
        range: Range<usize>,
        line_start: usize,
        content: &mut Range<usize>,
    ) -> Vec<Tag> {
        let before = trim_end(self.source, line_start, range.start);
        if before == line_start || !may_precede_tags(&self.source[line_start..before]) {
            return Vec::new();
        }
        let inner = &self.source[range.start + 1..range.end - 1];
        let pieces: Vec<&str> = inner.split(',').collect();
        if pieces.iter().all(|piece| is_rule_id(piece.trim())) {
            content.end = before;
            return self.collect_tags(range.start + 1, &pieces);
        }
        if inner
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')
            .any(is_nearly_rule_id)
        {
            content.end = before;
            self.report_tags(range, inner);
        }
        Vec::new()
    }

    fn collect_tags(&self, start: usize, pieces: &[&str]) -> Vec<Tag> {
        let mut at = start;
        let mut tags = Vec::new();
        for piece in pieces {
            let text = piece.trim();
            let begin = at + (piece.len() - piece.trim_start().len());
            tags.push(Name {
                text: text.to_owned(),
                span: self.span(begin..begin + text.len()),
            });
            at += piece.len() + 1;
        }
        tags
    }

    fn report_tags(&mut self, range: Range<usize>, inner: &str) {
        let span = self.span(range);
        let mut diagnostic = Diagnostic::error(
            "rule-id",
            span,
            format!("`[{inner}]` is no list of rule ids"),
        )
        .help("rule ids are capitals, `-` and a number, with commas between: `[TM-066, TM-067]`");
        if let Some(better) = better_tags(inner) {
            diagnostic = diagnostic.fix(format!("write `[{better}]`"), span, format!("[{better}]"));
        }
        self.out.diagnostics.push(diagnostic);
    }
}

/// A tab counts as one level.
fn width(blanks: &str) -> usize {
    blanks.chars().map(|c| if c == '\t' { INDENT_BLANKS } else { 1 }).sum()
}

fn is_stray(c: char) -> bool {
    c.is_control() || c != ' ' && c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}')
}

fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn word_end(bytes: &[u8], start: usize, end: usize) -> usize {
    let length = bytes[start..end]
        .iter()
        .take_while(|byte| is_word_byte(**byte))
        .count();
    start + length
}

/// Where `source[start..end]` ends without its blanks.
fn trim_end(source: &str, start: usize, end: usize) -> usize {
    start + source[start..end].trim_end().len()
}

/// The line ends with a comma or an infix operator, and the next one goes on with it.
pub(super) fn ends_open(content: &str) -> bool {
    let word_start = content.len()
        - content
            .bytes()
            .rev()
            .take_while(|byte| is_word_byte(*byte))
            .count();
    let word = &content[word_start..];
    if word.is_empty() {
        return content.ends_with([',', '+', '-', '*', '/', '%', '=', '<', '>']);
    }
    let before = content[..word_start].trim_end();
    matches!(
        word,
        "and" | "or" | "not" | "implies" | "in" | "within" | "otherwise" | "then" | "where" | "by"
    ) && !before.ends_with(['.', '|', ','])
        && !before.is_empty()
}

/// What a line holds that deeper lines may go on with by words that begin statements elsewhere.
#[derive(Clone, Copy)]
pub(super) struct LineWords {
    /// A `best walk` or `ends of walk`: `need`, `max`, `at least`.
    holds_walk: bool,
    /// `always`, `check` or `when`: `for`.
    holds_rule: bool,
}

impl LineWords {
    pub(super) fn of(line: &str) -> LineWords {
        let line = line.strip_prefix("replace ").unwrap_or(line);
        LineWords {
            holds_walk: line.contains("best walk ") || line.contains("ends of walk "),
            holds_rule: ["always ", "check ", "when ", "once "].iter().any(|word| line.starts_with(word)),
        }
    }
}

/// A deeper line that begins so goes on with the line above it. Names of columns and cells are not meant:
/// `to: list of area`, `from, to: place`, `by = 3`.
pub(super) fn begins_as_continuation(line: &str, above: LineWords) -> bool {
    let word_length = line.bytes().take_while(|byte| is_word_byte(*byte)).count();
    let (word, rest) = line.split_at(word_length);
    if word.is_empty() {
        let mut chars = line.chars();
        let first = chars.next().unwrap_or(' ');
        let second = chars.next().unwrap_or(' ');
        return match first {
            '+' | '*' | '/' | '%' | '<' | '>' | '=' => true,
            '-' => second == ' ',
            '!' => second == '=',
            '.' => second == '.',
            _ => false,
        };
    }
    let known = match word {
        "for" => above.holds_rule,
        "where" | "by" | "from" | "up" | "to" | "and" | "or" | "ask" | "implies" | "in"
        | "within" | "otherwise" | "then" => true,
        "else" => !rest.trim().is_empty() && !rest.trim_start().starts_with('#'),
        "not" => rest
            .trim_start()
            .strip_prefix("in")
            .is_some_and(|after| after.starts_with(' ')),
        "need" | "max" | "at" => above.holds_walk,
        _ => false,
    };
    known && !is_name_here(rest)
}

/// What follows shows that the word before it is a name: `to: …`, `by, at: …`, `from.x`, `up = 1`, `to[1]`, `or | x`.
fn is_name_here(rest: &str) -> bool {
    if rest.starts_with(['.', '[', '(']) && !rest.starts_with("..") {
        return !rest.starts_with('(');
    }
    rest.trim_start().starts_with([':', ',', '|', '=', '?'])
        || rest.trim_start().starts_with("+=")
        || rest.trim_start().starts_with("-=")
}

/// What stands before it can be complete: after an operator or an opening word, `[…]` is a list.
fn may_precede_tags(before: &str) -> bool {
    !ends_open(before)
        && !before.ends_with(['(', '[', '{', '|', ';'])
        && !before.ends_with("..")
}

/// `TM-066`, `RR-C28`: capitals, then parts with a digit in the last.
pub(super) fn is_rule_id(text: &str) -> bool {
    let mut parts = text.split('-');
    let prefix = parts.next().unwrap_or("");
    let rest: Vec<&str> = parts.collect();
    prefix.starts_with(|c: char| c.is_ascii_uppercase())
        && prefix
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && rest
            .iter()
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric()))
        && rest
            .last()
            .is_some_and(|part| part.bytes().any(|b| b.is_ascii_digit()))
}

/// `tm-066`, `TM066`, `TM_066`: two letters or more, perhaps a sign, two digits or more.
fn is_nearly_rule_id(text: &str) -> bool {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = text[letters..].trim_start_matches(['-', '_']);
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    letters >= 2 && letters <= 5 && digits.len() >= 2 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The same ids in the right form, if each can be made out.
fn better_tags(inner: &str) -> Option<String> {
    if inner.contains("..") {
        return None;
    }
    let pieces = inner
        .split([',', ';', ' ', '/'])
        .map(str::trim)
        .filter(|piece| !piece.is_empty());
    let ids: Option<Vec<String>> = pieces
        .map(|piece| {
            let letters = piece.bytes().take_while(u8::is_ascii_alphabetic).count();
            let number = piece[letters..].trim_start_matches(['-', '_']);
            let id = format!("{}-{number}", piece[..letters].to_ascii_uppercase());
            (is_nearly_rule_id(piece) && is_rule_id(&id)).then_some(id)
        })
        .collect();
    ids.filter(|ids| !ids.is_empty()).map(|ids| ids.join(", "))
}
