//! Sums, products, quotients, `otherwise`.

use super::body::Body;
use super::operators::{held, operation};
use super::types::{domain_of, interval, is_int, join_domain};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Domain, Expr, ExprKind, Ty, number};
use crate::source::Span;
use crate::syntax::ast;

impl Body<'_, '_> {
    pub(super) fn sum(
        &mut self,
        plus: bool,
        left: &ast::Expr,
        right: &ast::Expr,
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = if self.needs_hint(left) && !self.needs_hint(right) {
            let right = self.expr(right, want);
            let hint = right.as_ref().map(|right| right.ty.clone());
            (self.expr(left, hint.as_ref()), right)
        } else {
            let left = self.expr(left, want);
            let hint = left.as_ref().map(|left| left.ty.clone());
            let right = self.addend(right, hint.as_ref());
            (left, right)
        };
        let (left, right) = (left?, right?);
        let (left, right) = (self.require(left)?, self.require(right)?);
        if is_int(&left.ty) && is_int(&right.ty) {
            let ty = self.numbers(sum_interval(plus, &left.ty, &right.ty), span)?;
            return Some(operation(
                if plus {
                    BinaryOp::Add
                } else {
                    BinaryOp::Subtract
                },
                left,
                right,
                ty,
                span,
            ));
        }
        self.union(plus, left, right, span)
    }

    /// What an operation comes to, as far as there are such numbers: the rest is a fault where it happens. Where nothing is
    /// left it is a mistake.
    pub(super) fn numbers(&mut self, ty: Ty, span: Span) -> Option<Ty> {
        let (low, high) = interval(&ty);
        let (least, greatest) = (i64::from(number::LEAST), i64::from(number::GREATEST));
        let said = |bound: i64, exactly: bool, word: &str, size: &str| {
            let what = if exactly {
                format!("{bound} is")
            } else {
                format!("this is {word} {bound}, which is")
            };
            format!("{what} too {size} for a number of the language")
        };
        let message = match (low, high) {
            (Some(low), high) if low > greatest => {
                said(low, high == Some(low), "at least", "great")
            }
            (low, Some(high)) if high < least => said(high, low == Some(high), "at most", "small"),
            (low, high) => {
                return Some(Ty::Int {
                    low: low.map(|low| low.max(least)),
                    high: high.map(|high| high.min(greatest)),
                });
            }
        };
        let help = format!("numbers go from {least} to {greatest}");
        self.error_help("out-of-range", span, message, help);
        None
    }

    /// The right side of a sum: an element may join a container.
    pub(super) fn addend(&mut self, expr: &ast::Expr, hint: Option<&Ty>) -> Option<Expr> {
        match hint.map(Ty::required) {
            Some(ty) if ty.is_container() && !is_literal(expr) => {
                let element = ty.element();
                let bare = matches!(expr.kind, ast::ExprKind::Name(_) | ast::ExprKind::Text(_));
                self.expr(
                    expr,
                    if bare && self.needs_hint(expr) {
                        element.as_ref()
                    } else {
                        Some(ty)
                    },
                )
            }
            _ => self.expr(expr, hint),
        }
    }

    pub(super) fn union(
        &mut self,
        plus: bool,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Option<Expr> {
        let joined = match (held(&left.ty), held_or_element(&right.ty)) {
            (Some(a), Some(b)) => join_domain(a, b),
            _ => None,
        };
        let ty = match (&left.ty, joined) {
            (Ty::Set(_), Some(domain)) => Ty::Set(domain),
            (Ty::Bag(_) | Ty::Deck(_) | Ty::Row(_), Some(domain)) => Ty::Bag(domain),
            (Ty::List(_), Some(_)) => left.ty.clone(),
            (Ty::List(_), None) if left.ty == right.ty => left.ty.clone(),
            _ => {
                let word = if plus { "added" } else { "taken away" };
                let (a, b) = (self.k.in_words(&left.ty), self.k.in_words(&right.ty));
                let message = format!("{a} and {b}: the second cannot be {word}");
                let diagnostic = Diagnostic::error("wrong-type", span, message)
                    .label(left.span, format!("is {a}"))
                    .label(right.span, format!("is {b}"));
                self.k.report(diagnostic);
                return None;
            }
        };
        Some(operation(
            if plus {
                BinaryOp::Union
            } else {
                BinaryOp::Difference
            },
            left,
            right,
            ty,
            span,
        ))
    }

    pub(super) fn product(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        let left = self.number(left);
        let right = self.expr(right, want);
        let (left, right) = (left?, right?);
        let right = self.require(right)?;
        match right.ty.clone() {
            ty @ Ty::Int { .. } => {
                let ty = self.numbers(product_interval(&left.ty, &ty), span)?;
                Some(operation(BinaryOp::Multiply, left, right, ty, span))
            }
            ty @ Ty::Bag(_) => Some(operation(BinaryOp::Scale, left, right, ty, span)),
            ty => {
                let message = format!("wanted a number or a bag, found {}", self.k.in_words(&ty));
                self.error("wrong-type", right.span, message);
                None
            }
        }
    }

    pub(super) fn quotient(
        &mut self,
        divide: bool,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = (self.number(left), self.number(right));
        let (left, right) = (left?, right?);
        if interval(&right.ty) == (Some(0), Some(0)) {
            self.error("division-by-zero", right.span, "divided by 0");
            return None;
        }
        let ty = quotient_interval(divide, &left.ty, &right.ty);
        let op = if divide {
            BinaryOp::Divide
        } else {
            BinaryOp::Remainder
        };
        Some(operation(op, left, right, ty, span))
    }

    /// `x otherwise v`; `x.f otherwise v` is `v` too when `x` is none.
    pub(super) fn otherwise(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        let outer = self.chain.replace(Vec::new());
        let left = self.raw(left, want);
        let chain = std::mem::replace(&mut self.chain, outer).unwrap_or_default();
        let hint = left.as_ref().map(|left| left.ty.required().clone());
        let right = self.expr(right, hint.as_ref());
        let (left, mut right) = (left?, right?);
        if chain.is_empty() && !matches!(left.ty, Ty::Optional(_)) {
            let text = self.k.slice(left.span).to_owned();
            self.error("wrong-type", span, format!("`{text}` is never none"));
            return None;
        }
        let mut there = Expr {
            ty: left.ty.required().clone(),
            ..left.clone()
        };
        let ty = self.joined(&mut there, &mut right, span)?;
        let value = match left.ty {
            Ty::Optional(_) => Expr {
                kind: ExprKind::Otherwise(Box::new(left), Box::new(right.clone())),
                ty: ty.clone(),
                span,
            },
            _ => left,
        };
        let asked = chain
            .into_iter()
            .map(super::expr::there)
            .reduce(|a, b| operation(BinaryOp::And, a, b, Ty::Bool, span));
        Some(match asked {
            None => value,
            Some(asked) => Expr {
                kind: ExprKind::If(Box::new(asked), Box::new(value), Box::new(right)),
                ty,
                span,
            },
        })
    }
}

fn is_literal(expr: &ast::Expr) -> bool {
    matches!(
        expr.kind,
        ast::ExprKind::Braces(_) | ast::ExprKind::Brackets(_)
    )
}

fn held_or_element(ty: &Ty) -> Option<Domain> {
    held(ty).or_else(|| domain_of(ty))
}

fn sum_interval(plus: bool, a: &Ty, b: &Ty) -> Ty {
    let ((a, b), (c, d)) = (interval(a), interval(b));
    let add = |x: Option<i64>, y: Option<i64>| x.zip(y).map(|(x, y)| x.saturating_add(y));
    let sub = |x: Option<i64>, y: Option<i64>| x.zip(y).map(|(x, y)| x.saturating_sub(y));
    if plus {
        Ty::Int {
            low: add(a, c),
            high: add(b, d),
        }
    } else {
        Ty::Int {
            low: sub(a, d),
            high: sub(b, c),
        }
    }
}

fn product_interval(a: &Ty, b: &Ty) -> Ty {
    let ((a, b), (c, d)) = (interval(a), interval(b));
    if let (Some(a), Some(b), Some(c), Some(d)) = (a, b, c, d) {
        let all = [
            a.saturating_mul(c),
            a.saturating_mul(d),
            b.saturating_mul(c),
            b.saturating_mul(d),
        ];
        return Ty::Int {
            low: all.iter().min().copied(),
            high: all.iter().max().copied(),
        };
    }
    let natural = a.is_some_and(|n| n >= 0) && c.is_some_and(|n| n >= 0);
    Ty::Int {
        low: if natural {
            a.zip(c).map(|(a, c)| a.saturating_mul(c))
        } else {
            None
        },
        high: None,
    }
}

fn quotient_interval(divide: bool, a: &Ty, b: &Ty) -> Ty {
    let ((a, high), (c, d)) = (interval(a), interval(b));
    let positive = c.is_some_and(|n| n > 0);
    let negative = d.is_some_and(|n| n < 0);
    let natural = a.is_some_and(|n| n >= 0) && positive;
    match divide {
        true if natural => Ty::Int { low: Some(0), high },
        false if positive => Ty::Int {
            low: Some(0),
            high: d.map(|n| n - 1),
        },
        false if negative => Ty::Int {
            low: c.map(|n| n + 1),
            high: Some(0),
        },
        _ => Ty::INT,
    }
}
