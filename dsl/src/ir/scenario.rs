//! Worked cases, resolved against a rule set.

use super::{AssignOp, Code, Expr, Place};
use crate::source::Span;

#[derive(Clone, Debug)]
pub struct Scenario {
    pub title: String,
    pub span: Span,
    /// Overlays as named.
    pub with: Vec<String>,
    pub tags: Vec<String>,
    pub players: u32,
    pub seed: u64,
    pub before_setup: Vec<ScenarioStep>,
    pub steps: Vec<ScenarioStep>,
    pub code: Code,
}

#[derive(Clone, Debug)]
pub struct ScenarioStep {
    pub kind: ScenarioStepKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ScenarioStepKind {
    Given(Vec<Given>),
    /// Answers of the seat (0 is A), one after the other.
    Answers(u32, Vec<Answer>),
    Expect(Expr),
    ExpectNot {
        seat: u32,
        answer: Answer,
        because: Option<Because>,
    },
    /// Exactly these are offered.
    ExpectChoices(Vec<Answer>),
}

#[derive(Clone, Debug)]
pub struct Given {
    pub kind: GivenKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum GivenKind {
    Set {
        place: Place,
        op: AssignOp,
        value: Expr,
    },
    /// `draw_pile.top = [a, b]`: these come first.
    Top { deck: Place, cards: Expr },
    /// `starter = B`
    Starter(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Because {
    /// A part of the message.
    Message(String),
    /// The name of a rule, a cell, a parameter.
    Name(String),
}

/// An answer as written: matched with what is offered by its words, so that scenarios, replays and the terminal share one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub kind: AnswerKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// A row's name, an enum member, a label, an action, `done`.
    Word(String),
    Number(i64),
    /// `claim(x, y)`: the action, then the answers to its questions; also `cell(3, -2)`.
    Call(String, Vec<Answer>),
    /// `{a, b}`
    Set(Vec<Answer>),
    /// `{a: 2}`
    Bag(Vec<(Answer, i64)>),
    List(Vec<Answer>),
}
