//! From text to the syntax tree: the only file, with those below it, that sees pest's pairs.
//! A file is parsed chunk by chunk, so that one broken declaration hides no other.

mod declaration;
mod expression;
mod mistake;
pub(crate) use mistake::foreign_statement;
mod overlay;
mod statement;
mod table;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use pest::Parser;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::{self, Name, Tag};
use crate::syntax::layout::{self, Layout};

use crate::syntax::layout::whole;
pub use crate::syntax::layout::{Chunk, chunks};

#[derive(pest_derive::Parser)]
#[grammar = "syntax/rules.pest"]
struct Grammar;

type Pair<'i> = pest::iterators::Pair<'i, Rule>;

/// A file as it was understood, and what was not.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub file: ast::File,
    pub diagnostics: Vec<Diagnostic>,
    /// What declarations that could not be read would have declared: that it is missing is no other mistake.
    pub broken: Vec<String>,
}

/// A part of a file as it was understood; `value` is absent after an error.
#[derive(Clone, Debug)]
pub struct Part<T> {
    pub value: Option<T>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a rules, variant or scenario file. Never fails: what is broken is reported and left out.
pub fn parse(file: FileId, text: &str) -> Parsed {
    of_chunks(file, text, |chunk| parse_chunk(file, text, chunk))
}

/// The syntax of a file of a source set; parsed once for each text, and each declaration once for its text.
pub fn parsed(sources: &SourceSet, file: FileId) -> &Parsed {
    let source = sources.file(file);
    let text = source.text.as_str();
    source.rules.get_or_init(|| {
        of_chunks(file, text, |chunk| {
            let start = chunk.range.start;
            if start > 0 && text[start..].starts_with(layout::BYTE_ORDER_MARK) {
                // Allowed at the begin of a file only, which a chunk by itself would seem to be.
                return parse_chunk(file, text, chunk);
            }
            sources
                .kept
                .declaration(&text[chunk.range.clone()], file, &chunk)
        })
    })
}

fn of_chunks(file: FileId, text: &str, read: impl Fn(Chunk) -> Part<ast::Declaration>) -> Parsed {
    let mut declarations: Vec<ast::Declaration> = Vec::new();
    let mut diagnostics = Vec::new();
    let mut broken = Vec::new();
    for chunk in chunks(text) {
        let part = read(chunk.clone());
        diagnostics.extend(part.diagnostics.iter().cloned());
        let around = declarations.last_mut().filter(|_| chunk.inner);
        let Some(declaration) = part.value else {
            if !part.diagnostics.is_empty() {
                broken.extend(mistake::declared(&text[chunk.range]));
            }
            continue;
        };
        match around.map(|around| &mut around.kind) {
            Some(ast::DeclarationKind::Part(part)) => part.declarations.push(declaration),
            // What the `with` above it says could not be read.
            _ if chunk.inner => broken.extend(mistake::declared(&text[chunk.range])),
            _ => declarations.push(declaration),
        }
    }
    Parsed {
        file: ast::File { file, declarations },
        diagnostics,
        broken,
    }
}

/// Parses one chunk of a file (see [`chunks`]). Without value and without diagnostics: the chunk is only comments.
pub fn parse_chunk(file: FileId, text: &str, chunk: Chunk) -> Part<ast::Declaration> {
    let is_inner = chunk.inner;
    let mut layout = layout::layout(file, text, chunk, 0);
    let mut diagnostics = std::mem::take(&mut layout.diagnostics);
    if layout.broken || layout.text.is_empty() {
        return Part {
            value: None,
            diagnostics,
        };
    }
    let first = layout.origin(0);
    let indent = text[..first].len() - text[..first].trim_end_matches([' ', '\t']).len();
    if indent > 0 && !is_inner {
        diagnostics.push(mistake::indented_declaration(Span::new(
            file,
            first - indent,
            first,
        )));
        return Part {
            value: None,
            diagnostics,
        };
    }
    let builder = Builder::new(file, &mut layout);
    let parsed = builder.declaration();
    diagnostics.append(&mut builder.late.borrow_mut());
    match parsed {
        Ok(declaration) => Part {
            value: Some(declaration),
            diagnostics,
        },
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            Part {
                value: None,
                diagnostics,
            }
        }
    }
}

/// Parses a formula that stands in a text of another file, at byte `offset` of it.
pub fn parse_expression(file: FileId, text: &str, offset: usize) -> Part<ast::Expr> {
    parse_cell(
        file,
        text,
        offset,
        Rule::expression_cell,
        |builder, pair| builder.expr(expression::only(pair)),
    )
}

/// Parses the names that a drawing goes through: `r in route where r.owner`; the text stands at byte `offset` of a file.
pub fn parse_binders(file: FileId, text: &str, offset: usize) -> Part<Vec<ast::Binder>> {
    parse_cell(file, text, offset, Rule::binders_cell, |builder, pair| {
        builder.binders(expression::only(pair))
    })
}

/// Parses calls and changes that stand in a text of another file, at byte `offset` of it: `money -= 100; flip_one`.
pub fn parse_effect(file: FileId, text: &str, offset: usize) -> Part<ast::Block> {
    parse_cell(file, text, offset, Rule::effect_cell, |builder, pair| {
        builder.inline(expression::only(pair))
    })
}

fn parse_cell<T>(
    file: FileId,
    text: &str,
    offset: usize,
    rule: Rule,
    build: impl Fn(&Builder, Pair) -> T,
) -> Part<T> {
    let mut layout = layout::layout(file, text, whole(text), offset);
    let mut diagnostics = std::mem::take(&mut layout.diagnostics);
    if layout.broken {
        return Part {
            value: None,
            diagnostics,
        };
    }
    let builder = Builder::new(file, &mut layout);
    match builder.run_grammar(rule, 0) {
        Ok(pair) => {
            let value = Some(build(&builder, pair));
            diagnostics.append(&mut builder.late.borrow_mut());
            Part { value, diagnostics }
        }
        Err(error) => {
            diagnostics.push(mistake::cell(&builder, rule, &error));
            Part {
                value: None,
                diagnostics,
            }
        }
    }
}

/// Turns pairs into the tree.
struct Builder<'l> {
    file: FileId,
    layout: &'l Layout,
    /// Where in the layout's text the pairs' text begins.
    base: std::cell::Cell<usize>,
    /// Documentation and rule ids not yet given to a line.
    docs: RefCell<BTreeMap<u32, String>>,
    tags: RefCell<BTreeMap<u32, Vec<Tag>>>,
    /// Mistakes that the grammar lets pass.
    late: RefCell<Vec<Diagnostic>>,
}

impl<'l> Builder<'l> {
    fn new(file: FileId, layout: &'l mut Layout) -> Builder<'l> {
        let docs = RefCell::new(std::mem::take(&mut layout.docs));
        let tags = RefCell::new(std::mem::take(&mut layout.tags));
        Builder {
            file,
            layout,
            base: std::cell::Cell::new(0),
            docs,
            tags,
            late: RefCell::default(),
        }
    }

    /// Parses the layout's text from `base` on.
    fn run_grammar(
        &self,
        rule: Rule,
        base: usize,
    ) -> Result<Pair<'l>, Box<pest::error::Error<Rule>>> {
        self.base.set(base);
        let mut pairs = Grammar::parse(rule, &self.layout.text[base..]).map_err(Box::new)?;
        Ok(pairs.next().expect("a parsed rule yields its pair"))
    }

    fn span(&self, pair: &Pair) -> Span {
        let span = pair.as_span();
        let base = self.base.get();
        self.layout
            .span(self.file, base + span.start()..base + span.end())
    }

    fn name(&self, pair: Pair) -> Name {
        let text = pair.as_str().trim();
        let text = match pair.as_rule() {
            Rule::literal => text.trim_matches('"'),
            _ => text,
        };
        Name {
            text: text.to_owned(),
            span: self.span(&pair),
        }
    }

    fn names(&self, pair: Pair) -> Vec<Name> {
        parts(pair).map(|part| self.name(part)).collect()
    }

    fn report(&self, diagnostic: Diagnostic) {
        self.late.borrow_mut().push(diagnostic);
    }

    /// Sets a clause; a second one of its kind is a mistake.
    fn set_once<T>(&self, slot: &mut Option<T>, value: T, span: Span) {
        if slot.replace(value).is_some() {
            self.report(mistake::said_twice(span));
        }
    }

    fn take_doc(&self, span: Span) -> String {
        self.docs
            .borrow_mut()
            .remove(&span.start)
            .unwrap_or_default()
    }

    fn take_tags(&self, span: Span) -> Vec<Tag> {
        self.tags
            .borrow_mut()
            .remove(&span.start)
            .unwrap_or_default()
    }

    /// Rule ids of lines that cannot hold them belong to the declaration.
    fn take_other_tags(&self) -> Vec<Tag> {
        std::mem::take(&mut *self.tags.borrow_mut())
            .into_values()
            .flatten()
            .collect()
    }
}

/// Words and signs of the grammar that carry no value of their own.
static TOKENS: LazyLock<Vec<bool>> = LazyLock::new(|| {
    let is_token = |rule: &Rule| {
        let name = format!("{rule:?}");
        name.starts_with("k_")
            || name.starts_with("s_")
            || matches!(rule, Rule::indent | Rule::dedent | Rule::newline)
    };
    let mut tokens = vec![false; Rule::all_rules().len() + 1];
    for rule in Rule::all_rules() {
        let index = *rule as usize;
        if index >= tokens.len() {
            tokens.resize(index + 1, false);
        }
        tokens[index] = is_token(rule);
    }
    tokens
});

fn is_token(rule: Rule) -> bool {
    rule == Rule::EOI || TOKENS.get(rule as usize).copied().unwrap_or(false)
}

/// A pair's parts, without words and signs.
fn parts(pair: Pair) -> impl Iterator<Item = Pair> {
    pair.into_inner().filter(|part| !is_token(part.as_rule()))
}

/// Whether a word or sign stands directly in a pair.
fn has(pair: &Pair, rule: Rule) -> bool {
    pair.clone().into_inner().any(|part| part.as_rule() == rule)
}
