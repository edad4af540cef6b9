//! Unary and binary operators, and which side tells the other what is meant.

use super::body::{Body, Mode};
use super::names::Global;
use super::seats::letter;
use super::types::{domain_of, interval, is_int, is_none, same_domain};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Domain, Expr, ExprKind, Ty, UnaryOp, Value, number};
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

    pub(super) fn negate(&mut self, inner: &ast::Expr, span: Span) -> Option<Expr> {
        let inner = self.number(inner)?;
        let (low, high) = interval(&inner.ty);
        let ty = Ty::Int {
            low: high.map(|n| -n),
            high: low.map(|n| -n),
        };
        let ty = self.numbers(ty, span)?;
        if let ExprKind::Const(Value::Int(n)) = inner.kind
            && let Ok(negative) = number::negate(n)
        {
            return Some(Expr {
                kind: ExprKind::Const(Value::Int(negative)),
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

    pub(super) fn can(&mut self, inner: &ast::Expr, span: Span) -> Option<Expr> {
        if self.mode == Mode::Outside {
            self.error_help(
                "nobody-acts",
                span,
                "`can` asks about the player who acts, and nobody acts here",
                "a case says whose answer it is: `expect A: draw_cards`, `expect not A: draw_cards`",
            );
            return None;
        }
        if self.mode != Mode::Doing {
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
        let whole = self.k.slice(span);
        if op == ast::BinaryOp::Subtract
            && self
                .k
                .asm
                .manifest
                .overlays
                .iter()
                .any(|one| one.id == whole)
        {
            let message = format!("`{whole}` is an overlay, not a value");
            let help = super::roles::overlay_help(whole);
            self.error_help("wrong-type", span, message, help);
            return None;
        }
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

    pub(super) fn logic(
        &mut self,
        op: ast::BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        if self.lists_actions(left, right, span) {
            return None;
        }
        let asked = left;
        let left = self.condition(left);
        let known = left.clone().unwrap_or_else(|| super::stub(span));
        let truth = op != ast::BinaryOp::Or;
        let right = self.with_facts(&known, truth, |body| {
            let found = body.raw(right, Some(&Ty::Bool))?;
            if is_int(&found.ty) && body.meant_another_number(asked, &found) {
                return None;
            }
            body.truth(found)
        });
        let op = match op {
            ast::BinaryOp::And => BinaryOp::And,
            ast::BinaryOp::Or => BinaryOp::Or,
            _ => BinaryOp::Implies,
        };
        Some(operation(op, left?, right?, Ty::Bool, span))
    }

    /// `play or rest`: told once, and that they are listed.
    fn lists_actions(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> bool {
        let is_action = |expr: &ast::Expr| match &expr.kind {
            ast::ExprKind::Name(name) => {
                let global = self.k.names.global(name, expr.span);
                matches!(global, Some(Global::Action(_))) && self.var(name, expr.span).is_none()
            }
            _ => false,
        };
        let both = is_action(left) && is_action(right);
        if both {
            let names = [left, right].map(|one| self.k.slice(one.span).to_owned());
            let message = "`and` and `or` stand between conditions, not between actions";
            let help = format!(
                "what a player may choose from is listed: `one of {}`",
                names.join(", ")
            );
            self.error_help("not-a-condition", span, message, help);
        }
        both
    }

    /// `n = 3 or 4`
    fn meant_another_number(&mut self, asked: &ast::Expr, other: &Expr) -> bool {
        let ast::ExprKind::Binary(ast::BinaryOp::Equal, compared, first) = &asked.kind else {
            return false;
        };
        let [compared, first] = [compared, first].map(|one| self.k.slice(one.span).to_owned());
        let other_text = self.k.slice(other.span).to_owned();
        let help = format!(
            "say it of each, or of both at once: `{compared} in {{{first}, {other_text}}}`"
        );
        self.error_help(
            "not-a-condition",
            other.span,
            "a number is no condition",
            help,
        );
        true
    }

    // -------------------------------------------------------------------------------------------- comparisons

    /// Both sides, each with the other's type as a hint; the side that says more is read first.
    pub(super) fn sides(
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
    pub(super) fn is_known(&self, name: &str, span: Span) -> bool {
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
        if self.mode == Mode::Outside && letter(name).is_some_and(|seat| seat < self.seats) {
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

    pub(super) fn equality(
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

    pub(super) fn none_compared(&mut self, left: &Expr, right: &Expr, negated: bool, span: Span) {
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

    pub(super) fn incomparable(&mut self, left: &Expr, right: &Expr, span: Span) {
        let (a, b) = (self.k.in_words(&left.ty), self.k.in_words(&right.ty));
        let message = format!("{a} and {b} cannot be compared");
        let diagnostic = Diagnostic::error("wrong-type", span, message)
            .label(left.span, format!("is {a}"))
            .label(right.span, format!("is {b}"));
        self.k.report(diagnostic);
    }

    pub(super) fn comparison(
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
    pub(super) fn constant_comparison(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) {
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
                self.k.in_words(left.ty.required()),
                self.k.in_words(right.ty.required()),
            );
            let message =
                format!("always {truth}: the left side is {left}, the right side {right}");
            self.k
                .report(Diagnostic::warning("constant-condition", span, message));
        }
    }

    pub(super) fn membership(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let container = |ty: &Ty| super::types::domain_of(ty.required()).map_or(Ty::INT, Ty::Set);
        let element = |ty: &Ty| ty.element().unwrap_or(Ty::INT);
        let (left, right) = self.sides(left, right, container, element);
        let (left, right) = (self.narrow(left?), right?);
        let right = self.require(right)?;
        let Some(held) = right.ty.element() else {
            let message = format!(
                "wanted a set, bag or list, found {}",
                self.k.in_words(&right.ty)
            );
            self.error("wrong-type", right.span, message);
            return None;
        };
        if !comparable(left.ty.required(), &held) {
            let message = format!(
                "a {} never holds {}",
                self.k.in_words(&right.ty),
                self.k.in_words(left.ty.required())
            );
            self.error("wrong-type", span, message);
            return None;
        }
        Some(operation(BinaryOp::In, left, right, Ty::Bool, span))
    }

    pub(super) fn within(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
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
}

pub(super) fn operation(op: BinaryOp, left: Expr, right: Expr, ty: Ty, span: Span) -> Expr {
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

/// A deck or row beside a list or bag is compared by what lies in it, a row beside a list with empty places by its places.
fn laid_out(expr: Expr, beside: &Ty) -> Expr {
    let (Ty::Deck(domain) | Ty::Row(domain)) = expr.ty else {
        return expr;
    };
    let ty = match beside {
        Ty::List(held) if matches!((&expr.ty, &**held), (Ty::Row(_), Ty::Optional(_))) => {
            return expr;
        }
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
        // With empty places written.
        (Ty::Row(domain), Ty::List(held)) | (Ty::List(held), Ty::Row(domain)) => {
            matches!(**held, Ty::Optional(_)) && comparable(&domain.element_ty(), held.required())
        }
        (Ty::Optional(x), y) | (y, Ty::Optional(x)) => comparable(x, y.required()),
        _ => a == b,
    }
}

/// The domain of a container's elements.
pub(crate) fn held(ty: &Ty) -> Option<Domain> {
    ty.element().and_then(|element| domain_of(&element))
}
