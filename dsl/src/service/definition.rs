//! Where something is declared, and what changed it since.

use super::place::{line_around, symbol_at, unquoted, word_at};
use super::tokens::TokenKind;
use crate::Compiled;
use crate::assembly::{Assembly, Entry, OverlayInfo};
use crate::check::Symbol;
use crate::ir::{LayerId, RuleSet};
use crate::source::{FileId, SourceSet, Span};

/// What a place has to do with a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It was declared here first.
    Declared,
    /// An overlay put this in its place.
    Replaced,
    /// An overlay changed or added something here.
    Changed,
}

/// A place that says what something is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Of the name, or of the operation that changed it.
    pub span: Span,
    pub role: Role,
    /// Id of the game or overlay whose text it is; empty for what belongs to no layer (a scenario).
    pub layer: String,
}

/// The places that say what stands at a byte of a file: its declaration, then what each overlay did to it, in layer order.
/// Empty for words of the language and where nothing is.
pub fn definition(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    offset: usize,
) -> Vec<Target> {
    if let Some((_, symbol)) = symbol_at(sources, compiled, file, offset) {
        return targets(sources, compiled, symbol);
    }
    match word_at(sources, file, offset) {
        Some((word, TokenKind::RuleId)) => rule_line(sources, compiled, sources.slice(word)),
        Some((word, _)) => {
            let section = section_of(sources, compiled, word);
            section.map_or_else(|| overlay_named(sources, compiled, word), |one| vec![one])
        }
        None => Vec::new(),
    }
}

/// All places that say what a symbol is.
pub(super) fn targets(sources: &SourceSet, compiled: &Compiled, symbol: Symbol) -> Vec<Target> {
    let (Some(rules), Some(assembly)) = (compiled.understood(), &compiled.assembly) else {
        return Vec::new();
    };
    let found = places(rules, assembly, symbol);
    let found = if found.is_empty() {
        declared_span(rules, symbol)
            .map(|span| (span, Role::Declared))
            .into_iter()
            .collect()
    } else {
        found
    };
    let target = |(span, role): (Span, Role)| Target {
        span: unquoted(sources, span),
        role,
        layer: layer_of(rules, assembly, span)
            .map_or_else(String::new, |id| rules.layers[id.index()].id.clone()),
    };
    found.into_iter().map(target).collect()
}

/// The layer whose text a place is; of a row in a component file the one that reads it.
fn layer_of(rules: &RuleSet, assembly: &Assembly, span: Span) -> Option<LayerId> {
    rules.layer_of(span).or_else(|| {
        let mut rows = assembly.tables.iter().flat_map(|one| &one.item.rows);
        rows.find(|row| row.span == span).map(|row| row.layer)
    })
}

/// Where the rule set says that it stands.
pub(super) fn declared_span(rules: &RuleSet, symbol: Symbol) -> Option<Span> {
    Some(match symbol {
        Symbol::Option(id) => rules.options.get(id.index())?.span,
        Symbol::Enum(id) | Symbol::Member(id, _) => rules.enums.get(id.index())?.span,
        Symbol::Table(id) => rules.tables.get(id.index())?.span,
        Symbol::Column(id, column) => {
            rules
                .tables
                .get(id.index())?
                .columns
                .get(column.index())?
                .span
        }
        Symbol::Row(id, row) => rules.tables.get(id.index())?.rows.get(row as usize)?.span,
        Symbol::Grid(id) => rules.grids.get(id.index())?.span,
        Symbol::Cell(id) => rules.cells.get(id.index())?.span,
        Symbol::Formula(id) => rules.formulas.get(id.index())?.span,
        Symbol::Network(id) => rules.networks.get(id.index())?.span,
        Symbol::Action(id) => rules.actions.get(id.index())?.span,
        Symbol::Tiling => rules.tiling.as_ref()?.span,
        Symbol::Label(id) => rules.labels.get(id.index())?.span,
        Symbol::Local(span) => span,
        Symbol::Rule(_) | Symbol::When(_) | Symbol::Score(_) => return None,
    })
}

fn places(rules: &RuleSet, assembly: &Assembly, symbol: Symbol) -> Vec<(Span, Role)> {
    let at = declared_span(rules, symbol);
    match symbol {
        Symbol::Option(_) => named(&assembly.options, at, |one| one.decl.name.span),
        Symbol::Enum(_) => named(&assembly.enums, at, |one| one.decl.name.span),
        Symbol::Member(id, number) => {
            let word = rules.enums[id.index()].members.get(number as usize);
            let all = assembly.enums.iter().flat_map(|entry| {
                let members = entry.item.decl.members.iter();
                members.chain(entry.item.added.iter().map(|(name, _)| name))
            });
            let span = rules.enums[id.index()].span;
            let mut fitting = all.filter(|name| Some(&name.text) == word);
            let declared = fitting.find(|name| {
                assembly.enums.iter().any(|entry| {
                    entry.item.decl.name.span == span
                        && (entry.span.file != name.span.file
                            || entry.span.start <= name.span.start)
                })
            });
            declared
                .map(|name| (name.span, Role::Declared))
                .into_iter()
                .collect()
        }
        Symbol::Table(_) => named(&assembly.tables, at, |one| one.decl.name.span),
        Symbol::Row(id, _) => {
            let patches = assembly.tables.get(id.index()).map(|one| &one.item.patches);
            let row = at.map(|span| (span, Role::Declared));
            let key = row_key(rules, symbol);
            let patched = patches.into_iter().flatten().filter(|patch| {
                crate::check::key_text(&patch.key) == key && patch.condition.is_none()
            });
            row.into_iter()
                .chain(patched.map(|patch| (patch.span, Role::Changed)))
                .collect()
        }
        Symbol::Grid(_) => named(&assembly.grids, at, |one| one.decl.name.span),
        Symbol::Cell(_) => named(&assembly.cells, at, |one| one.name.span),
        Symbol::Formula(_) => named(&assembly.formulas, at, |one| one.name.span),
        Symbol::Network(_) => named(&assembly.networks, at, |one| one.name.span),
        Symbol::Action(_) => named(&assembly.actions, at, |one| one.name.span),
        Symbol::Rule(id) => numbered(&assembly.rules, id.index(), |one| one.name.span),
        Symbol::When(id) => numbered(&assembly.whens, id.index(), |one| one.name.span),
        Symbol::Score(id) => numbered(&assembly.scores, id.index(), |one| one.name.span),
        Symbol::Column(..) | Symbol::Tiling | Symbol::Label(_) | Symbol::Local(_) => Vec::new(),
    }
}

fn row_key(rules: &RuleSet, symbol: Symbol) -> &str {
    match symbol {
        Symbol::Row(id, row) => rules.tables[id.index()]
            .rows
            .get(row as usize)
            .map_or("", |row| row.name.as_str()),
        _ => "",
    }
}

/// The history of the entry one of whose texts has its name here.
fn named<T>(
    entries: &[Entry<T>],
    at: Option<Span>,
    name: impl Fn(&T) -> Span + Copy,
) -> Vec<(Span, Role)> {
    let fits = |entry: &&Entry<T>| Some(name(&entry.item)) == at;
    entries
        .iter()
        .find(fits)
        .map_or_else(Vec::new, |entry| history(entry, name))
}

fn numbered<T>(
    entries: &[Entry<T>],
    at: usize,
    name: impl Fn(&T) -> Span + Copy,
) -> Vec<(Span, Role)> {
    entries
        .get(at)
        .map_or_else(Vec::new, |entry| history(entry, name))
}

/// The first declaration, what took its place, then what else was done, by layer.
fn history<T>(entry: &Entry<T>, name: impl Fn(&T) -> Span) -> Vec<(Span, Role)> {
    let texts = entry.replaced.iter().rev().chain([entry]);
    let mut all: Vec<(LayerId, Span, Role)> = texts
        .enumerate()
        .map(|(at, one)| {
            let role = if at == 0 {
                Role::Declared
            } else {
                Role::Replaced
            };
            (one.layer, name(&one.item), role)
        })
        .collect();
    let touched = entry.touched.iter();
    all.extend(touched.map(|touch| (touch.layer, touch.span, Role::Changed)));
    all.sort_by_key(|(layer, _, role)| (*role != Role::Declared, *layer));
    all.dedup_by_key(|(_, span, _)| *span);
    all.into_iter()
        .map(|(_, span, role)| (span, role))
        .collect()
}

/// The line of the game's `RULES.md` that a rule id names.
fn rule_line(sources: &SourceSet, compiled: &Compiled, id: &str) -> Vec<Target> {
    let found = rule_text(sources, compiled, id).map(|(span, layer)| Target {
        span,
        role: Role::Declared,
        layer,
    });
    found.into_iter().collect()
}

/// Where `RULES.md` of a layer's folder says what a rule id is, and the layer.
pub(super) fn rule_text(
    sources: &SourceSet,
    compiled: &Compiled,
    id: &str,
) -> Option<(Span, String)> {
    let rules = compiled.understood()?;
    rules.layers.iter().find_map(|layer| {
        let folder = sources.file(*layer.files.first()?).path.split('/').next()?;
        let file = sources.find(&format!("{folder}/RULES.md"))?;
        let mut start = 0;
        for line in sources.text(file).split_inclusive('\n') {
            let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            let first = words.find(|word| word.contains(char::is_alphanumeric));
            if first == Some(id) {
                let span = Span::new(file, start, start + line.trim_end().len());
                return Some((span, layer.id.clone()));
            }
            start += line.len();
        }
        None
    })
}

/// The `[[section]]` that a table takes its rows from.
fn section_of(sources: &SourceSet, compiled: &Compiled, word: Span) -> Option<Target> {
    let assembly = compiled.assembly.as_ref()?;
    let tables = assembly.tables.iter();
    let source = tables
        .flat_map(|one| &one.item.decl.sources)
        .find(|source| {
            source
                .section
                .as_ref()
                .is_some_and(|name| name.span == word)
        })?;
    let mut folder = sources.file(word.file).path.as_str();
    let wanted = sources.slice(word);
    let file = loop {
        folder = folder.rsplit_once('/')?.0;
        if let Some(file) = sources.find(&format!("{folder}/{}", source.path.text)) {
            break file;
        }
    };
    let header = format!("[[{wanted}]]");
    let at = sources.text(file).find(&header)?;
    Some(Target {
        span: Span::new(file, at + 2, at + 2 + wanted.len()),
        role: Role::Declared,
        layer: String::new(),
    })
}

/// The name of a game or overlay that a word is part of: `coast` of `the-coast`.
fn id_around(sources: &SourceSet, word: Span) -> Span {
    let text = sources.text(word.file);
    let part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let start = text[..word.start as usize].trim_end_matches(part).len();
    let rest = &text[word.end as usize..];
    let end = text.len() - rest.trim_start_matches(part).len();
    Span::new(word.file, start, end)
}

/// Words with which a line begins that may name overlays.
pub(super) const OVERLAY_LINES: [&str; 6] = [
    "variant",
    "expansion",
    "scenario",
    "position",
    "with",
    "not",
];

/// The overlay that a word in a header, a `with` or a scenario's first line is part of.
pub(super) fn overlay_at<'c>(
    sources: &SourceSet,
    compiled: &'c Compiled,
    word: Span,
) -> Option<(Span, &'c OverlayInfo)> {
    let span = id_around(sources, word);
    let line = line_around(sources.text(word.file), word.start as usize);
    let first = sources.text(word.file)[line].split(' ').next()?;
    let mut overlays = compiled.assembly.as_ref()?.manifest.overlays.iter();
    let found = overlays.find(|one| one.id == sources.slice(span))?;
    OVERLAY_LINES.contains(&first).then_some((span, found))
}

/// A game or overlay named in a header or a scenario.
fn overlay_named(sources: &SourceSet, compiled: &Compiled, word: Span) -> Vec<Target> {
    let Some(assembly) = &compiled.assembly else {
        return Vec::new();
    };
    let span = id_around(sources, word);
    let id = sources.slice(span);
    let overlay = assembly.manifest.overlays.iter().find(|one| one.id == id);
    let file = overlay
        .and_then(|one| sources.find(one.files.first()?))
        .or_else(|| sources.find(&format!("{id}/game.toml")));
    let target = file.map(|file| Target {
        span: Span::new(file, 0, 0),
        role: Role::Declared,
        layer: id.to_owned(),
    });
    target.into_iter().collect()
}
