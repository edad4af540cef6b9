//! What is shown in which colour: cut line by line, without a syntax tree, so that half-typed text is coloured like any other.

use std::ops::Range;

use super::words;

/// What a piece of text is, as far as its looks go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// `# …`
    Comment,
    /// `## …`: documentation.
    Doc,
    /// A text in quotes, quotes included; values in braces are cut out and coloured as code.
    Text,
    Number,
    /// `TM-066` in the brackets at a line's end.
    RuleId,
    /// A word of the language.
    Keyword,
    /// `me`, `this`, `none`, `true`, …: words that are values.
    BuiltIn,
    /// `bool`, `player`, `deck`, `0..` has none: words that are types.
    Type,
    /// A word after a dot.
    Member,
    /// A word with `(` behind it.
    Call,
    /// Any other name.
    Name,
    Operator,
    Bracket,
    /// TOML: `[[section]]`.
    Section,
    /// TOML: the word before `=`.
    Key,
}

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rules, variants, scenarios.
    Rules,
    Toml,
    /// Anything else: no colours.
    Plain,
}

impl Language {
    /// By the end of the path.
    pub fn of(path: &str) -> Language {
        match path.rsplit('.').next() {
            Some("rules" | "scenario") => Language::Rules,
            Some("toml") => Language::Toml,
            _ => Language::Plain,
        }
    }
}

/// All tokens of a text, in order; ranges are bytes of the text. Blanks belong to none.
pub fn tokens(text: &str, language: Language) -> Vec<(Range<usize>, TokenKind)> {
    let mut all = Vec::with_capacity(text.len() / 4);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        line_into(line, start, language, &mut all);
        start += line.len();
    }
    all
}

/// The tokens of one line alone; ranges are bytes of the line. A line's tokens depend on no other line, so an editor
/// colours anew only the lines that changed.
pub fn line_tokens(line: &str, language: Language) -> Vec<(Range<usize>, TokenKind)> {
    let mut all = Vec::new();
    line_into(line, 0, language, &mut all);
    all
}

fn line_into(line: &str, offset: usize, language: Language, out: &mut Vec<Token>) {
    let mut cutter = Cutter { line, offset, out };
    match language {
        Language::Rules => cutter.code(0, line.trim_end().len()),
        Language::Toml => cutter.toml(),
        Language::Plain => {}
    }
}

pub(super) type Token = (Range<usize>, TokenKind);

struct Cutter<'t> {
    line: &'t str,
    offset: usize,
    out: &'t mut Vec<Token>,
}

impl Cutter<'_> {
    fn push(&mut self, range: Range<usize>, kind: TokenKind) {
        if !range.is_empty() {
            self.out
                .push((self.offset + range.start..self.offset + range.end, kind));
        }
    }

    /// Rules from `at` to `end` of the line.
    fn code(&mut self, mut at: usize, end: usize) {
        let bytes = self.line.as_bytes();
        while at < end {
            let byte = bytes[at];
            at = match byte {
                b'#' => {
                    let doc = bytes.get(at + 1) == Some(&b'#');
                    let kind = if doc {
                        TokenKind::Doc
                    } else {
                        TokenKind::Comment
                    };
                    self.push(at..end, kind);
                    end
                }
                b'"' => self.text(at, end),
                b'0'..=b'9' => {
                    let stop = self.while_at(at, end, |byte| byte.is_ascii_alphanumeric());
                    self.push(at..stop, TokenKind::Number);
                    stop
                }
                byte if is_word(byte) => self.word(at, end),
                b'(' | b')' | b'[' | b']' | b'{' | b'}' => {
                    self.push(at..at + 1, TokenKind::Bracket);
                    at + 1
                }
                byte if byte.is_ascii_punctuation() => {
                    let stop = self.while_at(at, end, is_operator).max(at + 1);
                    self.push(at..stop, TokenKind::Operator);
                    stop
                }
                _ => at + 1,
            };
        }
    }

    fn while_at(&self, at: usize, end: usize, holds: impl Fn(u8) -> bool) -> usize {
        let bytes = &self.line.as_bytes()[at..end];
        at + bytes.iter().take_while(|byte| holds(**byte)).count()
    }

    fn word(&mut self, at: usize, end: usize) -> usize {
        let stop = self.while_at(at, end, is_word);
        let word = &self.line[at..stop];
        let before = self.line[..at].trim_end();
        if word.starts_with(|c: char| c.is_ascii_uppercase())
            && let Some(id_end) = self.rule_id(at, end)
        {
            self.push(at..id_end, TokenKind::RuleId);
            return id_end;
        }
        let after = &self.line[stop..end];
        let member = before.ends_with('.') && !before.ends_with("..");
        let kind = if member {
            TokenKind::Member
        } else if words::is_type(word) && !is_named_here(word, before, after) {
            TokenKind::Type
        } else if words::is_value(word) {
            TokenKind::BuiltIn
        } else if words::is_keyword(word) && !is_named_here(word, before, after) {
            TokenKind::Keyword
        } else if after.starts_with('(') {
            TokenKind::Call
        } else {
            TokenKind::Name
        };
        self.push(at..stop, kind);
        stop
    }

    /// The end of a rule id that begins here.
    fn rule_id(&self, at: usize, end: usize) -> Option<usize> {
        let stop = self.while_at(at, end, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
        crate::syntax::layout::is_rule_id(&self.line[at..stop]).then_some(stop)
    }

    /// A text in quotes; values in braces in it are code.
    fn text(&mut self, at: usize, end: usize) -> usize {
        let length = self.line[at + 1..end].find('"');
        let stop = length.map_or(end, |length| at + length + 2);
        let mut from = at;
        while let Some(open) = self.line[from..stop].find('{') {
            let open = from + open;
            let Some(close) = self.line[open..stop].find('}') else {
                break;
            };
            let close = open + close;
            self.push(from..open, TokenKind::Text);
            self.push(open..open + 1, TokenKind::Bracket);
            self.code(open + 1, close);
            self.push(close..close + 1, TokenKind::Bracket);
            from = close + 1;
        }
        self.push(from..stop, TokenKind::Text);
        stop
    }

    // -------------------------------------------------------------------------------------------- TOML

    fn toml(&mut self) {
        let end = self.line.trim_end().len();
        let start = end - self.line[..end].trim_start().len();
        if self.line[start..end].starts_with('[') && !self.line[start..end].contains('=') {
            let stop = self.line[start..end].find('#').map_or(end, |at| start + at);
            let section = start + self.line[start..stop].trim_end().len();
            self.push(start..section, TokenKind::Section);
            self.push(stop..end, TokenKind::Comment);
            return;
        }
        self.toml_values(start, end);
    }

    fn toml_values(&mut self, mut at: usize, end: usize) {
        let bytes = self.line.as_bytes();
        while at < end {
            let byte = bytes[at];
            at = match byte {
                b'#' => {
                    self.push(at..end, TokenKind::Comment);
                    end
                }
                b'"' | b'\'' => self.toml_text(at, end, byte),
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+') => {
                    let part = |byte: u8| {
                        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.')
                    };
                    let stop = self.while_at(at, end, part);
                    self.push(at..stop, self.toml_word(at, stop, end));
                    stop
                }
                b'[' | b']' | b'{' | b'}' => {
                    self.push(at..at + 1, TokenKind::Bracket);
                    at + 1
                }
                b'=' | b',' | b'.' => {
                    self.push(at..at + 1, TokenKind::Operator);
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    fn toml_word(&self, at: usize, stop: usize, end: usize) -> TokenKind {
        if self.line[stop..end].trim_start().starts_with('=') {
            return TokenKind::Key;
        }
        match &self.line[at..stop] {
            "true" | "false" => TokenKind::BuiltIn,
            word if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => TokenKind::Number,
            _ => TokenKind::Name,
        }
    }

    /// A text of TOML; one that holds calls or changes is coloured as rules.
    fn toml_text(&mut self, at: usize, end: usize, quote: u8) -> usize {
        let length = self.line[at + 1..end].find(quote as char);
        let stop = length.map_or(end, |length| at + length + 2);
        let closed = length.is_some();
        let inner = at + 1..if closed { stop - 1 } else { stop };
        if self.line[stop..end].trim_start().starts_with('=') {
            self.push(at..stop, TokenKind::Key);
        } else if holds_code(&self.line[inner.clone()]) {
            self.push(at..at + 1, TokenKind::Text);
            self.code(inner.start, inner.end);
            self.push(inner.end..stop, TokenKind::Text);
        } else {
            self.push(at..stop, TokenKind::Text);
        }
        stop
    }
}

/// `steps(3)`, `money += 100`, `flip; cash(2)`: calls and changes, not words for people.
fn holds_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    let call = (1..bytes.len()).any(|at| {
        bytes[at] == b'(' && (bytes[at - 1].is_ascii_lowercase() || bytes[at - 1] == b'_')
    });
    call || text.contains(" += ") || text.contains(" -= ")
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_operator(byte: u8) -> bool {
    matches!(
        byte,
        b'=' | b'<' | b'>' | b'!' | b'+' | b'-' | b'*' | b'/' | b'%' | b'.'
    )
}

/// A word of the language that stands as a name: `to: list of area`, `from, to: place`, `up = 1`, `by | x`.
fn is_named_here(word: &str, before: &str, after: &str) -> bool {
    const BLOCKS: [&str; 6] = ["else", "may", "repeat", "flow", "score", "given"];
    let first = before.is_empty() || before.ends_with([',', '|']);
    first && after.trim_start().starts_with([',', '|', '?', '=', ':']) && !BLOCKS.contains(&word)
}
