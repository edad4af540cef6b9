//! Worked cases, resolved against a rule set.

use super::{AssignOp, Code, Expr, LabelId, Place};
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
    /// What is given and expected at the moment before this step begins for the first time.
    pub before_step: Option<(LabelId, Vec<ScenarioStep>)>,
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
    Answers(Answers),
    Expect(Moment, Expectation),
}

/// Answers, one after the other.
#[derive(Clone, Debug)]
pub struct Answers {
    /// 0 is A; none: of whoever is asked.
    pub seat: Option<u32>,
    pub answers: Vec<Answer>,
    /// The last one is given again and again until this holds.
    pub until: Option<Expr>,
}

/// About which position something is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The one that stands when all has happened that happens by itself.
    Now,
    /// One of those on the way there, or it.
    Some,
    /// Each of them: what denies [`Moment::Some`].
    Every,
}

#[derive(Clone, Debug)]
pub enum Expectation {
    Holds(Expr),
    /// The seat (0 is A) could give these answers, one after the other.
    Offered(u32, Vec<Answer>),
    /// The seat could give all of them but the last.
    Refused {
        seat: u32,
        answers: Vec<Answer>,
        because: Option<Because>,
    },
    /// Exactly these are offered.
    Choices(Vec<Answer>),
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
    /// `random = [3, 5]`: what chance decides next, in the order in which it is asked.
    Random(Vec<Answer>),
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
