//! `{a, b}`, `{a: 2}`, `[a, b]`.

use super::body::Body;
use super::types::{domain_of, fits, join, join_domain};
use crate::diagnostic::Diagnostic;
use crate::ir::{Domain, Expr, ExprKind, Ty, Value};
use crate::source::Span;
use crate::syntax::ast;

impl Body<'_, '_> {
    pub fn braces(
        &mut self,
        entries: &[(ast::Expr, Option<ast::Expr>)],
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        let counted = entries.iter().any(|(_, count)| count.is_some());
        let wanted = want.map(Ty::required).filter(|ty| ty.is_container());
        if entries.is_empty() {
            return self.empty(wanted, span);
        }
        let hint = wanted.and_then(Ty::element);
        let elements: Vec<Option<Expr>> =
            self.elements(entries.iter().map(|(element, _)| element), hint.as_ref());
        let counts: Vec<Option<Expr>> = entries
            .iter()
            .map(|(_, count)| {
                count
                    .as_ref()
                    .map_or_else(|| Some(one(span)), |count| self.number(count))
            })
            .collect();
        let elements: Vec<Expr> = elements.into_iter().collect::<Option<_>>()?;
        let counts: Vec<Expr> = counts.into_iter().collect::<Option<_>>()?;
        match wanted {
            Some(Ty::List(_)) if !counted => self.list_of(elements, span),
            Some(Ty::Bag(_) | Ty::Deck(_) | Ty::Row(_)) => self.bag_of(elements, counts, span),
            _ if counted => self.bag_of(elements, counts, span),
            _ => {
                self.refuse_twice(entries);
                self.set_of(elements, span)
            }
        }
    }

    /// `{3, 1, 1}`: a set holds each thing once.
    fn refuse_twice(&mut self, entries: &[(ast::Expr, Option<ast::Expr>)]) {
        let text = |at: usize| ast::expr_text(&entries[at].0);
        let twice = (1..entries.len()).find(|at| {
            let word = text(*at);
            !word.is_empty() && (0..*at).any(|before| text(before) == word)
        });
        if let Some(at) = twice {
            let message = format!("`{}` stands twice in a set, which holds it once", text(at));
            let found = Diagnostic::warning("twice-in-set", entries[at].0.span, message);
            self.k.report(found.help("in a row, each as often as it stands there: a list, `[…]`; how many of each: a bag, `{a: 2, b: 1}`"));
        }
    }

    pub fn brackets(
        &mut self,
        elements: &[ast::Expr],
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        let wanted = want.map(Ty::required).filter(|ty| ty.is_container());
        if elements.is_empty() {
            let list = wanted
                .and_then(Ty::element)
                .map(|element| Ty::List(Box::new(element)));
            return self.empty(list.as_ref(), span);
        }
        let hint = match wanted {
            // A place of a row may be empty.
            Some(Ty::Row(domain)) => Some(domain.element_ty().optional()),
            _ => wanted.and_then(Ty::element),
        };
        let elements = self.elements(elements.iter(), hint.as_ref());
        let elements: Vec<Expr> = elements.into_iter().collect::<Option<_>>()?;
        self.list_of(elements, span)
    }

    fn empty(&mut self, wanted: Option<&Ty>, span: Span) -> Option<Expr> {
        let (kind, ty) = match wanted {
            Some(ty @ Ty::Set(_)) => (ExprKind::SetOf(Vec::new()), ty.clone()),
            Some(ty @ Ty::Bag(_)) => (ExprKind::BagOf(Vec::new()), ty.clone()),
            Some(Ty::Deck(domain) | Ty::Row(domain)) => {
                (ExprKind::BagOf(Vec::new()), Ty::Bag(*domain))
            }
            Some(ty @ Ty::List(_)) => (ExprKind::ListOf(Vec::new()), ty.clone()),
            _ => {
                self.error_help(
                    "wrong-type",
                    span,
                    "nothing says what this empty container holds",
                    "write it where a container of a known kind is wanted",
                );
                return None;
            }
        };
        Some(Expr { kind, ty, span })
    }

    /// Elements with a hint; without one the first that says what it is tells the others.
    fn elements<'e>(
        &mut self,
        elements: impl Iterator<Item = &'e ast::Expr>,
        hint: Option<&Ty>,
    ) -> Vec<Option<Expr>> {
        let elements: Vec<&ast::Expr> = elements.collect();
        let mut hint = hint.cloned();
        let mut done: Vec<Option<Option<Expr>>> = vec![None; elements.len()];
        if hint.is_none()
            && let Some(at) = elements
                .iter()
                .position(|element| !self.needs_hint(element))
        {
            let first = self.expr(elements[at], None);
            hint = first.as_ref().map(|first| first.ty.required().clone());
            done[at] = Some(first);
        }
        let mut all = Vec::new();
        for (element, done) in elements.iter().zip(done) {
            let found = match done {
                Some(found) => found,
                None => self.expr(element, hint.as_ref()),
            };
            let may_be_none = matches!(hint, Some(Ty::Optional(_)));
            all.push(found.and_then(|found| match found.kind {
                ExprKind::Const(Value::None) if may_be_none => Some(found),
                _ => self.require(found),
            }));
        }
        all
    }

    /// The domain that all elements share.
    fn common(&mut self, elements: &[Expr], span: Span) -> Option<Domain> {
        let mut common: Option<Domain> = None;
        for element in elements {
            let Some(domain) = domain_of(&element.ty) else {
                let message = format!("a container cannot hold {}", self.k.in_words(&element.ty));
                self.error("wrong-type", element.span, message);
                return None;
            };
            match common.map_or(Some(domain), |before| join_domain(before, domain)) {
                Some(joined) => common = Some(joined),
                None => {
                    let (a, b) = (
                        self.k.in_words(&elements[0].ty),
                        self.k.in_words(&element.ty),
                    );
                    let message = format!("elements of different kinds: {a} and {b}");
                    let mut diagnostic = Diagnostic::error("wrong-type", span, message)
                        .label(element.span, format!("is {b}"));
                    let domains: Vec<Domain> = elements
                        .iter()
                        .filter_map(|one| domain_of(&one.ty))
                        .collect();
                    let hidden = elements.iter().find_map(|one| {
                        domains
                            .iter()
                            .find_map(|domain| self.hides(one.span, *domain))
                    });
                    if let Some((given, help)) = hidden {
                        diagnostic = diagnostic.label(given, "given here").help(help);
                    }
                    self.k.report(diagnostic);
                    return None;
                }
            }
        }
        common
    }

    fn set_of(&mut self, elements: Vec<Expr>, span: Span) -> Option<Expr> {
        let domain = self.common(&elements, span)?;
        Some(Expr {
            kind: ExprKind::SetOf(elements),
            ty: Ty::Set(domain),
            span,
        })
    }

    fn bag_of(&mut self, elements: Vec<Expr>, counts: Vec<Expr>, span: Span) -> Option<Expr> {
        let domain = self.common(&elements, span)?;
        let pairs = elements.into_iter().zip(counts).collect();
        Some(Expr {
            kind: ExprKind::BagOf(pairs),
            ty: Ty::Bag(domain),
            span,
        })
    }

    fn list_of(&mut self, elements: Vec<Expr>, span: Span) -> Option<Expr> {
        let mut ty = elements.first()?.ty.clone();
        for element in &elements {
            let joined = if fits(&element.ty, &ty) || fits(&ty, &element.ty) {
                join(&ty, &element.ty)
            } else {
                None
            };
            let Some(joined) = joined else {
                let (a, b) = (self.k.in_words(&ty), self.k.in_words(&element.ty));
                self.error(
                    "wrong-type",
                    element.span,
                    format!("elements of different kinds: {a} and {b}"),
                );
                return None;
            };
            ty = joined;
        }
        Some(Expr {
            ty: self.list_ty_of(ty, span)?,
            kind: ExprKind::ListOf(elements),
            span,
        })
    }
}

pub(crate) fn one(span: Span) -> Expr {
    super::types::constant(Value::Int(1), span)
}
