//! Whether cases can fail: the contrary of each expectation, which must not pass.

use dsl::ir::{
    BinaryOp, Expectation, Expr, ExprKind, Moment, Scenario, ScenarioStep, ScenarioStepKind, Ty,
    UnaryOp,
};
use dsl::source::Span;

/// A case that expects the contrary of one thing the case expects, and nothing behind it.
#[derive(Clone, Debug)]
pub struct Negation {
    /// What is denied.
    pub span: Span,
    /// The line it stands in: where the contrary has to fail.
    pub step: Span,
    /// The case with the contrary in its place.
    pub scenario: Scenario,
}

/// One for each expectation of a case; for each part of one that is joined by `and`. Each is made when it is asked for: all of
/// them together are as many cases as a long one has lines.
pub fn negations(scenario: &Scenario) -> impl Iterator<Item = Negation> {
    let before = scenario
        .before_setup
        .iter()
        .enumerate()
        .map(|(at, step)| (true, at, step));
    let after = scenario
        .steps
        .iter()
        .enumerate()
        .map(|(at, step)| (false, at, step));
    before.chain(after).flat_map(move |(early, at, step)| {
        let found = match &step.kind {
            ScenarioStepKind::Expect(moment, what) => contraries(*moment, what, step.span),
            _ => Vec::new(),
        };
        found.into_iter().map(move |(span, moment, what)| {
            let mut denied = scenario.clone();
            let contrary = ScenarioStep {
                kind: ScenarioStepKind::Expect(moment, what),
                span,
            };
            if early {
                denied.before_setup[at] = contrary;
            } else {
                denied.steps[at] = contrary;
                // All its answers tell how they are read.
                let mut of = 0..;
                denied.steps.retain(|step| {
                    let expects = matches!(step.kind, ScenarioStepKind::Expect(..));
                    of.next().is_none_or(|of| of <= at) || !expects
                });
            }
            Negation {
                span,
                step: step.span,
                scenario: denied,
            }
        })
    })
}

fn contraries(moment: Moment, what: &Expectation, span: Span) -> Vec<(Span, Moment, Expectation)> {
    let never = match moment {
        Moment::Some => Moment::Every,
        Moment::Now | Moment::Every => moment,
    };
    match what {
        Expectation::Holds(condition) => super::plan::conjuncts(condition)
            .into_iter()
            .map(|part| (part.span, never, Expectation::Holds(not(part))))
            .collect(),
        Expectation::Offered(seat, answers) => vec![(
            span,
            never,
            Expectation::Refused {
                seat: *seat,
                answers: answers.clone(),
                because: None,
            },
        )],
        Expectation::Refused { seat, answers, .. } => {
            vec![(span, never, Expectation::Offered(*seat, answers.clone()))]
        }
        Expectation::Choices(answers) => (0..answers.len())
            .map(|left_out| {
                let mut fewer = answers.clone();
                fewer.remove(left_out);
                (span, never, Expectation::Choices(fewer))
            })
            .collect(),
    }
}

/// The contrary of a condition, as it would be written.
fn not(part: &Expr) -> Expr {
    let kind = match &part.kind {
        ExprKind::Binary(BinaryOp::Equal, a, b) => {
            ExprKind::Binary(BinaryOp::NotEqual, a.clone(), b.clone())
        }
        ExprKind::Unary(UnaryOp::Not, inner) => inner.kind.clone(),
        _ => ExprKind::Unary(UnaryOp::Not, Box::new(part.clone())),
    };
    Expr {
        kind,
        ty: Ty::Bool,
        span: part.span,
    }
}
