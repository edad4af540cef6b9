//! The rule set: resolved to ids, typed, immutable, without caches. The contract between this crate and whoever runs rules.
//!
//! Everything that overlays change has been changed already: hooks are woven into bodies, replaced formulas keep what they
//! replaced as hidden formulas, option values are constants. Only the number of players is still open.

// Made once and read many times: boxes would cost more than they save.
#[allow(clippy::large_enum_variant)]
mod code;
mod constant;
mod data;
mod fingerprint;
mod lattice;
pub mod number;
mod scenario;
mod speech;

pub use code::*;
pub use constant::{Known, constant};
pub use data::*;
pub use fingerprint::sum_of;
pub use lattice::*;
pub use scenario::*;
pub use speech::*;

use crate::source::{FileId, Span};

macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            #[inline]
            pub fn index(self) -> usize { self.0 as usize }
        }
    };
}

define_id! { /** Index into [`RuleSet::layers`]. */ LayerId }
define_id! { /** Index into [`RuleSet::tables`]. */ TableId }
define_id! { /** A column of its table: index into [`Table::columns`]. */ ColumnId }
define_id! { /** Index into [`RuleSet::enums`]. */ EnumId }
define_id! { /** Index into [`RuleSet::grids`]. */ GridId }
define_id! { /** Index into [`RuleSet::options`]. */ OptionId }
define_id! { /** Index into [`RuleSet::cells`]. */ CellId }
define_id! { /** Index into [`RuleSet::formulas`]. */ FormulaId }
define_id! { /** Index into [`RuleSet::networks`]. */ NetworkId }
define_id! { /** Index into [`RuleSet::actions`]. */ ActionId }
define_id! { /** Index into [`RuleSet::effects`]. */ EffectId }
define_id! { /** Index into [`RuleSet::rules`]. */ RuleId }
define_id! { /** Index into [`RuleSet::whens`]. */ WhenId }
define_id! { /** A step's label; several steps may share one. Index into [`RuleSet::labels`]. */ LabelId }
define_id! { /** Index into [`RuleSet::scores`]. */ ScoreId }
define_id! { /** Index into [`RuleSet::endings`]. */ EndingId }
define_id! { /** A parameter, `let` or binder of one [`Code`]: index into [`Code::locals`]. */ LocalId }
define_id! { /** Index into [`RuleSet::texts`]. */ TextId }

/// One game with its overlays, checked.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// Kebab-case folder name.
    pub id: String,
    pub title: String,
    /// Least and greatest number of players.
    pub players: (u32, u32),
    /// Base first, then overlays in the order declared by the game.
    pub layers: Vec<Layer>,
    pub texts: Vec<String>,
    pub enums: Vec<Enum>,
    pub tables: Vec<Table>,
    pub grids: Vec<Grid>,
    pub options: Vec<GameOption>,
    pub tiling: Option<Tiling>,
    pub cells: Vec<Cell>,
    pub formulas: Vec<Formula>,
    pub networks: Vec<Network>,
    pub actions: Vec<Action>,
    pub effects: Vec<Effect>,
    pub rules: Vec<Rule>,
    pub whens: Vec<When>,
    pub labels: Vec<Label>,
    pub flow: Code,
    /// The flow's statements (its locals are in `flow.locals`).
    pub flow_body: Block,
    pub scores: Vec<ScoreLine>,
    /// Sort keys of the ranking, descending; each reads the player as local 0 of `win_code`.
    pub win: Vec<Expr>,
    pub win_code: Code,
    /// What bots may play by; what can be played does not depend on it.
    pub strategies: Vec<Strategy>,
    /// How the game, or a player's part in it, may end: one for each line that says so.
    pub endings: Vec<Ending>,
    /// Where rule ids stand.
    pub tags: Vec<TagUse>,
    /// Options, formulas and columns without rule ids, each with those of what reads it; empty where nothing is laid on and set.
    pub lent: crate::assembly::Lent,
    /// What people call all of this.
    pub speech: Speech,
}

/// A game, a family, an expansion or a variant that shaped the rule set.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Folder name or file stem; of a part these and what it holds with: `harbour with tides`.
    pub id: String,
    pub title: String,
    /// Of a part none: they are its overlay's.
    pub files: Vec<FileId>,
    /// Chosen on top of the game; false for the game itself and what it extends.
    pub overlay: bool,
    /// A house rule for any game.
    pub of_any: bool,
    /// Of what an overlay says below a `with`.
    pub part: Option<LayerPart>,
}

/// The part of an overlay that holds only where others are on, or off.
#[derive(Clone, Debug)]
pub struct LayerPart {
    /// Id of the overlay.
    pub of: String,
    /// Those that it is written with.
    pub with: Vec<String>,
    /// The declarations below the `with`.
    pub spans: Vec<Span>,
}

impl Layer {
    fn holds(&self, span: Span) -> bool {
        let around =
            |own: &Span| own.file == span.file && own.start <= span.start && span.end <= own.end;
        match &self.part {
            Some(part) => part.spans.iter().any(around),
            None => self.files.contains(&span.file),
        }
    }
}

/// The layer in whose texts something stands.
pub fn layer_of(layers: &[Layer], span: Span) -> Option<LayerId> {
    // Parts lie above the overlay whose texts hold them.
    let at = layers.iter().rposition(|layer| layer.holds(span))?;
    Some(LayerId(at as u32))
}

/// A rule id and what carries it.
#[derive(Clone, Debug)]
pub struct TagUse {
    pub id: String,
    /// Of the tag.
    pub span: Span,
    /// Of the declaration or statement that carries it.
    pub carrier: Span,
    /// A game can come to it: it is not what an overlay has left without use.
    pub reached: bool,
}

impl RuleSet {
    /// What its strategies are called, in their order.
    pub fn strategy_names(&self) -> Vec<&str> {
        let strategies = self.strategies.iter();
        strategies.map(|strategy| strategy.name.as_str()).collect()
    }

    pub fn text(&self, id: TextId) -> &str {
        &self.texts[id.index()]
    }

    /// The expansions and variants chosen on top of the game, in their order.
    pub fn overlays(&self) -> impl Iterator<Item = &Layer> {
        self.layers
            .iter()
            .filter(|layer| layer.overlay && layer.part.is_none())
    }

    pub fn layer_of(&self, span: Span) -> Option<LayerId> {
        layer_of(&self.layers, span)
    }
}
