//! The expressions of a scenario, lowered onto the program before the machine is made.

use crate::Program;
use crate::lower::LowerError;
use crate::lower::append::{Extra, append};
use crate::program::{NodeId, PlaceId};
use dsl::ir::{
    BinaryOp, Expectation, Expr, ExprKind, Given, GivenKind, RuleSet, Scenario, ScenarioStep,
    ScenarioStepKind, Ty, UnaryOp,
};
use dsl::source::Span;

#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub before: Vec<Step>,
    pub before_step: Vec<Step>,
    pub steps: Vec<Step>,
    pub frame_words: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub givens: Vec<GivenCode>,
    /// An expectation, one entry for each part joined by `and`.
    pub parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct GivenCode {
    /// None: the start player, chance.
    pub place: Option<PlaceId>,
    /// None: chance.
    pub value: Option<NodeId>,
}

#[derive(Clone, Debug)]
pub(super) struct Part {
    pub span: Span,
    pub condition: NodeId,
    /// What is worth showing when it does not hold.
    pub shown: Vec<Shown>,
    pub compares: Option<(Shown, BinaryOp, Shown)>,
}

#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub span: Span,
    pub node: NodeId,
    pub ty: Ty,
    pub constant: bool,
}

pub(super) fn plan(
    rules: &RuleSet,
    program: &mut Program,
    scenario: &Scenario,
) -> Result<Plan, LowerError> {
    let mut extra = Extra::default();
    let moment = scenario.before_step.iter().flat_map(|(_, steps)| steps);
    let all = || {
        scenario
            .before_setup
            .iter()
            .chain(moment.clone())
            .chain(&scenario.steps)
    };
    for step in all() {
        if let ScenarioStepKind::Given(givens) = &step.kind {
            for given in givens {
                let (place, value) = parts_of(given);
                extra.places.extend(place);
                extra.exprs.extend(value);
            }
        }
        for part in condition_of(step).into_iter().flat_map(conjuncts) {
            extra.exprs.push(part);
            operands(part, &mut extra.exprs);
        }
    }
    let appended = append(rules, program, &scenario.code, &extra)?;
    let mut nodes = appended.exprs.iter().copied();
    let mut places = appended.places.iter().copied();
    let mut steps: Vec<Step> = all()
        .map(|step| Step {
            givens: match &step.kind {
                ScenarioStepKind::Given(givens) => givens
                    .iter()
                    .map(|given| {
                        let (place, value) = parts_of(given);
                        GivenCode {
                            place: place.and_then(|_| places.next()),
                            value: value.and_then(|_| nodes.next()),
                        }
                    })
                    .collect(),
                _ => Vec::new(),
            },
            parts: condition_of(step)
                .into_iter()
                .flat_map(conjuncts)
                .filter_map(|part| planned(part, &mut nodes))
                .collect(),
        })
        .collect();
    let mut later = steps.split_off(scenario.before_setup.len());
    let last = later.split_off(later.len() - scenario.steps.len());
    Ok(Plan {
        before: steps,
        before_step: later,
        steps: last,
        frame_words: appended.frame_words,
    })
}

/// What has to hold: an expectation, the end of an `until`.
fn condition_of(step: &ScenarioStep) -> Option<&Expr> {
    match &step.kind {
        ScenarioStepKind::Expect(_, Expectation::Holds(condition)) => Some(condition),
        ScenarioStepKind::Answers(line) => line.until.as_ref(),
        _ => None,
    }
}

fn planned(part: &Expr, nodes: &mut impl Iterator<Item = NodeId>) -> Option<Part> {
    let condition = nodes.next()?;
    let mut found = Vec::new();
    operands(part, &mut found);
    let shown: Vec<Shown> = found
        .into_iter()
        .filter_map(|expr| {
            Some(Shown {
                span: expr.span,
                node: nodes.next()?,
                ty: expr.ty.clone(),
                constant: matches!(expr.kind, ExprKind::Const(_)),
            })
        })
        .collect();
    let compares = match (&part.kind, shown.as_slice()) {
        (ExprKind::Binary(op, ..), [a, b]) if compares(*op) => Some((a.clone(), *op, b.clone())),
        _ => None,
    };
    Some(Part {
        span: part.span,
        condition,
        shown,
        compares,
    })
}

fn parts_of(given: &Given) -> (Option<&dsl::ir::Place>, Option<&Expr>) {
    match &given.kind {
        GivenKind::Set { place, value, .. } => (Some(place), Some(value)),
        GivenKind::Top { deck, cards } => (Some(deck), Some(cards)),
        GivenKind::Starter(player) => (None, Some(player)),
        GivenKind::Random(_) => (None, None),
    }
}

pub(super) fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            let mut parts = conjuncts(a);
            parts.extend(conjuncts(b));
            parts
        }
        _ => vec![expr],
    }
}

fn compares(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::In
            | BinaryOp::Within
    )
}

/// What of a condition can be shown: both sides of comparisons, what is asked to be there.
fn operands<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(op, a, b) if compares(*op) => {
            for side in [a, b] {
                if !matches!(side.kind, ExprKind::Range(..) | ExprKind::Parts(_)) {
                    found.push(side);
                }
            }
        }
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, a, b) => {
            operands(a, found);
            operands(b, found);
        }
        ExprKind::Unary(UnaryOp::Not, inner) => operands(inner, found),
        ExprKind::Unary(UnaryOp::There, inner) => found.push(inner),
        _ => {}
    }
}
