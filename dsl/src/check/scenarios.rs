//! Scenarios and questions: texts checked against a finished rule set.

use super::Checker;
use super::body::{Body, Mode};
use super::cases::{Case, cases};
use super::graph::Node;
use super::keys::expr_text;
use super::places::place_of;
use super::seats::letter;
use super::symbols::Symbol;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, Answer, AnswerKind, Answers, Because, Expectation, Given, GivenKind, Moment, Place,
    Scenario, ScenarioStep, ScenarioStepKind, Ty,
};
use crate::source::Span;
use crate::syntax::ast;

/// What must be known of a scenario before its rule set can be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    pub title: String,
    pub span: Span,
    /// The game it says it is of.
    pub of: Option<String>,
    /// Overlays.
    pub with: Vec<String>,
    /// `set option = e`, the value as text.
    pub options: Vec<(String, ast::AssignOp, String)>,
    pub players: u32,
    /// Where each overlay and each option is named, and for an option where its value stands.
    pub places: Vec<(String, Span, Option<Span>)>,
}

impl Heading {
    /// Where an overlay or option is named.
    pub fn place_of(&self, chosen: &str) -> Option<Span> {
        let mut places = self.places.iter();
        places.find(|place| place.0 == chosen).map(|place| place.1)
    }

    /// Where an option's value stands.
    pub fn value_of(&self, option: &str) -> Option<Span> {
        let mut set = self
            .places
            .iter()
            .rev()
            .filter(|(name, _, _)| name == option);
        set.find_map(|(_, _, value)| *value)
    }
}

const SEED: u64 = 1;

/// Words that answer in any game.
const ANSWERS_OF_ALL: [&str; 11] = [
    "done", "go", "go_on", "yes", "none", "true", "false", "player", "cell", "part", "effect",
];

/// The headings of a file's cases, in order.
pub fn headings(sources: &crate::source::SourceSet, file: crate::source::FileId) -> Vec<Heading> {
    let cases = cases(sources, file);
    cases.iter().map(|case| heading(sources, case)).collect()
}

fn heading(sources: &crate::source::SourceSet, case: &Case) -> Heading {
    let scenario = &case.scenario;
    let mut heading = Heading {
        title: case.title.clone(),
        span: case.span,
        of: scenario.of.as_ref().map(|of| of.text.clone()),
        with: scenario.with.iter().map(|name| name.text.clone()).collect(),
        options: Vec::new(),
        players: 0,
        places: Vec::new(),
    };
    let overlays = scenario.with.iter();
    heading.places = overlays
        .map(|name| (name.text.clone(), name.span, None))
        .collect();
    for step in &scenario.steps {
        match &step.kind {
            ast::ScenarioStepKind::Set { option, op, value } => {
                // A value of the case stands for what is written.
                let text = match value.kind {
                    ast::ExprKind::Number(_) => super::keys::expr_text(value),
                    _ => sources.slice(value.span).to_owned(),
                };
                heading.options.push((option.text.clone(), *op, text));
                let place = (option.text.clone(), option.span, Some(value.span));
                heading.places.push(place);
            }
            ast::ScenarioStepKind::Players(players) => {
                heading.players = seats(players).unwrap_or(heading.players);
            }
            _ => {}
        }
    }
    heading
}

/// How many play a case, if that is a number.
fn seats(players: &ast::Expr) -> Option<u32> {
    u32::try_from(ast::number(players)?).ok()
}

impl Checker<'_> {
    pub(crate) fn is_new_text(&self, text: &str) -> bool {
        !self.texts.contains_key(text)
    }

    pub(crate) fn scenario(&mut self, case: &Case) -> Option<Scenario> {
        for diagnostic in &case.diagnostics {
            self.report(diagnostic.clone());
        }
        let scenario = &case.scenario;
        let (least, most) = self.rs.players;
        let mut result = Scenario {
            title: case.title.clone(),
            span: case.span,
            with: scenario.with.iter().map(|name| name.text.clone()).collect(),
            tags: case.tags.clone(),
            players: least,
            seed: SEED,
            before_setup: Vec::new(),
            before_step: None,
            steps: Vec::new(),
            code: ir::Code::default(),
        };
        let mut body = Body::new(self, Node::Outside, Mode::Outside);
        body.once(&scenario.steps);
        for step in &scenario.steps {
            match &step.kind {
                ast::ScenarioStepKind::Players(players) => {
                    let Some(players) = seats(players) else {
                        body.error_help(
                            "wrong-type",
                            players.span,
                            "this is no number of players",
                            "write `players 3`, or one value after the other: `scenario \"…\" for p in 2..4`, and in it `players p`",
                        );
                        continue;
                    };
                    if !(least..=most).contains(&players) {
                        body.error_help(
                            "out-of-range",
                            step.span,
                            format!("the game is for {least} to {most} players"),
                            format!("write `players {}`", players.clamp(least, most)),
                        );
                    }
                    result.players = players;
                    body.seats = players;
                }
                ast::ScenarioStepKind::Seed(seed) => result.seed = *seed,
                ast::ScenarioStepKind::Set { option, .. } => body.option_exists(option),
                ast::ScenarioStepKind::Before { step: path, steps } => {
                    body.before(path, steps, &mut result);
                }
                _ => {
                    let first = result.steps.is_empty();
                    let step = body.scenario_step(step);
                    if first && let Some(step) = &step {
                        body.nobody_has_begun(step);
                    }
                    result.steps.extend(step);
                }
            }
        }
        result.code = std::mem::take(&mut body.code);
        Some(result)
    }
}

impl Body<'_, '_> {
    /// `players` and `seed` stand in a scenario once.
    fn once(&mut self, steps: &[ast::ScenarioStep]) {
        type Kind = fn(&ast::ScenarioStepKind) -> bool;
        let kinds: [(&str, Kind); 2] = [
            ("players", |kind| {
                matches!(kind, ast::ScenarioStepKind::Players(_))
            }),
            ("seed", |kind| {
                matches!(kind, ast::ScenarioStepKind::Seed(_))
            }),
        ];
        for (word, is_it) in kinds {
            let mut lines = steps.iter().filter(|step| is_it(&step.kind));
            let first = lines.next().map(|step| step.span);
            for (again, first) in lines.zip(first) {
                self.k.report(
                    Diagnostic::error("declared-twice", again.span, format!("a second `{word}`"))
                        .label(first, "the first one")
                        .help("take one of them away"),
                );
            }
        }
    }

    fn option_exists(&mut self, option: &ast::Name) {
        let options = &self.k.rs.options;
        if let Some(at) = options.iter().position(|known| known.name == option.text) {
            self.k
                .note(option.span, Symbol::Option(ir::OptionId(at as u32)));
        } else {
            let near = crate::diagnostic::suggest::nearest(
                &option.text,
                self.k.rs.options.iter().map(|known| known.name.as_str()),
            );
            let mut diagnostic = Diagnostic::error(
                "unknown-name",
                option.span,
                format!("there is no option `{}`", option.text),
            );
            if let Some(near) = near {
                diagnostic = diagnostic.meant(option.span, near);
            }
            self.k.report(diagnostic);
        }
    }

    /// `before setup`, `before L`
    fn before(&mut self, path: &ast::Path, steps: &[ast::ScenarioStep], result: &mut Scenario) {
        let steps = |body: &mut Self| -> Vec<ScenarioStep> {
            let steps = steps.iter();
            steps.filter_map(|step| body.scenario_step(step)).collect()
        };
        if matches!(path.parts.as_slice(), [one] if one.text == "setup") {
            let steps = steps(self);
            for step in &steps {
                if let ScenarioStepKind::Answers(line) = &step.kind
                    && line.until.is_some()
                {
                    let help = "write the answers of the set-up out";
                    self.error_help(
                        "wrong-place",
                        step.span,
                        "`until` does not stand here",
                        help,
                    );
                }
            }
            return result.before_setup.extend(steps);
        }
        let Some(label) = self.k.label_of(path) else {
            return;
        };
        let steps = steps(self);
        for step in &steps {
            if let ScenarioStepKind::Answers(_) = step.kind {
                let help = "here stands what is given and expected; answers stand in `before setup` or below";
                self.error_help("wrong-place", step.span, "nobody is asked here", help);
            }
        }
        if result.before_step.replace((label, steps)).is_some() {
            let help = "one moment can be chosen; what belongs to it stands in one block";
            self.error_help("declared-twice", path.span, "a second moment", help);
        }
    }

    /// Who begins is settled in the set-up: what is given behind it comes too late.
    fn nobody_has_begun(&mut self, first: &ScenarioStep) {
        let ScenarioStepKind::Given(givens) = &first.kind else {
            return;
        };
        for given in givens {
            if let GivenKind::Starter(_) = given.kind {
                let text = self.k.slice(given.span).to_owned();
                let help = format!("write it in front of this: `before setup`, below it `{text}`");
                let message = "behind the set-up the start player is asked already";
                self.error_help("wrong-place", given.span, message, help);
            }
        }
    }

    fn scenario_step(&mut self, step: &ast::ScenarioStep) -> Option<ScenarioStep> {
        let kind = match &step.kind {
            ast::ScenarioStepKind::Given(all) => ScenarioStepKind::Given(
                all.iter()
                    .filter_map(|(target, op, value)| self.given(target, *op, value))
                    .collect(),
            ),
            ast::ScenarioStepKind::Answers {
                seat,
                answers,
                until,
            } => {
                if seat.is_none() && (until.is_none() || answers.len() > 1) {
                    let help = "write `each player: done until C`, or one line for each seat";
                    let message = "what each player answers ends with one answer and `until`";
                    self.error_help("wrong-type", step.span, message, help);
                }
                ScenarioStepKind::Answers(Answers {
                    seat: match seat {
                        Some(seat) => Some(self.seat(seat)?),
                        None => None,
                    },
                    answers: self.answers(answers)?,
                    until: match until {
                        Some(until) => Some(self.condition(until)?),
                        None => None,
                    },
                })
            }
            ast::ScenarioStepKind::Expect {
                at_some_moment,
                what,
            } => {
                let moment = match at_some_moment {
                    true => Moment::Some,
                    false => Moment::Now,
                };
                ScenarioStepKind::Expect(moment, self.expectation(what)?)
            }
            ast::ScenarioStepKind::Players(_)
            | ast::ScenarioStepKind::Seed(_)
            | ast::ScenarioStepKind::Set { .. }
            | ast::ScenarioStepKind::Before { .. } => {
                self.error(
                    "wrong-type",
                    step.span,
                    "this stands at the beginning of a scenario",
                );
                return None;
            }
        };
        Some(ScenarioStep {
            kind,
            span: step.span,
        })
    }

    fn expectation(&mut self, what: &ast::Expectation) -> Option<Expectation> {
        Some(match what {
            ast::Expectation::Holds(condition) => Expectation::Holds(self.condition(condition)?),
            ast::Expectation::Offered { seat, answers } => {
                Expectation::Offered(self.seat(seat)?, self.answers(answers)?)
            }
            ast::Expectation::Refused {
                seat,
                answers,
                because,
            } => {
                let because = because.as_ref().map(|because| match because {
                    ast::Because::Message(text) => Because::Message(text.text.clone()),
                    ast::Because::Rule(name) => {
                        self.k.mention_obstacle(name);
                        self.stands_in_the_way(name);
                        Because::Name(name.text.clone())
                    }
                });
                Expectation::Refused {
                    seat: self.seat(seat)?,
                    answers: self.answers(answers)?,
                    because,
                }
            }
            ast::Expectation::Choices(answers) => Expectation::Choices(self.answers(answers)?),
        })
    }

    fn answers(&mut self, answers: &[ast::Expr]) -> Option<Vec<Answer>> {
        answers.iter().map(|answer| self.answer(answer)).collect()
    }

    /// Reports a `because` that names nothing which could refuse an answer.
    fn stands_in_the_way(&mut self, name: &ast::Name) {
        let (rules, asm) = (&self.k.rs, self.k.asm);
        let actions = rules.actions.iter().map(|action| &action.code);
        let whens = rules.whens.iter().map(|when| &when.code);
        let bodies = actions.chain(whens).chain([&rules.flow]);
        let locals = bodies
            .flat_map(|code| &code.locals)
            .map(|local| local.name.as_str());
        let known: Vec<&str> = locals
            .chain(rules.cells.iter().map(|cell| cell.name.as_str()))
            .chain(rules.actions.iter().map(|action| action.name.as_str()))
            .chain(rules.labels.iter().map(|label| label.name.as_str()))
            .chain(asm.rules.iter().map(|rule| rule.item.name.text.as_str()))
            .collect();
        if known.contains(&name.text.as_str()) {
            return;
        }
        let message = format!("no rule, cell or parameter is called `{}`", name.text);
        let found = Diagnostic::error("unknown-name", name.span, message);
        let near = crate::diagnostic::suggest::nearest(&name.text, known).map(str::to_owned);
        self.k.report(match near {
            Some(near) => found.meant(name.span, near),
            None => found.help("name an `always`, a cell with a range or a parameter, or quote a part of the message"),
        });
    }

    // -------------------------------------------------------------------------------------------- given

    fn given(&mut self, target: &ast::Expr, op: ast::AssignOp, value: &ast::Expr) -> Option<Given> {
        let span = target.span.to(value.span);
        if let Some(top) = self.given_top(target, value, span) {
            return top;
        }
        if matches!(&target.kind, ast::ExprKind::Name(name) if name == "starter") {
            let player = self.value(value, &Ty::Element(ir::Domain::Player))?;
            return Some(Given {
                kind: GivenKind::Starter(player),
                span,
            });
        }
        if matches!(&target.kind, ast::ExprKind::Name(name) if name == "random") {
            if op != ast::AssignOp::Set {
                self.error_help(
                    "cannot-change",
                    span,
                    "nothing is added to what chance decides",
                    "what comes next, one after the other, is given as `random = [3, 5]`",
                );
                return None;
            }
            let outcomes = match &value.kind {
                ast::ExprKind::Brackets(all) => self.answers(all)?,
                _ => vec![self.answer(value)?],
            };
            return Some(Given {
                kind: GivenKind::Random(outcomes),
                span,
            });
        }
        let place = self.target(target)?;
        let value = self.given_value(&place, value)?;
        let op = match op {
            ast::AssignOp::Set => ir::AssignOp::Set,
            ast::AssignOp::Add => ir::AssignOp::Add,
            ast::AssignOp::Subtract => ir::AssignOp::Subtract,
        };
        Some(Given {
            kind: GivenKind::Set { place, op, value },
            span,
        })
    }

    /// Zones of any kind are given by what lies in them: `{red: 2}`, `[a, b]`, `[a, none, b]`.
    fn given_value(&mut self, place: &Place, value: &ast::Expr) -> Option<ir::Expr> {
        let ty = place.ty.clone();
        let ordered = matches!(value.kind, ast::ExprKind::Brackets(_));
        if let Ty::Row(domain) | Ty::Deck(domain) | Ty::Bag(domain) | Ty::Set(domain) = ty
            && self.numbers_for_rows(domain, value)
        {
            return None;
        }
        match &ty {
            Ty::Row(domain) if ordered => {
                self.value(value, &Ty::List(Box::new(domain.element_ty().optional())))
            }
            Ty::Deck(domain) | Ty::Row(domain) if ordered => {
                self.value(value, &Ty::List(Box::new(domain.element_ty())))
            }
            Ty::Deck(_) | Ty::Row(_) | Ty::Bag(_) | Ty::Set(_) | Ty::List(_) => {
                let found = self.expr(value, Some(&ty))?;
                match (found.ty.element(), ty.element()) {
                    (Some(a), Some(b)) if super::types::fits(&a, &b) => Some(found),
                    _ => self.fit(found, &ty),
                }
            }
            Ty::Bool => self.condition(value),
            _ => self.value(value, &ty),
        }
    }

    /// Reports numbers where rows are wanted.
    fn numbers_for_rows(&mut self, domain: ir::Domain, value: &ast::Expr) -> bool {
        let ir::Domain::Table(table) = domain else {
            return false;
        };
        let items: Vec<&ast::Expr> = match &value.kind {
            ast::ExprKind::Brackets(items) => items.iter().collect(),
            ast::ExprKind::Braces(items) => items.iter().map(|item| &item.0).collect(),
            _ => vec![value],
        };
        let number = |item: &&&ast::Expr| matches!(item.kind, ast::ExprKind::Number(_));
        let Some(number) = items.iter().find(number) else {
            return false;
        };
        let counted = self.k.how_rows_are_counted(table);
        let table = &self.k.rs.tables[table.index()];
        let name = &table.name;
        let help = counted.unwrap_or_else(|| match table.rows.first() {
            Some(row) => format!("a row is written `{name}[{}]`", row.name),
            None => format!("`{name}` has no rows"),
        });
        let message = format!("a row of `{name}` is wanted, not a number");
        self.error_help("wrong-type", number.span, message, help);
        true
    }

    /// `draw_pile.top = [a, b]`
    #[allow(clippy::option_option)]
    fn given_top(
        &mut self,
        target: &ast::Expr,
        value: &ast::Expr,
        span: Span,
    ) -> Option<Option<Given>> {
        let ast::ExprKind::Member(base, word) = &target.kind else {
            return None;
        };
        if word.text != "top" {
            return None;
        }
        let deck = self.raw(base, None);
        let Some(place) = deck.as_ref().and_then(place_of) else {
            return Some(None);
        };
        let Ty::Deck(domain) = place.ty else {
            return None;
        };
        let single = !matches!(value.kind, ast::ExprKind::Brackets(_));
        if self.numbers_for_rows(domain, value) {
            return Some(None);
        }
        let list = Ty::List(Box::new(domain.element_ty()));
        let cards = if single {
            self.value(value, &domain.element_ty())
                .map(|card| list_of(card, &list))
        } else {
            self.value(value, &list)
        };
        Some(cards.map(|cards| Given {
            kind: GivenKind::Top { deck: place, cards },
            span,
        }))
    }

    // -------------------------------------------------------------------------------------------- answers

    /// Answers keep their words: they are matched with what is offered.
    pub(crate) fn answer(&mut self, expr: &ast::Expr) -> Option<Answer> {
        if let ast::ExprKind::Call(callee, _) = &expr.kind
            && let ast::ExprKind::Member(..) = callee.kind
        {
            return self.row_answer(expr);
        }
        self.note_answer(expr);
        if !self.is_place_there(expr)
            || !self.is_player_there(expr)
            || !self.is_row_there(expr)
            || !self.is_answer_known(expr)
        {
            return None;
        }
        let kind = match &expr.kind {
            ast::ExprKind::Name(name) => AnswerKind::Word(name.clone()),
            ast::ExprKind::Text(_) => AnswerKind::Word(expr_text(expr)),
            ast::ExprKind::Number(n) => AnswerKind::Number(*n),
            ast::ExprKind::Unary(ast::UnaryOp::Negate, inner) => match inner.kind {
                ast::ExprKind::Number(n) => AnswerKind::Number(-n),
                _ => return self.no_answer(expr),
            },
            ast::ExprKind::Member(_, word) => AnswerKind::Word(word.text.clone()),
            ast::ExprKind::Index(_, keys) => AnswerKind::Word(super::keys::key_text(keys)),
            ast::ExprKind::Call(callee, args) => {
                let ast::ExprKind::Name(name) = &callee.kind else {
                    return self.no_answer(expr);
                };
                let args: Option<Vec<Answer>> =
                    args.iter().map(|arg| self.answer(&arg.value)).collect();
                AnswerKind::Call(name.clone(), args?)
            }
            ast::ExprKind::Braces(entries) => self.answer_braces(entries)?,
            ast::ExprKind::Brackets(all) => {
                let all: Option<Vec<Answer>> = all.iter().map(|one| self.answer(one)).collect();
                AnswerKind::List(all?)
            }
            ast::ExprKind::Error => return None,
            _ => return self.no_answer(expr),
        };
        Some(Answer {
            kind,
            span: expr.span,
        })
    }

    /// `cell[1, 2].border(e)`: a value that is known is answered by its name.
    fn row_answer(&mut self, expr: &ast::Expr) -> Option<Answer> {
        let found = self.expr(expr, None)?;
        let ir::ExprKind::Const(ir::Value::Element(ir::Domain::Table(table), row)) = found.kind
        else {
            return self.no_answer(expr);
        };
        let row = &self.k.rs.tables[table.index()].rows[row as usize];
        Some(Answer {
            kind: AnswerKind::Word(row.name.clone()),
            span: expr.span,
        })
    }

    /// Notes what an answer's word stands for, if there is only one such action, label, row or member.
    fn note_answer(&mut self, expr: &ast::Expr) {
        let (name, span) = match &expr.kind {
            ast::ExprKind::Name(name) => (name.clone(), expr.span),
            ast::ExprKind::Text(_) => (expr_text(expr), expr.span),
            ast::ExprKind::Call(callee, _) => (expr_text(callee), callee.span),
            ast::ExprKind::Index(table, key) => {
                let name = named(expr_text(table), table.span);
                return self.k.mention_cells(&name, key, &[]);
            }
            _ => return,
        };
        let named = named(name, span);
        if let Some(symbol @ (Symbol::Action(_) | Symbol::Label(_))) = self.k.outermost(&named) {
            return self.k.note(span, symbol);
        }
        if let [(domain, number)] = self.k.names.words(&named.text, span).as_slice() {
            let (domain, number) = (*domain, *number);
            self.k.note_element(span, domain, number);
        }
    }

    /// Reports `cell[2, 2]` and `cell(2, 2)` where the board has no such place.
    fn is_place_there(&mut self, expr: &ast::Expr) -> bool {
        let keys: Vec<&ast::Expr> = match &expr.kind {
            ast::ExprKind::Index(head, keys) if expr_text(head) == "cell" => keys.iter().collect(),
            ast::ExprKind::Call(head, args) if expr_text(head) == "cell" => {
                args.iter().map(|arg| &arg.value).collect()
            }
            _ => return true,
        };
        let numbers: Option<Vec<i32>> =
            keys.iter().map(|key| expr_text(key).parse().ok()).collect();
        match numbers.as_deref() {
            Some([row, column]) => self.has_place((*row, *column), expr.span).unwrap_or(true),
            _ if self.k.positions() == ir::Domain::Cell && self.k.rs.tiling.is_some() => {
                let message = "a place is written with the numbers of its row and its column";
                let help = self.k.board_in_words();
                self.error_help("no-such-place", expr.span, message, help);
                false
            }
            _ => true,
        }
    }

    /// Reports `player[3]` where two play.
    fn is_player_there(&mut self, expr: &ast::Expr) -> bool {
        let ast::ExprKind::Index(head, keys) = &expr.kind else {
            return true;
        };
        let (ast::ExprKind::Name(name), [key]) = (&head.kind, keys.as_slice()) else {
            return true;
        };
        match expr_text(key).parse::<u32>() {
            Ok(0) if name == "player" => {
                let message = "there is no seat 0";
                self.error_help(
                    "out-of-range",
                    expr.span,
                    message,
                    "the first one is `player[1]`",
                );
                false
            }
            Ok(number) if name == "player" && number > self.seats => {
                self.nobody_sits(number - 1, expr.span);
                false
            }
            _ => true,
        }
    }

    /// Reports `card[x]` and `card.x` where the table has no such row, and no overlay took it away.
    fn is_row_there(&mut self, expr: &ast::Expr) -> bool {
        let (head, name, span) = match &expr.kind {
            ast::ExprKind::Index(head, keys) => {
                let ends = keys.first().zip(keys.last());
                let span = ends.map_or(expr.span, |(first, last)| first.span.to(last.span));
                (head, super::keys::key_text(keys), span)
            }
            ast::ExprKind::Member(head, word) => (head, word.text.clone(), word.span),
            _ => return true,
        };
        let Some(super::names::Global::Table(table)) =
            self.k.names.global(&expr_text(head), head.span)
        else {
            return true;
        };
        let rows = &self.k.names.rows[table.index()];
        let number = name.parse::<i64>().ok();
        let same = |row: &String| number.is_some() && row.parse().ok() == number;
        if rows.contains_key(&name) || rows.keys().any(same) || self.was_taken_away(&name) {
            return true;
        }
        self.k.no_row(table, &name, span);
        false
    }

    /// Reports an answer that names nothing the rules know: nobody could ever give it.
    fn is_answer_known(&mut self, expr: &ast::Expr) -> bool {
        let (text, span) = match &expr.kind {
            ast::ExprKind::Name(name) => (name.clone(), expr.span),
            ast::ExprKind::Text(_) => (expr_text(expr), expr.span),
            ast::ExprKind::Call(callee, _) => (expr_text(callee), callee.span),
            _ => return true,
        };
        let name = named(text, span);
        // A menu that waits is called by all that it offers: "build or promote".
        let mut parts = name.text.split(" or ");
        if self.could_be_answered(&name)
            || parts.all(|part| self.could_be_answered(&named(part.to_owned(), span)))
        {
            return true;
        }
        if let Some(seat) = letter(&name.text) {
            self.nobody_sits(seat, span);
            return false;
        }
        let rules = &self.k.rs;
        let message = format!("nothing that could be answered is called `{}`", name.text);
        let found = Diagnostic::error("unknown-name", span, message);
        let near = {
            let actions = rules.actions.iter().map(|action| action.name.as_str());
            let labels = rules.labels.iter().map(|label| label.name.as_str());
            let words = self.k.names.words.keys().map(String::as_str);
            let all = actions.chain(labels).chain(words);
            crate::diagnostic::suggest::nearest(&name.text, all).map(str::to_owned)
        };
        self.k.report(match near {
            Some(near) if !matches!(expr.kind, ast::ExprKind::Text(_)) => found.meant(span, near),
            Some(near) => found.help(format!("did you mean \"{near}\"?")),
            None => found.help(
                "an answer is the name of an action, of a menu's item, of a row or a member, or `done`",
            ),
        });
        false
    }

    /// Whether something that can be asked is called so.
    fn could_be_answered(&self, name: &ast::Name) -> bool {
        if self.k.outermost(name).is_some() || self.k.names.words.contains_key(&name.text) {
            return true;
        }
        let rules = &self.k.rs;
        // What has no name of its own is called by what is written, blanks or not.
        let plain = |text: &str| -> String {
            let letters = text.chars();
            letters
                .filter(|c| !c.is_whitespace() && *c != '"')
                .collect()
        };
        let wanted = plain(&name.text);
        let head = |text: &str| text.split('(').next().map(plain).unwrap_or_default();
        let rows = rules.tables.iter().flat_map(|table| &table.rows);
        let side = rules.tiling.iter().any(|tiling| {
            let lattice = tiling.lattice;
            (0..lattice.directions()).any(|at| lattice.name(at).as_ref() == Some(&name.text))
                || lattice.all_ports().contains(&name.text.as_str())
        });
        let called = rows
            .flat_map(|row| [Some(row.name.as_str()), row.name.rsplit('/').next()])
            .flatten()
            .chain(rules.actions.iter().map(|action| action.name.as_str()))
            .chain(rules.labels.iter().map(|label| label.name.as_str()))
            .chain(rules.formulas.iter().map(|formula| formula.name.as_str()))
            .chain(rules.texts.iter().map(String::as_str));
        let known = ANSWERS_OF_ALL.contains(&name.text.as_str())
            || letter(&name.text).is_some_and(|seat| seat < self.seats)
            || called.map(plain).any(|called| called == wanted)
            || side
            || rules
                .effects
                .iter()
                .any(|effect| plain(&effect.text) == wanted || head(&effect.text) == wanted);
        known || self.was_taken_away(&name.text)
    }

    /// What an overlay took away is no more, which a case may say; it stands still in the texts of what it was taken from.
    fn was_taken_away(&self, name: &str) -> bool {
        let (asm, sources) = (self.k.asm, self.k.sources);
        let mut texts = asm
            .layers
            .iter()
            .flat_map(|layer| &layer.files)
            .map(|file| sources.text(*file));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let stands = |text: &str| {
            text.match_indices(name).any(|(at, found)| {
                !text[..at].ends_with(is_part) && !text[at + found.len()..].starts_with(is_part)
            })
        };
        !asm.deeds.is_empty() && !name.is_empty() && texts.any(stands)
    }

    fn answer_braces(&mut self, entries: &[(ast::Expr, Option<ast::Expr>)]) -> Option<AnswerKind> {
        if entries.iter().all(|(_, count)| count.is_none()) {
            let all: Option<Vec<Answer>> =
                entries.iter().map(|(one, _)| self.answer(one)).collect();
            return all.map(AnswerKind::Set);
        }
        let mut bag = Vec::new();
        for (one, count) in entries {
            let n = match count.as_ref().map(|count| &count.kind) {
                None => 1,
                Some(ast::ExprKind::Number(n)) => *n,
                Some(_) => {
                    self.no_answer(one);
                    return None;
                }
            };
            bag.push((self.answer(one)?, n));
        }
        Some(AnswerKind::Bag(bag))
    }

    fn no_answer(&mut self, expr: &ast::Expr) -> Option<Answer> {
        let help =
            "answers are words, numbers, calls and sets: `claim(\"a-b\")`, `{red: 2}`, `done`";
        self.error_help("wrong-type", expr.span, "this is no answer", help);
        None
    }
}

fn named(text: String, span: Span) -> ast::Name {
    ast::Name { text, span }
}

fn list_of(card: ir::Expr, ty: &Ty) -> ir::Expr {
    let span = card.span;
    ir::Expr {
        kind: ir::ExprKind::ListOf(vec![card]),
        ty: ty.clone(),
        span,
    }
}

// ------------------------------------------------------------------------------------------------ from outside

/// An assembly, what its names mean, and its rule set.
pub(crate) type Context<'a> = (
    &'a crate::assembly::Assembly,
    &'a super::World,
    &'a ir::RuleSet,
);

/// The scenarios of a file (or the one of a heading), checked.
pub(crate) fn scenarios_of(
    sources: &crate::source::SourceSet,
    (assembly, world, rules): Context,
    file: crate::source::FileId,
    heading: Option<&Heading>,
) -> (Vec<Scenario>, Vec<Diagnostic>) {
    let parsed = crate::syntax::parse::parsed(sources, file);
    let cases = cases(sources, file);
    let is_wanted = |case: &&Case| {
        heading.is_none_or(|heading| heading.title == case.title && heading.span == case.span)
    };
    let wanted = cases.iter().filter(is_wanted);
    // What is wrong elsewhere in the file is not this case's.
    let is_own = |found: &&Diagnostic| {
        heading.is_none() || wanted.clone().any(|case| encloses(case.span, found.span))
    };
    let unread = parsed.diagnostics.iter().filter(is_own);
    let mut diagnostics: Vec<Diagnostic> = unread.cloned().collect();
    let mut checker = Checker::over(sources, assembly, world, rules);
    for decl in &parsed.file.declarations {
        if !matches!(decl.kind, ast::DeclarationKind::Scenario(_)) {
            checker.report(Diagnostic::error(
                "wrong-place",
                decl.span,
                "a scenario file holds only scenarios",
            ));
        }
    }
    let found = wanted.filter_map(|case| checker.scenario(case)).collect();
    diagnostics.extend(checker.take_diagnostics());
    (found, diagnostics)
}

fn encloses(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// What the words of a scenario file stand for.
pub(crate) fn uses_of(
    sources: &crate::source::SourceSet,
    (assembly, world, rules): Context,
    file: crate::source::FileId,
) -> super::Uses {
    let mut checker = Checker::over(sources, assembly, world, rules);
    for case in cases(sources, file) {
        checker.scenario(&case);
    }
    super::Uses::new(std::mem::take(&mut checker.notes))
}
