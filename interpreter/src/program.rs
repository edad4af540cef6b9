//! The flat form of a rule set for one number of players: expression nodes, statement code, constant columns and the
//! layout of the state. Made once by [`crate::lower`], read-only afterwards.

use crate::network::bits;
use dsl::ir::{ActionId, AggregateOp, DeckEnd, LabelId};
use dsl::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

/// The word that stands for `none`.
pub const NONE: i32 = i32::MIN;
/// The word that stands for something not yet seen, while looking ahead.
pub const UNKNOWN: i32 = i32::MIN + 1;

pub use crate::bounds::*;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            #[inline]
            pub fn at(self) -> usize { self.0 as usize }
        }
    )*};
}
index! {
    /// Index into [`Program::nodes`].
    NodeId,
    /// Index into [`Program::binders`].
    BinderId,
    /// Index into [`Program::aggregates`].
    AggregateId,
    /// Index into [`Program::cells`].
    Slot,
    /// Index into [`Program::dense`].
    DenseId,
    /// Index into [`Program::places`].
    PlaceId,
    /// Index into [`Program::procs`].
    ProcId,
    /// Index into [`Program::reasons`].
    ReasonId,
    /// Index into [`Program::walks`].
    WalkId,
    /// Index into [`Program::sieves`].
    SieveId
}

/// A run of [`Program::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    pub start: u32,
    pub len: u32,
}

/// How a value lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One word.
    Scalar,
    /// A bit for each element; `low` is what element 0 is called (numbers).
    Set { n: u32, low: i32 },
    /// A counter for each kind.
    Bag { n: u32, low: i32 },
    /// Length, then items.
    List { cap: u32 },
    /// Places, [`NONE`] is a gap.
    Row { n: u32 },
    /// Count, then entries of `width` words.
    Agenda { width: u32 },
}

impl Shape {
    #[inline]
    pub fn words(self) -> usize {
        match self {
            Shape::Scalar => 1,
            Shape::Set { n, .. } => n.div_ceil(32) as usize,
            Shape::Bag { n, .. } => n as usize,
            Shape::List { cap } => 1 + cap as usize,
            Shape::Row { n } => n as usize,
            Shape::Agenda { width } => 1 + AGENDA_MAX * width as usize,
        }
    }

    /// What stands where there is no element.
    #[inline]
    pub fn empty_word(self) -> i32 {
        match self {
            Shape::Row { .. } => NONE,
            Shape::Scalar
            | Shape::Set { .. }
            | Shape::Bag { .. }
            | Shape::List { .. }
            | Shape::Agenda { .. } => 0,
        }
    }

    /// The least and the greatest number that has its place in it.
    pub fn numbers(self) -> (i32, i32) {
        match self {
            Shape::Set { n, low } | Shape::Bag { n, low } => {
                let last = i64::from(low) + i64::from(n) - 1;
                (low, last.min(i32::MAX.into()) as i32)
            }
            _ => (i32::MIN, i32::MAX),
        }
    }

    /// Words in the state: sets and bags count what is in them unseen behind.
    pub fn state_words(self) -> usize {
        match self {
            Shape::Set { .. } | Shape::Bag { .. } => self.words() + 1,
            _ => self.words(),
        }
    }
}

/// An expression. Scalars are evaluated to a word, containers to an address.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    // ---- both
    Local(u32),
    /// Scalar or container, by the shape.
    If(NodeId, NodeId, NodeId),
    Otherwise(NodeId, NodeId),
    Unwrap(NodeId, ReasonId),
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
    WalkValue(NodeId),
    Random(NodeId, u32),
    Finished,
    DecisionOf,
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
    WalkNodes(NodeId),
    BestWalk(WalkId),
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
    pub fn of<'a>(&'a self, program: &'a Program) -> &'a [NodeId] {
        match self {
            Operands::Few(nodes, count) => &nodes[..*count],
            Operands::List(list) => program.listed(*list),
        }
    }
}

impl Node {
    /// The operands of a node whose value depends on them and on nothing else; none for all others.
    pub fn operands(self) -> Option<Operands> {
        let few = |nodes: &[NodeId]| {
            let mut all = [NodeId(0); 3];
            all[..nodes.len()].copy_from_slice(nodes);
            Operands::Few(all, nodes.len())
        };
        Some(match self {
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
            | Node::Column(_, a)
            | Node::Not(a)
            | Node::Negate(a)
            | Node::IsSome(a)
            | Node::NotEmpty(a)
            | Node::Size(a)
            | Node::TopOf(a)
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
            _ => return None,
        })
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
    /// Of the rows of a table: by which of [`Program::indices`] those are found whose column lies in a container, which is
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

/// A dense look-up table in [`Program::consts`]: one entry for each combination of indices.
#[derive(Clone, Debug)]
pub struct Dense {
    pub base: u32,
    /// Lowest value and number of values of each index.
    pub dims: Vec<(i32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    Const(i32),
    /// `consts[base + slot number]`
    PerSlot(u32),
    /// Of parts lying on the tiling: `consts[base + row * rest + slot number % rest]`.
    PerPart {
        base: u32,
        rest: u32,
        parts: u32,
    },
}

/// A state variable's place in the block.
#[derive(Clone, Debug)]
pub struct CellLayout {
    pub name: String,
    /// First word of slot 0.
    pub base: u32,
    pub shape: Shape,
    /// Words of one slot.
    pub words: u32,
    /// Lowest value, number of values and stride in slots of owner and indices.
    pub dims: Vec<(i32, u32, u32)>,
    pub slots: u32,
    pub low: Bound,
    pub high: Bound,
    /// Pieces or items a container slot can hold.
    pub capacity: Bound,
    /// What gives it more room, where no bound was declared.
    pub more_room: String,
    pub optional: bool,
    /// Value at the start: for each slot.
    pub start: Start,
    pub hidden: bool,
    pub private: bool,
    pub top_shown: bool,
    /// For each row the first that looks the same: others see so much of what lies in it.
    pub looks: Option<Vec<i32>>,
    /// Which of `dims` is the player whose it is.
    pub owner: Option<usize>,
    /// Belongs to a running step or action: private to the seat that is asked.
    pub passing: bool,
    /// What lies in it, if it can hold pieces.
    pub holds: Option<dsl::ir::Domain>,
    /// Lowest value and number of values of a word that it holds, as far as its type tells.
    pub values: Option<(i32, u32)>,
    pub reason: ReasonId,
    /// Code locals' frame offsets: owner, then indices.
    pub start_locals: Vec<u32>,
    pub frame_words: u32,
    /// Key of its chance streams.
    pub stream: u32,
    pub refill: Option<PlaceId>,
    pub fill: Option<PlaceId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    Fill(i32),
    Eval(NodeId),
}

/// A cell as a target.
#[derive(Clone, Debug)]
pub struct Place {
    pub cell: Slot,
    pub args: List,
    pub element: Option<NodeId>,
    pub shape: Shape,
    pub span: Span,
    /// A write may have to be followed by refilling.
    pub feeds: bool,
    /// Some `repeats` compares the cell.
    pub compared: bool,
    /// How the address is known without evaluating anything, if it is.
    pub by: Option<By>,
}

/// What tells the address of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The cell has no index, and all of it is meant.
    Nothing {
        word: u32,
    },
    /// One index, which stands in a register of the machine.
    Me(Axis),
    Local(u32, Axis),
}

/// Where the slots of a cell with one index lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    pub base: u32,
    /// Words of each slot.
    pub words: u32,
    /// Lowest index and number of indices.
    pub low: i32,
    pub n: u32,
}

impl Axis {
    /// The first word of a slot, if there is such an index.
    #[inline]
    pub fn word(self, index: i32) -> Option<usize> {
        let at = index.wrapping_sub(self.low) as u32;
        (at < self.n).then(|| (self.base + at * self.words) as usize)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// End of a look-ahead that was started from an expression.
    ProbeEnd,
    Jump(u32),
    JumpUnless(NodeId, u32),
    Need(NodeId, ReasonId),
    Let(u32, NodeId),
    LetWords(u32, NodeId),
    Set(PlaceId, NodeId),
    Add(PlaceId, NodeId),
    Subtract(PlaceId, NodeId),
    /// Containers: the value's shape decides how.
    SetWords(PlaceId, NodeId),
    AddTo(PlaceId, NodeId),
    TakeFrom(PlaceId, NodeId),
    AgendaAdd {
        agenda: PlaceId,
        must: bool,
        effect: u32,
    },
    Move(u32),
    Feed,
    Shuffle(PlaceId),
    SetStarter(NodeId),
    Call(ProcId, List),
    /// Run the parts of a composite in order.
    RunEffect(u32),
    Return,
    EnterAction(u32),
    Param {
        choice: u32,
        index: u32,
    },
    ParamDefault {
        local: u32,
        index: u32,
        value: NodeId,
        words: u32,
    },
    Choose(u32),
    /// A pass of the label begins. `saved` keeps the player of the pass around it; none: nobody asks whose pass runs.
    EnterStep {
        label: LabelId,
        saved: Option<u32>,
    },
    /// In the flow an extent ends with the step, unless `more` comes in the body of the same decision.
    LeaveStep {
        label: LabelId,
        saved: Option<u32>,
        more: bool,
    },
    /// An action of the flow is through. An extent ends here, unless `more` comes in the body of the same decision.
    Settle {
        more: bool,
    },
    EachBegin {
        binder: BinderId,
        list: u32,
    },
    EachNext {
        local: u32,
        list: u32,
        end: u32,
    },
    PlayersBegin {
        order: u32,
        list: u32,
    },
    PlayersNext {
        list: u32,
        end: u32,
    },
    /// Restores `me` when a loop over players is left early.
    PlayersLeave {
        list: u32,
    },
    /// A pass of a loop over players ends in which a counted step stands; it may not have come to it.
    PassEnd {
        order: u32,
    },
    SecretBegin,
    SecretEnd,
    As {
        player: NodeId,
        saved: u32,
    },
    AsEnd {
        saved: u32,
    },
    RepeatBegin {
        times: NodeId,
        counter: u32,
    },
    RepeatTest {
        counter: u32,
        end: u32,
    },
    Match {
        value: NodeId,
        table: u32,
    },
    May {
        name: u32,
        body: u32,
        end: u32,
        lead: bool,
    },
    OneOf(u32),
    AgendaOpen {
        agenda: PlaceId,
        saved: u32,
    },
    AgendaPick {
        agenda: PlaceId,
        saved: u32,
        end: u32,
        /// What can be done must be done, the rest falls away.
        as_far: bool,
    },
    WalkBegin(WalkId),
    WalkPick {
        walk: WalkId,
        end: u32,
    },
    Pause(u32),
    Finish {
        label: LabelId,
        more: Option<NodeId>,
        of_each_player: bool,
    },
    FinishNow,
    EndOfFlow,
    WhenEnd,
}

/// A test of the state as it is, in place of running instructions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// A condition holds, and why it must.
    Need(NodeId, ReasonId),
    /// A number stays in its range.
    Fits {
        place: PlaceId,
        value: NodeId,
        change: Change,
    },
    /// The rules that see a number allow its new value.
    Rules {
        place: PlaceId,
        value: NodeId,
        change: Change,
    },
    /// A card lies on top of a deck.
    Top(PlaceId),
    /// The rest is looked at in the frame of this call.
    Enter { proc: ProcId, args: List },
    /// Some answer to this question leads on; `index` of a parameter, which may be given.
    Ask {
        choice: u32,
        index: Option<u32>,
        memo: Option<u32>,
    },
}

/// Looks at the state in place of running on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Glance {
    /// Run of [`Program::looks`]; empty where only running on tells.
    pub start: u32,
    pub end: u32,
    /// Of the question whose answer leads here.
    pub memo: Option<u32>,
}

/// Run of [`Program::gate_looks`]: tests that the instructions right behind an answer make in any case. Where one fails the
/// answer leads nowhere, whatever comes later.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gate {
    pub start: u32,
    pub end: u32,
}

/// Locals that what an aggregate comes to may depend on.
pub const TOTAL_LOCALS: usize = 3;
/// Results that are remembered of one aggregate at a time.
pub const TOTAL_ENTRIES: u32 = 16;

/// An aggregate whose result is remembered: by the locals (and the seat) it depends on, while the words it reads stay.
#[derive(Clone, Debug, PartialEq)]
pub struct Total {
    /// Frame offsets.
    pub locals: [Option<u32>; TOTAL_LOCALS],
    /// It depends on who acts.
    pub seat: bool,
    /// Words that are read, and how many.
    pub runs: Vec<std::ops::Range<u32>>,
    pub len: u32,
    /// Where its results lie among all that are remembered.
    pub first: u32,
}

impl Total {
    /// A result takes: whether there is one, what it depends on, the result, the words.
    pub fn entry_words(&self) -> u32 {
        1 + TOTAL_LOCALS as u32 + 1 + 1 + self.len
    }
}

/// What is remembered of a question for one of all elements of a table: which pass its conditions and which of those
/// may be taken, until something is written that they read.
#[derive(Clone, Debug, PartialEq)]
pub struct Memo {
    pub choice: u32,
    /// What is looked at behind an answer.
    pub looks: Vec<Look>,
    /// The first so many of these read the element through the same constants only, so that what they say of one they say
    /// of all of its class.
    pub by_class: u32,
    /// The class of each element.
    pub class: Vec<u8>,
    /// The looks by class again, class by class, as tests with what the constants say put in; empty where one is no such test.
    pub tests: Vec<ClassTest>,
    /// All that the looks by class rest on.
    pub reads: Vec<Read>,
    /// Parameters that must not be given: bits as in [`frame::GIVEN`].
    pub asked: i32,
    /// For each seat what remembers of which elements the conditions and the other looks hold.
    pub leading: Option<SieveId>,
    /// The elements of each class, class by class.
    pub members: Vec<u32>,
}

/// A look at elements of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClassTest {
    /// The cell, of the acting player if every player has one, stays in its range.
    Fits {
        cell: Slot,
        own: bool,
        change: Change,
        by: i32,
    },
    /// A part of so many pieces, all of the kinds in one of these masks.
    Part {
        binder: BinderId,
        size: i32,
        /// Run of [`CachedMasks::ids`].
        ids: (u32, u32),
    },
}

/// Versions that tell whether a cell is still as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    /// Run of the machine's versions.
    pub first: u32,
    pub count: u32,
    /// Of the run only that of the seat that reads.
    pub own: bool,
}

/// More (truer, fuller) or less of a cell; or any change of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    More,
    Less,
    Any,
}

impl Way {
    pub fn turned(self) -> Way {
        match self {
            Way::More => Way::Less,
            Way::Less => Way::More,
            Way::Any => Way::Any,
        }
    }
}

/// Cells, each with the ways that matter. Behind the cells stand the end of the game, the `when`s, and how many each bag holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways([u64; 4]);

impl Ways {
    pub const BITS: usize = 256;
    /// Whatever changes matters.
    pub const ALL: Ways = Ways([u64::MAX; 4]);
    const MORE: u64 = 0x5555_5555_5555_5555;

    pub fn add(&mut self, slot: usize, way: Way) {
        let bits = match way {
            Way::More => 1,
            Way::Less => 2,
            Way::Any => 3,
        };
        self.0[slot / 32] |= bits << (slot % 32 * 2);
    }

    pub fn has(&self, slot: usize) -> bool {
        self.0[slot / 32] >> (slot % 32 * 2) & 3 != 0
    }

    pub fn join(&mut self, other: &Ways) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    pub fn meets(&self, other: &Ways) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .any(|(word, other)| word & other != 0)
    }

    /// Each way turned round.
    pub fn turned(&self) -> Ways {
        Ways(
            self.0
                .map(|word| (word & Ways::MORE) << 1 | word >> 1 & Ways::MORE),
        )
    }
}

/// What instructions do to cells and what they need of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bearing {
    pub moves: Ways,
    /// They can be done where they could not before, if these change so.
    pub reads: Ways,
    /// Likewise, but only to take away so much: it does not matter who takes first.
    pub takes: Ways,
    /// They may do anything, or ask others.
    pub free: bool,
}

impl Bearing {
    pub fn touch(&mut self, slot: usize) {
        self.moves.add(slot, Way::Any);
        self.reads.add(slot, Way::Any);
    }

    pub fn join(&mut self, other: &Bearing) {
        self.moves.join(&other.moves);
        self.reads.join(&other.reads);
        self.takes.join(&other.takes);
        self.free |= other.free;
    }
}

/// The bearing of each instruction, and what tells that of whole bodies.
#[derive(Clone, Debug)]
pub struct Bearings {
    pub ops: Vec<Bearing>,
    /// Of each instruction what it looks at, so that what follows would be other if that were other.
    pub looks: Vec<Ways>,
    /// And without what it need not fail, where it does.
    pub fails: Vec<Ways>,
    /// And which locals it reads; none where that cannot be told.
    pub locals: Vec<Option<Vec<u32>>>,
    /// The local that it only carries from one bag to another, and the bags.
    pub carried: Vec<Option<(u32, Ways)>>,
    /// What the rules look at that running steps await.
    pub obligations: Ways,
    /// Of each `may` that can be declined and no more: its body.
    pub optional: BTreeMap<usize, Optional>,
    /// An expression looks at what lies on an agenda.
    pub agendas_are_read: bool,
    /// Of each cell: bodies that a write may wake.
    pub wakes: Vec<Vec<ProcId>>,
    /// Cells that nothing but the flow writes.
    pub still: Vec<bool>,
    /// Code of each body.
    pub bodies: Vec<Range<usize>>,
    /// Bodies that ask nothing and call nothing.
    pub plain: Vec<bool>,
    /// Of each instruction that changes a number: the cell and by what, where that may be negative.
    pub doubts: Vec<Option<(usize, NodeId)>>,
}

/// The body of a `may`, behind which goes on what goes on behind declining.
#[derive(Clone, Debug)]
pub struct Optional {
    pub code: Range<usize>,
    /// Locals of one word that it reads.
    pub locals: Vec<u32>,
}

/// How a number is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Set,
    Add,
    Subtract,
}

impl Memo {
    /// Word and bit of an element's class.
    #[inline]
    pub fn place(&self, element: i32) -> (usize, u64) {
        let class = self.class[element as usize];
        (usize::from(class / 64), 1 << (class % 64))
    }

    /// Words of a set of elements.
    pub fn width(&self) -> usize {
        bits::words(self.class.len() as u32)
    }

    /// The elements of a class.
    pub fn members(&self, class: u8) -> &[u32] {
        let width = self.width();
        &self.members[usize::from(class) * width..][..width]
    }
}

/// Order and choice of seats of an `each player`.
#[derive(Clone, Debug)]
pub struct SeatOrder {
    pub other: bool,
    pub conditions: Vec<NodeId>,
    pub by: Vec<NodeId>,
    pub from: SeatFrom,
    /// The steps whose passes the loop gives and some `finish` counts player by player.
    pub counted: Vec<LabelId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SeatFrom {
    Starter,
    Left,
    Right,
    Player(NodeId),
}

#[derive(Clone, Debug)]
pub struct MoveOp {
    pub what: MoveWhat,
    pub up_to: bool,
    pub to: PlaceId,
    pub end: DeckEnd,
    pub reason: ReasonId,
}

impl MoveOp {
    /// Where pieces are taken from.
    pub fn from(&self) -> PlaceId {
        match self.what {
            MoveWhat::Value { from, .. }
            | MoveWhat::Everything(from)
            | MoveWhat::Top { of: from, .. } => from,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum MoveWhat {
    /// `shape` of the value: scalar element, number (between int cells), set, bag, list.
    Value {
        value: NodeId,
        shape: Shape,
        from: PlaceId,
    },
    Everything(PlaceId),
    Top {
        count: Option<NodeId>,
        of: PlaceId,
    },
}

impl MoveWhat {
    /// Where it is taken from.
    pub fn source(&self) -> PlaceId {
        match *self {
            MoveWhat::Value { from, .. } | MoveWhat::Everything(from) => from,
            MoveWhat::Top { of, .. } => of,
        }
    }
}

#[derive(Clone, Debug)]
pub struct ChoiceOp {
    pub binder: BinderId,
    /// Name of the parameter or choice.
    pub name: String,
    /// What one answer is.
    pub ty: dsl::ir::Ty,
    pub ask: Option<MessageId>,
    pub span: Span,
    /// It stands in a loop: while its body runs it can be asked again.
    pub again: bool,
    /// Nothing after it in its body that can fail looks at the answer: what goes for one goes for all.
    pub alike: bool,
}

/// Stands for no version in [`Word::version`].
pub const NO_VERSION: u32 = u32::MAX;

/// Index into [`Program::messages`].
pub type MessageId = u32;

#[derive(Clone, Debug)]
pub enum MessagePart {
    Text(String),
    /// Value and how to show it (index into [`Program::kinds`]).
    Value(NodeId, dsl::ir::Ty),
}

#[derive(Clone, Debug)]
pub struct Menu {
    pub items: Vec<MenuItem>,
    pub none: Option<u32>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct MenuItem {
    pub name: String,
    pub pc: u32,
    pub span: Span,
}

/// A body that can be called: action, effect, `when`, flow, formula.
#[derive(Clone, Debug)]
pub struct Proc {
    pub name: String,
    pub kind: ProcKind,
    /// First instruction; formulas have a node instead.
    pub entry: u32,
    pub body: NodeId,
    pub frame_words: u32,
    /// Frame offset and words of each parameter.
    pub params: Vec<(u32, u32)>,
    pub shape: Shape,
    pub span: Span,
    /// Nothing in it can fail.
    pub safe: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcKind {
    Action(ActionId),
    Effect,
    When,
    Flow,
    Formula,
    /// Statements that lie on an agenda.
    Inline,
}

/// What goes onto an agenda.
#[derive(Clone, Debug)]
pub enum EffectNode {
    Call {
        proc: ProcId,
        args: List,
    },
    /// An effect value, an action value (`action`), or a list of effects (`list`).
    Value {
        value: NodeId,
        kind: EffectValue,
    },
    Times(NodeId, Box<EffectNode>),
    Many(Vec<EffectNode>),
    If(NodeId, Box<EffectNode>, Option<Box<EffectNode>>),
    For(Vec<BinderId>, Box<EffectNode>),
    /// Statements with a copy of the first `words` words of the frame's locals.
    Inline {
        proc: ProcId,
        words: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectValue {
    Effect,
    Action,
    List,
}

/// Why something is not possible: what is needed, where it is written.
#[derive(Clone, Debug)]
pub struct Reason {
    pub span: Span,
    pub kind: ReasonKind,
    pub message: Option<MessageId>,
    /// Of a condition: it compares numbers, which can be told.
    pub numbers: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ReasonKind {
    /// A cell would leave its range.
    Range(Slot),
    /// A piece is not where it should be taken from.
    Missing(Slot),
    /// No room.
    Full(Slot),
    Need,
    Where(String),
    Rule(dsl::ir::RuleId),
    /// Something that is `none` was needed.
    IsNone,
    /// A choice without answers.
    NoAnswer(String),
    /// Nothing of a menu can be done.
    NothingPossible,
}

#[derive(Clone, Debug)]
pub struct RuleCode {
    /// Empty if it has none.
    pub name: String,
    pub condition: NodeId,
    pub bindings: Bindings,
    pub after: Option<LabelId>,
    pub invariant: bool,
    pub reason: ReasonId,
    /// No `when` writes what it reads: it need not wait until their bodies are through.
    pub early: bool,
}

#[derive(Clone, Debug)]
pub struct WhenCode {
    pub proc: ProcId,
    pub condition: NodeId,
    pub bindings: Bindings,
    pub once: bool,
    /// Fires on writes to these cells instead of on edges.
    pub on: Vec<Slot>,
    /// First word of the "was true", "pending" and "fired" bits.
    pub was: u32,
    pub pending: u32,
    pub fired: u32,
    /// The local that is a player, who then acts.
    pub actor: Option<u32>,
}

/// All combinations of binder values: every element of each binder's domain; sources and `where`s are in `guard`.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// Frame offset, lowest value, number of values.
    pub dims: Vec<(u32, i32, u32)>,
    pub count: u32,
    pub guard: Option<NodeId>,
    /// The first binder runs over the parts that lie on the tiling: these, by number of the kind of part. Rules over them
    /// are woken as a whole.
    pub parts: Option<u32>,
    /// Frame offsets of those over players.
    pub players: Vec<u32>,
    pub frame_words: u32,
    /// What each binding comes to, as runs of [`Program::atoms`]; empty if one of them is more than comparisons of words.
    pub clauses: Vec<Range<u32>>,
}

impl Bindings {
    /// Whether a binding is known to hold whatever happens.
    pub fn always(&self, binding: u32) -> bool {
        let atoms = self.clauses.get(binding as usize);
        atoms.is_some_and(Range::is_empty)
    }
}

/// A comparison in a clause, of which one at least must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Atom {
    pub a: Side,
    pub comparison: Comparison,
    pub b: Side,
    /// Whether the comparison must hold or must not.
    pub holds: bool,
    /// It ends its clause.
    pub last: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    Equal,
    Less,
}

impl Comparison {
    #[inline]
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Less => a < b,
        }
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Number(i32),
    /// A word of the state.
    Word(u32),
    /// How many words of a run hold an item.
    Count {
        words: (u32, u32),
        item: i32,
    },
}

#[derive(Clone, Debug)]
pub struct NetworkCode {
    pub kind: NetworkKind,
    /// How many networks: one, or one for each element of the owner.
    pub owners: u32,
    pub condition: Option<NodeId>,
    /// Each owner with each link.
    pub bindings: Bindings,
    pub nodes: u32,
    pub links: u32,
}

#[derive(Clone, Debug)]
pub enum NetworkKind {
    Links {
        graph: crate::network::Graph,
        ends: Vec<(u32, u32)>,
    },
    /// Positions and their neighbours in every direction.
    Neighbours(crate::network::Lattice),
    /// Parts (or whole positions when `parts` is none) that face each other by the column at `base`.
    Joins {
        column: u32,
        stride: u32,
        parts: Option<u32>,
        port: bool,
    },
}

/// The clauses of a walk, its words in the frame.
#[derive(Clone, Debug)]
pub struct WalkCode {
    pub network: u32,
    pub receiver: Option<NodeId>,
    pub from: NodeId,
    pub from_set: bool,
    pub to: Option<(NodeId, bool)>,
    pub up_to: Option<NodeId>,
    pub at_least: Option<NodeId>,
    pub where_: Option<NodeId>,
    /// Why a step is not offered that `where_` forbids.
    pub where_reason: Option<ReasonId>,
    pub need: Option<NodeId>,
    /// `need some(n in nodes where …)` with conditions about `n` alone: its binder.
    pub need_any: Option<BinderId>,
    /// Conditions `fresh or REST or …`, their RESTs about `next` alone; none where anything else looks at the walk's past.
    pub rests: Vec<Vec<NodeId>>,
    /// What the start adds.
    pub start: Option<NodeId>,
    pub max: Option<NodeId>,
    /// Frame offset of the words: here, next, link, side, steps, fresh, unused, onward, straight, arrival, then nodes, then links.
    pub words: u32,
    pub node_words: u32,
    pub link_words: u32,
    pub uses: crate::lower::WordUse,
    pub span: Span,
}

/// Offsets of the words of a walk from [`WalkCode::words`].
pub mod walk_word {
    pub const HERE: u32 = 0;
    pub const NEXT: u32 = 1;
    pub const LINK: u32 = 2;
    pub const SIDE: u32 = 3;
    pub const STEPS: u32 = 4;
    pub const FRESH: u32 = 5;
    pub const UNUSED: u32 = 6;
    pub const ONWARD: u32 = 7;
    pub const STRAIGHT: u32 = 8;
    /// Link and side one came by, for `onward` and `straight`.
    pub const ARRIVAL_LINK: u32 = 9;
    pub const ARRIVAL_SIDE: u32 = 10;
    pub const SETS: u32 = 11;
}

/// The tiling's geometry.
#[derive(Clone, Debug, Default)]
pub struct TilingCode {
    pub positions: u32,
    /// `next[position * directions + direction]`, [`NONE`] off the ground.
    pub next: Vec<i32>,
    pub directions: u32,
    pub back: Vec<i32>,
    pub rows: Vec<i32>,
    pub columns: Vec<i32>,
    /// Position by (row - low) * width + column - low.
    pub by_place: Vec<i32>,
    pub place_low: (i32, i32),
    pub place_size: (u32, u32),
    pub turns: u32,
    /// Cells that hold the tile and its turn.
    pub tile_cell: Option<Slot>,
    pub turn_cell: Option<Slot>,
    /// Side `s` of a tile turned `t` times: `turned_side[t * 8 + s]`; ports likewise.
    pub turned_side: Vec<i32>,
    pub turned_port: Vec<i32>,
    /// Facing ports, and the side a port lies on.
    pub port_side: Vec<i32>,
    pub port_faces: Vec<i32>,
    /// What remembers where tiles lie.
    pub laid: Option<SieveId>,
    /// Columns of sides and ports as turned tiles show them: base of the column, base of the table of all turns.
    pub turned_columns: Vec<(u32, u32)>,
    /// For each table that can be a part: greatest number on a tile, and for each tile the run of its rows.
    pub parts: Vec<PartsCode>,
}

impl TilingCode {
    /// A side or port of a tile that is turned so often (less than a full turn).
    pub fn turned(&self, turn: usize, value: usize, port: bool) -> Option<i32> {
        if port {
            self.turned_port.get(turn * 8 + value).copied()
        } else {
            self.turned_side.get(turn * 16 + value).copied()
        }
    }
}

#[derive(Clone, Debug)]
pub struct PartsCode {
    pub table: dsl::ir::TableId,
    pub max: u32,
    /// For each tile: first row and number of rows.
    pub rows: Vec<(u32, u32)>,
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

/// Which elements meet conditions that read cells and nothing else.
#[derive(Clone, Debug)]
pub struct Sieve {
    /// What element 0 is called, and how many there are.
    pub low: i32,
    pub n: u32,
    /// It depends on who acts: each player has one, in the order of the seats.
    pub own: bool,
    /// The words that are read by many elements.
    pub common: Vec<Range<u32>>,
    /// The words that are read by few.
    pub runs: Vec<Range<u32>>,
    /// Of each of them the first of its `readers`, and the end of the last one's.
    pub firsts: Vec<u32>,
    /// Elements, counted from 0, whose conditions read a word.
    pub readers: Vec<u32>,
}

impl Sieve {
    /// The elements whose conditions read word number `at` of all runs.
    pub fn readers_of(&self, at: usize) -> &[u32] {
        &self.readers[self.firsts[at] as usize..self.firsts[at + 1] as usize]
    }
}

/// All bindings of a rule that can be alive.
pub const EVERY_BINDING: u32 = u32::MAX;

/// Who must be told of a write to a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watcher {
    Rule { rule: u32, binding: u32 },
    When { when: u32, binding: u32 },
    Network { network: u32, owner: u32 },
}

/// What a write of a word of the fixed part concerns.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// A number that no other word has: the sum of words times numbers stands for the state (multilinear hashing).
    pub key: u64,
    /// Which of the machine's versions it raises, or [`NO_VERSION`].
    pub version: u32,
    /// Runs of [`Program::watchers`].
    pub start: u32,
    /// Those before this one are told when the writing settles, the others at once.
    pub mid: u32,
    pub end: u32,
}

impl Word {
    /// Something is done about it when the writing settles.
    #[inline]
    pub fn wakes(self) -> bool {
        self.start != self.mid
    }

    /// Somebody must be told, at once or when the writing settles.
    #[inline]
    pub fn is_watched(self) -> bool {
        self.start != self.end
    }

    /// Somebody must be told at once.
    #[inline]
    pub fn touches(self) -> bool {
        self.mid != self.end
    }
}

/// Fixed words at the begin of the state.
pub mod header {
    pub const PC: usize = 0;
    pub const FP: usize = 1;
    pub const SP: usize = 2;
    pub const ME: usize = 3;
    pub const STARTER: usize = 4;
    pub const ENDED: usize = 5;
    pub const SEED_LOW: usize = 6;
    pub const SEED_HIGH: usize = 7;
    pub const FINISH_LABEL: usize = 8;
    pub const FINISH_LEFT: usize = 9;
    pub const PENDING: usize = 10;
    /// The `when` whose body runs, plus 1, and its binding.
    pub const IN_WHEN: usize = 11;
    pub const WHEN_BINDING: usize = 15;
    pub const SECRET: usize = 12;
    /// The seat whose answer led here.
    pub const CAUSE: usize = 13;
    pub const ANSWERS: usize = 14;
    pub const SIZE: usize = 18;
}

/// Positions that one `repeats` compares, each with the present one.
#[derive(Clone, Debug)]
pub struct HistoryCode {
    pub of: dsl::ir::Repeats,
    pub slots: Vec<Slot>,
    /// Formulas with their arguments.
    pub values: Vec<NodeId>,
    /// First of its words in the state.
    pub base: u32,
}

/// Words of a history in the state; the positions themselves lie beside it.
pub mod history_word {
    /// Positions counted.
    pub const COUNT: usize = 0;
    /// Something has been done in the running pass.
    pub const STIRRED: usize = 1;
    /// Stands for what was counted, so that looking ahead does not take one past for another.
    pub const TRAIL: usize = 2;
    pub const SIZE: usize = 3;
}

/// Words at the begin of each frame.
pub mod frame {
    pub const RETURN_PC: usize = 0;
    pub const CALLER: usize = 1;
    pub const GIVEN: usize = 2;
    pub const ME: usize = 3;
    /// How full the queue of effects was before this body added to it.
    pub const QUEUE: usize = 4;
    pub const SIZE: usize = 5;
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Program {
    /// Work left for what is computed while the rules are loaded.
    pub loading: Arc<AtomicI64>,
    pub players: u32,
    /// Nothing is left out, looked up or remembered ([`crate::lower_plain`]).
    pub plain: bool,
    pub nodes: Vec<Node>,
    /// How each is evaluated.
    pub(crate) forms: Vec<crate::machine::form::Form>,
    pub shapes: Vec<Shape>,
    pub node_spans: Vec<Span>,
    pub lists: Vec<NodeId>,
    pub consts: Vec<i32>,
    /// First constants of the columns that hold no negative number and no `none`.
    pub natural_columns: BTreeSet<u32>,
    /// Rows of each column, by its first constant.
    pub column_rows: BTreeMap<u32, u32>,
    pub code: Vec<Op>,
    pub op_spans: Vec<Span>,
    pub binders: Vec<Binder>,
    pub aggregates: Vec<Aggregate>,
    pub dense: Vec<Dense>,
    pub cells: Vec<CellLayout>,
    pub places: Vec<Place>,
    pub procs: Vec<Proc>,
    pub moves: Vec<MoveOp>,
    pub choices: Vec<ChoiceOp>,
    pub menus: Vec<Menu>,
    /// What to say when a choice or a menu has no answer.
    pub choice_reasons: Vec<ReasonId>,
    pub menu_reasons: Vec<ReasonId>,
    pub orders: Vec<SeatOrder>,
    /// `match`: first value, then targets by value - first, else target last.
    pub matches: Vec<(i32, Vec<u32>, u32)>,
    pub effects: Vec<EffectNode>,
    pub walks: Vec<WalkCode>,
    pub messages: Vec<Vec<MessagePart>>,
    pub names: Vec<String>,
    pub reasons: Vec<Reason>,
    pub rules: Vec<RuleCode>,
    pub whens: Vec<WhenCode>,
    /// Clauses of bindings, one behind the other.
    pub atoms: Vec<Atom>,
    pub networks: Vec<NetworkCode>,
    pub sieves: Vec<Sieve>,
    pub indices: Vec<Index>,
    pub totals: Vec<Total>,
    pub tiling: Option<TilingCode>,
    pub histories: Vec<HistoryCode>,
    /// Proc of each action; of each effect (`none` for those never run); of each formula.
    pub action_procs: Vec<ProcId>,
    pub effect_procs: Vec<ProcId>,
    pub formula_procs: Vec<ProcId>,
    /// What lies on an agenda in place of an effect cell.
    pub effect_parts: Vec<Option<u32>>,
    pub composites: Vec<Option<u32>>,
    /// Cells made new at entry of each label and action.
    pub label_cells: Vec<Vec<Slot>>,
    pub action_cells: Vec<Vec<Slot>>,
    /// Rules that are tested at the end of each label's steps.
    pub label_rules: Vec<Vec<usize>>,
    /// Word of each label: passes begun; the next word: the player of the running pass plus 1, or 0 (of labels of which somebody asks).
    pub label_words: Vec<u32>,
    /// Labels some `always … after` waits for.
    pub awaited: Vec<LabelId>,
    pub anytime: Vec<(ProcId, Option<LabelId>, String)>,
    /// End of the code of each anytime action.
    pub anytime_ends: Vec<u32>,
    /// For each reason the anytime actions that change what its requirement looks at.
    pub remedies: Vec<Vec<u32>>,
    pub score_procs: Vec<ProcId>,
    pub win_procs: Vec<ProcId>,
    /// Cells of the game whose starts are computed game by game, in the order in which they can be.
    pub start_order: Vec<Slot>,
    /// Decks that lie ready and have only to be shuffled, before that.
    pub start_shuffled: Vec<Slot>,
    pub flow: ProcId,
    /// Words of the state below the first frame.
    pub fixed_words: u32,
    /// Chance streams: one counter word each, from this word on.
    pub stream_base: u32,
    pub stream_keys: Vec<(u64, String)>,
    /// What a stream's outcomes consist of.
    pub stream_types: Vec<dsl::ir::Ty>,
    pub agenda_width: u32,
    /// First word of the queue on which parts of composites wait that are run in order.
    pub run_queue: Option<u32>,
    /// First of the words that count, for each seat, the passes it has still to have before the end; the word behind them says
    /// whether the running pass of a loop over players came to the step that is counted. None: no `finish` counts so.
    pub owed: Option<u32>,
    /// Where the cells lie as they were when the running secret step began, for those who may not see what others answered.
    pub secret_copy: Option<u32>,
    /// The label of a turn.
    pub turn_label: Option<LabelId>,
    /// For each fixed word.
    pub words: Vec<Word>,
    /// What they hold before anything is computed or decided by chance.
    pub blanks: Vec<i32>,
    /// How many versions there are, and those of each cell.
    pub versions: u32,
    pub cell_reads: Vec<Read>,
    /// Menu items of which a look-ahead reads this and nothing else that changes, and for each instruction which.
    pub recalls: Vec<Vec<Read>>,
    pub recall_of: Vec<Option<u32>>,
    pub watchers: Vec<Watcher>,
    /// Cells with `fill` or `refill`, fills last.
    pub feeding: Vec<Slot>,
    /// For each instruction: nothing from here to the end of its body can fail.
    pub safe: Vec<bool>,
    /// Nothing that a `when` asks or does can fail.
    pub whens_are_safe: bool,
    /// For each instruction: it cannot fail, and nothing behind it in its body that can fail sees what it does.
    pub idle: Vec<bool>,
    /// For each instruction behind an answer: what tells whether the extent can be ended from there.
    pub glances: Vec<Glance>,
    /// By instruction that an answer may lead to: what fails at once if it fails, before anything else is asked.
    pub gates: Vec<Gate>,
    /// The tests of gates, and the instruction that each stands for.
    pub gate_looks: Vec<(Look, u32)>,
    pub looks: Vec<Look>,
    pub memos: Vec<Memo>,
    /// None where looking ahead leaves nothing out: no agenda, or too many cells.
    pub bearings: Option<Bearings>,
    /// How far what locals hold may be seen: found when it is first asked for.
    pub(crate) secrets: std::sync::OnceLock<crate::observe::Locals>,
    /// What lowering knows of tables, for expressions added later.
    pub kept: crate::lower::append::Kept,
}

impl Program {
    /// The instructions of a body, up to its end.
    pub(crate) fn body(&self, proc: u32) -> std::ops::Range<usize> {
        let entry = self.procs[proc as usize].entry as usize;
        let code = self.code[entry..].iter();
        let length = code.take_while(|op| !matches!(op, Op::Return)).count();
        entry..entry + length
    }

    /// How far what locals hold may be seen.
    pub(crate) fn secrets(&self) -> &crate::observe::Locals {
        self.secrets
            .get_or_init(|| crate::observe::Locals::of(self))
    }

    /// Some seat does not see something, or hears of it later.
    pub fn hides_something(&self) -> bool {
        self.secret_copy.is_some() || self.cells.iter().any(|cell| !cell.is_open())
    }

    /// The nodes of a list.
    #[inline]
    pub fn listed(&self, list: List) -> &[NodeId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    /// Who must be told of a write to this word of the fixed part.
    #[inline]
    pub(crate) fn word_watchers(&self, word: usize) -> &[Watcher] {
        let Word { start, end, .. } = self.words[word];
        &self.watchers[start as usize..end as usize]
    }

    /// Of these the ones that are told when the writing settles.
    #[inline]
    pub(crate) fn woken_by(&self, word: usize) -> &[Watcher] {
        let Word { start, mid, .. } = self.words[word];
        &self.watchers[start as usize..mid as usize]
    }

    /// Of these the ones that are told at once.
    #[inline]
    pub(crate) fn touched_by(&self, word: usize) -> &[Watcher] {
        let Word { mid, end, .. } = self.words[word];
        &self.watchers[mid as usize..end as usize]
    }

    /// Who must be told of a write to any word of this cell; some more than once.
    pub(crate) fn cell_watchers(&self, slot: Slot) -> impl Iterator<Item = &Watcher> {
        let cell = &self.cells[slot.at()];
        (cell.base..cell.base + cell.words * cell.slots)
            .flat_map(|word| self.word_watchers(word as usize))
    }

    /// Where all cells lie, one behind the other.
    pub(crate) fn cell_words(&self) -> Range<usize> {
        let first = self.cells.first().map_or(0, |cell| cell.base);
        let end = self
            .cells
            .last()
            .map_or(0, |cell| cell.base + cell.words * cell.slots);
        first as usize..end as usize
    }
}
