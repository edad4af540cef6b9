//! Texts from outside the rules that ask about a running game: watch expressions, what a drawing shows.

use super::Checker;
use super::Uses;
use super::body::{Body, Mode};
use super::graph::Node;
use super::scenarios::Context;
use crate::diagnostic::Diagnostic;
use crate::ir::{Binder, Code, Expr, RuleSet, Ty};
use crate::source::{SourceSet, Span};
use crate::syntax::ast;
use crate::syntax::parse::{Part, parse_binders, parse_expression};

/// A name that a question may use: a parameter, in order the first locals of its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub name: String,
    pub ty: Ty,
    pub span: Span,
}

/// Checks one question after the other against a finished rule set. Seats are A, B, C, …
pub struct Questions<'a> {
    checker: Checker<'a>,
}

impl<'a> Questions<'a> {
    pub(crate) fn over(sources: &'a SourceSet, (assembly, world, rules): Context<'a>) -> Self {
        Questions {
            checker: Checker::over(sources, assembly, world, rules),
        }
    }

    /// An expression; its text stands at `span`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn expression(
        &mut self,
        text: &str,
        span: Span,
        known: &[Known],
    ) -> Result<(Expr, Code), Vec<Diagnostic>> {
        let parsed = parse_expression(span.file, text, span.start as usize);
        self.check(parsed, known, |body, expr: &ast::Expr| {
            body.expr(expr, None)
        })
    }

    /// Names to go through, `r in route where r.owner`; the text stands at `span`. What each is bound to comes with them.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn binders(
        &mut self,
        text: &str,
        span: Span,
        known: &[Known],
    ) -> Result<(Vec<Binder>, Code), Vec<Diagnostic>> {
        let parsed = parse_binders(span.file, text, span.start as usize);
        self.check(parsed, known, |body, binders: &Vec<ast::Binder>| {
            body.binders(binders, false)
        })
    }

    /// The rule set with the texts that questions wrote, and what their words stand for.
    pub fn finish(self) -> (RuleSet, Uses) {
        (self.checker.rs, Uses::new(self.checker.notes))
    }

    fn check<A, T>(
        &mut self,
        parsed: Part<A>,
        known: &[Known],
        check: impl FnOnce(&mut Body<'_, 'a>, &A) -> Option<T>,
    ) -> Result<(T, Code), Vec<Diagnostic>> {
        let Some(tree) = parsed.value.filter(|_| parsed.diagnostics.is_empty()) else {
            return Err(parsed.diagnostics);
        };
        let mut body = Body::new(&mut self.checker, Node::Outside, Mode::Outside);
        for one in known {
            let name = ast::Name {
                text: one.name.clone(),
                span: one.span,
            };
            body.bind(&name, Some(one.ty.clone()));
        }
        let checked = check(&mut body, &tree);
        let code = std::mem::take(&mut body.code);
        let diagnostics = self.checker.take_diagnostics();
        match checked {
            Some(checked) if diagnostics.iter().all(|found| !found.is_error()) => {
                Ok((checked, code))
            }
            _ => Err(diagnostics),
        }
    }
}
