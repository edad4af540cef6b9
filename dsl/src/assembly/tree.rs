//! TOML as a tree of our own: every key and value keeps its place, keys stand in the order they were written.

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::Name;
use crate::syntax::layout::cannot_be_seen;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub value: Value,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text {
        text: String,
        /// Between the quotes.
        span: Span,
        /// No escapes.
        plain: bool,
    },
    Int(i64),
    Bool(bool),
    List(Vec<Node>),
    Table(Vec<(Name, Node)>),
    /// Floats, dates, numbers out of range.
    Other(&'static str),
    /// Not TOML, and reported as that: whoever wants a value here says nothing more.
    Broken,
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries()
            .iter()
            .find(|(name, _)| name.text == key)
            .map(|(_, node)| node)
    }

    /// Keys and values of a table; nothing for any other value.
    pub fn entries(&self) -> &[(Name, Node)] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// What stands in the quotes, if it is a text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// It has been reported already.
    pub fn is_broken(&self) -> bool {
        matches!(self.value, Value::Broken)
    }

    /// What it is, for messages.
    pub fn describe(&self) -> &'static str {
        match &self.value {
            Value::Text { .. } => "a text",
            Value::Int(_) => "a number",
            Value::Bool(_) => "`true` or `false`",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(what) => what,
            Value::Broken => "not readable",
        }
    }
}

/// A TOML file as it was understood, and what was not.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    root: Node,
    diagnostics: Vec<Diagnostic>,
}

/// Reads a TOML file, once for each text. What could not be read is reported and left out.
pub(crate) fn read<'s>(
    sources: &'s SourceSet,
    file: FileId,
    out: &mut Vec<Diagnostic>,
) -> &'s Node {
    let source = sources.file(file);
    let tree = source.toml.get_or_init(|| tree(file, &source.text));
    out.extend(tree.diagnostics.iter().cloned());
    &tree.root
}

fn tree(file: FileId, text: &str) -> Tree {
    let mut diagnostics = Vec::new();
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut broken = Vec::new();
    let spans = errors.iter().filter(|error| error.message() == SECOND_KEY);
    let again: Vec<Range<usize>> = spans
        .filter_map(|error| second_section(text, error.span()?))
        .collect();
    for error in errors {
        let range = error.span().unwrap_or(0..0);
        let inside =
            |section: &Range<usize>| (section.start + 1..section.end).contains(&range.start);
        if error.message() == SECOND_KEY && again.iter().any(inside) {
            continue;
        }
        let span = Span::new(file, range.start, range.end);
        let diagnostic = Diagnostic::error("toml", span, message(error.message()));
        if again.iter().any(|section| section.start == range.start) {
            let name = text.get(range.clone()).unwrap_or_default();
            let help = format!("write `[[{name}]]` above each, for a list of them");
            diagnostics.push(diagnostic.help(help));
            broken.push(range);
            continue;
        }
        diagnostics.push(match help(error.message()) {
            "" => diagnostic,
            help => diagnostic.help(help),
        });
        broken.push(range);
    }
    let reader = Reader { file, text, broken };
    let root = Node {
        value: Value::Table(reader.entries(table.get_ref())),
        span: Span::new(file, 0, 0),
    };
    strays(&root, &mut diagnostics);
    Tree { root, diagnostics }
}

/// Keys and texts with characters that cannot be seen: they would hide or change what is shown around them.
fn strays(node: &Node, out: &mut Vec<Diagnostic>) {
    match &node.value {
        Value::Text { text, span, plain } => stray(text, *span, *plain, out),
        Value::List(nodes) => nodes.iter().for_each(|node| strays(node, out)),
        Value::Table(entries) => {
            for (key, node) in entries {
                stray(&key.text, key.span, false, out);
                strays(node, out);
            }
        }
        Value::Int(_) | Value::Bool(_) | Value::Other(_) | Value::Broken => {}
    }
}

fn stray(text: &str, span: Span, plain: bool, out: &mut Vec<Diagnostic>) {
    let line_end = |at: usize| text[at..].starts_with("\r\n");
    let found = text.char_indices().find(|(at, c)| {
        let fine = matches!(c, '\n' | '\t') || *c == '\r' && line_end(*at);
        !fine && cannot_be_seen(*c)
    });
    let Some((at, c)) = found else { return };
    let place = match plain {
        true => Span::new(
            span.file,
            span.start as usize + at,
            span.start as usize + at + c.len_utf8(),
        ),
        false => span,
    };
    let message = format!("a character that cannot be seen (U+{:04X})", c as u32);
    out.push(Diagnostic::error("stray-character", place, message).help("leave it out"));
}

/// TOML's own words, lower case and without a full stop.
fn message(words: &str) -> String {
    let words = words.trim().trim_end_matches('.');
    if words.starts_with(NO_VALUE) {
        return "there is no value, or a text without quotes".into();
    }
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => "this is not TOML".into(),
    }
}

const SECOND_KEY: &str = "duplicate key";
const NO_VALUE: &str = "string values must be quoted";

/// Whether a key or section stands there a second time.
pub(crate) fn is_second_key(mistake: &Diagnostic) -> bool {
    mistake.code == "toml" && mistake.message == SECOND_KEY
}

/// A section `[name]` that stands there a second time, up to the next one: its keys stand there a second time too.
fn second_section(text: &str, name: Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..name.start)?;
    let is_header = before.ends_with('[') && !before.ends_with("[[");
    let end = text.get(name.start..)?.find("\n[");
    is_header.then(|| name.start..end.map_or(text.len(), |at| name.start + at))
}

/// What to do about it, by how TOML's own words begin.
fn help(words: &str) -> &'static str {
    const HELPS: [(&str, &str); 12] = [
        (
            SECOND_KEY,
            "write each key of a section once; for one more entry of a list write `[[name]]` above it",
        ),
        (
            NO_VALUE,
            "write the value behind `=`: a text in quotes, a number, `true`, `false` or `[a, b]`",
        ),
        (
            "invalid basic string",
            "close the text with `\"` on the same line",
        ),
        (
            "invalid literal string",
            "close the text with `'` on the same line",
        ),
        ("unclosed array table", "write `[[name]]`"),
        ("unclosed table", "write `[name]`"),
        ("unclosed array", "close the list with `]`"),
        ("unclosed inline table", "close it with `}`"),
        ("missing comma", "write `,` between them"),
        ("key with no value", "write `key = value`"),
        (
            "missing assignment",
            "write each `key = value` on a line of its own",
        ),
        (
            "cannot recurse further",
            "so deep a list is read by nobody: write it flat",
        ),
    ];
    let known = HELPS.iter().find(|(start, _)| words.starts_with(start));
    known.map_or("", |(_, help)| help)
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    /// Where the errors are.
    broken: Vec<Range<usize>>,
}

impl Reader<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    fn entries(&self, table: &DeTable) -> Vec<(Name, Node)> {
        let mut entries: Vec<(Name, Node)> = table
            .iter()
            .map(|(key, value)| {
                let name = Name {
                    text: key.get_ref().to_string(),
                    span: self.span(key.span()),
                };
                (name, self.node(value))
            })
            .collect();
        entries.sort_by_key(|(name, _)| name.span.start);
        entries
    }

    fn node(&self, value: &Spanned<DeValue>) -> Node {
        let range = value.span();
        let kind = match value.get_ref() {
            DeValue::Table(table) => Value::Table(self.entries(table)),
            DeValue::Array(values) => Value::List(values.iter().map(|v| self.node(v)).collect()),
            // What stands in for a value that could not be read has the error's place.
            _ if self.broken.iter().any(|error| meet(error, &range)) => Value::Broken,
            DeValue::String(text) => self.text(text, range.clone()),
            DeValue::Integer(number) => integer(number),
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Float(_) => Value::Other("a number with a fraction"),
            DeValue::Datetime(_) => Value::Other("a date or time"),
        };
        Node {
            value: kind,
            span: self.span(range),
        }
    }

    fn text(&self, text: &str, range: Range<usize>) -> Value {
        let written = self.text.get(range.clone()).unwrap_or_default();
        let long = written.starts_with("\"\"\"") || written.starts_with("'''");
        let quotes = if long { 3 } else { 1 };
        let inner =
            range.start + quotes..range.end.saturating_sub(quotes).max(range.start + quotes);
        let plain = self.text.get(inner.clone()) == Some(text);
        let inner = if inner.end <= range.end { inner } else { range };
        Value::Text {
            text: text.to_string(),
            span: self.span(inner),
            plain,
        }
    }
}

/// Both have a place in common; an empty one lies at its start.
fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end.max(b.start + 1) && b.start < a.end.max(a.start + 1)
}

fn integer(number: &toml::de::DeInteger) -> Value {
    i64::from_str_radix(number.as_str(), number.radix())
        .map_or(Value::Other("a number too large"), Value::Int)
}
