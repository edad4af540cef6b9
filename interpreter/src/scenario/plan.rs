//! The expressions of a scenario, lowered onto the program before the machine is made.

use crate::lower::LowerError;
use crate::lower::append::{Extra, append};
use crate::program::{NodeId, PlaceId, Program};
use dsl::ir::{
    BinaryOp, Expr, ExprKind, Given, GivenKind, RuleSet, Scenario, ScenarioStepKind, Ty, UnaryOp,
};
use dsl::source::Span;

#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub before: Vec<Step>,
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
    /// None: the start player.
    pub place: Option<PlaceId>,
    pub value: NodeId,
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
    let all = || scenario.before_setup.iter().chain(&scenario.steps);
    for step in all() {
        match &step.kind {
            ScenarioStepKind::Given(givens) => {
                for given in givens {
                    let (place, value) = parts_of(given);
                    extra.places.extend(place);
                    extra.exprs.push(value);
                }
            }
            ScenarioStepKind::Expect(condition) => {
                for part in conjuncts(condition) {
                    extra.exprs.push(part);
                    operands(part, &mut extra.exprs);
                }
            }
            _ => {}
        }
    }
    let appended = append(rules, program, &scenario.code, &extra)?;
    let mut nodes = appended.exprs.iter().copied();
    let mut places = appended.places.iter().copied();
    let mut steps: Vec<Step> = all()
        .map(|step| match &step.kind {
            ScenarioStepKind::Given(givens) => Step {
                givens: givens
                    .iter()
                    .filter_map(|given| {
                        let place = parts_of(given).0.and_then(|_| places.next());
                        let value = nodes.next()?;
                        Some(GivenCode { place, value })
                    })
                    .collect(),
                parts: Vec::new(),
            },
            ScenarioStepKind::Expect(condition) => Step {
                givens: Vec::new(),
                parts: conjuncts(condition)
                    .into_iter()
                    .filter_map(|part| planned(part, &mut nodes))
                    .collect(),
            },
            _ => Step::default(),
        })
        .collect();
    let later = steps.split_off(scenario.before_setup.len());
    Ok(Plan {
        before: steps,
        steps: later,
        frame_words: appended.frame_words,
    })
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

fn parts_of(given: &Given) -> (Option<&dsl::ir::Place>, &Expr) {
    match &given.kind {
        GivenKind::Set { place, value, .. } => (Some(place), value),
        GivenKind::Top { deck, cards } => (Some(deck), cards),
        GivenKind::Starter(player) => (None, player),
    }
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
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
