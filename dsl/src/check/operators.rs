//! Unary and binary operators, and which side tells the other what is meant.

use super::body::{Body, Mode};
use super::types::{domain_of, interval, is_int, is_none, join_domain, same_domain};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Domain, Expr, ExprKind, Ty, UnaryOp, Value};
use crate::source::Span;
use crate::syntax::ast;

impl Body<'_, '_> {
    pub fn unary(&mut self, op: ast::UnaryOp, inner: &ast::Expr, span: Span) -> Option<Expr> {
        match op {
            ast::UnaryOp::Not => {
                let inner = self.condition(inner)?;
                Some(Expr {
                    kind: ExprKind::Unary(UnaryOp::Not, Box::new(inner)),
                    ty: Ty::Bool,
                    span,
                })
            }
            ast::UnaryOp::Negate => self.negate(inner, span),
            ast::UnaryOp::Can => self.can(inner, span),
        }
    }

    fn negate(&mut self, inner: &ast::Expr, span: Span) -> Option<Expr> {
        let inner = self.number(inner)?;
        let (low, high) = interval(&inner.ty);
        let ty = Ty::Int {
            low: high.map(|n| -n),
            high: low.map(|n| -n),
        };
        if let ExprKind::Const(Value::Int(n)) = inner.kind {
            return Some(Expr {
                kind: ExprKind::Const(Value::Int(-n)),
                ty,
                span,
            });
        }
        Some(Expr {
            kind: ExprKind::Unary(UnaryOp::Negate, Box::new(inner)),
            ty,
            span,
        })
    }

    fn can(&mut self, inner: &ast::Expr, span: Span) -> Option<Expr> {
        if !matches!(self.mode, Mode::Doing | Mode::Outside) {
            self.error_help(
                "impure",
                span,
                "`can` is asked only in statements",
                "say in a formula what makes it possible",
            );
            return None;
        }
        let Some((action, args)) = self.action_call(inner)? else {
            self.error("wrong-type", inner.span, "`can` asks of an action");
            return None;
        };
        Some(Expr {
            kind: ExprKind::Can(action, args),
            ty: Ty::Bool,
            span,
        })
    }

    pub fn binary(
        &mut self,
        op: ast::BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        use ast::BinaryOp as B;
        match op {
            B::And | B::Or | B::Implies => self.logic(op, left, right, span),
            B::Equal | B::NotEqual => self.equality(op == B::NotEqual, left, right, span),
            B::Less => self.comparison(BinaryOp::Less, left, right, span),
            B::LessEqual => self.comparison(BinaryOp::LessEqual, left, right, span),
            B::Greater => self.comparison(BinaryOp::Greater, left, right, span),
            B::GreaterEqual => self.comparison(BinaryOp::GreaterEqual, left, right, span),
            B::In => self.membership(left, right, span),
            B::NotIn => {
                let inside = self.membership(left, right, span)?;
                Some(Expr {
                    kind: ExprKind::Unary(UnaryOp::Not, Box::new(inside)),
                    ty: Ty::Bool,
                    span,
                })
            }
            B::Within => self.within(left, right, span),
            B::Add | B::Subtract => self.sum(op == B::Add, left, right, want, span),
            B::Multiply => self.product(left, right, want, span),
            B::Divide | B::Remainder => self.quotient(op == B::Divide, left, right, span),
            B::Otherwise => self.otherwise(left, right, want, span),
        }
    }

    fn logic(
        &mut self,
        op: ast::BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let left = self.condition(left);
        let known = left.clone().unwrap_or_else(|| super::stub(span));
        let truth = op != ast::BinaryOp::Or;
        let right = self.with_facts(&known, truth, |body| body.condition(right));
        let op = match op {
            ast::BinaryOp::And => BinaryOp::And,
            ast::BinaryOp::Or => BinaryOp::Or,
            _ => BinaryOp::Implies,
        };
        Some(operation(op, left?, right?, Ty::Bool, span))
    }

    // -------------------------------------------------------------------------------------------- comparisons

    /// Both sides, each with the other's type as a hint; the side that says more is read first.
    fn sides(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        hint: impl Fn(&Ty) -> Ty,
        back: impl Fn(&Ty) -> Ty,
    ) -> (Option<Expr>, Option<Expr>) {
        if self.needs_hint(left) && !self.needs_hint(right) {
            let right = self.raw(right, None);
            let wanted = right.as_ref().map(|right| back(&right.ty));
            let left = if right.is_some() {
                self.raw(left, wanted.as_ref())
            } else {
                None
            };
            return (left, right);
        }
        let left = self.raw(left, None);
        let wanted = left.as_ref().map(|left| hint(&left.ty));
        if left.is_none() && self.needs_hint(right) {
            return (None, None);
        }
        let right = self.raw(right, wanted.as_ref());
        (left, right)
    }

    /// Whether an expression only gets its meaning from what is wanted: a bare row or member, an empty literal.
    pub fn needs_hint(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ast::ExprKind::Name(name) => name == "none" || !self.is_known(name, expr.span),
            ast::ExprKind::Text(_) => true,
            ast::ExprKind::Braces(entries) => entries.iter().all(|(key, _)| self.needs_hint(key)),
            ast::ExprKind::Brackets(all) => all.iter().all(|one| self.needs_hint(one)),
            ast::ExprKind::If(_, a, b) => self.needs_hint(a) && self.needs_hint(b),
            ast::ExprKind::Error => true,
            _ => false,
        }
    }

    /// Whether a name is one of the inner rings.
    fn is_known(&self, name: &str, span: Span) -> bool {
        const WORDS: [&str; 12] = [
            "true",
            "false",
            "me",
            "this",
            "players",
            "starter",
            "original",
            "player",
            "finishing",
            "finished",
            "winners",
            "decision",
        ];
        if WORDS.contains(&name) || self.var(name, span).is_some() {
            return true;
        }
        if self.mode == Mode::Outside && matches!(name, "A" | "B" | "C" | "D" | "E") {
            return true;
        }
        let understood = !matches!(self.understood, super::body::Understood::Nobody);
        understood && self.k.names.member(Domain::Player, name, span).is_some()
            || !self.k.names.step_cells(name, span).is_empty()
            || self.k.names.global(name, span).is_some_and(|global| {
                !matches!(
                    global,
                    super::names::Global::Table(_) | super::names::Global::Enum(_)
                )
            })
    }

    fn equality(
        &mut self,
        negated: bool,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = self.sides(left, right, Ty::clone, Ty::clone);
        let (mut left, mut right) = (left?, right?);
        let op = if negated {
            BinaryOp::NotEqual
        } else {
            BinaryOp::Equal
        };
        if is_none(&left) || is_none(&right) {
            self.none_compared(&left, &right, negated, span);
            return Some(operation(op, left, right, Ty::Bool, span));
        }
        left = self.narrow(left);
        right = self.narrow(right);
        let (a, b) = (left.ty.clone(), right.ty.clone());
        (left, right) = (laid_out(left, &b), laid_out(right, &a));
        if !comparable(left.ty.required(), right.ty.required()) {
            self.incomparable(&left, &right, span);
            return None;
        }
        if is_int(&left.ty) && is_int(&right.ty) {
            self.constant_comparison(op, &left, &right, span);
        }
        Some(operation(op, left, right, Ty::Bool, span))
    }

    fn none_compared(&mut self, left: &Expr, right: &Expr, negated: bool, span: Span) {
        let other = if is_none(left) { right } else { left };
        if !is_none(other) && !matches!(other.ty, Ty::Optional(_)) {
            let text = self.k.slice(other.span).to_owned();
            let truth = if negated { "true" } else { "false" };
            self.k.report(Diagnostic::warning(
                "constant-condition",
                span,
                format!("always {truth}: `{text}` is never none"),
            ));
        }
    }

    fn incomparable(&mut self, left: &Expr, right: &Expr, span: Span) {
        let (a, b) = (self.k.show(&left.ty), self.k.show(&right.ty));
        let message = format!("{a} and {b} cannot be compared");
        let diagnostic = Diagnostic::error("wrong-type", span, message)
            .label(left.span, format!("is {a}"))
            .label(right.span, format!("is {b}"));
        self.k.report(diagnostic);
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = (self.number(left), self.number(right));
        let (left, right) = (left?, right?);
        self.constant_comparison(op, &left, &right, span);
        Some(operation(op, left, right, Ty::Bool, span))
    }

    /// Warns when the ranges of both sides decide.
    fn constant_comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) {
        let ((a, b), (c, d)) = (interval(&left.ty), interval(&right.ty));
        if let ExprKind::Const(_) = left.kind
            && let ExprKind::Const(_) = right.kind
        {
            return;
        }
        let below = b.zip(c).is_some_and(|(b, c)| b < c);
        let above = a.zip(d).is_some_and(|(a, d)| a > d);
        let at_most = b.zip(c).is_some_and(|(b, c)| b <= c);
        let at_least = a.zip(d).is_some_and(|(a, d)| a >= d);
        let verdict = match op {
            BinaryOp::Less => decided(below, at_least),
            BinaryOp::LessEqual => decided(at_most, above),
            BinaryOp::Greater => decided(above, at_most),
            BinaryOp::GreaterEqual => decided(at_least, below),
            BinaryOp::Equal => decided(false, below || above),
            BinaryOp::NotEqual => decided(below || above, false),
            _ => None,
        };
        if let Some(truth) = verdict {
            let (left, right) = (
                self.k.show(left.ty.required()),
                self.k.show(right.ty.required()),
            );
            let message =
                format!("always {truth}: the left side is {left}, the right side {right}");
            self.k
                .report(Diagnostic::warning("constant-condition", span, message));
        }
    }

    fn membership(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Option<Expr> {
        let container = |ty: &Ty| super::types::domain_of(ty.required()).map_or(Ty::INT, Ty::Set);
        let element = |ty: &Ty| ty.element().unwrap_or(Ty::INT);
        let (left, right) = self.sides(left, right, container, element);
        let (left, right) = (self.narrow(left?), right?);
        let right = self.require(right)?;
        let Some(held) = right.ty.element() else {
            let message = format!(
                "wanted a set, bag or list, found {}",
                self.k.show(&right.ty)
            );
            self.error("wrong-type", right.span, message);
            return None;
        };
        if !comparable(left.ty.required(), &held) {
            let message = format!(
                "a {} holds no {}",
                self.k.show(&right.ty),
                self.k.show(left.ty.required())
            );
            self.error("wrong-type", span, message);
            return None;
        }
        Some(operation(BinaryOp::In, left, right, Ty::Bool, span))
    }

    fn within(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Option<Expr> {
        let (left, right) = self.sides(left, right, Ty::clone, Ty::clone);
        let (left, right) = (left?, right?);
        let (left, right) = (self.require(left)?, self.require(right)?);
        match (held(&left.ty), held(&right.ty)) {
            (Some(a), Some(b)) if same_domain(a, b) => {
                Some(operation(BinaryOp::Within, left, right, Ty::Bool, span))
            }
            _ => {
                self.incomparable(&left, &right, span);
                None
            }
        }
    }

    // -------------------------------------------------------------------------------------------- arithmetic

    fn sum(
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
            let ty = sum_interval(plus, &left.ty, &right.ty);
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

    /// The right side of a sum: an element may join a container.
    fn addend(&mut self, expr: &ast::Expr, hint: Option<&Ty>) -> Option<Expr> {
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

    fn union(&mut self, plus: bool, left: Expr, right: Expr, span: Span) -> Option<Expr> {
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
                let (a, b) = (self.k.show(&left.ty), self.k.show(&right.ty));
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

    fn product(
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
                let ty = product_interval(&left.ty, &ty);
                Some(operation(BinaryOp::Multiply, left, right, ty, span))
            }
            ty @ Ty::Bag(_) => Some(operation(BinaryOp::Scale, left, right, ty, span)),
            ty => {
                let message = format!("wanted a number or a bag, found {}", self.k.show(&ty));
                self.error("wrong-type", right.span, message);
                None
            }
        }
    }

    fn quotient(
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
    fn otherwise(
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

fn operation(op: BinaryOp, left: Expr, right: Expr, ty: Ty, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
        ty,
        span,
    }
}

fn decided(yes: bool, no: bool) -> Option<bool> {
    match (yes, no) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn is_literal(expr: &ast::Expr) -> bool {
    matches!(
        expr.kind,
        ast::ExprKind::Braces(_) | ast::ExprKind::Brackets(_)
    )
}

/// A deck or row beside a list or bag is compared by what lies in it.
fn laid_out(expr: Expr, beside: &Ty) -> Expr {
    let (Ty::Deck(domain) | Ty::Row(domain)) = expr.ty else {
        return expr;
    };
    let ty = match beside {
        Ty::List(_) => Ty::List(Box::new(domain.element_ty())),
        Ty::Bag(_) => Ty::Bag(domain),
        _ => return expr,
    };
    let span = expr.span;
    Expr {
        kind: ExprKind::Convert(Box::new(expr)),
        ty,
        span,
    }
}

pub(crate) fn comparable(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Int { .. }, Ty::Int { .. }) => true,
        (Ty::Set(x), Ty::Set(y)) | (Ty::Bag(x), Ty::Bag(y)) => same_domain(*x, *y),
        (Ty::List(x), Ty::List(y)) => comparable(x, y),
        (Ty::Optional(x), y) | (y, Ty::Optional(x)) => comparable(x, y.required()),
        _ => a == b,
    }
}

/// The domain of a container's elements.
pub(crate) fn held(ty: &Ty) -> Option<Domain> {
    ty.element().and_then(|element| domain_of(&element))
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
    let natural = a.is_some_and(|n| n >= 0) && positive;
    match (divide, positive) {
        (true, _) if natural => Ty::Int { low: Some(0), high },
        (false, true) => Ty::Int {
            low: Some(0),
            high: d.map(|n| n - 1),
        },
        _ => Ty::INT,
    }
}
