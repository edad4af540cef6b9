//! From files to one set of declarations: the game's layers in order, overlays applied, still syntax.
//! Nothing is resolved here; every part keeps the layer that shaped it.

pub(crate) mod any;
mod assemble;
pub(crate) mod clash;
mod columns;
mod commute;
mod components;
mod conflict;
mod difference;
mod draft;
mod effects;
pub(crate) mod fields;
mod languages;
mod layers;
mod manifest;
mod mention;
mod names;
mod options;
mod overlay;
mod overlay_info;
mod products;
pub(crate) mod tree;
mod unread;
pub(crate) mod words;
mod written;

pub use any::ANY;
pub use assemble::assemble;
pub(crate) use assemble::lowest;
pub use columns::type_of_values;
pub use conflict::{Act, Brings, Deed};
pub use difference::{Change, ChangeKind, changes};
pub use languages::{ENGLISH, languages};
pub(crate) use manifest::chain;
pub(crate) use manifest::{COMBINATION_KEYS, GAME_KEYS};
pub use manifest::{Listing, games, manifest};
pub use mention::Mention;
pub(crate) use names::full;
pub(crate) use overlay::blocks;
pub(crate) use overlay_info::EXPANSION_KEYS;
pub use overlay_info::not_for;
pub(crate) use tree::Tree;
pub use written::{Lent, RowName, Written};

use crate::ir::{Layer, LayerId};
use crate::source::{FileId, Span};
use crate::syntax::ast;

/// `game.toml` (or `[family]`), read and checked.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub file: FileId,
    pub id: String,
    pub title: String,
    /// Shared rules, not playable itself.
    pub family: bool,
    pub players: (u32, u32),
    pub extends: Option<String>,
    pub default: bool,
    /// Rule ids `PREFIX-…` are checked against RULES.md.
    pub prefix: Option<String>,
    pub rules: Vec<String>,
    /// Order of the layers.
    pub overlays: Vec<OverlayInfo>,
    pub combinations: Vec<Combination>,
}

impl Manifest {
    /// An overlay, and behind it all that it needs.
    pub fn with_needs(&self, id: &str) -> Vec<String> {
        let mut ids = vec![id.to_owned()];
        let mut at = 0;
        while let Some(id) = ids.get(at) {
            let known = self.overlays.iter().find(|overlay| overlay.id == *id);
            for need in known.map_or(&[][..], |overlay| overlay.needs.as_slice()) {
                if !ids.contains(need) {
                    ids.push(need.clone());
                }
            }
            at += 1;
        }
        ids
    }

    /// What overlays need, and what that needs; without those of them that none of the others needs.
    pub fn needed(&self, ids: &[String]) -> Vec<String> {
        let mut needed: Vec<String> = Vec::new();
        for need in ids
            .iter()
            .flat_map(|id| self.with_needs(id).into_iter().skip(1))
        {
            if !needed.contains(&need) {
                needed.push(need);
            }
        }
        needed
    }
}

/// An overlay the game declares: an expansion folder or a variant file.
#[derive(Clone, Debug)]
pub struct OverlayInfo {
    pub id: String,
    pub title: String,
    pub expansion: bool,
    pub needs: Vec<String>,
    pub not_with: Vec<String>,
    /// Overlays it was written to lie upon when they are chosen too.
    pub after: Vec<String>,
    /// Its rules files, as the source set names them.
    pub files: Vec<String>,
    /// A house rule for any game.
    pub of_any: bool,
    /// What it says below `with`s, in the order of its texts.
    pub parts: Vec<PartInfo>,
    /// Where it is declared.
    pub span: Span,
}

/// When a part of an overlay holds.
#[derive(Clone, Debug)]
pub struct PartInfo {
    /// Overlays that have to be on.
    pub with: Vec<String>,
    /// Overlays that have to be off.
    pub not_with: Vec<String>,
    /// Each of these with its place.
    pub names: Vec<ast::Name>,
}

impl PartInfo {
    fn of(part: &ast::WithPart) -> PartInfo {
        let texts = |names: &[ast::Name]| names.iter().map(|name| name.text.clone()).collect();
        PartInfo {
            with: texts(&part.with),
            not_with: texts(&part.not_with),
            names: part.with.iter().chain(&part.not_with).cloned().collect(),
        }
    }

    /// As it is written: `with coast not with tides`.
    pub fn says(&self) -> String {
        let clause = |word: &str, ids: &[String]| match ids.is_empty() {
            true => String::new(),
            false => format!("{word} {}", ids.join(", ")),
        };
        let clauses = [
            clause("with", &self.with),
            clause("not with", &self.not_with),
        ];
        let said: Vec<&str> = clauses
            .iter()
            .map(String::as_str)
            .filter(|one| !one.is_empty())
            .collect();
        said.join(" ")
    }
}

/// A declared combination: `check` tests it.
#[derive(Clone, Debug)]
pub struct Combination {
    pub overlays: Vec<String>,
    pub players: (u32, u32),
}

/// What the caller wants of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Overlay ids, any order.
    pub overlays: Vec<String>,
    /// `--set name=value`, applied last: option, operation, value as text.
    pub options: Vec<(String, ast::AssignOp, String)>,
    /// `de`: the language of the words that people read; none: the one that the rules are written in.
    pub language: Option<String>,
}

/// A declaration as it stands after all layers.
#[derive(Clone, Debug)]
pub struct Entry<T> {
    pub item: T,
    /// The layer whose text `item` is.
    pub layer: LayerId,
    pub span: Span,
    pub doc: String,
    pub tags: Vec<ast::Tag>,
    /// What it replaced, newest first; `original` in `item` means the first of these.
    pub replaced: Vec<Entry<T>>,
    /// Everything later layers did to it: hooks, `add to`, `set`, `patch`.
    pub touched: Vec<Touch>,
}

impl<T> Entry<T> {
    /// The layer from which on the declaration's name is seen: that of the first text that declared it.
    pub fn first_layer(&self) -> LayerId {
        self.first_with(|_| true)
    }

    /// The layer of the first text that has something; the layer of the text that holds if none has.
    pub fn first_with(&self, has: impl Fn(&T) -> bool) -> LayerId {
        let oldest = self.replaced.iter().rev();
        let first = oldest.into_iter().find(|old| has(&old.item));
        first.map_or(self.layer, |first| first.layer)
    }
}

#[derive(Clone, Debug)]
pub struct Touch {
    pub layer: LayerId,
    pub span: Span,
}

/// An option and the `set`s on it, in layer order (`--set` last).
#[derive(Clone, Debug)]
pub struct OptionEntry {
    pub decl: ast::OptionDecl,
    pub sets: Vec<SetEntry>,
}

#[derive(Clone, Debug)]
pub struct SetEntry {
    pub op: ast::AssignOp,
    /// Index expressions of a grid cell; empty for options.
    pub indices: Vec<ast::Expr>,
    pub value: ast::GridCell,
    /// Which layer says so; none: who plays, above all layers.
    pub layer: Option<LayerId>,
    pub span: Span,
}

/// A table with all its row sources in canonical order.
#[derive(Clone, Debug)]
pub struct TableEntry {
    pub decl: ast::TableDecl,
    /// Raw rows of TOML files and of lines in rules files: base first, then layers.
    pub rows: Vec<RawRow>,
    pub removed: Vec<RemovedRow>,
    pub patches: Vec<PatchEntry>,
}

/// One row as written.
#[derive(Clone, Debug)]
pub struct RawRow {
    pub layer: LayerId,
    pub span: Span,
    pub cells: Vec<RawCell>,
    /// For nested tables: which of the parent's rows (index into the parent's `rows`).
    pub parent: Option<usize>,
    /// What names the file it stands in, or the head of its lines.
    pub source: Span,
    /// Under which name it stands in its file.
    pub section: String,
}

#[derive(Clone, Debug)]
pub struct RawCell {
    pub name: ast::Name,
    pub value: RawValue,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum RawValue {
    Int(i64),
    Bool(bool),
    /// Contents of a string; `span` covers them without the quotes; `plain`: no escapes, so that places in it can be pointed at.
    Text {
        text: String,
        span: Span,
        plain: bool,
    },
    List(Vec<(RawValue, Span)>),
    /// `{ a = 1 }` and anything else TOML has: wrong wherever a value is wanted, named for the message.
    Other(&'static str),
    /// Could not be read, and that has been reported.
    Broken,
    /// A cell of a line in a rules file.
    Cell(Box<ast::GridCell>),
}

impl RawValue {
    /// A name as it is written: of a row, of what it refers to.
    pub fn as_word(&self) -> Option<String> {
        match self {
            RawValue::Text { text, .. } => Some(text.clone()),
            RawValue::Cell(cell) => match &**cell {
                ast::GridCell::Expr(expr) => Some(ast::expr_text(expr)),
                ast::GridCell::Statements(_) => None,
            },
            RawValue::Int(_)
            | RawValue::Bool(_)
            | RawValue::List(_)
            | RawValue::Other(_)
            | RawValue::Broken => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct RemovedRow {
    pub key: Vec<ast::Expr>,
    pub layer: LayerId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct PatchEntry {
    pub key: Vec<ast::Expr>,
    pub condition: Option<ast::Expr>,
    pub cells: Vec<(ast::Name, ast::Expr)>,
    pub layer: LayerId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct GridEntry {
    pub decl: ast::GridDecl,
    /// `rows ability` lines of later layers.
    pub rows: Vec<(ast::RowsDecl, LayerId)>,
    pub sets: Vec<SetEntry>,
}

#[derive(Clone, Debug)]
pub struct EnumEntry {
    pub decl: ast::EnumDecl,
    /// `set colour += brown`
    pub added: Vec<(ast::Name, LayerId)>,
}

/// The game with its overlays, as syntax. Hooks, `add to`, `instead of`, clause replacements and added conditions have been
/// woven into the bodies (their spans tell the layer: see `RuleSet::layer_of`).
#[derive(Clone, Debug)]
pub struct Assembly {
    pub manifest: Manifest,
    pub layers: Vec<Layer>,
    /// By layer: the overlays it was written for (`needs`, `after`, `with`) and those they were written for; `None` for the chain
    /// along `extends`.
    pub knows: Vec<Option<Vec<String>>>,
    pub options: Vec<Entry<OptionEntry>>,
    pub enums: Vec<Entry<EnumEntry>>,
    pub tables: Vec<Entry<TableEntry>>,
    pub grids: Vec<Entry<GridEntry>>,
    pub cells: Vec<Entry<ast::CellDecl>>,
    /// Also constants: formulas without owner and parameters.
    pub formulas: Vec<Entry<ast::FormulaDecl>>,
    pub networks: Vec<Entry<ast::NetworkDecl>>,
    pub tilings: Vec<Entry<ast::TilingDecl>>,
    pub rules: Vec<Entry<ast::RuleDecl>>,
    pub whens: Vec<Entry<ast::WhenDecl>>,
    pub actions: Vec<Entry<ast::ActionDecl>>,
    /// One: later layers add to it.
    pub flow: Option<Entry<ast::Block>>,
    pub scores: Vec<Entry<ast::ScoreLine>>,
    pub win: Option<Entry<Vec<ast::Expr>>>,
    pub strategies: Vec<Entry<ast::StrategyDecl>>,
    /// The layers' `board.toml`s, base first.
    pub boards: Vec<FileId>,
    /// The layers' language files, each with its language: those of the product first, then base first.
    pub words: Vec<(String, FileId)>,
    /// The language chosen.
    pub language: Option<String>,
    /// Words of the `board.toml`s: a column that is named there needs no other use.
    pub drawn: std::collections::BTreeSet<String>,
    /// What operations did, in the order they were applied.
    pub deeds: Vec<Deed>,
    /// Rule ids in the texts of the layers, in the order in which they were read.
    pub written: Vec<Written>,
    /// What the heads of operations name, in layer order.
    pub mentions: Vec<Mention>,
    /// Scenarios found in the rules files themselves (tests use this).
    pub scenarios: Vec<Entry<ast::Scenario>>,
}

impl Assembly {
    /// Whether a layer was written for another one, directly or not.
    pub fn knows_of(&self, layer: LayerId, other: LayerId) -> bool {
        let id = self.layer_id(other);
        let known = self.knows[layer.index()].as_ref();
        known.is_some_and(|known| known.iter().any(|name| name == id))
    }

    /// Two different overlays, neither written for the other.
    pub fn are_strangers(&self, a: LayerId, b: LayerId) -> bool {
        a != b
            && self.is_overlay(a)
            && self.is_overlay(b)
            && !self.knows_of(a, b)
            && !self.knows_of(b, a)
    }

    /// Whether what one layer declares was there in the world that another one's author saw.
    pub fn sees(&self, layer: LayerId, other: LayerId) -> bool {
        let hidden = self.layers[layer.index()].of_any && !self.is_overlay(other);
        other <= layer && !hidden && !self.are_strangers(layer, other)
    }

    pub fn is_overlay(&self, layer: LayerId) -> bool {
        self.knows[layer.index()].is_some()
    }

    /// What a header writes that means a layer: of a part its overlay and those that it is with.
    fn ids_of(&self, layer: &str) -> Vec<String> {
        let found = self.layers.iter().find(|one| one.id == layer);
        match found.and_then(|one| one.part.as_ref()) {
            Some(part) => [&part.of].into_iter().chain(&part.with).cloned().collect(),
            None => vec![layer.to_owned()],
        }
    }

    pub fn layer_id(&self, layer: LayerId) -> &str {
        &self.layers[layer.index()].id
    }
}
