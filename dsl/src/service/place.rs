//! What stands at a place of a text.

use std::borrow::Cow;

use super::said;
use super::tokens::{Language, TokenKind, tokens};
use crate::Compiled;
use crate::check::{self, Symbol, Uses};
use crate::ir::RuleSet;
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::Name;

/// What the words of a file stand for; a scenario's are looked up when asked for.
pub(super) fn uses_in<'c>(
    sources: &SourceSet,
    compiled: &'c Compiled,
    file: FileId,
) -> Option<Cow<'c, Uses>> {
    if sources.file(file).path.ends_with(".scenario") {
        let context = compiled.context()?;
        return Some(Cow::Owned(check::uses_of(sources, context, file)));
    }
    if sources.file(file).path.ends_with("/board.toml") {
        let (board, _) = crate::board::board(sources, compiled)?;
        let looks = said::looks(sources, compiled, file).into_iter();
        let all = board.uses.all().iter().copied().chain(looks);
        return Some(Cow::Owned(Uses::new(all.collect())));
    }
    if said::is_said(&sources.file(file).path) {
        return Some(Cow::Owned(said::uses(sources, compiled, file)));
    }
    compiled.uses().map(Cow::Borrowed)
}

/// The symbol at a byte of a file, and the word that names it there, without quotes.
///
/// What the compilation did not settle (half-typed text, what an overlay took away) is looked up by its name.
pub fn symbol_at(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    offset: usize,
) -> Option<(Span, Symbol)> {
    let noted = uses_in(sources, compiled, file)?.at(file, offset);
    if let Some((span, symbol)) = noted {
        let symbol = canonical(compiled, symbol);
        return Some((unquoted(sources, span), symbol));
    }
    let (word, kind) = word_at(sources, file, offset)?;
    let context = compiled.context()?;
    let member = match kind {
        TokenKind::Section => return section(sources, context.2, word),
        TokenKind::Member => true,
        TokenKind::Name | TokenKind::Call | TokenKind::Type => false,
        _ => return None,
    };
    let name = Name {
        text: sources.slice(word).to_owned(),
        span: word,
    };
    let symbol = check::named(sources, context, &name, member)?;
    Some((word, canonical(compiled, symbol)))
}

/// The token that holds a byte, or ends at it.
pub(super) fn word_at(
    sources: &SourceSet,
    file: FileId,
    offset: usize,
) -> Option<(Span, TokenKind)> {
    let source = sources.file(file);
    let line = line_around(&source.text, offset);
    let all = tokens(&source.text[line.clone()], Language::of(&source.path));
    let holds = |range: &std::ops::Range<usize>| {
        line.start + range.start <= offset && offset <= line.start + range.end
    };
    let word = |kind: TokenKind| !matches!(kind, TokenKind::Operator | TokenKind::Bracket);
    let mut found = all.into_iter().filter(|(range, _)| holds(range));
    let first = found.next();
    let best = found.find(|(_, kind)| word(*kind)).or(first)?;
    let (range, kind) = best;
    Some((
        Span::new(file, line.start + range.start, line.start + range.end),
        kind,
    ))
}

/// The line that holds a byte, without its end; a place off the text is at its end.
pub(super) fn line_around(text: &str, offset: usize) -> std::ops::Range<usize> {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..]
        .find('\n')
        .map_or(text.len(), |at| offset + at);
    start..end
}

/// The table whose rows stand under `[[section]]`.
fn section(sources: &SourceSet, rules: &RuleSet, header: Span) -> Option<(Span, Symbol)> {
    let text = sources.slice(header);
    let inner = text.trim_matches(['[', ']', ' ']);
    let last = inner.rsplit('.').next()?.trim();
    let at = rules.tables.iter().position(|table| table.name == last)?;
    let start = header.start as usize + text.rfind(last)?;
    let span = Span::new(header.file, start, start + last.len());
    Some((span, Symbol::Table(crate::ir::TableId(at as u32))))
}

/// A nested table's column for the row it lies in, and what lies on a place, are called like their tables: one name.
pub(super) fn canonical(compiled: &Compiled, symbol: Symbol) -> Symbol {
    let (Some(rules), Some(assembly)) = (compiled.understood(), &compiled.assembly) else {
        return symbol;
    };
    match symbol {
        Symbol::Column(table, column) => {
            // Borders and corners are tables that nobody wrote.
            let Some(entry) = assembly.tables.get(table.index()) else {
                return symbol;
            };
            let decl = &entry.item.decl;
            let name = &rules.tables[table.index()].columns[column.index()].name;
            let declared = decl.columns.iter().any(|one| one.name.text == *name);
            let parent = decl.parent.as_ref().filter(|parent| parent.text == *name);
            let at = parent.and_then(|parent| {
                rules
                    .tables
                    .iter()
                    .position(|table| table.name == parent.text)
            });
            match at {
                Some(at) if !declared => Symbol::Table(crate::ir::TableId(at as u32)),
                _ => symbol,
            }
        }
        Symbol::Cell(cell) => {
            let tiling = rules
                .tiling
                .as_ref()
                .filter(|tiling| tiling.tile_cell == Some(cell));
            let tile = tiling.and_then(|tiling| tiling.tile);
            tile.map_or(symbol, Symbol::Table)
        }
        _ => symbol,
    }
}

/// A span without the quotes at its ends.
pub(super) fn unquoted(sources: &SourceSet, span: Span) -> Span {
    let text = sources.slice(span);
    let quoted = text.len() >= 2 && text.starts_with(['"', '\'']) && text.ends_with(['"', '\'']);
    if quoted {
        Span::new(span.file, span.start as usize + 1, span.end as usize - 1)
    } else {
        span
    }
}
