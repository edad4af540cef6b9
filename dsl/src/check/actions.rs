//! Actions, and the flow.

use super::body::{Body, Mode, Understood, Var, heads};
use super::graph::Node;
use super::symbols::Symbol;
use super::types::TypePlace;
use super::{Checker, Progress};
use crate::assembly::Entry;
use crate::assembly::any::USES;
use crate::bounds::PARAMS_MAX;
use crate::diagnostic::{Diagnostic, Way};
use crate::ir::{ActionId, Anytime, LabelId, Param, ParamKind, Ty};
use crate::syntax::ast;

/// What an action's body needs of its parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params {
    vars: Vec<Var>,
    known: Vec<String>,
}

impl<'a> Checker<'a> {
    /// A label by its name, with a near one offered.
    pub(super) fn label_at(&mut self, name: &ast::Name) -> Option<LabelId> {
        let found = self.label(&name.text);
        if !self.sees_step(&name.text, name.span) {
            let message = format!("not every game has a step `{}`", name.text);
            self.report(Diagnostic::error("any-game", name.span, message).help(USES));
            return None;
        }
        if let Some(label) = found {
            self.note(name.span, Symbol::Label(label));
        } else {
            let near = crate::diagnostic::suggest::nearest(
                &name.text,
                self.names.labels.keys().map(String::as_str),
            )
            .map(str::to_owned);
            let message = format!("no step is called `{}`", name.text);
            let near = near.map(|near| Way::meant(name.span, &near));
            let steps: Vec<String> = self
                .names
                .labels
                .keys()
                .map(|step| format!("`{step}`"))
                .collect();
            let help = match steps.as_slice() {
                [] => {
                    "a step is a line of the flow with a name before a colon: `turn: each player`"
                        .to_owned()
                }
                steps => format!("the steps are {}", steps.join(", ")),
            };
            let ways = near.into_iter().chain([Way::help(help)]);
            self.report(Diagnostic::error("unknown-name", name.span, message).ways(ways));
        }
        found
    }

    /// The step a path names: its last part, which no other step may be called.
    pub(super) fn label_of(&mut self, path: &ast::Path) -> Option<LabelId> {
        for part in &path.parts {
            self.label_at(part)?;
        }
        let last = path.parts.last()?;
        let label = self.label(&last.text)?;
        if let (Some(again), 2..) = (self.names.labels_again.get(&last.text), path.parts.len()) {
            let name = &last.text;
            let diagnostic = Diagnostic::error(
                "ambiguous-name",
                last.span,
                format!("several steps are called `{name}`, and all of them would be meant"),
            );
            let first = self.rs.labels[label.index()].span;
            let diagnostic = diagnostic
                .label(first, "one of them")
                .label(*again, "another one");
            self.report(diagnostic.help("give the step that is meant a name of its own"));
            return None;
        }
        Some(label)
    }

    /// Checks an action's parameters, once.
    pub(super) fn action_params(&mut self, id: ActionId) {
        if self.action_done.len() < self.rs.actions.len() {
            self.action_done
                .resize(self.rs.actions.len(), Progress::Todo);
            self.params.resize(self.rs.actions.len(), Params::default());
        }
        if self.action_done[id.index()] != Progress::Todo {
            return;
        }
        let Some(entry) = self.asm.actions.get(id.index()) else {
            return;
        };
        self.action_done[id.index()] = Progress::Running;
        self.params_of(id, entry);
        self.action_done[id.index()] = Progress::Done;
    }

    fn params_of(&mut self, id: ActionId, entry: &'a Entry<ast::ActionDecl>) {
        let mut body = Body::new(self, Node::Action(id), Mode::Doing);
        body.understood = Understood::Me;
        body.action = Some(id);
        body.heads = heads(&entry.replaced, |old| {
            old.params.iter().filter_map(param_name).collect()
        });
        let written = &entry.item.params;
        let mut params: Vec<Option<Param>> =
            written.iter().map(|param| body.param(param)).collect();
        body.at_once(written.iter().filter_map(|param| match param {
            ast::Param::Asked(choice) => Some(choice),
            ast::Param::Given { .. } => None,
        }));
        if written.len() > PARAMS_MAX {
            let name = &entry.item.name;
            body.k.report(
                Diagnostic::error(
                    "too-large",
                    name.span,
                    format!("`{}` has {} parameters, more than {PARAMS_MAX}", name.text, written.len()),
                )
                .help("keep in a cell of the action what need not be told by the caller, or ask for it with `choose` in its body"),
            );
            params.push(None);
        }
        let code = std::mem::take(&mut body.code);
        let (vars, known) = (
            std::mem::take(&mut body.vars),
            std::mem::take(&mut body.known),
        );
        self.params[id.index()] = Params { vars, known };
        self.rs.actions[id.index()].code = code;
        match params.into_iter().collect() {
            Some(params) => self.rs.actions[id.index()].params = params,
            None => {
                self.broken_actions.insert(id);
            }
        }
    }

    pub(super) fn action_bodies(&mut self) {
        let asm = self.asm;
        for (at, entry) in asm.actions.iter().enumerate() {
            self.action_body(ActionId(at as u32), entry);
        }
    }

    fn action_body(&mut self, id: ActionId, entry: &'a Entry<ast::ActionDecl>) {
        self.action_params(id);
        let anytime = entry
            .item
            .anytime
            .as_ref()
            .and_then(|anytime| self.anytime(anytime));
        let params = std::mem::take(&mut self.params[id.index()]);
        let code = self.rs.actions[id.index()].code.clone();
        let mut body = Body::new(self, Node::Action(id), Mode::Doing);
        body.understood = Understood::Me;
        body.action = Some(id);
        (body.code, body.vars, body.known) = (code, params.vars, params.known);
        let (steps, composite) = match &entry.item.body {
            ast::ActionBody::Steps(block) => (body.block(block), None),
            ast::ActionBody::Composite(expr) => (crate::ir::Block::default(), body.effect(expr)),
        };
        let code = std::mem::take(&mut body.code);
        let action = &mut self.rs.actions[id.index()];
        (action.body, action.composite, action.code, action.anytime) =
            (steps, composite, code, anytime);
    }

    fn anytime(&mut self, anytime: &ast::Anytime) -> Option<Anytime> {
        match &anytime.during {
            None => Some(Anytime { during: None }),
            Some(path) => self.label_of(path).map(|label| Anytime {
                during: Some(label),
            }),
        }
    }

    pub(super) fn flow_body(&mut self) {
        let Some(flow) = &self.asm.flow else {
            if !self.asm.manifest.family && !self.is_broken("flow") {
                let span = crate::source::Span::new(self.asm.manifest.file, 0, 0);
                self.report(Diagnostic::error(
                    "no-flow",
                    span,
                    "the game has no `flow`: nothing happens",
                ));
            }
            return;
        };
        let mut body = Body::new(self, Node::Flow, Mode::Doing);
        let block = body.block(&flow.item);
        let code = std::mem::take(&mut body.code);
        (self.rs.flow, self.rs.flow_body) = (code, block);
    }

    /// Whether calling an action may ask somebody something: all do, as far as loops are concerned.
    pub(super) fn may_ask(&self, _: ActionId) -> bool {
        true
    }
}

impl Body<'_, '_> {
    fn param(&mut self, param: &ast::Param) -> Option<Param> {
        match param {
            ast::Param::Given { name, ty, default } => {
                let ty = self.ty(ty, TypePlace::Code);
                let default = match (default, &ty) {
                    (Some(default), Some(ty)) => Some(self.default(default, ty)),
                    _ => None,
                };
                let local = self.bind(name, ty.clone());
                ty?;
                let default = match default {
                    Some(default) => Some(default?),
                    None => None,
                };
                Some(Param {
                    local,
                    kind: ParamKind::Given(default),
                })
            }
            ast::Param::Asked(choice) => {
                let choice = self.choice(choice)?;
                Some(Param {
                    local: choice.binder.local,
                    kind: ParamKind::Asked(choice),
                })
            }
        }
    }

    fn default(&mut self, default: &ast::Expr, ty: &Ty) -> Option<crate::ir::Expr> {
        if *ty == Ty::Bool {
            self.condition(default)
        } else {
            self.value(default, ty)
        }
    }
}

fn param_name(param: &ast::Param) -> Option<&ast::Name> {
    match param {
        ast::Param::Given { name, .. } => Some(name),
        ast::Param::Asked(choice) => choice.binder.name.as_ref(),
    }
}
