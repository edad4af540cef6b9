//! Expressions: dispatch, fitting to the type wanted, conditions.

use super::body::{Body, Mode};
use super::types::{constant, exactly, fits, interval, is_int, is_none, join};
use crate::diagnostic::Diagnostic;
use crate::ir::{Domain, Expr, ExprKind, Message, MessagePart, Ty, UnaryOp, Value};
use crate::source::Span;
use crate::syntax::ast;

impl Body<'_, '_> {
    /// An expression; `want` is only a hint for words and literals. Known optionals come without their `?`.
    pub fn expr(&mut self, expr: &ast::Expr, want: Option<&Ty>) -> Option<Expr> {
        self.k.levels += 1;
        let found = self.expr_here(expr, want);
        self.k.levels -= 1;
        found
    }

    fn expr_here(&mut self, expr: &ast::Expr, want: Option<&Ty>) -> Option<Expr> {
        let raw = self.raw(expr, want)?;
        Some(self.narrow(raw))
    }

    /// An expression that must have this type.
    pub fn value(&mut self, expr: &ast::Expr, want: &Ty) -> Option<Expr> {
        let found = self.expr(expr, Some(want))?;
        self.fit(found, want)
    }

    pub fn number(&mut self, expr: &ast::Expr) -> Option<Expr> {
        self.value(expr, &Ty::INT)
    }

    /// An expression with its optional as declared.
    pub fn raw(&mut self, expr: &ast::Expr, want: Option<&Ty>) -> Option<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Number(n) => self.number_literal(*n, want, span),
            ast::ExprKind::Text(message) => self.text(message, want, span),
            ast::ExprKind::Name(_) | ast::ExprKind::Member(..) => {
                let head = self.head(expr, want)?;
                self.head_value(head, want, span)
            }
            ast::ExprKind::Index(base, keys) => self.index(base, keys, span),
            ast::ExprKind::Call(callee, args) => self.call(callee, args, want, span),
            ast::ExprKind::Unary(op, inner) => self.unary(*op, inner, span),
            ast::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, want, span),
            ast::ExprKind::Range(low, high) => self.range(low.as_deref(), high.as_deref(), span),
            ast::ExprKind::If(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, want, span)
            }
            ast::ExprKind::Braces(entries) => self.braces(entries, want, span),
            ast::ExprKind::Brackets(elements) => self.brackets(elements, want, span),
            ast::ExprKind::Aggregate { op, binders, value } => {
                self.aggregate(*op, binders, value.as_deref(), want, span)
            }
            ast::ExprKind::Parts(_) => {
                self.error_help(
                    "wrong-type",
                    span,
                    "`parts of` is only a source of choices",
                    "`choose x in parts of Z`; of the container itself one asks `Z.size`, `Z.count(x)`, `some(x in Z where …)`",
                );
                None
            }
            ast::ExprKind::On(base, ground) => self.on_board(base, ground, span),
            ast::ExprKind::BestWalk(walk) => self.best_walk(walk, span),
            ast::ExprKind::BestWalks(walk) => self.best_walks(walk, span),
            ast::ExprKind::Distance(walk) => self.distance(walk, span),
            ast::ExprKind::EndsOfWalk(walk) => self.ends_of_walk(walk, span),
            ast::ExprKind::Fated(fate, name) => self.fated(fate, name.as_ref(), span),
            ast::ExprKind::Error => None,
        }
    }

    /// A number, or the row that it names.
    fn number_literal(&mut self, n: i64, want: Option<&Ty>, span: Span) -> Option<Expr> {
        if let Some(Ty::Element(domain @ Domain::Table(_))) = want.map(Ty::required)
            && let Some(row) = self.k.names.word_in(*domain, &n.to_string(), span)
        {
            self.k.note_element(span, *domain, row);
            return Some(constant(Value::Element(*domain, row), span));
        }
        let small = self.k.number_of_language(n, span)?;
        Some(Expr {
            kind: ExprKind::Const(Value::Int(small)),
            ty: exactly(n),
            span,
        })
    }

    /// A string: a row under its name, or a text.
    fn text(&mut self, message: &ast::Message, want: Option<&Ty>, span: Span) -> Option<Expr> {
        let mut text = String::new();
        for part in &message.parts {
            match part {
                ast::MessagePart::Text(plain) => text.push_str(plain),
                ast::MessagePart::Value(_) => {
                    self.error(
                        "wrong-type",
                        span,
                        "values in braces stand only in messages",
                    );
                    return None;
                }
            }
        }
        if let Some(Ty::Element(domain)) = want.map(Ty::required) {
            let value = self.k.word_value(&text, *domain, span)?;
            return Some(constant(value, span));
        }
        if self.mode == Mode::Outside && self.k.is_new_text(&text) {
            self.k.report(Diagnostic::error(
                "unknown-text",
                span,
                format!("no text of the game is \"{text}\""),
            ));
            return None;
        }
        let id = self.k.intern(&text);
        Some(Expr {
            kind: ExprKind::Const(Value::Text(id)),
            ty: Ty::Text,
            span,
        })
    }

    /// How many times, steps, things at most: what can only be less than `least` is a mistake.
    pub fn amount(&mut self, expr: &ast::Expr, least: i64) -> Option<Expr> {
        let number = self.number(expr)?;
        if interval(&number.ty).1.is_some_and(|most| most < least) {
            let text = self.k.slice(expr.span).to_owned();
            let message = format!("`{text}` is less than {least}");
            let help = format!("write a number from {least}, or what can come to one");
            self.error_help("out-of-range", expr.span, message, help);
            return None;
        }
        Some(number)
    }

    fn range(
        &mut self,
        low: Option<&ast::Expr>,
        high: Option<&ast::Expr>,
        span: Span,
    ) -> Option<Expr> {
        let (Some(low), Some(high)) = (low, high) else {
            self.error("wrong-type", span, "a range of values needs both its ends");
            return None;
        };
        let (low, high) = (self.number(low), self.number(high));
        let (low, high) = (low?, high?);
        let from = interval(&low.ty).0;
        let to = interval(&high.ty).1;
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            let message = format!("no number lies in `{}`", self.k.slice(span));
            let found = Diagnostic::warning("empty-range", span, message);
            self.k
                .report(found.help("a range goes from the least to the greatest: `1..5`"));
        }
        let element = Ty::Int {
            low: from,
            high: to.map(|to| from.map_or(to, |from| to.max(from))),
        };
        let ty = Ty::Set(super::types::domain_of(&element)?);
        Some(Expr {
            kind: ExprKind::Range(Box::new(low), Box::new(high)),
            ty,
            span,
        })
    }

    fn conditional(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        let condition = self.condition(condition);
        let known = condition.clone().unwrap_or_else(|| super::stub(span));
        let (a, b) = if self.needs_hint(then) && want.is_none() {
            let b = self.with_facts(&known, false, |body| body.expr(otherwise, want));
            let hint = b.as_ref().map(|b| b.ty.clone());
            (
                self.with_facts(&known, true, |body| body.expr(then, hint.as_ref())),
                b,
            )
        } else {
            let a = self.with_facts(&known, true, |body| body.expr(then, want));
            let hint = want.cloned().or_else(|| a.as_ref().map(|a| a.ty.clone()));
            let b = self.with_facts(&known, false, |body| body.expr(otherwise, hint.as_ref()));
            (a, b)
        };
        let (condition, mut a, mut b) = (condition?, a?, b?);
        let ty = self.joined(&mut a, &mut b, span)?;
        Some(Expr {
            kind: ExprKind::If(Box::new(condition), Box::new(a), Box::new(b)),
            ty,
            span,
        })
    }

    /// The common type of two values; a `none` takes the other's.
    pub fn joined(&mut self, a: &mut Expr, b: &mut Expr, span: Span) -> Option<Ty> {
        if is_none(a) {
            a.ty = b.ty.clone().optional();
        }
        if is_none(b) {
            b.ty = a.ty.clone().optional();
        }
        let ty = join(&a.ty, &b.ty);
        if ty.is_none() {
            let message = format!(
                "one is {}, the other {}",
                self.k.in_words(&a.ty),
                self.k.in_words(&b.ty)
            );
            self.k.report(
                Diagnostic::error("wrong-type", span, message)
                    .label(a.span, "one")
                    .label(b.span, "the other"),
            );
        }
        ty
    }

    // -------------------------------------------------------------------------------------------- fitting

    /// The value as one of the wanted type.
    pub fn fit(&mut self, mut expr: Expr, want: &Ty) -> Option<Expr> {
        if is_none(&expr) && matches!(want, Ty::Optional(_)) {
            expr.ty = want.clone();
            return Some(expr);
        }
        if fits(&expr.ty, want) {
            return self.in_interval(expr, want);
        }
        if let Ty::Optional(inner) = &expr.ty
            && fits(inner, want)
        {
            let there = self.require(expr)?;
            return self.in_interval(there, want);
        }
        self.misfit(&expr, want);
        None
    }

    fn misfit(&mut self, expr: &Expr, want: &Ty) {
        let message = if is_none(expr) {
            format!("wanted {}, which is never none", self.k.in_words(want))
        } else {
            format!(
                "wanted {}, found {}",
                self.k.in_words(want),
                self.k.in_words(&expr.ty)
            )
        };
        let mut diagnostic = Diagnostic::error("wrong-type", expr.span, message);
        let domain = super::types::domain_of(want.required());
        if let Some(help) = conversion(&expr.ty, want) {
            diagnostic = diagnostic.help(help);
        } else if let Some((given, help)) = domain.and_then(|domain| self.hides(expr.span, domain))
        {
            diagnostic = diagnostic.label(given, "given here").help(help);
        } else if let Some(way) = self.way_to_fit(expr, want) {
            diagnostic = diagnostic.ways(way);
        }
        self.k.report(diagnostic);
    }

    /// A number that can never lie in the wanted range is a mistake.
    fn in_interval(&mut self, expr: Expr, want: &Ty) -> Option<Expr> {
        let ((low, high), (least, most)) = (interval(&expr.ty), interval(want));
        let below = high.zip(least).is_some_and(|(high, least)| high < least);
        let above = low.zip(most).is_some_and(|(low, most)| low > most);
        if is_int(expr.ty.required()) && (below || above) {
            let message = format!(
                "wanted {}, found {}",
                self.k.in_words(want.required()),
                self.k.in_words(expr.ty.required())
            );
            self.error("out-of-range", expr.span, message);
            return None;
        }
        Some(expr)
    }

    // -------------------------------------------------------------------------------------------- conditions

    /// A condition: `bool`, or an optional or container that is there.
    pub fn condition(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let found = self.raw(expr, Some(&Ty::Bool))?;
        self.truth(found)
    }

    pub fn truth(&mut self, found: Expr) -> Option<Expr> {
        let span = found.span;
        match &found.ty {
            Ty::Bool => Some(found),
            Ty::Optional(inner) if **inner == Ty::Bool => self.require(found),
            Ty::Optional(_) | Ty::Agenda => Some(there(found)),
            ty if ty.is_container() => Some(there(found)),
            Ty::Int { .. } => {
                let text = self.k.slice(span).to_owned();
                let diagnostic =
                    Diagnostic::error("not-a-condition", span, "a number is no condition")
                        .help(format!("say what it is compared with: `{text} > 0`"));
                self.k.report(diagnostic);
                None
            }
            ty => {
                let message = format!("{} is no condition", self.k.in_words(ty));
                let ways = self.ways_to_ask(&found);
                self.k
                    .report(Diagnostic::error("not-a-condition", span, message).ways(ways));
                None
            }
        }
    }

    pub fn message(&mut self, message: &ast::Message) -> Message {
        let mut parts = Vec::new();
        // Values by what stands in their braces: so a language names them.
        let mut values = Vec::new();
        for part in &message.parts {
            match part {
                ast::MessagePart::Text(text) => parts.push(MessagePart::Text(text.clone())),
                ast::MessagePart::Value(expr) => {
                    let Some(value) = self.expr(expr, None) else {
                        continue;
                    };
                    values.push((self.k.slice(expr.span).trim().to_owned(), value.clone()));
                    parts.push(MessagePart::Value(value));
                }
            }
        }
        let said = self.k.in_language(message, &values);
        Message {
            parts,
            span: message.span,
            said,
        }
    }

    pub fn messages(&mut self, message: Option<&ast::Message>) -> Option<Message> {
        message.map(|message| self.message(message))
    }
}

pub(crate) fn there(expr: Expr) -> Expr {
    let span = expr.span;
    Expr {
        kind: ExprKind::Unary(UnaryOp::There, Box::new(expr)),
        ty: Ty::Bool,
        span,
    }
}

fn conversion(from: &Ty, to: &Ty) -> Option<String> {
    let word = match to {
        Ty::Set(_) => "set",
        Ty::Bag(_) => "bag",
        Ty::List(_) => "list",
        _ => return None,
    };
    from.is_container()
        .then(|| format!("`{word}(…)` makes one of it"))
}
