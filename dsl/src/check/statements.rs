//! Statements.

use std::rc::Rc;

use super::body::{Body, Understood};
use super::effects;
use super::graph::Touched;
use super::types::domain_of;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, Block, Domain, Expr, Finish, Item, LabelId, Place, SeatFrom, Statement, StatementKind,
    Ty, Value,
};
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
    fn statement(
        &mut self,
        statement: &ast::Statement,
        pass: Option<LabelId>,
        out: &mut Vec<Statement>,
    ) {
        use ast::StatementKind as K;
        let span = statement.span;
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
            K::OneOf { items, none } => self.one_of(items, none.as_ref(), span),
            K::AnyOrder { agenda, items } => self.any_order(agenda, items, span),
            K::Walk(walk, body) => self.walk_statement(walk, body, span),
            K::Pause(message) => self.pause(message, span),
            K::Finish(finish) => self.finish(finish),
            K::Stop => self.stop(span),
            K::Skip => Some(StatementKind::Skip),
            K::Run(expr) => return self.run(expr, out),
        };
        out.extend(kind.map(|kind| Statement { kind, span }));
    }

    // -------------------------------------------------------------------------------------------- steps

    fn label(&mut self, name: &ast::Name, block: &ast::Block) -> Option<StatementKind> {
        let id = self.k.label(&name.text)?;
        self.stand(id);
        if let [only] = block.statements.as_slice()
            && is_loop(&only.kind)
        {
            let mut out = Vec::new();
            self.inside(id, |body| {
                body.scoped(|body| body.statement(only, Some(id), &mut out))
            });
            return out.pop().map(|statement| statement.kind);
        }
        let block = self.inside(id, |body| body.block(block));
        Some(StatementKind::Step(id, block))
    }

    /// Notes where a label stands.
    fn stand(&mut self, label: LabelId) {
        let labels: Rc<[LabelId]> = self.labels.clone();
        self.k.graph.labels.push((label, self.node, labels));
    }

    fn need(
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

    fn choose(&mut self, choices: &[ast::Choice], span: Span, out: &mut Vec<Statement>) {
        self.someone(span);
        for choice in choices {
            let checked = self.choice(choice);
            out.extend(checked.map(|choice| Statement {
                kind: StatementKind::Choose(choice),
                span,
            }));
        }
    }

    /// Somebody must be there to be asked.
    fn someone(&mut self, span: Span) {
        self.asks += 1;
        if matches!(self.understood, Understood::Nobody) {
            self.error_help(
                "no-player",
                span,
                "nobody acts here who could be asked",
                "decisions stand inside `each player` or `as p`",
            );
        }
    }

    fn let_(&mut self, name: &ast::Name, value: &ast::Expr) -> Option<StatementKind> {
        let value = self.expr(value, None);
        let local = self.bind(name, value.as_ref().map(|value| value.ty.clone()));
        let value = value?;
        let from = self.provenance(&value);
        self.pick_from(local, from);
        Some(StatementKind::Let(local, value))
    }

    fn run(&mut self, expr: &ast::Expr, out: &mut Vec<Statement>) {
        self.asks += 1;
        if let Some(effect) = self.effect(expr) {
            effects::statements(effect, out);
        }
        self.forget(None);
    }

    // -------------------------------------------------------------------------------------------- changes

    fn assign(
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

    fn assigned(&mut self, place: &Place, value: &ast::Expr) -> Option<Expr> {
        if matches!(place.ty, Ty::Deck(_) | Ty::Agenda) {
            let message = format!("a {} is not assigned", self.k.show(&place.ty));
            self.error_help("cannot-change", place.span, message, "move things into it");
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
    fn added(&mut self, place: &Place, value: &ast::Expr) -> Option<Expr> {
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
                    self.k.show(&element),
                    self.k.show(&value.ty)
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
    fn agenda_add(
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

    fn is_agenda(&mut self, base: &ast::Expr) -> bool {
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

    // -------------------------------------------------------------------------------------------- branches

    fn if_(
        &mut self,
        arms: &[(ast::Expr, ast::Block)],
        otherwise: Option<&ast::Block>,
    ) -> Option<StatementKind> {
        let start = self.known.clone();
        let mut after: Option<Vec<String>> = None;
        let mut checked = Vec::new();
        let mut failed: Vec<Expr> = Vec::new();
        for (condition, block) in arms {
            self.known.clone_from(&start);
            for before in &failed {
                self.learn(before, false);
            }
            let condition = self.condition(condition);
            if let Some(condition) = &condition {
                self.learn(condition, true);
            }
            let block = self.block(block);
            if !ends(&block) {
                merge(&mut after, &self.known);
            }
            if let Some(condition) = condition {
                failed.push(condition.clone());
                checked.push((condition, block));
            }
        }
        self.known = start;
        for before in &failed {
            self.learn(before, false);
        }
        let otherwise = otherwise.map(|block| self.block(block));
        if !otherwise.as_ref().is_some_and(ends) {
            merge(&mut after, &self.known);
        }
        self.known = after.unwrap_or_default();
        Some(StatementKind::If {
            arms: checked,
            otherwise,
        })
    }

    fn match_(
        &mut self,
        value: &ast::Expr,
        arms: &[ast::MatchArm],
        otherwise: Option<&ast::Block>,
        span: Span,
    ) -> Option<StatementKind> {
        let value = self.expr(value, None);
        let mut seen: Vec<Value> = Vec::new();
        let mut checked = Vec::new();
        let mut whole = value.is_some();
        for arm in arms {
            let values = value
                .as_ref()
                .map(|value| self.arm_values(&value.ty, arm, &mut seen));
            let there = value
                .as_ref()
                .filter(|_| {
                    values
                        .as_ref()
                        .is_some_and(|all| !all.contains(&Value::None))
                })
                .cloned();
            let body = self.scoped(|body| {
                if let Some(there) = there {
                    body.learn(&super::expr::there(there), true);
                }
                body.block(&arm.body)
            });
            whole &= values
                .as_ref()
                .is_some_and(|all| all.len() == arm.values.len());
            checked.extend(values.map(|values| (values, body)));
        }
        let otherwise = otherwise.map(|block| self.block(block));
        let value = value?;
        if whole {
            self.covered(&value, &seen, otherwise.is_some(), span);
        }
        Some(StatementKind::Match {
            value,
            arms: checked,
            otherwise,
        })
    }

    fn arm_values(&mut self, ty: &Ty, arm: &ast::MatchArm, seen: &mut Vec<Value>) -> Vec<Value> {
        let mut values = Vec::new();
        for expr in &arm.values {
            let Some(found) = self.value(expr, ty) else {
                continue;
            };
            let Some(value) = self.k.constant(&found) else {
                self.error(
                    "not-constant",
                    expr.span,
                    "a case is a constant: a member, a row, a number",
                );
                continue;
            };
            if seen.contains(&value) {
                self.k.report(Diagnostic::warning(
                    "unreachable",
                    expr.span,
                    "this case stands above already",
                ));
            }
            seen.push(value.clone());
            values.push(value);
        }
        values
    }

    fn covered(&mut self, value: &Expr, seen: &[Value], has_else: bool, span: Span) {
        let Some(mut missing) = self.cases(&value.ty) else {
            if !has_else {
                self.error_help(
                    "uncovered",
                    span,
                    "not every case has a line",
                    "end with `else: skip`",
                );
            }
            return;
        };
        missing.retain(|case| !seen.contains(case));
        if has_else {
            if missing.is_empty() {
                self.k.report(Diagnostic::warning(
                    "unreachable",
                    span,
                    "all cases have a line: `else` never happens",
                ));
            }
            return;
        }
        if !missing.is_empty() {
            let words: Vec<String> = missing
                .iter()
                .take(6)
                .map(|case| format!("`{}`", self.k.show_value(case)))
                .collect();
            let message = format!("no line for {}", words.join(", "));
            self.error_help("uncovered", span, message, "add the case, or `else: …`");
        }
    }

    fn cases(&self, ty: &Ty) -> Option<Vec<Value>> {
        if let Ty::Optional(inner) = ty {
            let mut all = self.cases(inner)?;
            all.push(Value::None);
            return Some(all);
        }
        if *ty == Ty::Bool {
            return Some(vec![Value::Bool(true), Value::Bool(false)]);
        }
        self.k.elements_of(domain_of(ty)?)
    }

    // -------------------------------------------------------------------------------------------- loops

    /// A loop's body: what is known of the state before may be untrue in a later pass.
    fn looped(&mut self, body: &ast::Block) -> Block {
        self.loops += 1;
        let block = self.block(body);
        self.loops -= 1;
        block
    }

    fn each(
        &mut self,
        binders: &[ast::Binder],
        body: &ast::Block,
        pass: Option<LabelId>,
    ) -> Option<StatementKind> {
        self.forget(None);
        self.scoped(|this| {
            let binders = this.binders(binders, false);
            this.known.retain(|path| !path.contains('!'));
            let body = this.looped(body);
            Some(StatementKind::Each {
                binders: binders?,
                pass,
                body,
            })
        })
    }

    fn each_player(
        &mut self,
        each: &ast::EachPlayer,
        pass: Option<LabelId>,
        span: Span,
    ) -> Option<StatementKind> {
        if each.other && matches!(self.understood, Understood::Nobody) {
            self.error_help(
                "no-player",
                span,
                "other than whom?",
                "`each other player` stands where somebody acts",
            );
        }
        let player = Ty::Element(Domain::Player);
        let from = match &each.from {
            None => Some(SeatFrom::Starter),
            Some(ast::SeatFrom::Left) => Some(SeatFrom::Left),
            Some(ast::SeatFrom::Right) => Some(SeatFrom::Right),
            Some(ast::SeatFrom::Player(expr)) => self.value(expr, &player).map(SeatFrom::Player),
        };
        let before = (self.understood.clone(), self.secret);
        let result = self.scoped(|body| {
            body.new_player();
            let conditions = body.conditions(&each.conditions);
            let by = each
                .by
                .as_ref()
                .map_or_else(|| Some(Vec::new()), |by| body.sort_keys(by));
            body.known.retain(|path| !path.contains('!'));
            body.secret |= each.secretly;
            let block = body.looped(&each.body);
            let conditions = conditions?
                .into_iter()
                .map(|condition| condition.expr)
                .collect();
            Some(ir::EachPlayer {
                other: each.other,
                conditions,
                by: by?,
                from: from?,
                secretly: each.secretly,
                pass,
                body: block,
            })
        });
        (self.understood, self.secret) = before;
        self.forget(None);
        result.map(StatementKind::EachPlayer)
    }

    /// Another player acts from here on.
    fn new_player(&mut self) {
        self.understood = Understood::Me;
        self.known.retain(|path| !path.contains("@me"));
    }

    fn as_player(&mut self, player: &ast::Expr, body: &ast::Block) -> Option<StatementKind> {
        let player = self.value(player, &Ty::Element(Domain::Player));
        let before = self.understood.clone();
        let block = self.scoped(|this| {
            this.new_player();
            this.block(body)
        });
        self.understood = before;
        Some(StatementKind::As(player?, block))
    }

    fn repeat(
        &mut self,
        repeat: &ast::Repeat,
        pass: Option<LabelId>,
        span: Span,
    ) -> Option<StatementKind> {
        let times = self.clause(repeat.times.as_ref(), Self::number);
        self.forget(None);
        let asks = self.asks;
        if repeat.may {
            self.someone(span);
        }
        let (while_, body) = self.scoped(|body| {
            let while_ = body.clause(repeat.while_.as_ref(), Self::condition);
            if let Some(Some(condition)) = &while_ {
                body.learn(condition, true);
            }
            (while_, body.looped(&repeat.body))
        });
        if repeat.times.is_none()
            && repeat.while_.is_none()
            && self.asks == asks
            && !leaves(&repeat.body)
        {
            let note = Diagnostic {
                severity: crate::diagnostic::Severity::Note,
                ..Diagnostic::warning("endless", span, "nothing ends this `repeat`")
            };
            self.k
                .report(note.help("`while C`, a number of times, `stop` or `finish` end it"));
        }
        Some(StatementKind::Repeat(ir::Repeat {
            times: times?,
            up_to: repeat.up_to,
            while_: while_?,
            may: repeat.may,
            pass,
            body,
        }))
    }

    fn walk_statement(
        &mut self,
        walk: &ast::Walk,
        body: &ast::Block,
        span: Span,
    ) -> Option<StatementKind> {
        self.someone(span);
        let checked = self.scoped(|this| this.walk(walk));
        self.forget(None);
        let block = self.scoped(|this| {
            if let Some((walk, nodes)) = &checked {
                this.walk_words(walk.network, *nodes, span, false);
            }
            this.looped(body)
        });
        checked.map(|(walk, _)| StatementKind::Walk { walk, body: block })
    }

    fn stop(&mut self, span: Span) -> Option<StatementKind> {
        if self.loops == 0 {
            self.error_help(
                "nothing-to-stop",
                span,
                "there is no loop to leave here",
                "`stop` leaves the innermost repeat, each or walk of the same action",
            );
            return None;
        }
        Some(StatementKind::Stop)
    }

    // -------------------------------------------------------------------------------------------- decisions

    fn may(&mut self, body: &ast::Block, span: Span) -> Option<StatementKind> {
        self.someone(span);
        Some(StatementKind::May(self.block(body)))
    }

    fn pause(&mut self, message: &ast::Message, span: Span) -> Option<StatementKind> {
        self.someone(span);
        Some(StatementKind::Pause(self.message(message)))
    }

    fn one_of(
        &mut self,
        items: &[ast::Item],
        none: Option<&ast::Block>,
        span: Span,
    ) -> Option<StatementKind> {
        self.someone(span);
        let items = self.items(items);
        let none = none.map(|block| self.block(block));
        self.forget(None);
        Some(StatementKind::OneOf { items, none })
    }

    pub fn items(&mut self, items: &[ast::Item]) -> Vec<Item> {
        items.iter().map(|item| self.item(item)).collect()
    }

    fn item(&mut self, item: &ast::Item) -> Item {
        let label = item
            .label
            .as_ref()
            .and_then(|name| self.k.label(&name.text));
        let body = match label {
            Some(label) => {
                self.stand(label);
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

    fn any_order(
        &mut self,
        agenda: &ast::Expr,
        items: &[ast::AgendaItem],
        span: Span,
    ) -> Option<StatementKind> {
        self.someone(span);
        let place = self.target(agenda);
        if let Some(place) = &place
            && place.ty != Ty::Agenda
        {
            let message = format!("wanted an agenda, found {}", self.k.show(&place.ty));
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
            items: items.into_iter().collect::<Option<_>>()?,
        })
    }

    fn finish(&mut self, finish: &ast::Finish) -> Option<StatementKind> {
        self.asks += 1;
        let ast::Finish::After {
            label,
            more,
            of_each_player,
        } = finish
        else {
            return Some(StatementKind::Finish(Finish::Now));
        };
        let more = self.clause(more.as_ref(), Self::number);
        let id = self.k.label_at(label);
        Some(StatementKind::Finish(Finish::After {
            label: id?,
            more: more?,
            of_each_player: *of_each_player,
        }))
    }
}

fn merge(after: &mut Option<Vec<String>>, known: &[String]) {
    match after {
        None => *after = Some(known.to_vec()),
        Some(all) => all.retain(|path| known.contains(path)),
    }
}

fn ends(block: &Block) -> bool {
    matches!(
        block.statements.last().map(|last| &last.kind),
        Some(StatementKind::Stop | StatementKind::Finish(Finish::Now))
    )
}

fn is_loop(kind: &ast::StatementKind) -> bool {
    matches!(
        kind,
        ast::StatementKind::Each(..)
            | ast::StatementKind::EachPlayer(_)
            | ast::StatementKind::Repeat(_)
    )
}

/// Whether `stop` or `finish` stands somewhere in it.
fn leaves(block: &ast::Block) -> bool {
    block.statements.iter().any(|statement| {
        matches!(
            statement.kind,
            ast::StatementKind::Stop | ast::StatementKind::Finish(_)
        ) || super::declare::blocks(&statement.kind)
            .into_iter()
            .any(leaves)
    })
}
