//! The assembly while layers are being laid on it, and the gathering of plain declarations.

use super::any;
use super::layers::LayerSource;
use super::mention;
use super::names::{Called, Room, called};
use super::overlay::{self, Kept, Site, SiteRoot, SiteShape};
use super::written;
use super::{Assembly, Entry, EnumEntry, GridEntry, Manifest, OptionEntry, TableEntry};
use crate::diagnostic::{Diagnostic, Way};
use crate::ir::{LayerId, layer_of};
use crate::source::{SourceSet, Span};
use crate::syntax::ast::{self, Declaration, DeclarationKind, RowsDecl};
use std::collections::BTreeMap;

pub(super) struct Draft<'s> {
    pub sources: &'s SourceSet,
    pub assembly: Assembly,
    /// By layer: where its component files lie.
    pub folders: Vec<String>,
    /// `rows T …`, in layer order.
    pub rows: Vec<(RowsDecl, LayerId, Span)>,
    pub names: BTreeMap<(Room, String), Declared>,
    /// The places that paths could name before the overlays of one group were applied.
    pub sites_before: Vec<Site>,
    /// By name: things that operations of overlays keep and change.
    pub kept: BTreeMap<String, Kept>,
    pub out: Vec<Diagnostic>,
}

/// Where a name was declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub span: Span,
    pub layer: LayerId,
    pub kind: &'static str,
}

/// What stands around an item: layer, place, documentation, rule ids.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub layer: LayerId,
    pub span: Span,
    pub doc: String,
    pub tags: Vec<ast::Tag>,
}

impl Frame {
    /// For operations whose rule ids stand at the lines they brought.
    pub fn untagged(&self) -> Frame {
        Frame {
            tags: Vec::new(),
            ..self.clone()
        }
    }

    pub fn around<T>(self, item: T) -> Entry<T> {
        Entry {
            item,
            layer: self.layer,
            span: self.span,
            doc: self.doc,
            tags: self.tags,
            replaced: Vec::new(),
            touched: Vec::new(),
        }
    }
}

impl<'s> Draft<'s> {
    pub fn new(sources: &'s SourceSet, manifest: Manifest) -> Draft<'s> {
        Draft {
            sources,
            assembly: Assembly {
                manifest,
                layers: Vec::new(),
                knows: Vec::new(),
                options: Vec::new(),
                enums: Vec::new(),
                tables: Vec::new(),
                grids: Vec::new(),
                cells: Vec::new(),
                formulas: Vec::new(),
                networks: Vec::new(),
                tilings: Vec::new(),
                rules: Vec::new(),
                whens: Vec::new(),
                actions: Vec::new(),
                flow: None,
                scores: Vec::new(),
                win: None,
                strategies: Vec::new(),
                boards: Vec::new(),
                words: Vec::new(),
                language: None,
                drawn: Default::default(),
                deeds: Vec::new(),
                written: Vec::new(),
                mentions: Vec::new(),
                scenarios: Vec::new(),
            },
            folders: Vec::new(),
            rows: Vec::new(),
            names: BTreeMap::new(),
            sites_before: Vec::new(),
            kept: BTreeMap::new(),
            out: Vec::new(),
        }
    }

    /// Lays one layer on what is there; returns its operations in the order they are written.
    pub fn lay(&mut self, source: LayerSource) -> Vec<(ast::Overlay, Frame)> {
        let layer = LayerId(self.assembly.layers.len() as u32);
        self.assembly.layers.push(source.layer);
        self.folders.push(source.folder);
        self.assembly.knows.push(source.knows);
        let mut operations = Vec::new();
        for declaration in source.declarations {
            mention::keep(&mut self.assembly, &declaration.kind);
            written::note(&declaration, layer, &mut self.assembly.written);
            let (kind, frame) = split(declaration, layer);
            if self.assembly.layers[layer.index()].of_any
                && let Some(found) = any::refused(self, &kind, layer, &frame)
            {
                self.out.push(found);
                continue;
            }
            match kind {
                DeclarationKind::Overlay(operation) => operations.push((operation, frame)),
                kind => self.declare(kind, frame),
            }
        }
        operations
    }

    fn declare(&mut self, kind: DeclarationKind, frame: Frame) {
        if let Some(called) = called(&kind) {
            let key = (called.room, called.name.clone());
            if let Some(&first) = self.names.get(&key) {
                let found = self.declared_twice(&called, first, &frame);
                self.out.push(found);
                return;
            }
            let declared = Declared {
                span: called.span,
                layer: frame.layer,
                kind: called.kind,
            };
            self.names.insert(key, declared);
        }
        self.store(kind, frame);
    }

    fn store(&mut self, kind: DeclarationKind, frame: Frame) {
        let to = &mut self.assembly;
        match kind {
            DeclarationKind::Option(decl) => {
                let sets = Vec::new();
                to.options.push(frame.around(OptionEntry { decl, sets }));
            }
            DeclarationKind::Enum(decl) => {
                let added = Vec::new();
                to.enums.push(frame.around(EnumEntry { decl, added }));
            }
            DeclarationKind::Table(decl) => to.tables.push(frame.around(table_entry(decl))),
            DeclarationKind::Grid(decl) => to.grids.push(frame.around(grid_entry(decl))),
            DeclarationKind::Rows(decl) => self.rows.push((decl, frame.layer, frame.span)),
            DeclarationKind::Cell(decl) => to.cells.push(frame.around(decl)),
            DeclarationKind::Formula(decl) => to.formulas.push(frame.around(decl)),
            DeclarationKind::Network(decl) => to.networks.push(frame.around(decl)),
            DeclarationKind::Tiling(decl) => to.tilings.push(frame.around(decl)),
            DeclarationKind::Rule(decl) => to.rules.push(frame.around(decl)),
            DeclarationKind::When(decl) => to.whens.push(frame.around(decl)),
            DeclarationKind::Action(decl) => to.actions.push(frame.around(decl)),
            DeclarationKind::Strategy(decl) => to.strategies.push(frame.around(decl)),
            DeclarationKind::Scenario(decl) => to.scenarios.push(frame.around(decl)),
            DeclarationKind::Flow(block) => self.flow(block, frame),
            DeclarationKind::Win(keys) => self.win(keys, frame),
            DeclarationKind::Score(lines) => {
                for line in lines {
                    self.score(line, frame.layer);
                }
            }
            // A `with` that holds is a layer of its own.
            DeclarationKind::Header(_) | DeclarationKind::Part(_) | DeclarationKind::Overlay(_) => {
            }
        }
    }

    fn flow(&mut self, block: ast::Block, frame: Frame) {
        match &self.assembly.flow {
            None => self.assembly.flow = Some(frame.around(block)),
            Some(first) => {
                let help = "write `add to flow`, `before` and `after` its steps, or `replace flow`";
                let found = single_twice("flow", first.span, frame.span, help);
                self.out.push(found);
            }
        }
    }

    fn win(&mut self, keys: Vec<ast::Expr>, frame: Frame) {
        match &self.assembly.win {
            None => self.assembly.win = Some(frame.around(keys)),
            Some(first) => {
                let help = "write `replace win by …`";
                let found = single_twice("win by", first.span, frame.span, help);
                self.out.push(found);
            }
        }
    }

    /// Adds a score line; a name that is there already is an error.
    pub fn score(&mut self, line: ast::ScoreLine, layer: LayerId) {
        let name = &line.name;
        let first = self
            .assembly
            .scores
            .iter()
            .find(|entry| entry.item.name.text == name.text);
        if let Some(first) = first {
            let message = format!("there is a score line `{}` already", name.text);
            self.out.push(
                Diagnostic::error("duplicate-name", name.span, message)
                    .label(first.item.name.span, "the first one")
                    .help(format!("write `replace score.{} = …`", name.text)),
            );
            return;
        }
        self.assembly.scores.push(score_entry(line, layer));
    }

    fn declared_twice(&self, called: &Called, first: Declared, frame: &Frame) -> Diagnostic {
        let name = &called.name;
        let strangers = self.are_strangers(first.layer, frame.layer);
        let same_layer = first.layer == frame.layer;
        let code = match strangers {
            true => "overlay-conflict",
            false => "duplicate-name",
        };
        let message = format!("`{name}` is declared already");
        let diagnostic =
            Diagnostic::error(code, called.span, message).label(first.span, "declared here first");
        if same_layer {
            return diagnostic.help("give one of them another name");
        }
        if self.assembly.layers[frame.layer.index()].of_any {
            return diagnostic.help(format!(
                "a variant of any game meets games that have a `{name}` of their own: take a name that says more, as `my_{}`",
                name.rsplit('.').next().unwrap_or(name)
            ));
        }
        if strangers {
            return diagnostic.help(format!(
                "`{}` and `{}` do not go together as they are: give one of them another name",
                self.layer_id(first.layer),
                self.layer_id(frame.layer)
            ));
        }
        let start = Span {
            end: frame.span.start,
            ..frame.span
        };
        let help = format!("write `replace` before it to put it in place of the other `{name}`");
        let mut replace = Way::fix(help, start, "replace ");
        if let Some(fix) = &mut replace.fix {
            fix.title = "put `replace` before it".to_owned();
        }
        let ways = overlay::new_value_ways(self, name, called.span, frame);
        diagnostic.ways(std::iter::once(replace).chain(ways))
    }

    /// Two different overlays, neither written for the other.
    pub fn are_strangers(&self, a: LayerId, b: LayerId) -> bool {
        self.assembly.are_strangers(a, b)
    }

    /// Whether what stands at a place was there in the world the layer's author saw.
    pub fn sees(&self, layer: LayerId, place: Span) -> bool {
        match layer_of(&self.assembly.layers, place) {
            Some(other) => !self.are_strangers(layer, other),
            None => true,
        }
    }

    /// Whether a place of actions and flow was there in the world the layer's author saw.
    pub fn sees_site(&self, layer: LayerId, site: &Site) -> bool {
        let declares = site.shape == SiteShape::Declaration;
        let other = match site.root {
            // What another overlay replaced is still there, by its name.
            SiteRoot::Action(at) if declares => Some(self.assembly.actions[at].first_layer()),
            SiteRoot::When(at) if declares => Some(self.assembly.whens[at].first_layer()),
            _ => layer_of(&self.assembly.layers, site.span),
        };
        let of_game = other.is_none_or(|other| !self.assembly.is_overlay(other));
        match self.assembly.layers[layer.index()].of_any && of_game {
            true => any::is_offered(site),
            false => other.is_none_or(|other| !self.are_strangers(layer, other)),
        }
    }

    pub fn layer_id(&self, layer: LayerId) -> &str {
        self.assembly.layer_id(layer)
    }
}

pub(super) fn split(declaration: Declaration, layer: LayerId) -> (DeclarationKind, Frame) {
    let frame = Frame {
        layer,
        span: declaration.span,
        doc: declaration.doc,
        tags: declaration.tags,
    };
    (declaration.kind, frame)
}

pub(super) fn table_entry(decl: ast::TableDecl) -> TableEntry {
    TableEntry {
        decl,
        rows: Vec::new(),
        removed: Vec::new(),
        patches: Vec::new(),
    }
}

pub(super) fn grid_entry(decl: ast::GridDecl) -> GridEntry {
    GridEntry {
        decl,
        rows: Vec::new(),
        sets: Vec::new(),
    }
}

pub(super) fn score_entry(line: ast::ScoreLine, layer: LayerId) -> Entry<ast::ScoreLine> {
    let frame = Frame {
        layer,
        span: line.span,
        doc: line.doc.clone(),
        tags: line.tags.clone(),
    };
    frame.around(line)
}

fn single_twice(what: &str, first: Span, second: Span, help: &str) -> Diagnostic {
    let second = Span {
        end: second.start + what.len() as u32,
        ..second
    };
    let first = Span {
        end: first.start + what.len() as u32,
        ..first
    };
    Diagnostic::error(
        "duplicate-name",
        second,
        format!("there is a `{what}` already"),
    )
    .label(first, "the first one")
    .help(help)
}

/// "a cell", "an option"
pub(super) fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}
