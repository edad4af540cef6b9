//! What there is and what can change: types, values, tables, cells.

use super::{
    ActionId, Block, Code, ColumnId, EffectExpr, EffectId, EnumId, Expr, FormulaId, LabelId,
    LocalId, Message, Param, TableId, TextId,
};
use crate::source::Span;

/// A set of things that can be named one by one; an element is a number from 0 in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Domain {
    Table(TableId),
    Enum(EnumId),
    Player,
    /// Positions of a tiling that has no table of its own.
    Cell,
    /// Directions of the tiling.
    Side,
    Port,
    /// All actions, by [`ActionId`].
    Action,
    /// Parts (rows of a table nested in the tile) that lie on the tiling: position × greatest number of parts + part.
    Part(TableId),
    /// Whole numbers of a range known when rules are loaded; element 0 is `low`.
    Int {
        low: i32,
        high: i32,
    },
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Bounds as far as they are known; absent: unbounded.
    Int {
        low: Option<i64>,
        high: Option<i64>,
    },
    Bool,
    Text,
    /// One element of a domain (never `Domain::Int`: those are `Ty::Int`).
    Element(Domain),
    /// A call or changes to run; may use the cells of this action.
    Effect(Option<ActionId>),
    Formula {
        of: Domain,
        result: Box<Ty>,
    },
    Set(Domain),
    Bag(Domain),
    /// Ordered; the element may be `Int`, `Element`, `Effect` or `Formula`.
    List(Box<Ty>),
    Deck(Domain),
    /// Places with gaps.
    Row(Domain),
    Agenda,
    /// The result of `best walk`: `.value`, `.nodes`.
    Walk(Domain),
    /// `T?`; never nested.
    Optional(Box<Ty>),
}

impl Ty {
    pub const INT: Ty = Ty::Int {
        low: None,
        high: None,
    };

    pub fn optional(self) -> Ty {
        match self {
            Ty::Optional(_) => self,
            other => Ty::Optional(Box::new(other)),
        }
    }

    /// Without the `?`.
    pub fn required(&self) -> &Ty {
        match self {
            Ty::Optional(inner) => inner,
            other => other,
        }
    }

    /// Whether all numbers of another type lie in the range of this one; of what is no number nothing lies outside.
    pub fn spans(&self, other: &Ty) -> bool {
        let (
            Ty::Int { low, high },
            Ty::Int {
                low: least,
                high: most,
            },
        ) = (self.required(), other.required())
        else {
            return true;
        };
        low.is_none_or(|low| least.is_some_and(|least| least >= low))
            && high.is_none_or(|high| most.is_some_and(|most| most <= high))
    }

    /// What a container holds.
    pub fn element(&self) -> Option<Ty> {
        match self {
            Ty::Set(domain) | Ty::Bag(domain) | Ty::Deck(domain) | Ty::Row(domain) => {
                Some(domain.element_ty())
            }
            Ty::List(element) => Some((**element).clone()),
            _ => None,
        }
    }

    pub fn is_container(&self) -> bool {
        self.element().is_some()
    }
}

impl Domain {
    /// The type of one element.
    pub fn element_ty(self) -> Ty {
        match self {
            Domain::Int { low, high } => Ty::Int {
                low: Some(low.into()),
                high: Some(high.into()),
            },
            other => Ty::Element(other),
        }
    }
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    None,
    Int(i32),
    Bool(bool),
    Text(TextId),
    /// Number of the element in its domain.
    Element(Domain, u32),
    /// Elements of one domain, ascending; ints are [`Value::Int`].
    Set(Vec<Value>),
    Bag(Vec<(Value, u32)>),
    List(Vec<Value>),
    Effect(EffectId),
    Formula(FormulaId),
}

#[derive(Clone, Debug)]
pub struct Enum {
    /// Empty for `{city, border}`.
    pub name: String,
    pub members: Vec<String>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    pub span: Span,
    pub doc: String,
    pub columns: Vec<Column>,
    /// Look-up columns.
    pub key: Vec<ColumnId>,
    /// The column that says how many of each row there are.
    pub copies: Option<ColumnId>,
    /// For nested tables: the table of the rows that hold these rows, and the column that leads there.
    pub parent: Option<(TableId, ColumnId)>,
    /// In canonical order: base files, then layers.
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub ty: Ty,
    pub span: Span,
    pub doc: String,
}

#[derive(Clone, Debug)]
pub struct Row {
    /// What people call it: its key, joined by `/`.
    pub name: String,
    /// One a column.
    pub values: Vec<Value>,
    pub span: Span,
}

/// `table ability[worker, action]`: values for one or two indices; missing cells are `none`.
#[derive(Clone, Debug)]
pub struct Grid {
    pub name: String,
    pub span: Span,
    pub indices: Vec<Domain>,
    pub ty: Ty,
    /// Row-major over the indices' elements.
    pub values: Vec<Value>,
}

/// An option (dial) with the value that the selection gives it.
#[derive(Clone, Debug)]
pub struct GameOption {
    pub name: String,
    pub doc: String,
    pub ty: Ty,
    /// As declared, before any `set`.
    pub default: Value,
    pub value: Value,
    pub span: Span,
    /// Where the value was set last.
    pub set_at: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Tiling {
    pub name: String,
    pub span: Span,
    /// Positions: `Cell`, or the table whose rows they are.
    pub positions: Domain,
    pub lattice: super::Lattice,
    pub ground: Ground,
    pub tile: Option<TableId>,
    /// Ways to turn a tile: a divisor of its number of sides.
    pub turns: u32,
    /// The cells that hold what lies where: `CELL.<tile table's name>` (`tile?`) and `CELL.turn` (`0..turns-1`).
    pub tile_cell: Option<super::CellId>,
    pub turn_cell: Option<super::CellId>,
    /// Tables nested in the tile whose rows can be used as `X on map`.
    pub parts: Vec<TableId>,
    /// Borders of places (each side, shared with the neighbour beyond it), and corners, if they have names.
    pub borders: Option<Rim>,
    pub corners: Option<Rim>,
}

/// What lies around places: the table of all of it, and which of it is a place's.
#[derive(Clone, Copy, Debug)]
pub struct Rim {
    pub table: TableId,
    /// Of each place: all of it, and what lies in each direction (a side, or a diagonal of corners), none in others.
    pub all: super::GridId,
    pub at: super::GridId,
}

#[derive(Clone, Debug)]
pub enum Ground {
    /// The positions by row and column, as they are written, in order.
    Places(std::sync::Arc<[super::Coordinates]>),
    /// One position for each row of the table.
    Table { row: ColumnId, column: ColumnId },
}

impl Ground {
    /// The position with these coordinates.
    pub fn find(&self, at: super::Coordinates) -> Option<u32> {
        match self {
            Ground::Places(places) => places.binary_search(&at).ok().map(|at| at as u32),
            Ground::Table { .. } => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellOwner {
    Game,
    Each(Domain),
    /// Exists while the step runs.
    Step(LabelId),
    Action(ActionId),
}

/// A state variable: one slot for each combination of owner and indices.
#[derive(Clone, Debug)]
pub struct Cell {
    pub name: String,
    pub span: Span,
    pub doc: String,
    pub owner: CellOwner,
    pub indices: Vec<Domain>,
    pub ty: Ty,
    /// Range of an `Int` cell, size of a container; owner and indices are the first locals of `code`.
    pub low: Option<Expr>,
    pub high: Option<Expr>,
    /// Greatest number of pieces; for a row its number of places.
    pub capacity: Option<Expr>,
    pub visibility: Visibility,
    /// Value at the start or at each entry of the owning step; owner and indices are the first locals.
    pub start: Option<Expr>,
    /// An empty deck shuffles this zone into itself.
    pub refill: Option<Place>,
    /// Gaps are filled from this deck.
    pub fill: Option<Place>,
    pub code: Code,
}

impl Cell {
    /// Not even whether something is there is seen: a single value that may be missing, unseen, of which there are several for
    /// each player or for all. Which of them hold something would tell what they are for.
    pub fn conceals(&self) -> bool {
        let sight = &self.visibility;
        let kept = sight.hidden || sight.private == Some(Private::Owner);
        let unseen = kept && !sight.top && sight.showing.is_empty();
        let each = match self.owner {
            CellOwner::Each(domain) => Some(domain),
            _ => None,
        };
        let dims = each.iter().chain(&self.indices);
        let of_player = dims.clone().any(|domain| *domain == Domain::Player);
        let several = dims.count() > usize::from(of_player);
        unseen && several && matches!(self.ty, Ty::Optional(_))
    }
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Visibility {
    /// Not everybody sees it.
    pub private: Option<Private>,
    /// Nobody sees it.
    pub hidden: bool,
    /// What all see of each element all the same.
    pub showing: Vec<ColumnId>,
    /// Only the top card is seen.
    pub top: bool,
}

/// Rule sets without what is private to others keep the fingerprints that they had.
impl std::fmt::Debug for Visibility {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Visibility {
            private,
            hidden,
            showing,
            top,
        } = self;
        let mut printed = to.debug_struct("Visibility");
        match private {
            Some(Private::Others) => printed.field("private", private),
            private => printed.field("private", &private.is_some()),
        };
        printed
            .field("hidden", hidden)
            .field("showing", showing)
            .field("top", top)
            .finish()
    }
}

/// Who sees what is private.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Private {
    /// The player whose it is.
    Owner,
    /// All players but him.
    Others,
}

#[derive(Clone, Debug)]
pub struct Formula {
    /// `player.completed`; `#` and a number behind it: what an overlay replaced.
    pub name: String,
    pub span: Span,
    pub doc: String,
    /// The receiver, if it has an owner, is the first parameter.
    pub owner: Option<Domain>,
    pub params: Vec<LocalId>,
    pub ty: Ty,
    pub body: Expr,
    pub code: Code,
}

#[derive(Clone, Debug)]
pub struct Network {
    pub name: String,
    pub span: Span,
    /// One network for each element.
    pub owner: Option<Domain>,
    pub ground: NetworkGround,
    /// Which links are there: the receiver (if any) and the link are the first locals.
    pub condition: Option<Expr>,
    pub code: Code,
}

#[derive(Clone, Debug)]
pub enum NetworkGround {
    /// Rows of `table` join the elements of `nodes` given by two expressions over the link (local of `code`).
    Links {
        table: TableId,
        nodes: Domain,
        /// The local that is the link.
        element: LocalId,
        from: Expr,
        to: Expr,
    },
    /// Parts of laid tiles meet where their sides or ports face each other. `part`: the positions themselves, or parts on them.
    /// With [`NetworkGround::NEIGHBOURS`] for the column: positions and their neighbours in every direction (`walk on board`).
    Joins { part: Domain, column: ColumnId },
}

impl NetworkGround {
    /// Stands for a column where a walk goes over the tiling itself: every direction leads to the neighbour there.
    pub const NEIGHBOURS: ColumnId = ColumnId(u32::MAX);
}

/// An assignable place.
#[derive(Clone, Debug)]
pub struct Place {
    pub cell: super::CellId,
    /// Owner first (not for game, step and action cells), then the indices.
    pub indices: Vec<Expr>,
    /// `shop[i]`: one place of a row or list.
    pub element: Option<Box<Expr>>,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone)]
pub struct Label {
    pub name: String,
    pub span: Span,
    /// Some `finish` counts its passes player by player.
    pub counted: bool,
    /// Some `repeats` compares positions at its passes.
    pub compared: bool,
    /// Counts how many passes more the one that runs has been given by `another`.
    pub another: Option<super::CellId>,
}

/// Rule sets in which nothing is passed again keep the fingerprints that they had.
impl std::fmt::Debug for Label {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Label {
            name,
            span,
            counted,
            compared,
            another,
        } = self;
        let mut printed = to.debug_struct("Label");
        printed
            .field("name", name)
            .field("span", span)
            .field("counted", counted)
            .field("compared", compared);
        if another.is_some() {
            printed.field("another", another);
        }
        printed.finish()
    }
}

#[derive(Clone, Debug)]
pub struct Action {
    pub name: String,
    pub span: Span,
    pub doc: String,
    pub params: Vec<Param>,
    pub anytime: Option<Anytime>,
    pub body: Block,
    /// Replaced by its parts where it lies on an agenda; `body` is empty then and running it runs the parts in order.
    pub composite: Option<EffectExpr>,
    pub code: Code,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anytime {
    pub during: Option<LabelId>,
}

/// The effect of a table's or grid's cell.
#[derive(Clone, Debug)]
pub struct Effect {
    /// As written: `steps(3)`.
    pub text: String,
    pub span: Span,
    pub scope: Option<ActionId>,
    pub body: Block,
    /// When the cell is calls only: what lies on an agenda in its place.
    pub parts: Option<EffectExpr>,
    pub code: Code,
}

/// `always` or `check`.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    pub span: Span,
    pub doc: String,
    /// `check`: a breach is a fault of the rules.
    pub invariant: bool,
    pub binders: Vec<super::Binder>,
    pub condition: Expr,
    /// Tested when this step ends, for the player of that pass (`me`).
    pub after: Option<LabelId>,
    pub message: Option<Message>,
    pub code: Code,
}

#[derive(Clone, Debug)]
pub struct When {
    pub name: String,
    pub span: Span,
    pub doc: String,
    pub once: bool,
    /// Fires on writes to these cells instead of on edges.
    pub on: Vec<super::CellId>,
    pub binders: Vec<super::Binder>,
    pub condition: Expr,
    pub body: Block,
    pub code: Code,
}

/// Weighted preferences that a bot can play by.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// As it stands in quotes.
    pub name: String,
    pub span: Span,
    pub doc: String,
    pub preferences: Vec<Preference>,
}

/// A line of a strategy.
#[derive(Clone, Debug)]
pub struct Preference {
    /// Counted each time the player has done this; none: counted once, of a position.
    pub action: Option<ActionId>,
    /// It counts against.
    pub avoid: bool,
    /// The player, then the action's parameters.
    pub params: Vec<LocalId>,
    /// A number.
    pub value: Expr,
    pub code: Code,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct ScoreLine {
    pub name: String,
    pub span: Span,
    pub doc: String,
    /// Hidden until the game is over.
    pub at_end: bool,
    /// The player is local 0.
    pub value: Expr,
    pub code: Code,
}
