//! Strategies: what a bot may play by. Each line is a formula of the player, one about an action with that action's parameters.

use super::body::{Body, Mode, Var};
use super::graph::Node;
use super::names::Global;
use super::types::is_int;
use super::{Checker, stub};
use crate::assembly::Entry;
use crate::diagnostic::Diagnostic;
use crate::ir::{ActionId, Domain, Expr, LocalId, Preference, Strategy, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// What bots are called that every game has: no strategy is.
pub const BOT_WORDS: [&str; 5] = ["random", "greedy", "learnt", "search", "strategy"];

impl<'a> Checker<'a> {
    pub(super) fn strategy_bodies(&mut self) {
        let asm = self.asm;
        for (at, entry) in asm.strategies.iter().enumerate() {
            self.strategy_name(&entry.item.name);
            let lines = entry.item.preferences.iter();
            let preferences = lines.map(|line| self.preference(Node::Strategy(at as u32), line));
            let preferences = preferences.collect();
            self.rs.strategies.push(strategy(entry, preferences));
        }
    }

    /// Whoever calls a bot by its name means this one.
    fn strategy_name(&mut self, name: &ast::Name) {
        let text = name.text.as_str();
        let (message, help) = if text.trim().is_empty() || text.trim() != text {
            (
                "a strategy's name has letters at both ends".to_owned(),
                "bots are called by it: \"ticket hoarder\"",
            )
        } else if let Some(sign) = text.chars().find(|c| matches!(c, ',' | ':')) {
            (
                format!("a strategy's name holds no `{sign}`"),
                "that stands between the names of bots: take it away",
            )
        } else if BOT_WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
            (
                format!("every game has a bot \"{text}\""),
                "take another name",
            )
        } else {
            return;
        };
        self.report(Diagnostic::error("strategy-name", name.span, message).help(help));
    }

    fn preference(&mut self, node: Node, line: &'a ast::Preference) -> Preference {
        let action = match &line.what.kind {
            ast::ExprKind::Name(name) => match self.global_is(name, line.what.span) {
                Some(Global::Action(id)) => Some(id),
                _ => None,
            },
            _ => None,
        };
        if let Some(id) = action
            && let Some(entry) = self.asm.actions.get(id.index())
            && matches!(entry.item.body, ast::ActionBody::Composite(_))
        {
            let name = &entry.item.name.text;
            let message = format!("`{name}` is never done itself: its parts are done in its place");
            let found = Diagnostic::error("composite-action", line.what.span, message);
            self.report(found.help("prefer its parts, or what they change"));
        }
        let mut body = Body::new(self, node, Mode::Pure);
        let mut params = vec![body.own(Domain::Player, line.span)];
        let value = match action {
            Some(id) => {
                params.extend(body.params_of_action(id, line));
                match &line.by {
                    // What it asks for has a mistake of its own: its names are not known.
                    _ if body.k.broken_actions.contains(&id) => None,
                    Some(by) => body.number(by),
                    None => body.number(&number(1, line.span)),
                }
            }
            None => body.weighed(line),
        };
        let code = std::mem::take(&mut body.code);
        Preference {
            action,
            avoid: line.avoid,
            params,
            value: value.unwrap_or_else(|| stub(line.span)),
            code,
            span: line.span,
        }
    }
}

impl Body<'_, '_> {
    /// The names of an action's parameters, as its own text has them.
    fn params_of_action(&mut self, id: ActionId, line: &ast::Preference) -> Vec<LocalId> {
        self.k.note_global(line.what.span, Global::Action(id));
        self.k.action_params(id);
        let action = &self.k.rs.actions[id.index()];
        let locals = action.params.iter().map(|param| param.local.index());
        let locals: Vec<_> = locals.map(|at| action.code.locals[at].clone()).collect();
        let layer = self.k.names.layer(line.span);
        let bind = |local: crate::ir::Local| {
            let id = self.hidden_local(&local.name, local.ty.clone(), local.span);
            self.vars.push(Var {
                name: local.name,
                value: Some((crate::ir::ExprKind::Local(id), local.ty)),
                span: local.span,
                layer,
            });
            id
        };
        locals.into_iter().map(bind).collect()
    }

    /// A number so many times, or so much where a condition holds.
    fn weighed(&mut self, line: &ast::Preference) -> Option<Expr> {
        let what = &line.what;
        let found = self.expr(what, None)?;
        let by = || Box::new(line.by.clone().unwrap_or_else(|| number(1, line.span)));
        let kind = match (is_int(found.ty.required()), &line.by) {
            (true, None) => return self.number(what),
            (true, Some(_)) => {
                ast::ExprKind::Binary(ast::BinaryOp::Multiply, Box::new(what.clone()), by())
            }
            (false, _) => {
                ast::ExprKind::If(Box::new(what.clone()), by(), Box::new(number(0, line.span)))
            }
        };
        let span = line.span;
        self.value(&ast::Expr { kind, span }, &Ty::INT)
    }
}

fn number(value: i64, span: Span) -> ast::Expr {
    ast::Expr {
        kind: ast::ExprKind::Number(value),
        span,
    }
}

fn strategy(entry: &Entry<ast::StrategyDecl>, preferences: Vec<Preference>) -> Strategy {
    Strategy {
        name: entry.item.name.text.clone(),
        span: entry.span,
        doc: entry.doc.clone(),
        preferences,
    }
}
