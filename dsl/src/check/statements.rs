//! Statements.

use std::rc::Rc;

use super::body::{Body, Mode, Understood};
use super::effects;
use super::graph::Touched;
use super::symbols::Symbol;
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::{self, Block, Domain, Expr, Item, LabelId, Place, Statement, StatementKind, Ty};
use crate::source::Span;
use crate::syntax::ast;

impl Body<'_, '_> {
    pub fn block(&mut self, block: &ast::Block) -> Block {
        self.scoped(|body| {
            let mut out = Vec::new();
            for statement in &block.statements {
                body.statement(statement, None, &mut out);
            }
            Block { statements: out }
        })
    }

    /// One statement; `pass` labels it when it is a loop.
    pub(super) fn statement(
        &mut self,
        statement: &ast::Statement,
        pass: Option<LabelId>,
        out: &mut Vec<Statement>,
    ) {
        use ast::StatementKind as K;
        let span = statement.span;
        if statement.doc.lines().any(super::is_saying) {
            self.k.marks.insert(span, statement.doc.clone());
        }
        let kind = match &statement.kind {
            K::Label(name, block) => self.label(name, block),
            K::Need(condition, message) => self.need(condition, message.as_ref()),
            K::Choose(choices) => return self.choose(choices, span, out),
            K::Let(name, value) => self.let_(name, value),
            K::Assign { target, op, value } => self.assign(target, *op, value, span),
            K::Move(decl) => self.move_(decl, span),
            K::Shuffle(deck) => self.shuffle(deck),
            K::If { arms, otherwise } => self.if_(arms, otherwise.as_ref()),
            K::Match {
                value,
                arms,
                otherwise,
            } => self.match_(value, arms, otherwise.as_ref(), span),
            K::Each(binders, body) => self.each(binders, body, pass),
            K::EachPlayer(each) => self.each_player(each, pass, span),
            K::As(player, body) => self.as_player(player, body),
            K::Repeat(repeat) => self.repeat(repeat, pass, span),
            K::May(body) => self.may(body, span),
            K::OneOf { items, ask, none } => self.one_of(items, ask.as_ref(), none.as_ref(), span),
            K::AnyOrder {
                agenda,
                as_far,
                items,
            } => self.any_order(agenda, *as_far, items, span),
            K::Walk(walk, body) => self.walk_statement(walk, body, span),
            K::Pause(message) => self.pause(message, span),
            K::Finish(finish) => self.finish(finish, span),
            K::Another(step) => self.another(step, span),
            K::Verdict(verdict) => self.verdict(verdict, span),
            K::Stop => self.stop(span),
            K::Skip => Some(StatementKind::Skip),
            K::Run(expr) => match &expr.kind {
                ast::ExprKind::Fated(fate, _) => return self.unnamed_verdict(fate, span),
                _ if self.is_unnamed_draw(expr) => {
                    return self.unnamed_verdict(&ast::Fate::Draw, span);
                }
                _ => return self.run(expr, out),
            },
        };
        out.extend(kind.map(|kind| Statement { kind, span }));
    }

    // -------------------------------------------------------------------------------------------- steps

    pub(super) fn label(&mut self, name: &ast::Name, block: &ast::Block) -> Option<StatementKind> {
        let id = self.k.label(&name.text)?;
        self.k.note(name.span, Symbol::Label(id));
        let only = block.labelled_loop();
        let passes =
            only.is_some_and(|only| matches!(only.kind, ast::StatementKind::EachPlayer(_)));
        self.stand(id, passes);
        if let Some(only) = only {
            let mut out = Vec::new();
            self.inside(id, |body| {
                body.scoped(|body| body.statement(only, Some(id), &mut out))
            });
            return out.pop().map(|statement| statement.kind);
        }
        let block = self.inside(id, |body| body.block(block));
        self.settle();
        Some(StatementKind::Step(id, block))
    }

    /// Notes where a label stands. `passes`: its passes are those of players.
    pub(super) fn stand(&mut self, label: LabelId, passes: bool) {
        let labels: Rc<[LabelId]> = self.labels.clone();
        let acting = passes || matches!(self.understood, Understood::Me);
        self.k.graph.labels.push((label, acting, labels));
    }

    pub(super) fn need(
        &mut self,
        condition: &ast::Expr,
        message: Option<&ast::Message>,
    ) -> Option<StatementKind> {
        let condition = self.condition(condition);
        let message = self.messages(message);
        let condition = condition?;
        self.learn(&condition, true);
        Some(StatementKind::Need(condition, message))
    }

    pub(super) fn choose(&mut self, choices: &[ast::Choice], span: Span, out: &mut Vec<Statement>) {
        self.someone(span);
        self.at_once(choices.iter());
        for choice in choices {
            let checked = self.choice(choice);
            out.extend(checked.map(|choice| Statement {
                kind: StatementKind::Choose(choice),
                span,
            }));
        }
    }

    /// Somebody must be there to be asked.
    pub(super) fn someone(&mut self, span: Span) {
        self.asks += 1;
        self.settle();
        if matches!(self.understood, Understood::Nobody) {
            self.error_help(
                "no-player",
                span,
                "nobody acts here who could be asked",
                "decisions stand inside `each player` or `as p`",
            );
        }
    }

    pub(super) fn let_(&mut self, name: &ast::Name, value: &ast::Expr) -> Option<StatementKind> {
        let value = self.expr(value, None);
        let local = self.bind(name, value.as_ref().map(|value| value.ty.clone()));
        let value = value?;
        self.note_edge(&value);
        let from = self.provenance(&value);
        self.pick_from(local, from);
        Some(StatementKind::Let(local, value))
    }

    /// What is named first and read beyond the edge of the board silently takes away every way that begins there.
    fn note_edge(&mut self, value: &Expr) {
        let Some(next) = beyond_edge(value) else {
            return;
        };
        let (text, whole) = (
            self.k.slice(next).to_owned(),
            self.k.slice(value.span).to_owned(),
        );
        let message =
            format!("at the edge `{text}` is none, and what comes this way is not offered there");
        let help = format!(
            "if it is to be offered, ask first, `if {text}: …`, or say what it is there: `{whole} otherwise none`"
        );
        self.k.report(Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::warning("edge", value.span, message).help(help)
        });
    }

    /// Asked of all elements, as of all directions, one that leads beyond the edge takes away every way.
    pub(super) fn note_edges(&mut self, asked: &[Expr]) {
        if self.mode != Mode::Doing {
            return;
        }
        for next in asked.iter().filter_map(beyond_edge) {
            let text = self.k.slice(next).to_owned();
            let message =
                format!("at the edge `{text}` is none, and then nothing of this is offered");
            let help = format!("ask for it first: `{text} and …`");
            self.k
                .report(Diagnostic::warning("edge", next, message).help(help));
        }
    }

    pub(super) fn run(&mut self, expr: &ast::Expr, out: &mut Vec<Statement>) {
        self.asks += 1;
        if let ast::ExprKind::If(condition, then, otherwise) = &expr.kind
            && [then, otherwise].iter().any(|arm| is_change(arm))
        {
            let text = |expr: &ast::Expr| self.k.slice(expr.span).to_owned();
            let help = format!(
                "write `if {}: {}`, and on the next line `else: {}`",
                text(condition),
                text(then),
                text(otherwise)
            );
            let message = "`then` and `else` are of a value: what is done stands behind `:`";
            return self.error_help("wrong-type", expr.span, message, help);
        }
        if let Some(effect) = self.effect(expr) {
            effects::statements(effect, out);
        }
        self.forget(None);
    }

    // -------------------------------------------------------------------------------------------- changes

    pub(super) fn assign(
        &mut self,
        target: &ast::Expr,
        op: ast::AssignOp,
        value: &ast::Expr,
        span: Span,
    ) -> Option<StatementKind> {
        if let Some(result) = self.agenda_add(target, op, value, span) {
            return result;
        }
        if matches!(&target.kind, ast::ExprKind::Name(name) if name == "starter")
            && op == ast::AssignOp::Set
        {
            let player = self.value(value, &Ty::Element(Domain::Player))?;
            self.forget(None);
            return Some(StatementKind::SetStarter(player));
        }
        let place = self.target(target);
        let Some(place) = place else {
            self.expr(value, None);
            return None;
        };
        let value = match op {
            ast::AssignOp::Set => self.assigned(&place, value),
            ast::AssignOp::Add | ast::AssignOp::Subtract => self.added(&place, value),
        };
        self.written_place(&place);
        let op = match op {
            ast::AssignOp::Set => ir::AssignOp::Set,
            ast::AssignOp::Add => ir::AssignOp::Add,
            ast::AssignOp::Subtract => ir::AssignOp::Subtract,
        };
        Some(StatementKind::Assign {
            target: place,
            op,
            value: value?,
        })
    }

    pub(super) fn assigned(&mut self, place: &Place, value: &ast::Expr) -> Option<Expr> {
        if matches!(place.ty, Ty::Deck(_) | Ty::Agenda) {
            let message = format!("a {} is not assigned", self.k.show(&place.ty));
            let help = match place.ty {
                Ty::Deck(_) => {
                    let name = self.k.slice(place.span).to_owned();
                    format!(
                        "cards are moved into it: `move discard to {name}`, and then `shuffle {name}`"
                    )
                }
                _ => {
                    "effects are added to what must or may be done: `todo.must += draw`".to_owned()
                }
            };
            self.error_help("cannot-change", place.span, message, help);
            return None;
        }
        let ty = place.ty.clone();
        if ty == Ty::Bool {
            self.condition(value)
        } else {
            self.value(value, &ty)
        }
    }

    /// What is added or taken away: a number, an element, a container.
    pub(super) fn added(&mut self, place: &Place, value: &ast::Expr) -> Option<Expr> {
        match place.ty.clone() {
            Ty::Int { .. } => self.number(value),
            ty @ (Ty::Set(_) | Ty::Bag(_) | Ty::List(_)) => {
                let element = ty.element()?;
                let literal = matches!(
                    value.kind,
                    ast::ExprKind::Braces(_) | ast::ExprKind::Brackets(_)
                );
                let value = self.expr(value, Some(if literal { &ty } else { &element }))?;
                let value = self.require(value)?;
                let part = value.ty.element().unwrap_or_else(|| value.ty.clone());
                if super::types::fits(&part, &element) {
                    return Some(value);
                }
                let message = format!(
                    "wanted {} or several of it, found {}",
                    self.k.in_words(&element),
                    self.k.in_words(&value.ty)
                );
                self.error("wrong-type", value.span, message);
                None
            }
            ty => {
                let message = format!("nothing is added to a {}", self.k.show(&ty));
                let help = if ty.is_container() {
                    "use `move`"
                } else {
                    "`=` gives it a value"
                };
                self.error_help("wrong-type", place.span, message, help);
                None
            }
        }
    }

    /// `todo.must += e`, `todo.may += e`.
    #[allow(clippy::option_option)]
    pub(super) fn agenda_add(
        &mut self,
        target: &ast::Expr,
        op: ast::AssignOp,
        value: &ast::Expr,
        span: Span,
    ) -> Option<Option<StatementKind>> {
        let ast::ExprKind::Member(base, word) = &target.kind else {
            return None;
        };
        let must = match word.text.as_str() {
            "must" => true,
            "may" => false,
            _ => return None,
        };
        if !self.is_agenda(base) {
            return None;
        }
        let agenda = self.target(base);
        let effect = self.effect(value);
        if op != ast::AssignOp::Add {
            self.error_help(
                "wrong-type",
                span,
                "effects are only added to an agenda",
                "`todo.must += e`",
            );
            return Some(None);
        }
        if let Some(agenda) = &agenda {
            self.touch(Touched::Write(agenda.cell), span);
        }
        Some(
            agenda
                .zip(effect)
                .map(|(agenda, effect)| StatementKind::AgendaAdd {
                    agenda,
                    must,
                    effect,
                }),
        )
    }

    pub(super) fn is_agenda(&mut self, base: &ast::Expr) -> bool {
        let name = match &base.kind {
            ast::ExprKind::Name(name) => name,
            ast::ExprKind::Member(_, word) => &word.text,
            _ => return false,
        };
        self.k
            .rs
            .cells
            .iter()
            .any(|cell| cell.name == *name && cell.ty == Ty::Agenda)
    }

    // -------------------------------------------------------------------------------------------- decisions

    pub(super) fn may(&mut self, body: &ast::Block, span: Span) -> Option<StatementKind> {
        self.someone(span);
        Some(StatementKind::May(self.block(body)))
    }

    pub(super) fn pause(&mut self, message: &ast::Message, span: Span) -> Option<StatementKind> {
        self.someone(span);
        Some(StatementKind::Pause(self.message(message)))
    }

    pub(super) fn one_of(
        &mut self,
        items: &[ast::Item],
        ask: Option<&ast::Message>,
        none: Option<&ast::Block>,
        span: Span,
    ) -> Option<StatementKind> {
        self.someone(span);
        let ask = ask.map(|ask| self.message(ask));
        let items = self.items(items);
        let none = none.map(|block| self.block(block));
        self.forget(None);
        let items = ir::Items { all: items, ask };
        Some(StatementKind::OneOf { items, none })
    }

    pub fn items(&mut self, items: &[ast::Item]) -> Vec<Item> {
        items.iter().map(|item| self.item(item)).collect()
    }

    pub(super) fn item(&mut self, item: &ast::Item) -> Item {
        let label = item
            .label
            .as_ref()
            .and_then(|name| self.k.label(&name.text));
        let body = match label {
            Some(label) => {
                let span = item.label.as_ref().map_or(item.span, |name| name.span);
                self.k.note(span, Symbol::Label(label));
                self.stand(label, false);
                self.inside(label, |body| body.block(&item.body))
            }
            None => self.block(&item.body),
        };
        let name = match (&item.label, body.statements.as_slice()) {
            (Some(name), _) => name.text.clone(),
            (
                None,
                [
                    Statement {
                        kind: StatementKind::Call(action, _),
                        ..
                    },
                ],
            ) => self.k.rs.actions[action.index()].name.clone(),
            _ => self.k.slice(item.span).trim().to_owned(),
        };
        Item {
            name,
            label,
            doc: item.doc.clone(),
            body,
            span: item.span,
        }
    }

    pub(super) fn any_order(
        &mut self,
        agenda: &ast::Expr,
        as_far: bool,
        items: &[ast::AgendaItem],
        span: Span,
    ) -> Option<StatementKind> {
        self.someone(span);
        let place = self.target(agenda);
        if let Some(place) = &place
            && place.ty != Ty::Agenda
        {
            let message = format!("wanted an agenda, found {}", self.k.in_words(&place.ty));
            self.error_help(
                "wrong-type",
                agenda.span,
                message,
                "declare one: `step.todo: agenda`",
            );
            return None;
        }
        if let Some(place) = &place {
            self.touch(Touched::Write(place.cell), span);
        }
        let items: Vec<Option<(bool, ir::EffectExpr)>> = items
            .iter()
            .map(|item| Some((item.must, self.effect_of(&item.body, item.span)?)))
            .collect();
        self.forget(None);
        Some(StatementKind::AnyOrder {
            agenda: place?,
            as_far,
            items: items.into_iter().collect::<Option<_>>()?,
        })
    }
}

/// The first `c.next(d)` that is read through.
fn beyond_edge(value: &Expr) -> Option<Span> {
    if let ir::ExprKind::Unwrap(inner) = &value.kind
        && let ir::ExprKind::Next(..) = inner.kind
    {
        return Some(inner.span);
    }
    super::visit::children(value)
        .into_iter()
        .find_map(beyond_edge)
}

/// `coins = 0`, read as a comparison; `skip`, read as a name.
fn is_change(arm: &ast::Expr) -> bool {
    match &arm.kind {
        ast::ExprKind::Binary(op, ..) => *op == ast::BinaryOp::Equal,
        ast::ExprKind::Name(name) => name == "skip",
        _ => false,
    }
}
