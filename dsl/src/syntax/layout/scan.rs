//! The characters of one line: brackets, texts in quotes, comment, rule ids; how intricate it is.

use std::ops::Range;

use super::continuation::ends_open;
use super::ids::{better_tags, is_nearly_rule_id, is_rule_id, may_precede_tags};
use super::{NESTING_MAX, Writer, is_word_byte, trim_end};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Name, Tag};

/// What a look at one line found.
pub(super) struct Scan {
    /// From the first character to the last, without comment and rule ids.
    pub content: Range<usize>,
    pub tags: Vec<Tag>,
    /// The line ends with a comma or an operator.
    pub open: bool,
}
impl Writer<'_> {
    /// Looks at the characters of a line: brackets, strings, comment, rule ids, whether it ends open.
    pub(super) fn scan(&mut self, line: Range<usize>) -> Scan {
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

    /// A line of a picture, whose signs mean nothing here; a comment may stand behind it.
    pub(super) fn picture_line(&mut self, line: Range<usize>) -> Scan {
        let end = self.source[line.clone()]
            .find('#')
            .map_or(line.end, |at| line.start + at);
        Scan {
            content: line.start..trim_end(self.source, line.start, end),
            tags: Vec::new(),
            open: false,
        }
    }

    fn count_word(&mut self, word: &str) {
        match word {
            "if" | "not" | "can" | "parts" | "may" | "must" | "each" | "repeat" | "as" | "of"
            | "best" | "ends" | "distance" | "choose" | "replace" => self.prefixes += 1,
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
        let inner = &self.source[range.start + 1..range.end - 1];
        let pieces: Vec<&str> = inner.split(',').collect();
        let all_ids = pieces.iter().all(|piece| is_rule_id(piece.trim()));
        if before == line_start || !may_precede_tags(&self.source[line_start..before], all_ids) {
            return Vec::new();
        }
        if all_ids {
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

pub(super) fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

fn word_end(bytes: &[u8], start: usize, end: usize) -> usize {
    let length = bytes[start..end]
        .iter()
        .take_while(|byte| is_word_byte(**byte))
        .count();
    start + length
}
