//! What variants, expansions and scenarios say.

use super::expression::only;
use super::statement::assign_op;
use super::{Builder, Pair, Rule, has, mistake, parts};
use crate::syntax::ast::*;

impl Builder<'_> {
    pub(super) fn overlay(&self, rule: Rule, pair: Pair) -> Overlay {
        match rule {
            Rule::set_op => self.set(pair),
            Rule::replace_clause => {
                let mut inner = parts(pair);
                let path = self.path(inner.next().expect("`replace` has a path"));
                Overlay::ReplaceClause {
                    path,
                    value: self.expr(inner.next().expect("`replace` has a value")),
                }
            }
            Rule::replace_score => Overlay::ReplaceScore(self.score_line(only(pair))),
            Rule::remove_op => Overlay::Remove(self.exprs(pair)),
            Rule::remove_strategy => Overlay::RemoveStrategy(self.name(only(pair))),
            Rule::patch_op => self.patch(pair),
            Rule::add_to => self.add_to(pair),
            Rule::hook => self.hook(pair),
            rule => unreachable!("no declaration: {rule:?}"),
        }
    }

    fn set(&self, pair: Pair) -> Overlay {
        let mut inner = parts(pair);
        let target = self.expr(inner.next().expect("`set` has a target"));
        let op = assign_op(inner.next().expect("`set` has a sign"));
        let value = self.cell_value(inner.next().expect("`set` has a value"));
        Overlay::Set { target, op, value }
    }

    fn patch(&self, pair: Pair) -> Overlay {
        let mut inner = parts(pair);
        let table = self.name(inner.next().expect("`patch` has a table"));
        let (mut key, mut condition, mut cells) = (Vec::new(), None, Vec::new());
        for part in inner {
            match part.as_rule() {
                Rule::patch_key => key = self.exprs(only(part)),
                Rule::where_clause => condition = Some(self.expr(part)),
                _ => cells.push(self.patch_cell(part)),
            }
        }
        Overlay::Patch {
            table,
            key,
            condition,
            cells,
        }
    }

    fn patch_cell(&self, pair: Pair) -> (Name, Expr) {
        let mut inner = parts(pair);
        let name = self.name(inner.next().expect("a patch has a column"));
        (name, self.expr(inner.next().expect("a patch has a value")))
    }

    fn add_to(&self, pair: Pair) -> Overlay {
        let mut inner = parts(pair);
        let first = inner.next().expect("`add to` says to what");
        if first.as_rule() == Rule::add_score {
            return Overlay::AddScore(self.score_lines(first));
        }
        let path = self.path(first);
        let added = inner.next().expect("`add to` says what");
        match added.as_rule() {
            Rule::condition_clause => Overlay::AddCondition {
                path,
                condition: self.condition(added),
            },
            _ => Overlay::AddTo {
                path,
                body: self.block(added),
            },
        }
    }

    fn hook(&self, pair: Pair) -> Overlay {
        let mut inner = parts(pair);
        let kind = match inner.next().map(|kind| kind.as_rule()) {
            Some(Rule::before) => HookKind::Before,
            Some(Rule::after) => HookKind::After,
            _ => HookKind::InsteadOf,
        };
        let (mut paths, mut body) = (Vec::new(), Block::default());
        for part in inner {
            match part.as_rule() {
                Rule::path => paths.push(self.path(part)),
                _ => body = self.block(part),
            }
        }
        Overlay::Hook { kind, paths, body }
    }

    // -------------------------------------------------------------------------------------------- scenarios

    pub(super) fn scenario(&self, pair: Pair) -> Scenario {
        let is_position = pair.as_str().starts_with("position");
        let mut inner = parts(pair);
        let title = self.name(inner.next().expect("a scenario has a title"));
        let mut scenario = Scenario {
            title,
            is_position,
            of: None,
            with: Vec::new(),
            from: None,
            values: None,
            steps: Vec::new(),
        };
        for part in inner {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::of_game => {
                    self.set_once(&mut scenario.of, self.name(only(part)), span);
                }
                Rule::from_position => {
                    self.set_once(&mut scenario.from, self.name(only(part)), span);
                }
                Rule::case_values => {
                    self.set_once(&mut scenario.values, self.case_values(part), span);
                }
                Rule::with_layers if !scenario.with.is_empty() => {
                    self.report(mistake::said_twice(span));
                }
                Rule::with_layers => scenario.with = self.names(only(part)),
                _ => scenario.steps = self.steps(part),
            }
        }
        scenario
    }

    fn case_values(&self, pair: Pair) -> CaseValues {
        let mut inner = parts(pair);
        let names = inner.next().expect("`for` has names");
        CaseValues {
            names: self.names(names),
            values: self.expr(inner.next().expect("`for` has values")),
        }
    }

    fn steps(&self, pair: Pair) -> Vec<ScenarioStep> {
        parts(pair)
            .map(|step| ScenarioStep {
                span: self.span(&step),
                kind: self.step(step),
            })
            .collect()
    }

    fn step(&self, pair: Pair) -> ScenarioStepKind {
        match pair.as_rule() {
            Rule::players_step => {
                let count = only(pair);
                let span = self.span(&count);
                let kind = match count.as_rule() {
                    Rule::word => ExprKind::Name(count.as_str().trim().to_owned()),
                    _ => ExprKind::Number(self.count(count).0.into()),
                };
                ScenarioStepKind::Players(Expr { kind, span })
            }
            Rule::seed_step => ScenarioStepKind::Seed(self.seed(only(pair))),
            Rule::set_step => self.set_step(pair),
            Rule::before_step => {
                let mut inner = parts(pair);
                ScenarioStepKind::Before {
                    step: self.path(inner.next().expect("`before` names a step")),
                    steps: self.steps(inner.next().expect("`before` has lines")),
                }
            }
            Rule::given_step | Rule::fix_step => {
                ScenarioStepKind::Given(parts(pair).map(|cell| self.assignment(cell)).collect())
            }
            Rule::answers_step => self.answers_step(pair),
            _ => self.expect_step(pair),
        }
    }

    fn answers_step(&self, pair: Pair) -> ScenarioStepKind {
        let mut inner = parts(pair);
        let who = inner.next().expect("answers have a seat");
        let seat = (who.as_rule() != Rule::each_seat).then(|| self.name(who));
        ScenarioStepKind::Answers {
            seat,
            answers: self.row(inner.next().expect("a seat has answers")),
            until: inner.next().map(|until| self.expr(only(until))),
        }
    }

    fn row(&self, pair: Pair) -> Vec<Expr> {
        parts(pair).map(|answer| self.expr(answer)).collect()
    }

    fn expect_step(&self, pair: Pair) -> ScenarioStepKind {
        let at_some_moment = has(&pair, Rule::some_moment);
        let mut inner = parts(pair).filter(|part| part.as_rule() != Rule::some_moment);
        let what = inner.next().expect("`expect` says what");
        let what = match what.as_rule() {
            Rule::expect_not => self.expect_not(what),
            Rule::expect_choices => {
                let choices = parts(only(what)).flat_map(|exprs| self.exprs(exprs));
                Expectation::Choices(choices.collect())
            }
            Rule::expect_offered => {
                let mut inner = parts(what);
                Expectation::Offered {
                    seat: self.name(inner.next().expect("an answer has a seat")),
                    answers: self.row(inner.next().expect("a seat has answers")),
                }
            }
            _ => Expectation::Holds(self.expr(what)),
        };
        ScenarioStepKind::Expect {
            at_some_moment,
            what,
        }
    }

    fn seed(&self, pair: Pair) -> u64 {
        pair.as_str().trim().parse().unwrap_or_else(|_| {
            self.report(mistake::number_too_large(self.span(&pair), u64::MAX));
            0
        })
    }

    fn set_step(&self, pair: Pair) -> ScenarioStepKind {
        let mut inner = parts(pair);
        let option = self.name(inner.next().expect("`set` has an option"));
        let op = assign_op(inner.next().expect("`set` has a sign"));
        ScenarioStepKind::Set {
            option,
            op,
            value: self.expr(inner.next().expect("`set` has a value")),
        }
    }

    fn expect_not(&self, pair: Pair) -> Expectation {
        let mut inner = parts(pair);
        let seat = self.name(inner.next().expect("an answer has a seat"));
        let answers = self.row(inner.next().expect("`expect not` has an answer"));
        let because = inner.next().map(|because| {
            let is_message = has(&because, Rule::literal);
            let name = self.name(only(because));
            if is_message {
                Because::Message(name)
            } else {
                Because::Rule(name)
            }
        });
        Expectation::Refused {
            seat,
            answers,
            because,
        }
    }
}
