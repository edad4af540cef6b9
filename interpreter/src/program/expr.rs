//! Expressions, what binds elements in them, and the tables they read.

use super::{
    AggregateId, BinderId, DenseId, Flat, List, NodeId, ProcId, ReasonId, Shape, SieveId, Slot,
    WalkId,
};
use dsl::ir::AggregateOp;
use dsl::source::Span;
use std::ops::Range;

/// An expression. Scalars are evaluated to a word, containers to an address.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    // ---- both
    Local(u32),
    /// Scalar or container, by the shape.
    If(NodeId, NodeId, NodeId),
    Otherwise(NodeId, NodeId),
    Unwrap(NodeId, ReasonId),
    /// A number that must lie where its reason, [`ReasonKind::Outside`], says; else there is no way on.
    Kept(NodeId, ReasonId),
    Call(ProcId, List),
    CallValue(NodeId, NodeId),
    // ---- scalars
    Const(i32),
    Me,
    Starter,
    /// `consts[base + row]`
    Column(u32, NodeId),
    /// A dense table over several indices; outside: none.
    Dense(DenseId, List),
    /// A cell without indices, with one, with more.
    Cell0(u32),
    Cell1(Slot, NodeId),
    Cell(Slot, List),
    Not(NodeId),
    Negate(NodeId),
    IsSome(NodeId),
    NotEmpty(NodeId),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Implies(NodeId, NodeId),
    Equal(NodeId, NodeId),
    NotEqual(NodeId, NodeId),
    EqualWords(NodeId, NodeId),
    Less(NodeId, NodeId),
    LessEqual(NodeId, NodeId),
    Add(NodeId, NodeId),
    Subtract(NodeId, NodeId),
    Multiply(NodeId, NodeId),
    Divide(NodeId, NodeId),
    Remainder(NodeId, NodeId),
    Minimum(NodeId, NodeId),
    Maximum(NodeId, NodeId),
    In(NodeId, NodeId),
    InRange(NodeId, NodeId, NodeId),
    Within(NodeId, NodeId),
    Aggregate(AggregateId),
    Size(NodeId),
    CountOf(NodeId, NodeId),
    At(NodeId, NodeId),
    TopOf(NodeId),
    BottomOf(NodeId),
    First(NodeId),
    Score(u32, NodeId),
    ScoreTotal(NodeId),
    Joins(u32, NodeId, NodeId, NodeId),
    Left(NodeId),
    Right(NodeId),
    Next(NodeId, NodeId),
    RowOf(NodeId),
    ColumnOf(NodeId),
    PositionAt(NodeId, NodeId),
    Back(NodeId),
    PositionOfPart(NodeId, u32),
    PositionOfTile(NodeId),
    /// A part's row.
    RowOfPart(NodeId, u32),
    /// A side or port of a tile turned so often; `NONE` stays.
    Turned {
        turn: NodeId,
        value: NodeId,
        port: bool,
    },
    Word(u32),
    Finishing,
    Repeats(u32),
    Can(ProcId, List),
    Random(NodeId, u32),
    Finished,
    DecisionOf,
    /// The player takes no more part in the game.
    Out(NodeId),
    /// The player has won the game, has lost it, it was drawn: in a way with this name, or [`super::ANY_NAME`].
    Wins(NodeId, u32),
    Loses(NodeId, u32),
    Drawn(u32),
    // ---- containers
    Words(u32),
    ColumnWords {
        base: u32,
        stride: u32,
        row: NodeId,
    },
    DenseWords {
        dense: DenseId,
        args: List,
        base: u32,
        stride: u32,
    },
    CellWords(Slot, List),
    SetOf(List),
    BagOf(List),
    ListOf(List),
    Union(NodeId, NodeId),
    Difference(NodeId, NodeId),
    Scale(NodeId, NodeId),
    Collect(AggregateId),
    Convert(NodeId),
    Reach(u32, NodeId, NodeId),
    Numbers(NodeId, NodeId),
    OnBoard(u32),
    TurnedSet {
        turn: NodeId,
        value: NodeId,
        port: bool,
    },
    /// The same of a column, in one word: `consts[base + turn * rows + row]`, turns counted around.
    TurnedColumn {
        base: u32,
        rows: u32,
        turn: NodeId,
        row: NodeId,
    },
    /// The nodes of the best walk, or of all the best walks at once.
    WalkNodes(WalkId),
    BestWalk(WalkId),
    /// The steps of the shortest walk, [`NONE`] if there is none.
    Distance(WalkId),
    EndsOfWalk(WalkId),
    Shuffled(NodeId, u32),
    Winners,
}

/// The operands of a node.
#[derive(Clone, Copy, Debug)]
pub enum Operands {
    /// The first so many.
    Few([NodeId; 3], usize),
    List(List),
}

impl Operands {
    /// The operands, in order.
    pub fn of<'a>(&'a self, program: &'a Flat) -> &'a [NodeId] {
        match self {
            Operands::Few(nodes, count) => &nodes[..*count],
            Operands::List(list) => program.listed(*list),
        }
    }
}

impl Node {
    /// The operands of a node whose value depends on them and on nothing else; none for all others.
    pub fn operands(self) -> Option<Operands> {
        let (operands, alone) = self.taken_apart();
        alone.then_some(operands)
    }

    /// The expressions that stand in a node itself, and whether its value depends on nothing else. Aggregates and walks have
    /// theirs elsewhere.
    pub fn taken_apart(self) -> (Operands, bool) {
        let few = |nodes: &[NodeId]| {
            let mut all = [NodeId(0); 3];
            all[..nodes.len()].copy_from_slice(nodes);
            Operands::Few(all, nodes.len())
        };
        let alone = match self {
            Node::Const(_) | Node::Words(_) => few(&[]),
            Node::If(a, b, c) | Node::InRange(a, b, c) => few(&[a, b, c]),
            Node::Otherwise(a, b)
            | Node::And(a, b)
            | Node::Or(a, b)
            | Node::Implies(a, b)
            | Node::Equal(a, b)
            | Node::NotEqual(a, b)
            | Node::EqualWords(a, b)
            | Node::Less(a, b)
            | Node::LessEqual(a, b)
            | Node::Add(a, b)
            | Node::Subtract(a, b)
            | Node::Multiply(a, b)
            | Node::Divide(a, b)
            | Node::Remainder(a, b)
            | Node::Minimum(a, b)
            | Node::Maximum(a, b)
            | Node::In(a, b)
            | Node::Within(a, b)
            | Node::CountOf(a, b)
            | Node::At(a, b)
            | Node::Next(a, b)
            | Node::PositionAt(a, b)
            | Node::Union(a, b)
            | Node::Difference(a, b)
            | Node::Scale(a, b)
            | Node::Numbers(a, b)
            | Node::Turned {
                turn: a, value: b, ..
            }
            | Node::TurnedSet {
                turn: a, value: b, ..
            }
            | Node::TurnedColumn {
                turn: a, row: b, ..
            } => few(&[a, b]),
            Node::Unwrap(a, _)
            | Node::Kept(a, _)
            | Node::Column(_, a)
            | Node::Not(a)
            | Node::Negate(a)
            | Node::IsSome(a)
            | Node::NotEmpty(a)
            | Node::Size(a)
            | Node::TopOf(a)
            | Node::BottomOf(a)
            | Node::First(a)
            | Node::Left(a)
            | Node::Right(a)
            | Node::RowOf(a)
            | Node::ColumnOf(a)
            | Node::Back(a)
            | Node::Convert(a)
            | Node::PositionOfPart(a, _)
            | Node::ColumnWords { row: a, .. } => few(&[a]),
            Node::Dense(_, list)
            | Node::DenseWords { args: list, .. }
            | Node::SetOf(list)
            | Node::BagOf(list)
            | Node::ListOf(list) => Operands::List(list),
            Node::Local(_)
            | Node::Me
            | Node::Starter
            | Node::Cell0(_)
            | Node::Word(_)
            | Node::Finishing
            | Node::Repeats(_)
            | Node::Finished
            | Node::DecisionOf
            | Node::Drawn(_)
            | Node::OnBoard(_)
            | Node::Winners
            | Node::Aggregate(_)
            | Node::Collect(_)
            | Node::BestWalk(_)
            | Node::WalkNodes(_)
            | Node::Distance(_)
            | Node::EndsOfWalk(_) => return (few(&[]), false),
            Node::Cell1(_, a)
            | Node::Score(_, a)
            | Node::ScoreTotal(a)
            | Node::PositionOfTile(a)
            | Node::RowOfPart(a, _)
            | Node::Random(a, _)
            | Node::Shuffled(a, _)
            | Node::Out(a)
            | Node::Wins(a, _)
            | Node::Loses(a, _) => return (few(&[a]), false),
            Node::CallValue(a, b) | Node::Reach(_, a, b) => return (few(&[a, b]), false),
            Node::Joins(_, a, b, c) => return (few(&[a, b, c]), false),
            Node::Call(_, list)
            | Node::Cell(_, list)
            | Node::CellWords(_, list)
            | Node::Can(_, list) => return (Operands::List(list), false),
        };
        (alone, true)
    }
}

/// Where a binder's elements come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// Elements `0..n` named from `low`.
    All {
        n: u32,
        low: i32,
    },
    /// Numbers `a..b`, both included.
    Range(NodeId, NodeId),
    /// A container of this shape.
    Container(NodeId),
    /// Parts of a container: only in choices.
    Parts(NodeId),
    OnBoard(u32),
}

/// What a choice, an aggregate or a loop runs over.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Frame offset of the element.
    pub local: u32,
    pub source: Source,
    /// Condition and the reason to give when it is unmet.
    pub conditions: Vec<(NodeId, ReasonId)>,
    pub by: Vec<NodeId>,
    pub from: Option<NodeId>,
    pub up_to: Option<NodeId>,
    /// Shape of what the local holds: scalar, or a bag or set for parts.
    pub shape: Shape,
    /// How parts can be listed fast.
    pub parts: Option<PartsPlan>,
    /// Of an aggregate: nobody looks at the element, only how many there are matters.
    pub unread: bool,
    /// Of parts on the tiling: where a condition says that they lie.
    pub at: Option<NodeId>,
    /// Of the rows of a table: a column that never falls from row to row, and which value of it a condition wants.
    pub run: Option<(u32, NodeId)>,
    /// Of the rows of a table: by which of [`Flat::indices`] those are found whose column lies in a container, which is
    /// the first condition.
    pub among: Option<(u32, NodeId)>,
    /// What remembers which elements meet the first so many conditions.
    pub sieve: Option<(SieveId, usize)>,
}

impl Binder {
    /// Whether all that pass come in the order of the source: neither sorted, nor rotated, nor cut.
    pub fn is_plain(&self) -> bool {
        self.by.is_empty() && self.from.is_none() && self.up_to.is_none()
    }
}

/// A `where` over parts, taken apart: bounds on the size and "all pieces are of these kinds, for some c".
#[derive(Clone, Debug)]
pub struct PartsPlan {
    pub size_low: Option<NodeId>,
    pub size_high: Option<NodeId>,
    /// Allowed kinds: each alternative a test of one piece (`piece` local) for each `c`.
    pub kinds: Option<KindTest>,
    /// What is left to be tried on each part.
    pub rest: Vec<usize>,
    /// The zone is the same for all answers of a decision: no local tells which it is.
    pub still: bool,
}

/// A test of each piece of a part: the part is fine if all pieces pass, for one of the alternatives.
#[derive(Clone, Debug)]
pub struct KindTest {
    /// `some(c in S: …)`; none: one alternative.
    pub alternatives: Option<BinderId>,
    /// Frame offset of the piece.
    pub piece: u32,
    pub test: NodeId,
    /// Masks computed when rules were loaded, for each value of the local in `key`: alternatives as runs of words.
    pub cached: Option<CachedMasks>,
}

/// Which kinds pass a test, as masks.
#[derive(Clone, Debug)]
pub struct CachedMasks {
    /// Local that the masks depend on.
    pub key: u32,
    /// For each value: range into `masks`.
    pub ranges: Vec<Range<u32>>,
    pub masks: Vec<u64>,
    /// Each mask once, and where each of `masks` is among them.
    pub distinct: Vec<u64>,
    pub ids: Vec<u32>,
}

/// `sum(…)`, `count(…)` and the like.
#[derive(Clone, Debug)]
pub struct Aggregate {
    pub op: AggregateOp,
    pub binders: Vec<BinderId>,
    pub value: Option<NodeId>,
    /// Shape of the result for set, bag, list.
    pub shape: Shape,
    /// Number of what is remembered of it.
    pub total: Option<u32>,
    pub span: Span,
}

impl Aggregate {
    /// What is put together are elements, not the contents of containers.
    pub fn collects_elements(&self, program: &Flat) -> bool {
        let scalar = |value: NodeId| program.shapes[value.at()] == Shape::Scalar;
        self.value.is_none_or(scalar)
    }

    /// All that is asked is how many elements there are that a sieve lets through.
    pub fn is_sifted(&self, program: &Flat) -> bool {
        let counts = matches!(
            self.op,
            AggregateOp::Some | AggregateOp::No | AggregateOp::Count
        );
        let [binder] = self.binders.as_slice() else {
            return false;
        };
        let binder = &program.binders[binder.at()];
        let all = binder
            .sieve
            .is_some_and(|(_, conditions)| conditions == binder.conditions.len());
        counts && self.value.is_none() && all
    }
}

/// A dense look-up table in [`Flat::consts`]: one entry for each combination of indices.
#[derive(Clone, Debug)]
pub struct Dense {
    pub base: u32,
    /// Lowest value and number of values of each index.
    pub dims: Vec<(i32, u32)>,
}

/// The rows of a table by the value of a column.
#[derive(Clone, Debug)]
pub struct Index {
    /// Value and row, in order.
    pub rows: Vec<(i32, i32)>,
}

impl Index {
    /// The rows with a value, in order.
    pub fn rows_with(&self, value: i32) -> impl Iterator<Item = i32> {
        let first = self.rows.partition_point(|(other, _)| *other < value);
        let rows = self.rows[first..].iter();
        rows.take_while(move |(other, _)| *other == value)
            .map(|(_, row)| *row)
    }
}
