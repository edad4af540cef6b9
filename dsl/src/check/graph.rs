//! Who uses what: collected while bodies are checked, asked by the lints, the scopes of step cells and the search for cycles.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::ir::{
    ActionId, CellId, ColumnId, EffectId, EnumId, FormulaId, GridId, LabelId, NetworkId, OptionId,
    RuleId, ScoreId, TableId, WhenId,
};
use crate::source::Span;

/// A piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    Flow,
    Win,
    Score(ScoreId),
    /// In the order of the assembly.
    Strategy(u32),
    Action(ActionId),
    When(WhenId),
    Rule(RuleId),
    Effect(EffectId),
    Formula(FormulaId),
    Network(NetworkId),
    /// Start value and bounds of a cell.
    Cell(CellId),
    Option(OptionId),
    Table(TableId),
    Grid(GridId),
    /// Any effect of this scope: what running a value of that type may reach.
    Effects(Option<ActionId>),
    /// Any action that is named as a value.
    ActionValues,
    /// Texts outside of the game: scenarios, questions.
    Outside,
}

/// What a piece of code touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touched {
    /// Runs or reads it.
    Node(Node),
    Read(CellId),
    Write(CellId),
    Column(TableId, ColumnId),
    Option(OptionId),
    Enum(EnumId),
    Table(TableId),
    Grid(GridId),
    /// Names an action as a value.
    ActionValue(ActionId),
    /// Runs something that may use this action's cells.
    Scope(ActionId),
}

impl Touched {
    fn is_value(self) -> bool {
        matches!(
            self,
            Touched::Option(_) | Touched::Column(..) | Touched::Node(Node::Formula(_))
        )
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub from: Node,
    pub what: Touched,
    pub span: Span,
    /// Labelled steps around it in the same piece of code.
    pub labels: Rc<[LabelId]>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub uses: Vec<Use>,
    seen: BTreeSet<(Node, Touched, Rc<[LabelId]>)>,
    /// Further places where a value is read that its code reads already.
    again: Vec<Use>,
    /// Where labels stand: whether somebody acts there, and the labels around them.
    pub labels: Vec<(LabelId, bool, Rc<[LabelId]>)>,
}

impl Graph {
    pub fn add(&mut self, from: Node, what: Touched, span: Span, labels: &Rc<[LabelId]>) {
        let new = self.seen.insert((from, what, labels.clone()));
        let one = Use {
            from,
            what,
            span,
            labels: labels.clone(),
        };
        if new {
            self.uses.push(one);
        } else if what.is_value() {
            self.again.push(one);
        }
    }

    /// Every place where an option, a formula or a column is read.
    pub fn readings(&self) -> impl Iterator<Item = &Use> {
        let uses = self.uses.iter().chain(&self.again);
        uses.filter(|one| one.what.is_value())
    }
}
