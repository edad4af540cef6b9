//! What a file declares, in order: for the outline beside the text and for going to a name.

use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::{self, Declaration, DeclarationKind};
use crate::syntax::parse::{chunks, parse_chunk};

/// What a declaration declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Header,
    /// `with`, with declarations below.
    Part,
    Option,
    Enum,
    Table,
    Rows,
    Grid,
    Cell,
    Formula,
    Network,
    Tiling,
    Rule,
    When,
    Action,
    Flow,
    Score,
    Win,
    Strategy,
    /// `set`, `replace`, `remove`, `patch`, `add to`, `before`, `after`, `instead of`.
    Operation,
    Scenario,
    /// Half-typed: it cannot be understood yet.
    Broken,
}

/// One declaration of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    pub kind: Kind,
    /// As people call it: `player.hand`, `set wagons_each`, a scenario's title.
    pub name: String,
    /// Of the name; for what has none, of the first word.
    pub name_span: Span,
    /// The whole declaration, without its documentation.
    pub span: Span,
    /// Lines of `##` above it.
    pub doc: String,
    pub rule_ids: Vec<String>,
}

/// The declarations of a rules, variant or scenario file in order; what does not parse stands there as [`Kind::Broken`].
pub fn outline(sources: &SourceSet, file: FileId) -> Vec<OutlineItem> {
    let text = sources.text(file);
    let mut all = Vec::new();
    for chunk in chunks(text) {
        match parse_chunk(file, text, chunk.clone()).value {
            Some(declaration) => all.push(item(sources, &declaration)),
            None => all.extend(broken(file, text, chunk.range)),
        }
    }
    all
}

fn item(sources: &SourceSet, declaration: &Declaration) -> OutlineItem {
    let (kind, name) = head(&declaration.kind);
    let first = first_line(sources, declaration.span);
    let (name, name_span) = match name {
        Some((Some(owner), name)) => (format!("{}.{}", owner.text, name.text), name.span),
        Some((None, name)) => (name.text.clone(), name.span),
        None => (sources.slice(first).to_owned(), first),
    };
    OutlineItem {
        kind,
        name,
        name_span,
        span: declaration.span,
        doc: declaration.doc.clone(),
        rule_ids: declaration
            .tags
            .iter()
            .map(|tag| tag.text.clone())
            .collect(),
    }
}

type Named<'d> = Option<(Option<&'d ast::Name>, &'d ast::Name)>;

/// A declaration's kind, and its owner and name if it has one.
pub(super) fn head(kind: &DeclarationKind) -> (Kind, Named<'_>) {
    use DeclarationKind as D;
    match kind {
        D::Header(header) => (Kind::Header, Some((None, &header.title))),
        D::Part(_) => (Kind::Part, None),
        D::Option(decl) => (Kind::Option, Some((None, &decl.name))),
        D::Enum(decl) => (Kind::Enum, Some((None, &decl.name))),
        D::Table(decl) => (Kind::Table, Some((None, &decl.name))),
        D::Rows(decl) => (Kind::Rows, Some((None, &decl.table))),
        D::Grid(decl) => (Kind::Grid, Some((None, &decl.name))),
        D::Cell(decl) => (Kind::Cell, Some((decl.owner.as_ref(), &decl.name))),
        D::Formula(decl) => (Kind::Formula, Some((decl.owner.as_ref(), &decl.name))),
        D::Network(decl) => (Kind::Network, Some((decl.owner.as_ref(), &decl.name))),
        D::Tiling(decl) => (Kind::Tiling, Some((None, &decl.name))),
        D::Rule(decl) => (Kind::Rule, Some((None, &decl.name))),
        D::When(decl) => (Kind::When, Some((None, &decl.name))),
        D::Action(decl) => (Kind::Action, Some((None, &decl.name))),
        D::Flow(_) => (Kind::Flow, None),
        D::Score(_) => (Kind::Score, None),
        D::Win(_) => (Kind::Win, None),
        D::Strategy(decl) => (Kind::Strategy, Some((None, &decl.name))),
        D::Overlay(_) => (Kind::Operation, None),
        D::Scenario(scenario) => (Kind::Scenario, Some((None, &scenario.title))),
    }
}

/// The first line of a declaration, up to its colon.
fn first_line(sources: &SourceSet, span: Span) -> Span {
    let text = sources.slice(span);
    let line = text.lines().next().unwrap_or_default();
    let end = line.find([':', '[', '#']).unwrap_or(line.len());
    let start = span.start as usize;
    Span::new(span.file, start, start + line[..end].trim_end().len())
}

fn broken(file: FileId, text: &str, chunk: std::ops::Range<usize>) -> Option<OutlineItem> {
    let mut start = chunk.start;
    for line in text[chunk.clone()].split_inclusive('\n') {
        let words = line.trim();
        if !words.is_empty() && !words.starts_with('#') {
            let at = start + (line.len() - line.trim_start().len());
            let name_span = Span::new(file, at, at + words.len());
            return Some(OutlineItem {
                kind: Kind::Broken,
                name: words.to_owned(),
                name_span,
                span: Span::new(file, at, chunk.start + text[chunk].trim_end().len()),
                doc: String::new(),
                rule_ids: Vec::new(),
            });
        }
        start += line.len();
    }
    None
}
