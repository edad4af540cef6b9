//! Expressions and statements, resolved and typed.

use super::{
    ActionId, CellId, ColumnId, Domain, EndingId, FormulaId, GridId, LabelId, LocalId, NetworkId,
    Place, ScoreId, TableId, TextId, Ty, Value,
};
use crate::source::Span;

/// The names of one body: parameters first, then everything bound inside. Each binding has its own local.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub locals: Vec<Local>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Ty,
    pub span: Span,
    /// The zone an element was picked from (`choose c in display`): where a bare `move c to …` takes it.
    pub picked_from: Option<Place>,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Const(Value),
    Local(LocalId),
    /// The acting player.
    Me,
    /// How many play.
    Players,
    /// The start player (a cell of the game that rules may set).
    Starter,
    /// `x.column`; `x` is a row, or a part on the tiling (then sides and ports come as the tile lies).
    Column(Box<Expr>, TableId, ColumnId),
    /// A column of the tile that lies on a position, sides and ports as it lies. No tile: empty for containers, else none.
    ColumnAt(Box<Expr>, TableId, ColumnId),
    /// The row of a table under a key; none if there is none.
    Lookup(TableId, Vec<Expr>),
    /// A grid's cell.
    Grid(GridId, Vec<Expr>),
    /// A state variable; owner first (not for game, step and action cells), then indices.
    Cell(CellId, Vec<Expr>),
    /// A formula with its arguments, receiver first.
    Call(FormulaId, Vec<Expr>),
    /// A formula value from a table with its receiver.
    CallValue(Box<Expr>, Box<Expr>),
    /// A player's score: all lines, or one.
    Score(Option<ScoreId>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `x otherwise v`
    Otherwise(Box<Expr>, Box<Expr>),
    /// The value of an optional that is not known to be there: in statements `none` makes the way illegal.
    Unwrap(Box<Expr>),
    /// Constructors of containers.
    SetOf(Vec<Expr>),
    BagOf(Vec<(Expr, Expr)>),
    ListOf(Vec<Expr>),
    /// All elements of a domain, as a set.
    All(Domain),
    /// A table's pieces with their copies, as a bag.
    Pieces(TableId),
    /// `a..b`, as a source of numbers.
    Range(Box<Expr>, Box<Expr>),
    /// `parts of Z`, only as the source of a choice or a binder.
    Parts(Box<Expr>),
    /// `X on map`: the parts that lie there, as a source.
    OnBoard(TableId),
    /// `set(S)`, `bag(S)`, `list(S)`: the same elements as another container (`ty` says which).
    Convert(Box<Expr>),
    /// The first element, or none.
    First(Box<Expr>),
    Aggregate {
        op: AggregateOp,
        binders: Vec<Binder>,
        value: Option<Box<Expr>>,
    },
    /// `.size`
    Size(Box<Expr>),
    /// `.count(x)`
    CountOf(Box<Expr>, Box<Expr>),
    /// `list[i]`, `row[i]` (1 is the first); for a row the result is optional.
    At(Box<Expr>, Box<Expr>),
    /// The top card of a deck.
    TopOf(Box<Expr>),
    /// The card of a deck that lies under all others.
    BottomOf(Box<Expr>),
    /// A deck from a container, in random order. Only in starts and statements.
    Shuffled(Box<Expr>),
    /// One element by chance. Only in starts and statements.
    Random(Box<Expr>),
    Joins(NetworkId, Option<Box<Expr>>, Box<Expr>, Box<Expr>),
    /// Nodes that can be reached from a node or a set of nodes.
    Reach(NetworkId, Option<Box<Expr>>, Box<Expr>),
    /// `best walk`, or with [`Walk::by`] `best walks`.
    BestWalk(Box<Walk>),
    /// The steps of the shortest walk, none if there is no walk.
    Distance(Box<Walk>),
    EndsOfWalk(Box<Walk>),
    WalkValue(Box<Expr>),
    WalkNodes(Box<Expr>),
    WalkWord(WalkWord),
    /// `.seat` (from 1), `.left`, `.right`
    Seat(Box<Expr>),
    Left(Box<Expr>),
    Right(Box<Expr>),
    /// Tiling: the neighbour in a direction (side, or a leap given as a direction element), none off the ground.
    Next(Box<Expr>, Box<Expr>),
    RowOf(Box<Expr>),
    ColumnOf(Box<Expr>),
    /// The position with these coordinates, none off the ground.
    PositionAt(Box<Expr>, Box<Expr>),
    /// The opposite side.
    Back(Box<Expr>),
    /// Sides or ports, one or a set, as a tile shows them that is turned so often.
    Turned(Box<Expr>, Box<Expr>),
    /// The position a part lies on.
    PositionOf(Box<Expr>),
    /// The position on which this tile lies, none if it lies nowhere.
    PositionOfTile(Box<Expr>),
    /// The player has lost, or has won and play goes on: no more passes are his, and nothing is asked of him.
    Out(Box<Expr>),
    /// `L.number`: passes of the labelled loop that have begun.
    PassNumber(LabelId),
    /// The end has been set off.
    Finishing,
    /// How often the values of these cells have stood together at the end of a turn, this time included.
    Repeats(Box<Repeats>),
    /// The action could be done now. Only in statements.
    Can(ActionId, Vec<Option<Expr>>),
    /// Only in scenarios.
    Finished,
    Winners,
    DecisionOf,
    /// The game is over, and a line says that the player wins, or he is among the winners; with a name: and this is how.
    Wins(Box<Expr>, Option<TextId>),
    /// The player has lost, or the game is over and others have won; with a name: and this is how.
    Loses(Box<Expr>, Option<TextId>),
    /// The game was drawn in this way.
    Drawn(TextId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Negate,
    /// An optional is there, a container is not empty.
    There,
}

/// Operands have equal kinds unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    And,
    Or,
    Implies,
    /// Of scalars, optionals, sets, bags, lists.
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Element in container.
    In,
    /// All of one set, bag in the other.
    Within,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// Sets, bags, lists; a single element counts as a container of one.
    Union,
    Difference,
    /// Number times bag.
    Scale,
}

pub use crate::syntax::ast::AggregateOp;

#[derive(Clone, Debug)]
pub struct Binder {
    pub local: LocalId,
    /// A container, `All`, `Pieces`, `Range`, `Parts` or `OnBoard`.
    pub source: Expr,
    pub conditions: Vec<Condition>,
    /// Sort keys, ascending.
    pub by: Vec<Expr>,
    /// Start the circle at this element.
    pub from: Option<Expr>,
    pub up_to: Option<Expr>,
    pub span: Span,
}

impl Binder {
    /// Whether all that pass come in the order of the source: neither sorted, nor rotated, nor cut.
    pub fn is_plain(&self) -> bool {
        self.by.is_empty() && self.from.is_none() && self.up_to.is_none()
    }
}

#[derive(Clone, Debug)]
pub struct Condition {
    pub expr: Expr,
    pub message: Option<Message>,
}

/// Text with values in it.
#[derive(Clone)]
pub struct Message {
    pub parts: Vec<MessagePart>,
    pub span: Span,
    /// The same in the language chosen.
    pub said: Option<Vec<MessagePart>>,
}

/// Fingerprints of rule sets know nothing of languages.
impl std::fmt::Debug for Message {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut printed = to.debug_struct("Message");
        printed
            .field("parts", &self.parts)
            .field("span", &self.span);
        printed.finish()
    }
}

impl Message {
    /// In the language chosen.
    pub fn in_words(&self) -> &[MessagePart] {
        self.said.as_ref().unwrap_or(&self.parts)
    }
}

#[derive(Clone, Debug)]
pub enum MessagePart {
    Text(String),
    Value(Expr),
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A labelled step. Labels of loops stand in the loop (`pass`).
    Step(LabelId, Block),
    Need(Expr, Option<Message>),
    Choose(Choice),
    Let(LocalId, Expr),
    Assign {
        target: Place,
        op: AssignOp,
        value: Expr,
    },
    AgendaAdd {
        agenda: Place,
        must: bool,
        effect: EffectExpr,
    },
    Move(Move),
    Shuffle(Place),
    /// `starter = p`
    SetStarter(Expr),
    If {
        arms: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
    },
    Match {
        value: Expr,
        arms: Vec<(Vec<Value>, Block)>,
        otherwise: Option<Block>,
    },
    Each {
        binders: Vec<Binder>,
        pass: Option<LabelId>,
        body: Block,
    },
    EachPlayer(EachPlayer),
    As(Expr, Block),
    Repeat(Repeat),
    May(Block),
    OneOf {
        items: Items,
        none: Option<Block>,
    },
    AnyOrder {
        agenda: Place,
        /// What can be done must be done, the rest falls away.
        as_far: bool,
        items: Vec<(bool, EffectExpr)>,
    },
    Walk {
        walk: Walk,
        body: Block,
    },
    Pause(Message),
    Finish(Finish),
    /// Somebody wins or loses, or the game is drawn: which, says the ending; whose it is, the player.
    Verdict(EndingId, Option<Expr>),
    Stop,
    Skip,
    Call(ActionId, Vec<Option<Expr>>),
    /// Run an effect value, an action value, or each effect of a list.
    Run(Expr),
}

/// What a position of the game consists of, for `repeats`: it is counted before the step's first pass and at the end of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeats {
    pub step: LabelId,
    /// All their slots.
    pub cells: Vec<CellId>,
    /// Of each owner, with each argument.
    pub formulas: Vec<FormulaId>,
}

impl StatementKind {
    /// The blocks directly inside it; what lies on an agenda runs elsewhere.
    pub fn blocks(&self) -> Vec<&Block> {
        use StatementKind as K;
        match self {
            K::Step(_, block) | K::As(_, block) | K::May(block) => vec![block],
            K::Each { body, .. } | K::Walk { body, .. } => vec![body],
            K::EachPlayer(each) => vec![&each.body],
            K::Repeat(repeat) => vec![&repeat.body],
            K::If { arms, otherwise } => {
                let arms = arms.iter().map(|(_, block)| block);
                arms.chain(otherwise).collect()
            }
            K::Match {
                arms, otherwise, ..
            } => {
                let arms = arms.iter().map(|(_, block)| block);
                arms.chain(otherwise).collect()
            }
            K::OneOf { items, none } => {
                let items = items.iter().map(|item| &item.body);
                items.chain(none).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The step or the loop's pass that it labels.
    pub fn label(&self) -> Option<LabelId> {
        use StatementKind as K;
        match self {
            K::Step(label, _) => Some(*label),
            K::Each { pass, .. } => *pass,
            K::EachPlayer(each) => each.pass,
            K::Repeat(repeat) => repeat.pass,
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    Set,
    Add,
    Subtract,
}

/// What a menu offers, and the question.
#[derive(Clone)]
pub struct Items {
    pub all: Vec<Item>,
    pub ask: Option<Message>,
}

impl std::ops::Deref for Items {
    type Target = [Item];

    fn deref(&self) -> &[Item] {
        &self.all
    }
}

/// Rule sets whose menus have no words of their own keep the fingerprints that they had.
impl std::fmt::Debug for Items {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.ask {
            None => self.all.fmt(to),
            Some(ask) => (&self.all, ask).fmt(to),
        }
    }
}

/// A binder decided by the acting player.
#[derive(Clone)]
pub struct Choice {
    pub binder: Binder,
    pub ask: Option<Message>,
    /// Answered at once with the one before it, which stands right before.
    pub at_once: bool,
}

/// Rule sets in which nothing is answered at once keep the fingerprints that they had.
impl std::fmt::Debug for Choice {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Choice {
            binder,
            ask,
            at_once,
        } = self;
        let mut printed = to.debug_struct("Choice");
        printed.field("binder", binder).field("ask", ask);
        if *at_once {
            printed.field("at_once", at_once);
        }
        printed.finish()
    }
}

#[derive(Clone, Debug)]
pub struct Param {
    pub local: LocalId,
    pub kind: ParamKind,
}

#[derive(Clone, Debug)]
pub enum ParamKind {
    Given(Option<Expr>),
    Asked(Choice),
}

#[derive(Clone, Debug)]
pub struct Move {
    pub what: MoveWhat,
    /// As many as there are.
    pub up_to: bool,
    pub to: Place,
    pub end: DeckEnd,
}

pub use crate::syntax::ast::DeckEnd;

#[derive(Clone)]
pub enum MoveWhat {
    /// An element, set, bag or number out of a zone.
    Value {
        value: Expr,
        from: Place,
    },
    Everything(Place),
    /// The top or bottom `count` cards (default 1), one by one.
    Drawn {
        count: Option<Expr>,
        of: Place,
        bottom: bool,
    },
}

/// Rule sets in which nothing is drawn from the bottom keep the fingerprints that they had.
impl std::fmt::Debug for MoveWhat {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MoveWhat::Value { value, from } => to
                .debug_struct("Value")
                .field("value", value)
                .field("from", from)
                .finish(),
            MoveWhat::Everything(place) => to.debug_tuple("Everything").field(place).finish(),
            MoveWhat::Drawn { count, of, bottom } => to
                .debug_struct(if *bottom { "Bottom" } else { "Top" })
                .field("count", count)
                .field("of", of)
                .finish(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct EachPlayer {
    /// Not the acting player.
    pub other: bool,
    /// Read with `me` = the player in question.
    pub conditions: Vec<Expr>,
    pub by: Vec<Expr>,
    pub from: SeatFrom,
    pub secretly: bool,
    pub pass: Option<LabelId>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub enum SeatFrom {
    /// From the start player clockwise (all from seat to seat).
    Starter,
    Left,
    Right,
    Player(Expr),
}

#[derive(Clone, Debug)]
pub struct Repeat {
    pub times: Option<Expr>,
    pub up_to: bool,
    pub while_: Option<Expr>,
    pub may: bool,
    pub pass: Option<LabelId>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Item {
    /// The label, or the called action's name: what the answer is called.
    pub name: String,
    pub label: Option<LabelId>,
    pub doc: String,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone)]
pub struct Finish {
    pub ending: EndingId,
    pub when: FinishWhen,
}

#[derive(Clone, Debug)]
pub enum FinishWhen {
    Now,
    After {
        label: LabelId,
        more: Option<Expr>,
        of_each_player: bool,
    },
}

/// What an end is called is for people: fingerprints of rule sets know nothing of it.
impl std::fmt::Debug for Finish {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.when.fmt(to)
    }
}

impl Finish {
    pub fn is_now(&self) -> bool {
        matches!(self.when, FinishWhen::Now)
    }
}

/// A line of the rules with which the game ends, or a player's part in it.
#[derive(Clone, Debug)]
pub struct Ending {
    pub kind: EndingKind,
    pub name: Option<TextId>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// `finish`: the score tells who has won.
    Finish,
    /// The game is over, and the player has won it.
    Wins,
    /// `… and play goes on`: the player has the best place that is left.
    WinsAlone,
    /// The player has the worst place that is left; the last one who has not lost wins.
    Loses,
    /// The game is over; all who are still in it share the best place that is left, and nobody has won.
    Draw,
}

impl EndingKind {
    /// The player's part ends, and the game may go on without him.
    pub fn leaves(self) -> bool {
        match self {
            EndingKind::WinsAlone | EndingKind::Loses => true,
            EndingKind::Finish | EndingKind::Wins | EndingKind::Draw => false,
        }
    }
}

/// What lies on an agenda or runs as an effect.
#[derive(Clone, Debug)]
pub struct EffectExpr {
    pub kind: EffectExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum EffectExprKind {
    /// `None`: asked when it runs. A composite is replaced by its parts.
    Call(ActionId, Vec<Option<Expr>>),
    /// An effect, an optional effect (none: nothing), an action, or a list of effects.
    Value(Expr),
    Times(Expr, Box<EffectExpr>),
    Many(Vec<EffectExpr>),
    If(Expr, Box<EffectExpr>, Option<Box<EffectExpr>>),
    For(Vec<Binder>, Box<EffectExpr>),
    /// `one of a, b`: a choice when it runs.
    OneOf(Vec<Item>),
    /// Statements written where an effect is wanted; they read locals of the enclosing code, copied when added.
    Block(Block),
}

#[derive(Clone, Debug)]
pub struct Walk {
    pub network: NetworkId,
    /// Who walks at once: a plain binder. Its local is seen in all other clauses.
    pub by: Option<Binder>,
    pub receiver: Option<Expr>,
    /// A node or a set of nodes.
    pub from: Expr,
    pub to: Option<Expr>,
    pub up_to: Option<Expr>,
    pub at_least: Option<Expr>,
    pub where_: Option<Expr>,
    pub need: Option<Expr>,
    pub max: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WalkWord {
    Here,
    Next,
    Link,
    Side,
    Steps,
    Nodes,
    Fresh,
    Unused,
    Onward,
    Straight,
}
