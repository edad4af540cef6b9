//! What players are asked, what is said to them, and why something is not possible.

use super::{BinderId, MessageId, NONE, NodeId, Slot};
use dsl::ir::Expr;
use dsl::source::Span;
use std::sync::Arc;

/// A question for one of many elements.
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
    /// So many questions are answered at once from this one on, each asked by the instruction behind the one before.
    pub at_once: u32,
}

/// A piece of a message.
#[derive(Clone, Debug)]
pub enum MessagePart {
    Text(String),
    /// Value and how to show it (index into [`Flat::kinds`]).
    Value(NodeId, dsl::ir::Ty),
}

/// A `one of`.
#[derive(Clone, Debug)]
pub struct Menu {
    pub items: Vec<MenuItem>,
    pub ask: Option<MessageId>,
    pub none: Option<u32>,
    pub span: Span,
}

/// One of its items.
#[derive(Clone, Debug)]
pub struct MenuItem {
    pub name: String,
    pub pc: u32,
    pub span: Span,
}

/// Why something is not possible: what is needed, where it is written.
#[derive(Clone, Debug)]
pub struct Reason {
    pub span: Span,
    pub kind: ReasonKind,
    pub message: Option<MessageId>,
    /// Of a condition: what is needed, and whether it compares numbers, which can be told.
    pub condition: Option<Arc<Expr>>,
    pub numbers: bool,
}

/// What was wanted and not met.
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
    /// A number that is handed on would lie outside of what holds it.
    Outside {
        low: Option<i32>,
        high: Option<i32>,
        /// It may be none.
        optional: bool,
    },
    /// Something that is `none` was needed.
    IsNone,
    /// A choice without answers.
    NoAnswer(String),
    /// Nothing of a menu can be done.
    NothingPossible,
    /// An anytime action would end the game, or the player's part in it, in the midst of something else.
    GivesUp,
}

impl ReasonKind {
    /// Whether a value is none that is refused for being [`ReasonKind::Outside`].
    pub(crate) fn lets(&self, value: i32) -> bool {
        match self {
            ReasonKind::Outside { optional, .. } if value == NONE => *optional,
            ReasonKind::Outside { low, high, .. } => {
                low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high)
            }
            _ => true,
        }
    }
}
