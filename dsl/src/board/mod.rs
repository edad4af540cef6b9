//! `board.toml`: how a game is drawn, checked against its rule set. Says what is shown where; draws nothing itself.

mod derive;
mod item;
pub(crate) mod keys;
mod pictures;
mod read;
mod value;

use crate::check::{Known, Uses};
use crate::ir::{Binder, Code, Expr, RuleSet, Ty};
use crate::source::{Picture, Span};
use std::collections::BTreeMap;

pub use item::{Item, ItemKind, LabelSide, Outline, Source};
pub use read::{board, written};
pub(crate) use value::{COLOURS, data};
pub use value::{Datum, Template, TemplatePart, VIEWER, Value, viewer_type};

/// Everything that the `board.toml`s of a game and its overlays say.
#[derive(Clone, Debug)]
pub struct Board {
    /// The rule set with the texts that expressions of the board wrote.
    pub rules: RuleSet,
    /// What the words of its texts stand for.
    pub uses: Uses,
    /// In seat order.
    pub seats: Vec<SeatLook>,
    /// By the name of what looks so: an enum's member, a row, a text.
    pub looks: BTreeMap<String, Look>,
    /// One's own pictures, by the names under which items know them.
    pub pictures: BTreeMap<String, Picture>,
    /// Rows of panels from top to bottom; in a row side by side; in these from top to bottom again, and so on.
    pub layout: Vec<Place>,
    pub panels: Vec<Panel>,
    pub questions: Vec<Asked>,
    pub loops: Vec<Through>,
    /// Names of choices whose answers are numbers that something stands for.
    pub choices: Vec<String>,
}

/// Index into [`Board::questions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionId(pub usize);

/// Index into [`Board::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopId(pub usize);

/// An expression; its first locals are the names bound around it.
#[derive(Clone, Debug)]
pub struct Asked {
    pub checked: (Expr, Code),
    pub parameters: usize,
}

/// Names to go through; the first locals of the code are the names bound around them.
#[derive(Clone, Debug)]
pub struct Through {
    pub checked: (Vec<Binder>, Code),
    pub parameters: usize,
    /// What each name can stand for.
    pub types: Vec<Ty>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatLook {
    pub name: String,
    /// `#2a5caa`
    pub colour: String,
}

/// How something with a name looks wherever it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// `#2a5caa`
    pub colour: Option<String>,
    /// One or a few letters that stand for it.
    pub sign: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Index into [`Board::panels`].
    Panel(usize),
    Group(Vec<Place>),
}

/// A titled part of the board; one for each of the things its names stand for.
#[derive(Clone, Debug)]
pub struct Panel {
    pub id: String,
    pub span: Span,
    pub title: Template,
    pub through: Option<LoopId>,
    /// It adds to the panel of the same name that lies below; a size takes the place of the one there.
    pub adds: bool,
    /// Names that its items know.
    pub known: Vec<Known>,
    /// How many of them lie side by side.
    pub per_row: u32,
    pub when: Option<QuestionId>,
    /// Width, and height of the part in which things have places of their own; 0: as much as they take.
    pub size: (u32, u32),
    /// In painting order.
    pub items: Vec<Item>,
}
