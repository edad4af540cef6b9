//! Instructions and the bodies they make up.

use super::{BinderId, LedgerId, List, NodeId, PlaceId, ProcId, ReasonId, Shape, WalkId};
use dsl::ir::{ActionId, DeckEnd, EndingId, EndingKind, LabelId};
use dsl::source::Span;

/// An instruction.
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
    /// Lists the elements in `2 + room` words of the frame.
    EachBegin {
        binder: BinderId,
        list: u32,
        room: u32,
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
        ending: EndingId,
    },
    FinishNow(EndingId),
    /// Somebody wins or loses, or the game is drawn: felt where the game settles next.
    Verdict {
        ending: EndingId,
        player: Option<NodeId>,
    },
    /// Who takes no more part in the game goes on at `out`.
    Stay {
        out: u32,
    },
    EndOfFlow,
    WhenEnd,
}

/// How a number is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Set,
    Add,
    Subtract,
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

impl SeatOrder {
    /// All that it asks.
    pub fn asked(&self) -> impl Iterator<Item = NodeId> {
        let from = match self.from {
            SeatFrom::Player(player) => Some(player),
            SeatFrom::Starter | SeatFrom::Left | SeatFrom::Right => None,
        };
        let nodes = self.conditions.iter().chain(&self.by).copied();
        nodes.chain(from)
    }
}

/// With whom an `each player` begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SeatFrom {
    Starter,
    Left,
    Right,
    Player(NodeId),
}

/// A `move`.
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
            | MoveWhat::Drawn { of: from, .. } => from,
        }
    }
}

/// What a `move` takes, and where from.
#[derive(Clone, Copy, Debug)]
pub enum MoveWhat {
    /// `shape` of the value: scalar element, number (between int cells), set, bag, list.
    Value {
        value: NodeId,
        shape: Shape,
        from: PlaceId,
    },
    Everything(PlaceId),
    /// From the top of a deck, or its bottom.
    Drawn {
        count: Option<NodeId>,
        of: PlaceId,
        bottom: bool,
    },
}

impl MoveWhat {
    /// Where it is taken from.
    pub fn source(&self) -> PlaceId {
        match *self {
            MoveWhat::Value { from, .. } | MoveWhat::Everything(from) => from,
            MoveWhat::Drawn { of, .. } => of,
        }
    }
}

/// A body that can be called: action, effect, `when`, flow, formula.
#[derive(Clone, Debug)]
pub struct Proc {
    pub name: String,
    pub kind: ProcKind,
    /// First instruction; formulas have a node instead.
    pub entry: u32,
    /// Behind its last instruction.
    pub end: u32,
    pub body: NodeId,
    pub frame_words: u32,
    /// Frame offset and words of each parameter.
    pub params: Vec<(u32, u32)>,
    pub shape: Shape,
    pub span: Span,
    /// Nothing in it can fail.
    pub safe: bool,
    /// Of a formula what remembers its results.
    pub ledger: Option<LedgerId>,
}

/// What a body belongs to.
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

impl EffectNode {
    /// This one and all that it is made of.
    pub fn all(&self) -> Vec<&EffectNode> {
        let inner: Vec<&EffectNode> = match self {
            EffectNode::Call { .. } | EffectNode::Value { .. } | EffectNode::Inline { .. } => {
                Vec::new()
            }
            EffectNode::Times(_, inner) | EffectNode::For(_, inner) => vec![inner],
            EffectNode::Many(parts) => parts.iter().collect(),
            EffectNode::If(_, yes, no) => std::iter::once(yes).chain(no).map(Box::as_ref).collect(),
        };
        let inner = inner.into_iter().flat_map(EffectNode::all);
        std::iter::once(self).chain(inner).collect()
    }
}

/// What kind of value tells the effect that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectValue {
    Effect,
    Action,
    List,
}

/// Stands for every name of an ending.
pub const ANY_NAME: u32 = u32::MAX;

/// A line with which the game, or a player's part in it, ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingCode {
    pub kind: EndingKind,
    /// Among [`super::Program::names`].
    pub name: Option<u32>,
    /// Why it cannot help to something else.
    pub reason: ReasonId,
    /// The instruction that says so.
    pub pc: u32,
}
