//! Formulas: checked when first used, since their types follow from their bodies.

use super::body::{Body, Mode, Original};
use super::graph::Node;
use super::types::TypePlace;
use super::{Checker, Progress, stub};
use crate::bounds::WRITTEN_DEPTH_MAX;
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Code, Domain, FormulaId, LocalId, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// Formulas that need one another first; deeper ones would need too much stack.
pub(super) const DEPTH_MAX: usize = 100;

/// Where a formula comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'a> {
    Declared {
        decl: &'a ast::FormulaDecl,
        /// What it replaced.
        original: Option<FormulaId>,
    },
    /// The cell of a table: its body comes with the late cells.
    Cell,
    /// Of a rule set that has been checked before.
    Nowhere,
}

impl Origin<'_> {
    pub fn set_original(&mut self, id: FormulaId) {
        if let Origin::Declared { original, .. } = self {
            *original = Some(id);
        }
    }
}

impl<'a> Checker<'a> {
    pub(super) fn formula_bodies(&mut self) {
        // What was replaced is checked only if what replaced it still runs it.
        for at in 0..self.formulas.len() {
            if !self.rs.formulas[at].name.contains('#') {
                self.formula_type(FormulaId(at as u32));
            }
        }
    }

    /// The type of a formula, checking it first; `None` if it is wrong or being checked.
    pub(crate) fn formula_type(&mut self, id: FormulaId) -> Option<Ty> {
        match self.formulas[id.index()].0 {
            Progress::Done => {}
            Progress::Todo => self.check_formula(id),
            Progress::Running | Progress::Failed => return None,
        }
        let done = self.formulas[id.index()].0 == Progress::Done;
        done.then(|| self.rs.formulas[id.index()].ty.clone())
    }

    /// As [`Checker::formula_type`], for a use: a formula that needs itself is reported.
    pub(crate) fn formula_type_at(&mut self, id: FormulaId, at: Span) -> Option<Ty> {
        if self.formulas[id.index()].0 == Progress::Running {
            self.recursion(id, at);
            return None;
        }
        self.formula_type(id)
    }

    pub(crate) fn formula_ready(&mut self, id: FormulaId) -> Option<()> {
        self.formula_type(id).map(|_| ())
    }

    fn recursion(&mut self, id: FormulaId, at: Span) {
        let from = self
            .running
            .iter()
            .position(|(running, _)| *running == id)
            .unwrap_or(0);
        let chain: Vec<(FormulaId, Span)> = self.running[from..].to_vec();
        let mut words: Vec<String> = chain
            .iter()
            .map(|(id, _)| format!("`{}`", self.rs.formulas[id.index()].name))
            .collect();
        words.push(words[0].clone());
        let mut diagnostic = Diagnostic::error(
            "cycle",
            at,
            format!("a formula needs itself: {}", words.join(" → ")),
        );
        for (id, span) in chain {
            diagnostic = diagnostic.label(span, format!("`{}`", self.rs.formulas[id.index()].name));
        }
        self.report(diagnostic.help("a network can follow chains: `N.reach(x)`"));
    }

    fn check_formula(&mut self, id: FormulaId) {
        let Origin::Declared { decl, original } = self.formulas[id.index()].1 else {
            return;
        };
        if self.running.len() >= DEPTH_MAX {
            let message = format!("more than {DEPTH_MAX} formulas need one another");
            self.report(Diagnostic::error("too-deep", decl.name.span, message));
            self.formulas[id.index()].0 = Progress::Failed;
            return;
        }
        if self.levels > WRITTEN_DEPTH_MAX {
            let message = format!(
                "formulas that need one another go more than {WRITTEN_DEPTH_MAX} levels deep here"
            );
            self.report(Diagnostic::error("too-deep", decl.name.span, message));
            self.formulas[id.index()].0 = Progress::Failed;
            return;
        }
        self.formulas[id.index()].0 = Progress::Running;
        self.running.push((id, decl.name.span));
        let owner = self.rs.formulas[id.index()].owner;
        let done = self.formula_body(id, decl, owner, original);
        self.running.pop();
        self.formulas[id.index()].0 = if done.is_some() {
            Progress::Done
        } else {
            Progress::Failed
        };
    }

    fn formula_body(
        &mut self,
        id: FormulaId,
        decl: &'a ast::FormulaDecl,
        owner: Option<Domain>,
        original: Option<FormulaId>,
    ) -> Option<()> {
        let mut body = Body::new(self, Node::Formula(id), Mode::Pure);
        let mut params: Vec<LocalId> = owner
            .map(|domain| body.own(domain, decl.name.span))
            .into_iter()
            .collect();
        let mut failed = decl.owner.is_some() && owner.is_none();
        for param in &decl.params {
            let ast::Param::Given { name, ty, default } = param else {
                body.asked_in_formula(param);
                failed = true;
                continue;
            };
            if let Some(default) = default {
                body.error_help(
                    "wrong-type",
                    default.span,
                    "a formula's argument has no default",
                    "give it at each call",
                );
            }
            let ty = body.ty(ty, TypePlace::Code);
            failed |= ty.is_none();
            params.push(body.bind(name, ty));
        }
        body.original = original.map(|formula| Original {
            formula,
            args: params.clone(),
        });
        // Arguments are known before the body, so that a call inside it has its own mistake.
        body.k.rs.formulas[id.index()].params = params;
        body.k.rs.formulas[id.index()].code = body.code.clone();
        let value = body.expr(&decl.body, None);
        let code = std::mem::take(&mut body.code);
        let value = value.filter(|_| !failed)?;
        let formula = &mut self.rs.formulas[id.index()];
        formula.ty = value.ty.clone();
        formula.body = value;
        formula.code = code;
        Some(())
    }

    /// The formula of a table's cell, without its body yet.
    pub(super) fn hidden_formula(&mut self, span: Span, of: Domain, result: Ty) -> FormulaId {
        let id = FormulaId(self.rs.formulas.len() as u32);
        self.formulas.push((Progress::Done, Origin::Cell));
        let local = ir::Local {
            name: "this".to_owned(),
            ty: of.element_ty(),
            span,
            picked_from: None,
        };
        self.rs.formulas.push(ir::Formula {
            name: self.slice(span).to_owned(),
            span,
            doc: String::new(),
            owner: Some(of),
            params: vec![LocalId(0)],
            ty: result,
            body: stub(span),
            code: Code {
                locals: vec![local],
            },
        });
        id
    }
}

impl Body<'_, '_> {
    fn asked_in_formula(&mut self, param: &ast::Param) {
        if let ast::Param::Asked(choice) = param {
            self.error_help(
                "impure",
                choice.span,
                "a formula asks nobody",
                "give it as an argument: `name: type`",
            );
        }
    }
}
