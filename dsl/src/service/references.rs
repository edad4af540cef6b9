//! All places that name something, in every rule set the texts can make: games that build on a game, each overlay, scenarios.

use std::collections::{BTreeMap, BTreeSet};

use super::definition::{declared_span, targets};
use super::place::{canonical, symbol_at, unquoted, uses_in};
use super::said;
use super::tokens::{Language, TokenKind, is_word, tokens};
use crate::Compiled;
use crate::assembly::{self, Manifest, OverlayInfo, Selection};
use crate::check::Symbol;
use crate::source::{FileId, SourceSet, Span};

/// Every place that names what stands at a byte of a file, its declarations among them, in the order of files and bytes.
/// Places are words without quotes. Empty where nothing is named.
///
/// Looks at all games of the texts that hold the declaration, each with every overlay that mentions the word.
pub fn references(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    offset: usize,
) -> Vec<Span> {
    match Wanted::at(sources, compiled, file, offset) {
        Some(wanted) => {
            let worlds = wanted.worlds(sources);
            wanted.places(sources, &worlds).into_iter().collect()
        }
        None => Vec::new(),
    }
}

/// A symbol by what stays the same in all compilations: its word and where it is declared.
pub(super) struct Wanted {
    pub word: String,
    pub symbol: Symbol,
    pub declared: Vec<Span>,
}

impl Wanted {
    pub fn at(
        sources: &SourceSet,
        compiled: &Compiled,
        file: FileId,
        offset: usize,
    ) -> Option<Wanted> {
        let (span, symbol) = symbol_at(sources, compiled, file, offset)?;
        let word = sources.slice(span).to_owned();
        let rules = compiled.understood()?;
        let history = targets(sources, compiled, symbol);
        let mut declared: Vec<Span> = history.iter().map(|target| target.span).collect();
        declared.extend(declared_span(rules, symbol).map(|span| unquoted(sources, span)));
        // Rows and members are noted where their own word stands.
        if matches!(symbol, Symbol::Row(..) | Symbol::Member(..)) {
            declared = own_words(sources, compiled, symbol, &word, &declared);
        }
        declared.retain(|span| sources.slice(*span) == word);
        (!declared.is_empty()).then_some(Wanted {
            word,
            symbol,
            declared,
        })
    }

    pub fn places(&self, sources: &SourceSet, worlds: &[World]) -> BTreeSet<Span> {
        let mut places: BTreeSet<Span> = BTreeSet::new();
        for world in worlds {
            let Some(symbol) = self.in_world(world) else {
                continue;
            };
            let files: BTreeSet<FileId> = world.files.iter().copied().collect();
            if let Some(uses) = world.compiled.uses() {
                let named = uses
                    .all()
                    .iter()
                    .filter(|(span, _)| !files.contains(&span.file));
                self.collect(sources, world, symbol, named, &mut places);
            }
            for file in files {
                if let Some(uses) = uses_in(sources, &world.compiled, file) {
                    self.collect(
                        sources,
                        world,
                        symbol,
                        uses.in_file(file).iter(),
                        &mut places,
                    );
                }
            }
            if let Some((board, _)) = crate::board::board(sources, &world.compiled) {
                let written = board.uses.all().iter();
                let written =
                    written.filter(|(span, _)| (span.file.0 as usize) < sources.ids().count());
                self.collect(sources, world, symbol, written, &mut places);
            }
            self.sections(sources, world, symbol, &mut places);
            for file in said::files_of(world) {
                let named = said::named(sources, &world.compiled, file).into_iter();
                let own = named.filter(|(_, symbols)| symbols.contains(&symbol));
                let own = own.map(|(span, _)| span);
                places.extend(own.filter(|span| sources.slice(*span) == self.word));
            }
        }
        places
    }

    /// Notes of a symbol that are its word, and nothing else, to the letter.
    fn collect<'u>(
        &self,
        sources: &SourceSet,
        world: &World,
        symbol: Symbol,
        uses: impl Iterator<Item = &'u (Span, Symbol)>,
        places: &mut BTreeSet<Span>,
    ) {
        for (span, used) in uses {
            if canonical(&world.compiled, *used) == symbol {
                let span = unquoted(sources, *span);
                if sources.slice(span) == self.word {
                    places.insert(span);
                }
            }
        }
    }

    /// The same thing in another compilation: what is noted at one of its declarations.
    pub fn in_world(&self, world: &World) -> Option<Symbol> {
        if matches!(self.symbol, Symbol::Local(_)) {
            return Some(self.symbol);
        }
        let uses = world.compiled.uses()?;
        self.declared.iter().find_map(|span| {
            let (_, symbol) = uses.at(span.file, span.start as usize)?;
            let symbol = canonical(&world.compiled, symbol);
            (std::mem::discriminant(&symbol) == std::mem::discriminant(&self.symbol))
                .then_some(symbol)
        })
    }

    // -------------------------------------------------------------------------------------------- worlds

    /// The rule sets in which the word can mean it. Overlays and scenarios that never say the word are left out.
    pub fn worlds(&self, sources: &SourceSet) -> Vec<World> {
        let mut all = Vec::new();
        for listing in assembly::games(sources) {
            let Some(manifest) = assembly::manifest(sources, &listing.id).0 else {
                continue;
            };
            if !self.may_be_in(sources, &manifest) {
                continue;
            }
            let mut chosen: BTreeMap<Vec<String>, Vec<FileId>> = BTreeMap::new();
            chosen.insert(Vec::new(), Vec::new());
            for overlay in manifest
                .overlays
                .iter()
                .filter(|one| self.mentioned(sources, one))
            {
                chosen
                    .entry(closure(&manifest.overlays, &overlay.id))
                    .or_default();
            }
            for file in self.scenarios(sources, &listing.id) {
                for heading in crate::headings(sources, file) {
                    let mut with = heading.with;
                    with.sort();
                    let files = chosen.entry(with).or_default();
                    if !files.contains(&file) {
                        files.push(file);
                    }
                }
            }
            for (overlays, files) in chosen {
                let selection = Selection {
                    overlays: overlays.clone(),
                    ..Selection::default()
                };
                let compiled = crate::compile(sources, &listing.id, &selection);
                all.push(World {
                    game: listing.id.clone(),
                    overlays,
                    files,
                    compiled,
                });
            }
        }
        all
    }

    /// Whether a declaration lies in the folders of a game, of what it extends, or of its overlays.
    fn may_be_in(&self, sources: &SourceSet, manifest: &Manifest) -> bool {
        let chain = assembly::chain(sources, &manifest.id);
        let of_overlays = manifest.overlays.iter().flat_map(|one| &one.files);
        let folders: Vec<&str> = of_overlays
            .map(|path| top_folder(path))
            .chain(chain.iter().map(String::as_str))
            .collect();
        let mut declared = self.declared.iter();
        declared.any(|span| folders.contains(&top_folder(&sources.file(span.file).path)))
    }

    fn mentioned(&self, sources: &SourceSet, overlay: &OverlayInfo) -> bool {
        let folder = overlay.files.first().map(|path| {
            let depth = if overlay.expansion { 3 } else { 0 };
            path.split('/').take(depth).collect::<Vec<_>>().join("/")
        });
        sources.ids().any(|id| {
            let source = sources.file(id);
            let own = overlay.files.contains(&source.path)
                || folder.as_ref().is_some_and(|folder| {
                    !folder.is_empty() && source.path.starts_with(folder.as_str())
                });
            own && says(&source.text, &self.word)
        })
    }

    /// Scenario files of a game that say the word.
    fn scenarios(&self, sources: &SourceSet, game: &str) -> Vec<FileId> {
        let start = format!("{game}/");
        let fits = |id: &FileId| {
            let source = sources.file(*id);
            source.path.starts_with(&start)
                && source.path.ends_with(".scenario")
                && says(&source.text, &self.word)
        };
        sources.ids().filter(fits).collect()
    }

    // -------------------------------------------------------------------------------------------- TOML

    /// Section headers that a table is read from under its own name, and what `board.toml` lists by name: columns for people,
    /// and how things look.
    fn sections(
        &self,
        sources: &SourceSet,
        world: &World,
        symbol: Symbol,
        places: &mut BTreeSet<Span>,
    ) {
        let Some(assembly) = &world.compiled.assembly else {
            return;
        };
        // Borders and corners are tables that nobody wrote.
        if let Symbol::Table(id) = symbol
            && let Some(table) = assembly.tables.get(id.index())
        {
            let decl = &table.item.decl;
            let plain = decl.sources.iter().all(|source| source.section.is_none());
            if plain && decl.section.is_none() {
                for file in component_files(sources, assembly) {
                    headers(sources, file, &self.word, places);
                }
            }
        }
        let (section, kind) = match symbol {
            Symbol::Table(_) | Symbol::Column(..) => ("uses", TokenKind::Text),
            Symbol::Row(..) | Symbol::Member(..) => ("looks", TokenKind::Key),
            _ => return,
        };
        for file in component_files(sources, assembly) {
            if sources.file(file).path.ends_with("/board.toml") {
                listed(sources, file, section, kind, &self.word, places);
            }
        }
    }
}

/// One rule set, and the scenarios that are played by it.
pub(super) struct World {
    pub game: String,
    pub overlays: Vec<String>,
    pub files: Vec<FileId>,
    pub compiled: Compiled,
}

/// Rows and members: where their word is noted inside or at the declaration.
fn own_words(
    sources: &SourceSet,
    compiled: &Compiled,
    symbol: Symbol,
    word: &str,
    declared: &[Span],
) -> Vec<Span> {
    let Some(uses) = compiled.uses() else {
        return Vec::new();
    };
    let inside = |span: &Span| {
        declared.iter().any(|outer| {
            outer.file == span.file && outer.start <= span.start && span.end <= outer.end
        })
    };
    let all: Vec<Span> = uses
        .of(symbol)
        .map(|span| unquoted(sources, span))
        .collect();
    let mut own: Vec<Span> = all.iter().copied().filter(inside).collect();
    if own.is_empty() {
        own.extend(
            all.iter()
                .copied()
                .filter(|span| sources.slice(*span) == word)
                .take(1),
        );
    }
    own
}

/// An overlay with all that it needs.
fn closure(overlays: &[OverlayInfo], id: &str) -> Vec<String> {
    let mut all = vec![id.to_owned()];
    let mut at = 0;
    while at < all.len() {
        let info = overlays.iter().find(|one| one.id == all[at]);
        for need in info.into_iter().flat_map(|one| &one.needs) {
            if !all.contains(need) {
                all.push(need.clone());
            }
        }
        at += 1;
    }
    all.sort();
    all
}

fn top_folder(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// TOML files in the folders of an assembly's layers.
fn component_files(sources: &SourceSet, assembly: &assembly::Assembly) -> Vec<FileId> {
    let files = assembly.layers.iter().flat_map(|layer| &layer.files);
    let folders: BTreeSet<&str> = files
        .map(|file| top_folder(&sources.file(*file).path))
        .collect();
    let fits = |id: &FileId| {
        let path = &sources.file(*id).path;
        path.ends_with(".toml") && folders.contains(top_folder(path))
    };
    sources.ids().filter(fits).collect()
}

/// `[[word]]`, `[[parent.word]]`
fn headers(sources: &SourceSet, file: FileId, word: &str, places: &mut BTreeSet<Span>) {
    let text = sources.text(file);
    for (range, kind) in tokens(text, Language::Toml) {
        if kind == TokenKind::Section {
            words_in(text, range, word, |start| {
                places.insert(Span::new(file, start, start + word.len()));
            });
        }
    }
}

/// A word in tokens of a kind that stand below `[section]`; of a key only the whole of it.
fn listed(
    sources: &SourceSet,
    file: FileId,
    section: &str,
    kind: TokenKind,
    word: &str,
    places: &mut BTreeSet<Span>,
) {
    let text = sources.text(file);
    let mut inside = false;
    // Of `red = { colour = "…" }` the first key of the line is what is listed.
    let mut line = usize::MAX;
    for (range, found) in tokens(text, Language::Toml) {
        if found == TokenKind::Section {
            inside = text[range].trim_matches(['[', ']', ' ']) == section;
            continue;
        }
        let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let first = line != start;
        line = start;
        if !inside || found != kind || kind == TokenKind::Key && !first {
            continue;
        }
        let whole = text[range.clone()].trim_matches(['"', '\'', ' ']) == word;
        if kind == TokenKind::Text || whole {
            words_in(text, range, word, |start| {
                places.insert(Span::new(file, start, start + word.len()));
            });
        }
    }
}

/// Where a word stands in a part of a text, not as a part of another word.
fn words_in(text: &str, range: std::ops::Range<usize>, word: &str, mut found: impl FnMut(usize)) {
    let part = &text[range.clone()];
    for (at, _) in part.match_indices(word) {
        let bytes = part.as_bytes();
        let free = |at: Option<usize>| {
            at.and_then(|at| bytes.get(at))
                .is_none_or(|byte| !is_word(*byte) && *byte != b'-')
        };
        if free(at.checked_sub(1)) && free(Some(at + word.len())) {
            found(range.start + at);
        }
    }
}

/// Whether a text has a word, as a whole word.
fn says(text: &str, word: &str) -> bool {
    let bytes = text.as_bytes();
    text.match_indices(word).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let behind = bytes.get(at + word.len());
        ![before, behind]
            .into_iter()
            .flatten()
            .any(|byte| is_word(*byte))
    })
}
