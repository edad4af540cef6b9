//! Bodies: statements, their blocks and items.

use super::expression::only;
use super::{Builder, Pair, Rule, has, parts};
use crate::syntax::ast::*;

impl Builder<'_> {
    /// A `body`, `body_after_colon`, `block`, `inline`, or a rule that holds one.
    pub(super) fn block(&self, pair: Pair) -> Block {
        match pair.as_rule() {
            Rule::block => Block {
                below: true,
                ..self.inline(pair)
            },
            Rule::inline => self.inline(pair),
            Rule::statement => Block {
                statements: vec![self.statement(pair)],
                below: false,
            },
            _ => self.block(only(pair)),
        }
    }

    pub(super) fn inline(&self, pair: Pair) -> Block {
        Block {
            statements: parts(pair).map(|part| self.statement(part)).collect(),
            below: false,
        }
    }

    fn statement(&self, pair: Pair) -> Statement {
        let span = self.span(&pair);
        // Taken before the inner statements, which may begin at the same place.
        let (doc, tags) = (self.take_doc(span), self.take_tags(span));
        let kind = self.statement_kind(only(pair));
        Statement {
            kind,
            span,
            doc,
            tags,
        }
    }

    fn statement_kind(&self, pair: Pair) -> StatementKind {
        match pair.as_rule() {
            Rule::label => {
                let (name, body) = self.two(pair, |b, name| b.name(name), Builder::block);
                StatementKind::Label(name, body)
            }
            Rule::need_s => self.need(pair),
            Rule::choose_s => StatementKind::Choose(self.choices(pair)),
            Rule::let_s => {
                let (name, value) = self.two(pair, |b, name| b.name(name), Builder::expr);
                StatementKind::Let(name, value)
            }
            Rule::assign => {
                let (target, op, value) = self.assignment(pair);
                StatementKind::Assign { target, op, value }
            }
            Rule::move_s => StatementKind::Move(self.move_(pair)),
            Rule::shuffle_s => StatementKind::Shuffle(self.expr(pair)),
            Rule::if_s => self.if_(pair),
            Rule::match_s => self.match_(pair),
            Rule::each_s => {
                let (binders, body) = self.two(pair, Builder::binders, Builder::block);
                StatementKind::Each(binders, body)
            }
            Rule::each_player => StatementKind::EachPlayer(self.each_player(pair)),
            Rule::as_s => {
                let (player, body) = self.two(pair, Builder::expr, Builder::block);
                StatementKind::As(player, body)
            }
            Rule::repeat_s => StatementKind::Repeat(self.repeat(pair)),
            Rule::may_s => StatementKind::May(self.block(pair)),
            Rule::one_of => self.one_of(pair),
            Rule::any_order => self.any_order(pair),
            Rule::walk_s => {
                let (walk, body) = self.two(pair, Builder::walk, Builder::block);
                StatementKind::Walk(walk, body)
            }
            Rule::pause_s => StatementKind::Pause(self.message(pair)),
            Rule::finish_s => StatementKind::Finish(self.finish(pair)),
            Rule::another_s => StatementKind::Another(self.name(only(pair))),
            Rule::verdict_s => StatementKind::Verdict(self.verdict(pair)),
            Rule::stop_s => StatementKind::Stop,
            Rule::skip_s => StatementKind::Skip,
            _ => StatementKind::Run(self.expr(pair)),
        }
    }

    /// The two parts of a rule that has exactly two.
    fn two<'i, A, B>(
        &self,
        pair: Pair<'i>,
        first: impl Fn(&Self, Pair<'i>) -> A,
        second: impl Fn(&Self, Pair<'i>) -> B,
    ) -> (A, B) {
        let mut inner = parts(pair);
        let a = inner.next().expect("the grammar gives this rule two parts");
        let b = inner.next().expect("the grammar gives this rule two parts");
        (first(self, a), second(self, b))
    }

    /// Target, sign and value of `assign`, `given_cell`, `set_step`.
    pub(super) fn assignment(&self, pair: Pair) -> (Expr, AssignOp, Expr) {
        let mut inner = parts(pair);
        let target = self.expr(inner.next().expect("a change has a target"));
        let op = assign_op(inner.next().expect("a change has a sign"));
        (
            target,
            op,
            self.expr(inner.next().expect("a change has a value")),
        )
    }

    fn need(&self, pair: Pair) -> StatementKind {
        let mut inner = parts(pair);
        let value = self.expr(inner.next().expect("`need` has a condition"));
        StatementKind::Need(value, inner.next().map(|message| self.message(message)))
    }

    fn move_(&self, pair: Pair) -> Move {
        let (mut what, mut from, mut to) = (None, None, None);
        let (mut up_to, mut end) = (false, DeckEnd::Default);
        for part in parts(pair) {
            match part.as_rule() {
                Rule::up_word => up_to = true,
                Rule::end_of => what = Some(self.end_of(part)),
                Rule::from_zone => from = Some(self.expr(part)),
                Rule::deck_end => {
                    end = if has(&part, Rule::k_top) {
                        DeckEnd::Top
                    } else {
                        DeckEnd::Bottom
                    }
                }
                _ if what.is_none() => what = Some(MoveWhat::Value(self.expr(part))),
                _ => to = Some(self.expr(part)),
            }
        }
        let what = what.expect("`move` has what it moves");
        Move {
            what,
            up_to,
            from,
            to: to.expect("`move` has where to"),
            end,
        }
    }

    fn end_of(&self, pair: Pair) -> MoveWhat {
        let bottom = has(&pair, Rule::k_bottom);
        let mut values = self.exprs(pair);
        let of = values.pop().expect("`top of` has a deck");
        MoveWhat::Drawn {
            count: values.pop(),
            of,
            bottom,
        }
    }

    fn if_(&self, pair: Pair) -> StatementKind {
        let mut inner = parts(pair);
        let condition = self.expr(inner.next().expect("`if` has a condition"));
        let mut arms = vec![(
            condition,
            self.block(inner.next().expect("`if` has a body")),
        )];
        let mut otherwise = None;
        for part in inner {
            match part.as_rule() {
                Rule::else_if => arms.push(self.two(part, Builder::expr, Builder::block)),
                _ => otherwise = Some(self.block(part)),
            }
        }
        StatementKind::If { arms, otherwise }
    }

    fn match_(&self, pair: Pair) -> StatementKind {
        let mut inner = parts(pair);
        let value = self.expr(inner.next().expect("`match` has a value"));
        let (mut arms, mut otherwise) = (Vec::new(), None);
        for part in inner {
            match part.as_rule() {
                Rule::match_arm => arms.push(self.match_arm(part)),
                _ => otherwise = Some(self.block(part)),
            }
        }
        StatementKind::Match {
            value,
            arms,
            otherwise,
        }
    }

    fn match_arm(&self, pair: Pair) -> MatchArm {
        let span = self.span(&pair);
        let mut values = Vec::new();
        let mut body = Block::default();
        for part in parts(pair) {
            match part.as_rule() {
                Rule::body => body = self.block(part),
                _ => values.push(self.expr(part)),
            }
        }
        MatchArm { values, body, span }
    }

    fn each_player(&self, pair: Pair) -> EachPlayer {
        let mut each = EachPlayer {
            other: has(&pair, Rule::k_other),
            conditions: Vec::new(),
            by: None,
            from: None,
            secretly: false,
            body: Block::default(),
        };
        for part in parts(pair) {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::secretly => each.secretly = true,
                Rule::condition_plain => each.conditions.push(self.condition(part)),
                Rule::by_clause => self.set_once(&mut each.by, self.expr(part), span),
                Rule::seat_from => self.set_once(&mut each.from, self.seat_from(part), span),
                _ => each.body = self.block(part),
            }
        }
        each
    }

    fn seat_from(&self, pair: Pair) -> SeatFrom {
        if has(&pair, Rule::k_left) {
            SeatFrom::Left
        } else if has(&pair, Rule::k_right) {
            SeatFrom::Right
        } else {
            SeatFrom::Player(self.expr(pair))
        }
    }

    fn repeat(&self, pair: Pair) -> Repeat {
        let mut repeat = Repeat {
            times: None,
            up_to: false,
            while_: None,
            may: false,
            body: Block::default(),
        };
        for part in parts(pair) {
            match part.as_rule() {
                Rule::times => repeat.times = Some(self.expr(part)),
                Rule::up_to => {
                    repeat.up_to = true;
                    repeat.times = Some(self.expr(part));
                }
                Rule::while_clause => repeat.while_ = Some(self.expr(part)),
                Rule::may_word => repeat.may = true,
                _ => repeat.body = self.block(part),
            }
        }
        repeat
    }

    fn one_of(&self, pair: Pair) -> StatementKind {
        let (mut items, mut ask, mut none) = (Vec::new(), None, None);
        for part in parts(pair) {
            match part.as_rule() {
                Rule::ask_message => ask = Some(self.message(part)),
                Rule::none_done => none = Some(self.block(part)),
                _ => items.extend(parts(part).map(|item| self.item(item))),
            }
        }
        StatementKind::OneOf { items, ask, none }
    }

    /// An `item` of a block or a `short_item`.
    fn item(&self, pair: Pair) -> Item {
        let span = self.span(&pair);
        let (doc, tags) = (self.take_doc(span), self.take_tags(span));
        let (mut label, mut body) = (None, Block::default());
        for part in parts(pair) {
            match part.as_rule() {
                Rule::word => label = Some(self.name(part)),
                Rule::expr => body.statements.push(run(self.expr(part))),
                _ => body = self.block(part),
            }
        }
        Item {
            label,
            body,
            span,
            doc,
            tags,
        }
    }

    fn any_order(&self, pair: Pair) -> StatementKind {
        let as_far = has(&pair, Rule::as_far);
        let mut inner = parts(pair).filter(|part| part.as_rule() != Rule::as_far);
        let agenda = self.expr(inner.next().expect("`any order` has an agenda"));
        StatementKind::AnyOrder {
            agenda,
            as_far,
            items: inner.map(|item| self.agenda_item(item)).collect(),
        }
    }

    fn agenda_item(&self, pair: Pair) -> AgendaItem {
        let span = self.span(&pair);
        let must = has(&pair, Rule::must_word);
        let body = parts(pair).nth(1).expect("an item has a body");
        AgendaItem {
            must,
            body: self.block(body),
            span,
        }
    }

    fn finish(&self, pair: Pair) -> Finish {
        let mut inner = parts(pair);
        let when = inner.next().expect("`finish` says when");
        Finish {
            when: self.finish_when(when),
            name: inner.next().map(|name| self.name(name)),
        }
    }

    fn verdict(&self, pair: Pair) -> Verdict {
        let loses = has(&pair, Rule::k_loses);
        let goes_on = pair
            .clone()
            .into_inner()
            .find(|part| part.as_rule() == Rule::goes_on);
        let mut inner = parts(pair);
        let mut next = || inner.next().expect("the grammar gives this rule a part");
        let first = next();
        let (fate, name) = match first.as_rule() {
            Rule::literal => (Fate::Draw, first),
            _ if loses => (Fate::Loses(self.postfix(first)), next()),
            _ => (Fate::Wins(self.postfix(first)), next()),
        };
        Verdict {
            fate,
            name: self.name(name),
            goes_on: goes_on.map(|part| self.span(&part)),
        }
    }

    fn finish_when(&self, pair: Pair) -> FinishWhen {
        if pair.as_rule() == Rule::finish_now {
            return FinishWhen::Now;
        }
        let mut inner = parts(pair);
        let label = self.name(inner.next().expect("`finish after this` names a step"));
        let more = inner.next().map(|count| self.expr(count));
        FinishWhen::After {
            label,
            more,
            of_each_player: inner.next().is_some(),
        }
    }
}

/// A value alone as a statement.
pub(super) fn run(value: Expr) -> Statement {
    let span = value.span;
    Statement {
        kind: StatementKind::Run(value),
        span,
        doc: String::new(),
        tags: Vec::new(),
    }
}

pub(super) fn assign_op(pair: Pair) -> AssignOp {
    match only(pair).as_rule() {
        Rule::add_op => AssignOp::Add,
        Rule::subtract_op => AssignOp::Subtract,
        _ => AssignOp::Set,
    }
}
