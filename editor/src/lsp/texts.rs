//! What is shown in and beside a text: documentation, completions, colours, outline, values in the line, the normal form.

use super::position::Lines;
use super::space::Here;
use crate::values::shown;
use crate::workshop::checker::Checked;
use dsl::service::{self, Completion, CompletionKind, Kind, Language, OutlineItem, TokenKind};
use dsl::source::{FileId, SourceSet, Span};
use dsl::syntax::ast::DeclarationKind;
use lsp_types as lsp;
use std::fmt::Write;

// -------------------------------------------------------------------------------------------------- hover

/// What stands at a place, in Markdown or in plain text.
pub fn hover(here: &Here, markdown: bool) -> Option<lsp::Hover> {
    let (sources, compiled) = (&here.checked.sources, &here.checked.compiled);
    let hover = service::hover(sources, compiled, here.file, here.at)?;
    let code = |text: &str| match markdown {
        true => format!("```trackwright\n{text}\n```\n"),
        false => format!("{text}\n"),
    };
    let mut value = String::new();
    if !hover.signature.is_empty() {
        value += &code(&hover.signature);
    }
    if !hover.doc.is_empty() {
        let _ = writeln!(value, "\n{}", hover.doc);
    }
    if !hover.example.is_empty() {
        let _ = write!(value, "\n{}", code(&hover.example));
    }
    if !hover.facts.is_empty() {
        value.push('\n');
    }
    for fact in &hover.facts {
        let _ = writeln!(value, "- {fact}");
    }
    let range = hover.span.filter(|span| span.file == here.file);
    let lines = Lines::new(sources.text(here.file));
    Some(lsp::Hover {
        contents: lsp::HoverContents::Markup(lsp::MarkupContent {
            kind: match markdown {
                true => lsp::MarkupKind::Markdown,
                false => lsp::MarkupKind::PlainText,
            },
            value: value.trim_end().to_owned(),
        }),
        range: range.map(|span| lines.range(span.start as usize..span.end as usize)),
    })
}

// -------------------------------------------------------------------------------------------------- completion

/// What could be written at a place; `snippets`: the editor lets the cursor stand within what it has put in.
pub fn completions(here: &Here, snippets: bool) -> Vec<lsp::CompletionItem> {
    let (sources, compiled) = (&here.checked.sources, &here.checked.compiled);
    let lines = Lines::new(sources.text(here.file));
    let all = service::complete(sources, compiled, here.file, here.at);
    let items = all.into_iter().enumerate();
    items
        .map(|(at, one)| item(&lines, at, one, snippets))
        .collect()
}

fn item(lines: &Lines, at: usize, one: Completion, snippets: bool) -> lsp::CompletionItem {
    use lsp::CompletionItemKind as K;
    let placed = one.insert.split_once("$0");
    let (new_text, format) = match placed {
        Some((before, after)) if snippets => (
            format!("{}$0{}", escaped(before), escaped(after)),
            lsp::InsertTextFormat::SNIPPET,
        ),
        Some((before, after)) => (
            format!("{before}{after}"),
            lsp::InsertTextFormat::PLAIN_TEXT,
        ),
        None => (one.insert, lsp::InsertTextFormat::PLAIN_TEXT),
    };
    lsp::CompletionItem {
        label: one.label,
        kind: Some(match one.kind {
            CompletionKind::Local | CompletionKind::Argument | CompletionKind::Cell => K::VARIABLE,
            CompletionKind::Member => K::FIELD,
            CompletionKind::Element => K::ENUM_MEMBER,
            CompletionKind::Formula | CompletionKind::Action => K::FUNCTION,
            CompletionKind::Option => K::CONSTANT,
            CompletionKind::Table => K::STRUCT,
            CompletionKind::Enum => K::ENUM,
            CompletionKind::Step => K::EVENT,
            CompletionKind::Network => K::INTERFACE,
            CompletionKind::Type => K::CLASS,
            CompletionKind::Overlay => K::MODULE,
            CompletionKind::Keyword => K::KEYWORD,
            CompletionKind::Snippet => K::SNIPPET,
        }),
        detail: Some(one.detail).filter(|detail| !detail.is_empty()),
        // The best first, whatever the alphabet says.
        sort_text: Some(format!("{at:05}")),
        insert_text_format: Some(format),
        insert_text_mode: Some(lsp::InsertTextMode::AS_IS),
        text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit {
            range: lines.range(one.range),
            new_text,
        })),
        ..lsp::CompletionItem::default()
    }
}

/// Letters that mean something in a snippet.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('$', "\\$")
        .replace('}', "\\}")
}

// -------------------------------------------------------------------------------------------------- colours

/// Kinds of pieces of text, as their numbers are sent.
pub fn legend() -> lsp::SemanticTokensLegend {
    use lsp::SemanticTokenType as T;
    lsp::SemanticTokensLegend {
        token_types: vec![
            T::COMMENT,
            T::STRING,
            T::NUMBER,
            T::DECORATOR,
            T::KEYWORD,
            T::ENUM_MEMBER,
            T::TYPE,
            T::PROPERTY,
            T::FUNCTION,
            T::VARIABLE,
            T::OPERATOR,
            T::NAMESPACE,
        ],
        token_modifiers: vec![lsp::SemanticTokenModifier::DOCUMENTATION],
    }
}

/// The number of a kind in [`legend`]; brackets have no colour.
fn token_type(kind: TokenKind) -> Option<u32> {
    Some(match kind {
        TokenKind::Comment | TokenKind::Doc => 0,
        TokenKind::Text => 1,
        TokenKind::Number => 2,
        TokenKind::RuleId => 3,
        TokenKind::Keyword => 4,
        TokenKind::BuiltIn => 5,
        TokenKind::Type => 6,
        TokenKind::Member | TokenKind::Key => 7,
        TokenKind::Call => 8,
        TokenKind::Name => 9,
        TokenKind::Operator => 10,
        TokenKind::Section => 11,
        TokenKind::Bracket => return None,
    })
}

/// The colours of a text, or of some of its lines.
pub fn tokens(text: &str, name: &str, range: Option<lsp::Range>) -> Vec<lsp::SemanticToken> {
    let lines = Lines::new(text);
    let wanted = range.map_or(0..text.len(), |range| lines.bytes(range));
    let mut last = lsp::Position::default();
    let all = service::tokens(text, Language::of(name)).into_iter();
    let all = all.filter(|(range, _)| wanted.start < range.end && range.start < wanted.end);
    let coloured = all.filter_map(|(range, kind)| Some((range, kind, token_type(kind)?)));
    let told = coloured.map(|(range, kind, token_type)| {
        let start = lines.place(range.start);
        let delta_line = start.line - last.line;
        let delta_start = match delta_line {
            0 => start.character - last.character,
            _ => start.character,
        };
        last = start;
        lsp::SemanticToken {
            delta_line,
            delta_start,
            length: text[range].encode_utf16().count() as u32,
            token_type,
            token_modifiers_bitset: u32::from(kind == TokenKind::Doc),
        }
    });
    told.collect()
}

// -------------------------------------------------------------------------------------------------- outline

/// What a text declares: of rules each declaration, of tables each row.
pub fn symbols(sources: &SourceSet, file: FileId) -> Vec<OutlineItem> {
    match Language::of(&sources.file(file).path) {
        Language::Rules => service::outline(sources, file),
        Language::Toml => rows(sources, file),
        Language::Plain => Vec::new(),
    }
}

/// The rows of a table: each by its section and its first value.
fn rows(sources: &SourceSet, file: FileId) -> Vec<OutlineItem> {
    let text = sources.text(file);
    let mut all: Vec<OutlineItem> = Vec::new();
    let mut key = None;
    for (range, kind) in service::tokens(text, Language::Toml) {
        let span = Span::new(file, range.start, range.end);
        match kind {
            TokenKind::Section => {
                all.push(OutlineItem {
                    kind: Kind::Rows,
                    name: text[range].trim_matches(['[', ']', ' ']).to_owned(),
                    name_span: span,
                    span,
                    doc: String::new(),
                    rule_ids: Vec::new(),
                });
                key = None;
            }
            TokenKind::Key => key = key.map_or(Some(0), |at: usize| Some(at + 1)),
            TokenKind::Comment => continue,
            _ => {}
        }
        let Some(last) = all.last_mut() else { continue };
        if key == Some(0) && matches!(kind, TokenKind::Text | TokenKind::Number) {
            last.name += &format!(" {}", sources.slice(span).trim_matches(['"', '\'']));
            key = Some(1);
        }
        last.span = last.span.to(span);
    }
    all
}

pub fn symbol_kind(kind: Kind) -> lsp::SymbolKind {
    use lsp::SymbolKind as K;
    match kind {
        Kind::Header | Kind::Part => K::MODULE,
        Kind::Option => K::CONSTANT,
        Kind::Enum => K::ENUM,
        Kind::Table | Kind::Rows | Kind::Grid => K::STRUCT,
        Kind::Cell => K::VARIABLE,
        Kind::Formula | Kind::Score | Kind::Strategy => K::FUNCTION,
        Kind::Network | Kind::Tiling => K::INTERFACE,
        Kind::Rule | Kind::Win => K::BOOLEAN,
        Kind::When | Kind::Flow => K::EVENT,
        Kind::Action => K::METHOD,
        Kind::Operation => K::OPERATOR,
        Kind::Scenario => K::OBJECT,
        Kind::Broken => K::NULL,
    }
}

/// The outline of a text as the protocol tells it.
pub fn outline(sources: &SourceSet, file: FileId) -> Vec<lsp::DocumentSymbol> {
    let lines = Lines::new(sources.text(file));
    let bytes = |span: Span| span.start as usize..span.end as usize;
    let told = symbols(sources, file).into_iter().map(|one| {
        let whole = bytes(one.span.to(one.name_span));
        #[expect(deprecated)]
        lsp::DocumentSymbol {
            name: match one.name.is_empty() {
                true => "…".to_owned(),
                false => one.name,
            },
            detail: one.doc.lines().next().map(str::to_owned),
            kind: symbol_kind(one.kind),
            tags: None,
            deprecated: None,
            range: lines.range(whole),
            selection_range: lines.range(bytes(one.name_span)),
            children: None,
        }
    });
    told.collect()
}

// -------------------------------------------------------------------------------------------------- values in the line

/// Behind each name of an option what it is now, and which layer says so; in an overlay's `set` what it was.
pub fn hints(checked: &Checked, file: FileId, range: lsp::Range) -> Vec<lsp::InlayHint> {
    let (Some(rules), Some(assembly)) = (checked.compiled.understood(), &checked.compiled.assembly)
    else {
        return Vec::new();
    };
    let sources = &checked.sources;
    let text = sources.text(file);
    let lines = Lines::new(text);
    let wanted = lines.bytes(range);
    let parsed = dsl::syntax::parse::parse(file, text);
    let set_here = |at: usize| {
        let mut sets = parsed.file.declarations.iter();
        sets.any(|one| {
            let inside = (one.span.start as usize..one.span.end as usize).contains(&at);
            inside && matches!(one.kind, DeclarationKind::Overlay(_))
        })
    };
    let names = service::tokens(text, Language::of(&sources.file(file).path)).into_iter();
    let names = names.filter(|(range, kind)| {
        *kind == TokenKind::Name && wanted.start <= range.start && range.end <= wanted.end
    });
    let hints = names.filter_map(|(range, _)| {
        let word = &text[range.clone()];
        rules.options.iter().find(|one| one.name == word)?;
        let (_, symbol) = service::symbol_at(sources, &checked.compiled, file, range.start)?;
        let dsl::Symbol::Option(id) = symbol else {
            return None;
        };
        let option = rules.options.get(id.index())?;
        let layer = option.set_at.and_then(|span| {
            let mut layers = assembly.layers.iter();
            layers.find(|layer| layer.files.contains(&span.file))
        });
        let declared = option.span.file == file
            && option.span.start as usize <= range.start
            && range.end <= option.span.end as usize;
        let said = match layer {
            _ if set_here(range.start) => format!(" (declared {})", shown(rules, &option.default)),
            Some(layer) => format!(" = {}, by {}", shown(rules, &option.value), layer.id),
            None if declared => return None,
            None => format!(" = {}", shown(rules, &option.value)),
        };
        Some(lsp::InlayHint {
            position: lines.place(range.end),
            label: lsp::InlayHintLabel::String(said),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: None,
        })
    });
    hints.collect()
}
